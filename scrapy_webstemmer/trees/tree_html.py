"""Write a layout tree as HTML, to open it in a browser.

Source: News Ripper: walk in pre-order; write start tags with their attributes, text, and end tags where the
element has one. Departure: the tree comes from a page of a stranger, so all text is escaped, and an element
that runs, loads something or swallows what follows it becomes an unknown one: ``script`` becomes
``x-script``.
"""

from __future__ import annotations

import re
from html import escape

from .layout_trees import TEXT, Tree

#: Elements without end tag.
VOID = frozenset(
    "area base basefont br col embed frame hr img input isindex link meta param source track wbr".split()
)

#: Without attributes only these are harmful. Their content is no text for a browser, or ends the page.
_ACTIVE = frozenset(
    "script style plaintext xmp listing noscript noframes noembed iframe frameset frame template svg math "
    "object applet embed base link meta select textarea".split()
)
_PLAIN = re.compile(r"[a-z][a-z0-9_-]*")
_INDENT = "  "


def tag_of(name: str) -> str:
    """Return the tag in a node's name, without the id and the classes that may follow it."""
    return name.partition(" ")[0]


def tree_html(tree: Tree) -> str:
    """Return a tree as HTML. Only the id and the classes in a node's name become attributes."""
    written: list[str] = ["<!DOCTYPE html>\n"]
    opened: list[tuple[int, str]] = []  # the end of each open element's subtree, and its end tag
    for node, (name, text) in enumerate(zip(tree.names, tree.texts, strict=True)):
        while opened and opened[-1][0] <= node:
            written.append(opened.pop()[1])
        if name == TEXT:
            written.append(escape(text))
            continue
        tag, attributes = _safe(tag_of(name)), _attributes(name)
        written.append(f"<{tag}{attributes}>")
        if tag not in VOID:
            opened.append((node + tree.sizes[node], f"</{tag}>\n"))
    written += (end for _, end in reversed(opened))
    return "".join(written)


def tree_lines(tree: Tree) -> list[str]:
    """Return a tree as indented lines, one a node: its name, or its text in quotation marks."""
    depths: list[int] = []
    lines = []
    for node, (name, text) in enumerate(zip(tree.names, tree.texts, strict=True)):
        depths.append(depths[tree.parents[node]] + 1 if node else 0)
        lines.append(_INDENT * depths[node] + (f'"{text}"' if name == TEXT else name))
    return lines


def _safe(tag: str) -> str:
    """Return a tag that a browser only shows: one that is active, or has odd signs, is replaced."""
    tag = tag.lower()
    if not _PLAIN.fullmatch(tag):
        return "x-unknown"
    return f"x-{tag}" if tag in _ACTIVE else tag


def _attributes(name: str) -> str:
    """Return the attributes in a node's name as they stand in a start tag."""
    tokens = name.split(" ")[1:]
    ids = " ".join(one[1:] for one in tokens if one.startswith("#"))
    classes = " ".join(one[1:] for one in tokens if one.startswith("."))
    written = f' id="{escape(ids)}"' if ids else ""
    return written + (f' class="{escape(classes)}"' if classes else "")
