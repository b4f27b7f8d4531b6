"""Scrapy downloader middleware: set the charset of pages that declare none."""

from __future__ import annotations

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from .reports import said_in_a_line
from .settings import WebstemmerSettings


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
