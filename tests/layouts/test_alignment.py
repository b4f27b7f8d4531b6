from __future__ import annotations

from itertools import pairwise

import oracles
from hypothesis import given
from hypothesis import strategies as st
from sequence_pages import blocks

from scrapy_webstemmer.layouts.alignment import aligned_weight, assign, collapse

runs = blocks.map(collapse)
sections = st.lists(st.sampled_from("abc"), max_size=4).map(
    lambda found: [feature for i, feature in enumerate(found) if not i or found[i - 1] != feature]
)


@given(blocks)
def test_collapse_keeps_the_weight(page: list[tuple[str, int]]) -> None:
    """Neighbours of equal feature become one run, and no weight is lost."""
    joined = collapse(page)
    assert sum(weight for _, weight in joined) == sum(weight for _, weight in page)
    assert all(left[0] != right[0] for left, right in pairwise(joined))


@given(runs, runs)
def test_aligned_weight_is_the_largest_there_is(a: list[tuple[str, int]], b: list[tuple[str, int]]) -> None:
    """The alignment weighs as much as the best of all common sequences, from both sides."""
    assert aligned_weight(a, b) == aligned_weight(b, a) == oracles.aligned_weight(a, b)


@given(blocks)
def test_aligned_with_itself_everything_counts(page: list[tuple[str, int]]) -> None:
    """A sequence and itself have all their weight in common."""
    joined = collapse(page)
    assert aligned_weight(joined, joined) == 2 * sum(weight for _, weight in page)


def test_runs_between_others_may_go_to_one_item() -> None:
    """Any number of runs goes to one item of the common sequence, with others in between."""
    assert aligned_weight([("a", 5), ("b", 1), ("a", 5)], [("a", 7)]) == 17


@given(runs, sections, st.booleans())
def test_assignment_is_the_heaviest(page: list[tuple[str, int]], wanted: list[str], complete: bool) -> None:
    """The assignment weighs as much as the best of all ways to part the page among the sections."""
    assigned = assign(page, wanted, complete)
    best = oracles.assigned_weight(page, wanted, complete)
    if assigned is None:
        assert best is None
    else:
        assert sum(page[i][1] for found in assigned for i in found) == (best or 0)


@given(runs, sections, st.booleans())
def test_assignment_keeps_features_and_order(
    page: list[tuple[str, int]], wanted: list[str], complete: bool
) -> None:
    """A section gets runs of its feature only, all of them before those of the next one."""
    assigned = assign(page, wanted, complete)
    if assigned is not None:
        flat = [i for found in assigned for i in found]
        assert flat == sorted(set(flat))
        for section, found in zip(wanted, assigned, strict=True):
            assert {page[i][0] for i in found} <= {section}
            assert found or not complete


def test_of_equal_assignments_the_earlier_sections_have_more() -> None:
    """A run that fits two sections goes to the first."""
    assert assign([("a", 5)], ["a", "b", "a"], complete=False) == [[0], [], []]


def test_complete_assignment_leaves_no_section_empty() -> None:
    """Where every section must have a run, a lighter assignment is taken, or none."""
    page = [("a", 5), ("b", 9), ("a", 5), ("b", 8)]
    assert assign(page, ["b", "a"], complete=False) == [[1, 3], []]
    assert assign(page, ["b", "a"], complete=True) == [[1], [2]]
    assert assign(page, ["a", "c"], complete=True) is None
