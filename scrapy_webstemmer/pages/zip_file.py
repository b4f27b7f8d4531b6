"""A zip file that grows by one member at a time and is complete after each of them."""

from __future__ import annotations

import io
import logging
import os
import stat
import struct
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from ..errors import LearningSetError
from .sniffing import ZIP_MAGICS
from .zip_recovery import END_RECORD, ZIP_ERRORS, end_record, recover

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["MAX_MEMBERS", "MAX_SIZE", "GrowingZip"]

logger = logging.getLogger("scrapy_webstemmer.pages")

#: Members and bytes that a zip can have without the extension zip64.
MAX_MEMBERS = 0xFFFF
MAX_SIZE = 0xFFFFFFFF

# Where in a directory's entry the lengths of its last three parts and the member's place are.
_LENGTHS = struct.Struct("<3H")
_LENGTHS_AT, _OFFSET_AT, _NAME_AT = 28, 42, 46
_OFFSET = struct.Struct("<L")
# What may stand behind it: its end record, that of a zip64, or a signature.
_BEHIND_DIRECTORY = (b"PK\x05\x06", b"PK\x06\x06", b"PK\x05\x05")


class GrowingZip:
    """A zip to add members to, held open and locked; a missing or empty file is made into one.

    A zip ends in a directory. A new member takes the directory's place, and the new directory follows
    it, in one system call: whatever happens to the process, at most the member that is being written is
    lost. A file without a sound directory is continued behind its end, with the members that are whole;
    nothing that it holds is overwritten.

    Memory: some 400 bytes for each member. The directory is written with each of them: some 2 ms for
    the last members of a full zip.

    :raises LearningSetError: it is no zip, or another process is adding to it.
    :raises OSError: it cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.comment = b""
        self._entries: dict[str, bytes] = {}
        self._directory = bytearray()  # the same in one piece: joining takes much longer than writing
        self._directory_at = 0
        self._stream = _open(path)
        try:
            _lock(self._stream, path)
            self._load()
        except BaseException:
            self._stream.close()
            raise

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the members."""
        return iter(self._entries)

    @property
    def closed(self) -> bool:
        """Whether nothing can be added any more."""
        return self._stream.closed

    def add(self, info: zipfile.ZipInfo, content: Iterable[bytes]) -> None:
        """Add a member, in the place of the one that has its name; on return it is in the file.

        The earlier member's bytes stay in the file, but the directory has the new one only. Where the
        writing fails, the file is what it was.

        :raises LearningSetError: the zip is full, or the file cannot be written.
        """
        entries, directory = self._entries, self._directory
        if info.filename in entries:
            entries = {name: entry for name, entry in entries.items() if name != info.filename}
            directory = bytearray().join(entries.values())
        try:
            local, entry = _member(info, content, self._directory_at)
            size, at = len(directory) + len(entry), self._directory_at + len(local)
            if len(entries) >= MAX_MEMBERS or at + size > MAX_SIZE:
                raise LearningSetError(self.path, "the zip is full", info.filename)
            end = end_record(len(entries) + 1, size, at, self.comment)
            self._write(local, directory, entry, end)
        except (OSError, RuntimeError, zipfile.LargeZipFile, struct.error) as error:
            raise LearningSetError(self.path, str(error), info.filename) from error
        directory += entry
        entries[info.filename] = entry
        self._entries, self._directory, self._directory_at = entries, directory, at

    def close(self) -> None:
        """Release the file and its lock; harmless when repeated."""
        self._stream.close()

    def _load(self) -> None:
        size = os.fstat(self._stream.fileno()).st_size
        if not size:
            self._write(end_record(0, 0, 0))
            return
        if not self._stream.read(4).startswith(ZIP_MAGICS):
            raise LearningSetError(self.path, "is no zip file")
        try:
            self._load_directory()
        except ZIP_ERRORS as error:
            self._load_members(str(error))
            self._directory_at = size
        self._directory += b"".join(self._entries.values())
        if self._directory_at + len(self._directory) > MAX_SIZE:
            raise LearningSetError(self.path, "the zip is full")

    def _load_members(self, damage: str) -> None:
        entries, lost = recover(self._stream)
        if not entries:
            raise LearningSetError(self.path, f"damaged zip: {damage}; no member is whole")
        self._entries = {_name(entry): entry for entry in entries}
        logger.warning(
            "%s: damaged zip: %s; goes on with the %d members that are whole; %d are not",
            self.path,
            damage,
            len(self._entries),
            lost,
        )

    def _load_directory(self) -> None:
        with zipfile.ZipFile(self._stream) as known:
            self.comment, self._directory_at = known.comment, known.start_dir
            infos = known.infolist()
        self._stream.seek(self._directory_at)
        content = self._stream.read()
        at = 0
        for info in infos:
            end = at + _NAME_AT + sum(_LENGTHS.unpack_from(content, at + _LENGTHS_AT))
            self._check_member(info.header_offset)
            self._entries[info.filename] = _moved(content[at:end], info.header_offset)
            at = end
        if not content.startswith(_BEHIND_DIRECTORY, at):
            raise zipfile.BadZipFile("an entry is longer than the directory")

    def _check_member(self, at: int) -> None:
        if 0 <= at <= MAX_SIZE:
            self._stream.seek(at)
            if self._stream.read(4) == ZIP_MAGICS[0]:
                return
        raise zipfile.BadZipFile("a member is not where the directory says")

    def _write(self, *parts: bytes | bytearray) -> None:
        """Write what takes the directory's place; if that cannot be done, the directory again."""
        try:
            self._write_at(self._directory_at, *parts)
        except OSError:
            size = len(self._directory)
            end = end_record(len(self._entries), size, self._directory_at, self.comment)
            self._write_at(self._directory_at, self._directory, end)
            raise

    def _write_at(self, at: int, *parts: bytes | bytearray) -> None:
        self._stream.seek(at)
        size = sum(map(len, parts))
        written = os.writev(self._stream.fileno(), parts) if hasattr(os, "writev") else 0
        if written < size:  # no such call on Windows; elsewhere the disk is full, and it will be said now
            rest = memoryview(b"".join(parts))[written:]
            while rest:
                rest = rest[self._stream.write(rest) :]
        if os.fstat(self._stream.fileno()).st_size != at + size:
            self._stream.truncate(at + size)


def _open(path: Path) -> BinaryIO:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise LearningSetError(path, "is no file")
    return os.fdopen(handle, "r+b", buffering=0)


def _lock(stream: BinaryIO, path: Path) -> None:
    """Keep other processes from adding to the same file, where the system has such locks."""
    if fcntl is None:
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LearningSetError(path, "another crawl is adding to it") from None
    except OSError:  # no such thing on this file system
        return


def _member(info: zipfile.ZipInfo, content: Iterable[bytes], at: int) -> tuple[bytes, bytes]:
    """Return a member as it stands in a zip, and its entry in the directory."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as single:
        with single.open(info, "w") as stream:
            for part in content:
                stream.write(part)
        length = single.start_dir
    made = buffer.getvalue()
    return made[:length], _moved(made[length : -END_RECORD.size], at)


def _moved(entry: bytes, offset: int) -> bytes:
    return entry[:_OFFSET_AT] + _OFFSET.pack(offset) + entry[_NAME_AT:]


def _name(entry: bytes) -> str:
    """Return the name in an entry that has neither extra fields nor a comment."""
    flags = int.from_bytes(entry[8:10], "little")
    return entry[_NAME_AT:].decode("utf-8" if flags & 0x800 else "cp437")
