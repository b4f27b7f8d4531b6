"""Write articles to a file, a stream or a folder: JSON lines, text, Markdown, or a format of Scrapy's feeds.

A command knows the format by :func:`output_format`. Its worker processes make a record of each article, with
the function that :func:`record_of` gives. :func:`open_articles` opens the place that takes these records.
"""

from __future__ import annotations

import argparse
import codecs
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias, cast

from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ..base.terminal import one_line
from ..base.urls import file_name_of
from ..crawl.setting_values import ARTICLE_FIELDS, feed_exporters, feed_formats, format_in_name
from ..errors import OptionError
from ..items import values_of
from .arguments import CommandError, check_output

if TYPE_CHECKING:
    from scrapy.exporters import BaseItemExporter
    from scrapy.settings import BaseSettings

    from ..options import ExtractOptions
    from ..values import Article, ArticleSection, Page

#: Returns the record of a page and its article, if it gave one, in a charset.
Record: TypeAlias = "Callable[[Page, Article | None, str], str]"

# --- Choose a format, and check the place


#: The formats that have other names in the endings of files; these two of Scrapy's formats are JSON lines.
_ENDINGS = {"txt": "text", "md": "markdown", "jl": "jsonl", "jsonlines": "jsonl"}
#: How the name of a folder ends.
_SEPARATORS = tuple(filter(None, ("/", os.sep, os.altsep)))


def add_format_arguments(parser: argparse.ArgumentParser, settings: BaseSettings | None) -> None:
    """Add the options that say how articles are written."""
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        choices=sorted({*FORMATS, *feed_formats(settings)}),
        help="jsonl, one JSON object an article; text, the output of Webstemmer 0.7.1; markdown; or a"
        " format of feeds, such as csv, json, xml or parquet; if not given, the ending of FILE chooses"
        " it, jsonl is that of a FILE without one, and markdown that of a folder",
    )
    parser.add_argument(
        "--front-matter",
        action="store_true",
        help="begin each article in Markdown with its title, url, date, authors and tags as YAML",
    )


def is_folder(name: str) -> bool:
    """Return whether an output is a folder, with a file for each article: it ends with a slash, or is one."""
    return name != "-" and (name.endswith(_SEPARATORS) or Path(name).is_dir())


def output_format(
    name: str, wanted: str | None, formats: Sequence[str], *, front_matter: bool = False
) -> str:
    """Return the format to write: the one asked for, else that of the file's name, else JSON lines.

    :param formats: those of Scrapy's feeds.
    :param front_matter: whether articles are to begin with it.
    :raises UsageError: the file's name ends like a format that is not known, and no format is asked for; or
        the format cannot be in a folder, or has no front matter.
    """
    if is_folder(name):
        if wanted not in (None, "markdown"):
            raise UsageError(f"{name}: is a folder, which takes articles as Markdown and not as {wanted}")
        return "markdown"
    try:
        named = wanted or format_in_name(name, {*_ENDINGS, *formats}) or "jsonl"
    except ValueError as error:
        raise UsageError(f"{error}; --format FORMAT chooses one for any name") from None
    form = _ENDINGS.get(named, named)
    if front_matter and form != "markdown":
        raise UsageError(f"--front-matter: only Markdown has it, not {form}")
    return form


def check_encoding(name: str) -> None:
    """Refuse an unknown charset. Raises UsageError."""
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise UsageError(f"--output-encoding {name}: is not a known charset") from None


def check_articles_output(name: str, sources: Sequence[str]) -> None:
    """Refuse a place where articles cannot be written.

    :param name: a file, a folder, or ``-`` for standard output.
    :param sources: the inputs: they must not be overwritten.
    :raises UsageError: it is refused; the error says in a line why.
    """
    if name == "-":
        return
    if not is_folder(name):
        check_output(name, sources)
        return
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{name}: is a file, not a folder")
    if not folder.parent.is_dir():
        raise UsageError(f"{name}: there is no folder {folder.parent}")
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{name}: no file can be made there")
    if folder.is_dir() and any(Path(one).is_dir() and folder.samefile(one) for one in sources):
        raise UsageError(f"{name}: is an input as well")


