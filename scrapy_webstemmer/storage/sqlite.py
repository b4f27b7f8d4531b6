"""The default learning set: one SQLite file for one or many sites, from one or many crawls.

A later crawl adds to the file; the version of a page that was stored last counts. To replace what
a page contributed to linkinfo, each page keeps a ledger of its anchors: ids and counts of rows in
the table of anchors, compressed to some two bytes an anchor. The table itself holds the sums,
so that a page that is crawled twice counts once, and learning reads each target and text once,
however many pages carry the same navigation.
"""

from __future__ import annotations

import json
import threading
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..base.database import BUSY_TIMEOUT, FileFormat, connect, damaged, transaction, translated
from ..base.urls import canonical_url, site_of, well_formed
from ..errors import LearningSetError
from ..values import Linkinfo, Page
from .source import MAX_BODY, TOO_LARGE, PageSource
from .sqlite_linkinfo import SqliteLinkinfo

__all__ = ["SqliteLearningSet"]

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

#: ``WSTM`` is in the file's header.
LEARNING_SET = FileFormat("learning set", 0x5753544D, 1, _SCHEMA, LearningSetError)

_UPSERT = """
INSERT INTO page (key, url, site, encoding, fetched, aliases, body) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    url = excluded.url, site = excluded.site, encoding = excluded.encoding,
    fetched = excluded.fetched, aliases = excluded.aliases, body = excluded.body
"""

_ANCHOR_OF_OTHERS = (
    "INSERT INTO anchor (target, text, site, count) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING"
)

#: Largest number that SQLite takes.
_LARGEST = 2**63 - 1

# The types look superfluous, but in a damaged file a column may hold anything.
_IDS = "SELECT id FROM page WHERE typeof(id) = 'integer' ORDER BY key"
_PAGE = "SELECT key, url, encoding, fetched, aliases, body FROM page WHERE id = ?"


class SqliteLearningSet(PageSource):
    """A learning set in a SQLite file; a missing or empty file is made into one.

    Several processes may write and read at the same time, and one object may be
    used by several threads. What :meth:`add_page` has stored survives the
    process being killed; after a power cut the file is sound, but the last
    pages may be missing.

    :param path: the file; its folder must exist.
    :param readonly: never change the file; it must be a learning set already.
    :param encoding: the charset of pages that are stored without one.
    :param timeout: seconds to wait for another process that is writing.
    :raises LearningSetError: no learning set, of an unknown version, damaged, or not accessible.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        readonly: bool = False,
        encoding: str | None = None,
        timeout: float = BUSY_TIMEOUT,
    ) -> None:
        super().__init__(path, encoding=encoding)
        self._lock = threading.Lock()
        self._is_damaged = False
        with translated(LEARNING_SET, self.path):
            self._db = connect(self.path, LEARNING_SET, readonly=readonly, timeout=timeout)

    def __iter__(self) -> Iterator[Page]:
        with self._translated():
            ids = array("q", (row[0] for row in self._db.execute(_IDS)))
        for page_id in ids:  # row by row: no read transaction stays open between two pages
            with self._translated():
                row = self._db.execute(_PAGE, (page_id,)).fetchone()
            if row is None:
                self._skip(f"row {page_id:,}", "damaged row: missing")
                continue
            page = self._page(row)
            if page is not None:
                yield page

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts under which a site's pages link to its urls; None if there are none."""
        with self._translated():
            if self._db.execute("SELECT 1 FROM anchor LIMIT 1").fetchone() is None:
                return None
        return SqliteLinkinfo(self._db, self._translated)

    def count(self) -> int | None:
        with self._translated():
            return int(self._db.execute("SELECT COUNT(*) FROM page").fetchone()[0])

    def close(self) -> None:
        self._db.close()

    def wait_up_to(self, seconds: float) -> None:
        """Set how long a change waits for another process that is writing; then it is an error."""
        self._db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

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
        counts = None if anchors is None else _counts(anchors)
        with self._changing(page.url):
            self._db.execute(_UPSERT, (*row, body))
            if counts is not None:
                self._replace_anchors(key, site, counts)

    def add_anchors(self, url: str, anchors: Iterable[tuple[str, str]]) -> None:
        """Record the anchors of a page without storing it; what is stored of it stays as it is.

        They replace the page's earlier anchors. Of a page that is not in the file none are known to
        take back: its anchors are added where they are missing, with a count of 1, and stay.

        :raises LearningSetError: the file cannot be written.
        """
        key, site = canonical_url(url), site_of(url)
        counts = _counts(anchors)
        with self._changing(url):
            if self._db.execute("SELECT 1 FROM page WHERE key = ?", (key,)).fetchone():
                self._replace_anchors(key, site, counts)
            else:
                self._db.executemany(_ANCHOR_OF_OTHERS, [(*anchor, site) for anchor in counts])

    @contextmanager
    def _changing(self, url: str) -> Iterator[None]:
        """Do all changes of a page or none, one thread at a time; none in a file that was found damaged."""
        with self._lock:
            if self._is_damaged:
                raise damaged(LEARNING_SET, self.path, "damaged: nothing more is written to it", url)
            with self._translated(url), transaction(self._db):
                yield

    @contextmanager
    def _translated(self, record: str | None = None) -> Iterator[None]:
        """Raise what SQLite raises inside as an error of ours, and remember damage."""
        try:
            with translated(LEARNING_SET, self.path, record):
                yield
        except LearningSetError as error:
            self._is_damaged = self._is_damaged or error.damaged
            raise

    def _replace_anchors(self, key: str, site: str, counts: Counter[tuple[str, str]]) -> None:
        new = {self._anchor_id(target, text, site): count for (target, text), count in counts.items()}
        row = self._db.execute("SELECT anchors FROM page WHERE key = ?", (key,)).fetchone()
        if row is None:  # it was stored a moment ago
            raise damaged(LEARNING_SET, self.path, "damaged: its index misses the page", key)
        old = self._ledger(key, row[0])
        changes = {anchor: new.get(anchor, 0) - old.get(anchor, 0) for anchor in new.keys() | old.keys()}
        self._db.executemany(
            "UPDATE anchor SET count = count + ? WHERE id = ?",
            sorted((change, anchor) for anchor, change in changes.items() if change),
        )
        gone = ((anchor,) for anchor in old if anchor not in new)
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
            found = {int(row): int(count) for row, count in json.loads(inflate(packed))}
            if any(not 0 <= number <= _LARGEST for numbers in found.items() for number in numbers):
                raise ValueError("a number is out of range")
            return found
        except (ValueError, TypeError, OverflowError, RecursionError, zlib.error) as error:
            self._skip(key, f"its earlier anchors cannot be taken back: {error}")
            return {}

    def _page(self, row: tuple[Any, ...]) -> Page | None:
        key, url, encoding, fetched, aliases, body = row
        try:
            others = json.loads(aliases)
            if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
                raise TypeError("aliases are no list of strings")
            return Page(str(url), inflate(body), encoding or self.encoding, fetched, tuple(others))
        except (ValueError, TypeError, RecursionError, zlib.error) as error:
            self._skip(str(key), f"damaged row: {error}")
            return None


def _counts(anchors: Iterable[tuple[str, str]]) -> Counter[tuple[str, str]]:
    return Counter((canonical_url(target), well_formed(text)) for target, text in anchors if text)


def inflate(data: bytes) -> bytes:
    """Return a stored body, decompressed to at most ``MAX_BODY`` bytes.

    :raises ValueError: there is more, or less than was stored.
    """
    inflater = zlib.decompressobj()
    body = inflater.decompress(data, MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    if not inflater.eof:
        raise ValueError("incomplete")
    return body
