"""Middlewares: linkinfo and pages for the pipeline, cookies, the default charset, the area of a crawl."""

from __future__ import annotations

import io
import logging
import re
import time
import zlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.cookiejar import Cookie, DefaultCookiePolicy, MozillaCookieJar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urldefrag

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, TextResponse
from scrapy.http.cookies import CookieJar
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.gz import gunzip, gzip_magic_number
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from ..base.urls import canonical_url, link_key, site_of
from ..errors import LimitError, OptionError, PageError
from ..html.anchors import Anchor, find_anchors
from ..html.announced import announced_by
from ..html.sources import Source, open_page
from ..items import CrawledPage, is_html
from ..options import Limits
from ..values import Announcement, Page
from .page_pipeline import PagePipeline
from .reports import SEEN, SKIP, OwnLines, count, report_failure, said_in_a_line
from .scrapy_internals import is_trial, shows_results
from .settings import PAGE_OPTIONS, WebstemmerSettings, path_of, setting_name, warn_of_unknown_names

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response


# --- Scrapy downloader middleware: keep a crawl within the urls that its spider accepts


class _WithArea(Protocol):
    def accepts(self, url: str) -> bool: ...


class AreaMiddleware(OffsiteMiddleware):
    """Drop requests for urls that the spider does not accept.

    This is Scrapy's offsite middleware, but it asks the spider's method ``accepts``. A redirect out of the
    crawl's area therefore ends there: its target is neither fetched nor stored. As in Scrapy, requests with
    ``dont_filter`` or the meta key ``allow_offsite`` pass. So do requests without a callback of the spider,
    such as that for robots.txt.
    """

    def should_follow(self, request: Request, spider: Spider | _WithArea) -> bool:
        """Return whether the spider accepts the request's url."""
        return request.callback is NO_CALLBACK or spider.accepts(request.url)  # type: ignore[union-attr]


# --- Scrapy downloader middleware: set the charset of pages that declare none


class DefaultEncodingMiddleware:
    """Decode HTML responses that declare no charset with a given one, instead of guessing.

    So the spider, the linkinfo and the learning set all get the same text. The middleware's order must be
    below that of HttpCompressionMiddleware (590), because the head of a compressed page cannot be read.

    :param encoding: a charset that Python knows.
    """

    def __init__(self, encoding: str) -> None:
        self.encoding = resolve_encoding(encoding) or encoding

    @classmethod
    @said_in_a_line
    def from_crawler(cls, crawler: Crawler) -> DefaultEncodingMiddleware:
        """Return the middleware of a crawl.

        :raises NotConfigured: no default charset is set.
        :raises OptionError: the default is not a known charset.
        """
        options = WebstemmerSettings.from_crawler(crawler, "default_encoding")
        return cls(str(options.default_encoding))

    def process_response(
        self,
        request: Request,  # noqa: ARG002
        response: Response,
        spider: Spider | None = None,  # noqa: ARG002
    ) -> Response:
        """Return the response, with the default charset if it needs one."""
        if not isinstance(response, HtmlResponse) or _declares_encoding(response):
            return response
        return response.replace(encoding=self.encoding)


def _declares_encoding(response: HtmlResponse) -> bool:
    """Return whether a byte order mark, the HTTP headers or the page's head names a known charset."""
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return bool(
        read_bom(response.body)[0]
        or http_content_type_encoding(content_type)
        or html_body_declared_encoding(response.body)
    )


logger = logging.getLogger(__name__)

# --- Scrapy downloader middleware: send the cookies of a ``cookies.txt``

