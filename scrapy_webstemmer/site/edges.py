"""Take the lines of a template at the head and at the foot of a text off it, where little is known of a site.

They say when it was written and by whom, and what it is filed under. On a site that is known they recur, and
are boilerplate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..page.calendars import dated_among, days_in
from ..page.days import CATEGORIES, TOPICS, begins_saying, is_date_line, label_of_topics, says_published
from ..page.facts import OTHER_KINDS
from ..page.marks import CATEGORY, TOPIC, marks_in
from ..page.tags import HEADINGS
from ..page.text import fold
from ..values import Block
from .named_parts import METADATA, named_kind
from .placed import PlacedLayout
from .subtrees import indexes_in, innermost

#: The line with the day is one of so many first blocks, and so many lines before it, each of which weighs at
#: most this, name the author or say how long it takes to read.
_FIRST_BLOCKS, _LINES_BESIDE, LONGEST_LINE = 6, 3, 40
#: A line about the article at its foot weighs at most so much. At most so much is beside the links to its
#: topics.
_HEAVIEST_DATA, _BESIDE_TOPICS = 300, 60
#: What an author writes in, and hardly any data about the article.
OWN_TAGS = frozenset({"li", "td", "th", "dd", "blockquote"})
#: Each line of a leaf of a calendar has at most so many characters.
_LONGEST_OF_LEAF = 14
#: What ends sentences of ideographs, which are as short as lines with a day. Others have so many words.
_IDEOGRAPHIC_ENDS, _SENTENCE_WORDS = frozenset("。！？"), 6
#: A statement ends with one of these, a label with others, and a sentence may have another sign.
STATEMENT_ENDS, COLONS = frozenset(".!?。！？…"), frozenset(":：")
#: How a line begins that says who may copy the text.
_RIGHTS = re.compile(r"(?:copyright\W*)?(?:[©ⓒ]|\(c\)\s)|copyright\W*(?:19|20)\d\d", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}")
#: A line that leads to the pages of a text has at most so many letters: those of a word or two.
_PAGES_LABEL = 20
_CLOSING = "\"'”’»)"
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
            is_again = at and not HEADINGS.isdisjoint(tags)
            return main if is_again else main[at + 1 :]
        if not is_line:
            break
    return main


def above_data(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without lines about it at its foot: its day, who wrote it, its topics.

    At the head of a thread each post begins with such a line. Cost: a look at the last blocks.
    """
    end = len(main)
    while end > 1 and (_is_of_list(page, main[end - 1]) or _is_data(page, main[end - 1])):
        end -= 1
    return main[:end]


