"""Drop pages of one site from a SQLite learning set, and what they say about pages that do not stay.

What a dropped page says about the pages that stay is still true: its anchors to them keep their counts. Its
other anchors are taken back. So a row of the table of anchors may count more than the ledgers of all pages
together, by a *remainder*. When the page that this row leads to is dropped, too, the remainder goes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from sqlite3 import Connection
from typing import TypeVar

from ..base.parts import Parts
from ..base.urls import link_key
from .page_choice import StoredPage
from .sqlite_anchors import unpack_ledger
from .sqlite_file import LearningSetFile

__all__ = ["READ_AT_ONCE", "SiteDropping", "batches", "read_pages"]

_T = TypeVar("_T")

#: The rows that one part of the work reads. A part takes some milliseconds.
READ_AT_ONCE = 50
#: The targets of at most so many anchors are remembered.
_MOST = 1 << 16

# The types must be checked, because in a damaged file a column may hold anything.
_PAGE = "SELECT id, key, fetched, aliases FROM page WHERE id = ? AND typeof(key) = 'text'"
_LEDGER = "SELECT anchors FROM page WHERE id = ?"
_TARGET = "SELECT target FROM anchor WHERE id = ? AND typeof(target) = 'text'"
_LEADING = "SELECT id, count FROM anchor WHERE target = ? AND site = ? AND typeof(count) = 'integer'"
_DROP = "DELETE FROM page WHERE id = ?"


class SiteDropping:
    """Drops pages of a site, and what they say about pages that do not stay.

    :param names: the names of the pages that stay.
    """

    def __init__(self, file: LearningSetFile, site: str, names: Set[str]) -> None:
        self._file, self._site, self._names = file, site, names
        #: By the row of an anchor that leads to a page to be dropped: what its count has beyond all ledgers.
        self._remainders: dict[int, int] = {}
        #: Whether an anchor leads to a page that stays, by its row.
        self._is_needed: dict[int, bool] = {}

    def find_remainders(self, db: Connection, rows: Sequence[int], dropped: Sequence[int]) -> Parts[None]:
        """Find the remainders of the rows that lead to pages to be dropped.

        :param db: reads the file as it is at one moment, or the numbers would not fit together.
        :param rows: all pages of the site at that moment.
        :param dropped: those of them that are to be dropped.
        """
        counts: dict[int, int] = {}
        for some in batches(dropped, READ_AT_ONCE):
            for page in read_pages(db, some):
                counts |= self._leading_to(db, page)
            yield
        for some in batches(rows, READ_AT_ONCE):
            for row in some:
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


def batches(values: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Yield the values, so many at a time."""
    return (values[start : start + size] for start in range(0, len(values), size))


def read_pages(db: Connection, rows: Sequence[int]) -> list[StoredPage]:
    """Return the pages of some rows; rows that others have dropped meanwhile are left out."""
    return [page for row in rows if (page := _page(db, row)) is not None]


def _page(db: Connection, row: int) -> StoredPage | None:
    found = db.execute(_PAGE, (row,)).fetchone()
    return StoredPage(*found) if found else None


def _ledger(db: Connection, row: int) -> dict[int, int]:
    """Return the ledger of a page; an empty one if it is damaged, since nobody can take it back any more."""
    found = db.execute(_LEDGER, (row,)).fetchone()
    try:
        return unpack_ledger(found[0]) if found else {}
    except ValueError:
        return {}
