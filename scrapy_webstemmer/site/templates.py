"""Which pages have the same layout, and the parts of a layout: sections with their scores, templates."""

from __future__ import annotations

import hashlib
import heapq
import random
import struct
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean
from typing import TypeVar

from ..base.samples import drawn
from ..base.sequences import Words, common_length, common_words
from ..values import Section
from .model import PlacedLayout
from .paths import coarse, is_under
from .placing import weights_by_feature

# --- Measure the similarity of two path layouts: the share of their text at places where both have text
#
# It is Webstemmer's measure: the weight of the blocks in the common sequence, over the weight of all blocks
# of both pages. Here a feature names the whole path, so the order of the blocks adds nothing, and no sequence
# is needed. Departure: boilerplate is left out, since all layouts of a site share it.

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
    return weights_by_feature(page, coarse, False) or weights_by_feature(page, coarse, True)


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

#: Format: bits of a word, in which features are counted.
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

#: Bound: this many pages are compared pairwise. Each of the others joins one of the clusters that these
#: form.
_SAMPLE = 300

#: Bound: a further page is compared with this many members of each cluster.
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


# --- Compute the DiffScore and MainScore of a cluster's sections
#
# Source: documentation of Webstemmer, scores. Departures: if a section has more pairs of texts than
# ``max_pairs``, a sample of them is compared, drawn the same way every time. Path layouts use an estimate:
# there a score shows what varies, and is not a threshold for the main text.

#: Bound: so many pairs of pages give a DiffScore.
MAX_PAIRS = 200

#: An estimate compares the first characters of this many texts.
_FEW, _OPENING = 15, 500

Text = TypeVar("Text", bound=Sized)


def diff_score(
    texts: Sequence[Text],
    max_pairs: int = MAX_PAIRS,
    common: Callable[[Text, Text], int] = common_length,  # type: ignore[assignment]
) -> float:
    """Return how much a section's texts differ from page to page, from 0 (the same) to 1.

    :param common: returns the length that two texts have in common.

    It is the sum over pairs of W(a) + W(b) - 2 |MCS(a, b)|, over the sum of W(a) + W(b).
    For a section of a single page it is 1.

    Cost: one comparison per pair, at most ``max_pairs``; equal texts cost nothing.
    """
    if len(texts) < 2:
        return 1.0
    different = total = 0
    for a, b in _pairs(texts, max_pairs):
        length = len(a) + len(b)
        total += length
        if a != b:
            different += length - 2 * common(a, b)
    return different / total if total else 0.0


def estimated_diff_score(texts: Sequence[str]) -> float:
    """Return an estimate of :func:`diff_score`, at a hundredth of its cost.

    The words in the first 500 characters of fifteen texts are compared, the same fifteen every time.
    """
    if len(texts) < 2:
        return 1.0
    if all(text == texts[0] for text in texts):
        return 0.0
    draw = random.Random(len(texts))  # noqa: S311 - a sample, not a secret; the same in every run
    sample = draw.sample(texts, _FEW) if len(texts) > _FEW else texts
    return diff_score([Words(text[:_OPENING]) for text in sample], common=common_words)


def main_score(diff: float, plain: int, pages: int) -> float:
    """Return DiffScore times the mean weight outside links over all of the cluster's pages.

    :param plain: the section's weight outside links, summed over all pages.
    """
    return diff * plain / pages if pages else 0.0


def _pairs(texts: Sequence[Text], max_pairs: int) -> Iterator[tuple[Text, Text]]:
    count = len(texts)
    if count * (count - 1) // 2 <= max_pairs:
        for i in range(count):
            for j in range(i):
                yield texts[i], texts[j]
        return
    draw = random.Random(count)  # noqa: S311 - a sample, not a secret; the same in every run
    for _ in range(max_pairs):
        i, j = draw.sample(range(count), 2)
        yield texts[i], texts[j]


# --- Find the sections of a cluster with path layouts: the blocks that its pages have at one path
#
# A path names its place, so all blocks at one path are a section. (In layouts of 2009 a section is a part of
# the common sequence: ``classic/patterns_2009.py``.)


@dataclass(slots=True)
class _Occurrences:
    """The blocks at one path: for each page with the path its text and its position; the sums of weights."""

    texts: list[str] = field(default_factory=list)
    positions: list[float] = field(default_factory=list)
    plain: int = 0
    weight: int = 0


#: A section must be on at least this share of a cluster's pages.
_SUPPORT = 0.5


