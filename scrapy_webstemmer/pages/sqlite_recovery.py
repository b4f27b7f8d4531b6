"""A learning set whose SQLite file is damaged, cut off or overwritten in places: what is left of it.

SQLite finds a row by way of others, and gives up where one of these is damaged. Here the file's pages
are gone through one after the other, and what is a row of ours goes into a new file, which is read.
"""

from __future__ import annotations

import io
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..database import connect, transaction, translated
from ..errors import LearningSetError
from .sqlite import LEARNING_SET, SqliteLearningSet, inflate
from .sqlite_pages import SqlitePages

__all__ = ["Recovered", "RecoveredLearningSet", "open_learning_set", "recover"]

_ADD_PAGE = """
INSERT INTO page (key, url, site, encoding, fetched, aliases, body) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    url = excluded.url, site = excluded.site, encoding = excluded.encoding,
    fetched = excluded.fetched, aliases = excluded.aliases, body = excluded.body
WHERE excluded.fetched > fetched
"""
_ADD_ANCHOR = """
INSERT INTO anchor (target, text, site, count) VALUES (?, ?, ?, ?)
ON CONFLICT (target, text, site) DO UPDATE SET count = max(count, excluded.count)
"""


class Recovered(NamedTuple):
    """How many pages were found whole and how many were not, and the urls of those that have left one."""

    pages: int
    lost: int
    urls: tuple[str, ...]


class RecoveredLearningSet(SqliteLearningSet):
    """What is left of a damaged learning set, for reading.

    It is copied to a temporary file first, which goes when the set is closed.

    :param damage: what is wrong with it, for the report.
    :raises LearningSetError: no page is whole, the file cannot be read, or there is no room for the copy.
    """

    def __init__(self, path: Path, damage: str, *, encoding: str | None = None) -> None:
        self._folder = TemporaryDirectory(prefix="webstemmer-")
        copy = Path(self._folder.name, "recovered.sqlite")
        try:
            found = _recovered(path, copy, damage)
            super().__init__(copy, readonly=True, encoding=encoding)
        except BaseException:
            self._folder.cleanup()
            raise
        self.path = path
        self._skip(
            "the file", f"damaged: {damage}; pages read: {found.pages:,}, known to be lost: {found.lost:,}"
        )
        for url in found.urls:
            self._skip(url, "lost")

    def close(self) -> None:
        """Remove the copy, too."""
        super().close()
        self._folder.cleanup()


def _recovered(path: Path, copy: Path, damage: str) -> Recovered:
    try:
        with translated(LEARNING_SET, path):
            found = recover(path, copy)
    except OSError as error:
        raise LearningSetError(path, f"damaged: {damage}; {error.strerror or error}") from error
    if not found.pages:
        raise LearningSetError(path, f"damaged: {damage}; no page is whole")
    return found


def open_learning_set(path: Path, *, encoding: str | None = None) -> SqliteLearningSet:
    """Open a learning set for reading; one that is damaged for what is left of it.

    :raises LearningSetError: it is none, of an unknown version, or not accessible.

    Cost: the file is read once to see whether it is sound.
    """
    try:
        learning_set = SqliteLearningSet(path, readonly=True, encoding=encoding)
    except LearningSetError as error:
        if not error.damaged:
            raise
        return RecoveredLearningSet(path, error.reason, encoding=encoding)
    damage = learning_set.damage()
    if damage is None:
        return learning_set
    learning_set.close()
    return RecoveredLearningSet(path, damage, encoding=encoding)


def recover(path: Path, copy: Path) -> Recovered:
    """Write what is left of a damaged learning set to a new one.

    A page is whole when its checksum is right. Rows have numbers without gaps, so those that are missing
    below the largest are known; what stood behind that is not.

    :param copy: a file that does not exist yet. What each page contributed to its anchors is not in it.
    :raises OSError: one of the files cannot be read or written.
    :raises sqlite3.Error: the copy cannot be written.

    Cost: one pass over the file; memory for one page, and for the numbers and urls of all.
    """
    log_path = Path(f"{path}-wal")
    whole: set[int] = set()
    named: dict[int, str] = {}
    with (
        path.open("rb") as stream,
        log_path.open("rb") if log_path.is_file() else io.BytesIO() as log,
        closing(connect(copy, LEARNING_SET, readonly=False)) as db,
        transaction(db),
    ):
        for number, row in SqlitePages(stream, log).rows():
            if _is_page(row):
                named[number] = row[1]
                if _add_page(db, row):
                    whole.add(number)
            elif _is_anchor(row):
                db.execute(_ADD_ANCHOR, row[1:])
            elif _is_index_entry(row):
                named[row[1]] = row[0]
    known = whole | named.keys()
    # In a file that was made to harm us numbers may be anything.
    last = max((number for number in known if number <= 2 * len(known) + 1000), default=0)
    lost = [number for number in range(1, last + 1) if number not in whole]
    return Recovered(len(whole), len(lost), tuple(sorted(named[one] for one in lost if one in named)))


def _add_page(db: sqlite3.Connection, row: tuple[Any, ...]) -> bool:
    try:
        inflate(row[8])
    except (ValueError, zlib.error):
        return False
    db.execute(_ADD_PAGE, (*row[1:7], row[8]))
    return True


def _is_page(row: tuple[Any, ...]) -> bool:
    return (
        len(row) == 9
        and row[0] is None
        and all(isinstance(one, str) for one in (*row[1:4], row[6]))
        and all(one is None or isinstance(one, str) for one in row[4:6])
        and isinstance(row[8], bytes)
    )


def _is_anchor(row: tuple[Any, ...]) -> bool:
    texts = len(row) == 5 and row[0] is None and all(isinstance(one, str) for one in row[1:4])
    return texts and isinstance(row[4], int)


def _is_index_entry(row: tuple[Any, ...]) -> bool:
    """Return whether a row belongs to the index of the pages' urls: the url, and the row's number."""
    return len(row) == 2 and isinstance(row[0], str) and isinstance(row[1], int) and row[1] > 0
