"""Decide who wrote an article: among those whom its page states, marks, or names in a byline, or nobody.

Each way to name the authors gives a candidate, and ways that name the same ones add up. The evidence is who
names them, where, and what else the names are: the site's own, or no full name. The choice is that of
``publication.py``, with weights of its own (``author_weights.json``).

A byline is a short line with a word that stands before authors ("by"), and behind it words that begin with
capitals, as far as the script has them. A name may also stand alone beside the day.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from html import unescape
from itertools import chain, islice
from typing import NamedTuple

from ..page.calendars import DAY_FIRST, days_in
from ..page.days import says_changed, says_published
from ..page.facts import DISCUSSION
from ..page.marks import APART, AUTHOR, PERSON, Mark, block_at, is_in_reply, leads_to, line_of, marks_in
from ..page.names import (
    LABEL_WORDS,
    LABELS,
    LONGEST_LINE,
    PARTICLES,
    REPORTER,
    SIGNS,
    bare_names,
    before_authors,
    before_day,
    capitals,
    is_bare_name,
    is_role,
    names_by_day,
    names_in,
    names_in_byline,
    signed_by,
    signed_with_word,
)
from ..page.statements import Statements
from ..page.tags import HEADINGS
from ..page.text import TAG, fold, letters, words_of
from ..site.placed import PlacedLayout, is_of_teaser
from ..site.threads import tags_of
from ..values import Author, Layout
from .field_places import is_apart, writers
from .publication import ABOVE, FOOT, HEAD, MARKED, OPENING, STATED, TEXT, field_weights, likeliest

#: The kinds of marks that may name authors.
BYLINES = AUTHOR, PERSON
#: Where authors may come from, in the words of ``--explain``.
BYLINE = "a byline"
#: The begin of a way to name those of whom it is not sure that they are authors.
_MAYBE = "maybe "
#: A byline has so many characters, with its signs.
_LONGEST_LINE = 300
#: A bare name is so near to the line with the day, in blocks.
_BESIDE = 2
#: What ends a text's last line, if it is the name of its author.
_CLOSING = tuple(")）】］〕")
#: Few names have more words.
_MOST_WORDS = 4
#: So many lines of a marked element may have the names of authors, and so many marks of a page.
_MOST_LINES, _MOST_MARKS = 12, 500
#: Where an inline element ends, and the next one begins, without a space.
_GAP = re.compile(r"(?<=[^\s<>])(?:</[^<>]*>)+(?:<[^/<>][^<>]*>)+(?=[^\s<>])")


class AuthorClue(NamedTuple):
    """Authors whom a page names in one way.

    :param source: where they come from.
    :param authors: the authors, at least one.
    :param evidence: what speaks for them or against them.
    """

    source: str
    authors: tuple[Author, ...]
    evidence: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [author.name for author in self.authors]

    @property
    def key(self) -> str:
        """Who they are."""
        return authors_key(self.names)

    @property
    def is_near_title(self) -> bool:
        """Whether they are named between title and text, or at the begin of the text."""
        return self.evidence[0].partition(" ")[0] in (HEAD, OPENING)

    @property
    def is_byline(self) -> bool:
        """Whether a word or a mark there says that they are authors, and they have names of persons."""
        way = self.evidence[0].rpartition(" ")[2]
        return self.is_near_title and way not in ("beside", "dated") and "handle" not in self.evidence


def authors_key(names: Iterable[str]) -> str:
    """Return a key of names, which is the same whatever the case of letters, the signs and their order."""
    return "\n".join(sorted({*map(words_of, names)}))


def stated_authors(stated: Statements) -> Iterator[AuthorClue]:
    """Yield the authors whom a page states, each way by itself."""
    for kind, authors in stated.author_ways:
        if kind != "link" or not _is_logo(authors, stated):
            yield AuthorClue(STATED, authors, (kind, *_kinds(authors, stated)))


def shown_authors(
    page: PlacedLayout,
    parts: Mapping[str, set[int]],
    marks: Iterable[Mark],
    days_of: Callable[[], Sequence[int]],
    stated: Statements,
) -> list[AuthorClue]:
    """Return the authors whom a page shows: in marked elements, in bylines, beside the day.

    :param parts: the blocks of each part of the page that may have a byline.
    :param marks: the marked elements.
    :param days_of: returns the blocks of the head with a day.
    """
    language = stated.language
    by_block = _by_block(page, marks)
    shown, maybe = list[AuthorClue](), list[AuthorClue]()
    titles: set[str] = set()
    words, begin = _Words(page, parts.get(TEXT, set())), min(parts.get(TEXT) or {0})
    for part in (HEAD, OPENING, ABOVE, FOOT):
        first: tuple[str, ...] = ("first",)
        for block in sorted(parts[part]):
            own_marks = by_block.pop(block, ())
            if is_apart(page, block, begin) or (part == FOOT and is_of_teaser(page, block)):
                continue
            ways = [*_names_at(page, part, block, own_marks, days_of, language)]
            whole = {*ways[-1][1]} if ways and ways[-1][0] == "byline" else set[str]()
            for way, names in ways:
                if {*names} < whole and all(map(is_bare_name, whole)):
                    continue  # of several authors one has a page
                titles = titles or {*map(letters, (page.title, page.layout.title_element))}
                names = [name for name in names if letters(name) not in titles and "@" not in name[1:]]
                if authors := _authors(own_marks, names, stated):
                    source = MARKED if "mark" in way else BYLINE
                    evidence = f"{part} {way.removeprefix(_MAYBE)}", *_kinds(authors, stated), *first
                    if way != "byline" and words.are_in(names[0]):
                        evidence = *evidence, "words"
                    (maybe if way.startswith(_MAYBE) else shown).append(AuthorClue(source, authors, evidence))
                    first = ()
    if len({clue.key for clue in maybe}) == 1:  # several are those of other articles
        shown += maybe
    last = max(parts.get(TEXT, ()), default=-1)
    text = page.layout.blocks[last].text[: LONGEST_LINE + 1] if last >= 0 else ""
    read = signed_by if text.endswith(_CLOSING) else partial(signed_with_word, language=language)
    if len(text) <= LONGEST_LINE and (signed := read(text)) and (authors := _authors((), signed, stated)):
        shown.append(AuthorClue(BYLINE, authors, (f"{FOOT} labelled", *_kinds(authors, stated))))
    elsewhere: list[AuthorClue] = []
    outside = [block for block in by_block if not (is_apart(page, block, begin) or is_of_teaser(page, block))]
    for block in outside:
        marked = [mark for mark in by_block[block] if mark.kind != PERSON]
        names = [name for mark in marked for name in _names_of(mark.value, language)]
        if authors := _authors(marked, names, stated):
            way = "stated mark" if any(mark.stated for mark in marked) else "other mark"
            elsewhere.append(AuthorClue(MARKED, authors, (way, *_kinds(authors, stated))))
    keys, near = {clue.key for clue in elsewhere}, {clue.key for clue in shown}
    # those of a list of other articles, or of who keeps the whole site; they only support others
    if len(keys) > 1 or (near and near.isdisjoint(keys)):
        known = {clue.key for clue in stated_authors(stated)} | near
        elsewhere = [clue._replace(evidence=("one of several",)) for clue in elsewhere if clue.key in known]
    clues = *shown, *elsewhere
    return [clue for clue in clues if clue.is_near_title or not _is_logo(clue.authors, stated)]


def _is_logo(authors: Sequence[Author], stated: Statements) -> bool:
    """Return whether authors are the site, as its front page is linked: a link to whom it belongs."""
    site, front = letters(stated.site_name), stated.address("/")
    return all(author.url == front and letters(author.name) == site for author in authors)


def or_first_stated(
    clues: list[AuthorClue], page: PlacedLayout, main: Sequence[int], stated: Statements
) -> list[AuthorClue]:
    """Return clues, or the one that microdata states first, if its author is not that of a reply.

    That counts if nothing else is stated, and if there are no clues, or if the page is a discussion. There
    the authors of replies stand in and around the text.

    :param main: the blocks of the main text; an author counts that is not behind it, or of a discussion.
    """
    layout, is_discussion = page.layout, not DISCUSSION.isdisjoint(page.layout.stated)
    has_items = any(fact.startswith("type=") for fact in layout.stated)
    if stated.author_ways or not has_items or (clues and not is_discussion):
        return clues
    last = len(layout.blocks) - 1 if is_discussion else main[-1]
    first = next((mark for mark in islice(marks_in(layout, (AUTHOR,)), _MOST_MARKS) if mark.stated), None)
    if first is None or (block := block_at(layout, first.piece)) > last or is_in_reply(layout, block):
        return clues
    if "figcaption" in tags_of(page.places[block]):
        return clues
    authors = _authors([first], _names_of(first.value, stated.language), stated)
    return [AuthorClue(MARKED, authors, ("stated mark", *_kinds(authors, stated)))] if authors else clues


def marks_at(layout: Layout, marks: Iterable[Mark], known: Collection[int]) -> list[Mark]:
    """Return the marks that count where a layout is known well: those that are stated or at its places.

    Without a place, elements that may name an author count, too: nothing is learned from these.

    :param known: the blocks at the places of authors.
    """
    kinds = () if known else (PERSON,)
    return [
        mark for mark in marks if mark.stated or mark.kind in kinds or block_at(layout, mark.piece) in known
    ]


def _by_block(page: PlacedLayout, marks: Iterable[Mark]) -> dict[int, list[Mark]]:
    """Return marks by their blocks; stated authors in lines one behind the other by the first of these."""
    by_block: dict[int, list[Mark]] = {}
    for mark in marks:
        by_block.setdefault(block_at(page.layout, mark.piece), []).append(mark)
    begin = before = -2  # of no block, and before none
    for block in sorted(by_block):
        is_next = block == before + 1 and page.places[block] == page.places[before]
        is_next = is_next and all(mark.stated for mark in chain(by_block[begin], by_block[block]))
        if is_next and len(by_block[begin]) < _MOST_LINES:
            by_block[begin] += by_block.pop(block)
        else:
            begin = block
        before = block
    return by_block


class _Words:
    """The words of a text with small letters, of which no name consists.

    :param page: the page.
    :param blocks: the blocks of the text.
    """

    def __init__(self, page: PlacedLayout, blocks: Iterable[int]) -> None:
        self._page, self._blocks = page, blocks

    @cached_property
    def _text(self) -> str:
        return " ".join(["", *(self._page.layout.blocks[block].text for block in sorted(self._blocks))])

    def are_in(self, name: str) -> bool:
        """Return whether all words of a name are in the text with small letters, and not in an address."""
        return all(word.lower() != word and self._has(f" {word.lower()}") for word in name.split())

    def _has(self, word: str) -> bool:
        at = self._text.find(word)
        while at >= 0:
            behind = self._text[at + len(word) : at + len(word) + 2]
            if not (
                behind[:1].isalnum() or behind[:1] == "@" or (behind[:1] == "." and behind[1:].isalnum())
            ):
                return True
            at = self._text.find(word, at + 1)
        return False


def _with_gaps(page: PlacedLayout, block: int, text: str, language: str) -> str:
    """Return a text that may be a byline, with a sign where one inline element ends and the next one begins.

    Style sheets move such elements apart, where the source has no space between them.
    """
    known = *before_authors(language), REPORTER
    if len(text) > _LONGEST_LINE or not any(map(text.casefold().__contains__, known)):
        return text
    line = line_of(page.layout, block)
    if not _GAP.search(line):
        return text
    return fold(unescape(TAG.sub("", _GAP.sub(" | ", line)))) or text


def _names_at(
    page: PlacedLayout,
    part: str,
    block: int,
    marks: Sequence[Mark],
    days_of: Callable[[], Sequence[int]],
    language: str,
) -> Iterator[tuple[str, list[str]]]:
    """Yield the names in a block, each time with how it names them."""
    text = _with_gaps(page, block, page.layout.blocks[block].text, language)
    is_title = not HEADINGS.isdisjoint(tags_of(page.places[block]))
    if marks:
        # a second link to the same page may be "View all"
        marks = [*{mark.url or mark.piece: mark for mark in reversed(marks)}.values()][::-1]
        stated = [mark for mark in marks if mark.stated]
        named = stated or writers(page, block, [mark for mark in marks if mark.kind != PERSON])
        names = [name for mark in named for name in _names_of(mark.value, language)]
        way = "stated mark" if stated else "mark"
        if not names and part in (HEAD, OPENING):
            names, way = [name for mark in marks for name in _persons(mark.value, language)], f"{_MAYBE}mark"
        if names:
            whole = [name for name in names if capitals(name, language) == name]  # no "See all articles"
            yield way, [*dict.fromkeys(whole or names)]
    if len(text) > _LONGEST_LINE or page.layout.blocks[block].weight > LONGEST_LINE:
        return
    if part == FOOT and (signed := signed_by(text)):
        yield "labelled", [*signed]
        return
    way, shown = _named_in(text, language, is_title=is_title)
    if way == "user":  # only the markup tells where its name ends
        way, shown = "byline", names_in_byline(TAG.sub(" | ", line_of(page.layout, block)), language)
    elif shown and way == "bare":
        before = page.layout.blocks[block - 1].text.strip(" :").casefold() if block else ""
        label = before.split()
        if label and len(label) <= LABEL_WORDS and label[-1] in before_authors(language):
            way = "labelled"
        elif part in (HEAD, OPENING) and any(abs(block - day) <= _BESIDE for day in days_of()):
            way = "beside" if leads_to(page.layout, block, shown[0]) else way
    if marks:  # "Ann Lee Editor", of which "Ann Lee" is marked
        shown = [next((marked for marked in names if name.startswith(f"{marked} ")), name) for name in shown]
    if way in ("beside", "dated") and _is_listed(page, block, shown):
        return
    if shown and way != "bare" and not (way == "dated" and part == FOOT):
        yield way, [*shown]


def _is_listed(page: PlacedLayout, block: int, names: Sequence[str]) -> bool:
    """Return whether a line above, in a list of links, is all of the names: that of a part of the site."""
    above = page.layout.blocks[:block]
    return any(other.text in names and page.leading[other.node] for other in above)


@lru_cache(maxsize=1 << 10)  # around titles and texts, pages of a site have many lines in common
def _named_in(text: str, language: str, *, is_title: bool) -> tuple[str, Sequence[str]]:
    """Return the names in a short line, and how it names them; no names if it may name none.

    ``byline``: behind a word for authors; ``user``: so, but it is not clear where the name ends; ``bare``:
    nothing but names; ``dated``: nothing but names and a day.

    :param is_title: whether it is a heading. In one, the word may stand for anything, unless it comes first.
    """
    has_day, known = bool(days_in(text, language, DAY_FIRST)), before_authors(language)
    if names := names_in_byline(text, language):  # a word for a reporter may stand behind the name
        says_so = has_day or ":" in text or says_published(text) or text.split()[0].casefold() in known
        is_word = " " not in names[0] and (is_handle(names[0]) or names[0].lower() != names[0])
        if not says_so and (is_title or is_word):
            return "byline", ()  # neither a user nor a person: "Learn by doing", "Entfernung von Algen"
        return "labelled" if text.startswith(names[0]) else "byline", names
    if has_day and any(map(text.casefold().__contains__, known)):
        return "user", ()
    return ("dated", names_by_day(text, language)) if has_day else ("bare", bare_names(text, language))


@lru_cache(maxsize=1 << 7)  # the pages of a site have few authors
def _names_of(text: str, language: str) -> tuple[str, ...]:
    """Return the names in the text of a marked element: of all, or of those of its lines that are names."""
    last = text.casefold().split()[-1:]
    if says_changed(text) or (last and last[0].strip(":") in before_authors(language)) or _is_label(text):
        return ()
    if APART not in text:
        return (*(names_in_byline(text, language) or names_in(before_day(text, language), language)),)
    lines, names = text.split(APART), list[str]()
    for line in lines if len(lines) <= _MOST_LINES else ():
        if line.strip(" :").casefold() in LABELS:
            continue
        if names and not all(map(is_bare_name, names)):  # a user, then a rank
            break
        more = _persons(line, language) if names else _names_of(line.strip(f"{SIGNS}/»"), language)
        names += [name for name in more if " " not in name or capitals(name, language) == name]
    return (*names,)


def _persons(text: str, language: str) -> tuple[str, ...]:
    """Return the names of which the text of an element consists that may name authors."""
    names = _names_of(text, language)
    return names if all(is_bare_name(name) and not is_role(name) for name in names) else ()


def _is_label(text: str) -> bool:
    """Return whether a text only says that something was published: "Posted on"."""
    words = text.split()
    return (
        0 < len(words) <= LABEL_WORDS
        and says_published(words[0])
        and (len(words) == 1 or words[1][:1].islower())
    )


def _authors(marks: Sequence[Mark], names: Sequence[str], stated: Statements) -> tuple[Author, ...]:
    """Return authors with their links, if a mark has one."""
    urls = {mark.value.partition(APART)[0].strip(): stated.address(mark.url) for mark in marks if mark.url}
    kept = stated.without_site([*dict.fromkeys(map(stated.without_employer, names))])
    return tuple(Author(name, urls.get(name) or None) for name in kept)


def _kinds(authors: Sequence[Author], stated: Statements) -> Iterator[str]:
    """Yield what names are."""
    site = letters(stated.site_name)
    for author in authors:
        simple = letters(author.name)
        if site and (simple == site or (len(simple) > 3 and (simple in site or site in simple))):
            yield "site"
        if is_handle(author.name):
            yield "handle"
        if len([word for word in author.name.split() if word not in PARTICLES]) > _MOST_WORDS:
            yield "long"


def is_handle(name: str) -> bool:
    """Return whether a name is that of a user, as "admin", "ann42" or "@ann"."""
    return name.isascii() and " " not in name and (not name.isalpha() or name.islower())


def authors_by_key(clues: Iterable[AuthorClue]) -> dict[str, frozenset[str]]:
    """Return what speaks for and against each candidate."""
    evidence: dict[str, set[str]] = {}
    for clue in clues:
        evidence.setdefault(clue.key, set()).update(clue.evidence)
    return {key: frozenset(reasons) for key, reasons in evidence.items()}


def likeliest_authors(clues: Sequence[AuthorClue]) -> AuthorClue | None:
    """Return the way that names the likeliest authors, with a link of each if one is known; None: none is."""
    key = likeliest(authors_by_key(clues), field_weights("author_weights.json"))
    ways = [clue for clue in clues if clue.key == key] if key else []
    if not ways:
        return None
    urls = {
        author.name.casefold(): author.url for clue in reversed(ways) for author in clue.authors if author.url
    }
    authors = [Author(name, url or urls.get(name.casefold())) for name, url in ways[0].authors]
    return ways[0]._replace(authors=tuple(authors))
