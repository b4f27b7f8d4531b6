"""Choose the images of a page that belong to its article (path layouts)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from ..blocks.tags import TEXT_TAGS
from ..layouts.container import container_on
from ..layouts.paths import last_step, tag_of, under_any
from ..layouts.placed import PlacedLayout
from ..layouts.subtrees import any_in
from ..values.layouts import Image, Markup
from ..values.patterns import Pattern

_PICTURE = re.compile(r"\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)", re.IGNORECASE)


def article_images(page: PlacedLayout, pattern: Pattern, main: Sequence[int]) -> list[int]:
    """Return the indexes of the images between blocks that belong to the main text.

    They stand in the element that holds all main text. They do not stand in an
    excluded part, in a list of teasers, or beside text that was left out, like a
    portrait by a byline. An image with a link to something other than a picture counts
    only in a paragraph or figure: elsewhere it is a button or an advertisement.

    A gallery is a list like one of teasers, but its entries have no links except to pictures. It may stand
    behind the text, in the pattern's container.
    """
    markup = page.layout.markup
    if markup is None or not markup.images or not main:
        return []
    holder, excluded = _holder(page, main), under_any(pattern.excluded)
    inside, behind = range(holder, page.ends[holder]), _behind(page, pattern, holder)
    gallery = _Gallery(page, markup, behind)
    found = [
        (index, image.node)
        for index, image in enumerate(markup.images)
        if (image.node in inside or (image.node in behind and gallery.shows(image)))
        and (not page.repeated[image.node] or gallery.has(image.node))
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


def _behind(page: PlacedLayout, pattern: Pattern, holder: int) -> range:
    """Return the nodes of the pattern's container behind the element that holds all main text."""
    container = container_on(page, pattern.container) if pattern.container else None
    if container is None or not container <= holder < page.ends[container]:
        return range(0)
    return range(page.ends[holder], page.ends[container])


class _Gallery:
    """Tells entries of a gallery from teasers and comments, which are repeated records with links too.

    :param behind: the nodes behind the text, among which there may be one.
    """

    def __init__(self, page: PlacedLayout, markup: Markup, behind: range) -> None:
        self._page = page
        self._known: dict[int, bool] = {}
        #: The node of each image that links to a picture.
        self._pictures = sorted(image.node for image in markup.images if _is_picture(image.link))
        self._is_behind = sum(image.node in behind and self._may_show(image) for image in markup.images) > 1

    def shows(self, image: Image) -> bool:
        """Return whether an image behind the text is one of a gallery's: a link to a picture, or a figure."""
        return self._is_behind and self._may_show(image)

    def _may_show(self, image: Image) -> bool:
        is_figure = tag_of(self._page.paths[image.node]) == "figure"
        return _is_picture(image.link) or (is_figure and not image.link)

    def has(self, node: int) -> bool:
        """Return whether all links of the repeated record in which a node stands lead to pictures.

        Cost: one look at each node of the record, once.
        """
        page, record = self._page, node
        while page.repeated[page.layout.parents[record]]:
            record = page.layout.parents[record]
        if record not in self._known:
            end = page.ends[record]
            pictures = bisect_left(self._pictures, end) - bisect_left(self._pictures, record)
            self._known[record] = 0 < pictures == sum(page.layout.links[record:end])
        return self._known[record]


def _is_picture(link: str | None) -> bool:
    return bool(link and _PICTURE.search(link))


def _shows(path: str, link: str | None) -> bool:
    """Return whether an image at a path belongs to the text, and is not a button or an advertisement."""
    return tag_of(path) in ("p", "figure") or not link or _is_picture(link)
