"""Scrapy item pipeline: take the page items of a crawl, store the pages, and give their articles."""

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
    """A page item has reached its pipeline and goes no further. Nothing is lost."""

    def __init__(self) -> None:
        super().__init__("page consumed by scrapy-webstemmer", log_level="DEBUG")


class PagePipeline:
    """Store every page of a crawl in the learning set, and give its article, as the settings ask.

    A page item ends here. Its article does not go through the later pipelines, which were written for other
    items. Instead the article is announced as scraped, so that feeds, statistics and extensions get it like
    any item. With ``to_pipelines`` the article replaces the page item and goes through the later pipelines.

    :param store: stores the pages; None: no page is stored.
    :param finder: finds their articles; None: no article is extracted.
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
        """Return the pipeline of a crawl, with its files open.

        The files are not opened in ``open_spider``: if that raises, Scrapy 2.13 ends with exit status 0.

        :raises NotConfigured: no setting needs pages, or the crawl has this pipeline already.
        :raises OptionError: a file cannot be read, opened or created.
        """
        options = WebstemmerSettings.from_crawler(crawler, *PAGE_OPTIONS)
        if crawler in _crawls:  # the project names the pipeline twice, by different names
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
        """Take page items, and pass on all others."""
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


# Earlier versions had three pipelines, which projects may still name. The first one named does all the work.


class LearningSetPipeline(PagePipeline):
    """An earlier name of the pipeline."""


class ArticlePipeline(PagePipeline):
    """An earlier name of the pipeline."""


class IncrementalPipeline(PagePipeline):
    """An earlier name of the pipeline."""


async def _announce(crawler: Crawler, item: ArticleItem, response: Response | None) -> None:
    """Log an item, send ``item_scraped``, and wait for the handlers, as Scrapy does at the end."""
    assert crawler.spider is not None  # noqa: S101 - there is one while items are processed
    if entry := crawler.logformatter.scraped(item, response, crawler.spider):
        logger.log(*logformatter_adapter(entry), extra={"spider": crawler.spider})
    message = {"signal": signals.item_scraped, "item": item, "response": response, "spider": crawler.spider}
    if hasattr(crawler.signals, "send_catch_log_async"):  # from Scrapy 2.14 on
        await crawler.signals.send_catch_log_async(**message)
    else:
        await maybe_deferred_to_future(crawler.signals.send_catch_log_deferred(**message))