def check_format(form: str, encoding: str, settings: Settings | None) -> None:
    """Refuse a format that cannot be written, before the work begins: a file without articles is tried.

    :raises UsageError: the format cannot have this charset.
    :raises CommandError: the format lacks its library.
    """
    if form not in FORMATS:
        _check_charset(form, encoding)
        with _space(form) as path, path.open("wb") as file:
            _Rows(form, encoding, settings or Settings(), file).finish()


def options_for(
    form: str, options: ExtractOptions, *, sections: bool = False, front_matter: bool = False
) -> ExtractOptions:
    """Return the options of extraction with all that a format has, and without what it has no place for.

    :raises UsageError: the format needs a library that is not installed.
    """
    if form == "markdown":
        try:
            options = replace(options, markdown=True)
        except OptionError as error:
            raise UsageError(f"--format markdown: {error.reason}") from None
        return replace(options, metadata=options.metadata and front_matter, comments=False)
    if form == "text":  # it has a record of each page
        return replace(options, copies=True, metadata=False, comments=False)
    return replace(options, sections=sections)


def record_of(name: str, form: str, *, sections: bool = False, front_matter: bool = False) -> Record:
    """Return the function that makes the record of a page; worker processes can get it.

    :param name: the output: the files of a folder have other records than one file.
    :param sections: whether the article's sections come with it, if the format has fields.
    """
    if form == "markdown":
        return partial(markdown_record, front_matter=front_matter, named=is_folder(name))
    if form == "text":
        return text_record
    return json_line_with_sections if sections else json_line


@contextmanager
def open_articles(name: str, form: str, encoding: str, settings: Settings | None) -> Iterator[TextIO]:
    """Open the place of articles: a stream that takes the records that :func:`record_of` makes.

    A file takes its name when all is written; the files of a folder, one by one.

    :param name: a file, ``-`` for standard output, or a folder, which is made if it is missing.
    :raises UsageError: the format cannot have this charset.
    :raises CommandError: the format lacks its library, or cannot hold the values of an article.
    """
    if is_folder(name):
        yield cast("TextIO", _Files(Path(name), encoding))
    elif form in FORMATS:
        with open_output(name, encoding) as out:
            yield out
    else:
        with _open_export(name, form, encoding, settings) as out:
            yield out


@contextmanager
def open_output(name: str, encoding: str) -> Iterator[TextIO]:
    """Open the output file, or standard output for ``-``.

    The file takes its name when all is written. If the block raises, an earlier file of that name stays as it
    was. A character that the encoding lacks becomes a question mark.
    """
    from ..base.files import replacing

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


# --- Make the record of an article: a JSON line, the text of 2009, or Markdown


