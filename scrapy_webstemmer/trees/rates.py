"""Compare many layout trees with one another: equal subtrees are found once, and bounds save comparisons.

Two subtrees with the same labels in the same places are one class. The classes of all pages are numbered
together. So what a template repeats on each page is recognised as equal at its root, without a look inside.

A top-down mapping pairs only nodes whose ancestors have the same labels as well, in the same order. So the
common tree of two pages is never larger than what their multisets of such paths have in common. The same
holds of the nodes that the restricted top-down mapping pairs without a cost, and its distance is never
smaller than the larger tree less these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ..errors import LimitError, OptionError
from .mapping import similarity_rate
from .tree import Tree

__all__ = ["CELLS", "Rates"]

#: The most cells of all comparisons of one object. A cell is a node of the smaller of two trees that is
#: looked at. They take one to two minutes. 400 pages of one site take some hundred thousand to ten million.
CELLS = 100_000_000

_METHODS = ("fast", "fine")


class Rates:
    """The similarity rates of some trees.

    :param trees: the trees.
    :param method: ``fast`` or ``fine``, the mapping of that name, or a function that takes two trees and
        returns their similarity from 0 to 1. It must be symmetric, 1 for equal trees, and no higher than
        :meth:`bound`. 1 less the restricted top-down distance, divided by the size of the larger tree, is.
    :param keys: a different key for each tree, such as its url. A function gets the trees in the order of
        their keys.
    :param cells: how many cells may be compared in all.
    :raises OptionError: there is no such method.

    Memory: about 200 bytes for each class of subtrees, and for each path that several pages have.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        method: str | Callable[[Tree, Tree], float] = "fine",
        *,
        keys: Sequence[str],
        cells: int = CELLS,
    ) -> None:
        if isinstance(method, str) and method not in _METHODS:
            raise OptionError("method", method, f"must be one of {', '.join(_METHODS)}")
        self.trees, self.keys, self._method = trees, keys, method
        self._left = cells
        forest = _Forest(trees)
        #: For each tree, the number of its class: equal trees have the same one.
        self.classes: list[int] = forest.roots
        self._forest = forest
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
        found = theirs.get
        common = sum([min(count, found(path, 0)) for path, count in ours.items()])
        return similarity_rate(common, len(self.trees[first]), len(self.trees[second]))

    def rate(self, first: int, second: int) -> float:
        """Return the similarity of two trees.

        :raises LimitError: all comparisons together take too long.
        """
        sizes = len(self.trees[first]), len(self.trees[second])
        if callable(self._method):
            if self.keys[second] < self.keys[first]:
                first, second = second, first
            self._spend(min(sizes), first, second)
            return self._method(self.trees[first], self.trees[second])
        compare = self._forest.fine if self._method == "fine" else self._forest.fast
        common, cells = compare(self.classes[first], self.classes[second])
        self._spend(cells, first, second)
        return similarity_rate(common, *sizes)

    def _spend(self, cells: int, first: int, second: int) -> None:
        self._left -= cells
        if self._left < 0:
            larger = max(first, second, key=lambda index: (len(self.trees[index]), self.keys[index]))
            reason = "takes too long to compare with other pages, or there are too many of them"
            raise LimitError(self.keys[larger], "cells", reason)


class _Forest:
    """The classes of the subtrees of many trees, with what comparisons need of each.

    :ivar roots: the class of each tree.
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._numbers: dict[tuple[str, tuple[int, ...]], int] = {}
        self._labels: list[str] = []
        self._sizes: list[int] = []
        self._children: list[tuple[int, ...]] = []
        self._groups: dict[int, dict[str, list[int]]] = {}
        self.roots = [self._add(tree) for tree in trees]

    def _add(self, tree: Tree) -> int:
        """Number the classes of a tree's subtrees, and return that of the tree; -1 for no tree at all."""
        classes = [-1] * len(tree)
        for node in range(len(tree) - 1, -1, -1):
            label = tree.labels[node]
            children = tuple([classes[child] for child in tree.children[node]])
            number = self._numbers.setdefault((label, children), len(self._labels))
            if number == len(self._labels):
                self._labels.append(label)
                self._sizes.append(tree.sizes[node])
                self._children.append(children)
            classes[node] = number
        return classes[0] if classes else -1

    def fast(self, first: int, second: int) -> tuple[int, int]:
        """Return the size of the common tree of the fast mapping, and the cells."""
        labels, children = self._labels, self._children
        if min(first, second) < 0 or labels[first] != labels[second]:
            return 0, 1
        common, cells, todo = 0, 0, [(first, second)]
        while todo:
            ours, theirs = todo.pop()
            cells += 1
            if ours == theirs:
                common += self._sizes[ours]
                continue
            common += 1
            for pair in zip(children[ours], children[theirs], strict=False):
                if labels[pair[0]] != labels[pair[1]]:
                    break
                todo.append(pair)
        return common, cells

    def fine(self, first: int, second: int) -> tuple[int, int]:
        """Return the size of the common tree of the fine mapping, and the cells."""
        if min(first, second) < 0 or self._labels[first] != self._labels[second]:
            return 0, 1
        common, cells, todo = 0, 0, [(first, second)]
        while todo:
            ours, theirs = todo.pop()
            cells += 1
            if ours == theirs:
                common += self._sizes[ours]
                continue
            common += 1
            left, right = self._by_label(ours), self._by_label(theirs)
            if len(left) > len(right):
                left, right = right, left
            cells += len(left)
            for label, alike in left.items():
                if label in right:
                    todo.extend(zip(alike, right[label], strict=False))
        return common, cells

    def _by_label(self, number: int) -> dict[str, list[int]]:
        """Return the children of a class by their label, the largest first, then in their order."""
        found = self._groups.get(number)
        if found is None:
            found = self._groups[number] = {}
            for child in self._children[number]:
                found.setdefault(self._labels[child], []).append(child)
            for alike in found.values():
                alike.sort(key=self._sizes.__getitem__, reverse=True)
        return found


def _shared_paths(trees: Sequence[Tree]) -> list[dict[int, int]]:
    """Return for each tree how often it has each path that other trees have as well.

    A path is a node's label with the labels of its ancestors.
    """
    numbers: dict[tuple[int, str], int] = {}
    profiles = []
    for tree in trees:
        paths: list[int] = []
        for node, label in enumerate(tree.labels):
            around = paths[tree.parents[node]] if node else -1
            paths.append(numbers.setdefault((around, label), len(numbers)))
        profiles.append(Counter(paths))
    pages = Counter(path for profile in profiles for path in profile)
    return [{path: count for path, count in profile.items() if pages[path] > 1} for profile in profiles]
