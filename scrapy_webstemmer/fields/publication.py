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
from itertools import pairwise
from typing import NamedTuple

from ..page.calendars import dated_among, days_in, has_unclear_order, may_have_day, order_of
from ..page.days import DAY_SIZE, month_in, order_in_month, said_last, says_published, stated_time
from ..page.marks import AGE, MODIFIED, PUBLISHED, TIME, Mark, block_at, line_of, marks_in
from ..page.names import says_who
from ..page.statements import CHANGED, PUBLICATIONS, Statements
from ..page.tags import HEADINGS, OF_OTHERS
from ..page.text import TAG, ends_in_word, fold
from ..site.named_parts import METADATA, in_footer, is_in
from ..site.paths import tag_of
from ..site.placed import PlacedLayout
from ..site.threads import tags_of
from .bylines import is_of_teaser
from .traces import with_marks

#: Where a time may come from, in the words of ``--explain``.
STATED, MARKED, LINE = "stated", "a marked element", "a line with a date"
#: What the words beside a time say of it.
_SAID_PUBLISHED, SAID_CHANGED, _SAID_OTHER = "said published", "said changed", "said other"
#: The parts of a page that may show the day.
ABOVE, HEAD, OPENING, TEXT, FOOT, ELSEWHERE = "above", "head", "opening", "text", "foot", "elsewhere"

#: So many blocks behind the title, before the main text, above the title, and after the text may be lines
#: with the day.
_BEHIND_TITLE, _BEFORE_TEXT, _ABOVE_TITLE, _AFTER_TEXT = 12, 5, 4, 3
#: A line that says that something was published on a day may stand so far behind the text, below the links
#: of a blog's template, or so far above the title, in a table of the work's data.
_FAR_AFTER, _FAR_ABOVE = 20, 12
#: So many of the first blocks of the text may be, too, and such a line has at most so many characters.
_FIRST_BLOCKS, _LONGEST_STAMP = 3, 60
#: A line with a date weighs at most this, with names and topics.
_HEAVIEST_LINE = 100
#: A text that says when it was published has at most so many characters.
_LONGEST_SAYING = 300
#: A block of so many words may be the label of the time in the next one; so many ideographs are one.
_LABEL_WORDS = 3
_LABEL_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,4}|[^\s:：\u3040-\u30ff\u3400-\u9fff]+")
#: A label up to its colon; the weekday may stand behind it.
_LABELLED = re.compile(r"([^\d:：]++)[:：]\s*+\S*+\s*+$")
#: What these elements in a text have is of others, or a point of its own. A paragraph has more characters.
_QUOTED, _SHORT_LINE = OF_OTHERS | {"li"}, 60
#: Bound: so many characters of a block are read, and so many of its times.
_LONGEST_BLOCK, _MOST_TIMES = 1_500, 50
#: A day is given if it is likelier than this.
_LEAST_ODDS = 0.5
#: How a line begins whose day is that of a copyright, or of the copy of the page.
_OTHER_DAY = re.compile(
    r"©|\(c\)\s|copyright\b|(?:(?:this )?page )?(?:generated|printed) on\b|last crawled\b", re.IGNORECASE
)
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


class Around(NamedTuple):
    """What stands around a title and a text.

    :param parts: the blocks of each part of the page that may show the day, or the authors.
    :param dated: those blocks outside the text that are lines with a day, as far as one quick look tells.
    """

    parts: Mapping[str, set[int]]
    dated: set[int]


