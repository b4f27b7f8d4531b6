"""Linkinfo as the crawler of 2009 wrote it, a line a page, in a zip or beside the pages of an unpacked crawl.

The original read the lines with ``eval``. Here a line must first look like
``('name', ['text', …])``, made of nothing but string literals, before ``ast.literal_eval`` sees these.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from ..base.urls import canonical_url, page_url, well_formed
from ..values import Linkinfo, Page
from .sniffing import SAMPLE, looks_like_html
from .source import PageSource

__all__ = [
    "LINKINFO_NAME",
    "LinkinfoFile",
    "is_linkinfo",
    "parse_linkinfo",
    "parse_linkinfo_line",
    "read_linkinfo",
]

#: What the crawler of 2009 called it.
LINKINFO_NAME = "linkinfo"

#: Characters that a line may have.
MAX_LINE = 16 * 1024 * 1024

# The escapes that `repr` writes; any other is malformed (and `literal_eval` would warn).
_ESCAPE = r"\\(?:[\\'\"nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
_STRING = rf"""[uU]?(?:'(?:[^'\\\n]|{_ESCAPE})*+'|"(?:[^"\\\n]|{_ESCAPE})*+")"""
_LITERAL = re.compile(_STRING)
_LINE = re.compile(rf"\(\s*{_STRING}\s*,\s*\[\s*(?:{_STRING}\s*(?:,\s*{_STRING}\s*)*+,?\s*)?\]\s*,?\s*\)")


class LinkinfoFile(PageSource):
    """A source of anchor texts alone, without pages.

    :param used: whether the anchor texts are wanted at all.
    """

    def __init__(self, path: str | Path, *, used: bool = True) -> None:
        super().__init__(path)
        self._used = used

    def __iter__(self) -> Iterator[Page]:
        return iter(())

    def count(self) -> int:
        return 0

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts by canonical url; read as a whole on each call."""
        return read_linkinfo([self.path], self._skip) if self._used else None


def is_linkinfo(path: Path, linkinfo_name: str) -> bool:
    """Return whether a file is no page but linkinfo: by its name, unless it begins as a page does.

    :param linkinfo_name: what linkinfo is called here; empty: it is not wanted, and called as usual.
    """
    if path.name != (linkinfo_name or LINKINFO_NAME):
        return False
    try:
        if not path.is_file():
            return True  # nor will it be read: reading a pipe would wait for ever
        with path.open("rb") as stream:
            return not looks_like_html(stream.read(SAMPLE))
    except (OSError, ValueError):
        return True  # reading it will say what is wrong


def read_linkinfo(paths: Iterable[Path], skip: Callable[[str, str], None]) -> Linkinfo:
    """Return the anchor texts in files, by canonical url in their order, some 100 bytes a text.

    :param skip: is told of lines and files that cannot be read: which, and why.
    """
    found: dict[str, Counter[str]] = {}
    for path in paths:
        try:
            if not path.is_file():
                path.stat()  # says why, where there is no such file
                raise ValueError("not a regular file")
            with path.open("rb") as stream:
                for name, texts in parse_linkinfo(stream, str(path), skip):
                    url = canonical_url(page_url(name))
                    found.setdefault(url, Counter()).update(map(well_formed, texts))
        except (OSError, ValueError) as error:
            skip(str(path), getattr(error, "strerror", None) or str(error))
    return {url: dict(found[url]) for url in sorted(found)}


def parse_linkinfo_line(line: str) -> tuple[str, list[str]]:
    """Return the page's name and the anchor texts of a line ``('name', ['text', …])``; nothing is evaluated.

    :raises ValueError: the line has another shape.
    """
    if not _LINE.fullmatch(line.strip()):
        raise ValueError("malformed linkinfo line")
    try:
        name, *texts = (_value(literal[0]) for literal in _LITERAL.finditer(line))
    except (SyntaxError, MemoryError) as error:
        raise ValueError(f"malformed linkinfo line: {error}") from None
    return name, texts


def _value(literal: str) -> str:
    """Return the text of one string literal; the tree of a whole line would take 300 times its memory."""
    if literal[0] in "'\"" and "\\" not in literal and literal.isprintable():
        return literal[1:-1]
    return str(ast.literal_eval(literal))


def parse_linkinfo(
    stream: IO[bytes], name: str, skip: Callable[[str, str], None]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the pages' names and their anchor texts.

    :param name: what the linkinfo is called.
    :param skip: is told of lines that are malformed or too long: ``name:number``, and why.
    """
    for number, line in enumerate(_lines(stream), start=1):
        try:
            if line.strip():
                yield parse_linkinfo_line(line)
        except ValueError as error:
            skip(f"{name}:{number}", str(error))


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines; of one that is too long the beginning, which will be malformed."""
    while line := stream.readline(MAX_LINE):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(MAX_LINE)):
            pass
        yield line.decode("utf-8", "replace")
