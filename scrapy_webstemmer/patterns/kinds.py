"""Article or list: what the rest of its site adds to what a page says of itself (``layouts/kind.py``).

A tag page with a single entry looks much like an article, and an article of
two lines much like a list; but other pages of the same layout, and those whose
addresses look the same, say what they are.

    log odds  =  BASE + sum over the evidence of WEIGHTS[evidence] * evidence

fitted like those of ``layouts/kind.py``, on what these give.
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
from ..options import ExtractOptions
from ..values import Pattern, SitePatterns
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
#: A mean counts as if so many more pages said nothing.
_DOUBT = 2
#: Of so many pages half of what a site of many pages has is known.
_HALF_KNOWN = 10
#: Shapes of addresses that are kept, the most frequent ones.
_MOST_SHAPES = 1_000

_OPTIONS = ExtractOptions()


class Evidence(NamedTuple):
    """What is known of whether a page is an article.

    :param own: log odds by what the page says of itself.
    :param shape: the mean of those of the pages whose address looks like its own, nearer to 0 where few
        pages of the site are known; 0: none looks so.
    :param layout: likewise of the pages that its pattern was learned from; of a page that matches none: of
        those that no pattern was learned from. 0 for a layout that both articles and lists have.
    :param undated: whether the site's articles are dated, and this page is not; less than 1 where few pages
        of the site are known.
    :param unmatched: likewise whether no pattern of the site is like the page.
    :param few: how little is known of the site, from 1 (no page) to 0 (all of them).
    """

    own: float
    shape: float = 0.0
    layout: float = 0.0
    undated: float = 0.0
    unmatched: float = 0.0
    few: float = 0.0


def probability(evidence: Evidence) -> float:
    """Return how probable it is that a page is an article, 0 to 1.

    >>> article, other = Evidence(own=3.0, shape=3.0, layout=3.0), Evidence(own=-3.0, shape=-3.0)
    >>> probability(article) > 0.9 > 0.1 > probability(other)
    True
    """
    odds = BASE + sum(WEIGHTS[name] * value for name, value in zip(evidence._fields, evidence, strict=True))
    return 1 / (1 + math.exp(-odds))


def evidence_of(page: PlacedLayout, site: SitePatterns, match: Match | None, own: float) -> Evidence:
    """Return what is known of whether a page is an article.

    :param match: the pattern that the page matches best, of whatever kind; None: it matches none.
    :param own: log odds by what the page says of itself.
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
    """Return for the url of each page its log odds by what it says of itself, read by a pattern."""
    found = {}
    for page in pages:
        _, title = title_of(page, pattern.titles, affixes)
        main = main_blocks(page, pattern, title)
        found[page.url] = own_odds(signs_of(page, pattern.container, main, title))
    return found


def mean_odds(odds: Sequence[float]) -> float:
    """Return the mean of some pages' log odds, nearer to 0 the fewer they are."""
    return round(sum(odds) / (len(odds) + _DOUBT), 3)


def odds_by_shape(odds: Mapping[str, float]) -> dict[str, float]:
    """Return for each :func:`~scrapy_webstemmer.base.urls.url_shape` the mean of its pages' log odds.

    :param odds: by the pages' urls.
    """
    shapes: dict[str, list[float]] = defaultdict(list)
    for url, value in odds.items():
        shapes[url_shape(url)].append(value)
    most = sorted(shapes, key=lambda shape: (-len(shapes[shape]), shape))[:_MOST_SHAPES]
    return {shape: mean_odds(shapes[shape]) for shape in sorted(most)}
