#!/usr/bin/env python3
"""Fit the weights by which a page alone shows its main text (site/block_odds.py), and show how good they are.

    fit_blocks.py [--write] [--processes N] [--pages 8] --single FOLDER CORPUS...

Reads some articles of each corpus, and all pages of FOLDER, one a site, as pages alone; a corpus is a folder
or a .tar.xz of one. A block is main text if half or more of its runs of four words are in the gold text. The
regression weighs a block by its share of the page's text. There are two, one that weighs articles more, and
one that weighs all other pages more. A word counts if the names of elements on the pages of 60 sites have it.

Prints the F1 of the words and the share of lost pages, by kind: of the page's own masses, and of the fit,
each page judged by weights that were fitted without its site. Then how well the confidence holds. --write
fits on all, and writes the weights into the package.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlsplit

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).parent))
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack

from scrapy_webstemmer import ExtractOptions, Page, PageError
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.extraction import make_article
from scrapy_webstemmer.extraction.page_steps import read_by_itself
from scrapy_webstemmer.page.sources import read_layout
from scrapy_webstemmer.site import block_odds
from scrapy_webstemmer.site.block_evidence import EVIDENCE, evidence_of_blocks, name_words
from scrapy_webstemmer.site.block_odds import BlockWeights, LikelyText, Weights, likely_text
from scrapy_webstemmer.site.placed import PlacedLayout

#: The weight of a page of the kind that weights are for, and of others: they tell what menus look like, too.
_OWN, _OTHER = 1.0, 0.1
_SITES, _FOLDS = 60, 5
_RIDGE, _ROUNDS = 0.05, 300
#: A text is right from this F1 on.
_RIGHT, _LOST = 0.9, 0.1
_BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
_OPTIONS = ExtractOptions(
    html=False, metadata=False, article_threshold=0.0, threshold=0.0, min_confidence=0.0, unmatched=True
)


class Example(NamedTuple):
    """A page alone: its blocks' evidence and words, which of them are main text (None: no words), and more.

    ``weights`` and ``words`` have one entry for each block; ``counts`` the words of each block's text.
    """

    site: str
    kind: str
    placed: PlacedLayout
    main: Sequence[int]
    container: int
    article: float
    rows: Sequence[tuple[int, ...]]
    words: Sequence[frozenset[str]]
    true: Sequence[bool | None]
    counts: Sequence[Counter[str]]
    gold: Counter[str]

    def f1(self, blocks: Sequence[int]) -> float:
        """Return the F1 of the words of some blocks."""
        found = sum((self.counts[number] for number in blocks), Counter())
        common = sum((found & self.gold).values())
        return 2 * common / max(found.total() + self.gold.total(), 1)


def tasks_of(kit: Evalkit, folder: Path, most: int) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Yield pages with a gold text: of each site the first ones by a digest of their urls; 0: all pages."""
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        rows = list({row["url"]: row for row in map(json.loads, lines)}.values())
    if not most:
        yield from ((str(urlsplit(row["url"]).hostname), folder, row) for row in rows)
        return
    rows = [row for row in rows if kit.usable(row) and (folder / row["file"]).exists()]
    rows.sort(key=lambda row: sha256(row["url"].encode()).digest())
    yield from ((folder.name, folder, {**row, "kind": "corpus"}) for row in rows[:most])


def example_of(place: Path, task: tuple[str, Path, dict[str, Any]]) -> Example | None:
    """Read a page alone; None if it cannot be read, or shows no text."""
    logging.disable(logging.CRITICAL)
    kit = Evalkit(place)
    site, folder, gold = task
    try:
        layout = finish(
            read_layout(Page(gold["url"], (folder / gold["file"]).read_bytes()), None, _OPTIONS.limits)
        )
    except PageError:
        return None
    if not layout.blocks:
        return None
    with patch.object(make_article, "likely_text", lambda _, main, *__, **___: LikelyText(main, 0.0, 0.0)):
        result = finish(read_by_itself(layout, _OPTIONS))
    assert result.page is not None
    placed, parts = result.page.placed, result.page.parts
    around: list[frozenset[str]] = []
    for step, parent in zip(layout.steps, layout.parents, strict=True):
        around.append(name_words(step) | around[parent] if parent >= 0 else name_words(step))
    texts = [kit.tokens(block.text) for block in layout.blocks]
    rows = evidence_of_blocks(placed, parts.main, parts.chosen.node)
    return Example(
        site,
        gold["kind"],
        # columns do not go to another process, and nothing here asks for them
        replace(placed, layout=replace(layout, markup=None), columns=None),  # type: ignore[arg-type]
        parts.main,
        parts.chosen.node,
        result.probability,
        rows,
        [around[block.node] for block in layout.blocks],
        [
            *_labels(
                texts,
                kit.tokens(gold["text"]),
                {tuple(kit.tokens(line)) for line in gold["text"].split("\n")},
            )
        ],
        [Counter(words) for words in texts],
        Counter(kit.tokens(gold["text"])),
    )


