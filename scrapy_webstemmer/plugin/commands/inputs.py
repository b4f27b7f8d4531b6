"""Inputs of commands: open, check or fetch what is read."""

from __future__ import annotations

import json
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from scrapy.exceptions import UsageError
from w3lib.encoding import http_content_type_encoding

from ...values import Page
from ..crawl_arguments import is_web_url
from ..settings import PAGE_OPTIONS, WebstemmerSettings, setting_name
from .arguments import CommandError, check_inputs, fetches, is_url, lines_of
from .base import printable

if TYPE_CHECKING:
    from asyncio import Future

    from scrapy import Request, Spider
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response
    from scrapy.settings import BaseSettings, Settings
    from twisted.python.failure import Failure

    from ...options import ExtractOptions
    from ...patterns.pattern_file import PatternSet
    from ...storage.source import FetchedPages, PageSource

# --- Open the inputs of a command, and show a progress bar while they are read

#: The 2009 crawler's name for the zip member, or file, that holds the anchor texts.
LINKINFO_NAME = "linkinfo"


@contextmanager
def open_inputs(
    names: Sequence[str], linkinfo_name: str = LINKINFO_NAME, fetched: FetchedPages | None = None
) -> Iterator[list[PageSource]]:
    """Open sources of pages by name, ``-`` for standard input; close them at the end.

    :param linkinfo_name: the zip member, or file, that holds the anchor texts; empty: none is read.
    :param fetched: the pages of the names that are urls.
    :raises LearningSetError: a source cannot be read.
    """
    from ...storage import open_pages

    with ExitStack() as stack:
        opened: list[PageSource] = []
        for are_urls, some in groupby(names, is_url):
            if not are_urls:
                opened += (stack.enter_context(open_pages(one, linkinfo_name=linkinfo_name)) for one in some)
            elif fetched is not None:
                opened.append(fetched.part(list(some)))
        yield opened


def without_lists(names: Sequence[str]) -> list[str]:
    """Return inputs with the lines of each list that begins with a url in its place.

    :raises LearningSetError: a list cannot be read.
    """
    from ...errors import LearningSetError

    found: list[str] = []
    for name in names:
        if is_url(name) or not fetches(name):
            found.append(name)
            continue
        try:
            content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            raise LearningSetError(name, error.strerror or str(error)) from None
        found += lines_of(content)
    return found


@contextmanager
def progress(
    sources: Sequence[PageSource], what: str, read: Sequence[Iterable[Page]] = ()
) -> Iterator[Iterable[Page]]:
    """Give the pages of all sources in order, with a progress bar if standard error is a terminal.

    The bar stays until the block ends, and log messages appear above it.

    :param read: what gives the pages of the sources; none: the sources themselves.
    """
    from tqdm import tqdm
    from tqdm.contrib.logging import logging_redirect_tqdm

    counts = [source.count() for source in sources] if sys.stderr.isatty() else [None]
    total = None if None in counts else sum(filter(None, counts))
    pages = (page for one in read or sources for page in one)
    # The redirection would log to the terminal even with --nolog or --logfile.
    to_terminal = any(getattr(handler, "stream", None) is sys.stderr for handler in logging.root.handlers)
    redirected = logging_redirect_tqdm() if to_terminal else nullcontext()
    # tqdm's thread that watches for stalled bars would keep workers from being forked.
    tqdm.monitor_interval = 0
    with redirected, tqdm(pages, what, total, unit=" pages", leave=False, miniters=1, disable=None) as bar:
        yield bar


def note(line: str) -> None:
    """Write a line to standard error, above the progress bar if there is one."""
    from tqdm import tqdm

    tqdm.write(printable(line), file=sys.stderr)


# --- Tell what a file is that somebody has named, so that a mistake can be answered with what is right

PATTERNS = "a pattern file"
_PATTERN_FILES = (".json", ".pat")
_ARTICLES = "a file of articles"
#: The mark of a SQLite file stands here in its header.
_MARK = slice(68, 72)
_MARKS = {
    b"WSTP": PATTERNS,
    b"WSTM": "a learning set",
    b"WSTU": "a URLDB",
    b"WSTS": "a file of segments",
}
_SAMPLE = 1 << 16


