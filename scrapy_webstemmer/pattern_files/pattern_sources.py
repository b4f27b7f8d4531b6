"""Read what may hold patterns: a file, a resource of a package, or a stream of bytes.

A resource can be read wherever its package is: in a folder, a wheel, or an egg.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.resources import files
from pathlib import Path
from typing import IO, BinaryIO, TypeAlias

from ..errors import PatternFileError

#: A path, the name of a resource (``package:resource``), or a stream that is open for bytes.
Source: TypeAlias = str | os.PathLike[str] | BinaryIO

#: Largest size of a file in bytes. A larger file is refused, since it would be held in memory.
MAX_FILE = 512 * 1024 * 1024

#: A package, a colon, and a path in the package. A single letter before the colon is a drive: ``C:a.json``.
_RESOURCE = re.compile(r"(?!.:)((?:[^\W\d]\w*\.)*[^\W\d]\w*):([^/\\:].*)", re.DOTALL)


def is_resource(name: str) -> bool:
    """Return whether a name has the form ``package:resource``. All other names are paths.

    A file whose own name has this form can be named with its folder.

    >>> [is_resource(name) for name in ("press.data:news/a.json", "C:/a.json", "C:a.json", "./press:a.json")]
    [True, False, False, False]
    """
    return _RESOURCE.fullmatch(name) is not None


def name_of(source: Source) -> str:
    """Return the name of a source for messages; ``<stream>`` for a stream without a name."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


def read_source(source: Source) -> bytes:
    """Return the content of a source. A stream is read to its end and stays open.

    :raises PatternFileError: if the source cannot be read, or is too large.
    """
    name = name_of(source)
    if not isinstance(source, str | os.PathLike) and not hasattr(source, "read"):
        raise TypeError(f"a source of patterns is a path or a stream, not a {type(source).__name__}")
    try:
        with _opened(source) as stream:
            content = stream.read(MAX_FILE + 1)
    except (OSError, ImportError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PatternFileError(name, f"cannot be read: {reason}") from None
    except ValueError:  # the name has a NUL
        raise PatternFileError(name, "is not a pattern file") from None
    if not isinstance(content, bytes):
        raise TypeError(f"{name}: must be open for bytes, not for text")
    if len(content) > MAX_FILE:
        raise PatternFileError(name, f"is larger than {MAX_FILE // 1024 // 1024} MiB")
    return content


def _opened(source: Source) -> AbstractContextManager[IO[bytes]]:
    """Open a source. A stream of the caller stays open."""
    if not isinstance(source, str | os.PathLike):
        return nullcontext(source)
    if isinstance(source, str) and (resource := _RESOURCE.fullmatch(source)):
        return _open_resource(*resource.groups())
    return Path(source).open("rb")


def _open_resource(package: str, name: str) -> IO[bytes]:
    """Open a resource. Raises ImportError without the package, and FileNotFoundError without the resource."""
    parts = name.split("/")
    missing = FileNotFoundError(2, f"the package {package} has no resource {name}")
    if not {"", ".", ".."}.isdisjoint(parts):  # a wheel has no folders above the package
        raise missing
    try:
        return files(package).joinpath(*parts).open("rb")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise missing from None
    except TypeError:
        raise ImportError(f"{package} is not a package") from None


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Keep other processes from writing a pattern file while the block reads and writes it.

    :raises PatternFileError: there cannot be a lock beside the file.
    """
    from filelock import FileLock  # it takes longer to import than a page to extract

    target = Path(os.path.realpath(path))
    try:
        lock = FileLock(target.with_name(f".{target.name}.lock")).acquire()
    except (OSError, NotImplementedError) as error:
        raise PatternFileError(path, f"cannot be locked: {error}") from None
    with lock:
        yield
