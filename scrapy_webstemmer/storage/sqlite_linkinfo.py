"""Read the anchor texts that a SQLite learning set has recorded."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from ..base.database import Database, bounded_rows, most_rows
from ..base.urls import site_of

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
                own = site_of(target)
                texts = {text: count for _, text, site, count in group if site == own}
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
