"""The zip files of the 2009 crawler: a member a page, ``TIMESTAMP/host/path``, and one with the linkinfo.

The original read linkinfo lines with ``eval``. Here a line must first look like
``('name', ['text', …])``, made of nothing but string literals, before ``ast.literal_eval`` sees it.
"""

from __future__ import annotations

import ast
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

from ..errors import LearningSetError
from ..urls import canonical_url, page_url, well_formed
from ..values import Linkinfo, Page
from .source import MAX_BODY, TOO_LARGE, PageSource

__all__ = ["ZipLearningSet", "parse_linkinfo_line"]

#: Characters that a line of the linkinfo may have.
MAX_LINE = 16 * 1024 * 1024

#: What reading a damaged, encrypted or exotic member raises.
_MEMBER_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError)

# The escapes that `repr` writes; any other is malformed (and `literal_eval` would warn).
_ESCAPE = r"\\(?:[\\'\"nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
_STRING = rf"""[uU]?(?:'(?:[^'\\\n]|{_ESCAPE})*+'|"(?:[^"\\\n]|{_ESCAPE})*+")"""
_LINE = re.compile(rf"\(\s*{_STRING}\s*,\s*\[\s*(?:{_STRING}\s*(?:,\s*{_STRING}\s*)*+,?\s*)?\]\s*,?\s*\)")


def parse_linkinfo_line(line: str) -> tuple[str, list[str]]:
    """Return the page's name and the anchor texts of a line ``('name', ['text', …])``; nothing is evaluated.

    :raises ValueError: the line has another shape.
    """
    if not _LINE.fullmatch(line.strip()):
        raise ValueError("malformed linkinfo line")
    try:
        name, texts = ast.literal_eval(line.strip())
    except (SyntaxError, MemoryError) as error:
        raise ValueError(f"malformed linkinfo line: {error}") from None
    return name, texts


class ZipLearningSet(PageSource):
    """A zip file as the 2009 crawler wrote it; of members with the same name the last one counts.

    :param linkinfo_name: the member that holds the linkinfo; empty: there is none.
    :raises LearningSetError: the file cannot be read as a zip.
    """

    def __init__(
        self, path: str | Path, *, linkinfo_name: str = "linkinfo", encoding: str | None = None
    ) -> None:
        super().__init__(path, encoding=encoding)
        self._linkinfo_name = linkinfo_name
        try:
            self._zip = zipfile.ZipFile(self.path)
        except (*_MEMBER_ERRORS, NotImplementedError) as error:
            raise LearningSetError(self.path, f"damaged zip: {error}") from error
        members = {member.filename: member for member in self._zip.infolist()}
        self._linkinfo_member = members.pop(linkinfo_name, None)
        # A page's name has a host and a path; anything else is not from a crawl.
        # One that ends in a slash is a page too, where it has content: the url's path ends so.
        self._members = [m for m in members.values() if "/" in m.filename and (m.file_size or not m.is_dir())]

    def __iter__(self) -> Iterator[Page]:
        for member in self._members:
            body = self._body(member)
            if body is not None:
                name = member.filename
                yield Page(page_url(name), body, self.encoding, fetched=_fetched(name), name=name)

    def count(self) -> int:
        return len(self._members)

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts by canonical url; read as a whole on each call, some 100 bytes a text."""
        if self._linkinfo_member is None:
            return None
        found: dict[str, Counter[str]] = {}
        for name, texts in self._linkinfo_lines(self._linkinfo_member):
            url = canonical_url(page_url(name))
            found.setdefault(url, Counter()).update(well_formed(text) for text in texts)
        return {url: dict(found[url]) for url in sorted(found)}

    def close(self) -> None:
        self._zip.close()

    def _body(self, member: zipfile.ZipInfo) -> bytes | None:
        try:
            with self._zip.open(member) as stream:
                body = stream.read(MAX_BODY + 1)
        except _MEMBER_ERRORS as error:
            self._skip(member.filename, f"damaged member: {error}")
            return None
        if len(body) > MAX_BODY:
            self._skip(member.filename, TOO_LARGE)
            return None
        return body

    def _linkinfo_lines(self, member: zipfile.ZipInfo) -> Iterator[tuple[str, list[str]]]:
        try:
            with self._zip.open(member) as stream:
                for number, line in enumerate(_lines(stream), start=1):
                    try:
                        if line.strip():
                            yield parse_linkinfo_line(line)
                    except ValueError as error:
                        self._skip(f"{member.filename}:{number}", str(error))
        except _MEMBER_ERRORS as error:  # what was read before counts
            self._skip(member.filename, f"damaged member: {error}")


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines; of one that is too long the beginning, which will be malformed."""
    while line := stream.readline(MAX_LINE):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(MAX_LINE)):
            pass
        yield line.decode("utf-8", "replace")


def _fetched(name: str) -> str | None:
    """Return the time in a member's name, ``YYYYMMDDHHMM/…``, as ISO 8601."""
    stamp = name.partition("/")[0]
    if len(stamp) != 12 or not stamp.isascii() or not stamp.isdigit():
        return None
    try:
        return f"{datetime.strptime(stamp, '%Y%m%d%H%M').isoformat()}Z"
    except ValueError:
        return None
