"""Components can tell a crawl from a command that fetches a page to look at it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from forked_scrapy import run_scrapy
from loopback import WebServer, links, serve
from scrapy import Spider
from scrapy.crawler import Crawler

from scrapy_webstemmer.crawl.scrapy_inside import is_trial

SPIDER = """
import scrapy


class NewsSpider(scrapy.Spider):
    name = "news"
    start_urls = ["URL"]

    def parse(self, response):
        \"\"\"Return an item.

        @url URL
        @returns items 1
        \"\"\"
        yield {"url": response.url}
"""

#: Each component writes down what it is told: when it is made, and when the crawl begins.
COMPONENTS = """
from scrapy import signals
from scrapy_webstemmer.crawl.scrapy_inside import is_trial


def note(name, crawler):
    with open("told.txt", "a") as file:
        print(name, is_trial(crawler), file=file)


class Component:
    @classmethod
    def from_crawler(cls, crawler):
        note(cls.__name__, crawler)
        crawler.signals.connect(cls.opened, signals.spider_opened)
        return cls()

    @classmethod
    def opened(cls, spider):
        note("opened", spider.crawler)


class Addon(Component):
    def update_settings(self, settings):
        pass


class Pipeline(Component):
    def process_item(self, item, spider=None):
        return item


class Middleware(Component):
    pass


class Extension(Component):
    pass
"""

SETTINGS = """
ADDONS = {"press.components.Addon": 1}
ITEM_PIPELINES = {"press.components.Pipeline": 1}
SPIDER_MIDDLEWARES = {"press.components.Middleware": 1}
DOWNLOADER_MIDDLEWARES = {"press.components.Middleware": 1}
EXTENSIONS = {"press.components.Extension": 1}
"""

#: What many projects set. The shell's own value does not count then.
OVERRIDES = 'DUPEFILTER_CLASS = "scrapy.dupefilters.RFPDupeFilter"'

SCRIPT = """
import scrapy
from scrapy.crawler import {process}
from scrapy.utils.project import get_project_settings

process = {process}(get_project_settings())
process.crawl("news")
process.start()
"""


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Serve a page."""
    with serve() as server:
        server.pages["/"] = links("/a")
        yield server


@pytest.fixture
def told(project: Any, site: WebServer) -> Any:
    """Return a function that runs a program in a project, and returns what the components were told."""
    project.write("spiders/news.py", SPIDER.replace("URL", site.url()))
    project.write("components.py", COMPONENTS)
    project.add_settings(f"{SETTINGS}\n{OVERRIDES}")

    def run(*arguments: str) -> dict[str, str]:
        words = [argument.replace("URL", site.url()) for argument in arguments]
        environment = project.environment() | {"BROWSER": "true"}
        if words[0] == "scrapy":
            done = run_scrapy(*words[1:], cwd=project.folder, env=environment)
        else:
            done = subprocess.run(
                [sys.executable, *words],
                cwd=project.folder,
                env=environment,
                capture_output=True,
                encoding="utf-8",
                timeout=120,
                check=False,
            )
        assert done.returncode == 0, done.stderr
        lines = (project.folder / "told.txt").read_text(encoding="utf-8").splitlines()
        return dict(line.split() for line in lines)

    return run


@pytest.mark.parametrize(
    "command",
    [
        ("shell", "URL", "-c", "response.url"),
        ("shell", "-c", "1"),
        ("fetch", "URL"),
        ("fetch", "URL", "--spider", "news"),
        ("view", "URL"),
        ("parse", "URL", "--spider", "news"),
        ("parse", "URL", "--spider", "news", "--pipelines"),
        ("check", "news"),
    ],
    ids=" ".join,
)
def test_commands_that_look_at_a_page(command: tuple[str, ...], told: Any) -> None:
    """All components are told that the command only looks, whenever they ask."""
    found = told("scrapy", *command)
    assert {"Addon", "Extension", "Middleware"} <= found.keys()
    assert set(found.values()) == {"True"}


def test_a_url_as_an_input_of_extract(told: Any, project: Any) -> None:
    """A url of `scrapy extract` is fetched to look at it."""
    (project.folder / "empty.json").write_text(
        '{"format": "scrapy-webstemmer patterns", "version": 4, "sites": []}', encoding="utf-8"
    )
    found = told("scrapy", "extract", "empty.json", "URL")
    assert {"Addon", "Extension", "Middleware"} <= found.keys()
    assert set(found.values()) == {"True"}


@pytest.mark.parametrize(
    "command",
    [
        ("-m", "scrapy", "crawl", "news"),
        ("scrapy", "crawl", "news", "-a", "_job=1", "-s", "LOG_FILE=job.log"),
        ("scrapy", "runspider", "press/spiders/news.py"),
        ("-c", SCRIPT.format(process="CrawlerProcess")),
        ("-c", SCRIPT.format(process="AsyncCrawlerProcess")),
    ],
    ids=["crawl", "as scrapyd does", "runspider", "CrawlerProcess", "AsyncCrawlerProcess"],
)
def test_crawls(command: tuple[str, ...], told: Any) -> None:
    """All components are told that this is a crawl."""
    if "AsyncCrawlerProcess" in command[1]:
        pytest.importorskip("scrapy", "2.14", reason="AsyncCrawlerProcess is new in Scrapy 2.14")
    found = told(*command)
    assert {"Addon", "Pipeline", "Extension", "Middleware", "opened"} <= found.keys()
    assert set(found.values()) == {"False"}


def test_a_crawler_of_a_test() -> None:
    """A crawler that a test makes, without a crawl, is not a trial."""
    assert not is_trial(Crawler(Spider))
