"""Scrapy item pipeline: store the pages of a crawl, extract articles, and say at the end what was done."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from scrapy.exceptions import NotConfigured
from scrapy.utils.misc import load_object

from ..base.work import say_what_is_missing
from ..errors import plural
from ..items import CrawledPage, article_repeated
from ..site.copies import content_of, plain_url
from .article_finder import Advice, ArticleFinder, report_drift
from .feeds import ArticleFeeds, ShownArticles
from .item_classes import ItemClass, make_item
from .learning_at_end import LearningAtEnd
from .page_store import PageStore
from .reports import USE, count, said_in_a_line, send
from .scrapy_internals import AtTheEnd, check_end, is_trial, process_item_apart, shows_results
from .settings import PAGE_OPTIONS, WebstemmerSettings, setting_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from ..items import ArticleItem
    from ..values import Article

logger = logging.getLogger(__name__)

# --- Say at the end of a crawl what was collected and what came out, and why if it is nothing

#: Why responses are no pages, by the ends of their stats.
_IGNORED = {
    "not_html": "without HTML",
    "status": "without success by status",
    "empty": "without content",
    "skipped": "skipped on request",
}
_PREFIX = "webstemmer/"


def say_what_was_done(
    crawler: Crawler, store: PageStore | None, *, with_articles: bool, places: str = ""
) -> None:
    """Log a line with the numbers of pages and articles, and a warning if there are none.

    :param store: the learning set of the crawl; None: no page was to be stored.
    :param with_articles: whether articles were to be extracted.
    :param places: the feeds that have got them; empty: none.
    """
    found = crawler.stats.get_stats() if crawler.stats else {}
    stats = {key.removeprefix(_PREFIX): n for key, n in found.items() if key.startswith(_PREFIX)}
    extra = {"spider": crawler.spider}
    parts = []
    if store:
        stored = plural(stats.get("pages_stored", 0), "page")
        parts.append(f"{stored} stored in {store.learning_set.path}")
        if store.lost:
            parts.append(f"{len(store.lost):,} more could not be stored")
    if with_articles:
        articles = _articles(stats)
        early = stats.get("provisional", 0)
        others = f" and {plural(early, 'provisional one')}" if early else ""
        where = f" in {places}" if articles + early and places else ""
        parts.append(plural(articles, "article") + others + where)
        if lost := stats.get("errors/export", 0):
            parts.append(f"{lost:,} more could not be written")
    was_skipped = stats.get("urldb/skipped", 0) and not stats.get("waiting", 0) + len(
        _under(stats, "errors/")
    )
    if store and was_skipped and not stats.get("pages_stored", 0) + _articles(stats):
        logger.info("Result: nothing new", extra=extra)
        return
    if parts:
        logger.info("Result: %s", ", ".join(parts), extra=extra)
    if store and not stats.get("pages_stored", 0) + stats.get("pages_seen", 0):
        logger.warning("No page was stored: %s", _why_no_page(stats), extra=extra)
    elif with_articles and not _articles(stats):
        # the pages that give articles may all be among those that earlier crawls have stored
        level = logging.INFO if was_skipped else logging.WARNING
        article = "a final article" if stats.get("provisional", 0) else "an article"
        logger.log(level, "No page gave %s: %s", article, _why_no_article(stats), extra=extra)


def _articles(stats: Mapping[str, int]) -> int:
    found = stats.get("matched", 0) + stats.get("by_themselves", 0) or stats.get("segments/articles", 0)
    return found - stats.get("copies", 0) - stats.get("errors/export", 0)


def _why_no_page(stats: Mapping[str, int]) -> str:
    responses = {text: stats.get(f"ignored/{key}", 0) for key, text in _IGNORED.items()}
    responses["with a feed"] = stats.get("feeds", 0)
    groups = (
        ("response", "{}", responses),
        ("page", "beyond the limit {}", _under(stats, "limits/")),
        ("failure", "to {}", _under(stats, "errors/")),
    )
    reasons = [
        f"{plural(n, noun)} {what.format(of)}" for noun, what, group in groups for of, n in group.items() if n
    ]
    return ", ".join(reasons) or "no response came to a callback of the spider"


def _why_no_article(stats: Mapping[str, int]) -> str:
    unknown, unmatched = stats.get("unknown_site", 0), stats.get("unmatched", 0)
    if waiting := stats.get("waiting", 0):
        verb = "waits until its site is" if waiting == 1 else "wait until their sites are"
        return f"{plural(waiting, 'page')} {verb} learned"
    if uncertain := stats.get("uncertain", 0):
        name = setting_name("min_confidence")
        return f"{plural(uncertain, 'article')} with a confidence below {name}"
    if unknown:
        return f"{plural(unknown, 'page')} of sites that the pattern files do not know"
    if unmatched:
        return f"{plural(unmatched, 'page')} that no pattern fits, or that look like no articles"
    return _why_no_page(stats)


def _under(stats: Mapping[str, int], beginning: str) -> dict[str, int]:
    return {key.removeprefix(beginning): n for key, n in stats.items() if key.startswith(beginning)}


# --- Scrapy item pipeline: store the pages of a crawl, and give their articles

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
    :param item_class: the class of the articles that users get; None:
        :class:`~scrapy_webstemmer.ArticleItem`.
    :param learning: learns at the end of the crawl; None: nothing is learned.
    :param advice: what to do if a site has changed.
    """

    crawler: Crawler
    store: PageStore | None = None
    finder: ArticleFinder | None = None
    feeds: ArticleFeeds | ShownArticles | None = None
    item_class: ItemClass | None = None
    learning: LearningAtEnd | None = None
    advice: Advice = field(default_factory=Advice)
    _contents: set[bytes] = field(default_factory=set, init=False)
    _early: set[bytes] = field(default_factory=set, init=False)

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
            message, extra = "%s is not used: with %s articles are items", {"spider": crawler.spider}
            names = setting_name("articles"), setting_name("articles_to_pipelines")
            logger.warning(message, *names, extra=extra)
        say_what_is_missing(logger, spider=crawler.spider)
        store = PageStore.from_settings(crawler, options)
        learning = LearningAtEnd.from_settings(crawler, options, store)
        finder = ArticleFinder.from_settings(crawler, options, learning)
        to_feeds = finder is not None and not options.articles_to_pipelines
        feeds = ArticleFeeds.from_settings(crawler, options) if to_feeds else None
        _crawls.add(crawler)
        return cls(crawler, store, finder, feeds, options.item, learning, Advice.of(crawler, options, store))

    @classmethod
    def _for_trial(cls, crawler: Crawler, options: WebstemmerSettings) -> PagePipeline:
        """Return the pipeline of a command that looks at a page: it stores nothing, and may show articles."""
        if not (options.patterns or options.at_once) or not shows_results(crawler):
            raise NotConfigured
        finder = ArticleFinder.from_settings(crawler, replace(options, segments=None, learn=False))
        return cls(crawler, None, finder, ShownArticles(), options.item)

    @classmethod
    def is_in(cls, settings: BaseSettings) -> bool:
        """Return whether ITEM_PIPELINES has this pipeline or a subclass."""
        pipelines = settings.getdict("ITEM_PIPELINES").items()
        classes = [load_object(path) for path, order in pipelines if order is not None]
        return any(isinstance(one, type) and issubclass(one, cls) for one in classes)

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
            drifted = report_drift(self.crawler, self.finder, self.advice)
            await self.learning.run(drifted, self.finder.tallies.keys(), self._give_late)
        if self.store:
            # pages that go on waiting are needed by the next crawl, or when the job is resumed
            await self.store.prune(frozenset(self.learning.pages if self.learning else ()))

    async def _given(self, article: ArticleItem, response: Response | None) -> Any:
        """Give an article to the feeds; return it if it is to go on as an item instead.

        A copy of an earlier one goes nowhere. A provisional article leaves its url as it is in the URLDB, so
        that a later crawl fetches the page again if this one is killed.
        """
        is_first = self._is_first(article)
        if article.provisional:
            if is_first and (item := make_item(self.crawler, self.item_class, article)) is not None:
                await self._give_early(article, item, _unmarked(response))
            return None
        if not is_first:
            count(self.crawler, "webstemmer/copies")
            await send(self.crawler, article_repeated, article=article, response=response)
            return None
        item = make_item(self.crawler, self.item_class, article)
        if item is None or self.feeds is None:
            return item
        await self.feeds.give(article, item, response)
        return None

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

    def close_spider(self, spider: Spider | None = None) -> None:  # noqa: ARG002 - as above
        """Finish and close the files, and say what was done."""
        if self.finder and not self.learning:
            report_drift(self.crawler, self.finder, self.advice)
        if self.store:
            self.store.close()
        if self.finder:
            self.finder.close()
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