def _labels(
    texts: Sequence[Sequence[str]], gold: Sequence[str], lines: set[tuple[str, ...]]
) -> Iterator[bool | None]:
    """Yield for each text whether it is in the gold text; one of three words only if it is a line there."""
    runs = {size: set(_runs(gold, size)) for size in range(1, 5)}
    for words in texts:
        size = min(4, len(words))
        own = [*_runs(words, size)]
        share = fmean(run in runs[size] for run in own) if own else 0
        yield share >= 0.5 and (size == 4 or tuple(words) in lines) if own else None


def _runs(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1)) if size else iter(())


#: For a page the F1 of its text, the log odds of the F1 that was expected, and the confidence.
Outcome = tuple[float, float, float]


class Columns(NamedTuple):
    """The matrix of the regression: rows are blocks, columns are values of the evidence and words.

    For each block ``is_article`` tells whether it is one of an article, and ``shares`` its share of the text.
    """

    words: Sequence[str]
    matrix: csr_matrix
    true: np.ndarray
    is_article: np.ndarray
    shares: np.ndarray
    pages: np.ndarray

    def fit(self, rows: np.ndarray, confidence: tuple[float, float, float] = (0.0, 1.0, 1.0)) -> Weights:
        """Return the weights that some rows give."""
        articles, others = (self._fit(rows, of_articles) for of_articles in (True, False))
        return Weights(tuple(self.words), articles, others, confidence)

    def _fit(self, rows: np.ndarray, of_articles: bool) -> BlockWeights:
        weights = np.where(self.is_article == of_articles, _OWN, _OTHER)[rows] * self.shares[rows]
        model = LogisticRegression(C=_RIDGE, max_iter=_ROUNDS, tol=1e-3)
        model.fit(self.matrix[rows], self.true[rows], sample_weight=weights / weights.mean() / 5)
        found = iter(model.coef_[0].astype(float).round(3).tolist())
        evidence = tuple(tuple(next(found) for _ in range(size)) for size in EVIDENCE.values())
        return BlockWeights(round(float(model.intercept_[0]), 3), evidence, tuple(found))


def columns_of(examples: Sequence[Example]) -> Columns:
    """Return the matrix of some pages."""
    sites: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for word in set().union(*example.words):
            sites[word].add(example.site)
    words = sorted(word for word, found in sites.items() if len(found) >= _SITES)
    firsts = np.cumsum([0, *EVIDENCE.values()]).tolist()
    places = {word: firsts[-1] + number for number, word in enumerate(words)}
    indexes: list[int] = []
    ends, true, is_article, shares, pages = [0], [], [], [], []
    for number, example in enumerate(examples):
        blocks = example.placed.layout.blocks
        whole = max(sum(block.weight for block in blocks), 1)
        for block, row, own, label in zip(blocks, example.rows, example.words, example.true, strict=True):
            if label is not None:
                indexes += [first + value for first, value in zip(firsts, row, strict=False)]
                indexes += [places[word] for word in own if word in places]
                ends.append(len(indexes))
                true.append(label)
                is_article.append(example.kind in ("article", "corpus"))
                shares.append(max(block.weight, 1) / whole)
                pages.append(number)
    shape = len(true), firsts[-1] + len(words)
    matrix = csr_matrix((np.ones(len(indexes), np.float32), indexes, ends), shape=shape)
    return Columns(words, matrix, np.array(true), np.array(is_article), np.array(shares), np.array(pages))


