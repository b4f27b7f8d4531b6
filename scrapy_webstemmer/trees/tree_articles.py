"""Tell which texts of a page's tree are its title and its text, and make the article of them.

*Passages*: the texts that the wildcards of a pattern take. Source: Reis and others 2004, step 4. The text is
the longest passage, if it has more than 100 words. The title is the passage of 1 to 20 words with the largest
quotient: the number of words that it shares with the text, divided by how many passages away from the text it
stands. What the paper leaves open: each different word counts once, in any case. Of equal passages the first
one wins. A passage that shares no word with the text is no title. Words stand between white space, so that
pages in a script without spaces give no article.

*Leaves*: a page's texts, less those of other pages of its cluster. Source: News Ripper, articles. The
published loop compares all leaves of all pairs of pages. Here the pages that have a text are counted, which
gives the same in one pass. The method assumes that two articles have no leaf in common. Short leaves may
collide. A title that is missing is the usual sign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from typing import NamedTuple

from ..page.tags import HEADINGS
from ..values import Article, ArticleSection, Pattern
from .layout_trees import TEXT, Tree

#: The text must have more words than this.
MORE_WORDS = 100
#: The most words of a title.
MOST_TITLE_WORDS = 20
#: Characters of a page's ``title`` that are searched for headings.
_SEARCHED_TITLE = 1_000


class LabelledPassages(NamedTuple):
    """Title and text of a page; the title is empty if there is none. The text has one item for each leaf."""

    title: str
    text: tuple[str, ...]


def label_passages(passages: Sequence[Sequence[str]]) -> LabelledPassages | None:
    """Return title and text of a page; None if no passage is long enough.

    :param passages: the texts that each wildcard takes, in the order of the page.

    Cost: linear in the words.
    """
    words = [" ".join(texts).casefold().split() for texts in passages]
    longest = max(range(len(words)), key=lambda index: len(words[index]), default=None)
    if longest is None or len(words[longest]) <= MORE_WORDS:
        return None
    body = set(words[longest])
    best, title = 0.0, ""
    for index, passage in enumerate(words):
        if index != longest and 1 <= len(passage) <= MOST_TITLE_WORDS:
            score = len(body.intersection(passage)) / abs(index - longest)
            if score > best:
                best, title = score, " ".join(passages[index])
    return LabelledPassages(title, tuple(passages[longest]))


@dataclass(frozen=True, slots=True)
class LeafCounts:
    """How many of a cluster's pages have a text as a leaf.

    :param counts: the number of pages for each text that two pages or more have.
    :param pages: the number of pages that were counted.
    """

    counts: Mapping[str, int]
    pages: int

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> LeafCounts:
        """Count the leaves of a cluster. Cost: linear in the nodes."""
        texts_of = ({tree.texts[node] for node in _leaves(tree)} for tree in trees)
        counts = Counter(chain.from_iterable(texts_of))
        return cls({text: count for text, count in sorted(counts.items()) if count > 1}, len(trees))


def own_leaves(tree: Tree, counts: LeafCounts) -> tuple[int, ...]:
    """Return the text leaves that do not recur in a cluster, as numbers of nodes in pre-order.

    :param counts: the counts of the cluster.

    Cost: linear in the nodes.
    """
    return tuple([node for node in _leaves(tree) if tree.texts[node] not in counts.counts])


def leaf_article(tree: Tree, counts: LeafCounts) -> LabelledPassages | None:
    """Return the article of a page: title and text; None if no leaf is left for the text.

    The published program names no title. Here it is a leaf under ``h1`` to ``h6`` that stands in the page's
    ``title`` as well: the one that the fewest pages have, and at most half of them. So a headline is found
    that other pages have as a teaser. Without one it is the longest other leaf that stands in the ``title``,
    else the first leaf left under ``h1``, else under ``title``, else under ``h2`` to ``h6``. The leaf under
    ``title`` is no part of the text in any case.

    Parameters and cost: see :func:`own_leaves`.
    """
    leaves = own_leaves(tree, counts)
    title = _title(tree, leaves, counts)
    texts = [tree.texts[node] for node in leaves if node != title and _tag_around(tree, node) != "title"]
    return LabelledPassages("" if title is None else tree.texts[title], tuple(texts)) if texts else None


def _title(tree: Tree, leaves: Sequence[int], counts: LeafCounts) -> int | None:
    """Return the leaf that is the title; None if there is none."""
    tags = {node: _tag_around(tree, node) for node in _leaves(tree)}
    pages = {node: counts.counts.get(tree.texts[node], 0) for node in tags}
    few = max(1, counts.pages // 2)  # its own page has a headline at any rate
    stated = " ".join(tree.texts[node] for node, tag in tags.items() if tag == "title")[:_SEARCHED_TITLE]
    repeated = [
        node
        for node, tag in tags.items()
        if tree.texts[node] in stated and pages[node] <= few and tag != "title"
    ]
    if headings := [node for node in repeated if tags[node] in HEADINGS]:
        return min(headings, key=lambda node: (pages[node], -len(tree.texts[node]), node))
    if repeated:
        return min(repeated, key=lambda node: (-len(tree.texts[node]), node))
    by_rank = ({"h1"}, {"title"}, HEADINGS)
    return next((node for wanted in by_rank for node in leaves if tags[node] in wanted), None)


def _leaves(tree: Tree) -> list[int]:
    return [node for node, name in enumerate(tree.names) if name == TEXT]


def _tag_around(tree: Tree, node: int) -> str:
    """Return the tag of the element that a text is directly in."""
    parent = tree.parents[node]
    return tree.names[parent] if parent >= 0 else ""


def article_of_passages(url: str, pattern: Pattern, labelled: LabelledPassages) -> Article:
    """Return an article: one line, one paragraph of HTML and one section for each text leaf."""
    title = [ArticleSection("title", labelled.title)] if labelled.title else []
    return Article(
        url=url,
        title=labelled.title,
        text="\n".join(labelled.text),
        html="\n".join(f"<p>{escape(text, quote=False)}</p>" for text in labelled.text),
        sections=(*title, *(ArticleSection("main", text) for text in labelled.text)),
        pattern=pattern.name,
    )
