"""Clusters: pages with the same layout.

Complete linkage: every pair of a cluster's pages reaches the threshold
(documentation of Webstemmer, clustering). Departures: the best pair is joined
first, not the first that fits, so the result does not depend on the order in
which pages were crawled.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["cluster"]

T = TypeVar("T")

#: Items that are compared pairwise; the others are put to the clusters that these form.
_SAMPLE = 300

#: Members of a cluster that a further page is compared with.
_REPRESENTATIVES = 5


def cluster(
    items: Sequence[T],
    similarity: Callable[[T, T], float],
    threshold: float,
    key: Callable[[T], str],
    sample: int | None = _SAMPLE,
) -> list[list[int]]:
    """Return the clusters as lists of indexes, largest first.

    :param similarity: of two items, symmetric, 0 to 1.
    :param key: what tells an item from others: the order of the items has no part in the result.
    :param sample: how many items are compared pairwise; each of the others is put to the cluster whose
        first five members are all like it. None: all, and every pair of a cluster reaches the threshold.

    Cost: the square of the number of items up to the sample's size, linear above.
    """
    order = sorted(
        range(len(items)), key=lambda i: (hashlib.sha256(key(items[i]).encode()).digest(), key(items[i]))
    )
    chosen, rest = order[:sample], ([] if sample is None else order[sample:])
    clusters = _complete_linkage(items, chosen, similarity, threshold)
    for index in rest:
        _assign(index, items, clusters, similarity, threshold)
    for members in clusters:
        members.sort(key=lambda i: key(items[i]))
    return sorted(clusters, key=lambda members: (-len(members), key(items[members[0]])))


def _complete_linkage(
    items: Sequence[T], chosen: Sequence[int], similarity: Callable[[T, T], float], threshold: float
) -> list[list[int]]:
    clusters: dict[int, list[int]] = {number: [index] for number, index in enumerate(chosen)}
    near: dict[int, dict[int, float]] = {number: {} for number in clusters}
    heap: list[tuple[float, int, int]] = []
    for b in range(len(chosen)):
        for a in range(b):
            score = similarity(items[chosen[a]], items[chosen[b]])
            if score >= threshold:
                near[a][b] = near[b][a] = score
                heap.append((-score, a, b))
    heapq.heapify(heap)
    latest = len(chosen)
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


def _assign(
    index: int,
    items: Sequence[T],
    clusters: list[list[int]],
    similarity: Callable[[T, T], float],
    threshold: float,
) -> None:
    """Put an item to the cluster whose first members are most like it, or to a new one."""
    best, best_score = None, threshold
    for members in clusters:
        score = min(similarity(items[index], items[member]) for member in members[:_REPRESENTATIVES])
        if score > best_score or (score == best_score and best is None):
            best, best_score = members, score
    if best is None:
        clusters.append([index])
    else:
        best.append(index)
