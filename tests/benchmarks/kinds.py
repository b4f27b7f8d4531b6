#!/usr/bin/env python3
"""Fit the weights that tell articles from lists and other pages, and show how well they do.

    kinds.py [--fit] [--processes N] [--evalkit DIR] CORPUS...

Learns each corpus from the learning half of its pages, and reads all of its pages, of any kind. Prints which
share of the articles is taken for something else, and which share of the other pages for an article. It does
so for the corpora of the fit and for those kept aside (aside.py).

--fit prints the weights of layouts/kind.py and patterns/kinds.py. The weights of a page's own signs are
fitted first. For the second fit, each site's signs are weighed by weights from all other sites. All sites
have the same weight, however many pages they have, and so do articles and other pages of a site. Two weights
are set, not fitted: the corpora have only articles on sites with few pages, and hardly any article on the
others that matches no pattern.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from aside import is_aside
from corpora import linkinfo_of, read_corpus
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack

from scrapy_webstemmer import ExtractOptions, extract, extraction, learn
from scrapy_webstemmer.layouts.kind import MOST_ODDS, Signs, own_odds
from scrapy_webstemmer.patterns.kinds import WEIGHTS, Evidence, probability

#: Weights that are set, not fitted.
SET = {"unmatched": WEIGHTS["unmatched"], "few": WEIGHTS["few"]}
#: A site is large from so many pages on.
_LARGE = 26
#: A site has its full weight from so many pages of a kind on.
_FULL = 20
#: A page with at least this probability is taken for an article.
_THRESHOLD = ExtractOptions().article_threshold
_RIDGE = 20.0
_ROUNDS = 50


class Row(NamedTuple):
    """A page with main text, and what it is."""

    corpus: str
    learned: int
    article: bool
    later: bool
    signs: Signs
    evidence: Evidence


def rows_of(folder: Path, work: Path, evalkit_folder: Path) -> list[Row]:
    """Return the pages of a corpus whose kind is known, with their signs and evidence."""
    logging.disable(logging.CRITICAL)
    evalkit = Evalkit(evalkit_folder)
    corpus = read_corpus(folder, work, evalkit, 400, 400)
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        golds = {_bare(row["url"]): row for row in map(json.loads, lines)}
    patterns = learn((one.page for one in corpus.learn), linkinfo_of(corpus.learn))
    pages = [(False, one.page) for one in corpus.learn] + [(True, page) for page in corpus.test.values()]
    found = []
    with _Recorded() as seen:
        for later, page in pages:
            gold = golds.get(_bare(page.url))
            seen.clear()
            extract(page, patterns, ExtractOptions(article_threshold=0.0))
            if gold and len(seen) == 2 and (gold.get("is_article") or evalkit.judge(gold, "")[0]):
                article, (signs, evidence) = bool(gold.get("is_article")), seen
                evidence = evidence._replace(own=own_odds(signs))
                found.append(Row(folder.name, len(corpus.learn), article, later, signs, evidence))
    return found


class _Recorded:
    """Records the signs and the evidence of each page while the context lasts."""

    def __enter__(self) -> list[Any]:
        seen: list[Any] = []
        self._patches = [
            patch.object(extraction, name, partial(_noting, getattr(extraction, name), seen))
            for name in ("signs_of", "evidence_of")
        ]
        for one in self._patches:
            one.start()
        return seen

    def __exit__(self, *_: object) -> None:
        for one in self._patches:
            one.stop()


def _noting(function: Callable[..., Any], seen: list[Any], *args: Any) -> Any:
    found = function(*args)
    seen.append(found)
    seen.sort(key=lambda one: isinstance(one, Evidence))  # the evidence is asked for first
    return found


def _bare(url: str) -> str:
    return url.partition("://")[2]


def regression(values: Any, right: Any, weights: Any) -> tuple[Any, float]:
    """Return coefficients and constant of a logistic regression with a ridge, by Newton's steps.

    :param values: an array, a row a page.
    """
    mean, spread = values.mean(0), values.std(0)
    scaled = np.c_[(values - mean) / np.where(spread, spread, 1.0), np.ones(len(values))]
    ridge = np.r_[np.full(values.shape[1], _RIDGE), 0.0]
    weights = weights * len(weights) / weights.sum()
    found = np.zeros(scaled.shape[1])
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (weights * (likely - right)) + ridge * found
        bend = (scaled * (weights * likely * (1 - likely))[:, None]).T @ scaled + np.diag(ridge + 1e-9)
        found -= np.linalg.solve(bend, slope)
    coefficients = found[:-1] / np.where(spread, spread, 1.0)
    return coefficients, float(found[-1] - coefficients @ mean)


def _weights(rows: Sequence[Row]) -> Any:
    counts: dict[tuple[str, bool], int] = {}
    for row in rows:
        counts[row.corpus, row.article] = counts.get((row.corpus, row.article), 0) + 1
    numbers = [counts[row.corpus, row.article] for row in rows]
    return np.array([min(1.0, number / _FULL) / number for number in numbers])


def _fit_signs(rows: Sequence[Row]) -> tuple[Any, float]:
    values = np.array([row.signs for row in rows])
    return regression(values, np.array([row.article for row in rows]), _weights(rows))


def _fit_evidence(rows: Sequence[Row], own: Any) -> tuple[dict[str, float], float]:
    """Return the weights of the evidence, given the odds of the pages' own signs, from large sites only."""
    large = [number for number, row in enumerate(rows) if row.learned >= _LARGE]
    rows, own = [rows[number] for number in large], own[large]
    names = [name for name in Evidence._fields if name not in SET]
    values = np.array([[getattr(row.evidence, name) for name in names] for row in rows])
    values[:, names.index("own")] = own
    found, constant = regression(values, np.array([row.article for row in rows]), _weights(rows))
    constant -= sum(
        weight * fmean(getattr(row.evidence, name) for row in rows) for name, weight in SET.items()
    )
    return {**dict(zip(names, map(float, found), strict=True)), **SET}, constant


