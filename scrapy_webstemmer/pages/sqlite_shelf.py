"""What was read of the pages of a learning set, in a table of its own in the same file."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from ..database import FileFormat, connect, transaction
from ..errors import RecordError

__all__ = ["READINGS", "SqliteShelf"]

#: Made when there is something to keep; releases that do not know it leave it alone.
_TABLE = """
CREATE TABLE IF NOT EXISTS reading (
    page INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
    content BLOB NOT NULL
)
"""
_UPSERT = """
INSERT INTO reading (page, digest, content) VALUES (?, ?, ?)
ON CONFLICT (page) DO UPDATE SET digest = excluded.digest, content = excluded.content
"""
#: Whether a file has the table.
READINGS = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'reading'"

#: So many are written at a time, so that a crawl that writes to the file waits for a moment only.
_ROWS = 200
#: Seconds to wait for another process that is writing: what is kept only saves time.
_PATIENCE = 5.0

logger = logging.getLogger("scrapy_webstemmer.pages")


class SqliteShelf:
    """Keeps what was read of pages in their learning set.

    A file that cannot be written stays as it is: that is logged once, and from
    then on nothing is kept.
    """

    def __init__(self, path: Path, file_format: FileFormat) -> None:
        self._path, self._format = path, file_format
        self._waiting: list[tuple[int, bytes, bytes]] = []
        self._works = True

    def keep(self, row: int, digest: bytes, packed: bytes) -> None:
        """Keep what was read of a page: written at the latest when the shelf is closed."""
        if self._works:
            self._waiting.append((row, digest, packed))
            if len(self._waiting) >= _ROWS:
                self.close()

    def close(self) -> None:
        """Write what has not been written yet; harmless when repeated."""
        rows, self._waiting = self._waiting, []
        if not rows:
            return
        try:
            db = connect(self._path, self._format, readonly=False, timeout=_PATIENCE)
            try:
                with transaction(db):
                    db.execute(_TABLE)
                    db.executemany(_UPSERT, rows)
            finally:
                db.close()
        except (sqlite3.Error, UnicodeDecodeError, RecordError) as error:
            self._works = False
            logger.warning("%s: what is read of its pages cannot be kept: %s", self._path, error)
