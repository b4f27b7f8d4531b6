"""Checks that a page keeps to the limits, each before the work that would take its time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from lxml import etree

from ..base.limits import Limits
from ..errors import LimitError
from ..values import Layout, Page
from .parsing import Element

__all__ = ["check_layout", "check_page", "check_text", "check_tree"]

#: A shorter text cannot hold so many attributes in one element that it would take much longer than a second.
_SHORT = 120_000

#: As many attributes as tags of usual pages have.
_FEW = 20

# Where its own end is missing, what is begun is consumed to the end of the text: no part is read thrice.
_ATTRIBUTE = r"[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]++))?"
_TAG = (
    rf"<(?:(script|style)\b|[a-zA-Z])[^\s/>]*+(?P<attributes>(?:[\s/=]++|{_ATTRIBUTE})*+)>?"
    r"(?(1)[^<]*+(?:<(?!/\1)[^<]*+)*+)"
)
#: An attribute that is written as usual; it ends where it would end by the expression for all of them.
_USUAL = r"\s++[^\s/>=\"']++(?:=(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+))?+"
_ONE = re.compile(_ATTRIBUTE)
#: Elements around an element of usual pages, at most.
_USUAL_DEPTH = 50
#: Elements that are in any tree: html, head, body, and a paragraph for the text.
_IMPLIED = 4
_COUNT: Any = etree.XPath("count(//*)")


def check_page(page: Page, limits: Limits) -> None:
    """Make sure that a page is not too large.

    :raises LimitError: it is.
    """
    if len(page.body) > limits.page_size:
        raise LimitError(page.url, "page_size", f"has more than {limits.page_size:,} bytes")


def check_text(url: str, text: str, limits: Limits) -> None:
    """Make sure that no element in a page's text has more attributes than parsers can stand.

    :raises LimitError: one has.

    Cost: none for pages of usual size, 5 nanoseconds a character for larger ones.
    """
    if len(text) < max(_SHORT, 2 * limits.attributes):
        return
    for tag in _tags(min(_FEW, limits.attributes)).finditer(text):
        attributes = tag["attributes"] or ""
        if len(attributes) > 2 * limits.attributes and _more_than(limits.attributes, attributes):
            raise LimitError(
                url, "attributes", f"has an element with more than {limits.attributes:,} attributes"
            )


@lru_cache(maxsize=8)
def _tags(few: int) -> re.Pattern[str]:
    """Return what finds tags; those with few, usual attributes are skipped, in half the time."""
    plain = rf"<(?!script\b|style\b)[a-zA-Z][^\s/>]*+(?:{_USUAL}){{0,{few}}}+\s*+/?>"
    return re.compile(rf"(?:[^<]++|<(?![a-zA-Z])|{plain})*+(?:{_TAG})?", re.IGNORECASE)


def _more_than(number: int, attributes: str) -> bool:
    return any(count > number for count, _ in enumerate(_ONE.finditer(attributes), start=1))


def check_tree(url: str, root: Element, limits: Limits, source: bytes = b"") -> None:
    """Make sure that a page has not too many elements, and none in too many others.

    :param source: the page's bytes, if the tree is known to come from them.
    :raises LimitError: it has.

    Cost: some 100 nanoseconds an element, half of that where the source is short.
    """
    # a tag has two bytes at least, and there may be an element that it implies: a body, a row of a table
    elements = len(source) + _IMPLIED if source else limits.elements + 1
    if elements > limits.elements and source:
        elements = 2 * source.count(b"<") + _IMPLIED
    if elements > limits.elements:
        elements = _COUNT(root)
    if elements > limits.elements:
        raise LimitError(url, "elements", f"has more than {limits.elements:,} elements")
    # each step down takes time, even where nothing is found any more
    usual = min(_USUAL_DEPTH, limits.depth)
    if elements > limits.depth and _deeper(usual)(root) and _deeper(limits.depth)(root):
        raise LimitError(url, "depth", f"has an element in more than {limits.depth:,} others")


@lru_cache(maxsize=8)
def _deeper(depth: int) -> Any:
    """Return what tells whether a tree is deeper: one step more down, each from what the last one found."""
    return etree.XPath(f"boolean(/{'/'.join(['*'] * (depth + 1))})")


def check_layout(layout: Layout, limits: Limits) -> None:
    """Make sure that a page has not too many layout blocks, nor too large ones.

    :raises LimitError: it has.
    """
    if len(layout.blocks) > limits.blocks:
        raise LimitError(layout.url, "blocks", f"has more than {limits.blocks:,} layout blocks")
    if any(len(block.text) > limits.block_size for block in layout.blocks):
        reason = f"has a layout block of more than {limits.block_size:,} characters"
        raise LimitError(layout.url, "block_size", reason)
