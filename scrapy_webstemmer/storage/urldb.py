"""The URLDB: keep the urls that crawls have stored, and when each was last met."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ..base.database import Database, FileFormat, most_rows
from ..base.urls import link_key, well_formed
from ..errors import UrlDbError
from ..options import check_kind

#: What a crawl may have stored for a url: only its page, or an item that was made from it.
PAGE, ARTICLE = "page", "article"

#: Seconds that a write waits for another process. The crawl stands still for that time.
PATIENCE = 10.0

_DIGEST_BYTES = 16

_SCHEMA = """
CREATE TABLE seen (
    key BLOB PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('page', 'article')),
    last INTEGER NOT NULL
) WITHOUT ROWID;
"""

#: The number stands for ``WSTU`` in the file's header.
_URLDB = FileFormat("URLDB", 0x57535455, 1, _SCHEMA, UrlDbError)

_STORE_ENTRY = """
INSERT INTO seen (key, kind, last) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    kind = CASE WHEN excluded.kind = 'article' THEN 'article' ELSE kind END,
    last = max(last, excluded.last)
"""

# In a damaged file a column may hold anything; rows that are not entries are skipped.
_ENTRY = """
SELECT key, kind, CAST(last AS INTEGER) FROM seen WHERE key = ? AND kind IN ('page', 'article')
"""
_NEXT_ENTRIES = """
SELECT key, kind, CAST(last AS INTEGER) FROM seen
WHERE key > ? AND last < ? AND kind IN ('page', 'article') AND typeof(key) = 'blob'
ORDER BY key LIMIT 1000
"""
_COUNT_ENTRIES = "SELECT COUNT(*) FROM (SELECT 1 FROM seen LIMIT ?)"
_END_OF_TIME = 2**63 - 1


class Entry(NamedTuple):
    """What the file knows about a url.

    :param digest: 16 bytes that stand for the url.
    :param kind: ``page`` or ``article``.
    :param last: when it was last stored or linked to, in seconds since 1970 (UTC).
    """

    digest: bytes
    kind: str
    last: int


def url_digest(url: str) -> bytes:
    """Return the 16 bytes that stand for a url; takes about 20 us.

    They come from its canonical form without the scheme, so a site that moves to https is not new.
    """
    return blake2b(link_key(url).encode(), digest_size=_DIGEST_BYTES, person=b"url").digest()


def key_digest(key: str) -> bytes:
    """Return the 16 bytes that stand for a request's own key; they never equal those of a url."""
    return blake2b(well_formed(key).encode(), digest_size=_DIGEST_BYTES, person=b"key").digest()


class UrlDb(Database):
    """Digests of urls in a SQLite file; a missing or empty file is made into one.

    Several processes may write and read at the same time. An entry survives if the process is killed. After a
    power cut the file is sound, but the last entries may be missing. A look-up takes about 7 us, a change
    about 20 us.

    :param path: the file; its folder must exist.
    :param readonly: True: never change the file; it must be a URLDB already.
    :raises UrlDbError: the file is not a URLDB, has an unknown version, is damaged, or is not accessible.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False) -> None:
        super().__init__(Path(path), _URLDB, readonly=readonly, timeout=PATIENCE)
        self._patience = PATIENCE

    def __iter__(self) -> Iterator[Entry]:
        """Yield all entries in the order of their digests; others may write meanwhile."""
        after = b""
        while batch := self._batch(after, _END_OF_TIME):
            yield from batch
            after = batch[-1].digest

    def count(self) -> int:
        """Return the number of entries."""
        return self.read(lambda db: int(db.execute(_COUNT_ENTRIES, (most_rows(db),)).fetchone()[0]))

    def find(self, digest: bytes) -> Entry | None:
        """Return the entry of a url or key, if there is one."""
        _check(digest)
        row = self.read(lambda db: db.execute(_ENTRY, (digest,)).fetchone())
        return None if row is None else Entry(*row)

    def mark(self, digest: bytes, kind: str, when: float | None = None) -> None:
        """Record that a page or an article was stored. An entry never goes back from article to page.

        The entry is committed before the method returns.

        :param when: seconds since 1970; None: now.
        """
        _check(digest)
        with self._writing():
            self.connection.execute(_STORE_ENTRY, (digest, kind, _seconds(when)))

    def touch(self, digest: bytes, when: float | None = None) -> None:
        """Record that a url or key was met again, if it is known.

        :param when: seconds since 1970; None: now.
        """
        seconds = _seconds(when)
        with self._writing():
            self.connection.execute(
                "UPDATE seen SET last = ? WHERE key = ? AND last < ?", (seconds, digest, seconds)
            )

    def prune(self, before: float, tell: Callable[[Entry], object] | None = None) -> int:
        """Remove the entries that were last met before a time, and make the file smaller if possible.

        Other processes may write meanwhile; they wait some milliseconds at a time.

        :param before: seconds since 1970.
        :param tell: called with each entry after it is removed.
        :returns: how many entries were removed.
        """
        removed, after = 0, b""
        while batch := self._remove_batch(after, _seconds(before)):
            removed, after = removed + len(batch), batch[-1].digest
            if tell:
                for entry in batch:
                    tell(entry)
        if removed:
            self.give_space_back()
        return removed

    def _batch(self, after: bytes, before: int) -> list[Entry]:
        """Return the next entries after a digest that were last met before a time; at the end, no entry."""
        rows = self.read(lambda db: db.execute(_NEXT_ENTRIES, (after, before)).fetchall())
        batch = [Entry(*row) for row in rows]
        if batch and batch[-1].digest <= after:  # the loop would never end
            raise self.damaged("damaged: its entries are not in order")
        return batch

    def _remove_batch(self, after: bytes, before: int) -> list[Entry]:
        with self._writing(), self.transaction():
            batch = self._batch(after, before)
            self.connection.executemany(
                "DELETE FROM seen WHERE key = ?", ((entry.digest,) for entry in batch)
            )
        return batch

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Change the file. After a failure the next changes do not wait, until one succeeds.

        Another process may hold the lock for long, and the crawl must not stand still at each url.
        """
        try:
            with self.translated():
                yield
        except UrlDbError:
            self.wait_up_to(0)
            raise
        if self._patience < PATIENCE:
            self.wait_up_to(PATIENCE)

    def wait_up_to(self, seconds: float) -> None:
        """Set how long a change waits; a file that fails here fails at the next change."""
        self._patience = seconds
        with suppress(sqlite3.Error):
            super().wait_up_to(seconds)


def _check(digest: bytes) -> None:
    check_kind("digest", digest, bytes, "url_digest(url) gives it")


def _seconds(when: float | None) -> int:
    return int(time.time() if when is None else when)
