"""Which pages have the same layout."""

from __future__ import annotations

import hashlib
import heapq
import struct
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from ..base.work import compiled
from .model import PlacedLayout
from .paths import coarse, is_under

# --- Measure the similarity of two path layouts: the share of their text at places where both have text
#
# It is Webstemmer's measure: the weight of the blocks in the common sequence, over the weight of all blocks
# of both pages. Here a feature names the whole path, so the order of the blocks adds nothing, and no sequence
# is needed. Departure: boilerplate is left out, since all layouts of a site share it.

#: Weight of a page's text by feature.
Profile = Mapping[str, float]

#: Mark of a feature that stands for all text in an element, whatever its place there.
ANYTHING = "/*"

#: Features with a smaller share of a cluster's text are not saved.
_NEGLIGIBLE = 0.0005


def profile_of(page: PlacedLayout) -> Profile:
    """Return a page's weight by feature, without boilerplate; with it if there is no other text.

    A feature is the element of the template that holds a block: the block's path without bare tags of running
    text.
    """
    if placing := compiled("site.placing"):
        weigh: Callable[[PlacedLayout, object, bool], Profile] = placing.weights_by_feature
        return weigh(page, coarse, False) or weigh(page, coarse, True)
    found = _weights(page, page.boilerplate)
    return found or _weights(page, [False] * len(page.boilerplate))


def _weights(page: PlacedLayout, left_out: Sequence[bool]) -> Profile:
    """Return the weight by feature of the blocks that are not left out."""
    found: dict[str, int] = {}
    for block, path, out in zip(page.layout.blocks, page.places, left_out, strict=True):
        if not out:
            feature = coarse(path)
            found[feature] = found.get(feature, 0) + block.weight
    return found


def folded(profile: Profile, container: str) -> Profile:
    """Return a profile in which all text in a container is one feature.

    Then the elements that tools made of an author's text (sections in sections, wrapped code) do not count.
    """
    found: dict[str, float] = defaultdict(float)
    for feature, weight in profile.items():
        found[container + ANYTHING if is_under(feature, container) else feature] += weight
    return found


def profile_similarity(page: Profile, typical: Profile) -> float:
    """Return the share of the text at places that a page and a cluster have in common, 0 to 1, symmetric.

    The page has as much weight as the cluster, however long it is.
    """
    own, other = sum(page.values()), sum(typical.values())
    if not own or not other:
        return 0.0
    shared = [name for name in page if name in typical]  # not a set: sums of floats depend on the order
    return (sum([page[name] for name in shared]) / own + sum([typical[name] for name in shared]) / other) / 2


def mean_profile(profiles: Sequence[Profile]) -> dict[str, float]:
    """Return the mean share of the text by feature: the profile of a typical page of a cluster."""
    total: dict[str, float] = defaultdict(float)
    for profile in profiles:
        whole = sum(profile.values()) or 1.0
        for name, weight in profile.items():
            total[name] += weight / whole
    shares = {name: weight / len(profiles) for name, weight in sorted(total.items())}
    return {name: round(share, 5) for name, share in shares.items() if share >= _NEGLIGIBLE}


# --- Compare a page's profile with those of many pages at once
#
# The weights of a feature on all pages are one long integer, with 64 bits per page. The sum of two such
# integers has the sum of the weights of each page. No sum reaches the next page's bits, since it is less than
# the weight of two pages.

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


# --- Group pages with the same layout into clusters
#
# The method is complete linkage: every pair of a cluster's pages reaches the threshold. Source: documentation
# of Webstemmer, clustering. Departure: the best pair is joined first, not the first pair that fits. So the
# result does not depend on the order in which pages were crawled.

#: This many pages are compared pairwise. Each of the others joins one of the clusters that these form.
_SAMPLE = 300

#: A further page is compared with this many members of each cluster.
_REPRESENTATIVES = 5


