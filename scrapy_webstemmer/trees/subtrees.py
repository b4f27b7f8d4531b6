"""Recognise identical subtrees of many trees: what a template repeats on each page is equal at its root."""

from __future__ import annotations

from collections.abc import Sequence

from .tree import Tree


class Classes:
    """Numbers the classes of identical subtrees. Cost: about a microsecond a node."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[int, ...]], int] = {}

    def of(self, tree: Tree, labels: Sequence[str] | None = None) -> list[int]:
        """Return the number of each node's class. Identical subtrees of all trees have equal numbers.

        :param labels: labels to use instead of the tree's own.
        """
        labels = labels or tree.labels
        numbers, found = self._numbers, [0] * len(tree)
        for node in range(len(tree) - 1, -1, -1):
            key = (labels[node], tuple([found[child] for child in tree.children[node]]))
            found[node] = numbers.setdefault(key, len(numbers))
        return found