def shown_clues(
    page: PlacedLayout,
    around: Around,
    main: Sequence[int],
    sub: Collection[int],
    marks_of: Callable[[str, range | None], Sequence[Mark]],
    language: str = "",
) -> Iterator[Clue]:
    """Yield the times that a page shows around its title and its text, and in marked elements.

    :param around: what stands there, as :func:`around_text` returns it.
    :param main: the indexes of the blocks of the main text, at least one.
    :param sub: those of the supplementary sections.
    :param marks_of: returns the marks of a kind in and around the main text, or only those in some blocks.

    Cost: a search for marked times, and a look at the lines with days.
    """
    parts, dated = around
    near = range(min([*parts[HEAD], main[0]]), main[0] + 1)
    by_block: dict[int, list[tuple[Mark, str]]] = {}
    for mark in (*marks_of(TIME, None), *marks_of(AGE, near)):
        block = block_at(page.layout, mark.piece)
        if (time := mark.time) and not (block in parts[TEXT] and _is_quoted(page, block, main)):
            by_block.setdefault(block, []).append((mark, time))
    in_head = set[str]()
    for part, blocks in parts.items():
        clues: list[Clue] = []
        for block in sorted(blocks & (by_block.keys() if part == TEXT else by_block.keys() | dated)):
            is_own = part != FOOT or block in sub
            times = [timed for timed in by_block.pop(block, ()) if is_own or timed[0].kind == PUBLISHED]
            is_line = (part != TEXT and block in dated) and (
                block in sub
                or page.layout.blocks[block].weight <= _HEAVIEST_LINE
                or (part == FOOT and _says_when(page, block))
            )
            times.sort(key=lambda timed: timed[0].piece)
            clues += _times_in(page, block, times, language, part, lines=is_line)
        # a time in the running text may be that of anything, also if it is the only one
        clues = clues if part == TEXT or not clues else [*_compared(page, clues)]
        if part == OPENING and in_head:  # the first lines of a text may say when something happens
            clues = [clue for clue in clues if _SAID_PUBLISHED in clue.evidence or clue.day in in_head]
        if part == HEAD:
            in_head = {clue.day for clue in clues if {CHANGED, _SAID_OTHER}.isdisjoint(clue.evidence)}
        yield from clues
    for block, timed in ((block, timed) for block, times in by_block.items() for timed in times):
        # where the url names a month, those of others are sorted out later
        if (kind := timed[0].kind) == PUBLISHED or (kind == TIME and month_in(page.url)):
            for clue in _times_in(page, block, [timed], language, ELSEWHERE, lines=False):
                yield clue._replace(evidence=(ELSEWHERE, kind), block=-1)


def around_text(page: PlacedLayout, main: Sequence[int], sub: set[int], place: str) -> Around:
    """Return the blocks of each part of a page that may show the day, and those that may have one.

    Above the title, what is new and in no list: the head of a newspaper may have the day of the visit.
    """
    blocks, (first, last), title = page.layout.blocks, (main[0], main[-1]), _title_block(page, main, place)
    text = first if title < first else last
    near = {
        *range(title + 1, min(title + 1 + _BEHIND_TITLE, text)),
        *range(max(title + 1, first - _BEFORE_TEXT), first),
    }
    begin, all_main, article = max(title, first - 1) + 1, {*main}, {title, *main}
    beginning = {*main[:_FIRST_BLOCKS], *range(begin, min(begin + _FIRST_BLOCKS, len(blocks)))}
    beginning = {index for index in beginning if not _is_quoted(page, index, main)}
    top = range(max(0, title - _ABOVE_TITLE), title)
    after = range(last + 1, min(last + 1 + _FAR_AFTER, len(blocks)))
    far = range(max(0, title - _FAR_ABOVE), max(0, title - _ABOVE_TITLE))
    dated = _dated_among(page, [*{*far, *top, *near, *beginning, *after, *sub}], sub)
    dated -= {index for index in dated if index < first and _is_of_other(page, index)}
    listed = {index for index in dated if (index in near or index in top) and not _is_alone(page, index)}
    # several are those of other articles; a single one is in a list with author, day and topics
    if len(listed) > 1 or not all(_is_new_line(page, index, article) for index in listed):
        listed.clear()
    above = {index for index in top if not page.boilerplate[index] and _is_alone(page, index)}
    above |= {index for index in {*far} & dated if _is_alone(page, index) and _says_when(page, index)}
    above |= {index for index in listed if index < title}
    head = {index for index in near if not page.leading[blocks[index].node]} | (listed - above)
    head |= {index for index in sub if index < first}
    inner = (index for index in beginning if first < index < last and _is_alone(page, index))
    head |= {index for index in inner if not is_of_teaser(page, index, article)}
    opening = {
        index
        for index in beginning & all_main
        if index != last
        and len(blocks[index].text) <= _LONGEST_STAMP
        and ends_in_word(blocks[index].text.rstrip(")|│ "))  # of a time zone, or before another part
    }
    if title >= 0:  # a title has no day, unless it is marked there
        times = marks_in(page.layout, (TIME,), range(title, title + 1))
        head |= {title} & {block_at(page.layout, mark.piece) for mark in times}
    # what recurs on the site, such as a form, may stand between
    new = [index for index in after if not page.boilerplate[index]][:_AFTER_TEXT]
    below = {*after[:_AFTER_TEXT], *(index for index in new if not is_of_teaser(page, index, article))}
    below |= {index for index in {*after} & dated if _says_when(page, index)}
    foot = {
        index
        for index in below
        if _is_alone(page, index) or in_footer(page.layout, page.ends, blocks[index].node, blocks[last].node)
    }
    parts = {
        ABOVE: above - all_main,
        HEAD: head - above - all_main,
        OPENING: opening,
        TEXT: all_main - opening,
        FOOT: (foot | {index for index in sub if index > last}) - all_main,
    }
    return Around(parts, dated)


