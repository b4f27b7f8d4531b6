"""Fetch the pages that inputs of commands name by url, and run the crawls of a command.

A small crawl runs in this process, as in `scrapy fetch`: with the project's settings, middlewares and
spiders. It stores nothing: it has no item pipelines, no feeds, no job folder, and no file of ours.
"""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from scrapy import Request, Spider, signals
from scrapy.http import Response, XmlResponse
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings
from scrapy.utils.log import get_scrapy_root_handler, install_scrapy_root_handler
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from twisted.internet.defer import Deferred
from w3lib.encoding import http_content_type_encoding

from ..crawl.reports import reason_of
from ..crawl.setting_values import setting_name
from ..crawl.settings import PAGE_OPTIONS
from ..items import is_html, page_of
from ..values import Page
from .arguments import CommandError
from .base import ended_by
from .inputs import is_url, note

if TYPE_CHECKING:
    from asyncio import Future

    from scrapy.crawler import CrawlerProcessBase
    from twisted.python.failure import Failure

    from ..storage.source import FetchedPages

#: Our settings that make components fetch in another way. All others of our components only store or extract.
_FETCHING = ("cookie_file", "default_encoding")

#: The priority of the settings that a command must have. From Scrapy 2.19 on, those of the command line are
#: set once more when a crawl begins.
OF_COMMAND = SETTINGS_PRIORITIES["cmdline"] + 10

#: Settings for a crawl that stores nothing, and whose few seconds need no remote control.
_NOTHING_ELSE: dict[str, Any] = {
    "ITEM_PIPELINES": {},
    "FEEDS": {},
    "JOBDIR": None,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
}


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

        if not 200 <= response.status < 300:
            self.problem = f"the server answers {response.status}"
        elif not is_html(response):
            feed = "; `scrapy articles` crawls from feeds and sitemaps"
            self.problem = f"is not an HTML page{feed if isinstance(response, XmlResponse) else ''}"
        else:
            page = page_of(response)
            self.page = page if self.guess else replace(page, encoding=_declared_encoding(response))

    def fail(self, failure: Failure) -> None:
        """Take the reason why there is no response."""
        from scrapy.spidermiddlewares.httperror import HttpError

        if isinstance(failure.value, HttpError):
            self.take(failure.value.response)
        else:
            self.problem = reason_of(failure.value)


def fetch_pages(
    process: CrawlerProcessBase | None, inputs: Iterable[str], *, guess: bool = True
) -> tuple[FetchedPages | None, int]:
    """Fetch the inputs that are urls; return a source of their pages, and the number of those without a page.

    Redirects are followed. A url without a page is named on standard error. The source is None if there are
    no urls.

    :param process: None: nothing is fetched.
    :param guess: whether Scrapy guesses the charset of a page that declares none; else it stays open.
    :raises CommandError: there are only urls, and none gives a page.
    """
    from ..storage.source import FetchedPages  # SQLite takes time to import

    names = list(dict.fromkeys(inputs))
    fetches = [_Fetch(url, guess) for url in names if is_url(url)]
    if process is None or not fetches:
        return None, 0
    _start(process, fetches)
    if number := run_crawls(process):
        raise ended_by(number)
    pages = FetchedPages([fetch.url for fetch in fetches])
    failed = [fetch for fetch in fetches if fetch.page is None]
    if len(names) == len(failed) == 1:
        raise CommandError(f"{failed[0].url}: {failed[0].problem}")
    for fetch in fetches:
        if fetch.page is None:
            note(f"not read: {fetch.url}: {fetch.problem}")
        else:
            pages.take(fetch.url, fetch.page)
    if len(failed) == len(names):
        raise CommandError(f"none of {len(fetches):,} urls gives a page")
    return pages, len(failed)


def _declared_encoding(response: Response) -> str | None:
    """Return the charset that the server declares."""
    value = response.headers.get("Content-Type") or b""
    return http_content_type_encoding(value.decode("latin-1"))


