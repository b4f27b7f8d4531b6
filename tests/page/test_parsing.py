"""Parsing: a page's text gives a tree, whatever it is."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.values import Page

URL = "http://example.com/"


def text_of(body: bytes) -> str:
    return "".join(parse(Page(URL, body)).itertext())


@pytest.mark.parametrize("body", [b"", b"  \n", b"<!-- nothing -->", b"\0\0\0", b"<?php ?>"])
def test_page_without_markup_is_an_empty_tree(body: bytes) -> None:
    """A page without elements and text gives a root without any."""
    root = parse(Page(URL, body))
    assert root.tag == "html"
    assert "".join(root.xpath("descendant::text()[not(parent::comment())]")).strip() == ""


def test_text_without_markup_is_kept() -> None:
    """Text that is not HTML is the text of the page."""
    assert text_of(b"once upon a time") == "once upon a time"


def test_nul_bytes_are_dropped() -> None:
    """A NUL byte in a text does not end the text."""
    assert text_of(b"<p>before\0after</p>\0") == "beforeafter"
