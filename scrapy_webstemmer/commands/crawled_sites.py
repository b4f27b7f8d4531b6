"""A site of `scrapy articles`: its crawl, what was learned of it, and the table that says what came of it."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..base.terminal import display_width, fill, printable, wrap
from ..crawl.reports import counted, first_failure
from ..crawl.setting_values import setting_name
from ..errors import plural
from ..options import Limits
from ..review.explanation import warnings_of
from .summary import DOUBTS, INDENT, NO_AUTHOR, NO_DAY, NO_TITLE, ExtractCounts, layouts_summary

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ..pattern_files.pattern_file import PatternSet
    from ..textcrawler.site_crawler import SiteCrawler
    from ..values import SitePatterns

#: The stat of pages that could not be stored.
_LOST_STAT = "webstemmer/errors/store"


@dataclass
class CrawledSite:
    """One site of the command line, and its crawl.

    :param urls: where the crawl begins.
    :param pages: the learning set; ``patterns``: the file beside it for what is learned from it.
    :param since: when the crawl began, or the earlier one with which it goes on; ISO 8601.
    :param crawler: the crawl; None: it has not begun.
    :param problem: why there was no crawl.
    :param ended: why the crawl ended, in the words of Scrapy; empty: it did not run.
    :param fetched: number of pages that it has stored.
    :param counts: what became of all stored pages; None: there are none.
    :param learned: what was learned from them.
    :param files: those that keep the pages and the patterns.
    """

    name: str
    urls: list[str]
    pages: Path
    since: str = ""
    crawler: Crawler | None = None
    problem: str = ""
    ended: str = ""
    fetched: int = 0
    counts: ExtractCounts | None = None
    learned: PatternSet | None = None
    files: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Note the time, when no page of an earlier call has the same: times of pages have no fractions."""
        with suppress(OSError):
            time.sleep(max(0.0, int(self.pages.stat().st_mtime) + 1 - time.time()))
        self.since = datetime.now(UTC).isoformat(timespec="seconds")

    def end(self) -> None:
        """If the crawl was cut off, or has not begun, note it, and close what Scrapy has left open."""
        from ..crawl.page_pipeline import PagePipeline  # it loads all of learning

        if self.ended or self.problem:
            return
        self.ended = _CUT_OFF
        if self.crawler is None or self.crawler.engine is None:
            return
        pipeline = self.crawler.get_item_pipeline(PagePipeline)
        if pipeline is not None and pipeline.store:
            pipeline.store.close()
        if self.spider:
            self.spider.closed(self.ended)

    @property
    def spider(self) -> SiteCrawler | None:
        """The spider, when it has been made."""
        return cast("SiteCrawler | None", self.crawler and self.crawler.spider)

    @property
    def failed(self) -> dict[str, str]:
        """For each url that gave no page, the reason."""
        problems = {self.urls[0]: self.problem} if self.problem else {}
        return problems | (self.spider.failed if self.spider else {})

    @property
    def is_silent(self) -> bool:
        """Whether none of its start urls gave a page."""
        urls = self.spider.start_urls if self.spider else []
        return bool(urls) and all(url in self.failed for url in urls)

    @property
    def lost(self) -> str:
        """How many pages could not be stored, and why; empty: none."""
        if self.crawler is None or not (number := counted(self.crawler).get(_LOST_STAT, 0)):
            return ""
        example = first_failure(self.crawler, _LOST_STAT)
        return f"{plural(number, 'page')} could not be stored, such as {example}"

    @property
    def beyond_limits(self) -> dict[str, int]:
        """For each limit, the number of pages that were not stored, since they are beyond it."""
        stats = counted(self.crawler) if self.crawler else {}
        numbers = ((limit.name, stats.get(f"webstemmer/limits/{limit.name}", 0)) for limit in fields(Limits))
        return {name: number for name, number in numbers if number}

    @property
    def patterns(self) -> Path:
        return self.pages.with_suffix(".patterns.json")

    @property
    def unfinished(self) -> Path:
        """The file that is there while a crawl of the site has not come to its end: when it began."""
        return self.pages.with_suffix(".unfinished")

    @property
    def why_nothing(self) -> str:
        """Why the crawl gave no page, in words."""
        if reason := self.problem or (self.spider.why_nothing() if self.spider else ""):
            return reason
        return "it has no pages" if self.ended == "finished" else "it was ended before it had a page"

    @property
    def left(self) -> int:
        """The number of requests that were not sent, since there were enough."""
        return self.spider.left if self.spider else 0

    @property
    def articles(self) -> int:
        """The number of articles."""
        return self.counts.articles if self.counts else 0

    @property
    def missing(self) -> str:
        """Why the crawl is not complete; empty: it is, or there was none."""
        why = f"{plural(self.left, 'request')} not sent, see --pages" if self.left else ""
        if not why and self.ended not in ("", "finished"):
            why = _END_WORDS.get(self.ended, f"Scrapy has ended it ({self.ended})")
        return why and f"the crawl is not complete: {why}; the same command goes on"

    @property
    def reason(self) -> str:
        """Why it gives no article."""
        if self.lost:
            return self.lost
        if self.counts is None or (self.spider and self.spider.asked_for_password):
            reason = self.why_nothing
        else:
            pages = f"{plural(self.counts.pages, 'page')}, and none is an article"
            most = [reason for reason, _ in self.counts.reasons.most_common(1)]
            reason = ", mostly because ".join([pages, *most])
        return "; ".join(filter(None, (reason, self.missing)))


