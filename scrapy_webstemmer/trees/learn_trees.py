"""Learn the patterns of a site by its pages' layout trees: by tree edit distance, or by their text leaves.

Sources: Reis and others 2004; News Ripper. Departures: pages without a second one of their layout are
unused, as in the other layouts, and so are pages that take too long to compare. A pattern gets a score, as
in the other layouts: ln(number of pages) times the weight of a typical page's text. It only orders the
patterns.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..base.samples import drawn
from ..errors import LimitError
from ..learning.learn_sites import site_of_clusters
from ..options import LearnOptions
from ..page.text import weight
from ..pattern_files.pattern_values import read_rows, write_rows
from ..values import Layout, Pattern, SitePatterns
from .layout_trees import TEXT, Tree
from .tree_articles import LabelledPassages, LeafCounts, label_passages, leaf_article
from .tree_clusters import leader_clusters, ripper_clusters
from .tree_rates import Rates
from .wildcards import compose, match_pattern

ALONE, TOO_LONG = "no other page has this layout", "takes too long to compare"
PATTERN_TOO_LARGE = "pattern beyond the limit 'elements'"
#: So many pages are compared pairwise to find those that begin clusters of common leaves.
_SAMPLE_SIZE = 1_000


def tree_of_pattern(pattern: Pattern) -> Tree:
    """Return a pattern's tree. Cost: linear in its nodes."""
    return Tree(*read_rows(pattern.tree))


def learn_tree_edit(
    site: str, layouts: Sequence[Layout], _anchors: object, options: LearnOptions, _known: int
) -> SitePatterns:
    """Learn a site's patterns with wildcards from its pages' layout trees.

    For the clusters all texts count as equal: it is the layout that a cluster shares. The paper does not say
    so. But pages of one template, with a text in every second node, would hardly ever reach the published
    threshold otherwise.

    :param layouts: layouts that have trees, in the order of their urls.

    Cost: that of :func:`~scrapy_webstemmer.trees.tree_clusters.leader_clusters`, and a mapping for each of at
    most ``options.samples`` pages of a cluster. If the comparisons take too long, no pattern is learned.
    """
    left: dict[str, list[str]] = defaultdict(list)
    trees = [layout.tree.bare for layout in layouts]
    rates = Rates(trees, [layout.url for layout in layouts], is_restricted=True)
    find = partial(leader_clusters, rates, options.least_similarity)
    clusters = _clusters_found(find, layouts, left)
    patterns = []
    for pages in clusters:
        urls = [page.url for page in pages]
        if len(pages) < 2:
            left[ALONE] += urls
            continue
        chosen = drawn(pages, options.samples)
        composed, lost = _compose([page.tree for page in chosen])
        if len(chosen) - len(lost) < 2:
            left[TOO_LONG] += urls
            continue
        left[TOO_LONG] += [chosen[index].url for index in lost]
        if len(composed) > 2 * options.limits.elements:
            left[PATTERN_TOO_LARGE] += urls
            continue
        typical = typical_page(pages)
        match, _ = match_pattern(composed, typical.tree)
        article = label_passages(match.passages) if match else None
        patterns.append(tree_pattern(typical, len(pages) - len(lost), composed, article))
    return site_of_clusters(site, "tree-edit", len(layouts), len(clusters), patterns, left)


def clusters_of_leaves(
    layouts: Sequence[Layout], options: LearnOptions, left: Mapping[str, list[str]]
) -> list[list[Layout]]:
    """Return News Ripper's clusters of some pages; if that takes too long, none, and all pages are left."""
    rates = Rates([layout.tree for layout in layouts], [layout.url for layout in layouts])
    find = partial(ripper_clusters, rates, options.least_similarity, sample=_SAMPLE_SIZE)
    return _clusters_found(find, layouts, left)


def _clusters_found(
    find: Callable[[], list[list[int]]], layouts: Sequence[Layout], left: Mapping[str, list[str]]
) -> list[list[Layout]]:
    """Return the clusters that a function finds; none if it takes too long, and then all pages are left."""
    try:
        return [[layouts[index] for index in members] for members in find()]
    except LimitError:
        left[TOO_LONG].extend(layout.url for layout in layouts)
        return []


def _compose(trees: Sequence[Tree]) -> tuple[Tree, list[int]]:
    """Return the pattern of some pages, and the indexes of those that took too long to compose."""
    pattern, lost = trees[0], []
    for index, tree in enumerate(trees[1:], start=1):
        composed = compose(pattern, tree)
        if composed is None:
            lost.append(index)
        else:
            pattern = composed
    return pattern, lost


def learn_leaves(
    site: str, layouts: Sequence[Layout], _anchors: object, options: LearnOptions, _known: int
) -> SitePatterns:
    """Learn a site's clusters as News Ripper does, and the text leaves that their pages have in common.

    A pattern has the tree of a typical page, without the texts that no other page has, and the common texts.

    :param layouts: layouts that have trees, in the order of their urls.

    Cost: that of :func:`~scrapy_webstemmer.trees.tree_clusters.ripper_clusters`, and linear in the nodes. If
    the comparisons take too long, no pattern is learned.
    """
    left: dict[str, list[str]] = defaultdict(list)
    clusters = clusters_of_leaves(layouts, options, left)
    patterns = []
    for pages in clusters:
        if len(pages) < 2:
            left[ALONE] += [page.url for page in pages]
            continue
        common = LeafCounts.of([page.tree for page in pages])
        typical = typical_page(pages)
        tree = _without_texts(typical.tree, common.counts)
        if max(len(tree), len(common.counts)) > 2 * options.limits.elements:
            left[PATTERN_TOO_LARGE] += [page.url for page in pages]
            continue
        article = leaf_article(typical.tree, common)
        patterns.append(tree_pattern(typical, len(pages), tree, article, common.counts))
    return site_of_clusters(site, "leaves", len(layouts), len(clusters), patterns, left)


def _without_texts(tree: Tree, common: Mapping[str, int]) -> Tree:
    """Return a tree whose texts are wildcards, except for those that other pages have as well."""
    nodes = zip(tree.names, tree.texts, tree.parents, strict=True)
    return Tree.of(
        ("$", "", parent) if name == TEXT and text not in common else (name, text, parent)
        for name, text, parent in nodes
    )


def typical_page(pages: Sequence[Layout]) -> Layout:
    """Return the page in the middle, by the number of nodes. There is at least one."""
    return sorted(pages, key=lambda page: (len(page.tree), page.url))[(len(pages) - 1) // 2]


def tree_pattern(
    typical: Layout,
    pages: int,
    tree: Tree,
    article: LabelledPassages | None,
    leaves: Mapping[str, int] | None = None,
) -> Pattern:
    """Return a pattern. Its kind says whether a typical page gives an article. Each new page is judged."""
    mass = weight(" ".join(article.text)) if article else 0
    return Pattern(
        name=typical.url,
        kind="article" if article else "index",
        score=round(math.log(pages) * mass, 2),
        pages=pages,
        sections=(),
        sample_title=article.title if article else "",
        sample_url=typical.url,
        tree=write_rows(tree.names, tree.texts, tree.parents),
        leaves=leaves or {},
    )
