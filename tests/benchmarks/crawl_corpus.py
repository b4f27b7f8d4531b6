#!/usr/bin/env python3
"""Learn and extract corpora through real crawls, and score the articles.

    crawl_corpus.py [--min-f1 F1] [--work DIR] [--learn N] [--test N] [--evalkit DIR] [--one] CORPUS...

Each corpus is served as a web site on loopback. On the first day the site has only the learning half of its
pages (split by url, as split.py does). A Scrapy project with nothing but our add-on line crawls it into a
learning set, and `scrapy analyze` learns. Then the other half is published, and a second crawl with the
patterns gives articles. With ``--one`` all pages are there from the beginning, and two ways are compared: one
crawl that learns at its end (``WEBSTEMMER_LEARN``), and crawl, analyze, crawl. The articles' urls are mapped
back to the corpus' own, and the articles are scored with score.py. Prints a row for each corpus. The exit
status is 1 if one failed, gave no articles or has an F1 below ``--min-f1``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from evalkit import EVALKIT, Evalkit
from serve_corpus import CorpusSite, unpack

SPIDER = '''
from pathlib import Path

import scrapy
from scrapy.linkextractors import LinkExtractor


class SiteSpider(scrapy.Spider):
    """Follows every link of a site. Not every page is linked to, so all are seeds."""

    name = "site"
    allowed_domains = ["127.0.0.1"]

    def __init__(self, seeds, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = Path(seeds).read_text(encoding="utf-8").split()

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(LinkExtractor().extract_links(response))
'''

SETTINGS = """
SPIDER_MODULES = ["site_spider"]
ADDONS = {"scrapy_webstemmer.Addon": 500}
LOG_LEVEL = "WARNING"
"""


class CorpusError(Exception):
    """A corpus gave no result; the message says why."""


class Project:
    """A Scrapy project in a fresh folder, with the add-on line and a spider that knows nothing of us.

    :param spider: the module of the spider ``site``, which takes a file of seeds as its argument.
    """

    def __init__(self, folder: Path, spider: str = SPIDER) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = site_settings\n", encoding="utf-8")
        (folder / "site_settings.py").write_text(SETTINGS, encoding="utf-8")
        (folder / "site_spider.py").write_text(spider, encoding="utf-8")
        self.folder = folder

    def crawl(self, seeds: list[str], *options: str) -> None:
        """Crawl from the seeds."""
        (self.folder / "seeds.txt").write_text("\n".join(seeds), encoding="utf-8")
        self.scrapy("crawl", "site", "-a", "seeds=seeds.txt", *options)

    def scrapy(self, *args: str) -> None:
        """Run a Scrapy command in the project; its output goes to a log. Raises CorpusError."""
        log = self.folder / "scrapy.log"
        with log.open("a", encoding="utf-8") as out:
            done = subprocess.run(
                [sys.executable, "-m", "scrapy", *args], cwd=self.folder, stdout=out, stderr=out
            )
        if done.returncode:
            end = log.read_text(encoding="utf-8").strip().rpartition("\n")[2]
            raise CorpusError(f"scrapy {args[0]}: exit status {done.returncode}: {end}")


def crawl_twice(corpus: Path, learn: list[str], test: list[str], folder: Path) -> dict[str, dict[str, Any]]:
    """Crawl, learn, crawl again, and return the articles by their urls in the corpus. Raises CorpusError."""
    project = Project(folder)
    articles = folder / "articles.jsonl"
    for name in ("learning.sqlite", "patterns.json", "articles.jsonl", "scrapy.log"):
        (folder / name).unlink(missing_ok=True)
    with CorpusSite(corpus, unpublished=test) as site:
        project.crawl([site.local(url) for url in learn], "-s", "WEBSTEMMER_LEARNING_SET=learning.sqlite")
        project.scrapy("analyze", "learning.sqlite", "-o", "patterns.json")
        site.publish()
        seeds = [site.local(url) for url in test]
        project.crawl(
            seeds, "-s", "WEBSTEMMER_PATTERNS=patterns.json", "-s", "WEBSTEMMER_ARTICLES=articles.jsonl"
        )
        return read_articles(articles, site)


def crawl_all(site: CorpusSite, urls: list[str], folder: Path, *, one: bool) -> dict[str, dict[str, Any]]:
    """Return the articles of all pages: by one crawl that learns, or by a crawl, analyze and a crawl."""
    project = Project(folder)
    for path in folder.glob("*.*"):
        if path.suffix in (".sqlite", ".json", ".jsonl", ".log"):
            path.unlink()
    learning_set = ("-s", "WEBSTEMMER_LEARNING_SET=news.sqlite")
    seeds = [site.local(url) for url in urls]
    if one:
        project.crawl(
            seeds, *learning_set, "-s", "WEBSTEMMER_LEARN=1", "-s", "WEBSTEMMER_ARTICLES=articles.jsonl"
        )
    else:
        project.crawl(seeds, *learning_set)
        project.scrapy("analyze", "news.sqlite", "-o", "patterns.json")
        project.crawl(
            seeds, "-s", "WEBSTEMMER_PATTERNS=patterns.json", "-s", "WEBSTEMMER_ARTICLES=articles.jsonl"
        )
    return read_articles(folder / "articles.jsonl", site)


def read_articles(feed: Path, site: CorpusSite) -> dict[str, dict[str, Any]]:
    """Return the articles of a feed by their urls in the corpus."""
    items = [json.loads(line) for line in feed.read_bytes().splitlines()]
    return {url: item for item in items if (url := site.original(item["url"])) is not None}


def run(corpus: Path, args: argparse.Namespace, evalkit: Evalkit) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the corpus' name and its scores, for each way. Raises CorpusError."""
    root = unpack(corpus.resolve(), args.work / "corpora")
    folder: Path = args.work / root.name
    learn, test = evalkit.halves(root, folder, args.learn, args.test)
    if not args.one:
        scores = score(root, crawl_twice(root, learn, test, folder), test, folder, evalkit)
        yield root.name, scores | {"learned": len(learn)}
        return
    with CorpusSite(root) as site:  # samples are drawn by urls, so both ways must have the same port
        for one, name in ((True, "one crawl"), (False, "three steps")):
            articles = crawl_all(site, [*learn, *test], folder, one=one)
            scores = score(root, articles, test, folder, evalkit)
            yield f"{root.name}, {name}", scores | {"learned": len(learn)}


