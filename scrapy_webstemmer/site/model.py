"""What the pages of a site have in common, whatever their layout, and each page placed in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.samples import drawn
from ..page.text import boilerplate_key
from ..values import Layout
from .affixes import NO_AFFIXES, Affixes, learn_affixes, strip_affixes
from .boilerplate import BoilerplateKey, BoilerplateTexts, NamedPage, boilerplate_texts, keys_of
from .comment_places import with_comments_marked
from .copies import SAME_ANSWER, find_answers
from .named_parts import named_nodes
from .paths import ANSWER, TITLE_ELEMENT, AllNames, Paths
from .placed import PlacedLayout
from .records import find_records
from .shown_texts import find_stories, heads_of, shown_texts
from .subtrees import at_blocks, columns_of, ends_of, firsts, with_marked
from .vocabulary import learn_vocabulary

#: At most so many pages are hardly ever all of one layout: a page is also read by its own evidence. A crawl
#: learns no site with fewer.
HANDFUL = 5
#: If at most so many pages are known, most layouts are known from one page. What a page has in common with
#: any of the known ones is boilerplate then. Measured on 210 sites: F1 grows by .0025, .0028 and .0022 from
#: two, three and four pages, most of it on one site with a long form; from five it falls by .0003, since
#: lists show whole posts.
MOST_SINGLE = 4
#: From this many pages on, a site's layouts count as known: a layout of one or two pages gives no pattern,
#: clusters that differ only in their authors' markup are joined, patterns know the places of titles, a page
#: that is like no pattern matches none, and a list may be told by its url.
ENOUGH_PAGES = 30

#: Bound: boilerplate is looked for on this many pages. A text that is on one page in fifty is on twenty of
#: these. On 120 of 350 pages, lines that authors happen to write on three of them would be boilerplate.
_BOILERPLATE_SAMPLE = 1_000
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
    """

    vocabulary: Mapping[str, int]
    paths: Paths
    boilerplate: BoilerplateTexts
    affixes: Affixes

    def place(self, layout: Layout) -> PlacedLayout:
        """Return a page's layout with what the site tells about it. Cost: a look-up per node and block."""
        return self._judge(_see(layout, self.paths))

    def _judge(self, page: PlacedLayout) -> PlacedLayout:
        """Return a page with what needs more than the vocabulary: its boilerplate and its title."""
        layout = page.layout
        title = strip_affixes(layout.title_element, self.affixes)
        if self.boilerplate.has(TITLE_ELEMENT, layout.title_element):
            title = ""
        boilerplate = self.boilerplate.among(layout, page.places, title)
        repeated, leading = page.repeated, page.leading
        stories = find_stories(layout, page.columns, boilerplate, title)
        if stories:
            repeated, leading = (with_marked(flags, stories, page.ends) for flags in (repeated, leading))
        return PlacedLayout(  # ``replace`` takes three times as long
            layout,
            page.columns,
            page.paths,
            page.places,
            page.ends,
            repeated,
            leading,
            page.named,
            boilerplate,
            title,
            stories,
            self.boilerplate.has(ANSWER, layout.title_element) and _is_known(layout, boilerplate),
        )


def _is_known(layout: Layout, boilerplate: Sequence[int]) -> bool:
    """Return whether nearly all text of a page outside links is boilerplate."""
    plain = [block.plain for block in layout.blocks]
    known = sum([weight for weight, flag in zip(plain, boilerplate, strict=True) if flag])
    return known >= SAME_ANSWER * sum(plain)


def _see(layout: Layout, paths: Paths) -> PlacedLayout:
    """Return a page with what needs the site's vocabulary alone: the paths of its nodes, and its records."""
    interned, ends = paths.places(layout), ends_of(layout.parents)
    node_paths, columns = firsts(interned), columns_of(layout, ends)
    repeated, leading = find_records(layout, columns, node_paths)
    nodes = named_nodes(layout, columns, interned)
    named, repeated = (with_marked(flags, nodes, ends) for flags in (bytes(len(ends)), repeated))
    places = at_blocks(columns, node_paths)
    return PlacedLayout(layout, columns, node_paths, places, ends, repeated, leading, named)


_UNKNOWN_SITE = SiteModel({}, AllNames(), BoilerplateTexts(()), NO_AFFIXES)


def place_alone(layout: Layout) -> PlacedLayout:
    """Return a page of whose site nothing is known, placed as by :func:`place_all`. Cost: as for others."""
    return _UNKNOWN_SITE.place(layout)


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
    answers = find_answers(layouts)
    boilerplate = _boilerplate_texts(drawn(pages, _BOILERPLATE_SAMPLE if sample else 0), affixes)
    said = _said_by_several([page for page in pages if page.url in answers], affixes)
    model = SiteModel(vocabulary, paths, BoilerplateTexts(boilerplate | said), affixes)
    return model, with_comments_marked([model._judge(page) for page in pages])


def _boilerplate_texts(pages: Sequence[PlacedLayout], affixes: Affixes) -> frozenset[BoilerplateKey]:
    least = 2 if len(pages) <= _TWO_ENOUGH else _BOILERPLATE_PAGES
    if len(pages) < least:
        return frozenset()
    named: list[NamedPage] = []
    for page in pages:
        layout = page.layout
        title = strip_affixes(layout.title_element, affixes)
        shown = shown_texts(layout, page.ends)
        stories = find_stories(layout, page.columns, bytes(len(layout.blocks)), title)
        named.append((layout, page.places, title, shown | heads_of(layout, page.ends, stories)))
    return boilerplate_texts(named, _BOILERPLATE_SHARE, least) | _boilerplate_titles(pages, least)


def _said_by_several(answers: Sequence[PlacedLayout], affixes: Affixes) -> frozenset[BoilerplateKey]:
    """Return the texts that several pages have, of those that are the same under many urls."""
    counts = Counter[BoilerplateKey]()
    for page in answers:
        title = strip_affixes(page.layout.title_element, affixes)
        counts.update(set(keys_of([block.text for block in page.layout.blocks], page.places, title)))
        if named := boilerplate_key(page.layout.title_element):
            counts.update([(TITLE_ELEMENT, named), (ANSWER, named)])
    return frozenset(key for key, count in counts.items() if count > 1)


def _boilerplate_titles(pages: Sequence[PlacedLayout], least: int) -> frozenset[BoilerplateKey]:
    """Return the ``title`` elements that recur; where many pages are known, the one that most of them have.

    It is the site's name, and says nothing about a page. Titles that are alike but for numbers do.
    """
    titles = [page.layout.title_element for page in pages]
    if len(pages) >= ENOUGH_PAGES:
        (most, count), *_ = Counter(titles).most_common(1)
        return frozenset([(TITLE_ELEMENT, boilerplate_key(most))] if most and 2 * count > len(pages) else [])
    counts = Counter(map(boilerplate_key, titles))
    return frozenset((TITLE_ELEMENT, title) for title, count in counts.items() if title and count >= least)
