"""Test how a pattern reads its pages, and keep the container that reads them best.

The rules that find containers look at paths and masses. Confidence looks at what comes out. To read pages
without exclusions, or by their own evidence alone, was tried as well: on 213 sites of which the right
texts are known, neither confidence nor weights fitted for it could tell where that is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from ..base.samples import drawn
from ..site.affixes import Affixes
from ..site.excluded import find_excluded
from ..site.main_text import MainText, main_text
from ..site.placed import PlacedLayout
from ..site.titles import title_on
from ..values import Pattern
from .clusters import Template
from .confidence import LEAST, confidence, shares_of

#: Bound: the share of main text of a layout of lists, which is only shown, is that of so many pages.
_INDEX_SAMPLE = 20
#: Another one is taken if the mean log odds are higher with it by more than so many standard errors ...
_STANDARD_ERRORS = 2.0
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
    readings = []
    for page in pages:
        title, place = title_on(page, pattern, affixes)
        text = main_text(page, pattern, place)
        main = text.blocks
        sure = confidence(shares_of(page, pattern, 1.0, main, title, affixes, 1.0)) if main else LEAST
        weight = sum([page.layout.blocks[index].weight for index in main])
        whole = sum([block.weight for block in page.layout.blocks])
        odds = log(max(sure, LEAST) / (1 - sure))
        readings.append(_Reading(page, text, odds, weight / whole if whole else 0.0))
    return readings


def _least(gains: Sequence[float]) -> float:
    """Return how much is surely gained, at most 0 if nothing is: the lower end of the mean's interval."""
    spread = stdev(gains) if len(gains) > 1 else 0.0
    return fmean(gains) - _STANDARD_ERRORS * spread / sqrt(len(gains)) - _LEAST_GAIN


class _Ways:
    """The readings of each layout of articles with its own container and those of the others."""

    def __init__(self, layouts: Sequence[tuple[Pattern, Template]], affixes: Affixes) -> None:
        patterns = [pattern for pattern, _ in layouts]
        containers = sorted({pattern.container for pattern in patterns})
        self._ways: dict[tuple[str, str], tuple[Pattern, Sequence[_Reading]]] = {}
        self._larger: dict[str, list[str]] = {}
        for pattern, template in layouts:
            sample = template.sample
            self._larger[pattern.name] = [other.name for other in patterns if other.pages > pattern.pages]
            self._ways[pattern.name, pattern.container] = pattern, _read(pattern, sample, affixes)
            for container in containers:
                if container != pattern.container and all(container in page.paths for page in sample):
                    way = replace(pattern, container=container, excluded=find_excluded(sample, container))
                    self._ways[pattern.name, container] = way, _read(way, sample, affixes)

    def best(self, pattern: Pattern) -> tuple[Pattern, Sequence[_Reading]]:
        """Return a pattern with the container that reads its pages best, and how it reads them.

        What another container gains on the pages of larger layouts that have both counts, too, as long as it
        loses nothing on those of the pattern.
        """
        name, current = pattern.name, pattern.container
        least, best = 0.0, current
        for container in [other for layout, other in self._ways if layout == name and other != current]:
            gains = self._gains(name, current, container)
            pooled = [*gains]
            for larger in self._larger[name]:
                if {(larger, current), (larger, container)} <= self._ways.keys():
                    pooled += self._gains(larger, current, container)
            if fmean(gains) >= 0 and (sure := max(_least(gains), _least(pooled))) > least:
                least, best = sure, container
        return self._ways[name, best]

    def _gains(self, layout: str, first: str, second: str) -> list[float]:
        readings = (self._ways[layout, container][1] for container in (first, second))
        return [after.odds - before.odds for before, after in zip(*readings, strict=True)]


def read_best(
    patterns: Sequence[Pattern], templates: Sequence[Template], affixes: Affixes
) -> tuple[list[Pattern], dict[str, float], list[tuple[PlacedLayout, Sequence[int], int]]]:
    """Return the patterns, those of articles with the container that reads their pages best, whosever it is.

    Clusters of the same articles, with and without comments or a picture, find containers of their own. Each
    is tested on a sample of the pages of all that have it. Cost: a reading of each page a container.

    :return: the second value has the mean confidence in the articles by the pattern's name, 0 to 1; the third
        what :func:`~scrapy_webstemmer.site.frames.find_frames` gets of the articles. The patterns have their
        mean share of main text.
    """
    pairs = [*zip(patterns, templates, strict=True)]
    ways = _Ways([pair for pair in pairs if pair[0].kind == "article"], affixes)
    best, confidences, texts = [], {}, []
    for pattern, template in pairs:
        if pattern.kind == "article":
            way, readings = ways.best(pattern)
            confidences[pattern.name] = fmean(1 / (1 + exp(-reading.odds)) for reading in readings)
            texts += [(page, text.blocks, text.node) for page, text, *_ in readings]
        else:
            way, readings = pattern, _read(pattern, drawn(template.pages, _INDEX_SAMPLE), affixes)
        best.append(replace(way, main_share=round(fmean(reading.share for reading in readings), 3)))
    return best, confidences, texts
