#!/usr/bin/env python3
"""Check an article's confidence: is it as sure as it says?

    calibration.py [--fit] [--docs] [--work DIR] [--evalkit DIR] CORPUS...

Learns each corpus from the learning half of its pages (all of them, 20 of them, 5 of them), extracts the
other half and compares each article with its right text. Prints for each range of confidence the number of
articles, and the share of them with an F1 of .9 or more. It also prints the number of pages that gave an
article but are not articles.

--fit fits the constants of patterns/confidence.py on the corpora that are not kept aside (aside.py), and
checks them on those that are. The last lines that are printed belong into that file. --docs draws
docs/images/calibration.svg. The exit status is 1 if less than 97 in 100 of the articles with .9 or more,
learned from all pages, have that F1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent))
from aside import is_aside
from calibration_fit import fit, fit_unmatched
from calibration_plot import draw
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack

from scrapy_webstemmer import learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.patterns.confidence import EXPONENTS, ODDS, Shares, confidence, unmatched_confidence
from scrapy_webstemmer.storage import open_pages

#: Numbers of pages to learn from; None: all pages.
SIZES = (None, 20, 5)
#: From this F1 on an article is right, from this confidence on it is sure. This share of the sure is right.
RIGHT, SURE, GOAL = 0.9, 0.9, 0.97
PLOT = Path(__file__).resolve().parents[2] / "docs" / "images" / "calibration.svg"


class Row(NamedTuple):
    """A page that gave an article, with its F1; None if the page is not an article."""

    corpus: str
    size: int | None
    evidence: Shares
    f1: float | None
    is_matched: bool

    @property
    def confidence(self) -> float:
        """The confidence in it."""
        return confidence(self.evidence) if self.is_matched else unmatched_confidence(self.evidence)

    @property
    def right(self) -> bool:
        """Whether the text is right."""
        return self.f1 is not None and self.f1 >= RIGHT


def bare(url: str) -> str:
    """Return a url without its scheme, which an archive does not keep."""
    return url.partition("://")[2]


def rows_of(corpus: Path, work: Path, evalkit_folder: Path) -> list[Row]:
    """Return the rows of a corpus, for all sizes."""
    evalkit = Evalkit(evalkit_folder)
    root = unpack(corpus.resolve(), work / "corpora")
    folder = work / root.name
    evalkit.halves(root, folder, 400, 400)
    golds = {
        bare(gold["url"]): gold for gold in map(json.loads, (root / "gold.jsonl").open(encoding="utf-8"))
    }
    with open_pages(folder / "learn.zip") as source:
        pages, linkinfo = sorted(source, key=lambda page: page.url), source.linkinfo()
        rows = []
        for size in SIZES:
            if size is None or size < len(pages):
                chosen = random.Random(f"{root.name} {size}").sample(pages, size or len(pages))
                rows += list(_extracted(root.name, size, folder, learn(chosen, linkinfo), golds, evalkit))
    return rows


def _extracted(
    corpus: str, size: int | None, folder: Path, patterns: object, golds: dict[str, dict], evalkit: Evalkit
) -> Iterator[Row]:
    """Yield the test pages that give an article and whose right text is known."""
    with open_pages(folder / "test.zip") as source:
        for page in source:
            result, gold = explain(page, patterns), golds.get(bare(page.url))
            if result.article and result.page and result.page.shares and gold:
                judged, f1 = evalkit.judge(gold, result.article.text)
                if judged:
                    is_matched = bool(result.page.match.pattern.name)
                    yield Row(corpus, size, result.page.shares, f1, is_matched)


def show(rows: Sequence[Row]) -> tuple[float, int]:
    """Print a table by confidence; return the share of the sure articles that is right, and their number."""
    articles = [(row.confidence, row) for row in rows if row.f1 is not None]
    others = [row.confidence for row in rows if row.f1 is None]
    print(f"{'confidence':>11} {'articles':>9} {'right':>6} {'mean':>6} {'no articles':>12}")
    for low in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        here = [(row.right, value) for value, row in articles if low <= value < low + 0.1]
        false = sum(low <= value < low + 0.1 for value in others)
        right, mean = (
            f"{fmean(cells):6.3f}" if here else "     -"
            for cells in (zip(*here, strict=True) if here else ((), ()))
        )
        print(f"{low:5.1f} - {low + 0.1:3.1f} {len(here):9d} {right} {mean} {false:12d}")
    sure = [row.right for value, row in articles if value >= SURE]
    return (sum(sure) / len(sure) if sure else 1.0), len(sure)


def fitted(rows: Sequence[Row]) -> tuple[float, dict[str, float]]:
    """Return odds and exponents for the rows; a corpus has the weight of the root of its number of rows."""
    rows = [row for row in rows if row.is_matched]
    return fit([row.evidence._asdict() for row in rows], [row.right for row in rows], weights_of(rows))


def weights_of(rows: Sequence[Row]) -> list[float]:
    """Return the weight of each row: all rows of a corpus together weigh the root of their number."""
    counts = Counter(row.corpus for row in rows)
    return [counts[row.corpus] ** -0.5 for row in rows]


def fitted_unmatched(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the constants for the rows that no pattern fits."""
    rows = [row for row in rows if not row.is_matched]
    values = [confidence(row.evidence) for row in rows]
    return fit_unmatched(values, [row.right for row in rows], weights_of(rows))


