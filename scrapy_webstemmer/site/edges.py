"""Take the lines of a template at the head and at the foot of a text off it, where little is known of a site.

They say when it was written and by whom, what it is filed under, where it stands, and which page comes next.
On a site that is known they recur, and are boilerplate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from urllib.parse import unquote

from ..page.calendars import dated_among, days_in
from ..page.days import CATEGORIES, TOPICS, is_date_line, label_of_topics, says_published
from ..page.facts import DISCUSSION, PRODUCT, PRODUCTS
from ..page.marks import CATEGORY, TOPIC, marks_in
from ..page.tags import HEADINGS
from ..page.text import fold
from .named_parts import METADATA, named_kind
from .placed import PlacedLayout
from .subtrees import indexes_in

#: The line with the day is one of so many first blocks, and so many lines beside it, each of which weighs at
#: most this, name the author or say how long it takes to read.
_FIRST_BLOCKS, _LINES_BESIDE, LONGEST_LINE = 6, 3, 40
#: So many lines behind it, each of which weighs at most this, are controls: "Share".
_LINES_BEHIND, LONGEST_CONTROL = 2, 15
#: So many lines at the foot, each of which weighs at most so much, are data about the article. At most so
#: much is beside the links to its topics.
_DATA_LINES, _HEAVIEST_DATA, _BESIDE_TOPICS = 3, 300, 60
#: What an author writes in, and hardly any data about the article.
_OWN_TAGS = frozenset({"li", "td", "th", "dd", "blockquote"})
#: A line that says whose the rights are weighs at most this.
_HEAVIEST_RIGHTS = 100
#: A heading may stand in elements of its own, with at most so many elements in all.
_AROUND_HEADING = 3
#: A line with a time alone has at most so many characters.
_LONGEST_TIME = 12
#: Each line of a leaf of a calendar has at most so many characters.
_LONGEST_OF_LEAF = 14
#: What a line to the page before or behind this one begins or ends with; what ends sentences of ideographs,
#: which are as short as lines with a day.
_ARROWS, _IDEOGRAPHIC_ENDS = frozenset("←→⟵⟶"), frozenset("。！？")
_YEAR = re.compile(r"\b\d{4}\b")
#: A statement ends with one of these, a label with others, and a sentence may have another sign.
STATEMENT_ENDS, COLONS = frozenset(".!?。！？…"), frozenset(":：")
_SENTENCE_ENDS = STATEMENT_ENDS | frozenset('؟:：;"”»)')


def below_title(page: PlacedLayout, main: Sequence[int], title: str) -> Sequence[int]:
    """Return the blocks behind the title, if at most the first ones stand before it, and these are lines.

    Below its heading and a short text it may stand once more.
    """
    blocks, steps = page.layout.blocks, page.layout.steps
    for at, (index, behind) in enumerate(pairwise(main[: _FIRST_BLOCKS + 1])):
        is_line = blocks[index].weight <= LONGEST_LINE
        # the title itself is no block of the text, or no longer one
        between = blocks[index + 1 : behind if is_line else 0]
        titles = [blocks[index], *(block for block in between if steps[block.node].tag in HEADINGS)]
        if title and any(fold(block.text) == title for block in titles):
            tags = [steps[block.node].tag for block in blocks[: main[0]] if fold(block.text) == title]
            is_again = at and steps[blocks[index].node].tag != "h1" and not HEADINGS.isdisjoint(tags)
            return main if is_again else main[at + 1 :]
        if not is_line:
            break
    return main


def is_own_address(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is the page's own address, perhaps behind a label."""
    label, _, address = page.layout.blocks[index].text.partition("://")
    url = page.url.partition("://")[2]
    return bool(address) and len(label) <= LONGEST_LINE and _plain(address) == _plain(url)


def _plain(address: str) -> str:
    """Return an address as readers see it, without its end."""
    return unquote(address).rstrip("/").removesuffix("/index.html")


