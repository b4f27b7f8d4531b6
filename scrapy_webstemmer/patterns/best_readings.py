"""Test how a pattern reads its pages, and keep the container that reads them best.

The rules that find containers look at paths and masses. Confidence looks at what comes out. To read pages
without exclusions, or by their own evidence alone, was tried as well: on 213 sites of which the right
texts are known, neither confidence nor weights fitted for it could tell where that is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp, log, prod, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from rapidfuzz.distance import Indel

from ..base.urls import drawn
from ..site.affixes import Affixes, strip_affixes
from ..site.excluded import find_excluded
from ..site.main_text import MainText, main_text
from ..site.paths import under_any
from ..site.placed import PlacedLayout
from ..site.titles import title_of
from ..site.weighing import weigh_main
from ..values import Pattern
from .templates import Template

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
#: A factor below this counts as this: an article of an unknown layout may still be right.
LEAST = 0.01

#: Likeness of a title to the ``title`` element, if the page has no such element.
_UNKNOWN = 0.5


class Shares(NamedTuple):
    """The evidence on an article that has been extracted. Shares are from 0 to 1.

    :param layout: share of the page's text profile that agrees with the pattern's.
    :param pages: number of pages that the pattern was learned from.
    :param whole: the article's share of all text from its first block to its last.
    :param plain: share of the article's text outside links.
    :param single: share of the article's text outside repeated records with links.
    :param title: likeness of the title to the page's ``title`` element.
    :param article: probability that the page is an article.
    :param covered: the article's share of the page's text outside links, boilerplate and repeated records.
    """

    layout: float
    pages: int
    whole: float
    plain: float
    single: float
    title: float
    article: float
    covered: float


def confidence(evidence: Shares) -> float:
    """Return the confidence of an article, from 0 to less than 1.

    >>> likely = Shares(
    ...     layout=0.99, pages=40, whole=0.99, plain=0.97, single=1.0, title=1.0, article=0.99, covered=0.99
    ... )
    >>> confidence(likely) > 0.9 > confidence(likely._replace(whole=0.7))
    True
    """
    found = factors(evidence)
    odds: float = ODDS * prod(max(value, LEAST) ** EXPONENTS[name] for name, value in found.items())
    return odds / (1 + odds)


def factors(evidence: Shares) -> dict[str, float]:
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
    found = MainWeights(*weigh_main(page, main))
    if pattern.cut:  # what somebody has left out says nothing against the rest
        under = under_any(pattern.cut)
        cut = [index for index, path in enumerate(page.places) if under(path)]
        found = found.without(page, cut, main)
    weight, around = found.weight or 1, found.around or 1
    return Shares(
        layout=share,
        pages=pattern.pages,
        whole=weight / max(weight, around),
        plain=found.plain / weight,
        single=1 - found.grouped / weight,
        title=_title_likeness(title, page.layout.title_element, affixes),
        article=article,
        covered=min(1.0, found.own / found.new) if found.new else 1.0,
    )


class MainWeights(NamedTuple):
    """The weight of an article's main text, and of what is around it.

    :param new: outside links, boilerplate and repeated records, on the whole page.
    :param own: outside links and repeated records, of the main text.
    :param weight: of the main text.
    :param around: of all text from its first block to its last.
    :param grouped: of the main text in repeated records.
    :param plain: of the main text outside links.
    """

    new: int
    own: int
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


def _title_likeness(title: str, title_element: str, affixes: Affixes) -> float:
    if not title_element:
        return _UNKNOWN
    return Indel.normalized_similarity(title.lower(), strip_affixes(title_element, affixes).lower())


#: Bound: each container is tested on so many pages. They also show which lines of the text are filled in.
_TESTED = 60
#: Another one is taken if the mean log odds are higher with it by more than so many standard errors ...
_SURE_OF = 2.0
#: ... and by so much more: two ways that read nearly the same are one.
_LEAST_GAIN = 0.1


class _Reading(NamedTuple):
    """How a pattern reads a page: its main text, the log odds of the confidence, its share of all text."""

    page: PlacedLayout
    text: MainText
    odds: float
    share: float


def _read(pattern: Pattern, pages: Sequence[PlacedLayout], affixes: Affixes) -> list[_Reading]:
    """Return how a pattern reads each page, without what depends on the single page: likeness and verdict.

    As in extraction, a page is read by its own masses if nothing is left in the pattern's container.
    """
    found = []
    for page in pages:
        title, place = title_of(page, pattern.titles, affixes, pattern.headline)
        text = main_text(page, pattern, place)
        main = text.blocks
        sure = confidence(shares_of(page, pattern, 1.0, main, title, affixes, 1.0)) if main else LEAST
        weight = sum([page.layout.blocks[index].weight for index in main])
        whole = sum([block.weight for block in page.layout.blocks])
        odds = log(max(sure, LEAST) / (1 - sure))
        found.append(_Reading(page, text, odds, weight / whole if whole else 0.0))
    return found


def _least(gains: Sequence[float]) -> float:
    """Return how much is surely gained, at most 0 if nothing is: the lower end of the mean's interval."""
    spread = stdev(gains) if len(gains) > 1 else 0.0
    return fmean(gains) - _SURE_OF * spread / sqrt(len(gains)) - _LEAST_GAIN


