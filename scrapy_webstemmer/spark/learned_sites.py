"""Learn the sites of a table of pages: draw samples by urls alone, read their pages, learn from the readings.

The package imports this module first, so it says what is not installed.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..base.samples import PageSample, digest_of
from ..base.urls import link_key, site_of
from ..errors import PageError
from ..learning.learn_sites import accepted, learn_site
from ..learning.page_reading import Reading, Shared, Wanted, read_page
from ..learning.site_pages import LeftOut, SitePages
from ..options import LearnOptions
from ..values import Page

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


try:
    from .page_tables import page_in
    from .tables import PATTERNS, Row, Values, by_site, grouped, mapped, packed, pattern_row, unpacked
except ImportError as error:
    _NEEDS = (
        f'{__package__} needs {error.name}, which is not installed: pip install "scrapy-webstemmer[spark]"'
    )
    if sys.argv[:1] == ["-m"]:  # it is started as a command, which needs no traceback
        sys.exit(f"error: {_NEEDS}")
    raise ImportError(_NEEDS, name=error.name) from error


_LEARN = LearnOptions()


#: The columns of samples: a row for each site that has more pages than its sample, with the number of the
#: others, the first of them as ``key``, and digests of those in the sample and of other urls that lead there.
SAMPLES = "site string, key string, pages long, digests binary, aliases binary"
#: The columns of readings, which only :func:`patterns_of` understands. Those of kind 2 are problems.
READINGS = "site string, kind int, key string, value binary"
_PAGE_ROW, _ANCHOR_ROW, PROBLEM = range(3)
#: So many links are remembered, since all pages of a site have many of them in common.
_REMEMBERED_LINKS = 50_000


class _Sample(NamedTuple):
    """The sample of a site that has more pages: sorted digests of these and their aliases, and the others."""

    digests: array[int]
    aliases: array[int]
    left_out: LeftOut

    def has(self, key: str) -> bool:
        """Return whether a page is in the sample."""
        return _is_among(self.digests, key)

    def is_known(self, key: str) -> bool:
        """Return whether a link leads to a page in the sample."""
        return _is_among(self.digests, key) or _is_among(self.aliases, key)


#: The samples of the sites that have more pages.
Samples = Mapping[str, _Sample]


def _is_among(digests: array[int], key: str) -> bool:
    wanted = digest_of(key)
    at = bisect_left(digests, wanted)
    return at < len(digests) and digests[at] == wanted


def _digests(keys: Iterable[str]) -> bytes:
    return array("Q", sorted(map(digest_of, keys))).tobytes()


def learn_sites(
    pages: DataFrame, options: LearnOptions = _LEARN, linkinfo: DataFrame | None = None
) -> DataFrame:
    """Return the patterns of the sites of some pages: the same bytes as ``api.learn`` gives.

    :param pages: with the columns ``url`` and ``body``, and, if they are known, others of :data:`PAGES`.
        They are read twice: first their urls alone. If that costs much, store them as Parquet before.
    :param linkinfo: the anchor texts of all pages, with the columns :data:`LINKINFO`. None: take them from
        the pages themselves.
    :returns: a table with the columns :data:`PATTERNS`.

    This runs a job that draws the samples; what follows runs when the result is asked for. Memory of a
    worker: that of learning its largest site, and 8 bytes for each page in the sample of a large site.
    """
    samples = samples_in(samples_of(pages, options)) if options.max_pages else {}
    readings = readings_of(pages, samples, options, anchors=linkinfo is None)
    if linkinfo is not None:
        readings = readings.union(links_of(linkinfo, samples, options))
    return patterns_of(readings, samples, options)


def samples_of(pages: DataFrame, options: LearnOptions) -> DataFrame:
    """Return the samples of the sites with more pages than a sample may have: the first step of learning.

    Only the urls of the pages are looked at. The result is a table with the columns :data:`SAMPLES`.
    """
    urls = pages.select(*(name for name in ("url", "aliases") if name in pages.columns))
    keys = mapped(urls, partial(_keys, options), "site string, key string, alias string").dropDuplicates()
    # Spark has spread the pages of each site, so a large one keeps no worker alone busy
    parts = mapped(keys.sortWithinPartitions("site"), partial(_drawn, options.max_pages), _DRAWN_KEYS)
    return mapped(by_site(parts), partial(_drawn_again, options.max_pages), SAMPLES)


def samples_in(table: DataFrame) -> Samples:
    """Return the samples in a table of them. Memory: 8 bytes a page."""
    return {
        row.site: _Sample(
            array("Q", bytes(row.digests)), array("Q", bytes(row.aliases)), LeftOut(row.pages, row.key or "")
        )
        for row in table.collect()
    }


def readings_of(pages: DataFrame, samples: Samples, options: LearnOptions, *, anchors: bool) -> DataFrame:
    """Return what learning needs of the pages: the second step of learning, which does most of its work.

    :param anchors: False: :func:`links_of` gives them.
    """
    return mapped(pages, partial(_readings, Wanted(options, anchors), samples), READINGS)


def links_of(linkinfo: DataFrame, samples: Samples, options: LearnOptions) -> DataFrame:
    """Return further readings: the anchor texts that learning needs."""
    return mapped(linkinfo, partial(_links, options, samples), READINGS)


def patterns_of(readings: DataFrame, samples: Samples, options: LearnOptions) -> DataFrame:
    """Return the patterns of the sites whose pages have been read: the last step of learning."""
    rows = by_site(readings.where(f"kind < {PROBLEM}"), "kind")
    return mapped(rows, partial(_learned, options, samples), PATTERNS)


def _keys(options: LearnOptions, rows: Iterator[Row]) -> Values:
    wanted = Wanted(options)
    for row in rows:
        if row["url"] is None:
            continue
        page = Page(row["url"], b"")
        try:
            names = [site_of(page.url, options.site) for _ in _accepted(page, wanted, SitePages())]
        except PageError:  # whoever reads it says so
            continue
        for name in names:
            key = link_key(page.url)
            yield name, key, None
            yield from ((name, key, link_key(alias)) for alias in row.get("aliases") or ())


def _accepted(page: Page, wanted: Wanted, site: SitePages) -> Iterator[tuple[Page, Wanted]]:
    """Yield a page with its wanted parts, unless a url rule leaves it out."""
    return accepted([page], defaultdict(lambda: site), wanted)


#: Pages of a site that are in its sample so far, or an alias of one, or how many are not.
_DRAWN_KEYS = "site string, key string, alias string, pages long"


def _drawn(size: int, rows: Iterator[Row]) -> Values:
    """Yield for each site of a part of the keys those in its sample, and a row for those that are not."""
    for name, site_rows in grouped(rows):
        keys, aliases, left_out = _draw(size, site_rows)
        yield from ((name, key, None, 0) for key in keys)
        yield from ((name, key, alias, 0) for key, alias in aliases)
        if left_out.pages:
            yield name, left_out.first, None, left_out.pages


def _drawn_again(size: int, rows: Iterator[Row]) -> Values:
    """Yield a row for each site that has more pages than its sample: what is left out, and the digests."""
    for name, site_rows in grouped(rows):
        keys, aliases, left_out = _draw(size, site_rows)
        if left_out.pages:
            known = {alias for key, alias in aliases if key in keys}
            yield name, left_out.first, left_out.pages, _digests(keys), _digests(known)


def _draw(size: int, rows: Iterable[Row]) -> tuple[set[str], set[tuple[str, str]], LeftOut]:
    """Return a site's sample. A part of a part's sample is the same as a part of the whole.

    :return: the pages in the sample; pairs of a page, which may be in another part, and an alias of it; the
        other pages.
    """
    keys, aliases, left_out = set[str](), set[tuple[str, str]](), LeftOut()
    sample = PageSample(size)
    for row in rows:
        key, pages = row["key"], row.get("pages")
        if row["alias"] is not None:
            aliases.add((key, row["alias"]))
        elif pages:
            left_out = left_out.with_pages(pages, key)
        else:
            keys.add(key)
            dropped = sample.add(key)
            if dropped is not None:
                keys.discard(dropped)
                left_out = left_out.with_pages(1, dropped)
    return keys, aliases, left_out


def _readings(all_wanted: Wanted, samples: Samples, rows: Iterator[Row]) -> Values:
    """Yield what is read of pages: the layouts of those in their site's sample, the anchors of all."""
    options = all_wanted.options
    links: set[tuple[str, str]] = set()
    for row in rows:
        if row["url"] is None:
            yield "", PROBLEM, row["source"], row["problem"].encode("utf-8", "replace")
            continue
        page = page_in(row)
        bare = replace(page, body=b"", announced=None)
        name, key = site_of(page.url, options.site), link_key(page.url)
        sample, site = samples.get(name), SitePages()
        for _, wanted in _accepted(page, all_wanted, site):
            is_drawn = sample is None or sample.has(key)
            if not (is_drawn or wanted.anchors):
                continue
            reading = read_page(page, wanted if is_drawn else wanted._replace(blocks=False))
            if len(links) > _REMEMBERED_LINKS:
                links.clear()
            for target, text in reading.anchors:
                if (target, text) not in links and (sample is None or sample.is_known(target)):
                    links.add((target, text))
                    yield name, _ANCHOR_ROW, target, text.encode("utf-8", "surrogatepass")
            if is_drawn:
                yield name, _PAGE_ROW, key, packed((bare, replace(reading, anchors=())))
        if site.unread:  # a url rule could not be tried
            yield name, _PAGE_ROW, key, packed((bare, Reading(None, problem="its url")))


