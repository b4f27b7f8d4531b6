"""Scrapy downloader middleware: keep a crawl within the urls that its spider accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.http.request import NO_CALLBACK

if TYPE_CHECKING:
    from scrapy import Request, Spider


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