def json_line(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - one signature for all
    """Return an article as one line of JSON with no sections, or nothing if the page gave none."""
    return "" if article is None else _json(article, encoding, sections=False)


def json_line_with_sections(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - as above
    """Return the same with the article's sections, which have the text once more."""
    return "" if article is None else _json(article, encoding, sections=True)


def _json(article: Article, encoding: str, *, sections: bool) -> str:
    ascii_only = not codecs.lookup(encoding).name.startswith("utf")
    return json.dumps(values_of(article, sections=sections), ensure_ascii=ascii_only) + "\n"


def text_record(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - one signature for all
    """Return what Webstemmer 0.7.1 prints about a page: matched or not, pattern, title and sections.

    The page has the name that its source gives it, that of a zip's member or of a file, else its url.
    """
    name = one_line(page.name or page.url)
    if article is None:
        return f"!UNMATCHED: {name}\n\n"
    lines = [f"!MATCHED: {name}", f"PATTERN: {one_line(article.pattern)}"]
    if article.title and all(section.kind != "title" for section in article.sections):
        lines.append(f"TITLE: {one_line(article.title)}")  # the title stands outside the blocks
    for number, section in enumerate(article.sections):
        lines.extend(_section_lines(number if section.number is None else section.number, section))
    return "\n".join(lines) + "\n\n"


def _section_lines(number: int, section: ArticleSection) -> Iterator[str]:
    label = "TITLE" if section.kind == "title" else f"{section.kind.upper()}-{number}"
    for line in section.text.split("\n"):
        if text := one_line(line):
            yield f"{label}: {text}"


def markdown_record(
    page: Page,  # noqa: ARG001 - as above
    article: Article | None,
    encoding: str,  # noqa: ARG001 - as above
    *,
    front_matter: bool = False,
    named: bool = False,
) -> str:
    """Return an article as Markdown, with its url and a rule at the end, or nothing if the page gave none.

    :param front_matter: it begins with what is known of it as YAML, and has neither the url nor the rule.
    :param named: a line with the name of the article's file comes first, and there is no rule.
    """
    from ..article.inline import shown_url

    if article is None:
        return ""
    title, _, text = (article.markdown or "").partition("\n\n")
    if not article.title:
        title, text = "", article.markdown or ""
    date = f"{article.date}, " if article.date else ""
    url = "" if front_matter else f"{date}{shown_url(article.url)}"
    parts = [_front_matter(article) if front_matter else "", title, url, text]
    content = "\n\n".join(filter(None, [*parts, "" if front_matter or named else "---"]))
    return f"{file_name_of(article.url)}\n{content}\n" if named else f"{content}\n\n"


def _front_matter(article: Article) -> str:
    """Return title, url, date, authors and tags of an article as YAML, between two rules."""
    values = values_of(article)
    stated = {
        "title": values["title"],
        "url": values["url"],
        "date": values["date"],
        "authors": [one["name"] for one in values["authors"] or ()],
        "tags": values["tags"],
    }
    known = (f"{name}: {_yaml(one)}" for name, one in stated.items() if one or name in ("title", "url"))
    return "\n".join(("---", *known, "---"))


#: Characters that JSON leaves as they are, and YAML does not allow; and the separators of lines and
#: paragraphs, which end a line for older readers.
_NOT_IN_YAML = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def _yaml(value: str | list[str]) -> str:
    """Return a text as a double-quoted one of YAML, or several in brackets."""
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


#: The output formats by name. Each function returns the record of a page and its article, if it gave one.
FORMATS: dict[str, Record] = {
    "jsonl": json_line,
    "text": text_record,
    "markdown": markdown_record,
}


# --- Write each article to a file of its own, which is named after its url


class _Files(io.TextIOBase):
    """Takes records that begin with the name of a file, and writes each to its file in a folder."""

    def __init__(self, folder: Path, encoding: str) -> None:
        super().__init__()
        folder.mkdir(exist_ok=True)
        self._folder, self._encoding = folder, encoding

    def write(self, text: str) -> int:
        """Write the file of a record, or nothing if the text is empty."""
        from ..base.files import replacing

        if text:
            name, _, content = text.partition("\n")
            path = self._folder / name
            path.parent.mkdir(exist_ok=True)
            with replacing(path) as stream:
                stream.write(content.encode(self._encoding, "replace"))
        return len(text)


# --- Write what Scrapy's feeds have: CSV, XML, JSON, our Parquet, and the formats that a project adds


@contextmanager
def _open_export(name: str, form: str, encoding: str, settings: Settings | None) -> Iterator[TextIO]:
    """Open an output that takes JSON lines, and writes the values of each in a format of Scrapy's feeds.

    The exporter has a file of its own until it is done: some open it again by its name. Then the output gets
    its content, and if that is a file, it takes its name.

    :param name: the file; ``-`` for standard output.
    :param form: the name of the format, one of :func:`~..setting_values.feed_formats`.
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
