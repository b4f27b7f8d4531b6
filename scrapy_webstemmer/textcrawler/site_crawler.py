"""Crawl a whole site, and go on where an earlier crawl of it has ended: the spider of `scrapy articles`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urljoin, urlsplit

import scrapy
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import BaseSettings
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure

from ..api import extract_in_parts
from ..base.expressions import Patience
from ..base.parts import finish
from ..crawl.reports import reason_of
from ..crawl.setting_values import limits_of, setting_name
from ..errors import WebstemmerError
from ..items import SKIP, is_html
from ..options import ExtractOptions, UrlRule, accepts
from ..pattern_files.pattern_file import PatternSet
from ..storage.sqlite import SqliteLearningSet
from ..values import Page
from .crawl_arguments import is_web_url
from .spiders import DEFAULTS, TextCrawler, has_tree

#: Scrapy's settings for this spider; those of a project and of the command line override them. A server that
#: answers slowly is asked slowly, and none is asked more than four times a second.
SITE_DEFAULTS: dict[str, Any] = {
    **DEFAULTS,
    "DEPTH_LIMIT": 0,
    "DOWNLOAD_TIMEOUT": 60,
    "DOWNLOAD_DELAY": 0.25,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": 0.25,
    "AUTOTHROTTLE_TARGET_CONCURRENCY": 2.0,
}

#: What Scrapy says of a page with more bytes than DOWNLOAD_MAXSIZE, before or after it is decompressed.
_TOO_LARGE = re.compile("download max size|DOWNLOAD_MAXSIZE")
_MORE_BYTES = (
    f"it is too large; -s '{setting_name('limits')}={{\"page_size\": 100000000}}' reads larger pages"
)

#: How the article of a stored page is read, if only its being there counts.
_TEXT_ALONE = ExtractOptions(html=False, metadata=False)


class KnownPages:
    """The pages that earlier crawls of a site have stored.

    :param path: the learning set.
    :param patterns: what was learned from it; None: nothing was.
    :param since: pages that were fetched then or later are not fetched again, whatever they are; ISO 8601.
        The crawl that fetched them has not come to its end.
    """

    def __init__(self, path: Path, patterns: PatternSet | None, since: str) -> None:
        self._learning_set = SqliteLearningSet(path, readonly=True)
        self._patterns, self._since = patterns, since

    def page(self, url: str) -> Page | None:
        """Return a stored page that need not be fetched again; None: it must be, or it is not known.

        That of an article does not change. Lists do, and lead to new articles. What cannot be read may be
        better by now.

        Cost: a look-up; the extraction of a page that is not new.
        """
        with suppress(WebstemmerError):
            page = self._learning_set.page(url)
            if page is None or (page.fetched or "") >= self._since:
                return page
            if self._patterns and finish(extract_in_parts(page, self._patterns, _TEXT_ALONE)).article:
                return page
        return None

    def close(self) -> None:
        """Close the learning set."""
        self._learning_set.close()


class SiteCrawler(TextCrawler):
    """Crawl the whole hosts of the start pages, but for what the rules leave out.

    :param known: the pages of earlier crawls; None: there are none.
    :param most_pages: the most requests that are sent; 0: any number.
    :ivar failed: for each url that gave no page, the reason.
    :ivar sent: number of requests that were sent, without those for robots.txt.
    :ivar left: number of requests that were not sent, since ``most_pages`` were.
    :ivar asked_for_password: whether a start page has a field for a password.
    """

    name = "articles"
    defaults = SITE_DEFAULTS

    def __init__(self, url: Any = "", *, known: Any = None, most_pages: Any = 0, **arguments: Any) -> None:
        super().__init__(url, **arguments)
        self.known: KnownPages | None = known
        self.most_pages = int(most_pages)
        self.failed: dict[str, str] = {}
        self.sent = self.left = 0
        self.asked_for_password = False

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Set this spider's defaults. Fetched are pages as large as those that can be read."""
        super().update_settings(settings)
        settings.set("DOWNLOAD_MAXSIZE", limits_of(settings).page_size, priority="addon")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Return the spider of a crawl, which takes known pages from where they are stored."""
        crawler.settings.set_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", KnownPagesMiddleware, 890)
        return super().from_crawler(crawler, *args, **kwargs)

    def request(self, url: str, callback: Any = None, **arguments: Any) -> scrapy.Request:
        """Return one of the spider's requests. Why it fails is noted."""
        return super().request(url, callback, errback=self.fail, **arguments)

    def fail(self, failure: Failure) -> None:
        """Note why a request gave no page."""
        request: scrapy.Request = failure.request  # type: ignore[attr-defined]
        error, url = failure.value, request.meta.get("redirect_urls", [request.url])[0]
        if isinstance(error, HttpError):
            self.failed[url] = f"the server answers {error.response.status}"
        elif _TOO_LARGE.search(str(error)):
            self.failed[url] = _MORE_BYTES
        elif not isinstance(error, AsManyAsWantedError):
            self.failed[url] = reason_of(error)

    def _skip(self, response: Response, reason: str) -> None:
        """Note why a response leads to no page, under the url that was asked for."""
        super()._skip(response, reason)
        self.failed[response.meta.get("redirect_urls", [response.url])[0]] = f"it {reason}"

    def why_nothing(self) -> str:
        """Return why the start pages gave nothing, in words; empty: no reason is known."""
        reasons = Counter(self.failed[url] for url in self.start_urls if url in self.failed)
        said = ", ".join(reasons)
        if "Forbidden by robots.txt" in said:
            return "its robots.txt forbids to crawl it; -s ROBOTSTXT_OBEY=0 does it all the same"
        if "401" in said or "403" in said or self.asked_for_password:
            login = "it asks for a login" if self.asked_for_password else said
            return f"{login}; -s WEBSTEMMER_COOKIE_FILE=cookies.txt sends the cookies of a browser"
        return said

    def parse_start(self, response: Response) -> Iterator[scrapy.Request]:
        """Follow a start page's links, and add its whole host to the area, with and without ``www.``."""
        if is_html(response):
            root = urljoin(response.url, "/")
            host = urlsplit(root).netloc
            other = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
            self.state.setdefault("hosts", []).extend([root, root.replace(host, other, 1)])
            self.asked_for_password |= has_tree(response) and bool(response.css("input[type=password]"))
        yield from super().parse_start(response)

    def _accepts(self, url: str, patience: Patience, *, anywhere: bool = False) -> bool:
        """Return whether a url is followed: it must be in the area, and the rules must accept it."""
        if not is_web_url(url):
            return False
        area: tuple[UrlRule, ...] = self._area(anywhere=anywhere)
        return accepts(area, url, patience) and accepts(self.arguments.rules, url, patience)

    def closed(self, reason: str) -> None:  # noqa: ARG002 - what Scrapy calls
        """Close the file of the known pages."""
        if self.known is not None:
            self.known.close()


class AsManyAsWantedError(IgnoreRequest):
    """A request is not sent, since as many were sent as the crawl may send."""


@dataclass(eq=False)
class KnownPagesMiddleware:
    """Scrapy downloader middleware: answer requests for known pages, and count those that are sent."""

    crawler: Crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KnownPagesMiddleware:
        """Return the middleware of a crawl."""
        return cls(crawler)

    def process_request(self, request: scrapy.Request, spider: Any = None) -> Response | None:  # noqa: ARG002
        """Return the response to a request for a known page; None: it is sent.

        :raises AsManyAsWantedError: as many requests were sent as the crawl may send.
        """
        crawl = self.crawler.spider
        if not isinstance(crawl, SiteCrawler) or request.callback is NO_CALLBACK:
            return None
        page = crawl.known.page(request.url) if crawl.known is not None else None
        if page is not None:
            request.meta[SKIP] = True  # it is stored already
            return HtmlResponse(page.url, body=page.body, encoding=page.encoding or "utf-8", request=request)
        if 0 < crawl.most_pages <= crawl.sent:
            crawl.left += 1
            raise AsManyAsWantedError("as many pages as the crawl may fetch")
        crawl.sent += 1
        return None
