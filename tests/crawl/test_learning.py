"""Crawls that learn at their end (``WEBSTEMMER_LEARN``): one crawl gives all articles, whatever ends it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import scrapy
import scrapy.crawler
from loopback import Answer, WebServer, serve
from news_pages import article, index, story
from scrapy.linkextractors import LinkExtractor
from scrapy.pipelines.files import FilesPipeline

from scrapy_webstemmer import ArticleItem, Page, PatternSet
from scrapy_webstemmer.crawl import learning_process as child
from scrapy_webstemmer.crawl.learning_at_end import LatePages
from scrapy_webstemmer.crawl.page_pipeline import PagePipeline
from scrapy_webstemmer.errors import LearningSetError, OptionError
from scrapy_webstemmer.storage import SqliteLearningSet

RunSpider = Callable[..., Any]

STORIES, LISTS = 20, 4
SPIDER = """
import scrapy
from scrapy.linkextractors import LinkExtractor


class NewsSpider(scrapy.Spider):
    name = "news"
    start_urls = ["{url}/archive/1.html"]

    def parse(self, response):
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url)
"""
SETTINGS = """
ADDONS = {"scrapy_webstemmer.Addon": 500}
WEBSTEMMER_LEARNING_SET = "news.sqlite"
WEBSTEMMER_LEARN = True
WEBSTEMMER_ARTICLES = "articles.jsonl"
"""


def host_of(site: WebServer) -> str:
    return f"127.0.0.1:{site.port}"


def publish(site: WebServer, numbers: range, template: str = "press") -> None:
    """Put stories and the lists that lead to them on the site."""
    host = host_of(site)
    for number in numbers:
        site.pages[f"/story/{number}.html"] = Answer(article(host, number, template).body)
    for number in range(1, LISTS + 1):
        links = [one for one in numbers if one % LISTS == number % LISTS]
        following = b'<a href="/archive/%d.html">Older stories</a></body>' % (number + 1)
        body = index(host, number, links, template).body.replace(b"</body>", following)
        site.pages[f"/archive/{number}.html"] = Answer(body)


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Serve a site of twenty stories and four lists."""
    with serve() as server:
        publish(server, range(1, STORIES + 1))
        yield server


class Follows(scrapy.Spider):
    """Follows all links, and yields nothing."""

    name = "news"
    custom_settings = {"RETRY_ENABLED": False, "LOG_LEVEL": "INFO"}  # noqa: RUF012 - as Scrapy has it

    def parse(self, response: Any) -> Any:
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url)


class Seeds(Follows):
    """Fetches its seeds alone."""

    def parse(self, response: Any) -> Any:
        return None


def stories_of(site: WebServer, numbers: range = range(1, STORIES + 1)) -> dict[str, str]:
    """Return the titles of stories by their urls."""
    host = host_of(site)
    return {site.url(f"/story/{number}.html"): story(host, number).title for number in numbers}


def learn_in(folder: Path, **others: Any) -> dict[str, Any]:
    """Return the settings of a crawl that learns."""
    return {
        "ADDONS": {"scrapy_webstemmer.Addon": 500},
        "WEBSTEMMER_LEARNING_SET": str(folder / "news.sqlite"),
        "WEBSTEMMER_LEARN": True,
        **others,
    }


def given(crawl: Any) -> dict[str, str]:
    """Return the titles of a crawl's articles by their urls; each page has given one article."""
    urls = Counter(item.url for item in crawl.articles)
    assert set(urls.values()) <= {1}
    return {item.url: item.title for item in crawl.articles}


def start(site: WebServer) -> dict[str, Any]:
    """Return the argument that says where a spider begins."""
    return {"start_urls": [site.url("/archive/1.html")]}


def test_one_crawl_gives_all_articles(tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any) -> None:
    """The first crawl learns at its end; the next one knows the site from its first page on."""
    feed = tmp_path / "articles.jsonl"
    settings = learn_in(tmp_path, WEBSTEMMER_ARTICLES=str(feed))
    first = crawl(Follows, settings, **start(site))
    assert given(first) == stories_of(site)
    lines = [json.loads(line) for line in feed.read_text(encoding="utf-8").splitlines()]
    assert {line["url"]: line["title"] for line in lines} == stories_of(site)
    assert first.stats["webstemmer/learned/sites"] == 1
    assert first.stats["webstemmer/learned/pages"] == STORIES + LISTS
    assert first.stats["webstemmer/matched"] == STORIES
    assert first.stats["webstemmer/unmatched"] == LISTS
    assert "item_scraped_count" not in first.stats
    (said,) = [line for line in caplog.messages if line.startswith("Sites learned: 1, from 24 pages in ")]
    assert said.endswith(f"patterns: {tmp_path / 'news.patterns.json'}")
    written = (tmp_path / "news.patterns.json").read_bytes()

    feed.unlink()
    second = crawl(Follows, settings, **start(site))
    assert given(second) == stories_of(site)
    assert second.stats["webstemmer/learned/sites"] == 0
    assert (tmp_path / "news.patterns.json").read_bytes() == written


