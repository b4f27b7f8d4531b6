"""Delta crawls: a crawl does not fetch again what an earlier one stored, and fetches all else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import scrapy
from loopback import QuietHandler, listening
from scrapy.exceptions import DropItem
from scrapy.linkextractors import LinkExtractor

from scrapy_webstemmer.storage.sqlite import SqliteLearningSet
from scrapy_webstemmer.storage.urldb import UrlDb, url_digest

ADDON = {"ADDONS": {"scrapy_webstemmer.Addon": 500}, "RETRY_ENABLED": False}
RunSpider = Callable[..., Any]


@dataclass
class SmallSite:
    """An index of two lists of two stories each, served on loopback; requested paths are recorded."""

    pages: dict[str, str] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    url: str = ""

    def link(self, path: str, *targets: str) -> None:
        """Make a page that links to others."""
        links = "".join(f'<a href="{target}">{target}</a> ' for target in targets)
        self.pages[path] = f"<html><body><h1>{path}</h1><p>All about it.</p>{links}</body></html>"

    def forget(self) -> list[str]:
        """Return the paths that were requested since the last call, sorted."""
        asked, self.asked[:] = sorted(self.asked), []
        return asked


@pytest.fixture
def site() -> Iterator[SmallSite]:
    """Serve a small site, a new one for each test."""
    small = SmallSite()
    small.link("/", "/list/1", "/list/2")
    small.link("/list/1", "/", "/story/1", "/story/2")
    small.link("/list/2", "/", "/story/3", "/story/4")
    for number in range(1, 5):
        small.link(f"/story/{number}", "/", "/list/1", f"/story/{number % 4 + 1}")

    class Handler(QuietHandler):
        def answer(self) -> None:
            small.asked.append(self.path)
            body = small.pages.get(self.path, "").encode()
            status = 500 if self.path in small.broken else 200
            self.send_response(301 if self.path in small.moved else status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            if self.path in small.moved:
                self.send_header("Location", small.moved[self.path])
            self.end_headers()
            self.wfile.write(body)

    with listening(Handler) as port:
        small.url = f"http://127.0.0.1:{port}"
        yield small


class Stories(scrapy.Spider):
    """A project's spider: stories give its items, and the other pages link to them."""

    name = "stories"

    def parse(self, response: Any) -> Iterator[Any]:
        if "/story/" in response.url:
            yield {"story": response.url}
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url, meta=self.meta(link.url))

    def meta(self, url: str) -> dict[str, Any]:
        return {}


class AsyncStories(Stories):
    name = "async_stories"

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request(self.start_urls[0])

    async def parse(self, response: Any) -> AsyncIterator[Any]:  # type: ignore[override]
        for entry in super().parse(response):
            yield entry


class NoItems(scrapy.Spider):
    """A spider that follows links and nothing else."""

    name = "no_items"

    def parse(self, response: Any) -> Iterator[Any]:
        yield from response.follow_all(css="a")


INDEXES = ["/", "/list/1", "/list/2"]
STORIES = [f"/story/{number}" for number in range(1, 5)]


def counts(done: Any) -> dict[str, int]:
    """Return the stats of the URLDB; names come without the prefix.

    Stats that are 0 again are left out: a skipped page is fetched if a shorter way to it is found later.
    """
    return {
        key.rpartition("/")[2]: value
        for key, value in done.stats.items()
        if key.startswith("webstemmer/urldb/") and value
    }


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, Any]:
    """Return the settings of a crawl with a URLDB and nothing else of ours."""
    return {**ADDON, "WEBSTEMMER_URLDB": str(tmp_path / "data" / "%(spider)s.urldb")}


@pytest.mark.parametrize("spider", [Stories, AsyncStories], ids=lambda spider: spider.name)
def test_items_of_the_spiders_own(spider: Any, settings: Any, site: SmallSite, crawl: RunSpider) -> None:
    """For a spider with its own items, the second crawl fetches only indexes, the third also a new story."""
    first = crawl(spider, settings, start_urls=[site.url + "/"])
    assert set(site.forget()) == {*INDEXES, *STORIES}
    assert counts(first) == {"added": 4}
    assert len(first.scraped) == 4

    second = crawl(spider, settings, start_urls=[site.url + "/"])
    assert set(site.forget()) == set(INDEXES)
    assert counts(second) == {"skipped": 4}
    assert not second.scraped

    site.link("/list/2", "/story/5", "/story/4")
    site.link("/story/5", "/")
    third = crawl(spider, settings, start_urls=[site.url + "/"])
    assert set(site.forget()) == {*INDEXES, "/story/5"}
    assert [item["story"] for item in third.scraped] == [site.url + "/story/5"]
    assert counts(third) == {"skipped": 3, "added": 1}


