"""Read what the elements of a page are marked as: an author, a topic, a time.

Publishing systems mark these for style sheets, for programs and for search engines: by a class (``author``,
``fn``), by the relation of a link (``rel=tag``), by the folder that a link leads to (``/author/``), by
``time`` elements. Programs choose these names; they are the same in all languages.

A line is the text of a block with its inline tags: ``by <a.fn author/>Ann Lee</a>``. It shows where a value
begins and ends. Texts in it are escaped as in XML, so each ``<`` begins a tag.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import unquote

from ..values import Layout
from .markup import attributes_of, comment_end, plain_text
from .tags import TODAY
from .text import fold

AUTHOR, TOPIC, TIME, PUBLISHED, CATEGORY = "author", "topic", "time", "published", "category"

#: Each mark has one of these in its tag, by its kind; a first search for them is fast.
_NEEDLES = {
    AUTHOR: (b"author", b"fn"),
    TOPIC: (b"tag", b"label", b"topic"),
    TIME: (b"time ", b"abbr "),
}
ALL = (AUTHOR, TOPIC, TIME)

#: Folders and query keys of pages about an author, and about a topic.
_FOLDERS = {
    **dict.fromkeys(("author", "authors"), AUTHOR),
    **dict.fromkeys(("category", "categories"), CATEGORY),
    **dict.fromkeys(("tag", "tags", "label", "labels", "topic", "topics"), TOPIC),
}
_HREF = re.compile(r' href="[^"]*"')
_WORD = re.compile(r"[a-z]+")
_CASES = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Last words of a class that say no more than that it is a name or a link.
_PLAIN_WORDS = frozenset({"name", "link", "url"})
_PUBLISHED = re.compile(r"publi|pub-?date|creat|issued|posted|(?:^|[\s.:_-])date(?:$|\s)", re.IGNORECASE)
#: How a time begins that a program wrote; old microformats have it in the title of an ``abbr``.
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T|$)")
_MODIFIED = re.compile(r"modif|updat|revis", re.IGNORECASE)
#: An element has at most so many pieces, and a line so many characters and tags around it.
_LONGEST, _LONGEST_LINE = 24, 1_500
_MOST_PIECES = 120
#: So many pieces before a block belong to elements around its text.
_BEFORE = 6
#: So many characters are in the source of a name.
_LONGEST_TEXT = 400
#: Stands for the tag of a comment.
_COMMENT = "!"
#: The end of a path that names a part of a list.
_PAGED = re.compile(r"(?:/page/\d+)?/?(?:index\.\w+)?$")
_DIGIT, _WORDS = re.compile(r"\d"), re.compile(r"[^\W_]+")


class Mark(NamedTuple):
    """An element that is marked as something.

    :param kind: ``author``, ``topic``, ``published`` or ``time``.
    :param piece: index of its piece in the markup.
    :param value: its text; the ``datetime`` of a ``time``.
    :param url: the target of a link, as it stands there.
    """

    kind: str
    piece: int
    value: str
    url: str = ""


def marks_in(layout: Layout, kinds: Sequence[str] = ALL, blocks: range | None = None) -> Iterator[Mark]:
    """Yield the marks of a page, in its order; of several in each other the innermost.

    A link to another host is one only by its relation or its class: ``/authors/`` there says nothing here.

    :param layout: a page; it has its markup.
    :param kinds: ``author``, ``topic``, ``time``, which includes those of a publication.
    :param blocks: the blocks to look at, at least one; None: the whole page.

    Cost: a search in the page's source, and a look at each likely tag.
    """
    markup = layout.markup
    assert markup is not None  # noqa: S101 - whoever asks for marks has it
    host = _host(layout.url)
    pieces, last, last_end = markup.pieces, None, 0
    first, behind = 0, len(pieces)
    if blocks is not None:
        first, behind = max(0, markup.blocks[blocks[0]][0] - _BEFORE), markup.blocks[blocks[-1]][1]
    needles = [needle for kind in kinds for needle in _NEEDLES[kind]]
    for number in markup.marked(needles, first, behind):
        tag = pieces[number].partition(">")[0]
        kind = _kind(tag)
        if kind in (TIME, PUBLISHED) and TIME in kinds:
            attributes = attributes_of(tag)
            yield Mark(kind, number, (attributes.get("datetime") or attributes.get("title", "")).strip())
        elif kind in kinds:
            value, end = element_text(pieces, number)
            if not value:
                continue
            url = attributes_of(tag).get("href", "") if tag.startswith("a ") else ""
            if _host(url) not in ("", host) and not _kind(_HREF.sub("", tag)):
                continue
            if last is not None and not (last.kind == kind and number < last_end):
                yield last
            last, last_end = Mark(kind, number, _named_by(url, value) if kind == AUTHOR else value, url), end
    if last is not None:
        yield last


def _host(url: str) -> str:
    """Return the host of a url, without ``www``; empty: it names none."""
    return url.partition("://")[2].partition("/")[0].lower().removeprefix("www.")


def _named_by(url: str, text: str) -> str:
    """Return the end of a link's text that is the name of its target: ``Posts by Ann`` leads to ``/ann/``."""
    words = text.split()
    slug = [*_WORDS.findall(unquote(url).partition("?")[0].rstrip("/").rpartition("/")[2].lower())]
    for begin in range(1, len(words)):
        if slug and _WORDS.findall(" ".join(words[begin:]).lower()) == slug:
            return " ".join(words[begin:])
    return text


