"""Blocks of a page as cleaned HTML: the elements of running text, and nothing that runs or styles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..blocks.anchors import base_url
from ..blocks.markup import attributes_of, plain_text
from ..blocks.tags import TEXT_TAGS
from ..blocks.text import fold, fold_lines
from ..values import Layout, Markup
from .inline import inline_html
from .targets import image_tag

__all__ = ["render"]

_CELLS = ("td", "th")
#: Attributes that are structure; their values are small numbers.
_KEPT = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
#: Parts of lists and tables, and what they are a part of.
_WHOLES = {
    "li": {"ul", "ol"},
    "dt": {"dl"},
    "dd": {"dl"},
    "tr": {"table"},
    "td": {"tr"},
    "th": {"tr"},
    "caption": {"table"},
    "figcaption": {"figure"},
    "summary": {"details"},
}
_NUMBER = re.compile(r"[0-9]{1,3}")


class _Open(NamedTuple):
    """An element that is open in the output: its node in the layout, -1 for one that is not in it."""

    node: int
    tag: str


def render(layout: Layout, blocks: Sequence[int], images: Sequence[int] = ()) -> str:
    """Return blocks as HTML: their elements of running text, nested as on the page; links absolute.

    :param layout: with its markup.
    :param blocks: indexes of blocks, in the order of the page.
    :param images: indexes of images that stand between blocks; those within one are always there.
    """
    markup = layout.markup
    if markup is None:
        raise ValueError("the layout was made without its markup")
    url = base_url(markup.root, layout.url)
    chains = _Chains(layout)
    parts: list[tuple[int, int, int, str]] = []
    for index, text in inline_html(layout, blocks, url).items():
        parts.append((index, 1, layout.blocks[index].node, text))
    for image in images:
        before, node, number, _ = markup.images[image]
        if tag := image_tag(markup.pieces, number, url):
            parts.append((before, 0, node, tag))
    parts.sort(key=lambda part: part[:2])
    pieces: list[str] = []
    opened: list[_Open] = []
    for _, _, node, html in parts:
        wanted, lines = chains.of(node)
        if (
            wanted is opened or wanted == opened
        ):  # after a br, or in another element of the template inside of one item
            pieces.append("<br>")
        else:
            pieces += _change(layout, opened, wanted)
        pieces.append(fold_lines(html) if lines else fold(html))
        opened = wanted
    return "".join([*pieces, *_change(layout, opened, [])])


def _change(layout: Layout, opened: Sequence[_Open], wanted: Sequence[_Open]) -> list[str]:
    """Return the end and start tags that lead from one place of the page to another."""
    same = 0
    for left, entered in zip(opened, wanted, strict=False):
        if left is not entered:
            break
        same += 1
    tags = [f"</{element.tag}>" for element in reversed(opened[same:])]
    for element in wanted[same:]:
        tags.append(_start(layout, element) if element.tag in _KEPT else f"<{element.tag}>")
    return tags


def _start(layout: Layout, opened: _Open) -> str:
    """Return a start tag with what it keeps; before that of a cell the empty cells that come before it."""
    tag = opened.tag
    markup = layout.markup
    assert markup is not None  # noqa: S101 - render has seen to it
    attributes = attributes_of(markup.pieces[markup.nodes[opened.node]])
    found = [(name, attributes.get(name, "")) for name in _KEPT[tag]]
    numbers = "".join(f' {name}="{value}"' for name, value in found if _NUMBER.fullmatch(value))
    empty = _empty_cells_before(layout, markup, opened.node) if tag in _CELLS else 0
    return f"<{tag}></{tag}>" * empty + f"<{tag}{numbers}>"


def _empty_cells_before(layout: Layout, markup: Markup, node: int) -> int:
    """Return the number of cells without text directly before one in its row."""
    row, found, end = layout.parents[node], 0, node
    for cell in range(node - 1, row, -1):
        if layout.parents[cell] == row and layout.steps[cell].tag in _CELLS:
            pieces = markup.pieces[markup.nodes[cell] : markup.nodes[end]]
            if any(plain_text(piece.partition(">")[2]).strip() for piece in pieces):
                break
            found, end = found + 1, cell
    return found


class _Chains:
    """The elements of running text around each node; what is around several is looked up once."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._around: dict[int, list[_Open]] = {-1: []}
        self._of: dict[int, tuple[list[_Open], bool]] = {}

    def of(self, node: int) -> tuple[list[_Open], bool]:
        """Return these elements, and whether they keep lines; text outside of all is a paragraph."""
        found = self._of.get(node)
        if found is None:
            chain = self._find(node)
            lines = any(element.tag == "pre" for element in chain)
            found = self._of[node] = (_complete(chain) or [_Open(node, "p")], lines)
        return found

    def _find(self, node: int) -> list[_Open]:
        new = []
        while node not in self._around:
            new.append(node)
            node = self._layout.parents[node]
        chain = self._around[node]
        for inner in reversed(new):
            tag = self._layout.steps[inner].tag
            if tag in TEXT_TAGS:
                chain = [*chain, _Open(inner, tag)]
            self._around[inner] = chain
        return chain


def _complete(chain: list[_Open]) -> list[_Open]:
    """Leave out the parts of lists and tables whose whole is not there."""
    if not any(element.tag in _WHOLES for element in chain):
        return chain
    kept: list[_Open] = []
    for element in chain:
        needed = _WHOLES.get(element.tag)
        if needed is None or any(other.tag in needed for other in kept):
            kept.append(element)
    return kept
