"""Extract the articles of a table of pages, and tell which sites have changed."""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import groupby, islice
from typing import Any

from pyspark.sql import DataFrame, functions

from ..api import extract_in_parts
from ..base.parts import TOGETHER, Parts, finish_together
from ..base.urls import site_of
from ..classic.pat_files import ANY_SITE
from ..errors import PageError, visible
from ..monitoring.find_drift import find_drift
from ..monitoring.tally import Tally
from ..options import ExtractOptions
from ..pattern_files.pattern_file import PatternSet
from .page_tables import page_in
from .tables import Row, Values, by_site, grouped, mapped, packed, unpacked

logger = logging.getLogger(__name__)

#: The columns of results: a row for each page, and for each part of the pages one for each site with counts.
RESULTS = "site string, url string, reason string, article string, tally binary"

#: Patterns of up to so many bytes are sent to each worker; larger ones go to the pages of their sites.
BROADCAST = 256 << 20
_EXTRACT = ExtractOptions()


def extract_articles(
    pages: DataFrame, patterns: DataFrame, options: ExtractOptions = _EXTRACT, *, broadcast: int = BROADCAST
) -> DataFrame:
    """Return what each page gives: the article as ``scrapy extract`` writes it, or why there is none.

    :param pages: as for :func:`learn_sites`. If the patterns are small, pages stay where they are; those of a
        site are read one after the other, so that a worker keeps the patterns of one site.
    :param patterns: with the columns :data:`PATTERNS`.
    :param broadcast: patterns of up to so many bytes are sent to all workers; else pages and patterns are
        brought together by site, which Spark spreads over several workers if a site has very many pages.
    :returns: a table with the columns :data:`RESULTS`. ``article`` is a line of JSON. A row without a url
        has the counts of a site, for :func:`drift_of`; or the problem of a source, if it has no site either.
    """
    patterns = patterns.select("site", "patterns")
    size = patterns.agg(functions.sum(functions.length("patterns"))).collect()[0][0] or 0
    if size > broadcast:
        names = frozenset(row.site for row in patterns.select("site").collect())
        site = functions.udf(lambda url: _site_among(names, url))(functions.col("url"))
        joined = pages.withColumn("site", site).join(patterns, "site", "left").sortWithinPartitions("site")
        return mapped(joined, partial(_extracted, options, None), RESULTS)
    files = {row.site: zlib.compress(row.patterns) for row in patterns.collect()}
    # hosts from their ends: those of a site stand side by side, and no Python is needed for it
    hosts = functions.reverse(functions.substring_index("url", "/", 3))
    return mapped(pages.sortWithinPartitions(hosts), partial(_extracted, options, files), RESULTS)


def _site_among(names: Collection[str], url: str | None) -> str:
    """Return the site whose patterns a url gets, as ``PatternSet.site_of`` finds it."""
    if url is None:
        return ""
    domain = site_of(url)
    if not domain and len(names) == 1:
        return next(iter(names))
    return next((name for name in (site_of(url, "host"), domain, ANY_SITE) if name in names), domain)


def _extracted(options: ExtractOptions, files: Mapping[str, bytes] | None, rows: Iterator[Row]) -> Values:
    """Yield what each page gives, and behind the pages of a site its counts. One site is kept in memory.

    :param files: the compressed pattern files of all sites; None: each row has its site, and the file.
    :param rows: those of a site come one after the other.
    """
    sites = grouped(rows) if files is None else groupby(rows, lambda row: _site_among(files, row["url"]))
    for name, site_rows in sites:
        patterns, tally = PatternSet(), Tally(dates=options.date)
        while batch := [*islice(site_rows, TOGETHER)]:
            if not patterns.sites and (page := next((row for row in batch if row["url"] is not None), None)):
                content = page["patterns"] if files is None else _file_among(files, name)
                patterns = PatternSet.loads(content, options.limits) if content else patterns
            yield from finish_together([_result(row, patterns, options, tally) for row in batch])
        if tally.judged:
            yield name, None, None, None, packed(tally)


def _file_among(files: Mapping[str, bytes], name: str) -> bytes | None:
    return zlib.decompress(files[name]) if name in files else None


def _result(row: Row, patterns: PatternSet, options: ExtractOptions, tally: Tally) -> Parts[tuple[Any, ...]]:
    """Return the row that a page gives, and count the page, in parts."""
    if row["url"] is None:
        return None, None, row["problem"], None, None
    page = page_in(row)
    try:
        result = yield from extract_in_parts(page, patterns, options)
    except PageError as error:
        return site_of(page.url), page.url, f"it cannot be read: {error.reason}", None, None
    except Exception as error:  # an error of ours on one page must not fail the job
        logger.exception("not read: %s", visible(page.url))
        return site_of(page.url), page.url, f"{type(error).__name__}: {error}", None, None
    name = result.site.site if result.site else site_of(page.url)
    if result.site is not None:
        tally.add(result, page.fetched or "")
    article = result.article
    line = None if article is None else json.dumps(article.to_dict(), ensure_ascii=False)
    return name, page.url, str(result.reason) or None, line, None


def drift_of(results: DataFrame, patterns: DataFrame) -> DataFrame:
    """Return the sites that have changed since they were learned, each with what has changed.

    :param results: what :func:`extract_articles` has given; store it before, or its work is done again.
    :param patterns: those that it was given.
    :returns: a table with the columns ``site`` and ``change``.
    """
    counts = results.where("tally is not null").select("site", "tally")
    rows = counts.join(patterns.select("site", "patterns"), "site")
    return mapped(by_site(rows), _drifts, "site string, change string")


def _drifts(rows: Iterator[Row]) -> Values:
    for name, site_rows in grouped(rows):
        first = next(site_rows)
        tally: Tally = unpacked(first["tally"])
        for row in site_rows:
            tally.merge(unpacked(row["tally"]))
        site = PatternSet.loads(bytes(first["patterns"])).sites[name]
        drift = find_drift(site.usual, tally)
        if drift is not None:
            yield name, drift.sentence()
