"""The pipeline: what it takes, what it refuses at the start, and what it counts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from news_pages import articles
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.spiders import Spider
from scrapy.statscollectors import MemoryStatsCollector
from sqlite_files import DAMAGES

from scrapy_webstemmer import (
    ArticleItem,
    ExtractOptions,
    OptionError,
    Page,
    PageError,
    PatternSet,
    extract,
    learn,
)
from scrapy_webstemmer.crawl.article_finder import ArticleFinder
from scrapy_webstemmer.crawl.event_loop import call_later
from scrapy_webstemmer.crawl.outcome import say_what_was_done
from scrapy_webstemmer.crawl.page_pipeline import PagePipeline
from scrapy_webstemmer.crawl.page_store import PageStore, open_learning_set
from scrapy_webstemmer.crawl.reports import count
from scrapy_webstemmer.crawl.settings import WebstemmerSettings
from scrapy_webstemmer.errors import plural
from scrapy_webstemmer.items import CrawledPage, page_stored
from scrapy_webstemmer.page.anchors import Anchor
from scrapy_webstemmer.storage import open_pages
from scrapy_webstemmer.storage.sqlite import SqliteLearningSet
from scrapy_webstemmer.storage.zip_crawl import ZipCrawl

ITEM = CrawledPage(
    Page("https://example.com/a", b"<p>a</p>", "utf-8"), (Anchor("https://example.com/b", "B"),)
)


class FakeCrawler:
    """A crawler with only the parts that the pipelines use."""

    spidercls = Spider
    crawling = True

    def __init__(self, **values: Any) -> None:
        self.settings = Settings(values)
        self.spider = Spider(name="news")
        self.stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))
        self.signals = SignalManager(self)
        self.get_extension = lambda _: None


@pytest.fixture
def learning_set(tmp_path: Path) -> Iterator[PageStore]:
    """Return the store of a new learning set, in folders that do not exist yet."""
    store = store_of(tmp_path / "a" / "b" / "%(spider)s.sqlite")
    yield store
    store.close()


@pytest.fixture(autouse=True)
def _without_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store each page at once; another test's reactor may still run in this process."""
    monkeypatch.setattr("scrapy_webstemmer.crawl.page_store.call_later", lambda *_: False)


def test_page_is_stored(tmp_path: Path) -> None:
    """A page ends in the file named after the spider, and nothing goes on."""
    crawler: Any = FakeCrawler(WEBSTEMMER_LEARNING_SET=str(tmp_path / "a" / "b" / "%(spider)s.sqlite"))
    pipeline = PagePipeline.from_crawler(crawler)
    assert asyncio.run(pipeline.take(ITEM)) is None
    pipeline.close_spider()
    with SqliteLearningSet(tmp_path / "a" / "b" / "news.sqlite") as stored:
        assert [page.url for page in stored] == ["https://example.com/a"]
        assert dict(stored.linkinfo().items())["https://example.com/b"] == {"B": 1}


