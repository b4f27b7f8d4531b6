"""Scrapy spider middleware: give the pages of a crawl, with their anchors, to the page pipeline."""

from __future__ import annotations

import logging
import re
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse
from scrapy.utils.gz import gunzip, gzip_magic_number

from ..base.urls import canonical_url, link_key, site_of
from ..errors import LimitError, PageError
from ..items import SEEN, SKIP, CrawledPage, is_html, page_of
from ..options import Limits
from ..page.anchors import Anchor, find_anchors
from ..page.announced import announced_by
from ..page.sources import Source, open_page
from ..values import Announcement, Page
from .page_pipeline import PagePipeline
from .reports import OwnLines, count, count_for_level, log_of, report_failure, said_in_a_line
from .scrapy_inside import is_trial, shows_results
from .settings import PAGE_OPTIONS, WebstemmerSettings, warn_of_unknown_names

logger = logging.getLogger(__name__)

#: A feed or sitemap has at most so many bytes, as its protocol says. So many pages are remembered.
LARGEST_FEED, _MOST_ANNOUNCED = 50 * 1024 * 1024, 10_000
#: Only documents with such an element say something about pages.
_FEED_ELEMENT = re.compile(rb"<(?:\w+:)?(?:item|entry|news)[\s>]")


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
    _announced: dict[str, Announcement] = field(default_factory=dict, init=False)

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
        OwnLines(crawler)
        with_anchors = bool(options.linkinfo and options.learning_set)
        return cls(crawler, with_anchors=with_anchors, limits=options.limits)

    async def process_spider_output(
        self,
        response: Response,
        result: AsyncIterator[Any],
        spider: Spider | None = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """Take the page, then yield the output of the callback."""
        article = await self._taken(response)
        if article is not None:
            yield article
        async for entry in result:
            yield entry

    async def _taken(self, response: Response) -> Any:
        """Take the page in a response; return its article if it is to go on as an item, else None."""
        page = self._page_of(response)
        pipeline = self.crawler.get_item_pipeline(PagePipeline)
        if page is None or pipeline is None:
            return None
        try:
            return await pipeline.take(page)
        except Exception as error:  # the callback's own items and requests must come in any case
            report_failure(self.crawler, "webstemmer/errors/extract", page.page.url, error)
            return None
        finally:
            page.source = None  # the page may wait to be stored; its source is much larger

    def _page_of(self, response: Response) -> CrawledPage | None:
        """Return the page in a response, if it is one. An error is logged, and the crawl goes on."""
        try:
            if reason := _ignored(response):
                feed = self._feed_of(response) if reason == "not_html" else None
                if feed is None:
                    count(self.crawler, f"webstemmer/ignored/{reason}")
                return feed
            assert isinstance(response, TextResponse)  # noqa: S101 - for the type checker
            page = self._with_announced(page_of(response))
            source = self._open(page)
            seen = str(_meta(response).get(SEEN) or "")
            return CrawledPage(page, self._anchors(source, page), response, seen, source)
        except LimitError as error:
            count(self.crawler, f"webstemmer/limits/{error.limit}")
            log_of(self.crawler, logger).warning("Skipped: %s", error)
        except Exception:
            level = count_for_level(self.crawler, "webstemmer/errors/collect", logging.WARNING)
            logger.log(level, "Cannot collect %s (later failures are at DEBUG)", response, exc_info=True)
        return None

    def _feed_of(self, response: Response) -> CrawledPage | None:
        """Return what a feed says about pages of its site; None: it is no feed, or says nothing."""
        try:
            body = unzipped(response)
        except (OSError, EOFError, ValueError):
            return None
        if not 200 <= response.status < 300 or not _FEED_ELEMENT.search(body):
            return None
        site = site_of(response.url)
        announced = {
            url: said
            for url, said in announced_by(body, response.url).pages.items()
            if any(said) and site_of(url) == site
        }
        if not announced:
            return None
        for url, said in announced.items():
            key = link_key(url)
            self._announced[key] = said.over(self._announced.get(key))
        while len(self._announced) > _MOST_ANNOUNCED:
            del self._announced[next(iter(self._announced))]
        titles = (Anchor(canonical_url(url), said.title) for url, said in announced.items() if said.title)
        anchors = tuple(titles) if self.with_anchors else ()
        count(self.crawler, "webstemmer/feeds")
        return CrawledPage(Page(response.url, b""), anchors, announced=announced)

    def _with_announced(self, page: Page) -> Page:
        """Return a page with what a feed of this crawl has said about it."""
        if not self._announced:
            return page
        announced = (self._announced.get(link_key(url)) for url in (page.url, *page.aliases))
        return replace(page, announced=next(filter(None, announced), None))

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
        # the spider's own extractor has found links, too, but it leaves some out and changes others
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
