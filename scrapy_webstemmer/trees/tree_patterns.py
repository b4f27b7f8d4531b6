"""Patterns of layout trees, and the articles that they give."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from typing import NamedTuple, TypeAlias

from ..article.result import Reason, Result, with_markdown
from ..base.urls import drawn
from ..base.work import Parts
from ..engines import ENGINES
from ..errors import LimitError
from ..html.parsing import parse_within
from ..html.sources import Source, TreeSource, read_layout
from ..html.text import weight
from ..learning.page_reading import layout_to_learn
from ..options import ExtractOptions, LearnOptions
from ..pattern_files.pattern_file import PatternSet
from ..pattern_files.tree_rows import read_rows, write_rows
from ..patterns.match import Match
from ..values import Article, ArticleSection, Layout, Page, Pattern, SitePatterns, UnusedPages
from .common_trees import Rates, map_fine
from .layout_trees import TEXT, LabelledPassages, Tree, build_tree, label_passages
from .tree_clusters import LeafCounts, leader_clusters, leaf_article, ripper_clusters
from .wildcards import WILDCARDS, PatternMatch, compose, match_pattern

ALONE, TOO_LONG = "no other page has this layout", "takes too long to compare"
# --- Learn the patterns of a site by its pages' layout trees: by tree edit distance, or by their text leaves
#
# Sources: Reis and others 2004; News Ripper. Departures: pages without a second one of their layout are
# unused, as in the other layouts, and so are pages that take too long to compare. A pattern gets a score, as
# in the other layouts: ln(number of pages) times the weight of a typical page's text. It only orders the
# patterns.

TOO_LARGE = "pattern beyond the limit 'elements'"
#: So many pages are compared pairwise to find those that begin clusters of common leaves.
SAMPLE = 1_000


def tree_of_pattern(pattern: Pattern) -> Tree:
    """Return a pattern's tree. Cost: linear in its nodes."""
    return Tree(*read_rows(pattern.tree))


def learn_tree_edit(
    site: str,
    layouts: Sequence[Layout],
    _anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
    _known: int = 0,
) -> SitePatterns:
    """Learn a site's patterns with wildcards from its pages' layout trees.

    For the clusters all texts count as equal: it is the layout that a cluster shares. The paper does not say
    so. But pages of one template, with a text in every second node, would hardly ever reach the published
    threshold otherwise.

    :param layouts: layouts that have trees, in the order of their urls.
    :param _anchors: not used: the method looks at the pages alone.

    Cost: that of :func:`~scrapy_webstemmer.trees.tree_clusters.leader_clusters`, and a mapping for each of at
    most ``options.samples`` pages of a cluster. If the comparisons take too long, no pattern is learned.
    """
    left: dict[str, list[str]] = defaultdict(list)
    trees = [layout.tree.bare for layout in layouts]
    rates = Rates(trees, "restricted", keys=[layout.url for layout in layouts])
    clusters = clusters_found(partial(leader_clusters, rates, options.least_similarity), layouts, left)
    patterns = []
    for members in clusters:
        urls = [layouts[index].url for index in members]
        if len(members) < 2:
            left[ALONE] += urls
            continue
        pages = [layouts[index] for index in members]
        chosen = drawn(pages, options.samples)
        composed, lost = _compose([page.tree for page in chosen])
        if len(chosen) - len(lost) < 2:
            left[TOO_LONG] += urls
            continue
        left[TOO_LONG] += [chosen[number].url for number in lost]
        if len(composed) > 2 * options.limits.elements:
            left[TOO_LARGE] += urls
            continue
        typical = typical_page(pages)
        found = _labelled(composed, typical.tree)
        patterns.append(tree_pattern(typical, len(members) - len(lost), composed, found))
    return site_of_trees(site, "tree-edit", len(layouts), len(clusters), patterns, left)


def clusters_found(
    find: Callable[[], list[list[int]]], layouts: Sequence[Layout], left: Mapping[str, list[str]]
) -> list[list[int]]:
    """Return what a function finds; nothing if it takes too long, and then all pages are left."""
    try:
        return find()
    except LimitError:
        left[TOO_LONG].extend(layout.url for layout in layouts)
        return []


