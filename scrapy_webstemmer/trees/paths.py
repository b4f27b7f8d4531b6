"""Count the nodes of trees by their paths. A path is a node's label with the labels of its ancestors.

Top-down mappings pair only nodes whose ancestors have equal labels. So what the paths of two trees have in
common bounds what a mapping can find.
"""

from __future__ import annotations

from collections import Counter

from .tree import Tree


def count_paths(tree: Tree, numbers: dict[tuple[int, str], int]) -> Counter[int]:
    """Return how many nodes of a tree have each path, by the path's number.

    :param numbers: the numbers of all paths, by the number of the parent's path (-1 for the root) and the
        label. It grows. Trees that are compared share it.

    Cost: linear in the nodes.
    """
    found: list[int] = []
    for node, (parent, label) in enumerate(zip(tree.parents, tree.labels, strict=True)):
        found.append(numbers.setdefault((found[parent] if node else -1, label), len(numbers)))
    return Counter(found)
