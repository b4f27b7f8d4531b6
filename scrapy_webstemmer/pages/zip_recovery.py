"""What can be read of a zip whose directory is missing or damaged: the members that are whole.

A zip ends in a directory of its members, and each member begins with a header of its own. Where the
end is gone (a full disk, a download that broke off), the headers are looked for instead.
"""

from __future__ import annotations

import io
import mmap
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

__all__ = ["END_RECORD", "ZIP_ERRORS", "Recovered", "RecoveredZip", "end_record", "recover"]

#: What opening or reading a damaged zip raises.
ZIP_ERRORS = (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError, ValueError)

# As the format's specification, APPNOTE.TXT, lays them out in 4.3.7, 4.3.12 and 4.3.16.
_HEADER = struct.Struct("<4s5H3L2H")
_ENTRY = struct.Struct("<4s6H3L5H2L")
END_RECORD = struct.Struct("<4s4H2LH")

_HEADER_MAGIC, _ENTRY_MAGIC, _END_MAGIC = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
#: Bytes that are unpacked at a time.
_PIECE = 1 << 20

_VERSION = 20
_SIZE_FOLLOWS = 0x08
_UTF8 = 0x800
_ZIP64 = 0xFFFFFFFF


class Recovered(NamedTuple):
    """Entries of a directory for the members that are whole, and how many members are not."""

    entries: list[bytes]
    lost: int


def end_record(entries: int, size: int, offset: int, comment: bytes = b"") -> bytes:
    """Return what ends a zip: the number of its members, the directory's size and place in bytes."""
    entries = min(entries, 0xFFFF)  # readers go by the size where there are more
    return END_RECORD.pack(_END_MAGIC, 0, 0, entries, entries, size, offset, len(comment)) + comment


def recover(stream: BinaryIO) -> Recovered:
    """Look for members from the beginning of a file; each is unpacked, some 100 MB a second.

    Members whose length is only written behind them count as lost. Lengths alone are not trusted: behind
    a member that was cut off there may be others, of a crawl that went on.
    """
    size = stream.seek(0, io.SEEK_END)
    entries: list[bytes] = []
    lost = 0
    if not size:
        return Recovered(entries, lost)
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        at = content.find(_HEADER_MAGIC)
        while at >= 0:
            found = _member(content, at)
            if found is None:
                lost += 1
                at += len(_HEADER_MAGIC)
            else:
                entry, at = found
                entries.append(entry)
            at = content.find(_HEADER_MAGIC, at)
    return Recovered(entries, lost)


def _member(content: mmap.mmap, at: int) -> tuple[bytes, int] | None:
    """Return a directory's entry for the member at a place, and where the member ends; None: not whole."""
    if at + _HEADER.size > len(content):
        return None
    header = _HEADER.unpack_from(content, at)
    _, _, flags, method, time, date, crc, packed, size, name_length, extra_length = header
    name = content[at + _HEADER.size : at + _HEADER.size + name_length]
    start = at + _HEADER.size + name_length + extra_length
    end = start + packed
    if end > len(content) or at >= _ZIP64 or flags & _SIZE_FOLLOWS or not _is_name(name, flags):
        return None
    if not _is_whole(content, start, end, method, crc):
        return None
    fields = (flags, method, time, date, crc, packed, size, name_length)
    return _ENTRY.pack(_ENTRY_MAGIC, _VERSION, _VERSION, *fields, 0, 0, 0, 0, 0, at) + name, end


def _is_whole(content: mmap.mmap, start: int, end: int, method: int, crc: int) -> bool:
    """Return whether a member's content has its checksum; of exotic compressions reading will tell."""
    if method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return True
    found = 0
    try:
        for part in _unpacked(content, start, end, deflated=method == zipfile.ZIP_DEFLATED):
            found = zlib.crc32(part, found)
    except zlib.error:
        return False
    return found == crc


def _unpacked(content: mmap.mmap, start: int, end: int, *, deflated: bool) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    for at in range(start, end, _PIECE):
        piece = content[at : min(at + _PIECE, end)]
        if not deflated:
            yield piece
            continue
        while piece and not inflater.eof:  # a few bytes can stand for a gigabyte
            yield inflater.decompress(piece, _PIECE)
            piece = inflater.unconsumed_tail
    if deflated:
        yield inflater.flush()


def _is_name(name: bytes, flags: int) -> bool:
    try:
        name.decode("utf-8" if flags & _UTF8 else "cp437")
    except UnicodeDecodeError:
        return False
    return bool(name)


class RecoveredZip(zipfile.ZipFile):
    """A zip that is read by the headers of its members; its directory, if there is one, is ignored.

    :ivar lost: how many members are not whole.
    :raises OSError: it cannot be read, or is no file.
    :raises zipfile.BadZipFile: no member is whole, or the file is larger than a zip without zip64 can be.
    """

    def __init__(self, path: Path) -> None:
        self._source = path.open("rb")
        try:
            entries, self.lost = recover(self._source)
            if not entries:
                raise zipfile.BadZipFile("no member is whole")
            super().__init__(_WithDirectory(self._source, entries))
        except BaseException:
            self._source.close()
            raise

    def close(self) -> None:
        """Close the file, too."""
        super().close()
        self._source.close()


class _WithDirectory(io.BufferedIOBase):
    """A file as if a directory stood at its end, to be read as a zip."""

    def __init__(self, stream: BinaryIO, entries: list[bytes]) -> None:
        self._stream = stream
        self._size = stream.seek(0, io.SEEK_END)
        if self._size > _ZIP64:
            raise zipfile.BadZipFile("larger than 4 GiB")
        directory = b"".join(entries)
        self._tail = directory + end_record(len(entries), len(directory), self._size)
        self._at = 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size + len(self._tail)}[whence]
        self._at = max(0, start + offset)
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        total = self._size + len(self._tail)
        end = total if size is None or size < 0 else min(self._at + size, total)
        data = b"".join(self._parts(self._at, end))
        self._at += len(data)
        return data

    def _parts(self, start: int, end: int) -> Iterator[bytes]:
        if start < self._size:
            self._stream.seek(start)
            yield self._stream.read(max(0, min(end, self._size) - start))
        if end > self._size:
            yield self._tail[max(0, start - self._size) : end - self._size]
