"""Open the place of articles: a file, a stream, or a folder with a file for each article.

What Scrapy's feeds have is written by their exporters: CSV, XML, JSON, our Parquet, and what a project adds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TextIO

from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.spider import DefaultSpider

from ..base.files import is_writable, naming_if_full, replacing
from ..base.terminal import write
from ..crawl.feed_settings import ARTICLE_FIELDS, feed_exporters
from .arguments import CommandError
from .formats import FORMATS, is_folder, options_for, output_format, without_format
from .inputs import ARTICLES_FILE, LEARNING_SET_FILE, check_replaced

if TYPE_CHECKING:
    from scrapy.exporters import BaseItemExporter

    from ..options import ExtractOptions


def with_format(
    opts: argparse.Namespace, sources: Sequence[str], options: ExtractOptions, settings: Settings
) -> ExtractOptions:
    """Find out the format and the place of the articles, and return the options that the format needs.

    :param opts: the command line, which gets both. ``-O FILE:FORMAT`` may say them.
    :param sources: the inputs, and the pattern file: they must not be overwritten.
    :raises UsageError: the articles cannot be written so, or there.
    :raises CommandError: the format lacks its library.
    """
    known, front_matter = [*feed_exporters(settings)], opts.front_matter
    opts.output, opts.format = without_format(opts.output, opts.format, known)
    check_articles_output(opts.output, sources)
    opts.format = output_format(opts.output, opts.format, known, front_matter=front_matter)
    check_format(opts.format, opts.output_encoding, settings)
    return options_for(opts.format, options, sections=opts.sections, front_matter=front_matter)


def check_output(name: str, sources: Sequence[str], kind: str = "") -> None:
    """Refuse an output that cannot be written, that is one of the sources, or a file of another kind.

    Its folder must be writable as well, even if the file exists: new content is first written beside it.

    :param kind: what may be replaced, as :func:`~.inputs.check_replaced` names it.
    :raises UsageError: it is refused.
    """

    path, folder = Path(name), Path(name).parent
    if name == "-":
        raise UsageError("-: must be a file, since standard output is for other things")
    if path.is_dir():
        raise UsageError(f"{name}: is a folder")
    if not folder.is_dir():
        raise UsageError(f"{name}: there is no folder {folder}")
    try:
        if not is_writable(path):
            raise UsageError(f"{name}: cannot be written, or no file can be made in its folder")
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from None
    for source in sources:
        if source != "-" and path.exists() and Path(source).exists() and path.samefile(source):
            raise UsageError(f"{name}: is an input as well, and would be overwritten")
    check_replaced(name, kind)


def check_learning_set(path: Path) -> None:
    """Refuse a file that cannot keep the pages of a site, before anything is fetched.

    :raises UsageError: it cannot be written, or is something else.
    :raises LearningSetError: it is damaged, or of an unknown version.
    """
    from ..storage.sqlite import SqliteLearningSet

    check_output(str(path), [], LEARNING_SET_FILE)
    if path.suffix.lower() == ".zip":
        raise UsageError(f"{path}: a zip cannot keep the pages of a site: choose a name in .sqlite")
    if path.exists():
        SqliteLearningSet(path, readonly=True).close()


def check_articles_output(name: str, sources: Sequence[str]) -> None:
    """Refuse a place where articles cannot be written.

    :param name: a file, a folder, or ``-`` for standard output.
    :param sources: the inputs: they must not be overwritten.
    :raises UsageError: it is refused; the error says in a line why.
    """
    if name == "-":
        if sys.__stdout__ is None:
            raise UsageError("standard output is closed: name a file with -O")
        return
    if not is_folder(name):
        check_output(name, sources, ARTICLES_FILE)
        return
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{name}: is a file, not a folder")
    if not folder.parent.is_dir():
        raise UsageError(f"{name}: there is no folder {folder.parent}")
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{name}: no file can be made there")
    if folder.is_dir() and any(Path(source).is_dir() and folder.samefile(source) for source in sources):
        raise UsageError(f"{name}: is an input as well")


@contextmanager
def open_articles(
    name: str, form: str, encoding: str, settings: Settings
) -> Iterator[Callable[[str], object]]:
    """Open the place of articles: give a function that writes the records that :func:`record_of` makes.

    A file takes its name when all is written; the files of a folder, one by one.

    :param name: a file, ``-`` for standard output, or a folder, which is made if it is missing.
    :param settings: those of the project, which may have formats of its own.
    :raises CommandError: the format lacks its library, or cannot hold the values of an article.
    """
    if is_folder(name):
        Path(name).mkdir(exist_ok=True)
        yield partial(_write_file, Path(name), encoding)
    elif form in FORMATS:
        with open_output(name, encoding) as out:
            yield partial(write, out)
    else:
        with _open_export(name, form, encoding, settings) as write_line:
            yield write_line


@contextmanager
def open_output(name: str, encoding: str) -> Iterator[TextIO]:
    """Open the output file, or standard output for ``-``.

    The file takes its name when all is written. If the block raises, an earlier file of that name stays as it
    was. A character that the encoding lacks becomes a question mark.
    """

    if name == "-":
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding=encoding, errors="replace", newline="\n")
        yield sys.stdout
        return
    with replacing(name) as stream:
        text = TextIOWrapper(stream, encoding=encoding, errors="replace", newline="\n")
        yield text
        text.flush()
        text.detach()


def _write_file(folder: Path, encoding: str, record: str) -> None:
    """Write a record, which begins with the name of its file, to this file; nothing if it is empty."""

    if record:
        name, _, content = record.partition("\n")
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as stream:
            stream.write(content.encode(encoding, "replace"))


def check_format(form: str, encoding: str, settings: Settings) -> None:
    """Refuse a format that cannot be written, before the work begins: a file without articles is tried.

    :raises UsageError: the format cannot have this charset.
    :raises CommandError: the format lacks its library.
    """
    if form not in FORMATS:
        if "x".encode(encoding) != b"x":
            reason = f"not with the format {form}, which begins with ASCII"
            raise UsageError(f"--output-encoding {encoding}: {reason}")
        with _space(form) as path, path.open("wb") as file:
            _Rows(form, encoding, settings, file).finish()


@contextmanager
def _open_export(
    name: str, form: str, encoding: str, settings: Settings
) -> Iterator[Callable[[str], object]]:
    """Open an output; give a function that writes the values of a JSON line in a format of Scrapy's feeds.

    The exporter has a file of its own until it is done: some open it again by its name. Then the output gets
    its content, and if that is a file, it takes its name.

    :param name: the file; ``-`` for standard output.
    :param form: the name of the format, one of :func:`~..crawl.feed_settings.feed_exporters`.
    :raises CommandError: the format lacks its library, or cannot hold the values of an article.
    """

    with _space(form) as path:
        with path.open("wb") as file:
            rows = _Rows(form, encoding, settings, file)
            yield rows.export
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

    with TemporaryDirectory(prefix="extract-") as folder, naming_if_full(folder):
        yield Path(folder) / f"articles.{form}"


class _Rows:
    """Takes JSON lines, and gives each as an item to the exporter of a format."""

    def __init__(self, form: str, encoding: str, settings: Settings, file: Any) -> None:
        self._form = form
        with self._refusing():
            self._exporter, self._keeps_nothing = _exporter(form, encoding, settings, file)
            self._exporter.start_exporting()

    def export(self, line: str) -> None:
        """Export the article of a JSON line, or nothing if the line is empty."""
        if line:
            row = json.loads(line)
            with self._refusing():
                self._exporter.export_item(row if self._keeps_nothing else _without_nothing(row))

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
    from scrapy.exporters import CsvItemExporter, JsonItemExporter, XmlItemExporter

    cls: Any = load_object(feed_exporters(settings)[form])
    options: dict[str, Any] = {"encoding": encoding, "fields_to_export": [*ARTICLE_FIELDS], "indent": None}

    def is_a(base: type[BaseItemExporter]) -> bool:
        return isinstance(cls, type) and issubclass(cls, base)

    if is_a(CsvItemExporter):
        options["errors"] = "replace"  # as in the formats of ours
    if is_a(JsonItemExporter):
        options["ensure_ascii"] = not encoding.lower().startswith("utf")
    exporter = build_from_crawler(cls, Crawler(DefaultSpider, settings), file, **options)
    return exporter, not is_a(XmlItemExporter)


def _without_nothing(value: Any) -> Any:
    """Return values without those that are null, which XML would have as the word None."""
    if isinstance(value, Mapping):
        return {name: _without_nothing(inner) for name, inner in value.items() if inner is not None}
    return [*map(_without_nothing, value)] if isinstance(value, list) else value
