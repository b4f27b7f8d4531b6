"""Keep what learning needs of a site's pages while they are read: all pages, or a sample."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from sys import intern
from typing import NamedTuple

from ..base.samples import PageSample
from ..base.urls import link_key, well_formed
from ..errors import PageError
from ..values import Layout, Page
from .page_reading import Reading, logger

#: Bound: so many of a site's pages teach where it shows the fields of its articles. Measured on 42 sites: the
#: same authors, days and topics are found as with 100.
_TRACED = 40


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


#: Bound: at most so many texts are compared with each text of a page. On real sites an article has a
#: handful.
_MOST_TEXTS = 100


class AnchorTexts:
    """The anchor texts of one site, by the :func:`~scrapy_webstemmer.base.urls.link_key` of their target.

    Most targets are no stored pages, and have one text. So targets are kept as hashes of 64 bits, and texts
    once. Memory: some 150 bytes for each target.
    """

    def __init__(self) -> None:
        self._texts: dict[int, str | set[str]] = {}

    def add(self, target: str, text: str) -> None:
        """Note that a text leads to a target."""
        key = hash(target)
        known = self._texts.get(key)
        if known is None:
            self._texts[key] = intern(text)
        elif isinstance(known, set):
            known.add(intern(text))
        elif known != text:
            self._texts[key] = {known, intern(text)}

    def to(self, keys: Iterable[str]) -> frozenset[str]:
        """Return the texts that lead to a page, given the keys under which it is known.

        A page with very many of them, such as the front page, has none that names it: some are enough.
        """
        texts = set[str]()
        for key in keys:
            known = self._texts.get(hash(key), ())
            texts |= {known} if isinstance(known, str) else {*known}
        return frozenset(texts if len(texts) <= _MOST_TEXTS else sorted(texts)[:_MOST_TEXTS])


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
            for kept in (self.layouts, self.keys, self._versions, self.unread):
                kept.pop(left_out, None)
        return self._sample.drawn[key]

    def traces(self, page: Page) -> bool:
        """Return whether a page teaches where the site shows fields, so far. One that does not never will."""
        key = link_key(page.url)
        left_out = self._traced.add(key)
        if left_out in self.layouts:
            self.layouts[left_out] = replace(self.layouts[left_out], traces=())
        return self._traced.drawn[key]

    @property
    def left_out(self) -> LeftOut:
        """The pages that are not in the sample."""
        keys = [key for key, drawn in self._sample.drawn.items() if not drawn]
        return self.others.with_pages(len(keys), min(keys, default=""))

    def take(self, page: Page, reading: Reading) -> None:
        """Keep a page's layout, its names, and its anchors to other pages of its site."""
        for target, text in reading.anchors:
            self.anchors.add(target, text)
        key, version = link_key(page.url), _version(page)
        if not self._sample.drawn.get(key, True):
            return
        self.keys[key].update((key, *map(link_key, page.aliases)))
        layout = reading.layout
        if layout is None:
            self.skip(page, reading.problem)
            return
        known = self._versions.get(key, ())
        if version >= known:
            if not self._traced.drawn.get(key, True):  # it was left out while others were read
                layout = replace(layout, traces=())
            if version == known:  # two versions of the same time: their contents decide
                layout = max(layout, self.layouts[key], key=_content)
            self._versions[key] = version
            self.layouts[key] = replace(layout, fetched=page.fetched) if page.fetched else layout

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
