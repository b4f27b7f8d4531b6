"""Map two layout trees on each other: the restricted top-down mapping and its distance.

Source: D. C. Reis, P. B. Golgher, A. S. da Silva, A. H. F. Laender, *Automatic Web news extraction using tree
edit distance* (WWW 2004). A mapping pairs nodes of two trees, one to one. It keeps the order of siblings, and
the parents of two mapped nodes are mapped as well. The distance is the least cost of a mapping: 1 for each
node without a partner, in either tree, and 1 for each mapped pair with different labels.

- *Restricted* has two readings. We take the definition: two mapped nodes with different labels have no
  mapped descendants. Then the distance is a metric. The paper also says that only leaves are replaced. If
  both nodes had to be leaves, the triangle inequality would fail: from ``a`` to ``b(c)`` the distance would
  be 3, but from ``a`` to ``b`` 1, and from ``b`` to ``b(c)`` 1.
- Departure: two roots with different labels are like any other pair. They have no mapped descendants.

Three ways to save work leave the distance as it is. Identical siblings at both ends of two lists of children
are mapped at once. Each pair of classes of identical subtrees is compared once. And all labels that the other
tree does not have count as one: a node with any of them costs the same. So the paragraphs of two pages, each
with its own text, are two classes. The number of cells is known before any table is filled, so that a mapping
beyond its bound costs little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf
from typing import NamedTuple

from .layout_trees import Classes, Tree

#: The most cells of its tables that a mapping may take. A cell takes about a quarter of a microsecond.
MAX_CELLS = 1_000_000

#: What labels become that only the first tree has, and only the second. No element and no text is named so.
_UNSHARED = ("\0first", "\0second")


class Mapping(NamedTuple):
    """How two trees are mapped on each other.

    :param distance: the least cost of a mapping: from the difference of the trees' sizes to one less than
        their sum.
    :param pairs: the mapped nodes, each with its partner, in the order of the first tree. If several mappings
        have the least cost, the trees alone decide which one this is.
    :param cells: number of cells that it took.
    """

    distance: float
    pairs: tuple[tuple[int, int], ...]
    cells: int = 0


class Costs(NamedTuple):
    """What a mapping costs, for each node the subtree under it.

    :param lost: the cost of a subtree of the first tree without a partner.
    :param new: the same for the second tree. A pair with different labels costs both, less 1.
    :param single: the nodes of the first tree that stand for any subtree. Their pairs cost nothing.
    :param several: those that stand for one or more siblings.
    """

    lost: Sequence[float]
    new: Sequence[float]
    single: frozenset[int] = frozenset()
    several: frozenset[int] = frozenset()

    @property
    def wild(self) -> frozenset[int]:
        """The nodes of the first tree that are wildcards."""
        return self.single | self.several


def similarity(distance: float, first: int, second: int) -> float:
    """Return 1 less the distance of two trees divided by the size of the larger one, from 0 on.

    The published threshold, a similarity of .8, is then a distance of at most a fifth of the size. Only equal
    trees have 1. Sizes are in nodes.
    """
    larger = max(first, second, 1)
    return max(0.0, (larger - distance) / larger)


def map_trees(a: Tree, b: Tree, *, cells: int = MAX_CELLS, costs: Costs | None = None) -> Mapping | None:
    """Return the restricted top-down mapping of two trees.

    :param cells: the most cells of tables that the mapping may take.
    :param costs: None: those of the published distance.
    :return: None if the mapping would take more cells.

    Cost: one cell for each pair of children of each pair of nodes that can be partners, at most the product
    of both trees' sizes. Pages of one template take some ten cells a node.
    """
    costs = costs or Costs(a.sizes, b.sizes)
    labels = _merged_labels(a, b, costs.wild)
    classes = Classes()
    comparison = _Comparison(a, b, costs, labels, (classes.of(a, labels[0]), classes.of(b, labels[1])))
    if not comparison.prepare(cells):
        return None
    distance = comparison.distance()
    pairs = tuple(sorted(comparison.pairs())) if distance < inf else ()
    return Mapping(distance, pairs, comparison.cells)


def tree_distance(
    a: Tree, b: Tree, classes: tuple[Sequence[int], Sequence[int]], cells: int = MAX_CELLS
) -> tuple[float, int] | None:
    """Return the distance of two trees and the cells that it took, as :func:`map_trees` does, but no pairs.

    :param classes: the classes of both trees' subtrees, from one ``Classes``.
    """
    comparison = _Comparison(a, b, Costs(a.sizes, b.sizes), (a.labels, b.labels), classes)
    return (comparison.distance(), comparison.cells) if comparison.prepare(cells) else None


def _merged_labels(a: Tree, b: Tree, wild: frozenset[int]) -> tuple[list[str], list[str]]:
    """Return the labels of two trees, each with one label in place of all that the other does not have.

    :param wild: the nodes of the first tree that are wildcards. They keep their labels.
    """
    ours, theirs = set(a.labels), set(b.labels)
    return (
        [label if label in theirs or node in wild else _UNSHARED[0] for node, label in enumerate(a.labels)],
        [label if label in ours else _UNSHARED[1] for label in b.labels],
    )


class _Comparison:
    """The pairs of nodes of two trees that can be partners, and the least cost of each."""

    def __init__(
        self,
        a: Tree,
        b: Tree,
        costs: Costs,
        labels: tuple[Sequence[str], Sequence[str]],
        classes: tuple[Sequence[int], Sequence[int]],
    ) -> None:
        self.a, self.b, self.costs = a, b, costs
        self.a_labels, self.b_labels = labels
        self.a_classes, self.b_classes = classes
        self.wild = costs.wild
        #: For two classes with equal labels, nodes of them; then the cost of their pair.
        self.open: dict[tuple[int, int], tuple[int, int]] = {}
        self.known: dict[tuple[int, int], float] = {}
        #: The tables of least costs of two nodes' children, but for those of one cell.
        self.tables: dict[tuple[int, int], list[list[float]]] = {}
        self.cells = 0

    def prepare(self, most: int) -> bool:
        """Find the pairs that must be compared; return whether they take at most so many cells."""
        todo: list[tuple[Sequence[int], Sequence[int]]] = [((0,), (0,))]
        while todo:
            for i, j in self._alike(*todo.pop()):
                key = self._key(i, j)
                if key in self.open or not self._comparable(i, j):
                    continue
                self.open[key] = (i, j)
                a_nodes, b_nodes, _ = self._between(i, j)
                self.cells += len(a_nodes) * len(b_nodes)
                if self.cells > most:
                    return False
                todo.append((a_nodes, b_nodes))
        return True

    def _alike(self, a_nodes: Sequence[int], b_nodes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of nodes with equal labels, one node for each class."""
        by_label: dict[str, list[int]] = defaultdict(list)
        for j in {self.b_classes[j]: j for j in b_nodes}.values():
            by_label[self.b_labels[j]].append(j)
        for i in {self.a_classes[i]: i for i in a_nodes}.values():
            for j in by_label.get(self.a_labels[i], ()):
                yield i, j

    def distance(self) -> float:
        """Return the least cost. The pairs are compared from the smallest subtrees to the largest."""
        sizes = self.a.sizes
        order = sorted((sizes[i], key, i, j) for key, (i, j) in self.open.items())
        for _, key, i, j in order:
            a_nodes, b_nodes, _ = self._between(i, j)
            if len(a_nodes) == len(b_nodes) == 1:  # most pairs are: a shortcut, with the same cost
                self.known[key] = self._cost(a_nodes[0], b_nodes[0])
            else:
                self.tables[key] = list(self._rows(a_nodes, b_nodes))
                self.known[key] = self.tables[key][-1][-1]
        return self._cost(0, 0)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of a mapping of least cost, from the roots on."""
        todo = [(0, 0)]
        while todo:
            i, j = todo.pop()
            if self.a_classes[i] == self.b_classes[j]:
                yield from ((i + k, j + k) for k in range(self.a.sizes[i]))
                continue
            yield i, j
            if self._comparable(i, j):
                todo += self._partners(i, j)

    def _key(self, i: int, j: int) -> tuple[int, int]:
        return self.a_classes[i], self.b_classes[j]

    def _comparable(self, i: int, j: int) -> bool:
        """Return whether the descendants of two nodes can be partners, and are not identical."""
        same = self.a_labels[i] == self.b_labels[j]
        return same and i not in self.wild and self.a_classes[i] != self.b_classes[j]

    def _between(self, i: int, j: int) -> tuple[Sequence[int], Sequence[int], int]:
        """Return two nodes' children without the identical ones at both ends, and how many begin alike."""
        a_nodes, b_nodes = self.a.children[i], self.b.children[j]
        a_classes, b_classes = self.a_classes, self.b_classes
        a_end, b_end = len(a_nodes), len(b_nodes)
        start, least = 0, min(a_end, b_end)
        while start < least and a_classes[a_nodes[start]] == b_classes[b_nodes[start]]:
            start += 1
        while start < least and a_classes[a_nodes[a_end - 1]] == b_classes[b_nodes[b_end - 1]]:
            a_end, b_end, least = a_end - 1, b_end - 1, least - 1
        return a_nodes[start:a_end], b_nodes[start:b_end], start

    def _cost(self, i: int, j: int) -> float:
        """Return the cost of a pair."""
        if i in self.wild or self.a_classes[i] == self.b_classes[j]:
            return 0
        if self.a_labels[i] != self.b_labels[j]:
            return self.costs.lost[i] + self.costs.new[j] - 1
        return self.known[self._key(i, j)]

    def _rows(self, a_nodes: Sequence[int], b_nodes: Sequence[int]) -> Iterator[list[float]]:
        """Yield the rows of the table of least costs: row m, column n is for the first m and n siblings.

        Each row follows from the one above it. Cost: linear in the columns.
        """
        new = [self.costs.new[j] for j in b_nodes]
        row: list[float] = [0, *accumulate(new)]
        yield row
        places: dict[str, list[int]] = defaultdict(list)
        for place, j in enumerate(b_nodes):
            places[self.b_labels[j]].append(place)
        paired: dict[int, list[float]] = {}
        for i in a_nodes:
            lost = self.costs.lost[i]
            if i in self.costs.several:
                row = _row_of_several(row, lost)
            else:
                subtree = self.a_classes[i]
                if subtree not in paired:
                    paired[subtree] = [0] * len(new) if i in self.wild else [lost + cost - 1 for cost in new]
                    for place in places.get(self.a_labels[i], ()):
                        paired[subtree][place] = self._cost(i, b_nodes[place])
                row = _row_of_single(row, lost, new, paired[subtree])
            yield row

    def _partners(self, i: int, j: int) -> list[tuple[int, int]]:
        """Return the partners among two nodes' children, from the last one to the first."""
        a_nodes, b_nodes, start = self._between(i, j)
        a_all, b_all = self.a.children[i], self.b.children[j]
        partners = [*zip(a_all[:start], b_all[:start], strict=True)]
        partners += zip(a_all[start + len(a_nodes) :], b_all[start + len(b_nodes) :], strict=True)
        rows = self.tables.get(self._key(i, j)) or list(self._rows(a_nodes, b_nodes))
        m, n = len(a_nodes), len(b_nodes)
        while m and n:
            i, above, cost = a_nodes[m - 1], rows[m - 1], rows[m][n]
            begin = self._begin(i, b_nodes[n - 1], above[:n], cost)
            if begin is not None:
                partners += [(i, j) for j in b_nodes[begin:n]]
                m, n = m - 1, begin
            elif above[n] + self.costs.lost[i] == cost:
                m -= 1
            else:
                n -= 1
        return partners

    def _begin(self, i: int, j: int, above: Sequence[float], cost: float) -> int | None:
        """Return where a node's partners begin, if they end at a sibling; None: it has no partner."""
        if i in self.costs.several:
            return next((k for k in range(len(above) - 1, -1, -1) if above[k] == cost), None)
        return len(above) - 1 if above[-1] + self._cost(i, j) == cost else None


def _row_of_single(
    above: Sequence[float], lost: float, new: Sequence[float], paired: Sequence[float]
) -> list[float]:
    """Return the row of a node that has one partner or none.

    :param new: what each sibling costs without a partner.
    :param paired: what each costs as the node's partner.
    """
    diagonal = above[0]
    least = diagonal + lost
    row = [least]
    add = row.append
    for over, inserted, pair in zip(above[1:], new, paired, strict=True):
        least += inserted
        if over + lost < least:
            least = over + lost
        if diagonal + pair < least:
            least = diagonal + pair
        diagonal = over
        add(least)
    return row


def _row_of_several(above: Sequence[float], lost: float) -> list[float]:
    """Return the row of a node that takes one sibling or more at no cost."""
    row, least = [above[0] + lost], inf
    for column in range(1, len(above)):
        least = min(least, above[column - 1])
        row.append(min(least, above[column] + lost))
    return row
