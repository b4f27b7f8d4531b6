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


@pytest.fixture
def as_it_is(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let each draw have the corpus as it is; return the seeds of the draws."""
    seeds: list[str] = []
    monkeypatch.setattr(measures, "redrawn", lambda corpus, seed: seeds.append(seed) or corpus)
    monkeypatch.setattr(measures, "score_tool", lambda name, corpus: {"f1": 0.0})
    return seeds


@pytest.mark.usefixtures("as_it_is")
@pytest.mark.parametrize(
    ("count", "sizes"),
    [(4, [1, 2, 5, 0, -1]), (12, [1, 2, 5, 10, 0, -1]), (60, [1, 2, 5, 10, 20, 30, 60, 0, -1])],
)
def test_a_growing_crawl_keeps_its_pages(tmp_path: Path, count: int, sizes: list[int]) -> None:
    """Each size that the site has learns the first pages of the draw; five may be all that a site has."""
    found = measures.by_size(corpus(count, tmp_path))
    urls = tuple(f"http://a.example/{number}" for number in range(count))
    for draw in range(measures.DRAWS):
        rows = [(row["size"], row["f1"]) for row in found["rows"] if row["draw"] == draw]
        assert rows == [(size, urls[: max(size, 0) if size else count]) for size in sizes]
    assert found["articles"] == 3


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


def test_every_draw_has_a_seed_of_its_own(tmp_path: Path, as_it_is: list[str]) -> None:
    """Three halves are drawn, with the same three seeds each time."""
    for _ in range(2):
        measures.by_size(corpus(12, tmp_path))
    assert as_it_is[:3] == as_it_is[3:]
    assert len(set(as_it_is)) == measures.DRAWS == 3
