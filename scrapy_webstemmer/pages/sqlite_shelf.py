"""What was read of the pages of a learning set, in tables of its own in the same file."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..database import FileFormat, connect, transaction
from ..errors import RecordError
from ..shelf import Kept

__all__ = ["READINGS", "SqliteShelf"]

#: Made when there is something to keep; releases that do not know them leave them alone. The number of a
#: batch is never used again: another process may be about to read it.
_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS read_batch (id INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS read_page (
        page INTEGER PRIMARY KEY,
        digest BLOB NOT NULL,
        batch INTEGER NOT NULL,
        place INTEGER NOT NULL
    )
    """,
)
_BATCH = "INSERT INTO read_batch (content) VALUES (?)"
_PAGE = "INSERT OR REPLACE INTO read_page (page, digest, batch, place) VALUES (?, ?, ?, ?)"
#: What is left when all pages of a batch have changed.
_TIDY = "DELETE FROM read_batch WHERE id NOT IN (SELECT batch FROM read_page)"
_PAGES = """
SELECT page, digest, batch, place FROM read_page
WHERE typeof(page) = 'integer' AND typeof(digest) = 'blob'
    AND typeof(batch) = 'integer' AND typeof(place) = 'integer'
"""
_CONTENT = "SELECT content FROM read_batch WHERE id = ? AND typeof(content) = 'blob'"
#: Whether a file has the tables.
READINGS = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'read_page'"

#: So many batches are written at a time, so that a crawl that writes to the file waits for a moment only.
_BATCHES = 4
#: Seconds to wait for another process that is writing: what is kept only saves time.
_PATIENCE = 5.0

logger = logging.getLogger("scrapy_webstemmer.pages")


class SqliteShelf:
    """Keeps what was read of pages in their learning set.

    A file that cannot be written stays as it is: that is logged once, and from
    then on nothing is kept.

    :param db: a connection to the file, for reading.
    """

    def __init__(self, path: Path, file_format: FileFormat, db: sqlite3.Connection) -> None:
        self._path, self._format, self._db = path, file_format, db
        self._waiting: list[tuple[Sequence[tuple[int, bytes]], bytes]] = []
        self._works = True

    def pages(self) -> dict[int, Kept]:
        """Return where what was read of pages is, by their numbers; from a damaged table, nothing."""
        with suppress(sqlite3.Error, UnicodeDecodeError):
            if self._db.execute(READINGS).fetchone() is not None:
                return {page: Kept(*where) for page, *where in self._db.execute(_PAGES)}
        return {}

    def batch(self, number: int) -> bytes | None:
        """Return what was packed, or None if that is gone or damaged."""
        with suppress(sqlite3.Error, UnicodeDecodeError):
            for (content,) in self._db.execute(_CONTENT, (number,)):
                return bytes(content)
        return None

    def keep(self, rows: Sequence[tuple[int, bytes]], packed: bytes) -> None:
        """Keep what was read of some pages: written at the latest when the shelf is closed."""
        if self._works and rows:
            self._waiting.append((rows, packed))
            if len(self._waiting) >= _BATCHES:
                self._write()

    def close(self) -> None:
        """Write what has not been written yet; harmless when repeated."""
        if self._waiting:
            self._write()

    def _write(self) -> None:
        waiting, self._waiting = self._waiting, []
        try:
            db = connect(self._path, self._format, readonly=False, timeout=_PATIENCE)
            try:
                with transaction(db):
                    for table in _TABLES:
                        db.execute(table)
                    for rows, packed in waiting:
                        number = db.execute(_BATCH, (packed,)).lastrowid
                        places = ((*row, number, place) for place, row in enumerate(rows))
                        db.executemany(_PAGE, places)
                    db.execute(_TIDY)
            finally:
                db.close()
        except (sqlite3.Error, UnicodeDecodeError, RecordError) as error:
            self._works = False
            logger.warning("%s: what is read of its pages cannot be kept: %s", self._path, error)