def _links(options: LearnOptions, samples: Samples, rows: Iterator[Row]) -> Values:
    for row in rows:
        name, key = site_of(row["url"], options.site), link_key(row["url"])
        if name not in samples or samples[name].is_known(key):
            yield name, _ANCHOR_ROW, key, row["text"].encode("utf-8", "surrogatepass")


def _learned(options: LearnOptions, samples: Samples, rows: Iterator[Row]) -> Values:
    for name, site_rows in grouped(rows):
        site, shared, known = SitePages(options.max_pages), Shared(), set[str]()
        if name in samples:
            site.others = samples[name].left_out
        for row in site_rows:  # anchors come behind all pages; most lead to pages that were not stored
            if row["kind"] == _ANCHOR_ROW:
                known = known or set().union(*site.keys.values())
                if row["key"] in known:
                    site.anchors.add(row["key"], row["value"].decode("utf-8", "surrogatepass"))
                continue
            page, reading = unpacked(row["value"])
            reading = shared.reading(reading)
            site.draw(page)
            if reading.layout is not None and not site.traces(page):
                reading = replace(reading, layout=replace(reading.layout, traces=()))
            site.take(page, reading)
        if site.keys:  # else links lead to a site that has no pages
            yield pattern_row(learn_site(name, site, options))
