from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations
from typing import Any
from unittest import mock

import oracles
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.patterns import clusters

#: Items are numbers: near numbers are alike.
numbers = st.lists(st.integers(0, 30), unique=True, max_size=12)


class Item(dict[Any, int]):
    """An item in place of a page's profile."""

    def __init__(self, profile: dict[Any, int], item: Any) -> None:
        super().__init__(profile)
        self.item = item


class Pairs:
    """A table of items that are compared one by one."""

    def __init__(self, similarity: Callable[[Any, Any], float]) -> None:
        self.similarity = similarity
        self.items: list[Any] = []

    def add(self, profile: Item) -> None:
        self.items.append(profile.item)

    def similarities(self, profile: Item) -> list[float]:
        return [self.similarity(profile.item, other) for other in self.items]


def cluster(
    items: Sequence[Any],
    similarity: Callable[[Any, Any], float],
    threshold: float,
    key: Callable[[Any], str] = str,
    sample: int | None = 300,
    kind: Callable[[Any], Hashable] = lambda item: item,
) -> list[list[int]]:
    """Return the clusters by the similarity of two items.

    :param sample: how many items are compared pairwise; None: all.
    :param kind: items of the same kind have similarity 1.
    """
    profiles = [Item({kind(item): 1}, item) for item in items]
    size = len(items) if sample is None else sample
    with mock.patch.multiple(clusters, ProfileTable=lambda: Pairs(similarity), _COMPARED_PAGES=size):
        return clusters.cluster(profiles, threshold, keys=list(map(key, items)))


def near(a: int, b: int) -> float:
    return 1 - abs(a - b) / 30


def drawn(item: str) -> bytes:
    """Return the digest by which items are drawn for the sample."""
    return hashlib.sha256(item.encode()).digest()


@st.composite
def tables(draw: st.DrawFn) -> list[list[float]]:
    """Return symmetric similarities of up to seven items, all different."""
    size = draw(st.integers(1, 7))
    pairs = list(combinations(range(size), 2))
    table = [[1.0] * size for _ in range(size)]
    for (i, j), rank in zip(pairs, draw(st.permutations(range(len(pairs)))), strict=True):
        table[i][j] = table[j][i] = (rank + 1) / (len(pairs) + 1)
    return table


@given(numbers, st.floats(0.1, 1))
def test_every_pair_of_a_cluster_reaches_the_threshold(items: list[int], threshold: float) -> None:
    """If all items are compared, every pair of a cluster reaches the threshold."""
    found = cluster(items, near, threshold, str, sample=None)
    assert sorted(index for members in found for index in members) == list(range(len(items)))
    for members in found:
        assert all(near(items[a], items[b]) >= threshold for a, b in combinations(members, 2))


@given(numbers, st.randoms(use_true_random=False), st.sampled_from([None, 4, 300]))
def test_order_of_items_has_no_part(items: list[int], chance: object, sample: int | None) -> None:
    """Shuffled items give the same clusters in the same order, sampled or not."""
    shuffled = items.copy()
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    found, again = (
        [[some[index] for index in members] for members in cluster(some, near, 0.8, str, sample)]
        for some in (items, shuffled)
    )
    assert found == again


@given(tables(), st.floats(0.05, 1))
def test_the_most_alike_are_joined_first(table: list[list[float]], threshold: float) -> None:
    """The clusters are those of a slow oracle for complete linkage."""
    items = list(range(len(table)))
    found = cluster(items, lambda a, b: table[a][b], threshold, str)
    assert set(map(frozenset, found)) == oracles.complete_linkage(table, threshold)


def test_largest_cluster_first() -> None:
    """Clusters are ordered by size, then by their first member's key; members by their keys."""
    assert cluster([9, 1, 31, 0, 30, 2, 15, 22, 23], near, 0.9, "{:02}".format) == [
        [3, 1, 5],
        [7, 8],
        [4, 2],
        [0],
        [6],
    ]


def test_beyond_the_sample_items_go_where_they_fit_best() -> None:
    """Items beyond the sample join the cluster that is most like them, or form a new one."""
    items = [*range(40), *range(1000, 1040), 5000]
    compared = 0

    def alike(a: int, b: int) -> float:
        nonlocal compared
        compared += 1
        return 1 - abs(a - b) / 10000

    found = [[items[index] for index in members] for members in cluster(items, alike, 0.95, str, sample=10)]
    assert sorted(map(sorted, found)) == [list(range(40)), list(range(1000, 1040)), [5000]]
    assert compared <= 10 * 9 / 2 + 71 * 15


def test_beyond_the_sample_all_of_the_first_members_decide() -> None:
    """An item joins a cluster only if all of its first five members are like the item."""
    first, *rest, last = sorted("abcdefgh", key=drawn)
    found = cluster("abcdefgh", lambda a, b: 0.1 if {a, b} == {first, last} else 0.9, 0.5, str, sample=2)
    assert [["abcdefgh"[i] for i in members] for members in found] == [sorted([first, *rest]), [last]]


def test_beyond_the_sample_the_best_cluster_wins() -> None:
    """If an item fits two clusters, it joins the one that is more like it."""
    order = sorted("abcdefgh", key=drawn)
    first, second, *rest = order
    likeness = {frozenset((first, second)): 0.1}
    likeness |= {frozenset((first, item)): 0.6 for item in rest}
    likeness |= {frozenset((second, item)): 0.8 for item in rest}
    found = cluster(order, lambda x, y: likeness.get(frozenset((x, y)), 0.9), 0.5, str, sample=2)
    assert [[order[i] for i in members] for members in found] == [sorted([second, *rest]), [first]]


@given(tables(), st.floats(0.05, 1))
def test_kinds_save_time_only(table: list[list[float]], threshold: float) -> None:
    """Kinds do not change the clusters: items of one kind have similarity 1 and are joined first anyway."""
    size = len(table)

    def alike(a: int, b: int) -> float:
        return table[a % size][b % size]

    items = list(range(3 * size))
    found = cluster(items, alike, threshold, kind=lambda item: item % size)
    assert found == cluster(items, alike, threshold)
