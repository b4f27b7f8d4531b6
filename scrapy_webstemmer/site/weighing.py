"""Weigh the text of a page, and take some of its texts: loops over its blocks.

This file and others (``base/compiled.py`` names them) are compiled where there is a C compiler; the files
``.pxd`` beside them have the types. Elsewhere Python runs them as they are. So they have plain
loops over lists, tuples and arrays.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ..page.tags import HEADINGS
from ..page.text import fold
from ..values import Block, Step
from .paths import coarse, tag_of

if TYPE_CHECKING:
    from .placed import PlacedLayout

#: Times a number of nodes: a column of zeros.
_NO_MASS = array("d", [0.0])
#: A paragraph weighs at least this outside links. Captions, lines of data and entries of menus weigh less.
#: Measured for the verdict: 120 and 200 make the loss of its fit better by .0001 and .0002, and that of sites
#: kept aside worse by .0010 and .0016.
PARAGRAPH = 60
#: Text in repeated records with links counts this much for a node's mass.
REPEATED_MASS = 0.1
#: A text with the title in it, at most this many times as long, is no more than the title.
_AROUND_TITLE = 2
#: An element holds the main text if it has at least this share of its parent's mass.
HELD = 0.8
#: These elements hold one thing that an author wrote, so they are not containers.
_STOP = HEADINGS | {"p", "li", "pre"}


def names_page(text: str, title: str, element: str) -> bool:
    """Return whether a text is little more than a page's title, as in a heading or a breadcrumb.

    :param element: the whole ``title`` element, with the name of the site: some headings repeat it.
    """
    if not title or len(text) < len(title):
        return False
    return (len(text) <= _AROUND_TITLE * len(title) or text == element) and title in text


def masses_of(page: PlacedLayout) -> array[float]:
    """Return each node's mass; see :meth:`.placed.PlacedLayout.masses`."""
    columns, blocks = page.columns, page.layout.blocks
    boilerplate, in_record = page.boilerplate, page.repeated
    parents, ends, nodes, plains = columns.parents, columns.ends, columns.nodes, columns.plains
    title, element, repeated = page.title, page.layout.title_element, REPEATED_MASS
    steps, tags = page.layout.steps, HEADINGS
    masses = _NO_MASS * len(parents)
    view = masses
    headed = 0
    above = whole = 0.0
    for index in range(len(nodes)):
        plain = plains[index]
        if plain and not boilerplate[index]:
            block = blocks[index]
            node = nodes[index]
            if not names_page(block.text, title, element):
                mass = plain * repeated if in_record[node] else plain
                view[node] += mass
                whole += mass
            elif not headed:
                step = steps[node]
                if step.tag in tags:
                    headed, above = node, whole
    if 0 < above <= whole - above:  # a line of news above the title, the weather
        for node in range(headed):
            if ends[node] <= headed:
                view[node] = 0
    for node in range(len(parents) - 1, 0, -1):
        mass = view[node]
        if mass:
            view[parents[node]] += mass
    return masses


@lru_cache(maxsize=16_384)
def stops(path: str) -> bool:
    """Return whether a search for the container does not go into an element."""
    return tag_of(path) in _STOP


def descend(page: PlacedLayout) -> int:
    """Return the container of a single page by its own masses, for pages without the learned container."""
    masses, share = masses_of(page), HELD
    columns, paths = page.columns, page.paths
    ends = columns.ends
    node, child = 0, 1
    whole = masses[0]
    while whole and child < ends[node]:
        mass = masses[child]
        if mass < share * whole:
            child = ends[child]
        elif stops(paths[child]):
            break  # no other child can hold as much
        else:
            node, whole = child, mass
            child += 1
    return node


#: A headline weighs at least this.
_SHORTEST_HEADLINE = 4
#: A heading weighs at most this. Some authors write whole paragraphs in elements of headings.
_LONGEST_HEADING = 150
#: A part of the ``title`` element with this many characters is the page's title.
_LONG_TITLE = 10
#: A text with this many characters may be one that the page shows of its ``title`` element.
_SHOWN_TITLE = 8
#: A heading may stand in a link. An element with more nodes than this is more than a heading.
_AROUND_HEADING = 6


