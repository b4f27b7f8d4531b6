from __future__ import annotations

import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_trees import drawn_trees, parsed, tree_of

from scrapy_webstemmer.trees.layout_trees import DEFAULT, Tree
from scrapy_webstemmer.trees.tree_mappings import FOOLED, METHODS, TreeMapping, map_fast, map_fine, missed
from scrapy_webstemmer.trees.tree_selection import Selection

pytestmark = pytest.mark.once

HEAD = "<html><head><title>T</title><meta name=m></head><body><br>"
FIRST = f"{HEAD}<p><b>One</b> two</p><p>Three</p></body></html>"
SECOND = f"{HEAD}<p>One <i>two</i></p></body></html>"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("selection", "sizes", "common", "rate"),
    [(Selection.read("all"), (13, 11), 8, 0.615), (DEFAULT, (9, 7), 7, 0.778)],
    ids=["all", "default"],
)
def test_the_example_of_the_thesis(
    selection: Selection, sizes: tuple[int, int], common: int, rate: float, method: str
) -> None:
    """Trees of the sizes in section 12.5.2 of the thesis have its rates, with both selections."""
    first, second = parsed(FIRST, selection), parsed(SECOND, selection)
    mapping = METHODS[method](first, second)
    assert (len(first), len(second)) == sizes
    assert len(mapping.pairs) == common
    assert round(mapping.rate, 3) == rate


def test_fast_ends_at_the_first_unequal_pair() -> None:
    """An extra child early on costs the fast mapping all that comes after it; the fine one finds it."""
    first = tree_of(["body", ["p", "a"], ["div", "b"], ["ul", "c"]])
    second = tree_of(["body", ["p", "a"], ["hr"], ["div", "b"], ["ul", "c"]])
    assert map_fast(first, second).pairs == ((0, 0), (1, 1), (2, 2))
    assert map_fine(first, second).pairs == ((0, 0), (1, 1), (2, 2), (3, 4), (4, 5), (5, 6), (6, 7))
    assert missed(first, second) == 4 / 8 >= FOOLED


def test_fast_maps_the_wrong_one_of_a_name() -> None:
    """A child of the same name before the right one gets the fast mapping the wrong subtrees."""
    story = ["div", ["p", "a"], ["ul", "b"]]
    first, second = tree_of(["body", story]), tree_of(["body", ["div"], story])
    assert len(map_fast(first, second).pairs) == 2
    assert len(map_fine(first, second).pairs) == 6


def test_fine_may_find_less_than_fast() -> None:
    """The largest of some siblings of one name are paired, even if others are more alike."""
    first = tree_of(["body", ["div", "a"], ["div", "b", "c"]])
    second = tree_of(["body", ["div", "a", "x", "y"], ["div", "b", "c"]])
    assert len(map_fast(first, second).pairs) == 6
    assert len(map_fine(first, second).pairs) == 3
    assert missed(first, second) == 0


def test_fine_takes_no_notice_of_order() -> None:
    """Siblings of different labels or sizes may stand in any order."""
    first = tree_of(["body", ["p", "a"], ["p", "b", ["ul"]], "c"])
    second = tree_of(["body", "c", ["p", ["ul"], "b"], ["p", "a"]])
    assert map_fine(first, second).rate == 1


def test_unequal_roots_have_nothing_in_common() -> None:
    """If the roots are unequal, the rate is 0 and there is no common tree."""
    mapping = map_fine(tree_of(["html", "a"]), tree_of(["body", "a"]))
    assert (mapping.pairs, mapping.rate, mapping.common) == ((), 0, None)


@given(drawn_trees(), drawn_trees())
def test_fine_is_the_published_rule(first: Tree, second: Tree) -> None:
    """The mapping by labels pairs the same nodes as the comparison of the heads of two sorted lists."""
    assert set(map_fine(first, second).pairs) == oracles.fine_pairs(first, second)


@pytest.mark.parametrize("method", METHODS)
@given(first=drawn_trees(), second=drawn_trees())
def test_mappings_are_symmetric(method: str, first: Tree, second: Tree) -> None:
    """Each mapping pairs the same nodes in both directions."""
    there, back = METHODS[method](first, second), METHODS[method](second, first)
    assert {(b, a) for a, b in there.pairs} == set(back.pairs)
    assert there.rate == back.rate


@pytest.mark.parametrize("method", METHODS)
@given(first=drawn_trees(), second=drawn_trees())
def test_a_common_tree_is_a_part_of_both(method: str, first: Tree, second: Tree) -> None:
    """Pairs are equal, one to one, and so are their parents; the common tree has the same nodes."""
    mapping: TreeMapping = METHODS[method](first, second)
    partners = dict(mapping.pairs)
    assert len(partners) == len(set(partners.values())) == len(mapping.pairs)
    for ours, theirs in mapping.pairs:
        assert first.labels[ours] == second.labels[theirs]
        assert (ours == theirs == 0) or partners[first.parents[ours]] == second.parents[theirs]
    common = mapping.common
    assert common is not None
    assert common.labels == tuple(first.labels[ours] for ours, _ in mapping.pairs)


@pytest.mark.parametrize("method", METHODS)
@given(tree=drawn_trees())
def test_a_tree_is_wholly_like_itself(method: str, tree: Tree) -> None:
    """A tree and itself have the rate 1, node by node."""
    assert METHODS[method](tree, tree).pairs == tuple((node, node) for node in range(len(tree)))


def without_twins(tree: Tree) -> Tree:
    """Return a tree without the siblings that repeat the label of an earlier one, and their subtrees."""
    kept: dict[int, int] = {-1: -1}
    seen = set()
    for node, label in enumerate(tree.labels):
        parent = tree.parents[node]
        if parent in kept and (parent, label) not in seen:
            seen.add((parent, label))
            kept[node] = len(kept) - 1
    nodes = [node for node in kept if node >= 0]
    return Tree(
        tuple(tree.names[node] for node in nodes),
        tuple(tree.texts[node] for node in nodes),
        tuple(kept[tree.parents[node]] for node in nodes),
    )


@given(st.tuples(drawn_trees(), drawn_trees()))
def test_fine_finds_all_that_fast_finds_without_twins(trees: tuple[Tree, Tree]) -> None:
    """If no two siblings have one label, the fine mapping has all pairs of the fast one."""
    first, second = map(without_twins, trees)
    assert set(map_fast(first, second).pairs) <= set(map_fine(first, second).pairs)


@pytest.mark.parametrize("method", METHODS)
def test_deep_and_wide_trees(method: str) -> None:
    """Neither depth nor width is a matter for the stack."""
    size = 20_000
    deep = Tree(("div",) * size, ("",) * size, tuple(range(-1, size - 1)))
    wide = Tree(("div",) * size, ("",) * size, (-1, *[0] * (size - 1)))
    assert METHODS[method](deep, deep).rate == METHODS[method](wide, wide).rate == 1
    assert len(METHODS[method](deep, wide).pairs) == 2
