"""A project with items, pipelines, feeds and monitors of its own: they are the same with the add-on."""

from __future__ import annotations

import json
import re
from typing import Any

SPIDER = """
from press.items import Report
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class NewsSpider(CrawlSpider):
    name = "news"
    start_urls = ["URL/"]
    rules = (Rule(LinkExtractor(allow="/(article|moved|about)"), callback="parse_page", follow=True),)

    def parse_page(self, response):
        yield Report(
            url=response.url,
            headline=response.css("h1.headline::text").get(),
            paragraphs=response.css(".body p::text").getall(),
        )
        if response.url.endswith("/5.html"):
            raise ValueError("a callback that fails after its item")
"""

ITEMS = """
import scrapy


class Report(scrapy.Item):
    url = scrapy.Field()
    headline = scrapy.Field()
    paragraphs = scrapy.Field(serializer=" | ".join)
"""

PIPELINES = """
from scrapy.exceptions import DropItem


class CheckPipeline:
    def process_item(self, item, spider=None):
        with open("input.txt", "a") as file:
            print(type(item), repr(item), file=file)
        if not item["headline"] or item["url"].endswith("/9.html"):
            raise DropItem("not for us")
        if item["url"].endswith("/7.html"):
            raise ValueError("a pipeline that fails")
        return item
"""

EXTENSIONS = """
import logging

from scrapy import signals

logger = logging.getLogger(__name__)


class FeedWatch:
    @classmethod
    def from_crawler(cls, crawler):
        watch = cls()
        crawler.signals.connect(watch.slot_closed, signals.feed_slot_closed)
        crawler.signals.connect(watch.exporter_closed, signals.feed_exporter_closed)
        return watch

    def slot_closed(self, slot):
        logger.info("%s is there", slot.uri)

    def exporter_closed(self):
        logger.info("all feeds are there")
"""

MONITORS = """
import warnings

from spidermon import MonitorSuite
from spidermon.contrib.scrapy import monitors as spidermon

warnings.filterwarnings("ignore", r"Spider\\.log\\(\\) is deprecated", module=r"spidermon\\.")


class CloseSuite(MonitorSuite):
    monitors = [
        spidermon.ItemCountMonitor,
        spidermon.FieldCoverageMonitor,
        spidermon.FinishReasonMonitor,
        spidermon.ErrorCountMonitor,
        spidermon.WarningCountMonitor,
    ]
"""

# With one page at a time, each crawl has the same order. Telnet and remote control would have
# another password and port in each.
SETTINGS = """
CONCURRENT_REQUESTS = 1
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 1
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

ITEM_PIPELINES = {"press.pipelines.CheckPipeline": 300}
FEEDS = {
    "own.csv": {"format": "csv", "fields": ["headline", "url"], "item_export_kwargs": {"delimiter": ";"}},
    "own.json": {"format": "json", "indent": 4},
    "own.jsonl": {"format": "jsonlines", "fields": {"url": "link", "paragraphs": "text"}},
}
CLOSESPIDER_ITEMCOUNT = 9
EXTENSIONS = {
    "spidermon.contrib.scrapy.extensions.Spidermon": 500,
    "press.extensions.FeedWatch": 510,
}
SPIDERMON_ENABLED = True
SPIDERMON_SPIDER_CLOSE_MONITORS = ["press.monitors.CloseSuite"]
SPIDERMON_ADD_FIELD_COVERAGE = True
SPIDERMON_FIELD_COVERAGE_RULES = {"Report/headline": 1.0, "Report/paragraphs": 1.0}
SPIDERMON_MIN_ITEMS = 9
SPIDERMON_EXPECTED_FINISH_REASONS = ["closespider_itemcount"]
SPIDERMON_MAX_ERRORS = 2
SPIDERMON_MAX_WARNINGS = 1
"""

ADDON = """
ADDONS = {"scrapy_webstemmer.Addon": 500}
WEBSTEMMER_LEARNING_SET = "news.sqlite"
WEBSTEMMER_PATTERNS = "patterns.json"
WEBSTEMMER_ARTICLES = "articles.jsonl"
"""