def _start(process: CrawlerProcessBase, fetches: Iterable[_Fetch]) -> None:
    """Begin the crawls that fetch urls, each by the spider of the project that is responsible for it."""

    parts: dict[type[Spider], list[tuple[_Fetch, Request]]] = {}
    for fetch in fetches:
        try:
            request = Request(fetch.url, fetch.take, errback=fetch.fail, dont_filter=True)
        except ValueError as error:
            fetch.problem = f"is not a valid url: {error}"
            continue
        spidercls = spidercls_for_request(process.spider_loader, request, DefaultSpider)
        parts.setdefault(spidercls, []).append((fetch, request))
    for spidercls, part in parts.items():
        _start_one(process, spidercls, part)


def _start_one(
    process: CrawlerProcessBase, spidercls: type[Spider], part: Sequence[tuple[_Fetch, Request]]
) -> None:
    async def start(self: Spider) -> AsyncIterator[Any]:  # noqa: ARG001 - it becomes a method
        for _, request in part:
            yield request

    def fail(problem: str) -> None:
        """Take the reason why the crawl could not begin."""
        for fetch, _ in part:
            fetch.problem = problem

    crawler = process.create_crawler(type(spidercls.__name__, (spidercls,), {"start": start}))
    store_nothing(crawler.settings)
    when_ended(process.crawl(crawler), fail)


def run_crawls(process: CrawlerProcessBase) -> int:
    """Run the crawls of a process until they have ended. After that, Ctrl-C ends the command again.

    The first signal lets Scrapy end the crawls when the pages on the way are there, and says so. That holds
    for SIGHUP, too, of which Scrapy knows nothing: an exception among its callbacks would not end them.

    :returns: the number of the signal; 0: none came.
    """
    names = ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    came: list[int] = []

    def listen() -> None:
        end = cast("Callable[[int, Any], object]", signal.getsignal(signal.SIGTERM))  # Scrapy has set it

        def take(number: int, frame: Any) -> None:
            came.append(number)
            end(number, frame)
            note("waiting for the pages that are on the way; the same once more ends the crawl at once")

        for number in numbers if not came else ():
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, take)

    for crawler in list(process.crawlers)[:1]:
        crawler.signals.connect(listen, signals.spider_opened, weak=False)
    process.start()
    for number, handler in handlers.items():
        if handler is not None:  # a handler that is not Python's
            signal.signal(number, handler)
    _log_as(process.settings)
    return came[0] if came else 0


def when_ended(
    running: Any, fail: Callable[[str], object], then: Callable[[], object] = lambda: None
) -> None:
    """Call a function when a crawl has ended; before that another one with the reason, if it could not begin.

    :param running: what ``CrawlerProcess.crawl`` returns: a Deferred, or a future of asyncio.
    """

    if isinstance(running, Deferred):
        deferred: Any = running
        deferred.addErrback(lambda failure: fail(reason_of(failure.value)))
        deferred.addCallback(lambda _: then())
        return

    def end(crawl: Future[None]) -> None:
        error = None if crawl.cancelled() else crawl.exception()
        if error is not None:
            fail(reason_of(error))
        then()

    running.add_done_callback(end)


def _log_as(settings: Any) -> None:
    """Log as some settings say, unless nothing is logged at all. A crawl does it only later."""

    if get_scrapy_root_handler() is not None:
        install_scrapy_root_handler(settings)


def store_nothing(settings: BaseSettings) -> None:
    """Change a crawl's settings, also those that the spider sets, so that it only fetches.

    Scrapy's log is shown only if the project or the command line sets its level: the command itself says in
    one line why a page could not be fetched.
    """

    changes: dict[str, Any] = {setting_name(name): None for name in (*PAGE_OPTIONS, "learn", "urldb")}
    if not any(settings.get(setting_name(name)) for name in _FETCHING):
        changes[setting_name("enabled")] = False
    if (settings.getpriority("LOG_LEVEL") or 0) <= SETTINGS_PRIORITIES["command"]:
        changes["LOG_LEVEL"] = "CRITICAL"
    settings.setdict(changes | _NOTHING_ELSE, priority=OF_COMMAND)
    _log_as(settings)
