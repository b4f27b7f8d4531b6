"""Extract the articles of a crawl's pages by learned patterns, or by what a page itself shows."""

from __future__ import annotations

import logging
import shlex
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy.crawler import Crawler

from ..api import extract_in_parts
from ..errors import OptionError, PatternFileError
from ..extraction.make_article import with_markdown
from ..extraction.result import Reason, Result
from ..items import ArticleItem, CrawledPage
from ..monitoring.tally import Tally
from ..options import ExtractOptions
from ..pattern_files.pattern_file import PatternSet
from ..pattern_files.pattern_sources import is_resource
from ..values import Article, SitePatterns
from .event_loop import apart, in_turns
from .reports import count, report_failure
from .setting_values import setting_name
from .settings import WebstemmerSettings, source_of

if TYPE_CHECKING:
    from .learning_at_end import LearningAtEnd

logger = logging.getLogger(__name__)

#: Markdown of so many characters of HTML takes some .1 s.
_LONG_HTML = 20_000


@dataclass(eq=False)
class ArticleFinder:
    """Find a page's article, by learned patterns.

    Extraction runs in the crawl's own thread and takes some milliseconds a page. It works in parts; between
    two parts all other tasks of the crawl get their turn.

    :param patterns: the learned patterns.
    :param learning: keeps the pages that must wait until their site has been learned; None: no page waits.
    :param at_once: whether a page of a site that was not learned is read by its own evidence. If it waits all
        the same, its article is provisional.
    :ivar tallies: the pages of each learned site in this crawl.
    """

    crawler: Crawler
    options: ExtractOptions
    patterns: PatternSet
    learning: LearningAtEnd | None = None
    at_once: bool = False
    tallies: dict[str, Tally] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        # Markdown is made afterwards
        fallback = self.options.fallback or self.at_once
        self._reading = replace(self.options, markdown=False, fallback=fallback)

    @classmethod
    def from_settings(
        cls, crawler: Crawler, options: WebstemmerSettings, learning: LearningAtEnd | None = None
    ) -> Self | None:
        """Return the finder of a crawl's articles, or None if no setting asks for articles.

        :param learning: keeps the pages that must wait until their site is learned; None: no page waits.
        :raises OptionError: a pattern file is unreadable.
        """
        patterns = load_patterns(crawler, options)
        if patterns is None:
            if not options.at_once:
                return None
            patterns = PatternSet()
        return cls(crawler, options.wanted_options, patterns, learning, options.at_once)

    async def find(self, item: CrawledPage) -> ArticleItem | None:
        """Return a page's article, or None if it gives none; errors are logged and counted."""
        if item.seen == "article":
            return None
        article, waits = await self._by_patterns(item)
        if article is None:
            return None
        return self.as_item(await self._with_markdown(article), provisional=waits)

    async def _with_markdown(self, article: Article) -> Article:
        """Return an article with its Markdown, if it is asked for. A long one is made in a thread."""
        if not self.options.markdown or len(article.html) < _LONG_HTML:
            return with_markdown(article, self.options)
        return await apart(partial(with_markdown, article, self.options))

    def as_item(self, article: Article, *, provisional: bool = False) -> ArticleItem:
        """Return an article as the crawl's settings want it."""
        return ArticleItem.from_article(article, sections=self.options.sections, provisional=provisional)

    def is_other(self, article: ArticleItem) -> bool:
        """Return whether an article comes out only since all kinds of pages are asked for."""
        likely, least = article.probability, self.options.article_threshold
        return self.options.all_kinds and likely is not None and likely < least

    async def _by_patterns(self, item: CrawledPage) -> tuple[Article | None, bool]:
        """Return a page's article, and whether the page waits for its site to be learned.

        A page that waits is not counted here, since it is judged again. Nor has it an article, unless all
        articles are to come at once.
        """
        is_unknown = self.learning is not None and self.patterns.site_of(item.page.url) is None
        waits = is_unknown and self._keeps(item, None)
        if waits and not self.at_once:
            return None, True
        try:
            parts = extract_in_parts(item.page, self.patterns, self._reading, source=item.source)
            result = await in_turns(parts)
            if result.site is not None:
                tally = self.tallies.setdefault(result.site.site, Tally(dates=self.options.date))
                tally.add(result, item.page.fetched or "")
            if waits or self._keeps(item, result):
                return result.article if self.at_once else None, True
            is_known = result.site is not None or self.at_once  # then it is judged like one of a known site
            self.count_match(result.article, result.reason, is_known=is_known)
            return result.article, False
        except Exception as error:  # the crawl goes on without an article for the page
            report_failure(self.crawler, "webstemmer/errors/extract", item.page.url, error)
            return None, waits

    def _keeps(self, item: CrawledPage, result: Result | None) -> bool:
        """Return whether a page has to wait until its site has been learned."""
        return self.learning is not None and self.learning.keep(item, result)

    def count_match(self, article: Article | None, reason: str, *, is_known: bool) -> None:
        """Count whether a page has matched a pattern.

        :param reason: why it gives no article; empty if it gives one.
        :param is_known: whether its site is known.
        """
        if article is not None:
            count(self.crawler, "webstemmer/matched" if article.pattern else "webstemmer/by_themselves")
        elif reason == Reason.UNCERTAIN:
            count(self.crawler, "webstemmer/uncertain")
        else:
            count(self.crawler, "webstemmer/unmatched" if is_known else "webstemmer/unknown_site")


def _is_there(crawler: Crawler, source: str, options: WebstemmerSettings) -> bool:
    """Return whether a pattern file is there; a warning says how to make one that is not."""
    if is_resource(source) or Path(source).exists():
        return True
    learned_from = source_of(crawler, options.learning_set or "LEARNING_SET", options.timestamp)
    message = "%s: %s does not exist, so it gives no articles; `scrapy analyze %s -o %s` makes it"
    values = (setting_name("patterns"), source, shlex.quote(learned_from), shlex.quote(source))
    logger.warning(message, *values)
    return False


def load_patterns(crawler: Crawler, options: WebstemmerSettings) -> PatternSet | None:
    """Return the patterns of all files of a crawl; None if there is no file.

    If two files have the same site, the later one counts. A warning names a file that is missing.

    :raises OptionError: a file is not a pattern file; the error names the setting and the file.
    """
    sources = [source_of(crawler, template, options.timestamp) for template in options.patterns]
    if options.learn and not Path(sources[0]).exists():
        return PatternSet()
    sources = [source for source in sources if _is_there(crawler, source, options)]
    sites: Mapping[str, SitePatterns] = {}
    for source in sources:
        try:
            loaded = PatternSet.load(source, options.limits)
        except (PatternFileError, OSError) as error:
            raise OptionError(setting_name("patterns"), source, str(error)) from None
        for site in sites.keys() & loaded.sites.keys():
            logger.warning("The patterns of %s in %s replace those of an earlier file", site, source)
        sites = ChainMap(dict[str, Any](), loaded.sites, sites) if sites else loaded.sites  # type: ignore[arg-type]
    return PatternSet(sites) if sources else None
