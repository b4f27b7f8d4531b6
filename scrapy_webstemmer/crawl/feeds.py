"""Decide which feeds get a crawl's articles: their own, or those of the project that ask for them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter
from scrapy.http import Response
from scrapy.utils.misc import load_object

from ..errors import OptionError, plural
from ..items import ArticleItem, article_scraped
from .item_classes import ItemClass
from .own_feeds import InUseError, OwnFeeds, check_files_are_apart, usual_feed
from .reports import OwnLines, count, log_of, report_failure, send
from .setting_values import setting_name
from .settings import WebstemmerSettings

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class ArticleFeeds:
    """Gives each article to the feeds that are for articles, and tells those who listen.

    An article is not an item of the project's: it is not counted, dropped or logged like one. A feed of
    the project gets articles if its ``item_classes`` name their class, and only then: what else goes there
    today, or nothing, says nothing about tomorrow. If no setting says where articles go, they have a file
    that is named after the spider.

    An ``ArticleItem`` that a callback yields, for example with scrapy-poet, is an item like any other.

    :param exporter: that of the articles' own feeds; None: there are none, or they cannot be opened.
    :param is_usual: whether no setting has asked for these feeds.
    :param item_class: the class of the articles that users get; None:
        :class:`~scrapy_webstemmer.ArticleItem`.
    :ivar articles: the number of articles so far, without provisional ones.
    :ivar are_lost: whether there were articles, and no feed for them; known at the end.
    """

    crawler: Crawler
    exporter: OwnFeeds | None = None
    is_usual: bool = False
    item_class: ItemClass | None = None
    articles: int = field(default=0, init=False)
    are_lost: bool = field(default=False, init=False)
    _in_export: Any = field(default=None, init=False)
    _filters: list[_AskedFilter] = field(default_factory=list, init=False)

    @classmethod
    def from_settings(cls, crawler: Crawler, options: WebstemmerSettings) -> Self:
        """Return the feeds of a crawl, which begin with the spider and end after it.

        :raises OptionError: a feed cannot work.
        """
        feeds = cls(crawler, item_class=options.item)
        feeds._filter_project()
        is_usual = options.articles is None and not feeds._are_asked_for()
        check_files_are_apart(crawler, options, usual_feed() if is_usual else options.articles or {})
        if options.articles is not None:
            feeds.exporter = OwnFeeds(crawler, options, options.articles) if options.articles else None
        elif is_usual:
            feeds.exporter, feeds.is_usual = _usual_feed(crawler, options), True
        OwnLines(crawler, feeds._is_about_exporter)
        crawler.signals.connect(feeds._open, signals.spider_opened)
        crawler.signals.connect(feeds._close_exporter, signals.spider_closed)
        return feeds

    async def give(self, article: ArticleItem, item: Any, response: Response | None) -> None:
        """Give an article to the feeds, log it in a line, and send ``article_scraped``.

        :param item: the article as users get it.
        """
        self.articles += not article.provisional
        log_of(self.crawler, logger).debug("Article %s", article)
        if self._is_exported(article, item):
            count(self.crawler, "webstemmer/provisional" if article.provisional else "webstemmer/articles")
            await send(self.crawler, article_scraped, article=item, response=response)

    def close(self) -> None:
        """Say how many articles have gone to no feed, and which file has those of an earlier crawl."""
        self.are_lost = bool(self.articles) and self.exporter is None and not self._are_asked_for()
        if self.are_lost:
            lost = plural(self.articles, "article") + (" is" if self.articles == 1 else " are")
            log_of(self.crawler, logger).warning("%s in no feed: set %s", lost, setting_name("articles"))
        if self.exporter is not None and (kept := self.exporter.kept()):
            log_of(self.crawler, logger).warning("No article came, so %s stays as it was", kept)

    def places(self) -> str:
        """Return the uris of all feeds that get articles, for people; empty: there is none."""
        uris = [self.exporter.names()] if self.exporter else []
        return ", ".join([*uris, *(feed.uri for feed in self._filters if feed.is_open)])

    def _open(self, spider: Spider) -> None:
        """Prepare the articles' own feeds, and say where articles go if no setting does."""
        exporter = self.exporter
        if exporter is None:
            return
        self.exporter = None  # if it fails, articles are said to be lost, and none is marked as done
        exporter.open_spider(spider)
        self.exporter = exporter
        if self.is_usual:
            alone = "; the project's feeds have the spider's items alone, since no item_classes name them"
            message = "Articles go to %s" + (alone if self._filters else "")
            log_of(self.crawler, logger).info(message, exporter.names())

    def _close_exporter(self, spider: Spider) -> Any:
        """Return what Scrapy is to wait for until the feeds are stored."""
        return None if self.exporter is None else self.exporter.close_spider(spider)

    def _is_about_exporter(self, record: logging.LogRecord) -> bool:
        """Return whether a line of Scrapy's log says that one of our own feeds is stored."""
        uris = tuple(f" in: {slot.uri}" for slot in self.exporter.slots) if self.exporter else ()
        return record.name == FeedExporter.__module__ and record.getMessage().endswith(uris)

    def _filter_project(self) -> None:
        """Keep articles out of the project's feeds that do not ask for them."""
        project = self._project()
        if project is None:
            return
        cls = self.item_class.cls if self.item_class else ArticleItem
        filters: dict[str, Any] = project.filters
        for uri, inner in filters.items():
            classes = tuple(load_object(path) for path in project.feeds[uri].get("item_classes") or ())
            filters[uri] = _AskedFilter(uri, inner, issubclass(cls, classes), self._is_ours)
            self._filters.append(filters[uri])

    def _are_asked_for(self) -> bool:
        """Return whether a feed of the project asks for articles."""
        return any(feed.is_open for feed in self._filters)

    def _is_ours(self, item: Any) -> bool:
        """Return whether an item is an article of ours; one of the same class may be the spider's."""
        return item is self._in_export

    def _project(self) -> FeedExporter | None:
        return self.crawler.get_extension(FeedExporter)

    def _is_exported(self, article: ArticleItem, item: Any) -> bool:
        """Give an article to the feeds, and return whether it worked; the crawl goes on if not."""
        assert self.crawler.spider is not None  # noqa: S101 - there is one while pages come
        self._in_export = item
        try:
            for exporter in filter(None, (self.exporter, self._project())):
                exporter.item_scraped(item, self.crawler.spider)
        except Exception as error:  # the disk is full, for example
            early, final = "webstemmer/errors/provisional/export", "webstemmer/errors/export"
            report_failure(self.crawler, early if article.provisional else final, article.url, error)
            return False
        finally:
            self._in_export = None
        return True


