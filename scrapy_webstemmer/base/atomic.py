"""Write files completely or not at all: a file gets its name when all of it is written."""

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
    """Open a file for writing. It replaces the one at ``path`` when the block ends.

    If the block raises, or the process is killed, the old file stays as it was.
    A link stays a link, and the file's mode is kept. A pipe, ``/dev/null`` or
    anything else that is not a regular file is written to directly.

    :raises OSError: the file cannot be written.
    """
    named = Path(path)
    if named.exists() and not named.is_file():  # not resolved: a pipe may have no path of its own
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
    """Return the mode of the replaced file, else the usual mode: mkstemp's is for the owner alone."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
