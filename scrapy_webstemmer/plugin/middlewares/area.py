"""Scrapy downloader middleware: keeps a crawl within the urls that its spider accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.http.request import NO_CALLBACK

if TYPE_CHECKING:
    from scrapy import Request, Spider

__all__ = ["AreaMiddleware"]


class _WithArea(Protocol):
    def accepts(self, url: str) -> bool: ...


class AreaMiddleware(OffsiteMiddleware):
    """Scrapy's offsite middleware for a spider that says itself which urls it ``accepts``.

    So a redirect that leads out of the crawl's area ends there: nothing is
    fetched, nothing stored. As ever, requests with ``dont_filter`` or the meta
    key ``allow_offsite`` pass; so do those that no spider waits for (robots.txt).
    """

    def should_follow(self, request: Request, spider: Spider | _WithArea) -> bool:
        """Return whether the spider accepts the request's url."""
        return request.callback is NO_CALLBACK or spider.accepts(request.url)  # type: ignore[union-attr]
