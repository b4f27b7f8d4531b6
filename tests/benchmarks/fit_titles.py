#!/usr/bin/env python3
"""Fit the weights by which the title of a page that is read alone is found, and show how good they are.

    fit_titles.py [--write] [--processes N] [--single FOLDER] CORPUS...

Reads a few articles of each corpus, each as if it were the only page of its site, and the pages of a FOLDER
that single_pages.py reads. A conditional logistic regression learns which of a page's candidates has the gold
title. Pages on which none has it teach nothing, but count as wrong.

Prints the share of right titles by kind of page, judged by weights that were fitted on nine tenths of the
other sites, for both halves of the sites that a digest makes; for corpora that are kept aside (aside.py),
which have no part in the fit; and what each weight is worth: the change of the loss without it.

--write writes the weights, fitted on all sites that are not kept aside, into the package.
``tests/docs/constants.py`` then writes them into docs/constants.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from aside import is_aside
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack

from scrapy_webstemmer import ExtractOptions, Page
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.page.sources import read_layout
from scrapy_webstemmer.site import own_title
from scrapy_webstemmer.site.model import place_all
from scrapy_webstemmer.site.own_title import TitleEvidence, candidates_of

#: So many articles of each corpus are read.
PAGES = 4
#: The ridge of the regression.
RIDGE = 2.0
FOLDS = 10
_ROUNDS = 50


class Row(NamedTuple):
    """A page whose title is known: for each candidate its evidence, and whether it is the title."""

    site: str
    kind: str
    aside: bool
    evidence: Any
    right: Any


class Task(NamedTuple):
    """A page whose title is known: its site, its kind, whether it is kept aside, its gold, its file."""

    site: str
    kind: str
    aside: bool
    gold: dict[str, Any]
    path: Path


def row_of(task: Task) -> Row | None:
    """Return the row of a page; None if it shows no text."""
    logging.disable(logging.CRITICAL)
    page = Page(task.gold["url"], task.path.read_bytes())
    layout = finish(read_layout(page, None, ExtractOptions().limits))
    if not layout.blocks:
        return None
    _, (placed,) = place_all([layout])
    found = candidates_of(placed, "")
    evidence = np.array([one.evidence for one in found], float).reshape(-1, len(TitleEvidence._fields))
    kit = Evalkit(EVALKIT)
    right = np.array([kit.same_title(task.gold, one.text) for one in found], bool)
    return Row(task.site, task.kind, task.aside, evidence, right)


def tasks_of_corpus(folder: Path) -> Iterator[Task]:
    """Yield some articles of a corpus, drawn by a digest of their urls."""
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        golds = [row for row in map(json.loads, lines) if row.get("title") and row.get("is_article")]
    rows = {row["url"]: row for row in golds}
    site, aside = folder.name.removesuffix("-few"), is_aside(folder.name)
    for url in sorted(rows, key=_digest)[:PAGES]:
        yield Task(site, "corpora", aside, rows[url], folder / rows[url]["file"])


def tasks_of_pages(folder: Path) -> Iterator[Task]:
    """Yield the pages of a folder, each of another site."""
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield Task(urlsplit(row["url"]).hostname or "", row["kind"], False, row, folder / row["file"])


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def regression(rows: Sequence[Row], without: int | None = None) -> Any:
    """Return the weights of a conditional logistic regression with a ridge, by Newton's steps.

    :param without: the number of a weight that stays 0.
    """
    known = [row for row in rows if row.right.any()]
    used = [number for number in range(len(TitleEvidence._fields)) if number != without]
    evidence = np.concatenate([row.evidence[:, used] for row in known])
    starts = np.cumsum([0, *(len(row.right) for row in known)])[:-1]
    page = np.repeat(np.arange(len(known)), [len(row.right) for row in known])
    true = np.array([row.evidence[row.right][0, used] for row in known])

    def likely(weights: Any) -> tuple[Any, float]:
        odds = evidence @ weights
        most = np.maximum.reduceat(odds, starts)
        shares = np.exp(odds - most[page])
        sums = np.add.reduceat(shares, starts)
        loss = (np.log(sums) + most - true @ weights).sum() + RIDGE / 2 * weights @ weights
        return shares / sums[page], float(loss)

    found = np.zeros(len(used))
    shares, loss = likely(found)
    for _ in range(_ROUNDS):
        mean = np.add.reduceat(evidence * shares[:, None], starts)
        slope = (mean - true).sum(0) + RIDGE * found
        bend = (evidence * shares[:, None]).T @ evidence - mean.T @ mean + RIDGE * np.eye(len(found))
        step = np.linalg.solve(bend, slope)
        while (new := likely(found - step))[1] > loss and np.abs(step).max() > 1e-9:
            step = step / 2
        found, (shares, loss) = found - step, new
        if np.abs(step).max() < 1e-6:
            break
    whole = np.zeros(len(TitleEvidence._fields))
    whole[used] = found
    return whole


def _likely(row: Row, weights: Any) -> Any:
    odds = row.evidence @ weights
    likely = np.exp(odds - odds.max())
    return likely / likely.sum()


class Judged(NamedTuple):
    """A row, whether the best of its candidates is the title, and the logarithmic loss."""

    row: Row
    right: bool
    loss: float


def judged(rows: Sequence[Row], without: int | None = None) -> list[Judged]:
    """Return the rows, judged by weights that were fitted without their sites."""
    folds: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        folds[FOLDS if row.aside else _digest(f"fold {row.site}")[0] % FOLDS].append(row)
    found = []
    for fold, some in folds.items():
        others = [row for other, more in folds.items() if other not in (fold, FOLDS) for row in more]
        weights = regression(others, without)
        for row in some:
            likely = _likely(row, weights) if len(row.right) else row.right
            right = bool(len(likely)) and bool(row.right[likely.argmax()])
            loss = -float(np.log(max(1e-9, likely[row.right].sum()))) if row.right.any() else 0.0
            found.append(Judged(row, right, loss))
    return found


def show(rows: Sequence[Row]) -> None:
    """Print how good the weights are."""
    titles: dict[str, list[bool]] = defaultdict(list)
    whole = judged(rows)
    for row, right, _ in whole:
        half = _digest(row.site)[0] % 2
        name = f"{row.kind}, aside" if row.aside else row.kind
        titles[name].append(right)
        titles[f"{name}, half {half}"].append(right)
    for name, found in sorted(titles.items()):
        print(f"{name:28} {len(found):>4} {fmean(found):.3f}")
    for number, name in enumerate(TitleEvidence._fields):
        part = judged(rows, number)
        losses = [
            fmean(one.loss for one in part if one.row.aside == aside)
            - fmean(one.loss for one in whole if one.row.aside == aside)
            for aside in (False, True)
        ]
        print(f"without {name:10} loss {losses[0]:+.4f}, aside {losses[1]:+.4f}")


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--single", type=Path, metavar="FOLDER", help="pages of one site each")
    parser.add_argument("--write", action="store_true", help="write them into the package and the docs")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folders = [unpack(corpus.resolve(), Path(temporary)) for corpus in args.corpora]
        tasks = [task for folder in folders for task in tasks_of_corpus(folder)]
        tasks += tasks_of_pages(args.single) if args.single else []
        with Pool(args.processes) as pool:
            rows = [row for row in pool.map(row_of, tasks, 8) if row is not None]
    show(rows)
    weights = regression([row for row in rows if not row.aside])
    found = {
        name: round(float(weight), 3) for name, weight in zip(TitleEvidence._fields, weights, strict=True)
    }
    text = json.dumps(found, indent=2) + "\n"
    print(text, end="")
    if args.write:
        Path(own_title.__file__).with_name("title_weights.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
