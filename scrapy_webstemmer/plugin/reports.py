"""Count a crawl's stats under ``webstemmer/``, and report pages that failed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.utils.defer import maybe_deferred_to_future

from ..errors import LimitError, PageError, WebstemmerError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


def count(crawler: Crawler, key: str, number: int = 1) -> None:
    """Add a number to one of the crawl's stats."""
    if crawler.stats:
        crawler.stats.inc_value(key, number)


def report_failure(crawler: Crawler, key: str, url: str, error: Exception) -> None:
    """Count and log the failure of a page; an unexpected error is logged with its traceback.

    :param key: the stat to count in; its last part is the verb of the log message. A LimitError is counted in
        the stat of its limit instead.
    """
    count(crawler, f"webstemmer/limits/{error.limit}" if isinstance(error, LimitError) else key)
    task = key.rpartition("/")[2]
    level = logging.WARNING if isinstance(error, PageError) else logging.ERROR
    trace = None if isinstance(error, WebstemmerError | OSError) else error  # these say what is wrong
    logger.log(level, "Cannot %s %s: %s", task, url, error, exc_info=trace, extra={"spider": crawler.spider})


async def send(crawler: Crawler, signal: object, **values: Any) -> None:
    """Send a signal, and wait for the handlers."""
    if hasattr(crawler.signals, "send_catch_log_async"):  # from Scrapy 2.14 on
        await crawler.signals.send_catch_log_async(signal, **values)
    else:
        await maybe_deferred_to_future(crawler.signals.send_catch_log_deferred(signal, **values))
