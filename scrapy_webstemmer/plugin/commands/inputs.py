"""Inputs of commands: open, check or fetch what is read."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from scrapy.exceptions import UsageError
from w3lib.encoding import http_content_type_encoding

from ...values import Page
from ..settings import PAGE_OPTIONS, WebstemmerSettings, setting_name
from .arguments import CommandError, check_inputs, check_patterns, is_url
from .base import printable

if TYPE_CHECKING:
    from asyncio import Future

    from scrapy import Spider
    from scrapy.crawler import Crawler, CrawlerProcessBase
    from scrapy.http import Response
    from scrapy.settings import BaseSettings, Settings
    from twisted.python.failure import Failure

    from ...options import ExtractOptions
    from ...patterns.pattern_file import PatternSet
    from ...storage.source import PageSource

# --- Open the inputs of a command, and show a progress bar while they are read

#: The 2009 crawler's name for the zip member, or file, that holds the anchor texts.
LINKINFO_NAME = "linkinfo"

_NONE: Mapping[str, PageSource] = MappingProxyType({})


@contextmanager
def open_inputs(
    names: Sequence[str], linkinfo_name: str = LINKINFO_NAME, fetched: Mapping[str, PageSource] = _NONE
) -> Iterator[list[PageSource]]:
    """Open sources of pages by name, ``-`` for standard input; close them at the end.

    :param linkinfo_name: the zip member, or file, that holds the anchor texts; empty: none is read.
    :param fetched: the sources of names that are urls.
    :raises LearningSetError: a source cannot be read.
    """
    from ...storage import open_pages

    with ExitStack() as stack:
        yield [
            fetched.get(name) or stack.enter_context(open_pages(name, linkinfo_name=linkinfo_name))
            for name in names
        ]


@contextmanager
def progress(sources: Sequence[PageSource], what: str) -> Iterator[Iterable[Page]]:
    """Give the pages of all sources in order, with a progress bar if standard error is a terminal.

    The bar stays until the block ends, and log messages appear above it.
    """
    from tqdm import tqdm
    from tqdm.contrib.logging import logging_redirect_tqdm

    counts = [source.count() for source in sources] if sys.stderr.isatty() else [None]
    total = None if None in counts else sum(filter(None, counts))
    pages = (page for source in sources for page in source)
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


def split_patterns(args: Sequence[str], settings: BaseSettings | None) -> tuple[str, list[str], bool]:
    """Return the pattern file and the inputs of a command line, and whether the file is the project's.

    :param args: a pattern file and inputs. Without a pattern file, that of the project is taken.
    :raises UsageError: there is none, or what stands in its place is something else.
    """
    if not args or args[0] == "-":
        check_patterns(args)
    first, others = args[0], list(args[1:])
    kind = "" if is_url(first) else kind_of(first)
    if kind == PATTERNS:
        return first, others, False
    later = next((one for one in others if not is_url(one) and kind_of(one) == PATTERNS), None)
    if later is not None:
        raise UsageError(f"{first}: is {kind or 'no pattern file'}; the pattern file, {later}, comes first")
    if is_url(first) or (kind and kind != _ARTICLES):
        if own := _patterns_of_project(settings):
            return own, list(args), True
        where = f"{first}: give a pattern file before it" + (f", since this is {kind}" if kind else "")
        raise UsageError(f"{where}; the settings name none that is there ({setting_name('patterns')})")
    if kind:
        raise UsageError(f"{first}: is {kind}, not a pattern file; `scrapy analyze INPUT -o FILE` makes one")
    check_patterns(args)
    return first, others, False


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
    process: CrawlerProcessBase | None, inputs: Iterable[str], *, guess: bool = True
) -> dict[str, PageSource]:
    """Fetch the inputs that are urls, and return for each a source that gives its page.

    Redirects are followed.

    :param process: None: nothing is fetched.
    :param guess: whether Scrapy guesses the charset of a page that declares none; else it stays open.
    :raises CommandError: a url gives no page; the error says why.
    """
    from ...storage.source import PageAtHand  # SQLite takes time to import

    fetches = [_Fetch(url, guess) for url in dict.fromkeys(inputs) if is_url(url)]
    if process is None or not fetches:
        return {}
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
    return {fetch.url: PageAtHand(fetch.page) for fetch in fetches if fetch.page is not None}


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
