"""Items as Parquet: the columns of articles are always the same, and those of other items are found out."""

from __future__ import annotations

import datetime
import io
import logging
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer import ArticleItem
from scrapy_webstemmer.crawl.parquet import ROWS, ParquetItemExporter

NAMED = "list<struct<name: string, url: string>>"
COLUMNS = {
    "url": "string",
    "confidence": "double",
    "date": "string",
    "sections": "list<struct<kind: string, text: string>>",
    "authors": NAMED,
    "videos": "list<string>",
    "tags": "list<string>",
    "breadcrumbs": NAMED,
    "comment_count": "int64",
    "images": "list<struct<url: string, alt: string, caption: string>>",
    "comments": "list<struct<author: string, date: string, text: string, depth: int64>>",
}
FULL: dict[str, Any] = {
    "confidence": 0.5,
    "sections": [{"kind": "main", "text": "text"}],
    "authors": [{"name": "Ann Lee", "url": None}, {"name": "Bob Roe", "url": "http://a/bob"}],
    "videos": ["http://a/v"],
    "tags": ["sea", "海"],
    "breadcrumbs": [{"name": "Home", "url": "http://a/"}],
    "comment_count": 3,
    "images": [{"url": "http://a/i", "alt": None, "caption": "A ferry"}],
    "comments": [{"author": None, "date": None, "text": "Yes", "depth": 1}],
}


def article(number: int = 0, **values: Any) -> ArticleItem:
    """Return an article of which little is known."""
    return ArticleItem(f"http://a/{number}", "title", "text", "<p>text</p>", "p", **values)


def written(*items: Any, **options: Any) -> pyarrow.parquet.ParquetFile:
    """Return the file of some items."""
    stream = io.BytesIO()
    exporter = ParquetItemExporter(stream, **options)
    exporter.start_exporting()
    for item in items:
        exporter.export_item(item)
    exporter.finish_exporting()
    assert not stream.closed
    return pyarrow.parquet.ParquetFile(io.BytesIO(stream.getvalue()))


def types_of(file: pyarrow.parquet.ParquetFile) -> dict[str, str]:
    """Return the type of each column."""
    return {one.name: str(one.type).replace("element: ", "") for one in file.schema_arrow}


@pytest.mark.parametrize("values", [{}, FULL], ids=["little", "much"])
@pytest.mark.parametrize("form", [lambda one: one, asdict], ids=["item", "dict"])
def test_articles_have_all_columns(values: dict[str, Any], form: Any) -> None:
    """Whatever is known of them, as items and as dicts, the columns have the same types."""
    file = written(form(article(**values)))
    types = types_of(file)
    assert list(types) == list(ArticleItem.__dataclass_fields__)
    assert types.items() >= COLUMNS.items()
    assert file.read().to_pylist() == [asdict(article(**values))]


def test_a_file_without_articles_has_the_columns_that_were_chosen() -> None:
    """A feed that gets nothing is a Parquet file nevertheless."""
    file = written(fields_to_export=["url", "authors", "comment_count"])
    assert types_of(file) == {"url": "string", "authors": NAMED, "comment_count": "int64"}
    assert file.metadata.num_rows == 0
    assert written().metadata.num_columns == 0


def test_chosen_fields_and_their_new_names() -> None:
    """A column has the type of its field, whatever its name."""
    file = written(article(**FULL), fields_to_export={"authors": "by", "url": "link"})
    assert types_of(file) == {"by": NAMED, "link": "string"}
    assert file.read().to_pylist() == [{"by": FULL["authors"], "link": "http://a/0"}]


def test_rows_come_in_groups() -> None:
    """A group has a thousand rows, so that memory stays bounded; the order of the items is kept."""
    file = written(*map(article, range(2 * ROWS + 1)))
    assert [file.metadata.row_group(n).num_rows for n in range(3)] == [ROWS, ROWS, 1]
    assert file.read()["url"].to_pylist() == [f"http://a/{n}" for n in range(2 * ROWS + 1)]
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    packed = written(article(), compression="snappy")
    assert packed.metadata.row_group(0).column(0).compression == "SNAPPY"


@given(st.text(st.characters(), max_size=20))
def test_any_text(text: str) -> None:
    """Half a character, as a url may have it, becomes a replacement sign; all else is kept."""
    (row,) = written(ArticleItem(text, text, text, text)).read().to_pylist()
    assert row["url"] == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass
class Price:
    """An item of a project. Its date is not text, as that of an article is."""

    title: str
    date: datetime.date | None = None
    parts: Any = None


def test_types_of_other_items_are_found_out() -> None:
    """Their first thousand decide. What none of them has is text."""
    day = datetime.date(2026, 5, 14)
    items = [Price("a"), Price("b", day, [{"a": 1, "b": None}]), Price("c", parts=[])]
    file = written(*items)
    assert types_of(file) == {
        "title": "string",
        "date": "date32[day]",
        "parts": "list<struct<a: int64, b: string>>",
    }
    assert file.read()["date"].to_pylist() == [None, day, None]
    assert types_of(written({"a": 1}, {"b": None})) == {"a": "int64", "b": "string"}
    assert types_of(written({"a": 2**70})) == {"a": "string"}
    # an item of a project is not taken for an article because some names are the same
    assert types_of(written({"url": "a", "title": "b", "date": day}))["date"] == "date32[day]"


def test_an_item_that_does_not_fit_is_left_out_with_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """Among the first thousand a line counts them; later each is an error that names the column."""
    stream = io.BytesIO()
    exporter = ParquetItemExporter(stream)
    for number in range(ROWS):
        exporter.export_item({"a": "x" if number in (5, 6) else number, "s": {"x": 1}})
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.getMessage().startswith("Parquet: 2 items left out: the column 'a' has the type int64: ")
    wrong = {
        "the column 'a' has the type int64": {"a": "x"},
        "the column 's' has the type struct<x: int64>: there is no 'y' in it": {"s": {"x": 1, "y": 2}},
        "the file has no column 'b'": {"b": 1},
    }
    for reason, item in wrong.items():
        with pytest.raises(ValueError, match=reason):
            exporter.export_item(item)
    exporter.export_item({"a": 7})
    exporter.finish_exporting()
    rows = pyarrow.parquet.read_table(io.BytesIO(stream.getvalue())).to_pylist()
    assert len(rows) == ROWS - 1
    assert rows[-1] == {"a": 7, "s": None}


def test_nothing_is_added_to_a_file(tmp_path: Path) -> None:
    """A Parquet file has its end behind all rows."""
    path = tmp_path / "a.parquet"
    path.write_bytes(b"before")
    with path.open("ab") as stream, pytest.raises(ValueError, match="nothing can be added to a Parquet file"):
        ParquetItemExporter(stream)


def test_a_writer_that_is_given_up_is_quiet() -> None:
    """If its file was closed before the end, since a command was interrupted, nothing is written or said."""
    stream = io.BytesIO()
    exporter = ParquetItemExporter(stream)
    exporter.export_item(article())
    stream.close()
    del exporter


def test_an_unknown_option_is_refused() -> None:
    """As by Scrapy's own exporters."""
    with pytest.raises(TypeError, match="Unexpected options: colour"):
        ParquetItemExporter(io.BytesIO(), colour="red")


def test_without_pyarrow_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pip install "scrapy-webstemmer\[parquet\]"'):
        ParquetItemExporter(io.BytesIO())
