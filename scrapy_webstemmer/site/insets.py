"""Take what a template puts into a text out of it again, on a page of whose site or layout little is known.

These are boxes to subscribe to a newsletter or to log in, those with names such as ``related`` or ``ad``, and
the lines at the edges (:mod:`.edges`). What pages are like in general does not tell them, because all that is
around them is text. On a site that is known they recur, and are boilerplate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..page.days import is_date_line
from ..page.markup import attributes_of
from ..page.tags import HEADINGS, TEXT_TAGS
from ..values import Block, Step
from .boilerplate import LINK_MARK, labels_in
from .edges import (
    COLONS,
    LONGEST_LINE,
    OWN_TAGS,
    STATEMENT_ENDS,
    above_data,
    below_title,
    within_article,
    without_stamp,
)
from .named_parts import (
    CASE_BREAK,
    INSETS,
    NAME_WORD,
    WALLS,
    is_headed,
    is_walled_text,
    kind_of,
)
from .placed import PlacedLayout
from .subtrees import indexes_in, mark, running_totals, sum_in
from .threads import without_other_articles

#: So many linked lines are a list of headings, or lead to the same place.
_SEVERAL = 3
#: A box about the author has at most so many lines below his name.
_LINES_ABOUT = 5
#: His name stands so many lines from the day.
_BESIDE_DAY = 2
#: A lone link is in an element with at most so many others.
_LARGEST_TEASER = 8
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
#: What the name of an element says: that it is a table of contents, or a box to subscribe, of related
#: articles, about the author or about who may copy the text. With the words about authors, measured on 1,294
#: single pages: 29 texts are better, 3 worse.
_CONTENTS, _BOX = "contents", "box"
_TABLE_OF_CONTENTS = re.compile("table[-_]?of[-_]?content", re.IGNORECASE)
_READING_TIME = re.compile("read(?:ing)?[-_]?time", re.IGNORECASE)
_BOX_WORDS = frozenset(
    "newsletter newsletters signup subscribe subscription subscriptions paywall relatedposts copyright"
    " license disclaim disclaimer tooltip donate donation donations spenden nocomments"
    " author authors authorname authorbox authorinfo authorbio aboutauthor".split()
)
#: With one of these words, a name says whom a text quotes.
_QUOTES = frozenset({"quote", "blockquote", "pullquote", "testimonial"})
#: What stands above an advertisement or in its place, in some languages, and around it.
_AD_LABELS = frozenset(
    "advertisement advertisements advertising anzeige werbung publicité publicidad publicidade pubblicità"
    " advertentie reklama реклама annons annonse annonce mainos reklam iklan διαφήμιση"
    " 広告 スポンサーリンク 廣告 광고 إعلان".split()
)
#: These are in other sentences, too, unless they are all or the end of it.
_SHORT_AD_LABELS = frozenset({"ad", "ads", "sponsored"})
_AROUND_LABEL = " -–—:.·[]()|*"
#: The signs besides a colon behind which a line names another page of the site.
_BARS = frozenset("|-–—»›>→")
#: An author who writes an address leads there.
_ADDRESS = re.compile(r"://|\bwww\.")
#: With one of these words, it says that the text goes on: "Story continues below advertisement".
_GOES_ON = frozenset(
    "continue continues continued scroll below after weiterlesen weiter nach suite après continúa continua"
    " después depois dopo sigue lanjut berikutnya bawah".split()
)
_LONGEST_AD_LABEL = 60


def without_insets(page: PlacedLayout, main: Sequence[int], title: str, article: float) -> Sequence[int]:
    """Return the blocks of a main text without boxes and lines of the template.

    :param main: their indexes, in the order of the page.
    :param title: the page's title. What stands above it in the text, in short lines, is none.
    :param article: the probability that the page is an article. On others, boxes may be what they are about.

    Cost: a look at each node.
    """
    main = below_title(page, main, title)
    if article >= LEAST_ARTICLE:
        main = within_article(page, without_other_articles(page, main))
        main = without_boxes(page, _above_teasers(page, main))
    return without_stamp(page, main)


def _above_teasers(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without the teasers of other pages below it, and the line above these.

    What stands in the element of the last paragraph is the author's: he may end with a list of links.
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
    is_authors = holder <= first < page.ends[holder]
    is_teaser = all(blocks[index].plain <= _LONGEST_TEASER for index in main[end:])
    return main[:end] if is_teaser and not is_authors else main


def without_boxes(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of an article without those in boxes, unless the boxes have much of the text.

    The lines of data at its foot are none of it.
    """
    if not main:
        return main
    blocks, ends = page.layout.blocks, page.ends
    sums = _sums(page, main)
    whole, inside = sums.text[-1], bytearray(len(ends))
    boxes = {*_boxes(page, sums, main), *filter(None, [_box_of_teasers(page, index) for index in main])}
    boxes.update(_boxes_of_author(page, main))
    named = _lines_to_others(page, main) | _ways_within(page, main)
    most = {box: _MOST_IN_BOX if page.is_related(box) else _MOST_INSETS for box in boxes}
    for box in boxes:
        if 0 < sum_in(sums.text, ends, box) <= most[box] * whole:
            mark(inside, [box], ends)
    kept = [
        index
        for index in main
        if not (
            index in named
            or inside[blocks[index].node]
            or _is_button(page, index)
            or (not blocks[index].plain and _is_teaser(page, blocks[index].node))
            or _labels_ad(blocks[index])
        )
    ]
    least = 1 - max(most.values(), default=_MOST_INSETS)
    enough = sum([blocks[index].weight for index in kept]) >= least * whole
    return above_data(page, kept if enough else main)


