"""Decide who wrote an article: among those whom its page states, marks, or names in a byline, or nobody.

Each way to name the authors gives a candidate, and ways that name the same ones add up. The evidence is who
names them, where, and what else the names are: the site's own, or no full name. The choice is that of
``publication.py``, with weights of its own (``author_weights.json``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, islice
from typing import NamedTuple

from ..page.marks import APART, AUTHOR, PERSON, Mark, block_at, marks_in
from ..page.names import DEGREE, PARTICLES, is_bare_name, says_author, says_other_part
from ..page.statements import Statements
from ..page.text import letters, words_of
from ..site.placed import PlacedLayout
from ..values import Author, Layout
from .byline_names import LABEL_WORDS
from .bylines import MAYBE, MOST_LINES, is_apart, is_handle, is_of_teaser, names_at, names_of_mark
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
#: Those that a page states, as of an office; more words say what a site is for.
_MOST_STATED = 8
#: So many lines before a text are in a list of who did what.
_LISTED = 12
#: What stands behind letters that are no whole word, or part of an address.
_GOES_ON = re.compile(r"\w|@|\.\w")
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
        is_cited = kind == "meta" and stated.is_cited
        kinds = _kinds(authors, stated, is_stated=True)
        yield AuthorClue(STATED, authors, (kind, *kinds, *([_CITED] * is_cited)))


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
    titles = {*map(letters, (page.title, page.layout.title_element))}  # they name nobody
    by_block = _by_block(page, (mark for mark in marks if letters(mark.value) not in titles))
    shown, maybe = list[AuthorClue](), list[AuthorClue]()
    body = parts[TEXT] or parts[OPENING]  # the only line of a text may be one with the day
    text, begin = cache(partial(_text_of, page, body)), min(body)
    for part in (HEAD, OPENING, ABOVE, FOOT):
        first: tuple[str, ...] = ("first",)
        for block in sorted(parts[part]):
            own_marks = by_block.pop(block, ())
            if is_apart(page, block, begin) or (part == FOOT and is_of_teaser(page, block)):
                continue
            is_near = part in (HEAD, OPENING)
            for way, names in names_at(page, block, own_marks, days_of, language, is_near=is_near):
                if part == FOOT and way == "dated":
                    continue
                names = [name for name in names if letters(name) not in titles and "@" not in name[1:]]
                if authors := _authors(own_marks, names, stated):
                    source = MARKED if "mark" in way else BYLINE
                    evidence = f"{part} {way.removeprefix(MAYBE)}", *_kinds(authors, stated), *first
                    if way != "byline" and _are_words(names[0], text):
                        evidence = *evidence, "words"
                    (maybe if way.startswith(MAYBE) else shown).append(AuthorClue(source, authors, evidence))
                    first = ()
    if len({clue.key for clue in maybe}) == 1:  # several are those of other articles
        shown += maybe
    if not shown:
        shown += _listed(page, begin, stated)
    if not (shown or stated.author_ways):  # the last line of a text may say it, too
        names = dict(names_at(page, max(body), (), days_of, language, is_near=False)).get("byline", [])
        if authors := _authors((), names, stated):
            shown.append(AuthorClue(BYLINE, authors, (f"{FOOT} byline", *_kinds(authors, stated))))
    elsewhere: list[AuthorClue] = []
    outside = [block for block in by_block if not (is_apart(page, block, begin) or is_of_teaser(page, block))]
    for block in outside:
        marked = [mark for mark in by_block[block] if mark.kind != PERSON]
        names = [name for mark in marked for name in names_of_mark(mark.value, language)]
        authors = _authors(marked, names, stated)
        if authors:
            elsewhere.append(AuthorClue(MARKED, authors, ("other mark", *_kinds(authors, stated))))
    keys = {clue.key for clue in elsewhere}
    known = {clue.key for clue in (*stated_authors(stated), *shown)}
    # those of a list of other articles, or of who keeps the whole site; they only support others
    if len(keys) > 1 or (known and known.isdisjoint(keys)):
        elsewhere = [clue._replace(evidence=("one of several",)) for clue in elsewhere if clue.key in known]
    return [*shown, *elsewhere]


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


def or_first_stated(
    clues: list[AuthorClue], page: PlacedLayout, main: Sequence[int], stated: Statements
) -> list[AuthorClue]:
    """Return clues; if there are none and nothing is stated, the author whom microdata states first.

    :param main: the blocks of the main text; an author counts that is not behind it.
    """
    layout = page.layout
    has_items = any(fact.startswith("type=") for fact in layout.stated)
    if clues or stated.author_ways or not has_items:
        return clues
    first = next((mark for mark in islice(marks_in(layout, (AUTHOR,)), _MOST_MARKS) if mark.stated), None)
    if first is None or (block := block_at(layout, first.piece)) > main[-1] or is_apart(page, block):
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


def _text_of(page: PlacedLayout, blocks: Iterable[int]) -> str:
    """Return the text of blocks, with a space before each word."""
    return " ".join(["", *(page.layout.blocks[block].text for block in sorted(blocks))])


def _are_words(name: str, text: Callable[[], str]) -> bool:
    """Return whether a text has all words of a name with small letters: none consists of such words.

    Those of an address do not count.
    """
    return all(
        word.lower() != word
        and any(not _GOES_ON.match(behind) for behind in text().split(f" {word.lower()}")[1:])
        for word in name.split()
    )


def with_links(
    names: Sequence[str], stated: Statements, marks: Callable[[], Iterable[Mark]]
) -> tuple[Author, ...]:
    """Return authors with the links that the page states, or that their marks have.

    :param marks: gives the marks; asked only if the page states no link of one of them.
    """
    urls = {name: url for name, url in stated.authors if url}
    if not urls.keys() >= {*names}:
        urls = _links_of(marks(), stated) | urls
    return tuple(Author(name, urls.get(name)) for name in names)


def _links_of(marks: Iterable[Mark], stated: Statements) -> dict[str, str]:
    """Return where marked names lead to."""
    urls = {mark.value.partition(APART)[0].strip(): stated.address(mark.url) for mark in marks if mark.url}
    return {name: url for name, url in urls.items() if url}


def _authors(marks: Sequence[Mark], names: Sequence[str], stated: Statements) -> tuple[Author, ...]:
    """Return authors with their links, if a mark has one."""
    urls = _links_of(marks, stated)
    kept = stated.without_site([*dict.fromkeys(map(stated.without_employer, names))])
    return tuple(Author(name, urls.get(name)) for name in kept)


def _kinds(authors: Sequence[Author], stated: Statements, *, is_stated: bool = False) -> Iterator[str]:
    """Yield what names are.

    :param is_stated: whether programs are told that they are names. Then many words, as those of an office,
        are too long only if they are very many, or most of them begin with a small letter, as in a sentence.
    """
    site = letters(stated.site_name)
    for author in authors:
        simple = letters(author.name)
        if site and (simple in site or site in simple):
            yield "site"
        if is_handle(author.name):
            yield "handle"
        words = [word for word in _DEGREES.sub("", author.name).split() if word not in PARTICLES]
        is_sentence = 2 * sum(word[0].islower() for word in words) > len(words)
        is_sentence = is_sentence or " - " in author.name or ":" in author.name
        most = _MOST_STATED if is_stated and not is_sentence else _MOST_WORDS
        if len(words) > most:
            yield "long"


def authors_by_key(clues: Iterable[AuthorClue]) -> dict[str, frozenset[str]]:
    """Return what speaks for and against each candidate."""
    evidence: dict[str, set[str]] = {}
    for clue in clues:
        evidence.setdefault(clue.key, set()).update(clue.evidence)
    return {key: frozenset(reasons) for key, reasons in evidence.items()}


def likeliest_authors(clues: Sequence[AuthorClue]) -> AuthorClue | None:
    """Return the way that names the likeliest authors, with a link of each if one is known; None: none is."""
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
