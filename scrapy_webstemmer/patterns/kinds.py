"""Tell articles from lists: add what the rest of the site shows to a page's own evidence.

A tag page with a single entry looks much like an article, and an article of two
lines looks much like a list. Other pages of the same layout, and pages whose urls
look the same, show what the page is.

    log odds  =  BASE + sum over the evidence of WEIGHTS[evidence] * evidence

The weights are fitted like those of ``layouts/kind.py``, which gives a page's own
evidence; its log odds are one of the inputs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..base.urls import url_shape
from ..layouts.affixes import Affixes
from ..layouts.dates import undated
from ..layouts.kind import own_odds, signs_of
from ..layouts.main_text import main_blocks
from ..layouts.placed import PlacedLayout
from ..layouts.title import title_of
from ..options.extract import ExtractOptions
from ..values.patterns import Pattern, SitePatterns
from .match import Match

__all__ = [
    "BASE",
    "WEIGHTS",
    "Evidence",
    "evidence_of",
    "mean_odds",
    "odds_by_shape",
    "odds_of",
    "probability",
]

#: Printed by ``tests/benchmarks/kinds.py``.
BASE = -0.93
WEIGHTS: Mapping[str, float] = {
    "own": 0.62,
    "shape": 0.92,
    "layout": 0.29,
    "undated": -2.52,
    "unmatched": -0.75,
    "few": 2.00,
}
#: A mean is taken as if there were this number of further pages with log odds of 0.
_DOUBT = 2
#: From this number of pages, half of what many pages would tell about a site is known.
_HALF_KNOWN = 10
#: Largest number of url shapes that are kept, the most frequent ones.
_MOST_SHAPES = 1_000

_OPTIONS = ExtractOptions()


class Evidence(NamedTuple):
    """The evidence on whether a page is an article.

    :param own: log odds by the page's own evidence.
    :param shape: mean log odds of the learned pages whose urls look like the page's; 0: there are none. The
        fewer pages of the site are known, the nearer to 0.
    :param layout: mean log odds of the pages that the matched pattern was learned from, or, without a match,
        of the pages that gave no pattern. 0 for a layout that both articles and lists have. The fewer pages
        of the site are known, the nearer to 0.
    :param undated: 1 if the site's articles are dated and this page is not, else 0; less than 1 if few pages
        of the site are known.
    :param unmatched: 1 if no pattern of the site is like the page, else 0; less than 1 if few pages of the
        site are known.
    :param few: how little is known of the site, from 1 (no page) to 0 (all pages).
    """

    own: float
    shape: float = 0.0
    layout: float = 0.0
    undated: float = 0.0
    unmatched: float = 0.0
    few: float = 0.0


def probability(evidence: Evidence) -> float:
    """Return the probability that a page is an article, 0 to 1.

    >>> article, other = Evidence(own=3.0, shape=3.0, layout=3.0), Evidence(own=-3.0, shape=-3.0)
    >>> probability(article) > 0.9 > 0.1 > probability(other)
    True
    """
    odds = BASE + sum(WEIGHTS[name] * value for name, value in zip(evidence._fields, evidence, strict=True))
    return 1 / (1 + math.exp(-odds))


def evidence_of(page: PlacedLayout, site: SitePatterns, match: Match | None, own: float) -> Evidence:
    """Return the evidence on whether a page is an article.

    :param match: the page's best match, of any kind of pattern; None: it matches none.
    :param own: log odds by the page's own evidence.
    """
    few = _HALF_KNOWN / (site.pages + _HALF_KNOWN)
    return Evidence(
        own=own,
        shape=(1 - few) * site.shapes.get(url_shape(page.url), 0.0),
        layout=(1 - few) * (match.pattern.odds if match else site.odd_odds),
        undated=(1 - few) * undated(page, site.dated),
        unmatched=(1 - few) * (match is None),
        few=few,
    )


def odds_of(pages: Iterable[PlacedLayout], pattern: Pattern, affixes: Affixes) -> dict[str, float]:
    """Return by url the log odds of each page by its own evidence, as a pattern reads it."""
    found = {}
    for page in pages:
        _, title = title_of(page, pattern.titles, affixes)
        main = main_blocks(page, pattern, title)
        found[page.url] = own_odds(signs_of(page, pattern.container, main, title))
    return found


def mean_odds(odds: Sequence[float]) -> float:
    """Return the mean of some pages' log odds. The fewer the pages, the nearer it is to 0."""
    return round(sum(odds) / (len(odds) + _DOUBT), 3)


def odds_by_shape(odds: Mapping[str, float]) -> dict[str, float]:
    """Return for each :func:`~scrapy_webstemmer.base.urls.url_shape` the mean of its pages' log odds.

    :param odds: the pages' log odds, by url.
    """
    shapes: dict[str, list[float]] = defaultdict(list)
    for url, value in odds.items():
        shapes[url_shape(url)].append(value)
    most = sorted(shapes, key=lambda shape: (-len(shapes[shape]), shape))[:_MOST_SHAPES]
    return {shape: mean_odds(shapes[shape]) for shape in sorted(most)}
