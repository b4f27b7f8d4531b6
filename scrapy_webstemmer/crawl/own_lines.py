"""Keep our lines in the log out of Scrapy's stats ``log_count/``, so that these count the project's lines."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.utils.log import LogCounterHandler

from .reports import count

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_PACKAGE = __name__.partition(".")[0]


def is_from_us(record: logging.LogRecord) -> bool:
    """Return whether this package has logged a line."""
    return record.name.startswith(f"{_PACKAGE}.")


class OwnLines(logging.Filter):
    """Count our lines of a crawl under ``webstemmer/log_count/`` instead of ``log_count/``.

    A project may stop or report a crawl that has too many warnings, and these must be its own. Errors are the
    exception: they stay where others are counted, so that no monitor misses them.

    Keep the object as long as the crawl lasts, because signals hold their handlers by weak references.

    :param is_ours: tells our lines from those of others.
    """

    def __init__(self, crawler: Crawler, is_ours: Callable[[logging.LogRecord], bool] = is_from_us) -> None:
        super().__init__()
        self.crawler = crawler
        self.is_ours = is_ours
        self._join_counters()  # Scrapy 2.13 counts from the beginning, later versions from spider_opened on
        crawler.signals.connect(self._join_counters, signals.spider_opened)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether Scrapy counts a line."""
        if record.levelno >= logging.ERROR or not self.is_ours(record):
            return True
        count(self.crawler, f"webstemmer/log_count/{record.levelname}")
        return False

    def _join_counters(self) -> None:
        for handler in logging.root.handlers:
            if isinstance(handler, LogCounterHandler) and handler.crawler is self.crawler:
                handler.addFilter(self)
