"""Choose the images of a page that belong to its article (path layouts)."""

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

    They stand in the element that holds all main text. They do not stand in an
    excluded part, in a list of teasers, or beside text that was left out, like a
    portrait by a byline. An image with a link to something other than a picture counts
    only in a paragraph or figure: elsewhere it is a button or an advertisement.
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
    # leave out an image in an element that has text, if none of the text is main text
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
    """Return whether an image at a path belongs to the text, and is not a button or an advertisement."""
    return tag_of(path) in ("p", "figure") or not link or bool(_PICTURE.search(link))
