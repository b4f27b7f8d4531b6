"""Which images of a page are the article's (path layouts)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..blocks.tags import TEXT_TAGS
from ..layouts.paths import last_step, tag_of, under_any
from ..layouts.placed import PlacedLayout
from ..layouts.subtrees import any_in
from ..values import Pattern

__all__ = ["article_images"]

_PICTURE = re.compile(r"\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)", re.IGNORECASE)


def article_images(page: PlacedLayout, pattern: Pattern, main: Sequence[int]) -> list[int]:
    """Return the indexes of the images between blocks that belong to the main text.

    They stand in the element that holds all of it, in no excluded part, in no
    list of teasers, and not beside text that was left out, as a portrait by a
    byline does. One that links to something else than a picture counts in a
    paragraph or figure only: elsewhere it is a button or an advertisement.
    """
    markup = page.layout.markup
    if markup is None or not markup.images or not main:
        return []
    holder, excluded = _holder(page, main), under_any(pattern.excluded)
    found = [
        (index, image.node)
        for index, image in enumerate(markup.images)
        if holder <= image.node < page.ends[holder]
        and not page.repeated[image.node]
        and _shows(page.paths[image.node], image.link)
        and not excluded(page.paths[image.node])
    ]
    if not found:
        return []
    blocks = page.layout.blocks
    texts = sorted([block.node for block in blocks])
    mains = sorted([blocks[index].node for index in main])
    # left out are those in an element that has text, none of which is main text
    return [
        index
        for index, node in found
        if any_in(mains, node, page.ends[node]) or not any_in(texts, node, page.ends[node])
    ]


def _holder(page: PlacedLayout, main: Sequence[int]) -> int:
    """Return the innermost element of the template that holds all main text."""
    parents, blocks = page.layout.parents, page.layout.blocks
    nodes = {blocks[index].node for index in main}
    first, last = min(nodes), max(nodes)
    holder = first
    while not holder <= last < page.ends[holder]:
        holder = parents[holder]
    while holder > 0 and last_step(page.paths[holder]) in TEXT_TAGS:
        holder = parents[holder]
    return holder


def _shows(path: str, link: str | None) -> bool:
    """Return whether an image at a path is one of the text's, and no button or advertisement."""
    return tag_of(path) in ("p", "figure") or not link or bool(_PICTURE.search(link))
