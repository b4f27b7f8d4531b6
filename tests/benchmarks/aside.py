"""Which corpora have no part in any decision about rules, weights and thresholds."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["is_aside"]

#: What the name of a corpus ends with that is some pages of another one: both are on one side.
_PART = "-few"


def is_aside(name: str) -> bool:
    """Return whether a corpus is kept aside: a third of them, drawn by a digest of their names.

    >>> is_aside("flink"), is_aside("kinopyo")
    (True, False)
    """
    digest = sha256(name.removesuffix(_PART).encode()).digest()
    return int.from_bytes(digest) % 3 == 0
