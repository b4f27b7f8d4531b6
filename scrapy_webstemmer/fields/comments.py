"""Read readers' comments: the author, the date, the text and the depth of each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from itertools import takewhile

from ..page.days import is_date_line, is_day, is_stamp, iso_time
from ..page.lines import line_of
from ..page.marks import AUTHOR, COMMENTER, TIME, block_at, marks_in
from ..page.names import is_name
from ..page.text import TAG, fold
from ..site.placed import PlacedLayout
from ..site.posts import Post, begins_thread, marked_posts
from ..site.threads import Comments, are_teasers, blocks_of, find_comments, tags_of
from ..values import Author, Comment

#: A line with a name has at most so many characters.
_LONGEST_NAME = 60
#: The beginning of a record that may have a name has at most so many characters in a line.
_LONGEST_HEAD = 200
#: Format: months of a year.
_MONTHS = 12
#: This share of the records must have an author at the same place. If so many have a marked one, marks tell.
_USUAL_SHARE, _MARKED = 0.5, 0.8
#: What so many names have in common is no part of them.
_SEVERAL = 2
#: A line of so many comments and this share of them is a control: "Reply".
_CONTROL_RECORDS, _CONTROL_SHARE = 2, 0.5
#: The place of a name at the beginning of the line with the date.
_HEAD = ("head", False)
#: An inline element in a line.
_ELEMENT = re.compile(r"<(\w+)[^<>]*>(.*?)</\1>")
_NUMBER = re.compile(r"\d")
#: What ends a name at the beginning of the line with the date.
_BEHIND_NAME = re.compile(r"[\d,|•·(]")
_TOKEN = re.compile(r"\w+|[^\w\s]+")
#: Signs that may stand behind a name.
_SIGNS_BEHIND = " ,:;|-–—("
#: A day in numbers with the year at its end.
_TRIPLE = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")


def comments_on(
    page: PlacedLayout,
    main: Sequence[int],
    known: Mapping[str, Sequence[str]] | None,
    day_of: Callable[[str], str],
) -> tuple[Comment, ...]:
    """Return the comments on a page, in its order: those whose texts markup says, or those that are found.

    :param main: indexes of the blocks of the main text.
    :param known: as for :func:`~.site.threads.find_comments`.
    :param day_of: as for :func:`read_comments`.
    """
    if not main:
        return ()
    if posts := marked_posts(page, main):
        return _comments(page, posts[begins_thread(page, posts, main) :], day_of)
    comments = find_comments(page, main, known)
    return read_comments(page, comments, day_of) if comments else ()


def read_comments(
    page: PlacedLayout, comments: Comments, day_of: Callable[[str], str]
) -> tuple[Comment, ...]:
    """Return the comments on a page, in its order; none if the records are teasers of other pages.

    The author is marked as such, or has the same place in most records, in the line with the date or beside
    it. The date is marked, or stands in its line. The rest is the text, without what most records repeat.

    :param page: the page; its layout has its markup.
    :param day_of: returns the day in a line, empty if there is none; it knows the words for months.

    Cost: a look at the first lines of each record; a search for marks in the thread.
    """
    records = blocks_of(page, comments.elements)
    lines, (known, times) = _lines(page, records, comments.stamps), _marked(page, records)
    if are_teasers(page, records, known):
        return ()
    authors = _authors(page, records, lines, known)
    texts = _texts(page, records, lines, authors)
    rows = zip(comments.elements, texts, authors, times, lines, strict=True)
    posts = [Post(element, text, author, time, dated=line) for element, text, author, time, line in rows]
    return _comments(page, posts, day_of)


def _comments(page: PlacedLayout, posts: Sequence[Post], day_of: Callable[[str], str]) -> tuple[Comment, ...]:
    """Return the comments that posts are."""
    blocks = page.layout.blocks
    lines = [blocks[post.dated].text if post.dated >= 0 else "" for post in posts]
    days = _days([line.replace(post.author, " ", 1) for line, post in zip(lines, posts, strict=True)], day_of)
    depths = _depths(page, [post.element for post in posts])
    return tuple(
        Comment(
            post.author or None,
            post.time or day or None,
            "\n".join([blocks[index].text for index in post.text]),
            depth,
        )
        for post, day, depth in zip(posts, days, depths, strict=True)
        if post.text
    )


def opened_by(page: PlacedLayout, main: Sequence[int]) -> tuple[Author, ...]:
    """Return the author of the first post of a discussion whose posts markup says; empty: it says none."""
    posts = marked_posts(page, main)
    is_known = posts and posts[0].author and begins_thread(page, posts, main)
    return (Author(posts[0].author),) if is_known else ()


def who_began(page: PlacedLayout, main: Sequence[int]) -> tuple[Author, ...]:
    """Return the author of the first post of a discussion, who is named where those of the replies are.

    Empty: it is no discussion, or nobody is named there.

    :param main: indexes of the blocks of the main text.

    Cost: as for :func:`~.site.threads.find_comments`; on a discussion, as for :func:`read_comments`.
    """
    if author := opened_by(page, main):
        return author
    comments = find_comments(page, main)
    if comments is None or not comments.first:
        return ()
    element, stamp = comments.first
    records = blocks_of(page, (element, *comments.elements))
    lines, (known, _) = _lines(page, records, (stamp, *comments.stamps)), _marked(page, records)
    names = _authors(page, records, lines, known)
    # what most posts have in common is the rank of their authors: "Member"
    is_named = names[0] and names.count(names[0]) <= _USUAL_SHARE * len(names)
    return (Author(names[0]),) if is_named and not are_teasers(page, records, known) else ()


def _lines(page: PlacedLayout, records: Sequence[Sequence[int]], stamps: Sequence[int]) -> list[int]:
    """Return for each record the block of the line with the date; -1: there is none."""
    blocks = page.layout.blocks
    return [
        next((index for index in record if blocks[index].node == stamp and is_date_line(blocks[index])), -1)
        for record, stamp in zip(records, stamps, strict=True)
    ]


def _authors(
    page: PlacedLayout, records: Sequence[Sequence[int]], lines: Sequence[int], known: list[str]
) -> list[str]:
    """Return the author of each record; empty: none is known.

    :param known: those who are marked.
    """
    are_marked = sum(map(bool, known)) >= _MARKED * len(records)
    return known if are_marked else _named(page, records, lines)


def _depths(page: PlacedLayout, elements: Sequence[int]) -> Iterator[int]:
    """Yield for each of some elements the number of those in which it stands."""
    around: list[int] = []  # the ends of those
    for element in elements:
        while around and around[-1] <= element:
            around.pop()
        yield len(around)
        around.append(page.ends[element])


def _marked(page: PlacedLayout, records: Sequence[Sequence[int]]) -> tuple[list[str], list[str]]:
    """Return for each record the author and the time that an element is marked as."""
    owners = {block: at for at, record in enumerate(records) for block in record}
    authors, commenters, times = ([""] * len(records) for _ in range(3))
    for mark in marks_in(page.layout, (AUTHOR, COMMENTER, TIME), range(min(owners), max(owners) + 1)):
        at = owners.get(block_at(page.layout, mark.piece), -1)
        column = authors if mark.kind == AUTHOR else commenters if mark.kind == COMMENTER else times
        value = mark.value if column is not times else iso_time(mark.value) or ""
        if at >= 0 and not column[at] and (column is times or _may_be_name(value)):
            column[at] = value
    return _cleaned([author or other for author, other in zip(authors, commenters, strict=True)]), times


def _named(page: PlacedLayout, records: Sequence[Sequence[int]], lines: Sequence[int]) -> list[str]:
    """Return for each record the author: the text that has the same place in most records.

    It is an inline element of the line with the date, or of a line beside it, or such a whole line; if there
    is none, the line with the date up to its first number or sign.
    """
    options: dict[tuple[object, ...], dict[int, str]] = defaultdict(dict)
    blocks = page.layout.blocks
    below = above = 0
    for record, line in zip(records, lines, strict=True):
        below += sum(blocks[index].plain for index in record if index > line)
        above += sum(blocks[index].plain for index in record if index < line)
    for at, (record, line) in enumerate(zip(records, lines, strict=True)):
        if line >= 0:
            for key, value in _names_beside_date(page, record, line, on_top=below >= above):
                options[key].setdefault(at, value)
    heads = options.pop(_HEAD, {})
    usual = [
        names
        for (*_, first), names in options.items()
        if len(names) >= _USUAL_SHARE * len(records) and (first or len({*names.values()}) > 1)
    ]
    # ranks are the same in many records: "Member"
    best = max(usual, key=lambda names: (len(names), len({*names.values()})), default=heads)
    return _cleaned([best.get(at, "") for at in range(len(records))])


def _names_beside_date(
    page: PlacedLayout, record: Sequence[int], dated: int, *, on_top: bool
) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the texts in and beside the line with the date that may be a name, each with its place.

    The last part of a place is whether the text may be the same in all records: one reader wrote them all.
    That is so for the first element of a line that is not behind the date. Others are controls.

    :param on_top: the line with the date stands above the text, not below it.
    """
    blocks, at = page.layout.blocks, record.index(dated)
    for step in dict.fromkeys((0, -1, 1, -at)):
        if not 0 <= at + step < len(record) or (step > 0 and on_top and at + step == len(record) - 1):
            continue  # the last line is the text
        block = record[at + step]
        name = "first" if step == -at < -1 else str(step)
        place, text = (name, *tags_of(page.places[block])[-2:]), blocks[block].text
        line = line_of(page.layout, block) if len(text) <= _LONGEST_HEAD else ""
        for number, element in enumerate(_ELEMENT.finditer(line)):
            value = fold(unescape(TAG.sub("", element[2])))
            if _may_be_name(value):
                before = TAG.sub("", line[: element.start()])
                yield (*place, element[1], step <= 0 and not number and not _NUMBER.search(before)), value
        if ((step and on_top != (step > 0)) or name == "first") and _may_be_name(text):
            yield (*place, False), fold(text)
    head = fold(_BEHIND_NAME.split(blocks[dated].text, maxsplit=1)[0])
    if _may_be_name(head):
        yield _HEAD, head


