"""The spider middleware on single responses: page items, ignored responses, errors."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_webstemmer.crawl import linkinfo
from scrapy_webstemmer.crawl.linkinfo import LinkinfoMiddleware
from scrapy_webstemmer.crawl.page_pipeline import PagePipeline
from scrapy_webstemmer.items import CrawledPage
from scrapy_webstemmer.values import Announcement

URL = "https://example.com/a"


def crawler(**values: Any) -> Any:
    """Return a crawler with only the parts that the middleware uses."""
    stub = SimpleNamespace(settings=Settings(values), spider=None, spidercls=Spider, crawling=True)
    stub.stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))
    stub.signals = SignalManager(stub)
    stub.taken = []

    async def take(item: CrawledPage) -> None:
        stub.taken.append(item)

    stub.get_item_pipeline = lambda _: SimpleNamespace(take=take)
    return stub


def html(
    body: bytes = b"<p>text</p><a href='/b'>B</a>", meta: dict[str, Any] | None = None, **more: Any
) -> Any:
    """Return a response to a request with this meta."""
    more = {"headers": {"Content-Type": "text/html; charset=utf-8"}} | more
    return HtmlResponse(URL, body=body, request=Request(URL, meta=meta or {}), **more)


def output(middleware: LinkinfoMiddleware, response: Response, entries: Any = ()) -> list[Any]:
    """Return the pages that the middleware gives to the pipeline, and its output."""

    async def asynchronous() -> list[Any]:
        async def callback() -> AsyncIterator[Any]:
            for entry in entries:
                yield entry

        return [entry async for entry in middleware.process_spider_output(response, callback())]

    taken = middleware.crawler.taken  # type: ignore[attr-defined]
    before = len(taken)
    passed = asyncio.run(asynchronous())
    return [*taken[before:], *passed]


def test_page_is_taken_before_the_output() -> None:
    """The page is taken before the callback's output, which does not change."""
    entries = [{"a": 1}, Request(URL)]
    first, *rest = output(LinkinfoMiddleware(crawler()), html(), entries)
    assert isinstance(first, CrawledPage)
    assert rest == entries
    assert rest[1] is entries[1]


def test_page_item_has_what_is_stored() -> None:
    """The item has the bytes, Scrapy's charset, the time, the urls and the anchors."""
    response = html(meta={"redirect_urls": ["https://example.com/old"]})
    (item,) = output(LinkinfoMiddleware(crawler()), response)
    assert (item.page.url, item.page.body, item.page.encoding) == (URL, response.body, "utf-8")
    assert item.page.aliases == ("https://example.com/old",)
    assert item.page.fetched.endswith("+00:00")
    assert item.anchors == (("https://example.com/b", "B"),)
    assert item.response is response
    assert item.source is None  # it is let go: the page may wait for others


def test_page_url_has_no_fragment() -> None:
    """A fragment that a download handler keeps does not make a second page."""
    (item,) = output(LinkinfoMiddleware(crawler()), html().replace(url=URL + "#part"))
    assert item.page.url == URL


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/html; charset=latin-1", "cp1252"),
        ("text/html; charset=x-nobody", "utf-8"),
        ("text/html", "utf-8"),
    ],
)
def test_encoding_is_the_one_used(content_type: str, encoding: str) -> None:
    """The charset is the one that decoded the response, not the declared one."""
    response = html("<p>caf\xe9, d\xe9j\xe0 vu</p>".encode(), headers={"Content-Type": content_type})
    (item,) = output(LinkinfoMiddleware(crawler()), response)
    assert item.page.encoding == response.encoding == encoding


@pytest.mark.parametrize("kind", ["text/html", "Application/XHTML+XML; charset=utf-8"])
def test_a_text_that_is_html_by_its_type_is_a_page(kind: str) -> None:
    """Some download handlers have classes of their own for HTML."""
    (item,) = output(
        LinkinfoMiddleware(crawler()), TextResponse(URL, body=b"<p>a", headers={"Content-Type": kind})
    )
    assert item.page.url == URL


@pytest.mark.parametrize(("body", "counted"), [(b"<!-- a -->\n<html lang=en><p>a", 1), (b"User-agent: *", 0)])
def test_a_text_without_a_type_is_a_page_if_it_begins_like_one(body: bytes, counted: int) -> None:
    """Scrapy takes a page for a mere text if its server declares no type, and it has a language."""
    items = output(LinkinfoMiddleware(crawler()), TextResponse(URL, body=body))
    assert [item.page.url for item in items] == [URL] * counted


