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

__all__ = ["FEW_PAGES", "named_nodes"]

#: From this many pages on, the site itself is better evidence than these names.
FEW_PAGES = 100

#: Elements that are not main text by their definition in HTML.
_TAGS = frozenset({"nav", "aside", "footer"})
#: Elements that hold a page or its text, whatever their ids and classes are.
_WHOLE = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "p"})

#: Words that tell what an element is, if they are the last of its name: ``post-comments``, ``right-sidebar``.
_KINDS = frozenset(
    "comment comments commentlist respond disqus sidebar related share sharing social addthis sharethis"
    " breadcrumb breadcrumbs nav navigation pagination pager menu footer tags widget newsletter"
    " ad ads advert advertisement promo promos sponsored toolbar tools".split()
)
#: Words that tell it as the first word, too: ``comments-area``, ``related-posts``.
_FIRST = _KINDS - {"nav", "menu", "ad", "tools", "footer"}
#: With one of these words, a name tells a state of the page, or means more than the part.
_STATES = frozenset("has with without no hide show open closed off on content body inner layout".split())

_WORD, _CASES = re.compile(r"[a-z]+"), re.compile(r"(?<=[a-z])(?=[A-Z])")


def named_nodes(layout: Layout, ends: Sequence[int]) -> list[int]:
    """Return the nodes whose names say that they are not main text, except those that hold an ``h1``.

    Cost: a look-up per node.
    """
    found = [node for node, step in enumerate(layout.steps) if _is_named(step)]
    if not found:
        return []
    tops = [node for node, step in enumerate(layout.steps) if step.tag == "h1"]
    return [node for node in found if not any(node < top < ends[node] for top in tops)]


@lru_cache(maxsize=20_000)
def _is_named(step: Step) -> bool:
    if step.tag in _WHOLE:
        return False
    return step.tag in _TAGS or any(map(_names_a_part, (step.id, *step.classes)))


def _names_a_part(name: str) -> bool:
    """Return whether an id or a class names a part that is not main text.

    >>> [_names_a_part(name) for name in ("comments-area", "postComments", "has-sidebar", "comments-open")]
    [True, True, False, False]
    """
    words = _WORD.findall(_CASES.sub(" ", name).lower())
    if not words or not _STATES.isdisjoint(words):
        return False
    return words[-1] in _KINDS or words[0] in _FIRST
