"""Blocks of a page as cleaned HTML: the elements of running text, and nothing that runs or styles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from ..blocks.anchors import base_url
from ..blocks.tags import TEXT_TAGS
from ..blocks.text import fold, fold_lines
from ..values import Layout
from .targets import absolute, image_tag

__all__ = ["render"]

_INLINE = frozenset(
    "a abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split()
)


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

    :param layout: a layout with its elements and runs.
    :param blocks: indexes of blocks, in the order of the page.
    :param images: indexes of images that stand between blocks; those within one are always there.
    """
    url = base_url(layout.elements[0].getroottree().getroot(), layout.url)
    parts = [(index, 1, layout.blocks[index].node, _inline(layout, index, url)) for index in blocks]
    for image in images:
        before, node, element = layout.images[image]
        if tag := image_tag(element, url):
            parts.append((before, 0, node, tag))
    parts.sort(key=lambda part: part[:2])
    pieces: list[str] = []
    opened: list[_Open] = []
    for _, _, node, html in parts:
        wanted = _chain(layout, node)
        if wanted == opened:  # after a br, or in another element of the template inside of one item
            pieces.append("<br>")
        else:
            pieces += _change(layout, opened, wanted)
        pieces.append(html)
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
    element, tag = layout.elements[opened.node], opened.tag
    kept = [(name, element.get(name, "")) for name in _KEPT.get(tag, ())]
    numbers = "".join(f' {name}="{value}"' for name, value in kept if _NUMBER.fullmatch(value))
    empty = 0
    if tag in _CELLS:
        for cell in element.itersiblings(*_CELLS, preceding=True):
            if "".join(cell.itertext()).strip():
                break
            empty += 1
    return f"<{tag}></{tag}>" * empty + f"<{tag}{numbers}>"


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


def _inline(layout: Layout, index: int, url: str) -> str:
    """Return a block's text with its inline markup."""
    block = layout.blocks[index]
    preformatted = any(element.tag == "pre" for element in _chain(layout, block.node))
    stop = layout.elements[block.node]
    pieces: list[str] = []
    opened: list[tuple[object, str]] = []
    for text, element in layout.runs[index]:
        wanted = _inline_chain(element, stop, url)
        same = 0
        while same < min(len(opened), len(wanted)) and opened[same][0] is wanted[same][0]:
            same += 1
        pieces += [f"</{start.partition(' ')[0]}>" for _, start in reversed(opened[same:])]
        pieces += [f"<{start}>" for _, start in wanted[same:]]
        pieces.append(escape(text, quote=False) if text else image_tag(element, url))
        opened = wanted
    pieces += [f"</{start.partition(' ')[0]}>" for _, start in reversed(opened)]
    whole = "".join(pieces)
    return fold_lines(whole) if preformatted else fold(whole)


def _inline_chain(element: object, stop: object, url: str) -> list[tuple[object, str]]:
    """Return the inline elements between a run of text and its block, outermost first, with start tags."""
    chain: list[tuple[object, str]] = []
    linked = False
    while element is not None and element is not stop:
        tag = element.tag  # type: ignore[attr-defined]
        if tag == "a":
            href = "" if linked else absolute(element.get("href"), url)  # type: ignore[attr-defined]
            linked = True  # a link in a link is a mistake; the inner one counts
            if href:
                chain.append((element, f'a href="{escape(href)}"'))
        elif tag in _INLINE:
            chain.append((element, tag))
        element = element.getparent()  # type: ignore[attr-defined]
    chain.reverse()
    return chain
