"""Scrapy item pipeline: pages to a learning set."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from ...base.database import BUSY_TIMEOUT
from ...errors import LearningSetError
from ...items import PageItem, PageTaker, page_stored
from ..settings import TIMESTAMP, WebstemmerSettings, fill_in, setting_name
from ..storing import PATIENCE, LearningSet, WaitingItems, open_learning_set
from .taking import consume, count, report_failure, spider_name

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

__all__ = ["LearningSetPipeline"]

logger = logging.getLogger(__name__)


class LearningSetPipeline(PageTaker):
    """Add every page, with its anchors, to the crawl's learning set.

    A page is logged and counted as stored when it is safe in the file, and not
    before. What cannot be stored is an error in the log and no end of the crawl.
    Where another program has locked the file, pages wait in memory, see ``plugin/storing.py``.
    Of pages that were stored in an earlier crawl only the anchors are recorded.

    :param with_anchors: False: none are recorded, and those that are there stay.
    """

    setting = "learning_set"
    wants_anchors = True

    def __init__(self, crawler: Crawler, learning_set: LearningSet, *, with_anchors: bool = True) -> None:
        self.crawler = crawler
        self.learning_set = learning_set
        self.with_anchors = with_anchors
        self._waiting = WaitingItems(self._add)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LearningSetPipeline:
        """Return the pipeline of a crawl, its learning set open.

        Not in ``open_spider``: when that raises, Scrapy 2.13 ends with exit status 0.

        :raises NotConfigured: there is no learning set to fill.
        :raises OptionError: it cannot be opened or begun.
        """
        options = WebstemmerSettings.from_settings(crawler.settings)
        if not options.enabled:
            raise NotConfigured
        if options.learning_set is None:
            raise NotConfigured(f"{setting_name('learning_set')} is not set")
        timestamp = options.timestamp or datetime.now(UTC).strftime(TIMESTAMP)
        path = fill_in(options.learning_set, spider_name(crawler), timestamp)
        learning_set = open_learning_set(path, timestamp, options.linkinfo)
        return cls(crawler, learning_set, with_anchors=bool(options.linkinfo))

    def close_spider(self, spider: Spider | None = None) -> None:  # noqa: ARG002 - Scrapy 2.13 passes it
        """Store what still waits, and close the learning set; a zip is written now."""
        if self._waiting:
            self.learning_set.wait_up_to(BUSY_TIMEOUT)
            self._store_waiting(all_of_them=True)
        try:
            self.learning_set.close()
        except LearningSetError as error:
            count(self.crawler, "webstemmer/errors/store")
            logger.error("Cannot finish the learning set: %s", error, extra={"spider": self.crawler.spider})

    async def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002 - as above
        """Take page items, pass all others on."""
        return await consume(self.crawler, item) if isinstance(item, PageItem) else item

    def store(self, item: PageItem) -> None:
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

    def _store_waiting(self, *, all_of_them: bool = False) -> None:
        """Store what can be stored, and say what has become of it."""
        for item, error in self._waiting.store(all_of_them=all_of_them):
            if error is None:
                self._announce(item)
                continue
            report_failure(self.crawler, "webstemmer/errors/store", item, error)
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
