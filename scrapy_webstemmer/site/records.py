"""Find repeated records: like siblings with links, such as teasers, comments, entries of a menu or a list.

One template made them from a list of things. So they have the same path under the same parent, and none of
them holds nearly all of their text. This file is compiled where there is a C compiler, as ``weighing.py`` is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ..page.tags import HEADINGS, TEXT_TAGS
from ..values import Layout
from .paths import last_step, tag_of
from .subtrees import ZERO, Columns
from .weighing import PARAGRAPH

#: Records are at least this many siblings.
SIZE = 3
#: At least this share of them have a link.
LINKED = 0.8
#: The heaviest of them holds at most this share of their text: rows of a page are not records.
HEAVIEST = 0.7

#: Boxes are the text if they hold at least this share of the page's paragraphs. With .8 four times as many
#: sites lose a tenth of such texts.
_MOST_PARAGRAPHS = 0.5

#: Passages of a text have so many paragraphs on average: a note in a list has one.
_PASSAGE = 1.5

#: An author's headings. A term is the heading of its definition: manuals have a list for each function.
_OWN_HEADINGS = HEADINGS | {"dt"}

_NO_RECORDS = frozenset({"p", "td", "th"})


class Records(NamedTuple):
    """Flags that tell for each node whether it is a record, or stands in one.

    :param templated: records with links that the template made. Bare list items and rows are the author's,
        and are not among them.
    :param leading: records that lead to other pages of the site, whether the template or an author made them.
    """

    templated: bytes
    leading: bytes


def find_records(layout: Layout, columns: Columns, paths: tuple[str, ...]) -> Records:
    """Return which nodes of a page are records or stand in records.

    :param paths: the path of each node.

    Cost: some passes over the nodes, and a look at the children of each element with links.
    """
    size, least = len(paths), LINKED * SIZE
    parents, ends, links, leads = columns.parents, columns.ends, columns.links, _beside_text(layout, columns)
    children = ZERO * size
    for node in range(1, size):
        children[parents[node]] += 1
    weights: Sequence[int] | None = None
    headings: list[int] | None = None
    in_template, in_leads, whole = bytearray(size), bytearray(size), -1
    for parent in range(size):
        count = children[parent]
        if count < SIZE or links[ends[parent]] - links[parent] < least:
            continue
        if in_template[parent] and in_leads[parent]:
            continue  # all its children are in a record anyway
        for name, nodes in _like_siblings(parent, count, paths, ends):
            leading = _carry(nodes, leads, ends)
            templated = name not in TEXT_TAGS and (leading or _carry(nodes, links, ends))
            if not (leading or templated):
                continue
            if weights is None:
                weights, whole = _text_totals(columns), _paragraphs(columns)
            if not _are_even(nodes, weights, ends):
                continue
            if leading and _follow_text(nodes, layout, columns, True):
                continue
            if templated:
                if headings is None:
                    headings = _unlinked(layout, columns)
                if not (
                    _are_sections(nodes, headings, ends)
                    or _are_passages(nodes, headings, columns)
                    or (not leading and _are_boxes(nodes, layout, columns, whole))
                    or (not leading and _follow_text(nodes, layout, columns, False))
                ):
                    _mark(in_template, nodes, ends)
            if leading:
                _mark(in_leads, nodes, ends)
    return Records(bytes(in_template), bytes(in_leads))


def _mark(flags: bytearray, nodes: list[int], ends: Sequence[int]) -> None:
    """Set the flags of some siblings, and of all nodes in them: a typed ``mark``, several times as fast."""
    for node in nodes:
        for inside in range(node, ends[node]):
            flags[inside] = 1


def _beside_text(layout: Layout, columns: Columns) -> Sequence[int]:
    """Return the running totals of the links that lead on, without those in the sentences of a ``p``.

    These are an author's: the link of a record is a line, a heading or a picture, or begins a text without a
    tag.
    """
    nodes, weights, plains, leads = columns.nodes, columns.weights, columns.plains, columns.leads
    size, steps = len(leads), layout.steps
    in_text, totals = bytearray(size), ZERO * size
    for index in range(len(nodes)):
        if plains[index] >= PARAGRAPH and plains[index] < weights[index] < 2 * plains[index]:
            step = steps[nodes[index]]
            in_text[nodes[index]] = step.tag == "p"
    for index in range(len(nodes)):  # beside a paragraph may stand a line
        if weights[index] >= 2 * plains[index]:
            in_text[nodes[index]] = 0
    for node in range(size - 1):
        totals[node + 1] = totals[node] if in_text[node] else totals[node] + leads[node + 1] - leads[node]
    return totals


def _text_totals(columns: Columns) -> Sequence[int]:
    """Return the running totals of the weight of the text directly in each node."""
    nodes, weights, size = columns.nodes, columns.weights, len(columns.parents) + 1
    totals = ZERO * size
    for index in range(len(nodes)):
        totals[nodes[index] + 1] += weights[index]
    total = 0
    for node in range(size):
        total += totals[node]
        totals[node] = total
    return totals


def _carry(nodes: list[int], totals: Sequence[int], ends: Sequence[int]) -> bool:
    """Return whether enough of some siblings have one of the links that were summed up."""
    count = 0
    for node in nodes:
        if totals[ends[node]] > totals[node]:
            count += 1
    return count >= LINKED * len(nodes)


def _are_boxes(nodes: list[int], layout: Layout, columns: Columns, whole: int) -> bool:
    """Return whether some siblings are an author's text, a box for each paragraph: they hold most paragraphs.

    Comments may do so, too, but each of them names somebody, in a link or in a line. A button says the same
    in each box, and most boxes have no other line.

    :param whole: the weight of the page's paragraphs.

    Cost: a look at the blocks from the first of the siblings to the last.
    """
    begins, weights, plains, ends = columns.nodes, columns.weights, columns.plains, columns.ends
    steps, tags = layout.steps, HEADINGS
    inside = at = lines = 0
    end, size = ends[nodes[0]], len(nodes)
    buttons = set()
    for index in range(bisect_left(begins, nodes[0]), len(begins)):
        node = begins[index]
        while node >= end and at < size - 1:
            at += 1
            end = ends[nodes[at]]
        if node >= end:
            break
        if node < nodes[at]:
            continue
        plain = plains[index]
        if plain >= PARAGRAPH:
            inside += plain
        elif weights[index] > plain:
            step = steps[node]
            if step.tag not in tags:
                buttons.add(layout.blocks[index].text)
        else:
            lines += 1
    if len(buttons) * SIZE > size or 2 * lines > size:
        return False
    return inside > 0 and inside >= _MOST_PARAGRAPHS * whole


def _follow_text(nodes: list[int], layout: Layout, columns: Columns, leading: bool) -> bool:
    """Return whether some siblings are the sections of a text: a paragraph stands before them.

    The paragraph is their sibling; a list of records has an element of its own. Each section has a heading,
    be it a link, and more text than that; or half a paragraph or more, and no text in links, but a picture.
    Those that lead to other pages of the site have a paragraph each, and a heading that is no link: others
    are teasers.

    Cost: a look at the blocks of their parent up to the last of them.
    """
    parents, begins, weights, plains = columns.parents, columns.nodes, columns.weights, columns.plains
    first, ends, parent = nodes[0], columns.ends, parents[nodes[0]]
    steps, tags = layout.steps, HEADINGS
    at = bisect_left(begins, parent)
    has_paragraph = False
    while at < len(begins) and begins[at] < first:
        node = begins[at]
        if plains[at] >= PARAGRAPH and (node == parent or parents[node] == parent):
            has_paragraph = True
        at += 1
    if not has_paragraph:
        return False
    sections = 0
    for node in nodes:
        whole = plain = 0
        has_heading = False
        while at < len(begins) and begins[at] < ends[node]:
            if begins[at] >= node:
                whole += weights[at]
                plain += plains[at]
                step = steps[begins[at]]
                has_heading = has_heading or (step.tag in tags and not (leading and weights[at] > plains[at]))
            at += 1
        if leading:
            sections += has_heading and plain >= 2 * PARAGRAPH and 2 * plain > whole
        elif (has_heading and 2 * plain > whole) or (2 * plain >= PARAGRAPH and plain == whole):
            sections += 1
    return sections >= LINKED * len(nodes)


def _paragraphs(columns: Columns) -> int:
    """Return the weight of a page's paragraphs outside links."""
    plains, whole = columns.plains, 0
    for index in range(len(plains)):
        if plains[index] >= PARAGRAPH:
            whole += plains[index]
    return whole


