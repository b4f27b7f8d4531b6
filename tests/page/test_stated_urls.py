"""The url that a saved page states."""

from __future__ import annotations

import pytest

from scrapy_webstemmer import Limits, Page
from scrapy_webstemmer.page.sources import stated_urls

COMMENT = b"<!DOCTYPE html>\n<!-- saved from url=(0022)http://saved.example/a -->\n"
CANONICAL = b"<link rel='canonical' href='https://canonical.example/a'>"
OG = b"<meta property='og:url' content=' https://og.example/a '>"


@pytest.mark.parametrize(
    ("body", "urls"),
    [
        (COMMENT + b"<html><head>" + OG + CANONICAL, ["saved", "canonical", "og"]),
        (OG + CANONICAL + b"<p>text", ["canonical", "og"]),
        (OG + OG, ["og"]),
        (CANONICAL.replace(b"'canonical'", b"'alternate canonical'"), ["canonical"]),
        (b"<p>text", []),
        (b"", []),
        (b"GIF89a" + OG, []),
        (b"<p>x</p>" * 1000 + COMMENT, []),
        (b"<!-- saved from url=(0014)about:internet -->", []),
        (b"<link rel=canonical href=/a><link rel=canonical><meta property=og:url content=x>", []),
        (b"<link rel=uncanonical href=http://x.example/>", []),
        (b"<link rel=canonical href=javascript:x>", []),
    ],
)
def test_the_most_reliable_comes_first(body: bytes, urls: list[str]) -> None:
    """The browser's comment comes before the canonical url and og:url; only whole urls of the web count."""
    found = stated_urls(Page("file:///a.html", body), None, Limits())
    assert [url.split("/")[2].removesuffix(".example") for url in found] == urls


def test_a_page_beyond_a_limit_states_nothing() -> None:
    """The limits of extraction hold here, too."""
    page = Page("file:///a.html", CANONICAL + OG)
    assert stated_urls(page, None, Limits(elements=1)) == []


def test_the_charset_of_the_page() -> None:
    """Urls are decoded as the page is."""
    page = Page("file:///a.html", "<link rel=canonical href='http://a.example/日本'>".encode("euc-jp"))
    assert stated_urls(page, "euc-jp", Limits()) == ["http://a.example/日本"]
