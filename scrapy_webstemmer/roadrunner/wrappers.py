"""RoadRunner's wrappers as the patterns of a site, and the articles that they give.

Source: Crescenzi, Mecca and Merialdo 2001; see ``union_free.py``. The authors presuppose pages of one class.
Here these are the clusters of News Ripper. The pages of a cluster that its wrapper rejects are tried again,
with a wrapper of their own. A wrapper's fields have no names; title and text are told from one another as
with tree edit distance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ..base.parts import Parts
from ..base.samples import drawn
from ..extraction.result import Result
from ..learning.learn_sites import site_of_clusters
from ..options import ExtractOptions, LearnOptions
from ..page.sources import Source
from ..pattern_files.pattern_file import PatternSet
from ..trees.layout_trees import Tree
from ..trees.learn_trees import (
    ALONE,
    PATTERN_TOO_LARGE,
    TOO_LONG,
    clusters_of_leaves,
    tree_of_pattern,
    tree_pattern,
    typical_page,
)
from ..trees.match_trees import LEAST_STEPS, Steps, TreeMatch, result_by_tree
from ..trees.tree_articles import label_passages
from ..values import Layout, Page, Pattern, SitePatterns
from .acme import MOST_STEPS, generalize
from .union_free import Program, Reading, part_of, tokens_of, tree_of

#: So many wrappers are made of a cluster at most. Each takes a look at all pages that are left.
_WRAPPERS = 5
#: Steps for all pages of a site. They take one to two minutes.
_SITE_STEPS = 30_000_000


def learn_wrappers(
    site: str, layouts: Sequence[Layout], _anchors: object, options: LearnOptions, _known: int
) -> SitePatterns:
    """Learn a site's wrappers from its pages' layout trees.

    :param layouts: layouts that have trees, in the order of their urls.

    Cost: that of :func:`~scrapy_webstemmer.trees.tree_clusters.ripper_clusters`. For each wrapper, at most
    ``options.samples`` pages are generalized, each in a bounded number of steps, and all pages are read. If
    the comparisons take too long, the pages that are left teach nothing.
    """
    left: dict[str, list[str]] = defaultdict(list)
    clusters = clusters_of_leaves(layouts, options, left)
    patterns = []
    learner = _Learner(options)
    for waiting in clusters:
        for _ in range(_WRAPPERS):
            if len(waiting) < 2 or learner.left <= 0:
                break
            wrapper = learner.wrapper(waiting)
            taken = {page.url for page in wrapper.pages}
            waiting = [page for page in waiting if page.url not in taken]
            if len(taken) > 1 and len(wrapper.tree) <= learner.largest:
                patterns.append(learner.pattern(wrapper))
            else:
                left[ALONE if len(taken) < 2 else PATTERN_TOO_LARGE] += taken
        left[ALONE if len(waiting) < 2 or learner.left > 0 else TOO_LONG] += [page.url for page in waiting]
    return site_of_clusters(site, "roadrunner", len(layouts), len(clusters), patterns, left)


class _Wrapper(NamedTuple):
    """A wrapper, its program, and the pages that it accepts."""

    tree: Tree
    program: Program
    pages: Sequence[Layout]


class _Learner:
    """Makes the wrappers of a site, in a bounded number of steps.

    :ivar left: the steps that are left. When they are used up, nothing is accepted any more.
    :ivar largest: the most nodes of a wrapper.
    """

    def __init__(self, options: LearnOptions) -> None:
        self.left = _SITE_STEPS
        self.largest = 2 * options.limits.elements
        self._samples = options.samples

    def wrapper(self, pages: Sequence[Layout]) -> _Wrapper:
        """Return the wrapper that begins with one of some pages, and accepts this one at least."""
        first, *others = drawn(pages, self._samples)
        tree, program = first.tree, Program(first.tree)
        for page in others:
            if len(tree) > self.largest:
                break
            if self._read(program, page.tree) is None:
                general, taken = generalize(part_of(tree), part_of(page.tree), min(self.left, MOST_STEPS))
                self.left -= taken
                if general is not None:
                    tree = tree_of(general)
                    program = Program(tree)
        accepted = [page for page in pages if page is first or self._read(program, page.tree)]
        return _Wrapper(tree, program, accepted)

    def pattern(self, wrapper: _Wrapper) -> Pattern:
        """Return a pattern. Its kind says whether a typical page gives an article."""
        typical = typical_page(wrapper.pages)
        reading = self._read(wrapper.program, typical.tree)
        article = label_passages(reading.passages) if reading else None
        return tree_pattern(typical, len(wrapper.pages), wrapper.tree, article)

    def _read(self, program: Program, page: Tree) -> Reading | None:
        """Return how a program reads a page; None if it rejects it, or takes too many steps."""
        reading, taken = program.read(tokens_of(page), min(self.left, MOST_STEPS))
        self.left -= taken
        return reading


def result_of_wrapper(
    page: Page, site: SitePatterns, patterns: PatternSet, options: ExtractOptions, source: Source | None
) -> Parts[Result]:
    """Return what extraction finds on a page of a site with wrappers, in parts.

    The parameters are those of :func:`~scrapy_webstemmer.trees.match_trees.result_by_tree`.
    """
    return (yield from result_by_tree(page, site, patterns, options, source, _program_of, _match))


def _program_of(pattern: Pattern) -> Program:
    return Program(tree_of_pattern(pattern))


def _match(programs: Sequence[tuple[Pattern, Program]], steps: Steps, page: Tree) -> Iterator[TreeMatch]:
    """Yield the match with each wrapper; the best one has the largest share of the page's tokens."""
    tokens = tokens_of(page)
    for pattern, program in programs:
        steps.take(LEAST_STEPS)
        reading, taken = program.read(tokens, steps.left)
        steps.take(taken)
        if reading is None:
            yield TreeMatch(pattern, 0.0)
        else:
            label = partial(label_passages, reading.passages)
            yield TreeMatch(pattern, reading.share, label, rank=reading.share)
