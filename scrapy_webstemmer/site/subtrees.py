"""Work with the nodes in an element: they are a range, since nodes are numbered in the order of the page.

So the sum over all nodes in an element is the difference of two running totals, and one pass over a page
serves all its elements. This file is compiled where there is a C compiler, as ``weighing.py`` is.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from ..values import Column, Layout, Step

#: Times a number of nodes: a column of zeros.
ZERO = array("i", [0])

#: For each element below a path: the element's own path, the same table for the elements below it, and more.
Below: TypeAlias = "dict[Step, Place]"
Place: TypeAlias = "tuple[Any, ...]"


class Columns:
    """The numbers of a page's nodes and blocks in columns: loops over them are quick, most of all compiled.

    :ivar parents: for each node the index of its parent, -1 for the first.
    :ivar ends: for each node the index after the last node in it.
    :ivar links, leads: running totals over the nodes (:func:`running_totals`) of their links, and of those
        that lead to other pages of the host.
    :ivar nodes, weights, plains: for each block its node, its weight, and its weight outside links.
    """

    parents: Column
    ends: Column
    links: Sequence[int]
    leads: Sequence[int]
    nodes: Sequence[int]
    weights: Sequence[int]
    plains: Sequence[int]


def columns_of(layout: Layout, ends: Column) -> Columns:
    """Return the columns of a page.

    :param ends: for each node the index after the last node in it, as :func:`ends_of` gives it.
    """
    all_links, all_leads, blocks = layout.links, layout.leads, layout.blocks
    size, columns = len(ends), Columns()
    links, leads = ZERO * (size + 1), ZERO * (size + 1)
    for node in range(size):
        links[node + 1], leads[node + 1] = links[node] + all_links[node], leads[node] + all_leads[node]
    size = len(blocks)
    nodes, weights, plains = ZERO * size, ZERO * size, ZERO * size
    for index, block in enumerate(blocks):
        nodes[index], weights[index], plains[index] = block.node, block.weight, block.plain
    columns.parents, columns.ends, columns.links, columns.leads = layout.parents, ends, links, leads
    columns.nodes, columns.weights, columns.plains = nodes, weights, plains
    return columns


def places_of(
    steps: tuple[Step, ...], parents: Column, top: Place, intern: Callable[[Place, Step], Place]
) -> list[Place]:
    """Return what a table has for each node: its path, or something else, and more. Cost: a look-up a node.

    :param top: what the table has for no element: its path, and the table of the elements below it.
    :param intern: adds an element to a table.
    """
    places: list[Place] = []
    for node, step in enumerate(steps):
        parent = parents[node]
        above = places[parent] if parent >= 0 else top
        below = above[1]
        place = below.get(step)
        if place is None:
            place = intern(above, step)
        places.append(place)
    return places


def firsts(places: list[Place]) -> tuple[Any, ...]:
    """Return the first value of each place."""
    return tuple([place[0] for place in places])


def at_blocks(columns: Columns, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return for each block of a page the value of its node."""
    nodes, at = columns.nodes, []
    for index in range(len(nodes)):
        value = values[nodes[index]]
        at.append(value)
    return tuple(at)


def ends_of(parents: Column) -> Column:
    """Return for each node the index after the last node in it.

    >>> ends_of(array("i", [-1, 0, 1, 0]))
    array('i', [4, 3, 3, 4])
    """
    column, size = ZERO * len(parents), len(parents)
    ends = column
    for node in range(size):
        ends[node] = node + 1
    for node in range(size - 1, 0, -1):
        parent = parents[node]
        if ends[parent] < ends[node]:  # the loop meets the last child first
            ends[parent] = ends[node]
    return column


def mark(flags: bytearray, nodes: Iterable[int], ends: Sequence[int]) -> None:
    """Set the flags of some nodes and of all nodes in them, in place. Siblings in a row are set at once."""
    start = end = -1
    for node in nodes:
        if node != end:
            if start < end:
                flags[start:end] = b"\1" * (end - start)
            start = node
        end = ends[node]
    if start < end:
        flags[start:end] = b"\1" * (end - start)


def with_marked(flags: bytes, nodes: Iterable[int], ends: Sequence[int]) -> bytes:
    """Return flags with those of some nodes, and of all nodes in them, set."""
    marked = bytearray(flags)
    mark(marked, nodes, ends)
    return bytes(marked)


def running_totals(values: Sequence[int]) -> array[int]:
    """Return the sum of the values before each node, and the sum of all, as :func:`sum_in` needs them."""
    totals = ZERO * (len(values) + 1)
    total = 0
    for node, value in enumerate(values):
        total += value
        totals[node + 1] = total
    return totals


def sum_in(totals: Sequence[int], ends: Sequence[int], node: int) -> int:
    """Return the sum of a node's value and those of all nodes in it."""
    return totals[ends[node]] - totals[node]


def any_in(nodes: Sequence[int], first: int, end: int) -> bool:
    """Return whether one of some sorted nodes is in the range from ``first`` to before ``end``.

    Cost: a binary search.
    """
    at = bisect_left(nodes, first)
    return at < len(nodes) and nodes[at] < end


def indexes_in(nodes: Sequence[int], first: int, end: int) -> range:
    """Return the indexes of those of some sorted nodes that are from ``first`` to before ``end``.

    Cost: two binary searches.
    """
    return range(bisect_left(nodes, first), bisect_left(nodes, end))


def innermost(layout: Layout, node: int, tags: Collection[str]) -> int:
    """Return the innermost element with one of some tags around a node, or the node itself; 0: there is none.

    Cost: a look at each element around the node.
    """
    steps, parents = layout.steps, layout.parents
    while node > 0 and steps[node].tag not in tags:
        node = parents[node]
    return node


def children_of(node: int, ends: Sequence[int]) -> Iterator[int]:
    """Yield the children of a node in the order of the page."""
    child, end = node + 1, ends[node]
    while child < end:
        yield child
        child = ends[child]
