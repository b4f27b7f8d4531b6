"""Readers' comments, which are recognised by their lines with a date.

Find readers' comments: records in a row after the text, each with a date or a time in its own line.

Read the author, the date and the text of each of them.

One page is enough to find them; no words of any language and no names of classes
are used. A comment has a short line that tells when it was written, at the same
place in all comments, and text beside it. It has a link or a number of its own,
or stands in repeated records. An answer stands inside the comment that it
answers, so comments need not be siblings.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from heapq import nlargest
from html import unescape
from itertools import accumulate, takewhile
from typing import NamedTuple

from ..html.marks import AUTHOR, COMMENTER, TIME, block_at, line_of, marks_in
from ..html.statements import is_name
from ..html.tags import HEADINGS
from ..html.text import HINT_OF_TIME, fold, is_day, is_stamp, iso_time
from ..values import Block, Comment
from .model import PlacedLayout
from .paths import any_in, running_totals, sum_in, tag_of

# --- Find lines with a date

#: A line that tells when a comment was written weighs at most this, with a name, a time and some controls.
_STAMP = 60


def date_lines(blocks: Sequence[Block], among: Iterable[int]) -> list[int]:
    """Return the indexes of the blocks that are short lines with a date or a time.

    Cost: one search if there are none.
    """
    short = [index for index in among if blocks[index].weight <= _STAMP]
    texts = [blocks[index].text for index in short]
    hints = HINT_OF_TIME.finditer("\n".join(texts))
    ends = [*accumulate(len(text) + 1 for text in texts)]  # of each text among all
    hinted = dict.fromkeys(bisect_right(ends, hint.start()) for hint in hints)
    return [short[number] for number in hinted if is_stamp(texts[number])]


def is_date_line(block: Block) -> bool:
    """Return whether a block is a short line that tells when something was written, and perhaps by whom."""
    return block.weight <= _STAMP and is_stamp(block.text)


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
    :param elements: for each comment the node that holds it.
    :param stamps: for each comment the node of the line with its date.
    :param opening: the nodes of the text of the post that opened the thread; empty if the thread is not a
        discussion, but stands below an article.
    """

    thread: int
    records: tuple[tuple[int, ...], ...]
    elements: tuple[int, ...]
    stamps: tuple[int, ...]
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
    texts = [
        [index for index in own if not page.boilerplate[index]]
        for own in _blocks_of(page, records, ends[thread])
    ]
    links = running_totals(page.layout.links)
    alike = sum(
        _has_text(page, own, stamp)
        and (page.repeated[record] or sum_in(links, ends, record) > 0 or _is_numbered(page, record))
        for stamp, record, own in zip(stamps, records, texts, strict=True)
    )
    if alike < _MOST * len(records) or alike < _LEAST:
        return None
    first_post = _opening(page, records, stamps[0], texts[0]) if opening else range(0)
    replies = slice(int(opening), None)
    return Comments(
        thread, tuple(map(tuple, texts[replies])), tuple(records[replies]), tuple(stamps[replies]), first_post
    )


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
    """Return for each record its blocks without the blocks of records inside it."""
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
        if around:
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


# --- Read comments: the author, the date, the text and the depth of each

#: A line with a name has at most so many characters.
_NAME = 60
#: The beginning of a record that may have a name has at most so many characters in a line.
_LONGEST_HEAD = 200
_MONTHS = 12
#: This share of the records must have an author at the same place.
_USUAL = 0.5
#: A line of so many comments and this share of them is a control: "Reply".
_CONTROL, _CONTROL_SHARE = 2, 0.5
#: The place of a name at the beginning of the line with the date.
_HEAD = ("head", False)
#: An inline element in a line, and a tag.
_ELEMENT, _TAG = re.compile(r"<(\w+)[^<>]*>(.*?)</\1>"), re.compile(r"<[^<>]*>")
_TOKEN = re.compile(r"\w+|[^\w\s]+")
#: Signs that may stand behind a name.
_SIGNS = " ,:;|-–—("
#: A day in numbers with the year at its end.
_TRIPLE = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")


