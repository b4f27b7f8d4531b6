"""Read pages and linkinfo from files as tables."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from errno import ENOENT
from functools import partial, reduce
from pathlib import Path
from typing import IO, Any

from pyspark.sql import DataFrame, SparkSession, functions

from ..errors import LearningSetError
from ..storage import PageSource, open_pages
from ..storage.warc import WarcFile
from ..values import Announcement, Page
from .tables import LINKINFO, PAGES, Row, Values, mapped

logger = logging.getLogger(__name__)

#: Lists of paths, of which Common Crawl has one for each crawl; tables; and files that have no linkinfo.
_LIST_SUFFIXES, _TABLE_SUFFIX, _WARC_SUFFIXES = (".paths", ".paths.gz"), ".parquet", (".warc", ".warc.gz")
#: The columns that are read of tables of pages.
_PAGE_COLUMNS = ("url", "body", "encoding", "fetched", "aliases")


def paths_in(name: str, prefix: str) -> Iterator[str]:
    """Yield the paths that an input names. Raises LearningSetError if it names none."""
    if name.endswith(_LIST_SUFFIXES):
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
        paths = sorted(file_system.glob(path))
    except Exception as error:  # each file system has errors of its own
        raise LearningSetError(name, _reason(error)) from None
    if not paths:
        raise LearningSetError(name, "there is no such file")
    yield from (f"{scheme}{path}" for path in paths)


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
    files = _files_among(paths)
    tables = [read_warcs(spark, files)]
    for path in sorted({*paths}.difference(files)):
        table = spark.read.parquet(path)
        if missing := {"url", "body"}.difference(table.columns):
            raise LearningSetError(path, f"has no column {min(missing)}")
        columns = [name for name in _PAGE_COLUMNS if name in table.columns]
        tables.append(table.select(*columns, functions.lit(path).alias("source")))
    return reduce(partial(DataFrame.unionByName, allowMissingColumns=True), tables)


def _files_among(paths: Sequence[str]) -> list[str]:
    """Return the paths that are no tables."""
    return [path for path in paths if not path.rstrip("/").endswith(_TABLE_SUFFIX)]


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
    files = [path for path in _files_among(paths) if "://" not in path and not path.endswith(_WARC_SUFFIXES)]
    return _of_files(spark, files, _links, LINKINFO)


def _of_files(
    spark: SparkSession, paths: Sequence[str], read: Callable[[str], Values], columns: str
) -> DataFrame:
    paths = [path if "://" in path else str(Path(path).absolute()) for path in paths]
    numbers = spark.range(0, len(paths), numPartitions=max(1, len(paths)))
    return mapped(numbers, partial(_read, paths, read), columns)


def _read(paths: Sequence[str], read: Callable[[str], Values], numbers: Iterator[Row]) -> Values:
    for row in numbers:
        yield from read(paths[row["id"]])


def _pages(path: str) -> Values:
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
        problems += [f"{record}: {reason}" for record, reason in file.skipped]
        if file.skipped_count > len(file.skipped):
            problems.append(f"and {file.skipped_count - len(file.skipped):,} more")
    for problem in problems:
        yield *[None] * 6, path, f"{path}: {problem}"


def _links(path: str) -> Values:
    try:
        with _opened(path) as file:
            linkinfo = file.linkinfo()
            if linkinfo is not None:
                yield from ((url, text) for url, texts in linkinfo.items() for text in texts)
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
