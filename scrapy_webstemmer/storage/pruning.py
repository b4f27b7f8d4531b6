"""Drop pages of a SQLite learning set, so that it does not grow for ever.

Other crawls may change the file between two steps. So a page that was stored again meanwhile stays, and
counts are only ever changed by differences. A kill between two steps leaves some pages for the next time.

Which pages stay: the layout of a stored page is unknown before learning. So the directory of its url stands
for it, as when learning draws a sample of a large site. Each directory keeps its newest page before any keeps
a second one, and so on. Pages of the same time, or of unknown times, come in the order in which learning
draws them.
"""

from __future__ import annotations

import json
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from datetime import UTC, datetime
from functools import lru_cache
from sqlite3 import Connection
from typing import Any, NamedTuple, TypeVar

from ..base.parts import Parts
from ..base.samples import PageSample
from ..base.urls import link_key
from ..errors import LearningSetError, OptionError
from .anchor_table import unpack_ledger
from .source import DAMAGE
from .sqlite import SqliteLearningSet

_T = TypeVar("_T")

#: Seconds that the work goes on trying while another process is writing.
PATIENCE = 60.0
#: The pages that one part of the work drops in one transaction. A part takes some milliseconds; the other
#: work of this process, and other processes that write, wait for no longer.
_DROP_AT_ONCE = 2

#: The rows that one part of the work reads. A part takes some milliseconds.
_READ_AT_ONCE = 50
#: The targets of at most so many anchors are remembered.
_MOST_TARGETS = 1 << 16

# The types must be checked, because in a damaged file a column may hold anything.
_SITES_OF_ROWS = """
SELECT id, site FROM page WHERE id > ? AND typeof(id) = 'integer' AND typeof(site) = 'text'
ORDER BY id LIMIT ?
"""
_PAGE_IN_ROW = "SELECT id, key, fetched, aliases FROM page WHERE id = ? AND typeof(key) = 'text'"
_LEDGER_IN_ROW = "SELECT anchors FROM page WHERE id = ?"
_TARGET = "SELECT target FROM anchor WHERE id = ? AND typeof(target) = 'text'"
_LEADING = "SELECT id, count FROM anchor WHERE target = ? AND site = ? AND typeof(count) = 'integer'"
_DROP_PAGE = "DELETE FROM page WHERE id = ?"
_DROP_ANNOUNCED = "DELETE FROM announced WHERE key = ?"

_NO_TIME = float("-inf")


class Keep(NamedTuple):
    """The pages that stay.

    :param pages: at most so many pages of each site, from 1 on; None: all.
    :param since: only pages that were fetched at this time or later, in seconds since 1970, and those of
        unknown time; None: pages of any age.
    :param site: pages of other sites stay in any case; None: there are no such sites.
    :param spared: the keys of pages that stay in any case.
    """

    pages: int | None = None
    since: float | None = None
    site: str | None = None
    spared: Set[str] = frozenset()


class StoredPage(NamedTuple):
    """What decides whether a page stays: the columns of its row."""

    id: int
    key: str
    fetched: Any
    aliases: Any

    @property
    def time(self) -> float:
        """When it was fetched, in seconds since 1970; minus infinity if that is unknown."""
        try:
            when = datetime.fromisoformat(self.fetched)
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
        except (TypeError, ValueError, OverflowError):
            return _NO_TIME

    @property
    def version(self) -> int:
        """A number that another version of the page, or another page in its row, does not have."""
        return hash((self.key, self.fetched))

    @property
    def names(self) -> set[str]:
        """The urls, without their schemes, under which other pages may link to it."""
        try:
            aliases = json.loads(self.aliases)
        except DAMAGE:
            aliases = []
        urls = aliases if isinstance(aliases, list) else []
        return {link_key(url) for url in (self.key, *urls) if isinstance(url, str)}


class PageChoice:
    """The choice of one site's pages; their order makes no difference.

    :ivar left_out: row and version of each page that is to go.

    Memory: some 500 bytes for each page that stays, 150 for each that goes.
    """

    def __init__(self, keep: Keep) -> None:
        self._since, self._spared = keep.since, keep.spared
        self._sample = PageSample(keep.pages or 0)
        self._kept: dict[str, StoredPage] = {}
        self.left_out: list[tuple[int, int]] = []

    def add(self, page: StoredPage) -> None:
        """Add a page; each is added once."""
        when = page.time
        if page.key in self._spared:
            self._kept[page.key] = page
            return
        if self._since is not None and _NO_TIME < when < self._since:
            self.left_out.append((page.id, page.version))
            return
        scheme, _, address = page.key.partition("://")
        name = f"{address}#{scheme}"  # learning takes both schemes for one page, but they are two rows
        if name in self._kept:  # in a damaged file
            return
        self._kept[name] = page
        gone = self._sample.add(name, -when)
        if gone is not None:
            self.left_out.append((self._kept[gone].id, self._kept.pop(gone).version))

    @property
    def kept(self) -> list[StoredPage]:
        """The pages that stay."""
        return list(self._kept.values())


