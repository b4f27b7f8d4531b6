"""Layout trees: a page's elements and texts as the nodes of a tree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple

from lxml import etree

from ..errors import OptionError
from ..html.parsing import Element
from ..html.text import fold

# --- A page's layout tree: its elements and texts as nodes, in the order of the page

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


# --- Tell which of a page's passages are its text and its title
#
# Source: Reis and others 2004, step 4. The text is the longest passage, if it has more than 100 words. The
# title is the passage of 1 to 20 words with the largest quotient: the number of words that it shares with the
# text, divided by how many passages away from the text it stands.
#
# What the paper leaves open: each different word counts once, in any case. Of equal passages the first one
# wins. A passage that shares no word with the text is no title. Words stand between white space, so that
# pages in a script without spaces give no article.

#: The text must have more words than this.
MORE_WORDS = 100
#: The most words of a title.
LONGEST_TITLE = 20


class LabelledPassages(NamedTuple):
    """Title and text of a page; the title is empty if there is none. The text has one item for each leaf."""

    title: str
    text: tuple[str, ...]


def label_passages(passages: Sequence[Sequence[str]]) -> LabelledPassages | None:
    """Return title and text of a page; None if no passage is long enough.

    :param passages: the texts that each wildcard takes, in the order of the page.

    Cost: linear in the words.
    """
    words = [" ".join(texts).casefold().split() for texts in passages]
    longest = max(range(len(words)), key=lambda number: (len(words[number]), -number), default=None)
    if longest is None or len(words[longest]) <= MORE_WORDS:
        return None
    body = set(words[longest])
    best, title = 0.0, ""
    for number, found in enumerate(words):
        if number != longest and 1 <= len(found) <= LONGEST_TITLE:
            score = len(body.intersection(found)) / abs(number - longest)
            if score > best:
                best, title = score, " ".join(passages[number])
    return LabelledPassages(title, tuple(passages[longest]))


# --- Count the nodes of trees by their paths
#
# A path is a node's label with the labels of its ancestors.
#
# Top-down mappings pair only nodes whose ancestors have equal labels. So what the paths of two trees have in
# common bounds what a mapping can find.


def count_paths(tree: Tree, numbers: dict[tuple[int, str], int]) -> Counter[int]:
    """Return how many nodes of a tree have each path, by the path's number.

    :param numbers: the numbers of all paths, by the number of the parent's path (-1 for the root) and the
        label. It grows. Trees that are compared share it.

    Cost: linear in the nodes.
    """
    found: list[int] = []
    for node, (parent, label) in enumerate(zip(tree.parents, tree.labels, strict=True)):
        found.append(numbers.setdefault((found[parent] if node else -1, label), len(numbers)))
    return Counter(found)


# --- Recognise identical subtrees of many trees: what a template repeats on each page is equal at its root


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


# --- Write a layout tree as HTML, to open it in a browser
#
# Source: News Ripper: walk in pre-order; write start tags with their attributes, text, and end tags where the
# element has one. Departure: the tree comes from a page of a stranger, so all text is escaped, and an element
# that runs, loads something or swallows what follows it becomes an unknown one: ``script`` becomes
# ``x-script``.

#: Elements without end tag.
VOID = frozenset(
    "area base basefont br col embed frame hr img input isindex link meta param source track wbr".split()
)

#: Without attributes only these are harmful. Their content is no text for a browser, or ends the page.
_ACTIVE = frozenset(
    "script style plaintext xmp listing noscript noframes noembed iframe frameset frame template svg math "
    "object applet embed base link meta select textarea".split()
)
_PLAIN = re.compile(r"[a-z][a-z0-9_-]*")
_INDENT = "  "


def tag_of(name: str) -> str:
    """Return the tag in a node's name, without the id and the classes that may follow it."""
    return name.partition(" ")[0]


def tree_html(tree: Tree) -> str:
    """Return a tree as HTML. Only the id and the classes in a node's name become attributes."""
    written: list[str] = ["<!DOCTYPE html>\n"]
    opened: list[tuple[int, str]] = []  # the end of each open element's subtree, and its end tag
    for node, (name, text) in enumerate(zip(tree.names, tree.texts, strict=True)):
        while opened and opened[-1][0] <= node:
            written.append(opened.pop()[1])
        if name == TEXT:
            written.append(escape(text))
            continue
        tag, attributes = _safe(tag_of(name)), _attributes(name)
        written.append(f"<{tag}{attributes}>")
        if tag not in VOID:
            opened.append((node + tree.sizes[node], f"</{tag}>\n"))
    written += (end for _, end in reversed(opened))
    return "".join(written)


def tree_lines(tree: Tree) -> list[str]:
    """Return a tree as indented lines, one a node: its name, or its text in quotation marks."""
    depths: list[int] = []
    lines = []
    for node, (name, text) in enumerate(zip(tree.names, tree.texts, strict=True)):
        depths.append(depths[tree.parents[node]] + 1 if node else 0)
        lines.append(_INDENT * depths[node] + (f'"{text}"' if name == TEXT else name))
    return lines


def _safe(tag: str) -> str:
    """Return a tag that a browser only shows: one that is active, or has odd signs, is replaced."""
    tag = tag.lower()
    if not _PLAIN.fullmatch(tag):
        return "x-unknown"
    return f"x-{tag}" if tag in _ACTIVE else tag


