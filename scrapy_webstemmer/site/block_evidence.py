"""What each block of a page looks like: the evidence by which ``block_odds.py`` tells main text in general.

For each block a row of small numbers, one for each entry of :data:`EVIDENCE`: which tag, how long, how much
of it is links, how much text is around, what the page's own masses make of it. Then the words in the names of
the elements around it, as ids and classes have them. Nothing here comes from the site's other pages.
This file is compiled where there is a C compiler, as ``weighing.py`` is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp

from ..page.tags import HEADINGS
from ..values import Layout, Step
from .named_parts import CASE_BREAK
from .placed import PlacedLayout

#: Tags that tell something; all headings are one, and all others are one.
TAGS = "p li td th pre blockquote figcaption dt dd div span article section label button summary a".split()
_HEADING_TAG, _OTHER_TAG = len(TAGS), len(TAGS) + 1
_TAG_NUMBERS = {**{tag: number for number, tag in enumerate(TAGS)}, **dict.fromkeys(HEADINGS, _HEADING_TAG)}

#: What a row says of a block, and how many values each entry has.
EVIDENCE = {
    "tag": _OTHER_TAG + 1,
    "tag around": _OTHER_TAG + 1,
    "length": 8,
    "links": 6,
    "sentence": 8,
    "records": 16,
    "place": 8,
    "length and place": 16,
    "after the headline": 8,
    "share around": 7,
    "links around": 6,
    "next": 16,
    "near": 8,
    "alike": 15,
    "share of alike": 6,
}


def _table(*edges: int) -> tuple[int, ...]:
    """Return for each number up to the last edge how many edges it reaches."""
    return tuple(sum(number >= edge for edge in edges) for number in range(edges[-1] + 1))


#: Classes of numbers, by hand: each about twice the one before it. Significant characters outside links of a
#: block, and of it with the four before and after it; thousandths of shares; numbers of blocks.
_LENGTHS, _LONGEST_BLOCK = _table(1, 10, 25, 50, 100, 200, 400), 400
_FEW_LENGTHS, _FEW_LONGEST = _table(10, 50, 200), 200
_NEAR_LENGTHS, _MOST_NEAR = _table(20, 60, 150, 300, 600, 1_200, 2_400), 2_400
_LINK_SHARES = _table(10, 200, 500, 800, 999, 1_001)
_LINK_SHARES_AROUND = _table(50, 150, 300, 500, 800, 1_001)
_SHARES = _table(10, 50, 150, 300, 500, 800, 1_001)
_COUNTS_ALIKE, _MOST_ALIKE = _table(2, 4, 10, 30), 30
_SHARES_ALIKE = _table(10, 50, 200, 500, 800, 1_001)
_DISTANCES, _FARTHEST = _table(0, 1, 2, 5, 15, 50), 50
_BEFORE_HEADLINE, _NO_HEADLINE = 0, 7
#: Blocks on each side whose text is near.
_BLOCKS_AROUND = 4
#: A sentence ends with one of these.
_SENTENCE_ENDS = frozenset('.!?。！？…:：;"”»)')
#: Bound: log odds beyond which nothing is surer.
_MOST_ODDS = 30.0
#: A heading of this many characters that is in the ``title`` element is the headline, where there is no h1.
_SHORTEST_HEADLINE = 9

_LONG_WORD = re.compile(r"[a-z]{2,}")
_ROOTS = frozenset({"html", "body"})


def evidence_of_blocks(page: PlacedLayout, main: Sequence[int], container: int) -> list[tuple[int, ...]]:
    """Return a row for each block of a page.

    :param main: the blocks of the main text by the page's own masses.
    :param container: the element that holds it by these.

    Cost: a few passes over blocks and nodes.
    """
    layout, ends, repeated, leading = page.layout, page.ends, page.repeated, page.leading
    blocks, steps, parents, named = layout.blocks, layout.steps, layout.parents, page.named
    numbers, other = _TAG_NUMBERS, _OTHER_TAG
    plains, weights = _totals(page)
    whole = max(plains[0], 1)
    tags = [numbers.get(step.tag, other) for step in steps]
    in_main = [False] * len(blocks)
    for index in main:
        in_main[index] = True
    first, last = (main[0], main[len(main) - 1]) if main else (len(blocks), -1)
    end, headline = ends[container], _headline_of(page)
    kinds, counts, shares = _kinds_of_blocks(page)
    lengths = [block.plain for block in blocks]
    size = len(lengths)
    near = sum(lengths[:_BLOCKS_AROUND])
    rows: list[tuple[int, ...]] = []
    for index, block in enumerate(blocks):
        node, text, weight, plain = block.node, block.text, block.weight, block.plain
        parent = max(parents[node], 0)
        around = max(parents[parent], 0)
        if index + _BLOCKS_AROUND < size:
            near += lengths[index + _BLOCKS_AROUND]
        if index > _BLOCKS_AROUND:
            near -= lengths[index - _BLOCKS_AROUND - 1]
        chosen, kind = in_main[index], kinds[index]
        length, few = _LENGTHS[min(plain, _LONGEST_BLOCK)], _FEW_LENGTHS[min(plain, _FEW_LONGEST)]
        links = (weight - plain) * 1000 // weight if weight else 0
        plain_around, all_around = plains[around], max(weights[around], 1)
        in_record = 8 * repeated[node] + 4 * leading[node] + 2 * named[node]
        after = _NO_HEADLINE
        if headline >= 0:
            after = _BEFORE_HEADLINE if index < headline else _DISTANCES[min(index - headline, _FARTHEST)]
        following = lengths[index + 1] if index + 1 < size else 0
        rows.append(
            (
                tags[node],
                tags[parent],
                length,
                _LINK_SHARES[links],
                4 * (text[-1:] in _SENTENCE_ENDS) + few,
                in_record + chosen,
                4 * chosen + 2 * (container <= node < end) + (first <= index <= last),
                8 * chosen + length,
                after,
                _SHARES[plain_around * 1000 // whole],
                _LINK_SHARES_AROUND[(all_around - plain_around) * 1000 // all_around],
                8 * (tags[node] == _HEADING_TAG) + _LENGTHS[min(following, _LONGEST_BLOCK)],
                _NEAR_LENGTHS[min(near, _MOST_NEAR)],
                3 * _COUNTS_ALIKE[min(counts[kind], _MOST_ALIKE)] + min(few, 2),
                _SHARES_ALIKE[shares[kind] * 1000 // whole],
            )
        )
    return rows


def odds_around(
    layout: Layout, base: float, weights: list[float], telling: Callable[[Step], tuple[int, ...]]
) -> list[float]:
    """Return for each node the weight of the words in the names of all elements around it, each word once.

    :param base: what is added.
    :param telling: returns the words of an element, as indexes of their weights.

    Cost: a look-up a node.
    """
    parents, size = layout.parents, len(layout.parents)
    #: How many of the elements around the node have each word; those elements with their words.
    count = [0] * len(weights)
    around: list[tuple[int, tuple[int, ...]]] = []
    odds = [base] * size
    for node, step in enumerate(layout.steps):
        parent = parents[node]
        while around and around[-1][0] != parent:
            for word in around.pop()[1]:
                count[word] -= 1
        more, words = 0.0, telling(step)
        for word in words:
            if not count[word]:
                weight = weights[word]
                more += weight
            count[word] += 1
        odds[node] = more + (odds[parent] if parent >= 0 else base)
        around.append((node, words))
    return odds


def expected_text(
    page: PlacedLayout,
    rows: list[tuple[int, ...]],
    tables: tuple[tuple[float, ...], ...],
    around: list[float],
) -> list[float]:
    """Return for each block how much of it is expected to be main text: its weight times the probability.

    :param rows: its evidence.
    :param tables: for each entry of a row the weights of its values.
    :param around: for each node its log odds without this evidence.
    """
    boilerplate, most = page.boilerplate, _MOST_ODDS
    expected: list[float] = []
    for index, block in enumerate(page.layout.blocks):
        row = rows[index]
        odds = 0.0
        for entry, value in enumerate(row):
            table = tables[entry]
            weight = table[value]
            odds += weight
        odds = min(most, max(-most, odds + around[block.node]))
        expected.append(0.0 if boilerplate[index] else block.weight / (1 + exp(-odds)))
    return expected


def _totals(page: PlacedLayout) -> tuple[list[int], list[int]]:
    """Return for each node the weight of all text in it outside links, and with them."""
    parents = page.layout.parents
    plains, weights = [0] * len(parents), [0] * len(parents)
    for block in page.layout.blocks:
        plains[block.node] += block.plain
        weights[block.node] += block.weight
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        plains[parent] += plains[node]
        weights[parent] += weights[node]
    return plains, weights


def _headline_of(page: PlacedLayout) -> int:
    """Return the block with the headline: the first in an h1, or the last heading in ``title``; -1: none."""
    steps, element, headline = page.layout.steps, page.layout.title_element.lower(), -1
    for index, block in enumerate(page.layout.blocks):
        tag = steps[block.node].tag
        if tag == "h1":
            return index
        if tag in HEADINGS and len(block.text) >= _SHORTEST_HEADLINE and block.text.lower() in element:
            headline = index
    return headline


def _kinds_of_blocks(page: PlacedLayout) -> tuple[list[int], list[int], list[int]]:
    """Return for each block the kind of its element, and for each kind how many blocks and how much text.

    Elements are of a kind if their tags and classes are the same, and those of the elements around them.
    """
    steps, parents = page.layout.steps, page.layout.parents
    known: dict[tuple[str, tuple[str, ...], str, tuple[str, ...]], int] = {}
    kinds: list[int] = []
    counts: list[int] = []
    plains: list[int] = []
    for block in page.layout.blocks:
        step, around = steps[block.node], steps[max(parents[block.node], 0)]
        kind = known.setdefault((step.tag, step.classes, around.tag, around.classes), len(known))
        if kind == len(counts):
            counts.append(0)
            plains.append(0)
        kinds.append(kind)
        counts[kind] += 1
        plains[kind] += block.plain
    return kinds, counts, plains


def name_words(step: Step) -> frozenset[str]:
    """Return the words in an element's name: its tag, id and classes; none for the page's root and body.

    >>> from scrapy_webstemmer.values import Step  # compiled, the module does not have its name
    >>> sorted(name_words(Step("div", "", ("post-body", "relatedPosts"))))
    ['body', 'div', 'post', 'posts', 'related']
    """
    if step.tag in _ROOTS:
        return frozenset()
    return frozenset([step.tag]).union(*map(_words_in, step.classes), _words_in(step.id))


@lru_cache(maxsize=16_384)
def _words_in(name: str) -> frozenset[str]:
    return frozenset(_LONG_WORD.findall(CASE_BREAK.sub(" ", name).lower()))
