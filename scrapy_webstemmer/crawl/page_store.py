"""Store the pages of a crawl in a learning set."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Self

from scrapy.crawler import Crawler

from ..base.database import BUSY_TIMEOUT
from ..errors import LearningSetError
from ..items import CrawledPage, page_stored
from ..storage.pruning import Keep, Pruning
from ..storage.sqlite import SqliteLearningSet
from ..storage.zip_crawl import ZipCrawl
from .event_loop import call_later, in_turns
from .reports import count, log_of, report_failure
from .settings import TIMESTAMP, WebstemmerSettings, beginning_of, opened, path_of

logger = logging.getLogger(__name__)

#: Seconds that a page waits while another program is writing. The crawl stands still for that time.
_LOCK_PATIENCE = 1.0
#: Seconds that dropping some pages waits before others get a turn. The crawl stands still for that time.
_PRUNE_PATIENCE = 0.02
#: Seconds that a page waits at most for others that are stored together with it.
SOON = 0.5
#: At most so many items may wait, with pages of so many bytes together. Beyond that the oldest item fails.
MAX_ITEMS, MAX_BYTES = 1_000, 16 * 1024 * 1024
#: So many items, or pages of so many bytes, are worth a transaction of their own.
_MANY_ITEMS, _MANY_BYTES = 16, 1024 * 1024


@dataclass(eq=False)
class PageStore:
    """Add every page of a crawl, with its anchors, to the learning set.

    Pages are stored some at a time, which costs less, and within :data:`SOON`. A page is logged and counted
    as stored only when it is safe in the file. If a page cannot be stored, an error is logged and the crawl
    goes on. While another program has locked the file, pages wait in memory. For a page that an earlier crawl
    stored, only the anchors are recorded.

    :param with_anchors: False: no anchors are recorded, and the recorded ones stay.
    :param most_pages: :meth:`prune` keeps at most so many pages of each site; None: all.
    :param lost: the urls of pages that could not be stored.
    """

    crawler: Crawler
    learning_set: SqliteLearningSet
    with_anchors: bool = True
    most_pages: int | None = None
    lost: set[str] = field(default_factory=set, init=False)
    _is_locked: bool = field(default=False, init=False)
    _is_due: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._waiting = _WaitingItems(self._add)

    @classmethod
    def from_settings(cls, crawler: Crawler, options: WebstemmerSettings) -> Self | None:
        """Return the open store of a crawl's pages, or None if no setting names a learning set.

        :raises OptionError: the learning set cannot be opened or created.
        """
        if options.learning_set is None:
            return None
        timestamp = options.timestamp or beginning_of(crawler).strftime(TIMESTAMP)
        path = path_of(crawler, options.learning_set, timestamp)
        learning_set = open_learning_set(path, timestamp, options.linkinfo)
        return cls(crawler, learning_set, bool(options.linkinfo), options.learning_set_pages)

    def add(self, item: CrawledPage) -> None:
        """Add a page to the learning set: soon, or at once if no event loop is there to do it later."""
        self._waiting.add(item)
        if not self._is_locked and not self._waiting.are_many and self._is_called_soon():
            return
        self._store_now()
        if self._waiting:
            count(self.crawler, "webstemmer/pages_waited")

    async def prune(self, spared: Set[str] = frozenset()) -> None:
        """Drop the pages that are too many for the learning set, when the crawl ends, before :meth:`close`.

        :param spared: the canonical urls of pages that stay in any case.

        The event loop gets its turn every few milliseconds. If it fails, an error is logged and counted.
        """
        learning_set = self.learning_set
        if self.most_pages is None:
            return
        self._store_now()
        pruning = Pruning(learning_set, Keep(self.most_pages, spared=spared))
        learning_set.wait_up_to(_PRUNE_PATIENCE)
        try:
            await in_turns(pruning.in_parts())
        except LearningSetError as error:
            count(self.crawler, "webstemmer/errors/prune")
            log_of(self.crawler, logger).error("Cannot drop all pages that are too many: %s", error)
        finally:
            learning_set.wait_up_to(0 if self._is_locked else _LOCK_PATIENCE)
            if number := sum(pruning.dropped.values()):
                count(self.crawler, "webstemmer/pages_dropped", number)
                message = "Dropped %d pages from %s, sites: %d; it keeps at most %d pages of a site"
                values = (number, learning_set.path, len(pruning.dropped), self.most_pages)
                log_of(self.crawler, logger).info(message, *values)

    def close(self) -> None:
        """Store the pages that still wait, and close the learning set. A zip is written only now."""
        self.flush()
        try:
            self.learning_set.close()
        except LearningSetError as error:
            count(self.crawler, "webstemmer/errors/store")
            log_of(self.crawler, logger).error("Cannot finish the learning set: %s", error)

    def flush(self) -> None:
        """Store the pages that wait; wait for other programs if need be."""
        if self._waiting:
            self.learning_set.wait_up_to(BUSY_TIMEOUT)
            self._store_waiting(all_of_them=True)

    def _is_called_soon(self) -> bool:
        """Return whether the waiting pages will be stored without another call."""
        if not self._is_due:
            self._is_due = call_later(SOON, self._store_due)
        return self._is_due

    def _store_due(self) -> None:
        self._is_due = False
        if not self._is_locked:
            self._store_now()

    # In the crawl's own thread: another one would take the same CPU time, and a transaction is short.
    def _store_now(self) -> None:
        """Store the waiting pages, unless the file is locked."""
        self._store_waiting()
        was_locked, self._is_locked = self._is_locked, bool(self._waiting)
        if was_locked and not self._is_locked:
            self.learning_set.wait_up_to(_LOCK_PATIENCE)
        elif self._is_locked and not was_locked:
            self.learning_set.wait_up_to(0)
            message = "%s is locked by another program; pages wait in memory until it is free"
            log_of(self.crawler, logger).warning(message, self.learning_set.path)

    def _store_waiting(self, *, all_of_them: bool = False) -> None:
        """Store the waiting pages that can be stored, and report each."""
        for item, error in self._waiting.store(all_of_them=all_of_them):
            if error is None:
                self._announce(item)
                continue
            self.lost.add(item.page.url)
            report_failure(self.crawler, "webstemmer/errors/store", item.page.url, error)
            self.learning_set.wait_up_to(0)  # waiting once is enough

    def _announce(self, item: CrawledPage) -> None:
        """Count a page that is safe. If it is new, also log it and send the signal ``page_stored``."""
        count(self.crawler, "webstemmer/anchors", len(item.anchors))
        if item.announced:
            return
        if item.seen:
            count(self.crawler, "webstemmer/pages_seen")
            return
        count(self.crawler, "webstemmer/pages_stored")
        log_of(self.crawler, logger).debug("Stored %s in %s", item.page.url, self.learning_set.path)
        self.crawler.signals.send_catch_log(page_stored, page=item.page, response=item.response)

    def _add(self, items: Sequence[CrawledPage]) -> None:
        with self.learning_set.transaction():
            for item in items:
                if item.announced:
                    self.learning_set.add_announced(item.page.url, item.announced)
                    if self.with_anchors:
                        self.learning_set.add_anchors(item.page.url, item.anchors)
                elif not item.seen:
                    self.learning_set.add_page(item.page, item.anchors if self.with_anchors else None)
                elif self.with_anchors:
                    self.learning_set.add_anchors(item.page.url, item.anchors)


def open_learning_set(path: Path, timestamp: str, linkinfo: str = "linkinfo") -> SqliteLearningSet:
    """Return a learning set to add to; make the file and its folder if they are missing.

    :param path: a name that ends in ``.zip``: a zip in the layout of 2009, which is written at the end. Any
        other name: a SQLite file.
    :param timestamp: the beginning of the names in a zip.
    :param linkinfo: the name of the linkinfo in a zip; empty: the usual name, for a crawl without anchors.
    :raises OptionError: it cannot be opened or created; the error names the setting and the file.
    """
    with opened("learning_set", path):
        if path.suffix.lower() == ".zip":
            return ZipCrawl(path, timestamp, linkinfo)
        learning_set = SqliteLearningSet(path)
        learning_set.wait_up_to(_LOCK_PATIENCE)
        return learning_set


class _WaitingItems:
    """Items in the order in which they came, until they are stored or have failed.

    Some programs lock a file for minutes, and the crawl must not stand still meanwhile.

    :param store: stores items, all of them or none, or raises.
    """

    def __init__(self, store: Callable[[Sequence[CrawledPage]], object]) -> None:
        self._store = store
        self._items: deque[CrawledPage] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    @property
    def are_many(self) -> bool:
        """Whether they are enough to be stored together."""
        return len(self._items) >= _MANY_ITEMS or self._bytes >= _MANY_BYTES

    def add(self, item: CrawledPage) -> None:
        """Put an item at the end."""
        self._items.append(item)
        self._bytes += len(item.page.body)

    def store(self, *, all_of_them: bool = False) -> Iterator[tuple[CrawledPage, Exception | None]]:
        """Try to store the items; yield each one that is stored or has failed, with the error if it failed.

        If the file is in use, the remaining items go on waiting, unless they are too many.

        :param all_of_them: True: no item goes on waiting.
        """
        size = _MANY_ITEMS
        while self._items:
            batch, failure = [*islice(self._items, size)], None
            try:
                self._store(batch)
            except Exception as error:
                is_busy = isinstance(error, LearningSetError) and error.busy
                are_too_many = len(self._items) > MAX_ITEMS or self._bytes > MAX_BYTES
                if is_busy and not all_of_them and not are_too_many:
                    return
                if len(batch) > 1:
                    size = 1  # one by one it shows which of them fail
                    continue
                failure = error
            for item in batch:
                self._items.popleft()
                self._bytes -= len(item.page.body)
                yield item, failure
