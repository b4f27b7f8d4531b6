"""Decide on which day an article was published: one of those that its page states and shows, or none.

Each day is a candidate. Its evidence is who states it, where it is shown, which words stand beside it, and
whether other days stand there. A page shows several days: those of the publication, of a change, of the
visit. The words beside them tell which is which. Without such words, the earliest of days that stand together
is likelier: nothing is changed before it is published.

The weights of the evidence are fitted to pages that are read alone, as a choice between the days of a page
and none of them (conditional logit, McFadden 1974; ``tests/benchmarks/fit_fields.py``). A day is given if it
is more likely than all others together. An age, as "3 days ago", is no day, unless its element has the time.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from html import unescape
from importlib.resources import files
from itertools import pairwise, product
from typing import NamedTuple

from ..page.calendars import days_in, has_unclear_order, order_of
from ..page.days import (
    DAY_SIZE,
    day_in_url,
    is_in_month,
    said_last,
    says_changed,
    stated_time,
)
from ..page.lines import line_of
from ..page.marks import AGE, MODIFIED, PUBLISHED, TIME, Mark, block_at, element_text
from ..page.markup import attributes_of, markup_of
from ..page.statements import CHANGED, PUBLICATIONS, Statements
from ..page.text import TAG, fold
from ..site.placed import PlacedLayout
from .surroundings import (
    ELSEWHERE,
    FOOT,
    HEAD,
    HEAVIEST_LINE,
    OPENING,
    TEXT,
    Around,
    is_quoted,
    label_before,
    says_when,
)
from .traces import with_marks

#: Where a time may come from, in the words of ``--explain``.
STATED, MARKED, LINE = "stated", "a marked element", "a line with a date"
#: What the words beside a time say of it.
_SAID_PUBLISHED, SAID_CHANGED, _SAID_OTHER = "said published", "said changed", "said other"
_SAID_AHEAD, _DATELINE = "said ahead", f"{TEXT} line"
#: A label up to its colon; the weekday may stand behind it.
_LABELLED = re.compile(r"[^\d:：]++[:：]\s*+\S*+\s*+$")
#: Bound: so many characters of a block are read, and so many of its times.
_LONGEST_BLOCK, _MOST_TIMES = 1_500, 50
#: A line below a text that says when it was changed has at most so many characters.
_LONGEST_CHANGE = 60
#: The property of the time of a change in microdata, and the end of the id of its line in wikis.
_CHANGE, _CHANGE_LINE = "dateModified", "lastmod"
#: A day is given if it is likelier than this.
_LEAST_ODDS = 0.5
#: Where what a style sheet keeps apart may begin: "by Ann LeeMay 6, 2014Harbour".
_JOINED = re.compile(r"[^\W\d_](?=\d)|\d(?=[^\W\d_])|[a-zà-ÿ](?=[A-Z])")


class Clue(NamedTuple):
    """A time that a page states or shows.

    :param source: where it comes from.
    :param time: in ISO 8601.
    :param raw: the text that it was read from.
    :param evidence: what speaks for it or against it.
    :param block: the index of its block; -1: it is stated.
    """

    source: str
    time: str
    raw: str
    evidence: tuple[str, ...]
    block: int = -1

    @property
    def day(self) -> str:
        return self.time[:DAY_SIZE]


def stated_clues(stated: Statements) -> Iterator[Clue]:
    """Yield the times that a page states, with those of changes."""
    times = [*stated.times]
    for kind, raw in times:
        order = order_of((other for _, other in times), stated.language) if has_unclear_order(raw) else ""
        if time := stated_time(raw) or _only_day(raw, stated.language, order):
            yield Clue(STATED, time, raw, (kind,))


def shown_clues(
    page: PlacedLayout,
    around: Around,
    main: Sequence[int],
    sub: Collection[int],
    marks_of: Callable[[str, range | None], Sequence[Mark]],
    language: str = "",
) -> Iterator[Clue]:
    """Yield the times that a page shows around its title and its text, and in marked elements.

    :param around: what stands there, as :func:`~.surroundings.around_text` returns it.
    :param main: the indexes of the blocks of the main text, at least one.
    :param sub: those of the supplementary sections.
    :param marks_of: returns the marks of a kind in and around the main text, or only those in some blocks.

    Cost: a search for marked times, and a look at the lines with days.
    """
    parts, dated, leaves = around
    near = range(min([*parts[HEAD], main[0]]), main[0] + 1)
    layout = page.layout
    # what it has behind the text is the article's, but for what the page has
    holder = layout.parents[layout.blocks[main[-1]].node] or -1
    by_block: dict[int, list[tuple[Mark, str]]] = {}
    for mark in (*marks_of(TIME, None), *marks_of(AGE, near)):
        block = block_at(page.layout, mark.piece)
        if (time := mark.time) and not (block in parts[TEXT] and is_quoted(page, block, main)):
            by_block.setdefault(block, []).append((mark, time))
    in_head = set[str]()
    for part, blocks in parts.items():
        clues: list[Clue] = []
        for block in sorted(blocks & (by_block.keys() if part == TEXT else by_block.keys() | dated)):
            line = layout.blocks[block].text
            is_own = (
                part != FOOT
                or layout.parents[layout.blocks[block].node] == holder
                or (len(line) <= _LONGEST_CHANGE and says_changed(line))
            )
            times = [timed for timed in by_block.pop(block, ()) if is_own or timed[0].kind == PUBLISHED]
            is_line = (part != TEXT and block in dated) and (
                block in sub
                or block in leaves
                or layout.blocks[block].weight <= HEAVIEST_LINE
                or says_when(page, block)
            )
            times.sort(key=lambda timed: timed[0].piece)
            text, kind = leaves.get(block, line), TEXT if part == OPENING and block in leaves else part
            clues += _times_in(page, block, text, times, language, kind, lines=is_line)
        # a time in the running text may be that of anything, also if it is the only one
        clues = clues if part == TEXT or not clues else [*_compared(page, clues)]
        if part == OPENING and in_head:  # the first lines of a text may say when something happens
            clues = [clue for clue in clues if clue.day in in_head]
        if part == HEAD:
            clues = _above_text(page, clues, main[0])
            in_head = {clue.day for clue in clues if {CHANGED, _SAID_OTHER}.isdisjoint(clue.evidence)}
        yield from clues
    for block, timed in ((block, timed) for block, times in by_block.items() for timed in times):
        if timed[0].kind == PUBLISHED:
            for clue in _times_in(page, block, "", [timed], language, ELSEWHERE, lines=False):
                yield clue._replace(evidence=(ELSEWHERE, PUBLISHED), block=-1)


def _above_text(page: PlacedLayout, clues: Sequence[Clue], first: int) -> list[Clue]:
    """Return the clues between title and text; beside days above the text's element, those of these days.

    :param first: the first block of the text. The lines before it in its element may be about something else.
    """
    layout = page.layout
    holder = layout.parents[layout.blocks[first].node]
    within = range(holder, page.ends[holder])
    days = {clue.day for clue in clues if layout.blocks[clue.block].node not in within}
    return [clue for clue in clues if not days or clue.day in days]


def marked_changes(page: PlacedLayout, language: str) -> Iterator[tuple[str, str]]:
    """Yield the days in words that the markup calls those of a change, each with its text.

    Cost: a search in the page's source.
    """
    markup, last = markup_of(page.layout), len(page.layout.blocks) - 1
    needles = {"": (_CHANGE.encode(), _CHANGE_LINE.encode())}
    for piece, tag in markup.marked(needles, 0, markup.blocks[last][1]) if last >= 0 else ():
        attributes = attributes_of(tag)
        is_line = attributes.get("id", "").endswith(_CHANGE_LINE)
        is_marked = _CHANGE in attributes.get("itemprop", "").split() and not tag.startswith("time")
        if is_line or is_marked:  # the marks of times are read elsewhere
            text, _ = element_text(markup, piece)
            if day := _only_day(text, language):
                yield day, text


def _only_day(text: str, language: str, order: str = "") -> str:
    """Return the only day that a text has; empty: it has none, or several."""
    days = {span.day for span in days_in(text, language, order)}
    return days.pop() if len(days) == 1 else ""


def _times_in(
    page: PlacedLayout,
    block: int,
    text: str,
    marks: Sequence[tuple[Mark, str]],
    language: str,
    part: str,
    *,
    lines: bool,
) -> Iterator[Clue]:
    """Yield the times in a block, with the words before each, or behind each if the first has none before.

    :param text: the text of the block, and perhaps that of the next ones.
    """
    text, marks = text[:_LONGEST_BLOCK], marks[:_MOST_TIMES]
    clues: list[tuple[int, int, Clue]] = []
    if marks:
        text, spans = with_marks(page.layout, block, [mark for mark, _ in marks])
        for (mark, time), (begin, end) in zip(marks, spans, strict=True):
            day, shown = time[:DAY_SIZE], _only_day(text[begin:end], language)  # readers see the shown one
            if shown and not are_near(shown, day):  # a template may state a day of its own
                clue = Clue(LINE, shown, text[begin:end], (f"{part} line",))
            else:
                kind = {PUBLISHED: (PUBLISHED,), MODIFIED: (SAID_CHANGED,)}.get(mark.kind, ())
                seen = time if shown in ("", day) else shown  # the other day is that of another zone
                clue = Clue(MARKED, seen, mark.value, (f"{part} mark", *kind))
            clues.append((begin, end, clue))
    if lines and not marks and (_JOINED.search(text) or not days_in(text, language)):
        text = _with_spaces(page, block, text, language)
    if lines:
        for span in days_in(text, language, _order(page, text, language))[:_MOST_TIMES]:
            if all(span.end <= begin or span.begin >= end for begin, end, _ in clues):
                clues.append((span.begin, span.end, Clue(LINE, span.day, text, (f"{part} line",))))
    clues.sort(key=lambda clue: clue[:2])
    between = [
        text[end:begin]
        for (_, end), (begin, _) in pairwise([(0, 0), *(clue[:2] for clue in clues), (len(text),) * 2])
    ]
    # of words behind the last time, such as "7 comments", only those that say something tell that it is so
    is_behind = len(clues) > 1 and not _has_words(between[0]) and bool(_said(between[-1].casefold()))
    if clues and not is_behind and not _has_words(between[0]):
        between[0] = label_before(page, block)
    for (_, _, clue), label in zip(clues, between[1:] if is_behind else between, strict=False):
        said = _said(label.casefold())
        if _SAID_AHEAD not in said:  # nothing is published on the day when an offer ends
            yield clue._replace(evidence=(*clue.evidence, *said), block=block)


def _with_spaces(page: PlacedLayout, block: int, text: str, language: str) -> str:
    """Return a line with spaces between its elements, if it has more days then: each may be in its own."""
    apart = fold(unescape(TAG.sub(" ", line_of(page.layout, block))))
    return apart if len(days_in(apart, language)) > len(days_in(text, language)) else text


def _order(page: PlacedLayout, text: str, language: str) -> str:
    """Return the order of day and month in a text, if it needs one: other texts may tell it."""
    if not has_unclear_order(text):
        return ""
    return order_of((block.text for block in page.layout.blocks if block.weight <= HEAVIEST_LINE), language)


def _said(label: str) -> tuple[str, ...]:
    """Return what the words beside a time say of it; the last of them counts.

    A label with a colon that says neither is that of something else ("When: Saturday 14 June 2025").
    """
    said = said_last(label) if _has_words(label) else ""
    if not said and _LABELLED.match(label):
        return (_SAID_OTHER,)
    return (f"said {said}",) if said else ()


def _compared(page: PlacedLayout, clues: Sequence[Clue]) -> Iterator[Clue]:
    """Yield the times of one part of a page that may be that of the publication, with what tells which it is.

    Those of changes come with ``CHANGED`` alone.

    Times that are said to be that count; or else those that are not said to be those of changes; or else all.
    Beside others, those whose label says something else do not count.
    """
    those = [clue for clue in clues if _SAID_PUBLISHED in clue.evidence] or clues
    those = [clue for clue in those if SAID_CHANGED not in clue.evidence] or those
    changes = [clue for clue in clues if SAID_CHANGED in clue.evidence and clue not in those]
    yield from (clue._replace(evidence=(CHANGED,)) for clue in changes)
    those = [clue for clue in those if _SAID_OTHER not in clue.evidence] or those
    together: dict[int, list[str]] = {}
    for clue in those:
        together.setdefault(page.layout.parents[page.layout.blocks[clue.block].node], []).append(clue.day)
    groups = [*together.values()]
    is_only = len({clue.day for clue in those}) == 1
    for clue in those:
        if is_only:
            more: tuple[str, ...] = ("alone",)
        else:
            more = ("first",) * (clue.day in groups[0])
            more += ("earliest",) * any(clue.day == min(days) for days in groups)
        yield clue._replace(evidence=(*clue.evidence, *more))


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, text))


def are_near(day: str, other: str) -> bool:
    """Return whether two days are the same or next to each other, as that of one time in two zones."""
    return abs((date.fromisoformat(day) - date.fromisoformat(other)).days) <= 1


def is_other_in_url(url: str, stated: Sequence[Clue]) -> bool:
    """Return whether a url names another day, or another month, than all days that a page states."""
    named, days = day_in_url(url), [clue.day for clue in stated if CHANGED not in clue.evidence]
    return bool(days) and not any(are_near(day, named) if named else is_in_month(url, day) for day in days)


def agreed_days(clues: Sequence[Clue]) -> set[str]:
    """Return the days that a page both states and shows, perhaps in two zones."""
    clues = [clue for clue in clues if CHANGED not in clue.evidence]
    pairs = product(*([c for c in clues if (c.source == STATED) == is_stated] for is_stated in (True, False)))
    return {clue.day for pair in pairs if are_near(pair[0].day, pair[1].day) for clue in pair}


def evidence_by_day(clues: Sequence[Clue], *, is_learned: bool = False) -> dict[str, frozenset[str]]:
    """Return what speaks for and against each day that may be that of the publication.

    A stated day next to one that is shown is the same time in another zone; readers see the other day. So is
    one next to a day that is stated more surely. The day of a change is none, if only that is stated of it,
    and says nothing of the day next to it.

    :param is_learned: whether the page's site is learned. Then it is known that its pages state different
        days, so a stated publication counts more than what is said or stated to be a change.
    """
    evidence: dict[str, set[str]] = {}
    by_page = [clue for clue in clues if clue.source == STATED]
    by_lines = [clue for clue in clues if clue.source != STATED and CHANGED not in clue.evidence]
    by_lines = [clue for clue in by_lines if not _is_of_other(clue, by_page)]
    for clue in (*by_page, *by_lines):
        evidence.setdefault(clue.day, set()).update(clue.evidence)
    shown = sorted({clue.day for clue in by_lines})
    kept: list[str] = []
    # the most surely stated first
    for day in [day for day, reasons in evidence.items() if day not in shown and reasons != {CHANGED}]:
        is_sure = is_learned and not PUBLICATIONS.isdisjoint(evidence[day])
        others = (at for at in (*shown, *kept) if not (is_sure and SAID_CHANGED in evidence[at]))
        if other := next((other for other in others if are_near(day, other)), ""):
            evidence[other] |= {*evidence.pop(day), *(("zone",) if other in shown else ())}
        else:
            kept.append(day)
    stated = {day for day, reasons in evidence.items() if reasons & PUBLICATIONS}
    for day in stated:
        evidence[day].discard(CHANGED)
    changes = {day for day, reasons in evidence.items() if reasons == {CHANGED}}
    if stated and is_learned:
        sure = stated | {day for day, reasons in evidence.items() if _SAID_PUBLISHED in reasons}
        changes |= {day for day, reasons in evidence.items() if reasons & {CHANGED, SAID_CHANGED}} - sure
    return {day: frozenset(reasons) for day, reasons in evidence.items() if day not in changes}


def _is_of_other(clue: Clue, stated: Sequence[Clue]) -> bool:
    """Return whether a shown day is that of something else, beside those that a page states.

    Its label says so, or it comes later: it is that of an event, of the end of an offer, of the visit. Or it
    is in a dateline.
    """
    days = [other.day for other in stated if not PUBLICATIONS.isdisjoint(other.evidence)]
    if not days or not {_SAID_PUBLISHED, PUBLISHED}.isdisjoint(clue.evidence):
        return False
    is_later = clue.day > max(days) and SAID_CHANGED not in clue.evidence
    is_other = is_later or _SAID_OTHER in clue.evidence
    is_other = is_other and not any(are_near(clue.day, of.day) for of in stated)
    return is_other or _DATELINE in clue.evidence


@cache
def field_weights(name: str) -> Mapping[str, float]:
    """Return the weights of a file of this package. It is read once."""
    fitted: Mapping[str, float] = json.loads(files(__package__).joinpath(name).read_text("utf-8"))
    return fitted


def likeliest(evidence: Mapping[str, frozenset[str]], weights: Mapping[str, float]) -> str:
    """Return the day, or another candidate, that is likelier than all others and none together.

    Empty: no one is.

    :param evidence: what speaks for and against each.
    :param weights: those of the evidence, as :func:`field_weights` gives them.
    """
    odds = {
        candidate: math.exp(sum(weights.get(name, 0.0) for name in reasons))
        for candidate, reasons in evidence.items()
    }
    best = max(odds, key=lambda candidate: (odds[candidate], candidate), default="")
    return best if best and odds[best] > _LEAST_ODDS * (1 + sum(odds.values())) else ""
