"""Decide which sites need learning, and from which of their pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..base.samples import PageSample
from ..pattern_files.pattern_file import PatternSet
from ..site.model import HANDFUL
from ..values import SitePatterns

#: A site is learned again when this many times as many of its pages are known.
_GROWN = 1.5


def sites_to_learn(
    counts: Mapping[str, int], patterns: PatternSet, drifted: Collection[str], most: int
) -> list[str]:
    """Return the sites that need learning: new ones, those that have grown by half, and those that drifted.

    :param counts: number of known pages of each site.
    :param most: number of pages that learning draws at most; 0: all. From then on a site does not grow.
    """
    return [
        site
        for site, count in sorted(counts.items())
        if count >= HANDFUL and _needs(patterns.sites.get(site), count, site in drifted, most)
    ]


def _needs(known: SitePatterns | None, count: int, has_drifted: bool, most: int) -> bool:
    if known is None or has_drifted:
        return True
    before = known.usual.known if known.usual else known.pages
    return count >= _GROWN * before and not 0 < most <= before


def pages_to_learn(keys: Sequence[str], fresh: Collection[str], most: int) -> list[str]:
    """Return the pages that a site is learned from, in their order: all, or a sample.

    Half of the sample may be pages that no pattern fits. A new layout of a large site would otherwise have
    hardly a page in it.

    :param keys: the urls of all pages.
    :param fresh: the urls of those that no pattern fits.
    :param most: the size of the sample; 0: all pages.
    """
    if not 0 < most < len(keys):
        return list(keys)
    new = _drawn([key for key in keys if key in fresh], most // 2)
    return sorted(new | _drawn([key for key in keys if key not in new], most - len(new)))


def _drawn(keys: Sequence[str], most: int) -> set[str]:
    """Return a sample that is drawn evenly from the directories of the urls."""
    drawn, sample = set(keys), PageSample(most)
    if not most:
        return set()
    for key in keys:
        left_out = sample.add(key)
        if left_out is not None:
            drawn.discard(left_out)
    return drawn