def test_what_failed_is_tried_again(settings: Any, site: SmallSite, crawl: RunSpider) -> None:
    """A page that the server failed to give is fetched by the next crawl, and then no more."""
    site.broken.add("/story/2")
    crawl(Stories, settings, start_urls=[site.url + "/"])
    site.forget()
    site.broken.clear()
    done = crawl(Stories, settings, start_urls=[site.url + "/"])
    assert set(site.forget()) == {*INDEXES, "/story/2"}
    assert [item["story"] for item in done.scraped] == [site.url + "/story/2"]
    crawl(Stories, settings, start_urls=[site.url + "/"])
    assert set(site.forget()) == set(INDEXES)


class Dropper:
    """A project's pipeline that drops one of the stories."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        if item["story"].endswith("/story/3"):
            raise DropItem("not now")
        return item


def test_what_was_dropped_is_tried_again(settings: Any, site: SmallSite, crawl: RunSpider) -> None:
    """A story whose item a pipeline drops does not count as stored."""
    for expected in ({*INDEXES, *STORIES}, {*INDEXES, "/story/3"}):
        crawl(Stories, {**settings, "ITEM_PIPELINES": {Dropper: 1}}, start_urls=[site.url + "/"])
        assert set(site.forget()) == expected


def test_a_start_url_is_never_skipped(settings: Any, site: SmallSite, crawl: RunSpider) -> None:
    """A story that is a start url is fetched each time."""
    for _ in range(2):
        crawl(Stories, settings, start_urls=[site.url + "/story/1"])
        asked = site.forget()
        assert "/story/1" in asked
    assert set(asked) == {*INDEXES, "/story/1"}


def test_redirected_urls_are_seen(settings: Any, site: SmallSite, crawl: RunSpider) -> None:
    """A story is known under the url of the link, even if another url answered."""
    site.link("/list/2", "/old")
    site.link("/story/2")
    site.moved["/old"] = "/story/3"
    crawl(Stories, settings, start_urls=[site.url + "/"])
    assert "/old" in site.forget()
    crawl(Stories, settings, start_urls=[site.url + "/"])
    assert set(site.forget()) == set(INDEXES)


def test_a_start_url_that_leads_to_another_page_each_day(
    settings: Any, site: SmallSite, crawl: RunSpider, tmp_path: Path
) -> None:
    """The page of today is stored, though the url that leads to it is known; a known page is not again."""
    settings["WEBSTEMMER_LEARNING_SET"] = str(tmp_path / "pages.sqlite")
    for story, stored in (("/story/1", 1), ("/story/1", 0), ("/story/2", 1), ("/story/1", 0)):
        site.link(story)
        site.moved["/today"] = story
        done = crawl(NoItems, settings, start_urls=[site.url + "/today"])
        assert done.stats.get("webstemmer/pages_stored", 0) == stored


def test_opting_out(settings: Any, site: SmallSite, crawl: RunSpider) -> None:
    """Requests with webstemmer_urldb False are fetched each time and leave no trace."""

    class OptsOut(Stories):
        def meta(self, url: str) -> dict[str, Any]:
            return {"webstemmer_urldb": not url.endswith("/story/4")}

    for expected in ({*INDEXES, *STORIES}, {*INDEXES, "/story/4"}):
        crawl(OptsOut, settings, start_urls=[site.url + "/"])
        assert set(site.forget()) == expected


def test_own_keys(settings: Any, site: SmallSite, crawl: RunSpider) -> None:
    """If a story's url changes from crawl to crawl, its key shows that it is known."""

    class Keys(Stories):
        def meta(self, url: str) -> dict[str, Any]:
            return (
                {"webstemmer_urldb_key": url.rpartition("/")[2].partition("?")[0]} if "story" in url else {}
            )

    crawl(Keys, settings, start_urls=[site.url + "/"])
    site.forget()
    site.link("/list/1", "/story/1?session=2", "/story/5?session=2")
    site.link("/list/2")
    site.link("/story/5?session=2")
    done = crawl(Keys, settings, start_urls=[site.url + "/"])
    assert site.forget() == [*INDEXES, "/story/5?session=2"]
    assert counts(done) == {"skipped": 1, "added": 1}


