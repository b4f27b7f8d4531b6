"""Extract articles as News Ripper does: a page's text leaves, less those of other pages of its cluster.

Source: News Ripper, articles. The published loop compares all leaves of all pairs of pages. Here the pages
that have a text are counted, which gives the same in one pass.

The method assumes that two articles have no leaf in common. Short leaves may collide. A title that is
missing is the usual sign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..page.tags import HEADINGS
from .layout_trees import TEXT, Tree
from .passages import LabelledPassages
from .tree_html import tag_of

#: Characters of a page's ``title`` that are searched for headings.
_LONGEST_TITLE = 1_000


@dataclass(frozen=True, slots=True)
class LeafCounts:
    """How many of a cluster's pages have a text as a leaf.

    :param counts: the number of pages for each text.
    :param pages: the number of pages that were counted.
    """

    counts: Mapping[str, int]
    pages: int

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> LeafCounts:
        """Count the leaves of a cluster. Cost: linear in the nodes."""
        texts = ({tree.texts[node] for node in _leaves(tree)} for tree in trees)
        return cls(Counter(text for found in texts for text in found), len(trees))


def own_leaves(tree: Tree, counts: LeafCounts, *, counted: bool = True) -> tuple[int, ...]:
    """Return the text leaves that no other page of a cluster has, as numbers of nodes in pre-order.

    :param counts: the counts of the cluster.
    :param counted: whether the page is one of those that were counted.

    Cost: linear in the nodes.
    """
    most = 1 if counted else 0
    return tuple([node for node in _leaves(tree) if counts.counts.get(tree.texts[node], 0) <= most])


def leaf_article(tree: Tree, counts: LeafCounts, *, counted: bool = True) -> LabelledPassages | None:
    """Return the article of a page: title and text; None if no leaf is left for the text.

    The published program names no title. Here it is a leaf under ``h1`` to ``h6`` that stands in the page's
    ``title`` as well: the one that the fewest pages have, and at most half of them. So a headline is found
    that other pages have as a teaser. Without one it is the longest other leaf that stands in the ``title``,
    else the first leaf left under ``h1``, else under ``title``, else under ``h2`` to ``h6``. The leaf under
    ``title`` is no part of the text in any case.

    Parameters and cost: see :func:`own_leaves`.
    """
    leaves = own_leaves(tree, counts, counted=counted)
    title = _title(tree, leaves, counts)
    rest = [node for node in leaves if node != title and _tag_around(tree, node) != "title"]
    if not rest:
        return None
    return LabelledPassages(
        "" if title is None else tree.texts[title], tuple(tree.texts[one] for one in rest)
    )


def _title(tree: Tree, leaves: Sequence[int], counts: LeafCounts) -> int | None:
    """Return the leaf that is the title; None if there is none."""
    all_leaves = _leaves(tree)
    stated = " ".join(tree.texts[node] for node in all_leaves if _tag_around(tree, node) == "title")
    stated = stated[:_LONGEST_TITLE]

    def pages(node: int) -> int:
        return counts.counts.get(tree.texts[node], 0)

    repeated = [
        node
        for node in all_leaves
        if tree.texts[node] in stated and pages(node) <= _few(counts) and _tag_around(tree, node) != "title"
    ]
    headings = [node for node in repeated if _tag_around(tree, node) in HEADINGS]
    if headings:
        return min(headings, key=lambda node: (pages(node), -len(tree.texts[node]), node))
    if repeated:
        return min(repeated, key=lambda node: (-len(tree.texts[node]), node))
    for tags in ({"h1"}, {"title"}, HEADINGS):
        found = next((node for node in leaves if _tag_around(tree, node) in tags), None)
        if found is not None:
            return found
    return None


def _few(counts: LeafCounts) -> int:
    """Return how many pages may have a headline: half of them, and its own page at any rate."""
    return max(1, counts.pages // 2)


def _leaves(tree: Tree) -> list[int]:
    return [node for node, name in enumerate(tree.names) if name == TEXT]


def _tag_around(tree: Tree, node: int) -> str:
    """Return the tag of the element that a text is directly in."""
    parent = tree.parents[node]
    return tag_of(tree.names[parent]) if parent >= 0 else ""