def _lines_to_others(page: PlacedLayout, main: Sequence[int]) -> set[int]:
    """Return the blocks that name another page of the site: "Read also: ..." in any language.

    After another sign, or behind a number, the author leads somewhere: "23. ...". The page may stand in a
    line below the label.
    """
    blocks, leads, named = page.layout.blocks, page.layout.leads, set[int]()
    for index, marked in labels_in(page.layout, last=main[-1]):
        label = marked.removesuffix(LINK_MARK)
        is_label = label[-1] in COLONS or (label[-1] in _BARS and not any(map(str.isdigit, label)))
        if is_label and not _ADDRESS.search(blocks[index].text):
            named.add(index)
    for index in main[1:]:
        above, line = blocks[index - 1], blocks[index]
        is_below = above.node == line.node and leads[line.node] == 1 and not line.plain
        if is_below and above.plain == above.weight <= LONGEST_LINE and above.text[-1] in COLONS:
            named |= {index - 1, index}
    return named


def _ways_within(page: PlacedLayout, main: Sequence[int]) -> set[int]:
    """Return the linked lines that lead about the page: those with the headings below, and "Back to top".

    A list of headings may have a line above it, "Contents". Entries of lists and cells may be the same
    several times.
    """
    blocks, steps, markup = page.layout.blocks, page.layout.steps, page.layout.markup
    if markup is None:
        return set()
    linked, places = [], ("#", f"{page.url}#")
    for index in main:
        links = [] if blocks[index].plain else markup.marked({"a": (b"href",)}, *markup.blocks[index])
        if links and all(attributes_of(tag).get("href", "").startswith(places) for _, tag in links):
            linked.append(index)
    headings = {blocks[index].text: index for index in main if steps[blocks[index].node].tag in HEADINGS}
    listed = [index for index in linked if headings.get(blocks[index].text, 0) > index]
    again = Counter(blocks[index].text for index in linked if steps[blocks[index].node].tag not in OWN_TAGS)
    ways = {index for index in linked if again[blocks[index].text] >= _SEVERAL}
    if len(listed) >= _SEVERAL:
        above = listed[0] - 1
        is_label = blocks[above].weight <= LONGEST_LINE and blocks[above].text[-1] not in STATEMENT_ENDS
        ways.update(listed, {above} if is_label else ())
    return ways


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
        while box > 0 and sum_in(text, ends, parents[box]) <= _LONGEST_FORM:
            box = parents[box]
        yield box
    holders = {0}
    for index in main:
        node = page.layout.blocks[index].node
        while node not in holders:
            holders.add(node)
            node = parents[node]
    yield from (node for node in holders if _is_box(page, sums, node))


def _is_box(page: PlacedLayout, sums: _Sums, node: int) -> bool:
    """Return whether an element is a box by its name, or one link around several texts."""
    step = page.layout.steps[node]
    kind = _inset_of(step)
    if kind == _BOX and (
        (not _inset_of(step._replace(id="")) and is_headed(page.layout, page.columns, node))
        or (_has_words(step, WALLS) and is_walled_text(page.layout, page.columns, node))
    ):
        return False
    if kind == _CONTENTS:
        return 3 * sum_in(sums.plain, page.ends, node) <= 2 * sum_in(sums.text, page.ends, node)
    is_named = kind_of(step) in INSETS and page.named[node]
    return bool(kind == _BOX or is_named or _is_card(page, sums, node))


