"""The draws of the learning curve and of the disturbances."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import measures
import pytest
from corpora import Corpus, LearnPage, Scores

from scrapy_webstemmer.values.pages import Page


class Noting(Corpus):
    """A corpus whose runs only record what they learn from."""

    def run(self, pages: Sequence[LearnPage] | None = None, *options: Any) -> Scores:
        pages = self.learn if pages is None else pages
        return {"learned": len(pages), "f1": tuple(one.page.url for one in pages)}


def corpus(count: int, folder: Path) -> Noting:
    """Return a corpus with so many pages to learn from."""
    pages = [LearnPage(Page(f"http://a.example/{number}", b""), ()) for number in range(count)]
    return Noting(folder, folder, pages, {}, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "sizes"), [(4, [1, 2, 5]), (12, [1, 2, 5, 10]), (50, [1, 2, 5, 10, 20, 50])]
)
def test_sizes_are_those_that_a_site_has(tmp_path: Path, count: int, sizes: list[int]) -> None:
    """A size is drawn if the site has so many pages; the size of five takes all pages of a smaller site."""
    rows = measures.by_size(corpus(count, tmp_path))
    assert sorted({row["size"] for row in rows}) == sizes
    assert all(row["learned"] == min(row["size"], count) for row in rows)


def test_all_pages_are_drawn_once(tmp_path: Path) -> None:
    """A size that takes all pages is measured once; otherwise the draws differ."""
    rows = measures.by_size(corpus(10, tmp_path))
    drawn = {size: [row["f1"] for row in rows if row["size"] == size] for size in (2, 5, 10)}
    assert len(drawn[10]) == 1
    assert len(set(drawn[5])) == len(drawn[5]) == measures.DRAWS[5]


@pytest.mark.parametrize("count", [1, 3, 400])
def test_some_pages_are_left_out_and_some_are_kept(tmp_path: Path, count: int) -> None:
    """Every draw leaves out and keeps at least one page each, and is the same each time."""
    site = corpus(count, tmp_path)
    drawn = list(measures.thinned(site, 40))
    assert all(0 < len(pages) < count for pages in drawn)
    assert drawn == list(measures.thinned(site, 40))
    assert bool(drawn) == (count > 1)


def test_disturbances_learn_from_the_same_pages(tmp_path: Path) -> None:
    """A shuffled set has all pages in another order; a thinned one has some of them."""
    site = corpus(30, tmp_path)
    found = measures.by_disturbance(site)
    for pages in found["shuffled"]:
        assert pages != found["f1"]
        assert set(pages) == set(found["f1"])
    assert all(set(pages) < set(found["f1"]) for pages in found["left out"])
