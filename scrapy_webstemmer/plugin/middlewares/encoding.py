"""Scrapy downloader middleware: a charset for pages that declare none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from ..settings import WebstemmerSettings

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

__all__ = ["DefaultEncodingMiddleware"]


class DefaultEncodingMiddleware:
    """Decode HTML responses that declare no charset with a given one, instead of guessing.

    Everybody behind it gets the same text: the spider, the linkinfo, the
    learning set. Its order must be below that of HttpCompressionMiddleware
    (590), since a compressed page cannot be looked into.

    :param encoding: a charset that Python knows.
    """

    def __init__(self, encoding: str) -> None:
        self.encoding = resolve_encoding(encoding) or encoding

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DefaultEncodingMiddleware:
        """Return the middleware of a crawl.

        :raises NotConfigured: there is no default.
        :raises OptionError: it is not a charset.
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
    """Return whether a byte order mark, the transport or the page's head names a charset that is known."""
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return bool(
        read_bom(response.body)[0]
        or http_content_type_encoding(content_type)
        or html_body_declared_encoding(response.body)
    )
