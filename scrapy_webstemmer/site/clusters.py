"""Which pages have the same layout.

Measure the similarity of two path layouts: the share of their text at places where both have text.

It is Webstemmer's measure: the weight of the blocks in the common sequence, over
the weight of all blocks of both pages. Here a feature names the whole path, so the
order of the blocks adds nothing, and no sequence is needed. Departure: boilerplate
is left out, since all layouts of a site share it.

Group pages with the same layout into clusters.

The method is complete linkage: every pair of a cluster's pages reaches the
threshold. Source: documentation of Webstemmer, clustering. Departure: the best
pair is joined first, not the first pair that fits. So the result does not depend
on the order in which pages were crawled.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from ..base.work import compiled
from .model import PlacedLayout
from .paths import coarse, is_under

# --- Measure the similarity of two path layouts: the share of their text at places where both have text

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


def path_similarity(a: Profile, b: Profile) -> float:
    """Return the weight of the features that both pages have, over the weight of all; 0 to 1, symmetric."""
    total = sum(a.values()) + sum(b.values())
    if not total:
        return 1.0
    return sum(a[name] + b[name] for name in a.keys() & b.keys()) / total


def profile_similarity(page: Profile, typical: Profile) -> float:
    """Return the similarity of a page and a cluster, 0 to 1: :func:`path_similarity` with equal weights."""
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


# --- Group pages with the same layout into clusters

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

#: This many items are compared pairwise. Each of the others joins one of the clusters that these form.
_SAMPLE = 300

#: A further page is compared with this many members of each cluster.
_REPRESENTATIVES = 5


class Table(Protocol[T_contra]):
    """A table of items; a further item is compared with all of them at once."""

    def add(self, item: T_contra, /) -> None:
        """Add an item."""

    def similarities(self, item: T_contra, /) -> Sequence[float]:
        """Return the similarity of an item to each one in the table, from 0 to 1; symmetric."""


def cluster(
    items: Sequence[T],
    table: Callable[[], Table[T]],
    threshold: float,
    *,
    keys: Sequence[str],
    kinds: Sequence[Hashable],
    sample: int | None = _SAMPLE,
) -> list[list[int]]:
    """Return the clusters as lists of indexes, largest first.

    :param table: makes an empty table of items.
    :param threshold: the least similarity within a cluster, from 0 to 1.
    :param keys: a different key for each item. The items are ordered by its digest, so their own order does
        not matter.
    :param kinds: items of the same kind must have similarity 1; this saves time.
    :param sample: how many items are compared pairwise. Each of the others joins the cluster whose first
        five members are all like it. None: all items, and every pair of a cluster reaches the threshold.

    Cost: the square of the number of items up to the sample's size; above it, for each further item, some
    bytes per cluster.
    """
    order = sorted(range(len(items)), key=lambda i: (hashlib.sha256(keys[i].encode()).digest(), keys[i]))
    chosen, rest = order[:sample], ([] if sample is None else order[sample:])
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index in chosen:
        groups[kinds[index]].append(index)
    clusters = _complete_linkage(items, list(groups.values()), table(), threshold)
    _assign(rest, items, clusters, table(), threshold)
    for members in clusters:
        members.sort(key=keys.__getitem__)
    return sorted(clusters, key=lambda members: (-len(members), keys[members[0]]))


def _complete_linkage(
    items: Sequence[T], groups: list[list[int]], table: Table[T], threshold: float
) -> list[list[int]]:
    """Return clusters made of groups of items; the items of one group have similarity 1."""
    clusters = dict(enumerate(groups))
    near = _near(items, groups, table, threshold)
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
    items: Sequence[T], groups: list[list[int]], table: Table[T], threshold: float
) -> dict[int, dict[int, float]]:
    """Return for each group the groups that are like it in every pair, with the lowest such similarity."""
    near: dict[int, dict[int, float]] = {}
    spans: list[tuple[int, int]] = []
    for b, members in enumerate(groups):
        rows = [table.similarities(items[index]) for index in members]
        least = rows[0] if len(rows) == 1 else list(map(min, *rows))
        near[b] = {}
        for a, (start, end) in enumerate(spans):
            score = min(least[start:end])
            if score >= threshold:
                near[a][b] = near[b][a] = score
        start = spans[-1][1] if spans else 0
        spans.append((start, start + len(members)))
        for index in members:
            table.add(items[index])
    return near


def _assign(
    rest: Iterable[int], items: Sequence[T], clusters: list[list[int]], table: Table[T], threshold: float
) -> None:
    """Add each item to the cluster whose first members are most like it, or to a new cluster."""
    owners: list[int] = []

    def represent(number: int, index: int) -> None:
        owners.append(number)
        table.add(items[index])

    for number, members in enumerate(clusters):
        for index in members[:_REPRESENTATIVES]:
            represent(number, index)
    for index in rest:
        least = [1.0] * len(clusters)
        for number, score in zip(owners, table.similarities(items[index]), strict=True):
            if score < least[number]:
                least[number] = score
        best = max(range(len(clusters)), key=least.__getitem__, default=None)
        if best is None or least[best] < threshold:
            best = len(clusters)
            clusters.append([])
        clusters[best].append(index)
        if len(clusters[best]) <= _REPRESENTATIVES:
            represent(best, index)
