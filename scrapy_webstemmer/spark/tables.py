"""Tables on Spark: make them of pages and linkinfo, and let Python work on the rows of each partition."""

from __future__ import annotations

import gzip
import io
import logging
import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from errno import ENOENT
from functools import partial, reduce
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar

import pyarrow
from pyspark.sql import DataFrame, functions

from ..errors import LearningSetError, PatternFileError
from ..pattern_files.pattern_file import VERSION, PatternSet
from ..patterns.corrections import corrected_again
from ..storage import PageSource, open_pages
from ..storage.warc import WarcFile
from ..values import Announcement, Page, SitePatterns

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)

#: The columns of pages. A row with a problem names what could not be read, and has no body.
PAGES = (
    "url string, body binary, encoding string, fetched string, aliases array<string>,"
    " announced struct<title:string,published:string,authors:array<string>>, source string, problem string"
)
#: The columns of linkinfo: a row for each text that links to a url.
LINKINFO = "url string, text string"

#: The columns of patterns: a row for each site, with a pattern file that has this site alone.
PATTERNS = "site string, pages long, version int, patterns binary"

#: Rows come in batches of so many bytes, or rows: a batch is held in memory some times.
_BATCH_BYTES, _BATCH_ROWS = 4 << 20, 200
#: The types of columns.
_STRINGS = pyarrow.list_(pyarrow.string())
_TYPES = {
    "string": pyarrow.string(),
    "binary": pyarrow.binary(),
    "long": pyarrow.int64(),
    "int": pyarrow.int32(),
    "array<string>": _STRINGS,
    "struct<title:string,published:string,authors:array<string>>": pyarrow.struct(
        {"title": pyarrow.string(), "published": pyarrow.string(), "authors": _STRINGS}
    ),
}
#: Lists of paths, of which Common Crawl has one for each crawl; tables; and files that have no linkinfo.
_LISTS, _TABLES = (".paths", ".paths.gz"), (".parquet",)
_WARCS = (".warc", ".warc.gz")

Row = dict[str, Any]
_Batches = Iterator[pyarrow.RecordBatch]
_Values = Iterator[tuple[Any, ...]]
_Work = Callable[[Iterator[Row]], _Values]


def mapped(rows: DataFrame, work: _Work, columns: str) -> DataFrame:
    """Return what a function makes of the rows of each partition, in a table with other columns."""
    conf = rows.sparkSession.conf
    if int(conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")) > _BATCH_ROWS:
        # ten thousand bodies, as Spark sends them at a time, do not fit into a worker
        conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(_BATCH_ROWS))
    return rows.mapInArrow(partial(_worked, work, columns), columns)


def _worked(work: _Work, columns: str, batches: _Batches) -> _Batches:
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # Arrow's own keeps what it has had
    rows = (row for batch in batches for row in batch.to_pylist())
    return _in_batches(work(rows), columns)


def _in_batches(rows: Iterable[tuple[Any, ...]], columns: str) -> _Batches:
    """Yield rows as batches of a bounded size."""
    names, kinds = zip(*(one.split() for one in columns.split(", ")), strict=True)
    schema = pyarrow.schema(list(zip(names, map(_TYPES.__getitem__, kinds), strict=True)))
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
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, tuple):
        return [*map(_encodable, value)]
    if isinstance(value, dict):
        return {name: _encodable(one) for name, one in value.items()}
    return value


def by_site(rows: DataFrame, *others: str) -> DataFrame:
    """Return rows with those of a site behind each other, in one partition.

    :param others: the columns that order the rows of a site.
    """
    return rows.repartition("site").sortWithinPartitions("site", *others)


class _Unpickler(pickle.Unpickler):
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


def packed(value: object) -> bytes:
    """Return a value for another worker."""
    return zlib.compress(pickle.dumps(value), 1)


def unpacked(content: bytes) -> Any:
    """Return a value that another worker has packed. Raises UnpicklingError if it is none of ours."""
    return _Unpickler(io.BytesIO(zlib.decompress(content))).load()


