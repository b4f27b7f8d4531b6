"""Compute how likely an article is right: one number from what extraction saw of it (path layouts).

    odds       =  ODDS * layout^a * whole^b * plain^c * single^d * seen^e * title^f * article^g * covered^h
    confidence =  odds / (1 + odds)

Each factor is a share from 0 to 1 (:class:`Shares`); one below .01 counts as .01. The exponents are
positive: the larger a factor, the larger the confidence.

ODDS and the exponents are those of a logistic regression (is F1 .9 or more?) on pages that gave an article.
Their patterns were learned from all pages of their sites, from 20 pages and from 5.
``tests/benchmarks/calibration.py --fit`` prints the numbers, and how well they hold on sites that were kept
aside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from rapidfuzz.distance import Indel

from ..site.affixes import Affixes, strip_affixes
from ..site.paths import under_any
from ..site.placed import PlacedLayout
from ..site.weighing import weigh_main
from ..values import Pattern

#: Printed by ``tests/benchmarks/calibration.py --fit``.
ODDS = 44.18
EXPONENTS: Mapping[str, float] = {
    "layout": 0.5,
    "whole": 4.77,
    "plain": 0.5,
    "single": 0.5,
    "seen": 0.5,
    "title": 0.5,
    "article": 3.6,
    "covered": 0.5,
}
#: Where no pattern of a known site fits, the odds are these times a power of the odds above, in which
#: ``layout`` and ``seen`` are the least. Printed by ``tests/benchmarks/calibration.py --fit``.
UNMATCHED_ODDS, UNMATCHED_POWER = 30.7, 1.77
#: A factor below this counts as this: an article of an unknown layout may still be right.
LEAST = 0.01


class Shares(NamedTuple):
    """The evidence on an article that has been extracted: the factors of its odds, each from 0 to 1.

    :param layout: share of the page's text profile that agrees with the pattern's.
    :param whole: the article's share of all text from its first block to its last.
    :param plain: share of the article's text outside links.
    :param single: share of the article's text outside repeated records with links.
    :param seen: n / (n + 2) for a pattern that was learned from n pages.
    :param title: (1 + the likeness of the title to the page's ``title`` element) / 2: that may well say
        something else.
    :param article: probability that the page is an article.
    :param covered: the article's share of the page's text outside links, boilerplate and repeated records.
    """

    layout: float
    whole: float
    plain: float
    single: float
    seen: float
    title: float
    article: float
    covered: float


@lru_cache(maxsize=64)  # several steps of extraction ask for the same
def confidence(evidence: Shares) -> float:
    """Return the confidence of an article, from 0 to less than 1.

    >>> likely = Shares(
    ...     layout=0.99, whole=0.99, plain=0.97, single=1.0, seen=0.95, title=1.0, article=0.99, covered=0.99
    ... )
    >>> confidence(likely) > 0.9 > confidence(likely._replace(whole=0.7))
    True
    """
    factors = evidence._asdict()
    odds: float = ODDS * prod(max(share, LEAST) ** EXPONENTS[name] for name, share in factors.items())
    return odds / (1 + odds)


def unmatched_confidence(evidence: Shares) -> float:
    """Return the confidence of an article on a page of a known site that no pattern fits, 0 to less than 1.

    These pages are few, and odd ones; most that look like articles are read as well as others.
    """
    likely = confidence(evidence)
    odds: float = UNMATCHED_ODDS * (likely / (1 - likely)) ** UNMATCHED_POWER
    return odds / (1 + odds)


def shares_of(
    page: PlacedLayout,
    pattern: Pattern,
    share: float,
    main: Sequence[int],
    title: str,
    affixes: Affixes,
    article: float,
) -> Shares:
    """Return the evidence on an article. Cost: linear in the number of the page's blocks.

    :param pattern: by which the page was read; ``share``: their similarity, 0 to 1.
    :param main: indexes of the blocks of the main text, at least one, in the order of the page.
    :param article: probability that the page is an article.
    """
    weights = MainWeights(*weigh_main(page, main))
    if pattern.cut:  # what somebody has left out says nothing against the rest
        under = under_any(pattern.cut)
        cut = [index for index, path in enumerate(page.places) if under(path)]
        weights = weights.without(page, cut, main)
    weight, around = weights.weight or 1, weights.around or 1
    title_element = strip_affixes(page.layout.title_element, affixes)
    return Shares(
        layout=share,
        whole=weight / max(weight, around),
        plain=weights.plain / weight,
        single=1 - weights.grouped / weight,
        seen=pattern.pages / (pattern.pages + 2),
        title=(1 + Indel.normalized_similarity(title.lower(), title_element.lower())) / 2,
        article=article,
        covered=min(1.0, weights.single / weights.new) if weights.new else 1.0,
    )


class MainWeights(NamedTuple):
    """The weight of an article's main text, and of what is around it.

    :param new: outside links, boilerplate and repeated records, on the whole page.
    :param single: outside links and repeated records, of the main text.
    :param weight: of the main text.
    :param around: of all text from its first block to its last.
    :param grouped: of the main text in repeated records.
    :param plain: of the main text outside links.
    """

    new: int
    single: int
    weight: int
    around: int
    grouped: int
    plain: int

    def without(self, page: PlacedLayout, cut: Iterable[int], main: Sequence[int]) -> MainWeights:
        """Return the weights as if some blocks, which are not main text, were not on the page."""
        new, around = self.new, self.around
        for index in cut:
            block = page.layout.blocks[index]
            if main[0] <= index <= main[-1]:
                around -= block.weight
            if not (page.boilerplate[index] or page.repeated[block.node]):
                new -= block.plain
        return self._replace(new=new, around=around)
