"""Open a source of pages of any kind; the content of the path decides which kind it is."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

from ..errors import LearningSetError
from .folder import FileList, HtmlFile, HtmlFolder, is_page, unzipped
from .linkinfo_file import LINKINFO_NAME, is_linkinfo
from .source import (
    GZIP_MAGIC,
    MAX_BODY,
    SQLITE_MAGIC,
    ZIP_MAGICS,
    PageSource,
    cause_of,
    is_binary,
    looks_like_html,
)
from .sqlite import SqliteLearningSet
from .zip_files import ZipLearningSet

_WARC_MAGIC = b"WARC/"

#: How a page without a head, a sitemap, JSON or WARC begins, but no list of files.
_NO_NAMES = (b"<", b"{", b"[", _WARC_MAGIC, b"\xff\xfe", b"\xfe\xff")

#: How compressed files begin: gzip, zstd, bzip2 and xz. WARC files and pages with gzip are read all the same.
_PACKED = (GZIP_MAGIC, b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")

#: The suffix of a list of files, as in 2009. A list has no special first bytes that would show what it is.
_LIST_SUFFIX = ".list"


def open_pages(path: str | Path, *, linkinfo_name: str = LINKINFO_NAME) -> PageSource:
    """Open a source of pages for reading.

    :param path: a learning set, a 2009 zip, a ``.warc`` or ``.warc.gz`` file, a folder of HTML files, a
        single HTML file, a ``.list`` of files, a linkinfo file, or ``-`` for standard input, which gives a
        list of files or a page. The content decides which it is; only lists and linkinfo are known by their
        names.
    :param linkinfo_name: the member of a zip, or the file, that holds the linkinfo; empty: none is read.
    :raises LearningSetError: the path is missing, damaged, or none of these.
    """
    if str(path) == "-":
        return _standard_input(linkinfo_name)
    path = Path(path)
    try:
        if path.is_dir():
            return HtmlFolder(path, linkinfo_name=linkinfo_name)
        head = _head(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise LearningSetError(path, cause_of(error)) from error
    if head.startswith(SQLITE_MAGIC):
        return SqliteLearningSet(path, readonly=True)
    if head.startswith(ZIP_MAGICS):
        return ZipLearningSet(path, linkinfo_name=linkinfo_name)
    if head.startswith(_WARC_MAGIC) or _unzipped_head(path, head).startswith(_WARC_MAGIC):
        from .warc import WarcFile  # only WARC files need warcio

        return WarcFile(path)
    return _text_file(path, head, linkinfo_name)


def _text_file(path: Path, head: bytes, linkinfo_name: str) -> PageSource:
    """Open linkinfo or a list, which are known by their names, or else a page."""
    if is_linkinfo(path, linkinfo_name):
        return FileList((), path=path, linkinfo_name=linkinfo_name, linkinfo=path)
    if path.suffix.lower() == _LIST_SUFFIX:
        return FileList(_lines(path.read_bytes()), path=path, linkinfo_name=linkinfo_name)
    if head and is_page(path):
        return HtmlFile(path)
    reason = "is not a learning set, zip, WARC file, folder or page" if head else "is empty"
    raise LearningSetError(path, "is compressed: unpack it first" if head.startswith(_PACKED) else reason)


def _standard_input(linkinfo_name: str) -> PageSource:
    if not hasattr(sys.stdin, "buffer"):
        return FileList(sys.stdin, linkinfo_name=linkinfo_name)
    try:
        content = unzipped(sys.stdin.buffer.read(), MAX_BODY + 1)
    except ValueError as error:
        raise LearningSetError("-", str(error)) from None
    if looks_like_html(content):
        return HtmlFile("stdin", body=content)
    if is_binary(content) or content.lstrip().startswith(_NO_NAMES):
        raise LearningSetError("-", "is neither a list of files nor a page")
    return FileList(_lines(content), linkinfo_name=linkinfo_name)


def _lines(content: bytes) -> Iterable[str]:
    return map(os.fsdecode, io.BytesIO(content.removeprefix(codecs.BOM_UTF8)))  # file names are bytes


def _head(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise LearningSetError(path, "is neither a file nor a folder")
    with path.open("rb") as stream:
        return stream.read(len(SQLITE_MAGIC))


def _unzipped_head(path: Path, head: bytes) -> bytes:
    """Return the first bytes of a gzip file's content, or nothing for any other file."""
    if not head.startswith(GZIP_MAGIC):
        return b""
    try:
        with gzip.open(path) as stream:
            return stream.read(len(_WARC_MAGIC))
    except (OSError, EOFError, zlib.error) as error:
        raise LearningSetError(path, f"damaged gzip file: {error}") from error
