"""Decide who wrote an article: among those whom its page states, marks, or names in a byline, or nobody.

Each way to name the authors gives a candidate, and ways that name the same ones add up. The evidence is who
names them, where, and what else the names are: the site's own, or no full name. The choice is that of
``publication.py``, with weights of its own (``author_weights.json``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from ..page.addresses import split_page
from ..page.facts import DISCUSSION
from ..page.marks import APART, AUTHOR, PERSON, Mark, block_at, is_in_reply, marks_in
from ..page.names import DEGREE, PARTICLES, is_bare_name, says_author, says_other_part
from ..page.statements import Statements
from ..page.text import letters, words_of
from ..site.placed import PlacedLayout
from ..site.threads import tags_of
from ..values import Author, Layout
from .byline_names import LABEL_WORDS, LONGEST_LINE, reporters_in_lead
from .bylines import (
    MAYBE,
    MOST_LINES,
    is_apart,
    is_handle,
    is_of_teaser,
    names_at,
    names_of_mark,
    signed_by,
    signed_with_label,
    signed_with_word,
)
from .publication import MARKED, STATED, field_weights, likeliest
from .surroundings import ABOVE, FOOT, HEAD, OPENING, TEXT

#: The evidence of authors who are stated for libraries: it decides alone.
_CITED = "cited"
#: The kinds of marks that may name authors.
BYLINES = AUTHOR, PERSON
#: Where authors may come from, in the words of ``--explain``.
BYLINE = "a byline"
#: Few names have more words, without the degrees behind them.
_MOST_WORDS, _DEGREES = 4, re.compile(f"(?:, {DEGREE.pattern})+$")
#: So many of the last lines of a text may be signed; so many lines before it are in a list of who did what.
_SIGNED, _LISTED = 3, 12
#: The name of a host.
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,5}")
#: So many marks of a page may name authors.
_MOST_MARKS = 500


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
        if kind != "link" or not (_is_logo(authors, stated) or _is_credit(authors, stated)):
            is_cited = kind == "meta" and stated.is_cited
            yield AuthorClue(STATED, authors, (kind, *_kinds(authors, stated), *([_CITED] * is_cited)))


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
            where = {"is_near": part in (HEAD, OPENING), "is_below": part == FOOT}
            ways = [*names_at(page, block, own_marks, days_of, language, **where)]
            whole = {*ways[-1][1]} if ways and ways[-1][0] == "byline" else set[str]()
            for way, names in ways:
                if {*names} < whole and all(map(is_bare_name, whole)):
                    continue  # of several authors one has a page
                titles = titles or {*map(letters, (page.title, page.layout.title_element))}
                names = [name for name in names if letters(name) not in titles and "@" not in name[1:]]
                if authors := _authors(own_marks, names, stated):
                    source = MARKED if "mark" in way else BYLINE
                    evidence = f"{part} {way.removeprefix(MAYBE)}", *_kinds(authors, stated), *first
                    if way != "byline" and words.are_in(names[0]):
                        evidence = *evidence, "words"
                    (maybe if way.startswith(MAYBE) else shown).append(AuthorClue(source, authors, evidence))
                    first = ()
    if len({clue.key for clue in maybe}) == 1:  # several are those of other articles
        shown += maybe
    if not shown:
        shown += _listed(page, begin, stated)
    shown += _signed(page, parts.get(TEXT, ()), stated)
    elsewhere: list[AuthorClue] = []
    outside = [block for block in by_block if not (is_apart(page, block, begin) or is_of_teaser(page, block))]
    for block in outside:
        marked = [mark for mark in by_block[block] if mark.kind != PERSON]
        names = [name for mark in marked for name in names_of_mark(mark.value, language)]
        authors = _authors(marked, names, stated)
        if authors and not _is_credit(authors, stated):
            way = "stated mark" if any(mark.stated for mark in marked) else "other mark"
            elsewhere.append(AuthorClue(MARKED, authors, (way, *_kinds(authors, stated))))
    keys, near = {clue.key for clue in elsewhere}, {clue.key for clue in shown}
    # those of a list of other articles, or of who keeps the whole site; they only support others
    if len(keys) > 1 or (near and near.isdisjoint(keys)):
        known = {clue.key for clue in stated_authors(stated)} | near
        elsewhere = [clue._replace(evidence=("one of several",)) for clue in elsewhere if clue.key in known]
    clues = *shown, *elsewhere
    return [clue for clue in clues if clue.is_near_title or not _is_logo(clue.authors, stated)]


def _listed(page: PlacedLayout, text: int, stated: Statements) -> Iterator[AuthorClue]:
    """Yield the only author below a label in a list between title and text: "Written by", "Reviewed by".

    :param text: the first block of the text.
    """
    layout, language, names = page.layout, stated.language, set[str]()
    for block in range(max(0, text - _LISTED), text - 1):
        label = layout.blocks[block].text.strip(" :")
        is_label = label.count(" ") < LABEL_WORDS and page.leading[layout.blocks[block].node]
        if is_label and says_author(label, language) and not says_other_part(label, language):
            names.add(layout.blocks[block + 1].text)
    if len(names) == 1 and all(map(is_bare_name, names)) and (authors := _authors((), [*names], stated)):
        yield AuthorClue(BYLINE, authors, (f"{HEAD} labelled", *_kinds(authors, stated)))


def _signed(page: PlacedLayout, text: Collection[int], stated: Statements) -> Iterator[AuthorClue]:
    """Yield who signed the last lines of a text, and the reporters in its lead."""
    if not text:
        return
    language, first, last = stated.language, min(text), max(text)
    lines = range(max(first, last - _SIGNED + 1), last + 1)
    signers = (_signers(page.layout.blocks[at].text, language, is_last=at == last) for at in lines)
    lead = reporters_in_lead(page.layout.blocks[first].text)
    for names, place in ((next(filter(None, signers), ()), FOOT), (lead, OPENING)):
        if authors := _authors((), names, stated):
            yield AuthorClue(BYLINE, authors, (f"{place} labelled", *_kinds(authors, stated)))


def _signers(text: str, language: str, *, is_last: bool) -> Sequence[str]:
    """Return the names with which one of the last lines of a text is signed."""
    if len(text) > LONGEST_LINE:
        return ()
    if is_last:
        return signed_by(text) or signed_with_word(text, language) or signed_with_label(text, language)
    return signed_with_label(text, language)


def _is_logo(authors: Sequence[Author], stated: Statements) -> bool:
    """Return whether authors are the site, as its front page is linked: a link to whom it belongs."""
    site, front = letters(stated.site_name), stated.address("/")
    return all(author.url == front and letters(author.name) == site for author in authors)


def _is_credit(authors: Sequence[Author], stated: Statements) -> bool:
    """Return whether authors are links to the front pages of other sites: those of who made a template."""
    home = split_page(stated.address("/"))[0]
    targets = [split_page(author.url or "") for author in authors]
    return all(host not in ("", home) and path in ("", "/") and not query for host, path, query in targets)


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
    authors = _authors([first], names_of_mark(first.value, stated.language), stated)
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
        if is_next and len(by_block[begin]) < MOST_LINES:
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
        if _HOST.fullmatch(author.name) or (
            site and (simple == site or (len(simple) > 3 and (simple in site or site in simple)))
        ):
            yield "site"
        if is_handle(author.name):
            yield "handle"
        words = _DEGREES.sub("", author.name).split()
        if len([word for word in words if word not in PARTICLES]) > _MOST_WORDS:
            yield "long"


def _with_all(clues: Sequence[AuthorClue]) -> Iterator[AuthorClue]:
    """Yield clues; those of some authors of a byline with its others, if marks name these, too.

    What states the first author alone, and a box about one of them, do not say that there are no others.
    """
    marked, lines = ({clue.key for clue in clues if clue.source == source} for source in (MARKED, BYLINE))
    wholes = [clue for clue in clues if clue.authors[1:] and clue.key in marked & lines]
    for clue in clues:
        names = {*clue.names}
        yield next((clue._replace(authors=all_.authors) for all_ in wholes if names < {*all_.names}), clue)


def authors_by_key(clues: Iterable[AuthorClue]) -> dict[str, frozenset[str]]:
    """Return what speaks for and against each candidate."""
    evidence: dict[str, set[str]] = {}
    for clue in clues:
        evidence.setdefault(clue.key, set()).update(clue.evidence)
    return {key: frozenset(reasons) for key, reasons in evidence.items()}


def likeliest_authors(clues: Sequence[AuthorClue]) -> AuthorClue | None:
    """Return the way that names the likeliest authors, with a link of each if one is known; None: none is."""
    clues = [*_with_all(clues)]
    cited = next((clue.key for clue in clues if _CITED in clue.evidence), "")
    key = cited or likeliest(authors_by_key(clues), field_weights("author_weights.json"))
    ways = [clue for clue in clues if clue.key == key] if key else []
    if not ways:
        return None
    urls = {
        author.name.casefold(): author.url for clue in reversed(ways) for author in clue.authors if author.url
    }
    authors = [Author(name, url or urls.get(name.casefold())) for name, url in ways[0].authors]
    return ways[0]._replace(authors=tuple(authors))
