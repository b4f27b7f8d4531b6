"""Find the lines around an article that may say when it was written, and by whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import regex

from ..page.calendars import dated_among, days_in
from ..page.days import said_last, says_published
from ..page.marks import TIME, block_at, marks_in
from ..page.tags import HEADINGS, OF_OTHERS
from ..page.text import ends_in_word
from ..site.edges import day_leaves
from ..site.named_parts import INSETS, METADATA, in_footer, is_in
from ..site.paths import tag_of
from ..site.placed import PlacedLayout
from ..site.subtrees import innermost
from ..site.threads import tags_of
from .bylines import is_of_teaser

#: The parts of a page that may show the day.
ABOVE, HEAD, OPENING, TEXT, FOOT, ELSEWHERE = "above", "head", "opening", "text", "foot", "elsewhere"

#: So many blocks behind the title, before the main text, above the title, and after the text may be lines
#: with the day.
_BEHIND_TITLE, _BEFORE_TEXT, _ABOVE_TITLE, _AFTER_TEXT = 12, 5, 4, 3
#: A line that says that something was published on a day may stand so far behind the text, below the links
#: of a blog's template. Farther behind it, a label alone in front of it says that.
_FAR_AFTER, _LABELLED_AFTER = 20, 40
#: So many of the first blocks of the text may be, too, and such a line has at most so many characters.
_FIRST_BLOCKS, _LONGEST_STAMP = 3, 60
#: A line with a day begins with it, if that is among so many of its first characters.
_DAY_BEGINS = 5
#: The names of elements with the day of the visit.
_VISIT = re.compile(r"today|(?:current|now)[-_]?(?:date|time)|date[-_]?(?:now|current)", re.IGNORECASE)
#: The dateline of a release: a place in capitals, or one with the agency, around the day.
_RELEASED = r"\d[^/]{0,24}?\d{4}\W{0,3}?"
_DATELINE = regex.compile(
    rf"\(?(?:\p{{Lu}}{{3}}[^\d/]{{0,60}}{_RELEASED}(?:--|[—–]|- )"
    rf"|\p{{Lu}}[^\d/]{{2,60}}{_RELEASED}(?:/[^/]{{2,30}}/|\(\p{{Lu}}{{3}}[^()]{{2,30}}\)))"
)
#: A line with a date weighs at most this, with names and topics.
HEAVIEST_LINE = 100
#: A text that says when it was published has at most so many characters.
_LONGEST_SAYING = 300
#: A block of so many words may be the label of the time in the next one; so many ideographs are one.
_LABEL_WORDS = 3
_LABEL_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,4}|[^\s:：\u3040-\u30ff\u3400-\u9fff]+")
#: What these elements in a text have is of others, or a point of its own. A paragraph has more characters.
_QUOTED, _SHORT_LINE = OF_OTHERS | {"li"}, 60
#: How a line begins whose day is that of a copyright, or of the copy of the page.
_OTHER_DAY = re.compile(
    r"©|\(c\)\s|copyright\b|(?:(?:this )?page )?(?:generated|printed) on\b|last crawled\b", re.IGNORECASE
)


class Around(NamedTuple):
    """What stands around a title and a text.

    :param parts: the blocks of each part of the page that may show the day, or the authors.
    :param dated: those blocks outside the text that are lines with a day, as far as one quick look tells.
    :param leaves: for a block, the text with its day, if the blocks behind it tell it, or it is a dateline.
    """

    parts: Mapping[str, set[int]]
    dated: set[int]
    leaves: Mapping[int, str]


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
    beginning = {index for index in beginning if not is_quoted(page, index, main)}
    top = [at for at in range(max(0, title - _ABOVE_TITLE), title) if not _is_of_visit(page, at, title)]
    after = range(last + 1, min(last + 1 + _LABELLED_AFTER, len(blocks)))
    dated = _dated_among(page, [*{*top, *near, *beginning, *after, *sub}], sub)
    leaves = {leaf[0]: text for leaf, text in day_leaves(page, {*top, *near} - all_main).items()}
    datelines = ((index, _DATELINE.match(blocks[index].text)) for index in beginning & all_main)
    leaves |= {index: dateline[0] for index, dateline in datelines if dateline}
    dated |= leaves.keys()
    dated -= {index for index in dated if index < first and _is_of_other(page, index)}
    listed = {index for index in dated if (index in near or index in top) and not _is_alone(page, index)}
    # several are those of other articles; a single one is in a list with author, day and topics
    if len(listed) > 1 or any(
        page.boilerplate[index] or (page.leading[blocks[index].node] and is_of_teaser(page, index, article))
        for index in listed
    ):
        listed.clear()
    above = {index for index in top if not page.boilerplate[index] and _is_alone(page, index)}
    above |= {index for index in listed if index < title}
    head = {index for index in near if not page.leading[blocks[index].node]} | (listed - above)
    head |= {index for index in sub if index < first}
    inner = (index for index in beginning if first < index < last and _is_alone(page, index))
    head |= {index for index in inner if not is_of_teaser(page, index, article)}
    opening = {
        index
        for index in beginning & all_main
        if index in leaves or (index != last and _may_be_stamp(blocks[index].text))
    }
    if title >= 0:  # a title has no day, unless it is marked there
        times = marks_in(page.layout, (TIME,), range(title, title + 1))
        head |= {title} & {block_at(page.layout, mark.piece) for mark in times}
    # what recurs on the site, such as a form, may stand between
    recurs = {at for at in after if page.boilerplate[at] or is_in(INSETS, page.layout, blocks[at].node)}
    new = [index for index in after[:_FAR_AFTER] if index not in recurs][:_AFTER_TEXT]
    below = {*after[:_AFTER_TEXT], *(index for index in new if not is_of_teaser(page, index, article))}
    said = {index for index in {*after} & dated if says_when(page, index)}
    below |= {at for at in said if at <= last + _FAR_AFTER or says_published(label_before(page, at))}
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
    return Around(parts, dated, leaves)


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


def says_when(page: PlacedLayout, block: int) -> bool:
    """Return whether a line with a day, or the label before it, says that something was published then."""
    return says_published(f"{label_before(page, block)} {page.layout.blocks[block].text}")


def label_before(page: PlacedLayout, block: int) -> str:
    """Return the text of the block before one, if it may be its label: the head of a row, for example."""
    before = page.layout.blocks[block - 1].text if block else ""
    return before if len(_LABEL_WORD.findall(before)) <= _LABEL_WORDS else ""


def is_quoted(page: PlacedLayout, block: int, main: Sequence[int]) -> bool:
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
    is_sentence = is_sentence and all(day.begin > _DAY_BEGINS for day in days_in(text))
    return is_sentence or not OF_OTHERS.isdisjoint(tags_of(page.places[block]))


def _may_be_stamp(text: str) -> bool:
    """Return whether the first line of a text is short, and no sentence."""
    return len(text) <= _LONGEST_STAMP and ends_in_word(text.rstrip(")|│ "))  # of a zone, or before a part


def _is_of_visit(page: PlacedLayout, block: int, title: int) -> bool:
    """Return whether the day of a block is that of the visit: in a header without the title, or so named."""
    layout = page.layout
    node = layout.blocks[block].node
    step, header = layout.steps[node], innermost(layout, node, ("header",))
    in_banner = 0 < header < page.ends[header] <= layout.blocks[title].node
    return in_banner or any(map(_VISIT.search, (step.id, *step.classes)))


def _is_alone(page: PlacedLayout, block: int) -> bool:
    """Return whether a block is in no list."""
    node = page.layout.blocks[block].node
    return not page.leading[node] and (not page.repeated[node] or is_in(METADATA, page.layout, node))
