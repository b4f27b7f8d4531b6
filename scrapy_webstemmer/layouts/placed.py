"""Define a page's layout together with what the site's other pages tell about it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress, count
from operator import not_

from ..values.layouts import Layout
from .subtrees import add_up, children_of, mark

#: Text in repeated records with links counts this much for a node's mass.
REPEATED_MASS = 0.1


#: A text with the title in it, at most this many times as long, is no more than the title.
_AROUND_TITLE = 2


@dataclass(frozen=True, slots=True)
class PlacedLayout:
    """A page's layout with what the site's other pages tell about it.

    :param paths: the path of each node.
    :param places: the path of each block's node.
    :param ends: for each node, the index after the last node in it.
    :param repeated: for each node, whether it stands in repeated records with links that the
        template made: teasers, comments. On a site with few pages, parts that ``names.py`` finds count too.
    :param leading: for each node, whether it stands in records that lead to other pages of the site.
    :param boilerplate: for each block, whether it is boilerplate.
    :param title: the text of the ``title`` element without the site's affixes; empty if it is boilerplate.
    :param named: for each node, whether it stands in a part that ``names.py`` finds; empty: none is.
    """

    layout: Layout
    paths: tuple[str, ...]
    places: tuple[str, ...]
    ends: tuple[int, ...]
    repeated: tuple[bool, ...]
    leading: tuple[bool, ...]
    boilerplate: tuple[bool, ...]
    title: str
    named: tuple[bool, ...] = ()

    @property
    def url(self) -> str:
        """The page's url."""
        return self.layout.url

    def new_blocks(self) -> list[int]:
        """Return the indexes of the blocks that are not boilerplate, in the order of the page."""
        return [*compress(count(), map(not_, self.boilerplate))]

    def names_page(self, text: str) -> bool:
        """Return whether a text is little more than the page's title, as in a heading or a breadcrumb.

        Some headings repeat the whole ``title`` element, with the name of the site.
        """
        title = self.title
        if not title or title not in text:
            return False
        return len(text) <= _AROUND_TITLE * len(title) or text == self.layout.title_element

    def masses(self, repeated: float = REPEATED_MASS) -> list[float]:
        """Return each node's mass: its significant characters outside links, boilerplate and the title.

        Text in repeated records with links counts a tenth, so that many comments do
        not outweigh the article. Cost: one pass over blocks and nodes.

        :param repeated: the factor for text in repeated records.
        """
        found, in_record = [0.0] * len(self.paths), self.repeated
        for block, boilerplate in zip(self.layout.blocks, self.boilerplate, strict=True):
            if not boilerplate and (plain := block.plain) and not self.names_page(block.text):
                node = block.node
                found[node] += plain * repeated if in_record[node] else plain
        add_up(self.layout.parents, found)
        return found

    def children(self, node: int, masses: list[float]) -> dict[str, int]:
        """Return a node's children by path. If several have one path, the one with the most mass counts."""
        found: dict[str, int] = {}
        for child in children_of(node, self.ends):
            path = self.paths[child]
            if path not in found or masses[child] > masses[found[path]]:
                found[path] = child
        return found

    def inside(self, node: int) -> list[bool]:
        """Return for each node whether it is the given node or stands in it."""
        found = [False] * len(self.paths)
        mark(found, [node], self.ends)
        return found
