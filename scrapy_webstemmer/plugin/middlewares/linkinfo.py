"""Scrapy spider middleware: give the pages of a crawl, with their anchors, to the page pipeline."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from scrapy.exceptions import NotConfigured
from scrapy.http import TextResponse

from ...base.limits import Limits
from ...blocks.anchors import Anchor, find_anchors
from ...blocks.sources import Source, open_page
from ...errors import LimitError, PageError
from ...items import CrawledPage, is_html
from ...values.pages import Page
from ..log_counts import OwnLines
from ..meta_keys import SEEN, SKIP
from ..pipeline import PagePipeline
from ..reports import count, report_failure, said_in_a_line
from ..settings import PAGE_OPTIONS, WebstemmerSettings, warn_of_unknown_names
from ..trial import is_trial, shows_results

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class LinkinfoMiddleware:
    """Give every HTML page that a callback gets to the crawl's :class:`PagePipeline`.

    A page is taken before the callback's output: the callback may yield nothing, fail half way, or
    change the response's tree.

    Give it an order below those of all other spider middlewares. They then see no article that goes on as
    an item, and a middleware that is not asynchronous gets the output as the callback gave it.
    """

    crawler: Crawler
    with_anchors: bool = True
    limits: Limits = field(default_factory=Limits)
    _warned: bool = field(default=False, init=False)
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
                count(self.crawler, f"webstemmer/ignored/{reason}")
                return None
            assert isinstance(response, TextResponse)  # noqa: S101 - for the type checker
            page = _page(response)
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
