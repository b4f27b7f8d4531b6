#!/usr/bin/env python3
"""Measure the accuracy on corpora, of generic extractors, and without each rule.

    accuracy.py [--only PART] [--docs] [--work DIR] [--processes N] [--learn N] [--test N] CORPUS...

CORPUS is a folder, or a .tar.xz of one, with gold.jsonl and pages/. Each is split as split.py does and scored
by score.py: precision, recall and F1 of the text, the share of exact titles, and the share of index and tag
pages that gave articles (false). Articles of which no text comes out are counted too (lost). A corpus without
articles is skipped. Parts:

    tools         all pages, beside trafilatura, readability-lxml, newspaper4k, resiliparse
    sizes         three random halves of each site; learned from 1 to 120 pages of a half, and from all
    disturbances  one page in twenty left out at random; pages shuffled
    rules         each rule of the learner switched off in turn

Without --only all parts are measured. The tables of the parts are printed as Markdown; --docs also writes
them and their plots into docs/. Needs the dependency group `benchmarks`. With --work, the results of the
generic extractors are kept there and not computed again.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import tables
import tail
from ablation import check_rules
from corpora import read_corpus, remembered
from evalkit import EVALKIT, Evalkit
from measures import PARTS
from serve_corpus import unpack
from tables import Results, fill_in

DOCS = Path(__file__).resolve().parents[2] / "docs"

#: The pages of the documentation that have tables, and all tables by their names.
PAGES = ("accuracy.md", "accuracy-sites.md")
TABLES = {**tables.TABLES, **tail.TABLES}

#: The part from which a table is made; the others are made from ``tools``.
NEEDED = {
    "curve": "sizes",
    "few": "sizes",
    "growth": "sizes",
    "draws": "sizes",
    "disturbances": "disturbances",
    "rules": "rules",
}

#: A part of a corpus, and how to measure it.
Task = tuple[str, Path, argparse.Namespace]


def measure(task: Task) -> tuple[str, str, Any]:
    """Return the part, the corpus' name, and what was measured."""
    part, folder, args = task
    logging.disable(logging.CRITICAL)  # about pages that some tool cannot read
    warnings.simplefilter("ignore")
    evalkit = Evalkit(args.evalkit)
    evalkit.remember()
    corpus = read_corpus(folder, args.work / part, evalkit, args.learn, args.test)
    with remembered():
        return part, corpus.name, PARTS[part](corpus)


def tasks(args: argparse.Namespace) -> Iterator[Task]:
    """Yield the parts of all corpora, the largest first, so that no large one runs alone at the end."""
    evalkit = Evalkit(args.evalkit)
    folders = [unpack(corpus.resolve(), args.work / "corpora") for corpus in args.corpora]
    folders = [folder for folder in folders if evalkit.articles(folder)]
    size = {folder: (folder / "gold.jsonl").stat().st_size for folder in folders}
    for folder in sorted(folders, key=lambda folder: (-size[folder], folder)):
        yield from ((part, folder, args) for part in args.only or PARTS)


def measure_all(args: argparse.Namespace) -> Results:
    """Return all results by corpus and part, ordered by the corpus' name."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    everything = list(tasks(args))
    # one task a process, so that the memory of its trees is given back
    with Pool(args.processes, maxtasksperchild=1) as pool:
        for number, (part, name, result) in enumerate(pool.imap_unordered(measure, everything), 1):
            found[name][part] = result
            print(f"{number}/{len(everything)} {name}: {part}", file=sys.stderr, flush=True)
    return {name: found[name] for name in sorted(found)}


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--only", action="append", choices=[*PARTS], help="this part; may be repeated")
    parser.add_argument("--docs", action="store_true", help="write the tables and the plots of docs/")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--learn", type=int, default=400, help="pages to learn from at most")
    parser.add_argument("--test", type=int, default=400, help="pages to extract at most")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    if args.only and "tools" not in args.only and {"disturbances", "rules"} & {*args.only}:
        args.only.insert(0, "tools")  # their tables need it to tell large sites from small ones
    return args


def main() -> None:
    """Measure, print the tables and, if asked for, write the documentation."""
    args = arguments()
    check_rules()
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        for part in PARTS:
            (args.work / part).mkdir(parents=True, exist_ok=True)
        results = measure_all(args)
        (args.work / "results.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    measured = set(args.only or PARTS)
    tables = {name: table for name, table in TABLES.items() if NEEDED.get(name, "tools") in measured}
    for name, table in tables.items():
        print(f"\n{name}\n\n{table(results)}", flush=True)
    if args.docs:
        from plots import PLOTS, write_plots

        for page in PAGES:
            fill_in(DOCS / page, results, tables)
        plots = [name for name in PLOTS if NEEDED.get(name, "tools") in measured]
        for path in write_plots(results, DOCS / "images", plots):
            print(os.path.relpath(path), file=sys.stderr)


if __name__ == "__main__":
    main()
