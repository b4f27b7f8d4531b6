"""What accuracy.py measures on a corpus, part by part; each gives values that JSON can hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ablation import RULES, run_without
from corpora import Corpus, LearnPage, draw
from generic_tools import TOOLS, score_tool

#: The name of our own results beside those of the other tools.
OURS = "scrapy-webstemmer"

#: How many pages are learned from, and how often so many are drawn: few pages differ most.
DRAWS: Mapping[int, int] = {1: 5, 2: 5, 5: 5, 10: 4, 20: 3, 50: 2, 100: 2, 200: 1, 400: 1}
#: Sizes that are measured on every site, with all its pages where it has fewer.
FEW = (1, 5)

#: Pages that are extracted of each site, at most, where it is learned many times: enough for a mean.
SOME = 100

#: Each page is left out with this chance; so many draws on sites with few pages to learn from, and with many.
LEFT_OUT = 1 / 20
_FEW_PAGES, _DRAWS_FEW, _DRAWS_MANY = 26, 12, 3
_SHUFFLES = 1
#: Pairs of random halves of a site's pages that are learned from, and pages that a half has at least.
_PAIRS, _HALF = 10, 25


def by_tool(corpus: Corpus) -> Any:
    """Return the scores of each tool."""
    return {OURS: corpus.run(), **{name: score_tool(name, corpus) for name in TOOLS}}


def by_size(corpus: Corpus) -> Any:
    """Return a row a draw: how many pages were asked for, and the scores."""
    corpus = corpus.shorter(SOME)
    return [
        {"size": size, **corpus.run(draw(corpus.learn, size, f"{corpus.name}/{size}/{number}"))}
        for size, draws in DRAWS.items()
        if size <= len(corpus.learn) or size in FEW
        for number in range(draws if size < len(corpus.learn) else 1)
    ]


def by_disturbance(corpus: Corpus) -> Any:
    """Return the scores as they are, and F1 when learned from other pages, or in another order."""
    corpus = corpus.shorter(SOME)
    count = len(corpus.learn)
    draws = _DRAWS_MANY if count >= _FEW_PAGES else _DRAWS_FEW
    return {
        **corpus.run(),
        "left out": [corpus.run(pages)["f1"] for pages in thinned(corpus, draws)],
        "shuffled": [
            corpus.run(draw(corpus.learn, count, f"{corpus.name}/order/{number}"))["f1"]
            for number in range(_SHUFFLES)
        ],
        "halves": [tuple(corpus.run(half)["f1"] for half in pair) for pair in halves(corpus)],
    }


def halves(corpus: Corpus) -> Iterator[tuple[Sequence[LearnPage], Sequence[LearnPage]]]:
    """Yield the pages of a large site in two random halves, several times."""
    middle = len(corpus.learn) // 2
    for number in range(_PAIRS if middle >= _HALF else 0):
        pages = draw(corpus.learn, len(corpus.learn), f"{corpus.name}/halves/{number}")
        yield pages[:middle], pages[middle:]


def thinned(corpus: Corpus, draws: int) -> Iterator[Sequence[LearnPage]]:
    """Yield the pages with each left out by chance; draws that leave out none or all are skipped."""
    for number in range(draws):
        chance = random.Random(f"{corpus.name}/thinned/{number}")
        kept = [page for page in corpus.learn if chance.random() >= LEFT_OUT]
        if 0 < len(kept) < len(corpus.learn):
            yield kept


def by_rule(corpus: Corpus) -> Any:
    """Return the scores without each of the rules, and with all of them, under an empty name."""
    corpus = corpus.shorter(SOME)
    return {"": corpus.run(), **{rule.name: run_without(rule, corpus) for rule in RULES}}


#: By the names under which their results are kept.
PARTS: Mapping[str, Callable[[Corpus], Any]] = {
    "tools": by_tool,
    "sizes": by_size,
    "disturbances": by_disturbance,
    "rules": by_rule,
}
