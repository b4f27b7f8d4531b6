"""Kill processes at random moments: reported pages must be stored, and pattern files must be whole.

    python tests/reliability/kills.py --crawls 50 --feeds 20 --learning 50 --analyses 20 [--seed 1]

Half of the crawls fill a SQLite file. The other half fill a zip: a killed one leaves a SQLite file, from
which the zip is made at the end. Each crawl goes on with the file of the killed one before it, and nothing is
repaired in between. The exit status is 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from loopback import WebServer, serve  # noqa: E402
from news_pages import article  # noqa: E402

from scrapy_webstemmer import Page, PatternSet, learn  # noqa: E402
from scrapy_webstemmer.crawl.page_store import open_learning_set  # noqa: E402
from scrapy_webstemmer.errors import WebstemmerError  # noqa: E402
from scrapy_webstemmer.storage import SqliteLearningSet, open_pages  # noqa: E402

#: A crawl that prints the url of each page or article that a signal of ours reports, and when it begins to
#: learn. Its arguments: the first url, the name of the signal, and settings as JSON.
CRAWL = """
import json
import logging
import sys
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy_webstemmer import items

class Following(scrapy.Spider):
    name = "following"

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.report, getattr(items, sys.argv[2]))
        return spider

    def report(self, page=None, article=None):
        print((page or article).url, flush=True)

    def parse(self, response):
        yield from response.follow_all(css="a")

class Beginning(logging.Handler):
    def emit(self, record):
        if record.getMessage().startswith("Learning from"):
            print("learning", flush=True)

logging.getLogger("scrapy_webstemmer").addHandler(Beginning())
logging.getLogger("scrapy_webstemmer").setLevel("INFO")
process = CrawlerProcess({
    "ADDONS": {"scrapy_webstemmer.Addon": 500}, "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 16, **json.loads(sys.argv[3]),
})
process.crawl(Following, start_urls=[sys.argv[1]])
process.start()
"""
#: A crawl of the first page and those to which it links.
ONE_STEP = {"DEPTH_LIMIT": 1}
PAGE = "<title>Page {0}</title><h1>Page {0}</h1><p>{1}</p>{2}"


def page(number: int) -> str:
    """Return a page of an endless site; it links to ten others."""
    text = " ".join(random.Random(number).choices("amber basil cedar delta ember fjord".split(), k=300))
    links = "".join(f'<a href="/{number * 10 + n}">Page {number * 10 + n}</a> ' for n in range(1, 11))
    return PAGE.format(number, text, links)


class _Pages(dict[str, object]):
    """The pages of the site by path, made on request."""

    def get(self, path: str, default: object = None) -> object:
        number = path.strip("/")
        return page(int(number)) if number.isdecimal() else default


@contextmanager
def endless_site() -> Iterator[WebServer]:
    """Serve the endless site."""
    with serve() as server:
        server.pages = _Pages()  # type: ignore[assignment]
        yield server


def crawl(start: str, signal: str, settings: Mapping[str, object]) -> list[str]:
    """Return the command of a crawl that reports what a signal says."""
    return [sys.executable, "-c", CRAWL, start, signal, json.dumps(settings)]


def kill_crawl(path: Path, start: str, chance: random.Random) -> set[str]:
    """Run a crawl, kill it after some of its pages, and return the urls that it reported as stored."""
    command = crawl(start, "page_stored", {"WEBSTEMMER_LEARNING_SET": str(path)})
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    reported = {process.stdout.readline().strip() for _ in range(chance.randrange(1, 60))}
    time.sleep(chance.uniform(0, 0.05))
    process.kill()
    return (reported | set(process.communicate()[0].split())) - {""}


def stored_urls(path: Path) -> set[str]:
    """Return the paths of the pages in a learning set, which must be sound."""
    with open_pages(path) as pages:
        found = {page.url.partition("//")[2].partition("/")[2] for page in pages}
        assert not pages.skipped
        return found


def lost_pages(path: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill crawls into one file; return the number of pages that they reported, and of those missing."""
    chance, reported = random.Random(seed), set[str]()
    with endless_site() as site:
        for number in range(kills):
            urls = kill_crawl(path, site.url(f"/{number + 1}"), chance)
            reported |= {url.partition("//")[2].partition("/")[2] for url in urls}
    open_learning_set(path, "202611210900").close()  # as the next crawl does
    return len(reported), len(reported - stored_urls(path))


