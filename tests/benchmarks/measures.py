"""The parts of accuracy.py: each measures a corpus and returns values that JSON can hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ablation import RULES, run_without
from corpora import Corpus, LearnPage, draw, redrawn
from generic_tools import TOOLS, score_tool

#: The name of our own results beside those of the other tools.
OURS = "scrapy-webstemmer"

#: For each number of pages to learn from, the number of draws. Draws of few pages differ most.
DRAWS: Mapping[int, int] = {1: 5, 2: 5, 5: 5, 10: 4, 20: 3, 50: 2, 100: 2, 200: 1, 400: 1}
#: Sizes that are measured on every site. A site with fewer pages uses all of them.
FEW = (1, 5)

#: If a site is learned many times, at most so many of its pages are extracted: enough for a mean.
SOME = 100

#: Each page is left out with this chance. Sites with few pages have more draws than sites with many.
LEFT_OUT = 1 / 20
_FEW_PAGES, _DRAWS_FEW, _DRAWS_MANY = 26, 12, 3
_SHUFFLES = 1
#: The number of pairs of random halves of a site's pages, and the least number of pages in a half.
_PAIRS, _HALF = 10, 25

#: The number of random halves of all pages that are learned from, the other half being extracted.
REDRAWN = 3
#: The sizes of crawls of one site that are compared, apart from all pages.
GROWING = (30, 50, 80)


def by_tool(corpus: Corpus) -> Any:
    """Return the scores of each tool."""
    return {OURS: corpus.run(), **{name: score_tool(name, corpus) for name in TOOLS}}


def by_size(corpus: Corpus) -> Any:
    """Return a row for each draw: the number of pages that was asked for, and the scores."""
    corpus = corpus.shorter(SOME)
    return [
        {"size": size, **corpus.run(draw(corpus.learn, size, f"{corpus.name}/{size}/{number}"))}
        for size, draws in DRAWS.items()
        if size <= len(corpus.learn) or size in FEW
        for number in range(draws if size < len(corpus.learn) else 1)
    ]


def by_disturbance(corpus: Corpus) -> Any:
    """Return the undisturbed scores, and the F1 after learning from other pages or in another order."""
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
    """Yield the pages, each left out by chance; draws that leave out none or all are skipped."""
    for number in range(draws):
        chance = random.Random(f"{corpus.name}/thinned/{number}")
        kept = [page for page in corpus.learn if chance.random() >= LEFT_OUT]
        if 0 < len(kept) < len(corpus.learn):
            yield kept


def by_rule(corpus: Corpus) -> Any:
    """Return the scores without each of the rules, and with all rules under an empty name."""
    corpus = corpus.shorter(SOME)
    return {"": corpus.run(), **{rule.name: run_without(rule, corpus) for rule in RULES}}


def by_draw(corpus: Corpus) -> Any:
    """Return the scores of learning from other halves of the pages, and from ever more pages of one half.

    The sizes extract the same pages. A size has the first pages of the learning crawl, and the last row has
    all of them.
    """
    again = (redrawn(corpus, f"{corpus.name}/redrawn/{number}").shorter(SOME) for number in range(REDRAWN))
    first = corpus.shorter(SOME)
    count = len(corpus.learn)
    sizes = [*(size for size in GROWING if size < count), count]
    return {
        "articles": len(corpus.evalkit.articles(corpus.folder)),
        "draws": [one.run() for one in again],
        "sizes": [{"size": size, **first.run(corpus.learn[:size])} for size in sizes],
    }


#: The parts by the names of their results.
PARTS: Mapping[str, Callable[[Corpus], Any]] = {
    "tools": by_tool,
    "sizes": by_size,
    "disturbances": by_disturbance,
    "draws": by_draw,
    "rules": by_rule,
}