def _dated_among(page: PlacedLayout, among: Sequence[int], sub: set[int]) -> set[int]:
    """Return the blocks that may have a day among those that are lines. Cost: one look at their texts."""
    blocks = page.layout.blocks
    lines = [index for index in among if len(blocks[index].text) <= _LONGEST_SAYING or index in sub]
    texts = [blocks[index].text for index in lines]
    return {lines[at] for at in dated_among(texts) if not _OTHER_DAY.match(texts[at])}


def _title_block(page: PlacedLayout, main: Sequence[int], title: str) -> int:
    """Return the block of the title; without a place, the last heading of the first level before the text."""
    if title in page.places:
        at, blocks = page.places.index(title), page.layout.blocks
        # a bar that stays in sight may have the title above all else, and the heading comes later
        later = range(main[0] - 1, at, -1) if tag_of(title) not in HEADINGS else ()
        same = (index for index in later if blocks[index].text == blocks[at].text)
        return next((index for index in same if tag_of(page.places[index]) in HEADINGS), at)
    tops = (index for index in range(main[0] - 1, -1, -1) if tag_of(page.places[index]) == "h1")
    return next(tops, max(-1, main[0] - _BEFORE_TEXT - 1))


def _says_when(page: PlacedLayout, block: int) -> bool:
    """Return whether a line with a day, or the label before it, says that something was published then."""
    text = page.layout.blocks[block].text
    return len(text) <= _LONGEST_SAYING and says_published(f"{_label(page, block)} {text}")


def _label(page: PlacedLayout, block: int) -> str:
    """Return the text of the block before one, if it may be its label: the head of a row, for example."""
    before = page.layout.blocks[block - 1].text if block else ""
    return before if len(_LABEL_WORD.findall(before)) <= _LABEL_WORDS else ""


def _is_quoted(page: PlacedLayout, block: int, main: Sequence[int]) -> bool:
    """Return whether a block is in a quotation, a caption or a list that begins below a paragraph.

    :param main: the blocks of the main text.
    """
    layout, blocks = page.layout, page.layout.blocks
    first = next((index for index in main if len(blocks[index].text) > _SHORT_LINE), main[-1])
    node = blocks[block].node
    while node > blocks[first].node:
        if layout.steps[node].tag in _QUOTED and not is_in(METADATA, layout, node):
            return True
        node = layout.parents[node]
    return False


def _is_of_other(page: PlacedLayout, block: int) -> bool:
    """Return whether a line with a day is a caption, a quotation, or a sentence that says no more of it."""
    text = page.layout.blocks[block].text
    is_sentence = text[-1] in ".。" and len(text) > _LONGEST_STAMP and not said_last(text)
    return is_sentence or not OF_OTHERS.isdisjoint(tags_of(page.places[block]))


def _is_new_line(page: PlacedLayout, block: int, article: Collection[int]) -> bool:
    line = page.layout.blocks[block]
    is_of_other = page.leading[line.node] and is_of_teaser(page, block, article)
    return line.weight <= _HEAVIEST_LINE and not page.boilerplate[block] and not is_of_other


def _is_alone(page: PlacedLayout, block: int) -> bool:
    """Return whether a block is in no list."""
    node = page.layout.blocks[block].node
    return not page.leading[node] and (not page.repeated[node] or is_in(METADATA, page.layout, node))


def _only_day(text: str, language: str, order: str = "") -> str:
    """Return the only day that a text has; empty: it has none, or several."""
    days = {span.day for span in days_in(text, language, order)}
    return days.pop() if len(days) == 1 else ""


