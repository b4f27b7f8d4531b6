"""Linkinfo as a file of its own, as it lies beside the pages of an unpacked crawl of 2009."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from ..urls import canonical_url, page_url, well_formed
from ..values import Linkinfo, Page
from .sniffing import SAMPLE, looks_like_html
from .source import PageSource
from .zip import MAX_LINE, parse_linkinfo_line

__all__ = ["LINKINFO_NAME", "LinkinfoFile", "is_linkinfo", "read_linkinfo"]

#: What the crawler of 2009 called it.
LINKINFO_NAME = "linkinfo"


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
            with path.open("rb") as stream:
                for name, texts in _lines(stream, str(path), skip):
                    url = canonical_url(page_url(name))
                    found.setdefault(url, Counter()).update(map(well_formed, texts))
        except (OSError, ValueError) as error:
            skip(str(path), getattr(error, "strerror", None) or str(error))
    return {url: dict(found[url]) for url in sorted(found)}


def _lines(stream: BinaryIO, name: str, skip: Callable[[str, str], None]) -> Iterator[tuple[str, list[str]]]:
    """Yield the lines as name and texts; one that is too long comes in parts, which are malformed."""
    for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE), b""), start=1):
        try:
            if line.strip():
                yield parse_linkinfo_line(line.decode("utf-8", "replace"))
        except ValueError as error:
            skip(f"{name}:{number}", str(error))
