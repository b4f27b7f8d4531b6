"""Choose the pages of a site that a learning set keeps.

The layout of a stored page is unknown before learning. So the directory of its url stands for it, as when
learning draws a sample of a large site. Each directory keeps its newest page before any keeps a second one,
and so on. Pages of the same time, or of unknown times, come in the order in which learning draws them.
"""

from __future__ import annotations

import json
from collections.abc import Set
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ..base.samples import PageSample
from ..base.urls import link_key
from .source import DAMAGE

_UNKNOWN = float("-inf")


class Keep(NamedTuple):
    """The pages that stay.

    :param pages: at most so many pages of each site, from 1 on; None: all.
    :param since: only pages that were fetched at this time or later, in seconds since 1970, and those of
        unknown time; None: pages of any age.
    :param site: pages of other sites stay in any case; None: there are no such sites.
    :param spared: the keys of pages that stay in any case.
    """

    pages: int | None = None
    since: float | None = None
    site: str | None = None
    spared: Set[str] = frozenset()


class StoredPage(NamedTuple):
    """What decides whether a page stays: the columns of its row."""

    id: int
    key: str
    fetched: Any
    aliases: Any

    @property
    def time(self) -> float:
        """When it was fetched, in seconds since 1970; minus infinity if that is unknown."""
        try:
            when = datetime.fromisoformat(self.fetched)
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
        except (TypeError, ValueError, OverflowError):
            return _UNKNOWN

    @property
    def version(self) -> int:
        """A number that another version of the page, or another page in its row, does not have."""
        return hash((self.key, self.fetched))

    @property
    def names(self) -> set[str]:
        """The urls, without their schemes, under which other pages may link to it."""
        try:
            aliases = json.loads(self.aliases)
        except DAMAGE:
            aliases = []
        urls = aliases if isinstance(aliases, list) else []
        return {link_key(url) for url in (self.key, *urls) if isinstance(url, str)}


class PageChoice:
    """The choice of one site's pages; their order makes no difference.

    :ivar left_out: row and version of each page that is to go.

    Memory: some 500 bytes for each page that stays, 150 for each that goes.
    """

    def __init__(self, keep: Keep) -> None:
        self._since, self._spared = keep.since, keep.spared
        self._sample = PageSample(keep.pages or 0)
        self._kept: dict[str, StoredPage] = {}
        self.left_out: list[tuple[int, int]] = []

    def add(self, page: StoredPage) -> None:
        """Add a page; each is added once."""
        when = page.time
        if page.key in self._spared:
            self._kept[page.key] = page
            return
        if self._since is not None and _UNKNOWN < when < self._since:
            self.left_out.append((page.id, page.version))
            return
        scheme, _, rest = page.key.partition("://")
        name = f"{rest}#{scheme}"  # learning takes both schemes for one page, but they are two rows
        if name in self._kept:  # in a damaged file
            return
        self._kept[name] = page
        gone = self._sample.add(name, -when)
        if gone is not None:
            self.left_out.append((self._kept[gone].id, self._kept.pop(gone).version))

    @property
    def kept(self) -> list[StoredPage]:
        """The pages that stay."""
        return list(self._kept.values())
