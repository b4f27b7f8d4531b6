"""The anchor texts that a learning set has recorded."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter

from ..base.urls import canonical_url, site_of
from .linkinfo import StreamedLinkinfo

__all__ = ["SqliteLinkinfo"]

# The types look superfluous, but in a damaged file a column may hold anything.
_ANCHORS = """
SELECT target, text, site, count FROM anchor
WHERE typeof(target) = 'text' AND typeof(text) = 'text' AND typeof(count) = 'integer'
"""


class SqliteLinkinfo(StreamedLinkinfo):
    """Linkinfo as it lies in the file.

    A url's texts are those of its own site's pages: what another site calls it
    is stored, but learning never mixes two sites.

    :param reading: turns what SQLite raises inside into an error of ours.
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
