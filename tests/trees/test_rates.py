from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_trees import drawn_trees, tree_of

from scrapy_webstemmer.errors import LimitError
from scrapy_webstemmer.trees import tree_rates as module
from scrapy_webstemmer.trees.edit_distance import map_trees, similarity, tree_distance
from scrapy_webstemmer.trees.layout_trees import Tree
from scrapy_webstemmer.trees.tree_rates import Rates, fine_pairs, similarity_rate

pytestmark = pytest.mark.once

FIRST, SECOND = tree_of(["body", ["p", "a"], ["p", "b"]]), tree_of(["body", ["p", "a"], ["div", ["p"]]])


def rate_of(first: Tree, second: Tree, is_restricted: bool) -> float:
    """Return the rate of two trees by their mapping."""
    sizes = len(first), len(second)
    if not is_restricted:
        return similarity_rate(len(fine_pairs(first, second)), *sizes)
    mapping = map_trees(first, second)
    assert mapping is not None
    return similarity(mapping.distance, *sizes)


@pytest.mark.parametrize("is_restricted", [False, True])
@given(trees=st.lists(drawn_trees(), min_size=2, max_size=5))
def test_rates_are_those_of_the_mappings(is_restricted: bool, trees: list[Tree]) -> None:
    """A rate is that of the mapping, and no higher than the bound; equal trees have the same class."""
    rates = Rates(trees, [str(index) for index in range(len(trees))], is_restricted=is_restricted)
    for a, first in enumerate(trees):
        for b, second in enumerate(trees):
            assert rates.rate(a, b) == rates.rate(b, a) == rate_of(first, second, is_restricted)
            assert rates.rate(a, b) <= rates.bound(a, b) or a == b
            assert (rates.classes[a] == rates.classes[b]) == (first == second)


def test_a_bound_counts_paths() -> None:
    """A p in a div is not the same as one in the body."""
    rates = Rates([FIRST, SECOND], keys=["a", "b"])
    assert rates.bound(0, 1) == 3 / 5
    assert rates.rate(0, 1) == 3 / 5


def test_a_restricted_mapping_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two trees that take more cells than one mapping may have are not alike."""
    texts = [tree_of(["body", *(f"{letter} {number}" for number in range(5))]) for letter in "ab"]
    assert Rates(texts, ["a", "b"], is_restricted=True).rate(0, 1) == 1 / 6
    monkeypatch.setattr(module, "tree_distance", lambda *arguments: tree_distance(*arguments, cells=24))
    assert Rates(texts, ["a", "b"], is_restricted=True).rate(0, 1) == 0


@pytest.mark.parametrize("is_restricted", [False, True])
def test_comparisons_are_limited(is_restricted: bool) -> None:
    """Beyond the limit for cells, the error names the larger of the two pages."""
    rates = Rates([FIRST, tree_of(["body"])], ["a", "b"], is_restricted=is_restricted, cells=1)
    rates.rate(0, 1)
    with pytest.raises(LimitError, match=r"^a: takes too long .*'cells'"):
        rates.rate(0, 1)


def test_bounds_are_limited() -> None:
    """Bounds are work as well."""
    rates = Rates([FIRST, SECOND], keys=["a", "b"], cells=3)
    rates.bound(0, 1)
    with pytest.raises(LimitError, match="cells"):
        rates.bound(0, 1)


@pytest.mark.parametrize("is_restricted", [False, True])
def test_deep_trees(is_restricted: bool) -> None:
    """Depth is no matter for the stack; equal subtrees are found at their root."""
    size = 5_000
    deep = Tree(("div",) * size, ("",) * size, tuple(range(-1, size - 1)))
    other = Tree(("div",) * size, ("",) * size, (-1, 0, *range(size - 2)))
    rates = Rates([deep, other, deep], ["a", "b", "c"], is_restricted=is_restricted, cells=20 * size)
    assert rates.rate(0, 2) == 1
    assert rates.rate(0, 1) == rate_of(deep, other, is_restricted)


def test_trees_without_nodes() -> None:
    """A tree without nodes has nothing in common with another one."""
    empty = Tree((), (), ())
    for is_restricted in (False, True):
        assert Rates([empty, FIRST], ["a", "b"], is_restricted=is_restricted).rate(0, 1) == 0
