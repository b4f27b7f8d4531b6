"""Keep the segment tables of many sites in memory, and save them in a SQLite file for later crawls."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..base.database import Database, FileFormat
from ..errors import SegmentFileError
from .segment_tables import SegmentOptions, SegmentRow, SegmentTable, SiteCounts

_OPTIONS = SegmentOptions()

_SCHEMA = """
CREATE TABLE site (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    pages INTEGER NOT NULL,
    different INTEGER NOT NULL
);
CREATE TABLE segment (
    site INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    frequency INTEGER NOT NULL,
    last INTEGER NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (site, digest)
) WITHOUT ROWID;
"""

#: The application id is ``WSTS`` in the file's header.
_SEGMENTS = FileFormat("segment table", 0x57535453, 2, _SCHEMA, SegmentFileError)

_SITE = """
INSERT INTO site (name, pages, different) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET pages = excluded.pages, different = excluded.different
RETURNING id
"""
_SEGMENT = "INSERT OR REPLACE INTO segment (site, digest, frequency, last, due) VALUES (?, ?, ?, ?, ?)"

# In a damaged file a column may hold anything; invalid rows are skipped.
_ROWS = """
SELECT digest, frequency, min(last, ?) FROM segment
WHERE site = ? AND typeof(digest) = 'integer' AND digest BETWEEN 0 AND 72057594037927935
    AND typeof(frequency) = 'integer' AND frequency BETWEEN 1 AND 4294967295
    AND typeof(last) = 'integer' AND last BETWEEN 0 AND 4294967295
"""
_COUNTS = """
SELECT id, pages, different FROM site WHERE name = ? AND typeof(pages) = 'integer'
    AND typeof(different) = 'integer' AND pages BETWEEN 0 AND 4294967295
"""


class SegmentTables:
    """The tables of all sites of a program, in memory alone. Each site has its own table."""

    def __init__(self, options: SegmentOptions = _OPTIONS) -> None:
        self.options = options
        self._tables: dict[str, SegmentTable] = {}

    def table(self, site: str) -> SegmentTable:
        """Return a site's table; an empty one for a new site."""
        table = self._tables.get(site)
        if table is None:
            table = self._tables[site] = self._load(site)
        return table

    def _load(self, site: str) -> SegmentTable:  # noqa: ARG002 - for classes with stored tables
        return SegmentTable(self.options)


class SegmentFile(SegmentTables):
    """Segment tables that are saved in a SQLite file; a missing or empty file is made into one.

    A site's table is read when its first page comes. A save removes it from memory
    if it is unchanged since the last save and nobody holds it. A page in work holds
    its table, because it may be counted after any number of saves. Saved data
    survives if the process is killed. Two crawls of one site at the same time would
    save only their own counts: give each crawl its own file.

    :raises SegmentFileError: the file is another program's, of an unknown version, damaged or not accessible.
    """

    def __init__(self, path: str | Path, options: SegmentOptions = _OPTIONS) -> None:
        super().__init__(options)
        self.path = Path(path)
        #: For each site in memory, the counts that are in the file.
        self._saved: dict[str, SiteCounts] = {}
        self._file = Database(self.path, _SEGMENTS, readonly=False)
        self._db = self._file.connection

    def save(self) -> None:
        """Save all changes in one transaction. Cost: a look at each segment of the changed sites.

        :raises SegmentFileError: the file cannot be written. Nothing was saved; the next save has it all.
        """
        with self._file.transaction():
            for site in self._changed():
                self._save_site(site, self._tables[site])
        changed = set(self._changed())
        for site in list(self._tables):
            if site in changed:
                self._saved[site] = replace(self._tables[site].counts)
            else:
                self._let_go(site)

    def close(self) -> None:
        """Save and close the file.

        :raises SegmentFileError: the file cannot be written; it is closed in any case.
        """
        try:
            self.save()
        finally:
            self._file.close()

    def _changed(self) -> Iterator[str]:
        return (site for site, saved in self._saved.items() if self._tables[site].counts != saved)

    def _let_go(self, site: str) -> None:
        """Forget a site's table, unless somebody still holds it: later counts in it would be lost."""
        table = weakref.ref(self._tables.pop(site))
        if (used := table()) is None:
            del self._saved[site]
        else:
            self._tables[site] = used

    def _save_site(self, site: str, table: SegmentTable) -> None:
        counts, saved = table.counts, self._saved[site].pages
        values = (site, counts.pages, counts.different)
        number = self._db.execute(_SITE, values).fetchone()[0]
        rows = ((number, *row, table.due(row)) for row in table if row.last > saved)
        self._db.executemany(_SEGMENT, rows)
        self._db.execute("DELETE FROM segment WHERE site = ? AND due <= ?", (number, counts.pages))

    def _load(self, site: str) -> SegmentTable:
        with self._file.translated(site):
            found = self._db.execute(_COUNTS, (site,)).fetchone()
            if found is None:
                self._saved[site] = SiteCounts()
                return SegmentTable(self.options)
            number, *numbers = found
            counts = SiteCounts(*numbers)
            rows = self._db.execute(_ROWS, (counts.pages, number))
            self._saved[site] = replace(counts)
            return SegmentTable(self.options, counts, map(SegmentRow._make, rows))
