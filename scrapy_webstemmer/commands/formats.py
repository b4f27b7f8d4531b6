"""The formats in which a command writes articles: JSON lines, the text of 2009, Markdown, or those of feeds.

In a folder each article has a file, which is named after its url.

A record is what a format has of a page: a JSON line, some lines of text, or Markdown.
"""

from __future__ import annotations

import argparse
import codecs
import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote, urlsplit

from scrapy.exceptions import UsageError

from ..base.terminal import one_line
from ..base.urls import canonical_url
from ..crawl.feed_settings import feed_exporters, format_in_name
from ..errors import OptionError
from .arguments import add_flag, add_value

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ..options import ExtractOptions
    from ..values import Article, ArticleSection, Page

#: Returns the record of a page and its article, if it gave one, in a charset.
Record: TypeAlias = "Callable[[Page, Article | None, str], str]"
#: The formats of our own; all others are those of feeds.
FORMATS = ("jsonl", "text", "markdown")
#: The formats that have other names in the endings of files; these two of Scrapy's formats are JSON lines.
_ENDINGS = {"txt": "text", "md": "markdown", "jl": "jsonl", "jsonlines": "jsonl"}
#: Characters that JSON leaves as they are, and YAML does not allow; and the separators of lines and
#: paragraphs, which end a line for older readers.
_NOT_IN_YAML = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
#: How the name of a folder ends.
_SEPARATORS = tuple(filter(None, ("/", os.sep, os.altsep)))

#: Urls whose names have all of them: no two give the same name.
_PLAIN_URL = re.compile(
    r"https://([a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*(?::[0-9]+)?)"
    r"((?:/[a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*)+/?)"
)
_DAY_IN_PATH = re.compile(r"(?<=/)([0-9]{4})/([0-9]{2})/([0-9]{2})(?=/|\Z)")
#: What the rule for days and the digest would give to another url as well.
_AMBIGUOUS = re.compile(r"/[0-9]{4}-[0-9]{2}-[0-9]{2}(?:/|\Z)|/[0-9a-f]{10}\Z")
_PROGRAM = re.compile(r"\.(?:x?html?|php|aspx?|jsp|cgi|cfm)(?=[?#]|\Z)", re.IGNORECASE)
#: Names that Windows keeps for devices, whatever follows after a dot.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|\Z)")
_HOST_PART = re.compile(r"\A[a-z][a-z0-9+.-]*://[^/?#]*", re.IGNORECASE)
_NOT_IN_HOST = re.compile(r"[^a-z0-9.-]+")
_HYPHENS = re.compile(r"-+")
#: The most bytes of a name, and of the part before the digest.
_LONGEST_NAME, _LONGEST_SLUG = 100, 80


def is_folder(name: str) -> bool:
    """Return whether an output is a folder, with a file for each article: it ends with a slash, or is one."""
    return name != "-" and (name.endswith(_SEPARATORS) or Path(name).is_dir())


def add_format_arguments(parser: argparse.ArgumentParser, settings: BaseSettings) -> None:
    """Add the options that say how articles are written."""
    add_value(
        parser,
        "--format",
        "FORMAT",
        "jsonl, one JSON object an article; text, the output of Webstemmer 0.7.1; markdown; or a"
        " format of feeds, such as csv, json, xml or parquet; if not given, the ending of FILE chooses"
        " it, jsonl is that of a FILE without one, and markdown that of a folder",
        choices=sorted({*FORMATS, *feed_exporters(settings)}),
    )
    add_flag(
        parser,
        "--front-matter",
        "begin each article in Markdown with its title, url, date, authors and tags as YAML",
    )


def without_format(name: str, wanted: str | None, formats: Sequence[str]) -> tuple[str, str | None]:
    """Return a name like Scrapy's ``FILE:FORMAT`` as both; other names with the format that is wanted.

    >>> without_format("a.txt:csv", None, ["csv"]), without_format("a:b", None, ["csv"])
    (('a.txt', 'csv'), ('a:b', None))
    """
    start, _, form = name.rpartition(":")
    if not start or (form and (wanted is not None or form not in {*FORMATS, *_ENDINGS, *formats})):
        return name, wanted
    return "-" if start == "stdout" else start, _ENDINGS.get(form, form) or wanted


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
    return partial(json_line, sections=sections)


