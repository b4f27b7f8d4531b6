"""Read what the elements of a page are marked as: an author, a topic, a time.

Publishing systems mark these for style sheets, for programs and for search engines: by a class (``author``,
``fn``), by the relation of a link (``rel=tag``), by the folder that a link leads to (``/author/``), by
``time`` elements. Programs choose these names; they are the same in all languages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import NamedTuple

from ..values import Layout, Markup
from .addresses import folder_of, has_name, named_by, slug_of
from .days import iso_time, label_of_topics, time_in_attributes
from .markup import attributes_of, markup_of, plain_text
from .names import joined_name
from .text import fold

AUTHOR, TOPIC, TIME, PUBLISHED, CATEGORY = "author", "topic", "time", "published", "category"
#: An element that is no ``time`` and has a time in an attribute: "3 days ago", with the time in its title.
AGE = "age"
#: A ``time`` that is that of a change.
MODIFIED = "modified"
#: Who wrote a comment. It is looked for with ``AUTHOR``.
COMMENTER = "commenter"
#: Somebody who may be the author, if a name is all that the element has, and it stands at the title.
PERSON = "person"
#: Stands in the value of an author for the end of a line or of an element, if ``PERSON`` is looked for.
APART = "\3"

#: Folders of pages about people, who may be authors.
_PEOPLE = frozenset(
    "by byline people person profile profiles staff team contributor contributors writer writers reporter"
    " reporters journalist journalists columnist columnists autor autores autoren auteur auteurs".split()
)
#: For each kind of mark, the names of its elements, "" for all, each with bytes of which its tag has one. A
#: first search for these is fast.
_NEEDLES: dict[str, dict[str, tuple[bytes, ...]]] = {
    AUTHOR: {"": (b"author", b"fn", b"creator")},
    PERSON: {
        "": (b"uthor", b"yline", b"riter", b"autor", b"auteur"),
        "a": tuple(f"/{word}/".encode() for word in _PEOPLE),
    },
    TOPIC: {
        "a": (
            *(f"{word}{end}".encode() for word in ("tag", "label", "topic") for end in ("/", "s/", "=")),
            *(b'tag"', b"tag'", b"=tag", b"tag ", b" tag", b"p-category"),
        )
    },
    CATEGORY: {"": (b"category",), "a": (b"categor", b"kategori", b"rubri", b"/term/")},
    TIME: {"time": (b"",), "abbr": (b"title",)},
    MODIFIED: {"time": (b"odif", b"pdat", b"evis"), "abbr": (b"odif", b"pdat", b"evis")},
    AGE: {"": (b"1", b"2")},  # each time has one of them; the names of attributes may be in capitals
}
ALL = (AUTHOR, TOPIC, CATEGORY, TIME)

#: Folders and query keys of pages about an author, and about a topic.
FOLDERS = {
    **dict.fromkeys(("author", "authors"), AUTHOR),
    **dict.fromkeys(
        "category categories categoria categorias categorie kategorie kategorien kategori kategoria rubrik"
        " rubrique rubriques rubrica rubric term".split(),
        CATEGORY,
    ),
    **dict.fromkeys(("tag", "tags", "label", "labels", "topic", "topics"), TOPIC),
}
_HREF = re.compile(r' href="[^"]*"')
#: Signs and pictures that templates show before a topic.
_TOPIC_SIGNS = re.compile(r"^[\s#＃\u2022-\u2bff\ufe0f\U0001f000-\U0001faff]+")
_LATIN_WORD = re.compile(r"[a-z]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Last words of a class that say no more than that it is a name or a link.
_PLAIN_WORDS = frozenset({"name", "link", "url"})
#: First words of a class that say that it is about a picture, or about who may copy something.
_OF_PICTURES = frozenset("media image img photo picture caption license licence copyright credit".split())
_WRAPS = frozenset("info text wrap wrapper item box meta details data block card content container".split())
#: Words of the names of classes and of other attributes that say that an element is, or has, a byline.
_BYLINES = frozenset("author authors byline bylines writer writers autor autores auteur autore".split())
#: The end of the name of a class that a program made.
_MADE_SUFFIX = re.compile(r"__(?=[\w-]{0,5}[\dA-Z])[\w-]{5,6}$")
_PUBLISHED = re.compile(r"publi|pub-?date|creat|issued|posted|(?:^|[\s.:_-])date(?:$|\s)", re.IGNORECASE)
_MODIFIED = re.compile(r"modif|updat|revis", re.IGNORECASE)
#: Properties of microdata and RDFa: of an article, and of a person.
_AUTHOR_PROPERTIES = frozenset({"author", "creator"})
_VOCABULARY_END = re.compile(r"[:/#]")
_NAME, _NAME_PARTS = "name", ("givenname", "additionalname", "familyname")
#: An element has at most so many pieces.
MOST_INNER = 100
#: So many pieces before a block belong to elements around its text.
_OUTER_PIECES = 6
#: So many characters are in the source of a name.
_LONGEST_SOURCE = 400
#: Items of microdata whose author is not that of the page; facts of a page that has replies.
_REPLIES = frozenset({"Comment", "UserComments", "Answer", "Review"})
_HAS_REPLIES = frozenset({"type=Comment", "type=UserComments", "type=Answer"})


class Mark(NamedTuple):
    """An element that is marked as something.

    :param kind: ``author``, ``topic``, ``category``, ``published``, ``modified``, ``time`` or ``age``.
    :param piece: index of its piece in the markup.
    :param value: its text, for an author perhaps with ``APART``; the ``datetime`` of a ``time``.
    :param url: the target of a link, as it stands there.
    :param stated: whether microdata, RDFa or microformats state it as a property of the page.
    """

    kind: str
    piece: int
    value: str
    url: str = ""
    stated: bool = False

    @property
    def time(self) -> str | None:
        """The time that its value is, in ISO 8601; None: it is none."""
        return iso_time(self.value)


def marks_in(
    layout: Layout, kinds: Sequence[str] = ALL, blocks: range | None = None, text: int | None = None
) -> Iterator[Mark]:
    """Yield the marks of a page, in its order; of several in each other the innermost.

    A link to another host is one only by its relation or its class: ``/authors/`` there says nothing here.

    :param layout: a page; it has its markup.
    :param kinds: ``author``, and ``commenter`` with it; ``topic``; ``category``; ``time``, which includes
        those of a publication.
    :param blocks: the blocks to look at, at least one; None: the whole page.
    :param text: a block of the text, whose replies have no marks; None: they have.

    Cost: a search in the page's source, and a look at each likely tag.
    """
    marks = _marks_in(layout, kinds, blocks) if layout.blocks else iter(())
    if text is None or _HAS_REPLIES.isdisjoint(layout.stated) or is_in_reply(layout, text):
        return marks
    return (mark for mark in marks if not is_in_reply(layout, block_at(layout, mark.piece)))


def _marks_in(layout: Layout, kinds: Sequence[str], blocks: range | None) -> Iterator[Mark]:
    markup, host = markup_of(layout), _host(layout.url)
    last, last_end, person_end = None, 0, -1
    near = range(len(layout.blocks)) if blocks is None else blocks
    first, behind = markup.nodes[0], markup.blocks[near[-1]][1]
    if near[0]:
        first = max(first, markup.blocks[near[0]][0] - _OUTER_PIECES)
    for piece, tag in markup.marked(_needles(tuple(kinds)), first, behind):
        kind = _kind(tag)
        if kind in (TIME, PUBLISHED, MODIFIED):
            if (MODIFIED if kind == MODIFIED else TIME) not in kinds:
                continue
            attributes = attributes_of(tag)
            value = (attributes.get("datetime") or attributes.get("title", "")).strip()
            yield Mark(kind, piece, value if iso_time(value) else time_in_attributes(attributes) or value)
        elif kind == AGE and AGE in kinds:
            yield Mark(kind, piece, time_in_attributes(attributes_of(tag)))
        elif kind in kinds and piece >= person_end:
            is_author, outer = kind in (AUTHOR, PERSON), last if piece < last_end else None
            if kind == PERSON and outer is not None and outer.kind == AUTHOR:
                continue
            value, end = element_text(markup, piece, APART if is_author and PERSON in kinds else "")
            attributes = attributes_of(tag)
            by_properties = bool(_AUTHOR_PROPERTIES & {*_properties(attributes)})
            is_stated = _states_topic(attributes) if kind in (TOPIC, CATEGORY) else by_properties
            is_card = is_stated or "h-card" in attributes.get("class", "").split()
            if is_author and is_card and (person := _person(markup, piece, end)):
                (value, url), kind, person_end = person, AUTHOR, end
            else:
                value = value if is_author else _without_label(_TOPIC_SIGNS.sub("", value))
                url = attributes.get("href", "") if tag.startswith("a ") else ""
                is_other = kind == PERSON and url and not has_name(url, value)
                if not value or is_other or (_host(url) not in ("", host) and not _kind(_HREF.sub("", tag))):
                    continue
                value = named_by(url, value) if is_author else value
            if last is not None and not (outer and outer.kind in (kind, PERSON)):
                yield last
            is_stated = is_stated or (outer is not None and outer.stated)
            last, last_end = Mark(kind, piece, value, url, is_stated), end
    if last is not None:
        yield last


def _without_label(topic: str) -> str:
    """Return a topic or category without its label, as in "Category: Seals"."""
    label, _, name = topic.replace("：", ":").partition(":")
    return name.strip() if name and label_of_topics(f"{label}:") else topic


@cache
def _needles(kinds: tuple[str, ...]) -> dict[str, tuple[bytes, ...]]:
    """Return what :func:`marks_in` searches for: bytes by the names of elements."""
    needles: dict[str, tuple[bytes, ...]] = {}
    for kind in kinds:
        for name, parts in _NEEDLES.get(kind, {}).items():
            needles[name] = needles.get(name, ()) + parts
    return needles


def _properties(attributes: Mapping[str, str]) -> Iterator[str]:
    """Yield the properties that an element states, without their vocabularies, in lower case."""
    for name in ("itemprop", "property"):
        for stated in attributes.get(name, "").lower().split():
            yield _VOCABULARY_END.split(stated)[-1]


def _states_topic(link: Mapping[str, str]) -> bool:
    """Return whether a link is stated to lead to a topic of its page, by microformats: old and new ones."""
    return "tag" in link.get("rel", "").lower().split() or "p-category" in link.get("class", "").split()


def _person(markup: Markup, piece: int, end: int) -> tuple[str, str] | None:
    """Return the name and the link of the person whom an element describes; None: it does not name one."""
    if end > piece + MOST_INNER:
        return None
    stated: dict[str, str] = {}
    for inner, tag in markup.marked({"": (b"ame", b"href", b"content")}, piece, max(end, piece + 1)):
        attributes = attributes_of(tag)
        content = fold(attributes.get("content", ""))
        names = {*_properties(attributes)} if inner > piece else {_NAME} if content else ()
        if "p-name" in attributes.get("class", "").split():
            names = {*names, _NAME}
        for name in names:
            stated.setdefault(name, content or element_text(markup, inner)[0])
        if tag.startswith("a "):
            stated.setdefault("href", attributes.get("href", ""))
    name = stated.get(_NAME) or joined_name(*(stated.get(part, "") for part in _NAME_PARTS))
    return (name, stated.get("href", "")) if name else None


def _host(url: str) -> str:
    """Return the host of a url, without ``www``; empty: it names none."""
    return url.partition("://")[2].partition("/")[0].lower().removeprefix("www.")


def leads_to(layout: Layout, block: int, name: str) -> bool:
    """Return whether the links around a block, if any, lead to another page with a name in its url."""
    markup = markup_of(layout)
    begin, end = markup.blocks[block]
    links = markup.marked({"a": (b"href",)}, max(begin - _OUTER_PIECES, 0), end)
    around = (attributes_of(tag).get("href", "") for at, tag in links if markup.end_of(at) > begin)
    slug = slug_of(layout.url)
    return all(has_name(url, name) and slug_of(url) != slug for url in around)


def is_in_reply(layout: Layout, block: int) -> bool:
    """Return whether the innermost item of microdata around a block is a comment, an answer, or a review.

    The person who wrote it may be an item in it. Cost: a look at the tag of each element around the block.
    """
    markup, node = markup_of(layout), layout.blocks[block].node
    while node >= 0:
        begin = markup.nodes[node]
        for _, tag in markup.marked({"": (b"itemtype",)}, begin, begin + 1):
            if (kind := attributes_of(tag).get("itemtype", "").rpartition("/")[2]) != "Person":
                return kind in _REPLIES
        node = layout.parents[node]
    return False


@lru_cache(maxsize=1 << 12)
def _kind(tag: str) -> str:
    """Return what a start tag marks its element as; empty: nothing."""
    name, _, _ = tag.partition(" ")
    attributes = attributes_of(tag)
    # old microformats have a time in the title of an ``abbr``
    if name == "time" or (name == "abbr" and iso_time(attributes.get("title", ""))):
        names = f"{attributes.get('class', '')} {attributes.get('itemprop', '')}"
        if _PUBLISHED.search(names) or "pubdate" in attributes:
            return PUBLISHED
        return MODIFIED if _MODIFIED.search(names) else TIME
    if name in ("meta", "link", "script", "body", "html", "img", "input", "form"):
        return ""
    if _AUTHOR_PROPERTIES & {*_properties(attributes)}:
        return AUTHOR
    relations = attributes.get("rel", "").lower().split()
    folder = folder_of(attributes.get("href", "")) if name == "a" else ""
    if name == "a":
        if "author" in relations:
            return AUTHOR
        kind = FOLDERS.get(folder, "")
        target = attributes.get("href", "").lower()
        if "category" in relations or kind == CATEGORY or "/category/" in target:
            return CATEGORY
        if kind := TOPIC if _states_topic(attributes) else kind:
            return kind
    class_kinds = {*map(_named_after, (*attributes.get("class", "").split(), name))}  # <app-author>
    if class_kinds & {AUTHOR, COMMENTER}:
        return min(class_kinds & {AUTHOR, COMMENTER})
    if folder in _PEOPLE or PERSON in class_kinds:
        return PERSON
    if CATEGORY in class_kinds:
        return CATEGORY
    names = " ".join([attributes.get("class", ""), *_properties(attributes)])
    is_change = name in ("ins", "del") or _MODIFIED.search(names)
    return AGE if not is_change and time_in_attributes(attributes) else ""


def _named_after(name: str) -> str:
    """Return whether the name of a class is that of an author's name, a commenter's, a category's."""
    if name == "fn":
        return AUTHOR
    plain = _MADE_SUFFIX.sub("", name)
    words = _LATIN_WORD.findall(_HUMP.sub(" ", plain).lower()) or [""]
    is_comments = words[0].startswith("comment")
    while len(words) > 1 and words[-1] in _PLAIN_WORDS:
        words.pop()
    if words[0] in _OF_PICTURES:
        return ""
    if words[-1] == CATEGORY:
        return CATEGORY
    if words[-1] == "author" and plain == name:
        return COMMENTER if is_comments else AUTHOR
    while len(words) > 1 and words[-1] in _WRAPS:
        words.pop()
    return PERSON if words[-1] in _BYLINES and not is_comments else ""


