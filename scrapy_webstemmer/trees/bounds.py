"""Bound the distance of two layout trees, and turn a distance into a similarity."""

from __future__ import annotations

from collections import Counter

from .tree import Tree

__all__ = ["count_ways", "least_distance", "similarity"]


def similarity(distance: float, a: Tree, b: Tree) -> float:
    """Return 1 less the distance divided by the size of the larger tree, from 0 on; 1 for equal trees alone.

    The published threshold, a similarity of .8, is then a distance of at most a fifth of the size.
    """
    return max(0.0, 1 - distance / max(len(a), len(b)))


def least_distance(a: Tree, b: Tree) -> int:
    """Return a lower bound of two trees' distance. It is symmetric, and 0 for equal trees.

    The ancestors of mapped nodes have equal labels. So only nodes with the same labels on their way from the
    root can be partners, and a node with its own label as well costs nothing. Cost: linear in the nodes.
    """
    ways: dict[tuple[int, str], int] = {}
    (above_a, at_a), (above_b, at_b) = count_ways(a, ways), count_ways(b, ways)
    paired = sum(min(count, above_b[way]) for way, count in above_a.items())
    equal = sum(min(count, at_b[way]) for way, count in at_a.items())
    return len(a) + len(b) - paired - equal


def count_ways(tree: Tree, ways: dict[tuple[int, str], int]) -> tuple[Counter[int], Counter[int]]:
    """Count the nodes by the labels on the way to their parent, and by those on the way to themselves.

    :param ways: the numbers of all ways, by the number of the way to the parent and the label; it grows.
    """
    found: list[int] = []
    above = [-1] * len(tree)
    for node, (parent, label) in enumerate(zip(tree.parents, tree.labels, strict=True)):
        above[node] = found[parent] if node else -1
        found.append(ways.setdefault((above[node], label), len(ways)))
    return Counter(above), Counter(found)
