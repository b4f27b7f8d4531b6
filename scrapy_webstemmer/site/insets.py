"""Take what a template puts into a text out of it again, on a page of whose site or layout little is known.

These are boxes to subscribe to a newsletter or to log in, those with names such as ``related`` or ``ad``, and
the lines at the edges (:mod:`.edges`). What pages are like in general does not tell them, because all that is
around them is text. On a site that is known they recur, and are boilerplate.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..page.tags import HEADINGS, TEXT_TAGS
from ..page.text import fold
from ..values import Block, Step
from .boilerplate import LINK_MARK, labels_in
from .edges import (
    COLONS,
    LONGEST_CONTROL,
    LONGEST_LINE,
    STATEMENT_ENDS,
    above_data,
    above_pager,
    below_title,
    is_own_address,
    within_article,
    without_stamp,
)
from .named_parts import CASE_BREAK, INSETS, NAME_WORD, STATES, WHOLES, kind_of
from .placed import PlacedLayout
from .subtrees import indexes_in, innermost, mark, running_totals, sum_in
from .threads import without_other_articles

#: A lone link is in an element with at most so many others.
_LARGEST_TEASER = 8
#: A link in the middle of so many lines of one element that do not end as sentences do is none.
_VERSES = 3
#: A box of teasers weighs more than so many times the line above them: a heading may have a button beside it.
_TEASERS = 3
#: A link around so many texts is a card of another page: its headline, and what it is about.
_CARD_TEXTS = 2
#: A teaser below a text has at most so many characters outside links. Measured on 1,294 single pages: without
#: such teasers 16 texts are better and 3 worse, and the F1 of articles goes from .9605 to .9608.
_LONGEST_TEASER = 250
#: A page is an article from this probability on.
LEAST_ARTICLE = 0.5
#: All insets together have at most this share of the text, and teasers in a box with a name at most this one.
_MOST_INSETS, _MOST_IN_BOX = 0.3, 0.8
#: What stands around a form, and belongs to it, weighs at most this.
_LONGEST_FORM = 150
_BUTTONS = frozenset({"button", "buttons", "btn"})
#: A word in an advertisement's name; the last one of a call to action; a word in the name of a table of
#: contents, and the last one of its title's; the words in the name of a box to subscribe, of related
#: articles, or about who may copy the text.
_AD_WORDS = frozenset({"ad", "ads", "advert", "advertisement"})
_AD, _CALL_WORD, _TOC_WORD, _TITLE_WORD, _BOX = "ad", "cta", "toc", "title", "box"
_CONTENTS = re.compile("table[-_]?of[-_]?content", re.IGNORECASE)
_BOX_WORDS = frozenset(
    "newsletter newsletters signup subscribe subscription subscriptions paywall relatedposts copyright"
    " license disclaim disclaimer donate donation donations spenden".split()
)
#: Words in the name of an element about the author. A paragraph with one may be a line of the text. Measured
#: on 1,294 single pages: 29 texts are better, 3 worse.
_AUTHORS = frozenset("author authors authorname authorbox authorinfo authorbio aboutauthor".split())
#: What is about the author below a text has at most so many lines.
_LINES_ABOUT = 4
#: What stands above an advertisement or in its place, in some languages.
_AD_LABELS = frozenset(
    "advertisement advertisements advertising anzeige werbung publicité publicidad publicidade pubblicità"
    " advertentie reklama реклама annons annonse annonce mainos reklam iklan διαφήμιση"
    " 広告 スポンサーリンク 廣告 광고 إعلان".split()
)
#: How a word for it begins in a line that says that the text goes on behind it, and the words that say so.
_AD_WORD = re.compile(
    r"\b(?:ad\b|advert|anzeige\b|werbung\b|publici|pubblici|annon[cs]|mainoks|reklam|реклам|iklan\b|διαφήμισ)"
)
_GOES_ON = frozenset(
    "continue continues continua continúa fortgesetzt weiter suite verder fortsetter fortsætter fortsätter"
    " jatkuu продолжение dalsza devamı pokračuje lanjutkan συνεχίζεται scroll".split()
)
_SCROLL = {"scroll", "continue"}
_WORD = re.compile(r"[^\W\d_]+")
#: Advertisements and calls weigh at most this.
_LONGEST_AD = 80


def without_insets(page: PlacedLayout, main: Sequence[int], title: str, article: float) -> Sequence[int]:
    """Return the blocks of a main text without boxes and lines of the template.

    :param main: their indexes, in the order of the page.
    :param title: the page's title. What stands above it in the text, in short lines, is none.
    :param article: the probability that the page is an article. On others, boxes may be what they are about.

    Cost: a look at each node.
    """
    main = below_title(page, main, title)
    named = {index for index in main if is_own_address(page, index)}
    named |= {index - 1 for index in named if index and fold(page.layout.blocks[index - 1].text) == title}
    main = [index for index in main if index not in named] or main
    if article >= LEAST_ARTICLE:
        main = within_article(page, without_other_articles(page, main))
        main = without_boxes(page, above_pager(page, _above_teasers(page, main)))
    return without_stamp(page, main)


def _above_teasers(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without the teasers of other pages below it, and the line above these.

    What stands in the element of the last paragraph is the author's: he may end with a list of links. But not
    what a box there has that is named so.
    """
    blocks, parents, steps = page.layout.blocks, page.layout.parents, page.layout.steps
    end = len(main)
    while end and page.leading[blocks[main[end - 1]].node]:
        end -= 1
    if not 1 < end < len(main):
        return main
    first, label = blocks[main[end]].node, blocks[main[end - 1]]
    if label.weight <= LONGEST_LINE and label.text[-1:] not in STATEMENT_ENDS:
        end -= 1
    holder = parents[blocks[main[end - 1]].node]
    while holder > 0 and steps[holder].tag in TEXT_TAGS:
        holder = parents[holder]
    box = first
    while box > holder and _inset_of(steps[box]) != _BOX and kind_of(steps[box]) not in INSETS:
        box = parents[box]
    if holder <= first < page.ends[holder] and box <= holder:
        return main
    if any(blocks[index].plain > _LONGEST_TEASER for index in main[end:]):
        return main
    whole, kept = (sum([blocks[index].weight for index in some]) for some in (main, main[:end]))
    most = _MOST_INSETS if box <= holder else _MOST_IN_BOX
    return main[:end] if kept >= (1 - most) * whole else main


