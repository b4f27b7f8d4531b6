"""Open this package's SQLite files: check their format, make connections and transactions."""

from __future__ import annotations

import os
import shlex
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import RecordError

__all__ = ["BUSY_TIMEOUT", "FileFormat", "connect", "damaged", "transaction", "translated"]

#: Seconds to wait for another process that is writing.
BUSY_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class FileFormat:
    """The marks and the tables of one kind of file.

    :param name: what messages call such a file: ``learning set``.
    :param application_id: the number in the file's header that marks this kind of SQLite file.
    :param version: the format version that this release reads and writes; it is in the header as well.
    :param schema: the statements that make the tables; each ends with a semicolon.
    :param error: the error to raise when a file is refused or fails.
    """

    name: str
    application_id: int
    version: int
    schema: str
    error: type[RecordError]


def connect(
    path: Path, file_format: FileFormat, *, readonly: bool, timeout: float = BUSY_TIMEOUT
) -> sqlite3.Connection:
    """Open a file. A missing or empty file is made, unless ``readonly`` is set.

    Statements outside of :func:`transaction` are committed at once.

    :param timeout: seconds to wait for another process that is writing.
    :raises RecordError: the format's error: the file is another program's, or has an unknown version.
    :raises sqlite3.Error: the file cannot be opened, or is not a SQLite file.
    """
    uri = path.absolute().as_uri() + (_reading_mode(path) if readonly else "?mode=rwc")
    db = sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        if readonly:
            db.execute("PRAGMA query_only = ON")
        _check(db, path, file_format, readonly)
    except BaseException:
        db.close()
        raise
    return db


def _reading_mode(path: Path) -> str:
    """Return the part of the file's URI that tells how to open it for reading.

    ``mode=ro`` is not used: it leaves SQLite's auxiliary files behind. SQLite cannot make these files in a
    folder without write access. There it has to be told that the file does not change.
    """
    unwritable = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
    return "?mode=ro&immutable=1" if unwritable else "?mode=rw"


def _check(db: sqlite3.Connection, path: Path, file_format: FileFormat, readonly: bool) -> None:
    """Make tables in an empty file. Refuse a file of another format before anything is written."""
    is_new = _is_empty(db)  # called in any case: it reads the list of tables, and so finds damage there
    if is_new and not readonly:
        _use_wal(db)
        with transaction(db):
            if _is_empty(db):  # unless another process was faster
                _create(db, file_format)
    if db.execute("PRAGMA application_id").fetchone()[0] != file_format.application_id:
        raise file_format.error(path, f"is a SQLite file, but not a {file_format.name}")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != file_format.version:
        raise file_format.error(
            path, f"has format version {version}; this release reads {file_format.version}"
        )
    if not readonly:
        _use_wal(db)
        db.execute("PRAGMA synchronous = NORMAL")


def _create(db: sqlite3.Connection, file_format: FileFormat) -> None:
    for statement in filter(str.strip, file_format.schema.split(";")):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {file_format.application_id}")
    db.execute(f"PRAGMA user_version = {file_format.version}")


def _is_empty(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _use_wal(db: sqlite3.Connection) -> None:
    """Turn on write-ahead logging; when two processes do so at once, SQLite does not wait by itself."""
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
    """Commit all statements of the block, or none if it raises. Other writers wait."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite rolls back by itself if the disk is full or the file is damaged
            db.execute("ROLLBACK")
        raise


def damaged(file_format: FileFormat, path: Path, what: str, record: str | None = None) -> RecordError:
    """Return the format's error for a damaged file. Its reason ends with the command that saves the rest.

    :param what: what is wrong with the file.
    """
    command = f"sqlite3 {shlex.quote(str(path))} .recover | sqlite3 NEW"
    error = file_format.error(path, f"{what}; to save what is left: {command}", record)
    error.damaged = True
    return error


@contextmanager
def translated(file_format: FileFormat, path: Path, record: str | None = None) -> Iterator[None]:
    """Translate SQLite's errors in the block to the format's error."""
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite's message quotes a damaged list of tables
        raise damaged(file_format, path, "damaged: malformed database schema", record) from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_CORRUPT:
            raise damaged(file_format, path, f"damaged: {error}", record) from error
        if code == sqlite3.SQLITE_NOTADB:
            raise damaged(file_format, path, f"{error}, or its header is damaged", record) from error
        failure = file_format.error(path, str(error), record)
        failure.busy = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        raise failure from error
