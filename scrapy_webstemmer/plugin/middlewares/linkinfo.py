"""Scrapy spider middleware: turn responses into page items."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from ...base.limits import Limits
from ...blocks.anchors import Anchor, find_anchors
from ...blocks.bounds import check_page, check_text, check_tree
from ...errors import LimitError
from ...items import PageItem, tree_of
from ...values import Page
from ..pipeline import PagePipeline
from ..reports import count
from ..settings import PAGE_OPTIONS, WebstemmerSettings, warn_of_unknown_names

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

__all__ = ["LinkinfoMiddleware"]

logger = logging.getLogger(__name__)

#: Request meta key: True: the response gives no page item.
SKIP = "webstemmer_skip"

#: Request meta key: what an earlier crawl has stored for the url, ``page`` or ``article``.
SEEN = "webstemmer_seen"


class LinkinfoMiddleware:
    """Put one page item in front of the output of every callback that gets an HTML page.

    The item comes first, so that it exists whatever the callback does. A callback may yield nothing, fail
    half way, or change the response's tree after its first item.

    Give it a small order above HttpErrorMiddleware's 50. The project's own middlewares then never see a page
    item.
    """

    def __init__(
        self,
        crawler: Crawler,
        *,
        with_anchors: bool = True,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self.crawler = crawler
        self.limits = limits
        self.with_anchors = with_anchors
        self._warned = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LinkinfoMiddleware:
        """Return the middleware of a crawl.

        :raises NotConfigured: no setting needs pages, or no pipeline takes them.
        """
        options = WebstemmerSettings.from_crawler(crawler, *PAGE_OPTIONS)
        warn_of_unknown_names(crawler.settings)
        if not PagePipeline.is_in(crawler.settings):
            raise NotConfigured("no pipeline takes the page items: PagePipeline is not in ITEM_PIPELINES")
        with_anchors = bool(options.linkinfo and (options.learning_set or options.segments))
        return cls(crawler, with_anchors=with_anchors, limits=options.limits)

    def process_spider_output(
        self,
        response: Response,
        result: Iterable[Any],
        spider: Spider | None = None,  # noqa: ARG002
    ) -> Iterator[Any]:
        """Yield the response's page item, then the output of the callback."""
        yield from self._page_items(response)
        yield from result

    async def process_spider_output_async(
        self,
        response: Response,
        result: AsyncIterator[Any],
        spider: Spider | None = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """Yield the response's page item, then the output of the callback."""
        for item in self._page_items(response):
            yield item
        async for entry in result:
            yield entry

    def _page_items(self, response: Response) -> list[PageItem]:
        """Return the page item of a response, if it has one. An error is logged, and the crawl goes on."""
        try:
            if reason := _ignored(response):
                count(self.crawler, f"webstemmer/ignored/{reason}")
                return []
            assert isinstance(response, HtmlResponse)  # noqa: S101 - for the type checker
            page = _page(response)
            check_page(page, self.limits)
            check_text(page.url, response.text, self.limits)
            seen = str(_meta(response).get(SEEN) or "")
            return [PageItem(page, self._anchors(response, page), response, seen)]
        except LimitError as error:
            count(self.crawler, f"webstemmer/limits/{error.limit}")
            logger.warning("Skipped: %s", error, extra={"spider": self.crawler.spider})
            return []
        except Exception:
            count(self.crawler, "webstemmer/errors/collect")
            level = logging.DEBUG if self._warned else logging.WARNING
            self._warned = True
            logger.log(level, "Cannot collect %s (later failures are at DEBUG)", response, exc_info=True)
            return []

    def _anchors(self, response: HtmlResponse, page: Page) -> tuple[Anchor, ...]:
        if not self.with_anchors:
            return ()
        root = tree_of(response)
        if root is None:
            return ()
        check_tree(page.url, root, self.limits)
        anchors, broken = find_anchors(root, page, self.limits)
        if broken:
            count(self.crawler, "webstemmer/broken_urls", broken)
        return anchors


def _meta(response: Response) -> dict[str, Any]:
    return response.request.meta if response.request else {}


def _ignored(response: Response) -> str | None:
    """Return why a response gives no page item, or None if it is a page."""
    if _meta(response).get(SKIP):
        return "skipped"
    if not isinstance(response, HtmlResponse):
        return "not_html"
    if not 200 <= response.status < 300:
        return "status"
    if not response.body.strip():
        return "empty"
    return None


def _page(response: HtmlResponse) -> Page:
    return Page(
        url=urldefrag(response.url).url,  # some of Scrapy's download handlers keep the fragment
        body=response.body,
        encoding=response.encoding,
        fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        aliases=tuple(_meta(response).get("redirect_urls", ())),
    )