def check(rows: Sequence[Row], odds: float, exponents: dict[str, float]) -> str:
    """Return how many articles are sure with these constants, and which share of them is right."""
    module = sys.modules[confidence.__module__]
    cells = []
    with mock.patch.multiple(module, ODDS=odds, EXPONENTS=exponents):
        for size in SIZES:
            of_size = [row for row in rows if row.size == size and row.f1 is not None]
            sure = [row.right for row in of_size if row.confidence >= SURE]
            right = f"{sum(sure) / len(sure):.3f}" if sure else "-"
            cells.append(f"{size or 'all'} pages: {len(sure)} of {len(of_size)} sure, {right} right")
    return "; ".join(cells)


def show_fit(rows: Sequence[Row]) -> None:
    """Print constants fitted without the corpora kept aside, and how well they hold on those corpora."""
    known = [row for row in rows if not is_aside(row.corpus)]
    aside = [row for row in rows if is_aside(row.corpus)]
    print("as it is, on those kept aside:", check(aside, ODDS, dict(EXPONENTS)))
    odds, exponents = fitted(known)
    print("fitted, on the others:        ", check(known, odds, exponents))
    print("fitted, on those kept aside:  ", check(aside, odds, exponents))
    print(f"ODDS = {odds}\nEXPONENTS = {json.dumps(exponents)}")
    print("with the constants as they are: UNMATCHED_ODDS, UNMATCHED_POWER =", fitted_unmatched(known))
    for name, some in (("the others", known), ("those kept aside", aside)):
        rows = [row for row in some if not row.is_matched]
        share, expected = (
            (fmean(row.right for row in rows), fmean(row.confidence for row in rows)) if rows else (0, 0)
        )
        print(f"no pattern fits, on {name}: {len(rows)} pages, {share:.3f} right, confidence {expected:.3f}")


def main() -> int:
    """Print tables, draw and fit as the arguments ask, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--fit", action="store_true", help="fit the constants")
    parser.add_argument("--docs", action="store_true", help=f"draw {PLOT.name}")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, ProcessPoolExecutor() as pool:
        work = (args.work or Path(temporary)).resolve()
        parts = pool.map(partial(rows_of, work=work, evalkit_folder=args.evalkit), args.corpora)
        rows = [row for part in parts for row in part]
    results = []
    for size, aside in product(SIZES, (False, True)):
        print(f"\nlearned from {size or 'all'} pages, sites {'kept aside' if aside else 'of the fit'}:")
        share, sure = show([row for row in rows if row.size == size and is_aside(row.corpus) is aside])
        print(f"{SURE} and more: {sure} articles, {share:.1%} of them right")
        results.append(share)
    if args.fit:
        show_fit(rows)
    if args.docs:
        draw(PLOT, [(r.confidence, r.right) for r in rows if r.size is None and r.f1 is not None])
    return int(results[0] < GOAL)


if __name__ == "__main__":
    sys.exit(main())