def read_comments(page: PlacedLayout, found: Comments, day_of: Callable[[str], str]) -> tuple[Comment, ...]:
    """Return the comments on a page, in its order; none if the records are teasers of other pages.

    The author is marked as such, or has the same place in most records, in the line with the date or beside
    it. The date is marked, or stands in its line. The rest is the text, without what most records repeat.

    :param page: the page; its layout has its markup.
    :param day_of: returns the day in a line, empty if there is none; it knows the words for months.

    Cost: a look at the first lines of each record; a search for marks in the thread.
    """
    blocks, records = page.layout.blocks, _blocks_of(page, found.elements, page.ends[found.thread])
    lines = [
        next((n for n in own if blocks[n].node == stamp and is_date_line(blocks[n])), -1)
        for own, stamp in zip(records, found.stamps, strict=True)
    ]
    known, times = _marked(page, records)
    authors: Sequence[str] = known
    if sum(map(bool, known)) < _MOST * len(records):
        authors = [one or other for one, other in zip(known, _named(page, records, lines), strict=True)]
    stamps = [blocks[n].text if n >= 0 else "" for n in lines]
    days = _days([line.replace(author, " ", 1) for line, author in zip(stamps, authors, strict=True)], day_of)
    if sum(map(partial(_is_teaser, page), records, known)) >= _USUAL * len(records):
        return ()
    return tuple(
        Comment(author or None, time or day or None, text, depth)
        for author, time, day, text, depth in zip(
            authors, times, days, _texts(page, records, lines, authors), _depths(page, found), strict=True
        )
        if text
    )


def _depths(page: PlacedLayout, found: Comments) -> Iterator[int]:
    """Yield for each comment the number of those in which it stands."""
    around: list[int] = []  # the ends of those
    for element in found.elements:
        while around and around[-1] <= element:
            around.pop()
        yield len(around)
        around.append(page.ends[element])


def _is_teaser(page: PlacedLayout, own: Sequence[int], author: str) -> bool:
    """Return whether a record has a heading that leads elsewhere, or nothing but links.

    :param author: the author that is marked; empty: none is. The heading may be that.
    """
    blocks = page.layout.blocks
    heads = [
        n for n in own if tag_of(page.places[n]) in HEADINGS and blocks[n].weight and not blocks[n].plain
    ]
    return any(
        author not in fold(blocks[n].text) if author else page.leading[blocks[n].node] for n in heads
    ) or not any(blocks[n].plain for n in own)


def _marked(page: PlacedLayout, records: Sequence[Sequence[int]]) -> tuple[list[str], list[str]]:
    """Return for each record the author and the time that an element is marked as."""
    owners = {block: number for number, own in enumerate(records) for block in own}
    authors, commenters, times = ([""] * len(records) for _ in range(3))
    for mark in marks_in(page.layout, (AUTHOR, COMMENTER, TIME), range(min(owners), max(owners) + 1)):
        number = owners.get(block_at(page.layout, mark.piece), -1)
        own = authors if mark.kind == AUTHOR else commenters if mark.kind == COMMENTER else times
        value = mark.value if own is not times else iso_time(mark.value) or ""
        if number >= 0 and not own[number] and (own is times or _may_be_name(value)):
            own[number] = value
    return _cleaned([one or other for one, other in zip(authors, commenters, strict=True)]), times


def _named(page: PlacedLayout, records: Sequence[Sequence[int]], lines: Sequence[int]) -> list[str]:
    """Return for each record the author: the text that has the same place in most records.

    It is an inline element of the line with the date, or of a line beside it, or such a whole line; if there
    is none, the line with the date up to its first number.
    """
    options: dict[tuple[object, ...], dict[int, str]] = defaultdict(dict)
    blocks = page.layout.blocks
    below = sum(blocks[n].plain for own, line in zip(records, lines, strict=True) for n in own if n > line)
    above = sum(blocks[n].plain for own, line in zip(records, lines, strict=True) for n in own if n < line)
    on_top = below >= above
    for number, (own, line) in enumerate(zip(records, lines, strict=True)):
        if line >= 0:
            for key, value in _names_in(page, own, line, on_top):
                options[key].setdefault(number, value)
    heads = options.pop(_HEAD, {})
    usual = [
        own
        for (*_, first), own in options.items()
        if len(own) >= _USUAL * len(records) and (first or len({*own.values()}) > 1)
    ]
    if usual:
        best = max(usual, key=len)
        return _cleaned([best.get(number, "") for number in range(len(records))])
    return _before_common(_cleaned([heads.get(number, "") for number in range(len(records))]))


