"""The restricted top-down mapping of two trees, and its distance."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from small_trees import TREES, tree

from scrapy_webstemmer.trees.edit_distance import Mapping, map_trees, similarity, tree_distance
from scrapy_webstemmer.trees.layout_trees import Classes, Tree
from scrapy_webstemmer.trees.tree_rates import Rates

pytestmark = pytest.mark.once


def mapping(a: Tree, b: Tree) -> Mapping:
    found = map_trees(a, b)
    assert found is not None
    return found


def distance(a: Tree, b: Tree) -> float:
    return mapping(a, b).distance


def slow_distance(a: Tree, b: Tree) -> int:
    """Return the distance by trying all mappings."""

    @cache
    def forests(left: tuple[int, ...], right: tuple[int, ...]) -> int:
        if not left or not right:
            return sum(a.sizes[i] for i in left) + sum(b.sizes[j] for j in right)
        i, j = left[-1], right[-1]
        equal = a.labels[i] == b.labels[j]
        pair = forests(a.children[i], b.children[j]) if equal else a.sizes[i] + b.sizes[j] - 1
        return min(
            forests(left[:-1], right) + a.sizes[i],
            forests(left, right[:-1]) + b.sizes[j],
            forests(left[:-1], right[:-1]) + pair,
        )

    return forests((0,), (0,))


EXAMPLE = (
    tree("root", tree("a", "d", tree("e", "f", "g")), "b", tree("c", "h", tree("i", "j"))),
    tree("root", tree("a", "d"), tree("b", "k", "l", "m"), tree("c", "h")),
)


def test_the_example_of_the_paper() -> None:
    """With five nodes removed and three inserted, the distance is 8. All other nodes have partners."""
    found = mapping(*EXAMPLE)
    assert found.distance == 8
    assert [(EXAMPLE[0].names[i], EXAMPLE[1].names[j]) for i, j in found.pairs] == [
        (name, name) for name in ("root", "a", "d", "b", "c", "h")
    ]
    assert len(EXAMPLE[0]) - len(found.pairs) == 5
    assert len(EXAMPLE[1]) - len(found.pairs) == 3


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (tree("a"), tree("a"), 0),
        (tree("a"), tree("b"), 1),
        (tree("a", "=one"), tree("a", "=two"), 1),
        (tree("a", "b", "c"), tree("a", "c"), 1),
        (tree("a", "b", "c"), tree("a", "c", "b"), 2),
        (tree("a", tree("b", "c")), tree("a", tree("d", "c")), 3),  # b becomes d; c and c have no partners
        (tree("a", "b"), tree("b", "b"), 3),
        (tree("a", tree("b", "c", "d")), tree("a", "c", "d"), 4),  # a child never moves to another parent
    ],
)
def test_small_distances(a: Tree, b: Tree, expected: int) -> None:
    """Each node without a partner costs 1, and so does each pair with different labels."""
    assert distance(a, b) == distance(b, a) == expected


@given(TREES, TREES)
def test_equals_all_mappings(a: Tree, b: Tree) -> None:
    """The distance is the least of all mappings', with the same costs."""
    assert distance(a, b) == slow_distance(a, b)


@given(TREES, TREES, TREES)
def test_is_a_metric(a: Tree, b: Tree, c: Tree) -> None:
    """The distance is symmetric, 0 for equal trees alone, and never longer than a way round."""
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(TREES, TREES)
def test_stays_within_its_bounds(a: Tree, b: Tree) -> None:
    """The distance lies between the difference of the sizes and their sum less 1.

    The similarity lies between 0 and the bound that common paths give; equal trees alone have 1.
    """
    assert abs(len(a) - len(b)) <= distance(a, b) <= len(a) + len(b) - 1
    alike = similarity(distance(a, b), len(a), len(b))
    assert 0 <= alike <= Rates([a, b], ["a", "b"], is_restricted=True).bound(0, 1) <= 1
    assert (alike == 1) == (a == b)


@given(TREES, TREES)
def test_the_distance_alone(a: Tree, b: Tree) -> None:
    """Without the pairs, the distance and the cells are the same."""
    classes = Classes()
    found = tree_distance(a, b, (classes.of(a), classes.of(b)))
    assert found == (mapping(a, b).distance, mapping(a, b).cells)


@given(TREES, TREES)
def test_pairs_are_a_mapping_of_that_cost(a: Tree, b: Tree) -> None:
    """The pairs are one to one, keep parents and the order, and cost the distance."""
    distance, pairs, _ = mapping(a, b)
    partners = dict(pairs)
    assert len(partners) == len(set(partners.values())) == len(pairs)
    assert sorted(partners.values()) == list(partners.values())
    for i, j in pairs[1:]:
        assert partners[a.parents[i]] == b.parents[j]
        assert a.labels[a.parents[i]] == b.labels[b.parents[j]]
    replaced = sum(a.labels[i] != b.labels[j] for i, j in pairs)
    assert len(a) + len(b) - 2 * len(pairs) + replaced == distance


def leaves_only(a: Tree, b: Tree) -> int:
    """Return the distance if both nodes of a replacement had to be leaves."""

    @cache
    def forests(left: tuple[int, ...], right: tuple[int, ...]) -> float:
        if not left or not right:
            return sum(a.sizes[i] for i in left) + sum(b.sizes[j] for j in right)
        i, j = left[-1], right[-1]
        leaves = a.sizes[i] == b.sizes[j] == 1
        equal = a.labels[i] == b.labels[j]
        pair = forests(a.children[i], b.children[j]) if equal else 1 if leaves else float("inf")
        return min(
            forests(left[:-1], right) + a.sizes[i],
            forests(left, right[:-1]) + b.sizes[j],
            forests(left[:-1], right[:-1]) + pair,
        )

    return int(forests((0,), (0,)))


def test_with_leaves_alone_it_would_be_no_metric() -> None:
    """If only leaves could be replaced, a way round could be shorter. Ours is not."""
    a, b, c = tree("a"), tree("b"), tree("b", "c")
    assert leaves_only(a, c) == 3 > leaves_only(a, b) + leaves_only(b, c) == 2
    assert distance(a, c) == 2


def test_stops_before_too_many_cells() -> None:
    """A mapping that takes more cells than asked for is none; with exactly so many it is found."""
    cells = mapping(*EXAMPLE).cells
    assert map_trees(*EXAMPLE, cells=cells - 1) is None
    assert map_trees(*EXAMPLE, cells=cells) == mapping(*EXAMPLE)


def wide(count: int, text: str) -> Tree:
    return tree("root", *(tree("p", f"={text} {number}") for number in range(count)))


def deep(count: int, text: str) -> Tree:
    return Tree(("div",) * count + ("#text",), ("",) * count + (text,), (-1, *range(count)))


@pytest.mark.parametrize(
    ("make", "a", "b", "expected"),
    [
        (wide, (20_000, "one"), (20_000, "two"), None),
        (deep, (50_000, "one"), (50_000, "two"), 1),
        (wide, (20_000, "one"), (20_000, "one"), 0),
        (deep, (20_000, "one"), (10_000, "one"), 10_000 + 1),
    ],
)
def test_hostile_trees(make: Callable[[int, str], Tree], a: Any, b: Any, expected: Any) -> None:
    """A wide tree ends at the bound of cells. A deep one takes a cell for each level, and no stack."""
    found = map_trees(make(*a), make(*b))
    assert (found and found.distance) == expected
