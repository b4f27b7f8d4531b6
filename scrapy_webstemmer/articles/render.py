"""Write blocks of a page as cleaned HTML: only the elements of running text, no scripts or styles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from ..blocks.markup import attributes_of, plain_text
from ..blocks.tags import TEXT_TAGS
from ..blocks.text import fold, fold_lines
from ..values import Layout, Markup
from .inline import inline_html
from .targets import Base, image_tag

__all__ = ["render"]

_CELLS = ("td", "th")
#: Attributes that belong to the structure; their values are small numbers.
_KEPT = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
#: For each part of a list, table or the like, the elements that it may be a part of.
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
    """An element that is open in the output, with the elements around it.

    :param node: its node in the layout.
    :param around: the next element around it.
    :param depth: number of open elements, including this one.
    :param lines: whether line breaks are kept in it, by itself or by an element around it.
    """

    node: int
    tag: str
    around: _Open | None = None
    depth: int = 1
    lines: bool = False


def render(layout: Layout, blocks: Sequence[int], images: Sequence[int] = ()) -> str:
    """Return blocks as HTML: their elements of running text, nested as on the page, with absolute links.

    :param layout: the page's layout, with its markup.
    :param blocks: indexes of blocks, in the order of the page.
    :param images: indexes of images that stand between blocks; images within a block are always written.
    """
    markup = layout.markup
    if markup is None:
        raise ValueError("the layout was made without its markup")
    chains = _Chains(layout)
    pieces: list[str] = []
    opened: _Open | None = None
    for node, text, html in _parts(layout, markup, blocks, images):
        wanted = chains[node]
        if wanted is opened:  # after a br, or in another element of the template within one item
            pieces.append("<br>")
        else:
            _change(layout, opened, wanted, pieces)
        if html:
            pieces.append(fold_lines(html) if wanted.lines else fold(html))
        else:
            pieces.append(escape(text, quote=False))
        opened = wanted
    _change(layout, opened, None, pieces)
    return "".join(pieces)


def _parts(
    layout: Layout, markup: Markup, blocks: Sequence[int], images: Sequence[int]
) -> Iterator[tuple[int, str, str]]:
    """Yield node, text and HTML of blocks and images in the order of the page; no HTML for plain text."""
    base = Base(markup.root, layout.url)
    marked = inline_html(layout, blocks, base)
    left = list(images)
    for index in blocks:
        while left and markup.images[left[0]].before <= index:
            yield from _image_part(markup, left.pop(0), base)
        node, text, _, _ = layout.blocks[index]
        yield node, text, marked.get(index, "")
    for image in left:
        yield from _image_part(markup, image, base)


def _image_part(markup: Markup, image: int, base: Base) -> Iterator[tuple[int, str, str]]:
    _, node, number, _ = markup.images[image]
    if tag := image_tag(markup.pieces, number, base):
        yield node, "", tag


def _change(layout: Layout, opened: _Open | None, wanted: _Open | None, pieces: list[str]) -> None:
    """Write the end and start tags that lead from one place of the page to another."""
    starts: list[str] = []
    while opened is not wanted:
        if opened is not None and (wanted is None or opened.depth >= wanted.depth):
            pieces.append(f"</{opened.tag}>")
            opened = opened.around
        elif wanted is not None:
            starts.append(_start(layout, wanted) if wanted.tag in _KEPT else f"<{wanted.tag}>")
            wanted = wanted.around
    pieces += reversed(starts)


def _start(layout: Layout, opened: _Open) -> str:
    """Return a start tag with the attributes that are kept; a cell's comes after any empty cells before."""
    tag = opened.tag
    markup = layout.markup
    assert markup is not None  # noqa: S101 - render has checked it
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


class _Chains(dict[int, _Open]):
    """For each node, the innermost element of running text: the node itself, or an element around it.

    Text outside all such elements is a paragraph. An element around several nodes is looked up once.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self._layout = layout
        #: The same, but None where text would be such a paragraph.
        self._around: dict[int, _Open | None] = {-1: None}

    def __missing__(self, node: int) -> _Open:
        found = self[node] = self._find(node) or _Open(node, "p")
        return found

    def _find(self, node: int) -> _Open | None:
        around, parents, steps = self._around, self._layout.parents, self._layout.steps
        new = []
        while node not in around:
            new.append(node)
            node = parents[node]
        found = around[node]
        for inner in reversed(new):
            tag = steps[inner].tag
            if tag in TEXT_TAGS and _has_its_whole(tag, found):
                depth, lines = (found.depth, found.lines) if found else (0, False)
                found = _Open(inner, tag, found, depth + 1, lines or tag == "pre")
            around[inner] = found
        return found


def _has_its_whole(tag: str, around: _Open | None) -> bool:
    """Return whether an element may be written: it is not a part of a list or table, or is inside one."""
    needed = _WHOLES.get(tag)
    while needed and around:
        if around.tag in needed:
            return True
        around = around.around
    return not needed