def _box_of_teasers(page: PlacedLayout, index: int) -> int:
    """Return the element that has nothing but a line and links to other pages of the site; 0: there is none.

    Cost: a look at each element around the line, up to the first with another text.
    """
    block, ends, columns = page.layout.blocks[index], page.ends, page.columns
    if block.weight > LONGEST_LINE or block.text[-1:] in STATEMENT_ENDS:
        return 0
    node = block.node
    while node > 0 and len(indexes_in(columns.nodes, node, ends[node])) < 2:
        node = page.layout.parents[node]
    if node <= 0 or page.layout.steps[node].tag in TEXT_TAGS or not sum_in(columns.leads, ends, node):
        return 0
    inside = indexes_in(columns.nodes, node, ends[node])
    at = slice(inside.start, inside.stop)
    is_linked = sum(columns.plains[at]) == block.plain
    return node if is_linked and sum(columns.weights[at]) > _TEASERS * block.weight else 0


def _boxes_of_author(page: PlacedLayout, main: Sequence[int]) -> Iterator[int]:
    """Yield the element below a text that begins with a name from the byline, and says who that is.

    The byline is a line with the day between headline and text, with those beside it. Cost: a look at the
    blocks above the text.
    """
    blocks, steps, parents, last = page.layout.blocks, page.layout.steps, page.layout.parents, main[-1]
    headline = max([at for at in range(main[0]) if steps[blocks[at].node].tag == "h1"], default=last)
    above = blocks[headline + 1 : main[0]]
    days = [at for at, block in enumerate(above) if is_date_line(block)]
    beside = [block for day in days for block in above[max(day - _BESIDE_DAY, 0) : day + _BESIDE_DAY + 1]]
    byline = "\n".join(block.text for block in beside if block.weight <= 2 * LONGEST_LINE)
    for index in range(last - 1, max(main[0], last - _LINES_ABOUT), -1):
        node, text = blocks[index].node, blocks[index].text
        if text not in byline or len(text) > LONGEST_LINE or text.isnumeric():
            continue
        before = max(at for at in main if at < index)
        while parents[node] > 0 and not parents[node] <= blocks[before].node < page.ends[parents[node]]:
            node = parents[node]
        if node < blocks[last].node < page.ends[node]:
            yield node


def _is_card(page: PlacedLayout, sums: _Sums, node: int) -> bool:
    """Return whether an element is one link to another page of the site, around several texts of the page."""
    if not page.layout.leads[node] or sum_in(sums.blocks, page.ends, node) < _CARD_TEXTS:
        return False
    return sum_in(page.columns.links, page.ends, node) == 1 and not sum_in(sums.plain, page.ends, node)


@lru_cache(maxsize=1 << 12)
def _inset_of(step: Step) -> str:
    """Return whether an element is named as a box, or as a table of contents."""
    if step.tag in HEADINGS:
        return ""
    for name in (step.id, *step.classes):
        words = NAME_WORD.findall(CASE_BREAK.sub(" ", name).lower())
        if (not _BOX_WORDS.isdisjoint(words) and not _QUOTES & {*words}) or _READING_TIME.search(name):
            return _BOX
        if "toc" in words or _TABLE_OF_CONTENTS.search(name):
            return _CONTENTS
    return ""


def _has_words(step: Step, words: Collection[str]) -> bool:
    names = CASE_BREAK.sub(" ", " ".join((step.id, *step.classes))).lower()
    return any(word in words for word in NAME_WORD.findall(names))


def _is_button(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is a short link in an element that is named after a button."""
    block = page.layout.blocks[index]
    if block.plain or block.weight > LONGEST_LINE:
        return False
    return _has_words(page.layout.steps[block.node], _BUTTONS)


def _labels_ad(block: Block) -> bool:
    """Return whether a block only says that an advertisement stands there, or that the text goes on."""
    if len(block.text) > _LONGEST_AD_LABEL:
        return False
    text = block.text.lower().strip(_AROUND_LABEL)
    words = text.split()
    is_ad = not (_AD_LABELS.isdisjoint(words) and _SHORT_AD_LABELS.isdisjoint(words[-1:]))
    goes_on = block.text[-1] not in STATEMENT_ENDS and not _GOES_ON.isdisjoint(words)
    return is_ad and (len(words) == 1 or goes_on)


def _is_teaser(page: PlacedLayout, node: int) -> bool:
    """Return whether an element is a link to another page of the site, or in one, and in no running text."""
    steps, parents, leads = page.layout.steps, page.layout.parents, page.layout.leads
    while node > 0 and steps[node].tag not in TEXT_TAGS:
        if leads[node] or page.ends[node] - node > _LARGEST_TEASER:
            return bool(leads[node])
        node = parents[node]
    return False
