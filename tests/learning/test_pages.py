"""Reading many pages: the same result in any process, and common parts kept once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from news_pages import articles, indexes

from scrapy_webstemmer.learning import page_reading
from scrapy_webstemmer.learning.page_reading import Reading, Shared, Wanted, read_pages
from scrapy_webstemmer.options import LearnOptions
from scrapy_webstemmer.values import Page

HOST = "press.example"
PAGES = [*articles(HOST, 12, "press"), *indexes(HOST, 3, "press"), Page(f"http://{HOST}/x", b"GIF89a\0")]


def found(pages: list[Any], wanted: Wanted = Wanted(), workers: int = 1) -> dict[str, Reading]:  # noqa: B008 - frozen
    return {page.url: reading for page, reading in read_pages(((page, wanted) for page in pages), workers)}


@pytest.mark.parametrize(
    "wanted", [Wanted(), Wanted(anchors=False), Wanted(LearnOptions(layout="sequence", site="host"))]
)
def test_other_processes_read_the_same(wanted: Wanted) -> None:
    """Two processes give the same readings as this one, also the reason for an unreadable page."""
    here = found(PAGES, wanted)
    assert found(PAGES, wanted, workers=2) == here
    assert [*here] == [page.url for page in PAGES]
    assert here[f"http://{HOST}/x"] == Reading(None, problem="is a binary file, not HTML")
    assert any(reading.anchors for reading in here.values()) == wanted.anchors


def test_anchors_alone_are_no_layout() -> None:
    """If only anchors are wanted, a page has the same anchors, but no layout."""
    alone, whole = found(PAGES, Wanted(blocks=False)), found(PAGES)
    assert {reading.layout for reading in alone.values()} == {None}
    assert {url: (reading.anchors, reading.problem) for url, reading in alone.items()} == {
        url: (reading.anchors, reading.problem) for url, reading in whole.items()
    }


@pytest.mark.parametrize("workers", [1, 2])
def test_equal_parts_of_pages_are_one_object(workers: int) -> None:
    """Equal blocks and equal columns of elements of several pages are kept once."""
    layouts = [reading.layout for reading in found(PAGES, workers=workers).values() if reading.layout]
    for name in ("steps", "parents", "links", "leads"):
        values = [getattr(layout, name) for layout in layouts]
        assert len({*map(id, values)}) == len({*map(tuple, values)}) < len(values)
    blocks = [block for layout in layouts for block in layout.blocks]
    assert len({*map(id, blocks)}) == len({*blocks}) < len(blocks)


def test_known_links_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site with any number of links takes no more memory, and gives the same anchors."""
    wanted = found(PAGES)
    assert page_reading._own_key.cache_info().maxsize
    few = lru_cache(maxsize=3)(page_reading._own_key.__wrapped__)
    monkeypatch.setattr(page_reading, "_own_key", few)
    assert found(PAGES) == wanted
    assert few.cache_info().currsize == 3


def test_not_all_that_was_seen_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of kept values is bounded: beyond it, equal values may be two objects."""
    monkeypatch.setattr(Shared, "most_values", 3)
    monkeypatch.setattr(Shared, "most_columns", 3)
    shared = Shared()
    readings = [*found(PAGES).values()]
    assert [shared.reading(reading) for reading in readings] == readings
