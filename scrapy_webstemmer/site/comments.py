"""Readers' comments, which are recognised by their lines with a date.

Find dates in urls and texts. Only numbers count: no names of months, no order of day and month.

Find readers' comments: records in a row after the text, each with a date or a time in its own line.

One page is enough to find them; no words of any language and no names of classes
are used. A comment has a short line that tells when it was written, at the same
place in all comments, and text beside it. It has a link or a number of its own,
or stands in repeated records. An answer stands inside the comment that it
answers, so comments need not be siblings.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import accumulate
from typing import NamedTuple

from ..base.work import compiled
from ..html.tags import HEADINGS
from ..values import Block, Layout
from .model import COMMENTS, PlacedLayout, kind_of
from .paths import any_in, running_totals, sum_in, tag_of

# --- Find dates in urls and texts

_YEAR = r"(?<!\d)(?:19[89]|20[0-4])\d"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
#: A year as a step of the url's path, a year with its month, or a whole date.
_IN_URL = re.compile(rf"/{_YEAR}(?=/)|{_YEAR}[-_.]{_MONTH}(?!\d)|{_YEAR}{_MONTH}{_DAY}(?!\d)")

_YEAR_IN_TEXT, _DAY_IN_TEXT = re.compile(rf"{_YEAR}(?!\d)"), re.compile(r"(?<!\d)\d\d?(?!\d)")
#: Every such text has this. Most texts have no digit at all, so one search is enough for them.
_HINT = re.compile(r"\d[:.]\d|\d\d\d\d")
#: A line that tells when a comment was written weighs at most this, with a name, a time and some controls.
_STAMP = 60
_TIME_IN_TEXT = re.compile(r"(?<![\d:.])[012]?\d[:.][0-5]\d(?![\d:])")
#: A line with an article's date weighs at most this, with a name and a place. A longer text is a sentence.
_DATE_LINE = 40


def is_dated(url: str) -> bool:
    """Return whether a url has a date after its host."""
    return _IN_URL.search("/" + url.partition("//")[2].partition("/")[2]) is not None


def is_stamp(text: str) -> bool:
    """Return whether a text gives a day of a year, or a time of day, in digits.

    >>> [is_stamp(text) for text in ("12 mayo, 2010", "hace 3 horas", "10:20", "In 2010")]
    [True, False, True, False]
    """
    if not _HINT.search(text):
        return False
    if _TIME_IN_TEXT.search(text):
        return True
    return _YEAR_IN_TEXT.search(text) is not None and _DAY_IN_TEXT.search(text) is not None


def date_lines(blocks: Sequence[Block], among: Iterable[int]) -> list[int]:
    """Return the indexes of the blocks that are short lines with a date or a time.

    Cost: one search if there are none.
    """
    short = [index for index in among if blocks[index].weight <= _STAMP]
    texts = [blocks[index].text for index in short]
    hints = _HINT.finditer("\n".join(texts))
    ends = [*accumulate(len(text) + 1 for text in texts)]  # of each text among all
    hinted = dict.fromkeys(bisect_right(ends, hint.start()) for hint in hints)
    return [short[number] for number in hinted if is_stamp(texts[number])]


def is_date_line(block: Block) -> bool:
    """Return whether a block is a short line that tells when something was written, and perhaps by whom."""
    return block.weight <= _STAMP and is_stamp(block.text)


def _short_lines(page: PlacedLayout) -> list[str]:
    """Return the short texts that are neither boilerplate nor in records."""
    return [
        text
        for (node, text, weight, _), boilerplate in zip(page.layout.blocks, page.boilerplate, strict=True)
        if weight <= _DATE_LINE and not boilerplate and not page.repeated[node] and not page.leading[node]
    ]


def has_date_line(page: PlacedLayout) -> bool:
    """Return whether a page has a short line with a date, not in boilerplate and not in a list of pages."""
    placing = compiled("site.placing")
    lines = placing.short_lines(page, _DATE_LINE) if placing else _short_lines(page)
    if not _YEAR_IN_TEXT.search("\n".join(lines)):  # one search is enough for most pages
        return False
    return any(_YEAR_IN_TEXT.search(line) and _DAY_IN_TEXT.search(line) for line in lines)


# --- Find readers' comments

#: A thread has at least this many comments: nothing repeats a single one.
_LEAST = 2
#: At least this share of the records must look like comments.
_MOST = 0.8
#: This many kinds of lines with a date are tried, the most frequent ones.
_KINDS = 5
#: The ids of this many elements of a record are tried: the record's own id is among the first.
_FIRST_ELEMENTS = 20
#: In these elements a date is the author's.
_AUTHORS = HEADINGS | {"td", "th", "pre", "blockquote", "caption", "figcaption"}
_NUMBER = re.compile(r"\d")


class Comments(NamedTuple):
    """The comments of a page.

    :param thread: the node that holds all of them.
    :param records: for each comment the indexes of its blocks in the order of the page, boilerplate left out.
    :param opening: the nodes of the text of the post that opened the thread; empty if the thread is not a
        discussion, but stands below an article.
    """

    thread: int
    records: tuple[tuple[int, ...], ...]
    opening: range = range(0)


def without_comments(page: PlacedLayout, main: Sequence[int], among: Iterable[int]) -> list[int]:
    """Return the blocks of a main text without a thread of comments and the heading of the thread.

    :param main, among: as for :func:`find_comments`.
    """
    found = find_comments(page, main, among)
    if found is None:
        return [*main]
    blocks, end = page.layout.blocks, page.ends[found.thread]
    if found.opening:
        return [index for index in main if blocks[index].node in found.opening]
    kept = [index for index in main if not found.thread <= blocks[index].node < end]
    before = [index for index in kept if blocks[index].node < found.thread]
    if len(before) > 1 and tag_of(page.places[before[-1]]) in HEADINGS:
        kept.remove(before[-1])
    return kept


def find_comments(page: PlacedLayout, main: Sequence[int], among: Iterable[int]) -> Comments | None:
    """Return the comments on a page, None if there are none.

    :param main: indexes of the blocks of the main text, in the order of the page. Comments come after the
        first of them.
    :param among: indexes of the blocks that may be the lines with a date.

    Cost: a search for digits in each short block among these; some passes over the nodes if dates repeat.
    """
    first = page.layout.blocks[main[0]].node
    kinds = _stamps(page, [index for index in among if index > main[0]])
    threads = filter(None, (_thread(page, first, stamps) for stamps in kinds))
    return max(threads, key=lambda thread: len(thread.records), default=None)


def _stamps(page: PlacedLayout, among: Iterable[int]) -> Iterator[list[int]]:
    """Yield the nodes of lines with a date or a time; lines that look alike come together."""
    blocks, places = page.layout.blocks, page.places
    lines = date_lines(blocks, among)
    if len(lines) < _LEAST:
        return
    found: dict[str, dict[int, None]] = defaultdict(dict)
    for index in lines:
        steps = _tags(places[index])
        if _AUTHORS.isdisjoint(steps):  # a reply stands deeper than the comment that it answers
            found["/".join(steps[-2:])][blocks[index].node] = None
            found[places[index]][blocks[index].node] = None
    repeated = (nodes for nodes in found.values() if len(nodes) >= _LEAST)
    for nodes in nlargest(_KINDS, repeated, key=len):
        yield [*nodes]


@lru_cache(maxsize=4_096)
def _tags(path: str) -> list[str]:
    return [tag_of(step) for step in path.split("/")]


def _thread(page: PlacedLayout, first: int, stamps: Sequence[int]) -> Comments | None:
    parents, ends = page.layout.parents, page.ends
    stamps = sorted(stamps)
    records = [_record(page, stamps, number) for number in range(len(stamps))]
    thread = parents[records[0]]
    while thread > 0 and not stamps[-1] < ends[thread]:
        thread = parents[thread]
    opening = thread <= first < ends[thread]
    if thread <= 0 or (opening and not _is_discussion(page, records, first)):
        return None
    texts = _blocks_of(page, records, ends[thread])
    links = running_totals(page.layout.links)
    alike = sum(
        _has_text(page, own, stamp)
        and (page.repeated[record] or sum_in(links, ends, record) > 0 or _is_numbered(page, record))
        for stamp, record, own in zip(stamps, records, texts, strict=True)
    )
    if alike < _MOST * len(records) or alike < _LEAST:
        return None
    if opening:
        return Comments(thread, tuple(map(tuple, texts[1:])), _opening(page, records, stamps[0], texts[0]))
    return Comments(thread, tuple(map(tuple, texts)))


def _opening(page: PlacedLayout, records: Sequence[int], stamp: int, own: Sequence[int]) -> range:
    """Return the nodes with the text of the first post: below its date, or all if the date stands below."""
    blocks = page.layout.blocks
    below = sum(blocks[index].plain for index in own if blocks[index].node > stamp)
    above = sum(blocks[index].plain for index in own if blocks[index].node < stamp)
    return range(stamp + 1 if below > above else records[0], records[1])


def _is_discussion(page: PlacedLayout, records: Sequence[int], first: int) -> bool:
    """Return whether some records are a discussion: its first post is the article, the others are replies.

    The main text begins in the first record. All of them have a class of the template in common, and each
    has a number.
    """
    steps, begin = page.layout.steps, records[0]
    if not begin <= first < page.ends[begin]:
        return False
    common = set(steps[begin].classes).intersection(*(steps[record].classes for record in records))
    return bool(common) and all(_is_numbered(page, record) for record in records)


def _record(page: PlacedLayout, stamps: Sequence[int], number: int) -> int:
    """Return the outermost element around a stamp that holds no other stamps except those of answers.

    Answers come later in this element, in a child with another tag than the child with the stamp.
    """
    parents, ends = page.layout.parents, page.ends
    node = stamps[number]
    while (parent := parents[node]) > 0:
        after = bisect_left(stamps, ends[node])
        if any_in(stamps, parent, node):
            break
        if after < len(stamps) and stamps[after] < ends[parent]:
            answer = stamps[after]
            while parents[answer] != parent:
                answer = parents[answer]
            if page.layout.steps[answer].tag == page.layout.steps[node].tag:
                break
        node = parent
    return node


def _blocks_of(page: PlacedLayout, records: Sequence[int], end: int) -> list[list[int]]:
    """Return for each record its blocks without boilerplate and without the blocks of records inside it."""
    found: list[list[int]] = [[] for _ in records]
    around: list[int] = []  # numbers of the records that hold a block, outer ones first
    number = 0
    for index, block in enumerate(page.layout.blocks):
        node = block.node
        if node >= end:
            break
        while number < len(records) and records[number] <= node:
            around.append(number)
            number += 1
        while around and page.ends[records[around[-1]]] <= node:
            around.pop()
        if around and not page.boilerplate[index]:
            found[around[-1]].append(index)
    return found


def _has_text(page: PlacedLayout, record: Sequence[int], stamp: int) -> bool:
    """Return whether a record has text outside links beside the line with the date."""
    blocks = page.layout.blocks
    return any(blocks[index].node != stamp and blocks[index].plain for index in record)


def _is_numbered(page: PlacedLayout, record: int) -> bool:
    """Return whether a record, or one of the first elements in it, has an id with a number."""
    end = min(page.ends[record], record + _FIRST_ELEMENTS)
    return any(_NUMBER.search(step.id) for step in page.layout.steps[record:end])


def in_comments(layout: Layout, node: int) -> bool:
    """Return whether an element stands in one that is named after comments. Cost: a look-up per ancestor."""
    while node > 0:
        if kind_of(layout.steps[node]) in COMMENTS:
            return True
        node = layout.parents[node]
    return False
