"""Group pages with the same layout into clusters.

The method is complete linkage: every pair of a cluster's pages reaches the
threshold. Source: documentation of Webstemmer, clustering. Departure: the best
pair is joined first, not the first pair that fits. So the result does not depend
on the order in which pages were crawled.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

#: This many items are compared pairwise. Each of the others joins one of the clusters that these form.
_SAMPLE = 300

#: A further page is compared with this many members of each cluster.
_REPRESENTATIVES = 5


class Table(Protocol[T_contra]):
    """A table of items; a further item is compared with all of them at once."""

    def add(self, item: T_contra, /) -> None:
        """Add an item."""

    def similarities(self, item: T_contra, /) -> Sequence[float]:
        """Return the similarity of an item to each one in the table, from 0 to 1; symmetric."""


def cluster(
    items: Sequence[T],
    table: Callable[[], Table[T]],
    threshold: float,
    *,
    keys: Sequence[str],
    kinds: Sequence[Hashable],
    sample: int | None = _SAMPLE,
) -> list[list[int]]:
    """Return the clusters as lists of indexes, largest first.

    :param table: makes an empty table of items.
    :param threshold: the least similarity within a cluster, from 0 to 1.
    :param keys: a different key for each item. The items are ordered by its digest, so their own order does
        not matter.
    :param kinds: items of the same kind must have similarity 1; this saves time.
    :param sample: how many items are compared pairwise. Each of the others joins the cluster whose first
        five members are all like it. None: all items, and every pair of a cluster reaches the threshold.

    Cost: the square of the number of items up to the sample's size; above it, for each further item, some
    bytes per cluster.
    """
    order = sorted(range(len(items)), key=lambda i: (hashlib.sha256(keys[i].encode()).digest(), keys[i]))
    chosen, rest = order[:sample], ([] if sample is None else order[sample:])
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index in chosen:
        groups[kinds[index]].append(index)
    clusters = _complete_linkage(items, list(groups.values()), table(), threshold)
    _assign(rest, items, clusters, table(), threshold)
    for members in clusters:
        members.sort(key=keys.__getitem__)
    return sorted(clusters, key=lambda members: (-len(members), keys[members[0]]))


def _complete_linkage(
    items: Sequence[T], groups: list[list[int]], table: Table[T], threshold: float
) -> list[list[int]]:
    """Return clusters made of groups of items; the items of one group have similarity 1."""
    clusters = dict(enumerate(groups))
    near = _near(items, groups, table, threshold)
    heap = [(-score, a, b) for b, others in near.items() for a, score in others.items() if a < b]
    heapq.heapify(heap)
    latest = len(groups)
    while heap:
        _, a, b = heapq.heappop(heap)
        if a not in clusters or b not in clusters:
            continue
        clusters[latest] = clusters.pop(a) + clusters.pop(b)
        near_a, near_b = near.pop(a), near.pop(b)
        near[latest] = {}
        for other in near_a.keys() & near_b.keys() & clusters.keys():
            score = min(near_a[other], near_b[other])
            near[latest][other] = near[other][latest] = score
            heapq.heappush(heap, (-score, other, latest))
        latest += 1
    return list(clusters.values())


def _near(
    items: Sequence[T], groups: list[list[int]], table: Table[T], threshold: float
) -> dict[int, dict[int, float]]:
    """Return for each group the groups that are like it in every pair, with the lowest such similarity."""
    near: dict[int, dict[int, float]] = {}
    spans: list[tuple[int, int]] = []
    for b, members in enumerate(groups):
        rows = [table.similarities(items[index]) for index in members]
        least = rows[0] if len(rows) == 1 else list(map(min, *rows))
        near[b] = {}
        for a, (start, end) in enumerate(spans):
            score = min(least[start:end])
            if score >= threshold:
                near[a][b] = near[b][a] = score
        start = spans[-1][1] if spans else 0
        spans.append((start, start + len(members)))
        for index in members:
            table.add(items[index])
    return near


def _assign(
    rest: Iterable[int], items: Sequence[T], clusters: list[list[int]], table: Table[T], threshold: float
) -> None:
    """Add each item to the cluster whose first members are most like it, or to a new cluster."""
    owners: list[int] = []

    def represent(number: int, index: int) -> None:
        owners.append(number)
        table.add(items[index])

    for number, members in enumerate(clusters):
        for index in members[:_REPRESENTATIVES]:
            represent(number, index)
    for index in rest:
        least = [1.0] * len(clusters)
        for number, score in zip(owners, table.similarities(items[index]), strict=True):
            if score < least[number]:
                least[number] = score
        best = max(range(len(clusters)), key=least.__getitem__, default=None)
        if best is None or least[best] < threshold:
            best = len(clusters)
            clusters.append([])
        clusters[best].append(index)
        if len(clusters[best]) <= _REPRESENTATIVES:
            represent(best, index)
