"""Read what a page's markup states about the page: names of facts, without their meaning.

Publishing systems state what a page is, for search engines and for programs. Only names are kept, no values
of single pages, so the pages of one template mostly share one set. ``verdict/evidence.py`` tells what they
mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from lxml import etree

from .parsing import Element

#: At most so many facts are kept, and so many characters of each: a hostile page may have any number.
_MOST_FACTS, _LONGEST_FACT = 100, 60

#: The types in JSON-LD. A search is enough, and reads what is not valid JSON.
_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([\w:/.#-]+)"')
#: The kind of thing that an address of WordPress's programming interface leads to.
_API = re.compile(r"/wp/v2/(\w+)/\d")
_PAGE_PARAMETER = re.compile(r"page|start|offset", re.IGNORECASE)
_ITEM_TYPES: Any = etree.XPath("descendant-or-self::*/@itemtype", smart_strings=False)
_LINK_RELATIONS: Any = etree.XPath("descendant-or-self::a/@rel", smart_strings=False)


def facts_in(root: Element) -> frozenset[str]:
    """Return the facts that a page's markup states, each as a short name.

    ``meta=NAME`` for each ``meta`` element with a content, ``og:type=VALUE``, ``link=RELATION`` and
    ``a=RELATION`` for the relations of links (``link=next page`` if it leads to a page of a list),
    ``api=KIND`` for what the page is in WordPress's programming interface, ``type=NAME`` for each type of
    JSON-LD and microdata.

    Cost: three searches in the tree.
    """
    elements = root.iter("meta", "link", "script")
    facts = [fact for each in elements for fact in facts_of(each.tag, each.attrib, each.text or "")]
    facts += map(type_fact, _ITEM_TYPES(root))
    facts += [f"a={relation}" for rel in _LINK_RELATIONS(root) for relation in rel.lower().split()]
    return some_facts(facts)


#: What pages state as their type: a product, several of them, a discussion.
PRODUCT = frozenset({"type=Product", "type=Offer", "og:type=product", "og:type=og:product"})
PRODUCTS = frozenset(
    {"type=SomeProducts", "type=ProductCollection", "type=OfferCatalog", "og:type=product.group"}
)
DISCUSSION = frozenset({"type=DiscussionForumPosting", "type=QAPage"})
#: Such a page is no article.
OTHER_KINDS = PRODUCT | PRODUCTS | DISCUSSION
#: What a page states whose text are dated posts.
LIVE = "type=LiveBlogPosting"

#: The kinds of what elements state.
LANG, META, CANONICAL, JSON = "lang", "meta", "canonical", "json"
#: The attributes of a ``meta`` element that count: those that may name what it states, and its content.
META_NAMES = ("property", "name", "itemprop", "http-equiv", "content")


def meta_statement(
    prop: str | None, name: str | None, item: str | None, header: str | None, content: str | None
) -> tuple[str, str]:
    """Return the name of what a ``meta`` element states, in lower case, and its content.

    Both are empty if it states nothing. The arguments are the values of ``META_NAMES``.
    """
    stated = prop or name or item or header
    return (stated.lower(), content) if stated and content else ("", "")


def stating_elements(root: Element, names: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what elements state about a page, each as its kind, a name and a value.

    ``lang`` of the root; ``meta``, those of the given names, with their content; ``canonical``, the target of
    such a link; ``json``, the text of a script with JSON-LD. Cost: one search in the tree.
    """
    yield LANG, "", root.get("lang") or root.get("xml:lang") or ""
    for element in root.iter("meta", "link", "script"):
        name, attributes = element.tag, element.attrib
        if name == "meta":
            stated, content = meta_statement(*map(attributes.get, META_NAMES))
            if stated in names:
                yield META, stated, content
        elif name == "link" and "canonical" in attributes.get("rel", "").lower():
            yield CANONICAL, "", attributes.get("href", "")
        elif name == "script" and "ld+json" in attributes.get("type", "").lower():
            yield JSON, "", element.text or ""


def some_facts(facts: Iterable[str]) -> frozenset[str]:
    """Return facts, cut, and at most as many as are kept."""
    cut = dict.fromkeys([fact[:_LONGEST_FACT] for fact in facts])
    return frozenset(islice(cut, _MOST_FACTS))


def facts_of(name: str, attributes: Mapping[str, str], text: str = "") -> tuple[str, ...]:
    """Return the facts that a ``meta``, a ``link`` or a ``script`` states.

    :param text: the text of a ``script``.
    """
    if name == "meta":
        return tuple(_meta_facts(attributes))
    if name == "link":
        return tuple(_link_facts(attributes))
    if "ld+json" not in attributes.get("type", "").lower():
        return ()
    return tuple(f"type={name.rpartition('/')[2]}" for name in _TYPE.findall(text))


def type_fact(item_type: str) -> str:
    """Return the fact that an ``itemtype`` of microdata states."""
    return f"type={item_type.strip().rpartition('/')[2]}"


def _meta_facts(attributes: Mapping[str, str]) -> Iterator[str]:
    content = attributes.get("content", "").strip()
    name = (attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or "").lower()
    if name == "og:type":
        yield f"og:type={content.lower()}"
    elif name and content:
        yield f"meta={name}"


def _link_facts(attributes: Mapping[str, str]) -> Iterator[str]:
    target = attributes.get("href", "")
    for relation in attributes.get("rel", "").lower().split():
        if relation in ("next", "prev", "previous"):
            yield f"link={relation}{' page' if _PAGE_PARAMETER.search(target) else ''}"
        elif relation == "alternate":
            if api := _API.search(target):
                yield f"api={api[1]}"
            yield f"link=alternate {attributes.get('type', '').lower()}".rstrip()
        else:
            yield f"link={relation}"
