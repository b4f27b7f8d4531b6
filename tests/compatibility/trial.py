"""A Scrapy project in an environment of its own, and the demo site that it crawls."""

from __future__ import annotations

import json
import mimetypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "example_project")]

from demo_site.compare import compare  # noqa: E402
from demo_site.site import build, truth  # noqa: E402
from loopback import Answer, QuietHandler, WebServer, listening, serve  # noqa: E402, F401 - also for others

SETTINGS = """
import json
import os

BOT_NAME = "site"
SPIDER_MODULES = ["site_spider"]
REFERER_ENABLED = False  # the referer depends on the order of the responses, and so do the bytes of requests
TELNETCONSOLE_ENABLED = False
ADDONS = {{}}
{extra}
if "WITHOUT_ADDON" not in os.environ:
    ADDONS["scrapy_webstemmer.Addon"] = 500
globals().update(json.loads(os.environ.get("CRAWL_SETTINGS", "{{}}")))
"""

#: The beginning of every spider: it writes its stats to a file, for the comparison of two crawls.
SPIDER_HEAD = """
import json
import os
from pathlib import Path

from scrapy import Request, Spider
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Stats:
    name = "site"

    def __init__(self, url, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]

    def closed(self, reason):
        stats = self.crawler.stats.get_stats()
        Path(os.environ["STATS"]).write_text(json.dumps(dict(stats, finish_reason=reason), default=str))
"""

CRAWL_SPIDER = (
    SPIDER_HEAD
    + """

class SiteSpider(Stats, CrawlSpider):
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True, process_request="prepared")]

    async def start(self):
        for url in self.start_urls:
            yield self.prepared(Request(url, dont_filter=True), None)

    def prepared(self, request, response):
        {prepare}
        return request

    def parse_page(self, response):
        yield {{"url": response.url, "title": response.css("title::text").get()}}
"""
)

#: A spider whose callback follows the links. A CrawlSpider has callbacks of its own, which scrapy-poet does
#: not see, and it follows only the links of Scrapy's own class of HTML responses.
PLAIN_SPIDER = (
    SPIDER_HEAD
    + """
IMPORTS

class SiteSpider(Stats, Spider):
    async def start(self):
        for url in self.start_urls:
            yield self.prepared(Request(url, dont_filter=True))

    def prepared(self, request):
        PREPARE
        return request

    def parse(self, response ARGUMENT):
        yield ITEM
        for link in LinkExtractor().extract_links(response):
            yield self.prepared(Request(link.url))
"""
)


def plain_spider(imports: str = "", prepare: str = "pass", argument: str = "", item: str = "") -> str:
    """Return the module of a spider without rules."""
    item = item or '{"url": response.url, "title": response.css("title::text").get()}'
    parts = {"IMPORTS": imports, "PREPARE": prepare, "ARGUMENT": argument, "ITEM": item}
    text = PLAIN_SPIDER
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


#: Stats that are ours, or differ between any two crawls: the depth depends on the order of responses.
_NOT_COMPARED = ("webstemmer/", "memusage/", "log_count/DEBUG", "log_count/INFO", "request_depth_max")
#: A browser fetches some pictures again, and it depends on the time which.
_BROWSER = "playwright/"
_TIMES = ("time", "per_minute", "_seconds")


class CheckError(Exception):
    """Something does not work as it should."""


def expect(condition: object, message: str) -> None:
    """Raise :class:`CheckError` unless a condition holds."""
    if not condition:
        raise CheckError(message)


@dataclass
class Crawl:
    """What a crawl left: the bytes of the feed with the spider's items, the stats, and the log."""

    items: bytes
    stats: dict[str, Any]
    log: str

    def counts(self) -> dict[str, Any]:
        """Return the stats that must be the same with and without the add-on."""
        return {
            name: value
            for name, value in self.stats.items()
            if not name.startswith((*_NOT_COMPARED, _BROWSER)) and not any(part in name for part in _TIMES)
        }


class Site:
    """The demo site on loopback, as it is on its first or its second day."""

    def __init__(self, server: WebServer) -> None:
        self.server = server
        self.url = server.url()
        self.day = 0
        self.publish(1)

    def publish(self, day: int) -> None:
        """Show the site as it is on a day."""
        self.day = day
        self.server.pages = {path: _answer(path, content) for path, content in build(day).items()}

    @contextmanager
    def requests(self) -> Iterator[list[str]]:
        """Give a list that holds, after the block, the paths that were asked for in it."""
        before, paths = len(self.server.asked), list[str]()
        yield paths
        paths += [one.path for one in self.server.asked[before:]]


def _answer(path: str, content: bytes) -> Answer:
    kind = "text/html" if path.endswith("/") else mimetypes.guess_type(path)[0]
    return Answer(content, headers={"Content-Type": kind or "text/html"})


