"""Layout trees: a page's elements and texts as the nodes of a tree, in the order of the page.

Source: News Ripper, layout trees. An element is kept as a node, or ignored: then its content stays. Or it is
removed with its content, as comments and processing instructions are. Which is which is the selection with
which the published program starts, and of the elements that came after HTML 4.01 those that are a part of the
layout are kept. Departure: where a tag vanishes that is not one of running text, such as ``br`` or ``pre``,
its neighbours run together with a space between them, as readers see them. Nothing says whether the published
program did so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lxml import etree

from ..page.parsing import Element
from ..page.text import fold

#: The name of a text node. No element has it.
TEXT = "#text"
#: The elements that become nodes.
KEPT = frozenset(
    "html head title body p div blockquote hr h1 h2 h3 h4 h5 h6 table caption thead tbody tfoot col colgroup"
    " tr td th ul ol li dl dt dd dir menu object img applet iframe frameset frame noframes form input select"
    " optgroup option textarea button label fieldset legend isindex"
    # those that came later
    " section article main header footer aside nav hgroup search figure figcaption details summary dialog"
    " picture video audio embed canvas datalist output meter progress".split()
)
#: The elements that vanish with their content. Any other element is ignored.
REMOVED = frozenset(
    "meta link style base script noscript param map area address br del source track svg math template rt rtc"
    " rp".split()
)
#: Tags of running text: no space stands where one vanishes.
_INLINE = frozenset(
    "a span q ins del bdo em strong cite dfn code samp kbd var abbr acronym font basefont sup sub tt i b big"
    " small strike s u time mark data bdi ruby rb wbr slot rt rtc rp".split()
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

    def subtree(self, node: int) -> Sequence[int]:
        """Return the numbers of a node's subtree, itself first."""
        return range(node, node + self.sizes[node])


def build_tree(root: Element) -> Tree:
    """Return the layout tree of a page.

    :param root: the root of the page's lxml tree, as
        :func:`~scrapy_webstemmer.page.limits.parse_within` returns it; it is not changed.

    Cost: about 15 microseconds per element. A page within the limits for elements has at most 100,000 nodes.
    """
    nodes: list[Node] = []
    parent, pieces = -1, list[str]()  # the pieces of the text that is being read
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        is_tag = event in ("start", "end")
        is_kept = is_tag and (element is root or element.tag in KEPT)
        if is_kept:
            if text := fold("".join(pieces)):
                nodes.append((TEXT, text, parent))
            pieces.clear()
        elif is_tag and element.tag not in _INLINE:
            pieces.append(" ")
        if event == "start":
            if is_kept:
                nodes.append((element.tag, "", parent))
                parent = len(nodes) - 1
            if element.tag in REMOVED:
                walk.skip_subtree()
            else:
                pieces.append(element.text or "")
            continue
        if is_kept:
            parent = nodes[parent][-1]
        if element is not root:
            pieces.append(element.tail or "")
    return Tree.of(nodes)


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
