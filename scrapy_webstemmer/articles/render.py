"""Blocks of a page as cleaned HTML: the elements of running text, and nothing that runs or styles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    chains: dict[int, list[_Open]] = {}
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
        wanted = chains.get(node)
        if wanted is None:
            wanted = chains[node] = _chain(layout, node)
        if wanted == opened:  # after a br, or in another element of the template inside of one item
            pieces.append("<br>")
        else:
            pieces += _change(layout, opened, wanted)
        lines = any(element.tag == "pre" for element in wanted)
        pieces.append(fold_lines(html) if lines else fold(html))
        opened = wanted
    return "".join([*pieces, *_change(layout, opened, [])])


def _change(layout: Layout, opened: Sequence[_Open], wanted: Sequence[_Open]) -> Iterator[str]:
    """Yield the end and start tags that lead from one place of the page to another."""
    same = 0
    while same < min(len(opened), len(wanted)) and opened[same] == wanted[same]:
        same += 1
    yield from (f"</{element.tag}>" for element in reversed(opened[same:]))
    yield from (_start(layout, element) for element in wanted[same:])


def _start(layout: Layout, opened: _Open) -> str:
    """Return an element's start tag; before that of a cell the empty cells that come before it."""
    tag = opened.tag
    kept = _KEPT.get(tag)
    if kept is None:
        return f"<{tag}>"
    markup = layout.markup
    assert markup is not None  # noqa: S101 - render has seen to it
    attributes = attributes_of(markup.pieces[markup.nodes[opened.node]])
    found = [(name, attributes.get(name, "")) for name in kept]
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


def _chain(layout: Layout, node: int) -> list[_Open]:
    """Return the elements of running text around a block; text outside of all is a paragraph."""
    own, chain = node, []
    while node >= 0:
        tag = layout.steps[node].tag
        if tag in TEXT_TAGS:
            chain.append(_Open(node, tag))
        node = layout.parents[node]
    chain.reverse()
    return _complete(chain) or [_Open(own, "p")]


def _complete(chain: list[_Open]) -> list[_Open]:
    """Leave out the parts of lists and tables whose whole is not there."""
    wholes = {
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
    kept: list[_Open] = []
    for element in chain:
        needed = wholes.get(element.tag)
        if needed is None or any(other.tag in needed for other in kept):
            kept.append(element)
    return kept
