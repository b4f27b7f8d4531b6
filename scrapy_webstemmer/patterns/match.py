"""Find the pattern that a page matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..options import ExtractOptions
from ..site.boilerplate import BoilerplateTexts
from ..site.model import ENOUGH_PAGES, SiteModel
from ..site.paths import Paths
from ..site.placed import PlacedLayout
from ..site.profiles import ANYTHING, Profile, folded, profile_of, profile_similarity
from ..values import Pattern, SitePatterns

#: Least share for a match if enough pages were learned to know all layouts.
KNOWN_SITE = 0.4


class Match(NamedTuple):
    """The most similar pattern, and the share of the text in which page and pattern agree, 0 to 1.

    The share decides which pattern matches. The article's ``confidence`` takes more
    into account: ``extraction/result.py``.
    """

    pattern: Pattern
    share: float


def model_of(site: SitePatterns) -> SiteModel:
    """Return what a site's pages have in common, as it was learned."""
    return SiteModel(
        vocabulary=site.vocabulary,
        paths=Paths(site.vocabulary),
        boilerplate=BoilerplateTexts(
            (path, text) for path, texts in site.boilerplate.items() for text in texts
        ),
        affixes=(site.prefixes, site.suffixes),
    )


def compare(page: PlacedLayout, site: SitePatterns, options: ExtractOptions) -> list[Match]:
    """Return the patterns that a page is compared with, and the share of each.

    Cost: a comparison of profiles for each pattern.
    """
    profile = profile_of(page)
    patterns: Sequence[Pattern] = site.patterns
    if options.strict:
        places = set(page.places)
        patterns = [
            pattern for pattern in patterns if all(section.feature in places for section in pattern.sections)
        ]
    return [_matched(pattern, profile) for pattern in patterns]


def _matched(pattern: Pattern, profile: Profile) -> Match:
    """Return how similar a page's profile is to a pattern's; it is folded if that one is folded."""
    if pattern.container + ANYTHING in pattern.profile:
        profile = folded(profile, pattern.container)
    return Match(pattern, profile_similarity(profile, pattern.profile))


def best_match(compared: Iterable[Match], least: float) -> Match | None:
    """Return the pattern that a page matches best; None if no share is the least one or more.

    If several patterns are equally similar, the one with most pages wins.
    """
    best = max(compared, key=lambda match: (match.share, match.pattern.pages), default=None)
    return None if best is None or best.share < least else best


def threshold_of(site: SitePatterns, options: ExtractOptions) -> float:
    """Return the least share of a match on a site.

    If few pages of a site are known, a page may well have a layout that none of them has. There every page
    matches, even with a small share, unless ``options.threshold`` says otherwise.
    """
    if options.threshold is not None:
        return options.threshold
    return KNOWN_SITE if site.pages >= ENOUGH_PAGES else 0.0
