"""Layouts of 2009: a page as the sequence of its blocks' features; how alike two are; its blocks' sections.

Features are those of Webstemmer 0.7.1, layout blocks: the last three block tags of a block's path. Each tag
is followed by its attributes, as ``:key=value`` in lower case. Only ``align class colspan id rowspan valign``
count, and they come in this order. Characters outside ASCII are written as ``?``.

Source of the similarity: documentation of Webstemmer, similarity and layout patterns; program of 0.7.1.
Departures:

- The similarity is the largest one that any assignment of blocks to a common
  sequence gives. In 2009 difflib chose the sequence, longest match first. The
  number of blocks counted, not their weight, and the result depended on which page
  came first.
- For the common sequence of a cluster, features that some page lacks are dropped
  first. Then the pages, in the order of their urls, reduce it by longest common
  subsequences. The order in which pages were crawled has no part in it.
- Neighbours of equal feature in a common sequence are one section.
- Only the first 3,000 runs of equal features of a page count. A run is a feature and the weight of the
  neighbouring blocks that have it.

Source of the assignment of blocks to sections: Webstemmer 0.7.1, matching of layouts. A block goes to a
section with its own feature. The order is kept, a section gets any number of blocks, and as many blocks as
possible are assigned. Often several assignments have equally many. Which one is taken decides which texts are
title and main text, so it is the one that the program of 2009 took.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from ..base.expressions import Patience
from ..base.sequences import common_sequence
from ..base.urls import well_formed
from ..options import ExtractOptions, LearnOptions, Limits
from ..page.limits import check_layout
from ..page.parsing import Element
from ..page.sources import TreeSource
from ..page.tags import CLASSIC
from ..page.walk import layout_of
from ..values import Layout, Page, SitePatterns, Step
from .parser_2009 import parse_2009

_STEP_ATTRIBUTE = re.compile(r":(align|class|colspan|id|rowspan|valign)=")

#: Number of block tags that make a feature.
PATH_LENGTH = 3

#: The most characters of a step in a feature: each element in another one with long attributes has them, too.
_LONGEST_STEP = 500

#: Runs of a page after these are skipped: the cost of a comparison is the product of two pages' runs.
MAX_RUNS = 3000

#: The neighbour that gave a cell of the table its value. Of equal values the larger number wins.
_SECTION_BEFORE, _BLOCK_BEFORE, _BOTH_BEFORE = 1, 2, 3

_Path: TypeAlias = tuple[str, ...]
Run: TypeAlias = tuple[str, int]


def filtered(layout: Layout, pattern: str) -> Layout:
    """Return a layout of 2009 with each attribute value reduced to what an expression finds in it, joined.

    If the expression has one group, only what the group finds is kept.

    :raises SlowExpressionError: if the expression takes too long on this page.

    Cost: the expression is applied once to each different element.
    """
    patience = Patience(layout.url)
    changed = {step: _filtered_step(step, pattern, patience) for step in dict.fromkeys(layout.steps)}
    return replace(layout, steps=tuple(changed[step] for step in layout.steps))


def _filtered_step(step: Step, pattern: str, patience: Patience) -> Step:
    parts = _STEP_ATTRIBUTE.split(step.id)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    attributes = (f":{key}={patience.found(pattern, value)}" for key, value in pairs)
    return step._replace(id="".join(attributes))


def features_of(layout: Layout) -> tuple[str, ...]:
    """Return the feature of each node of a layout that was made with the tags of 2009.

    Text outside all block tags has the empty feature. Cost: linear in the number
    of nodes.

    >>> from array import array
    >>> from scrapy_webstemmer.values import Layout, Step
    >>> steps = (Step("html", "", ()), Step("div", ":class=story:id=s1", ()), Step("p", "", ()))
    >>> features_of(Layout("", steps, array("i", [-1, 0, 1]), array("i"), array("i"), ()))
    ('', 'div:class=story:id=s1', 'div:class=story:id=s1/p')
    """
    names = {step: _names(step) for step in dict.fromkeys(layout.steps)}
    paths: list[_Path] = []
    for step, parent in zip(layout.steps, layout.parents, strict=True):
        above = paths[parent] if parent >= 0 else ()
        paths.append((above + names[step])[-PATH_LENGTH:])
    joined = {path: "/".join(path) for path in paths}
    return tuple(joined[path] for path in paths)


def _names(step: Step) -> _Path:
    """Return a step as a feature shows it, in a tuple; an empty one if it is not a block tag (``html``)."""
    return ((step.tag + step.id)[:_LONGEST_STEP],) if step.tag in CLASSIC.block else ()


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


def collapse(runs: Iterable[Run]) -> list[Run]:
    """Join neighbours of equal feature, and add up their weights."""
    groups = groupby(runs, key=itemgetter(0))
    return [(feature, sum(weight for _, weight in alike)) for feature, alike in groups]


def sequence_similarity(a: SequenceLayout, b: SequenceLayout, threshold: float = 0.0) -> float:
    """Return how alike two layouts are, 0 to 1; symmetric, and 1 for equal sequences.

    It is the weight of the blocks that can be assigned to a common sequence, divided
    by the weight of all blocks of both pages. Blocks are assigned in order, and each
    item of the sequence gets one or more blocks of each page. The sequence is the one
    that gives the largest weight.

    :param threshold: a value below this may be an upper bound instead, which costs far less.

    Cost: linear in the features if the pages share too few of them, or differ only in
    features that one page lacks; else that of :func:`aligned_weight`.
    """
    if a.features == b.features:
        return 1.0
    shared = a.weights.keys() & b.weights.keys()
    total = a.weight + b.weight
    largest = sum(a.weights[feature] + b.weights[feature] for feature in shared) / total
    if not shared or largest < threshold:
        return largest
    runs_a, runs_b = _only(a.runs, shared), _only(b.runs, shared)
    if [feature for feature, _ in runs_a] == [feature for feature, _ in runs_b]:
        return largest
    return aligned_weight(runs_a, runs_b) / total


def _only(runs: Sequence[Run], features: set[str]) -> list[Run]:
    return collapse(run for run in runs if run[0] in features)


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
    return kept + _weight_between(a[begin : len(a) - end], b[begin : len(b) - end])


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
    counts = Counter(feature for feature, _ in runs)
    return {feature for feature, count in counts.items() if count == 1}


def _weight_between(a: Sequence[Run], b: Sequence[Run]) -> int:
    """Return the weight between the common ends, by dynamic programming from the last run of ``a`` on.

    An item of C starts at a pair (i, j) of runs of equal feature f. It takes all
    later runs of f until the next item starts at (k, l). The largest weight of the
    item and all later items is

        best(i, j) = rest_a(f, i) + rest_b(f, j) + max over (k > i, l > j) of
                     best(k, l) - rest_a(f, k) - rest_b(f, l), or 0 if there is no next,

    where rest(f, i) is the weight of f from run i on. For each f the maxima are
    kept as a staircase over the runs of ``b``, in ascending order.
    """
    columns: dict[str, list[int]] = defaultdict(list)
    for j, (feature, _) in enumerate(b):
        columns[feature].append(j)
    first = {feature: i for i, (feature, _) in reversed(list(enumerate(a))) if feature in columns}
    rest_a = dict.fromkeys(first, 0)
    rest_b = {feature: _rests(b, feature) for feature in first}
    stairs = {feature: [0] * (len(b) + 1) for feature in first}
    largest = 0
    for i in range(len(a) - 1, -1, -1):
        feature, weight = a[i]
        if feature not in first:
            continue
        rest_a[feature] += weight
        rests, stair = rest_b[feature], stairs[feature]
        starts = [(j, rest_a[feature] + rests[j] + stair[len(b) - j - 1]) for j in columns[feature]]
        largest = max(largest, *(best for _, best in starts))
        for other, start in first.items():
            if start < i:
                _raise(stairs[other], starts, rest_a[other], rest_b[other])
    return largest


def _raise(stair: list[int], starts: list[tuple[int, int]], rest_a: int, rest_b: list[int]) -> None:
    """Raise the maxima of a feature where an item that starts later gives more."""
    for j, best in starts:
        value = best - rest_a - rest_b[j]
        low = len(stair) - 1 - j
        if stair[low] < value:
            high = bisect_left(stair, value, low)
            stair[low:high] = [value] * (high - low)


def _rests(runs: Sequence[Run], feature: str) -> list[int]:
    """Return for each run the weight of a feature from that run on."""
    rests = [0] * (len(runs) + 1)
    for j in range(len(runs) - 1, -1, -1):
        rests[j] = rests[j + 1] + (runs[j][1] if runs[j][0] == feature else 0)
    return rests


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
        common = [feature for feature, _ in groupby(common_sequence(common, other))]
    return tuple(common)


def layout_of_2009(page: Page, site: SitePatterns, options: ExtractOptions) -> Layout:
    """Return a page's layout as the patterns of a site see it.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    root = parse_2009(page, options.encoding, options.limits)
    return _layout(page.url, root, site.mangle if options.mangle is None else options.mangle, options.limits)


