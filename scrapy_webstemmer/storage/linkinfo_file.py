"""Read linkinfo as the crawler of 2009 wrote it: a line a page, in a zip or beside unpacked pages.

The original read the lines with ``eval``. Here a line must look like ``('name', ['text', …])`` and hold
only string literals; only then ``ast.literal_eval`` reads these literals, one at a time.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from ..base.urls import canonical_url, page_url, well_formed
from ..values import Linkinfo
from .source import SAMPLE_SIZE, cause_of, looks_like_html, open_regular

#: The name of linkinfo in 2009.
LINKINFO_NAME = "linkinfo"

#: Bytes that a line may have.
MAX_LINE = 16 * 1024 * 1024

# The escapes that `repr` writes. Any other escape is malformed, and `literal_eval` would warn of it.
_ESCAPE = r"\\(?:[\\'\"nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
_STRING = rf"""[uU]?(?:'(?:[^'\\\n]|{_ESCAPE})*+'|"(?:[^"\\\n]|{_ESCAPE})*+")"""
_LINKINFO_LINE = re.compile(
    rf"\(\s*{_STRING}\s*,\s*\[\s*(?:{_STRING}\s*(?:,\s*{_STRING}\s*)*+,?\s*)?\]\s*,?\s*\)"
)
# Finds the strings of a line that has the right form. In any other text a string that does not end goes on to
# the end of the text, so the time is linear there, too.
_LITERAL = re.compile(r"""'(?:[^'\\]++|\\.?)*+'?|"(?:[^"\\]++|\\.?)*+"?""", re.DOTALL)


def is_linkinfo(path: Path, linkinfo_name: str) -> bool:
    """Return whether a file is linkinfo: it has that name, and does not begin like a page.

    :param linkinfo_name: the name of linkinfo; empty: linkinfo is not used, and has the usual name.
    """
    if path.name != (linkinfo_name or LINKINFO_NAME):
        return False
    try:
        if not path.is_file():
            return True  # reading refuses it later; here, reading a pipe would wait for ever
        with path.open("rb") as stream:
            return not looks_like_html(stream.read(SAMPLE_SIZE))
    except (OSError, ValueError):
        return True  # reading it later reports the error


def read_linkinfo(paths: Iterable[Path], skip: Callable[[str, str], None]) -> Linkinfo:
    """Return the anchor texts in files by canonical url, sorted by url; about 100 bytes a text.

    :param skip: called with the name of each unreadable line or file, and the reason.
    """
    return added_up((page_url(name), texts) for path in paths for name, texts in _texts_in(path, skip))


def _texts_in(path: Path, skip: Callable[[str, str], None]) -> Iterator[tuple[str, list[str]]]:
    try:
        with open_regular(path) as stream:
            yield from parse_linkinfo(stream, str(path), skip)
    except (OSError, ValueError) as error:
        skip(str(path), cause_of(error))


def added_up(texts_of: Iterable[tuple[str, list[str]]]) -> Linkinfo:
    """Return anchor texts by canonical url, sorted by url.

    :param texts_of: urls with anchor texts; a url may come several times.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for url, texts in texts_of:
        counts[canonical_url(url)].update(map(well_formed, texts))
    return {url: dict(counts[url]) for url in sorted(counts)}


def parse_linkinfo_line(line: str) -> tuple[str, list[str]]:
    """Return a page's name and its anchor texts from a line ``('name', ['text', …])``; nothing is evaluated.

    :raises ValueError: the line has another form.
    """
    if not _LINKINFO_LINE.fullmatch(line.strip()):
        raise ValueError("malformed linkinfo line")
    try:
        name, *texts = (_value(literal[0]) for literal in _LITERAL.finditer(line))
    except (SyntaxError, MemoryError) as error:
        raise ValueError(f"malformed linkinfo line: {error}") from None
    return name, texts


def _value(literal: str) -> str:
    """Return the text of one string literal. The tree of a whole line would take 300 times its memory."""
    if "\\" not in literal and literal.isprintable():
        return literal[1:-1]
    return str(ast.literal_eval(literal))


def parse_linkinfo(
    stream: IO[bytes], name: str, skip: Callable[[str, str], None]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the pages' names and their anchor texts.

    :param name: the name of the linkinfo in messages.
    :param skip: called with ``name:number`` of each line that is malformed or too long, and the reason.
    """
    for number, line in enumerate(_lines(stream), start=1):
        try:
            if line.strip():
                yield parse_linkinfo_line(line)
        except ValueError as error:
            skip(f"{name}:{number}", str(error))


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines. A line that is too long is cut, and is then malformed."""
    while line := stream.readline(MAX_LINE):
        part = line
        while not part.endswith(b"\n") and (part := stream.readline(MAX_LINE)):
            pass
        yield line.decode("utf-8", "replace")
