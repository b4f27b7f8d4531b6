from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_trees import drawn_trees, tree_of

from scrapy_webstemmer.errors import LimitError, OptionError
from scrapy_webstemmer.trees import tree_rates as module
from scrapy_webstemmer.trees.edit_distance import tree_distance
from scrapy_webstemmer.trees.layout_trees import Tree
from scrapy_webstemmer.trees.tree_mappings import METHODS, TreeMapping, map_restricted
from scrapy_webstemmer.trees.tree_rates import Rates

pytestmark = pytest.mark.once

ALL = {**METHODS, "restricted": map_restricted}
FIRST, SECOND = tree_of(["body", ["p", "a"], ["p", "b"]]), tree_of(["body", ["p", "a"], ["div", ["p"]]])


def mapping(method: str, first: Tree, second: Tree) -> TreeMapping:
    found = ALL[method](first, second)
    assert found is not None
    return found


@pytest.mark.parametrize("method", ALL)
@given(trees=st.lists(drawn_trees(), min_size=2, max_size=5))
def test_rates_are_those_of_the_mappings(method: str, trees: list[Tree]) -> None:
    """A rate is that of the mapping, and no higher than the bound; equal trees have the same class."""
    rates = Rates(trees, method, keys=[str(index) for index in range(len(trees))])
    for a, first in enumerate(trees):
        for b, second in enumerate(trees):
            assert rates.rate(a, b) == rates.rate(b, a) == mapping(method, first, second).rate
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
    assert Rates(texts, "restricted", keys=["a", "b"]).rate(0, 1) == 1 / 6
    monkeypatch.setattr(module, "tree_distance", lambda *arguments: tree_distance(*arguments, cells=24))
    assert Rates(texts, "restricted", keys=["a", "b"]).rate(0, 1) == 0


@pytest.mark.parametrize("method", ALL)
def test_comparisons_are_limited(method: str) -> None:
    """Beyond the limit for cells, the error names the larger of the two pages."""
    rates = Rates([FIRST, tree_of(["body"])], method, keys=["a", "b"], cells=1)
    rates.rate(0, 1)
    with pytest.raises(LimitError, match=r"^a: takes too long .*'cells'"):
        rates.rate(0, 1)


def test_bounds_are_limited() -> None:
    """Bounds are work as well."""
    rates = Rates([FIRST, SECOND], keys=["a", "b"], cells=3)
    rates.bound(0, 1)
    with pytest.raises(LimitError, match="cells"):
        rates.bound(0, 1)


def test_an_unknown_method() -> None:
    """The name of a method that does not exist is named in the error."""
    with pytest.raises(OptionError, match="method='best': must be one of fast, fine, restricted"):
        Rates([], "best", keys=[])


@pytest.mark.parametrize("method", ALL)
def test_deep_trees(method: str) -> None:
    """Depth is no matter for the stack; equal subtrees are found at their root."""
    size = 5_000
    deep = Tree(("div",) * size, ("",) * size, tuple(range(-1, size - 1)))
    other = Tree(("div",) * size, ("",) * size, (-1, 0, *range(size - 2)))
    rates = Rates([deep, other, deep], method, keys=["a", "b", "c"], cells=20 * size)
    assert rates.rate(0, 2) == 1
    assert rates.rate(0, 1) == mapping(method, deep, other).rate


def test_trees_without_nodes() -> None:
    """A tree without nodes has nothing in common with another one."""
    empty = Tree((), (), ())
    for method in ALL:
        assert Rates([empty, FIRST], method, keys=["a", "b"]).rate(0, 1) == 0
