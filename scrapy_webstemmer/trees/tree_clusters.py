"""Compare many layout trees, and group them into clusters, by News Ripper's rule or around leaders.

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

Two subtrees with the same labels in the same places are one class. The classes of all pages are numbered
together. So what a template repeats on each page is recognised as equal at its root, without a look inside.

A top-down mapping pairs only nodes whose ancestors have the same labels as well, in the same order. So the
common tree of two pages is never larger than what their multisets of such paths have in common. The same
holds of the nodes that the restricted top-down mapping pairs without a cost, and its distance is never
smaller than the larger tree less these.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from ..errors import LimitError, OptionError
from .edit_distance import MAX_CELLS, similarity, tree_distance
from .layout_trees import Classes, Tree, count_paths
from .tree_mappings import begin_alike, by_label, similarity_rate

#: The most cells of all comparisons of one object. A cell is a node of the smaller of two trees that is
#: looked at. They take one to two minutes. 400 pages of one site take some hundred thousand to ten million.
CELLS = 100_000_000

#: A cell of the restricted mapping's tables takes as long as so many cells of the others.
_RESTRICTED = 3

_METHODS = ("fast", "fine", "restricted")


class Rates:
    """The similarity rates of some trees.

    :param trees: the trees.
    :param method: ``fast`` or ``fine``: the rate of that mapping. ``restricted``: 1 less the distance of the
        restricted top-down mapping, divided by the size of the larger tree.
    :param keys: a different key for each tree, such as its url.
    :param cells: how many cells may be compared in all.
    :raises OptionError: there is no such method.

    Memory: about 200 bytes for each class of subtrees, and for each path that several pages have.
    """

    def __init__(
        self, trees: Sequence[Tree], method: str = "fine", *, keys: Sequence[str], cells: int = CELLS
    ) -> None:
        if method not in _METHODS:
            raise OptionError("method", method, f"must be one of {', '.join(_METHODS)}")
        self.trees, self.keys, self._method = trees, keys, method
        self._left = cells
        self._forest = _Forest(trees)
        #: For each tree, the number of its class: equal trees have the same one.
        self.classes: list[int] = self._forest.roots
        self._paths = _shared_paths(trees)

    def bound(self, first: int, second: int) -> float:
        """Return a number that the similarity of two trees does not exceed.

        :raises LimitError: all comparisons together take too long.

        Cost: the number of paths that the smaller tree shares with some other tree.
        """
        ours, theirs = self._paths[first], self._paths[second]
        if len(ours) > len(theirs):
            ours, theirs = theirs, ours
        self._spend(len(ours), first, second)
        count_in = theirs.get
        common = sum([min(count, count_in(path, 0)) for path, count in ours.items()])
        return similarity_rate(common, len(self.trees[first]), len(self.trees[second]))

    def rate(self, first: int, second: int) -> float:
        """Return the similarity of two trees.

        :raises LimitError: all comparisons together take too long.
        """
        sizes = len(self.trees[first]), len(self.trees[second])
        if self._method == "restricted":
            return self._restricted(first, second, sizes)
        common, cells = self._forest.compare(self._method, self.classes[first], self.classes[second])
        self._spend(cells, first, second)
        return similarity_rate(common, *sizes)

    def _restricted(self, first: int, second: int, sizes: tuple[int, int]) -> float:
        """Return the similarity by the restricted mapping; 0 if that alone takes too many cells."""
        if not all(sizes):
            return 0.0
        classes = self._forest.nodes[first], self._forest.nodes[second]
        measured = tree_distance(self.trees[first], self.trees[second], classes)
        distance, cells = measured or (sum(sizes), MAX_CELLS)
        self._spend(1 + _RESTRICTED * cells, first, second)
        return similarity(distance, *sizes)

    def _spend(self, cells: int, first: int, second: int) -> None:
        self._left -= cells
        if self._left < 0:
            larger = max(first, second, key=lambda index: (len(self.trees[index]), self.keys[index]))
            reason = "takes too long to compare with other pages, or there are too many of them"
            raise LimitError(self.keys[larger], "cells", reason)


class _Forest:
    """The classes of the subtrees of many trees, with what comparisons need of each.

    :ivar nodes: for each tree, the class of each of its nodes.
    :ivar roots: the class of each tree; -1 for a tree without nodes.
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._labels: list[str] = []
        self._sizes: list[int] = []
        self._children: list[tuple[int, ...]] = []
        self._groups: dict[int, dict[str, list[int]]] = {}
        classes = Classes()
        self.nodes = [classes.of(tree) for tree in trees]
        self.roots = [nodes[0] if nodes else -1 for nodes in self.nodes]
        for tree, nodes in zip(trees, self.nodes, strict=True):
            self._note(tree, nodes)

    def _note(self, tree: Tree, nodes: Sequence[int]) -> None:
        """Note the classes that no earlier tree has. They were numbered from the last node to the first."""
        for node in range(len(nodes) - 1, -1, -1):
            if nodes[node] == len(self._labels):
                self._labels.append(tree.labels[node])
                self._sizes.append(tree.sizes[node])
                self._children.append(tuple([nodes[child] for child in tree.children[node]]))

    def compare(self, method: str, first: int, second: int) -> tuple[int, int]:
        """Return the size of the common tree of two classes by News Ripper's mappings, and the cells."""
        if min(first, second) < 0 or self._labels[first] != self._labels[second]:
            return 0, 1
        paired = self._fine if method == "fine" else self._fast
        common, cells, todo = 0, 0, [(first, second)]
        while todo:
            ours, theirs = todo.pop()
            cells += 1
            if ours == theirs:
                common += self._sizes[ours]
                continue
            common += 1
            cells += min(len(self._children[ours]), len(self._children[theirs]))
            todo += paired(ours, theirs)
        return common, cells

    def _fast(self, ours: int, theirs: int) -> Iterable[tuple[int, int]]:
        """Return the children that the fast mapping pairs."""
        return begin_alike(self._children[ours], self._children[theirs], self._labels, self._labels)

    def _fine(self, ours: int, theirs: int) -> Iterable[tuple[int, int]]:
        """Return the children that the fine mapping pairs."""
        left, right = self._children_of(ours), self._children_of(theirs)
        if len(left) > len(right):  # which one comes first plays no part
            left, right = right, left
        pairs: list[tuple[int, int]] = []
        for label, alike in left.items():
            if label in right:
                pairs += zip(alike, right[label], strict=False)
        return pairs

    def _children_of(self, subtree: int) -> dict[str, list[int]]:
        """Return the children of a class by their label, the largest first, then in their order."""
        if subtree not in self._groups:
            self._groups[subtree] = by_label(self._children[subtree], self._labels, self._sizes)
        return self._groups[subtree]


def _shared_paths(trees: Sequence[Tree]) -> list[dict[int, int]]:
    """Return for each tree how often it has each path that other trees have as well."""
    numbers: dict[tuple[int, str], int] = {}
    profiles = [count_paths(tree, numbers) for tree in trees]
    pages = Counter(path for profile in profiles for path in profile)
    return [{path: count for path, count in profile.items() if pages[path] > 1} for profile in profiles]


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
    :raises OptionError: the threshold is not valid.
    :raises LimitError: the comparisons take too long.

    Cost: at worst the comparison of all pairs. Pages that are in a cluster are not compared with one another
    any more, so it is little more than one comparison for each page and cluster if most pages are in
    clusters.
    """
    _check(threshold)
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
    :raises OptionError: the threshold is not valid.
    :raises LimitError: the comparisons take too long.

    Cost: a comparison for each page and cluster that the bound does not rule out. A page that is equal to an
    earlier one needs none.
    """
    _check(threshold)
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


def _check(threshold: float) -> None:
    if not 0 <= threshold <= 1:
        raise OptionError("threshold", threshold, "must be from 0 to 1")


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
