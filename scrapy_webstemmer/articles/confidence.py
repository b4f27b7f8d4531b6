"""How sure an article is: what extraction saw of it, as one number (path layouts).

    odds       =  ODDS * layout^a * whole^b * plain^c * single^d * seen^e * title^f * article^g * covered^h
    confidence =  odds / (1 + odds)

Each factor is a share from 0 to 1 (:class:`Evidence`), and the exponents are
positive: the more of the page is as usual, the larger the confidence; where one
factor is 0, so is the result. ``seen`` is n / (n + 2) for a pattern of n pages,
and ``title`` between a half and 1, since a page may well call itself otherwise.

ODDS and exponents are those of a logistic regression (is F1 .9 or more?) on pages
that came out, learned from all pages of their sites, from 20 and from 5.
``tests/benchmarks/calibration.py --fit`` prints them, and how well they hold on
sites that were kept aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from rapidfuzz.distance import Indel

from ..layouts.affixes import Affixes, strip_affixes
from ..layouts.placed import PlacedLayout
from ..patterns.match import Match

__all__ = ["EXPONENTS", "LEAST", "ODDS", "Evidence", "confidence", "evidence_of", "factors"]

#: Printed by ``tests/benchmarks/calibration.py --fit``.
ODDS = 37.54
EXPONENTS: Mapping[str, float] = {
    "layout": 0.5,
    "whole": 4.04,
    "plain": 0.5,
    "single": 2.19,
    "seen": 0.5,
    "title": 4.3,
    "article": 3.39,
    "covered": 0.5,
}
#: Factors below this count as this much: that nothing of a layout is known leaves some hope.
LEAST = 0.01

#: Likeness of a title to a ``title`` element that the page does not have.
_UNKNOWN = 0.5


class Evidence(NamedTuple):
    """What is known of an article when it has been extracted; shares from 0 to 1.

    :param layout: share of the page's text profile that agrees with the pattern's.
    :param pages: how many pages the pattern was learned from.
    :param whole: share of the text from the article's first block to its last that is the article's.
    :param plain: share of the article's text that is outside links.
    :param single: share of it that is outside repeated records with links.
    :param title: likeness of the title to the page's ``title`` element.
    :param article: how probable it is that the page is an article.
    :param covered: share of the page's text outside links, boilerplate and records that is the article's.
    """

    layout: float
    pages: int
    whole: float
    plain: float
    single: float
    title: float
    article: float
    covered: float


def confidence(evidence: Evidence) -> float:
    """Return how sure an article is, 0 to less than 1.

    >>> likely = Evidence(
    ...     layout=0.99, pages=40, whole=0.99, plain=0.97, single=1.0, title=1.0, article=0.99, covered=0.99
    ... )
    >>> confidence(likely) > 0.9 > confidence(likely._replace(whole=0.7))
    True
    """
    found = factors(evidence)
    odds: float = ODDS * prod(max(value, LEAST) ** EXPONENTS[name] for name, value in found.items())
    return odds / (1 + odds)


def factors(evidence: Evidence) -> dict[str, float]:
    """Return the factors of the odds, each from 0 to 1."""
    return {
        "layout": evidence.layout,
        "whole": evidence.whole,
        "plain": evidence.plain,
        "single": evidence.single,
        "seen": evidence.pages / (evidence.pages + 2),
        "title": (1 + evidence.title) / 2,
        "article": evidence.article,
        "covered": evidence.covered,
    }


def evidence_of(
    page: PlacedLayout, match: Match, main: Sequence[int], title: str, affixes: Affixes, article: float
) -> Evidence:
    """Return what speaks for an article; cost: linear in the page's blocks.

    :param main: indexes of the blocks of the main text, one at least, in the order of the page.
    :param article: how probable it is that the page is an article.
    """
    blocks = page.layout.blocks
    flags = zip(blocks, page.boilerplate, strict=True)
    new = sum(
        block.plain for block, boilerplate in flags if not boilerplate and not page.repeated[block.node]
    )
    own = sum(blocks[index].plain for index in main if not page.repeated[blocks[index].node])
    weight = sum(blocks[index].weight for index in main) or 1
    around = sum(block.weight for block in blocks[main[0] : main[-1] + 1]) or 1
    grouped = sum(blocks[index].weight for index in main if page.repeated[blocks[index].node])
    return Evidence(
        layout=match.share,
        pages=match.pattern.pages,
        whole=weight / max(weight, around),
        plain=sum(blocks[index].plain for index in main) / weight,
        single=1 - grouped / weight,
        title=_title_likeness(title, page.layout.title_element, affixes),
        article=article,
        covered=min(1.0, own / new) if new else 1.0,
    )


def _title_likeness(title: str, title_element: str, affixes: Affixes) -> float:
    if not title_element:
        return _UNKNOWN
    return Indel.normalized_similarity(title.lower(), strip_affixes(title_element, affixes).lower())
