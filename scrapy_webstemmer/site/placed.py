"""A page placed in its site: its layout, with what the site's other pages tell about it."""

from __future__ import annotations

from dataclasses import dataclass

from ..values import Layout
from .subtrees import children_of, mark
from .weighing import masses_of, names_page


@dataclass(frozen=True, slots=True)
class PlacedLayout:
    """A page's layout with what the site's other pages tell about it.

    :param paths: the path of each node.
    :param places: the path of each block's node.
    :param ends: for each node, the index after the last node in it.
    :param repeated: for each node, whether it stands in repeated records with links that the
        template made: teasers, comments. Parts that :func:`named_nodes` finds count, too.
    :param leading: for each node, whether it stands in records that lead to other pages of the site.
    :param boilerplate: for each block, whether it is boilerplate.
    :param title: the text of the ``title`` element without the site's affixes; empty if it is boilerplate.
    :param named: for each node, whether it stands in a part that :func:`named_nodes` finds; empty: none is.
    """

    layout: Layout
    paths: tuple[str, ...]
    places: tuple[str, ...]
    ends: tuple[int, ...]
    repeated: tuple[bool, ...]
    leading: tuple[bool, ...]
    boilerplate: tuple[bool, ...] = ()
    title: str = ""
    named: tuple[bool, ...] = ()

    @property
    def url(self) -> str:
        """The page's url."""
        return self.layout.url

    def names_page(self, text: str) -> bool:
        """Return whether a text is little more than the page's title, as in a heading or a breadcrumb."""
        return names_page(text, self.title, self.layout.title_element)

    def masses(self) -> list[float]:
        """Return each node's mass: its significant characters outside links, boilerplate and the title.

        Text in repeated records with links counts a tenth, so that many comments do
        not outweigh the article. Cost: one pass over blocks and nodes.
        """
        return masses_of(self)

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
