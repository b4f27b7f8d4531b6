"""SQLite files with a format of ours: how one is told from others, its connections and transactions."""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..errors import RecordError

__all__ = [
    "BUSY_TIMEOUT",
    "Database",
    "FileFormat",
    "bounded_rows",
    "damaged",
    "most_rows",
    "size_of",
    "transaction",
    "translated",
]

#: Seconds to wait for another process that is writing.
BUSY_TIMEOUT = 60.0

_Result = TypeVar("_Result")

#: The statements of a schema that run nothing, and the tables that one makes.
_PLAIN = re.compile(r"CREATE (?:TABLE|(?:UNIQUE )?INDEX) ", re.IGNORECASE)
_TABLE = re.compile(r"CREATE TABLE (\w+)")


@dataclass(frozen=True, slots=True)
class FileFormat:
    """What a kind of file is known by, and made of.

    :param name: what messages call such a file: ``learning set``.
    :param application_id: the number in the file's header that tells it from any other SQLite file.
    :param version: the format version that this release reads and writes, in the header as well.
    :param schema: the statements that make its tables, each ended by a semicolon.
    :param error: what is raised where a file is refused, or fails.
    """

    name: str
    application_id: int
    version: int
    schema: str
    error: type[RecordError]


class Database:
    """An open file; unless it is to be read only, a missing or empty one is made.

    What is executed outside of :func:`transaction` is committed at once.

    A file that is to be read, and that nobody is writing, is opened as one that does not change: SQLite
    writes nothing to it, and makes no files beside it. When somebody begins to write it, or a log beside it
    shows that somebody does, it is opened in the way in which several programs share a file. Then SQLite
    completes the log, as it does for any program, if this is the last one to close the file.

    :param timeout: seconds to wait for another process that is writing.
    :raises RecordError: the format's error: another program's file, of an unknown version, or with parts
        that no such file has.
    :raises sqlite3.Error: it cannot be opened, or is no SQLite file.
    :ivar connection: the connection as it is now; :meth:`read` may replace it.
    """

    def __init__(
        self, path: Path, file_format: FileFormat, *, readonly: bool, timeout: float = BUSY_TIMEOUT
    ) -> None:
        self._path, self._format, self._timeout = path, file_format, timeout
        self._real = os.path.realpath(path)  # beside which SQLite keeps its logs
        self._unchanged = _state(self._real) if readonly else None
        mode = "rwc" if not readonly else "rw" if self._unchanged is None else "ro&immutable=1"
        self.connection = self._connect(mode, readonly=readonly)

    def read(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Return what some reading gives; it is done again if the file was believed not to change, and did.

        :param work: is done with the rows that it reads when it returns.
        """
        if self._unchanged is not None:
            try:
                result = work(self.connection)
            except sqlite3.Error:
                if not self.has_changed():
                    raise
            else:
                if not self.has_changed():
                    return result
            self._share()
        return work(self.connection)

    def has_changed(self) -> bool:
        """Return whether somebody has written to a file that was believed not to change, or has begun to."""
        if self._unchanged is None:
            return False
        now = _state(self._real)
        # A file that has taken its name, by another number, is not the one that is open.
        return now is None or (now[0] == self._unchanged[0] and now != self._unchanged)

    def close(self) -> None:
        """Close the file; harmless when repeated."""
        self._unchanged = None
        self.connection.close()

    def _share(self) -> None:
        connection = self._connect("rw", readonly=True)
        self.connection.close()
        self.connection, self._unchanged = connection, None

    def _connect(self, mode: str, *, readonly: bool) -> sqlite3.Connection:
        uri = f"{self._path.absolute().as_uri()}?mode={mode}"
        db = sqlite3.connect(
            uri, uri=True, timeout=self._timeout, isolation_level=None, check_same_thread=False
        )
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA cell_size_check = ON")
            if readonly:
                db.execute("PRAGMA query_only = ON")
            _check(db, self._path, self._format, readonly)
        except BaseException:
            db.close()
            raise
        return db


def _state(name: str) -> tuple[int, int, int] | None:
    """Return what changes whenever somebody writes to a file; None if there is a log: somebody is writing."""
    if os.path.exists(f"{name}-wal") or os.path.exists(f"{name}-journal"):  # noqa: PTH110 - once a page
        return None
    try:
        found = os.stat(name)  # noqa: PTH116
    except OSError:
        return (0, 0, 0)
    return found.st_ino, found.st_size, found.st_mtime_ns


def most_rows(db: sqlite3.Connection) -> int:
    """Return the number of rows that the file has room for at most: each takes six bytes in an index."""
    return size_of(db) // 6 + 1


def bounded_rows(db: sqlite3.Connection, sql: str, values: Sequence[object] = ()) -> Iterator[Any]:
    """Yield the rows that a statement gives.

    :raises sqlite3.DatabaseError: a doctored file leads to the same rows again and again.
    """
    most = most_rows(db)
    for number, row in enumerate(db.execute(sql, tuple(values))):
        if number >= most:
            error = sqlite3.DatabaseError("it leads to the same rows again and again")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error
        yield row


def size_of(db: sqlite3.Connection) -> int:
    """Return the bytes of a file, with those that are in its log only."""
    pages, size = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages) * int(size)


def _check(db: sqlite3.Connection, path: Path, file_format: FileFormat, readonly: bool) -> None:
    """Make an empty file one of the format, and refuse what is none before anything is written."""
    is_new = _is_empty(db)  # asked in any case: it reads the list of tables, and so meets damage there
    if is_new and not readonly:
        _use_wal(db)
        with transaction(db):
            if _is_empty(db):  # unless another process was faster
                _create(db, file_format)
    if db.execute("PRAGMA application_id").fetchone()[0] != file_format.application_id:
        raise file_format.error(path, f"is a SQLite file, but no {file_format.name}")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != file_format.version:
        raise file_format.error(
            path, f"has format version {version}; this release reads {file_format.version}"
        )
    _check_schema(db, path, file_format)
    if not readonly:
        _use_wal(db)
        db.execute("PRAGMA synchronous = NORMAL")


def _check_schema(db: sqlite3.Connection, path: Path, file_format: FileFormat) -> None:
    """Refuse a file in which something would run when its tables are used: a view, a trigger, a function.

    What a row of the schema says that it is may be wrong; SQLite goes by its statement.
    """
    statements = db.execute(
        "SELECT substr(name, 1, 100), substr(sql, 1, 20) FROM sqlite_master WHERE sql IS NOT NULL"
    )
    strange = [str(name) for name, start in statements if not _PLAIN.match(str(start))]
    for table in [] if strange else _TABLE.findall(file_format.schema):
        columns = db.execute(f"PRAGMA table_xinfo({table})")
        strange += [f"{table}.{name}" for _, name, _, _, default, _, hidden in columns if default or hidden]
    if strange:
        raise file_format.error(path, f"no {file_format.name} has this view, trigger or column: {strange[0]}")


def _create(db: sqlite3.Connection, file_format: FileFormat) -> None:
    for statement in filter(str.strip, file_format.schema.split(";")):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {file_format.application_id}")
    db.execute(f"PRAGMA user_version = {file_format.version}")


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


def damaged(file_format: FileFormat, path: Path, what: str, record: str | None = None) -> RecordError:
    """Return the format's error for a damaged file; its reason ends with the command that saves what is left.

    :param what: what is wrong with the file.
    """
    command = f"sqlite3 {shlex.quote(str(path))} .recover | sqlite3 NEW"
    error = file_format.error(path, f"{what}; to save what is left: {command}", record)
    error.damaged = True
    return error


@contextmanager
def translated(file_format: FileFormat, path: Path, record: str | None = None) -> Iterator[None]:
    """Raise what SQLite raises inside as the format's error."""
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
