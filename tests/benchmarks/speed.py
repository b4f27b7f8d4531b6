#!/usr/bin/env python3
"""Measure the speed on corpora, by stage and beside generic extractors, as ratios within one run.

    speed.py [--only PART] [--docs] [--work DIR] CORPUS...

CORPUS is a folder, or a .tar.xz of one, with gold.jsonl and pages/. All times are CPU time of one process,
the best of some rounds. Figures for all corpora are medians over them. Parts:

    corpora   of those with 26 or more pages to learn from: lxml's parse, extraction with and without HTML and
              with and without the compiled modules, learning and extraction by stage, matching against 1, 10
              and 100 patterns, and trafilatura, readability-lxml, newspaper4k, resiliparse, turbohtml where
              installed
    growth    learning of 100 to 30,000 pages of a generated site, and of the corpora whose name
              begins with ``speed``, which have no other part; time and peak memory
    commands  whole commands with their start-up
    workers   analyze and extract of 3,000 pages by one process and by two: seconds by the clock, so
              that other work on the machine shows

Without --only all parts are measured. The tables are printed as Markdown; --docs also writes them, and the
plots, into docs/. Needs the dependency group `benchmarks`.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from serve_corpus import unpack
from speed_commands import command_times
from speed_growth import GENERATED, SIZES, growth
from speed_measures import SpeedCorpus, installed_tools, measure
from speed_runs import worker_times
from speed_tables import PART_OF, TABLES, machine
from tables import fill_in

DOCS = Path(__file__).resolve().parents[2] / "docs"
PARTS = ("corpora", "growth", "commands", "workers")

#: Corpora with this name are for growth only, because their articles are not marked.
_FOR_GROWTH = "speed"


#: Smaller corpora are left out: so many pages must be there to learn from.
_LEAST = 26


def measure_corpora(folders: list[Path]) -> list[dict[str, Any]]:
    """Return the figures of each corpus."""
    tools = installed_tools()
    found = []
    for number, folder in enumerate(folders, 1):
        corpus = SpeedCorpus.read(folder)
        if len(corpus.learn) < _LEAST:
            continue  # a crawl of such a site takes no time to speak of
        found.append(measure(corpus, tools))
        print(f"{number}/{len(folders)} {folder.name}", file=sys.stderr, flush=True)
    return found


def measure_growth(folders: list[Path], sizes: list[int]) -> dict[str, Any]:
    """Return the rows of the generated site, and of each corpus, by name."""
    sources = {GENERATED: GENERATED, **{folder.name: str(folder) for folder in folders}}
    found = {}
    for name, source in sources.items():
        found[name] = growth(source, sizes)
        print(f"growth: {name}", file=sys.stderr, flush=True)
    return found


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="*", type=Path, metavar="CORPUS")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="pages for growth")
    parser.add_argument("--pages", type=int, default=3_000, help="pages for workers")
    parser.add_argument("--docs", action="store_true", help="write docs/performance.md and its plots")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    args = parser.parse_args()
    if args.docs and args.only:
        parser.error("--docs takes all parts: leave out --only")
    if not args.corpora and "corpora" in (args.only or PARTS):
        parser.error("give at least one CORPUS")
    return args


def measure_all(args: argparse.Namespace, work: Path) -> dict[str, Any]:
    """Return the figures of all parts that are asked for."""
    folders = [unpack(corpus.resolve(), work / "corpora") for corpus in args.corpora]
    large = [folder for folder in folders if folder.name.startswith(_FOR_GROWTH)]
    parts = args.only or PARTS
    results: dict[str, Any] = {"machine": machine()}
    if "corpora" in parts:
        results["corpora"] = measure_corpora([folder for folder in folders if folder not in large])
    if "growth" in parts:
        results["growth"] = measure_growth(large, args.sizes)
    for name, measured in (
        ("commands", command_times),
        ("workers", lambda folder: worker_times(folder, args.pages)),
    ):
        if name in parts:
            with tempfile.TemporaryDirectory() as folder:
                results[name] = measured(Path(folder))
            print(name, file=sys.stderr, flush=True)
    return results


def main() -> None:
    """Measure, print the tables and, if asked for, write the documentation."""
    args = arguments()
    logging.disable(logging.CRITICAL)  # about pages that some tool cannot read
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as temporary:
        work = (args.work or Path(temporary)).resolve()
        (work / "corpora").mkdir(parents=True, exist_ok=True)
        results = measure_all(args, work)
        (work / "speed.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    for name, table in TABLES.items():
        if PART_OF.get(name, "corpora") in results:
            print(f"\n{name}\n\n{table(results)}", flush=True)
    if args.docs:
        from speed_plots import write_speed_plots

        fill_in(DOCS / "performance.md", results, TABLES)
        for path in write_speed_plots(results, DOCS / "images"):
            print(os.path.relpath(path), file=sys.stderr)


if __name__ == "__main__":
    main()
