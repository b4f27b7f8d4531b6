"""What learning takes from a page by itself: the same wherever it is read, and read but once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from news_pages import articles, indexes

from scrapy_webstemmer import reading as module
from scrapy_webstemmer.packing import Reading
from scrapy_webstemmer.reading import Wanted, digest_of, read_page, read_pages
from scrapy_webstemmer.shelf import ShelvedPage
from scrapy_webstemmer.values import Page

HOST = "press.example"
PAGES = [*articles(HOST, 12, "press"), *indexes(HOST, 3, "press"), Page(f"http://{HOST}/x", b"GIF89a\0")]


class Kept:
    """A shelf in memory."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[bytes, bytes]] = {}

    def keep(self, row: int, digest: bytes, packed: bytes) -> None:
        self.rows[row] = digest, packed

    def page(self, row: int, page: Page) -> ShelvedPage:
        """Return a page with what is kept of it."""
        return ShelvedPage(page.url, page.body, page.encoding, shelf=self, row=row, kept=self.rows.get(row))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the urls of the pages that are read."""
    urls: list[str] = []

    def noted(page: Page, wanted: Wanted) -> Reading:
        urls.append(page.url)
        return read_page(page, wanted)

    monkeypatch.setattr(module, "read_page", noted)
    return urls


def found(pages: list[Any], wanted: Wanted = Wanted(), workers: int = 1) -> dict[str, Reading]:  # noqa: B008 - frozen
    return {page.url: reading for page, reading in read_pages(pages, wanted, workers)}


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(anchors=False), Wanted(layout="sequence", site="host")])
def test_other_processes_read_the_same(wanted: Wanted) -> None:
    """Two processes read of each page what this one does, and of one that is none the reason."""
    here = found(PAGES, wanted)
    assert found(PAGES, wanted, workers=2) == here
    assert here[f"http://{HOST}/x"] == Reading(None, problem="is no HTML but a binary file")
    assert any(reading.anchors for reading in here.values()) == wanted.anchors


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_kept_is_not_read_again(read: list[str], workers: int) -> None:
    """A page is read once, in whatever process, and then taken from where it is kept."""
    shelf = Kept()
    first = found([shelf.page(row, page) for row, page in enumerate(PAGES)], workers=workers)
    read.clear()
    assert found([shelf.page(row, page) for row, page in enumerate(PAGES)]) == first
    assert read == []


def test_a_damaged_reading_is_read_again(read: list[str]) -> None:
    """What is kept and cannot be unpacked is read again, and kept whole."""
    shelf = Kept()
    found([shelf.page(1, PAGES[1])])
    whole = shelf.rows[1]
    shelf.rows[1] = whole[0], whole[1][:-9]
    found([shelf.page(1, PAGES[1])])
    assert read == [PAGES[1].url] * 2
    assert shelf.rows[1] == whole


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