FEED = (
    b'<rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
    b"<item><title>B</title><link>https://www.example.com/b</link><dc:creator>Ann Lee</dc:creator></item>"
    b"<item><title>C</title><link>https://other.example/c</link><dc:creator>Eve</dc:creator></item>"
    b"<item><link>/silent</link></item></channel></rss>"
)


@pytest.mark.parametrize("kind", [XmlResponse, TextResponse, Response])
@pytest.mark.parametrize("body", [FEED, gzip.compress(FEED)])
def test_what_a_feed_says(kind: type[Response], body: bytes) -> None:
    """It goes to the store, with the titles as anchor texts, and later pages have it.

    Only what it says about its own site counts.
    """
    stub = crawler()
    middleware = LinkinfoMiddleware(stub)
    (item,) = output(middleware, kind(URL, body=body))
    said = Announcement("B", authors=("Ann Lee",))
    assert item.announced == {"https://www.example.com/b": said}
    assert item.anchors == (("https://www.example.com/b", "B"),)
    assert stub.stats.get_stats() == {"webstemmer/feeds": 1}
    redirected = html(meta={"redirect_urls": ["http://www.example.com/b"]})
    assert [page.page.announced for page in output(middleware, redirected)] == [said]
    assert [page.page.announced for page in output(middleware, html())] == [None]
    news = b"<rss><item><link>https://www.example.com/b</link><pubDate>2014-05-06</pubDate></item></rss>"
    output(middleware, kind(URL, body=news))
    assert output(middleware, redirected)[0].page.announced == said._replace(published="2014-05-06")


def test_so_many_announced_pages_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest are forgotten; the store gets them all."""
    monkeypatch.setattr(linkinfo, "_MOST_ANNOUNCED", 2)
    middleware = LinkinfoMiddleware(crawler())
    items = "".join(f"<item><title>{n}</title><link>/{n}</link></item>" for n in range(5))
    (feed,) = output(middleware, XmlResponse(URL, body=f"<rss>{items}</rss>".encode()))
    assert len(feed.announced) == 5
    for number in range(5):
        (page,) = output(middleware, html().replace(url=f"https://example.com/{number}"))
        assert bool(page.page.announced) == (number > 2)


@pytest.mark.parametrize(
    "response",
    [
        XmlResponse(URL, body=FEED, status=500),
        XmlResponse(URL, body=b"\x1f\x8b\x08" + FEED),
        XmlResponse(URL, body=b"<rss><item>"),
        XmlResponse(URL, body=b"<rss><item><link>/silent</link></item></rss>"),
    ],
)
def test_what_says_nothing_is_no_feed(response: Response) -> None:
    """An error, a damaged document, and one that only names pages are ignored like other files."""
    stub = crawler()
    assert output(LinkinfoMiddleware(stub), response, [1]) == [1]
    assert stub.stats.get_stats() == {"webstemmer/ignored/not_html": 1}


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (html(meta={"webstemmer_skip": True}), "skipped"),
        (Response(URL, body=b"\x89PNG"), "not_html"),
        (TextResponse(URL, body=b"{}"), "not_html"),
        (TextResponse(URL, body=b"{}", headers={"Content-Type": "application/json"}), "not_html"),
        (html(status=404), "status"),
        (html(b""), "empty"),
        (html(b" \n"), "empty"),
    ],
)
def test_what_is_no_page_is_counted(response: Response, reason: str) -> None:
    """Responses that are not pages give no page item, and the stats count the reason."""
    stub = crawler()
    assert output(LinkinfoMiddleware(stub), response, [1]) == [1]
    assert stub.stats.get_stats() == {f"webstemmer/ignored/{reason}": 1}


@pytest.mark.parametrize(
    "body",
    [
        b"<div>" * 490 + b"<a href='/b'>B</a>",
        b"<a href='/b'>" + b"<b>" * 490 + b"B",
        b"<p>word</p>" * 49_000,
        b"\0" * 100 + b"<a href='/b\0'>B\0</a>",
        b"\xff\xfe\x00\x01" * 1000,
    ],
    ids=["nested elements", "nested in a link", "500 KB", "NUL bytes", "no text at all"],
)
def test_extreme_pages_are_collected(body: bytes) -> None:
    """No HTML from a server makes collecting fail."""
    stub = crawler()
    (item,) = output(LinkinfoMiddleware(stub), html(body))
    assert item.page.body == body
    assert "webstemmer/errors/collect" not in stub.stats.get_stats()


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        (b"x" * 10_485_761, "page_size"),
        (b"<p>word</p>" * 50_000, "elements"),
        (b"<div>" * 10_000 + b"<a href='/b'>B</a>", "depth"),
        (b"<p>" + b"".join(b"<a href=%d>x</a> " % n for n in range(10_001)), "anchors"),
        (b"<p " + b" ".join(b"a%d" % n for n in range(22_000)) + b">x", "attributes"),
    ],
)
def test_pages_beyond_a_limit(body: bytes, limit: str, caplog: Any) -> None:
    """Such pages give no item, are counted by limit and named in the log; the callback's output passes."""
    stub = crawler()
    assert output(LinkinfoMiddleware(stub), html(body), [1]) == [1]
    assert stub.stats.get_stats() == {f"webstemmer/limits/{limit}": 1}
    assert f"Skipped: {URL}: " in caplog.text


