"""Find readers' comments, and other articles that follow that of the page.

Comments are records in a row after the text, each with a date or a time in its own line. One page is enough
to find them; no words of any language and no names of classes are used. A comment has a short line that tells
when it was written, at the same place in all comments, and text beside it. Where this is a time of day alone,
a name stands there, too: entries of a live ticker have none. A comment has a link or a number of its own, or
stands in repeated records. An answer stands inside the comment that it answers, so comments need not be
siblings. Where many pages of a site have comments, a single one is found, too, and one whose answers hide
that it is a record: ``comment_places.py`` finds these places.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from heapq import nlargest
from itertools import chain, islice
from typing import NamedTuple

from ..page.days import DATED_BY_AUTHORS, date_lines, is_date_line
from ..page.facts import LIVE
from ..page.tags import HEADINGS
from ..page.text import fold
from ..values import Block
from .paths import tag_of
from .placed import PlacedLayout
from .subtrees import any_in, innermost, sum_in
from .weighing import PARAGRAPH

#: A thread has at least this many comments: nothing repeats a single one.
_LEAST_COMMENTS = 2
#: At least this share of the records must look like comments.
_COMMENTS_SHARE = 0.8
#: Bound: this many kinds of lines with a date are tried, the most frequent ones.
_MOST_KINDS = 5
#: Records are teasers if at least this share of them look like some. The name of who wrote a comment has at
#: most so many significant characters; beside a longer link a comment says at least so much: a teaser has the
#: name of its author or of its kind there.
_TEASERS_SHARE, _LONGEST_NAME, _LEAST_SAID = 0.5, 40, 20
#: A name beside a time has at most so many words: a headline has more. A time of day has at most so many
#: digits, and so many letters.
_WORDS_OF_NAME, _LONGEST_TIME = 4, 4
#: The line with the date of the first post of a discussion is at most so many blocks above its text.
_ABOVE_POST = 12
#: Bound: the ids of this many elements of a record are tried: the record's own id is among the first.
_FIRST_ELEMENTS = 20
#: Bound: the ``dt`` of a line with a date is at most so many elements before it.
_LARGEST_GROUP = 500
_DIGIT = re.compile(r"\d")


class Comments(NamedTuple):
    """The comments of a page.

    :param thread: the node that holds all of them.
    :param elements: for each comment the node that holds it.
    :param stamps: for each comment the node of the line with its date.
    :param opening: the nodes of the text of the post that opened the thread; empty if the thread is not a
        discussion, but stands below an article.
    :param first: the node of that post, and the one of the line with its date.
    """

    thread: int
    elements: tuple[int, ...]
    stamps: tuple[int, ...]
    opening: range = range(0)
    first: tuple[int, ...] = ()


def without_comments(page: PlacedLayout, main: Sequence[int]) -> list[int]:
    """Return the blocks of a main text without a thread of comments and the heading of the thread.

    :param main: as for :func:`find_comments`.
    """
    comments = find_comments(page, main)
    if comments is None:
        return [*main]
    blocks, end = page.layout.blocks, page.ends[comments.thread]
    if comments.opening:
        return [index for index in main if blocks[index].node in comments.opening]
    kept = [index for index in main if not comments.thread <= blocks[index].node < end]
    before = [index for index in kept if blocks[index].node < comments.thread]
    if len(before) > 1 and tag_of(page.places[before[-1]]) in HEADINGS:
        kept.remove(before[-1])
    return kept


def find_comments(
    page: PlacedLayout, main: Sequence[int], known: Mapping[str, Sequence[str]] | None = None
) -> Comments | None:
    """Return the comments on a page, None if there are none.

    :param main: indexes of the blocks of the main text, in the order of the page. Comments come after the
        first of them.
    :param known: where the site has comments, as :func:`learn_threads` gives it. A single one is found there,
        too.

    Cost: a search for digits in each short block behind it; some passes over the nodes if dates repeat.
    """
    if LIVE in page.layout.stated:
        return None  # what repeats with a time is the text
    blocks = page.layout.blocks
    lines = date_lines(blocks, range(main[0] + 1, len(blocks)))
    above = range(max(0, main[0] - _ABOVE_POST), main[0] + 1) if lines else ()
    stamped = map(sorted, _stamps(page, lines, date_lines(blocks, above)))
    threads = [_thread(page, main, stamps) for stamps in stamped]
    if known:
        threads.append(known_thread(page, main, lines, known))
    return max(filter(None, threads), key=lambda thread: len(thread.elements), default=None)


def known_thread(
    page: PlacedLayout, main: Sequence[int], lines: Iterable[int], known: Mapping[str, Sequence[str]]
) -> Comments | None:
    """Return the comments at the places where the site has comments; None: none stand there."""
    parents, blocks = page.layout.parents, page.layout.blocks
    stamps: dict[int, int] = {}  # by the node of the comment
    for index in lines:
        node = blocks[index].node
        for levels in islice(levels_at(page.places[index], known), 1):
            for _ in range(levels):
                node = parents[node]
            stamps.setdefault(_term(page, node), blocks[index].node)
    main_nodes = sorted([blocks[index].node for index in main])
    records = sorted(node for node in stamps if not any_in(main_nodes, node, page.ends[node]))
    if not records:
        return None
    thread = parents[records[0]]
    while not records[-1] < page.ends[thread]:
        thread = parents[thread]
    held = zip(records, blocks_of(page, records), strict=True)
    elements = tuple(record for record, indexes in held if _has_text(page, indexes, stamps[record]))
    return Comments(thread, elements, tuple(map(stamps.__getitem__, elements))) if elements else None


def levels_at(place: str, known: Mapping[str, Sequence[str]]) -> Iterator[int]:
    """Yield how many levels above a line with a date the comment is, if the site has comments there."""
    for thread, forms in known.items():
        if place.startswith(f"{thread}/"):
            steps = tags_of(place[len(thread) + 1 :])
            for form in forms:
                tags = form.split("/")
                if tags == steps[-len(tags) :]:
                    yield len(tags) - 1


def _stamps(page: PlacedLayout, lines: Sequence[int], above: Sequence[int]) -> Iterator[list[int]]:
    """Yield the nodes of lines with a date or a time; lines that look alike come together.

    :param above: such lines above the main text: the last one may be that of the first post.
    """
    by_place, first = _stamps_by_place(page, lines), _stamps_by_place(page, above)
    alike = [[*nodes] for nodes in by_place.values()]
    alike += [[*[*first[place]][-1:], *nodes] for place, nodes in by_place.items() if place in first]
    repeated = (nodes for nodes in alike if len(nodes) >= _LEAST_COMMENTS)
    yield from nlargest(_MOST_KINDS, repeated, key=len)


def _stamps_by_place(page: PlacedLayout, lines: Iterable[int]) -> Mapping[str, Mapping[int, None]]:
    """Return the nodes of those of some lines at whose place authors write no dates, by their places."""
    by_place: dict[str, dict[int, None]] = defaultdict(dict)
    for index in lines:
        node, steps = page.layout.blocks[index].node, tags_of(page.places[index])
        if DATED_BY_AUTHORS.isdisjoint(steps):  # a reply stands deeper than the comment that it answers
            by_place["/".join(steps[-2:])][node] = None
            by_place[page.places[index]][node] = None
    return by_place


@lru_cache(maxsize=4_096)
def tags_of(path: str) -> list[str]:
    return [tag_of(step) for step in path.split("/")]


def _thread(page: PlacedLayout, main: Sequence[int], stamps: Sequence[int]) -> Comments | None:
    parents, ends = page.layout.parents, page.ends
    records = [_record(page, stamps, at) for at in range(len(stamps))]
    thread = parents[records[0]]
    while thread > 0 and not stamps[-1] < ends[thread]:
        thread = parents[thread]
    opening = thread <= page.layout.blocks[main[0]].node < ends[thread]
    if thread <= 0 or (opening and not _is_discussion(page, records)):
        return None
    if _goes_on(page, thread, main):
        return None  # a timeline in the text
    held = blocks_of(page, records)
    texts = [[index for index in indexes if not page.boilerplate[index]] for indexes in held]
    links = page.columns.links
    alike = sum(
        _has_text(page, text, stamp)
        and (page.repeated[record] or sum_in(links, ends, record) > 0 or _is_numbered(page, record))
        for stamp, record, text in zip(stamps, records, texts, strict=True)
    )
    if alike < _COMMENTS_SHARE * len(records) or not (opening or _say_who(page, held, stamps)):
        return None
    blocks = page.layout.blocks
    if _new_text_in(page, thread) > 2 * sum(blocks[index].plain for index in chain.from_iterable(texts)):
        return None  # the text itself, with a few dated notes in it
    first_post = _opening(page, records, stamps[0], texts[0]) if opening else range(0)
    replies = slice(int(opening), None)
    return Comments(
        thread,
        tuple(records[replies]),
        tuple(stamps[replies]),
        first_post,
        (records[0], stamps[0]) if opening else (),
    )


def _say_who(page: PlacedLayout, held: Sequence[Sequence[int]], stamps: Sequence[int]) -> bool:
    """Return whether half of some records tell a day, or who wrote them. Entries of a live ticker do not.

    A name stands in the line with the time, or beside it, as a short text, in no heading: that is what an
    entry is about. What all of several records have, such as "Reply", is no name.
    """
    blocks, steps, longer = page.layout.blocks, page.layout.steps, 0
    for indexes, stamp in zip(held, stamps, strict=True):
        line = "".join([blocks[index].text for index in indexes if blocks[index].node == stamp])
        longer += max(sum(map(str.isdigit, line)), sum(map(str.isalpha, line))) > _LONGEST_TIME
    if 2 * longer >= len(held):  # as of most
        return True
    beside = (
        [
            blocks[index]
            for index in indexes
            if (node := blocks[index].node) != stamp and steps[node].tag not in HEADINGS
        ]
        for indexes, stamp in zip(held, stamps, strict=True)
    )
    short = [{block.text for block in record if _is_short(block)} for record in beside]
    on_all = set.intersection(*short) if len(short) > _LEAST_COMMENTS else set()
    return 2 * sum(texts > on_all for texts in short) >= len(held)


def _is_short(block: Block) -> bool:
    return 0 < block.weight <= _LONGEST_NAME and len(block.text.split()) <= _WORDS_OF_NAME


def _goes_on(page: PlacedLayout, thread: int, main: Sequence[int]) -> bool:
    """Return whether paragraphs of the main text stand beside a thread, behind it.

    A single one may be a note on how comments are checked.
    """
    blocks, parents = page.layout.blocks, page.layout.parents
    nodes = [blocks[index].node for index in main if blocks[index].plain >= PARAGRAPH]
    return sum(node > thread and parents[node] == parents[thread] for node in nodes) > 1


def _new_text_in(page: PlacedLayout, node: int) -> int:
    """Return the characters in an element outside links that are not boilerplate."""
    inside = range(node, page.ends[node])
    return sum(
        block.plain
        for block, known in zip(page.layout.blocks, page.boilerplate, strict=True)
        if not known and block.node in inside
    )


def _opening(page: PlacedLayout, records: Sequence[int], stamp: int, text: Sequence[int]) -> range:
    """Return the nodes with the text of the first post: below its date, or all if the date stands below."""
    blocks = page.layout.blocks
    below = sum(blocks[index].plain for index in text if blocks[index].node > stamp)
    above = sum(blocks[index].plain for index in text if blocks[index].node < stamp)
    return range(stamp + 1 if below > above else records[0], records[1])


def _is_discussion(page: PlacedLayout, records: Sequence[int]) -> bool:
    """Return whether some records are a discussion: its first post is the article, the others are replies.

    All of them have a class of the template in common, and each has a number.
    """
    common = set.intersection(*({*page.layout.steps[record].classes} for record in records))
    return bool(common) and all(_is_numbered(page, record) for record in records)


def _record(page: PlacedLayout, stamps: Sequence[int], at: int) -> int:
    """Return the outermost element around a stamp that holds no other stamps except those of answers.

    Answers come later in this element, in a child with another tag than the child with the stamp.
    """
    parents, ends = page.layout.parents, page.ends
    node = stamps[at]
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
    return _term(page, node)


def _term(page: PlacedLayout, node: int) -> int:
    """Return the element with which the group of a definition begins: ``dt``; other elements as they are."""
    layout = page.layout
    group, steps = layout.parents[node], layout.steps
    if steps[node].tag != "dd" or steps[group].tag != "dl":
        return node
    before = range(node, max(group, node - _LARGEST_GROUP), -1)
    terms = (n for n in before if layout.parents[n] == group and steps[n].tag == "dt")
    return next(terms, node)


def _ends_of(page: PlacedLayout, records: Sequence[int]) -> list[int]:
    """Return for each comment the node behind its last one: that of a ``dt`` goes up to the next one."""
    ends = []
    for at, record in enumerate(records):
        end, layout = page.ends[record], page.layout
        if layout.steps[record].tag == "dt":
            end = page.ends[layout.parents[record]]
            if at + 1 < len(records):
                end = min(end, records[at + 1])
        ends.append(end)
    return ends


def blocks_of(page: PlacedLayout, records: Sequence[int]) -> list[list[int]]:
    """Return for each record its blocks without the blocks of records inside it."""
    held: list[list[int]] = [[] for _ in records]
    ends = _ends_of(page, records)
    around: list[int] = []  # numbers of the records that hold a block, outer ones first
    at = 0
    first = records[0] if records else 0
    for index, node in enumerate(page.columns.nodes):
        if node < first:
            continue
        while at < len(records) and records[at] <= node:
            around.append(at)
            at += 1
        while around and ends[around[-1]] <= node:
            around.pop()
        if around:
            held[around[-1]].append(index)
        elif at == len(records):
            break
    return held


def _has_text(page: PlacedLayout, record: Sequence[int], stamp: int) -> bool:
    """Return whether a record has text outside links beside the line with the date."""
    blocks = page.layout.blocks
    return any(blocks[index].node != stamp and blocks[index].plain for index in record)


def _is_numbered(page: PlacedLayout, record: int) -> bool:
    """Return whether a record or one of its first elements has an id with a number."""
    steps = page.layout.steps[record : min(page.ends[record], record + _FIRST_ELEMENTS)]
    return any(_DIGIT.search(step.id) for step in steps)


def may_be_post(page: PlacedLayout, main: Sequence[int]) -> bool:
    """Return whether a text is in an element with a class and a number in its id, as a post is."""
    node = page.layout.blocks[main[0]].node if main else 0
    steps, parents = page.layout.steps, page.layout.parents
    while node > 0 and not (steps[node].classes and _DIGIT.search(steps[node].id)):
        node = parents[node]
    return node > 0


def are_teasers(page: PlacedLayout, records: Sequence[Sequence[int]], known: Sequence[str]) -> bool:
    """Return whether many of some records are teasers of other pages.

    :param known: for each the author that is marked.
    """
    return sum(map(partial(_is_teaser, page), records, known)) >= _TEASERS_SHARE * len(records)


def _is_teaser(page: PlacedLayout, record: Sequence[int], author: str) -> bool:
    """Return whether a record has a heading that leads elsewhere, or little but links.

    :param author: the author that is marked; empty: none is. The heading may be that.
    """
    blocks = [page.layout.blocks[index] for index in record]
    weight, plain = max([(block.weight, block.plain) for block in blocks], default=(0, 0))
    least = _LEAST_SAID if weight > _LONGEST_NAME and not plain else 1
    if sum(block.plain for block in blocks if not is_date_line(block)) < least:
        return True
    heads = [page.layout.blocks[index] for index in record if tag_of(page.places[index]) in HEADINGS]
    links = [block for block in heads if not block.plain]
    return any(author not in fold(block.text) if author else page.leading[block.node] for block in links)


def without_other_articles(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without those of other articles, which follow as readers scroll on.

    Each has an ``article`` element with an ``h1``.
    """
    if not main or (first := _outer_article(page, main[0])) is None:
        return main
    end = page.ends[first]
    if page.layout.blocks[main[-1]].node < end or not _has_headline(page, first):
        return main
    others = {article for index in main if (article := _outer_article(page, index) or 0) >= end}
    others = {article for article in others if _has_headline(page, article)}
    return [index for index in main if _outer_article(page, index) not in others]


def _outer_article(page: PlacedLayout, index: int) -> int | None:
    """Return the outermost ``article`` around a block; None: there is none."""
    node, outer = page.layout.blocks[index].node, None
    while node := innermost(page.layout, node, ("article",)):
        outer, node = node, page.layout.parents[node]
    return outer


def _has_headline(page: PlacedLayout, article: int) -> bool:
    return any(step.tag == "h1" for step in page.layout.steps[article : page.ends[article]])
