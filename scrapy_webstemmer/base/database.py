"""Open SQLite files: check their format, make connections and transactions."""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from ..errors import RecordError

#: Seconds to wait for another process that is writing.
BUSY_TIMEOUT = 60.0
#: Seconds to wait for the tables of an empty file.
_MAKING = 1.0

_Result = TypeVar("_Result")

#: The beginning of statements that run nothing when the file is used.
_PASSIVE = re.compile(r"CREATE (?:TABLE|(?:UNIQUE )?INDEX) ", re.IGNORECASE)
#: A statement that makes a table, with its name.
_TABLE_NAME = re.compile(r"CREATE TABLE (\w+)")


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


class _UnmadeError(sqlite3.Error):
    """A file for reading has no tables yet."""


class Database:
    """An open file. A missing or empty file is made, unless ``readonly`` is set.

    Statements outside of :meth:`transaction` are committed at once.

    If a file is opened for reading, and nobody is writing it, SQLite is told that the file does not change.
    Then SQLite writes nothing to it, and makes no files beside it. If somebody begins to write the file, or a
    log beside it shows that somebody does, it is opened in the mode in which several programs share a file.
    In that mode SQLite completes the log, as it does for any program, if this is the last one to close the
    file.

    :param timeout: seconds to wait for another process that is writing.
    :raises RecordError: the format's error: the file is not such a file, has an unknown version, has parts
        that such a file never has, is damaged, or is not accessible.
    :ivar connection: the present connection; :meth:`read` may replace it.
    """

    def __init__(
        self, path: Path, file_format: FileFormat, *, readonly: bool, timeout: float = BUSY_TIMEOUT
    ) -> None:
        self.path, self._format, self._timeout = path, file_format, timeout
        self._real = os.path.realpath(path)  # SQLite keeps its logs beside this file
        self._unchanged: tuple[int, int, int] | None = None
        with self.translated():
            self.connection = self._opened() if readonly else self._connect("rwc")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _opened(self) -> sqlite3.Connection:
        """Return a connection for reading. A file without tables is waited for: somebody may be making it."""
        deadline = time.monotonic() + _MAKING
        while True:
            self._unchanged = _state(self._real)
            try:
                return self._connect("rw" if self._unchanged is None else "ro&immutable=1")
            except _UnmadeError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.02)

    @contextmanager
    def translated(self, record: str | None = None) -> Iterator[None]:
        """Translate SQLite's errors in the block to the format's error.

        :param record: the url, member or row that the block is about; None: the file as a whole.
        """
        try:
            yield
        except UnicodeDecodeError as error:  # SQLite's message quotes a damaged list of tables
            raise self.damaged("damaged: malformed database schema", record) from error
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_CORRUPT:
                raise self.damaged(f"damaged: {error}", record) from error
            if code == sqlite3.SQLITE_NOTADB and _is_text(self._real):
                raise self._format.error(self.path, str(error), record) from error
            if code == sqlite3.SQLITE_NOTADB:
                raise self.damaged(f"{error}, or its header is damaged", record) from error
            failure = self._format.error(self.path, str(error), record)
            failure.busy = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            raise failure from error

    def damaged(self, what: str, record: str | None = None) -> RecordError:
        """Return the format's error for a damaged file. Its reason ends with the command that saves the rest.

        :param what: what is wrong with the file.
        """
        command = f"sqlite3 {shlex.quote(str(self.path))} .recover | sqlite3 NEW"
        error = self._format.error(self.path, f"{what}; to save what is left: {command}", record)
        error.damaged = True
        return error

    @contextmanager
    def transaction(self, record: str | None = None) -> Iterator[None]:
        """Commit all statements of the block, or none if it raises. Other writers wait.

        :raises RecordError: the format's error: the file is damaged, locked, or cannot be written.
        """
        with self.translated(record), _transaction(self.connection):
            yield

    def read(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Return what ``work`` returns. It is called again if the file was believed not to change, and did.

        :param work: reads from the connection. When it returns, it must have fetched all its rows.
        :raises RecordError: the format's error: the file is damaged, or cannot be read.
        """
        with self.translated():
            if self._unchanged is not None:
                try:
                    result = work(self.connection)
                except sqlite3.Error:
                    if not self.has_changed():
                        raise
                else:
                    if not self.has_changed():
                        return result
                shared = self._connect("rw")
                self.connection.close()
                self.connection, self._unchanged = shared, None
            return work(self.connection)

    def has_changed(self) -> bool:
        """Return whether somebody has written or is writing a file that was believed not to change."""
        if self._unchanged is None:
            return False
        now = _state(self._real)
        # With another number, another file has taken the name, and the open file is unchanged.
        return now is None or (now[0] == self._unchanged[0] and now != self._unchanged)

    def wait_up_to(self, seconds: float) -> None:
        """Set how long a change waits for another process that is writing, before it fails."""
        self.connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def give_space_back(self) -> None:
        """Make the file smaller after rows were removed. Later rows would use the space anyway.

        Nothing happens while another process is using the file, or if the disk has no room for a copy.
        """
        self.wait_up_to(0)
        with suppress(sqlite3.Error):
            self.connection.execute("VACUUM")
        self.wait_up_to(self._timeout)

    def close(self) -> None:
        """Close the file. Further calls do nothing."""
        self._unchanged = None
        self.connection.close()

    def _connect(self, mode: str) -> sqlite3.Connection:
        """Return a connection. Only one that may create the file writes to it."""
        readonly = mode != "rwc"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        db = sqlite3.connect(
            uri, uri=True, timeout=self._timeout, isolation_level=None, check_same_thread=False
        )
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA cell_size_check = ON")
            if readonly:
                db.execute("PRAGMA query_only = ON")
            _check(db, self.path, self._format, readonly)
        except BaseException:
            db.close()
            raise
        return db


def _state(path: str) -> tuple[int, int, int] | None:
    """Return values that change with each write to a file; None if a log shows that somebody is writing."""
    if os.path.exists(f"{path}-wal") or os.path.exists(f"{path}-journal"):  # noqa: PTH110 - once a page
        return None
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return (0, 0, 0)
    return status.st_ino, status.st_size, status.st_mtime_ns


def _is_text(path: str) -> bool:
    """Return whether a file without SQLite's mark was never a SQLite file: those begin with many zeros."""
    with open(path, "rb") as stream:  # noqa: PTH123 - as above
        return b"\0" not in stream.read(100)


def most_rows(db: sqlite3.Connection) -> int:
    """Return the most rows that the file has room for: each takes at least six bytes in an index."""
    return size_of(db) // 6 + 1


def bounded_rows(db: sqlite3.Connection, sql: str, values: Sequence[object] = ()) -> Iterator[Any]:
    """Yield the rows of a statement, at most as many as the file has room for.

    :raises sqlite3.DatabaseError: a doctored file gives more rows, since it leads to the same ones again.
    """
    most = most_rows(db)
    for number, row in enumerate(db.execute(sql, tuple(values))):
        if number >= most:
            error = sqlite3.DatabaseError("it leads to the same rows again and again")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error
        yield row


def size_of(db: sqlite3.Connection) -> int:
    """Return the size of a file in bytes, including those that are only in its log."""
    pages, size = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages) * int(size)


