"""What learning takes from a page by itself: the same wherever it is read, and read but once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from news_pages import articles

from scrapy_webstemmer.reading import Wanted, digest_of

HOST = "press.example"
PAGES = articles(HOST, 3, "press")


@pytest.mark.parametrize(
    "changes",
    [
        {"url": "http://press.example/other"},
        {"body": b"<p>other"},
        {"encoding": "latin-1"},
        {"aliases": ("http://press.example/alias",)},
    ],
)
def test_another_page_has_another_digest(changes: dict[str, Any]) -> None:
    """Whatever of a page has a part in what is read of it changes its digest."""
    assert digest_of(replace(PAGES[0], **changes), Wanted()) != digest_of(PAGES[0], Wanted())


def test_the_time_has_no_part_in_the_digest() -> None:
    """A page that was fetched again and is the same is not read again."""
    assert digest_of(replace(PAGES[0], fetched="2026-11-21"), Wanted()) == digest_of(PAGES[0], Wanted())


@pytest.mark.parametrize(
    "wanted", [Wanted("utf-8"), Wanted(layout="sequence"), Wanted(site="host"), Wanted(anchors=False)]
)
def test_other_options_have_another_digest(wanted: Wanted) -> None:
    """What is wanted of a page changes the digest."""
    assert digest_of(PAGES[0], wanted) != digest_of(PAGES[0], Wanted())