class Trial:
    """A project with one spider, ``site``, which crawls the whole site.

    :param folder: the project; made anew.
    :param python: the interpreter of the environment that it runs in.
    """

    def __init__(self, folder: Path, python: Path, site: Site) -> None:
        self.folder, self.python, self.site = folder, python, site
        self.command: Sequence[str] = ("-m", "scrapy", "crawl", "site")
        self.project()

    def project(self, settings: str = "", prepare: str = "pass", spider: str = CRAWL_SPIDER) -> None:
        """Write the project.

        :param settings: lines of its settings.
        :param prepare: a statement that the spider runs on each ``request``.
        :param spider: the module with the spider.
        """
        self.write("scrapy.cfg", "[settings]\ndefault = site_settings\n")
        self.write("site_settings.py", SETTINGS.format(extra=settings))
        text = spider.format(prepare=prepare) if spider is CRAWL_SPIDER else spider
        self.write("site_spider.py", text)

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> bytes:
        """Return the content of a file of the project."""
        return (self.folder / name).read_bytes()

    def environment(self, name: str, addon: bool, settings: dict[str, Any]) -> dict[str, str]:
        """Return the environment of a crawl's process."""
        # A mapping of options, since a feed that is there would be added to.
        feeds = {f"{name}.jsonl": {"format": "jsonlines", "overwrite": True}}
        return {
            **os.environ,
            "STATS": f"{name}.stats",
            "CRAWL_SETTINGS": json.dumps({"FEEDS": feeds, **settings}),
            **({} if addon else {"WITHOUT_ADDON": "1"}),
        }

    def arguments(self) -> list[str]:
        """Return the command line of a crawl."""
        url = ["-a", f"url={self.site.url}"] if "crawl" in self.command else [self.site.url]
        return [str(self.python), *self.command, *url]

    def crawl(self, name: str, *, addon: bool = True, **settings: Any) -> Crawl:
        """Crawl the site; NAME is that of the files that the crawl writes.

        :raises CheckError: the crawl has failed, or its log has an error.
        """
        environment = self.environment(name, addon, settings)
        log = self.run(*self.arguments(), env=environment)
        return self.result(name, log)

    def result(self, name: str, log: str) -> Crawl:
        """Return what a crawl left."""
        (self.folder / f"{name}.log").write_text(log, encoding="utf-8")
        # tldextract, which some packages use, writes one if it cannot fetch the list of domains
        expect(
            "Traceback" not in log or "publicsuffix.org" in log, f"a traceback in {self.folder / name}.log"
        )
        expect((self.folder / f"{name}.stats").exists(), f"no stats, see {self.folder / name}.log")
        items = self.folder / f"{name}.jsonl"
        content = items.read_bytes() if items.exists() else b""
        stats = json.loads(self.read(f"{name}.stats"))
        expect(not stats.get("log_count/ERROR"), f"an error in {self.folder / name}.log")
        return Crawl(content, stats, log)

    def run(self, *command: str, env: dict[str, str] | None = None) -> str:
        """Run a command in the project's folder; return what it writes."""
        done = subprocess.run(
            command, cwd=self.folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        expect(done.returncode == 0, f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-3000:]}")
        return done.stdout

    def learn(self, **settings: Any) -> Crawl:
        """Crawl the site of the first day into a learning set, and learn from it."""
        self.site.publish(1)
        crawl = self.crawl("collect", WEBSTEMMER_LEARNING_SET="learning.sqlite", **settings)
        expect(crawl.stats.get("webstemmer/pages_stored", 0) > 0, "no page was stored")
        self.analyze()
        return crawl

    def analyze(self) -> None:
        """Learn from the learning set."""
        self.run(str(self.python), "-m", "scrapy", "analyze", "learning.sqlite", "-o", "patterns.json")

    def extract(self, name: str = "extract", **settings: Any) -> Crawl:
        """Crawl the site with the patterns; the articles go to ``articles.jsonl``."""
        (self.folder / "articles.jsonl").unlink(missing_ok=True)
        return self.crawl(
            name, WEBSTEMMER_PATTERNS="patterns.json", WEBSTEMMER_ARTICLES="articles.jsonl", **settings
        )

    def usual(self, **settings: Any) -> str:
        """Learn on the first day, and extract on the second, with and without the add-on.

        :returns: what came of it.
        :raises CheckError: there are too few articles, or the project's items or counts are not the same.
        """
        self.learn(**settings)
        self.site.publish(2)
        bare = self.crawl("bare", addon=False, **settings)
        with_addon = self.extract(**settings)
        self.expect_same(bare, with_addon)
        return (
            f"{self.articles()}; {len(bare.items.splitlines())} items, feed and stats as without the add-on"
        )

    def expect_same(self, bare: Crawl, with_addon: Crawl) -> None:
        """Check that the items and the counts of two crawls are the same."""
        one, other = (sorted(crawl.items.splitlines()) for crawl in (bare, with_addon))
        expect(one, "the spider gave no item")
        expect(one == other, f"the items differ, see {self.folder}")
        self.expect_same_counts(bare, with_addon)

    def expect_same_counts(self, bare: Crawl, with_addon: Crawl) -> None:
        """Check that the stats of two crawls are the same, but for times and our own."""
        one, other = bare.counts(), with_addon.counts()
        differing = {
            name: (one.get(name), other.get(name))
            for name in one.keys() | other.keys()
            if one.get(name) != other.get(name)
        }
        expect(not differing, f"these stats differ: {differing}")

    def articles(self, name: str = "articles.jsonl") -> str:
        """Compare the articles with the truth; return how many there are, and how many are exact.

        :raises CheckError: pages came out that are no articles or are there twice, or too few are exact.
        """
        lines = [json.dumps(record) + "\n" for record in truth(self.site.day)]
        self.write("truth.jsonl", "".join(lines))
        result = compare(self.folder / "truth.jsonl", self.folder / name)
        self.write("differences.txt", "\n".join(result.differences))
        found, exact = (
            sum(getattr(group, field) for group in (result.new, result.older)) for field in ("found", "exact")
        )
        expect(not result.unexpected, f"not articles, or there twice: {result.unexpected[:5]}")
        expect(exact >= 0.95 * len(lines), f"{exact} of {len(lines)} articles are exact, see {self.folder}")
        return f"{found} of {len(lines)} articles, {exact} of them exact"


Check = Callable[[Trial], str]
