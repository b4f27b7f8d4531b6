"""The parts of accuracy.py: each measures a corpus and returns values that JSON can hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ablation import RULES, run_without
from corpora import Corpus, LearnPage, draw, redrawn
from generic_tools import TOOLS, score_tool

from scrapy_webstemmer import ExtractOptions

#: The name of our own results beside those of the other tools.
OURS = "scrapy-webstemmer"

#: The number of random halves of all pages that are learned from, the other half being extracted.
DRAWS = 3
#: The numbers of pages that are learned from: the first ones of a half, and at last all of it.
SIZES = (1, 2, 5, 10, 20, 30, 60, 120)
#: All pages of a half; none: each page is read alone.
ALL, NONE = 0, -1
#: Sizes that are measured on every site. A site with fewer pages uses all of them.
FEW = (1, 2, 5)
#: The generic extractor that the curve is compared with: the best on these sites.
BEST_TOOL = "trafilatura"

#: If a site is learned many times, at most so many of its pages are extracted: enough for a mean.
SOME = 60

#: Only title and text are compared.
_TEXT = ExtractOptions(html=False, metadata=False)

#: Each page is left out with this chance. Sites with few pages have more draws than sites with many.
LEFT_OUT = 1 / 20
_FEW_PAGES, _DRAWS_FEW, _DRAWS_MANY = 26, 12, 3
_SHUFFLES = 1
#: The number of pairs of random halves of a site's pages, and the least number of pages in a half.
_PAIRS, _HALF = 10, 25


def by_tool(corpus: Corpus) -> Any:
    """Return the scores of each tool."""
    return {OURS: corpus.run(), **{name: score_tool(name, corpus) for name in TOOLS}}


def by_size(corpus: Corpus) -> Any:
    """Return the number of the site's articles, a row of scores for each draw and size, and a tool's scores.

    The sizes of a draw extract the same pages, and a larger one learns from those of a smaller one and more.
    """
    rows, tool = [], []
    for number in range(DRAWS):
        drawn = redrawn(corpus, f"{corpus.name}/redrawn/{number}").shorter(SOME)
        sizes = [size for size in SIZES if size <= len(drawn.learn) or size in FEW]
        learned = [*((size, drawn.learn[:size]) for size in sizes), (ALL, drawn.learn)]
        rows += [{"draw": number, "size": size, **drawn.run(pages, None, _TEXT)} for size, pages in learned]
        rows.append({"draw": number, "size": NONE, **drawn.run([], None, _TEXT), "learned": NONE})
        tool.append(score_tool(BEST_TOOL, drawn))
    return {"articles": len(corpus.evalkit.articles(corpus.folder)), "rows": rows, BEST_TOOL: tool}


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


#: The parts by the names of their results.
PARTS: Mapping[str, Callable[[Corpus], Any]] = {
    "tools": by_tool,
    "sizes": by_size,
    "disturbances": by_disturbance,
    "rules": by_rule,
}
