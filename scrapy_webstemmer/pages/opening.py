"""Which kind of source a path is, by its content."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

from ..errors import LearningSetError
from .folder import FileList, HtmlFolder
from .sniffing import GZIP_MAGIC, SQLITE_MAGIC, ZIP_MAGICS
from .source import PageSource
from .sqlite import SqliteLearningSet
from .zip import ZipLearningSet

__all__ = ["open_pages", "open_pages_list"]

_WARC_MAGIC = b"WARC/"


def open_pages(
    path: str | Path, *, linkinfo_name: str = "linkinfo", encoding: str | None = None
) -> PageSource:
    """Open a source of pages for reading.

    :param path: a learning set, a 2009 zip, a ``.warc`` or ``.warc.gz`` file, a folder of HTML files,
        or ``-`` for a list of files on standard input. The content decides, not the name.
    :param linkinfo_name: the member of a zip that holds the linkinfo; empty: there is none.
    :param encoding: the charset of pages for which the source records none.
    :raises LearningSetError: it is missing, damaged, or nothing of these.
    """
    if str(path) == "-":
        return open_pages_list(sys.stdin, encoding=encoding)
    path = Path(path)
    try:
        if path.is_dir():
            return HtmlFolder(path, encoding=encoding)
        head = _head(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise LearningSetError(path, getattr(error, "strerror", None) or str(error)) from error
    if head.startswith(SQLITE_MAGIC):
        return SqliteLearningSet(path, readonly=True, encoding=encoding)
    if head.startswith(ZIP_MAGICS):
        return ZipLearningSet(path, linkinfo_name=linkinfo_name, encoding=encoding)
    if head.startswith(_WARC_MAGIC) or _unzipped_head(path, head).startswith(_WARC_MAGIC):
        from .warc import WarcFile  # warcio is wanted here only

        return WarcFile(path, encoding=encoding)
    raise LearningSetError(path, "is no learning set, zip, WARC file or folder" if head else "is empty")


def open_pages_list(lines: Iterable[str], *, encoding: str | None = None) -> PageSource:
    """Open the files that the lines name, ``file`` or ``url<TAB>file``, as one source of pages."""
    return FileList(lines, encoding=encoding)


def _head(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise LearningSetError(path, "is neither a file nor a folder")
    with path.open("rb") as stream:
        return stream.read(len(SQLITE_MAGIC))


def _unzipped_head(path: Path, head: bytes) -> bytes:
    """Return how a gzip file's content begins; nothing of any other file."""
    if not head.startswith(GZIP_MAGIC):
        return b""
    try:
        with gzip.open(path) as stream:
            return stream.read(len(_WARC_MAGIC))
    except (OSError, EOFError, zlib.error) as error:
        raise LearningSetError(path, f"damaged gzip file: {error}") from error
