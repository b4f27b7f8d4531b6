"""Layouts of 2009: a page as the sequence of its blocks' features, and how alike two such sequences are.

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
- Only the first 3,000 runs of equal features of a page count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..base.expressions import Patience
from ..base.sequences import common_sequence
from ..base.urls import well_formed
from ..options import ExtractOptions, LearnOptions
from ..page.limits import check_layout, check_page
from ..page.sources import Source, TreeSource
from ..page.tags import CLASSIC
from ..page.walk import layout_of
from ..values import Layout, Page, SitePatterns, Step
from .alignment_2009 import Run, aligned_weight, collapse
from .parser_2009 import parse_classic

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


def layout_of_2009(page: Page, site: SitePatterns, options: ExtractOptions) -> Layout:
    """Return a page's layout as the patterns of a site see it.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    check_page(page, options.limits)
    layout = layout_of(page.url, parse_classic(page, options.encoding, options.limits), CLASSIC)
    check_layout(layout, options.limits)
    expression = site.mangle if options.mangle is None else options.mangle
    return filtered(layout, expression) if expression else layout


def open_of_2009(page: Page, options: LearnOptions) -> Source:
    """Return a page, opened to learn from it.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    check_page(page, options.limits)
    root = parse_classic(page, options.encoding, options.limits)
    return TreeSource(page.url, root, options.limits)


def layout_to_learn_2009(page: Page, source: TreeSource, options: LearnOptions) -> Layout:
    """Return the layout of a page that is opened to learn from it.

    :raises LimitError: if the layout is too large.
    """
    layout = layout_of(well_formed(page.url), source.root, CLASSIC)
    check_layout(layout, options.limits)
    return filtered(layout, options.mangle) if options.mangle else layout