def json_line(
    page: Page,  # noqa: ARG001 - one signature for all
    article: Article | None,
    encoding: str,
    *,
    sections: bool = False,
) -> str:
    """Return an article as one line of JSON, or nothing if the page gave none.

    :param sections: with its sections, which have the text once more.
    """
    if article is None:
        return ""
    ascii_only = not codecs.lookup(encoding).name.startswith("utf")
    return json.dumps(article.to_dict(sections=sections), ensure_ascii=ascii_only) + "\n"


def text_record(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - as above
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
    from ..extraction.markdown_signs import shown_url

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
    """Return title, url, page type, date, authors and tags of an article as YAML, between two rules."""
    values = article.to_dict()
    stated = {
        "title": values["title"],
        "url": values["url"],
        "page_type": article.page_type,
        "date": values["date"],
        "authors": [author["name"] for author in values["authors"] or ()],
        "tags": values["tags"],
    }
    known = (f"{name}: {_yaml(value)}" for name, value in stated.items() if value or name in ("title", "url"))
    return "\n".join(("---", *known, "---"))


def _yaml(value: str | list[str]) -> str:
    """Return a text as a double-quoted one of YAML, or several in brackets."""
    return _NOT_IN_YAML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


def file_name_of(url: str) -> str:
    """Return the name of the file for a url: the host as its folder, and the path, with ``_`` for each slash.

    A day in the path is written with hyphens. If other urls would have the same name, such as those with
    another query, a digest of the url is added. So two urls have two names, also where upper and lower case
    are the same. A name has only letters, digits, hyphens, dots and ``_``, and at most 100 bytes.

    >>> file_name_of("https://news.example/2026/05/14/the-ferry")
    'news.example/2026-05-14_the-ferry.md'
    >>> file_name_of("https://news.example/view.php?id=7")
    'news.example/view_id-7_0e41659ab8.md'
    """
    if plain := _PLAIN_URL.fullmatch(url):
        host, path = plain.groups()
        name = _DAY_IN_PATH.sub(r"\1-\2-\3", path)[1:].replace("/", "_") + ".md"
        is_device = _DEVICES.match(name) or _DEVICES.match(host)
        if not is_device and not _AMBIGUOUS.search(path) and max(len(name), len(host)) <= _LONGEST_NAME:
            return f"{host.replace(':', '+')}/{name}"
    digest = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return f"{_host_folder(url)}/{_slug(url)}_{digest}.md"


def _host_folder(url: str) -> str:
    """Return the name of the folder of a url's host."""
    try:
        parts = urlsplit(canonical_url(url))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "files"
    host = _NOT_IN_HOST.sub("-", host)[-_LONGEST_SLUG:].strip(".-")
    if not host:
        return "files"
    return ("_" if _DEVICES.match(host) else "") + host + (f"+{port}" if port else "")


def _slug(url: str) -> str:
    """Return the last parts of a url's path and query, as they can be read in the name of a file."""
    place = unquote(_PROGRAM.sub("", _HOST_PART.sub("", url), count=1))
    text = unicodedata.normalize("NFC", _DAY_IN_PATH.sub(r"\1-\2-\3", place).lower())
    shown = (
        char if unicodedata.category(char)[0] in "LMN" else "_" if char in "/?" else "-" for char in text
    )
    parts = (_HYPHENS.sub("-", part).strip("-") for part in reversed("".join(shown).split("_")))
    kept: list[bytes] = []
    for part in filter(None, (part.encode() for part in parts)):
        if kept and len(b"_".join([part, *kept])) > _LONGEST_SLUG:
            break
        kept.insert(0, part)
    return b"_".join(kept)[:_LONGEST_SLUG].decode(errors="ignore") or "index"