def _attributes(name: str) -> str:
    """Return the attributes in a node's name as they stand in a start tag."""
    tokens = name.split(" ")[1:]
    ids = " ".join(one[1:] for one in tokens if one.startswith("#"))
    classes = " ".join(one[1:] for one in tokens if one.startswith("."))
    written = f' id="{escape(ids)}"' if ids else ""
    return written + (f' class="{escape(classes)}"' if classes else "")


# --- Choose which elements of a page become nodes of its layout tree
#
# Source: News Ripper (Jasselette and Vanderwhale 2005), the table of elements of HTML 4.01. Addition: the
# elements of today's HTML, in the same spirit. What has content of its own and is a part of the layout is
# kept. What only marks a few words of a text is ignored. What no reader sees is removed.

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
    found = {}
    for row in rows.strip().splitlines():
        name, start, off, *elements = row.split()
        found[name] = Group(frozenset(elements or [name]), Fate(start), Fate(off))
    return found


#: The groups of HTML 4.01, as published. A group without elements is the element of its name.
CLASSIC_GROUPS: Mapping[str, Group] = MappingProxyType(
    _groups("""
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
)

#: The groups of the elements that came later.
_LATER = _groups("""
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

GROUPS: Mapping[str, Group] = MappingProxyType({**CLASSIC_GROUPS, **_LATER})

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
        groups = _groups_of(classic)
        for name in switches:
            if name not in groups:
                raise OptionError("selection", name, f"must be one of {', '.join(sorted(groups))}")
        fates = {}
        for name, group in groups.items():
            fate = group.start
            if name in switches:
                fate = Fate.KEEP if switches[name] else group.off
            fates.update(dict.fromkeys(group.elements, fate))
        return cls(MappingProxyType(fates))

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
        found = words.replace(",", " ").split()
        start = found.pop(0) if found[:1] and found[0] in _STARTS else "default"
        groups = _groups_of(classic)
        switches = {} if start == "default" else dict.fromkeys(groups, start == "all")
        return cls.of(switches | dict(_switches(found)), classic=classic)

    def __reduce__(self) -> tuple[Any, ...]:
        # a read-only view of a dict cannot be sent to another process
        return _selection, (dict(self.fates),)


def _selection(fates: dict[str, Fate]) -> Selection:
    return Selection(MappingProxyType(fates))


def _groups_of(classic: bool) -> Mapping[str, Group]:
    return CLASSIC_GROUPS if classic else GROUPS


def _switches(words: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for word in words:
        yield (word[1:] if word[0] in "+-" else word), word[0] != "-"


# --- Build a page's layout tree from its elements
#
# Source: News Ripper, layout trees. Comments and processing instructions are removed. Departure: where a tag
# vanishes that is not one of running text, such as ``br`` or ``li``, its neighbours run together with a space
# between them, as readers see them. Nothing says whether the published program did so.

#: The selection that the published program starts with, and today's elements.
DEFAULT = Selection.of({})

_INLINE_GROUPS = ("q", "ins", "del", "a", "span", "bdo", "phrases", "fonts", "words", "readings")
#: Tags of running text: no space stands where one vanishes.
_INLINE = frozenset[str]().union(*(GROUPS[name].elements for name in _INLINE_GROUPS))


def build_tree(root: Element, selection: Selection = DEFAULT, *, attributes: bool = False) -> Tree:
    """Return the layout tree of a page.

    :param root: the root of the page's lxml tree, as
        :func:`~scrapy_webstemmer.reading.parse_within` returns it; it is not changed.
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
    return Tree(tuple(maker.names), tuple(maker.texts), tuple(maker.parents))


def _fate(element: Element, root: Element, selection: Selection) -> Fate:
    if element is root:
        return Fate.KEEP
    return selection.fate(element.tag) if isinstance(element.tag, str) else Fate.REMOVE


class _Maker:
    """Collects the nodes of a tree in pre-order."""

    def __init__(self, attributes: bool) -> None:
        self.names: list[str] = []
        self.texts: list[str] = []
        self.parents: list[int] = []
        self._attributes = attributes
        self._parent = -1
        #: The pieces of the text that is being read.
        self._pieces: list[str] = []

    def start(self, element: Element, fate: Fate) -> None:
        """Take the start tag of an element."""
        if fate is Fate.KEEP:
            self._flush()
            self._add(_name(element) if self._attributes else element.tag, "")
            self._parent = len(self.names) - 1
        elif element.tag not in _INLINE:
            self.text(" ")

    def end(self, element: Element, fate: Fate) -> None:
        """Take the end tag of an element."""
        if fate is Fate.KEEP:
            self._flush()
            self._parent = self.parents[self._parent]
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
            self._add(TEXT, text)

    def _add(self, name: str, text: str) -> None:
        self.names.append(name)
        self.texts.append(text)
        self.parents.append(self._parent)


def _name(element: Element) -> str:
    """Return an element's tag with the parts of its id and its classes, in alphabetical order."""
    tokens = {f"#{one}" for one in element.get("id", "").split()}
    tokens |= {f".{one}" for one in element.get("class", "").split()}
    return " ".join([element.tag, *sorted(tokens)])
