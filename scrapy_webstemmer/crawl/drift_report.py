"""Compare a crawl with what was normal for its sites when they were learned, and say what has changed."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Collection
from pathlib import Path

from scrapy.crawler import Crawler

from ..monitoring.find_drift import find_drift
from ..pattern_files.pattern_file import CLASSIC_SUFFIX
from ..pattern_files.pattern_sources import is_resource
from .article_finder import ArticleFinder
from .page_store import PageStore
from .reports import log_of
from .setting_values import setting_name
from .settings import WebstemmerSettings, source_of

logger = logging.getLogger(__name__)


def report_drift(
    crawler: Crawler, finder: ArticleFinder, options: WebstemmerSettings, store: PageStore | None
) -> Collection[str]:
    """Set the stats of a crawl's sites, log a warning for each site that has changed, and return these.

    The stats are ``webstemmer/drift/SITE``, the number of pages that are concerned, and for all sites
    together ``webstemmer/coverage/FIELD``, the share of articles that have a field, 0 to 1.
    """
    _set_coverage(crawler, finder)
    drifted = []
    knows_all = finder.tallies.keys() >= finder.patterns.sites.keys()
    advice = what_to_do(crawler, options, store, knows_all=knows_all)
    for site, tally in sorted(finder.tallies.items()):
        drift = find_drift(finder.patterns.sites[site].usual, tally)
        if drift is None:
            continue
        drifted.append(site)
        if crawler.stats:
            crawler.stats.set_value(f"webstemmer/drift/{site}", max(change.pages for change in drift.changes))
        log_of(crawler, logger).warning("%s has changed: %s. %s", site, drift.sentence(), advice)
    return drifted


def _set_coverage(crawler: Crawler, finder: ArticleFinder) -> None:
    tallies = finder.tallies.values()
    articles = sum(tally.articles for tally in tallies)
    if not articles or not crawler.stats:
        return
    lacking = {"title": sum(tally.untitled.pages for tally in tallies)}
    if finder.options.date:
        lacking["date"] = sum(tally.undated.pages for tally in tallies)
    for name, pages in lacking.items():
        crawler.stats.set_value(f"webstemmer/coverage/{name}", round(1 - pages / articles, 4))


def what_to_do(
    crawler: Crawler, options: WebstemmerSettings, store: PageStore | None, *, knows_all: bool
) -> str:
    """Return in a sentence what to do if a site has changed. Its commands name the files of this crawl.

    :param store: what stores the crawl's pages; None: nothing does.
    :param knows_all: whether the crawl has visited all sites of the pattern file. `scrapy analyze`
        replaces the file, so it would lose the others. A crawl that learns keeps them.
    """
    if options.learn:
        return "It is learned anew at the end of this crawl."
    sources = [source_of(crawler, name, options.timestamp) for name in options.patterns]
    (source,) = sources if len(sources) == 1 else ("",)
    can_be_written = not is_resource(source) and not source.lower().endswith(CLASSIC_SUFFIX)
    written = source if can_be_written and knows_all else ""
    if store:
        return f"Learn it anew: {_analyze(str(store.learning_set.path), written)}"
    pages = f"{Path((crawler.spider or crawler.spidercls).name).name or 'pages'}.sqlite"
    setting = f"-s {shlex.quote(setting_name('learning_set') + '=' + pages)}"
    if source and can_be_written:
        return f"Learn it anew: crawl again with {setting} -s {setting_name('learn')}=1"
    return f"Learn it anew: crawl again with {setting}, and then: {_analyze(pages, written)}"


def _analyze(pages: str, patterns: str) -> str:
    """Return the command that learns.

    :param patterns: the file to write; empty: a new one, because the others must not be replaced.
    """
    written = patterns or str(Path(pages).with_suffix(".new.json"))
    command = f"scrapy analyze {shlex.quote(pages)} -o {shlex.quote(written)}"
    return command if patterns else f"{command} (and add this file to {setting_name('patterns')}, at the end)"
