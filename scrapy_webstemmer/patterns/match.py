"""Find the pattern that a page matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..options import ExtractOptions
from ..site.boilerplate import BoilerplateTexts
from ..site.model import ENOUGH_PAGES, SiteModel
from ..site.paths import Paths, bare, coarse, is_bare, is_under, last_step, under_any
from ..site.placed import PlacedLayout
from ..site.profiles import ANYTHING, Profile, folded, profile_of, profile_similarity
from ..values import Pattern, SitePatterns

#: Least share for a match if enough pages were learned to know all layouts.
KNOWN_SITE = 0.4

#: Least share for a match by tags alone.
_BY_TAGS = 0.7


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


def match_bare(page: PlacedLayout, patterns: Iterable[Pattern]) -> tuple[PlacedLayout, Match] | None:
    """Return a page by tags alone, and the pattern of articles that it matches then; None: there is none.

    A site may give its elements new ids and classes and keep its structure: some tools make names anew
    whenever a site is built. This is for a page that is like no pattern with its names. If it has one of the
    names around a pattern's text, the names are not new, and the page differs in something else.

    Cost: a look at each path of the page, and at each section and feature of the patterns.
    """
    names = frozenset(map(last_step, page.paths))
    # one page does not tell a structure; a correction names one element, and by tags it may be several
    renamed = [
        pattern
        for pattern in patterns
        if pattern.kind == "article"
        and pattern.odds > 0
        and pattern.pages > 1
        and not (pattern.cut or pattern.kept or pattern.headline)
        and _has_other_names(pattern, names)
    ]
    if not renamed:
        return None
    page = replace(page, paths=tuple(map(bare, page.paths)), places=tuple(map(bare, page.places)))
    profile = profile_of(page)
    match = best_match([_matched(_by_tags(pattern), profile) for pattern in renamed], _BY_TAGS)
    return (page, match) if match else None


def _has_other_names(pattern: Pattern, names: Collection[str]) -> bool:
    """Return whether some names have none of those around a pattern's text, which is not the whole page."""
    _, *around = pattern.container.split("/")
    return bool(around) and not any(step in names for step in around if not is_bare(step))


def _by_tags(pattern: Pattern) -> Pattern:
    """Return a pattern whose paths have no ids and classes.

    A part that is excluded still is, if no text that counts is at the same path then.
    """
    profile: dict[str, float] = defaultdict(float)
    for feature, share in pattern.profile.items():
        profile[coarse(bare(feature))] += share
    under = under_any(pattern.excluded)
    features = [section.feature for section in pattern.sections]
    texts = {bare(path) for path in features if is_under(path, pattern.container) and not under(path)}
    excluded = dict.fromkeys(map(bare, pattern.excluded))
    return replace(
        pattern,
        sections=tuple([section._replace(feature=bare(section.feature)) for section in pattern.sections]),
        titles=tuple(dict.fromkeys(map(bare, pattern.titles))),
        profile=dict(profile),
        container=bare(pattern.container),
        excluded=tuple([path for path in excluded if not any(is_under(text, path) for text in texts)]),
        frames=tuple([frame._replace(path=bare(frame.path)) for frame in pattern.frames]),
        places=tuple([place._replace(path=bare(place.path)) for place in pattern.places]),
    )


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
