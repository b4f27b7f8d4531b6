"""Pages to a learning set."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from ...base.database import BUSY_TIMEOUT
from ...errors import LearningSetError
from ...items import PageItem, page_stored
from ...storage.sqlite import SqliteLearningSet
from ...storage.zip_writer import ZipCrawl
from ..reports import count, report_failure
from ..settings import TIMESTAMP, opened, path_of
from .waiting import WaitingItems

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ...values import Page
    from ..settings import WebstemmerSettings

__all__ = ["PATIENCE", "LearningSet", "PageStore", "open_learning_set"]

logger = logging.getLogger(__name__)

#: Seconds that a page waits for another program that is writing: a crawl stands still meanwhile.
PATIENCE = 1.0


class LearningSet(Protocol):
    """What is asked of a learning set that a crawl fills; what fails raises a LearningSetError."""

    path: Path

    def add_page(self, page: Page, anchors: Iterable[tuple[str, str]] | None = None) -> None:
        """Store a page and its (target url, anchor text) pairs, safe on return; None: leave them alone."""

    def add_anchors(self, url: str, anchors: Iterable[tuple[str, str]]) -> None:
        """Record the anchors of a page that is not stored."""

    def wait_up_to(self, seconds: float) -> None:
        """Set how long a change waits for another process that is writing."""

    def close(self) -> None:
        """Finish the file."""


class PageStore:
    """Adds every page, with its anchors, to the crawl's learning set.

    A page is logged and counted as stored when it is safe in the file, and not
    before. What cannot be stored is an error in the log and no end of the crawl.
    Where another program has locked the file, pages wait in memory.
    Of pages that were stored in an earlier crawl only the anchors are recorded.

    :param with_anchors: False: none are recorded, and those that are there stay.
    """

    def __init__(self, crawler: Crawler, learning_set: LearningSet, *, with_anchors: bool = True) -> None:
        self.crawler = crawler
        self.learning_set = learning_set
        self.with_anchors = with_anchors
        self._waiting = WaitingItems(self._add)

    @classmethod
    def from_settings(cls, crawler: Crawler, options: WebstemmerSettings) -> Self | None:
        """Return the store of a crawl's pages, open; None: no setting names one.

        :raises OptionError: it cannot be opened or begun.
        """
        if options.learning_set is None:
            return None
        timestamp = options.timestamp or datetime.now(UTC).strftime(TIMESTAMP)
        path = path_of(crawler, options.learning_set, timestamp)
        learning_set = open_learning_set(path, timestamp, options.linkinfo)
        return cls(crawler, learning_set, with_anchors=bool(options.linkinfo))

    def add(self, item: PageItem) -> None:
        """Add a page to the learning set; returns when it is safe there, has failed, or has to wait."""
        waited = len(self._waiting)
        self._waiting.add(item)
        self._store_waiting()
        if waited and not self._waiting:
            self.learning_set.wait_up_to(PATIENCE)
        if not self._waiting:
            return
        count(self.crawler, "webstemmer/pages_waited")
        if not waited:
            self.learning_set.wait_up_to(0)
            message = "%s is locked by another program; pages wait in memory until it is free"
            logger.warning(message, self.learning_set.path, extra={"spider": self.crawler.spider})

    def close(self) -> None:
        """Store what still waits, and close the learning set; a zip is written now."""
        if self._waiting:
            self.learning_set.wait_up_to(BUSY_TIMEOUT)
            self._store_waiting(all_of_them=True)
        try:
            self.learning_set.close()
        except LearningSetError as error:
            count(self.crawler, "webstemmer/errors/store")
            logger.error("Cannot finish the learning set: %s", error, extra={"spider": self.crawler.spider})

    def _store_waiting(self, *, all_of_them: bool = False) -> None:
        """Store what can be stored, and say what has become of it."""
        for item, error in self._waiting.store(all_of_them=all_of_them):
            if error is None:
                self._announce(item)
                continue
            report_failure(self.crawler, "webstemmer/errors/store", item.page.url, error)
            self.learning_set.wait_up_to(0)  # to have waited once is enough

    def _announce(self, item: PageItem) -> None:
        """Count and log a page that is safe, and tell who listens."""
        count(self.crawler, "webstemmer/anchors", len(item.anchors))
        if item.seen:
            count(self.crawler, "webstemmer/pages_seen")
            return
        count(self.crawler, "webstemmer/pages_stored")
        extra = {"spider": self.crawler.spider}
        logger.debug("Stored %s in %s", item.page.url, self.learning_set.path, extra=extra)
        message = {"signal": page_stored, "page": item.page, "response": item.response}
        self.crawler.signals.send_catch_log(**message)

    def _add(self, item: PageItem) -> None:
        if not item.seen:
            self.learning_set.add_page(item.page, item.anchors if self.with_anchors else None)
        elif self.with_anchors:
            self.learning_set.add_anchors(item.page.url, item.anchors)


def open_learning_set(path: Path, timestamp: str, linkinfo: str = "linkinfo") -> LearningSet:
    """Return a learning set to add to; a new one, in a new folder, where there is none.

    :param path: a zip in the layout of 2009 if it ends in ``.zip``, written at the end; else a SQLite file.
    :param timestamp: what the names in a zip begin with.
    :param linkinfo: what a zip calls its linkinfo; empty: it gets none.
    :raises OptionError: that cannot be done; names the setting and the file.
    """
    with opened("learning_set", path):
        if path.suffix.lower() == ".zip":
            return ZipCrawl(path, timestamp, linkinfo)
        learning_set = SqliteLearningSet(path)
        learning_set.wait_up_to(PATIENCE)
        return learning_set