def _are_even(nodes: list[int], totals: Sequence[int], ends: Sequence[int]) -> bool:
    """Return whether none of some siblings holds nearly all of their text."""
    most = whole = 0
    for node in nodes:
        weight = totals[ends[node]] - totals[node]
        whole += weight
        if weight > most:
            most = weight
    return most <= HEAVIEST * whole


def _unlinked(layout: Layout, columns: Columns) -> list[int]:
    """Return the headings and terms without a link in them, and without one beside them that leads on.

    They tell an author's sections from records that the template made: headings of these are links, or stand
    in links.
    """
    links, leads, parents, ends = columns.links, columns.leads, columns.parents, columns.ends
    tags, headings = _OWN_HEADINGS, []
    for node, step in enumerate(layout.steps):
        if step.tag in tags:
            parent = parents[node]
            if leads[parent + 1] == leads[parent] and links[ends[node]] == links[node]:
                headings.append(node)
    return headings


def _are_sections(nodes: list[int], headings: list[int], ends: Sequence[int]) -> bool:
    """Return whether most of some siblings have one of some headings. Both are in the order of the page."""
    at = count = 0
    heading, size = -1, len(headings)
    for node in nodes:
        while heading < node and at < size:
            heading = headings[at]
            at += 1
        if node <= heading < ends[node]:
            count += 1
    return count > 0 and count >= LINKED * len(nodes)


