"""Collect the texts of the links to each page of a site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

#: Bound: at most so many texts are compared with each text of a page. On real sites an article has a
#: handful.
_MOST_TEXTS = 100


class AnchorTexts:
    """The anchor texts of one site, by the :func:`~scrapy_webstemmer.base.urls.link_key` of their target."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = defaultdict(set)

    def add(self, target: str, text: str) -> None:
        """Note that a text leads to a target."""
        self._texts[target].add(text)

    def to(self, keys: Iterable[str]) -> frozenset[str]:
        """Return the texts that lead to a page, given the keys under which it is known.

        A page with very many of them, such as the front page, has none that names it: some are enough.
        """
        found = frozenset[str]().union(*[self._texts[key] for key in keys if key in self._texts])
        return found if len(found) <= _MOST_TEXTS else frozenset(sorted(found)[:_MOST_TEXTS])