class Pruning:
    """Drop pages of a learning set in small parts.

    :param dry_run: True: only count what would be dropped.
    :raises OptionError: the number of pages is less than 1.
    :ivar dropped: how many pages of each site were dropped so far.
    :ivar left: how many pages of each site are left, without those that were stored meanwhile.

    Memory: 8 bytes for each page of the file, and what :class:`PageChoice` takes for one site. Cost: one pass
    over the rows of the pages, one over the ledgers of the sites that lose pages, and about 1 ms a dropped
    page.
    """

    def __init__(self, file: SqliteLearningSet, keep: Keep, *, dry_run: bool = False) -> None:
        if keep.pages is not None and keep.pages < 1:
            raise OptionError("pages", keep.pages, "must be a whole number from 1 on")
        self._file, self._keep, self._dry_run = file, keep, dry_run
        #: The rows of each site's pages, and the state of the file in which they were found.
        self._rows: dict[str, array[int]] = {}
        self._known: tuple[int, int] | None = None
        #: How many rows were changed here.
        self._changes = 0
        self.dropped: Counter[str] = Counter()
        self.left: Counter[str] = Counter()

    def in_parts(self) -> Parts[None]:
        """Do the work. Between two parts the file is not locked.

        :raises LearningSetError: the file is damaged, or cannot be written. What was dropped stays dropped.
        """
        state = self._state()
        with self._file.snapshot() as db:
            yield from self._find_rows(db, state)
        self.left.update({site: len(rows) for site, rows in self._rows.items()})
        for site in sorted(self._rows):
            # others may have dropped the whole site since
            self.left[site] = count = len(self._rows.get(site, ()))
            too_many = self._keep.pages is not None and count > self._keep.pages
            if self._keep.site in (None, site) and (too_many or self._keep.since is not None):
                yield from self._prune_site(site)

    def _prune_site(self, site: str) -> Parts[None]:
        choice, state = PageChoice(self._keep), self._state()
        with self._file.snapshot() as db:
            yield from self._find_rows(db, state)
            rows = self._rows.get(site, array("q"))
            self.left[site] = len(rows)
            for batch in _batches(rows, _READ_AT_ONCE):
                for page in _read_pages(db, batch):
                    choice.add(page)
                yield
            if self._dry_run or not choice.left_out:
                self._count(site, len(choice.left_out))
                return
            names: set[str] = set()
            for kept in _batches(choice.kept, _READ_AT_ONCE):
                names.update(*(page.names for page in kept))
                yield
            dropping = _SiteDropping(self._file, site, names)
            yield from dropping.find_remainders(db, rows, [row for row, _ in choice.left_out])
        for pages in _batches(choice.left_out, _DROP_AT_ONCE):
            self._count(site, (yield from self._drop(dropping, pages)))
            yield

    def _find_rows(self, db: Connection, state: tuple[int, int]) -> Parts[None]:
        """Find the rows of all sites, unless nobody else has changed the file since they were found.

        :param state: the state of the file before it was opened for ``db``.
        """
        if state == self._known:
            return
        rows_of: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        last = -(2**63)
        while rows := db.execute(_SITES_OF_ROWS, (last, _READ_AT_ONCE)).fetchall():
            for row, site in rows:
                if row <= last:  # the loop would never end
                    raise self._file.damaged("damaged: its rows are not in order")
                last = row
                rows_of[site].append(row)
            yield
        self._rows, self._known = dict(rows_of), state

    def _state(self) -> tuple[int, int]:
        """Return numbers that differ after a change of somebody else, in another connection or in ours."""
        version, ours = self._file.read(_changes)
        return version, ours - self._changes

    def _drop(self, dropping: _SiteDropping, pages: Sequence[tuple[int, int]]) -> Parts[int]:
        """Drop pages; if another process is writing to the file, try again after others had a turn."""
        deadline = time.monotonic() + PATIENCE
        while True:
            db = self._file.connection
            before = db.total_changes
            try:
                return dropping.drop(pages)
            except LearningSetError as error:
                if not error.busy or time.monotonic() > deadline:
                    raise
            finally:
                self._changes += db.total_changes - before
            yield

    def _count(self, site: str, dropped: int) -> None:
        if dropped:
            self.dropped[site] += dropped
            self.left[site] -= dropped


