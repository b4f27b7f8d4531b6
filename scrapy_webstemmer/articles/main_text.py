"""Which blocks of a page are its main text, and which are supplementary (path layouts)."""

from __future__ import annotations

from collections.abc import Sequence

from ..layouts.container import container_on, descend
from ..layouts.paths import is_under
from ..layouts.placed import PlacedLayout
from ..options import ExtractOptions
from ..values import Pattern

__all__ = ["main_blocks", "supplementary_blocks"]

#: A text of this length that stands on the page twice is printed once.
_LONG = 40
#: DiffScore from which a section outside the main text says something about the article (2009's default).
_SUPPLEMENTARY = 0.5


def main_blocks(page: PlacedLayout, pattern: Pattern, title: str, options: ExtractOptions) -> list[int]:
    """Return the indexes of the blocks that are main text, in the order of the page.

    All blocks in the pattern's container but static text, the title, what the
    pattern excludes, and repeats. A page without the container, or with nothing
    in it, is gone down by its own masses.

    :param title: the path of the title, whose first element it is.
    """
    node = container_on(page, pattern.container) if pattern.container else None
    found = [] if node is None else _blocks_in(page, node, pattern, title, options)
    return found or _blocks_in(page, descend(page), pattern, title, options)


def _blocks_in(
    page: PlacedLayout, node: int, pattern: Pattern, title: str, options: ExtractOptions
) -> list[int]:
    inside = page.inside(node)
    furniture = _furniture_paths(pattern, options)
    # the title is the first element at its path; later ones are headings and paragraphs of the article
    title_node = next((block.node for block in page.layout.blocks if page.paths[block.node] == title), None)
    refused: dict[str, bool] = {}
    seen: set[str] = set()
    found = []
    for index, block in enumerate(page.layout.blocks):
        if not inside[block.node] or page.static[index] or block.node == title_node:
            continue
        path = page.paths[block.node]
        if path not in refused:
            refused[path] = path in furniture or any(is_under(path, other) for other in pattern.excluded)
        if refused[path] or (len(block.text) >= _LONG and block.text in seen):
            continue
        seen.add(block.text)
        found.append(index)
    return found


def _furniture_paths(pattern: Pattern, options: ExtractOptions) -> set[str]:
    diff, main = options.diff_threshold or 0.0, options.main_threshold or 0.0
    return {
        section.feature
        for section in pattern.sections
        if section.diff_score < diff or section.main_score < main
    }


def supplementary_blocks(page: PlacedLayout, pattern: Pattern, taken: Sequence[int], title: str) -> list[int]:
    """Return the indexes of further blocks that belong to the article: byline, date, subtitle.

    Source: documentation of Webstemmer, SUB: other sections that vary from page
    to page; here those of them that are not links.
    """
    varying = {s.feature for s in pattern.sections if s.diff_score >= _SUPPLEMENTARY and s.main_score > 0}
    main = set(taken)
    return [
        index
        for index, block in enumerate(page.layout.blocks)
        if index not in main
        and not page.static[index]
        and block.plain
        and not page.grouped[block.node]
        and page.paths[block.node] in varying
        and page.paths[block.node] != title
    ]
