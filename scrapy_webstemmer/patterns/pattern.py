"""Make the pattern of a template: where title and main text stand, and what its pages have in common."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from ..layouts.affixes import Affixes
from ..layouts.container import find_container
from ..layouts.excluded import find_excluded
from ..layouts.placed import PlacedLayout
from ..layouts.sections import find_sections
from ..layouts.templates import Template
from ..layouts.title import rank_titles, title_of
from ..options.learn import LearnOptions
from ..values.patterns import Pattern

#: An anchor text that leads to this number of pages or more ("Read more") is not the name of any of them.
_MANY_TARGETS = 3


class Titles:
    """The places of the title on a template's pages, ranked once, for joining templates and for patterns."""

    def __init__(self, anchors: Mapping[str, Collection[str]], affixes: Affixes) -> None:
        self._anchors, self._affixes = _telling(anchors), affixes
        self._known: dict[tuple[str, int], tuple[str, ...]] = {}

    def of(self, template: Template) -> tuple[str, ...]:
        """Return the places of a template's title, best first."""
        key = template.pages[0].url, len(template.pages)  # this pair is enough to tell templates apart
        if key not in self._known:
            self._known[key] = rank_titles(template.sample, self._anchors, self._affixes)
        return self._known[key]


def _telling(anchors: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Return the anchor texts without those that lead to many pages, such as "Read more"."""
    targets = Counter(chain.from_iterable(anchors.values()))
    return {url: [text for text in texts if targets[text] < _MANY_TARGETS] for url, texts in anchors.items()}


def find_container_of(pages: Sequence[PlacedLayout], options: LearnOptions) -> str:
    """Return the path of a cluster's container, by the options' thresholds."""
    return find_container(pages, options.container_share, options.container_pages)


def pattern_of(
    template: Template, titles: tuple[str, ...], affixes: Affixes, options: LearnOptions
) -> Pattern:
    """Return a template's pattern.

    :param titles: where the title stands, best first.
    """
    pages, sample, container = template.pages, template.sample, template.container
    sections = find_sections(sample, options.section_support)
    features = [section.feature for section in sections]
    typical = _typical(pages)
    return Pattern(
        name=typical.url,
        kind=template.kind,
        score=round(math.log(len(pages)) * sum(section.main_score for section in sections), 2),
        pages=len(pages),
        sections=sections,
        title=next((features.index(path) for path in titles if path in features), None),
        titles=titles,
        profile=template.profile,
        container=container,
        excluded=find_excluded(sample, container, sections),
        sample_title=title_of(typical, titles, affixes)[0],
        sample_url=typical.url,
    )


def _typical(pages: Sequence[PlacedLayout]) -> PlacedLayout:
    """Return the page of median length, which is neither very short nor very long."""
    ordered = sorted(pages, key=lambda page: (sum([block.weight for block in page.layout.blocks]), page.url))
    return ordered[(len(ordered) - 1) // 2]
