"""Scrapy item pipelines: the takers of page items."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.log import logformatter_adapter

from .database import BUSY_TIMEOUT
from .errors import LearningSetError, LimitError, OptionError, PageError, PatternFileError, WebstemmerError
from .flow import extract
from .items import ArticleItem, PageItem, PageTaker, page_stored
from .limits import Limits
from .options import ExtractOptions
from .patterns.files import PatternSet
from .settings import TIMESTAMP, WebstemmerSettings, fill_in, setting_name
from .storing import PATIENCE, LearningSet, WaitingItems, open_learning_set

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from .values import Article, SitePatterns

__all__ = [
    "ArticlePipeline",
    "LearningSetPipeline",
    "PageConsumed",
    "load_patterns",
]

logger = logging.getLogger(__name__)


class PageConsumed(DropItem):
    """A page item has reached its takers and goes no further; nothing is lost."""

    def __init__(self) -> None:
        super().__init__("page consumed by scrapy-webstemmer", log_level="DEBUG")


class LearningSetPipeline(PageTaker):
    """Add every page, with its anchors, to the crawl's learning set.

    A page is logged and counted as stored when it is safe in the file, and not
    before. What cannot be stored is an error in the log and no end of the crawl.
    Where another program has locked the file, pages wait in memory, see ``storing.py``.
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
        path = fill_in(options.learning_set, _spider_name(crawler), timestamp)
        learning_set = open_learning_set(path, timestamp, options.linkinfo)
        return cls(crawler, learning_set, with_anchors=bool(options.linkinfo))

    def close_spider(self, spider: Spider | None = None) -> None:  # noqa: ARG002 - Scrapy 2.13 passes it
        """Store what still waits, and close the learning set; a zip's linkinfo is written now."""
        if self._waiting:
            self.learning_set.wait_up_to(BUSY_TIMEOUT)
            self._store_waiting(all_of_them=True)
        try:
            self.learning_set.close()
        except LearningSetError as error:
            _count(self.crawler, "webstemmer/errors/store")
            logger.error("Cannot finish the learning set: %s", error, extra={"spider": self.crawler.spider})

    async def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002 - as above
        """Take page items, pass all others on."""
        return await _consume(self.crawler, item) if isinstance(item, PageItem) else item

    def store(self, item: PageItem) -> None:
        """Add a page to the learning set; returns when it is safe there, has failed, or has to wait."""
        waited = len(self._waiting)
        self._waiting.add(item)
        self._store_waiting()
        if waited and not self._waiting:
            self.learning_set.wait_up_to(PATIENCE)
        if not self._waiting:
            return
        _count(self.crawler, "webstemmer/pages_waited")
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
            _report_failure(self.crawler, "webstemmer/errors/store", item, error)
            self.learning_set.wait_up_to(0)  # to have waited once is enough

    def _announce(self, item: PageItem) -> None:
        """Count and log a page that is safe, and tell who listens."""
        _count(self.crawler, "webstemmer/anchors", len(item.anchors))
        if item.seen:
            _count(self.crawler, "webstemmer/pages_seen")
            return
        _count(self.crawler, "webstemmer/pages_stored")
        extra = {"spider": self.crawler.spider}
        logger.debug("Stored %s in %s", item.page.url, self.learning_set.path, extra=extra)
        message = {"signal": page_stored, "page": item.page, "response": item.response}
        self.crawler.signals.send_catch_log(**message)

    def _add(self, item: PageItem) -> None:
        if not item.seen:
            self.learning_set.add_page(item.page, item.anchors if self.with_anchors else None)
        elif self.with_anchors:
            self.learning_set.add_anchors(item.page.url, item.anchors)


