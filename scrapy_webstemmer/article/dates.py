"""Find the day on which an article was published. Needs the extra ``dates``.

The library htmldate reads the dates. On a whole page it also guesses: from the url,
the modification, a copyright line, the oldest date of the comments. So it gets a
small tree with only those parts that state a publication, in this order:

1. the metadata of the head, and JSON-LD;
2. the first ``time`` in supplementary sections and main text, or one that is marked as the publication's;
3. the text of a supplementary section ("May 5, 2014, by Ann").
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from htmldate import find_date
from lxml import etree, html

from ..html.markup import attributes_of
from ..html.parsing import Element
from ..values import Layout, Markup

logger = logging.getLogger(__name__)

#: Names of metadata that state a publication; ``date`` alone counts as one.
_PUBLISHED = re.compile(r"publi|pub-?date|creat|issued|posted|(?:^|[.:_-])date$", re.IGNORECASE)
_MODIFIED = re.compile(r"modif|updat|revis", re.IGNORECASE)
_JSON = re.compile(r'"datePublished"\s*:\s*"[^"]*"')
#: Attributes with which a ``meta`` element states something; others may have names that lxml refuses.
_META = frozenset({"name", "property", "itemprop", "pubdate", "content", "datetime"})
_COLON, _DIGITS = re.compile(r"(?<!\s)\s*+:\s*+"), re.compile(r"\d+")
#: Characters that lxml reads in a page, but refuses from us.
_NO_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: Number of characters of a line that are read, as in htmldate itself.
_LONGEST = 52
#: The latest possible date. It is fixed: the present would make the result depend on the day of the run.
_LATEST = datetime(2039, 12, 31)


def publication_date(layout: Layout, main: Sequence[int], sub: Sequence[int]) -> str | None:
    """Return the day on which an article was published, ``YYYY-MM-DD``; None if the page states none.

    :param layout: the page's layout, with its markup; the tree is not changed.
    :param main: indexes of the blocks of the main text.
    :param sub: indexes of the blocks of the supplementary sections.

    If a time zone is given, it is the day in that zone. An error does not cost the article: it then has no
    date. Cost: one pass over the page's ``meta``, ``script`` and ``time`` elements, and a small tree for
    htmldate.
    """
    try:
        return _stated_date(layout, main, sub)
    except Exception as error:  # what a library makes of odd characters and dates, nobody foresees
        logger.debug("no date of %r: %s: %s", layout.url, type(error).__name__, error)
        return None


def _stated_date(layout: Layout, main: Sequence[int], sub: Sequence[int]) -> str | None:
    markup = layout.markup
    assert markup is not None  # noqa: S101 - an article's layout has it
    root = markup.tree()
    stated = _find(_head(root), _time(markup, root, [*sub, *main]))
    if stated is not None:
        return stated
    texts = (layout.blocks[index].text[:_LONGEST] for index in sub)
    return next(filter(None, map(_date_in, texts)), None)


def _head(root: Element) -> list[Element]:
    """Return copies of the page's metadata about its publication."""
    found = []
    for meta in root.iter("meta"):
        key = meta.get("name") or meta.get("property") or meta.get("itemprop") or ""
        if _PUBLISHED.search(key) and not _MODIFIED.search(key):
            found.append(_element("meta", "", {k: v for k, v in meta.attrib.items() if k in _META}))
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json" and (stated := _JSON.search(script.text or "")):
            text = "{" + _COLON.sub(": ", stated[0], count=1) + "}"
            return [*found, _element("script", text, {"type": "application/ld+json"})]
    return found


def _time(markup: Markup, root: Element, blocks: Sequence[int]) -> list[Element]:
    """Return a copy of the ``time`` element that says when the article was published."""
    spans = (markup.blocks[index] for index in sorted(blocks))
    pieces = (piece for first, end in spans for piece in markup.pieces[first:end])
    inside = (attributes_of(piece.partition(">")[0]) for piece in pieces if piece.startswith("time "))
    marked = (dict(element.attrib) for element in root.iter("time") if _is_marked(element))
    for time in (*inside, *marked):
        stated = time.get("datetime")
        if stated and not _MODIFIED.search(f"{time.get('class', '')} {time.get('itemprop', '')}"):
            return [_element("time", "", {"datetime": stated})]
    return []


def _is_marked(element: Element) -> bool:
    return "pubdate" in element.attrib or bool(_PUBLISHED.search(element.get("itemprop", "")))


def _date_in(text: str) -> str | None:
    """Return the date in a line of text; None if it is a guess, such as the first day of a year."""
    found = _find([], [_element("div", text, {"class": "date"})], text=True)
    if found is None:
        return None
    numbers = {int(digits) for digits in _DIGITS.findall(text) if len(digits) <= len("2014")}
    year, _, day = map(int, found.split("-"))
    return found if day in numbers and {year, year % 100} & numbers else None


def _find(head: Sequence[Element], body: Sequence[Element], text: bool = False) -> str | None:
    """Return the original date that htmldate finds in a page with only these elements."""
    if not head and not body:
        return None
    page = html.Element("html")
    etree.SubElement(page, "head").extend(head)
    etree.SubElement(page, "body").extend(body)
    found = find_date(page, extensive_search=text, original_date=True, url="", max_date=_LATEST)
    return str(found) if found else None


def _element(tag: str, text: str, attributes: Mapping[str, str]) -> Element:
    made = html.Element(tag, {name: _NO_XML.sub("", value) for name, value in attributes.items()})
    made.text = _NO_XML.sub("", text)
    return made
