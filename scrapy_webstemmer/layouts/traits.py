"""Learn what the pages of one site have in common, whatever their layout, and use it on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import or_
from typing import NamedTuple, TypeAlias

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
from .records import Records, Weighed, find_records, weigh_records, weigh_the_same
from .subtrees import ends_of, mark

__all__ = ["SiteTraits", "learn_traits", "place_all"]

#: On a site with at most this many pages, a text that two of them have at the same path is boilerplate: so
#: few pages are hardly ever all of one layout.
_HANDFUL = 5
#: Boilerplate is looked for on this many pages. A text that is on one page in fifty is on twenty of these.
_ENOUGH_PAGES = 1_000
#: Recurring ``title`` elements are boilerplate on sites with at most this many pages: with more pages, the
#: patterns know the places of titles.
_FEW_TITLES = 29


class _Seen(NamedTuple):
    """A page with its paths and records: all of its :class:`PlacedLayout` that needs only the vocabulary."""

    layout: Layout
    paths: tuple[str, ...]
    places: tuple[str, ...]
    ends: tuple[int, ...]
    records: Records

    @property
    def url(self) -> str:
        """The page's url."""
        return self.layout.url

    @classmethod
    def of(cls, layout: Layout, paths: Paths) -> _Seen:
        found, ends = paths.of(layout), tuple(ends_of(layout.parents))
        places = tuple([found[block.node] for block in layout.blocks])
        return cls(layout, found, places, ends, find_records(layout, found, ends))


#: The key of pages with the same elements and as many links in each. It has the identities of three tuples:
#: such pages share them (:class:`~scrapy_webstemmer.reading.pages.Shared`), as long as the pages are kept.
_Shape: TypeAlias = tuple[int, int, int]


class _Shapes:
    """Computes paths and records once for all pages with the same elements, paths and numbers of links."""

    def __init__(self, layouts: Sequence[Layout], paths: Paths) -> None:
        self._paths = paths
        self._several = {shape for shape, pages in Counter(map(_shape, layouts)).items() if pages > 1}
        self._known: dict[tuple[_Shape, tuple[str, ...]], tuple[_Seen, Sequence[Weighed]]] = {}

    def see(self, layout: Layout) -> _Seen:
        """Return one of the pages with its paths and records."""
        shape = _shape(layout)
        if shape not in self._several:
            return _Seen.of(layout, self._paths)
        paths = self._paths.of(layout)
        places = tuple([paths[block.node] for block in layout.blocks])
        other, weighed = self._known.get((shape, paths), (None, ()))
        if other and weigh_the_same(layout, weighed, other.ends):
            return other._replace(layout=layout, places=places)
        ends = tuple(ends_of(layout.parents))
        records, weighed = weigh_records(layout, paths, ends)
        found = _Seen(layout, paths, places, ends, records)
        self._known[shape, paths] = found, weighed
        return found


def _shape(layout: Layout) -> _Shape:
    return id(layout.parents), id(layout.links), id(layout.leads)


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
        return self._place(_Seen.of(layout, self.paths))

    def _place(self, page: _Seen) -> PlacedLayout:
        layout, paths, places, ends, records = page
        repeated = records.templated
        named: tuple[bool, ...] = ()
        if self.few and (found := named_nodes(layout, ends)):
            flags = [False] * len(paths)
            mark(flags, found, ends)
            named = tuple(flags)
            repeated = tuple(map(or_, repeated, named))
        title = strip_affixes(layout.title_element, self.affixes)
        if self.boilerplate.has(TITLE_ELEMENT, layout.title_element):
            title = ""
        return PlacedLayout(
            layout=layout,
            paths=paths,
            places=places,
            ends=ends,
            repeated=repeated,
            leading=records.leading,
            boilerplate=self.boilerplate.among(layout, places, title),
            title=title,
            named=named,
        )


def learn_traits(layouts: Sequence[Layout], options: LearnOptions) -> SiteTraits:
    """Return what the pages of a site have in common. Cost: linear in the number of blocks."""
    return _learn(layouts, options)[0]


def place_all(layouts: Sequence[Layout], options: LearnOptions) -> tuple[SiteTraits, list[PlacedLayout]]:
    """Return what the pages of a site have in common, and each page's :class:`PlacedLayout`.

    Cost: as for :func:`learn_traits`; a later :meth:`SiteTraits.place` of each page would add half of that.
    """
    traits, pages = _learn(layouts, options)
    return traits, [traits._place(page) for page in pages]


def _learn(layouts: Sequence[Layout], options: LearnOptions) -> tuple[SiteTraits, list[_Seen]]:
    least = min(options.vocabulary_pages, len(layouts))  # on a single page all values count
    vocabulary = learn_vocabulary(layouts, options.vocabulary_share, least)
    paths = Paths(vocabulary)
    pages = list(map(_Shapes(layouts, paths).see, layouts))
    affixes = learn_affixes([layout.title_element for layout in layouts])
    return SiteTraits(
        vocabulary=vocabulary,
        paths=paths,
        boilerplate=BoilerplateTexts(_boilerplate_texts(pages, affixes, options)),
        affixes=affixes,
        few=len(layouts) < FEW_PAGES,
    ), pages


def _boilerplate_texts(
    pages: Sequence[_Seen], affixes: Affixes, options: LearnOptions
) -> frozenset[BoilerplateKey]:
    """Return the boilerplate of a site; on a large site, that of a thousand of its pages."""
    sample = drawn(pages, _ENOUGH_PAGES if options.samples else 0)
    named = [(page.layout, page.places, strip_affixes(page.layout.title_element, affixes)) for page in sample]
    least = _least_boilerplate(len(sample), options)
    return boilerplate_texts(named, options.boilerplate_share, least) | _boilerplate_titles(pages, least)


def _boilerplate_titles(pages: Sequence[_Seen], least: int) -> frozenset[BoilerplateKey]:
    """Return the ``title`` elements that recur, if the site has so few pages that it matters."""
    if len(pages) > _FEW_TITLES:
        return frozenset()
    counts = Counter(boilerplate_key(page.layout.title_element) for page in pages)
    return frozenset((TITLE_ELEMENT, title) for title, count in counts.items() if title and count >= least)


def _least_boilerplate(pages: int, options: LearnOptions) -> int:
    return min(options.boilerplate_pages, 2) if pages <= _HANDFUL else options.boilerplate_pages