STORIES = range(1, 251)


def lost_articles(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill crawls, each followed by a whole one; return the numbers of articles and of lost ones."""
    chance, lost = random.Random(seed), 0
    settings = {
        "WEBSTEMMER_PATTERNS": "patterns.json",
        "WEBSTEMMER_URLDB": "seen.urldb",
        "WEBSTEMMER_ARTICLES": "articles.jsonl",
    }
    pages = [article("127.0.0.1", number) for number in STORIES]
    learn(pages[:40]).save(folder / "patterns.json")
    with serve() as site:
        site.pages = {f"/story/{n}.html": one.body.decode() for n, one in zip(STORIES, pages, strict=True)}
        site.pages["/"] = "".join(f'<a href="{path}">{path}</a> ' for path in site.pages)
        wanted = {site.url(f"/story/{number}.html") for number in STORIES}
        for _ in range(kills):
            for name in ("seen.urldb", "articles.jsonl"):
                for path in folder.glob(f"{name}*"):
                    path.unlink()
            command = crawl(site.url("/"), "article_scraped", settings | ONE_STEP)
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            for _ in range(chance.randrange(1, len(STORIES))):
                process.stdout.readline()
            process.kill()
            process.communicate()
            subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
            lost += len(wanted - _urls_in(folder / "articles.jsonl"))
    return kills * len(STORIES), lost


def kill_learning(folder: Path, kills: int, seed: int) -> dict[str, int]:
    """Kill crawls that learn, each followed by a whole one; return what was counted.

    Half of them have a URLDB: then the articles of both crawls count. Without one the second crawl alone must
    give every article, and none twice.
    """
    chance = random.Random(seed)
    counts = dict.fromkeys(("reported", "lost pages", "broken pattern files", "lost articles", "twice"), 0)
    pages = {f"/story/{n}.html": article("127.0.0.1", n).body.decode() for n in STORIES}
    with serve() as site:
        site.pages = {**pages, "/": "".join(f'<a href="{path}">{path}</a> ' for path in pages)}
        wanted = {site.url(path) for path in pages}
        for number in range(kills):
            for path in folder.glob("*"):
                path.unlink()
            urldb = {"WEBSTEMMER_URLDB": "seen.urldb"} if number % 2 else {}
            first, second = (
                crawl(site.url("/"), "page_stored", _learning(feed) | urldb | ONE_STEP)
                for feed in ("first.jsonl", "second.jsonl")
            )
            reported = _kill_at_random(first, folder, number % 5 == 0, chance)
            patterns = folder / "set.patterns.json"
            try:
                PatternSet.load(patterns) if patterns.exists() else None
            except WebstemmerError:
                counts["broken pattern files"] += 1
            counts["reported"] += len(reported)
            stored = stored_urls(folder / "set.sqlite")
            counts["lost pages"] += len({_path_of(url) for url in reported} - stored)
            subprocess.run(second, cwd=folder, stdout=subprocess.DEVNULL, check=True)
            found = _urls_in(folder / "second.jsonl")
            lines = (folder / "second.jsonl").read_text(encoding="utf-8").count("\n")
            counts["twice"] += lines - len(found)
            before = (
                _urls_in(folder / "first.jsonl") if urldb and (folder / "first.jsonl").exists() else set()
            )
            counts["lost articles"] += len(wanted - found - before)
    return counts


def _learning(feed: str) -> dict[str, object]:
    """Return the settings of a crawl that learns, and writes its articles into a feed."""
    return {
        "WEBSTEMMER_LEARNING_SET": "set.sqlite",
        "WEBSTEMMER_LEARN": True,
        "WEBSTEMMER_ARTICLES": {feed: {"format": "jsonlines"}},
    }


def _kill_at_random(
    command: list[str], folder: Path, while_learning: bool, chance: random.Random
) -> set[str]:
    """Kill a crawl that learns, while it learns or before; return the urls that it reported as stored."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    most, lines = chance.randrange(1, len(STORIES)), list[str]()
    for line in process.stdout:
        lines.append(line.strip())
        if lines[-1] == "learning" or (not while_learning and len(lines) >= most):
            break
    time.sleep(chance.uniform(0, 1.5) if while_learning else chance.uniform(0, 0.05))
    process.kill()
    lines += process.communicate()[0].split()
    return set(lines) - {"", "learning"}


def _path_of(url: str) -> str:
    return url.partition("//")[2].partition("/")[2]


def _urls_in(feed: Path) -> set[str]:
    """Return the urls of the whole articles in a feed; a killed crawl may leave half of one."""
    found = set[str]()
    if not feed.exists():
        return found
    for line in feed.read_text(encoding="utf-8", errors="replace").splitlines():
        with suppress(ValueError):
            found.add(json.loads(line)["url"])
    return found


def kill_analyze(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill `scrapy analyze` at moments all over its run; return how many ended in time, and broken files."""
    chance = random.Random(seed)
    with SqliteLearningSet(folder / "set.sqlite") as pages:
        for number in range(100):
            pages.add_page(Page(f"http://news.example/{number}", page(number).encode(), "utf-8"))
    patterns = folder / "patterns.json"
    command = [sys.executable, "-m", "scrapy", "analyze", str(folder / "set.sqlite"), "-o", str(patterns)]
    begun = time.monotonic()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    length, whole = time.monotonic() - begun, patterns.read_bytes()
    old = PatternSet.load(patterns)
    finished = broken = 0
    for _ in range(kills):
        PatternSet({}).save(patterns)
        before = patterns.read_bytes()
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.3, 1.05) * length)
        process.kill()
        process.wait()
        after = patterns.read_bytes()
        finished += after == whole
        broken += after not in (before, whole) or PatternSet.load(patterns) not in (PatternSet({}), old)
    return finished, broken


def main() -> int:
    """Run what the command line asks for, and print the counts."""
    parser = argparse.ArgumentParser(description="Kill crawls and analyses at random moments.")
    parser.add_argument("--crawls", type=int, default=50)
    parser.add_argument("--feeds", type=int, default=20)
    parser.add_argument("--learning", type=int, default=20)
    parser.add_argument("--analyses", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failed = 0
    for name in ("set.sqlite", "set.zip"):
        with tempfile.TemporaryDirectory() as folder:
            reported, lost = lost_pages(Path(folder, name), arguments.crawls // 2, arguments.seed)
        print(f"{name}: {arguments.crawls // 2} kills, {reported:,} pages reported, {lost} lost", flush=True)
        failed += lost
    with tempfile.TemporaryDirectory() as folder:
        articles, lost = lost_articles(Path(folder), arguments.feeds, arguments.seed)
    print(f"feeds: {arguments.feeds} kills, {articles:,} articles, {lost} lost", flush=True)
    failed += lost
    with tempfile.TemporaryDirectory() as folder:
        counts = kill_learning(Path(folder), arguments.learning, arguments.seed)
    reported = counts.pop("reported")
    said = ", ".join(f"{number} {what}" for what, number in counts.items())
    print(f"learning: {arguments.learning} kills, {reported:,} pages reported, {said}", flush=True)
    failed += sum(counts.values())
    with tempfile.TemporaryDirectory() as folder:
        finished, broken = kill_analyze(Path(folder), arguments.analyses, arguments.seed)
    print(
        f"analyze: {arguments.analyses} kills, {finished} after the new file was there, {broken} broken files"
    )
    return 1 if failed + broken else 0


if __name__ == "__main__":
    sys.exit(main())
