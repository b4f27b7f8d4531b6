"""What is kept of a site's pages while they are read: at most so many."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace

from ..base.sampling import PageSample
from ..base.urls import link_key, well_formed
from ..errors import PageError
from ..layouts.anchor_texts import AnchorTexts
from ..values import Layout, Page
from .page import Reading

__all__ = ["SitePages"]

logger = logging.getLogger("scrapy_webstemmer.flow")


class SitePages:
    """A site's pages as layouts, their names, and under which texts they are linked to.

    Dictionaries are by the page's :func:`~scrapy_webstemmer.base.urls.link_key`. The
    order in which pages come has no part in what is kept of them.
    """

    def __init__(self, size: int = 0) -> None:
        """Make room for the pages of a site.

        :param size: keep the layouts of so many pages at most; 0: of all.
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
        """Return whether a page is in the sample so far; one that is not will not be later."""
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
        """Return the urls of the pages that are not in the sample, without their scheme."""
        return [key for key, drawn in self._drawn.items() if not drawn]

    def take(self, page: Page, found: Reading) -> None:
        """Keep of a page its layout, its names and its anchors to other pages of its site."""
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
            if version == known:  # two records of one time: what is in them decides
                layout = max(layout, self.layouts[key], key=_content)
            self._versions[key] = version
            self.layouts[key] = replace(layout, fetched=page.fetched or "")

    def skip(self, page: Page, problem: str) -> None:
        """Note a page that cannot be read."""
        key, url = link_key(page.url), well_formed(page.url)
        logger.warning("page skipped: %s", PageError(page.url, problem))
        self.unread[key] = min(url, self.unread.get(key, url))


def _version(page: Page) -> tuple[str, ...]:
    """Return what orders a page's versions: the time, then anything but the body in which two can differ."""
    return page.fetched or "", page.encoding or "", page.url


def _content(layout: Layout) -> tuple[object, ...]:
    """Return all that was read from a page's body, in an order that the order of reading has no part in."""
    return (
        layout.blocks,
        layout.steps,
        layout.parents,
        layout.links,
        layout.leads,
        layout.title_element,
        layout.og_title,
    )
