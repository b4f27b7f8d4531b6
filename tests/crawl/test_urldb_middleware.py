"""The URLDB's middleware on single requests and responses: what is skipped, passed and marked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import scrapy
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, JsonRequest
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import MemoryStatsCollector
from twisted.python.failure import Failure

from scrapy_webstemmer import OptionError
from scrapy_webstemmer.crawl.urldb_middleware import UrlDbMiddleware
from scrapy_webstemmer.errors import UrlDbError
from scrapy_webstemmer.storage.urldb import ARTICLE, PAGE, UrlDb, key_digest, url_digest

HOST = "https://example.com/"
INDEX, STORY, NEW, OLD = (HOST + name for name in ("index", "story", "new", "old"))
#: Scrapy 2.13 passes the spider, later versions warn of it.
SPIDER = (None,) if scrapy.version_info < (2, 14) else ()
SEEN = {INDEX: PAGE, STORY: ARTICLE}

Make = Callable[..., UrlDbMiddleware]


def crawler(**values: Any) -> Any:
    """Return a crawler with only the parts that the middleware uses."""
    stub = SimpleNamespace(settings=Settings(values), spider=None, signals=SignalManager())
    stub.spidercls = SimpleNamespace(name="news")
    stub.crawling = True
    stub.get_extension = stub.get_item_pipeline = lambda _: None
    stub.stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))
    return stub


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a URLDB that saw a page and an article long ago."""
    with UrlDb(tmp_path / "seen.sqlite") as urldb:
        for url, kind in SEEN.items():
            urldb.mark(url_digest(url), kind, when=1000)
    return tmp_path / "seen.sqlite"


@pytest.fixture
def make(path: Path) -> Any:
    """Return a function that makes the middleware of a crawl with that URLDB; all are closed at the end."""
    made: list[UrlDbMiddleware] = []

    def make_middleware(**values: Any) -> UrlDbMiddleware:
        made.append(UrlDbMiddleware.from_crawler(crawler(WEBSTEMMER_URLDB=str(path), **values)))
        return made[-1]

    yield make_middleware
    for middleware in made:
        middleware.urldb.close()


def answer(request: Request, url: str | None = None) -> HtmlResponse:
    """Return a response to a request, from the request's url or another."""
    return HtmlResponse(url or request.url, body=b"<p>text</p>", request=request)


PARENT = answer(Request(HOST))


def passed(middleware: UrlDbMiddleware, *requests: Any, response: Any = PARENT) -> list[Any]:
    """Return the output of the middleware."""
    return list(middleware.process_spider_output(response, requests, *SPIDER))


def stats(middleware: UrlDbMiddleware) -> dict[str, Any]:
    """Return the middleware's stats, names without the prefix."""
    found = middleware.crawler.stats.get_stats()
    return {key.removeprefix("webstemmer/"): value for key, value in found.items()}


def test_articles_are_skipped_and_pages_fetched_again(make: Make) -> None:
    """A url with an article is skipped, one with only a page is marked, and a new one and an item pass."""
    middleware = make()
    requests = [Request(url) for url in (STORY, INDEX, NEW)]
    item = {"url": STORY}
    assert passed(middleware, *requests, item) == [*requests[1:], item]
    assert [request.meta.get("webstemmer_seen") for request in requests] == [None, "page", None]
    assert stats(middleware) == {"urldb/skipped": 1, "urldb/again": 1}


def test_async_output_is_filtered_alike(make: Make) -> None:
    """The output of asynchronous generators is filtered in the same way."""
    middleware = make()

    async def output() -> list[Any]:
        async def callback() -> AsyncIterator[Any]:
            for url in (STORY, INDEX, NEW):
                yield Request(url)

        return [each async for each in middleware.process_spider_output_async(PARENT, callback(), *SPIDER)]

    assert [request.url for request in asyncio.run(output())] == [INDEX, NEW]


