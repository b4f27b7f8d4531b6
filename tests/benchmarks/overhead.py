#!/usr/bin/env python3
"""Measure what the add-on costs a crawl: CPU a page, as a ratio to the same crawl without it.

    overhead.py [--pages N] [--rounds N] [--only MODE]... [--docs] [--work DIR] CORPUS...

CORPUS is a folder, or a .tar.xz of one, with gold.jsonl and pages/. The first N of its pages are served on
loopback, and a bare CrawlSpider fetches each of them once: one rule with a LinkExtractor, and a callback that
yields an item with the url and the title. Modes:

    collecting   with a learning set
    patterns     with a pattern file, articles in a feed of their own
    both         with both

In every round all modes crawl in turn, so that other work on the machine slows all of them. A crawl's figure
is the CPU time of its process from the opened spider to the process' end, so start-up does not count, but
threads and the closing of files do. The tables have medians over the rounds. --docs writes them to
docs/performance.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from serve_corpus import CorpusSite, read_gold, unpack
from tables import fill_tables, markdown

DOCS = Path(__file__).resolve().parents[2] / "docs"

SPIDER = '''
import time
from pathlib import Path

from scrapy import Request, signals
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class SiteSpider(CrawlSpider):
    """Fetches every page once. Links to other pages are found, as always, but not followed."""

    name = "site"
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True, process_request="known")]

    def __init__(self, seeds, **kwargs):
        super().__init__(**kwargs)
        self._seeds = Path(seeds).read_text(encoding="utf-8").split()
        self._known = frozenset(self._seeds)

    async def start(self):
        for url in self._seeds:
            yield Request(url)  # start_urls would be fetched again when a page links to them

    def parse_start_url(self, response):
        return self.parse_page(response)

    def parse_page(self, response):
        yield {"url": response.url, "title": response.css("title::text").get()}

    def known(self, request, response):
        return request if request.url in self._known else None


class CpuTime:
    """Writes the CPU time since the spider was opened to a file, when the process ends."""

    @classmethod
    def from_crawler(cls, crawler):
        self = cls()
        crawler.signals.connect(self.start, signals.spider_opened)
        return self

    def start(self):
        import atexit

        begin = time.process_time()
        atexit.register(lambda: Path("cpu.txt").write_text(str(time.process_time() - begin)))
'''

SETTINGS = """
SPIDER_MODULES = ["site_spider"]
EXTENSIONS = {"site_spider.CpuTime": 0}
LOG_LEVEL = "WARNING"
METAREFRESH_ENABLED = False  # a page that leads to another one gives an item as well
"""

_ADDON = ("-s", 'ADDONS={"scrapy_webstemmer.Addon": 500}')
_COLLECT = ("-s", "WEBSTEMMER_LEARNING_SET=learning.sqlite")
_PATTERNS = ("-s", "WEBSTEMMER_PATTERNS=patterns.json")
_FEED = ("-s", "WEBSTEMMER_ARTICLES=articles.jsonl")

BARE = "without the add-on"
#: The options of each way to crawl.
MODES = {
    BARE: (),
    "collecting": (*_ADDON, *_COLLECT),
    "patterns": (*_ADDON, *_PATTERNS, *_FEED),
    "both": (*_ADDON, *_COLLECT, *_PATTERNS, *_FEED),
}
#: Files that a crawl leaves, and that the next one must not find.
_LEFT = ("learning.sqlite", "articles.jsonl", "cpu.txt")


class CachedSite(CorpusSite):
    """Prepares each page only once, so that the server takes as little as possible from the crawls."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepared: dict[str, bytes | None] = {}

    def page(self, path: str) -> bytes | None:
        if path not in self._prepared:
            self._prepared[path] = super().page(path)
        return self._prepared[path]


class Crawls:
    """A project whose spider crawls the pages of a site again and again."""

    def __init__(self, folder: Path, urls: Sequence[str]) -> None:
        self.folder, self.pages = folder, len(urls)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = site_settings\n", encoding="utf-8")
        (folder / "site_settings.py").write_text(SETTINGS, encoding="utf-8")
        (folder / "site_spider.py").write_text(SPIDER, encoding="utf-8")
        (folder / "seeds.txt").write_text("\n".join(urls), encoding="utf-8")

    def learn(self) -> None:
        """Make the pattern file that later crawls use."""
        self.crawl("collecting")
        self._scrapy("analyze", "learning.sqlite", "-o", "patterns.json")

    def crawl(self, mode: str) -> float:
        """Crawl from nothing; return the milliseconds of CPU time a page."""
        for name in _LEFT:
            (self.folder / name).unlink(missing_ok=True)
        self._scrapy("crawl", "site", "-a", "seeds=seeds.txt", "-O", "items.jsonl", *MODES[mode])
        items = (self.folder / "items.jsonl").read_text(encoding="utf-8").count("\n")
        if items != self.pages:
            raise RuntimeError(f"{mode}: {items} items from {self.pages} pages")
        return float((self.folder / "cpu.txt").read_text()) / self.pages * 1000

    def _scrapy(self, *args: str) -> None:
        subprocess.run([sys.executable, "-m", "scrapy", *args], cwd=self.folder, check=True)


@contextmanager
def served(corpus: Path, pages: int) -> Iterator[list[str]]:
    """Serve the first pages of a corpus; give their urls."""
    urls = [row["url"] for row in read_gold(corpus)]
    with CachedSite(corpus, unpublished=urls[pages:]) as site:
        yield [site.local(url) for url in urls[:pages]]


def measure(corpus: Path, args: argparse.Namespace) -> dict[str, list[float]]:
    """Return the milliseconds a page of each mode, one figure a round."""
    with served(corpus, args.pages) as urls:
        crawls = Crawls(args.work / corpus.name, urls)
        crawls.learn()
        found: dict[str, list[float]] = {mode: [] for mode in MODES if mode in (BARE, *(args.only or MODES))}
        for number in range(args.rounds):
            for mode, figures in found.items():
                figures.append(crawls.crawl(mode))
            print(f"{corpus.name}: round {number + 1} of {args.rounds}", file=sys.stderr, flush=True)
        return found


def rows_of(name: str, pages: int, found: dict[str, list[float]]) -> list[list[object]]:
    """Return a table's rows for a corpus."""
    rows: list[list[object]] = []
    for mode, figures in found.items():
        ratios = [one / bare for one, bare in zip(figures, found[BARE], strict=True)]
        rows.append([name, pages, mode, f"{median(figures):.2f}", f"{median(ratios):.2f}"])
    return rows


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=1_500, help="pages of a corpus at most")
    parser.add_argument("--rounds", type=int, default=5, help="crawls of each kind")
    parser.add_argument("--only", action="append", choices=[*MODES][1:], help="this mode; may be repeated")
    parser.add_argument("--docs", action="store_true", help="write the table to docs/performance.md")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    return parser.parse_args()


def main() -> None:
    """Measure all corpora and print the table."""
    args = arguments()
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        for corpus in args.corpora:
            root = unpack(corpus.resolve(), args.work / "corpora")
            found = measure(root, args)
            rows += rows_of(root.name, min(args.pages, len(read_gold(root))), found)
            table = markdown(["site", "pages", "crawl", "CPU ms a page", "times without"], rows)
            print(table, flush=True)
    if args.docs:
        fill_tables(DOCS / "performance.md", {"overhead": table})


if __name__ == "__main__":
    main()
