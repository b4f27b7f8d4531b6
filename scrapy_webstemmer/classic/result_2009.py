"""Extract the article of a page by the layouts of 2009.

Source: documentation of Webstemmer, extraction. A section is main text if it comes after the title and if
its DiffScore and its MainScore reach their thresholds. Any other section is supplementary if its DiffScore
reaches its threshold. The title is given whatever its scores are.
"""

from __future__ import annotations

from functools import partial
from html import escape

from ..base.parts import Parts
from ..extraction.make_article import with_markdown
from ..extraction.result import Reason, Result
from ..options import ExtractOptions
from ..page.text import fold
from ..patterns.match import Match
from ..values import Article, ArticleSection, Page, Section, SitePatterns
from .layouts_2009 import layout_of_2009
from .patterns_2009 import SequenceMatch, match_sequence, threshold_of_sequences


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
    least = threshold_of_sequences(options)
    found = partial(Result, page.url, site=site, layout=layout, compared=compared, threshold=least)
    if match is None:
        return found(Reason.NO_MATCH)
    article = with_markdown(article_of_sequence(page.url, match, options), options)
    return found(match=Match(match.pattern, match.similarity), article=article)


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
