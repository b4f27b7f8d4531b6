"""The rows in a SQLite file, found without SQLite: page after page, whatever is damaged elsewhere.

Source: "Database File Format" of SQLite's documentation, sections 1.3 (header), 1.5 (free pages), 1.6
(pages of trees and their overflow), 2.1 (records) and 4.1 (write-ahead log).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

__all__ = ["FoundRow", "SqlitePages"]

_INDEX_LEAF, _TABLE_LEAF = 0x0A, 0x0D
_FILE_HEADER, _PAGE_HEADER = 100, 8
_USUAL_PAGE = 4096
_LOG_HEADER, _FRAME_HEADER = 32, 24

_U16, _U32 = struct.Struct(">H"), struct.Struct(">L")
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class FoundRow(NamedTuple):
    """A row of a table with its number, or an entry of an index with the number 0."""

    number: int
    values: tuple[Any, ...]


class SqlitePages:
    """The pages of a SQLite file, those in its write-ahead log included."""

    def __init__(self, stream: BinaryIO, log: BinaryIO) -> None:
        self._stream, self._log = stream, log
        header = stream.read(_FILE_HEADER).ljust(_FILE_HEADER, b"\0")
        size = _U16.unpack_from(header, 16)[0]
        size = 65536 if size == 1 else size
        self._size = size if size >= 512 and not size & (size - 1) else _USUAL_PAGE
        self._usable = self._size - (header[20] if header[20] < 64 else 0)
        self._in_file = stream.seek(0, io.SEEK_END) // self._size
        self._logged = _logged_pages(log, self._size)
        self._count = max(self._in_file, *self._logged, 0)
        self._overflow_left = 2 * self._count  # in a sound file each page is read once
        self._free = frozenset(self._free_pages(_U32.unpack_from(self._page(1).ljust(36, b"\0"), 32)[0]))

    def rows(self) -> Iterator[FoundRow]:
        """Yield what can be read as a row of a table or an entry of an index, in the order of the file.

        Cost: one pass over the file, and memory for one row, whatever the file holds.
        """
        for number in range(1, self._count + 1):
            page = self._page(number)
            start = _FILE_HEADER if number == 1 else 0
            kind = page[start] if len(page) == self._size else 0
            if kind not in (_TABLE_LEAF, _INDEX_LEAF) or number in self._free:
                continue
            for at in self._cells(page, start):
                with suppress(ValueError, IndexError, struct.error):
                    yield self._row(page, at, is_table=kind == _TABLE_LEAF)

    def _page(self, number: int) -> bytes:
        """Return a page, shorter than a page if there is none of this number."""
        if number in self._logged:
            self._log.seek(self._logged[number])
            return self._log.read(self._size)
        if not 1 <= number <= self._in_file:
            return b""
        self._stream.seek((number - 1) * self._size)
        return self._stream.read(self._size)

    def _free_pages(self, trunk: int) -> Iterator[int]:
        """Yield the pages that are in no tree: what stands on them was deleted."""
        seen: set[int] = set()
        while trunk and trunk not in seen and len(page := self._page(trunk)) == self._size:
            seen.add(trunk)
            yield trunk
            trunk, count = struct.unpack_from(">2L", page)
            leaves = min(count, self._usable // 4 - 2)
            yield from struct.unpack_from(f">{leaves}L", page, 8)

    def _cells(self, page: bytes, start: int) -> Iterator[int]:
        """Yield where the rows of a page begin."""
        count = min(_U16.unpack_from(page, start + 3)[0], (self._usable - start - _PAGE_HEADER) // 2)
        yield from dict.fromkeys(struct.unpack_from(f">{count}H", page, start + _PAGE_HEADER))

    def _row(self, page: bytes, at: int, *, is_table: bool) -> FoundRow:
        """Return the row that begins at a place of a page.

        :raises ValueError, IndexError, struct.error: it is not whole.
        """
        length, at = _varint(page, at)
        number, at = _varint(page, at) if is_table else (0, at)
        if length > self._count * self._size:
            raise ValueError("longer than the file")
        here = self._length_here(length, is_table)
        record = page[at : at + here]
        if here < length:
            record += self._overflow(_U32.unpack_from(page, at + here)[0], length - here)
        if len(record) < length:
            raise ValueError("incomplete")
        return FoundRow(number, tuple(_values(record)))

    def _length_here(self, length: int, is_table: bool) -> int:
        """Return how many bytes of a record stand on the page itself."""
        usable = self._usable
        most = usable - 35 if is_table else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        return here if here <= most else least

    def _overflow(self, number: int, length: int) -> bytes:
        """Return what of a record stands on further pages."""
        parts: list[bytes] = []
        while length > 0:
            page = self._page(number)
            self._overflow_left -= 1
            if len(page) < self._size or self._overflow_left < 0:
                raise ValueError("incomplete")
            parts.append(page[4 : min(self._usable, 4 + length)])
            length -= len(parts[-1])
            number = _U32.unpack_from(page)[0]
        return b"".join(parts)


def _logged_pages(log: BinaryIO, size: int) -> dict[int, int]:
    """Return where in a write-ahead log the pages are that it has as of its last complete transaction."""
    header = log.read(_LOG_HEADER)
    if len(header) < _LOG_HEADER or _U32.unpack_from(header, 8)[0] != size:
        return {}
    pages: dict[int, int] = {}
    pending: dict[int, int] = {}
    at, end = _LOG_HEADER, log.seek(0, io.SEEK_END)
    while at + _FRAME_HEADER + size <= end:
        log.seek(at)
        frame = log.read(_FRAME_HEADER)
        number, committed = struct.unpack_from(">2L", frame)
        if frame[8:16] != header[16:24]:  # of an earlier round
            break
        pending[number] = at + _FRAME_HEADER
        if committed:
            pages |= pending
            pending = {}
        at += _FRAME_HEADER + size
    return pages


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    number = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return (number << 8) | byte, at + 9
        number = (number << 7) | (byte & 0x7F)
        if byte < 0x80:
            return number, at + count + 1
    raise AssertionError  # for the type checker


def _values(record: bytes) -> list[Any]:
    """Return the values of a record.

    :raises ValueError, IndexError: it is none.
    """
    end, at = _varint(record, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(record, at)
        kinds.append(kind)
    values: list[Any] = []
    at = end
    for kind in kinds:
        length = _INTEGERS.get(kind, 8 if kind == 7 else max(0, kind - 12) // 2)
        piece = record[at : at + length]
        if len(piece) < length or kind in (10, 11):
            raise ValueError("incomplete")
        values.append(_value(kind, piece))
        at += length
    return values


def _value(kind: int, piece: bytes) -> Any:
    if kind in _INTEGERS:
        return int.from_bytes(piece, "big", signed=True)
    if kind in (0, 8, 9):
        return (None, 0, 1)[max(0, kind - 7)]
    if kind == 7:
        return struct.unpack(">d", piece)[0]
    return piece.decode("utf-8", "replace") if kind % 2 else piece
