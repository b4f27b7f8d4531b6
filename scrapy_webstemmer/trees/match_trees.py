"""Find the pattern of layout trees that a page matches, and make the page's article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape
from typing import NamedTuple, TypeAlias

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
from ..values import Article, ArticleSection, Layout, Page, Pattern, SitePatterns
from .layout_trees import Tree
from .learn_trees import tree_of_pattern
from .passages import LabelledPassages, label_passages
from .text_leaves import LeafCounts, leaf_article
from .tree_building import build_tree
from .tree_mappings import map_fine
from .wildcards import WILDCARDS, PatternMatch, match_pattern

#: A step of the comparison of two trees takes as long as so many comparisons of blocks.
_COST = 8
#: The comparison with a pattern takes at least as long as so many steps, even if it is soon rejected.
LEAST_STEPS = 50


class Steps:
    """The steps that the comparison of a page with patterns may still take."""

    def __init__(self, url: str, most: int) -> None:
        self._url, self._most = url, most
        self.left = most // _COST

    def take(self, number: int) -> None:
        """Take some steps.

        :raises LimitError: these are too many.
        """
        self.left -= number
        if self.left < 0:
            raise self.error()

    def error(self) -> LimitError:
        """Return the error for too many steps."""
        return LimitError(self._url, "steps", f"takes more than {self._most:,} comparisons")


class TreeMatch(NamedTuple):
    """The pattern that a page matches, how well, and what the page's title and text are.

    :param share: ``tree-edit``: the share of the pattern's wildcards that are not optional or take something;
        ``leaves``: the rate of the common tree. 0 to 1.
    :param found: None: the page has no text that is long enough.
    """

    pattern: Pattern
    share: float
    found: LabelledPassages | None


class TreePatterns(NamedTuple):
    """The patterns of a site, each with its tree."""

    layout: str
    patterns: Sequence[tuple[Pattern, Tree]]

    @classmethod
    def of(cls, site: SitePatterns) -> TreePatterns:
        """Read the patterns' trees. Cost: linear in their nodes."""
        return cls(site.layout, [(pattern, tree_of_pattern(pattern)) for pattern in site.patterns])