def within_article(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without those behind an only ``article`` with an ``h1`` or most of it.

    Nor those outside of the part with the headline (:func:`_around_headline`). A page that states a
    discussion or a product has more behind it. Cost: a look at each element.
    """
    blocks, steps = page.layout.blocks, page.layout.steps
    if not page.layout.stated.isdisjoint(OTHER_KINDS):
        return main
    main = _around_headline(page, main)
    articles = [node for node, step in enumerate(steps) if step.tag == "article"]
    if not articles or articles[-1] >= page.ends[articles[0]]:
        return main
    begin, end = articles[0], page.ends[articles[0]]
    inside = [index for index in main if blocks[index].node < end]
    if not inside or blocks[inside[-1]].node < begin:
        return main
    whole, held = (sum([blocks[index].weight for index in some]) for some in (main, inside))
    return inside if 2 * held > whole or any(step.tag == "h1" for step in steps[begin:end]) else main


def _around_headline(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text in the ``main``, or child of the body, with the only ``h1`` and most of it.

    Boxes beside it ask for consent, or open over the page.
    """
    blocks, parents, steps = page.layout.blocks, page.layout.parents, page.layout.steps
    headlines = [node for node, step in enumerate(steps) if step.tag == "h1"]
    if len(headlines) != 1:
        return main
    node, holder = headlines[0], innermost(page.layout, headlines[0], ("main",))
    while not holder and parents[node] > 0:
        node = parents[node]
    holder = holder or node
    inside = [index for index in main if holder <= blocks[index].node < page.ends[holder]]
    whole, held = (sum([blocks[index].weight for index in some]) for some in (main, inside))
    return inside if 2 * held > whole else main


def ends_sentence(text: str) -> bool:
    """Return whether a text ends as a statement or a question does, perhaps in quotation marks."""
    return text.rstrip(_CLOSING)[-1:] in STATEMENT_ENDS


def _is_sentence(text: str) -> bool:
    """Return whether a line is a sentence, and no label or abbreviation ends it.

    >>> [_is_sentence(text) for text in ("It was published on 4 March.", "By Ann Lee, 4 March, 8:10 p.m.")]
    [True, False]
    """
    text = text.rstrip(_CLOSING)
    if not ends_sentence(text):
        return False
    words = text.split()
    is_long = len(words) >= _SENTENCE_WORDS and "." not in words[-1][:-1] and not begins_saying(words[0])
    return text[-1] in _IDEOGRAPHIC_ENDS or is_long


def _is_of_list(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is a heading, and a list of other pages stands below it.

    A heading above a picture or a video has nothing below it.
    """
    blocks = page.layout.blocks
    if page.layout.steps[blocks[index].node].tag not in HEADINGS or index + 1 == len(blocks):
        return False
    return bool(page.leading[blocks[index + 1].node])


def _is_data(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is a line about the article: by its name, by what it says, or by its links."""
    layout, block = page.layout, page.layout.blocks[index]
    step, text = layout.steps[block.node], block.text
    if block.weight > _HEAVIEST_DATA or step.tag in HEADINGS or step.tag == "pre":
        return False
    if _RIGHTS.match(text) or _leads_to_pages(block):
        return True
    is_sentence = _is_sentence(text)
    if label_of_topics(text) in (TOPICS, CATEGORIES) and not is_sentence:
        return True
    if step.tag not in OWN_TAGS and (
        any(named_kind(name) in METADATA for name in (step.id, *step.classes))
        or (is_date_line(block) and says_published(text) and not is_sentence)
    ):
        return True
    if block.plain == block.weight or layout.markup is None:
        return False
    marks = marks_in(layout, (TOPIC, CATEGORY), range(index, index + 1))
    topics = sum([sum(map(str.isalnum, mark.value)) for mark in marks])
    is_label = block.weight - topics <= _BESIDE_TOPICS and text[-1] not in STATEMENT_ENDS
    return topics > 0 and (is_label or is_date_line(block))


def _leads_to_pages(block: Block) -> bool:
    """Return whether a block leads to the pages of its text: "Pages: 1 2 3". Some numbers are links."""
    numbers = [int(number) for number in _NUMBER.findall(block.text)]
    is_count = len(numbers) > 1 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    return is_count and block.plain < block.weight and sum(map(str.isalpha, block.text)) <= _PAGES_LABEL


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
    """Return the blocks without the line with the day at the head of the text, and the short ones before it.

    If several lines are days, they are the author's.
    """
    leaf = {index for part in day_leaves(page, main[:_FIRST_BLOCKS]) for index in part}
    main = [index for index in main if index not in leaf] or main
    lines, steps = [page.layout.blocks[index] for index in main], page.layout.steps
    # a day in a listing is that of a record of a program, or of an example
    dated = [at for at, line in enumerate(lines) if is_date_line(line) and steps[line.node].tag != "pre"]
    # others have numbers like these by chance: "Luke 2:15", "In 2010 we saw 12 seals"
    dated = [at for at in dated if not _is_sentence(lines[at].text) and days_in(lines[at].text)]
    if len(dated) != 1 or dated[0] >= _FIRST_BLOCKS:
        return main
    begin = at = dated[0]
    while begin and at - begin < _LINES_BESIDE:
        line = lines[begin - 1]
        if line.weight > LONGEST_LINE or line.text[-1:] in _SENTENCE_ENDS:
            break
        begin -= 1
    return [*main[:begin], *main[at + 1 :]] if at + 1 < len(main) else main
