"""Which of a site's patterns a page was made by (path layouts)."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..blocks.vocabulary import Paths
from ..layouts.placed import PlacedLayout
from ..layouts.similarity import ANYTHING, LEADING, Profile, folded, profile_of, profile_similarity
from ..layouts.static import StaticTexts
from ..layouts.traits import SiteTraits
from ..options import ExtractOptions
from ..values import Pattern, SitePatterns

__all__ = ["ENOUGH_PAGES", "Match", "match_paths", "traits_of"]

#: Share that a page must reach where enough pages were learned to know all layouts.
_KNOWN_SITE, ENOUGH_PAGES = 0.4, 30


class Match(NamedTuple):
    """The most similar pattern, and the share of the text in which page and pattern agree, 0 to 1.

    The share decides what matches. How sure the article is that comes of it, its
    public ``similarity``, takes more into account: ``articles/similarity.py``.
    """

    pattern: Pattern
    share: float


def traits_of(site: SitePatterns) -> SiteTraits:
    """Return what a site's pages have in common, as it was learned."""
    return SiteTraits(
        vocabulary=site.vocabulary,
        paths=Paths(site.vocabulary),
        static=StaticTexts((path, text) for path, texts in site.static.items() for text in texts),
        leads=frozenset(site.leads),
        affixes=(site.prefixes, site.suffixes),
        mangle=re.compile(site.mangle) if site.mangle else None,
    )


def match_paths(page: PlacedLayout, site: SitePatterns, options: ExtractOptions) -> Match | None:
    """Return the pattern that a page matches best; None if none is similar enough.

    Of equals the one that was learned from more pages.

    On a site of which few pages are known a page may well have a layout that
    none of them has: there every page matches, with a small share, unless
    ``options.threshold`` says otherwise. Cost: linear in features and patterns.
    """
    profile = profile_of(page)
    patterns = [pattern for pattern in site.patterns if not options.strict or _complete(page, pattern)]
    matches = [
        Match(pattern, profile_similarity(_seen_by(pattern, profile), pattern.profile))
        for pattern in patterns
    ]
    best = max(matches, key=lambda match: (match.share, match.pattern.pages), default=None)
    if best is None or best.share < _threshold(site, options):
        return None
    return best


def _seen_by(pattern: Pattern, profile: Profile) -> Profile:
    """Return a page's profile as the pattern's was made: folded where the pattern's is."""
    anything = pattern.container + ANYTHING
    if anything in pattern.profile or anything + LEADING in pattern.profile:
        return folded(profile, pattern.container)
    return profile


def _threshold(site: SitePatterns, options: ExtractOptions) -> float:
    if options.threshold is not None:
        return options.threshold
    return _KNOWN_SITE if site.pages >= ENOUGH_PAGES else 0.0


def _complete(page: PlacedLayout, pattern: Pattern) -> bool:
    paths = {page.paths[block.node] for block in page.layout.blocks}
    return all(section.feature in paths for section in pattern.sections)
