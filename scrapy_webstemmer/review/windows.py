"""The view of a page in three windows: as tree, text and source, each pointing into the others.

In them the page's text is text. They may have very many lines, and are written as text, all of it escaped,
and not made as elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ..extraction.result import Result
from ..values import NO_XML, Layout, Markup
from .fates import LETTERS, blocks_of_pieces, runs_of
from .web_pages import MOST_INDENTED, Links, View, h, page, page_of, text_of, to_html, tree_style, way, within

#: So many characters of a line of the tree and of the source are shown, and so many of a text.
_LINE_LENGTH, _TEXT_LENGTH = 300, 10_000


def windows_page(result: Result, links: Links) -> str:
    """Return the view of a page in three windows: its tree, its text and its source.

    What somebody chooses in one of them is shown in the two others; without scripts, each leads to the next.
    The source is that of the page's elements as they are nested, which is not always what was sent.

    Source: News Ripper, whose window for a page has these three.
    """
    layout = result.layout
    if layout is None or layout.markup is None or not layout.blocks:
        return page(f"{result.url} - review", h("main", way(links), h("p", "The page has no text.")))
    fates = [run.fate for run in runs_of(result) for _ in run.blocks]
    texts = (
        _window_line(index, "b", "s", block.text[:_TEXT_LENGTH], fate)
        for index, (block, fate) in enumerate(zip(layout.blocks, fates, strict=True))
    )
    windows = (
        ("Tree", _tree_lines(layout, layout.markup, fates)),
        ("Text", texts),
        ("Source", _source_lines(layout.markup)),
    )
    back = (View("page", url=result.url), "The page")
    written = [to_html(way(links, back)), f"<h1><bdi>{escape(result.url)}</bdi></h1>"]
    written.append(
        '<p class="quiet">Choose a text in one window, and the two others show it.</p><main class="three">'
    )
    for name, lines in windows:
        written.append(
            f'<section class="window" aria-label="{name}" tabindex="0"><h2>{name}</h2><ul class="tree">\n'
        )
        written += within(lines, more="<li>The rest is not shown.</li>\n")
        written.append("</ul></section>")
    return page_of(
        f"{result.url} - review",
        NO_XML.sub("", "".join([*written, "</main>"])),
        style=tree_style(),
        script=text_of("windows.js"),
    )


def _window_line(index: int, here: str, there: str, text: str, fate: str, depth: int = 0) -> str:
    """Return the line of a block that leads into the next window."""
    letter = f"<b>{LETTERS[fate]}</b> " if fate else ""
    classes = " ".join(filter(None, (fate, f"d{min(depth, MOST_INDENTED)}" if depth else "")))
    return (
        f'<li id="{here}{index}" data-n="{index}" class="{classes}">{letter}<a href="#{there}{index}">'
        f"<bdi>{escape(text)}</bdi></a></li>\n"
    )


def _tree_lines(layout: Layout, markup: Markup, fates: Sequence[str]) -> Iterator[str]:
    """Yield the block-level elements with their texts, in the order of the page."""
    depths: list[int] = []
    for parent in layout.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    lines = [(markup.nodes[node], 0, node) for node in range(len(depths))]
    lines += [(first, 1, index) for index, (first, _) in enumerate(markup.blocks)]
    for _, is_block, index in sorted(lines):
        if is_block:
            block = layout.blocks[index]
            text, depth = block.text[:_LINE_LENGTH], depths[block.node] + 1
            yield _window_line(index, "t", "b", text, fates[index], depth)
        else:
            step, depth = layout.steps[index], depths[index]
            name = "".join(
                (step.tag, f"#{step.id}" if step.id else "", *(f".{name}" for name in step.classes))
            )
            yield f'<li class="d{min(depth, MOST_INDENTED)}"><bdi>{escape(name)}</bdi></li>\n'


def _source_lines(markup: Markup) -> Iterator[str]:
    """Yield the pieces of a page's markup, each in a line."""
    block_of_piece = blocks_of_pieces(markup)
    for piece, text in enumerate(markup.pieces):
        source = f"<{text}" if piece else text
        line = f"<bdi>{escape(source[:_LINE_LENGTH])}</bdi>"
        block = block_of_piece.get(piece)
        if block is None:
            yield f"<li>{line}</li>\n"
        else:
            start = f' id="s{block}"' if piece == markup.blocks[block][0] else ""
            yield f'<li{start} data-n="{block}"><a href="#t{block}">{line}</a></li>\n'