@pytest.mark.parametrize("way", ["start", "start_requests"])
def test_start_requests_are_never_skipped(make: Make, way: str) -> None:
    """A start request always passes; its meta says what is stored, so that nothing is stored twice."""
    middleware = make(DEPTH_LIMIT=1)
    requests = [Request(url, meta={"depth": 5}) for url in (STORY, INDEX, NEW)]

    async def start() -> list[Any]:
        async def given() -> AsyncIterator[Any]:
            for request in requests:
                yield request

        return [each async for each in middleware.process_start(given())]

    if way == "start":
        assert asyncio.run(start()) == requests
    elif hasattr(middleware, "process_start_requests"):  # Scrapy 2.13
        assert list(middleware.process_start_requests(requests, None)) == requests
    else:
        pytest.skip("this Scrapy has no start_requests")
    assert [request.meta.get("webstemmer_seen") for request in requests] == ["article", "page", None]
    assert stats(middleware) == {"urldb/again": 2}


@pytest.mark.parametrize(
    ("limit", "depth", "patterns", "skipped"),
    [
        (0, 9, "", False),
        (2, 1, "", False),
        (2, 2, "", True),
        (2, 3, "", True),
        (2, None, "", False),
        (2, 2, "p.json", False),
    ],
)
def test_pages_without_depth_left(make: Make, limit: int, depth: Any, patterns: str, skipped: bool) -> None:
    """A page is skipped if none of its links will be followed, unless it may give an article."""
    middleware = make(DEPTH_LIMIT=limit, WEBSTEMMER_PATTERNS=patterns)
    request = Request(INDEX, meta={} if depth is None else {"depth": depth})
    assert passed(middleware, request) == ([] if skipped else [request])
    assert stats(middleware) == {"urldb/skipped" if skipped else "urldb/again": 1}


def test_every_url_counts_once(make: Make) -> None:
    """A url is counted once, however many pages link to it; as fetched again if it ever was."""
    middleware = make(DEPTH_LIMIT=2)

    def index(depth: int) -> Request:
        return Request(INDEX, meta={"depth": depth})

    passed(middleware, Request(STORY), Request(STORY), index(2))
    assert stats(middleware) == {"urldb/skipped": 2}
    passed(middleware, index(1), index(2), index(1), Request(STORY))
    assert stats(middleware) == {"urldb/skipped": 1, "urldb/again": 1}


def test_meta_of_another_page_makes_nothing_seen(make: Make) -> None:
    """A spider that passes on a response's whole meta does not make new urls known."""
    middleware = make()
    inherited = {"webstemmer_seen": "article"}
    requests = [Request(url, meta=inherited) for url in (NEW, INDEX)]
    requests.append(Request(OLD, meta={**inherited, "webstemmer_urldb": False}))
    assert passed(middleware, *requests) == requests
    assert [request.meta.get("webstemmer_seen") for request in requests] == [None, "page", None]


def test_a_request_can_opt_out(make: Make) -> None:
    """A request with webstemmer_urldb False is neither skipped nor marked."""
    middleware = make()
    known, new = (Request(url, meta={"webstemmer_urldb": False}) for url in (STORY, NEW))
    assert passed(middleware, known, new) == [known, new]
    middleware.item_scraped(answer(new))
    middleware.page_stored(answer(new))
    assert middleware.urldb.find(url_digest(NEW)) is None
    assert stats(middleware) == {}


@pytest.mark.parametrize("key", ["id-123", 7, 0])
def test_a_request_can_bring_its_key(make: Make, key: Any) -> None:
    """The key is looked up and marked instead of the url, even if the url is known."""
    meta = {"webstemmer_urldb_key": key}
    middleware = make()
    (first,) = passed(middleware, Request(STORY, meta=meta))
    middleware.item_scraped(answer(first, NEW))
    found = {entry.digest for entry in middleware.urldb}
    assert found == {url_digest(INDEX), url_digest(STORY), key_digest(str(key))}
    later = make()
    assert passed(later, Request(OLD, meta=meta), Request(OLD, method="POST", meta=meta)) == []
    assert stats(later) == {"urldb/skipped": 1}


@pytest.mark.parametrize("key", [None, ""])
def test_no_key_is_no_key(make: Make, key: Any) -> None:
    """An empty key is not a key that such requests share."""
    request = Request(STORY, meta={"webstemmer_urldb_key": key})
    assert passed(make(), request) == []