def show_fit(rows: Sequence[Row]) -> None:
    """Print the weights."""
    whole, base = _fit_signs(rows)
    own = np.zeros(len(rows))
    for site in {row.corpus.removesuffix("-few") for row in rows}:
        here = np.array([row.corpus.removesuffix("-few") == site for row in rows])
        found, constant = _fit_signs([row for row, out in zip(rows, here, strict=True) if not out])
        own[here] = np.array([row.signs for row in rows])[here] @ found + constant
    weights, second = _fit_evidence(rows, own.clip(-MOST_ODDS, MOST_ODDS))
    for name, constant, found in (
        ("layouts/kind.py", base, dict(zip(Signs._fields, map(float, whole), strict=True))),
        ("patterns/kinds.py", second, weights),
    ):
        print(f"\n{name}\nBASE = {constant:.2f}")
        print(json.dumps({key: round(value, 2) for key, value in found.items()}, indent=4))


def show(rows: Sequence[Row]) -> None:
    """Print for each corpus, and for both groups, how many of its later pages are taken for another kind."""
    print(f"{'corpus':30} {'learned':>7} {'articles':>8} {'lost':>6} {'others':>6} {'false':>6}")
    for aside in (False, True):
        cells: dict[bool, list[float]] = {True: [], False: []}
        for corpus in sorted({row.corpus for row in rows if is_aside(row.corpus) is aside}):
            here = [row for row in rows if row.corpus == corpus and row.later]
            shares = {}
            for article in (True, False):
                wrong = [
                    (probability(r.evidence) >= _THRESHOLD) != article for r in here if r.article is article
                ]
                shares[article] = len(wrong), fmean(wrong) if wrong else 0.0
                if wrong and here[0].learned >= _LARGE:
                    cells[article].append(shares[article][1])
            (articles, lost), (others, false) = shares[True], shares[False]
            learned = here[0].learned if here else 0
            print(f"{corpus[:30]:30} {learned:7d} {articles:8d} {lost:6.3f} {others:6d} {false:6.3f}")
        side = "kept aside" if aside else "of the fit"
        lost, false = (fmean(cells[article]) if cells[article] else 0.0 for article in (True, False))
        print(f"mean of the large ones {side}: lost {lost:.3f}, false {false:.3f}\n")


def _rows(args: argparse.Namespace) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        folders = [unpack(corpus.resolve(), work / "corpora") for corpus in args.corpora]
        with Pool(args.processes, maxtasksperchild=1) as pool:
            for found in pool.imap(partial(rows_of, work=work, evalkit_folder=args.evalkit), folders):
                yield from found


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--fit", action="store_true", help="fit the weights")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    rows = list(_rows(args))
    show(rows)
    if args.fit:
        show_fit([row for row in rows if not is_aside(row.corpus)])


if __name__ == "__main__":
    main()
