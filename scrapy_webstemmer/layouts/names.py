"""Find parts of a page by names that most sites share: elements of HTML, and classes of publishing systems.

This evidence does not come from the site. It serves for the first pages of a
site, while few texts recur: it is used for fewer than ``FEW_PAGES`` pages. Text in
such parts weighs less, as in repeated records. The table has only names that many
systems share, and no words of any language: programs choose the names of classes,
and readers do not see them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..values.layouts import Layout, Step
from .subtrees import any_in, running_totals, sum_in

#: From this many pages on, the site itself is better evidence than these names.
FEW_PAGES = 100

#: An element with more than this share of the page's text holds the article, whatever its name is.
_MOST_TEXT = 0.5

#: Elements that are not main text by their definition in HTML.
_TAGS = frozenset({"nav", "aside", "footer"})
#: Elements that hold a page or its text, whatever their ids and classes are.
_WHOLE = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "p"})

#: Names of readers' comments, which may be longer than the article.
_COMMENTS = frozenset("comment comments commentlist respond disqus".split())
#: Words that tell what an element is, if they are the last of its name: ``post-comments``, ``right-sidebar``.
_KINDS = _COMMENTS | frozenset(
    "sidebar related share sharing social addthis sharethis trackback trackbacks"
    " breadcrumb breadcrumbs nav navigation pagination pager menu footer tags widget newsletter"
    " ad ads advert advertisement promo promos sponsored toolbar tools".split()
)
#: Words that tell it as the first word, too: ``comments-area``, ``related-posts``.
_FIRST = _KINDS - {"nav", "menu", "ad", "tools", "footer"}
#: With one of these words, a name tells a state of the page, or means more than the part.
_STATES = frozenset("has with without no hide show open closed off on content body inner layout".split())

_WORD, _CASES = re.compile(r"[a-z]+"), re.compile(r"(?<=[a-z])(?=[A-Z])")


def named_nodes(layout: Layout, ends: Sequence[int]) -> list[int]:
    """Return the nodes whose names say that they are not main text.

    A name proves nothing if the element holds an ``h1``, or more than half of the page's text outside links.
    Only comments may be longer than the article. Cost: a look-up per node.
    """
    found = {node: kind for node, step in enumerate(layout.steps) if (kind := _kind(step))}
    if not found:
        return []
    tops = [node for node, step in enumerate(layout.steps) if step.tag == "h1"]
    plain = [0] * len(layout.steps)
    for block in layout.blocks:
        plain[block.node] += block.plain
    totals = running_totals(plain)
    return [
        node
        for node, kind in found.items()
        if not any_in(tops, node, ends[node])
        and (kind in _COMMENTS or sum_in(totals, ends, node) <= _MOST_TEXT * totals[-1])
    ]


@lru_cache(maxsize=20_000)
def _kind(step: Step) -> str:
    """Return the word that tells what an element is; empty if nothing tells that it is not main text."""
    if step.tag in _WHOLE:
        return ""
    if step.tag in _TAGS:
        return step.tag
    return next(filter(None, map(_named_kind, (step.id, *step.classes))), "")


def _named_kind(name: str) -> str:
    """Return the word of an id or a class that names a part that is not main text; empty if there is none.

    >>> [_named_kind(name) for name in ("comments-area", "postComments", "has-sidebar", "comments-open")]
    ['comments', 'comments', '', '']
    """
    words = _WORD.findall(_CASES.sub(" ", name).lower())
    if not words or not _STATES.isdisjoint(words):
        return ""
    if words[-1] in _KINDS:
        return str(words[-1])
    return str(words[0]) if words[0] in _FIRST else ""
