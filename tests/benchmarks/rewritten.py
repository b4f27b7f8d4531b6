#!/usr/bin/env python3
"""Measure how much depends on the way in which a site's pages are written, and write docs/rewritten.md.

    rewritten.py [--docs] [--only WAY...] [--work DIR] [--processes N] [--learn N] [--test N] CORPUS...

Nobody knows how the next site is written. So the pages of known sites are written otherwise (rewrites.py):
without classes, with paragraphs as ``div``, with other stories below, and so on. All pages of a site are
changed in the same way, before learning and before extraction. The gold texts stay the same. Prints the means
of each way, and the sites that lose a tenth of their F1 or more. --docs also writes the table into the page.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from corpora import Corpus, LearnPage, read_corpus
from evalkit import EVALKIT, Evalkit
from rewrites import OTHER_URLS, REWRITES, other_key
from serve_corpus import unpack
from tables import fill_tables, markdown, mean, show

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rewritten.md"
#: A site that loses this much of its F1 is named, if so few do.
LOST, NAMED = 0.1, 10
USUAL = next(iter(REWRITES))
_COLUMNS = ("f1", "title", "false")


def rewritten(corpus: Corpus, name: str) -> Corpus:
    """Return a corpus whose pages are written in another way, given its name."""
    rewrite, key_of = REWRITES[name], other_key if name == OTHER_URLS else str
    learn = [
        LearnPage(rewrite(page), tuple([(key_of(target), text) for target, text in anchors]))
        for page, anchors in corpus.learn
    ]
    return replace(corpus, learn=learn, test={url: rewrite(page) for url, page in corpus.test.items()})


def measure(task: tuple[Path, argparse.Namespace]) -> tuple[str, dict[str, Mapping[str, Any]]]:
    """Return a corpus' name, and the scores of each way to write its pages."""
    folder, args = task
    logging.disable(logging.CRITICAL)
    evalkit = Evalkit(args.evalkit)
    evalkit.remember()
    corpus = read_corpus(folder, args.work, evalkit, args.learn, args.test)
    return corpus.name, {name: rewritten(corpus, name).run() for name in args.only}


def table(results: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Return the means of each way, and the sites that lose much."""
    rows = []
    for name in next(iter(results.values())):
        scores = [site[name] for site in results.values()]
        usual = {site: found[USUAL]["f1"] or 0.0 for site, found in results.items()}
        lost = [site for site in sorted(results) if (results[site][name]["f1"] or 0.0) <= usual[site] - LOST]
        named = ", ".join(lost) if len(lost) <= NAMED else f"{len(lost)} sites"
        rows.append([name, *(show(mean(scores, column)) for column in _COLUMNS), named])
    return markdown(["pages written", "F1", "title", "false", "sites that lose a tenth of F1 or more"], rows)


def main() -> None:
    """Measure, print the table and, if asked for, write the documentation."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--docs", action="store_true", help="write docs/rewritten.md (of all ways)")
    parser.add_argument(
        "--only", action="append", choices=REWRITES, help="a way, beside pages as they are (default: all)"
    )
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--learn", type=int, default=100, help="pages to learn from at most")
    parser.add_argument("--test", type=int, default=40, help="pages to extract at most")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    args.only = [USUAL, *args.only] if args.only else [*REWRITES]
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        args.work.mkdir(parents=True, exist_ok=True)
        folders = [unpack(corpus.resolve(), args.work / "corpora") for corpus in args.corpora]
        with Pool(args.processes, maxtasksperchild=1) as pool:
            results = dict(pool.imap_unordered(measure, [(folder, args) for folder in folders]))
    print(table(results))
    if args.docs and len(args.only) == len(REWRITES):
        fill_tables(PAGE, {"rewritten": table(results)})


if __name__ == "__main__":
    main()
