"""Measure extraction with one pattern of a site and with a hundred."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from speed_timing import best, stages

from scrapy_webstemmer import PatternSet, extract
from scrapy_webstemmer.values import Page, Pattern, SitePatterns

__all__ = ["PATTERNS", "by_patterns", "multiplied"]

#: Numbers of patterns against which pages are matched.
PATTERNS = (1, 10, 100)


def by_patterns(patterns: PatternSet, pages: Sequence[Page]) -> dict[str, dict[str, float]] | None:
    """Return the seconds of extraction, and of matching in it, by the number of the site's patterns.

    Only pages that give an article by the site's first pattern are extracted. None if there is no such page.
    """
    articles = [
        pattern for site in patterns.sites.values() for pattern in site.patterns if pattern.kind == "article"
    ]
    if not articles:
        return None
    site = next(site for site in patterns.sites.values() if articles[0] in site.patterns)
    sets = {count: PatternSet({site.site: multiplied(site, articles[0], count)}) for count in PATTERNS}
    pages = [page for page in pages if (found := extract(page, sets[1])) and found.pattern]
    if not pages:
        return None
    found: dict[str, dict[str, float]] = {}
    for count, many in sets.items():
        with stages({"extraction.page_steps.compare": "match"}) as spent:
            for page in pages:
                extract(page, many)
        found[str(count)] = {
            "extract": best(lambda many=many: [extract(page, many) for page in pages]),
            **spent,
        }
    return found


def multiplied(site: SitePatterns, pattern: Pattern, count: int) -> SitePatterns:
    """Return the site with so many patterns: one, and copies that share about half of its places."""
    others = tuple(_disguised(pattern, number) for number in range(1, count))
    return replace(site, patterns=(pattern, *others))


def _disguised(pattern: Pattern, number: int) -> Pattern:
    chance = random.Random(number)
    profile = {
        feature if chance.random() < 0.5 else f"other{number}/{feature}": share
        for feature, share in pattern.profile.items()
    }
    return replace(pattern, name=f"{pattern.name}#{number}", profile=profile)
