"""The markup of an element as pieces, and the facts that markup states about its page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import urljoin

from lxml import etree

from ..values import Markup, Step
from .parsing import Element
from .tags import NOT_READ, PICTURES, ROLE_NAMES, TagRules, role_of

# --- Turn a page's tree into pieces of text; each piece is a tag and the text after it
#
# Asking a tree for its elements one by one makes an object of each. libxml2 writes the whole tree at once, in
# a fraction of the time of the parse. It writes every tag and every character in one way, so two searches
# divide the result: at ``<`` and, in each piece, at its first ``>``.

#: The most tags that are kept: memory must stay bounded in a crawl of months.
MAX_KNOWN = 10_000

#: In XML as libxml2 writes it, one space stands before a name, which may have white space of Unicode.
_ATTRIBUTE = re.compile(r' ([^ =]+)="([^"]*)"')


def pieces_of(root: Element) -> list[str]:
    """Return an element with all its content as pieces: ``tag>text``, escaped as in XML.

    The first piece is the element's own start tag. An element without content is
    one piece, whose tag ends with ``/``; or it has an end tag like all others. A
    comment may be several pieces, since it is not escaped. Cost: a third of the parse.
    """
    text = etree.tostring(root, encoding="unicode", method="xml", with_tail=False)
    return text.split("<")[1:]


def plain_text(escaped: str) -> str:
    """Return the text of a piece, or the value of an attribute, without its escapes."""
    return unescape(escaped) if "&" in escaped else escaped


def attributes_of(tag: str) -> dict[str, str]:
    """Return the attributes of a start tag, given the tag or its piece."""
    return {name: plain_text(value) for name, value in _ATTRIBUTE.findall(tag.partition(">")[0])}


# --- Bound what is written of a page: its urls as absolute urls, its inline elements in each block

#: What is written beside a page's own characters may have so many for each piece of its markup, and so many
#: more. A link is four pieces with the text around it, and most bases have 30 to 60 characters.
_ROOM_OF_PIECE, _ROOM = 20, 1_000


_HOST = re.compile(r"https?://[a-zA-Z0-9.:-]+(?=[/?#]|$)")
#: A path that stands in the joined url as it is. Others name a host, or have dots, parameters or a query.
_PATH = re.compile(r"/(?!/)[\w/%~+,=@!-]*(?:(?<!/)\.[\w/%~+,=@!-]*)*", re.ASCII)


class Base:
    """The base of a page's relative urls, and the room for what makes the page longer than it is.

    A short page may have a long base and many links, or a long link around many blocks. What is written of it
    would grow with the product.

    :param markup: the page's markup.
    """

    def __init__(self, markup: Markup) -> None:
        self._find, spans = markup.base, markup.blocks
        pieces = spans[len(spans) - 1][1] - markup.nodes[0] if len(spans) else 0  # of the body
        self._room = _ROOM + _ROOM_OF_PIECE * pieces

    @cached_property
    def url(self) -> str:
        """The base url. Cost: one pass over all elements."""
        return self._find()

    @cached_property
    def _host(self) -> str:
        """The scheme and the host of the base; empty: it is none of the web."""
        found = _HOST.match(self.url)
        return found[0] if found else ""

    def joined(self, url: str) -> str:
        """Return a url as an absolute one; empty if it is invalid, or if the room is used up."""
        try:
            # many are such paths, and joining takes long
            target = self._host + url if self._host and _PATH.fullmatch(url) else urljoin(self.url, url)
        except ValueError:
            return ""
        return target if self.has_room(len(target) - len(url)) else ""

    def has_room(self, size: int) -> bool:
        """Take room for some characters; return whether there was enough."""
        self._room -= max(0, size)
        return size <= 0 or self._room >= 0


# The kinds of tags, by their meaning for the layout. Numbers: names in a class take twice as long to look up.
TRANSPARENT, BLOCK, EMPTY_BLOCK, BLOCK_END, CUT, LINK, LINK_END, IMAGE, SKIPPED, COMMENT, FORMULA = range(11)


class Tag(NamedTuple):
    """A tag, read by the rules for a page's layout.

    :param kind: its meaning, one of the constants above.
    :param name: the name of its element.
    :param step: what the element looks like, if it is block-level and begins here.
    """

    kind: int
    name: str
    step: Step | None = None


_LINK, _IMAGE = Tag(LINK, "a"), Tag(IMAGE, "img")
#: A comment, a processing instruction or a CDATA section of XHTML; and how they end, by how they begin.
COMMENT_TAG, _ENDS = Tag(COMMENT, ""), {"!--": "-->", "![C": "]]>"}


class TagReader:
    """Reads tags. Each tag is parsed once: the pages of a site share most of their tags.

    ``known`` has the tags that were read, except for those of links and images, which
    hardly ever come again.
    """

    def __init__(self, rules: TagRules) -> None:
        self._rules = rules
        self.known: dict[str, Tag] = {}

    def read(self, text: str) -> Tag:
        """Return a tag, given the part of a piece before its ``>``."""
        if text[:2] == "a ":
            return _LINK
        if text[:4] == "img ":
            return _IMAGE
        if text[:1] in ("!", "?"):
            return COMMENT_TAG
        tag = self.known.get(text)
        if tag is None:
            if len(self.known) >= MAX_KNOWN:
                self.known.clear()
            tag = self.known[text] = self._parse(text)
        return tag

    def step(self, text: str) -> Step:
        """Return what an element looks like, given its start tag. The element need not be block-level."""
        name = _name_of(text)
        return Step(name, *self._rules.attributes(attributes_of(text)))

    def _parse(self, text: str) -> Tag:
        rules, empty = self._rules, text.endswith("/")
        name = _name_of(text)
        if name in rules.block:
            return self._parse_block(text, name, empty)
        if text.startswith("/"):
            return Tag(LINK_END if name == "a" else TRANSPARENT, name)
        if rules.hides and name != "a" and (role := role_of(name, *map(attributes_of(text).get, ROLE_NAMES))):
            return Tag(FORMULA if role > NOT_READ else TRANSPARENT if empty else SKIPPED, name)
        if rules.hides and name in PICTURES and " " in text:
            return Tag(IMAGE, name)
        if name in rules.skipped and not empty:
            return Tag(SKIPPED, name)
        if name in rules.cut:
            return Tag(CUT, name)
        return Tag(LINK if name == "a" else TRANSPARENT, name)

    def _parse_block(self, text: str, name: str, empty: bool) -> Tag:
        if text.startswith("/"):
            return Tag(BLOCK_END, name)
        if empty and self._rules.passes_empty:
            return Tag(TRANSPARENT, name)
        if self._rules.hides and " " in text and _is_unread(name, attributes_of(text)):
            return Tag(TRANSPARENT if empty else SKIPPED, name)
        return Tag(EMPTY_BLOCK if empty else BLOCK, name, self.step(text))


def _is_unread(name: str, attributes: Mapping[str, str]) -> bool:
    return role_of(name, *map(attributes.get, ROLE_NAMES)) == NOT_READ


def _name_of(tag: str) -> str:
    return tag.strip("/").partition(" ")[0]


@lru_cache
def tag_reader(rules: TagRules) -> TagReader:
    """Return the reader of tags by these rules; all pages share it."""
    return TagReader(rules)


def skip_element(pieces: Iterator[tuple[int, str]], number: int, piece: str, tag: Tag) -> tuple[int, str]:
    """Skip a comment or an element. Return the number of the piece that ends it, and the text after it.

    :param pieces: the pieces that follow, with their numbers.
    :param number: the number of ``piece``.
    :param piece: the piece that begins what is skipped.
    :param tag: the tag of this piece: a comment, or the start tag of an element.
    """
    if tag.kind == COMMENT:
        return _behind_comment(pieces, number, piece)
    name, depth = tag.name, 1
    end, begin = f"/{name}>", (f"{name}>", f"{name} ")
    for number, piece in pieces:
        if piece.startswith(end):
            depth -= 1
            if not depth:
                return number, piece[len(end) :]
        elif piece.startswith("!"):
            number, _ = _behind_comment(pieces, number, piece)
        elif piece.startswith(begin):
            depth += piece.partition(">")[0][-1] != "/"
    return number, ""


def comment_end(piece: str) -> str:
    """Return the characters that end a comment, given the piece that begins it."""
    return _ENDS.get(piece[:3], ">")


def _behind_comment(pieces: Iterator[tuple[int, str]], number: int, piece: str) -> tuple[int, str]:
    end = comment_end(piece)
    while end not in piece:
        number, piece = next(pieces, (number, end))
    return number, piece.partition(end)[2]


#: At most so many facts are kept, and so many characters of each: a hostile page may have any number.
_MOST, _LONGEST = 100, 60

# --- Read what a page's markup states about the page: names of facts, without their meaning
#
# Publishing systems state what a page is, for search engines and for programs. Only names are kept, no values
# of single pages, so the pages of one template mostly share one set. ``verdict/evidence.py`` tells what they
# mean.

#: The types in JSON-LD. A search is enough, and reads what is not valid JSON.
_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([\w:/.#-]+)"')
#: The kind of thing that an address of WordPress's programming interface leads to.
_API = re.compile(r"/wp/v2/(\w+)/\d|rest_route=/wp/v2/(\w+)/\d")
_PAGED = re.compile(r"page|start|offset", re.IGNORECASE)
_ITEM_TYPES: Any = etree.XPath("descendant-or-self::*/@itemtype", smart_strings=False)
_LINK_RELATIONS: Any = etree.XPath("descendant-or-self::a/@rel", smart_strings=False)


def stated(root: Element) -> frozenset[str]:
    """Return the facts that a page's markup states, each as a short name.

    ``meta=NAME`` for each ``meta`` element with a content, ``og:type=VALUE``, ``link=RELATION`` and
    ``a=RELATION`` for the relations of links (``link=next page`` if it leads to a page of a list),
    ``api=KIND`` for what the page is in WordPress's programming interface, ``type=NAME`` for each type of
    JSON-LD and microdata.

    Cost: three searches in the tree.
    """
    return some_facts(_facts(root))


#: The kinds of what elements state.
LANG, META, CANONICAL, JSON, AUTHOR = "lang", "meta", "canonical", "json", "author"
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
    such a link; ``json``, the text of a script with JSON-LD. The kind ``author``, the target and the text of
    a link to an author, is in ``anchors.py``. Cost: one search in the tree.
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
        elif name == "script" and "ld+json" in attributes.get("type", ""):
            yield JSON, "", element.text or ""


def _facts(root: Element) -> Iterator[str]:
    for element in root.iter("meta", "link", "script"):
        yield from facts_of(element.tag, element.attrib, element.text or "")
    yield from map(type_fact, _ITEM_TYPES(root))
    for relations in _LINK_RELATIONS(root):
        yield from (f"a={relation}" for relation in relations.lower().split())


def some_facts(facts: Iterable[str]) -> frozenset[str]:
    """Return facts, cut, and at most as many as are kept."""
    facts = list(facts)
    if len(facts) < _MOST and max(map(len, facts), default=0) <= _LONGEST:  # as for most pages
        return frozenset(facts)
    found: set[str] = set()
    for fact in facts:
        found.add(fact[:_LONGEST])
        if len(found) >= _MOST:
            break
    return frozenset(found)


def facts_of(name: str, attributes: Mapping[str, str], text: str = "") -> tuple[str, ...]:
    """Return the facts that a ``meta``, a ``link`` or a ``script`` states.

    :param text: the text of a ``script``.
    """
    if name == "meta":
        return tuple(_meta(attributes))
    if name == "link":
        return tuple(_link(attributes))
    if "ld+json" not in attributes.get("type", ""):
        return ()
    return tuple(f"type={name.rpartition('/')[2]}" for name in _TYPE.findall(text))


def type_fact(item_type: str) -> str:
    """Return the fact that an ``itemtype`` of microdata states."""
    return f"type={item_type.strip().rpartition('/')[2]}"


def _meta(attributes: Mapping[str, str]) -> Iterator[str]:
    content = attributes.get("content", "").strip()
    name = (attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or "").lower()
    if name == "og:type":
        yield f"og:type={content.lower()}"
    elif name and content:
        yield f"meta={name}"


def _link(attributes: Mapping[str, str]) -> Iterator[str]:
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