# --- Read pages and linkinfo from files


def paths_in(name: str, prefix: str) -> Iterator[str]:
    """Yield the paths that an input names. Raises LearningSetError if it names none."""
    if name.endswith(_LISTS):
        text = _content(name).decode("utf-8", "replace")
        yield from (prefix + line.strip() for line in text.splitlines() if line.strip())
        return
    if not any(sign in name for sign in "*?["):
        if "://" not in name and not Path(name).exists():
            raise LearningSetError(name, "No such file or directory")
        yield name
        return
    import fsspec

    scheme = f"{name.partition('://')[0]}://" if "://" in name else ""
    try:
        file_system, path = fsspec.core.url_to_fs(_url(name))
        found = sorted(file_system.glob(path))
    except Exception as error:  # each file system has errors of its own
        raise LearningSetError(name, _reason(error)) from None
    if not found:
        raise LearningSetError(name, "there is no such file")
    yield from (f"{scheme}{one}" for one in found)


def _content(name: str) -> bytes:
    import fsspec

    try:
        with fsspec.open(_url(name), "rb") as stream:
            content = bytes(stream.read())
        return gzip.decompress(content) if name.endswith(".gz") else content
    except Exception as error:  # as above
        raise LearningSetError(name, _reason(error)) from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).strip().partition("\n")[0] or type(error).__name__