class _Ways:
    """The readings of each layout of articles with its own container and those of the others."""

    def __init__(self, patterns: Sequence[Pattern], templates: Sequence[Template], affixes: Affixes) -> None:
        containers = sorted({one.container for one in patterns if one.container})
        self._found: dict[tuple[str, str], tuple[Pattern, Sequence[_Reading]]] = {}
        self._larger = {
            one.name: [other.name for other in patterns if other.pages > one.pages] for one in patterns
        }
        for pattern, template in zip(patterns, templates, strict=True):
            sample = drawn(template.pages, _TESTED)
            for container in {pattern.container: None, **dict.fromkeys(containers)}:
                way = pattern
                if container != pattern.container:
                    if not all(container in page.paths for page in sample):
                        continue
                    excluded = find_excluded(template.sample, container)
                    way = replace(pattern, container=container, excluded=excluded)
                self._found[pattern.name, container] = way, _read(way, sample, affixes)

    def best(self, pattern: Pattern) -> tuple[Pattern, Sequence[_Reading]]:
        """Return a pattern with the container that reads its pages best, and how it reads them.

        What another container gains on the pages of larger layouts that have both counts, too, as long as it
        loses nothing on those of the pattern.
        """
        name, own = pattern.name, pattern.container
        least, best = 0.0, own
        for container in [one for layout, one in self._found if layout == name and one != own]:
            gains = self._gains(name, own, container)
            both = [one for one in self._larger[name] if {(one, own), (one, container)} <= self._found.keys()]
            pooled = [*gains, *(gain for one in both for gain in self._gains(one, own, container))]
            if fmean(gains) >= 0 and (sure := max(_least(gains), _least(pooled))) > least:
                least, best = sure, container
        return self._found[name, best]

    def _gains(self, layout: str, own: str, other: str) -> list[float]:
        readings = (self._found[layout, container][1] for container in (own, other))
        return [theirs.odds - ours.odds for ours, theirs in zip(*readings, strict=True)]


def read_best(
    patterns: Sequence[Pattern], templates: Sequence[Template], affixes: Affixes
) -> tuple[list[Pattern], dict[str, float], list[tuple[PlacedLayout, Sequence[int], int]]]:
    """Return the patterns, those of articles with the container that reads their pages best, whosever it is.

    Clusters of the same articles, with and without comments or a picture, find containers of their own. Each
    is tested on the pages of all that have it. Cost: a reading of 60 pages a container and layout.

    :return: the second value has the mean confidence in the articles by the pattern's name, 0 to 1; the third
        what :func:`~scrapy_webstemmer.site.frames.find_frames` gets of the articles. The patterns have their
        mean share of main text.
    """
    pairs = [*zip(patterns, templates, strict=True)]
    articles = [pair for pair in pairs if pair[0].kind == "article"]
    ways = _Ways([one for one, _ in articles], [one for _, one in articles], affixes)
    best, confidences, texts = [], {}, []
    for pattern, template in pairs:
        if pattern.kind == "article":
            found, read = ways.best(pattern)
            confidences[pattern.name] = fmean(1 / (1 + exp(-one.odds)) for one in read)
            texts += [(page, text.blocks, text.node) for page, text, *_ in read]
        else:
            found, read = pattern, _read(pattern, drawn(template.pages, _TESTED), affixes)
        best.append(replace(found, main_share=round(fmean(one.share for one in read), 3)))
    return best, confidences, texts