def find_sections(pages: Sequence[PlacedLayout]) -> tuple[Section, ...]:
    """Return the sections of a cluster, in the order of its pages, with their scores.

    Cost: linear in the number of blocks, and at most 100 comparisons of texts per section.
    """
    found: dict[str, _Occurrences] = defaultdict(_Occurrences)
    for page in pages:
        _add_page(page, found)
    kept = [(path, seen) for path, seen in found.items() if len(seen.texts) >= _SUPPORT * len(pages)]
    kept.sort(key=lambda item: (fmean(item[1].positions), item[0]))
    return tuple(_scored(path, seen, len(pages)) for path, seen in kept)


def _add_page(page: PlacedLayout, found: dict[str, _Occurrences]) -> None:
    blocks, paths = page.layout.blocks, page.paths
    here: dict[str, list[str]] = {}
    for index, (node, text, weight, plain) in enumerate(blocks):
        path = paths[node]
        seen = found[path]
        seen.plain += plain
        seen.weight += weight
        if path in here:
            here[path].append(text)
        else:
            here[path] = [text]
            seen.positions.append(index / len(blocks))
    for path, texts in here.items():
        found[path].texts.append(texts[0] if len(texts) == 1 else "\n".join(texts))


def _scored(path: str, seen: _Occurrences, pages: int) -> Section:
    diff = estimated_diff_score(seen.texts)
    main = main_score(diff, seen.plain, pages)
    return Section(path, round(diff, 4), round(main, 2), round(seen.weight / pages, 2))


# --- Join clusters of one template: they differ only in the text of the authors inside one container
#
# Some tools turn an author's text into sections in sections, or wrap code and lists. Then pages of one
# template are as unlike as those of two. But they have the same container, the same place of the title, and
# the same parts around them.


@dataclass(frozen=True)
class Template:
    """The pages of one template, and properties of them that are computed once, on demand.

    :param pages: the pages, sorted by url.
    :param container: path of the element that holds the main text.
    :param kind: whether they are articles (``article``) or lists and other pages (``index``).
    :param joined: whether several clusters were joined; then all text in the container is one feature.
    :param samples: how many of the pages are looked at closely; 0: all.
    :param profiles: the known profiles of pages, by url.
    """

    pages: Sequence[PlacedLayout]
    container: str
    kind: str = "article"
    joined: bool = False
    samples: int = 0
    profiles: Mapping[str, Profile] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def sample(self) -> Sequence[PlacedLayout]:
        """The pages that are looked at closely."""
        return drawn(self.pages, self.samples)

    @cached_property
    def profile(self) -> dict[str, float]:
        """The profile of a typical page."""
        profiles = [self.profiles.get(page.url) or profile_of(page) for page in self.sample]
        if self.joined:
            profiles = [folded(profile, self.container) for profile in profiles]
        return mean_profile(profiles)


def join_templates(
    templates: Sequence[Template],
    title_of: Callable[[Template], tuple[str, ...]],
    threshold: float,
) -> list[Template]:
    """Join the clusters that belong to one template; return all templates.

    A cluster belongs to a larger one if three conditions hold. It has the same
    container, or a deeper one in it without ids and classes. Its title is at the same
    place. Both are alike if all text in the container is taken as one feature.
    Templates of articles and of other pages are never joined.

    :param templates: each of one cluster, largest first.
    :param title_of: returns the place of a template's title, empty if there is none; called several times
        for some templates.
    :param threshold: similarity from which on two are joined, as for the pages of a cluster.

    Cost: a comparison of profiles for each pair whose containers agree.
    """
    found: dict[int, Template] = {}  # by the number of the largest cluster, which gives the title for all
    for number, own in enumerate(templates):
        same = (
            n
            for n, other in found.items()
            if own.kind == other.kind
            and _alike(own, other, threshold)
            and title_of(own) == title_of(templates[n])
        )
        larger = next(same, None)
        if larger is None:
            found[number] = own
        else:
            other = found[larger]
            joined = sorted([*other.pages, *own.pages], key=lambda page: page.url)
            found[larger] = replace(other, pages=joined, joined=True)
    return list(found.values())


def _alike(own: Template, other: Template, threshold: float) -> bool:
    """Return whether a template has the container of another, and all parts around it are alike."""
    # if the container is the body, all text folds into it, and nothing is left to compare
    if "/" not in other.container or not is_under(own.container, other.container):
        return False
    deeper = own.container[len(other.container) :]
    if "." in deeper or "#" in deeper:
        return False
    profiles = [folded(template.profile, other.container) for template in (own, other)]
    return profile_similarity(*profiles) >= threshold