def test_late_articles_below_the_least_confidence(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """They do not come out, and are counted as those that are judged during a crawl."""
    settings = learn_in(tmp_path, WEBSTEMMER_MIN_CONFIDENCE=1)
    for learned in (1, 0):
        done = crawl(Follows, settings, **start(site))
        assert given(done) == {}
        assert done.stats["webstemmer/learned/sites"] == learned
        assert done.stats["webstemmer/uncertain"] == STORIES
        assert done.stats["webstemmer/unmatched"] == LISTS
        assert not [key for key in done.stats if key.startswith("webstemmer/drift/")]


def test_patterns_are_those_of_analyze(
    tmp_path: Path, crawl: RunSpider, project: Any, site: WebServer
) -> None:
    """What a crawl has learned is what `scrapy analyze` learns from the same pages."""
    named = tmp_path / "kept" / "patterns.json"
    crawl(Follows, learn_in(tmp_path, WEBSTEMMER_PATTERNS=str(named)), **start(site))
    project.scrapy("analyze", str(tmp_path / "news.sqlite"), "-o", "patterns.json")
    assert named.read_bytes() == (project.folder / "patterns.json").read_bytes()


def test_a_site_that_has_grown_is_learned_again(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """With half as many pages again, a site is learned again; with fewer it is not."""
    crawl(Follows, learn_in(tmp_path), **start(site))
    publish(site, range(1, STORIES + 5))
    assert crawl(Follows, learn_in(tmp_path), **start(site)).stats["webstemmer/learned/sites"] == 0
    publish(site, range(1, STORIES + 20))
    third = crawl(Follows, learn_in(tmp_path), **start(site))
    assert third.stats["webstemmer/learned/pages"] == STORIES + 19 + LISTS
    assert given(third) == stories_of(site, range(1, STORIES + 20))


def test_a_redesigned_site_is_learned_again(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any
) -> None:
    """After a redesign a warning says what has changed, and the crawl gives its articles all the same."""
    settings = learn_in(tmp_path)
    crawl(Follows, settings, **start(site))
    new = range(STORIES + 1, STORIES + 16)
    site.pages.clear()
    publish(site, new, "bulletin")
    caplog.clear()
    second = crawl(Follows, settings, **start(site))
    assert given(second) == stories_of(site, new)
    name = "127.0.0.1"
    assert second.stats[f"webstemmer/drift/{name}"] >= len(new)
    assert second.stats["webstemmer/learned/sites"] == 1
    (warning,) = [record for record in caplog.records if "has changed" in record.getMessage()]
    assert warning.levelname == "WARNING"
    assert warning.getMessage().endswith("It is learned anew at the end of this crawl.")
    # the old pages are still in the learning set, and the patterns still fit them
    patterns = PatternSet.load(tmp_path / "news.patterns.json")
    assert len(patterns.sites[name].patterns) >= 2


class Monitored(Follows):
    """Notes what a monitor sees that looks when the spider is closed, as Spidermon does."""

    seen: dict[str, Any]

    def closed(self, reason: str) -> None:
        type(self).seen = self.crawler.stats.get_stats().copy()


def test_a_redesign_is_noticed_without_learning(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any
) -> None:
    """A crawl with patterns alone warns as well, tells monitors, and says what to do."""
    crawl(Follows, learn_in(tmp_path), **start(site))
    publish(site, range(1, STORIES + 1), "bulletin")
    settings = {
        "ADDONS": {"scrapy_webstemmer.Addon": 500},
        "WEBSTEMMER_PATTERNS": str(tmp_path / "%(spider)s.patterns.json"),
    }
    caplog.clear()
    second = crawl(Monitored, settings, **start(site))
    (warning,) = [line for line in caplog.messages if "has changed" in line]
    assert "crawl again with -s WEBSTEMMER_LEARNING_SET=news.sqlite, and then: scrapy analyze" in warning
    assert second.stats["webstemmer/coverage/title"] == 1.0
    assert Monitored.seen["webstemmer/drift/127.0.0.1"] == STORIES + LISTS
    # a crawl that learns at its end puts it right as well
    again = settings | {"WEBSTEMMER_LEARNING_SET": str(tmp_path / "again.sqlite"), "WEBSTEMMER_LEARN": "1"}
    assert given(crawl(Monitored, again, **start(site))) == stories_of(site)
    assert "webstemmer/drift/127.0.0.1" in Monitored.seen
    assert given(crawl(Monitored, settings, **start(site))) == stories_of(site)
    assert "webstemmer/drift/127.0.0.1" not in Monitored.seen


def test_a_crawl_of_few_pages_is_silent(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any
) -> None:
    """Fewer than ten pages show no change, even if none of them fits."""
    crawl(Follows, learn_in(tmp_path), **start(site))
    publish(site, range(1, STORIES + 1), "bulletin")
    settings = {
        "ADDONS": {"scrapy_webstemmer.Addon": 500},
        "WEBSTEMMER_PATTERNS": str(tmp_path / "news.patterns.json"),
    }
    for pages, warnings in ((9, 0), (10, 1)):
        caplog.clear()
        urls = [site.url(f"/story/{number}.html") for number in range(1, pages + 1)]
        second = crawl(Seeds, settings, start_urls=urls)
        assert second.stats["response_received_count"] == pages
        assert sum("has changed" in line for line in caplog.messages) == warnings
        assert sum(name.startswith("webstemmer/drift/") for name in second.stats) == warnings


class Closing:
    """A pipeline that is of no use once it is closed."""

    seen: list[Any]

    @classmethod
    def from_crawler(cls, crawler: Any) -> Closing:
        cls.seen = []
        return cls()

    def process_item(self, item: Any, spider: Any = None) -> Any:
        if self.seen is None:
            raise ValueError("closed")
        self.seen.append(item)
        return item

    def close_spider(self, spider: Any = None) -> None:
        self.counted = len(self.seen)
        Closing.last, self.seen = self, None  # type: ignore[assignment]

    last: Any = None


def test_late_articles_go_through_the_pipelines(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """The project's pipelines are still open when the late articles come."""
    more = {"WEBSTEMMER_ARTICLES_TO_PIPELINES": True, "ITEM_PIPELINES": {Closing: 100}}
    done = crawl(Follows, learn_in(tmp_path, **more), **start(site))
    assert Closing.last.counted == STORIES
    assert {item.url: item.title for item in done.of(ArticleItem)} == stories_of(site)
    assert done.stats["item_scraped_count"] == STORIES


class Pictures(FilesPipeline):
    """Downloads a file for each article, under two names of its host."""

    def get_media_requests(self, item: Any, info: Any) -> Any:
        return [scrapy.Request(url) for url in (item.url, item.url.replace("127.0.0.1", "localhost"))]


def test_late_articles_can_download(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """Pipelines that download what belongs to an article work for late ones, whatever has ended the crawl."""
    more = {"WEBSTEMMER_ARTICLES_TO_PIPELINES": True, "ITEM_PIPELINES": {Pictures: 100}}
    more |= {"FILES_STORE": str(tmp_path / "files"), "CLOSESPIDER_PAGECOUNT": STORIES}
    done = crawl(Follows, learn_in(tmp_path, **more), **start(site))
    articles = len(done.of(ArticleItem))
    assert articles > 10
    assert done.stats["file_status_count/downloaded"] == 2 * articles
    assert not any(key.startswith("log_count/ERROR") for key in done.stats)
    assert done.stats["finish_reason"] == "closespider_pagecount"


def test_response_of_a_late_article(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """Handlers get a response with the url and the body of the page."""
    bodies: dict[str, bytes] = {}

    class Listens(Follows):
        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            crawler.signals.connect(spider.scraped, scrapy.signals.item_scraped)
            return spider

        def scraped(self, item: Any, response: Any) -> None:
            assert response.css("h1::text").get() == item.title
            bodies[response.request.url] = response.body

    crawl(Listens, learn_in(tmp_path, WEBSTEMMER_ARTICLES_TO_PIPELINES=True), **start(site))
    assert bodies == {url: site.pages[url.removeprefix(site.url(""))].body for url in stories_of(site)}


@pytest.mark.parametrize("limit", ["CLOSESPIDER_PAGECOUNT", "CLOSESPIDER_ITEMCOUNT"])
def test_a_limit_ends_the_crawl(limit: str, tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A crawl that a limit ends learns as well, and gives the articles of the pages that it has."""

    class Yields(Follows):
        def parse(self, response: Any) -> Any:
            yield {"seen": response.url}
            yield from super().parse(response)

    publish(site, range(1, 201))
    more = {limit: 10, "CONCURRENT_REQUESTS": 1, "WEBSTEMMER_ARTICLES": {str(tmp_path / "a.jsonl"): {}}}
    done = crawl(Yields, learn_in(tmp_path, **more), **start(site))
    stored = {page.url for page in SqliteLearningSet(tmp_path / "news.sqlite", readonly=True)}
    assert 5 <= len(stored) < 200
    assert given(done).keys() == stored & stories_of(site, range(1, 201)).keys()
    assert len(done.scraped) == len(stored)


def test_a_limit_of_items_is_reached_by_late_articles(
    tmp_path: Path, crawl: RunSpider, site: WebServer
) -> None:
    """The limit may be reached while the crawl is already ending; all articles come all the same."""
    more = {"CLOSESPIDER_ITEMCOUNT": 3, "WEBSTEMMER_ARTICLES_TO_PIPELINES": True}
    done = crawl(Follows, learn_in(tmp_path, **more), **start(site))
    assert len(done.of(ArticleItem)) == STORIES


def test_urldb_marks_late_articles(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A page is marked as done when its late article is safe; the next crawl fetches only what is new."""
    feed = {"format": "jsonlines"}
    more = {"WEBSTEMMER_URLDB": str(tmp_path / "urls.sqlite"), "WEBSTEMMER_ARTICLES": {tmp_path / "a": feed}}
    assert given(crawl(Follows, learn_in(tmp_path, **more), **start(site))) == stories_of(site)
    new = range(STORIES + 1, STORIES + 4)
    publish(site, range(1, STORIES + 4))
    second = crawl(Follows, learn_in(tmp_path, **more), **start(site))
    assert given(second) == stories_of(site, new)
    assert second.stats["webstemmer/urldb/skipped"] == STORIES


def test_urldb_without_its_learning_set(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """Pages that an earlier crawl has stored, in a file that is gone, are stored and learned from again."""
    more = {"WEBSTEMMER_URLDB": str(tmp_path / "urls.sqlite")}
    stored_only = {**learn_in(tmp_path, **more), "WEBSTEMMER_LEARN": False}
    crawl(Follows, stored_only, **start(site))
    (tmp_path / "news.sqlite").unlink()
    assert given(crawl(Follows, learn_in(tmp_path, **more), **start(site))) == stories_of(site)


def test_sites_of_few_pages(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """In a broad crawl a site with fewer than five pages is not learned; its pages give what they have."""
    host = host_of(site)
    few = [site.url(f"/story/{number}.html", "localhost") for number in range(1, 4)]

    class Broad(Follows):
        def parse(self, response: Any) -> Any:
            if "localhost" not in response.url:
                yield from super().parse(response)

    urls = [*start(site)["start_urls"], *few]
    done = crawl(Broad, learn_in(tmp_path), start_urls=urls)
    assert given(done) == stories_of(site) | {
        url: story(host, number).title for number, url in enumerate(few, 1)
    }
    assert done.stats["webstemmer/learned/sites"] == 1
    assert PatternSet.load(tmp_path / "news.patterns.json").sites.keys() == {"127.0.0.1"}


@pytest.mark.parametrize("patterns", ["", "all.json", "all.sqlite"])
def test_two_crawls_at_a_time(patterns: str, site: WebServer, project: Any) -> None:
    """Two crawls that fill one learning set, or one pattern file, both learn; each gives its own articles."""
    project.add_settings(SETTINGS)
    if patterns:
        project.add_settings(
            f'WEBSTEMMER_LEARNING_SET = "%(spider)s.sqlite"\nWEBSTEMMER_PATTERNS = "{patterns}"'
        )
    with serve() as other:
        publish(other, range(1, STORIES + 1), "blog")
        for name, server in (("one", site), ("two", other)):
            # two hosts, so that they are two sites
            url = server.url("", "localhost" if name == "two" else "127.0.0.1")
            text = SPIDER.replace("{url}", url).replace('"news"', f'"{name}"')
            project.write(f"spiders/{name}.py", text.replace("NewsSpider", name.title()))
        with ThreadPoolExecutor() as threads:
            crawls = [
                threads.submit(project.scrapy, "crawl", name, "-s", f"WEBSTEMMER_ARTICLES={name}.jsonl")
                for name in ("one", "two")
            ]
        logs = [one.result() for one in crawls]
        for name, server in (("one", site), ("two", other)):
            urls = [row["url"] for row in rows(project.folder / f"{name}.jsonl")]
            assert len(urls) == STORIES, logs
            assert {url.replace("localhost", "127.0.0.1") for url in urls} == stories_of(server).keys()
    learned = PatternSet.load(project.folder / (patterns or "news.patterns.json"))
    assert set(learned.sites) == {"127.0.0.1", "localhost"}


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


#: A child process that does not come to its end. Python reads it at its start.
SLOW = """
import sys, time
if "scrapy_webstemmer.training" in "".join(sys.orig_argv):
    time.sleep(100)
"""


def before_others(project: Any, folder: Path) -> dict[str, str]:
    """Return an environment in which modules of a folder come before all others."""
    paths = filter(None, (str(folder), os.environ.get("PYTHONPATH")))
    return {**project.environment(), "PYTHONPATH": os.pathsep.join(paths)}


class Running:
    """A crawl as a command of its own, whose learning never ends by itself, unless ``learns`` is true."""

    def __init__(self, project: Any, *options: str, learns: bool = False) -> None:
        slow = project.folder / "slow"
        slow.mkdir(exist_ok=True)
        (slow / "sitecustomize.py").write_text("" if learns else SLOW, encoding="utf-8")
        self.log = ""
        self.process = project.start("crawl", "news", *options, env=before_others(project, slow))

    def until(self, text: str) -> None:
        """Read the log until a line has a text."""
        for line in self.process.stderr:
            self.log += line
            if text in line:
                return
        raise AssertionError(self.log)

    def end(self) -> int:
        """Read the log to its end, and return the exit status."""
        status, rest = self.process.end()
        self.log += rest
        return status

    def children(self) -> list[int]:
        """Return the ids of the processes that the crawl has started."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(number) for number in path.read_text().split()]


SLOW_PIPELINE = """
import asyncio


class Slow:
    async def process_item(self, item, spider=None):
        await asyncio.sleep(0.1)
        return item
"""


def prepare(project: Any, site: WebServer) -> None:
    project.write("spiders/news.py", SPIDER.replace("{url}", site.url("")))
    project.add_settings(SETTINGS)


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system has no /proc")


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_skips_learning(number: int, project: Any, site: WebServer) -> None:
    """Ctrl-C during learning ends it; the crawl ends in order, and the next one gives all articles."""
    prepare(project, site)
    running = Running(project)
    running.until("Learning from news.sqlite")
    while not running.children():
        time.sleep(0.01)
    (learner,) = running.children()
    running.process.send_signal(number)
    assert running.end() == 0, running.log
    assert "Learning was skipped: 24 pages have given no article yet" in running.log
    assert "Spider closed (finished)" in running.log
    assert not Path(f"/proc/{learner}").exists()
    assert rows(project.folder / "articles.jsonl") == []
    project.scrapy("crawl", "news")
    assert {row["url"] for row in rows(project.folder / "articles.jsonl")} == stories_of(site).keys()


@needs_proc
def test_a_second_ctrl_c_skips_learning(project: Any, site: WebServer) -> None:
    """The first Ctrl-C ends the fetching of pages, the second one learning; the crawl closes in order."""
    prepare(project, site)
    slow = ("-s", "DOWNLOAD_DELAY=0.1", "-s", "CONCURRENT_REQUESTS=1")
    running = Running(project, *slow)
    running.until("Stored ")
    running.process.send_signal(signal.SIGINT)
    running.until("Learning from news.sqlite")
    while not running.children():
        time.sleep(0.01)
    running.process.send_signal(signal.SIGINT)
    assert running.end() == 0, running.log
    assert "Learning was skipped" in running.log
    assert "Spider closed (shutdown)" in running.log
    assert "forcing unclean shutdown" not in running.log


@pytest.mark.parametrize("times", [1, 2])
def test_an_interruption_lets_the_last_articles_come(times: int, project: Any, site: WebServer) -> None:
    """Ctrl-C while late articles come loses none, nor what feeds have not written; again, it ends all."""
    prepare(project, site)
    project.write("pipelines.py", SLOW_PIPELINE)
    project.add_settings('ITEM_PIPELINES = {"press.pipelines.Slow": 1}\nLOG_LEVEL = "DEBUG"')
    running = Running(project, "-s", "WEBSTEMMER_ARTICLES_TO_PIPELINES=1", "-O", "all.jsonl", learns=True)
    running.until("Sites learned")
    running.process.send_signal(signal.SIGINT)
    running.until("Ctrl-C once more ends the crawl without them")
    if times == 2:
        time.sleep(child._SAME)
        running.process.send_signal(signal.SIGINT)
    running.end()
    assert ("Received SIGINT" in running.log) == (times == 2), running.log
    if times == 1:
        assert "Spider closed (finished)" in running.log
        assert {row["url"] for row in rows(project.folder / "all.jsonl")} == stories_of(site).keys()


@needs_proc
def test_a_killed_crawl_takes_the_learning_process_with_it(project: Any, site: WebServer) -> None:
    """After kill -9 during learning nothing goes on, and the next crawl gives every article once."""
    prepare(project, site)
    feed = ("-s", 'WEBSTEMMER_ARTICLES={"articles.jsonl": {}}', "-s", "WEBSTEMMER_URLDB=urls.sqlite")
    running = Running(project, *feed)
    running.until("Learning from news.sqlite")
    while not running.children():
        time.sleep(0.01)
    running.process.send_signal(signal.SIGKILL)
    assert running.end() == -signal.SIGKILL
    project.scrapy("crawl", "news", *feed)
    urls = [row["url"] for row in rows(project.folder / "articles.jsonl")]
    assert sorted(urls) == sorted(stories_of(site))


@needs_proc
def test_a_job_remembers_the_pages_whose_articles_are_to_come(project: Any, site: WebServer) -> None:
    """If a job is paused and its learning skipped, the articles come when it is resumed."""
    prepare(project, site)
    job = ("-s", "JOBDIR=job")
    running = Running(project, *job, "-s", "CLOSESPIDER_PAGECOUNT=8", "-s", "CONCURRENT_REQUESTS=1")
    running.until("Learning from news.sqlite")
    while not running.children():
        time.sleep(0.01)
    running.process.send_signal(signal.SIGINT)
    assert running.end() == 0, running.log
    assert (project.folder / "job" / "webstemmer-late-pages.jsonl").exists()
    project.scrapy("crawl", "news", *job)
    urls = [row["url"] for row in rows(project.folder / "articles.jsonl")]
    assert sorted(urls) == sorted(stories_of(site))
    assert not (project.folder / "job" / "webstemmer-late-pages.jsonl").exists()


def test_a_paused_job_learns(project: Any, site: WebServer) -> None:
    """A pause and a resumption give each article once, and learn twice."""
    prepare(project, site)
    job = ("-s", "JOBDIR=job")
    project.scrapy("crawl", "news", *job, "-s", "CLOSESPIDER_PAGECOUNT=8", "-s", "CONCURRENT_REQUESTS=1")
    assert 0 < len(rows(project.folder / "articles.jsonl")) < STORIES
    project.scrapy("crawl", "news", *job)
    urls = [row["url"] for row in rows(project.folder / "articles.jsonl")]
    assert sorted(urls) == sorted(stories_of(site))


def test_a_first_ctrl_c_ends_the_crawl_and_learns(project: Any, site: WebServer) -> None:
    """Ctrl-C while pages are fetched ends the crawl as always; what it has is learned."""
    prepare(project, site)
    log = project.folder / "log.txt"
    slow = ("-s", "DOWNLOAD_DELAY=0.1", "-s", "CONCURRENT_REQUESTS=1", "-s", f"LOG_FILE={log}")
    process = subprocess.Popen(
        project.command("crawl", "news", *slow),
        cwd=project.folder,
        env=project.environment(),
    )
    while not log.exists() or log.read_text().count("Stored ") < 8:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert "Spider closed (shutdown)" in log.read_text()
    urls = {row["url"] for row in rows(project.folder / "articles.jsonl")}
    assert urls
    assert urls < stories_of(site).keys()


SCRIPT = """
import sys
import scrapy
from scrapy.crawler import {process}


class News(scrapy.Spider):
    name = "news"

    async def start(self):
        yield scrapy.Request(sys.argv[1])

    def parse(self, response):
        for link in scrapy.linkextractors.LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url)


process = {process}({{
    "ADDONS": {{"scrapy_webstemmer.Addon": 500}},
    "WEBSTEMMER_LEARNING_SET": "news.sqlite", "WEBSTEMMER_LEARN": True, "LOG_LEVEL": "INFO",
    "WEBSTEMMER_ARTICLES": "articles.jsonl", {more}
}})
process.crawl(News)
process.start()
"""


@pytest.mark.parametrize(
    ("process", "more"),
    [
        ("CrawlerProcess", ""),
        ("CrawlerProcess", '"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"'),
        ("AsyncCrawlerProcess", '"TWISTED_REACTOR_ENABLED": False'),
    ],
    ids=["reactor of asyncio", "select reactor", "no reactor"],
)
def test_scripts(process: str, more: str, tmp_path: Path, site: WebServer) -> None:
    """Scripts need no guard around their code, with any reactor or none."""
    if process not in vars(scrapy.crawler):
        pytest.skip("Scrapy before 2.14 does not have it")
    if "ENABLED" in more:
        if scrapy.version_info < (2, 15):
            pytest.skip("Scrapy before 2.15 does not run without a reactor")
        pytest.importorskip("aiohttp", reason="Scrapy downloads with aiohttp where there is no reactor")
    (tmp_path / "script.py").write_text(SCRIPT.format(process=process, more=more), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py", site.url("/archive/1.html")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {row["url"] for row in rows(tmp_path / "articles.jsonl")} == stories_of(site).keys(), done.stderr


def test_failing_process(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the process fails, an error says why, the crawl ends in order, and no page is lost."""
    monkeypatch.setattr(child, "_PROCESS_CODE", "import sys; sys.exit('out of paper')")
    feed = tmp_path / "articles.jsonl"
    settings = learn_in(tmp_path, WEBSTEMMER_ARTICLES=str(feed))
    done = crawl(Follows, settings, **start(site))
    assert "Cannot learn: out of paper" in caplog.text
    assert done.stats["webstemmer/errors/learn"] == 1
    assert done.stats["webstemmer/waiting"] == STORIES + LISTS
    assert done.stats["finish_reason"] == "finished"
    monkeypatch.undo()
    assert given(crawl(Follows, settings, **start(site))) == stories_of(site)


class Keyed(Follows):
    """Yields an item for each page; its requests have keys of their own, of an odd kind."""

    def parse(self, response: Any) -> Any:
        yield {"seen": response.url}
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url, meta={"webstemmer_urldb_key": link.url.encode()})


@pytest.mark.parametrize("full", [False, True], ids=["odd keys", "a full disk"])
def test_pages_that_cannot_be_noted(
    full: bool, tmp_path: Path, crawl: RunSpider, site: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The callback's own items and requests come all the same, and so do the articles."""
    settings = learn_in(tmp_path, JOBDIR=str(tmp_path / "job"))
    if full:
        folder = tmp_path / "a folder, to which nothing can be written"
        folder.mkdir()
        monkeypatch.setattr(LatePages, "of", lambda crawler: LatePages())
        monkeypatch.setattr(LatePages, "path", property(lambda self: folder, lambda self, path: None), False)
    done = crawl(Keyed, settings, **start(site))
    assert len(done.of(dict)) == STORIES + LISTS
    assert given(done) == stories_of(site)
    assert ("webstemmer/errors/late" in done.stats) == full


def test_an_error_of_ours_costs_no_items(
    tmp_path: Path, crawl: RunSpider, site: WebServer, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """It is logged and counted for its page."""

    async def fail(self: Any, page: Any) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr(PagePipeline, "take", fail)
    done = crawl(Keyed, learn_in(tmp_path), **start(site))
    assert len(done.of(dict)) == done.stats["webstemmer/errors/extract"] == STORIES + LISTS
    assert "no such luck" in caplog.text


@pytest.mark.parametrize("job", [True, False], ids=["in a job", "in a crawl"])
def test_pages_that_wait_are_not_dropped(
    job: bool, tmp_path: Path, crawl: RunSpider, site: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After learning has failed, they stay beyond the number that the learning set keeps."""
    settings = learn_in(tmp_path, WEBSTEMMER_LEARNING_SET_PAGES=6)
    if job:
        settings["JOBDIR"] = str(tmp_path / "job")
    with monkeypatch.context() as patch:
        patch.setattr(child, "_PROCESS_CODE", "import sys; sys.exit('out of paper')")
        crawl(Follows, settings, **start(site))
    with SqliteLearningSet(tmp_path / "news.sqlite", readonly=True) as pages:
        assert len(list(pages)) == STORIES + LISTS
    done = crawl(Follows, settings, **start(site))
    assert given(done) == stories_of(site)
    with SqliteLearningSet(tmp_path / "news.sqlite", readonly=True) as pages:
        assert len(list(pages)) == 6


@pytest.mark.parametrize("what", ["no folder", "no process", "no room"])
def test_a_process_that_cannot_be_started(
    what: str, tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says why, the failure is counted, and the crawl ends in order."""

    def fail(*args: Any, **kwargs: Any) -> Any:
        raise OSError(12, "Cannot allocate memory")

    place = {
        "no folder": (child.tempfile, "TemporaryDirectory"),
        "no process": (child.subprocess, "Popen"),
        "no room": (child.Folder, "write_task"),
    }
    monkeypatch.setattr(*place[what], fail)
    done = crawl(Follows, learn_in(tmp_path), **start(site))
    assert done.stats["webstemmer/errors/learn"] == 1
    assert done.stats["webstemmer/waiting"] == STORIES + LISTS
    assert "Cannot allocate memory" in caplog.text
    assert "Traceback" not in caplog.text
    assert "pages wait until their sites are learned" in caplog.text


def test_pages_that_cannot_be_stored(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do not wait for learning, since nobody could read them again; the last line counts them."""
    add = SqliteLearningSet.add_page

    def full(self: Any, page: Page, anchors: Any = None) -> None:
        if "story" in page.url:
            raise LearningSetError("database or disk is full")
        add(self, page, anchors)

    monkeypatch.setattr(SqliteLearningSet, "add_page", full)
    monkeypatch.setattr(child, "_PROCESS_CODE", "import sys; sys.exit('out of paper')")
    done = crawl(Follows, learn_in(tmp_path), **start(site))
    assert done.stats["webstemmer/errors/store"] == STORIES
    assert done.stats["webstemmer/waiting"] == done.stats["webstemmer/pages_stored"] == LISTS
    assert (
        f"{LISTS} pages stored in {tmp_path / 'news.sqlite'}, {STORIES} more could not be stored"
        in caplog.text
    )


def test_a_process_that_has_no_room_to_say_why_it_ends(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the folder for temporary files is full, this is the reason that is given."""
    monkeypatch.setattr(child, "_PROCESS_CODE", "import sys; sys.exit(1)")
    crawl(Follows, learn_in(tmp_path), **start(site))
    assert "Cannot learn: it ended with status 1" in caplog.text
    monkeypatch.setattr(child.shutil, "disk_usage", lambda path: SimpleNamespace(free=4096))
    monkeypatch.setattr(child, "_PROCESS_CODE", "import sys; sys.exit('No space left on device')")
    crawl(Follows, learn_in(tmp_path), **start(site))
    assert "Cannot learn: there is no room left in " in caplog.text


def test_a_fault_on_a_page_costs_that_page(project: Any, site: WebServer) -> None:
    """The other late articles come; the error names the page and is counted."""
    prepare(project, site)
    broken = project.folder / "broken"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(FAULT, encoding="utf-8")
    log = project.scrapy("crawl", "news", env=before_others(project, broken))
    urls = {row["url"] for row in rows(project.folder / "articles.jsonl")}
    lost = site.url("/story/7.html")
    assert urls == stories_of(site).keys() - {lost}, log
    assert f"Cannot extract {lost}: RuntimeError: on purpose" in log
    assert "'webstemmer/errors/extract': 1" in log


#: A fault of the learning process on one page. Python reads it at its start.
FAULT = """
import sys
if "scrapy_webstemmer.training" in "".join(sys.orig_argv):
    import scrapy_webstemmer.training as update
    inner = update.extract_in_parts
    def faulty(page, *args, **kwargs):
        if page.url.endswith("/story/7.html"):
            raise RuntimeError("on purpose")
        return inner(page, *args, **kwargs)
    update.extract_in_parts = faulty
"""


def test_the_folder_of_the_crawl_is_not_searched_for_modules(project: Any, site: WebServer) -> None:
    """A module beside the crawl that has the name of one of Python's is not run by the learning process."""
    prepare(project, site)
    (project.folder / "press" / "queue.py").write_text("", encoding="utf-8")
    place = project.folder / "elsewhere"
    place.mkdir()
    for name in ("queue", "pickle", "lxml"):
        (place / f"{name}.py").write_text("open('ran.txt', 'w').close()\nraise SystemExit", encoding="utf-8")
    settings = {"SCRAPY_SETTINGS_MODULE": "press.settings"}
    subprocess.run(
        [str(Path(sys.executable).with_name("scrapy")), "crawl", "news"],
        cwd=place,
        env={**before_others(project, project.folder), **settings},
        check=True,
        capture_output=True,
    )
    assert not (place / "ran.txt").exists()
    assert {row["url"] for row in rows(place / "articles.jsonl")} == stories_of(site).keys()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_handlers_of_several_crawls(order: tuple[int, ...]) -> None:
    """Whichever of them ends first, the handlers are those from before when the last one has ended."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    contexts = [child._interruptions() for _ in order]
    caught = [one.__enter__() for one in contexts]
    for number in order[:2]:
        contexts[number].__exit__(None, None, None)
    assert signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]
    signal.raise_signal(signal.SIGTERM)
    assert [bool(one) for one in caught] == [number == order[2] for number in range(3)]
    contexts[order[2]].__exit__(None, None, None)
    assert {number: signal.getsignal(number) for number in before} == before


def test_a_signal_that_is_sent_twice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes at once again is the same interruption; a later one is for the crawl."""
    passed: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: passed.append(number))
    try:
        with child._interruptions() as caught:
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
            assert (len(caught), passed) == (1, [])
            monkeypatch.setattr(child, "_SAME", 0)
            signal.raise_signal(signal.SIGTERM)
            assert passed == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_charset_that_a_page_cannot_have(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A page in UTF-8 that claims to be in UTF-16 is read as browsers do, with learning and with patterns."""
    for path, answer in site.pages.items():
        body = answer.body.replace(b'charset="utf-8"', b'charset="utf-16"').replace(
            b"<p>", "<p>Ärger ".encode()
        )
        site.pages[path] = Answer(body)
    for _ in range(2):
        done = crawl(Follows, learn_in(tmp_path), **start(site))
        assert given(done) == stories_of(site)
        assert all("Ärger" in one.text and "\ufffd" not in one.text for one in done.articles)


def test_unwritable_patterns(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A place where no pattern file can be is an error before the crawl begins."""
    (tmp_path / "taken").write_text("a file, not a folder")
    for place in ("taken/patterns.json", ""):
        with pytest.raises(OptionError, match="WEBSTEMMER_PATTERNS"):
            crawl(Follows, learn_in(tmp_path, WEBSTEMMER_PATTERNS=str(tmp_path / place)), **start(site))


@pytest.mark.parametrize("name", ["WEBSTEMMER_PATTERNS", "WEBSTEMMER_LEARNING_SET", "WEBSTEMMER_URLDB"])
def test_files_without_permission(
    name: str, tmp_path: Path, crawl: RunSpider, site: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cannot be written is an error before the crawl begins, not page by page or at its end."""
    locked = tmp_path / "locked"
    monkeypatch.setattr(os, "access", lambda place, *_, **__: Path(place).absolute() != locked)
    with pytest.raises(OptionError, match=rf"{name}=.*file.json.*no file can be made in its folder"):
        crawl(Follows, learn_in(tmp_path, **{name: str(locked / "file.json")}), **start(site))
    assert not site.asked


def test_the_event_loop_goes_on(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """While the other process learns, tasks of the crawl's event loop run."""
    turns = 0

    class Ticks(Follows):
        async def tick(self) -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0.01)
                turns += 1

        def closed(self, reason: str) -> None:
            self.ticking.cancel()

        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            spider.ticking = asyncio.ensure_future(spider.tick())
            return spider

    before = crawl(Follows, learn_in(tmp_path), **start(site))
    assert before.stats["webstemmer/learned/sites"] == 1
    (tmp_path / "news.patterns.json").unlink()
    crawl(Ticks, learn_in(tmp_path), **start(site))
    assert turns > 10


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"WEBSTEMMER_LEARNING_SET": None}, "needs WEBSTEMMER_LEARNING_SET"),
        ({"WEBSTEMMER_LEARNING_SET": "news.zip"}, "is a zip"),
        ({"WEBSTEMMER_PATTERNS": "one.json,two.json"}, "needs one file"),
        ({"WEBSTEMMER_PATTERNS": "press:patterns.json"}, "cannot write press:patterns.json"),
        ({"WEBSTEMMER_PATTERNS": "patterns.pat"}, "cannot write patterns.pat"),
        ({"WEBSTEMMER_LEARN_OPTIONS": {"layout": "sequence"}}, "layout must be 'paths'"),
        ({"WEBSTEMMER_LEARN_OPTIONS": {"max_page": 3}}, "there is no option 'max_page'"),
    ],
)
def test_settings_with_which_a_crawl_cannot_learn(
    changes: dict[str, Any], reason: str, tmp_path: Path, crawl: RunSpider, site: WebServer
) -> None:
    """The error says which setting is wrong, and the crawl does not begin."""
    with pytest.raises(OptionError, match=reason):
        crawl(Follows, learn_in(tmp_path) | changes, **start(site))


def test_learning_needs_the_addon(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A project that names our components itself is told what is missing."""
    settings = learn_in(tmp_path) | {
        "ADDONS": {},
        "SPIDER_MIDDLEWARES": {"scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": 60},
        "ITEM_PIPELINES": {"scrapy_webstemmer.crawl.page_pipeline.PagePipeline": -20},
    }
    with pytest.raises(OptionError, match="needs the add-on"):
        crawl(Follows, settings, **start(site))


@pytest.mark.parametrize("stated", [True, False])
def test_copies_of_a_page_under_other_urls(
    tmp_path: Path, crawl: RunSpider, site: WebServer, stated: bool
) -> None:
    """Pages that the site also has with a query teach the same, and each article comes out once."""
    host, texts = host_of(site), {}
    for number in range(1, STORIES + 1):
        path = f"/story/{number}.html"
        body, url = article(host, number, "press").body, site.url(path)
        if stated:
            body = body.replace(b"</head>", f'<link rel="canonical" href="{url}"></head>'.encode())
        links = "".join(f'<a href="{path}?share={name}">Share</a>' for name in ("one", "two"))
        body = body.replace(b"</body>", f"<div>{links}</div></body>".encode())
        texts[url] = story(host, number).text
        for ending in ("", "?share=one", "?share=two"):
            site.pages[path + ending] = Answer(body)
    settings = learn_in(tmp_path, WEBSTEMMER_URLDB=str(tmp_path / "urls.sqlite"))
    first = crawl(Follows, settings, **start(site))
    assert {url.partition("?")[0]: text for url, text in ((a.url, a.text) for a in first.articles)} == texts
    assert len(first.articles) == STORIES
    if stated:
        assert {item.url for item in first.articles} == set(texts)
    assert first.stats["webstemmer/copies"] == 2 * STORIES
    assert first.stats["webstemmer/learned/pages"] == STORIES + LISTS
    again = crawl(Follows, settings, **start(site))
    assert again.articles == []
    assert "webstemmer/learned/pages" not in again.stats or again.stats["webstemmer/learned/pages"] == 0
    everything = crawl(
        Follows, learn_in(tmp_path, WEBSTEMMER_EXTRACT_OPTIONS={"copies": True}), **start(site)
    )
    assert len(everything.articles) == 3 * STORIES
