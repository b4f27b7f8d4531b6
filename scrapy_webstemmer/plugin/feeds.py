"""Decide which feeds get a crawl's articles: their own, or those of the project that ask for them."""

from __future__ import annotations

import json
import logging
import tempfile
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter, ItemFilter

from ..errors import OptionError, plural
from ..items import ArticleItem, article_scraped
from .item_classes import make_item
from .own_feeds import USUAL_FEED, OwnFeeds
from .reports import OwnLines, count, report_failure, send
from .settings import setting_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from .item_classes import ItemClass
    from .settings import WebstemmerSettings

logger = logging.getLogger(__name__)

#: Bytes of articles that wait in memory; more wait in a temporary file.
_IN_MEMORY = 1 << 20


@dataclass(eq=False)
class ArticleFeeds:
    """Gives each article to the feeds that are for articles, and tells those who listen.

    An article is not an item of the project's: it is not counted, dropped or logged like one. A feed of
    the project gets articles if its ``item_classes`` ask for them. If no feed is for articles, they wait.
    With the spider's first item they go to a file of their own. If the spider gives no item at all, the
    project's feeds get them at the end of the crawl.

    An ``ArticleItem`` that a callback yields, for example with scrapy-poet, is an item like any other.

    :param own: the exporter of the articles' own feeds; None: there are none, or none yet.
    :param usual: the exporter that serves if the spider has items, and no other feed is for articles; None:
        the user wants no such file.
    :param item_class: the class of the articles that users get; None:
        :class:`~scrapy_webstemmer.ArticleItem`.
    :ivar given: the number of articles so far.
    :ivar are_lost: whether there were articles, and no feed for them; known at the end.
    """

    crawler: Crawler
    own: OwnFeeds | None = None
    usual: OwnFeeds | None = None
    item_class: ItemClass | None = None
    given: int = field(default=0, init=False)
    are_lost: bool = field(default=False, init=False)
    _has_items: bool = field(default=False, init=False)
    _in_export: Any = field(default=None, init=False)
    _filters: list[_AskedFilter] = field(default_factory=list, init=False)
    _waiting: Any = field(default=None, init=False)
    _own_lines: OwnLines | None = field(default=None, init=False)

    @classmethod
    def from_settings(cls, crawler: Crawler, options: WebstemmerSettings) -> Self:
        """Return the feeds of a crawl, which begin with the spider and end after it.

        :raises OptionError: a feed cannot work.
        """
        own = OwnFeeds(crawler, options, options.articles) if options.articles else None
        usual = _usual_feed(crawler, options) if options.articles is None else None
        feeds = cls(crawler, own, usual, options.item)
        feeds._own_lines = OwnLines(crawler, feeds._is_about_own)
        crawler.signals.connect(feeds._open, signals.spider_opened)
        crawler.signals.connect(feeds._close_own, signals.spider_closed)
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(feeds._note_item, signal)
        if not options.articles_to_pipelines:
            feeds._filter_project()
        return feeds

    async def give(self, article: ArticleItem, item: Any, response: Response | None) -> None:
        """Give an article to the feeds, log it in a line, and send ``article_scraped``.

        :param item: the article as users get it.
        """
        self.given += 1
        logger.debug("Article %s", article, extra={"spider": self.crawler.spider})
        work = partial(self._wait, article) if self._waits() else partial(self._export, item)
        if self._is_done(article, work):
            count(self.crawler, "webstemmer/articles")
            await send(self.crawler, article_scraped, article=item, response=response)

    @property
    def is_waiting(self) -> bool:
        """Whether articles wait that are in no feed yet."""
        return self._waiting is not None

    def close(self) -> None:
        """Give the articles that wait to the project's feeds, unless the spider has items of its own."""
        self.are_lost = (
            bool(self.given) and self.own is None and not any(one.is_open for one in self._filters)
        )
        if self._waiting is not None and not self._has_items:
            self.are_lost = False
            for one in self._filters:
                one.is_open = True
            self._give_kept()
        if self.are_lost:
            why = "since the feeds have the spider's items" if self._filters else "since there is none"
            message = "%s in no feed, %s: set %s"
            given = plural(self.given, "article") + (" is" if self.given == 1 else " are")
            extra = {"spider": self.crawler.spider}
            logger.warning(message, given, why, setting_name("articles"), extra=extra)
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None

    def _open(self, spider: Spider) -> None:
        """Prepare the feeds of the articles, and say where these will go if no setting does."""
        if self.own is not None:
            self._open_own(self.own, spider)
        elif self.usual is not None and not any(one.is_open for one in self._filters):
            message = "Articles go to %s" + (
                " if the spider yields items of its own" if self._filters else ""
            )
            logger.info(message, self.usual.names(), extra={"spider": spider})
            if not self._filters:
                self._use_usual()

    def _use_usual(self) -> None:
        """Let the articles have their file, and give it those that wait."""
        assert self.usual is not None  # noqa: S101 - the callers know
        assert self.crawler.spider is not None  # noqa: S101 - it has items
        self._open_own(self.usual, self.crawler.spider)
        self._give_kept()

    def _open_own(self, own: OwnFeeds, spider: Spider) -> None:
        self.own = self.usual = None  # if it fails, articles are said to be lost, and none is marked as done
        own.open_spider(spider)
        self.own = own

    def _close_own(self, spider: Spider) -> Any:
        """Return what Scrapy is to wait for until the feeds are stored."""
        return None if self.own is None else self.own.close_spider(spider)

    def _give_kept(self) -> None:
        """Give the articles that wait to the feeds that are there now."""
        if self._waiting is None:
            return
        for article in self._kept():
            item = make_item(self.crawler, self.item_class, article)
            if item is not None:
                self._is_done(article, partial(self._export, item))
        self._waiting.close()
        self._waiting = None

    def _is_about_own(self, record: logging.LogRecord) -> bool:
        """Return whether a line of Scrapy's log says that one of our own feeds is stored."""
        uris = tuple(f" in: {slot.uri}" for slot in self.own.slots) if self.own else ()
        return record.name == FeedExporter.__module__ and record.getMessage().endswith(uris)

    def _note_item(self) -> None:
        self._has_items = True
        if self.usual is not None and self._waits():
            self._use_usual()

    def _filter_project(self) -> None:
        """Keep articles out of the project's feeds that do not ask for them."""
        project = self._project()
        if project is not None:
            filters: dict[str, Any] = {uri: self._asked(one) for uri, one in project.filters.items()}
            self._filters, project.filters = [*filters.values()], filters

    def _asked(self, inner: Any) -> _AskedFilter:
        cls = self.item_class.cls if self.item_class else ArticleItem
        return _AskedFilter(inner, cls, self._is_ours)

    def _is_ours(self, item: Any) -> bool:
        """Return whether an item is an article of ours; one of the same class may be the spider's."""
        return item is self._in_export

    def _project(self) -> FeedExporter | None:
        return self.crawler.get_extension(FeedExporter)

    def _waits(self) -> bool:
        return self.own is None and bool(self._filters) and not any(one.is_open for one in self._filters)

    def _wait(self, article: ArticleItem) -> None:
        if self._waiting is None:
            self._waiting = tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8")  # noqa: SIM115
        self._waiting.write(json.dumps(asdict(article)) + "\n")

    def _kept(self) -> Iterator[ArticleItem]:
        self._waiting.seek(0)
        for line in self._waiting:
            yield ArticleItem(**json.loads(line))

    def _is_done(self, article: ArticleItem, work: Callable[[], None]) -> bool:
        """Do something with an article, and return whether it worked; the crawl goes on if not."""
        try:
            work()
        except Exception as error:  # the disk is full, for example
            report_failure(self.crawler, "webstemmer/errors/export", article.url, error)
            return False
        return True

    def _export(self, item: Any) -> None:
        assert self.crawler.spider is not None  # noqa: S101 - there is one while pages come
        self._in_export = item
        try:
            for exporter in filter(None, (self.own, self._project())):
                exporter.item_scraped(item, self.crawler.spider)
        finally:
            self._in_export = None