def _compose(trees: Sequence[Tree]) -> tuple[Tree, list[int]]:
    """Return the pattern of some pages, and the numbers of those that took too long to compose."""
    pattern, lost = trees[0], []
    for number, tree in enumerate(trees[1:], start=1):
        composed = compose(pattern, tree)
        if composed is None:
            lost.append(number)
        else:
            pattern = composed
    return pattern, lost


def _labelled(pattern: Tree, page: Tree) -> LabelledPassages | None:
    match = match_pattern(pattern, page)
    return label_passages(match.passages) if isinstance(match, PatternMatch) else None


def learn_leaves(
    site: str,
    layouts: Sequence[Layout],
    _anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
    _known: int = 0,
) -> SitePatterns:
    """Learn a site's clusters as News Ripper does, and the text leaves that their pages have in common.

    A pattern has the tree of a typical page, without the texts that no other page has, and the common texts.

    :param layouts: layouts that have trees, in the order of their urls.
    :param _anchors: not used: the method looks at the pages alone.

    Cost: that of :func:`~scrapy_webstemmer.trees.tree_clusters.ripper_clusters`, and linear in the nodes. If
    the comparisons take too long, no pattern is learned.
    """
    left: dict[str, list[str]] = defaultdict(list)
    rates = Rates([layout.tree for layout in layouts], keys=[layout.url for layout in layouts])
    find = partial(ripper_clusters, rates, options.least_similarity, sample=SAMPLE)
    clusters = clusters_found(find, layouts, left)
    patterns = []
    for members in clusters:
        pages = [layouts[index] for index in members]
        if len(pages) < 2:
            left[ALONE] += [page.url for page in pages]
            continue
        counts = LeafCounts.of([page.tree for page in pages])
        common = {text: pages for text, pages in sorted(counts.counts.items()) if pages > 1}
        typical = typical_page(pages)
        tree = _without_texts(typical.tree, common)
        if max(len(tree), len(common)) > 2 * options.limits.elements:
            left[TOO_LARGE] += [page.url for page in pages]
            continue
        found = leaf_article(typical.tree, LeafCounts(common, len(pages)), counted=False)
        patterns.append(tree_pattern(typical, len(pages), tree, found, common))
    return site_of_trees(site, "leaves", len(layouts), len(clusters), patterns, left)


def _without_texts(tree: Tree, common: Mapping[str, int]) -> Tree:
    """Return a tree whose texts are wildcards, except for those that other pages have as well."""
    names = [
        "$" if name == TEXT and text not in common else name
        for name, text in zip(tree.names, tree.texts, strict=True)
    ]
    texts = [text if name == TEXT else "" for name, text in zip(names, tree.texts, strict=True)]
    return Tree(tuple(names), tuple(texts), tree.parents)


def typical_page(pages: Sequence[Layout]) -> Layout:
    """Return the page in the middle, by the number of nodes. There is at least one."""
    return sorted(pages, key=lambda page: (len(page.tree), page.url))[(len(pages) - 1) // 2]


def tree_pattern(
    typical: Layout,
    pages: int,
    tree: Tree,
    found: LabelledPassages | None,
    leaves: Mapping[str, int] | None = None,
) -> Pattern:
    """Return a pattern. Its kind says whether a typical page gives an article. Each new page is judged."""
    mass = weight(" ".join(found.text)) if found else 0
    return Pattern(
        name=typical.url,
        kind="article" if found else "index",
        score=round(math.log(pages) * mass, 2),
        pages=pages,
        sections=(),
        sample_title=found.title if found else "",
        sample_url=typical.url,
        tree=write_rows(tree.names, tree.texts, tree.parents),
        leaves=leaves or {},
    )


def site_of_trees(
    site: str,
    layout: str,
    pages: int,
    clusters: int,
    patterns: Iterable[Pattern],
    left: Mapping[str, list[str]],
) -> SitePatterns:
    """Return the patterns of a site, best score first.

    :param layout: the name of the engine's layout.
    :param left: for each reason the urls of the pages that went into no pattern.
    """
    return SitePatterns(
        site=site,
        layout=layout,
        pages=pages,
        clusters=clusters,
        patterns=tuple(sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))),
        unused=tuple(
            UnusedPages(reason, len(urls), min(urls)) for reason, urls in sorted(left.items()) if urls
        ),
    )


# --- Find the pattern of layout trees that a page matches, and make the page's article

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
    layout = layout_to_learn(page, source, options)
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
