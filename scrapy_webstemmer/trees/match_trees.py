"""Find the pattern of layout trees that a page matches, and make the page's article."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NamedTuple, TypeAlias, TypeVar

from ..base.parts import Parts, finish
from ..engines import ENGINES
from ..errors import LimitError
from ..extraction.make_article import with_markdown
from ..extraction.result import Reason, Result
from ..learning.page_reading import layout_to_learn
from ..options import ExtractOptions, LearnOptions
from ..page.limits import parse_within
from ..page.sources import Source, TreeSource, read_layout
from ..pattern_files.pattern_file import PatternSet
from ..patterns.match import Match
from ..values import Layout, Page, Pattern, SitePatterns
from .layout_trees import Tree, build_tree
from .learn_trees import tree_of_pattern
from .tree_articles import LabelledPassages, LeafCounts, article_of_passages, label_passages, leaf_article
from .tree_rates import fine_pairs, similarity_rate
from .wildcards import WILDCARDS, match_pattern

#: A step of the comparison of two trees takes as long as so many comparisons of blocks.
_COST = 8
#: The comparison with a pattern takes at least as long as so many steps, even if it is soon rejected.
LEAST_STEPS = 50


class Steps:
    """The steps that the comparison of a page with patterns may still take."""

    def __init__(self, url: str, most: int) -> None:
        self._url, self._most = url, most
        self.left = most // _COST

    def take(self, count: int) -> None:
        """Take some steps.

        :raises LimitError: these are too many.
        """
        self.left -= count
        if self.left < 0:
            raise LimitError(self._url, "steps", f"takes more than {self._most:,} comparisons")


class TreeMatch(NamedTuple):
    """How a page is like a pattern.

    :param share: ``tree-edit``: the share of the pattern's wildcards that are not optional or take something;
        ``leaves``: the rate of the common tree; ``roadrunner``: the share of the page's tokens that are the
        pattern's own. 0 to 1.
    :param label: tells what the page's title and text are, None if it has no text that is long enough. The
        pattern does not accept the page if there is no such function.
    :param rank: of the patterns that accept the page, the one with the largest rank reads it, and of equal
        ones the first.
    """

    pattern: Pattern
    share: float
    label: Callable[[], LabelledPassages | None] | None = None
    rank: float = 0.0


_Prepared = TypeVar("_Prepared")
#: Yields how a page's tree is like each pattern, given the patterns with what is prepared of each.
_Compare: TypeAlias = Callable[[Sequence[tuple[Pattern, _Prepared]], Steps, Tree], Iterator[TreeMatch]]


def layout_with_tree(page: Page, source: TreeSource, options: LearnOptions) -> Layout:
    """Return the layout of a page that is opened to learn from it, with its tree.

    :raises LimitError: if the layout is too large.
    """
    layout = finish(layout_to_learn(page, source, options))
    return replace(layout, tree=build_tree(source.root))


def result_of_tree(
    page: Page, site: SitePatterns, patterns: PatternSet, options: ExtractOptions, source: Source | None
) -> Parts[Result]:
    """Return what extraction finds on a page of a site with layout trees, in parts.

    The parameters are those of :func:`result_by_tree`.
    """
    if site.layout == "leaves":
        least = ENGINES["leaves"].similarity if options.threshold is None else options.threshold
        compare: _Compare[Tree] = partial(_match_leaves, least)
    else:  # a pattern with wildcards accepts a page or does not
        least, compare = 0.0, _match_wildcards
    return (yield from result_by_tree(page, site, patterns, options, source, tree_of_pattern, compare, least))


def result_by_tree(
    page: Page,
    site: SitePatterns,
    patterns: PatternSet,
    options: ExtractOptions,
    source: Source | None,
    prepare: Callable[[Pattern], _Prepared],
    compare: _Compare[_Prepared],
    threshold: float = 0.0,
) -> Parts[Result]:
    """Return what extraction finds on a page whose tree is compared with the patterns of its site, in parts.

    :param patterns: all patterns, which keep what is prepared of the site's.
    :param source: the page, if the caller has opened it. Its tree, if it has one, is used before the first
        part ends.
    :param prepare: gives what a pattern is compared by.
    :param threshold: the least share of a match.
    :raises PageError: the page cannot be read, or goes beyond a limit.
    """

    def prepared(site: SitePatterns) -> list[tuple[Pattern, _Prepared]]:
        return [(pattern, prepare(pattern)) for pattern in site.patterns]

    if not isinstance(source, TreeSource):
        root = parse_within(page, options.encoding, options.limits)
        source = TreeSource(page.url, root, options.limits, page.body)
    tree = build_tree(source.root)
    layout = yield from read_layout(page, options.encoding, options.limits, source)
    if not layout.blocks:
        return Result(page.url, Reason.NO_TEXT, site, layout)
    matches = []
    for match in compare(patterns.kept(site.site, prepared), Steps(page.url, options.limits.steps), tree):
        matches.append(match)
        yield
    compared = [(match.pattern, match.share) for match in matches]
    result = partial(Result, page.url, site=site, layout=layout, compared=compared, threshold=threshold)
    best = max((match for match in matches if match.label), key=attrgetter("rank"), default=None)
    if best is None or best.label is None:
        return result(Reason.NO_MATCH)
    result = partial(result, match=Match(best.pattern, best.share))
    labelled = best.label()
    if labelled is None:
        return result(Reason.NO_MAIN_TEXT)
    return result(article=with_markdown(article_of_passages(page.url, best.pattern, labelled), options))


def _match_wildcards(trees: Sequence[tuple[Pattern, Tree]], steps: Steps, page: Tree) -> Iterator[TreeMatch]:
    """Yield the match with each pattern; the best one has the least cost. One without a match has no share.

    :raises LimitError: the comparison takes too many steps.

    Cost: a mapping for each pattern whose required nodes the page has.
    """
    for pattern, tree in trees:
        match, cells = match_pattern(tree, page, steps.left)
        steps.take(LEAST_STEPS + len(tree) + cells)
        if match is None:
            yield TreeMatch(pattern, 0.0)
            continue
        wildcards = sum(name in WILDCARDS for name in tree.names)
        share = 1 - match.cost / wildcards if wildcards else 1.0
        yield TreeMatch(pattern, share, partial(label_passages, match.passages), rank=-match.cost)


def _match_leaves(
    least: float, trees: Sequence[tuple[Pattern, Tree]], steps: Steps, page: Tree
) -> Iterator[TreeMatch]:
    """Yield the match with each pattern; the best one has the highest rate, at least the given one.

    :raises LimitError: the comparison takes too many steps.

    Cost: one fine mapping for each pattern.
    """
    for pattern, tree in trees:
        steps.take(len(page) + len(tree))
        share = similarity_rate(len(fine_pairs(page, tree)), len(page), len(tree))
        counts = LeafCounts(pattern.leaves, pattern.pages)
        label = partial(leaf_article, page, counts) if share >= least else None
        yield TreeMatch(pattern, share, label, rank=share)