def cluster(profiles: Sequence[Profile], threshold: float, *, keys: Sequence[str]) -> list[list[int]]:
    """Return the clusters as lists of indexes, largest first.

    Three hundred pages are compared pairwise. Each of the others joins the cluster whose first five members
    are all like it.

    :param profiles: the profile of each page.
    :param threshold: the least similarity within a cluster, from 0 to 1.
    :param keys: a different key for each page. The pages are ordered by its digest, so their own order does
        not matter.

    Cost: the square of the number of pages up to three hundred; above it, for each further page, some bytes
    per cluster.
    """
    order = sorted(range(len(profiles)), key=lambda i: (hashlib.sha256(keys[i].encode()).digest(), keys[i]))
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index in order[:_SAMPLE]:
        groups[frozenset(profiles[index])].append(index)  # text at the same places: the similarity is 1
    clusters = _complete_linkage(profiles, list(groups.values()), threshold)
    _assign(order[_SAMPLE:], profiles, clusters, threshold)
    for members in clusters:
        members.sort(key=keys.__getitem__)
    return sorted(clusters, key=lambda members: (-len(members), keys[members[0]]))


def _complete_linkage(
    profiles: Sequence[Profile], groups: list[list[int]], threshold: float
) -> list[list[int]]:
    """Return clusters made of groups of pages; the pages of one group have similarity 1."""
    clusters = dict(enumerate(groups))
    near = _near(profiles, groups, threshold)
    heap = [(-score, a, b) for b, others in near.items() for a, score in others.items() if a < b]
    heapq.heapify(heap)
    latest = len(groups)
    while heap:
        _, a, b = heapq.heappop(heap)
        if a not in clusters or b not in clusters:
            continue
        clusters[latest] = clusters.pop(a) + clusters.pop(b)
        near_a, near_b = near.pop(a), near.pop(b)
        near[latest] = {}
        for other in near_a.keys() & near_b.keys() & clusters.keys():
            score = min(near_a[other], near_b[other])
            near[latest][other] = near[other][latest] = score
            heapq.heappush(heap, (-score, other, latest))
        latest += 1
    return list(clusters.values())


def _near(
    profiles: Sequence[Profile], groups: list[list[int]], threshold: float
) -> dict[int, dict[int, float]]:
    """Return for each group the groups that are like it in every pair, with the lowest such similarity."""
    near: dict[int, dict[int, float]] = {}
    spans: list[tuple[int, int]] = []
    table = ProfileTable()
    for b, members in enumerate(groups):
        rows = [table.similarities(profiles[index]) for index in members]
        least = rows[0] if len(rows) == 1 else list(map(min, *rows))
        near[b] = {}
        for a, (start, end) in enumerate(spans):
            score = min(least[start:end])
            if score >= threshold:
                near[a][b] = near[b][a] = score
        start = spans[-1][1] if spans else 0
        spans.append((start, start + len(members)))
        for index in members:
            table.add(profiles[index])
    return near


def _assign(
    rest: Iterable[int], profiles: Sequence[Profile], clusters: list[list[int]], threshold: float
) -> None:
    """Add each page to the cluster whose first members are most like it, or to a new cluster."""
    owners: list[int] = []
    table = ProfileTable()

    def represent(number: int, index: int) -> None:
        owners.append(number)
        table.add(profiles[index])

    for number, members in enumerate(clusters):
        for index in members[:_REPRESENTATIVES]:
            represent(number, index)
    for index in rest:
        least = [1.0] * len(clusters)
        for number, score in zip(owners, table.similarities(profiles[index]), strict=True):
            if score < least[number]:
                least[number] = score
        best = max(range(len(clusters)), key=least.__getitem__, default=None)
        if best is None or least[best] < threshold:
            best = len(clusters)
            clusters.append([])
        clusters[best].append(index)
        if len(clusters[best]) <= _REPRESENTATIVES:
            represent(best, index)
