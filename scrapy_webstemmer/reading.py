"""Read pages for learning: each once, in one process or several, and keep what learning needs of a site.

Reading a page is most of the work of learning. It needs no other page of the site: so it can be done
anywhere, and in any order.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar, cast

from .base.urls import PageSample, is_absolute, link_key, site_of, well_formed
from .base.work import Workers
from .engines import ENGINES
from .errors import PageError, visible
from .html.anchors import find_anchors
from .html.parsing import check_layout, parse_within
from .html.sources import Source, open_page, with_announced
from .options import LearnOptions, Limits
from .site.fields import traces_of
from .site.titles import AnchorTexts
from .values import Layout, Page

logger = logging.getLogger(__name__)


# --- Read one page for learning: its layout and its anchors, without regard to other pages


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of a page that were read.

    :param layout: its layout, without the time of its fetch; None if the page is unreadable, or if only
        anchors were wanted.
    :param anchors: the links to other pages of its site: the target's key and the text, each pair once.
    :param problem: the reason why the page is unreadable; empty if it is readable.
    """

    layout: Layout | None
    anchors: tuple[tuple[str, str], ...] = ()
    problem: str = ""


class Wanted(NamedTuple):
    """The parts of a page that are read.

    :param options: how.
    :param anchors: whether anchors are wanted.
    :param blocks: whether the layout is wanted.
    :param traces: whether the layout is to say where the page shows the fields of its article.
    """

    options: LearnOptions = LearnOptions()
    anchors: bool = True
    blocks: bool = True
    traces: bool = True


def read_page(page: Page, wanted: Wanted) -> Reading:
    """Return the parts of a page that learning needs. Cost: one parse, one walk, and one more for anchors."""
    try:
        return _read_within(page, wanted)
    except PageError as error:
        return Reading(None, problem=error.reason)
    except Exception as error:  # an error of ours on one page must not lose all other pages
        logger.exception("page skipped: %s", visible(page.url))
        return Reading(None, problem=f"{type(error).__name__}: {error}")


def _read_within(page: Page, wanted: Wanted) -> Reading:
    options = wanted.options
    if not is_absolute(page.url):
        raise PageError(page.url, "its url is not a whole one, such as https://example.com/a")
    engine = ENGINES[options.layout]
    source: Source = (engine.open or _open)(page, options)
    layout = _layout(page, source, wanted) if wanted.blocks else None
    if not wanted.anchors:
        return Reading(layout)
    own = site_of(page.url, options.site)
    anchors = find_anchors(source, page, options.limits).anchors
    pairs = {(one.key, one.text): None for one in anchors if site_of(one.target, options.site) == own}
    return Reading(layout, tuple(pairs))


def _open(page: Page, options: LearnOptions) -> Source:
    return open_page(page, options.encoding, options.limits)


def _layout(page: Page, source: Source, wanted: Wanted) -> Layout:
    describe = ENGINES[wanted.options.layout].describe
    if describe is not None:
        found: Layout = describe(page, source, wanted.options)
        return found
    return layout_to_learn(page, source, wanted.options, traces=wanted.traces)


def layout_to_learn(page: Page, source: Source, options: LearnOptions, *, traces: bool = False) -> Layout:
    """Return a page's layout without its markup.

    :param traces: whether it is to say where the page shows the fields of its article.
    :raises LimitError: if the layout is too large.
    """
    layout = with_announced(source.layout(well_formed(page.url)), page)
    layout = replace(layout, markup=None, announced=None, traces=traces_of(layout) if traces else ())
    check_layout(layout, options.limits)
    return layout


# --- Read many pages, in this process or in others

_Value = TypeVar("_Value", bound=Hashable)