def _usual_feed(crawler: Crawler, options: WebstemmerSettings) -> OwnFeeds | None:
    """Return the exporter of the file that is named after the spider; None if there cannot be one.

    While another crawl writes this file, the next one has a number in its name.
    """
    number, busy = 1, ""
    while True:
        try:
            feeds = OwnFeeds(crawler, options, usual_feed(number))
        except InUseError as error:
            number, busy = number + 1, busy or str(error.value)
            continue
        except OptionError as error:  # nobody has asked for this file
            log_of(crawler, logger).warning("Articles have no file of their own: %s", error)
            return None
        if busy:
            message = "Another crawl is writing %s, so articles go to %s"
            log_of(crawler, logger).warning(message, busy, feeds.names())
        return feeds


class ShownArticles(ArticleFeeds):
    """Shows each article on standard output, for a command that looks at a page; no feed gets it."""

    async def give(self, article: ArticleItem, item: Any, response: Response | None) -> None:  # noqa: ARG002 - as for feeds
        """Print an article."""
        count(self.crawler, "webstemmer/articles")
        shown = json.dumps(ItemAdapter(item).asdict(), ensure_ascii=False, indent=2, default=str)
        print("# Article", shown, sep="\n")  # noqa: T201


@dataclass
class _AskedFilter:
    """The filter of a feed of the project, which keeps out our articles unless the feed asks for them.

    :param inner: the project's own filter, which decides about all that may come in.
    :param is_open: whether articles may come in.
    :param is_article: tells our articles from items of the spider, which may be of the same class.
    """

    uri: str
    inner: Any
    is_open: bool
    is_article: Callable[[Any], bool]

    def accepts(self, item: Any) -> bool:
        """Return whether the feed takes an item."""
        return (self.is_open or not self.is_article(item)) and bool(self.inner.accepts(item))
