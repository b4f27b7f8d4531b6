"""Layout trees: a page's elements and texts as the nodes of a tree, in the order of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

#: The name of a text node. No element has it.
TEXT = "#text"


@dataclass(frozen=True, slots=True)
class Tree:
    """An ordered tree whose nodes are numbered in pre-order: the root is 0, parents come before children.

    :param names: the name of each node: that of its element, or :data:`TEXT`.
    :param texts: the text of each text node, white space folded; empty for elements.
    :param parents: the number of each node's parent, -1 for the root.
    :ivar children: the numbers of each node's children, in their order.
    :ivar sizes: the number of nodes of each node's subtree, itself included.
    :ivar labels: what two nodes must share to be equal: the name, or for a text node its text.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    sizes: tuple[int, ...] = field(init=False, repr=False, compare=False)
    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        children: list[list[int]] = [[] for _ in self.names]
        sizes = [1] * len(self.names)
        for node in range(len(self.names) - 1, 0, -1):
            children[self.parents[node]].append(node)
            sizes[self.parents[node]] += sizes[node]
        object.__setattr__(self, "children", tuple(tuple(reversed(one)) for one in children))
        object.__setattr__(self, "sizes", tuple(sizes))
        object.__setattr__(self, "labels", tuple(map(_label, self.names, self.texts)))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def bare(self) -> Tree:
        """The same tree with an empty text in each text node, so that all texts are equal."""
        return Tree(self.names, ("",) * len(self), self.parents)

    def subtree(self, node: int) -> Sequence[int]:
        """Return the numbers of a node's subtree, itself first."""
        return range(node, node + self.sizes[node])


def _label(name: str, text: str) -> str:
    return f"{TEXT} {text}" if name == TEXT else name


def count_paths(tree: Tree, numbers: dict[tuple[int, str], int]) -> Counter[int]:
    """Return how many nodes of a tree have each path, by the path's number.

    A path is a node's label with the labels of its ancestors. Top-down mappings pair only nodes whose
    ancestors have equal labels. So what the paths of two trees have in common bounds what a mapping can find.

    :param numbers: the numbers of all paths, by the number of the parent's path (-1 for the root) and the
        label. It grows. Trees that are compared share it.

    Cost: linear in the nodes.
    """
    found: list[int] = []
    for node, (parent, label) in enumerate(zip(tree.parents, tree.labels, strict=True)):
        found.append(numbers.setdefault((found[parent] if node else -1, label), len(numbers)))
    return Counter(found)


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