def without_boxes(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of an article without those in boxes, unless the boxes have much of the text.

    The lines of data at its foot are none of it.
    """
    blocks, steps, ends = page.layout.blocks, page.layout.steps, page.ends
    if about := _about_author(page, main):
        main = _above_teasers(page, [at for at in main if not about <= blocks[at].node < ends[about]])
    sums = _sums(page, main)
    whole, inside = sums.text[-1], bytearray(len(ends))
    boxes = {*_boxes(page, sums, main), *filter(None, [_box_of_teasers(page, index) for index in main])}
    # "Read also: ..." in any language; after another sign, the author leads somewhere: "23. ..."
    labels = ((index, label.removesuffix(LINK_MARK)) for index, label in labels_in(page.layout))
    named = {
        index
        for index, label in labels
        if (label.isupper() or label[-1] in COLONS) and "://" not in blocks[index].text
    }
    most = {box: _MOST_IN_BOX if page.is_related(box) else _MOST_INSETS for box in boxes}
    for box in boxes:
        is_small = 0 < sum_in(sums.text, ends, box) <= most[box] * whole
        if is_small and all(step.tag != "h1" for step in steps[box : ends[box]]):
            mark(inside, [box], ends)
    kept = [
        index
        for index in main
        if not (
            index in named
            or inside[blocks[index].node]
            or _is_button(page, index)
            or _is_teaser(page, index)
            or _labels_ad(blocks[index])
        )
    ]
    least = 1 - max(most.values(), default=_MOST_INSETS)
    enough = sum([blocks[index].weight for index in kept]) >= least * whole
    return above_data(page, kept if enough else main)


def without_ad_labels(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without labels of advertisements, which are no headings.

    Cost: a look at each block.
    """
    blocks, steps, nodes = page.layout.blocks, page.layout.steps, page.columns.nodes
    kept = [index for index in main if not _labels_ad(blocks[index]) or steps[nodes[index]].tag in HEADINGS]
    return kept or main


class _Sums(NamedTuple):
    """Running totals over the nodes: of a text's weight, of that outside links, and of its blocks."""

    text: Sequence[int]
    plain: Sequence[int]
    blocks: Sequence[int]


def _sums(page: PlacedLayout, main: Sequence[int]) -> _Sums:
    text, plain, blocks = ([0] * len(page.ends) for _ in range(3))
    for index in main:
        block = page.layout.blocks[index]
        text[block.node] += block.weight
        plain[block.node] += block.plain
        blocks[block.node] += 1
    return _Sums(*map(running_totals, (text, plain, blocks)))


def _boxes(page: PlacedLayout, sums: _Sums, main: Sequence[int]) -> Iterator[int]:
    """Yield the elements that are boxes by their names, and those around a form.

    Cost: a look at each element around the text, and at the tags of all.
    """
    ends, parents, steps, text = page.ends, page.layout.parents, page.layout.steps, sums.text
    for box in (node for node, step in enumerate(steps) if step[0] == "form"):
        # a form in a paragraph looks something up, and the paragraph is text
        while (
            box > 0 and steps[parents[box]].tag != "p" and sum_in(text, ends, parents[box]) <= _LONGEST_FORM
        ):
            box = parents[box]
        yield _note_around(page, box)
    holders = {0}
    for index in main:
        node = page.layout.blocks[index].node
        while node not in holders:
            holders.add(node)
            node = parents[node]
    for node in holders:
        if _is_box(page, sums, node):
            yield _note_around(page, node) if _inset_of(steps[node]) == _BOX else node
        elif steps[node].tag == "aside":  # of a box in it, its lines may stand outside
            inner = (at for at in range(node, ends[node]) if _inset_of(steps[at]) == _BOX)
            yield from (node for at in inner if _note_around(page, at) == node)


def _is_box(page: PlacedLayout, sums: _Sums, node: int) -> bool:
    """Return whether an element is a box by its name, or one link around several texts."""
    ends, step, (text, plain, _) = page.ends, page.layout.steps[node], sums
    if step.tag == "form":
        return False
    kind = _inset_of(step)
    is_label = kind == _AD and sum_in(text, ends, node) <= _LONGEST_AD
    is_contents = kind == _TOC_WORD and 3 * sum_in(plain, ends, node) <= 2 * sum_in(text, ends, node)
    # the id of a bare section is that of its heading
    has_name = bool(step.classes) or step.tag != "section"
    is_named = has_name and kind_of(step) in INSETS and page.named[node]
    return bool(kind == _BOX or is_label or is_contents or is_named or _is_card(page, sums, node))


def _about_author(page: PlacedLayout, main: Sequence[int]) -> int:
    """Return the largest element that ends a text and begins with a box: about its author; 0: there is none.

    Only his name may be in an element that is named after him, and be a link, which is no text. In a thread
    each post begins so.
    """
    ends, steps, parents, sums = page.ends, page.layout.steps, page.layout.parents, _sums(page, main)
    blocks, about, at = page.layout.blocks, 0, main[-1] if main else 0
    holder, name = blocks[at].node if main else 0, steps[0]
    while holder > 0 and sum_in(sums.text, ends, holder) <= _MOST_INSETS * sums.text[-1]:
        count = sum_in(sums.blocks, ends, holder)
        first = blocks[main[max(0, len(main) - count)]].node
        if count > _LINES_ABOUT or not holder <= first < ends[holder]:
            break
        while at and blocks[at - 1].node >= holder:
            at -= 1
        inner = blocks[at].node
        while inner > holder:
            if _inset_of(steps[inner]) == _BOX:
                about, name = holder, steps[inner]
            inner = parents[inner]
        holder = parents[holder]
    is_thread = about and any(
        steps[node].classes == name.classes for node in range(blocks[main[0]].node, about)
    )
    return 0 if is_thread else about


def _note_around(page: PlacedLayout, node: int) -> int:
    """Return the ``aside`` that an element stands in; the element itself if it stands in none."""
    return innermost(page.layout, node, ("aside",)) or node


def _box_of_teasers(page: PlacedLayout, index: int) -> int:
    """Return the element that has nothing but a line and links to other pages of the site; 0: there is none.

    Cost: a look at each element around the line, up to the first with another text.
    """
    block, ends, columns = page.layout.blocks[index], page.ends, page.columns
    if block.weight > LONGEST_LINE or block.plain < block.weight or block.text[-1:] in STATEMENT_ENDS:
        return 0
    node = block.node
    while node > 0 and len(indexes_in(columns.nodes, node, ends[node])) < 2:
        node = page.layout.parents[node]
    leads = sum_in(columns.leads, ends, node)
    if node <= 0 or not leads or page.layout.steps[node].tag in TEXT_TAGS:
        return 0
    inside = slice(bisect_left(columns.nodes, node), bisect_left(columns.nodes, ends[node]))
    is_linked = 2 * leads >= sum_in(columns.links, ends, node) and sum(columns.plains[inside]) == block.plain
    return node if is_linked and sum(columns.weights[inside]) > _TEASERS * block.weight else 0


def _is_card(page: PlacedLayout, sums: _Sums, node: int) -> bool:
    """Return whether an element is one link to another page of the site, around several texts of the page."""
    if not page.layout.leads[node] or sum_in(sums.blocks, page.ends, node) < _CARD_TEXTS:
        return False
    return sum_in(page.columns.links, page.ends, node) == 1 and not sum_in(sums.plain, page.ends, node)


@lru_cache(maxsize=1 << 12)
def _inset_of(step: Step) -> str:
    """Return whether an element is named as a label, a box, or a table of contents."""
    if step.tag in HEADINGS or (step.tag in WHOLES and step.tag != "p"):
        return ""
    for name in (step.id, *step.classes):
        words = NAME_WORD.findall(CASE_BREAK.sub(" ", name).lower())
        if words and (not _AD_WORDS.isdisjoint(words) or words[-1] == _CALL_WORD):
            return _AD
        is_box = not (_BOX_WORDS if step.tag == "p" else _BOX_WORDS | _AUTHORS).isdisjoint(words)
        if is_box and STATES.isdisjoint(words):
            return _BOX
        if _TOC_WORD in words or _CONTENTS.search(name):
            return _AD if words[-1] == _TITLE_WORD else _TOC_WORD
    return ""


def _is_button(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is a short link in an element that is named after a button."""
    block = page.layout.blocks[index]
    if block.plain or block.weight > LONGEST_LINE:
        return False
    names = " ".join(page.layout.steps[block.node].classes).lower()
    return not _BUTTONS.isdisjoint(NAME_WORD.findall(names))


def _labels_ad(block: Block) -> bool:
    """Return whether a block only says that an advertisement stands there, or that the text goes on."""
    if block.weight > _LONGEST_AD or block.text[-1:] in STATEMENT_ENDS:
        return False
    text = block.text.lower()
    words = _WORD.findall(text)
    if len(words) == 1:
        return words[0] in _AD_LABELS
    return _SCROLL.issubset(words) or (not _GOES_ON.isdisjoint(words) and _AD_WORD.search(text) is not None)


def _is_teaser(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is nothing but a link to another page of the site, in no running text.

    A short label may stand before the link: "Read next".
    """
    block, steps, parents = page.layout.blocks[index], page.layout.steps, page.layout.parents
    if block.plain and (
        block.plain > LONGEST_CONTROL
        or _TEASERS * block.plain > block.weight - block.plain
        or block.text[-1:] in STATEMENT_ENDS
    ):
        return False
    node = block.node
    lines = [line for line in page.layout.blocks[max(0, index - 1) : index + 2] if line.node == node]
    are_verses = not any(line.text[-1:] in STATEMENT_ENDS for line in lines)
    if len(lines) == _VERSES and are_verses and any(line.plain for line in lines):
        return False  # readers explain it
    while node > 0 and steps[node].tag not in TEXT_TAGS:
        if page.layout.leads[node]:
            return True
        if page.ends[node] - node > _LARGEST_TEASER:
            return False
        node = parents[node]
    return False