def _are_passages(nodes: list[int], headings: list[int], columns: Columns) -> bool:
    """Return whether most of some siblings are passages of a text, in which a box or a line leads elsewhere.

    A passage begins with a paragraph, or with one of some headings. Notes in a list begin with paragraphs,
    too, but each has a single one.

    Cost: a look at the blocks from the first of the siblings to the last.
    """
    begins, weights, plains, ends = columns.nodes, columns.weights, columns.plains, columns.ends
    count = paragraphs = 0
    index = bisect_left(begins, nodes[0])
    for node in nodes:
        while index < len(begins) and begins[index] < node:
            index += 1
        if index < len(begins) and begins[index] < ends[node]:
            is_paragraph = plains[index] >= PARAGRAPH and 2 * plains[index] > weights[index]
            at = bisect_left(headings, begins[index])
            if is_paragraph or (at < len(headings) and headings[at] == begins[index]):
                count += 1
        while index < len(begins) and begins[index] < ends[node]:
            if plains[index] >= PARAGRAPH:
                paragraphs += 1
            index += 1
    return count >= LINKED * len(nodes) and paragraphs >= _PASSAGE * len(nodes)


def _like_siblings(
    parent: int, children: int, paths: tuple[str, ...], ends: Sequence[int]
) -> list[tuple[str, list[int]]]:
    """Return groups of like siblings, each with its common step, or with its common class.

    Most siblings with a common class must also have a child of the same kind. Comments are an example: some
    are marked as the author's, or as odd or even.

    :param children: how many children the parent has.
    """
    groups: list[tuple[str, list[int]]] = []
    child, end = parent + 1, ends[parent]
    path = paths[child]
    if end - child == children and paths[child:end].count(path) == children:
        step = _record_step(path)  # mostly entries of a menu
        return [(step, list(range(child, end)))] if step else groups
    same: dict[str, list[int]] = {}
    while child < end:  # the hottest loop of all
        path = paths[child]
        alike = same.get(path)
        if alike is None:
            same[path] = [child]
        else:
            alike.append(child)
        child = ends[child]
    for path, alike in same.items():
        if len(alike) >= SIZE:
            step = _record_step(path)
            if step:
                groups.append((step, alike))
    if len(same) > 1:
        for step, kinds in _shared_classes(tuple(same)):
            alike = [node for path in kinds for node in same[path]]
            if len(alike) >= SIZE and _share_a_child(alike, paths, ends):
                groups.append((step, alike))
    return groups


@lru_cache(maxsize=16384)
def _record_step(path: str) -> str:
    """Return a path's last step if its elements may be records, else the empty string."""
    return "" if tag_of(path) in _NO_RECORDS else last_step(path)


@lru_cache(maxsize=16384)
def _shared_classes(siblings: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the classes that several paths of siblings share, each with these paths.

    A class is left out if it is the whole step of a sibling.
    """
    steps = {last_step(path): path for path in siblings}
    classed: dict[str, list[str]] = defaultdict(list)
    for step, path in steps.items():
        tag, *classes = step.split(".")
        if _record_step(path):
            for name in dict.fromkeys(classes):
                classed[f"{tag}.{name}"].append(path)
    shared = ((name, tuple(paths)) for name, paths in classed.items() if len(paths) > 1)
    return tuple((name, paths) for name, paths in shared if name not in steps)


def _first_child(node: int, paths: tuple[str, ...], ends: Sequence[int]) -> str:
    """Return the kind of a node's first child; empty if it has none."""
    return last_step(paths[node + 1]) if node + 1 < ends[node] else ""


def _share_a_child(nodes: list[int], paths: tuple[str, ...], ends: Sequence[int]) -> bool:
    """Return whether most of some nodes have a child of the same kind."""
    first = _first_child(nodes[0], paths, ends)
    if first and {*[_first_child(node, paths, ends) for node in nodes]} == {first}:
        return True
    counts: dict[str, int] = {}
    for node in nodes:
        kinds = set()
        child, end = node + 1, ends[node]
        while child < end:
            kinds.add(last_step(paths[child]))
            child = ends[child]
        for kind in kinds:
            counts[kind] = counts.get(kind, 0) + 1
    return max(counts.values(), default=0) >= LINKED * len(nodes)