def _usual_feed(crawler: Crawler, options: WebstemmerSettings) -> OwnFeeds | None:
    """Return the exporter of the file that is named after the spider; None if there cannot be one."""
    try:
        return OwnFeeds(crawler, options, USUAL_FEED)
    except OptionError as error:  # nobody has asked for this file
        logger.warning("Articles have no file of their own: %s", error, extra={"spider": crawler.spider})
        return None


class ShownArticles:
    """Shows each article on standard output, for a command that looks at a page."""

    own: FeedExporter | None = None
    is_waiting = are_lost = False

    async def give(self, article: ArticleItem, item: Any, response: Response | None) -> None:  # noqa: ARG002 - as for feeds
        """Print an article."""
        shown = json.dumps(ItemAdapter(item).asdict(), ensure_ascii=False, indent=2, default=str)
        print("# Article", shown, sep="\n")  # noqa: T201

    def close(self) -> None:
        """Do nothing: there is no file."""


class _AskedFilter:
    """The filter of a feed of the project, which keeps out our articles unless the feed asks for them."""

    def __init__(self, inner: Any, cls: type[Any], is_article: Callable[[Any], bool]) -> None:
        self.inner = inner
        self.is_article = is_article
        classes = getattr(inner, "item_classes", ())
        #: Whether articles may come in. A filter that the project has written decides by itself.
        self.is_open = type(inner) is not ItemFilter or any(issubclass(cls, one) for one in classes)

    def accepts(self, item: Any) -> bool:
        """Return whether the feed takes an item."""
        return (self.is_open or not self.is_article(item)) and bool(self.inner.accepts(item))
