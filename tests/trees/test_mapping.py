from __future__ import annotations

import oracles
import pytest
from hypothesis import given
from layout_trees import drawn_trees, parsed, tree_of

from scrapy_webstemmer.trees.layout_trees import Tree
from scrapy_webstemmer.trees.tree_rates import fine_pairs, similarity_rate

pytestmark = pytest.mark.once

HEAD = "<html><head><title>T</title><meta name=m></head><body><br>"
FIRST = f"{HEAD}<p><b>One</b> two</p><p>Three</p></body></html>"
SECOND = f"{HEAD}<p>One <i>two</i></p></body></html>"


def test_the_example_of_the_thesis() -> None:
    """Trees of the sizes in section 12.5.2 of the thesis have its rate."""
    first, second = parsed(FIRST), parsed(SECOND)
    common = len(fine_pairs(first, second))
    assert (len(first), len(second), common) == (9, 7, 7)
    assert round(similarity_rate(common, len(first), len(second)), 3) == 0.778


def test_an_extra_child_costs_itself_alone() -> None:
    """What comes after an extra child early on is in common."""
    first = tree_of(["body", ["p", "a"], ["div", "b"], ["ul", "c"]])
    second = tree_of(["body", ["p", "a"], ["hr"], ["div", "b"], ["ul", "c"]])
    assert sorted(fine_pairs(first, second)) == [(0, 0), (1, 1), (2, 2), (3, 4), (4, 5), (5, 6), (6, 7)]


def test_the_largest_siblings_are_paired() -> None:
    """The largest of some siblings of one name are paired, even if others are more alike."""
    first = tree_of(["body", ["div", "a"], ["div", "b", "c"]])
    second = tree_of(["body", ["div", "a", "x", "y"], ["div", "b", "c"]])
    assert len(fine_pairs(first, second)) == 3


def test_order_plays_no_part() -> None:
    """Siblings of different labels or sizes may stand in any order."""
    first = tree_of(["body", ["p", "a"], ["p", "b", ["ul"]], "c"])
    second = tree_of(["body", "c", ["p", ["ul"], "b"], ["p", "a"]])
    assert len(fine_pairs(first, second)) == len(first) == len(second)


def test_unequal_roots_have_nothing_in_common() -> None:
    """If the roots are unequal, no nodes are paired."""
    assert fine_pairs(tree_of(["html", "a"]), tree_of(["body", "a"])) == []


@given(drawn_trees(), drawn_trees())
def test_fine_is_the_published_rule(first: Tree, second: Tree) -> None:
    """The mapping by labels pairs the same nodes as the comparison of the heads of two sorted lists."""
    assert set(fine_pairs(first, second)) == oracles.fine_pairs(first, second)


@given(first=drawn_trees(), second=drawn_trees())
def test_the_mapping_is_symmetric(first: Tree, second: Tree) -> None:
    """It pairs the same nodes in both directions."""
    assert {(b, a) for a, b in fine_pairs(first, second)} == set(fine_pairs(second, first))


@given(first=drawn_trees(), second=drawn_trees())
def test_a_common_tree_is_a_part_of_both(first: Tree, second: Tree) -> None:
    """Pairs are equal, one to one, and so are their parents."""
    pairs = fine_pairs(first, second)
    partners = dict(pairs)
    assert len(partners) == len(set(partners.values())) == len(pairs)
    for ours, theirs in pairs:
        assert first.labels[ours] == second.labels[theirs]
        assert (ours == theirs == 0) or partners[first.parents[ours]] == second.parents[theirs]


@given(tree=drawn_trees())
def test_a_tree_is_wholly_like_itself(tree: Tree) -> None:
    """A tree and itself are alike, node by node."""
    assert sorted(fine_pairs(tree, tree)) == [(node, node) for node in range(len(tree))]


def test_deep_and_wide_trees() -> None:
    """Neither depth nor width is a matter for the stack."""
    size = 20_000
    deep = Tree(("div",) * size, ("",) * size, tuple(range(-1, size - 1)))
    wide = Tree(("div",) * size, ("",) * size, (-1, *[0] * (size - 1)))
    assert len(fine_pairs(deep, deep)) == len(fine_pairs(wide, wide)) == size
    assert len(fine_pairs(deep, wide)) == 2
