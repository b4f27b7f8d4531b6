"""Turn a page's tree into pieces of text, each a tag and the text after it, and read the tags.

Asking a tree for its elements one by one makes an object of each. libxml2 writes the whole tree at once, in a
fraction of the time of the parse. It writes every tag and every character in one way, so two searches divide
the result: at ``<`` and, in each piece, at its first ``>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin

from lxml import etree

from ..values import Layout, Markup, Step
from .parsing import Element
from .tags import NOT_READ, PICTURES, TagRules, role_by, step_of

#: The most tags that are kept: memory must stay bounded in a crawl of months.
MAX_KNOWN = 10_000

#: In XML as libxml2 writes it, one space stands before a name, which may have white space of Unicode.
_ATTRIBUTE = re.compile(r' ([^ =]+)="([^"]*)"')


#: A tag with an attribute whose name has the sign for tags: "<a <b href=...>". Only there it is not escaped.
#: A match goes on to the end of the text if nothing ends the tag, so that a text is read once.
_SIGN_IN_TAG = re.compile(r"<[a-zA-Z][^<>]*<[^>]*+(?:>|\Z)")


def pieces_of(root: Element) -> list[str]:
    """Return an element with all its content as pieces: ``tag>text``, escaped as in XML.

    The first piece is the element's own start tag. An element without content is
    one piece, whose tag ends with ``/``; or it has an end tag like all others. A
    comment may be several pieces, since it is not escaped. Cost: a third of the parse.
    """
    text = etree.tostring(root, encoding="unicode", method="xml", with_tail=False)
    if _SIGN_IN_TAG.search(text):
        text = _SIGN_IN_TAG.sub(lambda tag: f"<{tag[0][1:].replace('<', '&lt;')}", text)
    return text.split("<")[1:]


def markup_of(layout: Layout) -> Markup:
    """Return a layout's markup.

    :raises ValueError: the layout was made without it.
    """
    if layout.markup is None:
        raise ValueError("the layout was made without its markup")
    return layout.markup


def plain_text(escaped: str) -> str:
    """Return the text of a piece, or the value of an attribute, without its escapes."""
    return unescape(escaped) if "&" in escaped else escaped


def attributes_of(tag: str) -> dict[str, str]:
    """Return the attributes of a start tag, given the tag or its piece."""
    attributes = _ATTRIBUTE.findall(tag.partition(">")[0])
    return {name: unescape(value) if "&" in value else value for name, value in attributes}


def name_of(tag: str) -> str:
    """Return the name of an element, given its start tag or its end tag."""
    return tag.strip("/").partition(" ")[0]


#: What is written beside a page's own characters may have so many for each piece of its markup, and so many
#: more. A link is four pieces with the text around it, and most bases have 30 to 60 characters.
_ROOM_OF_PIECE, _ROOM = 20, 1_000

_HOST = re.compile(r"https?://[a-zA-Z0-9.:-]+(?=[/?#]|$)")
#: A path that stands in the joined url as it is. Others name a host, or have dots, parameters or a query.
_PATH = re.compile(r"/(?!/)[\w/%~+,=@!-]*(?:(?<!/)\.[\w/%~+,=@!-]*)*", re.ASCII)
#: A url that stands in front of a fragment as it is, and such a fragment.
_PLAIN_BASE = re.compile(r"https?://[\w.:-]+/[\w/%~+,=@!.&-]*(?:\?[\w/%~+,=@!.&-]+)?", re.ASCII)
_FRAGMENT = re.compile(r"#[\w%~+,=@!.:-]+", re.ASCII)


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
        match = _HOST.match(self.url)
        return match[0] if match else ""

    @cached_property
    def _page(self) -> str:
        """The base, if fragments are put behind it; else empty."""
        return self.url if _PLAIN_BASE.fullmatch(self.url) else ""

    def joined(self, url: str) -> str:
        """Return a url as an absolute one; empty if it is invalid, or if the room is used up."""
        # many are such paths and fragments, and joining takes long
        before = ""
        if url[:1] == "/" and _PATH.fullmatch(url):
            before = self._host
        elif url[:1] == "#" and _FRAGMENT.fullmatch(url):
            before = self._page
        try:
            target = before + url if before else urljoin(self.url, url)
        except ValueError:
            return ""
        return target if self.has_room(len(target) - len(url)) else ""

    def has_room(self, size: int) -> bool:
        """Take room for some characters; return whether there was enough."""
        self._room -= max(0, size)
        return size <= 0 or self._room >= 0


# The kinds of tags, by their meaning for the layout. Numbers: names in a class take twice as long to look up.
TRANSPARENT, BLOCK, EMPTY_BLOCK, BLOCK_END, CUT, LINK, LINK_END, IMAGE, SKIPPED, COMMENT, MATH = range(11)


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
COMMENT_TAG, _COMMENT_ENDS = Tag(COMMENT, ""), {"!--": "-->", "![C": "]]>"}


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
        name = name_of(text)
        return step_of(name, *self._rules.attributes(attributes_of(text)))

    def _parse(self, text: str) -> Tag:
        rules, empty = self._rules, text.endswith("/")
        name = name_of(text)
        if name in rules.block:
            return self._parse_block(text, name, empty)
        if text.startswith("/"):
            return Tag(LINK_END if name == "a" else TRANSPARENT, name)
        if rules.hides and name != "a" and (role := role_by(name, attributes_of(text))):
            return Tag(MATH if role > NOT_READ else TRANSPARENT if empty else SKIPPED, name)
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
        if empty and self._rules.classic:
            return Tag(TRANSPARENT, name)
        if self._rules.hides and " " in text and role_by(name, attributes_of(text)) == NOT_READ:
            return Tag(TRANSPARENT if empty else SKIPPED, name)
        return Tag(EMPTY_BLOCK if empty else BLOCK, name, self.step(text))


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
    return _COMMENT_ENDS.get(piece[:3], ">")


def _behind_comment(pieces: Iterator[tuple[int, str]], number: int, piece: str) -> tuple[int, str]:
    end = comment_end(piece)
    while end not in piece:
        number, piece = next(pieces, (number, end))
    return number, piece.partition(end)[2]
