"""Learn and extract on Apache Spark: many machines, WARC files on an object store. Needs the extra ``spark``.

    WARC files -> read_warcs -> pages -> learn_sites -> patterns
                                pages, patterns -> extract_articles -> results -> articles, drift_of

``python -m scrapy_webstemmer.spark`` does it as a job. Nothing is decided here: workers read pages as
``api.learn`` and ``api.extract`` do. Sites are independent, so the worker that learns a site gets
the readings of its sample, and never a body.
"""

from __future__ import annotations

import io
import json
import logging
import pickle
import zlib
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, NamedTuple

try:
    import pyarrow
    from pyspark.sql import functions
except ImportError as error:
    raise ImportError(
        f'{__name__} needs {error.name}, which is not installed: pip install "scrapy-webstemmer[spark]"',
        name=error.name,
    ) from error

from ..api import extract_in_parts
from ..base.urls import PageSample, digest_of, link_key, site_of
from ..base.work import finish
from ..classic.pat_files import ANY_SITE
from ..errors import LearningSetError, PageError, visible
from ..items import values_of
from ..monitoring.changes import Tally, find_drift
from ..options import TREE_LAYOUTS, ExtractOptions, LearnOptions
from ..patterns.pattern_file import VERSION, PatternSet
from ..reading import LeftOut, Reading, Shared, SitePages, Wanted, read_page
from ..steps import accepted, learn_site
from ..storage import open_pages
from ..storage.warc import WarcFile
from ..trees.layout_trees import build_tree
from ..values import Page, SitePatterns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)

#: The columns of pages. A row with a problem names what could not be read, and has no body.
PAGES = "url string, body binary, encoding string, fetched string, source string, problem string"
#: The columns of patterns: a row for each site, with a pattern file that has this site alone.
PATTERNS = "site string, pages long, version int, patterns binary"
#: The columns of results: a row for each page, and for each part of the pages one for each site with counts.
RESULTS = "site string, url string, reason string, article string, tally binary"

#: Rows come in batches of so many bytes, or rows: a batch is held in memory some times.
_BATCH_BYTES, _BATCH_ROWS = 4 << 20, 200
#: Patterns of up to so many bytes are sent to each worker; larger ones go to the pages of their sites.
BROADCAST = 256 << 20

_LEARN, _EXTRACT = LearnOptions(), ExtractOptions()

_Batches = Iterator["pyarrow.RecordBatch"]


def _batches(rows: Iterable[tuple[Any, ...]], columns: str) -> _Batches:
    """Yield rows as batches of a bounded size."""
    schema = _schema(columns)
    waiting: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if size >= _BATCH_BYTES or len(waiting) >= _BATCH_ROWS:
            yield _batch(waiting, schema)
            waiting, size = [], 0
    if waiting:
        yield _batch(waiting, schema)


