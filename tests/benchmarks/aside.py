"""Choose the corpora that are kept out of all decisions about rules, weights and thresholds."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["is_aside"]

#: The end of the name of a corpus that has some pages of another one: both are on the same side.
_PART = "-few"


def is_aside(name: str) -> bool:
    """Return whether a corpus is kept aside. A digest of the names draws a third of the corpora.

    >>> is_aside("flink"), is_aside("kinopyo")
    (True, False)
    """
    digest = sha256(name.removesuffix(_PART).encode()).digest()
    return int.from_bytes(digest) % 3 == 0
