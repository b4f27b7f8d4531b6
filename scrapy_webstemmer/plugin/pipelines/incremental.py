"""Scrapy item pipeline: pages to articles from the first page on, by what repeats on their site."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from ...errors import OptionError, SegmentFileError
from ...incremental import IncrementalExtractor
from ...items import ArticleItem, PageItem, PageTaker
from ...options import ExtractOptions
from ...segments.files import SegmentFile
from ..settings import WebstemmerSettings, fill_in, setting_name
from .taking import consume, count, in_turns, report_failure, spider_name

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

__all__ = ["PAGES_A_SAVE", "IncrementalPipeline"]

logger = logging.getLogger(__name__)

#: Pages after which the tables are saved: a crawl that is killed loses the counts of no more than these.
PAGES_A_SAVE = 100


class IncrementalPipeline(PageTaker):
    """Count what every page repeats of its site, and give what is left of it as an article item.

    The item is announced as :class:`~scrapy_webstemmer.ArticlePipeline` announces its own. Where that
    one is at work too, every page is counted, but an item comes only of pages that match no pattern,
    and only if the option ``unmatched`` lets them give one.

    The tables are saved every so many pages, and at the end; what cannot be saved
    is an error in the log and no end of the crawl.
    """

    setting = "segments"
    wants_anchors = True

    def __init__(
        self,
        crawler: Crawler,
        tables: SegmentFile,
        options: ExtractOptions = ExtractOptions(),  # noqa: B008 - frozen
        *,
        to_pipelines: bool = False,
    ) -> None:
        self.crawler = crawler
        self.tables = tables
        self.options = options
        self.to_pipelines = to_pipelines
        self._extractor = IncrementalExtractor(tables, options)
        self._unsaved = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> IncrementalPipeline:
        """Return the pipeline of a crawl, its file of tables open.

        :raises NotConfigured: there is no such file to keep.
        :raises OptionError: it cannot be opened or begun.
        """
        options = WebstemmerSettings.from_settings(crawler.settings)
        if not options.enabled:
            raise NotConfigured
        if options.segments is None:
            raise NotConfigured(f"{setting_name('segments')} is not set")
        tables = open_segments(fill_in(options.segments, spider_name(crawler), options.timestamp))
        to_pipelines = options.articles_to_pipelines
        return cls(crawler, tables, options.extract_options, to_pipelines=to_pipelines)

    def close_spider(self, spider: Spider | None = None) -> None:  # noqa: ARG002 - Scrapy 2.13 passes it
        """Save the tables, and close their file."""
        try:
            self.tables.close()
        except SegmentFileError as error:
            self._report_unsaved(error)

    async def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002 - as above
        """Take page items, pass all others on."""
        return await consume(self.crawler, item) if isinstance(item, PageItem) else item

    async def extract(self, item: PageItem) -> ArticleItem | None:
        """Count a page and return its article, None if it has none; a failure is logged and counted."""
        try:
            parts = self._extractor.extract_in_parts(item.page, item.anchors, root=item.root)
            article = await in_turns(parts)
        except Exception as error:
            report_failure(self.crawler, "webstemmer/errors/extract", item, error)
            return None
        count(self.crawler, "webstemmer/segments/pages")
        if article is not None:
            count(self.crawler, "webstemmer/segments/articles")
        self._unsaved += 1
        if self._unsaved >= PAGES_A_SAVE:
            self._save()
        return None if article is None else ArticleItem.from_article(article)

    def _save(self) -> None:
        self._unsaved = 0  # if that fails, it is tried again after as many pages
        try:
            self.tables.save()
        except SegmentFileError as error:
            self._report_unsaved(error)

    def _report_unsaved(self, error: SegmentFileError) -> None:
        count(self.crawler, "webstemmer/errors/segments")
        logger.error("Cannot save the segment tables: %s", error, extra={"spider": self.crawler.spider})


def open_segments(path: Path) -> SegmentFile:
    """Return a file of segment tables to go on with; a new one, in a new folder, where there is none.

    :raises OptionError: that cannot be done; names the setting and the file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return SegmentFile(path)
    except (SegmentFileError, OSError) as error:
        raise OptionError(setting_name("segments"), str(path), str(error)) from None
