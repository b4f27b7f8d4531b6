"""Find the time of an article's publication where its page shows it: in marked elements, and in lines.

A page shows several times: of the publication, of a change, of the day on which a paper was received. The
words beside them tell which is which. If they do not, the earliest of the times that stand together counts:
nothing is changed before it is published. An element that states its time to programs is surer than the words
in it, and what stands beside the title is surer than what stands in the text.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import NamedTuple

from lxml import etree, html

from ..page.calendars import days_in
from ..page.days import is_stamp
from ..page.marks import AGE, PUBLISHED, TIME, Mark, block_at, line_with
from ..page.text import iso_time
from ..site.placed import PlacedLayout
from ..values import NO_XML

logger = logging.getLogger(__name__)

#: Where a time may come from, in the words of ``--explain``.
STATED, MARKED, LINE = "stated", "a marked element", "a line with a date"

#: So many blocks before the main text, above its title, and after it may have a line with its date.
_NEAR_BEFORE, _ABOVE, _NEAR_AFTER = 5, 2, 3
#: A line with a date weighs at most this, with names and topics.
_LINE = 100
#: The first line of the main text is a date if it has at most this number of words.
_DATE_ALONE = 4
#: A block of so many words may be the label of the time in the next one.
_LABEL_WORDS = 3
#: Bound: so many characters of a block are read, and so many of its times.
_LONGEST_BLOCK, _MOST_TIMES = 1_500, 50
#: Bound: number of characters of a line that are read, as in htmldate itself.
_LONGEST = 52
#: The latest possible date. It is fixed: the present would make the result depend on the day of the run.
_LATEST = datetime(2039, 12, 31)
_NUMBER, _TIME_OF_DAY = re.compile(r"\d+"), re.compile(r"\d{1,2}(?::\d{2})+")
_TAG = re.compile(r"<[^<>]*>")
_DAY = len("2014-05-06")

#: How a word begins, in many languages, that says of a time that it is that of the publication ...
_SAYS_PUBLISHED = re.compile(
    "publi|pubbli|opubl|gepubl|posted|postat|geplaatst|issued|released|erschien|veröffentl|erstellt|udgiv|utgiv|"
    "utgitt|inlagd|julkais|avalda|paskelb|megjelen|közzét|zveřejn|zverejn|vydán|objav|yayın|yayım|δημοσι|опублик|"
    "опублік|публик|објав|đăng|terbit|dipubl|เผยแพร่|โพสต์|发布|發布|發佈|发表|發表|刊登|掲載|公開|投稿|게시|등록|입력|"
    "발행|نشر|انتشار|פורסם|प्रकाशित|প্রকাশ"
)
#: ... or that of a change.
_SAYS_CHANGED = re.compile(
    "modif|updat|revis|edit|corrected|aktuali|actuali|atuali|aggiorn|geändert|bearbeit|überarb|bijgew|gewijzigd|"
    "uppdat|oppdat|opdat|ändrad|endret|ændret|päivit|muokat|güncel|обнов|изменен|отредакт|онов|змінен|ажур|ažur|"
    "posodob|izmen|frissít|módosít|ενημ|τροποπ|cập nhật|diperbar|แก้ไข|อัปเดต|อัพเดต|更新|修改|修正|編集|改訂|"
    "수정|갱신|تحديث|تعديل|روزرسانی|ویرایش|עודכן|עדכון|अपडेट|अद्यतन|হালনাগাদ|আপডেট|atnaujin|atjaun|uuend|"
    "mis à jour"
)


class ShownTime(NamedTuple):
    """A time that a page shows.

    :param source: where it comes from.
    :param time: in ISO 8601.
    :param raw: the text that it was read from.
    :param block: the index of its block.
    :param label: the words beside it.
    """

    source: str
    time: str
    raw: str
    block: int
    label: str = ""


def shown_times(
    page: PlacedLayout,
    main: Sequence[int],
    sub: Sequence[int],
    title: str,
    marks_of: Callable[[str, range | None], Sequence[Mark]],
    language: str = "",
    *,
    lines: bool = False,
) -> Iterator[ShownTime]:
    """Yield the times that may be that of the publication, the surest first.

    :param main: the indexes of the blocks of the main text.
    :param sub: those of the supplementary sections.
    :param title: the path of the title; empty: the page shows none.
    :param marks_of: returns the marks of a kind in and around the main text, or only those in some blocks.
    :param lines: read lines of text, too; needs the extra ``dates``.

    First elements that are marked as the publication's: in and before the text, and below it if they agree;
    several are those of other articles. Then what stands around the title, in the text, and below it.
    """
    layout = page.layout
    timed = _timed(page, marks_of(TIME, None))
    marked = [(mark, block, time) for mark, block, time in timed if mark.kind == PUBLISHED]
    below = {time[:_DAY] for _, block, time in marked if block > main[-1]}
    for mark, block, time in marked:
        if block <= main[-1] or len(below) == 1:
            yield ShownTime(MARKED, time, mark.value, block)
    by_block: dict[int, list[tuple[Mark, str]]] = {}
    ages = _timed(page, marks_of(AGE, range(max([*sub, main[-1]]) + 1)))
    for mark, block, time in sorted([*timed, *ages], key=_place):
        if mark.kind != PUBLISHED:
            by_block.setdefault(block, []).append((mark, time))
    if not (by_block or lines):
        return
    before, after = _lines_before(page, main, title), _lines_after(page, main)
    is_line = len(layout.blocks[main[0]].text.split()) <= _DATE_ALONE
    first = main[:1] if is_line else ()
    head = sorted({*before, *(block for block in sub if block < main[0]), *first})
    foot = sorted({*after, *sub} - {*head, *main})
    for part in (head, main, foot):
        read: list[ShownTime] = []
        for block in part:
            own = by_block.get(block, ()) if part is not foot or block in sub else ()
            is_short = layout.blocks[block].weight <= _LINE or block in sub
            reads_line = lines and part is not main and is_short
            if own or reads_line:
                read += _times_in(page, block, own, language, lines=reads_line)
        if read:
            yield from _surest_first(page, read, one_by_one=part is main)
        if lines and part is not main:
            yield from _guessed(page, [n for n in part if n in sub], [n for n in part if n not in sub])


def _timed(page: PlacedLayout, marks: Iterable[Mark]) -> list[tuple[Mark, int, str]]:
    """Return the marks that have a time, each with its block and its time."""
    return [
        (mark, block_at(page.layout, mark.piece), time) for mark in marks if (time := iso_time(mark.value))
    ]


def _place(timed: tuple[Mark, int, str]) -> int:
    return timed[0].piece


def _lines_before(page: PlacedLayout, main: Sequence[int], title_path: str) -> list[int]:
    """Return the blocks between title and main text; further up only what is new, and in no list.

    The head of a newspaper's page may have the day on which the page was fetched.
    """
    blocks, places, first = page.layout.blocks, page.places, main[0]
    title = places.index(title_path) if title_path in places else first
    begin = min(title, first)
    near = [n for n in range(max(begin + 1, first - _NEAR_BEFORE), first) if not page.leading[blocks[n].node]]
    above = [
        n for n in range(max(0, begin - _ABOVE), begin) if _is_alone(page, n) and not page.boilerplate[n]
    ]
    return above + near


def _lines_after(page: PlacedLayout, main: Sequence[int]) -> list[int]:
    end = min(main[-1] + 1 + _NEAR_AFTER, len(page.layout.blocks))
    return [n for n in range(main[-1] + 1, end) if _is_alone(page, n)]


def _is_alone(page: PlacedLayout, block: int) -> bool:
    """Return whether a block is in no list."""
    node = page.layout.blocks[block].node
    return not (page.repeated[node] or page.leading[node])


def _times_in(
    page: PlacedLayout, block: int, marks: Sequence[tuple[Mark, str]], language: str, *, lines: bool
) -> Iterator[ShownTime]:
    """Yield the times in a block, with the words before each, or behind each if the first has none before."""
    text, marks = page.layout.blocks[block].text[:_LONGEST_BLOCK], marks[:_MOST_TIMES]
    found: list[tuple[int, int, str, str, str]] = []
    if marks:
        text, spans = _with_marks(page, block, [mark for mark, _ in marks])
        for (mark, time), (begin, end) in zip(marks, spans, strict=True):
            found.append((begin, end, MARKED, time, mark.value))
    if lines:
        for one in days_in(text, language)[:_MOST_TIMES]:
            if all(one.end <= begin or one.begin >= end for begin, end, *_ in found):
                found.append((one.begin, one.end, LINE, one.day, text))
    found.sort()
    between = [
        text[end:begin]
        for (_, end), (begin, _) in pairwise([(0, 0), *(one[:2] for one in found), (len(text),) * 2])
    ]
    is_behind = len(found) > 1 and not _has_words(between[0]) and _has_words(between[-1])
    if found and block and not is_behind and not _has_words(between[0]):
        before = page.layout.blocks[block - 1].text  # the head of a row, or the term that is described
        between[0] = before if len(before.split()) <= _LABEL_WORDS else ""
    for (_, _, source, time, raw), label in zip(found, between[1:] if is_behind else between, strict=False):
        yield ShownTime(source, time, raw, block, label.casefold())


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, text))


def _with_marks(page: PlacedLayout, block: int, marks: Sequence[Mark]) -> tuple[str, list[tuple[int, int]]]:
    """Return a block's text, and where in it the text of marked elements begins and ends; 0 if it is long."""
    markup = page.layout.markup
    assert markup is not None  # noqa: S101 - whoever has marks has it
    ends = {mark.piece: markup.end_of(mark.piece) for mark in marks}
    line, places = line_with(page.layout, block, {*ends, *ends.values()})
    if not line:
        return page.layout.blocks[block].text, [(0, 0) for _ in marks]
    plain, at, moved = "", 0, dict[int, int]()
    for tag in [*_TAG.finditer(line), None]:
        begin = tag.start() if tag else len(line)
        for place in places.values():
            if at <= place <= begin:
                moved.setdefault(place, len(plain) + place - at)
        plain += line[at:begin]
        at = tag.end() if tag else begin
    spans = []
    for piece, end in ends.items():
        first = moved.get(places.get(piece, -1), 0)
        spans.append((first, max(first, moved.get(places.get(end, -1), first))))
    return plain, spans


