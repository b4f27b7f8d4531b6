#!/usr/bin/env python3
"""Measure how long the views of a review take, and its memory, on a large learning set.

    review.py [--sites 1000] [--pages 100] [--folder FOLDER]

The sites are made up, all of one template; each has so many pages. The pattern file is a SQLite file.
Printed are the seconds until the list of sites is there, those of each other view, the first time and again,
and the most memory that the process has taken (run it twice with --folder: making the files takes more).
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))
from news_pages import articles, indexes

from scrapy_webstemmer import PatternSet, learn
from scrapy_webstemmer.review.reviewed import Review
from scrapy_webstemmer.review.server import link_of
from scrapy_webstemmer.review.views import view_html
from scrapy_webstemmer.review.web_pages import View
from scrapy_webstemmer.storage import SqliteLearningSet

_T = TypeVar("_T")


def made(folder: Path, sites: int, pages: int) -> None:
    """Write the learning set and the pattern file."""
    known = {}
    with SqliteLearningSet(folder / "pages.sqlite") as stored:
        for number in range(sites):
            host = f"site{number:04}.example"
            own = [*articles(host, pages * 4 // 5), *indexes(host, pages // 5)]
            with stored.together():
                for page in own:
                    stored.add_page(page)
            if number % 50 == 0:  # the others have the same template
                (learned,) = learn(own).sites.values()
            known[host] = replace(learned, site=host)
    PatternSet(known).save(folder / "patterns.sqlite")


def timed(work: Callable[[], _T]) -> tuple[_T, float]:
    """Return what a piece of work returns, and its seconds."""
    begin = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begin


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sites", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="where the files are, or are made if they are missing")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "patterns.sqlite").exists():
            made(folder, args.sites, args.pages)
        path = folder / "patterns.sqlite"
        begin = time.perf_counter()
        stored = SqliteLearningSet(folder / "pages.sqlite", readonly=True)
        review = Review(PatternSet.load(path), stored, path=path)
        view_html(review, View(), link_of)
        print(f"list of sites, with opening: {time.perf_counter() - begin:.2f} s")
        site = review.sites[len(review.sites) // 2].site.site
        url = review.pages(review.sites[0].site.site)[0].url
        layout = review.layouts(site)[0]
        views = {
            "list of sites": View(),
            "site": View("site", site),
            "layout": View("layout", site, layout.key),
            "page": View("page", url=url),
            "trial": View("trial", site, layout.key, what="no article"),
        }
        for name, view in views.items():
            _, first = timed(lambda view=view: view_html(review, view, link_of))  # type: ignore[misc]
            _, again = timed(lambda view=view: view_html(review, view, link_of))  # type: ignore[misc]
            print(f"{name}: {first:.2f} s, again {again:.2f} s")
        stored.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
