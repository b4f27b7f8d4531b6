"""Reading many pages: the same in whatever process, and not twice."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from news_pages import articles, indexes

from scrapy_webstemmer import readings as module
from scrapy_webstemmer.errors import PageError
from scrapy_webstemmer.packing import Reading
from scrapy_webstemmer.reading import Wanted, read_page
from scrapy_webstemmer.readings import read_pages
from scrapy_webstemmer.shelf import Kept, ShelvedPage
from scrapy_webstemmer.values import Page

HOST = "press.example"
PAGES = [*articles(HOST, 12, "press"), *indexes(HOST, 3, "press"), Page(f"http://{HOST}/x", b"GIF89a\0")]


class MemoryShelf:
    """A shelf in memory."""

    def __init__(self) -> None:
        self.rows: dict[int, Kept] = {}
        self.batches: list[bytes] = []

    def keep(self, rows: Sequence[tuple[int, bytes]], packed: bytes) -> None:
        for place, (row, digest) in enumerate(rows):
            self.rows[row] = Kept(digest, len(self.batches), place)
        self.batches.append(packed)

    def batch(self, number: int) -> bytes | None:
        return self.batches[number]

    def pages(self, *pages: Page) -> list[Page]:
        """Return pages with what is kept of them."""
        return [self.page(row, page) for row, page in enumerate(pages)]

    def page(self, row: int, page: Page) -> ShelvedPage:
        """Return a page with what is kept of it."""
        return ShelvedPage(
            page.url,
            page.encoding,
            stored=page.body,
            inflate=partial(self._inflated, page),
            shelf=self,
            row=row,
            kept=self.rows.get(row),
        )

    @staticmethod
    def _inflated(page: Page) -> bytes:
        if page.body == b"damaged":
            raise PageError(page.url, "damaged")
        return page.body


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
    return {page.url: reading for page, reading in read_pages(((page, wanted) for page in pages), workers)}


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
    shelf = MemoryShelf()
    first = found(shelf.pages(*PAGES), workers=workers)
    read.clear()
    assert found(shelf.pages(*PAGES)) == first == found(PAGES)
    assert sorted(read) == sorted(page.url for page in PAGES)


def test_pages_of_several_shelves(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shelf keeps what was read of its own pages, and pages without one are read each time."""
    monkeypatch.setattr(module, "_BATCH", 4)
    one, other = MemoryShelf(), MemoryShelf()

    def mixed() -> list[Page]:
        return [*one.pages(*PAGES[:6]), *PAGES[6:8], *other.pages(*PAGES[8:])]

    first = found(mixed())
    assert (len(one.batches), len(other.batches)) == (2, 2)
    read.clear()
    assert found(mixed()) == first == found(PAGES)
    assert read[:2] == [page.url for page in PAGES[6:8]]
    assert len(read) == 2 + len(PAGES)


def test_batches_have_some_pages_or_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch takes no further page once it is full, or large."""
    monkeypatch.setattr(module, "_BATCH", 5)
    shelf = MemoryShelf()
    found(shelf.pages(*PAGES))
    assert len(shelf.batches) == -(-len(PAGES) // 5)
    monkeypatch.setattr(module, "_BATCH_SIZE", 1)
    shelf = MemoryShelf()
    found(shelf.pages(*PAGES))
    assert len(shelf.batches) == len(PAGES)


def test_pages_that_changed_are_read_again_alone(read: list[str]) -> None:
    """Of a batch whose pages have changed in part the others are still taken from it."""
    shelf = MemoryShelf()
    found(shelf.pages(*PAGES))
    read.clear()
    changed = [*PAGES[:3], replace(PAGES[3], body=PAGES[4].body), *PAGES[4:]]
    assert found(shelf.pages(*changed)) == found(changed)
    assert read[0] == PAGES[3].url
    assert len(read) == 1 + len(PAGES)


@pytest.mark.parametrize(
    "damage",
    [lambda kept: kept[:-9], lambda kept: zlib.compress(zlib.decompress(kept)[:-9]), lambda kept: b""],
)
def test_a_damaged_batch_is_read_again(read: list[str], damage: Any) -> None:
    """What is kept and cannot be unpacked is read again, and kept whole."""
    shelf = MemoryShelf()
    first = found(shelf.pages(*PAGES))
    whole = shelf.batches[0]
    shelf.batches[0] = damage(whole)
    read.clear()
    assert found(shelf.pages(*PAGES)) == first
    assert len(read) == len(PAGES)
    assert shelf.batches[1] == whole


def test_a_place_that_is_not_there_is_read_again(read: list[str]) -> None:
    """A page that a batch does not have is read, whatever is said of it."""
    shelf = MemoryShelf()
    first = found(shelf.pages(*PAGES))
    shelf.rows[0], shelf.rows[1] = shelf.rows[0]._replace(place=-1), shelf.rows[1]._replace(place=99)
    read.clear()
    assert found(shelf.pages(*PAGES)) == first
    assert read == [page.url for page in PAGES[:2]]


def test_anchors_alone_are_no_layout(read: list[str]) -> None:
    """Of a page of which anchors alone are wanted there is no layout; what is kept of it is not all of it."""
    shelf = MemoryShelf()
    alone = found(shelf.pages(*PAGES), Wanted(blocks=False))
    whole = found(shelf.pages(*PAGES))
    assert len(read) == 2 * len(PAGES)
    assert {reading.layout for reading in alone.values()} == {None}
    assert {url: (reading.anchors, reading.problem) for url, reading in alone.items()} == {
        url: (reading.anchors, reading.problem) for url, reading in whole.items()
    }


def test_damaged_pages_are_passed_over() -> None:
    """A page whose body is damaged gives nothing, and the others have their own readings."""
    shelf = MemoryShelf()
    pages = [PAGES[0], Page(f"http://{HOST}/d", b"damaged"), PAGES[1]]
    assert found(shelf.pages(*pages)) == found([PAGES[0], PAGES[1]])
    assert found(shelf.pages(*pages)) == found([PAGES[0], PAGES[1]])
