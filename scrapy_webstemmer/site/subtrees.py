"""Work with the nodes in an element: they are a range, since nodes are numbered in the order of the page.

So the sum over all nodes in an element is the difference of two running totals, and one pass over a page
serves all its elements. This file is compiled where there is a C compiler, as ``weighing.py`` is.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from ..values import Step

#: Times a number of nodes: a column of zeros.
_ZERO = array("i", [0])

#: For each element below a path: the element's own path, and the same table for the elements below it.
Below: TypeAlias = "dict[Step, tuple[Any, Below]]"


def paths_of(
    steps: tuple[Step, ...],
    parents: tuple[int, ...],
    top: tuple[Any, Below],
    intern: Callable[[tuple[Any, Below], Step], tuple[Any, Below]],
) -> tuple[Any, ...]:
    """Return the path of each node, or what else a table has in its place. Cost: a look-up a node.

    :param top: the path of no element, and the table of the elements below it.
    :param intern: adds an element to a table.
    """
    places: list[tuple[Any, Below]] = []
    for node, step in enumerate(steps):
        parent = parents[node]
        above = places[parent] if parent >= 0 else top
        below = above[1]
        found = below.get(step)
        if found is None:
            found = intern(above, step)
        places.append(found)
    return tuple([place[0] for place in places])


def ends_of(parents: Sequence[int]) -> tuple[int, ...]:
    """Return for each node the index after the last node in it.

    >>> ends_of([-1, 0, 1, 0])
    (4, 3, 3, 4)
    """
    ends = list(range(1, len(parents) + 1))
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        end, known = ends[node], ends[parent]
        if known < end:  # the loop meets the last child first
            ends[parent] = ends[node]
    return tuple(ends)


def add_up(parents: Sequence[int], values: list[float]) -> None:
    """Add each node's value to those of all nodes around it, in place.

    It is for values that are not whole numbers: differences of their running totals would not be exact.
    """
    for node in range(len(values) - 1, 0, -1):
        value = values[node]
        if value:
            parent = parents[node]
            around = values[parent]
            values[parent] = around + value


def mark(flags: list[bool], nodes: Iterable[int], ends: Sequence[int]) -> None:
    """Set the flags of some nodes and of all nodes in them, in place. Siblings in a row are set at once."""
    start = end = -1
    for node in nodes:
        if node != end:
            if start < end:
                flags[start:end] = [True] * (end - start)
            start = node
        end = ends[node]
    if start < end:
        flags[start:end] = [True] * (end - start)


def running_totals(values: Sequence[int]) -> array[int]:
    """Return the sum of the values before each node, and the sum of all, as :func:`sum_in` needs them."""
    found = _ZERO * (len(values) + 1)
    total = 0
    for node, value in enumerate(values):
        total += value
        found[node + 1] = total
    return found


def sum_in(totals: Sequence[int], ends: Sequence[int], node: int) -> int:
    """Return the sum of a node's value and those of all nodes in it."""
    return totals[ends[node]] - totals[node]


def any_in(nodes: Sequence[int], first: int, end: int) -> bool:
    """Return whether one of some sorted nodes is in the range from ``first`` to before ``end``.

    Cost: a binary search.
    """
    at = bisect_left(nodes, first)
    return at < len(nodes) and nodes[at] < end


def children_of(node: int, ends: Sequence[int]) -> Iterator[int]:
    """Yield the children of a node in the order of the page."""
    child, end = node + 1, ends[node]
    while child < end:
        yield child
        child = ends[child]
