"""Tell what a file is that somebody has named, so that a mistake can be answered with what is right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ..crawl.settings import WebstemmerSettings
from .arguments import check_inputs, is_url
from .inputs import note

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PATTERNS = "a pattern file"
_PATTERN_FILES = (".json", ".pat")
_ARTICLES = "a file of articles"
#: The mark of a SQLite file stands here in its header.
_MARK = slice(68, 72)
_MARKS = {
    b"WSTP": PATTERNS,
    b"WSTM": "a learning set",
    b"WSTU": "a URLDB",
}
_SAMPLE = 1 << 16


def kind_of(name: str) -> str:
    """Return what a file is, in words; empty if that is unknown. Cost: its beginning is read."""
    from ..classic.pat_files import is_classic
    from ..pattern_files.pattern_file import CLASSIC_SUFFIX, FORMAT
    from ..storage.source import SQLITE_MAGIC, ZIP_MAGICS, looks_like_html

    try:
        if Path(name).is_dir():
            return "a folder"
        with Path(name).open("rb") as stream:
            head = stream.read(_SAMPLE)
    except (OSError, ValueError):
        return ""
    if head.startswith(SQLITE_MAGIC):
        return _MARKS.get(head[_MARK], "")
    if head.startswith(ZIP_MAGICS):
        return "a zip"
    if head.startswith(b"WARC/"):
        return "a WARC file"
    # patterns of 2009 begin like many a text, so their name counts as well
    is_old = Path(name).suffix.lower() == CLASSIC_SUFFIX and is_classic(head)
    if is_old or f'"{FORMAT}"'.encode() in head[:200]:
        return PATTERNS
    if _begins_with_article(head):
        return _ARTICLES
    return "a page" if looks_like_html(head) else ""


def _begins_with_article(head: bytes) -> bool:
    try:
        row = json.loads(head.lstrip(b"[ \r\n").partition(b"\n")[0].rstrip(b", \r"))
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {"url", "text"} <= row.keys()


def split_patterns(args: Sequence[str], settings: BaseSettings | None) -> tuple[str | None, list[str]]:
    """Return the pattern file and the inputs of a command line.

    :param args: inputs, with or without a pattern file before them. Without one, that of the project;
        if there is none, it is None.
    :raises UsageError: an input is a pattern file, or something else that has no pages.
    """
    if not args:
        raise UsageError("give at least one INPUT")
    first, others = args[0], list(args[1:])
    if is_patterns(first):
        return first, others
    later = next((one for one in others if not is_url(one) and kind_of(one) == PATTERNS), None)
    if later is not None:
        kind = "a url" if is_url(first) else kind_of(first) or "no pattern file"
        raise UsageError(f"{first}: is {kind}; the pattern file, {later}, comes first")
    own = _patterns_of_project(settings)
    if own:
        note(f"patterns: {own}, as the settings of the project say")
    return own, list(args)


def is_patterns(name: str) -> bool:
    """Return whether an argument is a pattern file, a damaged one by its name, or a resource of a package."""
    from ..pattern_files.pattern_sources import is_resource

    if name == "-" or is_url(name):
        return False
    if not Path(name).exists():
        return is_resource(name)
    kind = kind_of(name)
    return kind == PATTERNS or (not kind and Path(name).suffix.lower() in _PATTERN_FILES)


def _patterns_of_project(settings: BaseSettings | None) -> str | None:
    """Return the only pattern file that the project's settings name, if it is there."""
    if settings is None:
        return None
    named = WebstemmerSettings.from_settings(settings).patterns
    return named[0] if len(named) == 1 and "%(" not in named[0] and Path(named[0]).exists() else None


def check_pages(inputs: Sequence[str], *, urls: bool = False) -> None:
    """Refuse inputs that are something else than pages, and say what they are.

    :param urls: an input may be a url, which is fetched.
    :raises UsageError: an input is missing or has no pages, or standard input is named twice.
    """
    check_inputs(inputs, urls=urls)
    for name in inputs:
        if name != "-" and not is_url(name) and (kind := kind_of(name)) in (PATTERNS, _ARTICLES):
            raise UsageError(f"{name}: is {kind}, and has no pages")
