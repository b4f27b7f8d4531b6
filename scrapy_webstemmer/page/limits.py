"""Check that a page is within the limits; each check comes before the work that it bounds."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any

from lxml import etree

from ..errors import LimitError
from ..options import Limits
from ..values import Layout, Page
from .charsets import decode
from .parsing import Element, parse_text

#: Texts shorter than this need no check: their attributes never take a parser much longer than a second.
SHORT = 120_000

#: The most attributes that a tag of a usual page has.
_FEW_ATTRIBUTES = 20

# A value, tag or script without an end goes to the end of the text, so that no part is read three times.
_ATTRIBUTE = r"[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]++))?"
_TAG = (
    rf"<(?:(script|style)\b|[a-zA-Z])[^\s/>]*+(?P<attributes>(?:[\s/=]++|{_ATTRIBUTE})*+)>?"
    r"(?(1)[^<]*+(?:<(?!/\1)[^<]*+)*+)"
)
#: An attribute in the usual form. It ends at the same place as with the expression for all attributes.
_USUAL_ATTRIBUTE = r"\s++[^\s/>=\"']++(?:=(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+))?+"
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
#: The most elements around an element of a usual page.
_USUAL_DEPTH = 50
#: Elements that the parser adds to any tree: html, head, body, and a paragraph for the text.
_IMPLIED = 4
_COUNT_ELEMENTS: Any = etree.XPath("count(//*)")


#: What a page beyond a limit has.
_REASONS = {
    "page_size": "has more than {:,} bytes",
    "attributes": "has an element with more than {:,} attributes",
    "elements": "has more than {:,} elements",
    "depth": "has an element in more than {:,} others",
    "blocks": "has more than {:,} layout blocks",
    "block_size": "has a layout block of more than {:,} characters",
    "anchors": "has more than {:,} links",
}


def check_limit(url: str, limits: Limits, name: str, number: float) -> None:
    """Check that what a page has of something is not beyond its limit.

    :param name: a field of the limits.
    :raises LimitError: it is beyond.
    """
    limit = getattr(limits, name)
    if number > limit:
        raise LimitError(url, name, _REASONS[name].format(limit))


def check_page(page: Page, limits: Limits) -> None:
    """Check that a page is not too large.

    :raises LimitError: the page is too large.
    """
    check_limit(page.url, limits, "page_size", len(page.body))


def check_text(url: str, text: str, limits: Limits) -> None:
    """Check that no element in a page's text has too many attributes for a parser.

    :raises LimitError: an element has too many attributes.

    Cost: none for pages of usual size; 5 nanoseconds per character for larger pages.
    """
    if len(text) < max(SHORT, 2 * limits.attributes):
        return
    for tag in _tags(min(_FEW_ATTRIBUTES, limits.attributes)).finditer(text):
        attributes = tag["attributes"] or ""
        if len(attributes) > 2 * limits.attributes:
            count = sum(1 for _ in islice(_ONE_ATTRIBUTE.finditer(attributes), limits.attributes + 1))
            check_limit(url, limits, "attributes", count)


@lru_cache(maxsize=8)
def _tags(few: int) -> re.Pattern[str]:
    """Return an expression that finds tags. It skips those with few, usual attributes, in half the time."""
    plain = rf"<(?!script\b|style\b)[a-zA-Z][^\s/>]*+(?:{_USUAL_ATTRIBUTE}){{0,{few}}}+\s*+/?>"
    return re.compile(rf"(?:[^<]++|<(?![a-zA-Z])|{plain})*+(?:{_TAG})?", re.IGNORECASE)


def check_tree(url: str, root: Element, limits: Limits, source: bytes = b"") -> None:
    """Check that a page does not have too many elements, and that they are not nested too deeply.

    :param source: the page's bytes, if the tree is known to come from them.
    :raises LimitError: the page has too many elements, or they are nested too deeply.

    Cost: about 100 nanoseconds per element, half of that if the source is short.
    """
    # a tag has at least two bytes, and may imply one more element: a body, a row of a table
    elements = len(source) + _IMPLIED if source else limits.elements + 1
    if elements > limits.elements and source:
        elements = 2 * source.count(b"<") + _IMPLIED
    if elements > limits.elements:
        elements = _COUNT_ELEMENTS(root)
    check_limit(url, limits, "elements", elements)
    # each step down takes time, even if nothing is found there
    usual = min(_USUAL_DEPTH, limits.depth)
    if elements > limits.depth and _deeper(usual)(root) and _deeper(limits.depth)(root):
        check_limit(url, limits, "depth", math.inf)  # how deep exactly does not matter


@lru_cache(maxsize=8)
def _deeper(depth: int) -> Any:
    """Return an XPath that tells whether a tree is deeper: an element in more others is found there."""
    return etree.XPath(f"boolean(/{'/'.join(['*'] * (depth + 2))})")


def parse_within(page: Page, encoding: str | None, limits: Limits) -> Element:
    """Return the root of a page's tree, as :func:`parse` does.

    :raises PageError: the body is a picture or another binary file.
    :raises LimitError: the parse would take too long, or the tree is too large or too deep.
    """
    check_page(page, limits)
    text = decode(page, encoding)
    check_text(page.url, text, limits)
    root = parse_text(text)
    check_tree(page.url, root, limits, page.body)
    return root


def check_layout(layout: Layout, limits: Limits) -> None:
    """Check that a page does not have too many layout blocks, and that none is too large.

    :raises LimitError: there are too many blocks, or one is too large.
    """
    check_limit(layout.url, limits, "blocks", len(layout.blocks))
    largest = max(map(len, map(itemgetter(1), layout.blocks)), default=0)
    check_limit(layout.url, limits, "block_size", largest)
