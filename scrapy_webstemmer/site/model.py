"""What a site's pages have in common, and a page placed in its site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.urls import drawn
from ..html.text import boilerplate_key
from ..values import Layout
from .boilerplate import (
    Affixes,
    BoilerplateKey,
    BoilerplateTexts,
    boilerplate_texts,
    learn_affixes,
    learn_vocabulary,
    strip_affixes,
)
from .copies import shown_texts
from .paths import TITLE_ELEMENT, Paths, children_of
from .placing import ends_of, mark, masses_of, names_page
from .records import find_records, named_nodes

# --- How much is known of a site, by the number of its pages that were learned

#: At most so many pages are hardly ever all of one layout: a page is also read by its own evidence. A crawl
#: learns no site with fewer.
HANDFUL = 5
#: From this many pages on, a site's layouts count as known: a layout of one or two pages gives no pattern,
#: clusters that differ only in their authors' markup are joined, patterns know the places of titles, a page
#: that is like no pattern matches none, and a list may be told by its url.
ENOUGH_PAGES = 30

# --- Define a page's layout together with what the site's other pages tell about it


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


# --- Learn what the pages of one site have in common, whatever their layout, and use it on every page

#: Bound: boilerplate is looked for on this many pages. A text that is on one page in fifty is on twenty of
#: these.
_SAMPLE = 1_000
#: A class or id of the site's vocabulary is on at least this number of pages.
_VOCABULARY_PAGES = 2
#: A text at one path is boilerplate if at least this share of the site's pages has it ...
_BOILERPLATE_SHARE = 0.02
#: ... and at least this number of pages; if so many pages are known at most, two are enough: a tenth of them.
_BOILERPLATE_PAGES, _TWO_ENOUGH = 3, 20


@dataclass(frozen=True, slots=True)
class SiteModel:
    """What all pages of a site share, whatever their template.

    :param vocabulary: attribute values that belong to the templates, with their number of pages.
    :param paths: the paths that this vocabulary gives.
    :param boilerplate: the texts that are boilerplate.
    :param affixes: the texts before and after the title in the pages' ``title`` elements.
    :param names: whether the names of elements count (:func:`named_nodes`).
    """

    vocabulary: Mapping[str, int]
    paths: Paths
    boilerplate: BoilerplateTexts
    affixes: Affixes
    names: bool = True

    def place(self, layout: Layout) -> PlacedLayout:
        """Return a page's layout with what the site tells about it. Cost: a look-up per node and block."""
        return self._judge(_see(layout, self.paths))

    def _judge(self, page: PlacedLayout) -> PlacedLayout:
        """Return a page with what needs more than the vocabulary: its boilerplate, title, and named parts."""
        layout, repeated, named = page.layout, page.repeated, page.named
        title = strip_affixes(layout.title_element, self.affixes)
        if self.boilerplate.has(TITLE_ELEMENT, layout.title_element):
            title = ""
        boilerplate = self.boilerplate.among(layout, page.places, title)
        nodes = named_nodes(layout, page.ends) if self.names else []
        if nodes:
            flags, both = [False] * len(repeated), [*repeated]
            mark(flags, nodes, page.ends)
            mark(both, nodes, page.ends)
            named, repeated = tuple(flags), tuple(both)
        return PlacedLayout(
            layout, page.paths, page.places, page.ends, repeated, page.leading, boilerplate, title, named
        )


def _see(layout: Layout, paths: Paths) -> PlacedLayout:
    """Return a page with what needs the site's vocabulary alone: the paths of its nodes, and its records."""
    found, ends = paths.of(layout), ends_of(layout.parents)
    templated, leading = find_records(layout, found, ends)
    places = tuple([found[block[0]] for block in layout.blocks])
    return PlacedLayout(layout, found, places, ends, templated, leading)


def place_all(layouts: Sequence[Layout], *, sample: bool = True) -> tuple[SiteModel, list[PlacedLayout]]:
    """Return what the pages of a site have in common, and each page's :class:`PlacedLayout`.

    :param sample: on a large site, take its boilerplate from a sample of the pages.

    Cost: linear in the number of nodes and blocks.
    """
    least = min(_VOCABULARY_PAGES, len(layouts))  # on a single page all values count
    vocabulary = learn_vocabulary(layouts, least)
    paths = Paths(vocabulary)
    pages = [_see(layout, paths) for layout in layouts]
    affixes = learn_affixes([layout.title_element for layout in layouts])
    model = SiteModel(
        vocabulary=vocabulary,
        paths=paths,
        boilerplate=BoilerplateTexts(_boilerplate_texts(drawn(pages, _SAMPLE if sample else 0), affixes)),
        affixes=affixes,
    )
    return model, [model._judge(page) for page in pages]


def _boilerplate_texts(pages: Sequence[PlacedLayout], affixes: Affixes) -> frozenset[BoilerplateKey]:
    named = [
        (
            page.layout,
            page.places,
            strip_affixes(page.layout.title_element, affixes),
            shown_texts(page.layout, page.ends),
        )
        for page in pages
    ]
    least = 2 if len(pages) <= _TWO_ENOUGH else _BOILERPLATE_PAGES
    return boilerplate_texts(named, _BOILERPLATE_SHARE, least) | _boilerplate_titles(pages, least)


def _boilerplate_titles(pages: Sequence[PlacedLayout], least: int) -> frozenset[BoilerplateKey]:
    """Return the ``title`` elements that recur, if the site has so few pages that it matters."""
    if len(pages) >= ENOUGH_PAGES:
        return frozenset()
    counts = Counter(boilerplate_key(page.layout.title_element) for page in pages)
    return frozenset((TITLE_ELEMENT, title) for title, count in counts.items() if title and count >= least)
