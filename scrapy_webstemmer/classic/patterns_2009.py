"""Learn the patterns of 2009, and match pages with them.

A pattern is a sequence of sections.

Source: documentation of Webstemmer. Departures: see the other modules of this package. Also, a page from
which no pattern was learned is reported as unused, with the reason.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ..errors import LimitError
from ..options import ExtractOptions, LearnOptions
from ..page.text import fold
from ..values import Block, Layout, Pattern, SitePatterns, UnusedPages
from .assignment_2009 import assign
from .clusters_2009 import first_fit
from .layouts_2009 import SequenceLayout, as_sequence, sequence_similarity
from .sections_2009 import SequenceSection, find_sequence_sections, find_title_section

_NO_BLOCKS, _ALONE = "no layout blocks", "no other page has this layout"
_NOTHING_COMMON, _LOW_SCORE = "pages without a common layout", "pattern below the minimum score"


#: A pattern must take more than this share of a page's text, if no option says otherwise.
_THRESHOLD = 0.8


class SequenceMatch(NamedTuple):
    """The pattern that fits a page best, the share of the page's text it takes, and each section's blocks."""

    pattern: Pattern
    similarity: float
    sections: tuple[tuple[Block, ...], ...]


def learn_sequences(
    site: str,
    layouts: Sequence[Layout],
    anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
    _known: int = 0,
) -> SitePatterns:
    """Learn the patterns of a site from its pages.

    :param layouts: the layouts of the site's pages, made with the tags of 2009.
    :param anchors: for the url of each layout, the anchor texts that lead to it.

    Cost: that of :func:`~scrapy_webstemmer.classic.clusters_2009.first_fit`, and at most
    2,000 comparisons of texts for each section of a cluster.
    """
    left: dict[str, list[str]] = defaultdict(list)
    pages = [as_sequence(layout) for layout in layouts]
    left[_NO_BLOCKS] = [page.layout.url for page in pages if not page.features]
    pages = [page for page in pages if page.features]
    threshold = options.least_similarity
    clusters = first_fit(
        pages,
        lambda a, b: sequence_similarity(a, b, threshold),
        threshold,
        lambda page: page.layout.url,
        options.samples,
    )
    patterns = []
    for members in clusters:
        chosen = [pages[i] for i in members]
        learned = _learn_cluster(chosen, anchors, options)
        if isinstance(learned, Pattern):
            patterns.append(learned)
        else:
            left[learned].extend(page.layout.url for page in chosen)
    return SitePatterns(
        site=site,
        layout="sequence",
        pages=len(layouts),
        clusters=len(clusters),
        patterns=tuple(sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))),
        unused=tuple(
            UnusedPages(reason, len(urls), min(urls)) for reason, urls in sorted(left.items()) if urls
        ),
    )


def _learn_cluster(
    pages: Sequence[SequenceLayout], anchors: Mapping[str, Collection[str]], options: LearnOptions
) -> Pattern | str:
    """Return a cluster's pattern, or the reason why it has none."""
    if len(pages) < 2:
        return _ALONE
    found = find_sequence_sections(pages)
    if not found:
        return _NOTHING_COMMON
    score = round(math.log(len(pages)) * sum(section.section.main_score for section in found), 2)
    if score < options.min_score:
        return _LOW_SCORE
    title = find_title_section(
        found, [anchors.get(page.layout.url, ()) for page in pages], options.title_threshold
    )
    return _pattern(pages, found, title, score)


def _pattern(
    pages: Sequence[SequenceLayout],
    found: Sequence[SequenceSection],
    title: int | None,
    score: float,
) -> Pattern:
    typical = sorted(pages, key=lambda page: (page.weight, page.layout.url))[(len(pages) - 1) // 2]
    sections = tuple(section.section for section in found)
    blocks = assign(typical.features, [section.feature for section in sections])
    shown = blocks[title] if title is not None else ()
    return Pattern(
        name=typical.layout.url,
        kind="article",
        score=score,
        pages=len(pages),
        sections=sections,
        title=title,
        sample_title=fold(" ".join(typical.layout.blocks[i].text for i in shown)),
        sample_url=typical.layout.url,
    )


def threshold_of_sequences(options: ExtractOptions) -> float:
    """Return the share of a page's text of which a pattern must take more."""
    return _THRESHOLD if options.threshold is None else options.threshold


def match_sequence(
    layout: Layout,
    site: SitePatterns,
    options: ExtractOptions,
) -> tuple[SequenceMatch | None, list[tuple[Pattern, float]]]:
    """Return the pattern whose sections take most of a page's weight; None if no share is large enough.

    With it come the patterns that the page is compared with, and the share that each takes.

    If several patterns take equally much, the first one wins. With
    ``options.strict`` the page must have every section of the pattern.

    :raises LimitError: if comparing the page with the patterns takes too many steps.

    Cost: one assignment for each pattern whose features, as a bound, could take
    as much as the best pattern so far.
    """
    page = as_sequence(layout)
    least = threshold_of_sequences(options) * page.weight
    best: tuple[int, int] = (0, 0)
    found: list[list[int]] | None = None
    compared: list[tuple[Pattern, float]] = []
    steps = 0
    for bound, number in sorted(_bounds(page, site.patterns), reverse=True):
        if bound <= least or bound < best[0]:
            break
        sections = _features(site.patterns[-number])
        steps += len(page.features) * len(sections)
        if steps > options.limits.steps:
            raise LimitError(layout.url, "steps", f"takes more than {options.limits.steps:,} comparisons")
        assigned = assign(page.features, sections)
        if options.strict and not all(assigned):
            continue
        weight = sum(layout.blocks[i].weight for blocks in assigned for i in blocks)
        compared.append((site.patterns[-number], weight / page.weight))
        if weight > least and (weight, number) > best:
            best, found = (weight, number), assigned
    if found is None:
        return None, compared
    parts = tuple(tuple(layout.blocks[i] for i in blocks) for blocks in found)
    return SequenceMatch(site.patterns[-best[1]], best[0] / page.weight, parts), compared


def _features(pattern: Pattern) -> list[str]:
    return [section.feature for section in pattern.sections]


def _bounds(page: SequenceLayout, patterns: Sequence[Pattern]) -> list[tuple[int, int]]:
    """Return for each pattern the weight of its features on the page, and its number with a minus sign."""
    return [
        (sum(page.weights.get(feature, 0) for feature in set(_features(pattern))), -number)
        for number, pattern in enumerate(patterns)
    ]
