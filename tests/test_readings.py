"""Reading many pages: the same in whatever process, and not twice."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from news_pages import articles, indexes
from reading_values import READINGS

from scrapy_webstemmer import readings as module
from scrapy_webstemmer.packing import Reading
from scrapy_webstemmer.reading import Wanted, read_page
from scrapy_webstemmer.readings import Read, Readings, read_pages
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


@given(st.lists(st.builds(Read, READINGS, st.binary(max_size=3)), max_size=4))
def test_what_is_sent_is_received(readings: list[Read]) -> None:
    """What was read of several pages is the same in another process, and so are its types."""
    received = pickle.loads(pickle.dumps(Readings(readings)))
    assert received == readings
    assert repr(received) == repr(readings)


def test_what_recurs_is_sent_once() -> None:
    """Equal blocks, steps and anchors of several pages are one object each when they are received."""
    readings = Readings(Read(read_page(page, Wanted())) for page in PAGES)
    received = pickle.loads(pickle.dumps(readings))
    for field in ("blocks", "steps"):
        values = [
            value for read in received if (layout := read.reading.layout) for value in getattr(layout, field)
        ]
        assert len({id(value) for value in values}) == len(set(values)) < len(values)
    anchors = [anchor for read in received for anchor in read.reading.anchors]
    assert len({id(anchor) for anchor in anchors}) == len(set(anchors)) < len(anchors)


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
