"""Say at the end of a crawl what was collected and what came out, and which sites have changed."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Collection, Mapping
from pathlib import Path

from scrapy.crawler import Crawler

from ..errors import plural
from ..monitoring.find_drift import find_drift
from ..storage.zip_crawl import ZipCrawl
from .article_finder import ArticleFinder
from .page_store import PageStore
from .reports import counted, log_of
from .setting_values import setting_name
from .settings import WebstemmerSettings

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
    advice = what_to_do(crawler, options, store)
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


def what_to_do(crawler: Crawler, options: WebstemmerSettings, store: PageStore | None) -> str:
    """Return in a sentence what to do if a site has changed. Its command names a file of this crawl.

    What is learned goes into a pattern file of its own, since `scrapy analyze` replaces the file that it
    writes, and other sites may be in the present one.

    :param store: what stores the crawl's pages; None: nothing does.
    """
    if options.learn:
        return "It is learned anew at the end of this crawl."
    pages = f"{Path((crawler.spider or crawler.spidercls).name).name or 'pages'}.sqlite"
    again = f"crawl again with -s {shlex.quote(setting_name('learning_set') + '=' + pages)}, and then: "
    if store:
        again, pages = "", str(store.learning_set.path)
    patterns = str(Path(pages).with_suffix(".new.json"))
    command = f"scrapy analyze {shlex.quote(pages)} -o {shlex.quote(patterns)}"
    return f"Learn it anew: {again}{command} (and add this file to {setting_name('patterns')}, at the end)"


#: Why responses are no pages, by the ends of their stats.
_IGNORED_WORDS = {
    "not_html": "without HTML",
    "status": "without success by status",
    "empty": "without content",
    "skipped": "skipped on request",
}
_PREFIX = "webstemmer/"
#: How Scrapy's stats of failed requests and of failed callbacks begin.
_EXCEPTIONS, _STATUSES = "downloader/exception_type_count/", "httperror/response_ignored_status_count/"
_RAISED = "spider_exceptions/"


def say_what_was_done(
    crawler: Crawler, store: PageStore | None, *, with_articles: bool, places: str = ""
) -> None:
    """Log a line with the numbers of pages and articles, and a warning if there are none.

    :param store: the learning set of the crawl; None: no page was to be stored.
    :param with_articles: whether articles were to be extracted.
    :param places: the feeds that have got them; empty: none.
    """
    stats = {key.removeprefix(_PREFIX): n for key, n in counted(crawler).items()}
    log = log_of(crawler, logger)
    parts = []
    if store:
        stored = plural(stats.get("pages_stored", 0), "page")
        parts.append(f"{stored} stored in {_place(store)}")
        if store.lost:
            parts.append(f"{len(store.lost):,} more could not be stored")
    if with_articles:
        articles = _articles(stats)
        early = stats.get("provisional", 0)
        others = f" and {plural(early, 'provisional one')}" if early else ""
        where = f" in {places}" if articles + early and places else ""
        parts.append(plural(articles, "article") + others + where)
        if lost := _lost(stats):
            parts.append(f"{lost:,} more could not be written")
        if dropped := stats.get("dropped", 0):
            parts.append(f"{dropped:,} more did not pass the pipelines")
    judged = sum(stats.get(key, 0) for key in ("unmatched", "unknown_site", "uncertain"))
    failed = stats.get("waiting", 0) + len(_under(stats, "errors/"))
    is_known = not failed and (stats.get("urldb/skipped", 0) or (stats.get("pages_seen", 0) and not judged))
    if store and is_known and not stats.get("pages_stored", 0) + _articles(stats):
        log.info("Result: nothing new")
        return
    if parts:
        log.info("Result: %s", ", ".join(parts))
    if store and not stats.get("pages_stored", 0) + stats.get("pages_seen", 0):
        log.warning("No page was stored: %s", _why_no_page(stats, crawler))
    elif with_articles and not _articles(stats) + _lost(stats) + stats.get("dropped", 0):
        # the pages that give articles may all be among those that earlier crawls have stored
        level = logging.INFO if is_known else logging.WARNING
        article = "a final article" if stats.get("provisional", 0) else "an article"
        log.log(level, "No page gave %s: %s", article, _why_no_article(stats, crawler))


def _place(store: PageStore) -> Path:
    """Return where the pages are: a zip is there if the file in which they were collected has gone."""
    collected = store.learning_set
    if isinstance(collected, ZipCrawl) and not collected.path.exists():
        return collected.zip_path
    return collected.path


def _articles(stats: Mapping[str, int]) -> int:
    return stats.get("articles", 0) - stats.get("dropped", 0)


def _lost(stats: Mapping[str, int]) -> int:
    """Return how many articles a feed or their class has refused."""
    return stats.get("errors/export", 0) + stats.get("errors/convert", 0)


def _why_no_page(stats: Mapping[str, int], crawler: Crawler) -> str:
    responses = {text: stats.get(f"ignored/{key}", 0) for key, text in _IGNORED_WORDS.items()}
    responses["with a feed"] = stats.get("feeds", 0)
    groups = (
        ("response", "{}", responses),
        ("page", "beyond the limit {}", _under(stats, "limits/")),
        ("failure", "to {}", _under(stats, "errors/")),
    )
    reasons = [
        f"{plural(n, noun)} {what.format(of)}" for noun, what, group in groups for of, n in group.items() if n
    ]
    return ", ".join(reasons) or _why_no_output(crawler.stats.get_stats() if crawler.stats else {})


def _why_no_output(stats: Mapping[str, int]) -> str:
    """Return why no callback of the spider gave any output, by Scrapy's stats."""
    raised = _under(stats, _RAISED)
    raised.pop("count", None)  # of all kinds together
    if raised:
        return f"callbacks of the spider failed before they gave any output: {_most(raised)}"
    return f"no response came to a callback of the spider{_failures(stats)}"


