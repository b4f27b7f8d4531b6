"""The text of blocks with its inline markup: emphasis, links, code, images; nothing that runs or styles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape, unescape
from itertools import islice

from ..blocks.markup import BLOCK, IMAGE, LINK, SKIPPED, attributes_of, pass_over, tag_reader
from ..blocks.tags import TODAY
from ..values import Layout, Markup
from .targets import absolute, image_tag

__all__ = ["inline_html"]

_INLINE = frozenset("abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split())
#: Tags that decide which inline elements a text is in.
_TELLING = _INLINE | TODAY.block | {"a"}


def inline_html(layout: Layout, blocks: Sequence[int], url: str) -> dict[int, str]:
    """Return for each block its text as HTML, white space as in the source.

    :param layout: with its markup.
    :param blocks: indexes of blocks, in the order of the page.
    :param url: what links are relative to.

    Cost: one pass over the markup of the blocks, and of what stands between those that are a part of an
    element only.
    """
    markup = layout.markup
    if markup is None:
        raise ValueError("the layout was made without its markup")
    found: dict[int, str] = {}
    parts: list[int] = []
    for index in blocks:
        first, end = markup.blocks[index]
        if markup.nodes[layout.blocks[index].node] != first:
            parts.append(index)
        elif end == first + 1:
            found[index] = _escaped(markup.pieces[first].partition(">")[2])
        else:  # from the beginning of its element on: nothing else is around it
            found.update(_read(markup, [index], first, url))
    if parts:
        begin = min(markup.nodes[layout.blocks[index].node] for index in parts)
        found.update(_read(markup, parts, begin, url))
    return found


def _read(markup: Markup, blocks: Sequence[int], begin: int, url: str) -> Iterator[tuple[int, str]]:
    """Yield some blocks with their HTML; ``begin`` is the first piece of the outermost of their elements."""
    reader = tag_reader(TODAY)
    known, read = reader.known, reader.read
    writer = _Writer(url)
    around = writer.around
    rest = iter(blocks)
    block = next(rest)
    first, end = markup.blocks[block]
    pieces = enumerate(islice(markup.pieces, begin, markup.blocks[blocks[-1]][1]), begin)
    for number, piece in pieces:
        tag, _, text = piece.partition(">")
        if number >= end:
            yield block, writer.close()
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
            if text:
                writer.write(_escaped(text))
    yield block, writer.close()


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

    def write(self, html: str) -> None:
        """Write a text or an image in the inline elements that are around it."""
        if not self.stale:
            self._pieces.append(html)
            return
        wanted, opened = self._inline(), self._opened
        same = 0
        while same < min(len(opened), len(wanted)) and opened[same] == wanted[same]:
            same += 1
        self._end(opened[same:])
        self._pieces += [f"<{start}>" for _, start in wanted[same:]]
        self._pieces.append(html)
        self._opened, self.stale = wanted, False

    def close(self) -> str:
        """Return what has been written of a block, and begin the next one."""
        self._end(self._opened)
        html = "".join(self._pieces)
        self._pieces, self._opened, self.stale = [], [], True
        return html

    def _end(self, opened: Sequence[tuple[int, str]]) -> None:
        self._pieces += [f"</{start.partition(' ')[0]}>" for _, start in reversed(opened)]

    def _inline(self) -> list[tuple[int, str]]:
        """Return the inline elements between a text and its block, outermost first, with their start tags."""
        found: list[tuple[int, str]] = []
        linked = False
        for number, tag, kind, name in reversed(self.around):
            if kind == BLOCK:
                break
            if kind == LINK:
                href = "" if linked else absolute(attributes_of(tag).get("href"), self._url)
                linked = True  # a link in a link is a mistake; the inner one counts
                if href:
                    found.append((number, f'a href="{escape(href)}"'))
            elif name in _INLINE:
                found.append((number, name))
        found.reverse()
        return found