def kind_of(name: str) -> str:
    """Return what a file is, in words; empty if that is unknown. Cost: its beginning is read."""
    from ...classic.pat_files import is_classic
    from ...patterns.pattern_file import CLASSIC_SUFFIX, FORMAT
    from ...storage.source import SQLITE_MAGIC, ZIP_MAGICS, looks_like_html

    try:
        if Path(name).is_dir():
            return "a folder"
        with Path(name).open("rb") as stream:
            head = stream.read(_SAMPLE)
    except (OSError, ValueError):
        return ""
    if head.startswith(SQLITE_MAGIC):
        return _MARKS.get(head[_MARK], "")
    if head.startswith(ZIP_MAGICS):
        return "a zip"
    if head.startswith(b"WARC/"):
        return "a WARC file"
    # patterns of 2009 begin like many a text, so their name counts as well
    is_old = Path(name).suffix.lower() == CLASSIC_SUFFIX and is_classic(head)
    if is_old or f'"{FORMAT}"'.encode() in head[:200]:
        return PATTERNS
    if _begins_with_article(head):
        return _ARTICLES
    return "a page" if looks_like_html(head) else ""


def _begins_with_article(head: bytes) -> bool:
    try:
        row = json.loads(head.lstrip(b"[ \r\n").partition(b"\n")[0].rstrip(b", \r"))
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {"url", "text"} <= row.keys()


def split_patterns(args: Sequence[str], settings: BaseSettings | None) -> tuple[str | None, list[str]]:
    """Return the pattern file and the inputs of a command line.

    :param args: inputs, with or without a pattern file before them. Without one, that of the project;
        if there is none, it is None.
    :raises UsageError: an input is a pattern file, or something else that has no pages.
    """
    if not args:
        raise UsageError("give at least one INPUT")
    first, others = args[0], list(args[1:])
    if is_patterns(first):
        return first, others
    later = next((one for one in others if not is_url(one) and kind_of(one) == PATTERNS), None)
    if later is not None:
        kind = "a url" if is_url(first) else kind_of(first) or "no pattern file"
        raise UsageError(f"{first}: is {kind}; the pattern file, {later}, comes first")
    own = _patterns_of_project(settings)
    if own:
        note(f"patterns: {own}, as the settings of the project say")
    return own, list(args)


def is_patterns(name: str) -> bool:
    """Return whether an argument is a pattern file, a damaged one by its name, or a resource of a package."""
    from ...patterns.stores import is_resource

    if name == "-" or is_url(name):
        return False
    if not Path(name).exists():
        return is_resource(name)
    kind = kind_of(name)
    return kind == PATTERNS or (not kind and Path(name).suffix.lower() in _PATTERN_FILES)


def _patterns_of_project(settings: BaseSettings | None) -> str | None:
    """Return the only pattern file that the project's settings name, if it is there."""
    if settings is None:
        return None
    named = WebstemmerSettings.from_settings(settings).patterns
    return named[0] if len(named) == 1 and "%(" not in named[0] and Path(named[0]).exists() else None


def check_pages(inputs: Sequence[str], *, urls: bool = False) -> None:
    """Refuse inputs that are something else than pages, and say what they are.

    :param urls: an input may be a url, which is fetched.
    :raises UsageError: an input is missing or has no pages, or standard input is named twice.
    """
    check_inputs(inputs, urls=urls)
    for name in inputs:
        if name != "-" and not is_url(name) and (kind := kind_of(name)) in (PATTERNS, _ARTICLES):
            raise UsageError(f"{name}: is {kind}, and has no pages")


# --- Fetch the pages that inputs name by url, as the project fetches pages
#
# A small crawl runs in this process, as in `scrapy fetch`: with the project's settings, middlewares and
# spiders. It stores nothing: it has no item pipelines, no feeds, no job folder, and no file of ours.

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
        from scrapy.http import HtmlResponse, XmlResponse

        if not 200 <= response.status < 300:
            self.problem = f"the server answers {response.status}"
        elif not isinstance(response, HtmlResponse):
            feed = "; `scrapy articles` crawls from feeds and sitemaps"
            self.problem = f"is not an HTML page{feed if isinstance(response, XmlResponse) else ''}"
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

        if isinstance(failure.value, HttpError):
            self.take(failure.value.response)
        else:
            self.problem = reason_of(failure.value)


