"""Divide a page's layout blocks into text segments: each is the text between two tags, with its path."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from ..page.markup import (
    COMMENT,
    LINK,
    LINK_END,
    SKIPPED,
    TRANSPARENT,
    TagReader,
    plain_text,
    skip_element,
    tag_reader,
)
from ..page.tags import TODAY
from ..page.text import fold
from ..values import Block, Layout

#: Bytes of a digest. As an integer, it has at most two of Python's digits, and SQLite can hold it.
_BYTES = 7
#: The most blocks and the most paths that are kept: the pages of a site share most of them.
_MOST_KNOWN = 5_000
#: Only blocks with at most this many characters of source are kept.
_LONGEST_KNOWN = 300
#: Kinds of tags that begin or end an element in a block, and kinds that are skipped.
_OPENING, _UNREAD = (LINK, TRANSPARENT), (SKIPPED, COMMENT)
#: Limits for the depth of elements and for the characters of a path. Beyond them, an element has its parent's
#: path.
_MAX_DEPTH, _LONGEST_PATH = 100, 1_000


class Segment(NamedTuple):
    """A text segment: the digest of its path and text, and the number of characters of the text."""

    digest: int
    length: int


#: The segments of each block of a page, in the order of the page.
Segmentation = Sequence[Sequence[Segment]]


def digest(path: str, text: str) -> int:
    """Return the digest of a segment: 56 bits, the same in every process.

    >>> digest("body/div", "Home") == digest("body/div", "Home") != digest("body", "Home")
    True
    """
    found = blake2b(f"{path}\0{text}".encode("utf-8", "replace"), digest_size=_BYTES).digest()
    return int.from_bytes(found, "big")


class Segmenter:
    """Divides pages into text segments. It keeps some segments and paths, since many pages share them."""

    def __init__(self) -> None:
        self._segments: dict[tuple[str, str], tuple[Segment, ...]] = {}
        self._paths: dict[tuple[str, str], str] = {}

    def segments(self, layout: Layout) -> Segmentation:
        """Return the text segments of each block of a page.

        :param layout: the page's layout, with its markup.

        The path of a segment is the path of its block, as tags, and the tags of the
        elements in the block that are open there.
        """
        markup = layout.markup
        assert markup is not None  # noqa: S101 - the caller keeps the markup
        reader, paths, known = tag_reader(TODAY), self._node_paths(layout), self._segments
        if len(known) > _MOST_KNOWN:
            known.clear()
        found = []
        for block, (first, end) in zip(layout.blocks, markup.blocks, strict=True):
            path, pieces = paths[block.node], markup.pieces[first:end]
            key = (path, "<".join(pieces))
            segments = known.get(key)
            if segments is None:
                segments = tuple(_segments(block, pieces, path, reader))
                if len(key[1]) <= _LONGEST_KNOWN:
                    known[key] = segments
            found.append(segments)
        return found

    def _node_paths(self, layout: Layout) -> list[str]:
        """Return the path of each node, made of tags alone."""
        known = self._paths
        if len(known) > _MOST_KNOWN:
            known.clear()
        found: list[str] = []
        for step, parent in zip(layout.steps, layout.parents, strict=True):
            key = (found[parent] if parent >= 0 else "", step.tag)
            path = known.get(key)
            if path is None:
                above = key[0]
                path = known[key] = above if above.count("/") >= _MAX_DEPTH else f"{above}/{step.tag}"
            found.append(path)
        return found


def _segments(block: Block, pieces: Sequence[str], path: str, reader: TagReader) -> list[Segment]:
    """Return the segments of a block. Preformatted text is one segment: its tags come from a highlighter."""
    if "/pre" not in path:
        texts = _texts(pieces, path, reader)
        if len(texts) != 1:
            folded = [(path, fold(plain_text(text))) for path, text in texts]
            return [Segment(digest(path, text), len(text)) for path, text in folded]
        path = texts[0][0]
    return [Segment(digest(path, block.text), len(block.text))]


def _texts(pieces: Sequence[str], path: str, reader: TagReader) -> list[tuple[str, str]]:
    """Return the texts of a block as in the source, each with its path.

    :param pieces: the pieces of the block.
    :param path: the path of the element that holds the block.
    """
    found: list[tuple[str, str]] = []
    known, span = reader.known, enumerate(pieces)
    for number, piece in span:
        tag_text, _, text = piece.partition(">")
        tag = known.get(tag_text) or reader.read(tag_text)
        kind = tag.kind
        if kind in _OPENING:
            if tag_text[0] == "/":
                path = _above(path, tag.name)
            elif tag_text[-1] != "/" and len(path) < _LONGEST_PATH:
                path = f"{path} {tag.name}"
        elif kind == LINK_END:
            path = _above(path, "a")
        elif kind in _UNREAD:
            _, text = skip_element(span, number, piece, tag)
        if text and not text.isspace():
            found.append((path, text))
    return found


def _above(path: str, tag: str) -> str:
    """Return the path without an element that ends; the same path if the element began before the block."""
    above, space, name = path.rpartition(" ")
    return above if space and name == tag else path
