"""How patterns are stored: in files, packages, SQLite files with a row for each site; their JSON values."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeAlias

from filelock import FileLock

from ..base.database import Database, FileFormat, bounded_rows
from ..errors import PatternFileError
from ..options import LARGEST
from ..values import SitePatterns

# --- Read what may hold patterns: a file, a resource of a package, or a stream of bytes
#
# A resource can be read wherever its package is: in a folder, a wheel, or an egg.

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


@contextmanager
def _opened(source: Source) -> Iterator[IO[bytes]]:
    """Open a source. A stream of the caller stays open."""
    if not isinstance(source, str | os.PathLike):
        yield source
    elif isinstance(source, str) and (resource := _RESOURCE.fullmatch(source)):
        with _open_resource(*resource.groups()) as stream:
            yield stream
    else:
        with Path(source).open("rb") as stream:
            yield stream


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
    target = Path(os.path.realpath(path))
    lock = FileLock(target.with_name(f".{target.name}.lock"))
    try:
        lock.acquire()
    except (OSError, NotImplementedError) as error:
        raise PatternFileError(path, f"cannot be locked: {error}") from None
    try:
        yield
    finally:
        lock.release()


# --- Keep the patterns of many sites in a SQLite file: one row a site, read when a page of the site comes
#
# A JSON file of 25,000 sites has some 5,000,000 values, and all of them are read before the first page. Here
# a site costs nothing until it is asked for, and a crawl that learns a site writes this one alone.

#: Bound: so many sites that were asked for are kept in memory.
_KEPT = 2_000
#: Largest size of a site's JSON. A larger one is refused, since it would be held in memory.
_LARGEST = 64 * 1024 * 1024

_FORMAT = FileFormat(
    name="pattern file",
    application_id=0x57535450,  # "WSTP"
    version=1,
    schema="CREATE TABLE site (name TEXT PRIMARY KEY, content BLOB);",
    error=PatternFileError,
)


class StoredSites(Mapping[str, SitePatterns]):
    """The sites of a SQLite pattern file. It can be sent to another process, which opens the file anew.

    A site whose row is damaged raises PatternFileError when it is asked for. So does one that is listed, and
    then not found.

    :param read: returns the patterns that a site's JSON object describes; raises ValueError, TypeError or
        KeyError.
    :raises PatternFileError: it is not a pattern file, or is not accessible.
    """

    def __init__(self, path: Path, read: Callable[[Any], SitePatterns]) -> None:
        self.path, self._read = path, read
        self._open()

    def _open(self) -> None:
        #: The names that were listed last. Each of them must be found then, unless the file is damaged.
        self._listed: frozenset[str] = frozenset()
        self._process = os.getpid()  # SQLite's connections must not be used in a copy of a process
        self._file = Database(self.path, _FORMAT, readonly=True)
        # without a reference to this object, which would keep the file open until the garbage is collected
        self._found = lru_cache(maxsize=_KEPT)(partial(_find, self._file, self._read))

    def __getstate__(self) -> tuple[Path, Callable[[Any], SitePatterns]]:
        return self.path, self._read

    def __setstate__(self, state: tuple[Path, Callable[[Any], SitePatterns]]) -> None:
        self.path, self._read = state
        self._open()

    def __getitem__(self, name: str) -> SitePatterns:
        if self._process != os.getpid():
            self._open()
        found = self._found(name)
        if found is None and name in self._listed:
            raise self._file.damaged("its list of sites and their patterns do not agree", name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        rows = self._file.read(lambda db: [*bounded_rows(db, "SELECT name FROM site ORDER BY name")])
        names = [str(name) for (name,) in rows]
        self._listed = frozenset(names)
        return iter(names)

    def __len__(self) -> int:
        return int(self._file.read(lambda db: db.execute("SELECT count(*) FROM site").fetchone()[0]))


def _find(file: Database, read: Callable[[Any], SitePatterns], name: str) -> SitePatterns | None:
    row = file.read(lambda db: db.execute("SELECT content FROM site WHERE name = ?", (name,)).fetchone())
    if row is None:
        return None
    try:
        site = read(json.loads(_unpacked(row[0])))
    except (KeyError, TypeError, ValueError, RecursionError, zlib.error) as error:
        raise PatternFileError(file.path, f"has no valid patterns: {error}", name) from None
    if site.site != name:
        raise PatternFileError(file.path, f"has those of {site.site}", name)
    return site


def _unpacked(content: Any) -> bytes:
    unpacking = zlib.decompressobj()
    found = unpacking.decompress(content, _LARGEST)
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise ValueError("they are cut off, or too large")
    return found


def write_sites(path: Path, sites: Mapping[str, Mapping[str, Any]], *, keep_others: bool) -> None:
    """Write sites to a file, all of them or none; make the file if it is missing.

    :param sites: the JSON objects of sites by their names.
    :param keep_others: whether other sites of the file stay.
    :raises PatternFileError: it is not a pattern file, or cannot be written.
    """
    file = Database(path, _FORMAT, readonly=False)
    try:
        with file.transaction():
            if not keep_others:
                file.connection.execute("DELETE FROM site")
            for name, site in sites.items():
                content = zlib.compress(json.dumps(site, ensure_ascii=False).encode("utf-8", "replace"), 6)
                file.connection.execute("INSERT OR REPLACE INTO site VALUES (?, ?)", (name, content))
    finally:
        file.close()


# --- Check the values of a pattern file's JSON objects against the fields of our classes, and write them

#: For each type of a field, the types that its JSON value may have.
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "float | None": (int, float, type(None)),
    "int | None": (int, type(None)),
    "Usual | None": (dict, type(None)),
    "tuple": (list,),
    "Mapping": (dict,),
}


def checked(cls: Any, row: Any) -> dict[str, Any]:
    """Return a JSON object as the arguments of a class of values; unknown keys and wrong types are errors."""
    if not isinstance(row, dict):
        raise TypeError(f"{cls.__name__} is {type(row).__name__}, not an object")
    hints = _hints(cls)
    values = {}
    for key, value in row.items():
        if key not in hints:
            raise ValueError(f"{cls.__name__} has no {key!r}")
        wanted = str(getattr(hints[key], "__forward_arg__", hints[key]))  # named tuples keep them so
        allowed = _JSON_TYPES.get(wanted) or _JSON_TYPES[wanted.partition("[")[0]]
        if not isinstance(value, allowed) or isinstance(value, bool):
            raise TypeError(f"{cls.__name__}.{key} has the wrong type: {value!r:.60}")
        if isinstance(value, int | float):
            _check_number(wanted, value, f"{cls.__name__}.{key}")
        values[key] = _frozen(wanted, value, f"{cls.__name__}.{key}")
    return values


@lru_cache
def _hints(cls: Any) -> dict[str, Any]:
    """Return the fields of a class of values that a file may have, with their types."""
    made = {one.name for one in fields(cls) if one.metadata.get("made")} if is_dataclass(cls) else set()
    return {name: hint for name, hint in cls.__annotations__.items() if name not in made}


def _check_number(wanted: str, value: float, name: str) -> None:
    """Refuse a number that no learning gives: ``1e400``, or one with hundreds of digits; a negative count."""
    if not (0 if "int" in wanted else -LARGEST) <= value <= LARGEST:
        raise ValueError(f"{name} cannot be {value!r:.60}")


def _frozen(wanted: str, value: Any, name: str) -> Any:
    """Return a list of strings or numbers as a tuple, other values as they are; check those of a mapping."""
    if wanted == "tuple[str, ...]":
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise TypeError(f"{name} must be a list of strings")
        return tuple(value)
    if wanted in ("tuple[int, ...]", "tuple[float, ...]"):
        for one in value:
            if not isinstance(one, int if "int" in wanted else int | float) or isinstance(one, bool):
                raise TypeError(f"{name} must be a list of numbers")
            _check_number(wanted, one, name)
        return tuple(value)
    if wanted == "Mapping[str, tuple[str, ...]]":
        return {key: _frozen("tuple[str, ...]", one, name) for key, one in value.items()}
    if wanted in ("Mapping[str, int]", "Mapping[str, float]"):
        for key, one in value.items():
            if not isinstance(one, int | float) or isinstance(one, bool):
                raise TypeError(f"{name} must map to numbers")
            _check_number(wanted, one, f"{name}[{key!r:.60}]")
    return value


def plain(value: Any) -> Any:
    """Return a value as JSON objects and lists, which :func:`checked` reads again."""
    if hasattr(value, "_asdict"):
        return {key: plain(one) for key, one in value._asdict().items()}
    if hasattr(value, "__dataclass_fields__"):
        stored = (one.name for one in fields(value) if not one.metadata.get("made"))
        return {name: plain(getattr(value, name)) for name in stored}
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return value


# --- Write a layout tree as rows of text, one for each node, and read it again with strict checks
#
# A row is the node's depth, a space, and its label: ``0 html``, ``3 div``, ``4 #text Read on``, ``4 $``. The
# nodes are in pre-order. Texts and wildcards are leaves. The root has the depth 0, and a child is one deeper
# than its parent.

_ROW = re.compile(r"(0|[1-9][0-9]{0,5}) ([^ ].*)", re.DOTALL)
_TEXT = "#text"
#: Nodes without children, besides texts.
_WILDCARDS = frozenset("$+?*")


def write_rows(names: Sequence[str], texts: Sequence[str], parents: Sequence[int]) -> tuple[str, ...]:
    """Return the rows of a tree, given the arrays of its nodes in pre-order."""
    depths: list[int] = []
    rows = []
    for name, text, parent in zip(names, texts, parents, strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        rows.append(f"{depths[-1]} {name} {text}" if name == _TEXT else f"{depths[-1]} {name}")
    return tuple(rows)


def read_rows(rows: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Return the names, texts and parents of a tree's nodes.

    :raises ValueError: a row is not valid, or not at a depth where a node can be.

    Cost: linear in the rows.
    """
    names: list[str] = []
    texts: list[str] = []
    parents: list[int] = []
    #: The last node at each depth, down to the last node.
    way: list[int] = []
    for number, row in enumerate(rows):
        found = _ROW.fullmatch(row)
        if found is None:
            raise ValueError(f"row {number + 1} of a tree is not a depth and a label: {row!r:.60}")
        depth = int(found[1])
        leaf = bool(names) and (names[-1] == _TEXT or names[-1] in _WILDCARDS)
        if depth > len(way) - leaf or (depth == 0) != (number == 0):
            raise ValueError(f"row {number + 1} of a tree cannot have the depth {depth}")
        name, text = _parts(found[2], number)
        names.append(name)
        texts.append(text)
        parents.append(way[depth - 1] if depth else -1)
        way[depth:] = [number]
    return tuple(names), tuple(texts), tuple(parents)


def _parts(label: str, number: int) -> tuple[str, str]:
    """Return name and text of a label."""
    name, _, text = label.partition(" ")
    if name != _TEXT:
        return label, ""
    if not text:
        raise ValueError(f"row {number + 1} of a tree is a text without text")
    return name, text
