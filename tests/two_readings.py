"""Both readings of a page's source compared: the compiled one, and the reference, which parses it to a tree.

Known differences, in markup that hardly any page has:

- Names of elements and attributes with signs of markup in them (``<p <b>``, ``<a"b>``): libxml2 writes them
  into its XML as they are, so the reference takes the rest of such a name for another tag.
- On pages of XHTML the reference counts an image without attributes, which shows nothing.
- A carriage return that is written as a reference (``&#13;``) is white space for the compiled reading alone.
- A comment is as many pieces in a tree as it has signs of markup. Where pieces are counted, as for the room
  for absolute urls or the length of an author's element, hundreds of such signs make a difference.
- The reference takes the end of a body in a comment, a script or a value for one, if elements follow it.
- What stands behind ``</html>`` counts for the limits of the reference alone. Neither reading uses it.
"""

from __future__ import annotations

import re
from typing import Any
from unittest import mock

from lxml import etree

from scrapy_webstemmer.base.compiled import compiled
from scrapy_webstemmer.errors import WebstemmerError
from scrapy_webstemmer.extraction.article_html import render
from scrapy_webstemmer.fields.image_sources import image_tags
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page import sources
from scrapy_webstemmer.page.anchors import find_anchors
from scrapy_webstemmer.page.lines import line_of
from scrapy_webstemmer.page.marks import AGE, ALL, block_at, marks_in
from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.page.statements import STATED
from scrapy_webstemmer.page.tags import LONGEST_LINK_TEXT
from scrapy_webstemmer.values import Page

__all__ = ["ARE_TWO", "LIMITS", "URL", "differences", "is_known", "reading", "reference"]

URL = "http://www.example.com/a/page.html?x=1"
LIMITS = Limits()
#: Whether there are two readings: without the compiled modules, or with an older libxml2, there is one.
ARE_TWO = compiled("page.scan") is not None

_SIGNS = re.compile(r"[<>&\"'=]")
#: The end of a body in a comment, in an element that has no elements in it, or in the value of an attribute.
_NO_END = re.compile(
    r"(?:<!--(?:(?!-->).)*|<[!?][^>]*|<(script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext)\b(?:(?!</\1).)*"
    r"|=\s*'[^']*|=\s*\"[^\"]*)"
    r"</(?:body|html)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_BARE_IMAGE = re.compile(r"<img[\s/]*>", re.IGNORECASE)


def is_known(text: str) -> bool:
    """Return whether a page has markup of which a difference is known."""
    text = text.replace("\0", "")
    if _NO_END.search(text) or "&#13;" in text or ("XHTML" in text and _BARE_IMAGE.search(text)):
        return True
    names = (name for one in parse_text(text).iter(etree.Element) for name in (one.tag, *one.keys()))
    return any(map(_SIGNS.search, names))


def reading(page: Page, encoding: str | None = None, limits: Limits = LIMITS) -> dict[str, Any]:
    """Return all that is read from a page; for a page that is refused, the kind of the error.

    Numbers of pieces are left out: only one of the readings has pieces for what the source leaves out.
    """
    try:
        source = open_page(page, encoding, limits)
    except WebstemmerError as error:
        return {"error": (type(error), getattr(error, "limit", ""))}
    layout = source.layout(page.url)
    assert layout.markup
    images = layout.markup.images
    names = "url steps parents links leads blocks title_element og_title stated".split()
    return {name: getattr(layout, name) for name in names} | {
        "images": [(image.before, image.node, image.link) for image in images],
        "targets": [
            (target, text[:LONGEST_LINK_TEXT]) for target, text in source.links()
        ],  # more does not count
        "anchors": find_anchors(source, page, Limits(anchors=limits.elements)),
        "stating": [*layout.markup.stating(STATED)],
        "marks": [
            (mark.kind, mark.value, mark.url, mark.stated, block_at(layout, mark.piece))
            for mark in marks_in(layout, (*ALL, AGE))
        ],
        "lines": [line_of(layout, number) for number in range(len(layout.blocks))],
        "base": (source.base(page.url), layout.markup.base()),
        "html": render(layout, range(len(layout.blocks)), image_tags(layout, range(len(images)))),
    }


def _not_compiled(name: str) -> None:
    """Find no compiled module. A ``Mock`` for each page would take longer than the readings."""


def reference(page: Page, encoding: str | None = None, limits: Limits = LIMITS) -> dict[str, Any]:
    """Return the same, read from the page's tree."""
    with mock.patch.object(sources, "compiled", _not_compiled):
        return reading(page, encoding, limits)


def differences(page: Page, encoding: str | None = None, limits: Limits = LIMITS) -> dict[str, Any]:
    """Return what the readings differ in: by its name what is read from the source, and from the tree."""
    one, other = reading(page, encoding, limits), reference(page, encoding, limits)
    return {
        name: (one.get(name), other.get(name)) for name in one | other if one.get(name) != other.get(name)
    }
