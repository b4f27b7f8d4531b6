"""Read what a page's markup states about the page: names of facts, without their meaning.

Publishing systems state what a page is, for search engines and for programs. Only names are kept, no values
of single pages, so the pages of one template mostly share one set. ``verdict/evidence.py`` tells what they
mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from .parsing import Element

#: At most so many facts are kept, and so many characters of each: a hostile page may have any number.
_MOST, _LONGEST = 100, 60

#: The types in JSON-LD. A search is enough, and reads what is not valid JSON.
_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([\w:/.#-]+)"')
#: The kind of thing that an address of WordPress's programming interface leads to.
_API = re.compile(r"/wp/v2/(\w+)/\d|rest_route=/wp/v2/(\w+)/\d")
_PAGED = re.compile(r"page|start|offset", re.IGNORECASE)
_ITEM_TYPES: Any = etree.XPath("//@itemtype", smart_strings=False)
_LINK_RELATIONS: Any = etree.XPath("//a/@rel", smart_strings=False)


def stated(root: Element) -> frozenset[str]:
    """Return the facts that a page's markup states, each as a short name.

    ``meta=NAME`` for each ``meta`` element with a content, ``og:type=VALUE``, ``link=RELATION`` and
    ``a=RELATION`` for the relations of links (``link=next page`` if it leads to a page of a list),
    ``api=KIND`` for what the page is in WordPress's programming interface, ``type=NAME`` for each type of
    JSON-LD and microdata.

    Cost: three searches in the tree.
    """
    found: dict[str, None] = {}
    for fact in _facts(root):
        found[fact[:_LONGEST]] = None
        if len(found) >= _MOST:
            break
    return frozenset(found)


def _facts(root: Element) -> Iterator[str]:
    for element in root.iter("meta", "link", "script"):
        attributes = element.attrib
        if element.tag == "meta":
            yield from _meta(attributes)
        elif element.tag == "link":
            yield from _link(attributes)
        elif "ld+json" in attributes.get("type", ""):
            yield from (f"type={name.rpartition('/')[2]}" for name in _TYPE.findall(element.text or ""))
    yield from (f"type={name.strip().rpartition('/')[2]}" for name in _ITEM_TYPES(root))
    for relations in _LINK_RELATIONS(root):
        yield from (f"a={relation}" for relation in relations.lower().split())


def _meta(attributes: Any) -> Iterator[str]:
    content = attributes.get("content", "").strip()
    name = (attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or "").lower()
    if name == "og:type":
        yield f"og:type={content.lower()}"
    elif name and content:
        yield f"meta={name}"


def _link(attributes: Any) -> Iterator[str]:
    target = attributes.get("href", "")
    for relation in attributes.get("rel", "").lower().split():
        if relation in ("next", "prev", "previous"):
            yield f"link={relation}{' page' if _PAGED.search(target) else ''}"
        elif relation == "alternate":
            if api := _API.search(target):
                yield f"api={api[1] or api[2]}"
            yield f"link=alternate {attributes.get('type', '').lower()}".rstrip()
        else:
            yield f"link={relation}"
