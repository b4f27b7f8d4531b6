"""A spider that walks through a site, or a part of it; it takes nothing out of the pages itself."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor


class SiteSpider(scrapy.Spider):
    """Follows all links that stay on the host and under the folder where the start url leads.

    :param url: where to begin: ``https://www.example.com/news/``.
    """

    name = "site"

    def __init__(self, url: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.url = url
        self.links: LinkExtractor | None = None

    async def start(self) -> AsyncIterator[scrapy.Request]:
        yield scrapy.Request(self.url)  # not fetched again when pages link to it, as start_urls are

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        if not isinstance(response, HtmlResponse):
            return
        if self.links is None:  # the first page: its address counts, since the start url may redirect
            self.links = LinkExtractor(allow=self._folder(response.url))
        yield from response.follow_all(self.links.extract_links(response))

    @staticmethod
    def _folder(url: str) -> str:
        """Return a regular expression for the urls on the same host, in the same folder or below."""
        parts = urlsplit(url)
        return f"^https?://{re.escape(parts.netloc)}{re.escape(parts.path.rpartition('/')[0])}/"