#: How Scrapy calls the end of a crawl by a signal.
_CUT_OFF = "shutdown"
#: Why a crawl ended before it was done, in words.
_END_WORDS = {"closespider_timeout": "the minutes were over", _CUT_OFF: "somebody has ended it"}
#: So many reasons are given why urls gave no page, the most frequent ones.
_REASONS_SHOWN = 3


def sites_summary(
    sites: Sequence[CrawledSite], width: int, encoding: str, *, has_fields: bool
) -> Iterator[str]:
    """Yield a table of the articles of each site and what they lack, its layouts, and what is worth a look.

    :param encoding: that of the stream, which may have no blocks for bars.
    :param has_fields: whether days and authors were looked for.
    """
    stored = [(site, site.counts) for site in sites if site.counts]
    size = max([display_width(site.name) for site, _ in stored] + [len("site")])
    if stored:
        without = "".join(f" {what:>9}" for what in (NO_TITLE, NO_DAY, NO_AUTHOR))
        yield f"{'site':<{size}} {'pages':>7} {'articles':>9} {'new':>7}   without:{without} {'doubtful':>10}"
    learned: dict[str, SitePatterns] = {}
    for site, counts in stored:
        cells = [f"{counts.lacking[what]:,}" for what in (NO_TITLE, NO_DAY, NO_AUTHOR)]
        if not has_fields:
            cells = [cells[0], "-", "-"]
        lacking = "".join(f" {cell:>9}" for cell in cells)
        numbers = f"{counts.pages:>7,} {counts.articles:>9,} {counts.new:>7,}"
        yield f"{fill(site.name, size)} {numbers}           {lacking} {counts.lacking[DOUBTS]:>10,}"
        learned |= site.learned.sites if site.learned else {}
    if learned:
        yield ""
        yield from layouts_summary(learned, width, encoding)
        yield ""
    for site in sites:
        yield from _worth_a_look(site, width)


def _worth_a_look(site: CrawledSite, width: int) -> Iterator[str]:
    """Yield what is worth a look on a site, and where it is kept."""
    if site.is_silent and site.counts:
        yield f"{site.name}: no start url gives a page: {printable(site.why_nothing)}"
    elif site.files:
        for reason, number in Counter(site.failed.values()).most_common(_REASONS_SHOWN):
            url = next(url for url, why in site.failed.items() if why == reason)
            such_as = printable(f"such as {url}: {reason}")
            yield f"{site.name}: {plural(number, 'url')} gave no page, {such_as}"
    for limit, number in site.beyond_limits.items():
        yield f"{site.name}: {plural(number, 'page')} beyond the limit {limit}, see {setting_name('limits')}"
    if site.lost and site.articles:
        yield f"{site.name}: {printable(site.lost)}"
    if site.missing and site.articles:
        yield f"{site.name}: {site.missing}"
    if not site.articles:
        yield f"{site.name}: no article: {site.reason}"
    elif site.counts and (url := site.counts.lacking_such_as.get(DOUBTS, "")):
        yield f"{site.name}: doubtful articles, such as {printable(url)}"
    for learned in site.learned.sites.values() if site.learned and site.articles else ():
        for warning in warnings_of(learned):
            yield from wrap(f"{site.name}: warning: {warning}", width, INDENT)
    if len(site.files) > 1:
        pages, patterns = (shlex.quote(name) for name in site.files)
        yield f"{site.name}: to look at it: scrapy review {patterns} {pages}"
