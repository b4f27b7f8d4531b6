#!/usr/bin/env python3
"""Measure how long the views of a review take, how large they are, and its memory, on a large learning set.

    review.py [--sites 1000] [--pages 100] [--large 20] [--folder FOLDER]

The sites are made up, all of one template; each has so many pages. One page of the first site has so many
megabytes. The pattern file is a SQLite file. Printed are the seconds until the first page is there, asked
while a thread reads some pages of each site; those of each other view, the first time and again; how large
they are; and the most memory that the process has taken (run it twice with --folder: making the files takes
more). The status is 1 if the first page takes a second or more, or if a view has more than 5 MB.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import TypeVar
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))
from news_pages import article, articles, indexes

from scrapy_webstemmer import ExtractOptions, Limits, Page, PatternSet, learn
from scrapy_webstemmer.review.reviewed import Review
from scrapy_webstemmer.review.server import ReviewServer, link_of
from scrapy_webstemmer.review.views import view_html
from scrapy_webstemmer.review.web_pages import View
from scrapy_webstemmer.storage import SqliteLearningSet

_T = TypeVar("_T")
#: By themselves they would refuse the largest page.
_OPTIONS = ExtractOptions(limits=Limits(page_size=1_000_000_000, elements=5_000_000, blocks=1_000_000))
#: The views of a page.
_OF_A_PAGE = "page", "look"


def made(folder: Path, sites: int, pages: int, large: int) -> None:
    """Write the learning set and the pattern file."""
    known = {}
    with SqliteLearningSet(folder / "pages.sqlite") as stored:
        for number in range(sites):
            host = f"site{number:04}.example"
            with stored.transaction():
                for page in chain(_some(articles, host, pages * 4 // 5), _some(indexes, host, pages // 5)):
                    stored.add_page(page)
                if number == 0:
                    stored.add_page(large_page(host, large))
            if number % 50 == 0:  # the others have the same template
                (learned,) = learn([*articles(host, 160), *indexes(host, 40)]).sites.values()
            known[host] = replace(learned, site=host)
    PatternSet(known).save(folder / "patterns.sqlite")


def _some(make: Callable[..., list[Page]], host: str, count: int) -> Iterator[Page]:
    """Yield pages of a site, which are made one by one where that can be."""
    if make is indexes:
        yield from make(host, count)
    else:
        for number in range(1, count + 1):
            yield article(host, number)


def large_page(host: str, megabytes: int) -> Page:
    """Return the page of a story with very many paragraphs."""
    page = article(host, 0)
    words = article(host, 1).body.partition(b"<p>")[2].partition(b"</p>")[0]
    paragraphs = b"".join(b"<p>%d %s</p>\n" % (n, words) for n in range(megabytes * 1_000_000 // len(words)))
    return replace(page, body=page.body.replace(b"<p>", paragraphs + b"<p>", 1))


def timed(work: Callable[[], _T]) -> tuple[_T, float]:
    """Return what a piece of work returns, and its seconds."""
    begin = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begin


def measured(folder: Path) -> bool:
    """Print the figures of each view, and return whether they are as they must be."""
    path = folder / "patterns.sqlite"
    begin = time.perf_counter()
    with SqliteLearningSet(folder / "pages.sqlite", readonly=True) as stored:
        review = Review(PatternSet.load(path), stored, _OPTIONS, path)
        with ReviewServer(review) as server:
            thread = Thread(target=server.serve_forever, daemon=True)
            thread.start()
            with urlopen(server.url) as answer:
                first = answer.read()
            seconds = time.perf_counter() - begin
            server.looking.join()
            server.shutdown()
            thread.join()
        print(f"first page, with opening: {seconds:.2f} s, {len(first) / 1e6:.2f} MB")
        site = review.sites[len(review.sites) // 2].site.site
        url = review.pages(review.sites[0].site.site)[0].url
        large = article(min(review.patterns.sites), 0).url
        layout = review.layouts(site)[0]
        views = {
            "first page": View(),
            "site": View("site", site),
            "layout": View("layout", site, layout.key),
            "trial": View("trial", site, layout.key, what="no article"),
            **{f"{kind} of a page": View(kind, url=url) for kind in _OF_A_PAGE},
            **{f"{kind} of the largest page": View(kind, url=large) for kind in _OF_A_PAGE},
        }
        sizes = [len(first)]
        for name, view in views.items():
            written, once = timed(lambda view=view: view_html(review, view, link_of))  # type: ignore[misc]
            _, again = timed(lambda view=view: view_html(review, view, link_of))  # type: ignore[misc]
            sizes.append(len((written or "").encode()))
            print(f"{name}: {once:.2f} s, again {again:.2f} s, {sizes[-1] / 1e6:.2f} MB")
    return seconds < 1 and max(sizes) <= 5_000_000


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sites", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--large", type=int, default=20, help="megabytes of the largest page")
    parser.add_argument("--folder", type=Path, help="where the files are, or are made if they are missing")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "patterns.sqlite").exists():
            made(folder, args.sites, args.pages, args.large)
        is_well = measured(folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory: {peak:.0f} MiB")
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