#: What differs between any two crawls of the project: times and memory.
CHANGING = (
    r"(?m)^.'(?:start_time|finish_time|elapsed_time_seconds|memusage/(?:max|startup))': (.*?)[,}]$",
    r"(?m)^.'(?:items|responses)_per_minute': (.*?)[,}]$",
    r"\[Spidermon\] \d (?:monitors|actions) in (.*)s$",
)

#: What is ours in the log: lines of our loggers and the line about our feed, ...
OUR_LINES = r"\[scrapy_webstemmer\.|\[scrapy\.extensions\.feedexport\] INFO: .* in: articles\.jsonl$"
#: ... and in lines of Scrapy the names of our components, our stats, and our frame of a traceback.
OUR_PARTS = (
    r"^\[scrapy\.addons\] INFO: Enabled addons:\n\[(scrapy_webstemmer\.Addon)",
    r"^\[scrapy\.middleware\] INFO: Enabled [\s\S]*\n\[(<class 'scrapy_webstemmer\.[\w.]+'>,\n )",
    r"(,\n 'webstemmer/.*': [\d.]+)(?=[,}])",
    r"(\n 'ITEM_PROCESSOR': <class 'scrapy_webstemmer\.[^']*'>,)",
    r'(  File ".*/scrapy_webstemmer/.*\n    .*\n  File ".*/scrapy/core/spidermw\.py".*\n    .*\n)',
)


def without(pattern: str, text: str) -> str:
    """Return a text without the group of each match of a pattern."""

    def cut(match: re.Match[str]) -> str:
        begin, end = (place - match.start() for place in match.span(1))
        return match[0][:begin] + match[0][end:]

    return re.sub(pattern, cut, text)


def lines_of_project(log: str) -> list[str]:
    """Return the records of a log, without what differs between any two crawls, and without what is ours."""
    records = re.split(r"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?=\[)", log)
    records = [record.removesuffix("\n") for record in records]
    records = [record for record in records if not re.match(OUR_LINES, record)]
    for pattern in (*CHANGING, *OUR_PARTS):
        records = [without(pattern, record) for record in records]
    return records


def files_of_project(project: Any) -> dict[str, bytes]:
    """Return what the project has written, and remove it for the next crawl."""
    found = {}
    for name in ("own.csv", "own.json", "own.jsonl", "input.txt"):
        path = project.folder / name
        found[name] = path.read_bytes()
        path.unlink()
    return found


def make(project: Any, url: str) -> None:
    """Give the project everything of its own."""
    project.write("spiders/news.py", SPIDER.replace("URL", url))
    project.write("items.py", ITEMS)
    project.write("pipelines.py", PIPELINES)
    project.write("extensions.py", EXTENSIONS)
    project.write("monitors.py", MONITORS)
    project.add_settings(SETTINGS)


def test_nothing_of_the_project_changes(project: Any, news_site: Any) -> None:
    """Feeds, counts, log, monitors and the pipeline's input are the same in each crawl with the add-on."""
    make(project, news_site.url)
    log = project.scrapy("crawl", "news")
    assert "[Spidermon] OK" in log, log
    lines, files = lines_of_project(log), files_of_project(project)

    def crawl_again(*arguments: str) -> str:
        log = project.scrapy("crawl", "news", *arguments)
        assert lines_of_project(log) == lines
        assert files_of_project(project) == files
        return log

    project.add_settings(ADDON)
    assert "pages stored in news.sqlite" in crawl_again()
    project.scrapy("analyze", "news.sqlite", "-o", "patterns.json")
    crawl_again()
    articles = (project.folder / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(articles) > 9  # more than items, since some items are dropped or fail
    assert {json.loads(line)["url"] for line in articles} <= set(news_site.article_urls)
    assert "articles are in no feed" in crawl_again("-s", "WEBSTEMMER_ARTICLES=")
    learning = crawl_again("-s", "WEBSTEMMER_PATTERNS=", "-s", "WEBSTEMMER_LEARN=1")
    assert "Sites learned: 1, from " in learning
