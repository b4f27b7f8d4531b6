"""Write a layout tree as rows of text, one for each node, and read it again with strict checks.

A row is the node's depth, a space, and its label: ``0 html``, ``3 div``, ``4 #text Read on``, ``4 $``. The
nodes are in pre-order. Texts and wildcards are leaves. The root has the depth 0, and a child is one deeper
than its parent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ROW = re.compile(r"(0|[1-9][0-9]{0,5}) ([^ ].*)", re.DOTALL)
_TEXT = "#text"
#: Nodes without children, besides texts.
_WILDCARDS = frozenset("$+?*")


def write_rows(names: Sequence[str], texts: Sequence[str], parents: Sequence[int]) -> tuple[str, ...]:
    """Return the rows of a tree, given the arrays of its nodes in pre-order."""
    depths: list[int] = []
    rows = []
    for name, text, parent in zip(names, texts, parents, strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        rows.append(f"{depths[-1]} {name} {text}" if name == _TEXT else f"{depths[-1]} {name}")
    return tuple(rows)


def read_rows(rows: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Return the names, texts and parents of a tree's nodes.

    :raises ValueError: a row is not valid, or not at a depth where a node can be.

    Cost: linear in the rows.
    """
    names: list[str] = []
    texts: list[str] = []
    parents: list[int] = []
    #: The last node at each depth, down to the last node.
    way: list[int] = []
    for number, row in enumerate(rows):
        found = _ROW.fullmatch(row)
        if found is None:
            raise ValueError(f"row {number + 1} of a tree is not a depth and a label: {row!r:.60}")
        depth = int(found[1])
        leaf = bool(names) and (names[-1] == _TEXT or names[-1] in _WILDCARDS)
        if depth > len(way) - leaf or (depth == 0) != (number == 0):
            raise ValueError(f"row {number + 1} of a tree cannot have the depth {depth}")
        name, text = _parts(found[2], number)
        names.append(name)
        texts.append(text)
        parents.append(way[depth - 1] if depth else -1)
        way[depth:] = [number]
    return tuple(names), tuple(texts), tuple(parents)


def _parts(label: str, number: int) -> tuple[str, str]:
    """Return name and text of a label."""
    name, _, text = label.partition(" ")
    if name != _TEXT:
        return label, ""
    if not text:
        raise ValueError(f"row {number + 1} of a tree is a text without text")
    return name, text