def open_with_tree(page: Page, options: LearnOptions) -> TreeSource:
    """Return a page, opened to learn from it.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    root = parse_within(page, options.encoding, options.limits)
    return TreeSource(page.url, root, options.limits)


def layout_with_tree(page: Page, source: TreeSource, options: LearnOptions) -> Layout:
    """Return the layout of a page that is opened to learn from it, with its tree.

    :raises LimitError: if the layout is too large.
    """
    layout = finish(layout_to_learn(page, source, options))
    return replace(layout, tree=build_tree(source.root))


#: The patterns that a page is compared with, and the share of each.
Compared: TypeAlias = list[tuple[Pattern, float]]


def threshold_of_trees(layout: str, options: ExtractOptions) -> float:
    """Return the least share of a match. A pattern with wildcards accepts a page or does not: 0."""
    if layout == "tree-edit":
        return 0.0
    return ENGINES["leaves"].similarity if options.threshold is None else options.threshold


def tree_and_layout(page: Page, options: ExtractOptions, source: Source | None) -> Parts[tuple[Tree, Layout]]:
    """Return the layout tree of a page to read, and its layout, in parts.

    :param source: the page, if the caller has opened it. Its tree, if it has one, is used before the first
        part ends.
    :raises PageError: the page cannot be read, or goes beyond a limit.
    """
    if not isinstance(source, TreeSource):
        root = parse_within(page, options.encoding, options.limits)
        source = TreeSource(page.url, root, options.limits, page.body)
    tree = build_tree(source.root)
    return tree, (yield from read_layout(page, options.encoding, options.limits, source))


def result_of_tree(
    page: Page, site: SitePatterns, patterns: PatternSet, options: ExtractOptions, source: Source | None
) -> Parts[Result]:
    """Return what extraction finds on a page of a site with layout trees, in parts.

    :param patterns: all patterns, which keep the trees of the site's.
    :param source: the page, if the caller has opened it. Its tree, if it has one, is used before the first
        part ends.
    :raises PageError: the page cannot be read, or goes beyond a limit.
    """
    tree, layout = yield from tree_and_layout(page, options, source)
    if not layout.blocks:
        return Result(page.url, Reason.NO_TEXT, site, layout)
    threshold = threshold_of_trees(site.layout, options)
    trees = patterns.kept(site.site, TreePatterns.of)
    match, compared = yield from match_trees(page.url, tree, trees, options)
    found = partial(Result, page.url, site=site, layout=layout, compared=compared, threshold=threshold)
    if match is None:
        return found(Reason.NO_MATCH)
    found = partial(found, match=Match(match.pattern, match.share))
    if match.found is None:
        return found(Reason.NO_MAIN_TEXT)
    return found(article=with_markdown(article_of_passages(page.url, match.pattern, match.found), options))


def match_trees(
    url: str, page: Tree, site: TreePatterns, options: ExtractOptions
) -> Parts[tuple[TreeMatch | None, Compared]]:
    """Return the pattern that a page matches best, in parts; None if it matches none.

    With it come the patterns that the page is compared with, and the share of each.

    If several patterns match equally well, the first one wins. With ``tree-edit`` the best match has the
    least cost, and a pattern that rejects the page has the share 0.

    :raises LimitError: the comparison takes too many steps.

    Cost: with ``tree-edit`` a mapping for each pattern whose required nodes the page has; with ``leaves`` one
    fine mapping for each pattern.
    """
    if site.layout == "leaves":
        return (yield from _match_leaves(url, page, site, options))
    best: tuple[int, Pattern, PatternMatch, float] | None = None
    compared: Compared = []
    steps = Steps(url, options.limits.steps)
    for pattern, tree in site.patterns:
        match = match_pattern(tree, page, steps.left)
        if match is None:
            raise steps.error()
        steps.take(
            LEAST_STEPS + len(tree.names) + (match.cells if isinstance(match, PatternMatch) else match)
        )
        share = 0.0
        if isinstance(match, PatternMatch):
            wildcards = sum(name in WILDCARDS for name in tree.names)
            share = 1 - match.cost / wildcards if wildcards else 1.0
            if best is None or match.cost < best[0]:
                best = match.cost, pattern, match, share
        compared.append((pattern, share))
        yield
    if best is None:
        return None, compared
    return TreeMatch(best[1], best[3], label_passages(best[2].passages)), compared


def _match_leaves(
    url: str, page: Tree, site: TreePatterns, options: ExtractOptions
) -> Parts[tuple[TreeMatch | None, Compared]]:
    least = threshold_of_trees(site.layout, options)
    best: tuple[float, Pattern] | None = None
    compared: Compared = []
    steps = Steps(url, options.limits.steps)
    for pattern, tree in site.patterns:
        steps.take(len(page.names) + len(tree.names))
        share = map_fine(page, tree).rate
        compared.append((pattern, share))
        if share >= least and (best is None or share > best[0]):
            best = share, pattern
        yield
    if best is None:
        return None, compared
    share, pattern = best
    found = leaf_article(page, LeafCounts(pattern.leaves, pattern.pages), counted=False)
    return TreeMatch(pattern, share, found), compared


def article_of_passages(url: str, pattern: Pattern, found: LabelledPassages) -> Article:
    """Return an article: one line, one paragraph of HTML and one section for each text leaf."""
    title = [ArticleSection("title", found.title)] if found.title else []
    return Article(
        url=url,
        title=found.title,
        text="\n".join(found.text),
        html="\n".join(f"<p>{escape(text, quote=False)}</p>" for text in found.text),
        sections=(*title, *(ArticleSection("main", text) for text in found.text)),
        pattern=pattern.name,
    )
