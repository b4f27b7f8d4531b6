"""Note what a page states about its article, and where it shows it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import accumulate, islice

from ..base.urls import link_key
from ..page.calendars import only_day
from ..page.days import DAY_SIZE, day_in_url, is_day, is_in_month
from ..page.lines import line_of, line_with
from ..page.marks import AUTHOR, CATEGORY, PUBLISHED, TIME, TOPIC, Mark, block_at, marks_in
from ..page.markup import markup_of
from ..page.names import is_topic, names_in
from ..page.statements import Statements
from ..page.tags import HEADINGS
from ..page.text import TAG, letters
from ..site.named_parts import MENUS, is_in
from ..site.placed import PlacedLayout
from ..values import Block, Layout, Trace
from .field_places import AUTHORS, CATEGORIES, DAY, HEAVIEST_LINE, LANGUAGE, LINE_DAY, TAGS

CANONICAL = "canonical_url"
#: Fields of which most of a site's articles may state the same value, which is then the site's.
COMMON_FIELDS = ("description", "main_image", DAY, AUTHORS, CANONICAL)

#: The fields of what elements are marked as.
_MARKED = {AUTHOR: AUTHORS, TOPIC: TAGS, CATEGORY: CATEGORIES}
#: A line whose day is learned from weighs at most this; above a headline, it is one of so many.
_DAY_LINE, _ABOVE_HEADLINE = 150, 4
#: Bound: so many values of a field, and marks, are looked for on a page.
_MOST_VALUES, _MOST_MARKS = 20, 500
#: Bound: a value is looked for in so many blocks.
_MOST_BLOCKS = 6
#: A value is the site's, not the article's, if at least so many articles and this share of them state it.
_COMMON_PAGES, _COMMON_SHARE = 5, 0.8


def traces_of(layout: Layout) -> tuple[Trace, ...]:
    """Return what a page states about its article, and the lines that show it.

    :param layout: the page; it has its markup.

    Cost: that of reading the page's statements, and a search for each value in the page's short blocks.
    """
    stated = Statements(markup_of(layout), layout.url, layout.announced, layout.title_element)
    marks, lines = [*islice(marks_in(layout), _MOST_MARKS)], _ShortLines(layout)
    return (
        *_of_authors(layout, lines, stated),
        *(trace for topic in stated.tags[:_MOST_VALUES] for trace in _of_value(layout, lines, TAGS, topic)),
        *_of_marks(layout, marks),
        *_of_day(layout, lines, stated, marks),
        *(Trace(field, value, True) for field, value in _stated_values(stated, layout.url) if value),
        Trace(LANGUAGE, stated.language or "", True),
    )


class _ShortLines:
    """The short blocks of a page, in which values are looked for.

    :param layout: the page.
    """

    def __init__(self, layout: Layout) -> None:
        self._blocks = [item for item in enumerate(layout.blocks) if item[1].weight <= HEAVIEST_LINE]
        texts = [block.text for _, block in self._blocks]
        #: The texts, one after the other, and where each begins.
        self.text = "\n".join(texts)
        self._begins = [0, *accumulate([len(text) + 1 for text in texts])]

    def having(self, text: str) -> Iterator[tuple[int, Block]]:
        """Yield the blocks that have a text, each with its index. Cost: a search of all texts."""
        at = self.text.find(text)
        while at >= 0:
            number = bisect_right(self._begins, at) - 1
            yield self._blocks[number]
            at = self.text.find(text, self._begins[number + 1])


def _stated_values(stated: Statements, url: str) -> Iterator[tuple[str, str | None]]:
    yield from ((DAY, stated.published[0]), ("description", stated.description))
    yield ("main_image", stated.image)
    if link_key(stated.canonical) != link_key(url):  # what a page says of itself alone is no other's
        yield CANONICAL, stated.canonical


def _of_value(layout: Layout, lines: _ShortLines, field: str, value: str) -> Iterator[Trace]:
    """Yield the traces of a stated value: one for each short block that shows it, or one of no block."""
    text = escape(value, quote=False)
    having = ((index, line_of(layout, index)) for index, _ in lines.having(value))
    shown = (
        Trace(field, value, True, index, line, at)
        for index, line in having
        if (at := _word_at(line, text)) >= 0
    )
    yield from [*islice(shown, _MOST_BLOCKS)] or [Trace(field, value, True)]


def _of_authors(layout: Layout, lines: _ShortLines, stated: Statements) -> Iterator[Trace]:
    """Yield the traces of the stated authors: of all in one where a text joins their names, or of each."""
    site = letters(stated.site_name)  # its name is on each page: in the logo, in the footer
    names = [author.name for author in stated.authors[:_MOST_VALUES] if letters(author.name) != site]
    joined = dict[str, None]()
    for index, block in islice(lines.having(names[0]), _MOST_BLOCKS) if len(names) > 1 else ():
        text = block.text[block.text.index(names[0]) :]
        text = text[: text.rfind(names[-1]) + len(names[-1])]
        is_line = _word_at(line_of(layout, index), escape(text, quote=False)) >= 0  # without tags in it
        if is_line and names_in(text, stated.language) == names:
            joined[text] = None
    for value in joined or names:
        yield from _of_value(layout, lines, AUTHORS, value)


def _of_marks(layout: Layout, marks: Iterable[Mark]) -> Iterator[Trace]:
    """Yield the traces of elements that are marked as an author, a topic, or a category in no menu."""
    by_block: dict[int, list[Mark]] = defaultdict(list)
    for mark in marks:
        if mark.kind in _MARKED and is_topic(mark.value):
            at = block_at(layout, mark.piece)
            is_shown = at < len(layout.blocks)
            if is_shown and not (mark.kind == CATEGORY and is_in(MENUS, layout, layout.blocks[at].node)):
                by_block[at].append(mark)
    for block, block_marks in by_block.items():
        line, places = line_with(layout, block, {mark.piece for mark in block_marks})
        for mark in block_marks:
            text = escape(mark.value, quote=False)
            if (at := _word_at(line, text, places.get(mark.piece, 0))) >= 0:
                yield Trace(_MARKED[mark.kind], mark.value, False, block, line, at)


def _word_at(line: str, text: str, begin: int = 0) -> int:
    """Return where a text stands in a line as whole words, and outside tags; -1: nowhere."""
    at = line.find(text, begin)
    while at >= 0:
        end = at + len(text)
        inside = line.rfind("<", 0, at) > line.rfind(">", 0, at)
        if not inside and not (line[at - 1 : at].isalnum() or line[end : end + 1].isalnum()):
            return at
        at = line.find(text, at + 1)
    return -1


def _of_day(layout: Layout, lines: _ShortLines, stated: Statements, marks: Iterable[Mark]) -> Iterator[Trace]:
    """Yield the traces of the page's day: the lines that may show it.

    It is known from the url, or stated, or the only one that is marked as such, or the only one in numbers,
    or the nearest one above the headline, beside the author's name for example. If the url names a month,
    others do not count: they are those of comments, and of other articles.
    """
    times: dict[str, set[str]] = {PUBLISHED: set(), TIME: set()}
    for mark in marks:
        day = mark.value[:DAY_SIZE]
        if mark.kind in times and is_day(day) and is_in_month(layout.url, day):
            times[mark.kind].add(day)
    only = next((days.pop() for days in times.values() if len(days) == 1), "")  # several are those of a list
    published = stated.published[0]
    known = (published or only)[:DAY_SIZE]
    if not published and is_day(known):
        yield Trace(DAY, known, True)
    day = day_in_url(layout.url) or known or only_day(lines.text, stated.language)
    day = day or _day_above_headline(layout, stated.language)
    if not is_day(day):
        return
    is_sure = bool(day_in_url(layout.url) or published)
    year, number = day[2:4], day[-2:].lstrip("0")
    shown = (
        Trace(LINE_DAY, day, is_sure, index, block.text[:HEAVIEST_LINE])
        for index, block in lines.having(number)
        if year in block.text and block.weight <= _DAY_LINE
    )
    yield from [*islice(shown, _MOST_BLOCKS)] or [Trace(LINE_DAY, day, is_sure)]


def _day_above_headline(layout: Layout, language: str) -> str:
    """Return the day in the last of the lines above the headline that has one; empty: none has.

    The headline is the last heading that the ``title`` element has, too.
    """
    blocks, steps, title = layout.blocks, layout.steps, layout.title_element.casefold()
    headings = (index for index in reversed(range(len(blocks))) if steps[blocks[index].node].tag in HEADINGS)
    at = next((index for index in headings if blocks[index].text.casefold() in title), 0)
    above = reversed(blocks[max(0, at - _ABOVE_HEADLINE) : at])
    days = (only_day(block.text, language) for block in above if block.weight <= _DAY_LINE)
    return next(filter(None, days), "")


def stated_language(layout: Layout) -> str | None:
    """Return the language that a page states, empty if none; None: the page has no traces."""
    return next((trace.value for trace in layout.traces if trace.field == LANGUAGE), None)


def common_values(pages: Sequence[PlacedLayout]) -> dict[str, tuple[str, ...]]:
    """Return for each field the value that most of the articles state: it is the site's, and of no article.

    :param pages: articles of all layouts, with their traces.
    """
    counts: dict[str, Counter[str]] = {field: Counter() for field in COMMON_FIELDS}
    for page in pages:
        stated = [trace for trace in page.layout.traces if trace.field in counts and trace.stated]
        for field, value in {(trace.field, trace.value) for trace in stated}:
            counts[field][value[:DAY_SIZE] if field == DAY else value] += 1
    return {
        field: (value,)
        for field, values in counts.items()
        for value, count in values.most_common(1)
        if count >= max(_COMMON_PAGES, _COMMON_SHARE * values.total())
    }


def with_marks(layout: Layout, block: int, marks: Sequence[Mark]) -> tuple[str, list[tuple[int, int]]]:
    """Return a block's text, and where in it the text of marked elements stands; nothing of a long one."""
    markup = markup_of(layout)
    ends = {mark.piece: markup.end_of(mark.piece) for mark in marks}
    line, places = line_with(layout, block, {*ends, *ends.values()})
    plain, at, moved = "", 0, dict[int, int]()
    for tag in [*TAG.finditer(line), None]:
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
