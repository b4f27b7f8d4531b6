"""Layout trees drawn by Hypothesis, and trees written down as nested lists."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tree_pages import trees as parents_of_trees

from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.trees.layout_trees import TEXT, Tree, build_tree

NAMES = ["div", "p", "ul"]
TEXTS = ["one", "two"]


def parsed(html: str) -> Tree:
    """Return the layout tree of a page's source."""
    return build_tree(parse_text(html))


def tree_of(nested: Any) -> Tree:
    """Return a tree from ``[name, child, ...]``; a string is a text node."""
    names, texts, parents = [], [], []
    todo = [(nested, -1)]
    while todo:
        one, parent = todo.pop()
        names.append(TEXT if isinstance(one, str) else one[0])
        texts.append(one if isinstance(one, str) else "")
        parents.append(parent)
        if not isinstance(one, str):
            todo.extend((child, len(names) - 1) for child in reversed(one[1:]))
    return Tree(tuple(names), tuple(texts), tuple(parents))


@st.composite
def drawn_trees(draw: st.DrawFn, most: int = 16) -> Tree:
    """Draw a tree of few names and texts, so that siblings are often alike."""
    parents = draw(parents_of_trees(most))
    inner = set(parents)
    names, texts = ["body"], [""]
    for node in range(1, len(parents)):
        is_text = node not in inner and draw(st.booleans())
        names.append(TEXT if is_text else draw(st.sampled_from(NAMES)))
        texts.append(draw(st.sampled_from(TEXTS)) if is_text else "")
    return Tree(tuple(names), tuple(texts), tuple(parents))
