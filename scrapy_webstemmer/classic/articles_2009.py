"""Make the article of a page from the pattern of 2009 that it matched.

Source: documentation of Webstemmer, extraction. A section is main text if it comes after the title and if
its DiffScore and its MainScore reach their thresholds. Any other section is supplementary if its DiffScore
reaches its threshold. The title is given whatever its scores are.
"""

from __future__ import annotations

from html import escape

from ..options import ExtractOptions
from ..page.text import fold
from ..values import Article, ArticleSection, Section
from .patterns_2009 import SequenceMatch


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