def element_text(markup: Markup, piece: int, between: str = "") -> tuple[str, int]:
    """Return the text of an element, given the index of its piece, and the index of its end.

    No text if it is long.

    :param between: what stands for the end of a line, and between elements without a space.
    """
    end = markup.end_of(piece)
    if end - piece > MOST_INNER:
        return "", end
    pieces = markup.inline(piece, end)
    if between and end - piece > 1:
        first, last = (bisect_right(markup.blocks, at, key=_end) for at in (piece, end))
        starts = {markup.blocks[at][0] for at in range(first + 1, min(last + 1, len(markup.blocks)))}
        pieces = [*_apart(pieces, piece, starts, between)]
    text = "".join([text for _, text in pieces])
    return fold(plain_text(text)).strip(f"{between} ") if len(text) <= _LONGEST_SOURCE else "", end


def _apart(
    pieces: Iterable[tuple[str, str]], piece: int, starts: Collection[int], between: str
) -> Iterator[tuple[str, str]]:
    """Yield pieces with a sign where a new line begins, and where an element ends and the next one begins."""
    is_closed = False
    for at, (tag, text) in enumerate(pieces, piece):
        is_new = at in starts or (is_closed and tag[:1] == "<" and tag[:2] != "</")
        is_closed = tag[:2] == "</" and not text
        yield tag, f"{between}{text}" if is_new else text


def block_at(layout: Layout, piece: int) -> int:
    """Return the index of the first block that ends behind a piece; the number of blocks: none does."""
    return bisect_right(markup_of(layout).blocks, piece, key=_end)


_end = itemgetter(1)