_HTTP_ONLY = "#HttpOnly_"  # curl's mark; to a crawler such a cookie is like any other
_FIRST_LINE = "# Netscape HTTP Cookie File\n"  # Python's reader requires it; many files lack it
_WANTED = (
    "a cookie has 7 columns with tabs between them: domain, TRUE or FALSE, path, TRUE or FALSE, seconds "
    "since 1970 or 0, name, value; none may hold control characters"
)
_TEXT, _FLAG = r"[^\x00-\x1f\x7f]", " *(TRUE|FALSE) *"
#: The columns of a line. If the value is empty, an editor may have removed the last tab.
_LINE = re.compile(
    rf" *(\.?)((?![. ]){_TEXT}++)\t{_FLAG}\t({_TEXT}*)\t{_FLAG}\t({_TEXT}*)\t({_TEXT}*)(?:\t({_TEXT}*))?",
    re.IGNORECASE,
)


class CookieFileMiddleware(CookiesMiddleware):
    """Scrapy's cookies middleware, with jars that start with the cookies of a file.

    It replaces the built-in middleware. Cookies that the site sets are kept during the crawl, as usual;
    nothing is written back to the file. A cookie without a domain is sent only to the host that set it, as
    browsers do.

    :param debug: log the cookies that are sent and received.
    :param cookies: the cookies that each jar starts with.
    """

    def __init__(self, debug: bool = False, cookies: Iterable[Cookie] = ()) -> None:
        super().__init__(debug)
        self.cookies = tuple(cookies)
        self.jars = defaultdict(self._new_jar)

    @classmethod
    @said_in_a_line
    def from_crawler(cls, crawler: Crawler) -> CookieFileMiddleware:
        """Return the middleware of a crawl.

        :raises NotConfigured: no cookie file is set.
        :raises OptionError: the file cannot be read, or cookies are switched off.
        """
        options = WebstemmerSettings.from_crawler(crawler, "cookie_file")
        cookie_file = str(options.cookie_file)
        if not crawler.settings.getbool("COOKIES_ENABLED"):
            reason = "no cookie is sent while COOKIES_ENABLED is False"
            raise OptionError(setting_name("cookie_file"), cookie_file, reason)
        middleware = super().from_crawler(crawler)
        path = path_of(crawler, cookie_file, options.timestamp)
        middleware.cookies = tuple(load_cookies(path))
        logger.info("%s: %d cookies that have not expired", path, len(middleware.cookies))
        return middleware

    def _new_jar(self) -> CookieJar:
        jar = CookieJar(DefaultCookiePolicy(strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain))
        for cookie in self.cookies:
            jar.set_cookie(cookie)
        return jar


