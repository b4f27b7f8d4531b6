"""Which images of a page are the article's (path layouts)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..blocks.tags import TEXT_TAGS
from ..layouts.paths import is_under, last_step, tag_of
from ..layouts.placed import PlacedLayout
from ..values import Pattern

__all__ = ["article_images"]

_PICTURE = re.compile(r"\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)", re.IGNORECASE)


def article_images(page: PlacedLayout, pattern: Pattern, main: Sequence[int]) -> list[int]:
    """Return the indexes of the images between blocks that belong to the main text.

    They stand in the element that holds all of it, in no excluded part, in no
    group of teasers, and not beside text that was left out, as a portrait by a
    byline does. One that links to something else than a picture counts in a
    paragraph or figure only: elsewhere it is a button or an advertisement.
    """
    blocks, markup = page.layout.blocks, page.layout.markup
    if markup is None or not markup.images or not main:
        return []
    inside = page.inside(_holder(page, main))
    with_text, with_main = _holding(page, range(len(blocks))), _holding(page, main)
    found = []
    for index, (_, node, _, link) in enumerate(markup.images):
        path = page.paths[node]
        left_out = node in with_text and node not in with_main
        if not inside[node] or page.grouped[node] or left_out:
            continue
        if any(is_under(path, other) for other in pattern.excluded):
            continue
        if tag_of(path) in ("p", "figure") or not link or _PICTURE.search(link):
            found.append(index)
    return found


def _holder(page: PlacedLayout, main: Sequence[int]) -> int:
    """Return the innermost element of the template that holds all main text."""
    parents = page.layout.parents
    common: list[int] | None = None
    for index in main:
        node = page.layout.blocks[index].node
        while node > 0 and last_step(page.paths[node]) in TEXT_TAGS:
            node = parents[node]
        chain = []
        while node >= 0:
            chain.append(node)
            node = parents[node]
        chain.reverse()
        common = chain if common is None else [a for a, b in zip(common, chain, strict=False) if a == b]
    return common[-1] if common else 0


def _holding(page: PlacedLayout, blocks: Sequence[int]) -> set[int]:
    """Return the nodes that have some of these blocks in them."""
    found: set[int] = set()
    for index in blocks:
        node = page.layout.blocks[index].node
        while node >= 0 and node not in found:
            found.add(node)
            node = page.layout.parents[node]
    return found
