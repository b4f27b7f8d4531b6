"""The default learning set: one SQLite file for one or many sites, from one or many crawls.

A later crawl adds to the file; the version of a page that was stored last counts. To replace what
a page contributed to linkinfo, each page keeps a ledger of its anchors: ids and counts of rows in
the table of anchors, compressed to some two bytes an anchor. The table itself holds the sums,
so that a page that is crawled twice counts once, and learning reads each target and text once,
however many pages carry the same navigation.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

from ..errors import LearningSetError
from ..urls import canonical_url, site_of, well_formed
from ..values import Linkinfo, Page
from .linkinfo import StreamedLinkinfo
from .source import MAX_BODY, TOO_LARGE, PageSource

__all__ = ["APPLICATION_ID", "FORMAT_VERSION", "SqliteLearningSet"]

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

_UPSERT = """
INSERT INTO page (key, url, site, encoding, fetched, aliases, body) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    url = excluded.url, site = excluded.site, encoding = excluded.encoding,
    fetched = excluded.fetched, aliases = excluded.aliases, body = excluded.body
"""


class SqliteLearningSet(PageSource):
    """A learning set in a SQLite file; a missing or empty file is made into one.

    Several processes may write and read at the same time, and one object may be
    used by several threads. What :meth:`add_page` has stored survives the
    process being killed; after a power cut the file is sound, but the last
    pages may be missing.

    :param path: the file; its folder must exist.
    :param readonly: never change the file; it must be a learning set already.
    :param encoding: the charset of pages that are stored without one.
    :raises LearningSetError: no learning set, of an unknown version, damaged, or not accessible.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False, encoding: str | None = None) -> None:
        super().__init__(path, encoding=encoding)
        self._lock = threading.Lock()
        with _translated(self.path):
            self._db = _connect(self.path, readonly)
            try:
                _check(self._db, self.path, readonly)
            except BaseException:
                self._db.close()
                raise

    def __iter__(self) -> Iterator[Page]:
        with _translated(self.path):
            ids = array("q", (row[0] for row in self._db.execute("SELECT id FROM page ORDER BY key")))
        for page_id in ids:  # row by row: no read transaction stays open between two pages
            page = self._page(page_id)
            if page is not None:
                yield page

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts under which a site's pages link to its urls; None if there are none."""
        with _translated(self.path):
            if self._db.execute("SELECT 1 FROM anchor LIMIT 1").fetchone() is None:
                return None
        return _SqliteLinkinfo(self._db, self.path)

    def count(self) -> int | None:
        with _translated(self.path):
            return int(self._db.execute("SELECT COUNT(*) FROM page").fetchone()[0])

    def close(self) -> None:
        self._db.close()

    def add_page(self, page: Page, anchors: Iterable[tuple[str, str]] | None = None) -> None:
        """Store a page and the anchors it carries; both replace what was stored of the same url before.

        On return they are committed, in one transaction.

        :param anchors: (target url, anchor text) of each anchor; those without a text are left out.
            None: leave what is recorded as it is.
        :raises LearningSetError: the body is larger than 64 MiB, or the file cannot be written.
        """
        if len(page.body) > MAX_BODY:
            raise LearningSetError(self.path, TOO_LARGE, record=page.url)
        key, site = canonical_url(page.url), site_of(page.url)
        aliases = json.dumps([well_formed(alias) for alias in page.aliases], ensure_ascii=False)
        row = (key, well_formed(page.url), site, page.encoding, page.fetched, aliases)
        body = zlib.compress(page.body)
        counts = None
        if anchors is not None:
            counts = Counter((canonical_url(target), well_formed(text)) for target, text in anchors if text)
        with self._lock, _translated(self.path, page.url), _transaction(self._db):
            self._db.execute(_UPSERT, (*row, body))
            if counts is not None:
                self._replace_anchors(key, site, counts)

    def _replace_anchors(self, key: str, site: str, counts: Counter[tuple[str, str]]) -> None:
        new = {self._anchor_id(target, text, site): count for (target, text), count in counts.items()}
        ledger = self._db.execute("SELECT anchors FROM page WHERE key = ?", (key,)).fetchone()[0]
        old = self._ledger(key, ledger)
        changes = {row: new.get(row, 0) - old.get(row, 0) for row in new.keys() | old.keys()}
        self._db.executemany(
            "UPDATE anchor SET count = count + ? WHERE id = ?",
            sorted((change, row) for row, change in changes.items() if change),
        )
        gone = ((row,) for row in old if row not in new)
        self._db.executemany("DELETE FROM anchor WHERE id = ? AND count <= 0", gone)
        packed = zlib.compress(json.dumps(sorted(new.items()), separators=(",", ":")).encode())
        self._db.execute("UPDATE page SET anchors = ? WHERE key = ?", (packed, key))

    def _anchor_id(self, target: str, text: str, site: str) -> int:
        values = (target, text, site)
        sql = "SELECT id FROM anchor WHERE target = ? AND text = ? AND site = ?"
        row = self._db.execute(sql, values).fetchone()
        if row is not None:
            return int(row[0])
        sql = "INSERT INTO anchor (target, text, site, count) VALUES (?, ?, ?, 0)"
        return self._db.execute(sql, values).lastrowid or 0

    def _ledger(self, key: str, packed: bytes | None) -> dict[int, int]:
        if packed is None:
            return {}
        try:
            return {int(row): int(count) for row, count in json.loads(_inflate(packed))}
        except (ValueError, TypeError, zlib.error) as error:
            self._skip(key, f"its earlier anchors cannot be taken back: {error}")
            return {}

    def _page(self, page_id: int) -> Page | None:
        with _translated(self.path):
            sql = "SELECT key, url, encoding, fetched, aliases, body FROM page WHERE id = ?"
            row = self._db.execute(sql, (page_id,)).fetchone()
        if row is None:
            return None
        key, url, encoding, fetched, aliases, body = row
        try:
            others = tuple(json.loads(aliases))
            return Page(str(url), _inflate(body), encoding or self.encoding, fetched, others)
        except (ValueError, TypeError, zlib.error) as error:
            self._skip(str(key), f"damaged row: {error}")
            return None


