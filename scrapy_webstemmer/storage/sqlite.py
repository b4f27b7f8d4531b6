"""The default learning set: store the pages and linkinfo of one or many sites in one SQLite file.

Several crawls can add to one file; the last stored version of a page counts. The table of anchors holds sums
over all pages. So learning reads each target and text once, however many pages have the same navigation. Each
page also keeps a ledger of its own anchors: ids and counts of rows in that table, compressed to about two
bytes an anchor. With the ledger, a new version of a page replaces the anchors of the earlier one, and the
page counts only once.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..base.database import BUSY_TIMEOUT, Database, FileFormat, bounded_rows, most_rows, size_of
from ..base.urls import canonical_url, link_key, site_of, well_formed
from ..errors import LearningSetError
from ..page.anchors import Anchor
from ..values import Announcement, Linkinfo, Page
from .anchor_table import AnchorChanges, SqliteLinkinfo, pack_ledger, unpack_ledger
from .source import DAMAGE, MAX_BODY, TOO_LARGE, PageSource, inflate

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

_STORE_PAGE = """
INSERT INTO page (key, url, site, encoding, fetched, aliases, anchors, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    url = excluded.url, site = excluded.site, encoding = excluded.encoding,
    fetched = excluded.fetched, aliases = excluded.aliases,
    anchors = coalesce(excluded.anchors, anchors), body = excluded.body
"""

# The types must be checked, because in a damaged file a column may hold anything.
_IDS = "SELECT id FROM page WHERE typeof(id) = 'integer' ORDER BY key"
_COUNT_PAGES = "SELECT COUNT(*) FROM (SELECT 1 FROM page LIMIT ?)"
_LEDGER_OF = "SELECT anchors FROM page WHERE key = ?"
_PAGE = "SELECT key, url, encoding, fetched, aliases, body FROM page WHERE {} = ?"
_PAGES_OF_SITES = """
SELECT site, COUNT(*) FROM page
WHERE typeof(site) = 'text' AND site IN (SELECT value FROM json_each(?)) GROUP BY site
"""
_KEYS_OF_SITES = """
SELECT site, key FROM page
WHERE typeof(site) = 'text' AND site IN (SELECT value FROM json_each(?)) AND typeof(key) = 'text' ORDER BY key
"""
_HAS_ANNOUNCED = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'announced'"
_ANNOUNCED_OF = (
    "SELECT published, authors FROM announced WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key"
)
_ANNOUNCE = """
INSERT INTO announced (key, published, authors) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    published = coalesce(nullif(excluded.published, ''), published),
    authors = coalesce(nullif(excluded.authors, '[]'), authors)
"""

# The limit ends the reading of a doctored file that leads to the same rows again and again.
_TOTALS_OF_SITES = """
SELECT site, COUNT(*), min(fetched), max(fetched), sum(length(body)), 0 FROM (
    SELECT site, body, CASE WHEN typeof(fetched) = 'text' THEN fetched END AS fetched
    FROM page WHERE typeof(site) = 'text' LIMIT ?
) GROUP BY site
"""
_ANCHORS_OF_SITES = """
SELECT site, COUNT(*) FROM (SELECT site FROM anchor WHERE typeof(site) = 'text' LIMIT ?) GROUP BY site
"""

#: How hard bodies are compressed: 2 takes two thirds of the time of 4, for 7 % more bytes. The usual 6 takes
#: half as long again as 4, for 3 % less.
_BODY_LEVEL = 2


class StoredSite(NamedTuple):
    """What a learning set has of a site.

    :param site: its name; empty for urls without a host.
    :param pages: how many pages.
    :param first: when the first of them was fetched, as it is stored; None: no time is known.
    :param last: when the last of them was fetched.
    :param size: bytes of the compressed bodies.
    :param anchors: how many different anchors its pages have: texts that lead to a url.
    """

    site: str
    pages: int
    first: str | None
    last: str | None
    size: int
    anchors: int


class SqliteLearningSet(Database, PageSource):
    """A learning set in a SQLite file; a missing or empty file is made into one.

    Several processes may write and read at the same time, and several threads may use one object. A page that
    :meth:`add_page` has stored survives if the process is killed. After a power cut the file is sound, but
    the last pages may be missing.

    :param path: the file; its folder must exist.
    :param readonly: True: never change the file; it must be a learning set already.
    :param timeout: seconds to wait for another process that is writing.
    :raises LearningSetError: the file is not a learning set, has an unknown version, is damaged, or is not
        accessible.
    :ivar anchors: the changes of a transaction to the table of anchors.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False, timeout: float = BUSY_TIMEOUT) -> None:
        PageSource.__init__(self, path)
        #: The size of the file in bytes when it was last looked up.
        self._size = 0
        self._lock = threading.RLock()
        self._is_damaged = False
        self._is_changing = False
        Database.__init__(self, self.path, _FORMAT, readonly=readonly, timeout=timeout)
        self.anchors = AnchorChanges(self.connection)
        if not readonly:
            with self.translated():
                self.connection.execute(_ANNOUNCED_TABLE)
        self._has_announced = bool(self.rows(_HAS_ANNOUNCED))

    def __iter__(self) -> Iterator[Page]:
        ids = self.read(lambda db: array("q", (row[0] for row in bounded_rows(db, _IDS))))
        packed = 0
        for row_id in ids:  # row by row, so that no read transaction stays open between two pages
            row = self._row("id", row_id)
            if row is None:
                self._skip(f"row {row_id:,}", "damaged row: missing")
                continue
            packed += len(row[-1]) if isinstance(row[-1], bytes) else 0
            self._check_size(packed)
            if page := self._page(row):
                yield page

    def linkinfo(self, sites: Collection[str] | None = None) -> Linkinfo | None:
        """Return the anchor texts of urls from pages of their own site; None if no anchors are recorded.

        :param sites: only from the pages of these sites; None: of all.
        """
        if not self.rows("SELECT 1 FROM anchor LIMIT 1"):
            return None
        return SqliteLinkinfo(self, sites)

    def count(self) -> int | None:
        return self.read(lambda db: int(db.execute(_COUNT_PAGES, (most_rows(db),)).fetchone()[0]))

    def page(self, url: str) -> Page | None:
        """Return the stored version of a page; None if there is none, or if it is unreadable."""
        row = self._row("key", canonical_url(url))
        return self._page(row) if row else None

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that only reads.

        :raises LearningSetError: the file is damaged, or cannot be read.
        """
        return self.read(lambda db: list(bounded_rows(db, sql, values)))

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that reads the file as it is now, whatever is written until the block ends.

        :raises LearningSetError: the file is damaged, or cannot be read.
        """
        with (
            self.translated(),
            Database(self.path, _FORMAT, readonly=True, timeout=_A_MOMENT) as reader,
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
        """Make all changes of the block or none, one thread at a time; refuse to change a damaged file.

        Several pages cost less in one transaction than one by one. Such blocks do not nest.

        :raises LearningSetError: the file is damaged, or cannot be written.
        """
        with self._lock:
            if self._is_damaged:
                raise self.damaged("damaged: nothing more is written to it", record)
            try:
                with super().transaction(record):
                    self._is_changing = True
                    self.anchors = AnchorChanges(self.connection)
                    yield
                    self.anchors.write()
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

    def add_page(self, page: Page, anchors: Iterable[tuple[str, str]] | None = None) -> None:
        """Store a page and its anchors; both replace what was stored for the same url before.

        Both are committed before the method returns, unless :meth:`transaction` commits them later.

        :param anchors: (target url, anchor text) of each anchor; anchors without a text are ignored. None:
            the recorded anchors stay as they are.
        :raises LearningSetError: the body is larger than 64 MiB, or the file cannot be written.
        """
        if len(page.body) > MAX_BODY:
            raise LearningSetError(self.path, TOO_LARGE, record=page.url)
        key, site = canonical_url(page.url), site_of(page.url)
        aliases = json.dumps([well_formed(alias) for alias in page.aliases], ensure_ascii=False)
        row = (key, well_formed(page.url), site, page.encoding, page.fetched, aliases)
        body = zlib.compress(page.body, _BODY_LEVEL)
        counts = None if anchors is None else _counts(anchors)
        with self.changing(page.url):
            ledger = None if counts is None else self._replace_anchors(key, site, counts)
            self.connection.execute(_STORE_PAGE, (*row, ledger, body))

    def add_anchors(self, url: str, anchors: Iterable[tuple[str, str]]) -> None:
        """Record the anchors of a page without storing the page; a stored version stays as it is.

        The anchors replace the page's earlier ones. If the page is not in the file, its earlier anchors are
        unknown. Then its anchors are only added if they are missing, with a count of 1, and they stay.

        :raises LearningSetError: the file cannot be written.
        """
        key, site = canonical_url(url), site_of(url)
        counts = _counts(anchors)
        with self.changing(url):
            if self.connection.execute("SELECT 1 FROM page WHERE key = ?", (key,)).fetchone():
                ledger = self._replace_anchors(key, site, counts)
                self.connection.execute("UPDATE page SET anchors = ? WHERE key = ?", (ledger, key))
            else:
                self.anchors.add_missing(counts, site)

    def add_announced(self, url: str, pages: Mapping[str, Announcement]) -> None:
        """Record what a feed says about pages; where others have said something else, the last word counts.

        Pages that come out of the file later have it, under any of their urls.

        :param url: the feed's url.
        :param pages: their urls, and what is said about each.
        :raises LearningSetError: the file cannot be written.
        """
        rows = [
            (link_key(page), well_formed(said.published), json.dumps(said.authors))
            for page, said in pages.items()
            if said.published or said.authors
        ]
        with self.changing(url):
            self.connection.executemany(_ANNOUNCE, rows)

    def sites(self) -> list[StoredSite]:
        """Return what the learning set has of each site, those with the most pages first.

        Cost: one pass over the rows of pages, without their bodies, and one over the anchors.
        """
        return self.read(_sites)

    def count_pages(self, sites: Collection[str]) -> Mapping[str, int]:
        """Return the number of pages of each of some sites; a site without pages is left out.

        Cost: one pass over the rows, without their bodies.

        :raises LearningSetError: the file is damaged, or cannot be read.
        """
        return dict(self.rows(_PAGES_OF_SITES, (json.dumps(sorted(sites)),)))

    def keys_of(self, sites: Collection[str]) -> Mapping[str, list[str]]:
        """Return the canonical urls of the pages of some sites, in their order, by site.

        :raises LearningSetError: the file is damaged, or cannot be read.
        """
        keys: dict[str, list[str]] = defaultdict(list)
        for site, key in self.rows(_KEYS_OF_SITES, (json.dumps(sorted(sites)),)):
            keys[site].append(key)
        return keys

    def _check_size(self, packed: int) -> None:
        """Refuse to go on if the bodies have more bytes than the file: then rows share their bytes.

        Up to twice the size of the file is accepted, since a crawl may replace pages and reuse their space.
        """
        if packed <= self._size * 2:
            return
        with self.translated():
            self._size = self.read(size_of)
            if packed > self._size * 2:
                raise self.damaged("damaged: its rows share their content")

    def _replace_anchors(self, key: str, site: str, counts: Counter[tuple[str, str]]) -> bytes:
        """Count a page's new anchors instead of the old ones; return its new ledger."""
        row = self.connection.execute(_LEDGER_OF, (key,)).fetchone()
        old = self._ledger(key, row[0]) if row else {}
        return pack_ledger(self.anchors.replace(old, counts, site))

    def _ledger(self, key: str, packed: bytes | None) -> dict[int, int]:
        try:
            return unpack_ledger(packed)
        except ValueError as error:
            self._skip(key, f"its earlier anchors cannot be taken back: {error}")
            return {}

    def _row(self, column: str, value: object) -> Any:
        """Return the row of the page that has a value in a column; None if there is none."""
        return self.read(lambda db: db.execute(_PAGE.format(column), (value,)).fetchone())

    def _page(self, row: tuple[Any, ...]) -> Page | None:
        key, url, encoding, fetched, aliases_json, body = row
        try:
            aliases = json.loads(aliases_json)
            if not (isinstance(aliases, list) and all(isinstance(alias, str) for alias in aliases)):
                raise ValueError("its aliases are not a list of urls")
            if not all(value is None or isinstance(value, str) for value in (encoding, fetched)):
                raise ValueError("its encoding or its time is not a text")
            announced = self._announced(str(url), *aliases) if self._has_announced else None
            return Page(str(url), inflate(body), encoding, fetched, tuple(aliases), announced=announced)
        except DAMAGE as error:
            self._skip(str(key), f"damaged row: {error}")
            return None

    def _announced(self, *urls: str) -> Announcement | None:
        """Return what feeds have said about the page with these urls; a damaged row says nothing."""
        for published, authors in self.rows(_ANNOUNCED_OF, (json.dumps([*map(link_key, urls)]),)):
            with suppress(*DAMAGE):
                names = json.loads(authors)
                if isinstance(published, str) and isinstance(names, list):
                    return Announcement("", published, tuple(name for name in names if isinstance(name, str)))
        return None


def _counts(anchors: Iterable[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Return how often each anchor with a text comes."""
    counts = Counter(anchors)
    for pair in [anchor for anchor in counts if not isinstance(anchor, Anchor)]:
        count, (url, text) = counts.pop(pair), pair
        if text:
            counts[canonical_url(url), well_formed(text)] += count
    return counts


def _sites(db: sqlite3.Connection) -> list[StoredSite]:
    most = most_rows(db)
    sites = {row[0]: StoredSite(*row) for row in db.execute(_TOTALS_OF_SITES, (most,))}
    for name, anchors in db.execute(_ANCHORS_OF_SITES, (most,)):
        sites[name] = sites.get(name, StoredSite(name, 0, None, None, 0, 0))._replace(anchors=anchors)
    return sorted(sites.values(), key=lambda site: (-site.pages, site.site))
