"""Read the anchor texts that a SQLite learning set has recorded."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter

from ..base.urls import canonical_url, site_of
from .linkinfo import StreamedLinkinfo

__all__ = ["SqliteLinkinfo"]

# The types must be checked, because in a damaged file a column may hold anything.
_ANCHORS = """
SELECT target, text, site, count FROM anchor
WHERE typeof(target) = 'text' AND typeof(text) = 'text' AND typeof(count) = 'integer'
"""


class SqliteLinkinfo(StreamedLinkinfo):
    """Linkinfo that is read from the file.

    A url has only the anchor texts of its own site's pages. Those of other sites are stored as well, but
    learning never mixes two sites.

    :param reading: gives a context in which SQLite's errors become ours.
    """

    def __init__(self, db: sqlite3.Connection, reading: Callable[[], AbstractContextManager[None]]) -> None:
        self._db, self._reading = db, reading

    def stream(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        with self._reading():
            rows = self._db.execute(_ANCHORS + " ORDER BY target, text, site")
            for target, group in groupby(rows, key=itemgetter(0)):
                texts = _texts_of_site(target, group)
                if texts:
                    yield target, texts

    def __getitem__(self, url: str) -> Mapping[str, int]:
        key = canonical_url(url)
        with self._reading():
            rows = self._db.execute(_ANCHORS + " AND target = ? ORDER BY text, site", (key,))
            texts = _texts_of_site(key, rows)
        if not texts:
            raise KeyError(url)
        return texts


def _texts_of_site(target: str, rows: Iterable[tuple[str, str, str, int]]) -> dict[str, int]:
    own = site_of(target)
    return {text: count for _, text, site, count in rows if site == own}
