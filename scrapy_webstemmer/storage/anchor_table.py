"""The anchors in a SQLite learning set: their table, the ledgers of pages, and the linkinfo.

The table of anchors sums up those of all pages; the linkinfo comes from it. A page's ledger has the numbers
of its own anchors by their rows in that table. No row is removed while a ledger refers to it: SQLite may give
its number to another anchor.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, groupby
from operator import itemgetter

from ..base.database import Database, bounded_rows, most_rows
from ..base.urls import site_of
from .source import DAMAGE, inflate

_FIND_ROW = "SELECT id FROM anchor WHERE target = ? AND text = ? AND site = ?"
_INSERT = "INSERT INTO anchor (target, text, site, count) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_ADD_TO_COUNT = "UPDATE anchor SET count = count + ? WHERE id = ?"
_REMOVE = "DELETE FROM anchor WHERE id = ? AND count <= 0"

#: How hard ledgers are compressed: 2 takes two thirds of the time of the usual 6, for 3 % more bytes.
_LEDGER_LEVEL = 2
#: Turns what Python writes for pairs of numbers into JSON, in a third of the time of its encoder.
_TO_JSON = bytes.maketrans(b"()", b"[]")


class AnchorChanges:
    """The changes of a transaction to the rows of the table, each a target, a text and a site, with a number.

    The pages of a site share most of their anchors. So rows are remembered from page to page, and a row
    whose number changes is written once, by :meth:`write`.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._rows: defaultdict[str, dict[tuple[str, str], int]] = defaultdict(dict)  # by site
        self._changes: defaultdict[int, int] = defaultdict(int)
        self._gone: set[int] = set()

    def replace(
        self, old: Mapping[int, int], new: Mapping[tuple[str, str], int], site: str
    ) -> dict[int, int]:
        """Count the new anchors of a page instead of its old ones; return the new ones by their rows.

        :param old: numbers of anchors, by row.
        :param new: numbers of anchors, by target and text.
        :param site: the page's site.
        """
        rows: dict[int, int] = {}
        known, changes = self._rows[site], self._changes
        for anchor, count in new.items():
            row = known.get(anchor)
            if row is None:
                row = known[anchor] = self._row(anchor, site)
            changes[row] += count
            rows[row] = count
        for row, count in old.items():
            changes[row] -= count
        self._gone.update(old.keys() - rows.keys())
        return rows

    def add_missing(self, anchors: Iterable[tuple[str, str]], site: str) -> None:
        """Add the anchors that no page of the site has, each with the number 1."""
        self.write()
        self._db.executemany(_INSERT, [(*anchor, site, 1) for anchor in anchors])

    def write(self) -> None:
        """Write all changes, and remove the rows that no page has any more."""
        changed = sorted((change, row) for row, change in self._changes.items() if change)
        self._db.executemany(_ADD_TO_COUNT, changed)
        if self._gone:
            self._db.executemany(_REMOVE, [(row,) for row in sorted(self._gone)])
            self._rows.clear()
        self._changes.clear()
        self._gone.clear()

    def _row(self, anchor: tuple[str, str], site: str) -> int:
        """Return the number of an anchor's row. A new one has the count 0."""
        cursor = self._db.execute(_INSERT, (*anchor, site, 0))
        if cursor.rowcount:
            return cursor.lastrowid or 0
        return int(self._db.execute(_FIND_ROW, (*anchor, site)).fetchone()[0])


def pack_ledger(ledger: Mapping[int, int]) -> bytes:
    """Return a ledger as it is stored: about two bytes an anchor."""
    return zlib.compress(str(sorted(ledger.items())).encode().translate(_TO_JSON, b" "), _LEDGER_LEVEL)


def unpack_ledger(packed: bytes | None) -> dict[int, int]:
    """Return a stored ledger; an empty one if the page's anchors are unknown.

    :raises ValueError: it is damaged.
    """
    if packed is None:
        return {}
    try:
        ledger = {int(row): int(count) for row, count in json.loads(inflate(packed))}
        array("q", chain.from_iterable(ledger.items()))  # SQLite takes no larger numbers
    except (*DAMAGE, OverflowError) as error:
        raise ValueError(str(error)) from error
    return ledger


# The types must be checked, because in a damaged file a column may hold anything.
_ANCHORS = """
SELECT target, text, site, count FROM anchor
WHERE typeof(target) = 'text' AND typeof(text) = 'text' AND typeof(count) = 'integer'
"""
_OF_SITES = " AND site IN (SELECT value FROM json_each(?))"


class SqliteLinkinfo:
    """Linkinfo that is read from the file.

    A url has only the anchor texts of its own site's pages. Those of other sites are stored as well, but
    learning never mixes two sites.

    :param sites: only the anchor texts of these sites' pages; None: of all.
    """

    def __init__(self, file: Database, sites: Collection[str] | None = None) -> None:
        self._file = file
        self._sql = _ANCHORS if sites is None else _ANCHORS + _OF_SITES
        self._values = () if sites is None else (json.dumps(sorted(sites)),)

    def items(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Yield each url once with its anchor texts, in the order of the urls; one url is held at a time.

        :raises LearningSetError: the file is damaged, or somebody has begun to write to it meanwhile.
        """
        with self._file.translated():
            self._file.read(most_rows)  # opens the file again if somebody is writing it now
            for target, group in groupby(self._rows(), key=itemgetter(0)):
                target_site = site_of(target)
                texts = {text: count for _, text, site, count in group if site == target_site}
                if texts:
                    yield target, texts

    def _rows(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield the rows in one pass. It fails if somebody begins to write the file: it cannot restart."""
        db = self._file.connection
        changed = sqlite3.OperationalError("another program has begun to write to it; read it again")
        try:
            yield from bounded_rows(db, self._sql + " ORDER BY target, text, site", self._values)
        except sqlite3.Error:
            if self._file.has_changed() or self._file.connection is not db:
                raise changed from None
            raise
        if self._file.has_changed():
            raise changed