def load_cookies(path: Path) -> list[Cookie]:
    """Return the cookies of a file that have not expired.

    :raises OptionError: the file cannot be read; the error names the setting and the file, never a cookie's
        value.
    """
    try:
        cookies = list(read_cookies(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise OptionError(setting_name("cookie_file"), str(path), error.strerror or "unreadable") from None
    except UnicodeDecodeError:
        raise OptionError(setting_name("cookie_file"), str(path), "is not UTF-8 text") from None
    except ValueError as error:
        raise OptionError(setting_name("cookie_file"), str(path), str(error)) from None
    return [cookie for cookie in cookies if not cookie.is_expired(int(time.time()))]


def read_cookies(text: str) -> Iterator[Cookie]:
    """Yield the cookies of a Mozilla (Netscape) ``cookies.txt``, expired ones too.

    A line has seven columns with tabs between them: domain, whether its subdomains get the cookie, path,
    whether it is for https only, when it expires, name, value. The time of expiry is in seconds since 1970;
    an empty column, 0 or less means the end of the session.

    :raises ValueError: a line is not a cookie; the message has the line's number, but nothing of its content.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r").removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield _cookie(_tidied(line))
        except (ValueError, OverflowError):  # their messages may show the line
            raise ValueError(f"line {number}: {_WANTED}") from None


def _cookie(line: str) -> Cookie:
    """Return the cookie that Python's own reader finds in a line.

    Its public method ``load`` opens a file, in the charset of the system. To use it, we would have to write
    the tidied lines, with their secrets, to the disk. So we call the method behind it, which takes a stream.
    """
    jar: Any = MozillaCookieJar()
    jar._really_load(io.StringIO(f"{_FIRST_LINE}{line}\n"), "", ignore_discard=True, ignore_expires=True)
    cookie: Cookie
    (cookie,) = jar
    if cookie.value is None:  # the jar takes a cookie without a name for one without a value
        cookie.name, cookie.value = "", cookie.name
    return cookie


def _tidied(line: str) -> str:
    """Return a line in the form that Python's reader expects.

    That reader shows a cookie that it refuses, for example a cookie for subdomains whose domain does not
    begin with a dot. It reads ``true`` as ``FALSE``, and 0 as a time in 1970.
    """
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError
    dot, host, subdomains, path, secure, expires, name, value = match.groups(default="")
    host = host.rstrip(" ")
    if "." not in host and ":" not in host:
        host += ".local"  # as Python's jars do with hosts of one word, such as localhost
    dot = "." if subdomains.upper() == "TRUE" else dot
    seconds = int(float(expires.strip() or 0))
    expires = str(seconds) if seconds > 0 else ""
    subdomains = "TRUE" if dot else "FALSE"
    return "\t".join((dot + host.lower(), subdomains, path or "/", secure.upper(), expires, name, value))


# --- Scrapy spider middleware: give the pages of a crawl, with their anchors, to the page pipeline


#: A feed or sitemap has at most so many bytes, as its protocol says. So many pages are remembered.
LARGEST_FEED, _MOST_ANNOUNCED = 50 * 1024 * 1024, 10_000
#: Only documents with such an element say something about pages.
_FEED = re.compile(rb"<(?:\w+:)?(?:item|entry|news)[\s>]")


def unzipped(response: Response) -> bytes:
    """Return a response's body, which may be that of a file with gzip.

    :raises OSError: it is damaged, as with EOFError and ValueError.
    :raises ValueError: it has more than :data:`LARGEST_FEED` bytes.
    """
    if not gzip_magic_number(response):
        return response.body
    try:
        return gunzip(response.body, max_size=LARGEST_FEED)
    except zlib.error as error:
        raise OSError(str(error)) from None


@dataclass(eq=False)
class LinkinfoMiddleware:
    """Give every HTML page that a callback gets to the crawl's :class:`PagePipeline`, and every feed.

    A page is taken before the callback's output: the callback may yield nothing, fail half way, or
    change the response's tree.

    What a feed or a sitemap of news says about pages of its site goes with these pages.

    Give it an order below those of all other spider middlewares. They then see no article that goes on as
    an item, and a middleware that is not asynchronous gets the output as the callback gave it.
    """

    crawler: Crawler
    with_anchors: bool = True
    limits: Limits = field(default_factory=Limits)
    _warned: bool = field(default=False, init=False)
    _announced: dict[str, Announcement] = field(default_factory=dict, init=False)
    _own_lines: OwnLines | None = field(default=None, init=False)

    @classmethod
    @said_in_a_line
    def from_crawler(cls, crawler: Crawler) -> LinkinfoMiddleware:
        """Return the middleware of a crawl.

        :raises NotConfigured: no setting needs pages, or no pipeline takes them.
        """
        options = WebstemmerSettings.from_crawler(crawler, *PAGE_OPTIONS)
        if is_trial(crawler) and not shows_results(crawler):
            raise NotConfigured
        warn_of_unknown_names(crawler.settings)
        if not PagePipeline.is_in(crawler.settings):
            raise NotConfigured("no pipeline takes the pages: PagePipeline is not in ITEM_PIPELINES")
        with_anchors = bool(options.linkinfo and (options.learning_set or options.segments))
        middleware = cls(crawler, with_anchors=with_anchors, limits=options.limits)
        middleware._own_lines = OwnLines(crawler)
        return middleware

    async def process_spider_output(
        self,
        response: Response,
        result: AsyncIterator[Any],
        spider: Spider | None = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """Take the page, then yield the output of the callback."""
        page = self._page_of(response)
        pipeline = self.crawler.get_item_pipeline(PagePipeline)
        if page is not None and pipeline is not None:
            article = None
            try:
                article = await pipeline.take(page)
            except Exception as error:  # the callback's own items and requests must come in any case
                report_failure(self.crawler, "webstemmer/errors/extract", page.page.url, error)
            if article is not None:
                yield article
        async for entry in result:
            yield entry

    def _page_of(self, response: Response) -> CrawledPage | None:
        """Return the page in a response, if it is one. An error is logged, and the crawl goes on."""
        try:
            if reason := _ignored(response):
                feed = self._feed_of(response) if reason == "not_html" else None
                if feed is None:
                    count(self.crawler, f"webstemmer/ignored/{reason}")
                return feed
            assert isinstance(response, TextResponse)  # noqa: S101 - for the type checker
            page = self._with_announced(_page(response))
            source = self._open(page)
            seen = str(_meta(response).get(SEEN) or "")
            return CrawledPage(page, self._anchors(source, page), response, seen, source)
        except LimitError as error:
            count(self.crawler, f"webstemmer/limits/{error.limit}")
            logger.warning("Skipped: %s", error, extra={"spider": self.crawler.spider})
        except Exception:
            count(self.crawler, "webstemmer/errors/collect")
            level = logging.DEBUG if self._warned else logging.WARNING
            self._warned = True
            logger.log(level, "Cannot collect %s (later failures are at DEBUG)", response, exc_info=True)
        return None

    def _feed_of(self, response: Response) -> CrawledPage | None:
        """Return what a feed says about pages of its site; None: it is no feed, or says nothing."""
        try:
            body = unzipped(response)
        except (OSError, EOFError, ValueError):
            return None
        if not 200 <= response.status < 300 or not _FEED.search(body):
            return None
        site = site_of(response.url)
        said = {url: one for url, one in announced_by(body, response.url).pages.items() if any(one)}
        own = {url: one for url, one in said.items() if site_of(url) == site}
        for url, one in own.items():
            key = link_key(url)
            self._announced[key] = one.over(self._announced.get(key))
        while len(self._announced) > _MOST_ANNOUNCED:
            del self._announced[next(iter(self._announced))]
        titles = (Anchor(canonical_url(url), one.title) for url, one in own.items() if one.title)
        anchors = tuple(titles) if self.with_anchors else ()
        if not own:
            return None
        count(self.crawler, "webstemmer/feeds")
        return CrawledPage(Page(response.url, b""), anchors, announced=own)

    def _with_announced(self, page: Page) -> Page:
        """Return a page with what a feed of this crawl has said about it."""
        if not self._announced:
            return page
        found = (self._announced.get(link_key(url)) for url in (page.url, *page.aliases))
        return replace(page, announced=next(filter(None, found), None))

    def _open(self, page: Page) -> Source | None:
        """Return a page open for reading; None if it is a binary file, from which only extraction turns."""
        try:
            return open_page(page, None, self.limits)
        except LimitError:
            raise
        except PageError:
            return None

    def _anchors(self, source: Source | None, page: Page) -> tuple[Anchor, ...]:
        if source is None or not self.with_anchors:
            return ()
        anchors, broken = find_anchors(source, page, self.limits)
        if broken:
            count(self.crawler, "webstemmer/broken_urls", broken)
        return anchors


def _meta(response: Response) -> dict[str, Any]:
    return response.request.meta if response.request else {}


def _ignored(response: Response) -> str | None:
    """Return why a response is not taken, or None if it is a page."""
    if _meta(response).get(SKIP):
        return "skipped"
    if not is_html(response):
        return "not_html"
    if not 200 <= response.status < 300:
        return "status"
    if not response.body.strip():
        return "empty"
    return None


def _page(response: TextResponse) -> Page:
    return Page(
        url=urldefrag(response.url).url,  # some of Scrapy's download handlers keep the fragment
        body=response.body,
        encoding=response.encoding,
        fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        aliases=tuple(_meta(response).get("redirect_urls", ())),
    )