def above_pager(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without lines with arrows, and links to pages of the site, below it."""
    blocks, leads, parents = page.layout.blocks, page.layout.leads, page.layout.parents
    begin = len(main)
    for at in range(begin - 1, 0, -1):
        block = blocks[main[at]]
        is_arrow = not _ARROWS.isdisjoint((block.text[0], block.text[-1])) and block.weight <= LONGEST_LINE
        if not is_arrow and (block.plain or not (leads[block.node] or leads[parents[block.node]])):
            break
        if is_arrow:
            begin = at
    return main[:begin]


def above_data(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without lines about it at its foot: its day, who wrote it, its topics.

    At the head of a thread each post begins with such a line. Cost: a look at the last blocks.
    """
    end = len(main)
    while (
        end > 1
        and len(main) - end < _DATA_LINES
        and (_is_of_list(page, main[end - 1]) or _is_data(page, main[end - 1]))
    ):
        end -= 1
    return main[:end]


def within_article(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without those behind the only ``article``, if that has most of it.

    A page that states a discussion or a product has more of these behind it. Cost: a look at each element.
    """
    blocks, steps = page.layout.blocks, page.layout.steps
    articles = [node for node, step in enumerate(steps) if step.tag == "article"]
    is_other = not page.layout.stated.isdisjoint(PRODUCT | PRODUCTS | DISCUSSION)
    if is_other or not articles or articles[-1] >= page.ends[articles[0]]:
        return main
    end = page.ends[articles[0]]
    inside = [index for index in main if blocks[index].node < end]
    whole, held = (sum([blocks[index].weight for index in some]) for some in (main, inside))
    has_most = bool(inside) and blocks[inside[-1]].node >= articles[0] and 2 * held > whole
    return inside if has_most else main


def _is_of_list(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is a heading, and what stands below it is a list of other pages, and no text.

    A heading above a picture or a video has nothing below it, too.
    """
    layout, blocks = page.layout, page.layout.blocks
    node = blocks[index].node
    if layout.steps[node].tag not in HEADINGS or index + 1 == len(blocks):
        return False
    below, around = blocks[index + 1].node, layout.parents[node]
    while page.ends[around] - around <= _AROUND_HEADING:
        around = layout.parents[around]
    return bool(page.leading[below]) and below < page.ends[around]


def _is_data(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is a line about the article: by its name, by what it says, or by its links."""
    layout, block = page.layout, page.layout.blocks[index]
    step, text = layout.steps[block.node], block.text
    if block.weight > _HEAVIEST_DATA or step.tag in HEADINGS or step.tag == "pre":
        return False
    if label_of_topics(text) in (TOPICS, CATEGORIES):
        return True
    if step.tag not in _OWN_TAGS and (
        any(named_kind(name) in METADATA for name in (step.id, *step.classes))
        or (is_date_line(block) and (says_published(text) or _is_day(page, index)))
    ):
        return True
    if block.plain == block.weight or layout.markup is None:
        return False
    marks = marks_in(layout, (TOPIC, CATEGORY), range(index, index + 1))
    topics = sum([sum(map(str.isalnum, mark.value)) for mark in marks])
    is_label = block.weight - topics <= _BESIDE_TOPICS and text[-1] not in STATEMENT_ENDS
    return topics > 0 and (is_label or is_date_line(block))


def _is_day(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is nothing but a day, in an element that has a name."""
    text, step = page.layout.blocks[index].text, page.layout.steps[page.layout.blocks[index].node]
    return bool(step.id or step.classes) and any(day.end - day.begin == len(text) for day in days_in(text))


def day_leaves(page: PlacedLayout, among: Iterable[int]) -> dict[range, str]:
    """Return the days that stand in several lines of one element, as on the leaf of a calendar.

    :param among: the blocks with which they may begin.

    Cost: a look at each of these.
    """
    blocks, columns, leaves = page.layout.blocks, page.columns, dict[range, str]()
    for first in sorted([at for at in among if len(blocks[at].text) <= _LONGEST_OF_LEAF]):
        for size in (3, 2):
            lines = [block.text for block in blocks[first : first + size]]
            text = " ".join(lines)
            if len(lines) < size or max(map(len, lines)) > _LONGEST_OF_LEAF or not dated_among([text]):
                continue
            node, last = blocks[first].node, blocks[first + size - 1].node
            while page.ends[node] <= last:
                node = page.layout.parents[node]
            leaf = range(first, first + size)
            is_whole = indexes_in(columns.nodes, node, page.ends[node]) == leaf
            if is_whole and days_in(text) and not any(map(days_in, lines)):
                leaves[leaf] = text
                break
    return leaves


def without_stamp(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks without the line with the day at the head of the text, and the short ones beside it.

    If several lines are days, they are the author's; so is one in a listing. The last line may have the
    year of a copyright.
    """
    blocks, steps = page.layout.blocks, page.layout.steps
    leaf = {index for part in day_leaves(page, main[:_FIRST_BLOCKS]) for index in part}
    main = [index for index in main if index not in leaf] or main
    for at in range(len(main) - 1, max(0, len(main) - 1 - _DATA_LINES), -1):
        line = blocks[main[at]]
        if line.weight <= _HEAVIEST_RIGHTS and "©" in line.text[:LONGEST_LINE] and _YEAR.search(line.text):
            main = main[:at]
    # a day in a listing is that of a record of a program, or of an example
    lines = [(at, blocks[index]) for at, index in enumerate(main) if steps[blocks[index].node].tag != "pre"]
    dated = [at for at, line in lines if is_date_line(line) and line.text[-1] not in _IDEOGRAPHIC_ENDS]
    # others have numbers like these by chance: "Luke 2:15", "In 2010 we saw 12 seals"
    dated = [at for at in dated if len(text := blocks[main[at]].text) <= _LONGEST_TIME or days_in(text)]
    if len(dated) != 1 or dated[0] >= _FIRST_BLOCKS:
        return main

    def is_beside(at: int, most: int) -> bool:
        block = blocks[main[at]]
        is_line = block.weight <= most and block.text[-1:] not in _SENTENCE_ENDS
        return is_line and steps[block.node].tag not in {*HEADINGS, "pre"}

    begin, end = dated[0], dated[0] + 1
    while begin and dated[0] - begin < _LINES_BESIDE and is_beside(begin - 1, LONGEST_LINE):
        begin -= 1
    while end < len(main) and end - dated[0] <= _LINES_BEHIND and is_beside(end, LONGEST_CONTROL):
        end += 1
    return [*main[:begin], *main[end:]] if end < len(main) else main
