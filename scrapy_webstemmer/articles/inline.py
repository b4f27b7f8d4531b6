"""The text of blocks with its inline markup: emphasis, links, code, images; nothing that runs or styles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape, unescape
from itertools import accumulate

from ..blocks.markup import BLOCK, IMAGE, LINK, SKIPPED, pass_over, tag_reader
from ..blocks.tags import TODAY
from ..values import Layout, Markup
from .targets import absolute, href_of, image_tag

__all__ = ["inline_html"]

_INLINE = frozenset("abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split())
#: Tags that decide which inline elements a text is in.
_TELLING = _INLINE | TODAY.block | {"a"}


def inline_html(layout: Layout, blocks: Sequence[int], url: str) -> dict[int, str]:
    """Return the HTML of blocks with inline markup, white space as in the source; all others are plain text.

    :param layout: with its markup.
    :param blocks: indexes of blocks, in the order of the page.
    :param url: what links are relative to.

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
        found.update(_read(markup, group, begin, url))
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


def _read(markup: Markup, blocks: Sequence[int], begin: int, url: str) -> Iterator[tuple[int, str]]:
    """Yield those of some blocks that have inline markup with their HTML; ``begin`` is the piece to begin at."""
    reader = tag_reader(TODAY)
    known, read = reader.known, reader.read
    writer = _Writer(url)
    around = writer.around
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
            number, text = pass_over(pieces, number, piece, known_tag)
        elif tag[:1] == "/":
            del around[-1:]
            writer.stale = writer.stale or name in _TELLING
        elif tag and tag[-1] != "/":  # none is left of a name that has a "<" in it
            around.append((number, tag, kind, name))
            writer.stale = writer.stale or name in _TELLING
        if number >= first:
            if kind == IMAGE:
                writer.write(image_tag(markup.pieces, number, url))
                writer.marked = True
            if text:
                writer.write(_escaped(text))
    if html := writer.close():
        yield block, html


def _escaped(text: str) -> str:
    """Return the text of a piece escaped as HTML has it; only line breaks may be written in another way."""
    return escape(unescape(text), quote=False) if "&#" in text else text


class _Writer:
    """Writes the text of one block after the other."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pieces: list[str] = []
        #: The inline elements that are open in what is written, outermost first: their number and start tag.
        self._opened: list[tuple[int, str]] = []
        #: The elements around the text: the number of the piece that begins each, its tag, kind and name.
        self.around: list[tuple[int, str, int, str]] = []
        #: Whether there were tags since the last text that change which inline elements are around it.
        self.stale = True
        #: Whether there is more than text in the block.
        self.marked = False

    def write(self, html: str) -> None:
        """Write a text or an image in the inline elements that are around it."""
        if self.stale:
            wanted, opened = self._inline(), self._opened
            if wanted or opened:
                self._change(opened, wanted)
            self._opened, self.stale = wanted, False
        self._pieces.append(html)

    def close(self) -> str:
        """Return what has been written of a block, empty if it is plain text, and begin the next one."""
        self._change(self._opened, [])
        html = "".join(self._pieces) if self.marked else ""
        self._pieces, self._opened, self.stale, self.marked = [], [], True, False
        return html

    def _change(self, opened: Sequence[tuple[int, str]], wanted: Sequence[tuple[int, str]]) -> None:
        same = 0
        for left, entered in zip(opened, wanted, strict=False):
            if left != entered:
                break
            same += 1
        for _, start in reversed(opened[same:]):
            self._pieces.append(f"</{start.partition(' ')[0]}>")
        for _, start in wanted[same:]:
            self._pieces.append(f"<{start}>")
            self.marked = True

    def _inline(self) -> list[tuple[int, str]]:
        """Return the inline elements between a text and its block, outermost first, with their start tags."""
        found: list[tuple[int, str]] = []
        linked = False
        for number, tag, kind, name in reversed(self.around):
            if kind == BLOCK:
                break
            if kind == LINK:
                href = "" if linked else absolute(href_of(tag), self._url)
                linked = True  # a link in a link is a mistake; the inner one counts
                if href:
                    found.append((number, f'a href="{escape(href)}"'))
            elif name in _INLINE:
                found.append((number, name))
        found.reverse()
        return found
