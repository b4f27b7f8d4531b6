"""A SQLite learning set as a file: its tables, its transactions, its damage."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from ..base.database import Database, FileFormat
from ..errors import LearningSetError
from .anchor_table import AnchorTable

#: Seconds that a snapshot waits for another process. Writers do not keep readers waiting for longer.
_A_MOMENT = 0.05

_SCHEMA = """
CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    site TEXT NOT NULL,
    encoding TEXT,
    fetched TEXT,
    aliases TEXT NOT NULL,
    anchors BLOB,
    body BLOB NOT NULL
);
CREATE TABLE anchor (
    id INTEGER PRIMARY KEY,
    target TEXT NOT NULL,
    text TEXT NOT NULL,
    site TEXT NOT NULL,
    count INTEGER NOT NULL,
    UNIQUE (target, text, site)
);
"""
#: What feeds say about pages; files of earlier releases get the table when a crawl adds to them.
_ANNOUNCED_TABLE = """
CREATE TABLE IF NOT EXISTS announced (
    key TEXT PRIMARY KEY,
    published TEXT NOT NULL,
    authors TEXT NOT NULL
)
"""

#: The number stands for ``WSTM`` in the file's header.
_FORMAT = FileFormat("learning set", 0x5753544D, 1, _SCHEMA, LearningSetError)


class LearningSetFile(Database):
    """An open learning set; a missing or empty file is made into one, unless ``readonly`` is set.

    :param timeout: seconds to wait for another process that is writing.
    :raises LearningSetError: the file is not a learning set, has an unknown version, is damaged, or is not
        accessible.
    :ivar anchors: the table of anchors; it is changed in transactions only.
    """

    def __init__(self, path: Path, *, readonly: bool, timeout: float) -> None:
        self._lock = threading.RLock()
        self._is_damaged = False
        self._is_changing = False
        super().__init__(path, _FORMAT, readonly=readonly, timeout=timeout)
        self.anchors = AnchorTable(self.connection)
        if not readonly:
            with self.translated():
                self.connection.execute(_ANNOUNCED_TABLE)

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that reads the file as it is now, whatever is written until the block ends.

        :raises LearningSetError: the file is damaged, or cannot be read.
        """
        with (
            self.translated(),
            closing(Database(self.path, _FORMAT, readonly=True, timeout=_A_MOMENT)) as reader,
        ):
            reader.connection.execute("BEGIN")
            reader.connection.execute("SELECT 1 FROM page LIMIT 1").fetchone()
            yield reader.connection

    @contextmanager
    def changing(self, record: str) -> Iterator[None]:
        """Make all changes of a record in a transaction, in the one that is open if there is one."""
        with self._lock:
            context = nullcontext() if self._is_changing else self.transaction(record)
            with context, self.translated(record):
                yield

    @contextmanager
    def transaction(self, record: str | None = None) -> Iterator[None]:
        """Make all changes or none, one thread at a time; refuse to change a damaged file."""
        with self._lock:
            if self._is_damaged:
                raise self.damaged("damaged: nothing more is written to it", record)
            try:
                with super().transaction(record):
                    self._is_changing = True
                    self.anchors.begin()
                    yield
                    self.anchors.write()
            except BaseException:
                self.anchors.forget()
                raise
            finally:
                self._is_changing = False

    @contextmanager
    def translated(self, record: str | None = None) -> Iterator[None]:
        """Turn SQLite's errors inside the block into ours, and remember damage."""
        try:
            with super().translated(record):
                yield
        except LearningSetError as error:
            self._is_damaged = self._is_damaged or error.damaged
            raise
