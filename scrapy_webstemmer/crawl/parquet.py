"""Write items as a Parquet file: an exporter for Scrapy's feeds, with a column for each field of articles."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import NoneType, UnionType
from typing import IO, Any, Union, get_args, get_origin, get_type_hints

from itemadapter import ItemAdapter, is_item
from scrapy.exporters import BaseItemExporter

from ..base.urls import well_formed
from ..errors import plural
from ..items import ArticleItem
from ..values import ArticleImage, Author, Breadcrumb, Comment

logger = logging.getLogger(__name__)

#: A row group has so many rows: they are held in memory until they are written.
ROWS = 1000
#: What tells the columns of the fields that are lists of records.
_RECORDS: Mapping[str, Mapping[str, Any]] = {
    "sections": {"kind": str, "text": str},
    "authors": get_type_hints(Author),
    "breadcrumbs": get_type_hints(Breadcrumb),
    "images": get_type_hints(ArticleImage),
    "comments": get_type_hints(Comment),
}
#: A dict with these fields, and no others than those of an article, is an article of ours.
_ARTICLE_KEYS = {"url", "text", "pattern"}
_FIELD_TYPES = get_type_hints(ArticleItem)


class ParquetItemExporter(BaseItemExporter):
    """Writes a Parquet file with a column for each field.

    For articles, the types of the columns are always the same, whatever is known of them. The types of other
    items are found out from the first thousand.

    :param file: takes bytes. It must be empty, since nothing can be added to a Parquet file.
    :param compression: of the columns, as pyarrow names it.
    :raises ImportError: pyarrow is not installed.
    :raises ValueError: the file is not empty.

    Memory: a thousand items, in pyarrow's form. Cost: .1 ms an item.
    """

    def __init__(self, file: IO[bytes], *, compression: str = "zstd", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ImportError(
                'Parquet needs pyarrow, which is not installed: pip install "scrapy-webstemmer[parquet]"'
            ) from None
        if _has_content(file):
            raise ValueError("nothing can be added to a Parquet file: choose a new name, or overwrite it")
        self.file = file
        self._arrow: Any = pyarrow
        self._errors = (pyarrow.ArrowException, TypeError, ValueError, OverflowError)
        self._compression = compression
        self._schema: Any = None
        self._writer: Any = None
        self._first: list[dict[str, Any]] = []  # the rows before the types of the columns are known
        self._batches: list[Any] = []

    def export_item(self, item: Any) -> None:
        """Take an item.

        :raises ValueError: its values do not fit the columns; the error names the column.
        """
        adapter = ItemAdapter(item)
        columns = self._columns(adapter.field_names())
        row = {column: _plain(self._value(adapter, field, column)) for field, column in columns}
        if self._schema is None and _is_article(item):
            self._begin({column: self._type_of(field) for field, column in columns})
        if self._schema is not None:
            self._add(row)
            return
        self._first.append(row)
        if len(self._first) >= ROWS:
            self._find_types()

    def finish_exporting(self) -> None:
        """Write what is left, and the end of the file. The file stays open."""
        if self._schema is None:
            self._find_types()
        self._write()
        self._writer.close()
        self.file.flush()

    def _columns(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """Return fields with the names of their columns.

        :param names: the fields, if the feed has not chosen any.
        """
        fields = self.fields_to_export
        if isinstance(fields, Mapping):
            return [*fields.items()]
        return [(name, name) for name in (names if fields is None else fields)]

    def _value(self, adapter: ItemAdapter, field: str, column: str) -> Any:
        if field not in adapter:
            return None
        return self.serialize_field(adapter.get_field_meta(field), column, adapter[field])

    def _begin(self, types: Mapping[str, Any]) -> None:
        self._schema = self._arrow.schema([*types.items()])
        self._writer = self._arrow.parquet.ParquetWriter(
            _Sink(self.file), self._schema, compression=self._compression
        )

    def _find_types(self) -> None:
        """Find out the types of the columns from the first rows, and take these rows."""
        names = dict.fromkeys(name for row in self._first for name in row)
        types = {}
        for field, column in self._columns(names):
            values = [row[column] for row in self._first if row.get(column) is not None]
            types[column] = self._inferred(values) if values else self._type_of(field)
        self._begin(types)
        refused = []
        for row in self._first:
            try:
                self._add(row)
            except ValueError as error:
                refused.append(error)
        self._first = []
        if refused:
            logger.error("Parquet: %s left out: %s", plural(len(refused), "item"), refused[0])

    def _inferred(self, values: list[Any]) -> Any:
        """Return the type of values; if they are of several kinds, that of the first one."""
        for sample in (values, values[:1]):
            with suppress(*self._errors):
                return self._known(self._arrow.array(sample).type)
        return self._arrow.string()

    def _known(self, kind: Any) -> Any:
        """Return a type without parts of which nothing is known yet, which become text."""
        arrow = self._arrow
        if arrow.types.is_null(kind):
            return arrow.string()
        if arrow.types.is_list(kind):
            return arrow.list_(self._known(kind.value_type))
        if arrow.types.is_struct(kind):
            return arrow.struct([(field.name, self._known(field.type)) for field in kind])
        return kind

    def _type_of(self, field: str) -> Any:
        """Return the type of a column of articles; text if there is no such field."""
        return article_types(self._arrow).get(field, self._arrow.string())

    def _add(self, row: Mapping[str, Any]) -> None:
        if unknown := row.keys() - {*self._schema.names}:
            raise ValueError(f"the file has no column {min(unknown)!r}")
        cells = [self._cell(row.get(column.name), column) for column in self._schema]
        self._batches.append(self._arrow.RecordBatch.from_arrays(cells, schema=self._schema))
        if len(self._batches) >= ROWS:
            self._write()

    def _cell(self, value: Any, column: Any) -> Any:
        """Return a value as pyarrow has it. Raises ValueError if it does not fit its column."""
        try:
            if lost := self._lost(value, column.type):
                raise ValueError(f"there is no {lost!r} in it")
            return self._arrow.array([value], column.type)
        except self._errors as error:
            raise ValueError(f"the column {column.name!r} has the type {column.type}: {error}") from None

    def _lost(self, value: Any, kind: Any) -> str | None:
        """Return the name of what a value has beside its type, which pyarrow would leave out."""
        if isinstance(value, list) and self._arrow.types.is_list(kind):
            return next(filter(None, (self._lost(element, kind.value_type) for element in value)), None)
        if isinstance(value, dict) and self._arrow.types.is_struct(kind):
            types = {field.name: field.type for field in kind}
            if unknown := value.keys() - types.keys():
                return str(min(unknown))
            return next(filter(None, (self._lost(value[name], types[name]) for name in value)), None)
        return None

    def _write(self) -> None:
        """Write the rows so far as a row group."""
        if self._batches:
            table = self._arrow.Table.from_batches(self._batches).combine_chunks()
            self._writer.write_table(table, row_group_size=ROWS)
            self._batches = []


class _Sink:
    """The file as pyarrow gets it.

    A writer that is dropped before its end writes the end nevertheless. If the file is closed by then, since
    a command was interrupted, nobody wants it.
    """

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        """Write bytes to the file, if it is open."""
        return len(data) if getattr(self._file, "closed", False) else self._file.write(data)

    def flush(self) -> None:
        """Do nothing: the exporter flushes the file at the end."""


def _has_content(file: IO[bytes]) -> bool:
    try:
        return file.tell() > 0
    except (AttributeError, OSError):  # one that compresses, for example
        return False


def _is_article(item: Any) -> bool:
    """Return whether an item is an article of ours, or a dict that was made of one."""
    if isinstance(item, dict):
        return _ARTICLE_KEYS <= item.keys() <= _FIELD_TYPES.keys()
    return isinstance(item, ArticleItem)


def article_types(arrow: Any) -> dict[str, Any]:
    """Return the type of the column of each field of articles.

    :param arrow: the module pyarrow.
    """
    return {name: _type(arrow, hint, _RECORDS.get(name)) for name, hint in _FIELD_TYPES.items()}


def _type(arrow: Any, hint: Any, record: Mapping[str, Any] | None) -> Any:
    """Return the type of a column for a Python type, and for what its records have."""
    inner = [arg for arg in get_args(hint) if arg is not NoneType]
    if get_origin(hint) in (Union, UnionType):
        return _type(arrow, inner[0], record)
    if get_origin(hint) is list:
        return arrow.list_(_type(arrow, inner[0], record))
    if record is not None:
        return arrow.struct([(name, _type(arrow, field, None)) for name, field in record.items()])
    return {str: arrow.string(), float: arrow.float64(), int: arrow.int64(), bool: arrow.bool_()}[hint]


def _plain(value: Any) -> Any:
    """Return a value as pyarrow takes it: text that can be encoded, lists, dicts."""
    if isinstance(value, str):
        return well_formed(value)
    if is_item(value):
        return {name: _plain(inner) for name, inner in ItemAdapter(value).items()}
    return [*map(_plain, value)] if isinstance(value, list | tuple | set | frozenset) else value
