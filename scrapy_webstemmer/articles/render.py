"""Blocks of a page as cleaned HTML: the elements of running text, and nothing that runs or styles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urljoin

from ..blocks.tags import TEXT_TAGS
from ..blocks.text import fold, fold_lines
from ..values import Layout

__all__ = ["render"]

_INLINE = frozenset(
    "a abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split()
)
_SCHEMES = ("http://", "https://", "mailto:")


class _Open(NamedTuple):
    """An element that is open in the output: its node in the layout, -1 for one that is not in it."""

    node: int
    tag: str


def render(layout: Layout, blocks: Sequence[int]) -> str:
    """Return blocks as HTML: their elements of running text, nested as on the page; links absolute.

    :param layout: a layout with its elements and runs.
    :param blocks: indexes of blocks, in the order of the page.
    """
    pieces: list[str] = []
    opened: list[_Open] = []
    for index in blocks:
        wanted = _chain(layout, layout.blocks[index].node)
        if wanted == opened:  # after a br, or in another element of the template inside of one item
            pieces.append("<br>")
        else:
            pieces += _change(opened, wanted)
        pieces.append(_inline(layout, index))
        opened = wanted
    return "".join([*pieces, *_change(opened, [])])


def _change(opened: Sequence[_Open], wanted: Sequence[_Open]) -> Iterator[str]:
    """Yield the end and start tags that lead from one place of the page to another."""
    same = 0
    while same < min(len(opened), len(wanted)) and opened[same] == wanted[same]:
        same += 1
    yield from (f"</{element.tag}>" for element in reversed(opened[same:]))
    yield from (f"<{element.tag}>" for element in wanted[same:])


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


def _inline(layout: Layout, index: int) -> str:
    """Return a block's text with its inline markup."""
    block = layout.blocks[index]
    preformatted = any(element.tag == "pre" for element in _chain(layout, block.node))
    stop = layout.elements[block.node]
    pieces: list[str] = []
    opened: list[tuple[object, str]] = []
    for text, element in layout.runs[index]:
        wanted = _inline_chain(element, stop, layout.url)
        same = 0
        while same < min(len(opened), len(wanted)) and opened[same][0] is wanted[same][0]:
            same += 1
        pieces += [f"</{start.partition(' ')[0]}>" for _, start in reversed(opened[same:])]
        pieces += [f"<{start}>" for _, start in wanted[same:]]
        pieces.append(escape(text, quote=False))
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
            href = "" if linked else _absolute(element.get("href"), url)  # type: ignore[attr-defined]
            linked = True  # a link in a link is a mistake; the inner one counts
            if href:
                chain.append((element, f'a href="{escape(href)}"'))
        elif tag in _INLINE:
            chain.append((element, tag))
        element = element.getparent()  # type: ignore[attr-defined]
    chain.reverse()
    return chain


def _absolute(href: str | None, url: str) -> str:
    """Return a link's target as an absolute url; empty for one that leads nowhere or runs something."""
    if not href:
        return ""
    try:
        target = urljoin(url, href.strip())
    except ValueError:
        return ""
    return target if target.lower().startswith(_SCHEMES) else ""