def pieces_with(pieces: Sequence[str], needles: Sequence[bytes], first: int, end: int) -> list[int]:
    """Return the indexes of the pieces, from one up to another, whose tag has one of some bytes."""
    wanted = [needle.decode() for needle in needles]
    return [
        number
        for number, (tag, _) in enumerate(_split(pieces, first, end), first)
        if tag[:1] != "/" and any(needle in tag for needle in wanted)
    ]


@lru_cache(maxsize=1 << 12)
def _kind(tag: str) -> str:
    """Return what a start tag marks its element as; empty: nothing."""
    name, _, _ = tag.partition(" ")
    attributes = attributes_of(tag)
    if name == "time" or (name == "abbr" and _TIME.match(attributes.get("title", ""))):
        names = f"{attributes.get('class', '')} {attributes.get('itemprop', '')}"
        if _PUBLISHED.search(names) or "pubdate" in attributes:
            return PUBLISHED
        return "" if _MODIFIED.search(names) else TIME
    if name in ("meta", "link", "script", "body", "html", "img", "input", "form"):
        return ""
    relations = attributes.get("rel", "").lower().split()
    if name == "a":
        if "author" in relations:
            return AUTHOR
        kind = _FOLDERS.get(_folder_word(attributes.get("href", "")), "")
        if "category" in relations or kind == CATEGORY:
            return ""
        if "tag" in relations:
            return TOPIC
        if kind:
            return kind
    return AUTHOR if any(map(_is_author, attributes.get("class", "").split())) else ""


def _is_author(name: str) -> bool:
    """Return whether the name of a class is that of an author's name."""
    words = _WORD.findall(_CASES.sub(" ", name).lower())
    if name == "fn":
        return True
    while len(words) > 1 and words[-1] in _PLAIN_WORDS:
        words.pop()
    return bool(words) and words[-1] == "author" and not words[0].startswith("comment")


def _folder_word(target: str) -> str:
    """Return the last folder of a link's target, or the key of its query, if its name tells what is in it.

    >>> [_folder_word(target) for target in ("https://a.example/author/ann/", "/?tag=x", "/2014/a.html")]
    ['author', 'tag', '']
    """
    path, _, query = target.partition("#")[0].partition("?")
    path = path.partition("://")[2].partition("/")[2] if "://" in path else path.lstrip("/")
    folders = _PAGED.sub("", path).rstrip("/").split("/")[:-1]
    word = query.partition("=")[0] if query and not folders else folders[-1] if folders else ""
    return word.lower() if word.lower() in _FOLDERS else ""


def element_text(pieces: Sequence[str], number: int) -> tuple[str, int]:
    """Return the text of an element, given the index of its piece, and the index of its end.

    Nothing if it is long.
    """
    name = pieces[number].partition(">")[0].partition(" ")[0]
    texts: list[str] = []
    depth = 0
    for at in range(number, min(number + _LONGEST, len(pieces))):
        tag, _, text = pieces[at].partition(">")
        opened = tag.partition(" ")[0]
        if opened == name:
            depth += not tag.endswith("/")
        elif opened == f"/{name}":
            depth -= 1
        if depth <= 0:
            return fold(plain_text("".join(texts))), at
        texts.append(text)
        if sum(map(len, texts)) > _LONGEST_TEXT:
            break
    return "", number


def block_at(layout: Layout, piece: int) -> int:
    """Return the index of the first block that ends behind a piece; the number of blocks: none does."""
    markup = layout.markup
    assert markup is not None  # noqa: S101 - as above
    return bisect_right(markup.blocks, piece, key=_end)


