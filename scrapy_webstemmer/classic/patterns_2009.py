"""Patterns of 2009: sections, their title, and the articles that they give."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape
from typing import NamedTuple

from ..base.sequences import Words, common_words, dice
from ..base.urls import well_formed
from ..errors import LimitError
from ..html.parsing import check_layout, check_page
from ..html.sources import Source, TreeSource
from ..html.tags import CLASSIC
from ..html.text import fold
from ..html.walk import layout_of
from ..options import ExtractOptions, LearnOptions
from ..patterns.sections import diff_score, main_score
from ..values import Article, ArticleSection, Block, Layout, Page, Pattern, Section, SitePatterns, UnusedPages
from .layouts_2009 import (
    SequenceLayout,
    as_sequence,
    assign,
    common_features,
    filtered,
    first_fit,
    sequence_similarity,
)
from .parser_2009 import parse_classic

# --- Find the sections of a cluster of 2009: the items of the features' common sequence
#
# Source: documentation of Webstemmer, DiffScore and MainScore; program of 0.7.1. Texts are compared by their
# significant characters, in lower case. Pages on which a section is empty do not count for its DiffScore.

#: Largest number of page pairs for a section's DiffScore; the error is below .01 for nearly all sections.
MAX_PAIRS = 2000


@dataclass(frozen=True, slots=True)
class SequenceSection:
    """A section with its scores, and its text on each page that it was learned from."""

    section: Section
    texts: tuple[Words, ...]


def find_sequence_sections(pages: Sequence[SequenceLayout]) -> tuple[SequenceSection, ...]:
    """Return the sections of a cluster in the order of the page, without those that are empty everywhere.

    Cost: at most 2,000 comparisons of two texts for each section, and the product
    of the numbers of blocks and sections for each page.
    """
    features = common_features(pages)
    assigned = [assign(page.features, features) for page in pages]
    found = [[blocks[number] for blocks in assigned] for number in range(len(features))]
    return tuple(
        _scored(feature, pages, blocks)
        for feature, blocks in zip(features, found, strict=True)
        if any(blocks)
    )


def _scored(feature: str, pages: Sequence[SequenceLayout], found: Sequence[Sequence[int]]) -> SequenceSection:
    blocks = [[page.layout.blocks[i] for i in indexes] for page, indexes in zip(pages, found, strict=True)]
    texts = tuple(Words("\n".join(block.text for block in own)) for own in blocks)
    filled = [text for text in texts if len(text)]
    diff = diff_score(filled, MAX_PAIRS, common_words) if len(filled) > 1 else 0.0
    plain = sum(block.plain for own in blocks for block in own)
    weight = sum(block.weight for own in blocks for block in own) / len(pages)
    main = main_score(diff, plain, len(pages))
    return SequenceSection(Section(feature, round(diff, 4), round(main, 2), round(weight, 2)), texts)


# --- Find the title of a pattern of 2009
#
# Find the title of a pattern of 2009: the section that is most like the anchor texts leading to its pages.
#
# Source: documentation of Webstemmer, title; program of 0.7.1. Only sections before the one with the largest
# MainScore are candidates. Departures: Dice's coefficient counts longest common subsequences, not difflib's
# matching blocks. If candidates have equally many votes, the one most like the ``title`` element wins, then
# the earliest (in 2009 chance decided).

#: If no anchor text elects a section: its likeness to the main text, times DiffScore, must exceed this.
_LEAST_LIKENESS = 1.0

#: Significant characters of the title and of the main text that are then compared; the cost is their product.
_LONGEST_TITLE, _LONGEST_TEXT = 300, 3000


def find_title_section(
    sections: Sequence[SequenceSection], anchors: Sequence[Collection[str]], threshold: float
) -> int | None:
    """Return the index of the section that most pages of the cluster elect; None if most elect none.

    :param anchors: for each page of the cluster, the anchor texts that lead to it.
    :param threshold: the likeness to an anchor text, times DiffScore, must exceed this, 0 to 1.
    """
    scores = [found.section.main_score for found in sections]
    largest = scores.index(max(scores))
    votes = Counter(
        _elect(sections, page, largest, [Words(text) for text in sorted(texts)], threshold)
        for page, texts in enumerate(anchors)
    )
    most = max(votes.values())
    tied = sorted(number for number, count in votes.items() if count == most)
    elected = tied[0] if len(tied) == 1 else max(tied, key=lambda number: _like_element(sections, number))
    return elected if elected < len(sections) else None


def _like_element(sections: Sequence[SequenceSection], number: int) -> float:
    """Return the likeness of a section's texts to the ``title`` elements, summed over the pages."""
    element = next((found for found in sections if found.section.feature == "title"), None)
    if element is None or number >= len(sections):
        return 0.0
    return sum(map(dice, sections[number].texts, element.texts))


