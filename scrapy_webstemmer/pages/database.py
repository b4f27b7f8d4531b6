"""The file under a learning set: its schema and version, its connections and transactions."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import LearningSetError

__all__ = ["APPLICATION_ID", "FORMAT_VERSION", "connect", "transaction", "translated"]

#: ``WSTM``, in the file's header: tells a learning set from any other SQLite file.
APPLICATION_ID = 0x5753544D
FORMAT_VERSION = 1

#: Seconds to wait for another process that is writing.
BUSY_TIMEOUT = 60.0

_SCHEMA = f"""
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
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT_VERSION};
"""


def connect(path: Path, readonly: bool) -> sqlite3.Connection:
    """Open a learning set's file; unless it is to be read only, make a missing or empty one.

    :raises LearningSetError: it is another program's file, or of an unknown version.
    :raises sqlite3.Error: it cannot be opened, or is no SQLite file.
    """
    uri = path.absolute().as_uri() + (_reading_mode(path) if readonly else "?mode=rwc")
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        if readonly:
            db.execute("PRAGMA query_only = ON")
        _check(db, path, readonly)
    except BaseException:
        db.close()
        raise
    return db


def _reading_mode(path: Path) -> str:
    """Return how to open a file for reading.

    Not ``mode=ro``: it leaves SQLite's auxiliary files behind. In a folder where they cannot be made
    SQLite wants to be told that the file does not change.
    """
    unwritable = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
    return "?mode=ro&immutable=1" if unwritable else "?mode=rw"


def _check(db: sqlite3.Connection, path: Path, readonly: bool) -> None:
    """Make an empty file a learning set, and refuse what is none before anything is written."""
    if not readonly and _is_empty(db):
        _use_wal(db)
        with transaction(db):
            if _is_empty(db):  # unless another process was faster
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    db.execute(statement)
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise LearningSetError(path, "is a SQLite file, but no learning set")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT_VERSION:
        raise LearningSetError(path, f"has format version {version}; this release reads {FORMAT_VERSION}")
    if not readonly:
        _use_wal(db)
        db.execute("PRAGMA synchronous = NORMAL")


def _is_empty(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _use_wal(db: sqlite3.Connection) -> None:
    """Turn on write-ahead logging; SQLite does not wait by itself when two processes do so at once."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Do all of what is inside, or nothing of it; other writers wait."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite rolls back by itself when the disk is full or the file damaged
            db.execute("ROLLBACK")
        raise


@contextmanager
def translated(path: Path, record: str | None = None) -> Iterator[None]:
    """Raise what SQLite raises inside as a :class:`LearningSetError`."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # sqlite3 fails to decode its own messages at times
        raise LearningSetError(path, str(error), record) from error
