"""Union-free expressions of pages: elements, texts, fields, optional parts and iterators.

Source: V. Crescenzi, G. Mecca, P. Merialdo, RoadRunner: Towards Automatic Data Extraction from Large Web
Sites (VLDB 2001). A page is a sequence of tokens: tags and texts. An expression has such tokens, fields
(``#PCDATA``, here ``$``) that take any text, optional parts ``( )?`` and iterators ``( )+``, but no union.
``acme.py`` makes expressions, ``programs.py`` matches pages with them.

Departure: the tokens are those of the layout tree, so tags of running text are a part of the text.
"""

from __future__ import annotations

from typing import NamedTuple

from ..trees.layout_trees import Tree

#: A text of the page, whatever it is.
FIELD = "$"
#: The names of groups. What is in them may be missing, or there several times, or both.
OPTIONAL, REPEATED, ANY = "(?)", "(+)", "(*)"
GROUPS = frozenset({OPTIONAL, REPEATED, ANY})


class Part(NamedTuple):
    """A part of an expression: an element, a text, a field, or a group.

    :param name: the name of an element, or what it is else.
    :param text: the text of a text.
    :param parts: what is in an element, or in a group.
    """

    name: str
    text: str = ""
    parts: tuple[Part, ...] = ()


_FIELD = Part(FIELD)


def part_of(tree: Tree) -> Part:
    """Return a page, or an expression that was written as a tree. Cost: linear in the nodes."""
    parts: list[Part] = [_FIELD] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        below = tuple([parts[child] for child in tree.children[node]])
        parts[node] = Part(tree.names[node], tree.texts[node], below)
    return parts[0]


def tree_of(part: Part) -> Tree:
    """Return an expression as a tree, whose nodes are its parts. Cost: linear in the parts."""
    names: list[str] = []
    texts: list[str] = []
    parents: list[int] = []
    todo = [(part, -1)]
    while todo:
        one, parent = todo.pop()
        todo += [(below, len(names)) for below in reversed(one.parts)]
        names.append(one.name)
        texts.append(one.text)
        parents.append(parent)
    return Tree(tuple(names), tuple(texts), tuple(parents))
