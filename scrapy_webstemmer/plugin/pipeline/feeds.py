"""Give the articles of a crawl to feeds: to their own, and to those of the project that ask for them."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage, ItemFilter
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager

from ...items import ArticleItem, article_scraped
from ..feed_settings import usual_fields
from ..item_classes import make_item
from ..log_counts import OwnLines
from ..reports import count, report_failure, send
from ..settings import setting_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..item_classes import ItemClass
    from ..settings import WebstemmerSettings

logger = logging.getLogger(__name__)

#: Bytes of articles that wait in memory; more wait in a temporary file.
_IN_MEMORY = 1 << 20
#: Formats in which an item is safe as soon as its line is.
_BY_LINES = {"csv", "jsonlines", "jsonl", "jl"}


@dataclass(eq=False)
class ArticleFeeds:
    """Gives each article to the feeds that are for articles, and tells those who listen.

    An article is not an item of the project's: it is not counted, dropped or logged like one. A feed of
    the project gets articles if its ``item_classes`` ask for them. If no feed is for articles, they wait
    until the end of the crawl. If the spider has given no item by then, the project's feeds get them.

    An ``ArticleItem`` that a callback yields, for example with scrapy-poet, is an item like any other.

    :param own: the exporter of the feeds in ``WEBSTEMMER_ARTICLES``; None: there are none.
    :param item_class: the class of the articles that users get; None:
        :class:`~scrapy_webstemmer.ArticleItem`.
    :ivar given: the number of articles so far.
    :ivar are_lost: whether there were articles, and no feed for them; known at the end.
    """

    crawler: Crawler
    own: FeedExporter | None = None
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
        """Return the feeds of a crawl, which begin with the spider and end after it."""
        scoped: Any = _Scoped(crawler, _own_feeds(crawler, options))
        own = FeedExporter(scoped) if options.articles else None
        feeds = cls(crawler, own, options.item)
        if own is not None:
            feeds._own_lines = OwnLines(crawler, feeds._is_about_own)
            crawler.signals.connect(feeds._open_own, signals.spider_opened)
            crawler.signals.connect(own.close_spider, signals.spider_closed)
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
        count(self.crawler, "webstemmer/articles")
        logger.debug("Article %s", article, extra={"spider": self.crawler.spider})
        work = partial(self._wait, article) if self._waits() else partial(self._export, item)
        if self._is_done(article, work):
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
            for article in self._kept():
                item = make_item(self.crawler, self.item_class, article)
                if item is not None:
                    self._is_done(article, partial(self._export, item))
        if self.are_lost:
            why = "since the feeds have the spider's items" if self._filters else "since there is none"
            message = "%d articles are in no feed, %s: set %s"
            extra = {"spider": self.crawler.spider}
            logger.warning(message, self.given, why, setting_name("articles"), extra=extra)
        if self._waiting is not None:
            self._waiting.close()

    def _open_own(self, spider: Spider) -> None:
        assert self.own is not None  # noqa: S101 - it is connected for them alone
        try:
            self.own.open_spider(spider)
        except Exception:
            self.own = None  # the articles are then said to be lost, and none is marked as done
            raise
        for slot in self.own.slots:
            if isinstance(slot.storage, FileFeedStorage) and slot.format in _BY_LINES:
                _end_last_line(Path(slot.storage.path))

    def _is_about_own(self, record: logging.LogRecord) -> bool:
        """Return whether a line of Scrapy's log says that one of our own feeds is stored."""
        uris = tuple(f" in: {slot.uri}" for slot in self.own.slots) if self.own else ()
        return record.name == FeedExporter.__module__ and record.getMessage().endswith(uris)

    def _note_item(self) -> None:
        self._has_items = True

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


def _own_feeds(crawler: Crawler, options: WebstemmerSettings) -> dict[str, Any]:
    """Return the feeds of articles with their paths filled in, and with the fields that they have."""
    chosen = options.fields or usual_fields(with_sections=options.extract_options.comments)
    fields = None if options.item else dict(chosen)  # None: an item of another class has what its class says
    spider = (crawler.spider or crawler.spidercls).name
    feeds = {}
    for uri, own in options.articles.items():
        uri = uri.replace("%(spider)s", spider)
        if options.timestamp:
            uri = uri.replace("%(timestamp)s", options.timestamp)
        feeds[uri.replace("%(timestamp)s", "%(time)s")] = {"fields": fields, **own}
    return feeds


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


class _Scoped:
    """A crawler as the exporter of our own feeds sees it: with these feeds alone, and stats of ours.

    The exporter's signals reach nobody, since the project's handlers expect only the project's feeds.
    """

    def __init__(self, crawler: Crawler, feeds: Mapping[str, Any]) -> None:
        self._crawler = crawler
        self.settings = Settings(dict(crawler.settings))
        self.settings.set("FEEDS", dict(feeds), priority="cmdline")
        self.settings.set("FEED_URI", None, priority="cmdline")
        self.stats = self
        self.signals = SignalManager(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._crawler, name)

    def inc_value(self, key: str, number: int = 1, start: int = 0) -> None:
        """Raise a stat, under our own name."""
        if self._crawler.stats:
            self._crawler.stats.inc_value("webstemmer/" + key, number, start)


def _end_last_line(path: Path) -> None:
    """End the last line of a file that a killed crawl has left, so that nothing is added to it."""
    try:
        with path.open("r+b") as stream:
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
    except OSError:  # there is no such file, or it is empty
        return


def flush_feeds(exporters: Sequence[FeedExporter]) -> bool:
    """Bring all that was given to feeds onto the disk, if the feeds are such that this can be done.

    :returns: whether every item and article so far is safe.
    """
    slots = [slot for exporter in exporters for slot in exporter.slots]
    if not all(isinstance(slot.storage, FileFeedStorage) and slot.format in _BY_LINES for slot in slots):
        return False
    for slot in slots:
        if not slot.itemcount:
            continue
        try:
            file: Any = slot.file
            file.flush()
            os.fsync(file.fileno())
        except (OSError, ValueError, AttributeError):  # the disk is full, or the file is a compressed one
            return False
    return True
