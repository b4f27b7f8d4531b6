"""What the pages of one site have in common, whatever their layout: learned once, used on every page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..blocks.vocabulary import Paths, learn_vocabulary, mangled
from ..options import LearnOptions
from ..values import Layout
from .affixes import Affixes, learn_affixes, strip_affixes
from .groups import carrying, grouped, inherited, lead_paths, sums
from .placed import PlacedLayout
from .static import StaticKey, keys_of, static_texts

__all__ = ["SiteTraits", "learn_traits"]

#: Share of an element's text that is links, from which on it is a lead wherever its path leads on.
_LINK_TEXT = 0.3
#: Of so few pages two with the same text at the same path make it static: more are hardly ever of one layout.
_HANDFUL = 5


@dataclass(frozen=True, slots=True)
class SiteTraits:
    """A site's templates, as far as all its pages share them.

    :param vocabulary: attribute values that belong to the templates, with their number of pages.
    :param paths: the paths that this vocabulary gives.
    :param static: texts that are furniture.
    :param leads: paths of elements that stand in groups which lead to other pages.
    :param affixes: what the site puts before and after its pages' titles.
    :param mangle: of attribute values only what it finds counts; None: all.
    """

    vocabulary: Mapping[str, int]
    paths: Paths
    static: frozenset[StaticKey]
    leads: frozenset[str]
    affixes: Affixes
    mangle: re.Pattern[str] | None = None

    def place(self, layout: Layout) -> PlacedLayout:
        """Return a page's layout with its place in the site's; cost: a look-up a node and a block."""
        if self.mangle:
            layout = mangled(layout, self.mangle)
        paths = self.paths.of(layout)
        leading = grouped(layout, paths, layout.leads, templated=False)
        title = strip_affixes(layout.title_element, self.affixes)
        return PlacedLayout(
            layout=layout,
            paths=paths,
            grouped=tuple(grouped(layout, paths, layout.links, templated=True)),
            leading=tuple(_with_known_leads(layout, paths, leading, self.leads)),
            static=tuple(key in self.static for key in keys_of(layout, paths, title)),
            title=title,
        )


def learn_traits(layouts: Sequence[Layout], options: LearnOptions) -> SiteTraits:
    """Return what the pages of a site have in common; cost: linear in the number of blocks."""
    mangle = re.compile(options.mangle) if options.mangle else None
    if mangle:
        layouts = [mangled(layout, mangle) for layout in layouts]
    least = min(options.vocabulary_pages, len(layouts))  # of a single page all values count
    vocabulary = learn_vocabulary(layouts, options.vocabulary_share, least)
    paths = Paths(vocabulary)
    placed = [(layout, paths.of(layout)) for layout in layouts]
    leading = [grouped(layout, found, layout.leads, templated=False) for layout, found in placed]
    affixes = learn_affixes([layout.title_element for layout in layouts])
    named = [(*page, strip_affixes(page[0].title_element, affixes)) for page in placed]
    return SiteTraits(
        vocabulary=vocabulary,
        paths=paths,
        static=static_texts(named, options.static_share, _least_static(len(layouts), options)),
        leads=lead_paths((*page, flags) for page, flags in zip(placed, leading, strict=True)),
        affixes=affixes,
        mangle=mangle,
    )


def _least_static(pages: int, options: LearnOptions) -> int:
    return min(options.static_pages, 2) if pages <= _HANDFUL else options.static_pages


def _with_known_leads(
    layout: Layout, paths: Sequence[str], leading: list[bool], known: frozenset[str]
) -> list[bool]:
    """Return which nodes lead on, with those at a path that does so elsewhere, however few they are here."""
    found = carrying(layout, layout.leads)
    link_text = sums(layout, lambda block: block.weight - block.plain)
    text = sums(layout, lambda block: block.weight)
    for node, path in enumerate(paths):
        if found[node] and path in known and link_text[node] >= _LINK_TEXT * text[node]:
            leading[node] = True
    return inherited(layout, leading)