def reason_of(error: BaseException | None) -> str:
    """Return why nothing came of a request, in words."""
    inner = ", ".join(str(reason.value) for reason in getattr(error, "reasons", ()) or ())
    return inner or str(error) or type(error).__name__


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
    from ...storage.source import FetchedPages  # SQLite takes time to import

    names = list(dict.fromkeys(inputs))
    fetches = [_Fetch(url, guess) for url in names if is_url(url)]
    if process is None or not fetches:
        return None, 0
    _start(process, fetches)
    run_crawls(process)
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
    from scrapy import Request
    from scrapy.utils.spider import DefaultSpider, spidercls_for_request

    parts: dict[type[Spider], list[_Fetch]] = {}
    requests = {}
    for fetch in fetches:
        try:
            request = Request(fetch.url, fetch.take, errback=fetch.fail, dont_filter=True)
        except ValueError as error:
            fetch.problem = f"is not a valid url: {error}"
            continue
        requests[fetch.url] = request
        spidercls = spidercls_for_request(process.spider_loader, request, DefaultSpider)
        parts.setdefault(spidercls, []).append(fetch)
    for spidercls, own in parts.items():
        _start_one(process, spidercls, own, [requests[fetch.url] for fetch in own])


def _start_one(
    process: CrawlerProcessBase,
    spidercls: type[Spider],
    fetches: Sequence[_Fetch],
    requests: Sequence[Request],
) -> None:
    async def start(self: Spider) -> AsyncIterator[Any]:  # noqa: ARG001 - it becomes a method
        for request in requests:
            yield request

    def fail(problem: str) -> None:
        """Take the reason why the crawl could not begin."""
        for fetch in fetches:
            fetch.problem = problem

    crawler = process.create_crawler(type(spidercls.__name__, (spidercls,), {"start": start}))
    store_nothing(crawler.settings)
    _log_as(crawler.settings)
    when_ended(process.crawl(crawler), fail)


def run_crawls(process: CrawlerProcessBase) -> None:
    """Run the crawls of a process until they have ended. After that, Ctrl-C ends the command again."""
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    process.start()
    for number, handler in handlers.items():
        if handler is not None:  # a handler that is not Python's
            signal.signal(number, handler)
    _log_as(process.settings)


def when_ended(
    running: Any, fail: Callable[[str], object], then: Callable[[], object] = lambda: None
) -> None:
    """Call a function when a crawl has ended; before that another one with the reason, if it could not begin.

    :param running: what ``CrawlerProcess.crawl`` returns: a Deferred, or a future of asyncio.
    """
    from twisted.internet.defer import Deferred

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


def _log_as(settings: Settings) -> None:
    """Log as some settings say, unless nothing is logged at all. A crawl does it only later."""
    from scrapy.utils.log import get_scrapy_root_handler, install_scrapy_root_handler

    if get_scrapy_root_handler() is not None:
        install_scrapy_root_handler(settings)


def store_nothing(settings: BaseSettings) -> None:
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


def with_stated_url(page: Page, patterns: PatternSet | None, options: ExtractOptions) -> Page:
    """Return a page from a file under the url that it states, if the pattern file knows the site."""
    from ...base.urls import site_of
    from ...classic.pat_files import ANY_SITE
    from ...reading import stated_urls

    if patterns is None or site_of(page.url):
        return page
    for url in stated_urls(page, options.encoding, options.limits):
        site = patterns.site_of(url)
        if site is not None and site.site != ANY_SITE:
            note(f"{page.name}: has the url {url}, as it states")
            return replace(page, url=url)
    return page


class PagesWithUrls:
    """The pages of a source. Those whose urls are made up from the names of files have those that they state.

    A url that several pages state, as that of a front page, is that of the first; of the others it tells only
    the host. Cost: a further parse of such a page.
    """

    def __init__(self, source: PageSource, options: ExtractOptions) -> None:
        self._source, self._options = source, options
        self._urls: dict[str, str] = {}  # by the url from the file's name
        self._given: set[str] = set()

    def __iter__(self) -> Iterator[Page]:
        made_up = self._source.made_up
        for page in self._source:
            own = made_up is not None and (urlsplit(page.url).hostname or "") == made_up
            yield replace(page, url=self._url(page), aliases=()) if own else page

    def _url(self, page: Page) -> str:
        from ...reading import stated_urls

        if page.url not in self._urls:
            stated = stated_urls(page, self._options.encoding, self._options.limits)
            url = next((one for one in stated if is_web_url(one)), page.url)
            if url in self._given:
                url = urljoin(url, f"/{quote(page.name or '')}")
            self._given.add(url)
            self._urls[page.url] = url
        return self._urls[page.url]
