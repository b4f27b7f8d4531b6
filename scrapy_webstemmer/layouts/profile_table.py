"""Compare a page's profile with those of many pages at once.

The weights of a feature on all pages are one long integer, with 64 bits per page.
The sum of two such integers has the sum of the weights of each page. No sum
reaches the next page's bits, since it is less than the weight of two pages.
"""

from __future__ import annotations

import struct
from collections import defaultdict

from .similarity import Profile

_BITS = 64


class ProfileTable:
    """A table of profiles in the order in which they were added. Weights are whole numbers."""

    def __init__(self) -> None:
        self._totals: list[int] = []
        self._weights: defaultdict[str, int] = defaultdict(int)
        self._present: defaultdict[str, int] = defaultdict(int)

    def add(self, profile: Profile) -> None:
        """Add a profile. Cost: some bytes for each of its features and each profile in the table."""
        shift = _BITS * len(self._totals)
        self._totals.append(int(sum(profile.values())))
        for feature, weight in profile.items():
            self._weights[feature] |= int(weight) << shift
            self._present[feature] |= 1 << shift

    def similarities(self, profile: Profile) -> list[float]:
        """Return the :func:`~.similarity.path_similarity` of a profile to each one in the table.

        Cost: per feature, an addition of integers with 8 bytes for each profile in the table.
        """
        shared = 0
        for feature, weight in profile.items():
            if feature in self._weights:
                shared += self._weights[feature] + int(weight) * self._present[feature]
        count, total = len(self._totals), int(sum(profile.values()))
        lanes = struct.unpack(f"<{count}Q", shared.to_bytes(count * _BITS // 8, "little"))
        return [
            common / (total + other) if total + other else 1.0
            for common, other in zip(lanes, self._totals, strict=True)
        ]
