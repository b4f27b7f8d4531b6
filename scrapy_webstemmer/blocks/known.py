"""Read the pieces and texts of pages, and keep the results, since most come again on other pages of the site.

Nine pieces in ten and three texts in four were on an earlier page of the site: navigation, or tags with
the white space after them. Their meaning is looked up, not computed again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias
from urllib.parse import unquote

from .markup import COMMENT, CUT, LINK, SKIPPED, TRANSPARENT, comment_end, plain_text, tag_reader
from .tags import TagRules

#: The most pieces and texts that are kept, and the most characters of each: memory must stay bounded in a
#: crawl of months.
MAX_PIECES, _LONGEST_PIECE = 10_000, 500
MAX_TEXTS, _LONGEST_TEXT = 5_000, 200

#: The kind of a link to a picture, to a place on its own page, or without content. A walk looks at these more
#: closely.
RARE_LINK = 10

#: A link: its ``href``, empty if it leads nowhere, None for an ``a`` that only names a place; the host of its
#: target, empty for the host of the link's own page, None if it leads to no other web page; the path
#: (:func:`page_path`, or ``./`` and a relative path); and the query.
Link: TypeAlias = tuple[str | None, str | None, str, str]

#: The meaning of a piece: the kind of its tag; the :class:`~scrapy_webstemmer.values.layouts.Step` of a
#: block-level element, the :data:`Link` of a link, or the end tag of a skipped element; and the text after
#: the tag, empty for white space after a tag that ends a run. A bare tuple, since a page has many new pieces.
Meaning: TypeAlias = tuple[int, Any, str]

_HREF = ' href="'
_NOWHERE: Link = ("", None, "", "")
#: An ``a`` with a name and without a target. Old pages do not close it, so it holds all text behind it.
_NAME: Link = (None, None, "", "")
#: The path of a link that has only a query.
SAME = "."
_WWW = "www."
#: The end of a path that names a folder, or the file that stands for the folder.
_INDEX = re.compile(r"/(?:index\.\w{3,5})?\Z")
_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-\s]*:", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|bmp)\Z", re.IGNORECASE)


class KnownPieces:
    """Reads pieces.

    ``known`` has the pieces that were read, except for long ones and those of ``pre`` elements. A walk has to
    see the latter itself.
    """

    def __init__(self, rules: TagRules) -> None:
        self.known: dict[str, Meaning] = {}
        self._tags = tag_reader(rules)
        self._known_tags = self._tags.known
        self._keeps_space = rules.drop_caps

    def read(self, piece: str) -> Meaning:
        """Return the meaning of a piece that is not known; if it is not long, it is known from now on."""
        tag, _, text = piece.partition(">")
        known_tag = self._known_tags.get(tag)
        if known_tag is None and tag[:2] == "a ":
            found = _read_link(tag, text)
        else:
            kind, name, step = known_tag or self._tags.read(tag)
            if kind <= CUT:
                if kind and text.isspace() and not self._keeps_space:
                    text = ""
                found = kind, step, text
            elif kind < SKIPPED and kind != LINK:
                found = kind, None, text
            else:
                found = _read_other(kind, name, piece)
            if name == "pre":
                return found
        if len(piece) <= _LONGEST_PIECE:
            if len(self.known) >= MAX_PIECES:
                self.known.clear()
            self.known[piece] = found
        return found


def _read_other(kind: int, name: str, piece: str) -> Meaning:
    """Return the meaning of a link without attributes, or of a piece that begins something to skip."""
    tag, _, text = piece.partition(">")
    if kind == LINK:
        return _read_link(tag, text)
    if kind == COMMENT and (end := comment_end(piece)) in piece:
        return TRANSPARENT, None, piece.partition(end)[2]
    return kind, f"/{name}>" if kind == SKIPPED else None, text


def _read_link(tag: str, text: str) -> Meaning:
    begin = tag.find(_HREF) + len(_HREF)
    if begin < len(_HREF):
        return RARE_LINK if tag[-1] == "/" else LINK, _NAME if ' name="' in tag else _NOWHERE, text
    href = plain_text(tag[begin : tag.find('"', begin)].strip())
    link = _link(href)
    return RARE_LINK if tag[-1] == "/" or href[:1] == "#" or leads_to_picture(link) else LINK, link, text


def leads_to_picture(link: Link) -> bool:
    """Return whether a link leads to a picture, mostly to a larger one than the page shows."""
    return _PICTURE.search(link[2]) is not None


def _link(href: str) -> Link:
    if not href or href[0] == "#":
        return href, None, "", ""
    if href.startswith(("http://", "https://")) or _WEB.match(href):
        return href, *split_page(href)
    if href[0] != "/" and _SCHEME.match(href):
        return href, None, "", ""
    path, _, query = href.partition("#")[0].partition("?")
    if path[:1] == "/":
        return href, "", page_path(path), query
    return href, "", relative_name(path) if path else SAME, query


def split_page(url: str) -> tuple[str, str, str]:
    """Return host, path and query of a web page's url, in the form in which links are compared.

    >>> split_page("https://www.example.com/a%20b/index.html?page=2#top")
    ('example.com', '/a b', 'page=2')
    """
    address, _, query = url.partition("//")[2].partition("#")[0].partition("?")
    host, _, path = address.partition("/")
    return host.lower().removeprefix(_WWW), page_path(f"/{path}"), query


def relative_name(path: str) -> str:
    """Return a path relative to the page's folder, in the form in which links are compared.

    >>> relative_name("b%20c.html"), relative_name("./index.html")
    ('./b c.html', './')
    """
    while path.startswith("./"):
        path = path[2:]
    return f"./{page_path(f'/{path}')[1:]}"


def page_path(path: str) -> str:
    """Return a path in the form in which links are compared: unquoted, without a last slash or index file.

    >>> page_path("/caf%C3%A9/"), page_path("/")
    ('/café', '')
    """
    return _INDEX.sub("", unquote(path) if "%" in path else path)


class KnownTexts:
    """Reads texts: folds and weighs them. ``known`` has the texts that were read, except for long ones."""

    def __init__(self, rules: TagRules) -> None:
        self.known: dict[str, tuple[str, int]] = {}
        self._fold, self._weigh = rules.fold, rules.weigh

    def read(self, sources: Sequence[str]) -> list[tuple[str, int]]:
        """Return for each text of the source its folded form and its weight."""
        known = self.known
        found: list[Any] = [*map(known.get, sources)]
        new = [number for number, text in enumerate(found) if text is None]
        if len(known) + len(new) > MAX_TEXTS:
            known.clear()
        texts = [self._fold(plain_text(sources[number])) for number in new]
        for number, text, weight in zip(new, texts, self._weigh(texts), strict=True):
            found[number] = text, weight
            if len(sources[number]) <= _LONGEST_TEXT:
                known[sources[number]] = text, weight
        return found


@lru_cache
def known_pieces(rules: TagRules) -> KnownPieces:
    """Return the reader of pieces by these rules; all pages share it."""
    return KnownPieces(rules)


@lru_cache
def known_texts(rules: TagRules) -> KnownTexts:
    """Return the reader of texts by these rules; all pages share it."""
    return KnownTexts(rules)
