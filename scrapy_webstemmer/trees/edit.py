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

Two ways to save work leave the distance as it is. Identical siblings at both ends of two lists of children
are mapped at once. And each pair of classes of identical subtrees is compared once. The number of cells is
known before any table is filled, so that a mapping beyond its bound costs little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf
from typing import NamedTuple

from .bounds import least_distance
from .tree import Tree

__all__ = ["MAX_CELLS", "Classes", "Costs", "Mapping", "map_trees"]

#: The most cells of its tables that a mapping may take. A cell takes 1 to 3 microseconds.
MAX_CELLS = 1_000_000


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
    :param one: the nodes of the first tree that stand for any subtree. Their pairs cost nothing.
    :param many: those that stand for one or more siblings.
    """

    lost: Sequence[float]
    new: Sequence[float]
    one: frozenset[int] = frozenset()
    many: frozenset[int] = frozenset()


class Classes:
    """Numbers the classes of identical subtrees. Cost: about a microsecond a node."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[int, ...]], int] = {}

    def of(self, tree: Tree) -> list[int]:
        """Return the number of each node's class. Identical subtrees of all trees have equal numbers."""
        numbers, found = self._numbers, [0] * len(tree)
        for node in range(len(tree) - 1, -1, -1):
            key = (tree.labels[node], tuple([found[child] for child in tree.children[node]]))
            found[node] = numbers.setdefault(key, len(numbers))
        return found


def map_trees(
    a: Tree, b: Tree, *, most: float | None = None, cells: int = MAX_CELLS, costs: Costs | None = None
) -> Mapping | None:
    """Return the restricted top-down mapping of two trees.

    :param most: the largest distance that is of use; None: any.
    :param cells: the most cells of tables that the mapping may take.
    :param costs: None: those of the published distance.
    :return: None if the distance is larger than ``most``, or if the mapping would take more cells.

    Cost: one cell for each pair of children of each pair of nodes that can be partners, at most the product
    of both trees' sizes. Pages of one template take some ten cells a node.
    """
    if most is not None and costs is None and least_distance(a, b) > most:
        return None
    comparison = _Comparison(a, b, costs or Costs(a.sizes, b.sizes))
    if not comparison.prepare(cells):
        return None
    distance = comparison.distance()
    if most is not None and distance > most:
        return None
    pairs = tuple(sorted(comparison.pairs())) if distance < inf else ()
    return Mapping(distance, pairs, comparison.cells)


class _Comparison:
    """The pairs of nodes of two trees that can be partners, and the least cost of each."""

    def __init__(self, a: Tree, b: Tree, costs: Costs) -> None:
        classes = Classes()
        self.a, self.b, self.costs = a, b, costs
        self.a_classes, self.b_classes = classes.of(a), classes.of(b)
        self.wild = costs.one | costs.many
        #: For two classes with equal labels, nodes of them; then the cost of their pair.
        self.open: dict[tuple[int, int], tuple[int, int]] = {}
        self.known: dict[tuple[int, int], float] = {}
        self.cells = 0

    def prepare(self, most: int) -> bool:
        """Find the pairs that must be compared; return whether they take at most so many cells."""
        todo = [(0, 0)] if self._comparable(0, 0) else []
        self.open = {self._key(*pair): pair for pair in todo}
        while todo:
            a_nodes, b_nodes, _ = self._between(*todo.pop())
            self.cells += len(a_nodes) * len(b_nodes)
            if self.cells > most:
                return False
            for i in a_nodes:
                label = self.a.labels[i]
                for j in b_nodes:
                    if label == self.b.labels[j] and self._comparable(i, j):
                        key = self._key(i, j)
                        if key not in self.open:
                            self.open[key] = (i, j)
                            todo.append((i, j))
        return True

    def distance(self) -> float:
        """Return the least cost. The pairs are compared from the smallest subtrees to the largest."""
        sizes = self.a.sizes
        order = sorted((sizes[i], key, i, j) for key, (i, j) in self.open.items())
        for _, key, i, j in order:
            a_nodes, b_nodes, _ = self._between(i, j)
            if len(a_nodes) == len(b_nodes) == 1:  # most pairs are: a shortcut, with the same cost
                self.known[key] = self._cost(a_nodes[0], b_nodes[0])
            else:
                for row in self._rows(a_nodes, b_nodes):
                    self.known[key] = row[-1]
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
        same = self.a.labels[i] == self.b.labels[j]
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
        if self.a.labels[i] != self.b.labels[j]:
            return self.costs.lost[i] + self.costs.new[j] - 1
        return self.known[self._key(i, j)]

    def _rows(self, a_nodes: Sequence[int], b_nodes: Sequence[int]) -> Iterator[list[float]]:
        """Yield the rows of the table of least costs: row m, column n is for the first m and n siblings."""
        ends = [(self.b.labels[j], self.b_classes[j], self.costs.new[j]) for j in b_nodes]
        row: list[float] = [0, *accumulate(new for _, _, new in ends)]
        yield row
        for i in a_nodes:
            row = self._row(i, ends, row)
            yield row

    def _row(self, i: int, ends: Sequence[tuple[str, int, float]], above: list[float]) -> list[float]:
        """Return the next row of a table. ``ends`` has the columns' labels, classes and costs."""
        lost, label, own, known = self.costs.lost[i], self.a.labels[i], self.a_classes[i], self.known
        if i in self.costs.many:
            return _row_of_many(above, lost)
        wild = i in self.wild
        least, row, diagonal = above[0] + lost, [above[0] + lost], above[0]
        for (other, cls, new), over in zip(ends, above[1:], strict=True):
            if wild or own == cls:
                paired = diagonal
            elif label == other:
                paired = diagonal + known[own, cls]
            else:
                paired = diagonal + lost + new - 1
            least += new
            if over + lost < least:
                least = over + lost
            if paired < least:
                least = paired
            diagonal = over
            row.append(least)
        return row

    def _partners(self, i: int, j: int) -> list[tuple[int, int]]:
        """Return the partners among two nodes' children, from the last one to the first."""
        a_nodes, b_nodes, start = self._between(i, j)
        a_all, b_all = self.a.children[i], self.b.children[j]
        after = len(a_all) - start - len(a_nodes)
        found = [*zip(a_all[:start], b_all[:start], strict=True)]
        found += zip(a_all[len(a_all) - after :], b_all[len(b_all) - after :], strict=True)
        rows = list(self._rows(a_nodes, b_nodes))
        m, n = len(a_nodes), len(b_nodes)
        while m and n:
            i, above, cost = a_nodes[m - 1], rows[m - 1], rows[m][n]
            begin = self._begin(i, b_nodes[n - 1], above[:n], cost)
            if begin is not None:
                found += [(i, j) for j in b_nodes[begin:n]]
                m, n = m - 1, begin
            elif above[n] + self.costs.lost[i] == cost:
                m -= 1
            else:
                n -= 1
        return found

    def _begin(self, i: int, j: int, above: Sequence[float], cost: float) -> int | None:
        """Return where a node's partners begin, if they end at a sibling; None: it has no partner."""
        if i in self.costs.many:
            return next((k for k in range(len(above) - 1, -1, -1) if above[k] == cost), None)
        return len(above) - 1 if above[-1] + self._cost(i, j) == cost else None


def _row_of_many(above: Sequence[float], lost: float) -> list[float]:
    """Return the row of a node that takes one sibling or more at no cost."""
    row, least = [above[0] + lost], inf
    for column in range(1, len(above)):
        least = min(least, above[column - 1])
        row.append(min(least, above[column] + lost))
    return row
