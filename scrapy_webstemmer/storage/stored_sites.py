"""Sum up what a SQLite learning set has of each site."""

from __future__ import annotations

from sqlite3 import Connection
from typing import NamedTuple

from ..base.database import most_rows

# The types must be checked, because in a damaged file a column may hold anything. The limit ends the reading
# of a doctored file that leads to the same rows again and again.
_PAGES = """
SELECT site, COUNT(*), min(fetched), max(fetched), sum(length(body)), 0 FROM (
    SELECT site, body, CASE WHEN typeof(fetched) = 'text' THEN fetched END AS fetched
    FROM page WHERE typeof(site) = 'text' LIMIT ?
) GROUP BY site
"""
_ANCHORS_OF_SITES = """
SELECT site, COUNT(*) FROM (SELECT site FROM anchor WHERE typeof(site) = 'text' LIMIT ?) GROUP BY site
"""


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


def stored_sites(db: Connection) -> list[StoredSite]:
    """Return the sites of a learning set, those with the most pages first.

    Cost: one pass over the rows of pages, without their bodies, and one over the anchors.
    """
    most = most_rows(db)
    found = {row[0]: StoredSite(*row) for row in db.execute(_PAGES, (most,))}
    for site, anchors in db.execute(_ANCHORS_OF_SITES, (most,)):
        found[site] = found.get(site, StoredSite(site, 0, None, None, 0, 0))._replace(anchors=anchors)
    return sorted(found.values(), key=lambda one: (-one.pages, one.site))