def chosen(examples: Sequence[Example], weights: Weights) -> list[Outcome]:
    """Return what some weights choose on each page."""
    found = []
    block_odds.forget()
    with patch.object(block_odds, "load_weights", lambda: weights):
        for example in examples:
            text = likely_text(example.placed, example.main, example.container, example.article)
            found.append((example.f1(text.blocks), block_odds.log_odds(text.expected), text.confidence))
    block_odds.forget()
    return found


def fit_confidence(examples: Sequence[Example], found: Sequence[Outcome]) -> tuple[float, float, float]:
    """Return by what the log odds that a text is right grow with the expected F1 and an article's odds."""
    known = [number for number, one in enumerate(examples) if one.kind in ("article", "corpus")]
    table = np.array([(found[number][1], np.log(examples[number].article)) for number in known])
    right = np.array([found[number][0] >= _RIGHT for number in known])
    model = LogisticRegression(C=1e6).fit(table, right)
    base, expected, article = (round(float(one), 3) for one in (model.intercept_[0], *model.coef_[0]))
    return base, expected, article


def table(examples: Sequence[Example], scores: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Yield the lines of a table: F1 and lost by kind of page."""
    yield "kind              n  " + "  ".join(f"{name:>14}" for name in scores)
    for kind, count in Counter(example.kind for example in examples).most_common():
        of_kind = [number for number, example in enumerate(examples) if example.kind == kind]
        shown = []
        for found in scores.values():
            some = [found[number] for number in of_kind]
            shown.append(f"{fmean(some):.4f} ({fmean(one < _LOST for one in some):.3f})")
        yield f"{kind:14} {count:>4}  " + "  ".join(f"{one:>14}" for one in shown)


def calibration(examples: Sequence[Example], found: Sequence[Outcome]) -> Iterator[str]:
    """Yield for some bins of the confidence the number of articles, its mean, and the share that is right."""
    pairs = [
        (one[2], one[0] >= _RIGHT)
        for one, page in zip(found, examples, strict=True)
        if page.kind in ("article", "corpus")
    ]
    for low, high in pairwise(_BINS):
        some = [pair for pair in pairs if low <= pair[0] < high or pair[0] == high == 1]
        if some:
            mean, right = fmean(one for one, _ in some), fmean(right for _, right in some)
            yield f"{low:.2f}-{high:.2f} {len(some):>5} {mean:.3f} {right:.3f}"


def main() -> None:
    """Fit, print, and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--pages", type=int, default=8)
    parser.add_argument("--evalkit", type=Path, default=EVALKIT)
    parser.add_argument("--single", type=Path, required=True)
    parser.add_argument("corpora", type=Path, nargs="+")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, Pool(args.processes) as pool:
        kit = Evalkit(args.evalkit)
        tasks = [*tasks_of(kit, unpack(args.single, Path(place)), 0)]
        for corpus in args.corpora:
            tasks += tasks_of(kit, unpack(corpus, Path(place)), args.pages)
        read = pool.imap(partial(example_of, args.evalkit), tasks, 8)
        examples = [example for example in read if example is not None]
    columns = columns_of(examples)
    folds = np.array([zlib.crc32(example.site.encode()) % _FOLDS for example in examples])
    found: list[Outcome] = [(0.0, 0.0, 0.0)] * len(examples)
    for confidence in ((0.0, 1.0, 1.0), None):
        confidence = confidence or fit_confidence(examples, found)
        for fold in range(_FOLDS):
            own = np.flatnonzero(folds == fold).tolist()
            weights = columns.fit(folds[columns.pages] != fold, confidence)
            for number, one in zip(own, chosen([examples[number] for number in own], weights), strict=True):
                found[number] = one
    rules = [example.f1(example.main) for example in examples]
    print(*table(examples, {"rules (lost)": rules, "fit (lost)": [one[0] for one in found]}), sep="\n")
    print("\nconfidence, articles, mean, right", *calibration(examples, found), sep="\n")
    if args.write:
        weights = columns.fit(columns.shares > 0, confidence)
        kinds = weights.articles, weights.others
        rows = {
            "base": [one.base for one in kinds],
            "evidence": {name: [one.evidence[at] for one in kinds] for at, name in enumerate(EVIDENCE)},
            "words": {word: [one.words[at] for one in kinds] for at, word in enumerate(weights.words)},
            "confidence": confidence,
        }
        path = Path(block_odds.__file__).with_name("block_weights.json")
        path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
