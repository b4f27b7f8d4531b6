"""Measure the similarity of two path layouts: the share of their text at places where both have text.

It is Webstemmer's measure: the weight of the blocks in the common sequence, over
the weight of all blocks of both pages. Here a feature names the whole path, so the
order of the blocks adds nothing, and no sequence is needed. Departure: boilerplate
is left out, since all layouts of a site share it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from ..base.compiled import compiled
from .paths import coarse, is_under
from .placed import PlacedLayout

_placing = compiled("layouts.placing")

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
    if _placing:
        weigh: Callable[[PlacedLayout, object, bool], Profile] = _placing.weights_by_feature
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
