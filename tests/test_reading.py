"""What learning takes from a page by itself: the same wherever it is read, and read but once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from news_pages import articles

from scrapy_webstemmer.reading import Wanted, digest_of
from scrapy_webstemmer.shelf import ShelvedPage
from scrapy_webstemmer.values import Page

HOST = "press.example"
PAGE = articles(HOST, 3, "press")[0]


class NoShelf:
    """A shelf that keeps nothing."""

    def keep(self, rows: Sequence[tuple[int, bytes]], packed: bytes) -> None: ...

    def batch(self, number: int) -> bytes | None: ...


def digest(page: Page, wanted: Wanted = Wanted()) -> bytes:  # noqa: B008 - frozen
    """Return the digest of a page that is stored as it is."""
    fields = page.url, page.encoding, page.fetched, page.aliases
    shelved = ShelvedPage(*fields, stored=page.body, inflate=lambda: page.body, shelf=NoShelf(), row=1)
    assert shelved.body == page.body
    return digest_of(shelved, wanted)


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
    assert digest(replace(PAGE, **changes)) != digest(PAGE)


def test_the_time_has_no_part_in_the_digest() -> None:
    """A page that was fetched again and is the same is not read again."""
    assert digest(replace(PAGE, fetched="2026-11-21")) == digest(PAGE)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted("utf-8"),
        Wanted(layout="sequence"),
        Wanted(site="host"),
        Wanted(anchors=False),
        Wanted(blocks=False),
    ],
)
def test_other_options_have_another_digest(wanted: Wanted) -> None:
    """What is wanted of a page changes the digest."""
    assert digest(PAGE, wanted) != digest(PAGE)
