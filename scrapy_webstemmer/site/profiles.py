"""Measure the similarity of two path layouts: the share of their text at places where both have text.

It is Webstemmer's measure: the weight of the blocks in the common sequence, over the weight of all blocks
of both pages. Here a feature names the whole path, so the order of the blocks adds nothing, and no sequence
is needed. Departure: boilerplate is left out, since all layouts of a site share it.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Mapping, Sequence

from .placed import PlacedLayout
from .weighing import weights_by_feature

#: Weight of a page's text by feature.
Profile = Mapping[str, float]

#: Mark of a feature that stands for all text in an element, whatever its place there.
ANYTHING = "/*"

#: Bound: features with a smaller share of a cluster's text are not saved.
_NEGLIGIBLE = 0.0005


def profile_of(page: PlacedLayout) -> Profile:
    """Return a page's weight by feature, without boilerplate; with it if there is no other text.

    A feature is the element of the template that holds a block: the block's path without bare tags of running
    text.
    """
    return weights_by_feature(page, False) or weights_by_feature(page, True)


def folded(profile: Profile, container: str) -> Profile:
    """Return a profile in which all text in a container is one feature.

    Then the elements that tools made of an author's text (sections in sections, wrapped code) do not count.
    """
    weights: dict[str, float] = defaultdict(float)
    anything, inner = container + ANYTHING, f"{container}/"
    for feature, weight in profile.items():
        weights[anything if feature == container or feature.startswith(inner) else feature] += weight
    return weights


def profile_similarity(page: Profile, typical: Profile) -> float:
    """Return the share of the text at places that a page and a cluster have in common, 0 to 1, symmetric.

    The page has as much weight as the cluster, however long it is.
    """
    page_total, typical_total = sum(page.values()), sum(typical.values())
    if not page_total or not typical_total:
        return 0.0
    shared = [name for name in page if name in typical]  # not a set: sums of floats depend on the order
    page_share = sum([page[name] for name in shared]) / page_total
    return (page_share + sum([typical[name] for name in shared]) / typical_total) / 2


def mean_profile(profiles: Sequence[Profile]) -> dict[str, float]:
    """Return the mean share of the text by feature: the profile of a typical page of a cluster."""
    total: dict[str, float] = defaultdict(float)
    for profile in profiles:
        whole = sum(profile.values()) or 1.0
        for name, weight in profile.items():
            total[name] += weight / whole
    shares = {name: weight / len(profiles) for name, weight in sorted(total.items())}
    return {name: round(share, 5) for name, share in shares.items() if share >= _NEGLIGIBLE}


#: Format: bits of a word, in which features are counted.
_BITS = 64


class ProfileTable:
    """A table of profiles in the order in which they were added. Weights are whole numbers.

    It compares a page's profile with many at once. The weights of a feature on all pages are one long
    integer, with 64 bits a page. The sum of two such integers has the sum of the weights of each page, and no
    sum reaches the next page's bits, since it is less than the weight of two pages.
    """

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
        """Return the similarity of a profile to each one in the table, 0 to 1, symmetric.

        It is the weight of the features that both have, over the weight of all features of both.

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
