#!/usr/bin/env python3
"""Crawl corpora year by year into learning sets that learn, and see what each redesign costs.

    crawl_years.py [--work DIR] [--evalkit DIR] CORPUS...

CORPUS is a folder, or a .tar.xz of one, whose rows of gold.jsonl have a ``group``, such as a year. It is
served as a web site on loopback, at one port. One crawl a year fetches the pages of this year and no others.
All crawls use one learning set, with ``WEBSTEMMER_LEARN``. Their articles are scored with score.py. For
comparison, one more crawl with a learning set of its own fetches the pages of all years, and learns from all.

Prints a row for each year: its pages, the articles that came out, whether the crawl warned that the site has
changed (and the pages that show it), the F1 and the share of right titles of this year's crawl, and those of
the same pages in the crawl of all years. Two things must hold; where one does not, the row says so, and the
exit status is 1:

- a crawl of ten pages or more warns, except that of the first year, which must not;
- the F1 is at most .02 below that of the crawl of all years.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from crawl_corpus import CorpusError, Project, read_articles, score
from evalkit import EVALKIT, Evalkit
from serve_corpus import CorpusSite, read_gold, unpack

#: Fewer pages need not show a change.
LEAST_PAGES = 10
#: The F1 of a year may be lower than in the crawl of all years by this.
TOLERANCE = 0.02

SPIDER = '''
from pathlib import Path

import scrapy


class SiteSpider(scrapy.Spider):
    """Fetches its seeds and follows no link."""

    name = "site"

    def __init__(self, seeds, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = Path(seeds).read_text(encoding="utf-8").split()

    def parse(self, response):
        return None
'''

_WARNING = re.compile(r"has changed: (\d[\d,]* of \d[\d,]*) ")


class Year(NamedTuple):
    """What a crawl of one year gave.

    :param pages: number of its pages.
    :param articles: number of articles that came out.
    :param shown_by: the pages that showed a change, of those of which it could be told; empty: no warning.
    :param alone: the scores of this year's crawl.
    :param together: those of the same pages in the crawl of all years.
    """

    name: str
    pages: int
    articles: int
    shown_by: str
    alone: dict[str, Any]
    together: dict[str, Any]

    def faults(self, *, is_first: bool) -> list[str]:
        """Return what does not hold, in a few words each."""
        found = []
        if is_first and self.shown_by:
            found.append("false alarm")
        if not is_first and not self.shown_by and self.pages >= LEAST_PAGES:
            found.append("no warning")
        if self.alone["f1"] < self.together["f1"] - TOLERANCE:
            found.append("worse than all years at once")
        return found


class Crawls:
    """Crawls of a served corpus in one project, each with its articles and its warning of a change."""

    def __init__(self, folder: Path, site: CorpusSite) -> None:
        self.project = Project(folder, SPIDER)
        self.folder = folder
        self.site = site
        for path in folder.glob("*.*"):
            if path.suffix in (".sqlite", ".json"):
                path.unlink()

    def crawl(self, urls: Sequence[str], learning_set: str) -> tuple[dict[str, dict[str, Any]], str]:
        """Fetch pages, learn, and return their articles and the pages that showed a change.

        Raises CorpusError.
        """
        log = self.folder / "scrapy.log"
        log.unlink(missing_ok=True)
        settings = (
            f"WEBSTEMMER_LEARNING_SET={learning_set}",
            "WEBSTEMMER_LEARN=1",
            "WEBSTEMMER_ARTICLES=articles.jsonl",
        )
        options = [part for setting in settings for part in ("-s", setting)]
        self.project.crawl([self.site.local(url) for url in urls], *options)
        warning = _WARNING.search(log.read_text(encoding="utf-8"))
        articles = read_articles(self.folder / "articles.jsonl", self.site)
        return articles, warning[1] if warning else ""


def years(corpus: Path, folder: Path, evalkit: Evalkit) -> Iterator[Year]:
    """Crawl a corpus year by year, and yield what each crawl gave. Raises CorpusError."""
    groups = _groups(corpus)
    with CorpusSite(corpus) as site:  # samples are drawn by urls, so all crawls must have the same port
        crawls = Crawls(folder, site)
        everything, _ = crawls.crawl([url for urls in groups.values() for url in urls], "all.sqlite")
        for name, urls in groups.items():
            articles, shown_by = crawls.crawl(urls, "years.sqlite")
            alone, together = (
                score(corpus, found, urls, folder, evalkit) for found in (articles, everything)
            )
            yield Year(name, len(urls), len(articles), shown_by, alone, together)


def _groups(corpus: Path) -> dict[str, list[str]]:
    """Return the urls of each year, the earliest first. Raises CorpusError."""
    groups: dict[str, list[str]] = defaultdict(list)
    for row in read_gold(corpus):
        if "group" not in row:
            raise CorpusError("its rows have no group")
        groups[str(row["group"])].append(row["url"])
    return dict(sorted(groups.items()))


def main() -> int:
    """Crawl every corpus and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with score.py")
    args = parser.parse_args()
    evalkit = Evalkit(args.evalkit)
    status = 0
    print("| site | year | pages | articles | changed | F1 | titles | F1, all | titles, all |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = (args.work or Path(temporary)).resolve()
        for corpus in args.corpora:
            try:
                root = unpack(corpus.resolve(), work / "corpora")
                for number, year in enumerate(years(root, work / root.name, evalkit)):
                    status |= _show(root.name, year, evalkit, is_first=not number)
            except (CorpusError, OSError) as error:
                print(f"{corpus.name}: failed: {error}", flush=True)
                status = 1
    return status


def _show(corpus: str, year: Year, evalkit: Evalkit, *, is_first: bool) -> int:
    """Print a row, and return 1 if something does not hold, else 0."""
    faults = year.faults(is_first=is_first)
    numbers = [scores[key] for scores in (year.alone, year.together) for key in ("f1", "title")]
    cells = [corpus, year.name, str(year.pages), str(year.articles), year.shown_by or "no"]
    cells += [evalkit.show(number).strip() for number in numbers]
    print(f"| {' | '.join(cells)} |{'  <- ' if faults else ''}{', '.join(faults)}", flush=True)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
