"""Tell whom a line of a page names as an author: by marks, behind a word such as "by", or alone.

A byline is a short line with a word that stands before authors, and behind it words that begin with capitals,
as far as the script has them. A name may also stand alone beside the day. A line of a caption, a quotation or
a teaser names others, and so do words such as "edited by".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from html import unescape

from ..page.calendars import DAY_FIRST, days_in
from ..page.days import says_changed, says_published
from ..page.lines import line_of
from ..page.marks import APART, PERSON, Mark, leads_to
from ..page.names import (
    LABELS,
    SIGNS,
    before_authors,
    capitals,
    is_bare_name,
    is_role,
    names_in,
    says_other_part,
)
from ..page.tags import HEADINGS, OF_OTHERS
from ..page.text import TAG, fold
from ..site.paths import tag_of
from ..site.placed import PlacedLayout
from ..site.threads import tags_of
from .byline_names import (
    LABEL_WORDS,
    LONGEST_LINE,
    REPORTER,
    bare_names,
    before_day,
    names_by_day,
    names_in_byline,
)

#: The begin of a way to name those of whom it is not sure that they are authors.
MAYBE = "maybe "
#: A byline has so many characters, with its signs.
_LONGEST_LINE = 300
#: So many words before a marked name may say what somebody has done.
_LABEL_END = 3
#: A bare name is so near to the line with the day, in blocks.
_BESIDE = 2
#: Where an inline element ends, and the next one begins, without a space.
_GAP = re.compile(r"(?<=[^\s<>])(?:</[^<>]*>)+(?:<[^/<>][^<>]*>)+(?=[^\s<>])")
#: Two words with capitals, and behind them a link, or the next element, that begins with one.
_NEXT_PART = re.compile(
    r"(?<![\w'’.-])([^\W\d_a-z][\w'’.-]*+\s[^\W\d_a-z][\w'’.-]*+)"
    r"(?=(?:\s?(?:</[^<>]*>)+\s?<[^/<>]|\s<a\b)[^<>]*>(?:<[^/<>][^<>]*>|\s)*[^\W\d_a-z])"
)
#: What leads to more of an author, or counts it, and is no name though it may have capitals.
_LEADS_ON = re.compile(
    r"(?i)\W*(?:(?:all|full|more|read|see|view|visit)\s(?:[\w’']+\s){0,3}"
    r"(?:archives?|articles?|bio|biography|more|page|posts?|profile|stories|website)"
    r"|(?:learn|read|see|view)\s(?:all|more)|(?:her|his|their)\s.*|\d[\d.,]*\s[^\W\d]+)"
)
#: So many lines of a marked element may have the names of authors.
MOST_LINES = 12


def _with_gaps(page: PlacedLayout, block: int, text: str, language: str) -> str:
    """Return a text that may be a byline, with a sign where one inline element ends and the next one begins.

    Style sheets move such elements apart, where the source has no space between them. Where it has one, an
    element behind a full name is something else.
    """
    known = *before_authors(language), REPORTER, ":"
    if len(text) > _LONGEST_LINE or not any(map(text.casefold().__contains__, known)):
        return text
    line = line_of(page.layout, block)
    apart = _NEXT_PART.sub(
        lambda name: name[1] if name[1].split()[0].casefold() in known else f"{name[1]} | ",
        _GAP.sub(" | ", line),
    )
    return text if apart == line else fold(unescape(TAG.sub("", apart))) or text


def names_at(
    page: PlacedLayout,
    block: int,
    marks: Sequence[Mark],
    days_of: Callable[[], Sequence[int]],
    language: str,
    *,
    is_near: bool,
) -> Iterator[tuple[str, list[str]]]:
    """Yield the names in a block, each time with how it names them.

    :param marks: the marked elements in it.
    :param days_of: returns the blocks near the title with a day.
    :param is_near: whether it stands near the title.
    """
    text = _with_gaps(page, block, page.layout.blocks[block].text, language)
    is_title = not HEADINGS.isdisjoint(tags_of(page.places[block]))
    if marks:
        # a second link to the same page may be "View all"
        marks = [*{mark.url or mark.piece: mark for mark in reversed(marks)}.values()][::-1]
        stated = [mark for mark in marks if mark.stated]
        marks = stated or [mark for mark in marks if not _has_other_part(mark, text, language)]
        if not marks:
            return
        named = (mark for mark in marks if mark.stated or mark.kind != PERSON)
        names = [name for mark in named for name in names_of_mark(mark.value, language)]
        way = "stated mark" if stated else "mark"
        if not names and is_near:
            names, way = [name for mark in marks for name in _persons(mark.value, language)], f"{MAYBE}mark"
        if names:
            whole = [name for name in names if capitals(name, language) == name]  # no "See all articles"
            yield way, [*dict.fromkeys(whole or names)]
    if len(text) > _LONGEST_LINE or page.layout.blocks[block].weight > LONGEST_LINE:
        return
    way, shown = _named_in(text, language, is_title=is_title)
    if way == "user":  # only the markup tells where its name ends
        way, shown = "byline", names_in_byline(TAG.sub(" | ", line_of(page.layout, block)), language)
    elif shown and way == "bare":
        before = page.layout.blocks[block - 1].text.strip(" :").casefold() if block else ""
        label = before.split()
        if label and len(label) <= LABEL_WORDS and label[-1] in before_authors(language):
            way = "bare" if says_other_part(before, language) else "labelled"
        elif is_near and any(abs(block - day) <= _BESIDE for day in days_of()):
            is_person = not says_other_part(shown[0], language) and leads_to(page.layout, block, shown[0])
            way = "beside" if is_person else way
    if marks:  # "Ann Lee Editor", of which "Ann Lee" is marked
        shown = [next((marked for marked in names if name.startswith(f"{marked} ")), name) for name in shown]
    if shown and way != "bare":
        yield way, [*shown]


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
        return "byline", names
    if has_day and any(map(text.casefold().__contains__, known)):
        return "user", ()
    return ("dated", names_by_day(text, language)) if has_day else ("bare", bare_names(text, language))


@lru_cache(maxsize=1 << 7)  # the pages of a site have few authors
def names_of_mark(text: str, language: str) -> tuple[str, ...]:
    """Return the names in the text of a marked element: of all, or of those of its lines that are names."""
    last = text.casefold().split()[-1:]
    is_label = bool(last) and last[0].strip(":") in before_authors(language)
    if is_label or says_changed(text) or _LEADS_ON.fullmatch(text):
        return ()
    if APART not in text:
        return (*(names_in_byline(text, language) or names_in(before_day(text, language), language)),)
    lines, names = text.split(APART), list[str]()
    for line in lines if len(lines) <= MOST_LINES else ():
        if line.strip(" :").casefold() in LABELS:
            continue
        if names and not all(map(is_bare_name, names)):  # a user, then a rank
            break
        more = _persons(line, language) if names else names_of_mark(line.strip(f"{SIGNS}/»"), language)
        names += [name for name in more if " " not in name or capitals(name, language) == name]
    return (*names,)


def _persons(text: str, language: str) -> tuple[str, ...]:
    """Return the names of which the text of an element consists that may name authors."""
    names = names_of_mark(text, language)
    return names if all(is_bare_name(name) and not is_role(name) for name in names) else ()


def is_handle(name: str) -> bool:
    """Return whether a name is that of a user, as "admin", "ann42" or "@ann"."""
    return name.isascii() and " " not in name and (not name.isalpha() or name.islower())


def is_apart(page: PlacedLayout, block: int, text: int = -1) -> bool:
    """Return whether a line is in a caption, or in a quotation in which the text is not, and names others.

    :param text: the first block of the text; -1: it is not known.
    """
    around = {tag_of(step) for step in page.places[text].split("/")} if text >= 0 else set()
    return not (OF_OTHERS - around).isdisjoint(map(tag_of, page.places[block].split("/")))


def is_of_teaser(page: PlacedLayout, block: int, article: Collection[int] = ()) -> bool:
    """Return whether a heading that is a link, but is none of the article's, stands beside a line.

    :param article: blocks of the article. Its title is one.
    """
    blocks, steps = page.layout.blocks, page.layout.steps
    if steps[blocks[block].node].tag in HEADINGS:
        return False
    beside = [blocks[at] for at in (block - 1, block + 1) if 0 <= at < len(blocks) and at not in article]
    return any(
        steps[other.node].tag in HEADINGS and not other.plain and not page.names_page(other.text)
        for other in beside
    )


def _has_other_part(mark: Mark, text: str, language: str) -> bool:
    """Return whether the words before a marked name say something else than writing: "Checked by Ann Lee"."""
    label = " ".join(text.partition(mark.value)[0].split()[-_LABEL_END:])
    return says_other_part(label, language) or says_changed(label)


def is_of_other_part(before: str) -> bool:
    """Return whether the words before a name, in a line with its tags, say that it is none of an author.

    >>> is_of_other_part("By <a>Ann Lee</a> Edited by <a>"), is_of_other_part("By <a>")
    (True, False)
    """
    label = TAG.sub("|", before).rstrip("| ").rpartition("|")[2]
    return says_other_part(label, "") or says_changed(label)