def weigh_text(
    page: PlacedLayout, title: int, container: int
) -> tuple[int, int, int, bool, bool, int, bool, int, bool, bool]:
    """Count what is in a page's text: the values of ``TextWeights`` in ``verdict/evidence.py``.

    :param title: the block with the page's title; -1: the page shows none.
    :param container: the element with most of the new text.

    Cost: a pass over the blocks, one over those that are new, and one over the headings.
    """
    blocks, steps = page.layout.blocks, page.layout.steps
    boilerplate, columns = page.boilerplate, page.columns
    nodes, weights, plains, ends = columns.nodes, columns.weights, columns.plains, columns.ends
    in_list, tags, element = page.leading, HEADINGS, page.layout.title_element.lower()
    paragraph, longest_heading, shown, whole = PARAGRAPH, _LONGEST_HEADING, _SHOWN_TITLE, len(element)
    headings, new = [], []
    in_paragraphs = weight = outside = longest = 0
    most = -1
    in_title = False
    for index in range(len(nodes)):
        node, plain, heavy = nodes[index], plains[index], weights[index]
        step = steps[node]
        is_heading = heavy <= longest_heading and step.tag in tags
        if is_heading:
            headings.append(index)
        if not boilerplate[index]:
            new.append(index)
            weight += heavy
            outside += plain
            if plain >= paragraph and not in_list[node]:
                in_paragraphs += plain
            if plain > most and not is_heading:
                longest, most = index, plain
        if plain and not in_title and heavy <= whole:
            block = blocks[index]
            text = block.text
            if shown <= len(text) <= whole:
                in_title = text.lower() in element
    # the new text in the container, and the last heading before it
    title_node = nodes[title] if title >= 0 else -1
    end, above = ends[container], max(page.layout.parents[container], 0)
    span = ends[above]
    first, main = -1, 0
    for index in new:
        node = nodes[index]
        if container <= node < end and node != title_node:
            if first < 0:
                first = index
            if not in_list[node]:
                main += plains[index]
    # the headings before the longest new text
    before, under, headline = 0, -1, -1
    headed = 0 <= title <= longest
    for index in headings:
        node = nodes[index]
        known = boilerplate[index]
        if index <= first and (not known or above <= node < span):
            under = index
        if index < longest and not known:
            before += 1
            headline = index
            if title < 0 and plains[index]:
                step = steps[node]
                headed = headed or step.tag == "h1"
    leads, led, last = _leads_on(page, title), _leads_on(page, under), _leads_on(page, headline)
    return in_paragraphs, weight, outside, in_title, leads, main, led, before, last, headed


