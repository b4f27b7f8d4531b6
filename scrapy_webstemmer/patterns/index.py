"""A site's patterns by feature: a page is compared with those only that it could match best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from ..blocks.vocabulary import MAX_INTERNED
from ..layouts.paths import is_under
from ..layouts.similarity import ANYTHING, LEADING, Profile, folded
from ..values import Pattern

__all__ = ["PatternIndex", "seen_by"]

#: Of so few patterns each is compared: that costs less than to find out which ones to compare.
_FEW = 3
#: Estimates are the exact shares but for the order in which numbers are added up, so off by less than this.
_ROUNDING = 1e-9


def seen_by(pattern: Pattern, profile: Profile) -> Profile:
    """Return a page's profile as the pattern's was made: folded where the pattern's is."""
    return folded(profile, pattern.container) if _is_folded(pattern) else profile


def _is_folded(pattern: Pattern) -> bool:
    anything = pattern.container + ANYTHING
    return anything in pattern.profile or anything + LEADING in pattern.profile


class PatternIndex:
    """For each feature the patterns that have it, with the share of their text that is there.

    Made once, and used for every page. Memory: a pair of numbers a feature of a pattern.
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._patterns = patterns
        self._having: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._folded = frozenset(pattern.container for pattern in patterns if _is_folded(pattern))
        self._names: dict[str, tuple[str, ...]] = {}
        for number, pattern in enumerate(patterns):
            whole = sum(pattern.profile.values())
            for feature in _features_of(pattern) if whole else ():
                self._having[feature].append((number, pattern.profile[feature] / whole))

    def nearest(self, profile: Profile) -> Sequence[Pattern]:
        """Return the patterns among which is the one that a page matches best, in their order.

        They are found by an estimate of
        :func:`~scrapy_webstemmer.layouts.similarity.profile_similarity`, and to be compared by that.
        Cost: linear in the page's features and in the patterns that have them.
        """
        whole = sum(profile.values())
        if len(self._patterns) <= _FEW or not whole:
            return self._patterns
        shares: dict[int, float] = {}
        having = self._having
        for feature, weight in chain(profile.items(), self._folded_from(profile).items()):
            for number, share in having.get(feature, ()):
                shares[number] = shares.get(number, 0.0) + share + weight / whole
        if not shares:  # all are as unlike: of equals the one that was learned from more pages
            return [max(self._patterns, key=lambda pattern: pattern.pages)]
        best = max(shares.values())
        if best <= _ROUNDING:
            return self._patterns
        return [self._patterns[number] for number in sorted(shares) if shares[number] >= best - _ROUNDING]

    def _folded_from(self, profile: Profile) -> Profile:
        """Return what a page's profile would have if it were folded, for each container of such patterns."""
        found: dict[str, float] = {}
        if self._folded:
            for feature, weight in profile.items():
                for name in self._names_folded(feature):
                    found[name] = found.get(name, 0.0) + weight
        return found

    def _names_folded(self, feature: str) -> tuple[str, ...]:
        """Return what a feature is called if it is folded, for each container of such patterns around it."""
        found = self._names.get(feature)
        if found is None:
            if len(self._names) > MAX_INTERNED:
                self._names.clear()
            path, leading, _ = feature.partition(LEADING)
            around = (one for one in _with_ancestors(path) if one in self._folded)
            found = self._names[feature] = tuple(one + ANYTHING + leading for one in around)
        return found


def _features_of(pattern: Pattern) -> Iterator[str]:
    """Yield a pattern's features that a page can have: where it is folded none of those within."""
    container = pattern.container
    whole = {container + ANYTHING, container + ANYTHING + LEADING} if _is_folded(pattern) else set()
    for feature in pattern.profile:
        within = whole and is_under(feature.partition(LEADING)[0], container)
        if not within or feature in whole:
            yield feature


def _with_ancestors(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]
