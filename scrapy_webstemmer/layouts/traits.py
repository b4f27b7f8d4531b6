"""What the pages of one site have in common, whatever their layout: learned once, used on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..base.sampling import drawn
from ..blocks.text import boilerplate_key
from ..blocks.vocabulary import Paths, learn_vocabulary
from ..options import LearnOptions
from ..values import Layout
from .affixes import Affixes, learn_affixes, strip_affixes
from .boilerplate import BoilerplateKey, BoilerplateTexts, boilerplate_texts
from .names import FEW_PAGES, named_nodes
from .paths import TITLE_ELEMENT
from .placed import PlacedLayout
from .records import Records, Weighed, find_records, weigh_records, weigh_the_same
from .subtrees import ends_of, mark

__all__ = ["SiteTraits", "learn_traits", "place_all"]

#: Of so few pages two with a text at the same path make it boilerplate: more are hardly ever of one layout.
_HANDFUL = 5
#: Pages in which boilerplate is looked for: what has to stand on one page in fifty stands on twenty of these.
_ENOUGH_PAGES = 1_000
#: From more pages than this their patterns know where titles stand, whatever a ``title`` element says.
_FEW_TITLES = 29


class _Seen(NamedTuple):
    """What the vocabulary tells of a page: all that its place in the site takes but what other pages have."""

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


#: What tells that pages have the same elements, and as many links in each: each is one object for all of
#: them (:class:`~scrapy_webstemmer.reading.pages.Shared`), as long as they are kept.
_Shape: TypeAlias = tuple[int, int, int]


class _Shapes:
    """What is found out once of all pages with the same elements, paths and numbers of links."""

    def __init__(self, layouts: Sequence[Layout], paths: Paths) -> None:
        self._paths = paths
        self._several = {shape for shape, pages in Counter(map(_shape, layouts)).items() if pages > 1}
        self._known: dict[tuple[_Shape, tuple[str, ...]], tuple[_Seen, Sequence[Weighed]]] = {}

    def see(self, layout: Layout) -> _Seen:
        """Return what is seen of one of the pages."""
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
    """A site's templates, as far as all its pages share them.

    :param vocabulary: attribute values that belong to the templates, with their number of pages.
    :param paths: the paths that this vocabulary gives.
    :param boilerplate: texts that are boilerplate.
    :param affixes: what the site puts before and after its pages' titles.
    :param few: whether so few pages are known that the names of elements count (``names.py``).
    """

    vocabulary: Mapping[str, int]
    paths: Paths
    boilerplate: BoilerplateTexts
    affixes: Affixes
    few: bool = False

    def place(self, layout: Layout) -> PlacedLayout:
        """Return a page's layout with its place in the site's; cost: a look-up a node and a block."""
        return self._place(_Seen.of(layout, self.paths))

    def _place(self, page: _Seen) -> PlacedLayout:
        layout, paths, places, ends, records = page
        repeated = records.templated
        if self.few and (named := named_nodes(layout, ends)):
            flags = list(repeated)
            mark(flags, named, ends)
            repeated = tuple(flags)
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
        )


def learn_traits(layouts: Sequence[Layout], options: LearnOptions) -> SiteTraits:
    """Return what the pages of a site have in common; cost: linear in the number of blocks."""
    return _learn(layouts, options)[0]


def place_all(layouts: Sequence[Layout], options: LearnOptions) -> tuple[SiteTraits, list[PlacedLayout]]:
    """Return what the pages of a site have in common, and each of them with its place in it.

    Cost: as for :func:`learn_traits`; placing the pages afterwards would take half as long again.
    """
    traits, pages = _learn(layouts, options)
    return traits, [traits._place(page) for page in pages]


def _learn(layouts: Sequence[Layout], options: LearnOptions) -> tuple[SiteTraits, list[_Seen]]:
    least = min(options.vocabulary_pages, len(layouts))  # of a single page all values count
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
    """Return what is boilerplate; boilerplate of a large site is that of a thousand of its pages."""
    sample = drawn(pages, _ENOUGH_PAGES if options.samples else 0)
    named = [(page.layout, page.places, strip_affixes(page.layout.title_element, affixes)) for page in sample]
    least = _least_boilerplate(len(sample), options)
    return boilerplate_texts(named, options.boilerplate_share, least) | _boilerplate_titles(pages, least)


def _boilerplate_titles(pages: Sequence[_Seen], least: int) -> frozenset[BoilerplateKey]:
    """Return the ``title`` elements that recur, of a site of which so few pages are known that it matters."""
    if len(pages) > _FEW_TITLES:
        return frozenset()
    counts = Counter(boilerplate_key(page.layout.title_element) for page in pages)
    return frozenset((TITLE_ELEMENT, title) for title, count in counts.items() if title and count >= least)


def _least_boilerplate(pages: int, options: LearnOptions) -> int:
    return min(options.boilerplate_pages, 2) if pages <= _HANDFUL else options.boilerplate_pages
