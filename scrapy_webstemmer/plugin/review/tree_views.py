"""Pages as trees: one page as tree, text and source; layout trees of one page or two, clusters of pages.

They have up to a million lines, so these are written as text, and not made as elements: all of it is escaped,
and a text that is written from right to left changes the order of nothing beyond its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from ...html.text import NO_XML
from ...trees.common_trees import TreeMapping
from ...trees.layout_trees import TEXT, Tree, tree_html
from ...trees.tree_clusters import LeafCounts, own_leaves
from . import Links, View, h, head, page, page_of, text_of, to_html, way
from .reviewed import LETTERS, runs_of

if TYPE_CHECKING:
    from ...article.result import Result
    from ...values import Layout, Markup

# --- A page as tree, text and source, each pointing into the others

#: So many lines of the source are shown, and so many characters of a line of it and of the tree.
_SOURCE_LINES, _LINE = 20_000, 300


def windows_page(result: Result, links: Links) -> str:
    """Return the view of a page in three windows: its tree, its text and its source.

    What somebody chooses in one of them is shown in the two others; without scripts, each leads to the next.
    The source is that of the page's elements as they are nested, which is not always what was sent.

    Source: News Ripper, whose window for a page has these three.
    """
    layout = result.layout
    if layout is None or layout.markup is None or not layout.blocks:
        return page(f"{result.url} - review", h("main", way(links), h("p", "The page has no text.")))
    fates = {number: run.fate for run in runs_of(result) for number in run.blocks}
    parts = (
        ("Tree", _tree_lines(layout, fates)),
        ("Text", (_window_line(n, "b", "s", one.text, fates[n]) for n, one in enumerate(layout.blocks))),
        ("Source", _source_lines(layout.markup)),
    )
    back = (View("page", url=result.url), "The page")
    written = [to_html(way(links, back)), f"<h1><bdi>{escape(result.url)}</bdi></h1>"]
    written.append(
        '<p class="quiet">Choose a text in one window, and the two others show it.</p><main class="three">'
    )
    for name, lines in parts:
        written.append(
            f'<section class="window" aria-label="{name}" tabindex="0"><h2>{name}</h2><ul class="tree">\n'
        )
        written += lines
        written.append("</ul></section>")
    return page_of(
        f"{result.url} - review",
        NO_XML.sub("", "".join([*written, "</main>"])),
        style=_style(),
        script=text_of("windows.js"),
    )


def _window_line(number: int, here: str, there: str, text: str, fate: str, depth: int = 0) -> str:
    """Return the line of a block that leads into the next window."""
    letter = f"<b>{LETTERS[fate]}</b> " if fate else ""
    classes = " ".join(filter(None, (fate, f"d{min(depth, _MOST_INDENTED)}" if depth else "")))
    return (
        f'<li id="{here}{number}" data-n="{number}" class="{classes}">{letter}<a href="#{there}{number}">'
        f"<bdi>{escape(text)}</bdi></a></li>\n"
    )


def _tree_lines(layout: Layout, fates: Mapping[int, str]) -> Iterator[str]:
    """Yield the block-level elements with their texts, in the order of the page."""
    assert layout.markup is not None  # noqa: S101 - whoever calls has looked
    depths: list[int] = []
    for parent in layout.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    lines = [(layout.markup.nodes[node], 0, node) for node in range(len(depths))]
    lines += [(first, 1, number) for number, (first, _) in enumerate(layout.markup.blocks)]
    for _, is_block, number in sorted(lines):
        if is_block:
            block = layout.blocks[number]
            yield _window_line(number, "t", "b", block.text[:_LINE], fates[number], depths[block.node] + 1)
        else:
            step, depth = layout.steps[number], depths[number]
            name = "".join((step.tag, f"#{step.id}" if step.id else "", *(f".{one}" for one in step.classes)))
            yield f'<li class="d{min(depth, _MOST_INDENTED)}"><bdi>{escape(name)}</bdi></li>\n'


def _source_lines(markup: Markup) -> Iterator[str]:
    """Yield the pieces of a page's markup, each in a line."""
    starts = dict(zip((first for first, _ in markup.blocks), range(len(markup.blocks)), strict=True))
    owners = {piece: number for number, span in enumerate(markup.blocks) for piece in range(*span)}
    for piece, text in enumerate(markup.pieces[:_SOURCE_LINES]):
        line = f"<bdi>{escape(f'<{text}'[:_LINE] if piece else text[:_LINE])}</bdi>"
        number = owners.get(piece)
        if number is None:
            yield f"<li>{line}</li>\n"
        else:
            start = f' id="s{number}"' if piece in starts else ""
            yield f'<li{start} data-n="{number}"><a href="#t{number}">{line}</a></li>\n'
    if len(markup.pieces) > _SOURCE_LINES:
        yield f"<li>and {len(markup.pieces) - _SOURCE_LINES:,} more</li>\n"


# --- Layout trees, mappings of two, and clusters

#: Nodes that are deeper are not indented any more, so that narrow windows have room for their text.
_MOST_INDENTED = 20

#: How deep a node is, for its style.
_DEPTHS = "".join(f".d{depth} {{ --depth: {depth}; }}\n" for depth in range(1, _MOST_INDENTED + 1))


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
    sides = [[pair[side] for pair in mapping.pairs] for side in (0, 1)]
    sizes = f"{len(mapping.pairs):,} common nodes of {len(mapping.first):,} and {len(mapping.second):,}"
    links = " and ".join(f'<a href="#page{side}">{escape(name)}</a>' for side, name in enumerate(names, 1))
    written = [
        f'<h1>Similarity rate {mapping.rate:.3f}</h1><p class="pages">{sizes}, in {links}</p>',
        '<ul class="tree"><li class="common">common node</li>'
        '<li class="kept">"text that is kept: only this page has it"</li>'
        '<li class="dropped">"text that is dropped: both pages have it"</li></ul>',
        f'<p class="quiet">A node more than {_MOST_INDENTED} levels deep has its depth before it.</p><main>',
    ]
    for side, (tree, common) in enumerate(zip((mapping.first, mapping.second), sides, strict=True)):
        written.append(f'<section><h2 id="page{side + 1}">{escape(names[side])}</h2><ul class="tree">\n')
        written += _lines(tree, set(common), set(own_leaves(tree, counts)))
        written.append("</ul></section>")
    return page_of("Mapping of two pages", "".join([*written, "</main>"]), style=_style())


def _lines(tree: Tree, common: set[int], kept: set[int]) -> Iterator[str]:
    depths: list[int] = []
    for node, name in enumerate(tree.names):
        depth = depths[tree.parents[node]] + 1 if node else 0
        depths.append(depth)
        classes = ["common"] if node in common else []
        if name == TEXT:
            classes.append("kept" if node in kept else "dropped")
        if depth:
            classes.append(f"d{min(depth, _MOST_INDENTED)}")
        number = f"<small>{depth}</small> " if depth > _MOST_INDENTED else ""
        quote = '"' if name == TEXT else ""
        text = f"{quote}<bdi>{escape(tree.texts[node] if name == TEXT else name)}</bdi>{quote}"
        yield f'<li class="{" ".join(classes)}">{number}{text}</li>\n'


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
    return page_of("Clusters", body, style=_style(), script=text_of("clusters.js"))


def _style() -> str:
    return text_of("views.css") + _DEPTHS
