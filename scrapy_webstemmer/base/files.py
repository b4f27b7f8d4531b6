"""Write a file completely or not at all: it gets its name when all of it is written."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

#: What a full disk says, without the name of the file.
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)
#: So many characters of its name are in that of the new content: with all, a name could be too long.
_NAME_LENGTH = 60
#: Creates the file. Fails if the name exists already, and follows no link.
_NEW_FILE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextmanager
def naming_if_full(path: str | Path) -> Iterator[None]:
    """Let the error of a full disk name the file that has no room."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing. It replaces the one at ``path`` when the block ends.

    If the block raises, or the process is killed, the old file stays as it was.
    A link stays a link, and the file's mode is kept. A pipe, ``/dev/null`` or
    anything else that is not a regular file is written to directly. Until the
    block ends, the new content is in ``.NAME.*.part`` beside the file; a long name
    is cut there. That part is left behind only after ``kill -9`` or a power cut,
    and can be removed.

    :raises OSError: the file cannot be written.
    """
    named = Path(path)
    if _is_special(named):
        with naming_if_full(named), named.open("wb") as stream:
            yield stream
        return
    target = _target(named)
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    part = target.with_name(f".{target.name[:_NAME_LENGTH]}.{secrets.token_hex(4)}.part")
    # A new file has the usual mode. The replacement of a private file is private from the start.
    handle = os.open(part, _NEW_FILE, 0o666 if mode is None else 0o600)
    try:
        with naming_if_full(named), os.fdopen(handle, "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            part.chmod(mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def is_writable(path: str | Path) -> bool:
    """Return whether :func:`replacing` may write the file and its folder, where the new content begins.

    :raises OSError: the path is a link that leads to itself.
    """
    named = Path(path)
    if _is_special(named):
        return os.access(named, os.W_OK)
    target = _target(named)
    return os.access(target.parent, os.W_OK | os.X_OK) and (not target.exists() or os.access(target, os.W_OK))


def _is_special(named: Path) -> bool:
    """Return whether a path exists and is not a regular file."""
    return named.exists() and not named.is_file()  # not resolved: a pipe may have no path of its own


def _target(named: Path) -> Path:
    """Return the file that a path leads to, with all links followed."""
    target = Path(os.path.realpath(named))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(named))
    return target
