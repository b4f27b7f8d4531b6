from __future__ import annotations

from random import Random

import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sequence_pages import blocks, layout_of_runs, layout_of_texts

from scrapy_webstemmer.classic.layouts_2009 import (
    MAX_RUNS,
    SequenceLayout,
    as_sequence,
    collapse,
    common_features,
    sequence_similarity,
)

pages = blocks.map(lambda runs: as_sequence(layout_of_runs(runs)))
filled = blocks.filter(bool)


def features(page: SequenceLayout) -> list[str]:
    return [feature for feature, _ in page.runs]


@given(pages, pages)
def test_similarity_is_exact(a: SequenceLayout, b: SequenceLayout) -> None:
    """The similarity is the weight of the best alignment divided by the weight of both pages."""
    expected = oracles.aligned_weight(a.runs, b.runs) / (a.weight + b.weight) if a.weight + b.weight else 1
    assert sequence_similarity(a, b) == pytest.approx(expected)


@given(pages, pages)
def test_similarity_is_symmetric_and_bounded(a: SequenceLayout, b: SequenceLayout) -> None:
    """The similarity is from 0 to 1, and the same in both directions."""
    assert sequence_similarity(a, b) == sequence_similarity(b, a)
    assert 0 <= sequence_similarity(a, b) <= 1


@given(blocks)
def test_a_page_is_all_like_itself(runs: list[tuple[str, int]]) -> None:
    """Pages with the same sequence have similarity 1, whatever the weights of their blocks."""
    other = [(feature, weight + 3) for feature, weight in runs]
    assert sequence_similarity(as_sequence(layout_of_runs(runs)), as_sequence(layout_of_runs(other))) == 1


@given(pages, pages, st.floats(0, 1))
def test_threshold_decides_nothing_else(a: SequenceLayout, b: SequenceLayout, threshold: float) -> None:
    """Above the threshold the value is exact. Otherwise it is a bound that stays below the threshold."""
    exact, found = sequence_similarity(a, b), sequence_similarity(a, b, threshold)
    assert found == exact or exact <= found < threshold


@given(st.lists(filled, min_size=1, max_size=4), st.randoms())
def test_common_features_are_on_all_pages(rows: list[list[tuple[str, int]]], chance: Random) -> None:
    """Every page contains the common sequence, for any order of the pages. Its neighbours differ."""
    cluster = [as_sequence(layout_of_runs(runs, f"http://example.com/{i}")) for i, runs in enumerate(rows)]
    common = common_features(cluster)
    assert all(oracles.is_subsequence(common, features(page)) for page in cluster)
    assert [feature for feature, _ in collapse((feature, 1) for feature in common)] == list(common)
    chance.shuffle(cluster)
    assert common_features(cluster) == common


def test_features_that_a_page_lacks_are_not_common() -> None:
    """Features that a page lacks are dropped. The features on both sides of them may become one section."""
    rows = [[("a", 5), ("b", 5), ("a", 5), ("c", 5)], [("a", 5), ("c", 5)], [("b", 5), ("a", 5), ("c", 5)]]
    cluster = [as_sequence(layout_of_runs(runs, f"http://example.com/{i}")) for i, runs in enumerate(rows)]
    assert common_features(cluster) == ("p:id=a", "p:id=c")


def test_runs_join_blocks_of_equal_feature() -> None:
    """Neighbouring blocks of one feature become one run with their weight."""
    layout = layout_of_texts([("p:id=a", "seven or 10"), ("p:id=a", "eleven"), ("h1", "twelve")])
    assert as_sequence(layout).runs == (("p:id=a", 15), ("h1", 6))


def test_huge_pages_are_cut() -> None:
    """Runs past the 3,000th do not count, nor do their blocks."""
    runs = [("a", 1), ("a", 1), ("b", 1)] * MAX_RUNS
    page = as_sequence(layout_of_runs(runs))
    assert (len(page.runs), len(page.features), page.weight) == (
        MAX_RUNS,
        MAX_RUNS * 3 // 2,
        MAX_RUNS * 3 // 2,
    )
