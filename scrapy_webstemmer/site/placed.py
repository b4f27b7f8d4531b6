"""A page placed in its site: its layout, with what the site's other pages tell about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..page.tags import HEADINGS
from ..values import Column, Layout
from .named_parts import kind_of
from .subtrees import Columns, mark, sum_in, with_marked
from .weighing import PARAGRAPH, masses_of, names_page


@dataclass(frozen=True, slots=True, eq=False)  # a page is itself alone, and may be a key
class PlacedLayout:
    """A page's layout with what the site's other pages tell about it.

    :param columns: the numbers of the layout in columns, for loops.
    :param paths: the path of each node.
    :param places: the path of each block's node.
    :param ends: for each node, the index after the last node in it.
    :param repeated: for each node, whether it stands in repeated records with links that the
        template made: teasers, comments. Parts that :func:`named_nodes` finds count, too. As all flags here,
        it is a byte: 1 or 0.
    :param leading: for each node, whether it stands in records that lead to other pages of the site.
    :param named: for each node, whether it stands in a part that :func:`named_nodes` finds.
    :param boilerplate: for each block, whether it is boilerplate.
    :param title: the text of the ``title`` element without the site's affixes; empty if it is boilerplate.
    :param stories: the nodes of other stories of the site on the page (:func:`find_stories`).
    :param is_answer: whether the page is what the site answers to many urls (:mod:`.copies`).
    """

    layout: Layout
    columns: Columns
    paths: tuple[str, ...]
    places: tuple[str, ...]
    ends: Column
    repeated: bytes
    leading: bytes
    named: bytes
    boilerplate: bytes = b""
    title: str = ""
    stories: Sequence[int] = ()
    is_answer: bool = False

    @property
    def url(self) -> str:
        """The page's url."""
        return self.layout.url

    def names_page(self, text: str) -> bool:
        """Return whether a text is little more than the page's title, as in a heading or a breadcrumb."""
        return names_page(text, self.title, self.layout.title_element)

    def masses(self) -> Sequence[float]:
        """Return each node's mass: its significant characters outside links, boilerplate and the title.

        Text in repeated records with links counts a tenth, so that many comments do
        not outweigh the article. Elements that end before the page's headline have none,
        if at least as much follows it. Cost: one pass over blocks, and two over nodes.
        """
        return masses_of(self)

    def inside(self, node: int) -> bytearray:
        """Return for each node whether it is the given node or stands in it."""
        flags = bytearray(len(self.paths))
        mark(flags, [node], self.ends)
        return flags

    def is_related(self, node: int) -> bool:
        """Return whether an element has the name of related pages, and leads to several of them."""
        is_named = kind_of(self.layout.steps[node]) == "related"
        return is_named and sum_in(self.columns.leads, self.ends, node) > 1

    def paragraphs(self) -> list[int]:
        """Return the blocks that are paragraphs of the page's own text, outside repeated records.

        If some stand below the page's headline, those above it do not count: news in a line, a banner.
        """
        blocks, steps = self.layout.blocks, self.layout.steps
        paragraphs = [
            index
            for index, block in enumerate(blocks)
            if block.plain >= PARAGRAPH and not self.boilerplate[index] and not self.repeated[block.node]
        ]
        headlines = (
            index
            for index, block in enumerate(blocks)
            if block.plain and steps[block.node].tag in HEADINGS and self.names_page(block.text)
        )
        first = next(headlines, -1)
        return [index for index in paragraphs if index > first] or paragraphs

    def with_repeated(self, nodes: Sequence[int]) -> PlacedLayout:
        """Return the page with some nodes, and all in them, as repeated records."""
        if all(self.repeated[node] for node in nodes):
            return self
        return replace(self, repeated=with_marked(self.repeated, nodes, self.ends))
