"""Look up the sites of a SQLite learning set, and the pages of some of them, without reading any body."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping

from .sqlite import SqliteLearningSet

__all__ = ["count_pages", "keys_of"]

# The types must be checked, because in a damaged file a column may hold anything.
_COUNTS = """
SELECT site, COUNT(*) FROM page
WHERE typeof(site) = 'text' AND site IN (SELECT value FROM json_each(?)) GROUP BY site
"""
_KEYS = """
SELECT site, key FROM page
WHERE typeof(site) = 'text' AND site IN (SELECT value FROM json_each(?)) AND typeof(key) = 'text' ORDER BY key
"""


def count_pages(learning_set: SqliteLearningSet, sites: Collection[str]) -> Mapping[str, int]:
    """Return the number of pages of each of some sites; a site without pages is left out.

    Cost: one pass over the rows, without their bodies.

    :raises LearningSetError: the file is damaged, or cannot be read.
    """
    return dict(learning_set.rows(_COUNTS, (json.dumps(sorted(sites)),)))


def keys_of(learning_set: SqliteLearningSet, sites: Collection[str]) -> Mapping[str, list[str]]:
    """Return the canonical urls of the pages of some sites, in their order, by site.

    :raises LearningSetError: the file is damaged, or cannot be read.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for site, key in learning_set.rows(_KEYS, (json.dumps(sorted(sites)),)):
        found[site].append(key)
    return found
