"""Drop pages of a SQLite learning set, so that it does not grow for ever.

What a dropped page says about the pages that stay is still true: its anchors to them keep their counts. Its
other anchors are taken back. So a row of the table of anchors may count more than the ledgers of all pages
together, by a *remainder*. When the page that this row leads to is dropped, too, the remainder goes with it.

Other crawls may change the file between two steps. So a page that was stored again meanwhile stays, and
counts are only ever changed by differences. A kill between two steps leaves some pages for the next time.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from sqlite3 import Connection
from typing import TypeVar

from ..base.database import damaged
from ..base.parts import Parts
from ..base.urls import link_key
from ..errors import LearningSetError, OptionError
from .page_choice import Keep, PageChoice, StoredPage
from .sqlite_anchors import unpack_ledger
from .sqlite_file import LEARNING_SET, LearningSetFile

__all__ = ["PATIENCE", "Pruning"]

_T = TypeVar("_T")

#: Seconds that the work goes on trying while another process is writing.
PATIENCE = 60.0
#: The rows that one part of the work reads, and the pages that it drops in one transaction. A part takes some
#: milliseconds; the other work of this process, and other processes that write, wait for no longer.
_READ_AT_ONCE, _DROP_AT_ONCE = 100, 4
#: The targets of at most so many anchors are remembered.
_MOST = 1 << 16

# The types must be checked, because in a damaged file a column may hold anything.
_SITES = """
SELECT id, site FROM page WHERE id > ? AND typeof(id) = 'integer' AND typeof(site) = 'text'
ORDER BY id LIMIT ?
"""
_PAGE = "SELECT id, key, fetched, aliases FROM page WHERE id = ? AND typeof(key) = 'text'"
_LEDGER = "SELECT anchors FROM page WHERE id = ?"
_TARGET = "SELECT target FROM anchor WHERE id = ? AND typeof(target) = 'text'"
_LEADING = "SELECT id, count FROM anchor WHERE target = ? AND site = ? AND typeof(count) = 'integer'"
_DROP = "DELETE FROM page WHERE id = ?"


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

    def __init__(self, file: LearningSetFile, keep: Keep, *, dry_run: bool = False) -> None:
        if keep.pages is not None and keep.pages < 1:
            raise OptionError("pages", keep.pages, "must be a whole number from 1 on")
        self._file, self._keep, self._dry_run = file, keep, dry_run
        self.dropped: Counter[str] = Counter()
        self.left: Counter[str] = Counter()

    def in_parts(self) -> Parts[None]:
        """Do the work. Between two parts the file is not locked.

        :raises LearningSetError: the file is damaged, or cannot be written. What was dropped stays dropped.
        """
        sites = yield from self._rows_by_site()
        for site in sorted(sites):
            rows = sites.pop(site)
            self.left[site] = len(rows)
            if self._keep.site in (None, site) and self._is_too_large(rows):
                yield from self._prune_site(site, rows)

    def _is_too_large(self, rows: Sequence[int]) -> bool:
        """Return whether a site with these rows may lose pages."""
        return self._keep.since is not None or len(rows) > (self._keep.pages or len(rows))

    def _rows_by_site(self) -> Parts[dict[str, array[int]]]:
        found: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        last = -(2**63)
        while rows := self._file.read(partial(_sites_after, last=last)):
            for row, site in rows:
                if row <= last:  # the loop would never end
                    raise damaged(LEARNING_SET, self._file.path, "damaged: its rows are not in order")
                last = row
                found[site].append(row)
            yield
        return dict(found)

    def _prune_site(self, site: str, rows: Sequence[int]) -> Parts[None]:
        choice = PageChoice(self._keep)
        for some in _batches(rows, _READ_AT_ONCE):
            for page in self._pages(some):
                choice.add(page)
            yield
        if self._dry_run:
            self._count(site, len(choice.left_out))
        elif choice.left_out:
            names = set[str]().union(*(page.names for page in choice.kept))
            dropping = _SiteDropping(self._file, site, names)
            yield from dropping.find_remainders(rows, [row for row, _ in choice.left_out])
            for pages in _batches(choice.left_out, _DROP_AT_ONCE):
                self._count(site, (yield from _when_free(partial(dropping.drop, pages))))
                yield

    def _count(self, site: str, number: int) -> None:
        if number:
            self.dropped[site] += number
            self.left[site] -= number

    def _pages(self, rows: Sequence[int]) -> list[StoredPage]:
        return self._file.read(lambda db: [page for row in rows if (page := _page(db, row)) is not None])


class _SiteDropping:
    """Drops pages of a site, and what they say about pages that do not stay.

    :param names: the names of the pages that stay.
    """

    def __init__(self, file: LearningSetFile, site: str, names: Set[str]) -> None:
        self._file, self._site, self._names = file, site, names
        #: By the row of an anchor that leads to a page to be dropped: what its count has beyond all ledgers.
        self._remainders: dict[int, int] = {}
        #: Whether an anchor leads to a page that stays, by its row.
        self._is_needed: dict[int, bool] = {}

    def find_remainders(self, rows: Sequence[int], dropped: Sequence[int]) -> Parts[None]:
        """Find the remainders of the rows that lead to pages to be dropped.

        If the file changes meanwhile, the numbers do not fit together. Then the remainders stay in the file.

        :param rows: all pages of the site.
        :param dropped: those of them that are to be dropped.
        """
        before = self._file.read(_changes)
        counts: dict[int, int] = {}
        for some in _batches(dropped, _READ_AT_ONCE):
            counts |= self._file.read(partial(self._counts, rows=some))
            yield
        for some in _batches(rows, _READ_AT_ONCE):
            for ledger in self._file.read(partial(_ledgers, rows=some)):
                for anchor in ledger.keys() & counts.keys():
                    counts[anchor] -= ledger[anchor]
            yield
        if self._file.read(_changes) == before:
            self._remainders = {anchor: count for anchor, count in counts.items() if count > 0}

    def drop(self, pages: Sequence[tuple[int, int]]) -> int:
        """Drop pages in one transaction; return how many: those that were stored anew meanwhile stay.

        :param pages: row and version of each.
        :raises LearningSetError: the file is damaged, locked, or cannot be written.
        """
        number, taken = 0, set[int]()
        with self._file.transaction():
            db = self._file.connection
            for row, version in pages:
                page = _page(db, row)
                if page is None or page.version != version:
                    continue
                back = {key: count for key, count in _ledger(db, row).items() if not self._stays(db, key)}
                for anchor in self._leading_to(db, page).keys() & self._remainders.keys() - taken:
                    back[anchor] = back.get(anchor, 0) + self._remainders[anchor]
                    taken.add(anchor)
                self._file.anchors.replace(back, {}, self._site)
                db.execute(_DROP, (row,))
                number += 1
        for anchor in taken:
            del self._remainders[anchor]
        return number

    def _counts(self, db: Connection, rows: Sequence[int]) -> dict[int, int]:
        """Return the rows of the anchors that lead to some pages, with their counts."""
        found: dict[int, int] = {}
        for row in rows:
            page = _page(db, row)
            found |= self._leading_to(db, page) if page else {}
        return found

    def _leading_to(self, db: Connection, page: StoredPage) -> dict[int, int]:
        names = page.names - self._names
        targets = [f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
        return dict(row for target in targets for row in db.execute(_LEADING, (target, self._site)))

    def _stays(self, db: Connection, anchor: int) -> bool:
        """Return whether an anchor leads to a page that stays."""
        found = self._is_needed.get(anchor)
        if found is None:
            row = db.execute(_TARGET, (anchor,)).fetchone()
            found = row is not None and link_key(row[0]) in self._names
            if len(self._is_needed) >= _MOST:
                self._is_needed.clear()
            self._is_needed[anchor] = found
        return found


def _when_free(work: Callable[[], _T]) -> Parts[_T]:
    """Do a piece of work; if another process is writing to the file, try again after others had a turn."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except LearningSetError as error:
            if not error.busy or time.monotonic() > deadline:
                raise
        yield


def _batches(values: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    return (values[start : start + size] for start in range(0, len(values), size))


def _changes(db: Connection) -> tuple[int, int]:
    """Return numbers that differ after a change: the first counts those of others, the second our own."""
    return db.execute("PRAGMA data_version").fetchone()[0], db.total_changes


def _sites_after(db: Connection, last: int) -> list[tuple[int, str]]:
    return db.execute(_SITES, (last, _READ_AT_ONCE)).fetchall()


def _page(db: Connection, row: int) -> StoredPage | None:
    found = db.execute(_PAGE, (row,)).fetchone()
    return StoredPage(*found) if found else None


def _ledgers(db: Connection, rows: Sequence[int]) -> list[dict[int, int]]:
    return [_ledger(db, row) for row in rows]


def _ledger(db: Connection, row: int) -> dict[int, int]:
    """Return the ledger of a page; an empty one if it is damaged, since nobody can take it back any more."""
    found = db.execute(_LEDGER, (row,)).fetchone()
    try:
        return unpack_ledger(found[0]) if found else {}
    except ValueError:
        return {}