def _failures(stats: Mapping[str, int]) -> str:
    """Return why most requests of a crawl have failed, by Scrapy's stats; empty: they do not say."""
    failures = {f"{error.rpartition('.')[2]}": n for error, n in _under(stats, _EXCEPTIONS).items()}
    failures |= {f"status {status}": n for status, n in _under(stats, _STATUSES).items()}
    if forbidden := stats.get("robotstxt/forbidden"):
        failures = {"robots.txt forbids it": forbidden}
    return f"; most requests failed: {_most(failures)}" if failures else ""


def _most(failures: Mapping[str, int]) -> str:
    """Return the most frequent failure, with its number."""
    most = max(failures, key=lambda failure: failures[failure])
    return f"{most} ({plural(failures[most], 'time')})"


def _why_no_article(stats: Mapping[str, int], crawler: Crawler) -> str:
    unknown, unmatched = stats.get("unknown_site", 0), stats.get("unmatched", 0)
    if waiting := stats.get("waiting", 0):
        verb = "waits until its site is" if waiting == 1 else "wait until their sites are"
        return f"{plural(waiting, 'page')} {verb} learned"
    if uncertain := stats.get("uncertain", 0):
        name = setting_name("min_confidence")
        return f"{plural(uncertain, 'article')} with a confidence below {name}"
    if unknown:
        why = (
            "have too few pages to learn from"
            if "learned/sites" in stats
            else "the pattern files do not know"
        )
        return f"{plural(unknown, 'page')} of sites that {why}"
    if unmatched:
        return f"{plural(unmatched, 'page')} that no pattern fits, or that look like no articles"
    return _why_no_page(stats, crawler)


def _under(stats: Mapping[str, int], beginning: str) -> dict[str, int]:
    return {key.removeprefix(beginning): n for key, n in stats.items() if key.startswith(beginning)}
