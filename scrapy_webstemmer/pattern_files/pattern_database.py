"""Keep the patterns of many sites in a SQLite file: one row a site, read when a page of the site comes.

A JSON file of 25,000 sites has some 5,000,000 values, and all of them are read before the first page. Here
a site costs nothing until it is asked for, and a crawl that learns a site writes this one alone.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ..base.database import Database, FileFormat, bounded_rows
from ..errors import PatternFileError
from ..values import SitePatterns

#: Bound: so many sites that were asked for are kept in memory.
_KEPT_SITES = 2_000
#: Largest size of a site's JSON. A larger one is refused, since it would be held in memory.
_LARGEST_SITE = 64 * 1024 * 1024

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

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredSites, (self.path, self._read)

    def _open(self) -> None:
        #: The names that were listed last. Each of them must be found then, unless the file is damaged.
        self._listed: frozenset[str] = frozenset()
        self._process = os.getpid()  # SQLite's connections must not be used in a copy of a process
        self._file = Database(self.path, _FORMAT, readonly=True)
        # without a reference to this object, which would keep the file open until the garbage is collected
        self._find = lru_cache(maxsize=_KEPT_SITES)(partial(_site, self._file, self._read))

    def __getitem__(self, name: str) -> SitePatterns:
        if self._process != os.getpid():
            self._open()
        site = self._find(name)
        if site is None and name in self._listed:
            raise self._file.damaged("its list of sites and their patterns do not agree", name)
        if site is None:
            raise KeyError(name)
        return site

    def __iter__(self) -> Iterator[str]:
        rows = self._file.read(lambda db: [*bounded_rows(db, "SELECT name FROM site ORDER BY name")])
        names = [str(name) for (name,) in rows]
        self._listed = frozenset(names)
        return iter(names)

    def __len__(self) -> int:
        return int(self._file.read(lambda db: db.execute("SELECT count(*) FROM site").fetchone()[0]))


def _site(file: Database, read: Callable[[Any], SitePatterns], name: str) -> SitePatterns | None:
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
    document = unpacking.decompress(content, _LARGEST_SITE)
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise ValueError("they are cut off, or too large")
    return document


def write_sites(path: Path, sites: Iterable[tuple[str, Any]], *, keep_others: bool) -> None:
    """Write sites to a file, all of them or none; make the file if it is missing.

    :param sites: the names of sites, each with its JSON object.
    :param keep_others: whether other sites of the file stay.
    :raises PatternFileError: it is not a pattern file, or cannot be written.
    """
    is_new = not path.exists()
    try:
        with Database(path, _FORMAT, readonly=False) as file, file.transaction():
            if not keep_others:
                file.connection.execute("DELETE FROM site")
            for name, site in sites:
                content = zlib.compress(json.dumps(site, ensure_ascii=False).encode("utf-8", "replace"), 6)
                file.connection.execute("INSERT OR REPLACE INTO site VALUES (?, ?)", (name, content))
    except PatternFileError:
        if is_new:  # the disk is full, for example: no file stays that has nothing
            path.unlink(missing_ok=True)
        raise
