"""Small trees: written as nested calls, or drawn by Hypothesis with few names, so that subtrees are alike."""

from __future__ import annotations

from hypothesis import strategies as st

from scrapy_webstemmer.trees.layout_trees import TEXT, Tree


def tree(name: str, *children: Tree | str) -> Tree:
    """Return a tree. A child may be the name of a leaf, or ``=text``."""
    names, texts, parents = [name], [""], [-1]
    for child in children:
        if isinstance(child, str):
            child = Tree((TEXT,), (child[1:],), (-1,)) if child[0] == "=" else tree(child)
        start = len(names)
        names += child.names
        texts += child.texts
        parents += [0, *(start + parent for parent in child.parents[1:])]
    return Tree(tuple(names), tuple(texts), tuple(parents))


_LEAVES = st.sampled_from(["a", "b", "p", "=one", "=two"])
#: Trees of at most 13 nodes or so.
TREES = st.recursive(
    _LEAVES,
    lambda some: st.builds(
        lambda name, children: tree(name, *children), st.sampled_from("abp"), st.lists(some, max_size=4)
    ),
    max_leaves=8,
).map(lambda drawn: tree("root", drawn))
