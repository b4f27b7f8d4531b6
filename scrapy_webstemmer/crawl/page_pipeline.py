"""Scrapy item pipeline: store the pages of a crawl, and give their articles."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from ..base.compiled import say_what_is_missing
from ..base.parts import skip_old_objects
from ..items import USE, ArticleItem, CrawledPage, article_repeated
from ..site.copies import content_of, plain_url
from ..values import Article
from .article_finder import ArticleFinder
from .feeds import ArticleFeeds, ShownArticles
from .item_classes import make_item
from .learning_at_end import LearningAtEnd
from .outcome import report_drift, say_what_was_done
from .page_store import PageStore
from .reports import count, log_of, said_in_a_line, send
from .scrapy_inside import AtTheEnd, check_end, is_trial, pipelines_of, process_item_apart, shows_results
from .setting_values import setting_name
from .settings import PAGE_OPTIONS, WebstemmerSettings

logger = logging.getLogger(__name__)

_crawls: WeakSet[Crawler] = WeakSet()


@dataclass(eq=False)
class PagePipeline(AtTheEnd):
    """Store every page of a crawl in the learning set, and give its article, as the settings ask.

    The spider middleware gives it the pages, which are not items: nobody counts or drops them. Items pass
    through unchanged. It is an item pipeline because these are closed when all items are done, and before
    the feeds.

    :param store: stores the pages; None: no page is stored.
    :param finder: finds their articles; None: no article is extracted.
    :param feeds: get the articles; None: articles are items, and go through the later pipelines.
    :param learning: learns at the end of the crawl; None: nothing is learned.
    """

    crawler: Crawler
    options: WebstemmerSettings = field(default_factory=WebstemmerSettings)
    store: PageStore | None = None
    finder: ArticleFinder | None = None
    feeds: ArticleFeeds | None = None
    learning: LearningAtEnd | None = None
    _contents: set[bytes] = field(default_factory=set, init=False)
    _early: set[bytes] = field(default_factory=set, init=False)
    _items: WeakValueDictionary[int, Any] = field(default_factory=WeakValueDictionary, init=False)
    _look_at_all: Callable[[], None] | None = field(default=None, init=False)
    _is_closed: bool = field(default=False, init=False)

    @classmethod
    @said_in_a_line
    def from_crawler(cls, crawler: Crawler) -> PagePipeline:
        """Return the pipeline of a crawl, with its files open.

        The files are not opened in ``open_spider``: if that raises, Scrapy 2.13 ends with exit status 0.

        :raises NotConfigured: no setting needs pages, or the crawl has this pipeline already.
        :raises OptionError: a file cannot be read, opened or created.
        """
        options = WebstemmerSettings.from_crawler(crawler, *PAGE_OPTIONS)
        if is_trial(crawler):
            return cls._for_trial(crawler, options)
        if crawler in _crawls:  # the project names the pipeline and a subclass of it
            raise NotConfigured
        check_end(crawler, options)
        if options.articles and options.articles_to_pipelines:
            names = setting_name("articles"), setting_name("articles_to_pipelines")
            log_of(crawler, logger).warning("%s is not used: with %s articles are items", *names)
        say_what_is_missing(logger, spider=crawler.spider)
        store = PageStore.from_settings(crawler, options)
        learning = LearningAtEnd.from_settings(crawler, options, store)
        finder = ArticleFinder.from_settings(crawler, options, learning)
        to_feeds = finder is not None and not options.articles_to_pipelines
        feeds = ArticleFeeds.from_settings(crawler, options) if to_feeds else None
        _crawls.add(crawler)
        pipeline = cls(crawler, options, store, finder, feeds, learning)
        for signal in (signals.item_dropped, signals.item_error):
            crawler.signals.connect(pipeline._lose, signal)
        # newer Scrapy closes no other pipeline after one that fails to close
        crawler.signals.connect(pipeline.close_spider, signals.spider_closed)
        return pipeline

    @classmethod
    def _for_trial(cls, crawler: Crawler, options: WebstemmerSettings) -> PagePipeline:
        """Return the pipeline of a command that looks at a page: it stores nothing, and may show articles."""
        if not (options.patterns or options.at_once) or not shows_results(crawler):
            raise NotConfigured
        finder = ArticleFinder.from_settings(crawler, replace(options, learn=False))
        return cls(crawler, options, None, finder, ShownArticles(crawler))

    @classmethod
    def is_in(cls, settings: BaseSettings) -> bool:
        """Return whether ITEM_PIPELINES has this pipeline or a subclass."""
        pipelines = settings.getdict("ITEM_PIPELINES").items()
        classes = [load_object(path) for path, order in pipelines if order is not None]
        return any(isinstance(pipeline, type) and issubclass(pipeline, cls) for pipeline in classes)

    async def take(self, page: CrawledPage) -> Any:
        """Store a page and find its article; return the article if it is to go on as an item, else None.

        Of a feed, what it says about pages is stored.
        """
        if self.store:
            self.store.add(page)
        article = await self.finder.find(page) if self.finder and not page.announced else None
        return None if article is None else await self._given(article, page.response)

    async def finish(self) -> None:
        """Do what is left to do when all pages are there: compare the crawl with earlier ones, and learn.

        The later pipelines and the feeds are still open.
        """
        if self.store:
            self.store.flush()
        if self.learning and self.finder:
            drifted = report_drift(self.crawler, self.finder, self.options, self.store)
            await self.learning.run(drifted, self.finder.tallies.keys(), self._give_late)
        if self.store:
            # pages that go on waiting are needed by the next crawl, or when the job is resumed
            await self.store.prune(frozenset(self.learning.pages if self.learning else ()))

    async def _given(self, article: ArticleItem, response: Response | None) -> Any:
        """Give an article to the feeds; return it if it is to go on as an item instead.

        A copy of an earlier one goes nowhere. A provisional article leaves its url as it is in the URLDB, so
        that a later crawl fetches the page again if this one is killed. So does the text of a page that is no
        article: lists change, and lead to new articles.
        """
        is_first = self._is_first(article)
        if article.provisional:
            if is_first and (item := make_item(self.crawler, self.options.item, article)) is not None:
                await self._give_early(article, item, _unmarked(response))
            return None
        if not is_first:
            count(self.crawler, "webstemmer/copies")
            await send(self.crawler, article_repeated, article=article, response=response)
            return None
        item = make_item(self.crawler, self.options.item, article)
        if item is not None and self.feeds is None:
            count(self.crawler, "webstemmer/articles")
            with suppress(TypeError):  # a plain dict cannot be known again
                self._items[id(item)] = item
        if self.finder is not None and self.finder.is_other(article):
            response = _unmarked(response)
            if item is not None and self.feeds is None:
                await process_item_apart(self.crawler, item, response)
                return None
        if item is None or self.feeds is None:
            return item
        await self.feeds.give(article, item, response)
        return None

    def _lose(self, item: Any) -> None:
        """Count an article that another pipeline has dropped, or failed on."""
        if self._items.pop(id(item), None) is item:
            count(self.crawler, "webstemmer/dropped")

    async def _give_early(self, article: ArticleItem, item: Any, response: Response | None) -> None:
        """Give a provisional article to the feeds, or through the pipelines."""
        if self.feeds is not None:
            await self.feeds.give(article, item, response)
            return
        count(self.crawler, "webstemmer/provisional")
        await process_item_apart(self.crawler, item, response)

    def _is_first(self, article: ArticleItem) -> bool:
        """Return whether an article has not come before; give it the url that its copies have, too.

        The final article of a page is no copy of its provisional one.
        """
        if self.finder is None or self.finder.options.copies:
            return True
        article.url = plain_url(article.url, article.canonical_url)
        content = content_of(article.url, article.title, article.text)
        is_first = content not in self._contents and not (article.provisional and content in self._early)
        (self._early if article.provisional else self._contents).add(content)
        return is_first

    async def _give_late(
        self, response: Response | None, article: Article | None, reason: str, is_known: bool
    ) -> None:
        assert self.finder is not None  # noqa: S101 - without it no page waits
        self.finder.count_match(article, reason, is_known=is_known)
        if article is None:
            return
        item = await self._given(self.finder.as_item(article), response)
        if item is not None:
            await process_item_apart(self.crawler, item, response)

    def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002 - Scrapy 2.13 passes it
        """Return the item: this pipeline has nothing to do with items."""
        return item

    def open_spider(self, spider: Spider | None = None) -> None:  # noqa: ARG002 - as above
        """Let the garbage collector look only at what the crawl makes."""
        self._look_at_all = skip_old_objects(collect=len(_crawls) > 1)  # an earlier crawl is perhaps garbage
        pipelines = pipelines_of(self.crawler) if self.options.articles_to_pipelines else ()
        if any(getattr(pipeline, "images_result_field", "") == "images" for pipeline in pipelines):
            message = (
                "Scrapy's ImagesPipeline replaces the field images of each article: set %s to another name"
            )
            log_of(self.crawler, logger).warning(message, "IMAGES_RESULT_FIELD")

    def close_spider(self, spider: Spider | None = None) -> None:  # noqa: ARG002 - as above
        """Finish and close the files, and say what was done: once, when pipelines close, or the spider."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._look_at_all:
            self._look_at_all()
        if self.finder and not self.learning:
            report_drift(self.crawler, self.finder, self.options, self.store)
        if self.store:
            self.store.close()
        if self.feeds:
            self.feeds.close()
        places = self.feeds.places() if self.feeds else ""
        say_what_was_done(self.crawler, self.store, with_articles=self.finder is not None, places=places)


def _unmarked(response: Response | None) -> Response | None:
    """Return a copy of a response that the URLDB does not take for done."""
    if response is None or response.request is None:
        return response
    request = response.request
    return response.replace(request=request.replace(meta={**request.meta, USE: False}))
