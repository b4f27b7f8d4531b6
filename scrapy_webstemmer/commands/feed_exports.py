"""Write what Scrapy's feeds have: CSV, XML, JSON, our Parquet, and the formats that a project adds."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TextIO, cast

from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ..crawl.feed_settings import ARTICLE_FIELDS, feed_exporters
from .arguments import CommandError
from .article_records import FORMATS

if TYPE_CHECKING:
    from scrapy.exporters import BaseItemExporter


def check_format(form: str, encoding: str, settings: Settings | None) -> None:
    """Refuse a format that cannot be written, before the work begins: a file without articles is tried.

    :raises UsageError: the format cannot have this charset.
    :raises CommandError: the format lacks its library.
    """
    if form not in FORMATS:
        _check_charset(form, encoding)
        with _space(form) as path, path.open("wb") as file:
            _Rows(form, encoding, settings or Settings(), file).finish()


@contextmanager
def open_export(name: str, form: str, encoding: str, settings: Settings | None) -> Iterator[TextIO]:
    """Open an output that takes JSON lines, and writes the values of each in a format of Scrapy's feeds.

    The exporter has a file of its own until it is done: some open it again by its name. Then the output gets
    its content, and if that is a file, it takes its name.

    :param name: the file; ``-`` for standard output.
    :param form: the name of the format, one of :func:`~..crawl.feed_settings.feed_formats`.
    :raises UsageError: the format cannot have this charset.
    :raises CommandError: the format lacks its library, or cannot hold the values of an article.
    """
    from ..base.files import replacing

    _check_charset(form, encoding)
    with _space(form) as path:
        with path.open("wb") as file:
            rows = _Rows(form, encoding, settings or Settings(), file)
            yield cast("TextIO", rows)
            rows.finish()
        with path.open("rb") as content:
            if name == "-":
                shutil.copyfileobj(content, sys.stdout.buffer)
                return
            with replacing(name) as stream:
                shutil.copyfileobj(content, stream)


@contextmanager
def _space(form: str) -> Iterator[Path]:
    """Give the path of a file that is removed at the end."""
    with TemporaryDirectory(prefix="extract-") as folder:
        yield Path(folder) / f"articles.{form}"


def _check_charset(form: str, encoding: str) -> None:
    if "x".encode(encoding) != b"x":
        raise UsageError(f"--output-encoding {encoding}: not with the format {form}, which begins with ASCII")


class _Rows(io.TextIOBase):
    """Takes JSON lines, and gives each as an item to the exporter of a format."""

    def __init__(self, form: str, encoding: str, settings: Settings, file: Any) -> None:
        super().__init__()
        self._form = form
        with self._refusing():
            self._exporter, self._keeps_nothing = _exporter(form, encoding, settings, file)
            self._exporter.start_exporting()

    def write(self, text: str) -> int:
        """Export the article of a JSON line, or nothing if the text is empty."""
        if text:
            row = json.loads(text)
            with self._refusing():
                self._exporter.export_item(row if self._keeps_nothing else _without_nothing(row))
        return len(text)

    def finish(self) -> None:
        """Write what is left."""
        with self._refusing():
            self._exporter.finish_exporting()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Say in one line which format failed, whatever its exporter raises."""
        try:
            yield
        except OSError:
            raise
        except Exception as error:
            reason = str(error) or type(error).__name__
            raise CommandError(f"the format {self._form} cannot be written: {reason}") from error


def _exporter(form: str, encoding: str, settings: Settings, file: Any) -> tuple[BaseItemExporter, bool]:
    """Return the exporter of a format, made as Scrapy makes it for a feed, and whether it can say null."""
    from scrapy.crawler import Crawler
    from scrapy.exporters import CsvItemExporter, JsonItemExporter, XmlItemExporter
    from scrapy.utils.misc import build_from_crawler, load_object
    from scrapy.utils.spider import DefaultSpider

    cls: Any = load_object(feed_exporters(settings)[form])
    options: dict[str, Any] = {"encoding": encoding, "fields_to_export": [*ARTICLE_FIELDS], "indent": None}
    own = isinstance(cls, type)
    if own and issubclass(cls, CsvItemExporter):
        options["errors"] = "replace"  # as in the formats of ours
    if own and issubclass(cls, JsonItemExporter):
        options["ensure_ascii"] = not encoding.lower().startswith("utf")
    exporter = build_from_crawler(cls, Crawler(DefaultSpider, settings), file, **options)
    return exporter, not (own and issubclass(cls, XmlItemExporter))


def _without_nothing(value: Any) -> Any:
    """Return values without those that are null, which XML would have as the word None."""
    if isinstance(value, Mapping):
        return {name: _without_nothing(one) for name, one in value.items() if one is not None}
    return [_without_nothing(one) for one in value] if isinstance(value, list) else value