def _layout(url: str, root: Element, mangle: str | None, limits: Limits) -> Layout:
    layout = layout_of(url, root, CLASSIC)
    check_layout(layout, limits)
    return filtered(layout, mangle) if mangle else layout


def layout_to_learn_2009(page: Page, source: TreeSource, options: LearnOptions) -> Layout:
    """Return the layout of a page that is opened to learn from it.

    :raises LimitError: if the layout is too large.
    """
    return _layout(well_formed(page.url), source.root, options.mangle, options.limits)


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
    count = len(features)
    size = count + 1
    above: list[int] = []
    table = []
    for section in sections:
        total, earlier, moves = [0] * count, [0] * count, bytearray(count)
        for i, feature in enumerate(features):
            fits = feature == section
            best = -1
            if i:
                best = ((total[i - 1] + fits) * size + earlier[i - 1]) * 4 + _BLOCK_BEFORE
                if above:
                    best = max(best, ((above[i - 1] + fits) * size + above[i - 1]) * 4 + _BOTH_BEFORE)
            elif not above:
                best = fits * size * 4 + _BOTH_BEFORE
            if above:
                best = max(best, (above[i] * size + above[i]) * 4 + _SECTION_BEFORE)
            packed, moves[i] = divmod(best, 4)
            total[i], earlier[i] = divmod(packed, size)
        table.append(moves)
        above = total
    return table


def _trace(features: Sequence[str], sections: Sequence[str], table: Sequence[bytearray]) -> list[list[int]]:
    """Return the assignment: walk back through the table, from the last block and the last section."""
    assigned: list[list[int]] = [[] for _ in sections]
    section, block = len(sections) - 1, len(features) - 1
    while block >= 0:
        move = table[section][block]
        if move != _SECTION_BEFORE:
            if features[block] == sections[section]:
                assigned[section].append(block)
            block -= 1
        if move != _BLOCK_BEFORE:
            section = max(section - 1, 0)
    return [blocks[::-1] for blocks in assigned]
