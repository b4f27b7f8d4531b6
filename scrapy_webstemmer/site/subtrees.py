"""Work with the nodes in an element: they are a range, since nodes are numbered in the order of the page.

So the sum over all nodes in an element is the difference of two running totals, and one pass over a page
serves all its elements.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate


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