@pytest.mark.parametrize(
    "request_", [Request(STORY, method="POST"), JsonRequest(STORY, data={}), Request(STORY, body=b"q")]
)
def test_urls_that_do_not_say_all_take_no_part(make: Make, request_: Request) -> None:
    """Requests with a body or another method are never skipped or marked, even after a redirect."""
    middleware = make()
    assert passed(middleware, request_) == [request_]
    redirected = Request(NEW, meta={**request_.meta, "redirect_urls": [OLD]})
    middleware.item_scraped(answer(redirected))
    assert middleware.urldb.count() == len(SEEN)


def test_dont_filter_makes_no_difference(make: Make) -> None:
    """dont_filter is for duplicates in one crawl; what earlier crawls stored is still skipped."""
    assert passed(make(), Request(STORY, dont_filter=True)) == []


def test_this_crawl_does_not_count(make: Make) -> None:
    """What this crawl has stored does not count: a request for it may be tried again."""
    middleware = make()
    first, again, other = Request(NEW), Request(NEW, dont_filter=True), Request(OLD)
    assert passed(middleware, first) == [first]
    middleware.item_scraped(answer(first))
    middleware.item_scraped(answer(Request(OLD)))  # never met as a link
    assert passed(middleware, again, other) == [again, other]
    assert stats(middleware) == {"urldb/added": 2}
    assert passed(make(), Request(NEW), Request(OLD)) == []


def test_marks(make: Make) -> None:
    """A stored page marks its url as a page; an item marks it as an article for good."""
    middleware = make()
    response = answer(Request(NEW))

    def kind() -> str:
        entry = middleware.urldb.find(url_digest(NEW))
        return entry.kind if entry else ""

    middleware.page_stored(response)
    assert kind() == "page"
    middleware.item_scraped(response)
    assert kind() == "article"
    middleware.page_stored(response)
    assert kind() == "article"
    assert stats(middleware) == {"urldb/added": 1}


def test_all_urls_of_a_page_are_marked(make: Make) -> None:
    """Redirected urls, the requested url and the url of the response are all marked."""
    middleware = make()
    request = Request(HOST + "2", meta={"redirect_urls": [HOST + "0", HOST + "1"]})
    middleware.item_scraped(answer(request, HOST + "3"))
    later = make()
    assert passed(later, *(Request(f"{HOST}{number}") for number in range(4))) == []
    assert stats(middleware) == {"urldb/added": 4}


@pytest.mark.parametrize(
    ("began", "ended", "kind"), [(STORY, NEW, None), (NEW, STORY, ARTICLE), (STORY, INDEX, PAGE)]
)
def test_the_last_url_of_a_redirected_page_says_what_is_stored(
    make: Make, began: str, ended: str, kind: str | None
) -> None:
    """An old url that leads to a new page hides it not; one that leads to a known page counts like it."""
    middleware = make()
    start = Request(began, meta={"webstemmer_seen": SEEN.get(began)})
    redirected = Request(ended, meta={**start.meta, "redirect_urls": [began]})
    middleware.process_spider_input(answer(redirected), *SPIDER)
    assert redirected.meta.get("webstemmer_seen") == kind
    later = make()
    assert later.urldb.find(url_digest(began)).kind == SEEN.get(began, kind)  # type: ignore[union-attr]
    assert later.urldb.count() == len({*SEEN, began})


@pytest.mark.parametrize("meta", [{"webstemmer_urldb": False}, {"webstemmer_urldb_key": "5"}, {}])
def test_other_redirected_pages_are_left_alone(make: Make, meta: dict[str, Any]) -> None:
    """A response that takes no part, has a key of its own, or was not redirected stays as it is."""
    middleware = make()
    redirects = {"redirect_urls": [NEW]} if meta else {}
    request = Request(STORY, meta={"webstemmer_seen": PAGE, **redirects, **meta})
    middleware.process_spider_input(answer(request), *SPIDER)
    middleware.process_spider_input(HtmlResponse(NEW), *SPIDER)
    assert request.meta["webstemmer_seen"] == PAGE
    assert middleware.urldb.count() == len(SEEN)


def test_items_without_a_response_mark_nothing(make: Make) -> None:
    """An item without a response has no page to mark; that of an errback has a failure."""
    middleware = make()
    middleware.item_scraped(None)
    middleware.item_scraped(Failure(TimeoutError()))
    middleware.item_scraped(HtmlResponse(NEW))
    assert middleware.urldb.count() == len(SEEN)


