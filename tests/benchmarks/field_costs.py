#!/usr/bin/env python3
"""Measure what the parts and fields of articles cost: extraction and learning with them and without.

    field_costs.py [--rounds 9] [--pages 20] [--learned 80] CORPUS...

A corpus is a folder with gold.jsonl. Half of its pages, by a digest of their urls, are learned from; articles
of the other half are extracted with title and text alone, and with one part more at a time. All ways take
turns on these pages, and the fastest time of each page counts, as a ratio: nothing here depends on how fast
or how busy the machine is, as long as that does not change within a second.
"""

from __future__ import annotations

import argparse
import gc
import logging
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent))
from fields import halves, page_of

from scrapy_webstemmer import ExtractOptions, extract, learn

_BARE = {"html": False, "sections": False, "metadata": False}
WAYS = {
    "title and text": ExtractOptions(**_BARE),
    "+ html": ExtractOptions(**_BARE | {"html": True}),
    "+ sections": ExtractOptions(**_BARE | {"sections": True}),
    "+ authors, times, images and more": ExtractOptions(**_BARE | {"metadata": True}),
    "+ comments": ExtractOptions(**_BARE, comments=True),
    "+ date": ExtractOptions(**_BARE, date=True),
    "+ html, markdown": ExtractOptions(**_BARE | {"html": True}, markdown=True),
    "all that is on by default": ExtractOptions(sections=False),
    "the same without authors, times, images and more": ExtractOptions(sections=False, metadata=False),
}


def extraction(folder: Path, args: argparse.Namespace) -> dict[str, float]:
    """Return for each way the mean time of a page, in seconds; nothing if the site has no articles."""
    first, second = halves(folder)
    patterns = learn(page_of(folder, row) for row in first[: args.learned])
    pages = [page_of(folder, row) for row in second if row.get("text")][: args.pages]
    best: dict[tuple[str, int], float] = {}
    for _ in range(args.rounds):
        for name, options in WAYS.items():
            for number, page in enumerate(pages):
                begin = perf_counter()
                extract(page, patterns, options)
                taken = perf_counter() - begin
                best[name, number] = min(best.get((name, number), taken), taken)
    return {name: sum(best[name, n] for n in range(len(pages))) / len(pages) for name in WAYS if pages}


def learning(folder: Path, args: argparse.Namespace) -> float:
    """Return the time of learning with the places of fields, over that without."""
    first, _ = halves(folder)
    pages = [page_of(folder, row) for row in first[: args.learned]]
    best: dict[bool, float] = {}
    for _ in range(args.rounds):
        for without in (True, False):
            gc.collect()
            nothing = mock.patch("scrapy_webstemmer.learning.page_reading.traces_of", return_value=())
            if without:
                nothing.start()
            begin = process_time()
            learn(pages)
            taken = process_time() - begin
            if without:
                nothing.stop()
            best[without] = min(best.get(without, taken), taken)
    return best[False] / best[True]


def main() -> None:
    """Print the medians over the corpora."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--pages", type=int, default=20, help="extract so many articles of a corpus")
    parser.add_argument("--learned", type=int, default=80, help="learn from so many pages of a corpus")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    times = [found for folder in args.corpora if (found := extraction(folder, args))]
    print("| extraction | time, as a multiple of title and text (median of the sites) |\n|---|--:|")
    for name in WAYS:
        print(f"| {name} | {median(one[name] / one['title and text'] for one in times):.2f} |")
    *_, full, without = WAYS
    ratio = median(one[full] / one[without] for one in times)
    print(f"| default fields, with these over without | {ratio:.3f} |")
    ratio = median(learning(one, args) for one in args.corpora)
    print(f"| learning, with the places over without | {ratio:.3f} |")


if __name__ == "__main__":
    main()
