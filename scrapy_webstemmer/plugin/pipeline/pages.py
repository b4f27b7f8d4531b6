"""Scrapy item pipeline: what becomes of a page."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from scrapy import signals
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.log import logformatter_adapter
from scrapy.utils.misc import load_object

from ...items import ArticleItem, PageItem
from ..settings import PAGE_OPTIONS, WebstemmerSettings
from .articles import ArticleFinder
from .learning_set import PageStore

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

__all__ = [
    "ArticlePipeline",
    "IncrementalPipeline",
    "LearningSetPipeline",
    "PageConsumed",
    "PagePipeline",
]

logger = logging.getLogger(__name__)

_crawls: WeakSet[Crawler] = WeakSet()


class PageConsumed(DropItem):
    """A page item has reached its pipeline and goes no further; nothing is lost."""

    def __init__(self) -> None:
        super().__init__("page consumed by scrapy-webstemmer", log_level="DEBUG")


class PagePipeline:
    """Take every page of a crawl: store it in the learning set, and give its article; each if it is set.

    A page item ends here. An article is announced as scraped, without a way through the pipelines
    that come after: feeds, statistics and extensions get it like any item,
    while pipelines that were written for other items never see it. With
    ``to_pipelines`` it takes the page item's place instead.

    :param store: where pages are stored; None: nowhere.
    :param finder: what gives their articles; None: nothing does.
    """

    def __init__(
        self,
        crawler: Crawler,
        store: PageStore | None = None,
        finder: ArticleFinder | None = None,
        *,
        to_pipelines: bool = False,
    ) -> None:
        self.crawler = crawler
        self.store = store
        self.finder = finder
        self.to_pipelines = to_pipelines

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PagePipeline:
        """Return the pipeline of a crawl, its files open.

        Not in ``open_spider``: when that raises, Scrapy 2.13 ends with exit status 0.

        :raises NotConfigured: there is nothing to do.
        :raises OptionError: a file cannot be read, opened or begun.
        """
        options = WebstemmerSettings.from_crawler(crawler, *PAGE_OPTIONS)
        if crawler in _crawls:  # there are two of them, with different names
            raise NotConfigured
        finder = ArticleFinder.from_settings(crawler, options)
        store = PageStore.from_settings(crawler, options)
        _crawls.add(crawler)
        return cls(crawler, store, finder, to_pipelines=options.articles_to_pipelines)

    @classmethod
    def is_in(cls, settings: BaseSettings) -> bool:
        """Return whether ITEM_PIPELINES has this pipeline or a subclass."""
        pipelines = settings.getdict("ITEM_PIPELINES").items()
        classes = [load_object(path) for path, order in pipelines if order is not None]
        return any(isinstance(one, type) and issubclass(one, cls) for one in classes)

    def close_spider(self, spider: Spider | None = None) -> None:  # noqa: ARG002 - Scrapy 2.13 passes it
        """Finish and close the files."""
        if self.store:
            self.store.close()
        if self.finder:
            self.finder.close()

    async def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002 - as above
        """Take page items, pass all others on."""
        if not isinstance(item, PageItem):
            return item
        if self.store:
            self.store.add(item)
        article = await self.finder.find(item) if self.finder else None
        if article is not None and self.to_pipelines:
            return article
        if article is not None:
            await _announce(self.crawler, article, item.response)
        raise PageConsumed


# There were three pipelines once, and projects may name them in ITEM_PIPELINES: the first one does it all.


class LearningSetPipeline(PagePipeline):
    """Another name of the pipeline."""


class ArticlePipeline(PagePipeline):
    """Another name of the pipeline."""


class IncrementalPipeline(PagePipeline):
    """Another name of the pipeline."""


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