def _elect(
    sections: Sequence[SequenceSection], page: int, largest: int, anchors: Sequence[Words], threshold: float
) -> int:
    """Return the index of the section that is this page's title; ``len(sections)`` if none is."""
    anchors = [anchor for anchor in anchors if anchor]
    best, elected = threshold, len(sections)
    for number, found in enumerate(sections[:largest]):
        diff = found.section.diff_score
        if diff > best:  # a likeness is 1 at most
            score = diff * max((dice(anchor, found.texts[page]) for anchor in anchors), default=0.0)
            if score > best:
                best, elected = score, number
    return elected if elected < len(sections) else _elect_by_text(sections, page, largest)


def _elect_by_text(sections: Sequence[SequenceSection], page: int, largest: int) -> int:
    body = sections[largest].texts[page].letters[:_LONGEST_TEXT]
    best, elected = _LEAST_LIKENESS, len(sections)
    for number, found in enumerate(sections[:largest]):
        title, diff = found.texts[page].letters, found.section.diff_score
        if len(title) <= _LONGEST_TITLE and diff * len(title) > best:
            score = diff * _likeness(title, body)
            if score > best:
                best, elected = score, number
    return elected


def _likeness(title: str, body: str) -> float:
    """Return the sum of the squared lengths of the matching blocks, divided by the length of the title."""
    matches = SequenceMatcher(None, body, title, autojunk=False).get_matching_blocks()
    return sum(match.size**2 for match in matches) / len(title)


_NO_BLOCKS, _ALONE = "no layout blocks", "no other page has this layout"
_NOTHING_COMMON, _LOW_SCORE = "pages without a common layout", "pattern below the minimum score"

# --- Learn and match patterns of 2009
#
# A pattern is a sequence of sections.
#
# Source: documentation of Webstemmer. Departures: see the other modules of this package. Also, a page from
# which no pattern was learned is reported as unused, with the reason.

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

    Cost: that of :func:`~scrapy_webstemmer.classic.layouts_2009.first_fit`, and at most
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


# --- Make the article of a page from the pattern of 2009 that it matched
#
# Source: documentation of Webstemmer, extraction. A section is main text if it comes after the title and if
# its DiffScore and its MainScore reach their thresholds. Any other section is supplementary if its DiffScore
# reaches its threshold. The title is given whatever its scores are.


def layout_of_2009(page: Page, site: SitePatterns, options: ExtractOptions) -> Layout:
    """Return a page's layout as the patterns of a site see it.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    check_page(page, options.limits)
    layout = layout_of(page.url, parse_classic(page, options.encoding, options.limits), CLASSIC)
    check_layout(layout, options.limits)
    expression = site.mangle if options.mangle is None else options.mangle
    return filtered(layout, expression) if expression else layout


def open_of_2009(page: Page, options: LearnOptions) -> Source:
    """Return a page, opened to learn from it.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    check_page(page, options.limits)
    root = parse_classic(page, options.encoding, options.limits)
    return TreeSource(page.url, root, options.limits)


def layout_to_learn_2009(page: Page, source: TreeSource, options: LearnOptions) -> Layout:
    """Return the layout of a page that is opened to learn from it.

    :raises LimitError: if the layout is too large.
    """
    layout = layout_of(well_formed(page.url), source.root, CLASSIC)
    check_layout(layout, options.limits)
    return filtered(layout, options.mangle) if options.mangle else layout


def article_of_sequence(url: str, match: SequenceMatch, options: ExtractOptions) -> Article:
    """Return the article of a page, with one part for each block, in the order of the page.

    The title or the text is empty if the pattern has no section for it, or the page has no block there.
    """
    title = match.pattern.title
    parts = [
        ArticleSection(kind, block.text, number)
        for number, (section, blocks) in enumerate(zip(match.pattern.sections, match.sections, strict=True))
        if (kind := _kind(number, section, title, options))
        for block in blocks
    ]
    main = [part.text for part in parts if part.kind == "main"]
    title_text = fold(" ".join(part.text for part in parts if part.kind == "title"))
    html = "\n".join(f"<p>{escape(text, quote=False)}</p>" for text in main)
    return Article(
        url=url,
        title=title_text,
        text="\n".join(main),
        html=html,
        sections=tuple(parts),
        pattern=match.pattern.name,
    )


def _kind(number: int, section: Section, title: int | None, options: ExtractOptions) -> str:
    """Return the kind of a section in the article; empty if the section is not a part of it."""
    if number == title:
        return "title"
    if section.diff_score < options.diff_threshold:
        return ""
    after_title = title is None or number > title
    return "main" if after_title and section.main_score >= options.main_threshold else "sub"
