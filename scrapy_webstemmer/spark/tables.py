"""Tables on Spark: their columns, Python that works on the rows of each partition, and patterns as rows."""

from __future__ import annotations

import io
import logging
import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, ClassVar

import pyarrow
from pyspark.sql import DataFrame, SparkSession

from ..errors import PatternFileError
from ..pattern_files.pattern_file import VERSION, PatternSet
from ..patterns.corrections import corrected_again
from ..values import SitePatterns

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
_BYTES_AT_ONCE, _ROWS_AT_ONCE = 4 << 20, 200
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

Row = dict[str, Any]
#: The values of rows that are written.
Values = Iterator[tuple[Any, ...]]
_Batches = Iterator[pyarrow.RecordBatch]
_Work = Callable[[Iterator[Row]], Values]


def mapped(rows: DataFrame, work: _Work, columns: str) -> DataFrame:
    """Return what a function makes of the rows of each partition, in a table with other columns."""
    conf = rows.sparkSession.conf
    if int(conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")) > _ROWS_AT_ONCE:
        # ten thousand bodies, as Spark sends them at a time, do not fit into a worker
        conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(_ROWS_AT_ONCE))
    return rows.mapInArrow(partial(_worked, work, columns), columns)


def _worked(work: _Work, columns: str, batches: _Batches) -> _Batches:
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # Arrow's own keeps what it has had
    rows = (row for batch in batches for row in batch.to_pylist())
    return _in_batches(work(rows), columns)


def _in_batches(rows: Iterable[tuple[Any, ...]], columns: str) -> _Batches:
    """Yield rows as batches of a bounded size."""
    names, kinds = zip(*(column.split() for column in columns.split(", ")), strict=True)
    schema = pyarrow.schema(list(zip(names, map(_TYPES.__getitem__, kinds), strict=True)))
    waiting: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if size >= _BYTES_AT_ONCE or len(waiting) >= _ROWS_AT_ONCE:
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
        return {name: _encodable(item) for name, item in value.items()}
    return value


def by_site(rows: DataFrame, *others: str) -> DataFrame:
    """Return rows with those of a site behind each other, in one partition.

    :param others: the columns that order the rows of a site.
    """
    return rows.repartition("site").sortWithinPartitions("site", *others)


class _Unpickler(pickle.Unpickler):
    """Reads what another worker has packed: values of ours, and nothing that could run code."""

    _allowed: ClassVar = {
        "array": {"array", "_array_reconstructor"},
        "builtins": {"frozenset"},
        "scrapy_webstemmer.values": {"Page", "Layout", "Block", "Step", "Trace"},
        "scrapy_webstemmer.learning.page_reading": {"Reading"},
        "scrapy_webstemmer.trees.layout_trees": {"Tree"},
        "scrapy_webstemmer.monitoring.tally": {"Tally", "Group", "Measured"},
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


def grouped(rows: Iterable[Row]) -> Iterator[tuple[str, Iterator[Row]]]:
    return groupby(rows, lambda row: row["site"])


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


def _corrected(rows: Iterator[Row]) -> Values:
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
