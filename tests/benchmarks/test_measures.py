"""The draws of the learning curve and of the disturbances."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import measures
import pytest
from corpora import Corpus, LearnPage, Scores

from scrapy_webstemmer.values import Page


class Judge:
    """Replaces score.py: three articles in every corpus."""

    def articles(self, folder: Path) -> frozenset[str]:
        """Return three urls."""
        return frozenset({"a", "b", "c"})


class Noting(Corpus):
    """A corpus whose runs only record what they learn from."""

    def run(self, pages: Sequence[LearnPage] | None = None, *options: Any) -> Scores:
        pages = self.learn if pages is None else pages
        return {"learned": len(pages), "f1": tuple(one.page.url for one in pages)}


def corpus(count: int, folder: Path) -> Noting:
    """Return a corpus with so many pages to learn from."""
    pages = [LearnPage(Page(f"http://a.example/{number}", b""), ()) for number in range(count)]
    return Noting(folder, folder, pages, {}, Judge())  # type: ignore[arg-type]


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


@pytest.mark.parametrize(("count", "sizes"), [(12, [12]), (30, [30]), (81, [30, 50, 80, 81])])
def test_a_growing_crawl_keeps_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, sizes: list[int]
) -> None:
    """Each size that the site exceeds has the first pages of the crawl, and the last one has all."""
    monkeypatch.setattr(measures, "redrawn", lambda corpus, seed: corpus)
    found = measures.by_draw(corpus(count, tmp_path))
    urls = tuple(f"http://a.example/{number}" for number in range(count))
    assert [(row["size"], row["f1"]) for row in found["sizes"]] == [(size, urls[:size]) for size in sizes]
    assert found["articles"] == 3


def test_every_draw_has_a_seed_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three halves are drawn, with the same three seeds each time."""
    seeds: list[str] = []
    monkeypatch.setattr(measures, "redrawn", lambda corpus, seed: seeds.append(seed) or corpus)
    for _ in range(2):
        assert len(measures.by_draw(corpus(12, tmp_path))["draws"]) == measures.REDRAWN
    assert seeds[:3] == seeds[3:]
    assert len(set(seeds)) == measures.REDRAWN