def _check(db: sqlite3.Connection, path: Path, file_format: FileFormat, readonly: bool) -> None:
    """Make tables in an empty file. Refuse a file of another format before anything is written."""
    another = f"is a SQLite file, but not a {file_format.name}"
    is_new = _is_empty(db)  # called in any case: it reads the list of tables, and so finds damage there
    if is_new and not readonly:
        _use_wal(db)
        with _transaction(db):
            if _is_empty(db):  # unless another process was faster
                _create(db, file_format)
    elif is_new:
        raise _UnmadeError(another)
    if db.execute("PRAGMA application_id").fetchone()[0] != file_format.application_id:
        raise file_format.error(path, another)
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

    Only the statements count, as for SQLite: the types that the schema gives may be wrong.
    """
    statements = db.execute(
        "SELECT substr(name, 1, 100), substr(sql, 1, 20) FROM sqlite_master WHERE sql IS NOT NULL"
    )
    strange = [str(name) for name, start in statements if not _PASSIVE.match(str(start))]
    for table in [] if strange else _TABLE_NAME.findall(file_format.schema):
        columns = db.execute(f"PRAGMA table_xinfo({table})")
        strange += [f"{table}.{name}" for _, name, _, _, default, _, hidden in columns if default or hidden]
    if strange:
        raise file_format.error(
            path, f"has a view, trigger or column that a {file_format.name} does not have: {strange[0]}"
        )


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
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite rolls back by itself if the disk is full or the file is damaged
            db.execute("ROLLBACK")
        raise
