"""Read zips of the 2009 crawler: each page is a member ``TIMESTAMP/host/path``, linkinfo is another one.

HTML files that were zipped without any folder are read, too, as those of a folder with the name of the zip.
"""

from __future__ import annotations

import shlex
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import IO

from ..base.urls import is_host, page_url
from ..errors import LearningSetError
from ..values import Linkinfo, Page
from .folder import HTML_SUFFIX, file_urls, host_of_place
from .linkinfo_file import LINKINFO_NAME, added_up, parse_linkinfo
from .source import MAX_BODY, TOO_LARGE, PageSource

#: In a zip's comment: the words before the base id, if that is not a time.
BASE_ID_NOTE = "webstemmer base id: "

#: The errors that opening or reading a damaged zip raises.
ZIP_ERRORS = (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError, ValueError)

#: The errors that reading a damaged, encrypted or exotic member raises.
_MEMBER_ERRORS = (*ZIP_ERRORS, zlib.error)

#: Compressions that are read: ``zipfile`` unpacks these piece by piece. It unpacks a few bytes of bzip2 to
#: gigabytes at once, and LZMA and Zstandard would take as much memory as a member asks for.
_COMPRESSIONS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})

_OTHER_COMPRESSIONS = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz"}

#: The least number of bytes before a member's data.
_LOCAL_HEADER = 30


class ZipLearningSet(PageSource):
    """A zip file of the 2009 crawler; if several members have the same name, the last one counts.

    :param linkinfo_name: the member that holds the linkinfo; empty: none is read.
    :raises LearningSetError: the file cannot be read as a zip, for example because its end is missing.
    """

    def __init__(self, path: str | Path, *, linkinfo_name: str = LINKINFO_NAME) -> None:
        super().__init__(path)
        self._linkinfo_name = linkinfo_name
        self._zip = self._open()
        self._base_ids = _base_ids(self._zip.comment)
        self._overlapping = _overlapping(self._zip.infolist())
        members = {member.filename: member for member in self._zip.infolist()}
        self._linkinfo_member = members.pop(linkinfo_name, None)
        # A page's name has a host and a path, or is that of an HTML file; anything else is not a page.
        # A name that ends in a slash is also a page if the member has content: its url ends in a slash, too.
        self._members = [
            member
            for name, member in members.items()
            if ("/" in name and (member.file_size or not member.is_dir())) or _is_file(name)
        ]
        stem = self.path.stem
        self._host = host_of_place(stem)
        if not is_host(stem) and any(_is_file(name) for name in members):
            self.made_up = self._host

    def __iter__(self) -> Iterator[Page]:
        for member in self._members:
            body = self._body(member)
            if body is not None:
                name = member.filename
                urls = file_urls((name,), self._host) if _is_file(name) else (self._url(name),)
                yield Page(urls[0], body, aliases=urls[1:], fetched=_fetched(name), name=name)

    def count(self) -> int:
        return len(self._members)

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts by canonical url. Each call reads them all, about 100 bytes a text."""
        if self._linkinfo_member is None:
            return None
        return added_up((self._url(name), texts) for name, texts in self.linkinfo_lines())

    def linkinfo_lines(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the names and texts in the linkinfo, unchanged; nothing if there is no linkinfo."""
        if self._linkinfo_member is None:
            return
        try:
            with self._opened(self._linkinfo_member) as stream:
                yield from parse_linkinfo(stream, self._linkinfo_name, self._skip)
        except _MEMBER_ERRORS as error:  # the lines before the damage count
            self._skip(self._linkinfo_name, f"damaged member: {error}")

    def close(self) -> None:
        self._zip.close()

    def _open(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.path)
        except ZIP_ERRORS as error:
            advice = f"`zip -FF {shlex.quote(str(self.path))} --out NEW.zip` saves what is whole"
            raise LearningSetError(self.path, f"damaged zip: {error}; {advice}") from error

    def _url(self, name: str) -> str:
        base_id, _, address = name.partition("/")
        return f"http://{address}" if base_id in self._base_ids else page_url(name)

    def _opened(self, member: zipfile.ZipInfo) -> IO[bytes]:
        if member.compress_type not in _COMPRESSIONS:
            name = _OTHER_COMPRESSIONS.get(member.compress_type, member.compress_type)
            raise zipfile.BadZipFile(f"compression {name} is not read here")
        if member in self._overlapping:
            raise zipfile.BadZipFile("its data overlaps that of another member")
        return self._zip.open(member)

    def _body(self, member: zipfile.ZipInfo) -> bytes | None:
        try:
            with self._opened(member) as stream:
                body = stream.read(MAX_BODY + 1)
        except _MEMBER_ERRORS as error:
            self._skip(member.filename, f"damaged member: {error}")
            return None
        if len(body) > MAX_BODY:
            self._skip(member.filename, TOO_LARGE)
            return None
        return body


def _is_file(name: str) -> bool:
    """Return whether a member is an HTML file that was zipped without a folder."""
    return "/" not in name and HTML_SUFFIX.search(name) is not None


def _overlapping(members: Iterable[zipfile.ZipInfo]) -> frozenset[zipfile.ZipInfo]:
    """Return the members whose data reaches into the next member.

    A sound zip has no such members. Thousands of members that share a few bytes would take days to unpack.
    The other members share nothing, so all of them together have no more packed bytes than the file.
    """
    ordered = sorted(members, key=lambda member: member.header_offset)
    return frozenset(
        member
        for member, following in pairwise(ordered)
        if member.header_offset + _LOCAL_HEADER + member.compress_size > following.header_offset
    )


def _base_ids(comment: bytes) -> frozenset[str]:
    lines = comment.decode("utf-8", "replace").splitlines()
    return frozenset(line.removeprefix(BASE_ID_NOTE) for line in lines if line.startswith(BASE_ID_NOTE))


def _fetched(name: str) -> str | None:
    """Return the time in a member's name, ``YYYYMMDDHHMM/…``, as ISO 8601."""
    stamp = name.partition("/")[0]
    if len(stamp) != 12 or not stamp.isascii() or not stamp.isdigit():
        return None
    try:
        return f"{datetime.strptime(stamp, '%Y%m%d%H%M').isoformat()}Z"
    except ValueError:
        return None