def test_meeting_a_url_again_is_recorded(make: Make) -> None:
    """A url that is linked to gets today's time, skipped or not; all others keep their time."""
    middleware = make()
    passed(middleware, Request(STORY))
    lasts = {url: middleware.urldb.find(url_digest(url)).last for url in SEEN}  # type: ignore[union-attr]
    assert lasts[INDEX] == 1000
    assert lasts[STORY] > 1_000_000_000


def test_a_skip_is_logged_once(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    """Each skipped url has a line at DEBUG, and the end of the crawl a line at INFO with the numbers."""
    caplog.set_level(logging.DEBUG, "scrapy_webstemmer")
    middleware = make()
    passed(middleware, Request(STORY), Request(STORY), Request(INDEX))
    middleware.spider_closed()
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("DEBUG", f"Skipped, article stored in an earlier crawl: <GET {STORY}>"),
        ("INFO", f"Of the urls in {middleware.urldb.path} 1 were skipped, 1 fetched again"),
    ]


@pytest.mark.parametrize("method", ["find", "touch", "mark"])
def test_failures_do_not_stop_the_crawl(
    make: Make, method: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Failures are counted, the first one is logged as an error, and the crawl goes on."""

    def fail(self: UrlDb, *args: Any) -> None:
        raise UrlDbError(self.path, "database or disk is full")

    monkeypatch.setattr(UrlDb, method, fail)
    middleware = make()
    requests = [Request(url) for url in (STORY, NEW, OLD)]
    left = passed(middleware, *requests)
    middleware.item_scraped(answer(Request(NEW)))
    middleware.item_scraped(answer(Request(OLD)))
    assert left == (requests if method == "find" else requests[1:])
    failures = {"find": 5, "touch": 1, "mark": 2}[method]
    assert stats(middleware)["errors/urldb"] == failures
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 1
    assert "database or disk is full" in errors[0].getMessage()


def test_the_file_is_made_with_its_folder(tmp_path: Path) -> None:
    """The path's placeholders are filled in, and missing folders are made."""
    template = str(tmp_path / "a" / "%(spider)s-%(timestamp)s.sqlite")
    stub = crawler(WEBSTEMMER_URLDB=template, WEBSTEMMER_TIMESTAMP="today")
    middleware = UrlDbMiddleware.from_crawler(stub)
    middleware.spider_closed()
    assert middleware.urldb.path == tmp_path / "a" / "news-today.sqlite"
    assert middleware.urldb.path.is_file()


def test_the_spiders_own_name_counts(tmp_path: Path) -> None:
    """The path gets the name that a spider was given."""
    stub = crawler(WEBSTEMMER_URLDB=str(tmp_path / "%(spider)s.sqlite"))
    stub.spider = SimpleNamespace(name="given")
    middleware = UrlDbMiddleware.from_crawler(stub)
    middleware.spider_closed()
    assert middleware.urldb.path.name == "given.sqlite"


@pytest.mark.parametrize("name", ["file/seen.sqlite", "file"])
def test_what_cannot_be_opened_stops_the_start(tmp_path: Path, name: str) -> None:
    """A file that is not a URLDB, or cannot be made, is an error that names setting and file."""
    (tmp_path / "file").write_text("something else" * 100)
    with pytest.raises(OptionError) as caught:
        UrlDbMiddleware.from_crawler(crawler(WEBSTEMMER_URLDB=str(tmp_path / name)))
    assert caught.value.name == "WEBSTEMMER_URLDB"
    assert caught.value.value == str(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_stays_out_where_it_is_not_asked_for() -> None:
    """Without its setting the middleware names the setting; switched off, it says nothing."""
    with pytest.raises(NotConfigured, match="WEBSTEMMER_URLDB is not set"):
        UrlDbMiddleware.from_crawler(crawler())
    with pytest.raises(NotConfigured) as caught:
        UrlDbMiddleware.from_crawler(crawler(WEBSTEMMER_URLDB="a", WEBSTEMMER_ENABLED=False))
    assert caught.value.args == ()
