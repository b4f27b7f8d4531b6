"""Compare a crawl with what was normal for its sites when they were learned, and say what has changed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ...monitoring.drift import find_drift
from ..settings import setting_name

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.crawler import Crawler

    from ..settings import WebstemmerSettings
    from .articles import ArticleFinder

__all__ = ["advice", "report_drift"]

logger = logging.getLogger(__name__)


def report_drift(crawler: Crawler, finder: ArticleFinder, what_to_do: str) -> Collection[str]:
    """Set the stats of a crawl's sites, log a warning for each site that has changed, and return these.

    The stats are ``webstemmer/drift/SITE``, the number of pages that are concerned, and for all sites
    together ``webstemmer/coverage/FIELD``, the share of articles that have a field, 0 to 1.
    """
    if finder.patterns is None:
        return []
    _set_coverage(crawler, finder)
    drifted = []
    for site, tally in sorted(finder.tallies.items()):
        drift = find_drift(finder.patterns.sites[site].usual, tally)
        if drift is None:
            continue
        drifted.append(site)
        if crawler.stats:
            crawler.stats.set_value(f"webstemmer/drift/{site}", max(one.pages for one in drift.changes))
        message, extra = "%s has changed: %s. %s", {"spider": crawler.spider}
        logger.warning(message, site, drift.sentence(), what_to_do, extra=extra)
    return drifted


def _set_coverage(crawler: Crawler, finder: ArticleFinder) -> None:
    tallies = finder.tallies.values()
    articles = sum(tally.articles for tally in tallies)
    if not articles or not crawler.stats:
        return
    lacking = {"title": sum(tally.untitled.pages for tally in tallies)}
    if finder.options.date:
        lacking["date"] = sum(tally.undated.pages for tally in tallies)
    for field, pages in lacking.items():
        crawler.stats.set_value(f"webstemmer/coverage/{field}", round(1 - pages / articles, 4))


def advice(options: WebstemmerSettings) -> str:
    """Return what to do if a site has changed."""
    if options.learn:
        return "It is learned anew at the end of this crawl."
    if options.learning_set and options.patterns:
        return f"Learn it anew: scrapy analyze {options.learning_set} -o {options.patterns[0]}"
    name = setting_name("learning_set")
    return f"Learn it anew: crawl with {name}, then run scrapy analyze; or set {setting_name('learn')}."
