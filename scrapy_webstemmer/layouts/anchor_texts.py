"""Collect the texts of the links to each page of a site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


class AnchorTexts:
    """The anchor texts of one site, by the :func:`~scrapy_webstemmer.base.urls.link_key` of their target."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = defaultdict(set)

    def add(self, target: str, text: str) -> None:
        """Note that a text leads to a target."""
        self._texts[target].add(text)

    def to(self, keys: Iterable[str]) -> frozenset[str]:
        """Return all texts that lead to a page, given the keys under which it is known."""
        return frozenset().union(*[self._texts[key] for key in keys if key in self._texts])
