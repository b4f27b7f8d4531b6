"""Show layout trees, mappings of two trees, and clusters: as web pages, trees also as lines of text.

A tree becomes a page as in News Ripper: walk in pre-order; write start tags with their attributes, text, and
end tags where the element has one. Departure: the tree comes from a page of a stranger, so all text is
escaped, and an element that runs, loads something or swallows what follows it becomes an unknown one:
``script`` becomes ``x-script``.

The pages have up to a million lines, so these are written as text, and not made as elements: all of it is
escaped, and a text that is written from right to left changes the order of nothing beyond its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape

from ..trees.layout_trees import TEXT, Tree, tag_of
from ..trees.tree_articles import LeafCounts, own_leaves
from ..trees.tree_mappings import TreeMapping
from .web_pages import MOST_INDENTED, head, page_of, text_of, tree_style

#: Elements without end tag.
_VOID_TAGS = frozenset(
    "area base basefont br col embed frame hr img input isindex link meta param source track wbr".split()
)

#: Without attributes only these are harmful. Their content is no text for a browser, or ends the page.
_ACTIVE = frozenset(
    "script style plaintext xmp listing noscript noframes noembed iframe frameset frame template svg math "
    "object applet embed base link meta select textarea".split()
)
_PLAIN_TAG = re.compile(r"[a-z][a-z0-9_-]*")


def tree_lines(tree: Tree) -> list[str]:
    """Return a tree as indented lines, one a node: its name, or its text in quotation marks."""
    nodes = zip(tree.depths, tree.names, tree.texts, strict=True)
    return ["  " * depth + (f'"{text}"' if name == TEXT else name) for depth, name, text in nodes]


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
        if tag not in _VOID_TAGS:
            opened.append((node + tree.sizes[node], f"</{tag}>\n"))
    written += (end for _, end in reversed(opened))
    return "".join(written)


def _safe(tag: str) -> str:
    """Return a tag that a browser only shows: one that is active, or has odd signs, is replaced."""
    tag = tag.lower()
    if not _PLAIN_TAG.fullmatch(tag):
        return "x-unknown"
    return f"x-{tag}" if tag in _ACTIVE else tag


def _attributes(name: str) -> str:
    """Return the attributes in a node's name as they stand in a start tag."""
    tokens = name.split(" ")[1:]
    ids = " ".join(token[1:] for token in tokens if token.startswith("#"))
    classes = " ".join(token[1:] for token in tokens if token.startswith("."))
    written = f' id="{escape(ids)}"' if ids else ""
    return written + (f' class="{escape(classes)}"' if classes else "")


def tree_page(tree: Tree, name: str) -> str:
    """Return a tree as HTML, with a head that lets a browser load and run nothing.

    :param name: what the window is called, such as the page's url.

    Cost: linear in the nodes.
    """
    doctype, _, html = tree_html(tree).partition("\n")
    return f"{doctype}\n{head(name, text_of('tree.css'))}\n{html}"


def mapping_page(mapping: TreeMapping, names: Sequence[str]) -> str:
    """Return a page with two trees side by side: common nodes in colour, text leaves dropped and kept.

    :param names: a name for each of the two pages, such as its url.

    No script is in it. Cost: linear in the nodes.
    """
    counts = LeafCounts.of([mapping.first, mapping.second])
    sides = (
        (mapping.first, {node for node, _ in mapping.pairs}),
        (mapping.second, {node for _, node in mapping.pairs}),
    )
    sizes = f"{len(mapping.pairs):,} common nodes of {len(mapping.first):,} and {len(mapping.second):,}"
    links = " and ".join(f'<a href="#page{n}">{escape(name)}</a>' for n, name in enumerate(names, 1))
    written = [
        f'<h1>Similarity rate {mapping.rate:.3f}</h1><p class="pages">{sizes}, in {links}</p>',
        '<ul class="tree"><li class="common">common node</li>'
        '<li class="kept">"text that is kept: only this page has it"</li>'
        '<li class="dropped">"text that is dropped: both pages have it"</li></ul>',
        f'<p class="quiet">A node more than {MOST_INDENTED} levels deep has its depth before it.</p><main>',
    ]
    for n, (name, (tree, common)) in enumerate(zip(names, sides, strict=True), 1):
        written.append(f'<section><h2 id="page{n}">{escape(name)}</h2><ul class="tree">\n')
        written += _lines(tree, common, set(own_leaves(tree, counts)))
        written.append("</ul></section>")
    return page_of("Mapping of two pages", "".join([*written, "</main>"]), style=tree_style())


def _lines(tree: Tree, common: set[int], kept: set[int]) -> Iterator[str]:
    for node, (name, depth) in enumerate(zip(tree.names, tree.depths, strict=True)):
        classes = ["common"] if node in common else []
        if name == TEXT:
            classes.append("kept" if node in kept else "dropped")
        if depth:
            classes.append(f"d{min(depth, MOST_INDENTED)}")
        level = f"<small>{depth}</small> " if depth > MOST_INDENTED else ""
        quote = '"' if name == TEXT else ""
        text = f"{quote}<bdi>{escape(tree.texts[node] if name == TEXT else name)}</bdi>{quote}"
        yield f'<li class="{" ".join(classes)}">{level}{text}</li>\n'


def cluster_page(
    names: Sequence[str], pairs: Sequence[tuple[float, int, int]], threshold: float, least: float
) -> str:
    """Return a page with News Ripper's clusters, their rates, and a threshold to move.

    :param names: the pages' names, in the order of their keys.
    :param pairs: rates and the indexes of the two pages; all pairs whose rate is ``least`` or more.
    :param threshold: the threshold to begin with, from 0 to 1.
    :param least: the lowest threshold, in full hundredths.

    Cost: the page has a few bytes for each pair.
    """
    ordered = sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))
    data = json.dumps({"pages": list(names), "pairs": ordered}, separators=(",", ":"))
    for sign in "<>&":  # nothing in it may end the element
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    body = (
        '<h1>Clusters</h1><p class="moved"><label for="threshold">Threshold</label> <input type="range" '
        f'id="threshold" min="{least:.2f}" max="1" step="0.01" value="{threshold}" autocomplete="off"> '
        '<output id="shown" for="threshold"></output></p>'
        '<p class="quiet">Move the threshold with the mouse or the arrow keys. The number before a page is '
        f"its rate with the first page of its cluster; rates below {least:.2f} are not shown.</p>"
        "<noscript><p>Your browser runs no scripts, so the clusters are missing.</p></noscript>"
        '<div id="clusters" class="clusters"></div>'
        f'<script type="application/json" id="data">{data}</script>'
    )
    return page_of("Clusters", body, style=tree_style(), script=text_of("clusters.js"))