def _leads_on(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is the headline of another page: all its text is a link there; -1: no block.

    It is not if it is the page's own title, even if that is a link to an old url of the page.
    """
    if index < 0:
        return False
    layout, columns = page.layout, page.columns
    ends, links, leads = columns.ends, columns.links, columns.leads
    block = layout.blocks[index]
    node, text = block.node, block.text
    if block.plain or block.weight < _SHORTEST_HEADLINE or text == page.title:
        return False
    if len(text) >= _LONG_TITLE and text in layout.title_element:
        return False
    while node >= 0 and ends[node] - node <= _AROUND_HEADING:
        end = ends[node]
        if links[end] > links[node]:
            return leads[end] > leads[node]
        node = columns.parents[node]
    return node >= 0 and leads[node + 1] > leads[node]


def count_articles(steps: tuple[Step, ...], ids: frozenset[str]) -> tuple[int, bool]:
    """Return the number of ``article`` elements among some, and whether one of all has one of some ids."""
    articles, has_id = 0, False
    for step in steps:
        if step.tag == "article":
            articles += 1
        if step.id in ids:
            has_id = True
    return articles, has_id


def weigh_main(page: PlacedLayout, main: Sequence[int]) -> tuple[int, int, int, int, int, int]:
    """Weigh an article's main text: the values of ``MainWeights`` in ``patterns/confidence.py``.

    :param main: the indexes of its blocks, at least one, in the order of the page.
    """
    boilerplate, repeated, columns = page.boilerplate, page.repeated, page.columns
    nodes, weights, plains = columns.nodes, columns.weights, columns.plains
    first, last = main[0], main[len(main) - 1]
    new = around = single = weight = plain = grouped = 0
    for index in range(len(nodes)):
        if not boilerplate[index] and not repeated[nodes[index]]:
            new += plains[index]
        if first <= index <= last:
            around += weights[index]
    for index in main:
        weight += weights[index]
        plain += plains[index]
        if repeated[nodes[index]]:
            grouped += weights[index]
        else:
            single += plains[index]
    return new, single, weight, around, grouped, plain


def weights_by_feature(page: PlacedLayout, whole: bool) -> dict[str, float]:
    """Return the weight of a page's text by feature: the element of the template that holds it.

    :param whole: count boilerplate, too.
    """
    by_feature: dict[str, float] = {}
    boilerplate, places, columns = page.boilerplate, page.places, page.columns
    weights = columns.weights
    for index in range(len(weights)):
        if whole or not boilerplate[index]:
            feature = coarse(places[index])
            by_feature[feature] = by_feature.get(feature, 0) + weights[index]
    return by_feature


def first_texts(page: PlacedLayout, only: Collection[str] | None, longest: int) -> dict[str, str]:
    """Return the first text of the first element at each path, if it is short enough.

    Lines of the element that follow each other are one text. Those behind another element in it are not.

    :param only: the paths to look at; None: all.
    :param longest: the most characters of such a text.
    """
    texts: dict[str, str] = {}
    nodes: dict[str, int] = {}
    places, before = page.places, -1
    for index, block in enumerate(page.layout.blocks):
        path, last, before = places[index], before, block.node
        known = nodes.get(path)
        if known is None:
            if only is None or path in only:
                nodes[path], texts[path] = block.node, block.text
        elif known == block.node:
            text = texts[path]
            if last != known:
                nodes[path] = -1
            elif len(text) <= longest:
                texts[path] = f"{text} {block.text}"
    return {path: text for path, text in texts.items() if len(text) <= longest}


def new_inside(page: PlacedLayout, inside: bytearray) -> list[int]:
    """Return the indexes of the blocks that are not boilerplate, and stand in some elements.

    :param inside: for each node whether it stands in one of them.
    """
    boilerplate, columns, new = page.boilerplate, page.columns, []
    nodes = columns.nodes
    for index in range(len(nodes)):
        if not boilerplate[index] and inside[nodes[index]]:
            new.append(index)
    return new


#: A text of this length that stands in two elements of the template is kept once.
_LONG_TEXT = 40
#: The most digits of the first number of a listing's lines.
_MOST_DIGITS = 6


def own_texts(page: PlacedLayout, indexes: list[int], part_of: Mapping[str, str], title: int) -> list[int]:
    """Return the indexes of those blocks that are neither in an excluded part nor the title nor repeats.

    Behind a long text that stands there once more, a short one that does is of the same copy. A link, as in a
    table of contents, is no copy of the heading to which it leads.

    :param part_of: for each path the excluded part that it is in; empty: it is in none.
    :param title: the node with the title; -1: none has it.
    """
    blocks, places = page.layout.blocks, page.places
    seen: dict[str, str] = {}
    kept, copied = [], False
    for index in indexes:
        block, path = blocks[index], places[index]
        text = block.text
        if block.node == title or part_of[path] or (text[:1].isdecimal() and _counts_up(text)):
            continue
        if len(text) >= _LONG_TEXT:
            element = coarse(path)
            if not block.plain and text not in seen:
                text = f"\0{text}"
            copied = seen.setdefault(text, element) != element
            if copied:
                continue
        elif copied and text in seen:
            continue
        else:
            seen[text] = ""
        kept.append(index)
    return kept


def _counts_up(text: str) -> bool:
    """Return whether a text is the numbers of the lines of a listing: each one more than that before it."""
    numbers = text.split()
    first = numbers[0]
    if len(numbers) == 1 or len(first) > _MOST_DIGITS or not first.isdecimal():
        return False
    return all(numeral == str(number) for number, numeral in enumerate(numbers, int(first)))


def short_lines(page: PlacedLayout, most: int) -> list[str]:
    """Return the texts of at most some weight that are not in records."""
    repeated, leading, lines = page.repeated, page.leading, []
    blocks, columns = page.layout.blocks, page.columns
    nodes, weights = columns.nodes, columns.weights
    for index in range(len(nodes)):
        if weights[index] <= most:
            node = nodes[index]
            if not repeated[node] and not leading[node]:
                block = blocks[index]
                lines.append(block.text)
    return lines


def blocks_with(blocks: tuple[Block, ...], title: str, node: int) -> list[int]:
    """Return the indexes of the blocks in an element, and of those whose text is a title.

    :param title: the title, folded. Texts of listings may have lines.
    :param node: the element; -1: none.
    """
    indexes = []
    length, start = len(title), title[:1]
    for index, block in enumerate(blocks):
        text = block.text
        if block.node == node or (len(text) >= length and text.lstrip()[:1] == start and fold(text) == title):
            indexes.append(index)
    return indexes


def boilerplate_flags(
    blocks: tuple[Block, ...],
    places: tuple[str, ...],
    title: str,
    texts: dict[str, set[str]],
    begins: dict[str, set[str]],
    key_of: Callable[[str], str],
    without: Callable[[str, str], str] | None,
) -> bytes:
    """Return for each block of a page whether it is boilerplate; see ``BoilerplateTexts.among``.

    :param texts: for each path the keys that are boilerplate there; ``begins``: their first characters.
    :param key_of: returns the key of a text.
    :param without: takes the title out of a text; None: the title is too short for that.
    """
    flags = bytearray(len(places))
    for index in range(len(places)):
        path = places[index]
        first = begins.get(path)
        if first is None:
            continue
        block = blocks[index]
        text = block.text
        sign = text[:1]
        if (
            sign in first
            or sign.lower()[:1] in first
            or sign.isdecimal()
            or (title and text.startswith(title))
        ):
            if without is not None and title in text:
                text = without(text, title)
            flags[index] = key_of(text) in texts[path]
    return bytes(flags)


def plain_by_element(page: PlacedLayout, elements: dict[str, str]) -> dict[str, int]:
    """Return the weight outside links of a page's new text that is not in records, by element.

    :param elements: for each path that counts its element.
    """
    by_element: dict[str, int] = {}
    boilerplate, repeated, places, columns = page.boilerplate, page.repeated, page.places, page.columns
    nodes, plains = columns.nodes, columns.plains
    for index in range(len(nodes)):
        if not boilerplate[index] and not repeated[nodes[index]]:
            element = elements.get(places[index])
            if element is not None:
                by_element[element] = by_element.get(element, 0) + plains[index]
    return by_element
