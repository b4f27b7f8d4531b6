"""Work with the nodes in an element: they are a range, since nodes are numbered in the order of the page.

So the sum over all nodes in an element is the difference of two running totals,
and one pass over a page serves all its elements.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate


def ends_of(parents: Sequence[int]) -> list[int]:
    """Return for each node the index after the last node in it.

    >>> ends_of([-1, 0, 1, 0])
    [4, 3, 3, 4]
    """
    ends = list(range(1, len(parents) + 1))
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        if ends[parent] < ends[node]:  # the loop meets the last child first
            ends[parent] = ends[node]
    return ends


def add_up(parents: Sequence[int], values: list[float]) -> None:
    """Add each node's value to those of all nodes around it, in place.

    It is for values that are not whole numbers: differences of their running totals would not be exact.
    """
    for node in range(len(values) - 1, 0, -1):
        if value := values[node]:
            values[parents[node]] += value


def running_totals(values: Iterable[int]) -> list[int]:
    """Return the sum of the values before each node, and the sum of all, as :func:`sum_in` needs them."""
    return list(accumulate(values, initial=0))


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


def mark(flags: list[bool], nodes: Iterable[int], ends: Sequence[int]) -> None:
    """Set the flags of some nodes and of all nodes in them, in place. Siblings in a row are set at once."""
    start = end = 0
    for node in nodes:
        if node != end:
            flags[start:end] = [True] * (end - start)
            start = node
        end = ends[node]
    flags[start:end] = [True] * (end - start)