class _SqliteLinkinfo(StreamedLinkinfo):
    """Linkinfo as it lies in the file.

    A url's texts are those of its own site's pages: what another site calls it
    is stored, but learning never mixes two sites.
    """

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db, self._path = db, path

    def stream(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        with _translated(self._path):
            sql = "SELECT target, text, site, count FROM anchor ORDER BY target, text, site"
            rows = self._db.execute(sql)
            for target, group in groupby(rows, key=lambda row: row[0]):
                texts = _texts_of_site(target, (row[1:] for row in group))
                if texts:
                    yield target, texts

    def __getitem__(self, url: str) -> Mapping[str, int]:
        key = canonical_url(url)
        with _translated(self._path):
            sql = "SELECT text, site, count FROM anchor WHERE target = ? ORDER BY text"
            texts = _texts_of_site(key, self._db.execute(sql, (key,)))
        if not texts:
            raise KeyError(url)
        return texts


def _texts_of_site(target: str, rows: Iterable[tuple[str, str, int]]) -> dict[str, int]:
    own = site_of(target)
    return {text: count for text, site, count in rows if site == own}


def _connect(path: Path, readonly: bool) -> sqlite3.Connection:
    uri = path.absolute().as_uri() + ("?mode=ro" if readonly else "?mode=rwc")
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def _check(db: sqlite3.Connection, path: Path, readonly: bool) -> None:
    """Make an empty file a learning set, and refuse what is none before anything is written."""
    if not readonly and _is_empty(db):
        _use_wal(db)
        with _transaction(db):
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
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite rolls back by itself when the disk is full or the file damaged
            db.execute("ROLLBACK")
        raise


@contextmanager
def _translated(path: Path, record: str | None = None) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise LearningSetError(path, str(error), record) from error


def _inflate(data: bytes) -> bytes:
    """Decompress at most ``MAX_BODY`` bytes.

    :raises ValueError: there is more, or less than was stored.
    """
    inflater = zlib.decompressobj()
    body = inflater.decompress(data, MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    if not inflater.eof:
        raise ValueError("incomplete")
    return body