def read_pages(pages: Iterable[tuple[Page, Wanted]], workers: int = 1) -> Iterator[tuple[Page, Reading]]:
    """Yield each page with the result of reading it, in the order of the pages.

    :param pages: each page with its wanted parts.
    :param workers: number of processes that read; 1: this process reads.
    :raises WorkerError: one of the processes has died.
    """
    shared = Shared()
    with Workers[Page, tuple[Page, Wanted], Reading](_Reader(), workers) as pool:
        for page, wanted in pages:
            bare = Page(page.url, page.body, page.encoding, aliases=page.aliases, announced=page.announced)
            for read, found in pool.add(page, (bare, wanted), len(page.body)):
                yield read, shared.reading(found)
        for read, found in pool.rest():
            yield read, shared.reading(found)


class _Reader:
    """Reads pages. Equal values become one object, so that a process sends them once per batch."""

    def __init__(self) -> None:
        self._shared = Shared()

    def __call__(self, task: tuple[Page, Wanted]) -> Reading:
        return self._shared.reading(read_page(*task))


class Shared:
    """Replaces equal values by one object: the pages of a site have most blocks and elements in common."""

    #: The most values that are kept: most values come only once, and a crawl may have any number of them.
    most_values, most_columns = 50_000, 5_000

    def __init__(self) -> None:
        self._values: dict[Any, Any] = {}
        self._columns: dict[Any, Any] = {}

    def all(self, values: Sequence[_Value]) -> list[_Value]:
        """Return the values, each replaced by an equal one that came before. Cost: a look-up per value."""
        if len(self._values) > self.most_values:
            self._values.clear()
        return list(map(self._values.setdefault, values, values))

    def column(self, column: tuple[_Value, ...]) -> tuple[_Value, ...]:
        """Return an equal tuple that came before, or the tuple itself."""
        if len(self._columns) > self.most_columns:
            self._columns.clear()
        return cast("tuple[_Value, ...]", self._columns.setdefault(column, column))

    def reading(self, reading: Reading) -> Reading:
        """Return a reading in which equal parts of earlier pages replace the blocks and elements."""
        layout = reading.layout
        if layout is None:
            return reading
        layout = replace(
            layout,
            steps=self.column(layout.steps),
            parents=self.column(layout.parents),
            links=self.column(layout.links),
            leads=self.column(layout.leads),
            blocks=tuple(self.all(layout.blocks)),
            stated=self._values.setdefault(layout.stated, layout.stated),
        )
        return replace(reading, layout=layout)


# --- Keep what learning needs of a site's pages while they are read: all pages, or a sample


#: Bound: so many of a site's pages teach where it shows the fields of its articles.
_TRACED = 150


class _Draw:
    """Which of a site's pages are in a sample, so far. A page that is left out once never comes back.

    :param size: see :class:`~scrapy_webstemmer.base.urls.PageSample`.
    """

    def __init__(self, size: int) -> None:
        self._sample = PageSample(size)
        #: Whether a page is in the sample, by its key.
        self.drawn: dict[str, bool] = {}

    def add(self, key: str) -> str | None:
        """Add a page, if it is new. Return the key of the page that is left out in its place, or None."""
        if key in self.drawn:
            return None
        self.drawn[key] = True
        left_out = self._sample.add(key)
        if left_out is not None:
            self.drawn[left_out] = False
        return left_out


class LeftOut(NamedTuple):
    """Pages that are not in a sample: their number, and the first of their urls, without its scheme."""

    pages: int = 0
    first: str = ""

    def with_pages(self, pages: int, first: str) -> LeftOut:
        """Return these pages and others."""
        return LeftOut(self.pages + pages, min(filter(None, (self.first, first)), default=""))


