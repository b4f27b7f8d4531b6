"""Files that are complete or not there: what is written takes its name when all of it is written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["replacing"]


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces the one at ``path`` when the block ends.

    Where the block raises, or the process is killed, the old file stays as it
    was. A link stays a link, the file's mode is kept, and what is no regular file
    (a pipe, ``/dev/null``) is written to directly.

    :raises OSError: it cannot be written.
    """
    named = Path(path)
    if named.exists() and not named.is_file():  # unresolved: no path leads to a pipe
        with named.open("wb") as stream:
            yield stream
        return
    target = named.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(_mode(target))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """Return the mode of the file that is replaced, or the usual one: mkstemp's is for secrets."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
