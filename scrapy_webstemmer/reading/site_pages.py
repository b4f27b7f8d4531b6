"""Keep what learning needs of a site's pages while they are read: all pages, or a sample."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace

from ..base.sampling import PageSample
from ..base.urls import link_key, well_formed
from ..errors import PageError
from ..layouts.anchor_texts import AnchorTexts
from ..values.layouts import Layout
from ..values.pages import Page
from .page import Reading

logger = logging.getLogger(__name__)


class SitePages:
    """The layouts of a site's pages, the keys of their names, and the anchor texts that lead to them.

    The keys of dictionaries are the pages' :func:`~scrapy_webstemmer.base.urls.link_key`.
    The order in which pages come does not change what is kept.
    """

    def __init__(self, size: int = 0) -> None:
        """Prepare for the pages of a site.

        :param size: keep the layouts of at most this many pages; 0: of all.
        """
        self._size = size
        self._sample = PageSample(size)
        #: Whether a page is in the sample.
        self._drawn: dict[str, bool] = {}
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
        if key not in self._drawn:
            self._drawn[key] = True
            left_out = self._sample.add(key)
            if left_out is not None:
                self._drawn[left_out] = False
                self._drop(left_out)
        return self._drawn[key]

    def _drop(self, key: str) -> None:
        for kept in (self.layouts, self.keys, self._versions, self.unread):
            kept.pop(key, None)

    def left_out(self) -> Collection[str]:
        """Return the urls, without their schemes, of the pages that are not in the sample."""
        return [key for key, drawn in self._drawn.items() if not drawn]

    def take(self, page: Page, found: Reading) -> None:
        """Keep a page's layout, its names, and its anchors to other pages of its site."""
        for target, text in found.anchors:
            self.anchors.add(target, text)
        key, version = link_key(page.url), _version(page)
        if not self._drawn.get(key, True):
            return
        self.keys[key].update((key, *map(link_key, page.aliases)))
        layout = found.layout
        if layout is None:
            self.skip(page, found.problem)
            return
        known = self._versions.get(key, ())
        if version >= known:
            if version == known:  # two versions of the same time: their contents decide
                layout = max(layout, self.layouts[key], key=_content)
            self._versions[key] = version
            self.layouts[key] = replace(layout, fetched=page.fetched or "")

    def skip(self, page: Page, problem: str) -> None:
        """Note and log an unreadable page."""
        key, url = link_key(page.url), well_formed(page.url)
        logger.warning("page skipped: %s", PageError(page.url, problem))
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
