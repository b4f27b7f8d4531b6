"""Layout trees: a page's elements and texts as the nodes of a tree, in the order of the page.

Source: News Ripper, layout trees. Comments and processing instructions are removed. Departure: where a tag
vanishes that is not one of running text, such as ``br`` or ``li``, its neighbours run together with a space
between them, as readers see them. Nothing says whether the published program did so.

Which elements become nodes: News Ripper (Jasselette and Vanderwhale 2005), the table of elements of HTML
4.01. Addition: the elements of today's HTML, in the same spirit. What has content of its own and is a part of
the layout is kept. What only marks a few words of a text is ignored. What no reader sees is removed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from lxml import etree

from ..errors import OptionError
from ..page.parsing import Element
from ..page.text import fold

#: The elements that are kept whatever the selection is.
ALWAYS = frozenset({"html", "head", "body"})


class Fate(Enum):
    """What becomes of an element: a node; or only its content stays; or it vanishes with its content."""

    KEEP = "keep"
    IGNORE = "ignore"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Group:
    """Some elements that have one switch.

    :param elements: their names.
    :param start: their fate in the default selection.
    :param off: their fate if the switch is off. If it is on, they are kept.
    """

    elements: frozenset[str]
    start: Fate
    off: Fate


def _groups(rows: str) -> dict[str, Group]:
    """Read a table with the columns name, fate in the default selection, fate if it is off, elements."""
    groups = {}
    for row in rows.strip().splitlines():
        name, start, off, *elements = row.split()
        groups[name] = Group(frozenset(elements or [name]), Fate(start), Fate(off))
    return groups


#: The groups of HTML 4.01, as published. A group without elements is the element of its name.
CLASSIC_GROUPS: Mapping[str, Group] = _groups("""
    tables      keep   remove  table
    row-groups  keep   ignore  thead tbody tfoot col colgroup
    rows        keep   ignore  tr
    cells       keep   ignore  td th
    caption     keep   remove
    lists       keep   remove  ul ol
    items       keep   ignore  li
    definitions keep   remove  dl
    terms       keep   ignore  dt dd
    menus       keep   remove  dir menu
    object      keep   remove
    img         keep   remove
    applet      keep   remove
    iframe      keep   remove
    params      remove remove  param map area
    title       keep   remove
    meta        remove remove
    links       remove remove  style link
    address     remove remove
    base        remove remove
    p           keep   ignore
    q           ignore ignore
    pre         ignore ignore
    ins         ignore ignore
    br          remove remove
    del         remove remove
    a           ignore ignore
    span        ignore ignore
    bdo         ignore ignore
    div         keep   ignore
    blockquote  keep   ignore
    hr          keep   remove
    headings    keep   ignore  h1 h2 h3 h4 h5 h6
    phrases     ignore ignore  em strong cite dfn code samp kbd var abbr acronym
    fonts       ignore ignore  font basefont sup sub tt i b big small strike s u
    forms       keep   remove  form input select optgroup option textarea button label fieldset legend isindex
    scripts     remove remove  script noscript
    frames      keep   remove  frameset frame noframes
""")

#: The groups of the elements that came later.
_LATER_GROUPS = _groups("""
    sections    keep   ignore  section article main header footer aside nav hgroup search
    figures     keep   remove  figure
    figcaption  keep   remove
    details     keep   ignore  details summary
    dialog      keep   remove
    picture     keep   ignore
    media       keep   remove  video audio embed canvas
    sources     remove remove  source track
    drawings    remove remove  svg math
    template    remove remove
    controls    keep   remove  datalist output meter progress
    words       ignore ignore  time mark data bdi ruby rb wbr slot
    readings    remove remove  rt rtc rp
    """)

GROUPS: Mapping[str, Group] = {**CLASSIC_GROUPS, **_LATER_GROUPS}

_STARTS = ("default", "all", "none")


@dataclass(frozen=True, slots=True)
class Selection:
    """The fate of each element.

    :param fates: the fates of the elements that have one. Any other element is ignored.
    """

    fates: Mapping[str, Fate]

    def fate(self, tag: str) -> Fate:
        """Return the fate of an element."""
        return Fate.KEEP if tag in ALWAYS else self.fates.get(tag, Fate.IGNORE)

    @classmethod
    def of(cls, switches: Mapping[str, bool], *, classic: bool = False) -> Selection:
        """Return the default selection, with some switches on or off.

        :param switches: names of groups, and whether each is on.
        :raises OptionError: there is no such group.
        """
        groups = CLASSIC_GROUPS if classic else GROUPS
        for name in switches:
            if name not in groups:
                raise OptionError("selection", name, f"must be one of {', '.join(sorted(groups))}")
        fates = {}
        for name, group in groups.items():
            fate = group.start
            if name in switches:
                fate = Fate.KEEP if switches[name] else group.off
            fates.update(dict.fromkeys(group.elements, fate))
        return cls(fates)

    @classmethod
    def read(cls, words: str, *, classic: bool = False) -> Selection:
        """Return the selection that some words describe.

        :param words: ``default``, ``all`` or ``none`` first, or none of them for ``default``. Then names of
            groups: ``+name`` or ``name`` switches a group on, ``-name`` switches it off. Between words there
            is white space or a comma.
        :raises OptionError: a word is not valid.

        >>> Selection.read("none tables rows cells").fate("li")
        <Fate.IGNORE: 'ignore'>
        >>> Selection.read("+span, -lists").fate("ul")
        <Fate.REMOVE: 'remove'>
        """
        names = words.replace(",", " ").split()
        start = names.pop(0) if names[:1] and names[0] in _STARTS else "default"
        groups = CLASSIC_GROUPS if classic else GROUPS
        switches = {} if start == "default" else dict.fromkeys(groups, start == "all")
        named = {(name[1:] if name[0] in "+-" else name): name[0] != "-" for name in names}
        return cls.of(switches | named, classic=classic)


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