def _surest_first(page: PlacedLayout, times: Sequence[ShownTime], *, one_by_one: bool) -> Iterator[ShownTime]:
    """Yield times of one part of a page: what is said to be the publication's, then what is no change.

    Of those that stand together, without words that tell, the earliest comes first, in elements before lines.

    :param one_by_one: of those of several blocks, the first one comes first.
    """
    said = [(one, _last(_SAYS_PUBLISHED, one.label), _last(_SAYS_CHANGED, one.label)) for one in times]
    yield from (one for one, published, changed in said if published > changed)
    others = [one for one, published, changed in said if published == changed] or [*times]
    together: dict[int, list[ShownTime]] = {}
    for one in others:
        around = one.block if one_by_one else page.layout.parents[page.layout.blocks[one.block].node]
        together.setdefault(around, []).append(one)
    for own in together.values():
        yield from sorted(own, key=lambda one: (one.source != MARKED, one.time[:_DAY]))


def _last(words: re.Pattern[str], label: str) -> int:
    """Return where the last of some words stands in a label; -1: none does."""
    return max((found.start() for found in words.finditer(label)), default=-1)


def _guessed(page: PlacedLayout, sub: Iterable[int], near: Iterable[int]) -> Iterator[ShownTime]:
    """Yield the days that htmldate finds in lines: of supplementary sections, beside and in the text."""
    blocks = page.layout.blocks
    stamps = [n for n in near if blocks[n].weight <= _LINE and is_stamp(blocks[n].text)]
    for block in (*sub, *stamps):
        if day := day_in_line(blocks[block].text):
            yield ShownTime(LINE, day, blocks[block].text, block)


