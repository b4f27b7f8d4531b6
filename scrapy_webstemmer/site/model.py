"""What a site's pages have in common, and a page placed in its site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, count
from operator import not_, or_
from typing import NamedTuple

from ..base.urls import drawn
from ..base.work import compiled
from ..html.tags import TEXT_TAGS
from ..html.text import boilerplate_key
from ..values import Layout, Step
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
from .paths import (
    TITLE_ELEMENT,
    Paths,
    add_up,
    any_in,
    children_of,
    ends_of,
    find_records,
    mark,
    running_totals,
    sum_in,
)

# --- How much is known of a site, by the number of its pages that were learned

#: At most so many pages are hardly ever all of one layout: a page is also read by its own evidence. A crawl
#: learns no site with fewer.
HANDFUL = 5
#: From this many pages on, a site's layouts count as known: a layout of one or two pages gives no pattern,
#: clusters that differ only in their authors' markup are joined, patterns know the places of titles, a page
#: that is like no pattern matches none, and a list may be told by its url.
ENOUGH_PAGES = 30

# --- Find parts of a page by names that most sites share
#
# Find parts of a page by names that most sites share: elements of HTML, and classes of publishing systems.
#
# This evidence does not come from the site. Text in such parts weighs less, as in repeated records. The
# table has only names that many systems share, and no words of any language: programs choose the names of
# classes, and readers do not see them.

#: An element with more than this share of the page's text holds the article, whatever its name is.
_MOST_TEXT = 0.5

#: Elements that are not main text by their definition in HTML.
_TAGS = frozenset({"nav", "aside", "footer"})
#: Those that an author may write.
NOTES = frozenset({"aside", "footer"})
#: A note in a text has none of these in it.
_NO_NOTE = frozenset({"form", "nav"})
#: Elements that hold a page or its text, whatever their ids and classes are.
_WHOLE = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "p"})

#: Names of readers' comments, which may be longer than the article.
COMMENTS = frozenset("comment comments commentlist respond disqus".split())
#: Words that tell what an element is, if they are the last of its name: ``post-comments``, ``right-sidebar``.
_KINDS = COMMENTS | frozenset(
    "sidebar related share sharing social addthis sharethis trackback trackbacks"
    " breadcrumb breadcrumbs nav navigation pagination pager menu footer tags widget newsletter"
    " ad ads advert advertisement promo promos sponsored toolbar tools".split()
)
#: Words that tell it as the first word, too: ``comments-area``, ``related-posts``.
_FIRST = _KINDS - {"nav", "menu", "ad", "tools", "footer"}
#: With one of these words, a name tells a state of the page, or means more than the part.
_STATES = frozenset("has with without no hide show open closed off on content body inner layout".split())

_WORD, _CASES = re.compile(r"[a-z]+"), re.compile(r"(?<=[a-z])(?=[A-Z])")


def named_nodes(layout: Layout, ends: Sequence[int]) -> list[int]:
    """Return the nodes whose names say that they are not main text.

    A name proves nothing if the element holds an ``h1``, or more than half of the page's text outside links.
    Only comments may be longer than the article. A note among paragraphs belongs to the text, too, though it
    stands in an ``aside``. Cost: a look-up per node.
    """
    found = {node: kind for node, step in enumerate(layout.steps) if (kind := kind_of(step))}
    if not found:
        return []
    tops = [node for node, step in enumerate(layout.steps) if step.tag == "h1"]
    plain = [0] * len(layout.steps)
    for block in layout.blocks:
        plain[block.node] += block.plain
    totals = running_totals(plain)
    return [
        node
        for node, kind in found.items()
        if not any_in(tops, node, ends[node])
        and not (kind in NOTES and is_note(layout, ends, node))
        and (kind in COMMENTS or sum_in(totals, ends, node) <= _MOST_TEXT * totals[-1])
    ]


def is_note(layout: Layout, ends: Sequence[int], node: int) -> bool:
    """Return whether an ``aside`` is a note in a running text, or a ``footer`` says whom a text quotes.

    A note stands between a paragraph and another element of running text. It has no form, leads to no other
    page of its host, and its names do not say that it is something else. Cost: a look at each element in it.
    """
    steps, parents, end = layout.steps, layout.parents, ends[node]
    before, parent = node - 1, parents[node]
    if steps[node].tag == "footer":
        return steps[parent].tag == "blockquote"
    while before > parent and parents[before] != parent:
        before = parents[before]
    if before <= parent or end >= len(steps) or parents[end] != parent:
        return False
    around = {steps[before].tag, steps[end].tag}
    if "p" not in around or not around <= TEXT_TAGS:
        return False
    if any(map(_named_kind, (steps[node].id, *steps[node].classes))):
        return False
    return not any(layout.leads[one] or steps[one].tag in _NO_NOTE for one in range(node, end))


@lru_cache(maxsize=20_000)
def kind_of(step: Step) -> str:
    """Return the word that tells what an element is; empty if nothing tells that it is not main text."""
    if step.tag in _WHOLE:
        return ""
    if step.tag in _TAGS:
        return step.tag
    return next(filter(None, map(_named_kind, (step.id, *step.classes))), "")


def _named_kind(name: str) -> str:
    """Return the word of an id or a class that names a part that is not main text; empty if there is none.

    >>> [_named_kind(name) for name in ("comments-area", "postComments", "has-sidebar", "comments-open")]
    ['comments', 'comments', '', '']
    """
    words = _WORD.findall(_CASES.sub(" ", name).lower())
    if not words or not _STATES.isdisjoint(words):
        return ""
    if words[-1] in _KINDS:
        return str(words[-1])
    return str(words[0]) if words[0] in _FIRST else ""


# --- Define a page's layout together with what the site's other pages tell about it

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

    def _judge(self, page: _SeenLayout) -> PlacedLayout:
        """Return a page with what needs more than the vocabulary: its boilerplate, title, and named parts."""
        layout, paths, places, ends, repeated, leading = page
        title = strip_affixes(layout.title_element, self.affixes)
        if self.boilerplate.has(TITLE_ELEMENT, layout.title_element):
            title = ""
        boilerplate = self.boilerplate.among(layout, places, title)
        placing = compiled("site.placing")
        name = placing.named_nodes if placing else named_nodes
        nodes: list[int] = name(layout, ends) if self.names else []
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
    if placing := compiled("site.placing"):
        found, ends = placing.paths_of(paths, layout), placing.ends_of(layout.parents)
        templated, leading = placing.find_records(layout, found, ends)
    else:
        found, ends = paths.of(layout), tuple(ends_of(layout.parents))
        templated, leading = find_records(layout, found, ends)
    places = tuple([found[block[0]] for block in layout.blocks])
    return _SeenLayout(layout, found, places, ends, templated, leading)


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


def _boilerplate_texts(pages: Sequence[_SeenLayout], affixes: Affixes) -> frozenset[BoilerplateKey]:
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


def _boilerplate_titles(pages: Sequence[_SeenLayout], least: int) -> frozenset[BoilerplateKey]:
    """Return the ``title`` elements that recur, if the site has so few pages that it matters."""
    if len(pages) >= ENOUGH_PAGES:
        return frozenset()
    counts = Counter(boilerplate_key(page.layout.title_element) for page in pages)
    return frozenset((TITLE_ELEMENT, title) for title, count in counts.items() if title and count >= least)


def in_comments(layout: Layout, node: int) -> bool:
    """Return whether an element stands in one that is named after comments. Cost: a look-up per ancestor."""
    while node > 0:
        if kind_of(layout.steps[node]) in COMMENTS:
            return True
        node = layout.parents[node]
    return False
