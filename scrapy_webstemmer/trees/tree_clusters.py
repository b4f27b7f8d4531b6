"""Group layout trees into clusters, by News Ripper's rule or around leaders.

Sources: News Ripper, clusters; Reis and others 2004, step 1. The published program of the former sorts the
rates of all pairs. Here a pair is compared only when its turn may come: the ratio of the sizes bounds the
rate of two pages, and so does what they have in common in any order. The result is the same.

Departures. Pairs with the same rate come in the order of the pages' keys, so that the order of the pages
makes no difference. Where two pages form a cluster, a page joins that is similar to either of them; the
published text says "with that page" for both cases. If a sample is asked for, only its pages begin
clusters.

Reis and others only say that their clusters are hierarchical. Here each page is compared with the first
page of each cluster (the leader algorithm: J. A. Hartigan, Clustering Algorithms, 1975). With complete
linkage, on twelve sites, learning took half as long again for an F1 that was .05 lower, and far longer on
large sites.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Collection, Iterator
from typing import TypeAlias

from .tree_rates import Rates

#: Two ways to compute one number may differ by this much.
_ROUNDING = 1e-9

#: What is known of a pair in the queue: the ratio of the sizes, the bound, or the rate itself. The less that
#: is known, the sooner its turn comes among equal numbers: its rate may come out as high.
_SIZES, _BOUND, _RATE = range(3)
#: The negative number, what it is, and the places of the two pages: in the order of size for _SIZES, else of
#: key.
_Entry: TypeAlias = tuple[float, int, int, int]


def ripper_clusters(rates: Rates, threshold: float, *, sample: int | None = None) -> list[list[int]]:
    """Return News Ripper's clusters as lists of indexes, largest first. A page left over is alone in a list.

    :param threshold: the least rate, from 0 to 1; .6 in the thesis. All pages of a cluster reach it with one
        of the pages that the cluster began with, but not with one another.
    :param sample: how many pages are compared pairwise, to find those that begin clusters. All pages may
        join. What is left over is the next sample, and so on. Samples are drawn by a digest of the keys.
        None: all pages, as published.
    :raises LimitError: the comparisons take too long.

    Cost: at worst the comparison of all pairs. Pages that are in a cluster are not compared with one another
    any more, so it is little more than one comparison for each page and cluster if most pages are in
    clusters.
    """
    free = set(range(len(rates.keys)))
    clusters = []
    digests = [hashlib.sha256(key.encode()).digest() for key in rates.keys]
    waiting = sorted(free, key=digests.__getitem__)  # in the order in which samples are drawn
    while waiting:
        for pair in _Descending(rates, threshold, free, waiting[:sample]):
            begun = [index for index in pair if index in free]
            free.difference_update(begun)
            joined = [
                index for index in free if any(_reaches(rates, threshold, index, start) for start in begun)
            ]
            free.difference_update(joined)
            clusters.append(sorted(begun + joined, key=rates.keys.__getitem__))
        waiting = [] if sample is None else [index for index in waiting[sample:] if index in free]
    return _ordered([*clusters, *([index] for index in free)], rates)


def leader_clusters(rates: Rates, threshold: float) -> list[list[int]]:
    """Return clusters around leaders as lists of indexes, largest first.

    In the order of the keys, a page joins the first cluster whose first page, the leader, is similar to it.

    :param threshold: the least similarity to the leader, from 0 to 1; published as .8.
    :raises LimitError: the comparisons take too long.

    Cost: a comparison for each page and cluster that the bound does not rule out. A page that is equal to an
    earlier one needs none.
    """
    clusters: list[list[int]] = []
    homes: dict[int, list[int]] = {}
    for index in sorted(range(len(rates.keys)), key=rates.keys.__getitem__):
        home = homes.get(rates.classes[index])
        if home is None:
            home = next((known for known in clusters if _reaches(rates, threshold, known[0], index)), None)
        if home is None:
            clusters.append(home := [])
        homes[rates.classes[index]] = home
        home.append(index)
    return _ordered(clusters, rates)


def _ordered(clusters: list[list[int]], rates: Rates) -> list[list[int]]:
    return sorted(clusters, key=lambda members: (-len(members), rates.keys[members[0]]))


def _reaches(rates: Rates, threshold: float, first: int, second: int) -> bool:
    """Return whether two trees reach a threshold. Often their sizes or their bound rule it out."""
    smaller, larger = sorted((len(rates.trees[first]), len(rates.trees[second])))
    if smaller < (threshold - _ROUNDING) * larger or rates.bound(first, second) + _ROUNDING < threshold:
        return False
    return rates.rate(first, second) >= threshold


class _Descending:
    """The pairs of pages whose rate reaches a threshold: the highest rate first, then by their keys.

    :param free: the pages that are in no cluster yet. The caller takes pages out; a pair without any is left
        out from then on.
    :param pages: the pages whose pairs are wanted.

    A queue holds for each page the pair with the next smaller one, and the pairs whose turn has come. A pair
    is looked at more closely only if no other may have a higher rate.
    """

    def __init__(self, rates: Rates, threshold: float, free: Collection[int], pages: Collection[int]) -> None:
        self._rates, self._threshold, self._free = rates, threshold, free
        self._by_key = sorted(pages, key=rates.keys.__getitem__)
        self._by_size = sorted(pages, key=lambda index: (len(rates.trees[index]), rates.keys[index]))
        self._places = {index: place for place, index in enumerate(self._by_key)}
        self._queue: list[_Entry] = []

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for larger in range(len(self._by_size)):
            self._next_smaller(larger, larger)
        while self._queue:
            _, known, first, second = heapq.heappop(self._queue)
            order = self._by_size if known == _SIZES else self._by_key
            pair = order[first], order[second]
            if known == _SIZES:
                self._next_smaller(first, second)
            if self._is_done(*pair):
                continue
            if known == _SIZES:
                self._push(_BOUND, pair, self._rates.bound(*pair) + _ROUNDING)
            elif known == _BOUND:
                self._push(_RATE, pair, self._rates.rate(*pair))
            else:
                yield pair

    def _is_done(self, first: int, second: int) -> bool:
        return first not in self._free and second not in self._free

    def _next_smaller(self, larger: int, smaller: int) -> None:
        """Queue a page with the next page that is no larger and that it may have to be compared with."""
        page, sizes = self._by_size[larger], self._rates.trees
        while smaller > 0:
            smaller -= 1
            other = self._by_size[smaller]
            ratio = len(sizes[other]) / max(1, len(sizes[page])) + _ROUNDING
            if ratio < self._threshold:
                return
            if not self._is_done(page, other):
                heapq.heappush(self._queue, (-ratio, _SIZES, larger, smaller))
                return

    def _push(self, known: int, pair: tuple[int, int], rate: float) -> None:
        if rate >= self._threshold:
            first, second = sorted(self._places[index] for index in pair)
            heapq.heappush(self._queue, (-rate, known, first, second))
