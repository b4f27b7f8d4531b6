"""Layouts as sequences of features: how alike two are, and what the pages of a cluster have in common.

Source: documentation of Webstemmer, similarity and layout patterns; program of
0.7.1. Departures:

- The similarity is the largest that an assignment of blocks to a common sequence
  can have. In 2009 the sequence was the one that difflib found, longest match
  first, and the number of blocks counted, not their weight; the result depended
  on which page came first.
- The common sequence of a cluster is reduced by longest common subsequences, in
  the order of the pages' urls, after the features that some page lacks are
  dropped; the order in which pages were crawled has no part in it.
- Neighbours of equal feature in a common sequence are one section.
- Of a page the first 3,000 runs of equal features count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.sequences import common_sequence
from ..values import Layout
from .alignment import Run, aligned_weight, collapse
from .features import features_of

__all__ = [
    "MAX_RUNS",
    "SequenceLayout",
    "as_sequence",
    "common_features",
    "sequence_similarity",
]

#: Runs of equal features from which on the rest of a page is skipped: comparing costs their product.
MAX_RUNS = 3000


@dataclass(frozen=True, slots=True)
class SequenceLayout:
    """A layout as the sequence of its blocks' features.

    :param features: of each block.
    :param runs: neighbours of equal feature joined, with their weight.
    :param weights: the weight of all blocks by feature.
    :param weight: the weight of all blocks.
    """

    layout: Layout
    features: tuple[str, ...]
    runs: tuple[Run, ...]
    weights: Mapping[str, int]
    weight: int


def as_sequence(layout: Layout) -> SequenceLayout:
    """Return the sequence of a layout that was made with the tags of 2009."""
    by_node = features_of(layout)
    features = tuple(by_node[block.node] for block in layout.blocks)
    runs = collapse((feature, block.weight) for feature, block in zip(features, layout.blocks, strict=True))
    if len(runs) > MAX_RUNS:
        starts = [i for i, feature in enumerate(features) if not i or features[i - 1] != feature]
        runs, features = runs[:MAX_RUNS], features[: starts[MAX_RUNS]]
    weights: Counter[str] = Counter()
    for feature, weight in runs:
        weights[feature] += weight
    return SequenceLayout(layout, features, tuple(runs), dict(weights), sum(weights.values()))


def sequence_similarity(a: SequenceLayout, b: SequenceLayout, threshold: float = 0.0) -> float:
    """Return how alike two layouts are, 0 to 1; symmetric, and 1 for equal sequences.

    The largest weight, over all feature sequences that both pages contain, of the
    blocks that can be assigned to such a sequence in order, any number to one
    item and none empty; over the weight of all blocks of both.

    :param threshold: below it the value may be an upper bound instead, which costs far less.

    Cost: linear in the features where the pages share too few, or are alike but
    for what only one has; else that of :func:`~.alignment.aligned_weight`.
    """
    if a.features == b.features:
        return 1.0
    shared = a.weights.keys() & b.weights.keys()
    both = a.weight + b.weight
    most = sum(a.weights[feature] + b.weights[feature] for feature in shared)
    if not shared or most / both < threshold:
        return most / both
    runs_a, runs_b = _only(a.runs, shared), _only(b.runs, shared)
    if [feature for feature, _ in runs_a] == [feature for feature, _ in runs_b]:
        return most / both
    return aligned_weight(runs_a, runs_b) / both


def _only(runs: Sequence[Run], features: set[str]) -> list[Run]:
    return collapse(run for run in runs if run[0] in features)


def common_features(pages: Sequence[SequenceLayout]) -> tuple[str, ...]:
    """Return the sequence of features that all pages of a cluster contain, in this order; neighbours differ.

    Cost: one comparison a page whose sequence differs from those before.
    """
    shared = set.intersection(*(set(page.weights) for page in pages))
    sequences = dict.fromkeys(
        tuple(feature for feature, _ in _only(page.runs, shared))
        for page in sorted(pages, key=lambda page: page.layout.url)
    )
    first, *others = sequences
    common = list(first)
    for other in others:
        kept = common_sequence(common, other)
        common = [feature for feature, _ in collapse((feature, 0) for feature in kept)]
    return tuple(common)
