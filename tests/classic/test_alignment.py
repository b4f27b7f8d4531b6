from __future__ import annotations

from itertools import pairwise

import oracles
from hypothesis import given
from sequence_pages import blocks

from scrapy_webstemmer.classic.layouts_2009 import aligned_weight, collapse

runs = blocks.map(collapse)


@given(blocks)
def test_collapse_keeps_the_weight(page: list[tuple[str, int]]) -> None:
    """Neighbours of equal feature become one run. No weight is lost."""
    joined = collapse(page)
    assert sum(weight for _, weight in joined) == sum(weight for _, weight in page)
    assert all(left[0] != right[0] for left, right in pairwise(joined))


@given(runs, runs)
def test_aligned_weight_is_the_largest_there_is(a: list[tuple[str, int]], b: list[tuple[str, int]]) -> None:
    """The alignment weighs as much as the best common sequence of all, whichever side comes first."""
    assert aligned_weight(a, b) == aligned_weight(b, a) == oracles.aligned_weight(a, b)


@given(blocks)
def test_aligned_with_itself_everything_counts(page: list[tuple[str, int]]) -> None:
    """A sequence has its whole weight in common with itself."""
    joined = collapse(page)
    assert aligned_weight(joined, joined) == 2 * sum(weight for _, weight in page)


def test_runs_between_others_may_go_to_one_item() -> None:
    """One item of the common sequence may get several runs with other runs between them."""
    assert aligned_weight([("a", 5), ("b", 1), ("a", 5)], [("a", 7)]) == 17
