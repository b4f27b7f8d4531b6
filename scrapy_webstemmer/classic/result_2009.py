"""Read a page by the layouts of 2009: find the pattern that it matches, and make its article.

Source: documentation of Webstemmer, extraction. A section is main text if it comes after the title and if
its DiffScore and its MainScore reach their thresholds. Any other section is supplementary if its DiffScore
reaches its threshold. The title is given whatever its scores are.
"""

from __future__ import annotations

from functools import partial
from html import escape
from typing import NamedTuple

from ..base.parts import Parts
from ..errors import LimitError
from ..extraction.make_article import with_markdown
from ..extraction.result import Reason, Result
from ..options import ExtractOptions
from ..page.text import fold
from ..patterns.match import Match
from ..values import Article, ArticleSection, Block, Layout, Page, Pattern, Section, SitePatterns
from .layouts_2009 import as_sequence, assign, layout_of_2009

#: A pattern must take more than this share of a page's text, if no option says otherwise.
_THRESHOLD = 0.8


class SequenceMatch(NamedTuple):
    """The pattern that fits a page best, the share of the page's text it takes, and each section's blocks."""

    pattern: Pattern
    similarity: float
    sections: tuple[tuple[Block, ...], ...]


def result_of_2009(
    page: Page, site: SitePatterns, _patterns: object, options: ExtractOptions, _source: object
) -> Parts[Result]:
    """Return what extraction finds on a page of a site with layouts of 2009, in parts.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    layout = layout_of_2009(page, site, options)
    if not layout.blocks:
        return Result(page.url, Reason.NO_TEXT, site, layout)
    yield
    match, compared = match_sequence(layout, site, options)
    result = partial(Result, page.url, site=site, layout=layout, compared=compared, threshold=_least(options))
    if match is None:
        return result(Reason.NO_MATCH)
    article = with_markdown(article_of_sequence(page.url, match, options), options)
    return result(match=Match(match.pattern, match.similarity), article=article)


def _least(options: ExtractOptions) -> float:
    """Return the share of a page's text of which a pattern must take more."""
    return _THRESHOLD if options.threshold is None else options.threshold


def match_sequence(
    layout: Layout, site: SitePatterns, options: ExtractOptions
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
    least = _least(options) * page.weight
    features = [[section.feature for section in pattern.sections] for pattern in site.patterns]
    bounds = [sum(page.weights.get(feature, 0) for feature in set(sections)) for sections in features]
    best, match = (0, 0), None
    compared: list[tuple[Pattern, float]] = []
    steps = 0
    for index in sorted(range(len(bounds)), key=bounds.__getitem__, reverse=True):
        if bounds[index] <= least or bounds[index] < best[0]:
            break
        pattern, sections = site.patterns[index], features[index]
        steps += len(page.features) * len(sections)
        if steps > options.limits.steps:
            raise LimitError(layout.url, "steps", f"takes more than {options.limits.steps:,} comparisons")
        assigned = assign(page.features, sections)
        if options.strict and not all(assigned):
            continue
        weight = sum(layout.blocks[i].weight for blocks in assigned for i in blocks)
        compared.append((pattern, weight / page.weight))
        if weight > least and (weight, -index) > best:
            taken = tuple(tuple(layout.blocks[i] for i in blocks) for blocks in assigned)
            best, match = (weight, -index), SequenceMatch(pattern, weight / page.weight, taken)
    return match, compared


def article_of_sequence(url: str, match: SequenceMatch, options: ExtractOptions) -> Article:
    """Return the article of a page, with one part for each block, in the order of the page.

    The title or the text is empty if the pattern has no section for it, or the page has no block there.
    """
    title = match.pattern.title
    parts = [
        ArticleSection(kind, block.text, index)
        for index, (section, blocks) in enumerate(zip(match.pattern.sections, match.sections, strict=True))
        if (kind := _kind(index, section, title, options))
        for block in blocks
    ]
    main = [part.text for part in parts if part.kind == "main"]
    return Article(
        url=url,
        title=fold(" ".join(part.text for part in parts if part.kind == "title")),
        text="\n".join(main),
        html="\n".join(f"<p>{escape(text, quote=False)}</p>" for text in main),
        sections=tuple(parts),
        pattern=match.pattern.name,
    )


def _kind(index: int, section: Section, title: int | None, options: ExtractOptions) -> str:
    """Return the kind of a section in the article; empty if the section is not a part of it."""
    if index == title:
        return "title"
    if section.diff_score < options.diff_threshold:
        return ""
    after_title = title is None or index > title
    return "main" if after_title and section.main_score >= options.main_threshold else "sub"
