"""Fetch the pages that a command's inputs name by url, as the project fetches pages.

A small crawl runs in this process, as in `scrapy fetch`: with the project's settings, downloader middlewares
and spiders. It stores nothing: it has no item pipelines, no feeds, no job folder, and no file of ours.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from w3lib.encoding import http_content_type_encoding

from ...storage.source import PageSource
from ...values import Page
from ..settings import PAGE_OPTIONS, setting_name
from .arguments import CommandError

if TYPE_CHECKING:
    from asyncio import Future

    from scrapy import Spider
    from scrapy.crawler import Crawler, CrawlerProcessBase
    from scrapy.http import Response
    from scrapy.settings import BaseSettings, Settings
    from twisted.python.failure import Failure

#: Our settings that make components fetch in another way. All others of our components only store or extract.
_FETCHING = ("cookie_file", "default_encoding")

#: Settings for a crawl that stores nothing, and whose few seconds need no remote control.
_NOTHING_ELSE: dict[str, Any] = {
    "ITEM_PIPELINES": {},
    "FEEDS": {},
    "JOBDIR": None,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
}


class _FetchedPage(PageSource):
    """A page that was fetched from the web, as a source."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.url)
        self._page = page

    def __iter__(self) -> Iterator[Page]:
        yield self._page

    def count(self) -> int:
        return 1


@dataclass
class _Fetch:
    """One url, and what came of it: a page, or the problem.

    :param guess: whether Scrapy guesses the charset of a page that declares none.
    """

    url: str
    guess: bool = True
    page: Page | None = None
    problem: str = "no request was sent: the project's spider or one of its middlewares held it back"

    def take(self, response: Response) -> None:
        """Take the response."""
        from scrapy.http import HtmlResponse

        if not 200 <= response.status < 300:
            self.problem = f"the server answers {response.status}"
        elif not isinstance(response, HtmlResponse):
            self.problem = "is not an HTML page"
        else:
            self.page = Page(
                url=urldefrag(response.url).url,
                body=response.body,
                encoding=response.encoding if self.guess else _declared_encoding(response),
                fetched=datetime.now(UTC).isoformat(timespec="seconds"),
                aliases=tuple(response.meta.get("redirect_urls", ())),
            )

    def fail(self, failure: Failure) -> None:
        """Take the reason why there is no response."""
        from scrapy.spidermiddlewares.httperror import HttpError

        error = failure.value
        if isinstance(error, HttpError):
            self.take(error.response)
        else:
            inner = ", ".join(str(reason.value) for reason in getattr(error, "reasons", ()) or ())
            self.problem = inner or str(error) or type(error).__name__

    def end(self, crawl: Future[None]) -> None:
        """Take the reason why the crawl could not begin, if there is one."""
        error = None if crawl.cancelled() else crawl.exception()
        if error is not None:
            self.problem = str(error) or type(error).__name__


def fetch_pages(
    process: CrawlerProcessBase, urls: Iterable[str], *, guess: bool = True
) -> dict[str, PageSource]:
    """Fetch some urls, and return for each a source that gives its page. Redirects are followed.

    :param guess: whether Scrapy guesses the charset of a page that declares none; else it stays open.
    :raises CommandError: a url gives no page; the error says why.
    """
    fetches = [_Fetch(url, guess) for url in dict.fromkeys(urls)]
    for fetch in fetches:
        try:
            _start(process, fetch)
        except ValueError as error:
            raise CommandError(f"{fetch.url}: is not a valid url: {error}") from None
    process.start()
    _log_as(process.settings)
    for fetch in fetches:
        if fetch.page is None:
            raise CommandError(f"{fetch.url}: {fetch.problem}")
    return {fetch.url: _FetchedPage(fetch.page) for fetch in fetches if fetch.page is not None}


def _declared_encoding(response: Response) -> str | None:
    """Return the charset that the server declares."""
    value = response.headers.get("Content-Type") or b""
    return http_content_type_encoding(value.decode("latin-1"))


def _start(process: CrawlerProcessBase, fetch: _Fetch) -> None:
    """Begin the crawl that fetches a url, by the spider of the project that is responsible for its host."""
    from scrapy import Request
    from scrapy.utils.spider import DefaultSpider, spidercls_for_request

    request = Request(fetch.url, fetch.take, errback=fetch.fail, dont_filter=True)
    spidercls = spidercls_for_request(process.spider_loader, request, DefaultSpider)

    async def start(self: Spider) -> AsyncIterator[Any]:  # noqa: ARG001 - it becomes a method
        yield request

    crawler = process.create_crawler(type(spidercls.__name__, (spidercls,), {"start": start}))
    _store_nothing(crawler.settings)
    _log_as(crawler.settings)
    _crawl(process, crawler, fetch)


def _log_as(settings: Settings) -> None:
    """Log as some settings say, unless nothing is logged at all. A crawl does it only later."""
    from scrapy.utils.log import get_scrapy_root_handler, install_scrapy_root_handler

    if get_scrapy_root_handler() is not None:
        install_scrapy_root_handler(settings)


def _crawl(process: CrawlerProcessBase, crawler: Crawler, fetch: _Fetch) -> None:
    """Let the process run a crawl. If the crawl cannot begin, this is the reason why there is no page."""
    from twisted.internet.defer import Deferred

    running: Any = process.crawl(crawler)
    if isinstance(running, Deferred):
        running.addErrback(fetch.fail)
    else:
        running.add_done_callback(fetch.end)


def _store_nothing(settings: BaseSettings) -> None:
    """Change a crawl's settings, also those that the spider sets, so that it only fetches.

    Scrapy's log is shown only if the project or the command line sets its level: the command itself says in
    one line why a page could not be fetched.
    """
    from scrapy.settings import SETTINGS_PRIORITIES

    changes: dict[str, Any] = {setting_name(name): None for name in (*PAGE_OPTIONS, "learn", "urldb")}
    if not any(settings.get(setting_name(name)) for name in _FETCHING):
        changes[setting_name("enabled")] = False
    if (settings.getpriority("LOG_LEVEL") or 0) <= SETTINGS_PRIORITIES["command"]:
        changes["LOG_LEVEL"] = "CRITICAL"
    settings.setdict(changes | _NOTHING_ELSE, priority="cmdline")