def _batch(rows: Sequence[tuple[Any, ...]], schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    columns = [
        pyarrow.array(map(_encodable, values), field.type)
        for values, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def _encodable(value: Any) -> Any:
    """Return a value that Arrow can encode: a url may have half a character."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _schema(columns: str) -> pyarrow.Schema:
    kinds = {
        "string": pyarrow.string(),
        "binary": pyarrow.binary(),
        "long": pyarrow.int64(),
        "int": pyarrow.int32(),
    }
    return pyarrow.schema([(name, kinds[kind]) for name, kind in (one.split() for one in columns.split(","))])


def _rows(batches: _Batches) -> Iterator[dict[str, Any]]:
    for batch in batches:
        yield from batch.to_pylist()


def _mapped(
    rows: DataFrame, work: Callable[[Iterator[dict[str, Any]]], Iterable[tuple[Any, ...]]], columns: str
) -> DataFrame:
    """Return what a function makes of the rows of each partition, in a table with other columns."""
    conf = rows.sparkSession.conf
    if int(conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")) > _BATCH_ROWS:
        # ten thousand bodies, as Spark sends them at a time, do not fit into a worker
        conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(_BATCH_ROWS))
    return rows.mapInArrow(partial(_work, work, columns), columns)


def _work(
    work: Callable[[Iterator[dict[str, Any]]], Iterable[tuple[Any, ...]]], columns: str, batches: _Batches
) -> _Batches:
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # Arrow's own keeps what it has had
    return _batches(work(_rows(batches)), columns)


def _by_site(rows: DataFrame) -> DataFrame:
    """Return rows with those of a site behind each other, in one partition."""
    return rows.repartition("site").sortWithinPartitions("site")


class _Values(pickle.Unpickler):
    """Reads what another worker has packed: values of ours, and nothing that could run code."""

    _allowed: ClassVar = {
        "builtins": {"frozenset"},
        "scrapy_webstemmer.values": {"Page", "Layout", "Block", "Step", "Trace"},
        "scrapy_webstemmer.reading": {"Reading"},
        "scrapy_webstemmer.trees.layout_trees": {"Tree"},
        "scrapy_webstemmer.monitoring.changes": {"Tally", "Group", "Measured"},
    }

    def find_class(self, module: str, name: str) -> Any:
        if name not in self._allowed.get(module, ()):
            raise pickle.UnpicklingError(f"{module}.{name} is no value of a reading")
        return super().find_class(module, name)


def _packed(value: object) -> bytes:
    return zlib.compress(pickle.dumps(value), 1)


def _unpacked(packed: bytes) -> Any:
    return _Values(io.BytesIO(zlib.decompress(packed))).load()


# --- Read pages from WARC files, record by record


def read_warcs(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Return the pages of WARC files, each file in a task of its own, read record by record.

    Damage is a row with a ``problem``; all pages before it count, as with ``scrapy analyze``.

    :param paths: urls that fsspec opens (``s3a://``, ``hdfs://``, ``https://``; it may need a package for
        that, such as s3fs), or paths that all workers have. These may be whatever ``scrapy analyze`` reads,
        such as learning sets; of a learning set, the pages and not its linkinfo.
    """
    paths = [path if "://" in path else str(Path(path).absolute()) for path in paths]
    numbers = spark.range(0, len(paths), numPartitions=max(1, len(paths)))
    return _mapped(numbers, partial(_pages_of_files, paths), PAGES)


def _pages_of_files(paths: Sequence[str], numbers: Iterator[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for row in numbers:
        path = paths[row["id"]]
        try:
            with WarcFile(path, partial(_opened, path)) if "://" in path else open_pages(path) as file:
                for page in file:
                    yield page.url, page.body, page.encoding, page.fetched, path, None
                problems = [f"{path}: {one.record}: {one.reason}" for one in file.skipped]
                if file.skipped_count > len(file.skipped):
                    problems.append(f"{path}: and {file.skipped_count - len(file.skipped):,} more")
        except LearningSetError as error:
            problems = [str(error)]
        except Exception as error:  # a file that cannot be read must not fail the job
            logger.exception("not read: %s", path)
            problems = [f"{path}: {type(error).__name__}: {error}"]
        for problem in problems:
            yield None, None, None, None, path, problem


def _opened(url: str) -> IO[bytes]:
    """Open a url for reading. Spark's own file systems are Java's, which a worker's Python does not have."""
    import fsspec

    stream: IO[bytes] = fsspec.open(url.replace("s3a://", "s3://", 1), "rb").open()
    return stream


def _page(row: Mapping[str, Any]) -> Page:
    return Page(row["url"], row["body"] or b"", row.get("encoding"), row.get("fetched"))


# --- Learn: draw each site's sample by urls alone, read the pages in it, bring the readings together by site


class _Sample(NamedTuple):
    """The sample of a site that has more pages: the sorted digests of its pages, and what is left out."""

    digests: array[int]
    left_out: LeftOut

    def has(self, key: str) -> bool:
        wanted = digest_of(key)
        at = bisect_left(self.digests, wanted)
        return at < len(self.digests) and self.digests[at] == wanted


def learn_sites(pages: DataFrame, options: LearnOptions = _LEARN) -> DataFrame:
    """Return the patterns of the sites of some pages: the same bytes as ``api.learn`` gives.

    :param pages: with the columns ``url`` and ``body``, and, if they are known, ``encoding`` and ``fetched``.
        They are read twice: first their urls alone. If that costs much, store them as Parquet before.
    :returns: a table with the columns :data:`PATTERNS`.

    This runs a job that draws the samples; what follows runs when the result is asked for. Memory of a
    worker: that of learning its largest site, and 8 bytes for each page in the sample of a large site.
    """
    large = _collected(samples_of(pages, options)) if options.max_pages else {}
    read = _mapped(pages, partial(_readings, options, large), READINGS)
    return _mapped(_by_site(read.where(f"kind < {PROBLEM}")), partial(_learned, options, large), PATTERNS)


#: The columns of samples: a row for each site that has more pages than its sample, with the number of the
#: others, the first of them as ``key``, and the digests of those in the sample.
SAMPLES = "site string, key string, pages long, digests binary"
#: The columns of readings, which only :func:`patterns_of` understands. Those of kind 2 are problems.
READINGS = "site string, kind int, key string, value binary"
_PAGE, _ANCHOR, PROBLEM = range(3)
#: So many links are remembered, since all pages of a site have many of them in common.
_LINKS = 50_000


def samples_of(pages: DataFrame, options: LearnOptions = _LEARN) -> DataFrame:
    """Return the samples of the sites with more pages than a sample may have: the first step of learning.

    Only the urls of the pages are looked at. The result is a table with the columns :data:`SAMPLES`.
    """
    keys = _mapped(pages.select("url"), partial(_keys, options), "site string, key string").dropDuplicates()
    # Spark has spread the pages of each site, so a large one keeps no worker alone busy
    parts = _mapped(keys.sortWithinPartitions("site"), partial(_drawn, options.max_pages), SAMPLES)
    return _mapped(_by_site(parts), partial(_drawn_again, options.max_pages), SAMPLES)


def readings_of(pages: DataFrame, samples: DataFrame, options: LearnOptions = _LEARN) -> DataFrame:
    """Return what learning needs of the pages: the second step of learning, which does most of its work."""
    return _mapped(pages, partial(_readings, options, _collected(samples)), READINGS)


def patterns_of(readings: DataFrame, samples: DataFrame, options: LearnOptions = _LEARN) -> DataFrame:
    """Return the patterns of the sites whose pages have been read: the last step of learning."""
    rows = _by_site(readings.where(f"kind < {PROBLEM}"))
    return _mapped(rows, partial(_learned, options, _collected(samples)), PATTERNS)


def _collected(samples: DataFrame) -> dict[str, _Sample]:
    return {
        row.site: _Sample(array("Q", bytes(row.digests)), LeftOut(row.pages, row.key or ""))
        for row in samples.collect()
    }


def _keys(options: LearnOptions, rows: Iterator[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        if row["url"] is None:
            continue
        page = Page(row["url"], b"")
        try:
            names = [site_of(page.url, options.site) for _ in _accepted(page, options, SitePages())]
        except PageError:  # whoever reads it says so
            continue
        for name in names:
            yield name, link_key(page.url)


def _accepted(page: Page, options: LearnOptions, site: SitePages) -> Iterator[tuple[Page, Wanted]]:
    """Yield a page with its wanted parts, unless a url rule leaves it out."""
    tree = build_tree if options.layout in TREE_LAYOUTS else None
    return accepted([page], defaultdict(lambda: site), Wanted(options, tree=tree))


def _drawn(size: int, rows: Iterator[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield for each site of a part of the keys those in its sample, and a row for those that are not."""
    for name, own in _grouped(rows):
        drawing = _Drawing(size)
        for row in own:
            drawing.add(row["key"])
        yield from ((name, key, 0, None) for key in drawing.keys)
        if drawing.left_out.pages:
            yield name, drawing.left_out.first, drawing.left_out.pages, None


def _drawn_again(size: int, rows: Iterator[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each site that has more pages than its sample: what is left out, and the digests."""
    for name, own in _grouped(rows):
        drawing = _Drawing(size)
        for row in own:
            if row["pages"]:
                drawing.left_out = drawing.left_out.with_pages(row["pages"], row["key"])
            else:
                drawing.add(row["key"])
        if drawing.left_out.pages:
            digests = array("Q", sorted(map(digest_of, drawing.keys))).tobytes()
            yield name, drawing.left_out.first, drawing.left_out.pages, digests


class _Drawing:
    """A sample that is being drawn. A part of a part's sample is the same as a part of the whole."""

    def __init__(self, size: int) -> None:
        self._sample = PageSample(size)
        self.keys: set[str] = set()
        self.left_out = LeftOut()

    def add(self, key: str) -> None:
        self.keys.add(key)
        left_out = self._sample.add(key)
        if left_out is not None:
            self.keys.discard(left_out)
            self.left_out = self.left_out.with_pages(1, left_out)


def _grouped(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    return groupby(rows, lambda row: row["site"])


def _readings(
    options: LearnOptions, large: Mapping[str, _Sample], rows: Iterator[dict[str, Any]]
) -> Iterator[tuple[Any, ...]]:
    """Yield what is read of pages: the layouts of those in their site's sample, the anchors of all."""
    links: set[tuple[str, str]] = set()
    for row in rows:
        if row["url"] is None:
            yield "", PROBLEM, row["source"], row["problem"].encode("utf-8", "replace")
            continue
        page = _page(row)
        name, key = site_of(page.url, options.site), link_key(page.url)
        sample, site = large.get(name), SitePages()
        for _, wanted in _accepted(page, options, site):
            is_drawn = sample is None or sample.has(key)
            found = read_page(page, wanted if is_drawn else wanted._replace(blocks=False))
            if len(links) > _LINKS:
                links.clear()
            for target, text in found.anchors:
                if (target, text) not in links and (sample is None or sample.has(target)):
                    links.add((target, text))
                    yield name, _ANCHOR, target, text.encode("utf-8", "surrogatepass")
            if is_drawn:
                yield name, _PAGE, key, _packed((replace(page, body=b""), replace(found, anchors=())))
        if site.unread:  # a url rule could not be tried
            yield name, _PAGE, key, _packed((replace(page, body=b""), Reading(None, problem="its url")))


def _learned(
    options: LearnOptions, large: Mapping[str, _Sample], rows: Iterator[dict[str, Any]]
) -> Iterator[tuple[Any, ...]]:
    for name, own in _grouped(rows):
        site, shared = SitePages(options.max_pages), Shared()
        if name in large:
            site.others = large[name].left_out
        for row in own:
            if row["kind"] == _ANCHOR:
                site.anchors.add(row["key"], row["value"].decode("utf-8", "surrogatepass"))
                continue
            page, found = _unpacked(row["value"])
            found = shared.reading(found)
            site.draw(page)
            if found.layout is not None and not site.traces(page):
                found = replace(found, layout=replace(found.layout, traces=()))
            site.take(page, found)
        learned = learn_site(name, site, options)
        yield name, learned.pages, VERSION, pattern_bytes(learned)


def pattern_bytes(site: SitePatterns) -> bytes:
    """Return a pattern file of one site."""
    file = io.BytesIO()
    PatternSet({site.site: site}).save(file)
    return file.getvalue()


# --- Extract


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
    names = frozenset(row.site for row in patterns.select("site").collect())
    found = functions.udf(lambda url: _site_among(names, url))(functions.col("url"))
    pages = pages.withColumn("site", found)
    patterns = patterns.select("site", "patterns")
    size = patterns.agg(functions.sum(functions.length("patterns"))).collect()[0][0] or 0
    if size > broadcast:
        joined = pages.join(patterns, "site", "left").sortWithinPartitions("site")
        return _mapped(joined, partial(_extracted, options, None), RESULTS)
    files = {row.site: bytes(row.patterns) for row in patterns.collect()}
    return _mapped(pages.sortWithinPartitions("site"), partial(_extracted, options, files), RESULTS)


def _site_among(names: Collection[str], url: str | None) -> str:
    """Return the site whose patterns a url gets, as ``PatternSet.site_of`` finds it."""
    if url is None:
        return ""
    own = site_of(url)
    if not own and len(names) == 1:
        return next(iter(names))
    return next((name for name in (site_of(url, "host"), own, ANY_SITE) if name in names), own)


def _extracted(
    options: ExtractOptions, files: Mapping[str, bytes] | None, rows: Iterator[dict[str, Any]]
) -> Iterator[tuple[Any, ...]]:
    """Yield what each page gives, and behind the pages of a site its counts. One site is kept in memory.

    :param files: the patterns of all sites; None: each row has those of its own.
    :param rows: those of a site come one after the other.
    """
    for name, own in _grouped(rows):
        patterns, tally = PatternSet(), Tally(dates=options.date)
        for row in own:
            if row["url"] is None:
                yield None, None, row["problem"], None, None
                continue
            content = files.get(name) if files is not None else row["patterns"]
            if content is not None and not len(patterns.sites):
                patterns = PatternSet.loads(bytes(content), options.limits)
            yield _result(_page(row), patterns, options, tally)
        if tally.judged:
            yield name, None, None, None, _packed(tally)


def _result(page: Page, patterns: PatternSet, options: ExtractOptions, tally: Tally) -> tuple[Any, ...]:
    """Return the row of a page, and count it."""
    try:
        result = finish(extract_in_parts(page, patterns, options))
    except PageError as error:
        return site_of(page.url), page.url, f"it cannot be read: {error.reason}", None, None
    except Exception as error:  # an error of ours on one page must not fail the job
        logger.exception("not read: %s", visible(page.url))
        return site_of(page.url), page.url, f"{type(error).__name__}: {error}", None, None
    name = result.site.site if result.site else site_of(page.url)
    if result.site is not None:
        tally.add(result, page.fetched or "")
    article = result.article
    line = None if article is None else json.dumps(values_of(article), ensure_ascii=False)
    return name, page.url, str(result.reason) or None, line, None


def drift_of(results: DataFrame, patterns: DataFrame) -> DataFrame:
    """Return the sites that have changed since they were learned, each with what has changed.

    :param results: what :func:`extract_articles` has given; store it before, or its work is done again.
    :param patterns: those that it was given.
    :returns: a table with the columns ``site`` and ``change``.
    """
    counts = results.where("tally is not null").select("site", "tally")
    rows = counts.join(patterns.select("site", "patterns"), "site")
    return _mapped(_by_site(rows), _drifts, "site string, change string")


def _drifts(rows: Iterator[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for name, own in _grouped(rows):
        first = next(own)
        tally: Tally = _unpacked(first["tally"])
        for row in own:
            tally.merge(_unpacked(row["tally"]))
        site = PatternSet.loads(bytes(first["patterns"])).sites[name]
        drift = find_drift(site.usual, tally)
        if drift is not None:
            yield name, drift.sentence()


def pattern_set(patterns: DataFrame) -> PatternSet:
    """Return all patterns of a table, for ``PatternSet.save`` or ``api.extract``. They fit into memory."""
    files = {row.site: bytes(row.patterns) for row in patterns.select("site", "patterns").collect()}
    return PatternSet({name: PatternSet.loads(files[name]).sites[name] for name in sorted(files)})


def pattern_table(spark: SparkSession, patterns: PatternSet) -> DataFrame:
    """Return the table of a pattern set."""
    rows = [
        (name, site.pages, VERSION, bytearray(pattern_bytes(site))) for name, site in patterns.sites.items()
    ]
    return spark.createDataFrame(rows, PATTERNS)
