"""The text of blocks with its inline markup: emphasis, links, code, images; nothing that runs or styles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape, unescape
from itertools import accumulate

from ..blocks.markup import BLOCK, IMAGE, LINK, SKIPPED, skip_element, tag_reader
from ..blocks.tags import TODAY
from ..values import Layout, Markup
from .targets import Base, absolute, href_of, image_tag

__all__ = ["inline_html"]

_INLINE = frozenset("abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split())


def inline_html(layout: Layout, blocks: Sequence[int], base: Base) -> dict[int, str]:
    """Return the HTML of blocks with inline markup, white space as in the source; all others are plain text.

    :param layout: with its markup.
    :param blocks: indexes of blocks, in the order of the page.
    :param base: what links are relative to.

    Cost: one pass over the markup of the blocks, and of what stands between those that are a part of an
    element only.
    """
    markup = layout.markup
    if markup is None:
        raise ValueError("the layout was made without its markup")
    spans, nodes = markup.blocks, markup.nodes
    # a single piece is the beginning of an element with nothing but text, unless it comes after something
    begins = [(nodes[layout.blocks[index].node], index) for index in blocks]
    marked = [(begin, index) for begin, index in begins if spans[index] != (begin, begin + 1)]
    found: dict[int, str] = {}
    for begin, group in _grouped(marked, spans):
        found.update(_read(markup, group, begin, base))
    return found


def _grouped(
    blocks: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, list[int]]]:
    """Yield blocks that are to be read in one go, with the first piece of the outermost of their elements.

    :param blocks: with the first piece of the element of each.

    Where an element begins behind all blocks before it, and so do those of all blocks after it, nothing is
    around them that must be known.
    """
    outermost = list(accumulate((begin for begin, _ in reversed(blocks)), min))
    group: list[int] = []
    start = 0
    for (_, index), begin in zip(blocks, reversed(outermost), strict=True):
        if group and begin >= spans[group[-1]][1]:
            yield start, group
            group = []
        start = start if group else begin
        group.append(index)
    if group:
        yield start, group


def _read(markup: Markup, blocks: Sequence[int], begin: int, base: Base) -> Iterator[tuple[int, str]]:
    """Yield those of some blocks that have inline markup, with it; ``begin`` is the piece to begin at."""
    reader = tag_reader(TODAY)
    known, read = reader.known, reader.read
    writer = _Writer(base)
    inline: _Inline | None = None
    outer: list[_Inline | None] = []  # for each element around the text what is around that
    rest = iter(blocks)
    block = next(rest)
    first, end = markup.blocks[block]
    pieces = enumerate(markup.pieces[begin : markup.blocks[blocks[-1]][1]], begin)
    for number, piece in pieces:
        tag, _, text = piece.partition(">")
        if number >= end:
            if html := writer.close():
                yield block, html
            block = next(rest)
            first, end = markup.blocks[block]
        kind, name, _ = known_tag = known.get(tag) or read(tag)
        if kind >= SKIPPED:
            number, text = skip_element(pieces, number, piece, known_tag)
        elif tag[:1] == "/":
            inline = outer.pop() if outer else None
        elif tag and tag[-1] != "/":  # none is left of a name that has a "<" in it
            outer.append(inline)
            if kind == BLOCK:
                inline = None
            elif kind == LINK and href_of(tag):  # one without a target is no link
                inline = _Inline(_without_links(inline), tag)
            elif name in _INLINE:
                inline = _Inline(inline, tag, name)
        if number >= first:
            if kind == IMAGE:
                writer.write(image_tag(markup.pieces, number, base), inline)
                writer.marked = True
            if text:
                writer.write(_escaped(text) if "&#" in text else text, inline)
    if html := writer.close():
        yield block, html


def _escaped(text: str) -> str:
    """Return the text of a piece escaped as HTML has it; only line breaks may be written in another way."""
    return escape(unescape(text), quote=False)


class _Inline:
    """An inline element around a text.

    :ivar around: the next one around it, and ``depth`` how many there are with this one.
    :ivar tag: its start tag on the page.
    :ivar start: the same as it is written; empty: not at all; None: that of a link, yet to be found out.
    """

    __slots__ = ("around", "depth", "start", "tag")

    def __init__(self, around: _Inline | None, tag: str, start: str | None = None) -> None:
        self.around = around
        self.depth: int = around.depth + 1 if around else 1
        self.tag = tag
        self.start = start


def _without_links(inline: _Inline | None) -> _Inline | None:
    """Return what is around a link: a link in a link is a mistake, and the inner one counts."""
    chain: list[_Inline] = []
    link = inline
    while link and _is_no_link(link):
        chain.append(link)
        link = link.around
    if link is None:
        return inline
    found = link.around
    for element in reversed(chain):
        found = _Inline(found, element.tag, element.start)
    return found


def _is_no_link(inline: _Inline) -> bool:
    return inline.tag[:2] not in ("a", "a ")


class _Writer:
    """Writes the text of one block after the other."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._pieces: list[str] = []
        #: The inline elements that are open in what is written.
        self._opened: _Inline | None = None
        #: Whether there is more than text in the block.
        self.marked = False

    def write(self, html: str, inline: _Inline | None) -> None:
        """Write a text or an image in the inline elements that are around it."""
        if inline is not self._opened:
            self._change(inline)
        self._pieces.append(html)

    def close(self) -> str:
        """Return what has been written of a block, empty if it is plain text, and begin the next one."""
        if self._opened:
            self._change(None)
        html = "".join(self._pieces) if self.marked else ""
        self._pieces, self.marked = [], False
        return html

    def _change(self, wanted: _Inline | None) -> None:
        """Write the end and start tags that lead from what is open to what is around a text."""
        opened, self._opened = self._opened, wanted
        starts: list[str] = []
        while opened is not wanted:
            if opened and (wanted is None or opened.depth >= wanted.depth):
                if opened.start:
                    self._pieces.append(f"</{opened.start.partition(' ')[0]}>")
                opened = opened.around
            elif wanted:
                if start := self._start(wanted):
                    starts.append(f"<{start}>")
                wanted = wanted.around
        if starts:
            self.marked = True
            self._pieces += reversed(starts)

    def _start(self, inline: _Inline) -> str:
        if inline.start is None:
            href = absolute(href_of(inline.tag), self._base)
            inline.start = f'a href="{escape(href)}"' if href else ""
        return inline.start
