"""Learn what the pages of one site have in common, whatever their layout, and use it on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import or_
from typing import NamedTuple

from ..base.compiled import compiled
from ..base.sampling import drawn
from ..blocks.text import boilerplate_key
from ..blocks.vocabulary import Paths, learn_vocabulary
from ..options.learn import LearnOptions
from ..values.layouts import Layout
from .affixes import Affixes, learn_affixes, strip_affixes
from .boilerplate import BoilerplateKey, BoilerplateTexts, boilerplate_texts
from .names import FEW_PAGES, named_nodes
from .paths import TITLE_ELEMENT
from .placed import PlacedLayout
from .records import find_records
from .subtrees import ends_of, mark

#: On a site with at most this many pages, a text that two of them have at the same path is boilerplate: so
#: few pages are hardly ever all of one layout.
_HANDFUL = 5
#: Boilerplate is looked for on this many pages. A text that is on one page in fifty is on twenty of these.
_ENOUGH_PAGES = 1_000
#: Recurring ``title`` elements are boilerplate on sites with at most this many pages: with more pages, the
#: patterns know the places of titles.
_FEW_TITLES = 29


_placing = compiled("layouts.placing")


@dataclass(frozen=True, slots=True)
class SiteTraits:
    """The traits that all pages of a site share, whatever their template.

    :param vocabulary: attribute values that belong to the templates, with their number of pages.
    :param paths: the paths that this vocabulary gives.
    :param boilerplate: the texts that are boilerplate.
    :param affixes: the texts before and after the title in the pages' ``title`` elements.
    :param few: whether the site has so few pages that the names of elements count (``names.py``).
    """

    vocabulary: Mapping[str, int]
    paths: Paths
    boilerplate: BoilerplateTexts
    affixes: Affixes
    few: bool = False

    def place(self, layout: Layout) -> PlacedLayout:
        """Return a page's layout with what the site tells about it. Cost: a look-up per node and block."""
        return self._judge(_see(layout, self.paths))

    def _judge(self, page: _SeenLayout) -> PlacedLayout:
        """Return a page with what needs more than the vocabulary: its boilerplate, title, and named parts."""
        layout, paths, places, ends, repeated, leading = page
        title = strip_affixes(layout.title_element, self.affixes)
        if self.boilerplate.has(TITLE_ELEMENT, layout.title_element):
            title = ""
        boilerplate = self.boilerplate.among(layout, places, title)
        name = _placing.named_nodes if _placing else named_nodes
        nodes: list[int] = name(layout, ends) if self.few else []
        named: tuple[bool, ...] = ()
        if nodes:
            flags = [False] * len(paths)
            mark(flags, nodes, ends)
            named, repeated = tuple(flags), tuple(map(or_, repeated, flags))
        return PlacedLayout(layout, paths, places, ends, repeated, leading, boilerplate, title, named)


class _SeenLayout(NamedTuple):
    """A page's layout with what needs only the site's vocabulary; see :class:`PlacedLayout`."""

    layout: Layout
    paths: tuple[str, ...]
    places: tuple[str, ...]
    ends: tuple[int, ...]
    repeated: tuple[bool, ...]
    leading: tuple[bool, ...]

    @property
    def url(self) -> str:
        """The page's url."""
        return self.layout.url


def _see(layout: Layout, paths: Paths) -> _SeenLayout:
    """Return the paths of a page's nodes, and its records."""
    if _placing:
        found, ends = _placing.paths_of(paths, layout), _placing.ends_of(layout.parents)
        templated, leading = _placing.find_records(layout, found, ends)
    else:
        found, ends = paths.of(layout), tuple(ends_of(layout.parents))
        templated, leading = find_records(layout, found, ends)
    places = tuple([found[block[0]] for block in layout.blocks])
    return _SeenLayout(layout, found, places, ends, templated, leading)


def place_all(layouts: Sequence[Layout], options: LearnOptions) -> tuple[SiteTraits, list[PlacedLayout]]:
    """Return what the pages of a site have in common, and each page's :class:`PlacedLayout`.

    Cost: linear in the number of nodes and blocks.
    """
    least = min(options.vocabulary_pages, len(layouts))  # on a single page all values count
    vocabulary = learn_vocabulary(layouts, options.vocabulary_share, least)
    paths = Paths(vocabulary)
    pages = [_see(layout, paths) for layout in layouts]
    affixes = learn_affixes([layout.title_element for layout in layouts])
    traits = SiteTraits(
        vocabulary=vocabulary,
        paths=paths,
        boilerplate=BoilerplateTexts(_boilerplate_texts(pages, affixes, options)),
        affixes=affixes,
        few=len(layouts) < FEW_PAGES,
    )
    return traits, [traits._judge(page) for page in pages]


def _boilerplate_texts(
    pages: Sequence[_SeenLayout], affixes: Affixes, options: LearnOptions
) -> frozenset[BoilerplateKey]:
    """Return the boilerplate of a site; on a large site, that of a thousand of its pages."""
    sample = drawn(pages, _ENOUGH_PAGES if options.samples else 0)
    named = [(page.layout, page.places, strip_affixes(page.layout.title_element, affixes)) for page in sample]
    least = _least_boilerplate(len(sample), options)
    return boilerplate_texts(named, options.boilerplate_share, least) | _boilerplate_titles(pages, least)


def _boilerplate_titles(pages: Sequence[_SeenLayout], least: int) -> frozenset[BoilerplateKey]:
    """Return the ``title`` elements that recur, if the site has so few pages that it matters."""
    if len(pages) > _FEW_TITLES:
        return frozenset()
    counts = Counter(boilerplate_key(page.layout.title_element) for page in pages)
    return frozenset((TITLE_ELEMENT, title) for title, count in counts.items() if title and count >= least)


def _least_boilerplate(pages: int, options: LearnOptions) -> int:
    return min(options.boilerplate_pages, 2) if pages <= _HANDFUL else options.boilerplate_pages
