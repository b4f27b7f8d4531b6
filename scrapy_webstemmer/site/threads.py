"""Find readers' comments, and other articles that follow that of the page.

Comments are records in a row after the text, each with a date or a time in its own line. One page is enough
to find them; no words of any language and no names of classes are used. A comment has a short line that tells
when it was written, at the same place in all comments, and text beside it. It has a link or a number of its
own, or stands in repeated records. An answer stands inside the comment that it answers, so comments need not
be siblings. Where many pages of a site have comments, a single one is found, too, and one whose answers hide
that it is a record: ``comment_places.py`` finds these places.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from heapq import nlargest
from itertools import chain, islice
from typing import NamedTuple

from ..page.days import DATED_BY_AUTHORS, date_lines, is_date_line
from ..page.facts import LIVE
from ..page.tags import HEADINGS
from ..page.text import fold
from .paths import tag_of
from .placed import PlacedLayout
from .subtrees import any_in, children_of, indexes_in, innermost, running_totals, sum_in
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
#: The line with the date of the first post of a discussion is at most so many blocks above its text.
_ABOVE_POST = 12
#: Bound: the ids of this many elements of a record are tried: the record's own id is among the first.
_FIRST_ELEMENTS = 20
#: Bound: the ``dt`` of a line with a date is at most so many elements before it.
_LARGEST_GROUP = 500
_DIGIT = re.compile(r"\d")
#: A line with the number of a comment: "#12", "12.", "№ 12".
_NUMBER = re.compile(r"[#№]?\s?\d{1,5}[.:)]?")
#: In so many boxes a cell is none of an author's table: a template has all posts in it.
_CELLS, _BOXES = frozenset({"td", "th"}), ["div"] * 3


class Comments(NamedTuple):
    """The comments of a page.

    :param thread: the node that holds all of them.
    :param records: for each comment the indexes of its blocks in the order of the page, boilerplate left out.
    :param elements: for each comment the node that holds it.
    :param stamps: for each comment the node of the line with its date.
    :param opening: the nodes of the text of the post that opened the thread; empty if the thread is not a
        discussion, but stands below an article.
    :param first: the node of that post, and the one of the line with its date.
    """

    thread: int
    records: tuple[tuple[int, ...], ...]
    elements: tuple[int, ...]
    stamps: tuple[int, ...]
    opening: range = range(0)
    first: tuple[int, ...] = ()


def without_comments(page: PlacedLayout, main: Sequence[int]) -> list[int]:
    """Return the blocks of a main text without a thread of comments and the heading of the thread.

    :param main: as for :func:`find_comments`.
    """
    comments = find_comments(page, main, within={*main})
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
    page: PlacedLayout,
    main: Sequence[int],
    known: Mapping[str, Sequence[str]] | None = None,
    within: Collection[int] | None = None,
) -> Comments | None:
    """Return the comments on a page, None if there are none.

    :param main: indexes of the blocks of the main text, in the order of the page. Comments come after the
        first of them.
    :param known: where the site has comments, as :func:`learn_threads` gives it. A single one is found there,
        too.
    :param within: the text of comments is among these blocks; None: it may be any.

    Cost: a search for digits in each short block behind it; some passes over the nodes if dates repeat.
    """
    if LIVE in page.layout.stated:
        return None  # what repeats with a time is the text
    blocks = page.layout.blocks
    # "Started by Ann, 4 May" above the first post
    if len(main) > 1 and date_lines(blocks, main[:1]):
        main = main[1:]
    first = blocks[main[0]].node
    lines = date_lines(blocks, range(main[0] + 1, len(blocks)))
    above = range(max(0, main[0] - _ABOVE_POST), main[0] + 1) if lines else ()
    stamped = [*map(sorted, _stamps(page, lines, date_lines(blocks, above)))]
    if within is not None and stamped:  # the days of a sidebar have no text of the article between them
        texts = sorted([blocks[index].node for index in within])
        stamped = [stamps for stamps in stamped if _are_apart(stamps, texts)]
    threads = [_thread(page, first, stamps, within) for stamps in stamped]
    if known and lines:
        threads.append(known_thread(page, main, lines, known))
    return max(filter(None, threads), key=lambda thread: len(thread.records), default=None)


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
    texts = {
        record: tuple(index for index in indexes if not page.boilerplate[index])
        for record, indexes in zip(records, blocks_of(page, records, page.ends[thread]), strict=True)
        if _has_text(page, indexes, stamps[record])
    }
    comments = Comments(thread, (*texts.values(),), (*texts,), tuple(map(stamps.__getitem__, texts)))
    return comments if texts else None


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
    if len(lines) + len(above) < _LEAST_COMMENTS:
        return
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
        others = DATED_BY_AUTHORS - _CELLS if steps[-3:] == _BOXES else DATED_BY_AUTHORS
        if others.isdisjoint(steps):  # a reply stands deeper than the comment that it answers
            by_place["/".join(steps[-2:])][node] = None
            by_place[page.places[index]][node] = None
    return by_place


@lru_cache(maxsize=4_096)
def tags_of(path: str) -> list[str]:
    return [tag_of(step) for step in path.split("/")]


def _are_apart(stamps: Sequence[int], texts: Sequence[int]) -> bool:
    """Return whether most of some lines with a date have a text beside them, before the next one.

    :param texts: the nodes of texts, sorted: a text behind an element belongs to the one around it.
    """
    around = zip([-1, *stamps], [*stamps[1:], texts[-1] + 1], strict=False)
    apart = sum(bisect_right(texts, before) < bisect_left(texts, after) for before, after in around)
    return apart >= _COMMENTS_SHARE * len(stamps)


def _thread(
    page: PlacedLayout, first: int, stamps: Sequence[int], within: Collection[int] | None
) -> Comments | None:
    parents, ends = page.layout.parents, page.ends
    records = [_record(page, stamps, at) for at in range(len(stamps))]
    thread = parents[records[0]]
    while thread > 0 and not stamps[-1] < ends[thread]:
        thread = parents[thread]
    opening = thread <= first < ends[thread]
    if thread <= 0 or (opening and not _is_discussion(page, records, first)):
        return None
    if within is not None and _goes_on(page, thread, within):
        return None  # a timeline in the text
    held = blocks_of(page, records, ends[thread])
    texts = [[index for index in indexes if not page.boilerplate[index]] for indexes in held]
    links = running_totals(page.layout.links)
    inside = texts if within is None else [[index for index in text if index in within] for text in texts]
    alike = sum(
        _has_text(page, indexes, stamp)
        and (page.repeated[record] or sum_in(links, ends, record) > 0 or _is_numbered(page, record))
        for stamp, record, indexes in zip(stamps, records, inside, strict=True)
    )
    if alike < _COMMENTS_SHARE * len(records) or alike < _LEAST_COMMENTS or not _are_alike(page, records):
        return None
    blocks = page.layout.blocks
    if _new_text_in(page, thread) > 2 * sum(blocks[index].plain for index in chain.from_iterable(texts)):
        return None  # the text itself, with a few dated notes in it
    first_post = _opening(page, records, stamps[0], texts[0]) if opening else range(0)
    replies = slice(int(opening), None)
    return Comments(
        thread,
        tuple(map(tuple, texts[replies])),
        tuple(records[replies]),
        tuple(stamps[replies]),
        first_post,
        (records[0], stamps[0]) if opening else (),
    )


def _goes_on(page: PlacedLayout, thread: int, within: Collection[int]) -> bool:
    """Return whether paragraphs of a text stand beside a thread, before it and behind it.

    A single one behind it may be a note on how comments are checked.
    """
    blocks, parents = page.layout.blocks, page.layout.parents
    nodes = [blocks[index].node for index in within if blocks[index].plain >= PARAGRAPH]
    beside = [node for node in nodes if parents[node] == parents[thread]]
    return bool(beside) and min(beside) < thread and sum(node > thread for node in beside) > 1


def _new_text_in(page: PlacedLayout, node: int) -> int:
    """Return the characters in an element outside links that are not boilerplate."""
    inside = range(node, page.ends[node])
    return sum(
        block.plain
        for block, known in zip(page.layout.blocks, page.boilerplate, strict=True)
        if not known and block.node in inside
    )


def _are_alike(page: PlacedLayout, records: Sequence[int]) -> bool:
    """Return whether half of some records have the same tag, and half of those with classes one in common."""
    steps = [page.layout.steps[record] for record in records]
    tags, classed = Counter(step.tag for step in steps), [step for step in steps if step.classes]
    classes = Counter(name for step in classed for name in {*step.classes})
    return 2 * max(tags.values()) >= len(steps) and 2 * max(classes.values(), default=0) >= len(classed)


def _opening(page: PlacedLayout, records: Sequence[int], stamp: int, text: Sequence[int]) -> range:
    """Return the nodes with the text of the first post: below its date, or all if the date stands below."""
    blocks = page.layout.blocks
    below = sum(blocks[index].plain for index in text if blocks[index].node > stamp)
    above = sum(blocks[index].plain for index in text if blocks[index].node < stamp)
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


def blocks_of(page: PlacedLayout, records: Sequence[int], end: int) -> list[list[int]]:
    """Return for each record its blocks without the blocks of records inside it."""
    held: list[list[int]] = [[] for _ in records]
    ends = _ends_of(page, records)
    around: list[int] = []  # numbers of the records that hold a block, outer ones first
    at = 0
    for index, block in enumerate(page.layout.blocks):
        node = block.node
        if node >= end:
            break
        while at < len(records) and records[at] <= node:
            around.append(at)
            at += 1
        while around and ends[around[-1]] <= node:
            around.pop()
        if around:
            held[around[-1]].append(index)
    return held


def _has_text(page: PlacedLayout, record: Sequence[int], stamp: int) -> bool:
    """Return whether a record has text outside links beside the line with the date."""
    blocks = page.layout.blocks
    return any(blocks[index].node != stamp and blocks[index].plain for index in record)


def _is_numbered(page: PlacedLayout, record: int) -> bool:
    """Return whether a record begins with a number, or it or one of its first elements has an id with one."""
    shown = page.layout.blocks[bisect_left(page.columns.nodes, record)].text
    steps = page.layout.steps[record : min(page.ends[record], record + _FIRST_ELEMENTS)]
    return _NUMBER.fullmatch(shown) is not None or any(_DIGIT.search(step.id) for step in steps)


def outside_lists(page: PlacedLayout, among: Sequence[int], main: Sequence[int], place: str) -> list[int]:
    """Return the blocks that are in no list of other articles.

    The posts of a thread may look like such a list, each with links to its author; so may a list of the day
    and the topics between title and text.

    :param among: their indexes.
    :param place: the path of the title.
    """
    is_list = page.leading
    first, blocks = main[0] if main else 0, page.layout.blocks
    is_post = bool(main) and is_list[blocks[first].node]
    head = range(page.places.index(place), first) if place in page.places else ()
    return [index for index in among if is_post or index in head or not is_list[blocks[index].node]]


def may_be_first_post(page: PlacedLayout, main: Sequence[int]) -> bool:
    """Return whether a text is in an element with a number in its id, and others of its class behind it, too.

    Cost: a look at the elements around the text, and beside those with a number.
    """
    node = page.layout.blocks[main[0]].node if main else 0
    steps, parents = page.layout.steps, page.layout.parents
    while node > 0:
        classes = steps[node].classes
        if classes and _DIGIT.search(steps[node].id):
            beside = (steps[other] for other in children_of(parents[node], page.ends) if other > node)
            if any(_DIGIT.search(step.id) and not {*classes}.isdisjoint(step.classes) for step in beside):
                return True
        node = parents[node]
    return False


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
    least = _LEAST_SAID if weight > _LONGEST_NAME and not plain else 0
    said = [block.plain for block in blocks if block.plain and not (least and is_date_line(block))]
    if not said or sum(said) < least:
        return True
    heads = [page.layout.blocks[index] for index in record if tag_of(page.places[index]) in HEADINGS]
    links = [block for block in heads if block.weight and not block.plain]
    return any(author not in fold(block.text) if author else page.leading[block.node] for block in links)


def without_other_articles(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without those of other articles, which follow as readers scroll on.

    Each has an ``article`` element. That of the page has its ``h1``; another one begins with a heading of
    this level, or with one that leads to its page.
    """
    if not main or (first := _outer_article(page, main[0])) is None:
        return main
    blocks, steps, end = page.layout.blocks, page.layout.steps, page.ends[first]
    if blocks[main[-1]].node < end or all(step.tag != "h1" for step in steps[first:end]):
        return main
    others = {article for index in main if (article := _outer_article(page, index) or 0) >= end}
    others = {article for article in others if _has_own_title(page, article)}
    return [index for index in main if _outer_article(page, index) not in others]


def _outer_article(page: PlacedLayout, index: int) -> int | None:
    """Return the outermost ``article`` around a block; None: there is none."""
    node, outer = page.layout.blocks[index].node, None
    while node := innermost(page.layout, node, ("article",)):
        outer, node = node, page.layout.parents[node]
    return outer


def _has_own_title(page: PlacedLayout, article: int) -> bool:
    """Return whether a heading of the first level, or one that leads elsewhere, stands before its text."""
    blocks, steps, leads = page.layout.blocks, page.layout.steps, page.layout.leads
    for index in indexes_in(page.columns.nodes, article, page.ends[article]):
        node = blocks[index].node
        if steps[node].tag in HEADINGS:
            return steps[node].tag == "h1" or bool(leads[node])
        if blocks[index].plain >= PARAGRAPH:
            break
    return False