def read_pages(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Return the pages of files and of tables, which are folders of Parquet files that end in ``.parquet``.

    :raises LearningSetError: a table lacks a column.
    """
    others = _files_among(paths)
    found = [read_warcs(spark, others)]
    for path in sorted({*paths}.difference(others)):
        table = spark.read.parquet(path)
        if missing := {"url", "body"}.difference(table.columns):
            raise LearningSetError(path, f"has no column {min(missing)}")
        given = [name for name in ("url", "body", "encoding", "fetched", "aliases") if name in table.columns]
        found.append(table.select(*given, functions.lit(path).alias("source")))
    return reduce(partial(DataFrame.unionByName, allowMissingColumns=True), found)


def _files_among(paths: Sequence[str]) -> list[str]:
    """Return the paths that are no tables."""
    return [path for path in paths if not path.rstrip("/").endswith(_TABLES)]


def read_warcs(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Return the pages of WARC files, each file in a task of its own, read record by record.

    Damage is a row with a ``problem``; all pages before it count, as with ``scrapy analyze``.

    :param paths: urls that fsspec opens (``s3a://``, ``hdfs://``, ``https://``; it may need a package for
        that, such as s3fs), or paths that all workers have. These may be whatever ``scrapy analyze`` reads,
        such as learning sets.
    """
    return _of_files(spark, paths, _pages, PAGES)


def read_linkinfo(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Return the anchor texts that learning sets and other files have recorded.

    :param paths: those of :func:`read_pages`. Tables, WARC files and urls have none, and are not opened.
    :returns: a table with the columns :data:`LINKINFO`.
    """
    others = [path for path in _files_among(paths) if "://" not in path and not path.endswith(_WARCS)]
    return _of_files(spark, others, _links, LINKINFO)


def _of_files(
    spark: SparkSession, paths: Sequence[str], read: Callable[[str], _Values], columns: str
) -> DataFrame:
    paths = [path if "://" in path else str(Path(path).absolute()) for path in paths]
    numbers = spark.range(0, len(paths), numPartitions=max(1, len(paths)))
    return mapped(numbers, partial(_read, paths, read), columns)


def _read(paths: Sequence[str], read: Callable[[str], _Values], numbers: Iterator[Row]) -> _Values:
    for row in numbers:
        yield from read(paths[row["id"]])


def _pages(path: str) -> _Values:
    file, problems = None, []
    try:
        with _opened(path) as file:
            for page in file:
                said = page.announced._asdict() if page.announced else None
                yield page.url, page.body, page.encoding, page.fetched, page.aliases, said, path, None
    except LearningSetError as error:
        problems.append(": ".join(filter(None, (error.record, error.reason))))
    except Exception as error:  # a file that cannot be read must not fail the job
        if file is not None:  # else it could not be opened, and each file system has errors of its own
            logger.exception("not read: %s", path)
        problems.append(f"{type(error).__name__}: {error}")
    if file is not None:
        problems += [f"{one.record}: {one.reason}" for one in file.skipped]
        if file.skipped_count > len(file.skipped):
            problems.append(f"and {file.skipped_count - len(file.skipped):,} more")
    for problem in problems:
        yield *[None] * 6, path, f"{path}: {problem}"


def _links(path: str) -> _Values:
    try:
        with _opened(path) as file:
            found = file.linkinfo()
            for url, texts in found.items() if found is not None else ():
                for text in texts:
                    yield url, text
    except LearningSetError:  # whoever reads the pages of the file says so
        return
    except Exception:  # as with pages
        logger.exception("no linkinfo read: %s", path)


def _opened(path: str) -> PageSource:
    """Open a file. Spark's own file systems are Java's, which a worker's Python does not have."""
    return WarcFile(path, partial(_stream, path)) if "://" in path else open_pages(path)


def _stream(url: str) -> IO[bytes]:
    import fsspec

    try:
        stream: IO[bytes] = fsspec.open(_url(url), "rb").open()
    except FileNotFoundError as error:  # object stores name the object alone
        raise FileNotFoundError(ENOENT, "there is no such file", url) from error
    return stream


def _url(url: str) -> str:
    return url.replace("s3a://", "s3://", 1)  # Java's name for it is another


def page_in(row: Mapping[str, Any]) -> Page:
    """Return the page in a row; only its url and its body must be there."""
    said = row.get("announced")
    return Page(
        row["url"],
        row["body"] or b"",
        row.get("encoding"),
        row.get("fetched"),
        tuple(row.get("aliases") or ()),
        announced=said and Announcement(said["title"], said["published"], tuple(said["authors"])),
    )


# --- Patterns


def pattern_bytes(site: SitePatterns) -> bytes:
    """Return a pattern file of one site."""
    file = io.BytesIO()
    PatternSet({site.site: site}).save(file)
    return file.getvalue()


def pattern_row(site: SitePatterns) -> tuple[Any, ...]:
    """Return the row of a site."""
    return site.site, site.pages, VERSION, pattern_bytes(site)


def pattern_set(patterns: DataFrame) -> PatternSet:
    """Return all patterns of a table, for ``PatternSet.save`` or ``api.extract``. They fit into memory."""
    files = {row.site: bytes(row.patterns) for row in patterns.select("site", "patterns").collect()}
    return PatternSet({name: PatternSet.loads(files[name]).sites[name] for name in sorted(files)})


def pattern_table(spark: SparkSession, patterns: PatternSet) -> DataFrame:
    """Return the table of a pattern set."""
    return spark.createDataFrame([pattern_row(site) for site in patterns.sites.values()], PATTERNS)


def with_corrections(patterns: DataFrame, before: DataFrame) -> DataFrame:
    """Return patterns that were learned anew, with the corrections that their sites have in another table."""
    old = before.selectExpr("site", "patterns as before")
    return mapped(patterns.join(old, "site", "left"), _corrected, PATTERNS)


def _corrected(rows: Iterator[Row]) -> _Values:
    for row in rows:
        name, before = row["site"], row["before"]
        try:
            old = PatternSet.loads(before).sites if before else {}
        except PatternFileError as error:
            logger.warning("corrections in the old patterns are lost: %s", error)
            old = {}
        if any(site.corrections for site in old.values()):
            yield pattern_row(corrected_again(PatternSet.loads(row["patterns"]).sites, old)[name])
        else:
            yield name, row["pages"], row["version"], row["patterns"]
