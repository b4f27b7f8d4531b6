"""Build a page's layout tree from its elements.

Source: News Ripper, layout trees. Comments and processing instructions are removed. Departure: where a tag
vanishes that is not one of running text, such as ``br`` or ``li``, its neighbours run together with a space
between them, as readers see them. Nothing says whether the published program did so.
"""

from __future__ import annotations

from lxml import etree

from ..page.parsing import Element
from ..page.text import fold
from .layout_trees import TEXT, Tree
from .tree_selection import GROUPS, Fate, Selection

#: The selection that the published program starts with, and today's elements.
DEFAULT = Selection.of({})

_INLINE_GROUPS = ("q", "ins", "del", "a", "span", "bdo", "phrases", "fonts", "words", "readings")
#: Tags of running text: no space stands where one vanishes.
_INLINE = frozenset[str]().union(*(GROUPS[name].elements for name in _INLINE_GROUPS))


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