def test_whole_meta_passed_on(settings: Any, site: SmallSite, crawl: RunSpider, tmp_path: Path) -> None:
    """A page's mark does not pass to the pages that it links to, even if the spider passes on all meta."""

    class PassesOn(NoItems):
        def parse(self, response: Any) -> Iterator[Any]:
            meta = {key: value for key, value in response.meta.items() if key.startswith("webstemmer")}
            yield from response.follow_all(css="a", meta=meta)

    settings["WEBSTEMMER_LEARNING_SET"] = str(tmp_path / "pages.sqlite")
    crawl(PassesOn, settings, start_urls=[site.url + "/"])
    site.link("/list/2", "/story/5")
    site.link("/story/5")
    done = crawl(PassesOn, settings, start_urls=[site.url + "/"])
    assert done.stats["webstemmer/pages_stored"] == 1
    assert counts(done)["added"] == 1


@pytest.mark.parametrize(
    ("limit", "patterns", "expected"),
    [
        (0, False, {*INDEXES, *STORIES}),
        (2, False, set(INDEXES)),
        (1, False, {"/"}),
        (3, False, {*INDEXES, *STORIES}),
        (2, True, {*INDEXES, *STORIES}),
    ],
)
def test_pages_are_fetched_again_for_their_links(
    limit: int,
    patterns: bool,
    expected: set[str],
    tmp_path: Path,
    settings: Any,
    site: SmallSite,
    crawl: RunSpider,
) -> None:
    """No page is stored twice, and none is fetched that can give neither links nor an article."""
    from scrapy_webstemmer import PatternSet

    settings["WEBSTEMMER_LEARNING_SET"] = str(tmp_path / "pages.sqlite")
    settings["DEPTH_LIMIT"] = limit
    if patterns:
        PatternSet({}).save(tmp_path / "none.json")
        settings["WEBSTEMMER_PATTERNS"] = str(tmp_path / "none.json")
    first = crawl(NoItems, settings, start_urls=[site.url + "/"])
    known = set(site.forget())
    assert counts(first) == {"added": len(known)}
    site.link("/list/1", "/", "/story/1", "/story/2", "/story/6")
    site.link("/story/6")
    second = crawl(NoItems, settings, start_urls=[site.url + "/"])
    new = {"/story/6"} if limit != 1 else set()
    assert set(site.forget()) == expected | new
    found = {"again": len(expected), "skipped": len(known - expected), "added": len(new)}
    assert counts(second) == {key: value for key, value in found.items() if value}
    assert second.stats.get("webstemmer/pages_stored", 0) == len(new)
    with SqliteLearningSet(tmp_path / "pages.sqlite") as pages:
        assert pages.count() == len(known | new)