class ArticlePipeline(PageTaker):
    """Apply the learned patterns to every page; a page that matches gives an article item.

    The article is announced as scraped, without a way through the pipelines
    that come after: feeds, statistics and extensions get it like any item,
    while pipelines that were written for other items never see it. With
    ``to_pipelines`` it takes the page item's place instead.

    Extraction runs in the crawl's own thread, some milliseconds a page.
    """

    setting = "patterns"

    def __init__(
        self,
        crawler: Crawler,
        patterns: PatternSet,
        options: ExtractOptions = ExtractOptions(),  # noqa: B008 - frozen
        *,
        to_pipelines: bool = False,
    ) -> None:
        self.crawler = crawler
        self.patterns = patterns
        self.options = options
        self.to_pipelines = to_pipelines

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ArticlePipeline:
        """Return the pipeline of a crawl, its patterns loaded.

        :raises NotConfigured: there are no patterns to apply.
        :raises OptionError: a pattern file is missing or cannot be read.
        """
        options = WebstemmerSettings.from_settings(crawler.settings)
        if not options.enabled:
            raise NotConfigured
        if not options.patterns:
            raise NotConfigured(f"{setting_name('patterns')} is not set")
        paths = [fill_in(path, _spider_name(crawler)) for path in options.patterns]
        return cls(
            crawler,
            load_patterns(paths, options.limits),
            options.extract_options,
            to_pipelines=options.articles_to_pipelines,
        )

    async def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002 - as above
        """Take page items, pass all others on."""
        return await _consume(self.crawler, item) if isinstance(item, PageItem) else item

    def extract(self, item: PageItem) -> ArticleItem | None:
        """Return a page's article, or None if no pattern matches; what goes wrong is logged and counted."""
        try:
            article = extract(item.page, self.patterns, self.options, root=item.root)
        except Exception as error:
            _report_failure(self.crawler, "webstemmer/errors/extract", item, error)
            return None
        self._count_match(article)
        return None if article is None else ArticleItem.from_article(article)

    def _count_match(self, article: Article | None) -> None:
        if article is None:
            _count(self.crawler, "webstemmer/unmatched")
        else:
            _count(self.crawler, "webstemmer/matched")
            _count(self.crawler, f"webstemmer/pattern/{article.pattern}")


def load_patterns(paths: list[Path], limits: Limits = Limits()) -> PatternSet:  # noqa: B008 - frozen
    """Return the patterns of all files; where two files know the same site, the later one counts.

    :param limits: how many patterns a file may have, and how many sections each of them.

    :raises OptionError: a file is missing or no pattern file; names the setting and the file.
    """
    sites: dict[str, SitePatterns] = {}
    for path in paths:
        try:
            loaded = PatternSet.load(path, limits)
        except (PatternFileError, OSError) as error:
            raise OptionError(setting_name("patterns"), str(path), str(error)) from None
        for site in sites.keys() & loaded.sites.keys():
            logger.warning("The patterns of %s in %s replace those of an earlier file", site, path)
        sites.update(loaded.sites)
    return PatternSet(sites)


async def _consume(crawler: Crawler, item: PageItem) -> ArticleItem:
    """Let both our pipelines take a page, whichever of them met it first, so that it goes no further.

    Between the two there may be pipelines of the project's, which must not see it.
    """
    if learning_set := crawler.get_item_pipeline(LearningSetPipeline):
        learning_set.store(item)
    articles = crawler.get_item_pipeline(ArticlePipeline)
    if articles and item.seen != "article":
        article = articles.extract(item)
        if article is not None and articles.to_pipelines:
            return article
        if article is not None:
            await _announce(crawler, article, item.response)
    raise PageConsumed


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


def _spider_name(crawler: Crawler) -> str:
    return (crawler.spider or crawler.spidercls).name


def _count(crawler: Crawler, key: str, count: int = 1) -> None:
    if crawler.stats:
        crawler.stats.inc_value(key, count)


def _report_failure(crawler: Crawler, key: str, item: PageItem, error: Exception) -> None:
    """Count and log that a page failed; with a traceback if it is no error that we foresaw."""
    _count(crawler, f"webstemmer/limits/{error.limit}" if isinstance(error, LimitError) else key)
    task = key.rpartition("/")[2]
    level = logging.WARNING if isinstance(error, PageError) else logging.ERROR
    trace = None if isinstance(error, WebstemmerError) else error
    extra = {"spider": crawler.spider}
    logger.log(level, "Cannot %s %s: %s", task, item.page.url, error, exc_info=trace, extra=extra)