class SitePages:
    """The layouts of a site's pages, the keys of their names, and the anchor texts that lead to them.

    The keys of dictionaries are the pages' :func:`~scrapy_webstemmer.base.urls.link_key`.
    The order in which pages come does not change what is kept.
    """

    def __init__(self, size: int = 0) -> None:
        """Prepare for the pages of a site.

        :param size: keep the layouts of at most this many pages; 0: of all.
        :ivar others: pages of the site that somebody else has left out of the sample.
        """
        self.others = LeftOut()
        self._size = size
        self._sample, self._traced = _Draw(size), _Draw(_TRACED)
        self._versions: dict[str, tuple[str, ...]] = {}
        self.layouts: dict[str, Layout] = {}
        self.keys: dict[str, set[str]] = defaultdict(set)
        self.anchors = AnchorTexts()
        self.unread: dict[str, str] = {}

    def draw(self, page: Page) -> bool:
        """Return whether a page is in the sample so far. A page that is not in it never will be."""
        if not self._size:
            return True
        key = link_key(page.url)
        left_out = self._sample.add(key)
        if left_out is not None:
            self._drop(left_out)
        return self._sample.drawn[key]

    def traces(self, page: Page) -> bool:
        """Return whether a page teaches where the site shows fields, so far. One that does not never will."""
        key = link_key(page.url)
        left_out = self._traced.add(key)
        if left_out in self.layouts:
            self.layouts[left_out] = replace(self.layouts[left_out], traces=())
        return self._traced.drawn[key]

    def _drop(self, key: str) -> None:
        for kept in (self.layouts, self.keys, self._versions, self.unread):
            kept.pop(key, None)

    @property
    def left_out(self) -> LeftOut:
        """The pages that are not in the sample."""
        keys = [key for key, drawn in self._sample.drawn.items() if not drawn]
        return self.others.with_pages(len(keys), min(keys, default=""))

    def take(self, page: Page, found: Reading) -> None:
        """Keep a page's layout, its names, and its anchors to other pages of its site."""
        for target, text in found.anchors:
            self.anchors.add(target, text)
        key, version = link_key(page.url), _version(page)
        if not self._sample.drawn.get(key, True):
            return
        self.keys[key].update((key, *map(link_key, page.aliases)))
        layout = found.layout
        if layout is None:
            self.skip(page, found.problem)
            return
        known = self._versions.get(key, ())
        if version >= known:
            if not self._traced.drawn.get(key, True):  # it was left out while others were read
                layout = replace(layout, traces=())
            if version == known:  # two versions of the same time: their contents decide
                layout = max(layout, self.layouts[key], key=_content)
            self._versions[key] = version
            self.layouts[key] = replace(layout, fetched=page.fetched or "")

    def skip(self, page: Page, problem: str) -> None:
        """Note and log an unreadable page."""
        key, url = link_key(page.url), well_formed(page.url)
        logger.warning("page skipped: %s", PageError(page.url or "(no url)", problem))
        self.unread[key] = min(url, self.unread.get(key, url))


def _version(page: Page) -> tuple[str, ...]:
    """Return the key that orders a page's versions: the time, then what else can differ, except the body."""
    return page.fetched or "", page.encoding or "", page.url


def _content(layout: Layout) -> tuple[object, ...]:
    """Return all that was read from a page's body, as a key that orders versions of the same time."""
    return (
        layout.blocks,
        layout.steps,
        layout.parents,
        layout.links,
        layout.leads,
        layout.title_element,
        layout.og_title,
        sorted(layout.stated),
        layout.tree and (layout.tree.names, layout.tree.texts, layout.tree.parents),
    )


# --- Find the url that a saved page had on the web: the page itself may state it

#: The comment that browsers write into a page that they save. The number is the length of the url.
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
#: Bound: the comment stands in so many bytes at the beginning, before the page's first element.
_BEGINNING = 4096
_LINKS = "//link[contains(concat(' ', normalize-space(@rel), ' '), ' canonical ')]/@href"
_METAS = "//meta[@property='og:url']/@content"


def stated_urls(page: Page, encoding: str | None, limits: Limits) -> list[str]:
    """Return the urls that a page states as its own, the most reliable first.

    They stand in the comment of the browser that saved the page, as the canonical url, and as ``og:url``.
    Only whole urls count. An unreadable page states none. Cost: one parse.
    """
    found = [one.decode("ascii", "replace") for one in _SAVED_FROM.findall(page.body[:_BEGINNING])]
    try:
        root = parse_within(page, encoding, limits)
    except PageError:
        return []
    if root is not None:
        found += [str(url).strip() for path in (_LINKS, _METAS) for url in root.xpath(path)]
    return [url for url in dict.fromkeys(found) if url.lower().startswith(("http://", "https://"))]
