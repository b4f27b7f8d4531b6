"""Which kind of source a path is, by its content."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

from ..errors import LearningSetError
from .folder import FileList, HtmlFile, HtmlFolder, is_page
from .linkinfo_file import LINKINFO_NAME, LinkinfoFile, is_linkinfo
from .sniffing import GZIP_MAGIC, SQLITE_MAGIC, ZIP_MAGICS, is_binary, looks_like_html
from .source import PageSource
from .sqlite import SqliteLearningSet
from .zip import ZipLearningSet

__all__ = ["open_pages", "open_pages_list"]

_WARC_MAGIC = b"WARC/"

#: What the programs of 2009 took for a list of files, by its name: a list begins like nothing in particular.
_LIST_SUFFIX = ".list"


def open_pages(
    path: str | Path,
    *,
    linkinfo_name: str = LINKINFO_NAME,
    encoding: str | None = None,
) -> PageSource:
    """Open a source of pages for reading.

    :param path: a learning set, a 2009 zip, a ``.warc`` or ``.warc.gz`` file, a folder of HTML files, a
        single one, a ``.list`` of files, a linkinfo file, or ``-`` for a list of files, or a page, on
        standard input. The content decides, and the name only for lists and linkinfo.
    :param linkinfo_name: the member of a zip, or the file, that holds the linkinfo; empty: there is none.
    :param encoding: the charset of pages for which the source records none.
    :raises LearningSetError: it is missing, damaged, or nothing of these.
    """
    if str(path) == "-":
        return _standard_input(linkinfo_name, encoding)
    path = Path(path)
    try:
        if path.is_dir():
            return HtmlFolder(path, linkinfo_name=linkinfo_name, encoding=encoding)
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
    return _text_file(path, bool(head), linkinfo_name, encoding)


def open_pages_list(
    lines: Iterable[str], *, linkinfo_name: str = LINKINFO_NAME, encoding: str | None = None
) -> PageSource:
    """Open the files that the lines name, ``file`` or ``url<TAB>file``, as one source of pages."""
    return FileList(lines, linkinfo_name=linkinfo_name, encoding=encoding)


def _text_file(path: Path, has_content: bool, linkinfo_name: str, encoding: str | None) -> PageSource:
    """Open what is known by its name, or else a page."""
    if is_linkinfo(path, linkinfo_name):
        return LinkinfoFile(path, used=bool(linkinfo_name))
    if path.suffix.lower() == _LIST_SUFFIX:
        lines = _lines(path.read_bytes())
        return FileList(lines, path=path, linkinfo_name=linkinfo_name, encoding=encoding)
    if has_content and is_page(path):
        return HtmlFile(path, encoding=encoding)
    reason = "is not a learning set, zip, WARC file, folder or page" if has_content else "is empty"
    raise LearningSetError(path, reason)


def _standard_input(linkinfo_name: str, encoding: str | None) -> PageSource:
    if not hasattr(sys.stdin, "buffer"):
        return open_pages_list(sys.stdin, linkinfo_name=linkinfo_name, encoding=encoding)
    content = sys.stdin.buffer.read()
    if looks_like_html(content):
        return HtmlFile("stdin", body=content, encoding=encoding)
    if is_binary(content):
        raise LearningSetError("-", "is neither a list of files nor a page")
    return open_pages_list(_lines(content), linkinfo_name=linkinfo_name, encoding=encoding)


def _lines(content: bytes) -> Iterable[str]:
    return (os.fsdecode(line) for line in io.BytesIO(content))  # names of files are bytes


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
