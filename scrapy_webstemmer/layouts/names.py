"""Parts of a page that are named alike on most sites: HTML's own elements, and classes of publishing systems.

Evidence that does not come from the site, for the first pages of one: what
recurs there says little as yet. It makes text weigh less, as in a list of
records; it is asked as long as fewer than ``FEW_PAGES`` pages of a site are
known. Only names that many systems share, and no words of any language: a
class is what a program called a part, not what a reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..values import Layout, Step

__all__ = ["FEW_PAGES", "named_nodes"]

#: Pages of a site from which on what these names say is known better from the site itself.
FEW_PAGES = 100

#: Elements that are no main text by their definition.
_TAGS = frozenset({"nav", "aside", "footer"})
#: Elements that hold a page or its text, whatever they are called.
_WHOLE = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "p"})

#: The last word of a name that says what an element is: ``post-comments``, ``right-sidebar``.
_KINDS = frozenset(
    "comment comments commentlist respond disqus sidebar related share sharing social addthis sharethis"
    " breadcrumb breadcrumbs nav navigation pagination pager menu footer tags widget newsletter"
    " ad ads advert advertisement promo promos sponsored toolbar tools".split()
)
#: Those that may be the first word, too: ``comments-area``, ``related-posts``.
_FIRST = _KINDS - {"nav", "menu", "ad", "tools", "footer"}
#: Words beside these that tell of a state of the page, or of an element that is more than the part.
_STATES = frozenset("has with without no hide show open closed off on content body inner layout".split())

_WORD = re.compile(r"[a-z]+")


def named_nodes(layout: Layout, ends: Sequence[int]) -> list[int]:
    """Return the nodes that are named as no main text; none that holds a heading of the first level.

    Cost: a look-up a node.
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
    """Return whether an id or a class names a part that is no main text.

    >>> [_names_a_part(name) for name in ("comments-area", "postComments", "has-sidebar", "comments-open")]
    [True, True, False, False]
    """
    words = _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    if not words or not _STATES.isdisjoint(words):
        return False
    return words[-1] in _KINDS or words[0] in _FIRST
