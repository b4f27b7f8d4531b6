"""What all pipelines share: a page item ends in them, whichever of them it meets first."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, TypeVar, cast

from scrapy import signals
from scrapy.exceptions import DropItem
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.log import logformatter_adapter

from ...errors import LimitError, PageError, WebstemmerError
from ...items import ArticleItem, PageItem

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.interfaces import IReactorTime

    from ...base.parts import Parts

__all__ = ["PageConsumed", "consume", "count", "in_turns", "report_failure", "spider_name"]

logger = logging.getLogger(__name__)

T = TypeVar("T")


class PageConsumed(DropItem):
    """A page item has reached its takers and goes no further; nothing is lost."""

    def __init__(self) -> None:
        super().__init__("page consumed by scrapy-webstemmer", log_level="DEBUG")


async def consume(crawler: Crawler, item: PageItem) -> ArticleItem:
    """Let all our pipelines take a page, whichever of them met it first, so that it goes no further.

    Between them there may be pipelines of the project's, which must not see it.
    """
    from .learning_set import LearningSetPipeline  # all of them import this module

    if learning_set := crawler.get_item_pipeline(LearningSetPipeline):
        learning_set.store(item)
    article, to_pipelines = await _article(crawler, item)
    if article is not None and to_pipelines:
        return article
    if article is not None:
        await _announce(crawler, article, item.response)
    raise PageConsumed


async def _article(crawler: Crawler, item: PageItem) -> tuple[ArticleItem | None, bool]:
    """Return a page's article, and whether it is to pass the pipelines that come after.

    By the learned patterns, if there are any, else by what its site repeats. That also takes the place of
    what a page that matches no pattern says by itself: an article without a pattern's name.
    """
    from .articles import ArticlePipeline
    from .incremental import IncrementalPipeline

    by_patterns = crawler.get_item_pipeline(ArticlePipeline)
    by_segments = crawler.get_item_pipeline(IncrementalPipeline)
    done = item.seen == "article"
    found = await by_segments.extract(item) if by_segments else None  # each page counts, whatever comes of it
    if done or by_patterns is None:
        return None if done else found, bool(by_segments and by_segments.to_pipelines)
    article = await by_patterns.extract(item)
    if by_segments and article is not None and not article.pattern:
        article = found
    return article, by_patterns.to_pipelines


async def in_turns(work: Parts[T]) -> T:
    """Return the result of work in parts; between two of them the event loop gets its turn."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result
        await _others_turn()


async def _others_turn() -> None:
    """Let all be done that waits: in asyncio's loop, or in the reactor's where that is another."""
    try:
        in_asyncio = asyncio.current_task() is not None
    except RuntimeError:
        in_asyncio = False
    if in_asyncio:
        await asyncio.sleep(0)
        return
    from twisted.internet import reactor
    from twisted.internet.task import deferLater

    await deferLater(cast("IReactorTime", reactor), 0)


async def _announce(crawler: Crawler, item: ArticleItem, response: Response | None) -> None:
    """Log an item, send ``item_scraped`` and wait for the handlers, as Scrapy itself does at the end."""
    assert crawler.spider is not None  # noqa: S101 - there is one while items are processed
    if entry := crawler.logformatter.scraped(item, response, crawler.spider):
        logger.log(*logformatter_adapter(entry), extra={"spider": crawler.spider})
    message = {"signal": signals.item_scraped, "item": item, "response": response, "spider": crawler.spider}
    if hasattr(crawler.signals, "send_catch_log_async"):  # from Scrapy 2.14 on
        await crawler.signals.send_catch_log_async(**message)
    else:
        await maybe_deferred_to_future(crawler.signals.send_catch_log_deferred(**message))


def spider_name(crawler: Crawler) -> str:
    """Return the name of the crawl's spider, before it is made or after."""
    return (crawler.spider or crawler.spidercls).name


def count(crawler: Crawler, key: str, number: int = 1) -> None:
    """Raise one of the crawl's stats."""
    if crawler.stats:
        crawler.stats.inc_value(key, number)


def report_failure(crawler: Crawler, key: str, item: PageItem, error: Exception) -> None:
    """Count and log that a page failed; with a traceback if it is no error that we foresaw."""
    count(crawler, f"webstemmer/limits/{error.limit}" if isinstance(error, LimitError) else key)
    task = key.rpartition("/")[2]
    level = logging.WARNING if isinstance(error, PageError) else logging.ERROR
    trace = None if isinstance(error, WebstemmerError) else error
    extra = {"spider": crawler.spider}
    logger.log(level, "Cannot %s %s: %s", task, item.page.url, error, exc_info=trace, extra=extra)