def score(
    root: Path, articles: dict[str, dict[str, Any]], urls: list[str], folder: Path, evalkit: Evalkit
) -> dict[str, Any]:
    """Return the scores of the articles of some urls. Raises CorpusError if there are none."""
    predictions = folder / "predictions.jsonl"
    with predictions.open("w", encoding="utf-8") as out:
        for url in urls:
            item = articles.get(url, {})
            out.write(
                json.dumps({"url": url, "title": item.get("title", ""), "text": item.get("text", "")}) + "\n"
            )
    if not articles.keys() & set(urls):
        raise CorpusError("no articles came out")
    return evalkit.score(root, predictions)


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--min-f1", type=float, default=0.0)
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--learn", type=int, default=400, help="pages of the first day at most")
    parser.add_argument("--test", type=int, default=400, help="pages of the second day at most")
    parser.add_argument("--one", action="store_true", help="compare one crawl that learns with three steps")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    return parser.parse_args()


def main() -> int:
    """Run every corpus and return the exit status."""
    args = arguments()
    evalkit = Evalkit(args.evalkit)
    status = 0
    print(
        f"{'corpus':28} {'n':>4} {'P':>5} {'R':>5} {'F1':>5} {'title':>5} {'false':>5} {'learn':>5}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        for corpus in args.corpora:
            try:
                for name, result in run(corpus, args, evalkit):
                    status |= _show(name, result, args.min_f1, evalkit)
            except (CorpusError, OSError) as error:
                print(f"{corpus.name}: failed: {error}", flush=True)
                status = 1
    return status


def _show(name: str, result: dict[str, Any], least: float, evalkit: Evalkit) -> int:
    """Print a row, and return 1 if its F1 is too low, else 0."""
    cells = " ".join(evalkit.show(result[key]) for key in ("precision", "recall", "f1", "title", "false"))
    print(f"{name[:28]:28} {result['articles']:4d} {cells} {result['learned']:5d}", flush=True)
    if result["f1"] < least:
        print(f"{name}: F1 is below {least}", flush=True)
    return int(result["f1"] < least)


if __name__ == "__main__":
    sys.exit(main())
