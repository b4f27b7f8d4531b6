"""Say how similar layout trees are. Equal subtrees of many trees are found once, and bounds save comparisons.

Source: News Ripper, fine mapping; ``edit_distance.py`` for the restricted one. Two nodes are equal if they
have the same label: the name of an element, or the text of a text node. A mapping pairs equal nodes, one to
one, and never a node without its parent. So the pairs form a tree, the common tree. The fine mapping is
symmetric. Order among siblings plays no part in it, except among siblings of the same label and the same
size. Nothing is said about these; here they are paired in the order of the page.

Two subtrees with the same labels in the same places are one class. The classes of all pages are numbered
together. So what a template repeats on each page is recognised as equal at its root, without a look inside.

A top-down mapping pairs only nodes whose ancestors have the same labels as well, in the same order. So the
common tree of two pages is never larger than what their multisets of such paths have in common. The same
holds of the nodes that the restricted top-down mapping pairs without a cost, and its distance is never
smaller than the larger tree less these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ..errors import LimitError
from .edit_distance import MAX_CELLS, similarity, tree_distance
from .layout_trees import Classes, Tree, count_paths

#: The most cells of all comparisons of one object. A cell is a node of the smaller of two trees that is
#: looked at. They take one to two minutes. 400 pages of one site take some hundred thousand to ten million.
CELLS = 100_000_000

#: A cell of the restricted mapping's tables takes as long as so many cells of the others.
_RESTRICTED = 3


def similarity_rate(common: int, first: int, second: int) -> float:
    """Return the size of a common tree in relation to the larger of two trees; all sizes in nodes."""
    return common / max(first, second, 1)


def fine_pairs(first: Tree, second: Tree) -> list[tuple[int, int]]:
    """Return the pairs of nodes of the fine mapping: children are mapped by their size, the largest first.

    The published rule takes the children of both in descending order of size, and compares the heads of the
    lists. If they are unequal, the larger one looks for the first equal one in the other's list. So of the
    children with the same label, the largest is paired with the largest, the next one with the next one, and
    so on. This is how they are found here.

    Cost: the two trees' nodes, with those of one parent sorted: about 4 ms for two pages of 2,000 nodes.
    """
    pairs: list[tuple[int, int]] = []
    todo = [(0, 0)] if first.labels[:1] == second.labels[:1] and len(first) else []
    while todo:
        ours, theirs = todo.pop()
        pairs.append((ours, theirs))
        left, right = first.children[ours], second.children[theirs]
        if left and right:
            others = _by_label(right, second.labels, second.sizes)
            for label, nodes in _by_label(left, first.labels, first.sizes).items():
                todo += zip(nodes, others.get(label, ()), strict=False)
    return pairs


def _by_label(nodes: Sequence[int], labels: Sequence[str], sizes: Sequence[int]) -> dict[str, list[int]]:
    """Return some siblings by their label, the largest first, then in the order of the page."""
    groups: dict[str, list[int]] = defaultdict(list)
    for node in nodes:
        groups[labels[node]].append(node)
    for alike in groups.values():
        if len(alike) > 1:
            alike.sort(key=sizes.__getitem__, reverse=True)  # stable, in reverse as well
    return groups


class Rates:
    """The similarity rates of some trees.

    :param trees: the trees.
    :param keys: a different key for each tree, such as its url.
    :param is_restricted: whether a rate is 1 less the distance of the restricted top-down mapping, divided by
        the size of the larger tree; else it is that of the fine mapping.
    :param cells: how many cells may be compared in all.

    Memory: about 200 bytes for each class of subtrees, and for each path that several pages have.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        keys: Sequence[str],
        *,
        is_restricted: bool = False,
        cells: int = CELLS,
    ) -> None:
        self.trees, self.keys, self._is_restricted = trees, keys, is_restricted
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
        if self._is_restricted:
            return self._restricted(first, second, sizes)
        common, cells = self._forest.compare(self.classes[first], self.classes[second])
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

    def compare(self, first: int, second: int) -> tuple[int, int]:
        """Return the size of the common tree of two classes by the fine mapping, and the cells."""
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
            cells += min(len(self._children[ours]), len(self._children[theirs]))
            others = self._children_of(theirs)
            for label, alike in self._children_of(ours).items():
                if label in others:
                    todo += zip(alike, others[label], strict=False)
        return common, cells

    def _children_of(self, subtree: int) -> dict[str, list[int]]:
        """Return the children of a class by their label, the largest first, then in their order."""
        if subtree not in self._groups:
            self._groups[subtree] = _by_label(self._children[subtree], self._labels, self._sizes)
        return self._groups[subtree]


def _shared_paths(trees: Sequence[Tree]) -> list[dict[int, int]]:
    """Return for each tree how often it has each path that other trees have as well."""
    numbers: dict[tuple[int, str], int] = {}
    profiles = [count_paths(tree, numbers) for tree in trees]
    pages = Counter(path for profile in profiles for path in profile)
    return [{path: count for path, count in profile.items() if pages[path] > 1} for profile in profiles]
