"""Match a page against the patterns of its site (path layouts)."""

from __future__ import annotations

from typing import NamedTuple

from ..blocks.vocabulary import Paths
from ..layouts.boilerplate import BoilerplateTexts
from ..layouts.names import FEW_PAGES
from ..layouts.placed import PlacedLayout
from ..layouts.similarity import ANYTHING, Profile, folded, profile_of, profile_similarity
from ..layouts.traits import SiteTraits
from ..options.extract import ExtractOptions
from ..values.patterns import Pattern, SitePatterns

#: Least share for a match if enough pages were learned to know all layouts, and how many pages are enough.
KNOWN_SITE, ENOUGH_PAGES = 0.4, 30


class Match(NamedTuple):
    """The most similar pattern, and the share of the text in which page and pattern agree, 0 to 1.

    The share decides which pattern matches. The article's ``confidence`` takes more
    into account: ``articles/confidence.py``.
    """

    pattern: Pattern
    share: float


def traits_of(site: SitePatterns) -> SiteTraits:
    """Return the traits that a site's pages have in common, as they were learned."""
    return SiteTraits(
        vocabulary=site.vocabulary,
        paths=Paths(site.vocabulary),
        boilerplate=BoilerplateTexts(
            (path, text) for path, texts in site.boilerplate.items() for text in texts
        ),
        affixes=(site.prefixes, site.suffixes),
        few=site.pages < FEW_PAGES,
    )


def match_paths(
    page: PlacedLayout,
    site: SitePatterns,
    options: ExtractOptions,
    kind: str | None = None,
    compared: list[tuple[Pattern, float]] | None = None,
) -> Match | None:
    """Return the pattern that a page matches best; None if none is similar enough.

    If several patterns are equally similar, the one with most pages wins.

    If few pages of a site are known, a page may well have a layout that none of them
    has. There every page matches, even with a small share, unless
    ``options.threshold`` says otherwise.

    :param kind: compare only with patterns of this kind.
    :param compared: gets the patterns that the page is compared with, and the share of each.

    Cost: a comparison of profiles for each pattern.
    """
    profile = profile_of(page)
    patterns = [one for one in site.patterns if kind in (None, one.kind)]
    if options.strict:
        places = set(page.places)
        patterns = [one for one in patterns if all(section.feature in places for section in one.sections)]
    matches = [
        Match(pattern, profile_similarity(_seen_by(pattern, profile), pattern.profile))
        for pattern in patterns
    ]
    if compared is not None:
        compared += matches
    best = max(matches, key=lambda match: (match.share, match.pattern.pages), default=None)
    if best is None or best.share < threshold_of(site, options):
        return None
    return best


def _seen_by(pattern: Pattern, profile: Profile) -> Profile:
    """Return a page's profile in the form of the pattern's profile: folded if that one is folded."""
    if pattern.container + ANYTHING in pattern.profile:
        return folded(profile, pattern.container)
    return profile


def threshold_of(site: SitePatterns, options: ExtractOptions) -> float:
    """Return the least share of a match on a site."""
    if options.threshold is not None:
        return options.threshold
    return KNOWN_SITE if site.pages >= ENOUGH_PAGES else 0.0
