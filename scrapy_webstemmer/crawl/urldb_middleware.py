"""Scrapy spider middleware: skip requests whose pages earlier crawls have stored."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.extensions.feedexport import FeedExporter
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from ..errors import UrlDbError
from ..items import KEY, SEEN, USE, article_repeated, article_scraped, page_stored
from ..storage.urldb import ARTICLE, PAGE, UrlDb, key_digest, url_digest
from .feeds import ArticleFeeds
from .own_feeds import flush_feeds
from .page_pipeline import PagePipeline
from .reports import OwnLines, count, count_for_level, counted, log_of, said_in_a_line
from .scrapy_inside import is_trial
from .settings import WebstemmerSettings, opened, path_of

logger = logging.getLogger(__name__)

#: Urls whose items are in feeds that are not on the disk yet; then the feeds are flushed.
_MOST_UNSAFE = 100

_SKIPPED_STAT = "webstemmer/urldb/skipped"
_AGAIN_STAT = "webstemmer/urldb/again"


class UrlDbMiddleware(BaseSpiderMiddleware):
    """Skip requests whose pages or items earlier crawls have stored, and mark what this crawl stores.

    The crawl looks up each url once, and keeps the answer until it ends. This costs about 200 bytes of memory
    per url. Repeated requests are left to Scrapy's own filter.

    Give it a small order. It must be below DepthMiddleware (900), which sets the depth that is used here, and
    below the project's own middlewares, so that it sees their requests.
    """

    def __init__(self, crawler: Crawler, urldb: UrlDb, *, depth_limit: int = 0) -> None:
        """Take an open URLDB.

        :param depth_limit: depth at which a page is not fetched again for its links; 0: there is no such
            depth.
        """
        super().__init__(crawler)
        self.urldb = urldb
        self.depth_limit = depth_limit
        self._kinds: dict[bytes, str | None] = {}
        self._outcomes: dict[bytes, str] = {}
        self._added: set[bytes] = set()
        self._unsafe: list[bytes] = []
        self._unsafe_articles: list[bytes] = []

    @classmethod
    @said_in_a_line
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the middleware of a crawl, with its URLDB open.

        :raises NotConfigured: no URLDB is set.
        :raises OptionError: the URLDB cannot be opened or created.
        """
        options = WebstemmerSettings.from_crawler(crawler, "urldb")
        if is_trial(crawler):
            raise NotConfigured
        # If the crawl looks for articles, a page that has not given one yet may give one this time.
        articles = options.patterns or options.at_once
        depth_limit = 0 if articles else crawler.settings.getint("DEPTH_LIMIT")
        path = path_of(crawler, str(options.urldb), options.timestamp)
        with opened("urldb", path):
            urldb = UrlDb(path)
        OwnLines(crawler)
        middleware = cls(crawler, urldb, depth_limit=depth_limit)
        crawler.signals.connect(middleware.page_stored, page_stored)
        crawler.signals.connect(middleware.item_scraped, signals.item_scraped)
        crawler.signals.connect(middleware.article_scraped, article_scraped)
        crawler.signals.connect(middleware.article_scraped, article_repeated)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        crawler.signals.connect(middleware.engine_stopped, signals.engine_stopped)
        return middleware

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """Return a request, or None if it is skipped.

        The request's meta says what an earlier crawl has stored for it.
        """
        request.meta.pop(SEEN, None)  # a spider may have passed on the meta of another page
        if not _takes_part(request):
            request.meta[USE] = False  # a redirect could otherwise make it look like one that does
            return request
        digest = _digest(request)
        kind = self._kind(digest)
        if kind is None:
            return request
        if response is not None and self._is_done(request, kind):
            if self._count_outcome(digest, _SKIPPED_STAT):
                log = log_of(self.crawler, logger)
                log.debug("Skipped, %s stored in an earlier crawl: %s", kind, request)
            return None
        self._count_outcome(digest, _AGAIN_STAT)
        request.meta[SEEN] = kind
        return request

    def process_spider_input(
        self,
        response: Response,
        spider: Spider | None = None,  # noqa: ARG002 - Scrapy 2.13 passes it
    ) -> None:
        """Let the last url of a redirected page say what is stored of it.

        The url of its request may lead to another page each day, or to one that an earlier crawl has stored
        under its new url alone.
        """
        request = response.request
        if request is None or not request.meta.get("redirect_urls"):
            return
        if not _takes_part(request) or _key(request) is not None:
            return
        request.meta.pop(SEEN, None)
        digest = url_digest(response.url)
        if kind := self._kind(digest):
            request.meta[SEEN] = kind
            self._count_outcome(digest, _AGAIN_STAT)
            self._mark(_digests(request, response.url), kind)

    def page_stored(self, response: Response | None) -> None:
        """Mark a page that is safe in the learning set."""
        self._mark(self._digests(response), PAGE)

    def item_scraped(self, response: Response | None) -> None:
        """Mark the page from which an item was made, when the item is safe in its feed."""
        self._unsafe += self._digests(response)
        self._mark_if_safe()

    def article_scraped(self, response: Response | None) -> None:
        """Mark the page of an article, when the article is safe in its feed."""
        self._unsafe_articles += self._digests(response)
        self._mark_if_safe()

    def _mark_if_safe(self) -> None:
        feeds = self._feeds()
        if not feeds:  # an item is where the pipelines have put it; an article is nowhere
            self._mark(self._unsafe, ARTICLE)
            self._unsafe = []
        elif self._waiting() >= _MOST_UNSAFE and flush_feeds(feeds):
            self._mark_safe()

    def spider_closed(self) -> None:
        """Log how many urls were skipped and fetched again."""
        counts = [counted(self.crawler).get(key, 0) for key in (_SKIPPED_STAT, _AGAIN_STAT)]
        message = "Of the urls in %s %d were skipped, %d fetched again"
        log_of(self.crawler, logger).info(message, self.urldb.path, *counts)

    def engine_stopped(self) -> None:
        """Mark what feeds have taken by the time they were closed, and close the file."""
        stats = self.crawler.stats.get_stats() if self.crawler.stats else {}
        if any("feedexport/failed_count" in key for key in (*stats, *counted(self.crawler))):
            message = "A feed could not be stored: %d urls are not marked as done"
            log_of(self.crawler, logger).warning(message, self._waiting())
        else:
            articles = self._article_feeds()
            if articles and articles.are_lost:
                self._unsafe_articles = []
            self._mark_safe()
        self.urldb.close()

    def _kind(self, digest: bytes) -> str | None:
        """Return what earlier crawls have stored for a url; record once per crawl that it was met again."""
        if digest not in self._kinds:
            with self._reported():
                entry = self.urldb.find(digest)
                self._kinds[digest] = entry.kind if entry else None
                if entry:
                    self.urldb.touch(digest)
        return self._kinds.get(digest)

    def _is_done(self, request: Request, kind: str) -> bool:
        """Return whether fetching a request again would bring neither an item nor links to follow."""
        no_depth_left = 0 < self.depth_limit <= request.meta.get("depth", 0)
        return kind == ARTICLE or no_depth_left

    def _digests(self, response: Response | None) -> list[bytes]:
        """Return the digests of a response that takes part; this crawl has stored it, not an earlier one."""
        if not isinstance(response, Response):  # that of an item of an errback is a failure
            return []
        if response.request is None or not _takes_part(response.request):
            return []
        digests = [*_digests(response.request, response.url)]
        for digest in digests:
            self._kinds.setdefault(digest, None)
            if digest not in self._added:
                self._added.add(digest)
                with self._reported():
                    count(self.crawler, "webstemmer/urldb/added", self.urldb.find(digest) is None)
        return digests

    def _mark(self, digests: Iterable[bytes], kind: str) -> None:
        for digest in digests:
            with self._reported():
                self.urldb.mark(digest, kind)

    def _mark_safe(self) -> None:
        self._mark([*self._unsafe, *self._unsafe_articles], ARTICLE)
        self._unsafe, self._unsafe_articles = [], []

    def _waiting(self) -> int:
        return len(self._unsafe) + len(self._unsafe_articles)

    def _article_feeds(self) -> ArticleFeeds | None:
        pipeline = self.crawler.get_item_pipeline(PagePipeline)
        return pipeline.feeds if pipeline else None

    def _feeds(self) -> list[FeedExporter]:
        """Return what exports to feeds."""
        articles = self._article_feeds()
        exporters = (self.crawler.get_extension(FeedExporter), articles.exporter if articles else None)
        return [exporter for exporter in exporters if exporter is not None]

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Log and count an error; the crawl goes on as if the url were unknown."""
        try:
            yield
        except UrlDbError as error:
            level = count_for_level(self.crawler, "webstemmer/errors/urldb", logging.ERROR)
            message = "URLDB failed (later failures are at DEBUG): %s"
            log_of(self.crawler, logger).log(level, message, error)

    def _count_outcome(self, digest: bytes, key: str) -> bool:
        """Count a url once, however many pages link to it; return whether it was counted now."""
        before = self._outcomes.get(digest)
        if before in (key, _AGAIN_STAT):
            return False
        if before is not None:  # it was skipped at the depth limit, and is now met nearer to the start
            count(self.crawler, before, -1)
        self._outcomes[digest] = key
        count(self.crawler, key)
        return True


def _takes_part(request: Request) -> bool:
    """Return whether a request is looked up and marked, by its url or by a key of its own."""
    if not request.meta.get(USE, True):
        return False
    return _key(request) is not None or (request.method == "GET" and not request.body)


def _key(request: Request) -> str | None:
    key: Any = request.meta.get(KEY)
    return None if key in (None, "") else str(key)


def _digest(request: Request) -> bytes:
    key = _key(request)
    return url_digest(request.url) if key is None else key_digest(key)


def _digests(request: Request, url: str) -> set[bytes]:
    """Return the digests of a response: its request's key, or all urls that have led to it."""
    if _key(request) is not None:
        return {_digest(request)}
    return {url_digest(each) for each in (*request.meta.get("redirect_urls", ()), request.url, url)}
