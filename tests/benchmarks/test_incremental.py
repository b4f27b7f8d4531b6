"""The parts of the measurements of incremental extraction."""

from __future__ import annotations

import growth
import pytest
from batch_templates import (
    by_shingles,
    by_style_tree,
    content_importance,
    inner_importance,
    leaves,
    signatures,
)
from growth import grow, page
from storage import FIRST_PAGE, in_batches, incremental, prepare

from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.segments.segment_tables import SegmentOptions
from scrapy_webstemmer.values import Layout, Page

MENU = "<ul><li>Home page of ours</li><li>Another page of ours</li></ul>"


def layout(text: str) -> Layout:
    body = f"<body>{MENU}<p>{text}</p></body>".encode()
    return layout_of("http://a.example/", parse(Page("http://a.example/", body)))


def test_shingles_find_what_recurs() -> None:
    """Only a block that enough pages of the batch have is template."""
    batch = [signatures(layout(f"text number {n} with words of its own {n}")) for n in range(3)]
    assert by_shingles(batch, 3) == [[True, True, False]] * 3
    assert by_shingles(batch[:2], 3) == [[False] * 3] * 2


def test_style_tree_finds_what_is_presented_alike() -> None:
    """A leaf with the same words on all pages is noise; a leaf with new words on each page is not."""
    batch = [leaves(layout(f"one{n} two{n} three{n}")) for n in range(4)]
    assert by_style_tree(batch, 0.2) == [[True, True, False]] * 4
    assert by_style_tree(batch[:1], 0.2) == [[False] * 3]


def test_importance_by_entropy() -> None:
    """Importance goes from 0 (the same on all pages) to 1 (different on each page)."""
    assert content_importance(["a b"] * 4) == pytest.approx(0)
    assert content_importance(["a", "b", "c", "d"]) == 1
    assert 0 < content_importance(["a x", "a y", "a z", "a w"]) < 1
    assert inner_importance({"one": 4}, {"one": 0.5}) == pytest.approx(0.45)
    assert inner_importance({"one": 2, "other": 2}, {"one": 0.0, "other": 0.0}) > 0


def test_storage_is_the_mean_over_all_pages() -> None:
    """A batch keeps its waiting pages; recall is that of the blocks without gold text."""
    words = [f"unlike{n} all{n} others{n} here{n} is{n} page{n}" for n in range(FIRST_PAGE + 10)]
    pages = [
        (Page(f"http://a.example/{n}", f"{MENU}<p>{text}</p>".encode()), text) for n, text in enumerate(words)
    ]
    prepared = list(prepare(pages, str.split))
    assert all(one.template == [True, True, False] for one in prepared)
    ours = incremental(prepared, 1)
    assert (ours.recall, ours.precision) == (1, 1)
    batch = in_batches(prepared, 2, lambda pair: by_shingles([one.signatures for one in pair], 2))
    assert (batch.recall, batch.precision) == (1, 1)
    sizes = [one.size for one in prepared]
    assert batch.kept == pytest.approx((sum(sizes[::2]) + sum(sizes)) / len(sizes))


def test_generated_site_reaches_its_size_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number always gives the same page; once segments are forgotten, the table stops growing."""
    assert page(7).body == page(7).body != page(8).body
    assert growth.resident() > 0
    monkeypatch.setattr(
        growth, "resident", lambda: 0
    )  # it would collect the garbage of all tests a hundred times
    segments = [count for _, _, count in grow(300, SegmentOptions(lifetime=20, longest=2))]
    assert len(set(segments[-60:])) == 1 < len(set(segments))
