"""Build a page's layout tree from its elements.

Source: News Ripper, layout trees. Comments and processing instructions are removed. Departure: where a tag
vanishes that is not one of running text, such as ``br`` or ``li``, its neighbours run together with a space
between them, as readers see them. Nothing says whether the published program did so.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from lxml import etree

from ..blocks.parsing import Element
from ..blocks.text import fold
from .selection import GROUPS, Fate, Selection
from .tree import TEXT, Tree

__all__ = ["DEFAULT", "build_tree"]

#: The selection that the published program starts with, and today's elements.
DEFAULT = Selection.default()

_INLINE_GROUPS = ("q", "ins", "del", "a", "span", "bdo", "phrases", "fonts", "words", "readings")
#: Tags of running text: no space stands where one vanishes.
_INLINE = frozenset[str]().union(*(GROUPS[name].elements for name in _INLINE_GROUPS))
#: Those that the formatted variant writes.
_WRITTEN = _INLINE - {"basefont", "slot", "wbr"}
#: The formatted variant writes at most so many of them around a text, the outer ones: each text repeats them.
_MOST_WRITTEN = 20


class _Open(NamedTuple):
    """An ignored inline element that is open, with the one around it."""

    tag: str
    around: _Open | None
    depth: int


def build_tree(
    root: Element, selection: Selection = DEFAULT, *, attributes: bool = False, formatted: bool = False
) -> Tree:
    """Return the layout tree of a page.

    :param root: the root of the page's lxml tree, as
        :func:`~scrapy_webstemmer.reading.page.parse_within` returns it; it is not changed.
    :param selection: which elements are kept, ignored and removed. The root is always kept.
    :param attributes: whether a node's name has the element's id and classes as well. They follow the tag in
        alphabetical order, as in ``div #main .story .wide``.
    :param formatted: whether the tags of running text that the selection ignores, such as ``em``, are a part
        of the texts. Then each text is HTML, with its tags closed and its signs escaped. Attributes are left
        out.

    Cost: about 15 microseconds per element. A page within the limits for elements has at most 100,000 nodes.
    """
    maker = _Maker(attributes, formatted)
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

    def __init__(self, attributes: bool, formatted: bool) -> None:
        self.names: list[str] = []
        self.texts: list[str] = []
        self.parents: list[int] = []
        self._attributes, self._formatted = attributes, formatted
        self._parent = -1
        #: The pieces of the text that is being read, each with the inline elements around it.
        self._pieces: list[tuple[str, _Open | None]] = []
        self._inline: _Open | None = None
        #: How many more inline elements are open than are written.
        self._beyond = 0

    def start(self, element: Element, fate: Fate) -> None:
        """Take the start tag of an element."""
        if fate is Fate.KEEP:
            self._flush()
            self._add(_name(element) if self._attributes else element.tag, "")
            self._parent = len(self.names) - 1
        elif element.tag not in _INLINE:
            self.text(" ")
        elif self._formatted and fate is Fate.IGNORE and element.tag in _WRITTEN:
            depth = self._inline.depth + 1 if self._inline else 1
            if depth > _MOST_WRITTEN:
                self._beyond += 1
            else:
                self._inline = _Open(element.tag, self._inline, depth)

    def end(self, element: Element, fate: Fate) -> None:
        """Take the end tag of an element."""
        if fate is Fate.KEEP:
            self._flush()
            self._parent = self.parents[self._parent]
        elif element.tag not in _INLINE:
            self.text(" ")
        elif self._inline is not None and fate is Fate.IGNORE and element.tag in _WRITTEN:
            if self._beyond:
                self._beyond -= 1
            else:
                self._inline = self._inline.around

    def text(self, text: str | None) -> None:
        """Take a piece of text."""
        if text:
            self._pieces.append((text, self._inline))

    def _flush(self) -> None:
        """Add the text that has been read as a node, unless it is white space."""
        if not self._pieces:
            return
        if self._formatted and any(text.strip() for text, _ in self._pieces):
            text = fold(_markup(self._pieces))
        else:
            text = fold("".join(text for text, _ in self._pieces))
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


def _markup(pieces: list[tuple[str, _Open | None]]) -> str:
    """Return a text with the tags of the inline elements around its pieces, all of them closed."""
    written: list[str] = []
    opened: _Open | None = None
    for text, inline in [*pieces, ("", None)]:
        starts: list[str] = []
        wanted = inline
        while opened is not wanted:
            if opened is not None and (wanted is None or opened.depth >= wanted.depth):
                written.append(f"</{opened.tag}>")
                opened = opened.around
            elif wanted is not None:
                starts.append(f"<{wanted.tag}>")
                wanted = wanted.around
        written += reversed(starts)
        written.append(escape(text, quote=False))
        opened = inline
    return "".join(written)