def are_near(day: str, other: str) -> bool:
    """Return whether two days are the same or next to each other, as that of one time in two zones."""
    return abs((date.fromisoformat(day) - date.fromisoformat(other)).days) <= 1


@cache
def has_htmldate() -> bool:
    return find_spec("htmldate") is not None


def day_in_line(text: str) -> str:
    """Return the day in a line of text, ``YYYY-MM-DD``; empty if there is none, or only a guess at one.

    Such a guess is the first day of a year. An error of the library does not cost the article. Needs the
    extra ``dates``. Cost: some hundred microseconds.
    """
    from htmldate import find_date  # an extra

    page = html.Element("html")
    etree.SubElement(page, "head")
    line = etree.SubElement(etree.SubElement(page, "body"), "div", {"class": "date"})
    line.text = NO_XML.sub("", text[:_LONGEST])
    try:
        found = str(
            find_date(page, extensive_search=True, original_date=True, url="", max_date=_LATEST) or ""
        )
    except Exception as error:  # what a library makes of odd characters and dates, nobody foresees
        logger.debug("no date in %r: %s: %s", text, type(error).__name__, error)
        return ""
    if not found:
        return ""
    digits = _NUMBER.findall(_TIME_OF_DAY.sub("", text[:_LONGEST]))
    numbers = {int(one) for one in digits if len(one) <= len("2014")}
    year, _, day = map(int, found.split("-"))
    return found if day in numbers and {year, year % 100} & numbers else ""