_end = itemgetter(1)


def line_of(layout: Layout, block: int) -> str:
    """Return a block's text with its inline tags; empty if it is long."""
    return line_with(layout, block, ())[0]


def line_with(layout: Layout, block: int, wanted: Collection[int]) -> tuple[str, dict[int, int]]:
    """Return a block's text with its inline tags, and where in it the text of some pieces begins.

    Nothing if it is long.
    """
    markup = layout.markup
    assert markup is not None  # noqa: S101 - whoever asks for lines has it
    first, end = markup.blocks[block]
    if end - first > _MOST_PIECES:
        return "", {}
    begin = first
    while begin > max(0, first - _MOST_PIECES) and _is_wrapper(*markup.inline(begin - 1, begin)[0]):
        begin -= 1
    found, places = "", dict[int, int]()
    for number, (tag, text) in enumerate(markup.inline(begin, end), begin):
        if tag != _COMMENT:
            found += tag if number > first or tag[:2] != "</" else ""
        if number in wanted:
            places[number] = len(fold(f"{found}x")) - 1
        found += text
    line = fold(found)
    return (line, places) if len(line) <= _LONGEST_LINE else ("", {})


def _is_wrapper(tag: str, text: str) -> bool:
    """Return whether a piece begins an element around the text behind it, or is a comment there."""
    return not text.strip() and (tag == _COMMENT or (tag[:1] == "<" and tag[1] != "/"))


def inline_pieces(pieces: Sequence[str], first: int, end: int) -> list[tuple[str, str]]:
    """Return for each of some pieces its tag in its short form, and its text.

    An element without content has no tags there: it stands around nothing.
    """
    begin = max(0, first - 1)
    split = [*_split(pieces, begin, end + 1)]
    bare = set()
    for number, ((tag, text), (after, _)) in enumerate(pairwise(split), begin):
        if after[:1] == "/" and not text and tag[-1:] != "/" and tag.partition(" ")[0] == after[1:]:
            bare |= {number, number + 1}
    return [
        ("" if number in bare else _short(tag), escape(plain_text(text), quote=False))
        for number, (tag, text) in enumerate(split, begin)
        if first <= number < end
    ]


def _split(pieces: Sequence[str], first: int, end: int) -> Iterator[tuple[str, str]]:
    """Yield the tag and the text of some pieces; of those of a comment only the text behind it."""
    closing = ""
    for piece in pieces[first:end]:
        if not closing and piece[:1] in ("!", "?"):
            closing = comment_end(piece)
        if not closing:
            tag, _, text = piece.partition(">")
            yield tag, text
        elif closing in piece:
            yield _COMMENT, piece.partition(closing)[2]
            closing = ""
        else:
            yield _COMMENT, ""


@lru_cache(maxsize=1 << 13)
def _short(tag: str) -> str:
    if tag == _COMMENT:
        return tag
    name = tag.strip("/").partition(" ")[0]
    if not name or tag[-1:] == "/" or not is_inline(name):
        return ""
    if tag[:1] == "/":
        return f"</{name}>"
    attributes = attributes_of(tag)
    return short_tag(name, *map(attributes.get, SHOWN))


_NOT_INLINE = (
    TODAY.block | TODAY.cut | TODAY.skipped | frozenset("html body img meta link title base".split())
)
#: The attributes that the short form of an inline tag shows.
SHOWN = ("class", "rel", "href")


def is_inline(name: str) -> bool:
    """Return whether a line shows an element's tags: not those of a block, an image, or a line break."""
    return name not in _NOT_INLINE


def short_tag(name: str, classes: str | None, relation: str | None, target: str | None) -> str:
    """Return an inline start tag in its short form, without what differs from page to page.

    :param target: of a link; only a folder whose name tells what is in it is shown.

    >>> short_tag("a", "url fn post-7", "author", "https://a.example/author/ann/")
    '<a.url.fn rel=author author/>'
    """
    names = [one for one in (classes or "").split() if not _DIGIT.search(one)]
    shown = ".".join([name, *names])
    if relation:
        shown += f" rel={relation}"
    if folder := _folder_word(target or ""):
        shown += f" {folder}/"
    return f"<{shown.translate(_NO_SIGNS)}>"


#: Signs that mean something in a line, or in the form of a place.
_NO_SIGNS = str.maketrans("{}<>&", "()()+")