def _times_in(
    page: PlacedLayout,
    block: int,
    marks: Sequence[tuple[Mark, str]],
    language: str,
    part: str,
    *,
    lines: bool,
) -> Iterator[Clue]:
    """Yield the times in a block, with the words before each, or behind each if the first has none before."""
    text, marks = page.layout.blocks[block].text[:_LONGEST_BLOCK], marks[:_MOST_TIMES]
    if not marks and not (lines and may_have_day(text)):
        return
    clues: list[tuple[int, int, Clue]] = []
    if marks:
        text, spans = with_marks(page.layout, block, [mark for mark, _ in marks])
        for (mark, time), (begin, end) in zip(marks, spans, strict=True):
            kind = {PUBLISHED: (PUBLISHED,), MODIFIED: (SAID_CHANGED,)}.get(mark.kind, ())
            shown = _only_day(text[begin:end], language)  # the day in the zone of its readers
            is_near = bool(shown) and are_near(shown, time[:DAY_SIZE])
            if shown and not is_near:  # a template may state a day of its own
                clues.append((begin, end, Clue(LINE, shown, text[begin:end], (f"{part} line",))))
            is_other = is_near and shown != time[:DAY_SIZE]
            clue = Clue(MARKED, shown if is_other else time, mark.value, (f"{part} mark", *kind))
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
        between[0] = _label(page, block)
    for (_, _, clue), label in zip(clues, between[1:] if is_behind else between, strict=False):
        yield clue._replace(evidence=(*clue.evidence, *_said(label.casefold())), block=block)


def _with_spaces(page: PlacedLayout, block: int, text: str, language: str) -> str:
    """Return a line with spaces between its elements, if it has more days then: each may be in its own."""
    apart = fold(unescape(TAG.sub(" ", line_of(page.layout, block))))
    return apart if len(days_in(apart, language)) > len(days_in(text, language)) else text


def _order(page: PlacedLayout, text: str, language: str) -> str:
    """Return the order of day and month in a text, if it needs one: the url or other texts may tell it."""
    if not has_unclear_order(text):
        return ""
    lines = (block.text for block in page.layout.blocks if block.weight <= _HEAVIEST_LINE)
    return order_in_month(page.url, text) or order_of(lines, language)


def _said(label: str) -> tuple[str, ...]:
    """Return what the words beside a time say of it; the last of them counts.

    A label with a colon that says neither is that of something else ("When: Saturday 14 June 2025"), or of
    who wrote it.
    """
    said = said_last(label) if _has_words(label) else ""
    if not said and (named := _LABELLED.match(label)) and _has_words(named[1]) and not says_who(named[1]):
        return (_SAID_OTHER,)
    return (f"said {said}",) if said else ()


def _compared(page: PlacedLayout, clues: Sequence[Clue]) -> Iterator[Clue]:
    """Yield the times of one part of a page that may be that of the publication, with what tells which it is.

    Those of changes come with ``CHANGED`` alone.

    Times that are said to be that count; or else those that are not said to be those of changes; or else all.
    Beside others, those whose label says something else do not count.
    """
    for said in (_SAID_PUBLISHED, SAID_CHANGED):
        those = [clue for clue in clues if (said in clue.evidence) == (said == _SAID_PUBLISHED)]
        left, clues = [clue for clue in clues if those and clue not in those], those or clues
        yield from (clue._replace(evidence=(CHANGED,)) for clue in left if SAID_CHANGED in clue.evidence)
    clues = [clue for clue in clues if _SAID_OTHER not in clue.evidence] or clues
    together: dict[int, list[str]] = {}
    for clue in clues:
        together.setdefault(page.layout.parents[page.layout.blocks[clue.block].node], []).append(clue.day)
    groups = [*together.values()]
    is_only = len({day for days in groups for day in days}) == 1
    for clue in clues:
        own_groups = [days for days in groups if clue.day in days]
        if is_only:
            more: tuple[str, ...] = ("alone",)
        else:
            more = ("first",) * (own_groups[0] is groups[0])
            more += ("earliest",) * any(clue.day == min(days) for days in own_groups)
        yield Clue(clue.source, clue.time, clue.raw, (*clue.evidence, *more), clue.block)


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, text))


def are_near(day: str, other: str) -> bool:
    """Return whether two days are the same or next to each other, as that of one time in two zones."""
    return abs((date.fromisoformat(day) - date.fromisoformat(other)).days) <= 1


def evidence_by_day(clues: Sequence[Clue], *, is_learned: bool = False) -> dict[str, frozenset[str]]:
    """Return what speaks for and against each day that may be that of the publication.

    A stated day next to one that is shown is the same time in another zone; readers see the other day. So is
    one next to a day that is stated more surely. The day of a change is none, if only that is stated of it,
    and says nothing of the day next to it.

    :param is_learned: whether the page's site is learned. Then it is known that its pages state different
        days, so a stated publication counts more than what is said or stated to be a change.
    """
    evidence: dict[str, set[str]] = {}
    clues = [clue for clue in clues if clue.source == STATED or CHANGED not in clue.evidence]
    for clue in clues:
        evidence.setdefault(clue.day, set()).update(clue.evidence)
    shown = sorted({clue.day for clue in clues if clue.source != STATED})
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
