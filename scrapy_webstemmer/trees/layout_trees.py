"""Layout trees: a page's elements and texts as the nodes of a tree, in the order of the page.

Source: News Ripper, layout trees. Comments and processing instructions are removed. Departure: where a tag
vanishes that is not one of running text, such as ``br`` or ``li``, its neighbours run together with a space
between them, as readers see them. Nothing says whether the published program did so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lxml import etree

from ..page.parsing import Element
from ..page.text import fold
from .tree_selection import GROUPS, Fate, Selection

#: The name of a text node. No element has it.
TEXT = "#text"
#: The selection that the published program starts with, and today's elements.
DEFAULT = Selection.of({})
#: Tags of running text: no space stands where one vanishes.
_INLINE = frozenset[str]().union(
    *(GROUPS[name].elements for name in "q ins del a span bdo phrases fonts words readings".split())
)

#: A node as its name, its text, and the number of its parent.
Node: TypeAlias = tuple[str, str, int]


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

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Tree:
        """Return the tree of some nodes in pre-order."""
        return cls(*zip(*nodes, strict=True))

    def __post_init__(self) -> None:
        children: list[list[int]] = [[] for _ in self.names]
        sizes = [1] * len(self.names)
        for node in range(len(self.names) - 1, 0, -1):
            children[self.parents[node]].append(node)
            sizes[self.parents[node]] += sizes[node]
        object.__setattr__(self, "children", tuple(tuple(reversed(below)) for below in children))
        object.__setattr__(self, "sizes", tuple(sizes))
        nodes = zip(self.names, self.texts, strict=True)
        labels = tuple(f"{TEXT} {text}" if name == TEXT else name for name, text in nodes)
        object.__setattr__(self, "labels", labels)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def bare(self) -> Tree:
        """The same tree with an empty text in each text node, so that all texts are equal."""
        return Tree(self.names, ("",) * len(self), self.parents)

    @property
    def depths(self) -> list[int]:
        """The depth of each node; the root has 0."""
        depths = [0] * len(self)
        for node in range(1, len(self)):
            depths[node] = depths[self.parents[node]] + 1
        return depths

    def subtree(self, node: int) -> Sequence[int]:
        """Return the numbers of a node's subtree, itself first."""
        return range(node, node + self.sizes[node])


def build_tree(root: Element, selection: Selection = DEFAULT, *, attributes: bool = False) -> Tree:
    """Return the layout tree of a page.

    :param root: the root of the page's lxml tree, as
        :func:`~scrapy_webstemmer.page.limits.parse_within` returns it; it is not changed.
    :param selection: which elements are kept, ignored and removed. The root is always kept.
    :param attributes: whether a node's name has the element's id and classes as well. They follow the tag in
        alphabetical order, as in ``div #main .story .wide``.

    Cost: about 15 microseconds per element. A page within the limits for elements has at most 100,000 nodes.
    """
    maker = _Maker(attributes)
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        fate = _fate(element, root, selection)
        if event == "start":
            maker.start(element, fate)
            if fate is Fate.REMOVE:
                walk.skip_subtree()
            else:
                maker.text(element.text)
            continue
        if event == "end":
            maker.end(element, fate)
        if element is not root:
            maker.text(element.tail)
    return Tree.of(maker.nodes)


def _fate(element: Element, root: Element, selection: Selection) -> Fate:
    if element is root:
        return Fate.KEEP
    return selection.fate(element.tag) if isinstance(element.tag, str) else Fate.REMOVE


class _Maker:
    """Collects the nodes of a tree in pre-order."""

    def __init__(self, attributes: bool) -> None:
        self.nodes: list[Node] = []
        self._attributes = attributes
        self._parent = -1
        #: The pieces of the text that is being read.
        self._pieces: list[str] = []

    def start(self, element: Element, fate: Fate) -> None:
        """Take the start tag of an element."""
        if fate is Fate.KEEP:
            self._flush()
            name = _name(element) if self._attributes else element.tag
            self.nodes.append((name, "", self._parent))
            self._parent = len(self.nodes) - 1
        elif element.tag not in _INLINE:
            self.text(" ")

    def end(self, element: Element, fate: Fate) -> None:
        """Take the end tag of an element."""
        if fate is Fate.KEEP:
            self._flush()
            self._parent = self.nodes[self._parent][-1]
        elif element.tag not in _INLINE:
            self.text(" ")

    def text(self, text: str | None) -> None:
        """Take a piece of text."""
        if text:
            self._pieces.append(text)

    def _flush(self) -> None:
        """Add the text that has been read as a node, unless it is white space."""
        text = fold("".join(self._pieces))
        self._pieces.clear()
        if text:
            self.nodes.append((TEXT, text, self._parent))


def tag_of(name: str) -> str:
    """Return the tag in a node's name, without the id and the classes that may follow it."""
    return name.partition(" ")[0]


def _name(element: Element) -> str:
    """Return an element's tag with the parts of its id and its classes, in alphabetical order."""
    tokens = {f"#{part}" for part in element.get("id", "").split()}
    tokens |= {f".{part}" for part in element.get("class", "").split()}
    return " ".join([element.tag, *sorted(tokens)])


def count_paths(tree: Tree, numbers: dict[tuple[int, str], int]) -> Counter[int]:
    """Return how many nodes of a tree have each path, by the path's number.

    A path is a node's label with the labels of its ancestors. Top-down mappings pair only nodes whose
    ancestors have equal labels. So what the paths of two trees have in common bounds what a mapping can find.

    :param numbers: the numbers of all paths, by the number of the parent's path (-1 for the root) and the
        label. It grows. Trees that are compared share it.

    Cost: linear in the nodes.
    """
    paths: list[int] = []
    for node, (parent, label) in enumerate(zip(tree.parents, tree.labels, strict=True)):
        paths.append(numbers.setdefault((paths[parent] if node else -1, label), len(numbers)))
    return Counter(paths)


class Classes:
    """Numbers the classes of identical subtrees. Cost: about a microsecond a node."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[int, ...]], int] = {}

    def of(self, tree: Tree, labels: Sequence[str] | None = None) -> list[int]:
        """Return the number of each node's class. Identical subtrees of all trees have equal numbers.

        :param labels: labels to use instead of the tree's own.
        """
        labels = labels or tree.labels
        numbers, classes = self._numbers, [0] * len(tree)
        for node in range(len(tree) - 1, -1, -1):
            key = (labels[node], tuple([classes[child] for child in tree.children[node]]))
            classes[node] = numbers.setdefault(key, len(numbers))
        return classes
