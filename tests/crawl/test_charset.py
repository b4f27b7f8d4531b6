"""The default charset: which responses get it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.settings import Settings

from scrapy_webstemmer import OptionError
from scrapy_webstemmer.crawl.charset import DefaultEncodingMiddleware

REQUEST = Request("http://example.com/")
TEXT = "<p>天気は晴れ、朝は霧。</p>"


def html(body: bytes, content_type: str | None = "text/html") -> HtmlResponse:
    headers = {} if content_type is None else {"Content-Type": content_type}
    return HtmlResponse(REQUEST.url, body=body, headers=headers)


@pytest.mark.parametrize(
    "content_type", ["text/html", None, "application/xhtml+xml", "text/html; charset=x-nobody"]
)
def test_undeclared_pages_get_it(content_type: str | None) -> None:
    """A page without a charset, or with an unknown one, is decoded with the default."""
    response = html(TEXT.encode("euc-jp"), content_type)
    result = DefaultEncodingMiddleware("euc-jp").process_response(REQUEST, response)
    assert (result.text, result.encoding) == (TEXT, "euc_jp")
    assert (result.url, result.body, result.headers) == (response.url, response.body, response.headers)


@pytest.mark.parametrize(
    "response",
    [
        html(TEXT.encode(), "text/html; charset=utf-8"),
        html(b"<meta charset=utf-8>" + TEXT.encode()),
        html(b'<meta http-equiv="Content-Type" content="text/html; charset=utf-8">' + TEXT.encode()),
        html(b'<?xml version="1.0" encoding="utf-8"?>' + TEXT.encode()),
        html(TEXT.encode("utf-8-sig")),
        html(TEXT.encode("utf-16")),
        TextResponse(REQUEST.url, body=TEXT.encode()),
        Response(REQUEST.url, body=b"\x89PNG"),
    ],
)
def test_others_stay_as_they_are(response: Response) -> None:
    """Pages that declare a charset, and responses that are not pages, do not change."""
    assert DefaultEncodingMiddleware("euc-jp").process_response(REQUEST, response, spider=None) is response


@pytest.mark.parametrize(
    ("given", "used"), [("iso-8859-1", "cp1252"), ("Shift_JIS", "cp932"), ("utf8", "utf-8")]
)
def test_charsets_mean_what_they_mean_to_browsers(given: str, used: str) -> None:
    """A charset's name means the charset that browsers use for it."""
    (middleware,) = [DefaultEncodingMiddleware(given)]
    assert middleware.process_response(REQUEST, html(b"<p>\xe3\x81")).encoding == used


def crawler(**values: Any) -> Any:
    return SimpleNamespace(settings=Settings(values))


def test_from_crawler() -> None:
    """The setting gives the charset."""
    assert (
        DefaultEncodingMiddleware.from_crawler(crawler(WEBSTEMMER_DEFAULT_ENCODING="sjis")).encoding
        == "cp932"
    )
    with pytest.raises(OptionError, match="WEBSTEMMER_DEFAULT_ENCODING"):
        DefaultEncodingMiddleware.from_crawler(crawler(WEBSTEMMER_DEFAULT_ENCODING="x-nobody"))


@pytest.mark.parametrize(
    ("values", "said"),
    [({}, ("WEBSTEMMER_DEFAULT_ENCODING is not set",)), ({"WEBSTEMMER_ENABLED": False}, ())],
)
def test_stays_out(values: dict[str, Any], said: tuple[str, ...]) -> None:
    """Without the setting the middleware stays out and says so; if all is switched off, it says nothing."""
    with pytest.raises(NotConfigured) as caught:
        DefaultEncodingMiddleware.from_crawler(crawler(**values))
    assert caught.value.args == said
