"""Index a site's patterns by feature, so that a page is compared only with those it could match best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from ..blocks.vocabulary import MAX_INTERNED
from ..layouts.paths import is_under
from ..layouts.similarity import ANYTHING, Profile, folded
from ..values.patterns import Pattern

__all__ = ["PatternIndex", "seen_by"]

#: Up to this number of patterns, a page is compared with all: to choose among them would cost more.
_FEW = 3
#: An estimate adds up the same numbers as the exact share, in another order. It is off by less than this.
_ROUNDING = 1e-9


def seen_by(pattern: Pattern, profile: Profile) -> Profile:
    """Return a page's profile in the form of the pattern's profile: folded if that one is folded."""
    return folded(profile, pattern.container) if _is_folded(pattern) else profile


def _is_folded(pattern: Pattern) -> bool:
    return pattern.container + ANYTHING in pattern.profile


class PatternIndex:
    """For each feature, the patterns that have it, each with the feature's share of its text.

    It is made once and used for every page. Memory: two numbers for each feature of each pattern.
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
        """Return some patterns in their order, among them the one that a page matches best.

        They are chosen by an estimate of
        :func:`~scrapy_webstemmer.layouts.similarity.profile_similarity`; the caller compares them exactly.
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
        if not shares:  # all patterns are equally unlike the page: the one with most pages wins
            return [max(self._patterns, key=lambda pattern: pattern.pages)]
        best = max(shares.values())
        if best <= _ROUNDING:
            return self._patterns
        return [self._patterns[number] for number in sorted(shares) if shares[number] >= best - _ROUNDING]

    def _folded_from(self, profile: Profile) -> Profile:
        """Return the features that a page's profile gets if it is folded, for each container of the index."""
        found: dict[str, float] = {}
        if self._folded:
            for feature, weight in profile.items():
                for name in self._names_folded(feature):
                    found[name] = found.get(name, 0.0) + weight
        return found

    def _names_folded(self, feature: str) -> tuple[str, ...]:
        """Return a feature's names after folding, one for each container of the index around it."""
        found = self._names.get(feature)
        if found is None:
            if len(self._names) > MAX_INTERNED:
                self._names.clear()
            around = (one for one in _with_ancestors(feature) if one in self._folded)
            found = self._names[feature] = tuple(one + ANYTHING for one in around)
        return found


def _features_of(pattern: Pattern) -> Iterator[str]:
    """Yield the features of a pattern that a page can have: inside a folded container, only the folded."""
    container = pattern.container
    whole = container + ANYTHING
    for feature in pattern.profile:
        if feature == whole or not (_is_folded(pattern) and is_under(feature, container)):
            yield feature


def _with_ancestors(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]
