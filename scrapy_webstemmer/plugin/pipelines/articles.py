"""Scrapy item pipeline: pages to articles, by learned patterns."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from ...base.limits import Limits
from ...errors import OptionError, PatternFileError
from ...flow import extract_in_parts
from ...items import ArticleItem, PageItem, PageTaker
from ...options import ExtractOptions
from ...patterns.files import PatternSet
from ..settings import WebstemmerSettings, fill_in, setting_name
from .taking import consume, count, in_turns, report_failure, spider_name

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from ...values import Article, SitePatterns

__all__ = ["ArticlePipeline", "load_patterns"]

logger = logging.getLogger(__name__)


class ArticlePipeline(PageTaker):
    """Apply the learned patterns to every page; a page that matches gives an article item.

    The article is announced as scraped, without a way through the pipelines
    that come after: feeds, statistics and extensions get it like any item,
    while pipelines that were written for other items never see it. With
    ``to_pipelines`` it takes the page item's place instead.

    Extraction runs in the crawl's own thread, some milliseconds a page, in parts between which everything
    else that waits in the crawl gets its turn.
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
        paths = [fill_in(path, spider_name(crawler)) for path in options.patterns]
        return cls(
            crawler,
            load_patterns(paths, options.limits),
            options.extract_options,
            to_pipelines=options.articles_to_pipelines,
        )

    async def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002 - as above
        """Take page items, pass all others on."""
        return await consume(self.crawler, item) if isinstance(item, PageItem) else item

    async def extract(self, item: PageItem) -> ArticleItem | None:
        """Return a page's article, or None if it gives none; what goes wrong is logged and counted."""
        try:
            parts = extract_in_parts(item.page, self.patterns, self.options, root=item.root)
            article = await in_turns(parts)
        except Exception as error:
            report_failure(self.crawler, "webstemmer/errors/extract", item, error)
            return None
        self._count_match(article)
        return None if article is None else ArticleItem.from_article(article)

    def _count_match(self, article: Article | None) -> None:
        if article is None:
            count(self.crawler, "webstemmer/unmatched")
        elif article.pattern:
            count(self.crawler, "webstemmer/matched")
            count(self.crawler, f"webstemmer/pattern/{article.pattern}")
        else:
            count(self.crawler, "webstemmer/by_themselves")


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