def _names_in(
    page: PlacedLayout, own: Sequence[int], dated: int, on_top: bool
) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the texts in and beside the line with the date that may be a name, each with its place.

    The last part of a place is whether the text may be the same in all records: one reader wrote them all.
    That is so for the first element of a line that is not behind the date. Others are controls.

    :param on_top: the line with the date stands above the text, not below it.
    """
    blocks, at = page.layout.blocks, own.index(dated)
    for step in (0, -1, 1):
        if not 0 <= at + step < len(own) or (step > 0 and on_top and at + step == len(own) - 1):
            continue  # the last line is the text
        block = own[at + step]
        place, text = (str(step), *_tags(page.places[block])[-2:]), blocks[block].text
        line = line_of(page.layout, block) if len(text) <= _LONGEST_HEAD else ""
        for number, element in enumerate(_ELEMENT.finditer(line)):
            value = fold(unescape(_TAG.sub("", element[2])))
            if _may_be_name(value):
                before = _TAG.sub("", line[: element.start()])
                yield (*place, element[1], step <= 0 and not number and not _NUMBER.search(before)), value
        if step and on_top != (step > 0) and _may_be_name(text):
            yield (*place, False), fold(text)
    head = fold(_NUMBER.split(blocks[dated].text, maxsplit=1)[0])
    if _may_be_name(head):
        yield _HEAD, head


def _before_common(names: Sequence[str]) -> list[str]:
    """Return names without what begins with a word or a sign that all of them have: ``Ann on Monday``."""
    rows = [[*_TOKEN.finditer(name)] for name in names]
    behind = [{token[0] for token in row[1:]} for row in rows if row]
    common = set.intersection(*behind) if behind else set()
    ends = [next((token.start() for token in row[1:] if token[0] in common), None) for row in rows]
    return [name[:end].strip() for name, end in zip(names, ends, strict=True)]


def _may_be_name(text: str) -> bool:
    return len(text) <= _NAME and is_name(text) and not is_stamp(text)


def _cleaned(names: Sequence[str]) -> list[str]:
    """Return names without the words around all of them: ``Ann says:``, ``By Ann``."""
    tokens = [_TOKEN.findall(name) for name in {*names} - {""}]
    if len(tokens) < _LEAST:
        return [name.rstrip(_SIGNS) for name in names]
    before, after = _in_common(tokens), _in_common([own[::-1] for own in tokens])
    if min(map(len, tokens)) <= before + after:
        before = after = 0
    found = []
    for name in names:
        spans = [*_TOKEN.finditer(name)]
        found.append(name[spans[before].start() : spans[len(spans) - 1 - after].end()] if spans else "")
    return [name.rstrip(_SIGNS) for name in found]


def _in_common(rows: Sequence[Sequence[str]]) -> int:
    """Return with how many equal tokens all rows begin."""
    return sum(1 for _ in takewhile(lambda tokens: len({*tokens}) == 1, zip(*rows, strict=False)))


def _days(lines: Sequence[str], day_of: Callable[[str], str]) -> list[str]:
    """Return the day in each line; empty: none is known.

    Lines in numbers alone tell together whether the day or the month comes first. Before a full stop it is
    the day. Otherwise, if no number is above twelve, no day is known.
    """
    triples = [_TRIPLE.search(line) for line in lines]
    first = any(one and (int(one[1]) > _MONTHS or one[2] == ".") for one in triples)
    second = any(one and int(one[3]) > _MONTHS for one in triples)
    return [
        _numeric(one, first, second) if one else day_of(line)
        for one, line in zip(triples, lines, strict=True)
    ]


def _numeric(found: re.Match[str], first: bool, second: bool) -> str:
    if first == second:
        return ""
    day, month = (found[1], found[3]) if first else (found[3], found[1])
    text = f"{found[4]}-{month:>02}-{day:>02}"
    return text if is_day(text) else ""


def _texts(
    page: PlacedLayout, records: Sequence[Sequence[int]], lines: Sequence[int], authors: Sequence[str]
) -> Iterator[str]:
    """Yield the text of each record, without the lines of its author and date, and without controls."""
    blocks = page.layout.blocks
    shown = Counter(text for own in records for text in {fold(blocks[n].text) for n in own})
    controls = {
        text for text, count in shown.items() if count >= max(_CONTROL, _CONTROL_SHARE * len(records))
    }
    for own, line, author in zip(records, lines, authors, strict=True):
        at = own.index(line) if line >= 0 else 0
        beside = [*own[max(0, at - 1) : at], *own[at + 1 : -1][:1]] if line >= 0 else own[:1]
        head = {
            n for n in beside if author and author in fold(blocks[n].text) and len(blocks[n].text) <= _NAME
        }
        rest = [n for n in own if n != line and fold(blocks[n].text) not in controls]
        kept = [n for n in rest if n not in head] or rest
        yield "\n".join(blocks[n].text for n in kept if not page.boilerplate[n]) or "\n".join(
            blocks[n].text for n in kept
        )
