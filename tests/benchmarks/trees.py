#!/usr/bin/env python3
"""Measure the layouts of trees beside path layouts and generic extractors, and write their tables.

    trees.py [--docs] [--work DIR] [--processes N] [--learn N] [--test N] [--thresholds SHARE...] CORPUS...

CORPUS is a folder, or a .tar.xz of one, with gold.jsonl and pages/; see accuracy.py. Each method is measured
with its published threshold and with each of --thresholds. The tables are printed. --docs also writes
them into the page. Needs the dependency group `benchmarks`.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from corpora import Corpus, Prediction, linkinfo_of, read_corpus
from evalkit import EVALKIT, Evalkit
from generic_tools import TOOLS
from serve_corpus import unpack
from tables import fill_tables, markdown, mean, show
from tree_times import clusters_table, growth_table, mappings_table

from scrapy_webstemmer import ExtractOptions, LearnOptions, WebstemmerError, extract, learn
from scrapy_webstemmer.engines import ENGINES

TREE_LAYOUTS = tuple(name for name, one in ENGINES.items() if one.has_trees)
DOCS = Path(__file__).resolve().parents[2] / "docs"
#: Where the tables stand.
PLACES = {"other-methods.md": ("means", "trees", "mappings", "clusters", "growth")}
GENERIC = ("trafilatura", "readability-lxml")
#: As Reis and others count: an article is right from this F1 on, if its title is exact as well.
RIGHT = 0.95
#: Sites with at least so many pages to learn from show how long clusters take.
CLUSTERED = 300
_COLUMNS = ("f1", "title", "false", "right", "wrong", "none")

#: A method: the name in the tables, the layout or tool, and the threshold of its clusters.
Method = tuple[str, str, float | None]
#: For each site and method the scores.
Results = Mapping[str, Mapping[str, Mapping[str, Any]]]


def methods(thresholds: Sequence[float], generic: Sequence[str]) -> list[Method]:
    """Return all methods: each layout of trees has the published threshold, then the others."""
    found: list[Method] = [("paths", "paths", None)]
    for layout in TREE_LAYOUTS:
        others = [one for one in thresholds if one != ENGINES[layout].similarity]
        found += [(f"{layout} {one:g}", layout, one) for one in (ENGINES[layout].similarity, *others)]
    return [*found, *((name, name, None) for name in generic)]


def predictions(corpus: Corpus, layout: str, threshold: float | None) -> dict[str, Prediction]:
    """Return the articles that a method gives, by url."""
    if layout in TOOLS:
        return {url: _guarded(layout, page) for url, page in corpus.test.items()}
    options = LearnOptions(layout=layout, cluster_threshold=threshold)
    patterns = learn((one.page for one in corpus.learn), linkinfo_of(corpus.learn), options)
    matched = ExtractOptions(threshold=threshold if layout == "leaves" else None)
    found = {}
    for url, page in corpus.test.items():
        try:
            given = extract(page, patterns, matched)
        except WebstemmerError:
            continue
        if given is not None:
            found[url] = Prediction(given.title, given.text)
    return found


def _guarded(name: str, page: Any) -> Prediction:
    try:
        return TOOLS[name](page)
    except Exception:  # for any error of a tool, a user gets no article
        return Prediction()


def outcomes(corpus: Corpus, found: Mapping[str, Prediction]) -> dict[str, float]:
    """Return the shares of the articles that are right, wrong, and not extracted."""
    counts = dict.fromkeys(("right", "wrong", "none"), 0)
    for line in (corpus.folder / "gold.jsonl").open(encoding="utf-8"):
        gold = json.loads(line)
        if gold["url"] not in corpus.test or not corpus.evalkit.usable(gold):
            continue
        one = found.get(gold["url"], Prediction())
        f1 = corpus.evalkit.judge(gold, one.text)[1] or 0.0
        right = f1 >= RIGHT and corpus.evalkit.same_title(gold, one.title)
        counts["right" if right else "wrong" if one.text else "none"] += 1
    return {name: count / max(1, sum(counts.values())) for name, count in counts.items()}


def measure(task: tuple[Path, argparse.Namespace]) -> tuple[str, dict[str, dict[str, Any]]]:
    """Return a corpus' name, and the scores of each method."""
    folder, args = task
    logging.disable(logging.CRITICAL)  # about pages that some tool cannot read
    warnings.simplefilter("ignore")
    evalkit = Evalkit(args.evalkit)
    evalkit.remember()
    corpus = read_corpus(folder, args.work, evalkit, args.learn, args.test)
    results = {}
    for name, layout, threshold in methods(args.thresholds, args.generic):
        found = predictions(corpus, layout, threshold)
        results[name] = {**corpus.score(found), **outcomes(corpus, found)}
    return corpus.name, results


def means_table(results: Results) -> str:
    """Return the means over all sites, a method a row."""
    names = list(next(iter(results.values())))
    rows = [
        [name, *(show(mean([site[name] for site in results.values()], key)) for key in _COLUMNS)]
        for name in names
    ]
    return markdown(["method", "F1", "title", "false", "right", "wrong", "not extracted"], rows)


def sites_table(results: Results, generic: Sequence[str]) -> str:
    """Return each site's F1 and share of right articles.

    A layout of trees has the published threshold, and the one with which the mean F1 is best.
    """
    names = next(iter(results.values()))
    usual = ["paths"]
    for layout in TREE_LAYOUTS:
        tried = [name for name in names if name.startswith(f"{layout} ")]
        best = max(tried, key=lambda name: mean([site[name] for site in results.values()], "f1") or 0)
        usual += dict.fromkeys([f"{layout} {ENGINES[layout].similarity:g}", best])
    usual += generic
    rows = [
        [site, *(f"{show(found[name]['f1'])} ({show(found[name]['right'])})" for name in usual)]
        for site, found in sorted(results.items())
    ]
    return markdown(["site", *usual], rows)


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--docs", action="store_true", help="write the tables of docs/")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--learn", type=int, default=400, help="pages to learn from at most")
    parser.add_argument("--test", type=int, default=400, help="pages to extract at most")
    parser.add_argument("--thresholds", type=float, nargs="+", default=[0.2, 0.4, 0.6, 0.8], metavar="SHARE")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    parser.add_argument(
        "--generic", nargs="*", choices=GENERIC, default=list(GENERIC), help="the generic extractors to run"
    )
    args = parser.parse_args()
    for name in args.generic:
        try:
            version(name)
        except PackageNotFoundError:
            parser.error(f"{name} is not installed: it comes with the dependency group benchmarks")
    return args


def main() -> None:
    """Measure, print the tables and, if asked for, write the documentation."""
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        args.work.mkdir(parents=True, exist_ok=True)
        folders = [unpack(corpus.resolve(), args.work / "corpora") for corpus in args.corpora]
        with Pool(args.processes, maxtasksperchild=1) as pool:
            tasks = [(folder, args) for folder in folders]
            results = dict(pool.imap_unordered(measure, tasks))
        corpora = [read_corpus(folder, args.work, Evalkit(args.evalkit), args.learn, 1) for folder in folders]
        sites = {
            one.name: [page.page for page in one.learn] for one in corpora if len(one.learn) >= CLUSTERED
        }
    tables = {
        "means": means_table(results),
        "trees": sites_table(results, args.generic),
        "mappings": mappings_table(),
        "clusters": clusters_table(sites),
        "growth": growth_table(),
    }
    for name, table in tables.items():
        print(f"\n{name}\n\n{table}", flush=True)
    if args.docs:
        for page, names in PLACES.items():
            fill_tables(DOCS / page, {name: tables[name] for name in names})


if __name__ == "__main__":
    main()