def _may_be_name(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and is_name(text) and not is_stamp(text)


def _cleaned(names: Sequence[str]) -> list[str]:
    """Return names without the words around all of them: ``Ann says:``, ``By Ann``."""
    tokens = [_TOKEN.findall(name) for name in {*names} - {""}]
    if len(tokens) < _SEVERAL:
        return [name.rstrip(_SIGNS_BEHIND) for name in names]
    before, after = _in_common(tokens), _in_common([row[::-1] for row in tokens])
    if min(map(len, tokens)) <= before + after:
        before = after = 0
    cleaned = []
    for name in names:
        spans = [*_TOKEN.finditer(name)]
        cleaned.append(name[spans[before].start() : spans[len(spans) - 1 - after].end()] if spans else "")
    return [name.rstrip(_SIGNS_BEHIND) for name in cleaned]


def _in_common(rows: Sequence[Sequence[str]]) -> int:
    """Return with how many equal tokens all rows begin."""
    return sum(1 for _ in takewhile(lambda tokens: len({*tokens}) == 1, zip(*rows, strict=False)))


def _days(lines: Sequence[str], day_of: Callable[[str], str]) -> list[str]:
    """Return the day in each line; empty: none is known.

    Lines in numbers alone tell together whether the day or the month comes first. Before a full stop it is
    the day. Otherwise, if no number is above twelve, no day is known.
    """
    triples = [_TRIPLE.search(line) for line in lines]
    first = any(triple and (int(triple[1]) > _MONTHS or triple[2] == ".") for triple in triples)
    second = any(triple and int(triple[3]) > _MONTHS for triple in triples)
    return [
        _numeric(triple, first, second) if triple else day_of(line)
        for triple, line in zip(triples, lines, strict=True)
    ]


def _numeric(triple: re.Match[str], first: bool, second: bool) -> str:
    if first == second:
        return ""
    day, month = (triple[1], triple[3]) if first else (triple[3], triple[1])
    text = f"{triple[4]}-{month:>02}-{day:>02}"
    return text if is_day(text) else ""


def _texts(
    page: PlacedLayout, records: Sequence[Sequence[int]], lines: Sequence[int], authors: Sequence[str]
) -> Iterator[list[int]]:
    """Yield the blocks of each record without those of its author and date, and without controls."""
    blocks = page.layout.blocks
    shown = Counter(text for record in records for text in {fold(blocks[index].text) for index in record})
    controls = {
        text for text, count in shown.items() if count >= max(_CONTROL_RECORDS, _CONTROL_SHARE * len(records))
    }
    for record, line, author in zip(records, lines, authors, strict=True):
        at = record.index(line) if line >= 0 else 0
        head = {
            index
            for index in (*record[:1], *record[max(0, at - 1) : at + 2])
            if author and author in fold(blocks[index].text) and len(blocks[index].text) <= _LONGEST_NAME
        }
        rest = [index for index in record if index != line and fold(blocks[index].text) not in controls]
        kept = [index for index in rest if index not in head] or rest
        yield [index for index in kept if not page.boilerplate[index]] or kept
