"""Choose the format in which a command writes articles."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ..crawl.feed_settings import feed_formats, format_in_name
from ..errors import OptionError
from .article_records import FORMATS, Record, json_line, json_line_with_sections, markdown_record, text_record
from .exports import is_folder

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ..options import ExtractOptions

#: The formats that have other names in the endings of files; these two of Scrapy's formats are JSON lines.
_ENDINGS = {"txt": "text", "md": "markdown", "jl": "jsonl", "jsonlines": "jsonl"}


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