def test_stored_is_said_after_it_is_true(
    learning_set: PageStore, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a page is being stored, it is neither logged nor counted."""
    caplog.set_level(logging.DEBUG)
    add_page = SqliteLearningSet.add_page

    def watched(self: Any, *args: Any) -> None:
        add_page(self, *args)
        assert not caplog.records
        assert not learning_set.crawler.stats.get_stats()

    monkeypatch.setattr(SqliteLearningSet, "add_page", watched)
    learning_set.add(ITEM)
    assert [record.getMessage().split(" in ")[0] for record in caplog.records] == [
        "Stored https://example.com/a"
    ]
    assert learning_set.crawler.stats.get_stats() == {"webstemmer/pages_stored": 1, "webstemmer/anchors": 1}


def store_of(path: Path, **values: Any) -> PageStore:
    """Return the store of a crawl into a file."""
    crawler: Any = FakeCrawler(WEBSTEMMER_LEARNING_SET=str(path), **values)
    store = PageStore.from_settings(crawler, WebstemmerSettings.from_settings(crawler.settings))
    assert store is not None
    return store


def read(path: Path, linkinfo_name: str = "linkinfo") -> tuple[list[Page], dict[str, Any] | None]:
    """Return the pages of a learning set and its linkinfo."""
    with open_pages(path, linkinfo_name=linkinfo_name) as pages:
        linkinfo = pages.linkinfo()
        return list(pages), None if linkinfo is None else dict(linkinfo.items())


def test_the_name_chooses_the_format(tmp_path: Path) -> None:
    """A name that ends in .zip gives a zip, any other SQLite."""
    for name, kind in (("a.zip", ZipCrawl), ("b.ZIP", ZipCrawl), ("zip", SqliteLearningSet)):
        learning_set = open_learning_set(tmp_path / name, "202611210900")
        assert isinstance(learning_set, kind)
        learning_set.close()


@pytest.mark.parametrize("timestamp", [None, "morning"])
def test_one_time_in_the_name_and_in_the_zip(timestamp: str | None, tmp_path: Path) -> None:
    """File and members have the same timestamp in their names: the time, or the setting's value."""
    values = {"WEBSTEMMER_TIMESTAMP": timestamp} if timestamp else {}
    store = store_of(tmp_path / "%(spider)s.%(timestamp)s.zip", **values)
    store.add(ITEM)
    store.close()
    (path,) = tmp_path.iterdir()
    stamp = re.fullmatch(r"news\.(.+)\.zip", path.name)
    assert stamp
    assert re.fullmatch(timestamp or r"\d{12}", stamp[1])
    (page,), linkinfo = read(path)
    assert page.name == f"{stamp[1]}/example.com/a"
    assert page.url == "http://example.com/a"
    assert linkinfo == {"http://example.com/b": {"B": 1}}


def test_a_zip_calls_its_linkinfo_as_the_setting_says(tmp_path: Path) -> None:
    """WEBSTEMMER_LINKINFO names the member."""
    store = store_of(tmp_path / "a.zip", WEBSTEMMER_LINKINFO="links")
    store.add(ITEM)
    store.close()
    assert read(tmp_path / "a.zip")[1] is None
    assert read(tmp_path / "a.zip", "links")[1] == {"http://example.com/b": {"B": 1}}


@pytest.mark.parametrize("name", ["a.zip", "a.sqlite"])
def test_linkinfo_switched_off(name: str, tmp_path: Path) -> None:
    """Without linkinfo, pages are stored without anchors; those of an earlier crawl stay."""
    for linkinfo, expected in ((False, None), ("linkinfo", {"B": 1}), ("", {"B": 1})):
        path = tmp_path / (name if expected else f"new {name}")
        store = store_of(path, WEBSTEMMER_LINKINFO=linkinfo)
        store.add(replace(ITEM, anchors=ITEM.anchors if linkinfo else ()))
        store.add(replace(ITEM, anchors=ITEM.anchors if linkinfo else (), seen="page"))
        store.close()
        pages, recorded = read(path)
        assert len({page.url for page in pages}) == 1
        assert (list(recorded.values()) if recorded else None) == ([expected] if expected else None)


@pytest.mark.parametrize("name", ["a.zip", "a.sqlite"])
def test_pages_seen_before_give_their_anchors_only(name: str, tmp_path: Path, caplog: Any) -> None:
    """A page of an earlier crawl is neither stored nor announced again, but gets its present anchors."""
    caplog.set_level(logging.DEBUG)
    store = store_of(tmp_path / name)
    announced: list[Page] = []

    def stored(page: Page) -> None:
        announced.append(page)

    store.crawler.signals.connect(stored, page_stored)
    store.add(ITEM)
    now = (Anchor("https://example.com/c", "C"), Anchor("https://example.com/b", "now"))
    store.add(CrawledPage(Page(ITEM.page.url, b"other"), now, seen="page"))
    store.add(CrawledPage(Page("https://example.com/elsewhere", b"other"), now[:1], seen="article"))
    store.close()
    assert announced == [ITEM.page]
    assert caplog.text.count("Stored ") == 1
    stats = {"webstemmer/pages_stored": 1, "webstemmer/pages_seen": 2, "webstemmer/anchors": 4}
    assert store.crawler.stats.get_stats() == stats
    pages, linkinfo = read(tmp_path / name)
    assert [page.body for page in pages] == [ITEM.page.body]
    assert {url[-1]: set(texts) for url, texts in (linkinfo or {}).items()} == {"b": {"now"}, "c": {"C"}}


def test_a_zip_that_cannot_be_written_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """A logged error says how to make the zip, and the pages are kept."""
    store = store_of(tmp_path / "a.zip")
    store.add(ITEM)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        store.close()
    assert "Cannot finish the learning set: " in caplog.text
    assert f"the pages are safe in {tmp_path / 'a.zip.sqlite'}" in caplog.text
    assert store.crawler.stats.get_value("webstemmer/errors/store") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip.sqlite"]
    assert len(read(tmp_path / "a.zip.sqlite")[0]) == 1


def full(handle: int) -> None:
    raise OSError(28, "No space left on device")


@pytest.fixture
def locked(learning_set: PageStore) -> Iterator[sqlite3.Connection]:
    """Lock the pipeline's learning set, as another program does; a rollback unlocks it."""
    db = sqlite3.connect(learning_set.learning_set.path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    yield db
    db.close()


def numbered(number: int, size: int = 1) -> CrawledPage:
    return CrawledPage(Page(f"https://example.com/{number}", b"x" * size))


def test_pages_wait_while_the_learning_set_is_locked(
    learning_set: PageStore, locked: sqlite3.Connection, caplog: Any
) -> None:
    """Waiting pages are not reported as stored, keep their order, and are stored with the next page."""
    announced: list[str] = []

    def stored(page: Page) -> None:
        announced.append(page.url[-1])

    learning_set.crawler.signals.connect(stored, page_stored)
    for number in range(3):
        learning_set.add(numbered(number))
    assert announced == []
    assert learning_set.crawler.stats.get_stats() == {"webstemmer/pages_waited": 3}
    assert caplog.text.count("is locked by another program") == 1
    locked.execute("ROLLBACK")
    learning_set.add(numbered(3))
    assert announced == ["0", "1", "2", "3"]
    assert learning_set.crawler.stats.get_value("webstemmer/pages_stored") == 4


def test_pages_are_stored_some_at_a_time(learning_set: PageStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an event loop runs, a page waits for others: until there are 16, or for a moment."""
    monkeypatch.setattr("scrapy_webstemmer.crawl.page_store.call_later", call_later)
    monkeypatch.setattr("scrapy_webstemmer.crawl.page_store.SOON", 0.02)

    def stored() -> object:
        return learning_set.crawler.stats.get_value("webstemmer/pages_stored")

    async def crawl() -> None:
        for number in range(17):
            learning_set.add(numbered(number))
            assert stored() == (None if number < 15 else 16)
        while stored() == 16:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(crawl(), 10))
    assert stored() == 17


def test_a_page_that_fails_does_not_cost_those_stored_with_it(
    learning_set: PageStore, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """If pages cannot be stored together, they are stored one by one, and the one at fault is named."""
    monkeypatch.setattr("scrapy_webstemmer.crawl.page_store.call_later", lambda *_: True)
    monkeypatch.setattr("scrapy_webstemmer.storage.sqlite.MAX_BODY", 50)
    for number in range(16):
        learning_set.add(numbered(number, 100 if number == 5 else 10))
    stats = learning_set.crawler.stats.get_stats()
    assert (stats["webstemmer/pages_stored"], stats["webstemmer/errors/store"]) == (15, 1)
    assert "Cannot store https://example.com/5: " in caplog.text


def test_waiting_pages_are_stored_at_the_end(learning_set: PageStore, locked: sqlite3.Connection) -> None:
    """At its end a crawl waits for the file once more."""
    learning_set.add(numbered(0))
    locked.execute("ROLLBACK")
    learning_set.close()
    assert learning_set.crawler.stats.get_value("webstemmer/pages_stored") == 1


def test_a_file_that_stays_locked(
    learning_set: PageStore,
    locked: sqlite3.Connection,
    monkeypatch: pytest.MonkeyPatch,
    caplog: Any,
) -> None:
    """At the end of the crawl each page that still waits is an error, after one more wait."""
    monkeypatch.setattr("scrapy_webstemmer.crawl.page_store.BUSY_TIMEOUT", 0.1)
    for number in range(5):
        learning_set.add(numbered(number))
    learning_set.close()
    assert learning_set.crawler.stats.get_value("webstemmer/errors/store") == 5
    assert caplog.text.count("Cannot store https://example.com/") == 5


@pytest.mark.parametrize(("limit", "value"), [("MAX_ITEMS", 4), ("MAX_BYTES", 400)])
def test_no_more_wait_than_there_is_room_for(
    limit: str, value: int, learning_set: PageStore, locked: Any, monkeypatch: Any, caplog: Any
) -> None:
    """Beyond the limit the oldest page is an error, named and counted, and the later ones wait."""
    monkeypatch.setattr(f"scrapy_webstemmer.crawl.page_store.{limit}", value)
    for number in range(6):
        learning_set.add(numbered(number, 100))
    assert learning_set.crawler.stats.get_value("webstemmer/errors/store") == 2
    assert "Cannot store https://example.com/1" in caplog.text
    locked.execute("ROLLBACK")
    learning_set.add(numbered(6))
    assert learning_set.crawler.stats.get_value("webstemmer/pages_stored") == 5


def dated(number: int) -> CrawledPage:
    item = numbered(number)
    return replace(item, page=replace(item.page, fetched=f"2026-11-21T09:00:{number:02}+00:00"))


def test_pages_that_are_too_many_are_dropped_at_the_end(tmp_path: Path, caplog: Any) -> None:
    """The newest pages of the site stay, after this crawl and a later one; a line says how many go."""
    caplog.set_level(logging.INFO)
    path = tmp_path / "set.sqlite"
    for begin, dropped in ((0, 2), (5, 5)):
        caplog.clear()
        store = store_of(path, WEBSTEMMER_LEARNING_SET_PAGES=3)
        for number in range(begin, begin + 5):
            store.add(dated(number))
        asyncio.run(store.prune())
        store.close()
        assert store.crawler.stats.get_value("webstemmer/pages_dropped") == dropped
        message = f"Dropped {dropped} pages from {path}, sites: 1; it keeps at most 3 pages of a site"
        assert [record.getMessage() for record in caplog.records] == [message]
    assert read(path)[0] == [dated(number).page for number in (7, 8, 9)]


@pytest.mark.parametrize("most", [None, 5])
def test_pages_that_are_not_too_many_stay(tmp_path: Path, most: int | None, caplog: Any) -> None:
    """Without the setting all pages stay, as with a number that is not reached; nothing is said."""
    caplog.set_level(logging.INFO)
    store = store_of(tmp_path / "set.sqlite", WEBSTEMMER_LEARNING_SET_PAGES=most)
    for number in range(5):
        store.add(dated(number))
    asyncio.run(store.prune())
    store.close()
    assert len(read(tmp_path / "set.sqlite")[0]) == 5
    assert "webstemmer/pages_dropped" not in store.crawler.stats.get_stats()
    assert not caplog.records


def test_the_event_loop_goes_on_while_pages_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other tasks get their turns before all pages are dropped."""
    monkeypatch.setattr("scrapy_webstemmer.crawl.event_loop._A_TURN", 0)
    store = store_of(tmp_path / "set.sqlite", WEBSTEMMER_LEARNING_SET_PAGES=1)
    for number in range(30):
        store.add(dated(number))
    seen = set()

    async def other(pruning: asyncio.Task[None]) -> None:
        while not pruning.done():
            seen.add(store.learning_set.count())  # type: ignore[attr-defined]
            await asyncio.sleep(0)

    async def both() -> None:
        pruning = asyncio.create_task(store.prune())
        await other(pruning)
        await pruning

    asyncio.run(both())
    store.close()
    assert len(seen) > 5


def test_pages_that_cannot_be_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """If the file stays locked, an error is logged and counted, and the store can be closed."""
    monkeypatch.setattr("scrapy_webstemmer.storage.pruning.PATIENCE", -1)
    store = store_of(tmp_path / "set.sqlite", WEBSTEMMER_LEARNING_SET_PAGES=1)
    for number in range(3):
        store.add(dated(number))
    with contextlib.closing(sqlite3.connect(tmp_path / "set.sqlite", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        asyncio.run(store.prune())
        db.execute("ROLLBACK")
    store.close()
    assert store.crawler.stats.get_value("webstemmer/errors/prune") == 1
    assert "Cannot drop all pages that are too many" in caplog.text
    assert len(read(tmp_path / "set.sqlite")[0]) == 3


def test_a_full_disk_costs_the_pages_that_have_no_room(learning_set: PageStore, caplog: Any) -> None:
    """Such pages are errors and do not wait; stored pages stay, and later ones are tried."""
    learning_set.add(ITEM)
    set_limit = learning_set.learning_set.connection.execute  # type: ignore[attr-defined]
    (pages,) = set_limit("PRAGMA page_count").fetchone()
    set_limit(f"PRAGMA max_page_count = {pages}")
    learning_set.add(CrawledPage(Page("https://example.com/large", random.Random(1).randbytes(50_000))))
    assert "Cannot store https://example.com/large: " in caplog.text
    assert "full" in caplog.text
    set_limit("PRAGMA max_page_count = 100000")
    learning_set.add(numbered(1))
    stats = learning_set.crawler.stats.get_stats()
    assert (stats["webstemmer/pages_stored"], stats["webstemmer/errors/store"]) == (2, 1)
    assert len(read(learning_set.learning_set.path)[0]) == 2


def test_other_items_pass() -> None:
    """An item of the project is returned unchanged."""
    item = {"a": 1}
    assert PagePipeline(cast("Any", FakeCrawler())).process_item(item) is item


@pytest.mark.parametrize(
    "error", [PageError("https://example.com/a", "no markup"), RuntimeError("a fault of ours")]
)
def test_failed_extraction_is_counted(error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """An unreadable page is a warning, with its url once; an unexpected error has its traceback."""

    def failing(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr("scrapy_webstemmer.crawl.article_finder.extract_in_parts", failing)
    crawler: Any = FakeCrawler()
    assert asyncio.run(ArticleFinder(crawler, ExtractOptions(), PatternSet({})).find(ITEM)) is None
    assert crawler.stats.get_stats() == {"webstemmer/errors/extract": 1}
    (record,) = (one for one in caplog.records if one.name.startswith("scrapy_webstemmer"))
    foreseen = isinstance(error, PageError)
    assert record.getMessage().count("https://example.com/a") == 1
    assert (record.levelname, bool(record.exc_info)) == (("WARNING", False) if foreseen else ("ERROR", True))


def test_page_of_an_unknown_site_is_counted() -> None:
    """A page of a site without patterns gives no article, and is counted by this reason."""
    crawler: Any = FakeCrawler()
    assert asyncio.run(ArticleFinder(crawler, ExtractOptions(), PatternSet({})).find(ITEM)) is None
    assert crawler.stats.get_stats() == {"webstemmer/unknown_site": 1}


def test_articles_below_the_least_confidence_are_counted(tmp_path: Path, caplog: Any) -> None:
    """They do not come out, the last line says why, and the site is not said to have changed."""
    pages = articles("press.example", 40, "press")
    learn(pages).save(tmp_path / "patterns.json")
    values = {"WEBSTEMMER_PATTERNS": str(tmp_path / "patterns.json"), "WEBSTEMMER_MIN_CONFIDENCE": "1"}
    crawler: Any = FakeCrawler(**values)
    pipeline = PagePipeline.from_crawler(crawler)

    async def take_all() -> list[Any]:
        return [await pipeline.take(CrawledPage(page)) for page in pages]

    assert set(asyncio.run(take_all())) == {None}
    pipeline.close_spider()
    stats = crawler.stats.get_stats()
    counted = {key: n for key, n in stats.items() if not key.startswith("webstemmer/coverage/")}
    assert counted == {"webstemmer/uncertain": 40}
    (warning,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert warning.endswith("40 articles with a confidence below WEBSTEMMER_MIN_CONFIDENCE")


@pytest.mark.parametrize(("patience", "expected"), [(0.0, range(4, 99)), (60.0, range(4))])
def test_others_get_their_turn_between_the_parts_of_an_extraction(
    patience: float, expected: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop runs other tasks during an extraction, if it has waited for long enough."""
    monkeypatch.setattr("scrapy_webstemmer.crawl.event_loop._A_TURN", patience)
    pages = articles("press.example", 4, "press")
    finder = ArticleFinder(cast("Any", FakeCrawler()), ExtractOptions(), learn(pages))
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def both() -> ArticleItem | None:
        other = asyncio.create_task(count_turns())
        found = await finder.find(CrawledPage(pages[0]))
        other.cancel()
        return found

    found = asyncio.run(both())
    assert found is not None
    assert found.url == pages[0].url
    assert turns in expected


def test_a_spider_that_changes_the_tree_does_not_change_the_article(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a callback does to a response's tree while a page is extracted makes no difference."""
    monkeypatch.setattr("scrapy_webstemmer.crawl.event_loop._A_TURN", 0.0)
    pages = articles("press.example", 12, "press")
    crawler: Any = FakeCrawler()
    response = HtmlResponse(pages[0].url, body=pages[0].body, encoding="utf-8")

    async def changed() -> ArticleItem | None:
        finder = ArticleFinder(crawler, ExtractOptions(), learn(pages))
        found = asyncio.ensure_future(finder.find(CrawledPage(pages[0], response=response)))
        await asyncio.sleep(0)
        for element in response.selector.root.xpath("//p | //h1"):
            element.getparent().remove(element)
        return await found

    found = asyncio.run(changed())
    expected = extract(pages[0], learn(pages))
    assert found is not None
    assert expected is not None
    assert (found.title, found.text) == (expected.title, expected.text)


def test_stays_out_without_a_setting() -> None:
    """A pipeline that is named but has nothing to do stays out, and names the settings."""
    with pytest.raises(NotConfigured, match=r"none of WEBSTEMMER_LEARNING_SET, .* is set"):
        PagePipeline.from_crawler(cast("Any", FakeCrawler()))


def test_disabled_is_silent() -> None:
    """If everything of ours is switched off, the pipeline stays out and says nothing."""
    crawler: Any = FakeCrawler(WEBSTEMMER_ENABLED=False, WEBSTEMMER_PATTERNS="a", WEBSTEMMER_LEARNING_SET="a")
    with pytest.raises(NotConfigured) as caught:
        PagePipeline.from_crawler(crawler)
    assert caught.value.args == ()


class OwnPipeline(PagePipeline):
    """A project's pipeline that inherits from ours."""


def test_a_subclass_and_its_base_give_one_pipeline(tmp_path: Path) -> None:
    """The first pipeline of a crawl does all the work; another one stays out and says nothing."""
    crawler: Any = FakeCrawler(WEBSTEMMER_LEARNING_SET=str(tmp_path / "a.zip"))
    pipeline = OwnPipeline.from_crawler(crawler)
    assert pipeline.store
    with pytest.raises(NotConfigured) as caught:
        PagePipeline.from_crawler(crawler)
    assert caught.value.args == ()
    pipeline.close_spider()


def test_pattern_file_that_cannot_be_read_is_said_at_start(tmp_path: Path) -> None:
    """A folder and a file that is not a pattern file are errors that name the setting and the file."""
    PatternSet({}).save(tmp_path / "good.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    for name in ("bad.json", "folder.json"):
        paths = [str(tmp_path / "good.json"), str(tmp_path / name)]
        with pytest.raises(OptionError) as caught:
            PagePipeline.from_crawler(FakeCrawler(WEBSTEMMER_PATTERNS=paths))  # type: ignore[arg-type]
        assert (caught.value.name, caught.value.value) == ("WEBSTEMMER_PATTERNS", paths[1])


def test_missing_pattern_files_are_a_warning(tmp_path: Path, caplog: Any) -> None:
    """Before the first `scrapy analyze` a crawl collects its pages, and says how patterns are made."""
    patterns, pages = tmp_path / "patterns.json", tmp_path / "news.sqlite"
    stored = str(tmp_path / "%(spider)s.sqlite")
    values = {"WEBSTEMMER_PATTERNS": str(patterns), "WEBSTEMMER_LEARNING_SET": stored}
    pipeline = PagePipeline.from_crawler(cast("Any", FakeCrawler(**values)))
    assert pipeline.store
    assert pipeline.finder is None
    pipeline.close_spider()
    (line,) = (one.getMessage() for one in caplog.records if "does not exist" in one.getMessage())
    assert f"`scrapy analyze {pages} -o {patterns}` makes it" in line


@pytest.mark.parametrize(
    ("stats", "warning"),
    [
        ({}, "No page was stored: no response came to a callback"),
        (
            {"ignored/not_html": 3, "ignored/status": 1},
            "3 responses without HTML, 1 response without success by status",
        ),
        ({"errors/store": 2}, "2 failures to store"),
        (
            {"pages_stored": 5, "unknown_site": 5},
            "5 pages of sites that the pattern files do not know",
        ),
        ({"pages_stored": 5, "unmatched": 5}, "gave an article: 5 pages that no pattern fits"),
        (
            {"pages_stored": 5, "unmatched": 3, "uncertain": 2},
            "gave an article: 2 articles with a confidence below WEBSTEMMER_MIN_CONFIDENCE",
        ),
        ({"pages_stored": 5, "waiting": 5}, "gave an article: 5 pages wait until their sites are learned"),
        ({"pages_stored": 5, "waiting": 5, "provisional": 2}, "gave a final article: 5 pages wait until"),
        (
            {"pages_stored": 1, "unknown_site": 1, "learned/sites": 0},
            "gave an article: 1 page of sites that have too few pages to learn from",
        ),
        ({"pages_seen": 5, "articles": 1}, ""),
        ({"pages_stored": 5, "matched": 2, "articles": 1}, ""),
    ],
)
def test_the_end_of_a_crawl_says_what_came_out(stats: dict[str, int], warning: str, caplog: Any) -> None:
    """One line has the numbers; if they are 0, a warning has the reason."""
    caplog.set_level(logging.INFO)
    crawler: Any = FakeCrawler()
    for key, number in stats.items():
        count(crawler, f"webstemmer/{key}", number)
    store: Any = SimpleNamespace(learning_set=SimpleNamespace(path="news.sqlite"), lost=set())
    say_what_was_done(crawler, store, with_articles=True)
    line, *warnings = [record.getMessage() for record in caplog.records]
    articles = stats.get("articles", 0)
    given = "1 article" if articles == 1 else f"{articles} articles"
    given += " and 2 provisional ones" if "provisional" in stats else ""
    assert line == f"Result: {plural(stats.get('pages_stored', 0), 'page')} stored in news.sqlite, {given}"
    assert len(warnings) == bool(warning)
    assert warning in "".join(warnings)


@pytest.mark.parametrize(
    ("stats", "reason"),
    [
        (
            {
                "downloader/exception_type_count/a.RefusedError": 3,
                "httperror/response_ignored_status_count/404": 2,
            },
            "RefusedError (3 times)",
        ),
        ({"httperror/response_ignored_status_count/404": 1}, "status 404 (1 time)"),
        (
            {"robotstxt/forbidden": 2, "downloader/exception_type_count/scrapy.exceptions.IgnoreRequest": 2},
            "robots.txt forbids it (2 times)",
        ),
    ],
)
def test_why_no_response_came(stats: dict[str, int], reason: str, caplog: Any) -> None:
    """If requests failed, the most frequent failure is named."""
    crawler: Any = FakeCrawler()
    for key, number in stats.items():
        crawler.stats.inc_value(key, number)
    say_what_was_done(crawler, None, with_articles=True)
    why = "no response came to a callback of the spider; most requests failed"
    assert caplog.messages == [f"No page gave an article: {why}: {reason}"]


def test_articles_that_were_refused_do_not_come_out(caplog: Any) -> None:
    """Neither a class nor a feed that refuses an article adds to the number; no page is to blame."""
    caplog.set_level(logging.INFO)
    crawler: Any = FakeCrawler()
    for key, number in {"matched": 9, "unmatched": 2, "errors/convert": 6, "errors/export": 3}.items():
        count(crawler, f"webstemmer/{key}", number)
    say_what_was_done(crawler, None, with_articles=True)
    assert [one.getMessage() for one in caplog.records] == ["Result: 0 articles, 9 more could not be written"]


def test_callbacks_that_fail_are_named(caplog: Any) -> None:
    """A page counts only if its callback gives any output: the log says that none did."""
    crawler: Any = FakeCrawler()
    for key, number in {"count": 31, "ValueError": 30, "KeyError": 1}.items():
        crawler.stats.inc_value(f"spider_exceptions/{key}", number)
    say_what_was_done(crawler, None, with_articles=True)
    why = "callbacks of the spider failed before they gave any output: ValueError (30 times)"
    assert caplog.messages == [f"No page gave an article: {why}"]


@pytest.mark.parametrize(
    ("stats", "level", "said"),
    [
        ({"urldb/skipped": 120, "pages_seen": 15, "unmatched": 15}, None, "Result: nothing new"),
        ({"urldb/skipped": 120}, None, "Result: nothing new"),
        ({"urldb/again": 3, "pages_seen": 3}, None, "Result: nothing new"),
        ({"urldb/again": 3}, logging.WARNING, "no response came"),
        ({"urldb/again": 3, "pages_seen": 3, "unmatched": 3}, logging.WARNING, "3 pages that no pattern"),
        (
            {"urldb/skipped": 120, "pages_seen": 15, "pages_stored": 3, "unmatched": 18},
            logging.INFO,
            "18 pages that no pattern fits",
        ),
        (
            {"urldb/skipped": 120, "errors/store": 3, "unmatched": 3},
            logging.WARNING,
            "3 failures to store",
        ),
    ],
)
def test_a_delta_crawl_without_news_is_no_reason_to_warn(
    stats: dict[str, int], level: int | None, said: str, caplog: Any
) -> None:
    """A line says that nothing is new, if all that came is known or was skipped; failures are warned of."""
    caplog.set_level(logging.INFO)
    crawler: Any = FakeCrawler()
    for key, number in stats.items():
        count(crawler, f"webstemmer/{key}", number)
    store: Any = SimpleNamespace(learning_set=SimpleNamespace(path="news.sqlite"), lost=set())
    say_what_was_done(crawler, store, with_articles=True)
    assert [one.levelno for one in caplog.records[1:]] == ([] if level is None else [level])
    assert said in caplog.records[-1].getMessage()


@pytest.mark.parametrize("name", ["text.sqlite", "text.zip"])
def test_learning_set_that_cannot_be_opened_is_said_at_start(name: str, tmp_path: Path) -> None:
    """A file that is not a learning set is an error that names the setting and the file."""
    path = tmp_path / name
    path.write_text("no database at all " * 100, encoding="utf-8")
    with pytest.raises(OptionError) as caught:
        PagePipeline.from_crawler(FakeCrawler(WEBSTEMMER_LEARNING_SET=str(path)))  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("WEBSTEMMER_LEARNING_SET", str(path))
    assert path.read_text(encoding="utf-8").startswith("no database")


def test_a_folder_is_no_learning_set(tmp_path: Path) -> None:
    """The error says so, and not what SQLite says of it."""
    with pytest.raises(OptionError, match=r"^WEBSTEMMER_LEARNING_SET='.*': is a folder$"):
        PagePipeline.from_crawler(FakeCrawler(WEBSTEMMER_LEARNING_SET=str(tmp_path)))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["header", "list of tables", "cut off"])
def test_a_damaged_learning_set_is_said_at_start(name: str, tmp_path: Path) -> None:
    """The error names the setting and says what to do, and nothing is written to the file."""
    path = tmp_path / "set.sqlite"
    with SqliteLearningSet(path) as pages:
        for number in range(30):
            pages.add_page(numbered(number).page)
    DAMAGES[name](path)
    before = path.read_bytes()
    with pytest.raises(OptionError, match=r"WEBSTEMMER_LEARNING_SET=.*\.recover \| sqlite3 NEW"):
        PagePipeline.from_crawler(FakeCrawler(WEBSTEMMER_LEARNING_SET=str(path)))  # type: ignore[arg-type]
    assert path.read_bytes() == before


def test_damage_that_a_crawl_meets_costs_the_pages(tmp_path: Path, caplog: Any) -> None:
    """Pages that cannot be stored are errors with advice, and the crawl goes on."""
    path = tmp_path / "set.sqlite"
    SqliteLearningSet(path).close()
    with path.open("r+b") as stream:  # all pages of the file except the list of tables
        stream.seek(4096)
        stream.write(bytes(path.stat().st_size - 4096))
    store = store_of(path)
    for number in range(2):
        store.add(numbered(number))
    store.close()
    assert store.crawler.stats.get_stats() == {"webstemmer/errors/store": 2}
    assert caplog.text.count(f"to save what is left: sqlite3 {path} .recover | sqlite3 NEW") == 2


def test_a_zip_that_another_crawl_fills_is_said_at_start(tmp_path: Path) -> None:
    """A second crawl into the same zip does not begin, and the first one goes on."""
    pytest.importorskip("fcntl", reason="no such locks here")
    first = store_of(tmp_path / "a.zip")
    with pytest.raises(OptionError, match="another crawl is adding to it") as caught:
        store_of(tmp_path / "a.zip")
    assert (caught.value.name, caught.value.value) == ("WEBSTEMMER_LEARNING_SET", str(tmp_path / "a.zip"))
    first.add(ITEM)
    first.close()
    assert len(read(tmp_path / "a.zip")[0]) == 1
