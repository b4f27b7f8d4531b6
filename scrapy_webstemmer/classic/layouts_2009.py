"""Layouts of 2009: the features of blocks, how alike two sequences of them are, and clusters of pages."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeAlias, TypeVar

from ..base.sequences import common_sequence
from ..html.tags import CLASSIC
from ..options import Patience
from ..values import Layout, Step

# --- Align two pages: compute how much of both can be assigned to one common sequence of features
#
# A page is a sequence of runs. A run is a feature and the weight of the neighbouring blocks that have it.

Run: TypeAlias = tuple[str, int]


def collapse(runs: Iterable[Run]) -> list[Run]:
    """Join neighbours of equal feature, and add up their weights."""
    joined: list[Run] = []
    for feature, weight in runs:
        if joined and joined[-1][0] == feature:
            joined[-1] = feature, joined[-1][1] + weight
        else:
            joined.append((feature, weight))
    return joined


def aligned_weight(a: Sequence[Run], b: Sequence[Run]) -> int:
    """Return the largest weight of runs that can be assigned to one common sequence.

    It is the largest over all sequences C of features that both sides contain. The
    runs of each side are assigned in order to items of C with the same feature. An
    item may get any number of runs, but at least one of each side. The result is
    symmetric. All weights must be 1 or more.

    Cost: (pairs of runs of equal feature) * (different features) * log(len(b))
    steps, after the common beginning and the common end have been set aside.
    """
    begin, end = _common_ends(a, b)
    kept = sum(weight for runs in (a, b) for _, weight in [*runs[:begin], *runs[len(runs) - end :]])
    return kept + _Alignment(a[begin : len(a) - end], b[begin : len(b) - end]).weight()


def _common_ends(a: Sequence[Run], b: Sequence[Run]) -> tuple[int, int]:
    """Return how many runs at the beginning and at the end certainly belong together.

    This is certain only for features that occur once on each side: their runs can
    be assigned to nothing else, and nothing else to them.
    """
    once = _once(a) & _once(b)
    shorter = min(len(a), len(b))
    begin = 0
    while begin < shorter and a[begin][0] == b[begin][0] in once:
        begin += 1
    end = 0
    while end < shorter - begin and a[-1 - end][0] == b[-1 - end][0] in once:
        end += 1
    return begin, end


def _once(runs: Sequence[Run]) -> set[str]:
    seen: set[str] = set()
    again: set[str] = set()
    for feature, _ in runs:
        (again if feature in seen else seen).add(feature)
    return seen - again


class _Alignment:
    """The dynamic programme behind :func:`aligned_weight`, from the last run of ``a`` to the first.

    An item of C starts at a pair (i, j) of runs of equal feature f. It takes all
    later runs of f until the next item starts at (k, l). The largest weight of the
    item and all later items is

        best(i, j) = rest_a(f, i) + rest_b(f, j) + max over (k > i, l > j) of
                     best(k, l) - rest_a(f, k) - rest_b(f, l), or 0 if there is no next,

    where rest(f, i) is the weight of f from run i on. For each f the maxima are
    kept as a staircase over the runs of ``b``, in ascending order.
    """

    def __init__(self, a: Sequence[Run], b: Sequence[Run]) -> None:
        self.a, self.width = a, len(b)
        self.columns: dict[str, list[int]] = defaultdict(list)
        for j, (feature, _) in enumerate(b):
            self.columns[feature].append(j)
        self.first = {
            feature: i for i, (feature, _) in reversed(list(enumerate(a))) if feature in self.columns
        }
        self.rest_b = {feature: _rests(b, feature) for feature in self.first}

    def weight(self) -> int:
        rest_a = dict.fromkeys(self.first, 0)
        stairs = {feature: [0] * (self.width + 1) for feature in self.first}
        largest = 0
        for i in range(len(self.a) - 1, -1, -1):
            feature, weight = self.a[i]
            if feature not in rest_a:
                continue
            rest_a[feature] += weight
            own, rest_b = stairs[feature], self.rest_b[feature]
            starts = [
                (j, rest_a[feature] + rest_b[j] + own[self.width - j - 1]) for j in self.columns[feature]
            ]
            largest = max(largest, *(best for _, best in starts))
            for other, first in self.first.items():
                if first < i:
                    self._raise(stairs[other], starts, rest_a[other], self.rest_b[other])
        return largest

    def _raise(self, stair: list[int], starts: list[tuple[int, int]], rest_a: int, rest_b: list[int]) -> None:
        for j, best in starts:
            value = best - rest_a - rest_b[j]
            low = self.width - j
            if stair[low] < value:
                high = bisect_left(stair, value, low)
                stair[low:high] = [value] * (high - low)


def _rests(runs: Sequence[Run], feature: str) -> list[int]:
    """Return for each run the weight of a feature from that run on."""
    rests = [0] * (len(runs) + 1)
    for j in range(len(runs) - 1, -1, -1):
        rests[j] = rests[j + 1] + (runs[j][1] if runs[j][0] == feature else 0)
    return rests


#: The neighbour that gave a cell of the table its value. Of equal values the larger number wins.
_SECTION_BEFORE, _BLOCK_BEFORE, _BOTH_BEFORE = 1, 2, 3


# --- Assign a page's blocks to the sections of a pattern of 2009
#
# Source: Webstemmer 0.7.1, matching of layouts. A block goes to a section with its own feature. The order is
# kept, a section gets any number of blocks, and as many blocks as possible are assigned. Often several
# assignments have equally many blocks. The choice between them decides which texts are title and main text,
# so this module takes the assignment that the program of 2009 took.


def assign(features: Sequence[str], sections: Sequence[str]) -> list[list[int]]:
    """Return for each section the indexes of the blocks that are assigned to it, ascending.

    :param features: the features of the page's blocks.
    :param sections: the features of the sections.

    If several assignments have equally many blocks, the one with the fewest blocks
    in the last section is taken; then the one that ends a section latest. The
    page's first block goes to the first section or to none.

    Cost: len(features) * len(sections) steps, and as many bytes.
    """
    if not features or not sections:
        return [[] for _ in sections]
    return _trace(features, sections, _moves(features, sections))


def _moves(features: Sequence[str], sections: Sequence[str]) -> list[bytearray]:
    """Fill the table of sections and blocks row by row, and return the move that led to each cell.

    A cell holds the number of blocks assigned so far, and how many of them are in earlier sections. Both
    numbers and the move are packed into one number, so that the larger number is the better cell.
    """
    size = len(features) + 1
    count = len(features)
    above: list[int] = []
    table = []
    for section in sections:
        total, earlier, moves = [0] * count, [0] * count, bytearray(count)
        for i, feature in enumerate(features):
            here = feature == section
            best = -1
            if i:
                best = ((total[i - 1] + here) * size + earlier[i - 1]) * 4 + _BLOCK_BEFORE
                if above:
                    best = max(best, ((above[i - 1] + here) * size + above[i - 1]) * 4 + _BOTH_BEFORE)
            elif not above:
                best = here * size * 4 + _BOTH_BEFORE
            if above:
                best = max(best, (above[i] * size + above[i]) * 4 + _SECTION_BEFORE)
            packed, moves[i] = divmod(best, 4)
            total[i], earlier[i] = divmod(packed, size)
        table.append(moves)
        above = total
    return table


def _trace(features: Sequence[str], sections: Sequence[str], table: Sequence[bytearray]) -> list[list[int]]:
    """Return the assignment: walk back through the table, from the last block and the last section."""
    found: list[list[int]] = [[] for _ in sections]
    number, i = len(sections) - 1, len(features) - 1
    while i >= 0:
        move = table[number][i]
        if move != _SECTION_BEFORE and features[i] == sections[number]:
            found[number].append(i)
        if move != _SECTION_BEFORE:
            i -= 1
        if move != _BLOCK_BEFORE:
            number = max(number - 1, 0)
    return [blocks[::-1] for blocks in found]


# --- Form clusters as in 2009: a page joins the first cluster whose pages are all like it
#
# Source: Webstemmer 0.7.1, clustering. The first cluster to be tried is the one whose directories differ
# least from the directory of the page's url. Of equal clusters, the one that was tried earlier for the page
# before comes first. Departure: pages come in the order of their urls; in 2009 they came in the order of a
# hash table.

T = TypeVar("T")


def first_fit(
    items: Sequence[T],
    similarity: Callable[[T, T], float],
    threshold: float,
    url: Callable[[T], str],
    samples: int = 0,
) -> list[list[int]]:
    """Return the clusters as lists of indexes, each in the order of the urls; the largest cluster is first.

    :param similarity: gives the similarity of two items, symmetric, 0 to 1.
    :param url: gives the url of an item; the order of the items does not change the result.
    :param samples: number of members of a cluster with which a page is compared; 0: with all, so that every
        pair of a cluster reaches the threshold.

    Cost: in the worst case one comparison for each pair of items, or for each item and sampled member.
    """
    urls = [url(item) for item in items]
    clusters: list[_Cluster] = []
    for index in sorted(range(len(items)), key=urls.__getitem__):
        path = _directory(urls[index])
        clusters.sort(key=lambda one: one.distance(path))
        for cluster in clusters:
            members = cluster.sampled(samples, urls)
            if all(similarity(items[index], items[member]) >= threshold for member in members):
                break
        else:
            cluster = _Cluster()
            clusters.append(cluster)
        cluster.add(index, path)
    return sorted(
        (cluster.members for cluster in clusters), key=lambda members: (-len(members), urls[members[0]])
    )


class _Cluster:
    """A growing cluster, and the directories of its pages."""

    def __init__(self) -> None:
        self.members: list[int] = []
        self.directories: set[tuple[str, ...]] = set()

    def add(self, index: int, directory: tuple[str, ...]) -> None:
        self.members.append(index)
        self.directories.add(directory)

    def distance(self, directory: tuple[str, ...]) -> tuple[bool, ...]:
        """Return a sort key: at which steps a directory differs from the nearest one here, host first."""
        return min(
            tuple(left != right for left, right in zip_longest(directory, own)) for own in self.directories
        )

    def sampled(self, samples: int, urls: Sequence[str]) -> list[int]:
        """Return the members to compare with. Digests of their urls draw them, so chance has no part."""
        if not 0 < samples < len(self.members):
            return self.members
        return sorted(self.members, key=lambda i: hashlib.sha256(urls[i].encode()).digest())[:samples]


def _directory(url: str) -> tuple[str, ...]:
    return tuple(url.partition("://")[2].split("/")[:-1])


# --- The attribute filter: reduce attribute values to what a regular expression finds in them

_ATTRIBUTE = re.compile(r":(align|class|colspan|id|rowspan|valign)=")


def filtered(layout: Layout, pattern: str) -> Layout:
    """Return a layout of 2009 with each attribute value reduced to what an expression finds in it, joined.

    If the expression has one group, only what the group finds is kept.

    :raises SlowExpressionError: if the expression takes too long on this page.

    Cost: the expression is applied once to each different element.
    """
    patience = Patience(layout.url)
    changed = {step: _filtered(step, pattern, patience) for step in dict.fromkeys(layout.steps)}
    return replace(layout, steps=tuple(changed[step] for step in layout.steps))


def _filtered(step: Step, pattern: str, patience: Patience) -> Step:
    parts = _ATTRIBUTE.split(step.id)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    left = (f":{key}={patience.found(pattern, value)}" for key, value in pairs)
    return step._replace(id="".join(left))


# --- Compute the features of 2009: the last three block tags of a block's path, with their attributes
#
# Source: Webstemmer 0.7.1, layout blocks. Each tag is followed by its attributes, as ``:key=value`` in lower
# case. Only ``align class colspan id rowspan valign`` count, and they come in this order. Characters outside
# ASCII are written as ``?``.

#: Number of block tags that make a feature.
PATH_LENGTH = 3


_Names = tuple[str, ...]

#: The most characters of a step in a feature: each element in another one with long attributes has them, too.
_LONGEST_STEP = 500


def features_of(layout: Layout) -> tuple[str, ...]:
    """Return the feature of each node of a layout that was made with the tags of 2009.

    Text outside all block tags has the empty feature. Cost: linear in the number
    of nodes.

    >>> from scrapy_webstemmer.values import Layout, Step
    >>> steps = (Step("html", "", ()), Step("div", ":class=story:id=s1", ()), Step("p", "", ()))
    >>> features_of(Layout("", steps, (-1, 0, 1), (), (), ()))
    ('', 'div:class=story:id=s1', 'div:class=story:id=s1/p')
    """
    paths: dict[tuple[_Names, Step], _Names] = {}
    found: list[_Names] = []
    for step, parent in zip(layout.steps, layout.parents, strict=True):
        above = found[parent] if parent >= 0 else ()
        path = paths.get((above, step))
        if path is None:
            path = paths[above, step] = (above + _names(step))[-PATH_LENGTH:]
        found.append(path)
    joined = {path: "/".join(path) for path in found}
    return tuple(joined[path] for path in found)


def _names(step: Step) -> _Names:
    """Return a step as a feature shows it, in a tuple; an empty one if it is not a block tag (``html``)."""
    return ((step.tag + step.id)[:_LONGEST_STEP],) if step.tag in CLASSIC.block else ()


# --- Compare layouts as sequences of features, and find the common sequence of a cluster's pages
#
# Source: documentation of Webstemmer, similarity and layout patterns; program of
# 0.7.1. Departures:
#
# - The similarity is the largest one that any assignment of blocks to a common
#   sequence gives. In 2009 difflib chose the sequence, longest match first. The
#   number of blocks counted, not their weight, and the result depended on which page
#   came first.
# - For the common sequence of a cluster, features that some page lacks are dropped
#   first. Then the pages, in the order of their urls, reduce it by longest common
#   subsequences. The order in which pages were crawled has no part in it.
# - Neighbours of equal feature in a common sequence are one section.
# - Only the first 3,000 runs of equal features of a page count.

#: Runs of a page after these are skipped: the cost of a comparison is the product of two pages' runs.
MAX_RUNS = 3000


@dataclass(frozen=True, slots=True)
class SequenceLayout:
    """A layout as the sequence of its blocks' features.

    :param features: the feature of each block.
    :param runs: the runs of neighbouring blocks with equal features, each with its weight.
    :param weights: for each feature, the weight of all its blocks.
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

    It is the weight of the blocks that can be assigned to a common sequence, divided
    by the weight of all blocks of both pages. Blocks are assigned in order, and each
    item of the sequence gets one or more blocks of each page. The sequence is the one
    that gives the largest weight.

    :param threshold: a value below this may be an upper bound instead, which costs far less.

    Cost: linear in the features if the pages share too few of them, or differ only in
    features that one page lacks; else that of :func:`~.layouts_2009.aligned_weight`.
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
    """Return a sequence of features that all pages of a cluster contain in this order; neighbours differ.

    Cost: one comparison for each page whose sequence differs from those before it.
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