def test_a_page_that_could_not_be_stored_is_tried_again(
    tmp_path: Path, settings: Any, site: SmallSite, crawl: RunSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that fails on its way into the learning set is not marked."""
    from scrapy_webstemmer.errors import LearningSetError

    settings |= {"WEBSTEMMER_LEARNING_SET": str(tmp_path / "pages.sqlite"), "DEPTH_LIMIT": 2}
    store = SqliteLearningSet.add_page

    def fail(self: Any, page: Any, anchors: Any = None) -> None:
        if page.url.endswith("/story/1"):
            raise LearningSetError(self.path, "database or disk is full")
        store(self, page, anchors)

    with monkeypatch.context() as patch:
        patch.setattr(SqliteLearningSet, "add_page", fail)
        crawl(NoItems, settings, start_urls=[site.url + "/"])
    site.forget()
    crawl(NoItems, settings, start_urls=[site.url + "/"])
    assert set(site.forget()) == {*INDEXES, "/story/1"}


def test_both_components_by_class_path(tmp_path: Path, site: SmallSite, crawl: RunSpider) -> None:
    """The middleware works without the add-on."""
    settings = {
        "SPIDER_MIDDLEWARES": {"scrapy_webstemmer.crawl.urldb_middleware.UrlDbMiddleware": 70},
        "WEBSTEMMER_URLDB": str(tmp_path / "seen.urldb"),
    }
    for expected in ({*INDEXES, *STORIES}, set(INDEXES)):
        crawl(Stories, settings, start_urls=[site.url + "/"])
        assert set(site.forget()) == expected


def test_failing_urldb_does_not_stop_the_crawl(
    settings: Any, site: SmallSite, crawl: RunSpider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another program locks the file, the crawl goes on, and nothing is recorded."""
    monkeypatch.setattr("scrapy_webstemmer.storage.urldb.PATIENCE", 0.01)
    crawl(Stories, settings, start_urls=[site.url + "/"])
    site.forget()
    path = tmp_path / "data" / "stories.urldb"
    site.link("/list/1", "/story/7")
    site.link("/story/7")
    with UrlDb(path) as other:
        other.connection.execute("BEGIN IMMEDIATE")
        done = crawl(Stories, settings, start_urls=[site.url + "/"])
        other.connection.execute("ROLLBACK")
    assert set(site.forget()) == {*INDEXES, "/story/7"}
    assert done.stats["webstemmer/errors/urldb"] > 0
    assert {item["story"] for item in done.scraped} == {site.url + "/story/7"}
    with UrlDb(path) as urldb:
        assert urldb.find(url_digest(site.url + "/story/7")) is None


SPIDER = """
import scrapy


class StoriesSpider(scrapy.Spider):
    name = "stories"
    start_urls = ["{url}/"]

    def parse(self, response):
        if "/story/" in response.url:
            yield {{"story": response.url}}
        yield from response.follow_all(css="a")
"""


@pytest.fixture
def stories_project(project: Any, site: SmallSite) -> Any:
    """Return a fresh project with a spider of its own and the add-on."""
    project.write("spiders/stories.py", SPIDER.format(url=site.url))
    project.add_settings('ADDONS = {"scrapy_webstemmer.Addon": 500}')
    return project


def test_in_a_fresh_project(stories_project: Any, site: SmallSite) -> None:
    """Two lines of settings make the second crawl a delta crawl; the file can be shown and pruned."""
    stories_project.add_settings('WEBSTEMMER_URLDB = "data/%(spider)s.urldb"')
    stories_project.scrapy("crawl", "stories")
    assert set(site.forget()) == {*INDEXES, *STORIES, "/robots.txt"}
    log = stories_project.scrapy("crawl", "stories")
    assert set(site.forget()) == {*INDEXES, "/robots.txt"}
    assert "'webstemmer/urldb/skipped': 4" in log
    assert log.count("DEBUG: Skipped, article stored in an earlier crawl: <GET ") == 4
    assert "4 were skipped, 0 fetched again" in log
    shown = stories_project.scrapy("urldb", "show", "data/stories.urldb")
    assert "4 urls: 4 articles, 0 pages" in shown
    assert "0 urls removed, 4 left" in stories_project.scrapy(
        "urldb", "prune", "--days", "1", "data/stories.urldb"
    )


def test_a_crawl_that_is_resumed(stories_project: Any, site: SmallSite) -> None:
    """A stopped and resumed crawl fetches everything once, and the next one only indexes."""
    stories_project.add_settings('WEBSTEMMER_URLDB = "seen.urldb"\nROBOTSTXT_OBEY = False')
    job = ["-s", "JOBDIR=job", "-s", "CONCURRENT_REQUESTS=1", "-s", "DOWNLOAD_DELAY=0.1"]
    log = stories_project.scrapy("crawl", "stories", *job, "-s", "CLOSESPIDER_ITEMCOUNT=1")
    assert "'finish_reason': 'closespider_itemcount'" in log
    before = site.forget()
    stories_project.scrapy("crawl", "stories", *job)
    after = site.forget()
    assert set(before) < set(before) | set(after) == {*INDEXES, *STORIES}
    assert set(before) & set(after) <= {"/"}  # some versions of Scrapy begin again with the start urls
    stories_project.scrapy("crawl", "stories")
    assert set(site.forget()) == set(INDEXES)


@pytest.mark.parametrize(
    "enabled",
    [
        "",
        "ADDONS = {}\nSPIDER_MIDDLEWARES = {'scrapy_webstemmer.crawl.urldb_middleware.UrlDbMiddleware': 70}",
    ],
)
@pytest.mark.parametrize("value", ["scrapy.cfg", "/dev/null/seen.urldb", "%(spyder)s.urldb"])
def test_bad_value_is_said_at_start(stories_project: Any, site: SmallSite, enabled: str, value: str) -> None:
    """The crawl does not begin, and the last line of the log names the setting and the value."""
    stories_project.add_settings(enabled)
    log = stories_project.scrapy("crawl", "stories", "-s", f"WEBSTEMMER_URLDB={value}", status=1)
    assert "The crawl does not begin: WEBSTEMMER_URLDB=" in log
    assert value in log.rpartition("OptionError:")[2]
    assert not site.forget()
