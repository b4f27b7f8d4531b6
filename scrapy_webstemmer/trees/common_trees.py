"""What two layout trees have in common, and how much it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from types import MappingProxyType

from ..errors import LimitError, OptionError
from .edit_distance import MAX_CELLS, map_trees, similarity, tree_distance
from .layout_trees import Classes, Tree, count_paths

# --- Map two layout trees on each other from the top down, and say how similar they are
#
# Sources: News Ripper, fast and fine mapping; ``edit_distance.py`` for the restricted one. Two nodes are
# equal if they have the same label: the name of an element, or the text of a text node. A mapping pairs equal
# nodes, one to one, and never a node without its parent. So the pairs form a tree, the common tree.
#
# What holds of fast and fine:
#
# - Both are symmetric. The published text does not claim this of the fast one.
# - Order among siblings plays no part in the fine one, except among siblings of the same label and the same
#   size. Nothing is said about these; here they are paired in the order of the page.
# - The common tree of the fine one is never smaller than that of the fast one if no two siblings have the
#   same label. It may be smaller otherwise: the fine one pairs the largest of several `div` with the largest,
#   whatever they contain, where the fast one pairs the first with the first.
#
# Neither takes more steps than there are nodes, but for the sorting of siblings.

#: From this share of the larger tree on that the fast mapping has missed, it was fooled. On pages of one
#: template, it misses less if it goes well.
FOOLED = 0.1


@dataclass(frozen=True, slots=True)
class TreeMapping:
    """The nodes that two trees have in common.

    :param first: a tree.
    :param second: the tree that it was compared with.
    :param pairs: numbers of nodes in the first and in the second tree, in the order of the first.
    :param distance: the distance, if the mapping has one.
    """

    first: Tree
    second: Tree
    pairs: tuple[tuple[int, int], ...]
    distance: int | None = None

    @property
    def rate(self) -> float:
        """Return the similarity rate: size of the common tree / size of the larger tree, from 0 to 1.

        With a distance it is 1 - distance / size of the larger tree, from 0 on.
        """
        if self.distance is not None:
            return similarity(self.distance, len(self.first), len(self.second))
        return similarity_rate(len(self.pairs), len(self.first), len(self.second))

    @property
    def common(self) -> Tree | None:
        """Return the common tree, with siblings in the order of the first tree; None if nothing is common."""
        if not self.pairs:
            return None
        numbers = {node: number for number, (node, _) in enumerate(self.pairs)}
        numbers[-1] = -1
        tree = self.first
        return Tree(
            tuple(tree.names[node] for node, _ in self.pairs),
            tuple(tree.texts[node] for node, _ in self.pairs),
            tuple(numbers[tree.parents[node]] for node, _ in self.pairs),
        )


def similarity_rate(common: int, first: int, second: int) -> float:
    """Return the size of a common tree in relation to the larger of two trees; all sizes in nodes."""
    return common / max(first, second, 1)


def map_fast(first: Tree, second: Tree) -> TreeMapping:
    """Map child by child from the left; the first unequal pair ends the comparison of two lists of children.

    Cost: linear in the size of the common tree.
    """

    def paired(ours: int, theirs: int) -> Iterable[tuple[int, int]]:
        return takewhile(equal, zip(first.children[ours], second.children[theirs], strict=False))

    def equal(pair: tuple[int, int]) -> bool:
        return first.labels[pair[0]] == second.labels[pair[1]]

    return _mapped(first, second, paired)


def map_fine(first: Tree, second: Tree) -> TreeMapping:
    """Map the children of two nodes by their size, the largest ones first.

    The published rule takes the children of both in descending order of size, and compares the heads of the
    lists. If they are unequal, the larger one looks for the first equal one in the other's list. So of the
    children with the same label, the largest is paired with the largest, the next one with the next one, and
    so on. This is how they are found here.

    Cost: the two trees' nodes, with those of one parent sorted: about 4 ms for two pages of 2,000 nodes.
    """

    def paired(ours: int, theirs: int) -> Iterable[tuple[int, int]]:
        left, right = first.children[ours], second.children[theirs]
        if not left or not right:
            return
        others = _by_label(second, right)
        for label, nodes in _by_label(first, left).items():
            yield from zip(nodes, others.get(label, ()), strict=False)

    return _mapped(first, second, paired)


def _by_label(tree: Tree, nodes: Sequence[int]) -> dict[str, list[int]]:
    """Return some siblings by their label, the largest first, then in the order of the page."""
    found: dict[str, list[int]] = defaultdict(list)
    for node in nodes:
        found[tree.labels[node]].append(node)
    for alike in found.values():
        if len(alike) > 1:
            alike.sort(key=tree.sizes.__getitem__, reverse=True)  # stable, in reverse as well
    return found


def _mapped(
    first: Tree, second: Tree, paired: Callable[[int, int], Iterable[tuple[int, int]]]
) -> TreeMapping:
    """Return a mapping of equal roots, and of the children that a function pairs, from the top down."""
    pairs: list[tuple[int, int]] = []
    todo = [(0, 0)] if first.labels[:1] == second.labels[:1] and len(first) else []
    while todo:
        pair = todo.pop()
        pairs.append(pair)
        todo.extend(paired(*pair))
    return TreeMapping(first, second, tuple(sorted(pairs)))


def map_restricted(first: Tree, second: Tree) -> TreeMapping | None:
    """Map by the restricted top-down mapping of Reis and others; None if it takes too long.

    The pairs are those with equal labels. Those with different labels cost 1 and are part of no common tree.

    Cost: see :func:`~scrapy_webstemmer.trees.edit_distance.map_trees`.
    """
    found = map_trees(first, second)
    if found is None:
        return None
    equal = tuple(pair for pair in found.pairs if first.labels[pair[0]] == second.labels[pair[1]])
    return TreeMapping(first, second, equal, int(found.distance))


#: News Ripper's mappings by their names.
METHODS: Mapping[str, Callable[[Tree, Tree], TreeMapping]] = MappingProxyType(
    {"fast": map_fast, "fine": map_fine}
)


def missed(first: Tree, second: Tree) -> float:
    """Return what the fast mapping misses: how much larger the fine rate is than the fast one, from 0 to 1.

    From :data:`FOOLED` on, the fast mapping was fooled: by an extra child that comes early, so that all after
    it was lost, or by one of the same name before the right one. Cost: both mappings.
    """
    return max(0.0, map_fine(first, second).rate - map_fast(first, second).rate)


# --- Compare many layout trees with one another: equal subtrees are found once, and bounds save comparisons
#
# Two subtrees with the same labels in the same places are one class. The classes of all pages are numbered
# together. So what a template repeats on each page is recognised as equal at its root, without a look inside.
#
# A top-down mapping pairs only nodes whose ancestors have the same labels as well, in the same order. So the
# common tree of two pages is never larger than what their multisets of such paths have in common. The same
# holds of the nodes that the restricted top-down mapping pairs without a cost, and its distance is never
# smaller than the larger tree less these.

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
        self,
        trees: Sequence[Tree],
        method: str = "fine",
        *,
        keys: Sequence[str],
        cells: int = CELLS,
    ) -> None:
        if method not in _METHODS:
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
        found = tree_distance(self.trees[first], self.trees[second], classes)
        distance, cells = found or (sum(sizes), MAX_CELLS)
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
        labels = self._labels
        pairs = zip(self._children[ours], self._children[theirs], strict=False)
        return takewhile(lambda pair: labels[pair[0]] == labels[pair[1]], pairs)

    def _fine(self, ours: int, theirs: int) -> Iterable[tuple[int, int]]:
        """Return the children that the fine mapping pairs."""
        left, right = self._by_label(ours), self._by_label(theirs)
        if len(left) > len(right):  # which one comes first plays no part
            left, right = right, left
        pairs: list[tuple[int, int]] = []
        for label, alike in left.items():
            if label in right:
                pairs += zip(alike, right[label], strict=False)
        return pairs

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
    """Return for each tree how often it has each path that other trees have as well."""
    numbers: dict[tuple[int, str], int] = {}
    profiles = [count_paths(tree, numbers) for tree in trees]
    pages = Counter(path for profile in profiles for path in profile)
    return [{path: count for path, count in profile.items() if pages[path] > 1} for profile in profiles]