def _changes(db: Connection) -> tuple[int, int]:
    """Return a number that differs after a change by other connections, and one for changes by this one."""
    return db.execute("PRAGMA data_version").fetchone()[0], db.total_changes


class _SiteDropping:
    """Drops pages of a site, and what they say about pages that do not stay.

    What a dropped page says about the pages that stay is still true: its anchors to them keep their counts.
    Its other anchors are taken back. So a row of the table of anchors may count more than the ledgers of all
    pages together, by a *remainder*. When the page that this row leads to is dropped, too, the remainder goes
    with it.

    :param names: the names of the pages that stay.
    """

    def __init__(self, file: SqliteLearningSet, site: str, names: Set[str]) -> None:
        self._file, self._site, self._names = file, site, names
        #: By the row of an anchor that leads to a page to be dropped: what its count has beyond all ledgers.
        self._remainders: dict[int, int] = {}
        self._stays = lru_cache(maxsize=_MOST_TARGETS)(self._leads_to_kept)

    def find_remainders(self, db: Connection, rows: Sequence[int], dropped: Sequence[int]) -> Parts[None]:
        """Find the remainders of the rows that lead to pages to be dropped.

        :param db: reads the file as it is at one moment, or the numbers would not fit together.
        :param rows: all pages of the site at that moment.
        :param dropped: those of them that are to be dropped.
        """
        counts: dict[int, int] = {}
        for batch in _batches(dropped, _READ_AT_ONCE):
            for page in _read_pages(db, batch):
                counts |= self._leading_to(db, page)
            yield
        for batch in _batches(rows, _READ_AT_ONCE):
            for row in batch:
                ledger = _ledger(db, row)
                for anchor in ledger.keys() & counts.keys():
                    counts[anchor] -= ledger[anchor]
            yield
        self._remainders = {anchor: count for anchor, count in counts.items() if count > 0}

    def drop(self, pages: Sequence[tuple[int, int]]) -> int:
        """Drop pages in one transaction; return how many: those that were stored anew meanwhile stay.

        :param pages: row and version of each.
        :raises LearningSetError: the file is damaged, locked, or cannot be written.
        """
        dropped, taken = 0, set[int]()
        with self._file.transaction():
            db = self._file.connection
            for row, version in pages:
                page = _page(db, row)
                if page is None or page.version != version:
                    continue
                ledger = _ledger(db, row).items()
                back = {anchor: count for anchor, count in ledger if not self._stays(anchor)}
                for anchor in self._leading_to(db, page).keys() & self._remainders.keys() - taken:
                    back[anchor] = back.get(anchor, 0) + self._remainders[anchor]
                    taken.add(anchor)
                self._file.anchors.replace(back, {}, self._site)
                db.execute(_DROP_PAGE, (row,))
                db.executemany(_DROP_ANNOUNCED, [(name,) for name in page.names - self._names])
                dropped += 1
        for anchor in taken:
            del self._remainders[anchor]
        return dropped

    def _leading_to(self, db: Connection, page: StoredPage) -> dict[int, int]:
        names = page.names - self._names
        targets = [f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
        return dict(row for target in targets for row in db.execute(_LEADING, (target, self._site)))

    def _leads_to_kept(self, anchor: int) -> bool:
        """Return whether an anchor, given as its row, leads to a page that stays."""
        target = self._file.connection.execute(_TARGET, (anchor,)).fetchone()
        return target is not None and link_key(target[0]) in self._names


def _batches(values: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Yield the values, so many at a time."""
    return (values[start : start + size] for start in range(0, len(values), size))


def _read_pages(db: Connection, rows: Sequence[int]) -> list[StoredPage]:
    """Return the pages of some rows; rows that others have dropped meanwhile are left out."""
    return [page for row in rows if (page := _page(db, row)) is not None]


def _page(db: Connection, row: int) -> StoredPage | None:
    values = db.execute(_PAGE_IN_ROW, (row,)).fetchone()
    return StoredPage(*values) if values else None


def _ledger(db: Connection, row: int) -> dict[int, int]:
    """Return the ledger of a page; an empty one if it is damaged, since nobody can take it back any more."""
    values = db.execute(_LEDGER_IN_ROW, (row,)).fetchone()
    try:
        return unpack_ledger(values[0]) if values else {}
    except ValueError:
        return {}