def test_fault_does_not_reach_the_spider(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """If collecting fails, the callback's output passes, and there is only one warning."""

    def broken(*args: Any) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("scrapy_webstemmer.crawl.linkinfo.find_anchors", broken)
    stub = crawler()
    middleware = LinkinfoMiddleware(stub)
    for _ in range(3):
        assert output(middleware, html(), [1]) == [1]
    assert [record.levelname for record in caplog.records if record.name.startswith("scrapy_webstemmer")][
        :1
    ] == ["WARNING"]
    assert sum(record.levelname == "WARNING" for record in caplog.records) == 1
    assert stub.stats.get_value("webstemmer/errors/collect") == 3


def test_anchors_are_left_out_where_nothing_is_learned() -> None:
    """Without a learning set no anchors are looked for."""
    pipelines = {PagePipeline: 1}
    middleware = LinkinfoMiddleware.from_crawler(crawler(WEBSTEMMER_PATTERNS="a", ITEM_PIPELINES=pipelines))
    (item,) = output(middleware, html())
    assert item.anchors == ()


@pytest.mark.parametrize("pipelines", [{}, {"scrapy_webstemmer.crawl.page_pipeline.PagePipeline": None}])
def test_stays_out_without_a_taker(pipelines: dict[str, Any]) -> None:
    """If no pipeline of ours is enabled, the middleware says so."""
    with pytest.raises(NotConfigured, match="no pipeline takes the pages"):
        LinkinfoMiddleware.from_crawler(crawler(WEBSTEMMER_LEARNING_SET="a", ITEM_PIPELINES=pipelines))


def test_stays_out_without_a_setting(caplog: Any) -> None:
    """If no setting needs pages, the middleware names those that do, and unknown names like ours."""
    values = {"WEBSTEMMER_LEARNINGSET": "a", "ITEM_PIPELINES": {PagePipeline: 1}}
    needed = "WEBSTEMMER_LEARNING_SET, WEBSTEMMER_PATTERNS, WEBSTEMMER_AT_ONCE"
    with pytest.raises(NotConfigured, match=f"none of {needed} is set"):
        LinkinfoMiddleware.from_crawler(crawler(**values))
    assert "did you mean WEBSTEMMER_LEARNING_SET?" in caplog.text


def test_subclass_of_the_pipeline_is_a_taker() -> None:
    """A project may enable a pipeline of its own that inherits from ours."""

    class Own(PagePipeline):
        pass

    middleware = LinkinfoMiddleware.from_crawler(
        crawler(WEBSTEMMER_LEARNING_SET="a", ITEM_PIPELINES={Own: 1})
    )
    assert middleware.with_anchors


def test_disabled_is_silent() -> None:
    """If everything of ours is switched off, the middleware stays out and says nothing."""
    with pytest.raises(NotConfigured) as caught:
        LinkinfoMiddleware.from_crawler(crawler(WEBSTEMMER_ENABLED=False))
    assert caught.value.args == ()
