"""Group pages with the same layout into clusters, and join the clusters of one template.

The method is complete linkage: every pair of a cluster's pages reaches the threshold. Source: documentation
of Webstemmer, clustering. Departure: the best pair is joined first, not the first pair that fits. So the
result does not depend on the order in which pages were crawled.

Clusters of one template differ only in the text of the authors inside one container. Some tools turn an
author's text into sections in sections, or wrap code and lists. Then pages of one template are as unlike as
those of two. But they have the same container and the same place of the title.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..base.samples import drawn
from ..site.paths import is_under
from ..site.placed import PlacedLayout
from ..site.profiles import Profile, ProfileTable, folded, mean_profile, profile_of

#: Bound: this many pages are compared pairwise. Each of the others joins one of the clusters that these
#: form.
_COMPARED_PAGES = 300

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

    Cost: the square of the number of pages up to these; above them, for each further page, some bytes
    per cluster.
    """
    order = sorted(range(len(profiles)), key=lambda i: (hashlib.sha256(keys[i].encode()).digest(), keys[i]))
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index in order[:_COMPARED_PAGES]:
        groups[frozenset(profiles[index])].append(index)  # text at the same places: the similarity is 1
    clusters = _complete_linkage(profiles, list(groups.values()), threshold)
    _assign(order[_COMPARED_PAGES:], profiles, clusters, threshold)
    for members in clusters:
        members.sort(key=keys.__getitem__)
    return sorted(clusters, key=lambda members: (-len(members), keys[members[0]]))


def _complete_linkage(
    profiles: Sequence[Profile], groups: list[list[int]], threshold: float
) -> list[list[int]]:
    """Return clusters made of groups of pages; the pages of one group have similarity 1."""
    clusters = dict(enumerate(groups))
    near = _like_groups(profiles, groups, threshold)
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


def _like_groups(
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
    further: Iterable[int], profiles: Sequence[Profile], clusters: list[list[int]], threshold: float
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
    for index in further:
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
    templates: Sequence[Template], title_of: Callable[[Template], tuple[str, ...]]
) -> list[Template]:
    """Join the clusters that belong to one template; return all templates.

    A cluster belongs to a larger one if two conditions hold. It has the same
    container, or a deeper one in it without ids and classes. Its title is at the same
    place. Templates of articles and of other pages are never joined.

    :param templates: each of one cluster, largest first.
    :param title_of: returns the best place of a template's title, empty if there is none; called several
        times for some templates.

    Cost: a comparison of two paths for each pair.
    """
    joined: list[tuple[Template, Template]] = []  # each with its largest cluster, which gives the title
    for template in templates:
        for number, (larger, largest) in enumerate(joined):
            if (
                template.kind == larger.kind
                and _share_container(template, larger)
                and title_of(template) == title_of(largest)
            ):
                pages = sorted([*larger.pages, *template.pages], key=lambda page: page.url)
                joined[number] = replace(larger, pages=pages, joined=True), largest
                break
        else:
            joined.append((template, template))
    return [template for template, _ in joined]


def _share_container(smaller: Template, larger: Template) -> bool:
    """Return whether a template has the container of another, or one in it without ids and classes."""
    # if the container is the body, nothing around it tells templates apart
    if "/" not in larger.container or not is_under(smaller.container, larger.container):
        return False
    deeper = smaller.container[len(larger.container) :]
    return "." not in deeper and "#" not in deeper
