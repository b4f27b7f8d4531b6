"""Write the text of blocks with inline markup: emphasis, links, code, images, but no scripts or styles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from html import escape, unescape

from ..base.compiled import compiled
from ..fields.image_sources import absolute, href_of, image_tag
from ..page.markup import BLOCK, COMMENT, IMAGE, LINK, SKIPPED, TRANSPARENT, Base, skip_element, tag_reader
from ..page.tags import DEEPEST_INLINE, KEPT_INLINE, PICTURES, TODAY, WRITTEN_AS
from ..values import Layout, Markup

#: To pass over so many pieces between blocks costs no more than to begin anew behind them.
_FAR = 50


def inline_html(layout: Layout, markup: Markup, blocks: Sequence[int]) -> dict[int, str]:
    """Return the HTML of the blocks that have inline markup; all other blocks are plain text.

    White space is as in the source.

    :param blocks: indexes of blocks, in the order of the page.

    Cost: one pass over the markup of the blocks, and over the markup between blocks that are only a part of
    an element.
    """
    base, spans, nodes, layout_blocks = Base(markup), markup.blocks, markup.nodes, layout.blocks
    marked: list[tuple[int, int, int]] = []
    outermost = len(markup.pieces)
    for index in reversed(blocks):
        begin = nodes[layout_blocks[index].node]
        first, end = spans[index]
        if first != begin or end != begin + 1:  # else it is the first piece of its element, and plain text
            outermost = min(outermost, begin)
            marked.append((index, outermost, end))
    html: dict[int, str] = {}
    scans, writer = compiled("page.scan"), compiled("page.scan_html")
    is_scanned = scans is not None and isinstance(markup.pieces, scans.Scan)
    absolute_of, image = partial(absolute, base=base), partial(image_tag, markup.pieces, base=base)
    for begin, group in _grouped(marked):
        if writer is not None and is_scanned:
            room, pieces = base.has_room, markup.pieces
            html.update(
                writer.inline_html(pieces, spans, group, begin, absolute_of, image, room, markup.instead)
            )
        else:
            html.update(_read(markup, group, begin, base))
    return html


def _grouped(blocks: Sequence[tuple[int, int, int]]) -> list[tuple[int, list[int]]]:
    """Return groups of blocks that are read together, each with the first piece of its outermost element.

    A new group begins if the elements of this block and of all later ones begin far behind the last block of
    the group: no element is then around blocks of both groups.

    :param blocks: for each block, the last one first, its index, where the first of the elements of it and of
        all later blocks begins, and where it ends.
    """
    groups: list[tuple[int, list[int]]] = []
    last = -_FAR
    for index, begin, end in reversed(blocks):
        if begin >= last + _FAR:
            groups.append((begin, []))
        groups[-1][1].append(index)
        last = end
    return groups


def _read(markup: Markup, blocks: Sequence[int], begin: int, base: Base) -> Iterator[tuple[int, str]]:
    """Yield the blocks that have inline markup, with their HTML; reading begins at the piece ``begin``."""
    reader, instead = tag_reader(TODAY), markup.instead
    known, read = reader.known, reader.read
    writer = _Writer(base)
    inline: _Inline | None = None
    outer: list[_Inline | None] = []  # for each open element, the inline element around it
    blocks_left = iter(blocks)
    block = next(blocks_left)
    first, end = markup.blocks[block]
    pieces = enumerate(markup.pieces[begin : markup.blocks[blocks[-1]][1]], begin)
    hidden, shown = markup.fates
    for at, piece in pieces:
        tag, _, text = piece.partition(">")
        if at >= end:
            if html := writer.close():
                yield block, html
            block = next(blocks_left)
            first, end = markup.blocks[block]
        kind, name, _ = known_tag = known.get(tag) or read(tag)
        if kind == IMAGE and name in PICTURES and tag[-1:] != "/" and at not in hidden:
            if at >= first:
                writer.write(image_tag(markup.pieces, at, base), inline)
                writer.marked = True
            at, text = skip_element(pieces, at, piece, known_tag)
            kind = TRANSPARENT
        elif at in instead:
            if at >= first and instead[at]:
                writer.write(escape(instead[at], quote=False), inline)
            kind = TRANSPARENT
            if tag[-1:] != "/":
                at, text = skip_element(pieces, at, piece, known_tag)
        elif (kind in (SKIPPED, COMMENT) and at not in shown) or (at in hidden and tag[-1:] != "/"):
            at, text = skip_element(pieces, at, piece, known_tag)
        elif tag[:1] == "/":
            inline = outer.pop() if outer else None
        elif tag and tag[-1] != "/":  # empty if a "<" in an element's name divided it
            outer.append(inline)
            if kind == BLOCK:
                inline = None
            elif kind == LINK and href_of(tag):  # one without a target is no link
                inline = _Inline(_without_links(inline), tag)
            elif name in KEPT_INLINE and (inline is None or inline.depth < DEEPEST_INLINE):
                inline = _Inline(inline, tag, WRITTEN_AS.get(name, name))
        if at >= first:
            if kind == IMAGE:
                writer.write(image_tag(markup.pieces, at, base), inline)
                writer.marked = True
            if text:
                writer.write(_escaped(text) if "&#" in text else text, inline)
    if html := writer.close():
        yield block, html


def _escaped(text: str) -> str:
    """Return the text of a piece, escaped as in HTML. A piece may have line breaks as ``&#13;``."""
    return escape(unescape(text), quote=False)


class _Inline:
    """An inline element around a text.

    :ivar around: the next inline element around it.
    :ivar depth: number of inline elements around the text, including this one.
    :ivar tag: its start tag on the page.
    :ivar start: the start tag to be written; empty: none; None: a link's, which is not known yet.
    :ivar written: whether it was written already, for an earlier text. Only within the room of the page is it
        written again.
    """

    __slots__ = ("around", "depth", "start", "tag", "written")

    def __init__(
        self, around: _Inline | None, tag: str, start: str | None = None, written: bool = False
    ) -> None:
        self.around = around
        self.depth: int = around.depth + 1 if around else 1
        self.tag = tag
        self.start = start
        self.written = written


def _without_links(inline: _Inline | None) -> _Inline | None:
    """Return the inline elements around a link, without links. Of two nested links the inner one counts."""
    chain: list[_Inline] = []
    link = inline
    while link and link.tag[:2] not in ("a", "a "):
        chain.append(link)
        link = link.around
    if link is None:
        return inline
    without = link.around
    for element in reversed(chain):
        without = _Inline(without, element.tag, element.start, written=True)
    return without


class _Writer:
    """Writes the text of one block after the other."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._pieces: list[str] = []
        #: The inline elements that are open in what is written.
        self._opened: _Inline | None = None
        #: Whether the block has more than text.
        self.marked = False

    def write(self, html: str, inline: _Inline | None) -> None:
        """Write a text or an image inside the inline elements around it."""
        if inline is not self._opened:
            self._change(inline)
        self._pieces.append(html)

    def close(self) -> str:
        """Return the HTML of a block, empty if it is plain text, and begin the next block."""
        if self._opened:
            self._change(None)
        html = "".join(self._pieces) if self.marked else ""
        self._pieces, self.marked = [], False
        return html

    def _change(self, wanted: _Inline | None) -> None:
        """Write the end and start tags that lead from the open elements to those around the next text."""
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
        elif inline.written and not self._base.has_room(len(inline.start)):
            inline.start = ""
        inline.written = True
        return inline.start
