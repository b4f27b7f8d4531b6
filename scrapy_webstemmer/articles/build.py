"""A page and the pattern that it matched, as an article (path layouts)."""

from __future__ import annotations

from collections.abc import Sequence

from ..blocks.text import fold
from ..layouts.affixes import Affixes
from ..layouts.placed import PlacedLayout
from ..layouts.title import title_of
from ..options import ExtractOptions
from ..patterns.match import Match
from ..values import Article, ArticleSection
from .images import article_images
from .main_text import main_blocks, supplementary_blocks
from .render import render
from .similarity import evidence_of, similarity

__all__ = ["article_of_paths", "markdown_of"]


def article_of_paths(
    page: PlacedLayout, match: Match, affixes: Affixes, options: ExtractOptions
) -> Article | None:
    """Return the article on a page; None if there is no main text on it.

    :param page: with its markup kept.
    :param affixes: what the site puts before and after its titles.
    """
    pattern = match.pattern
    title, title_path = title_of(page, pattern.titles, affixes)
    main = main_blocks(page, pattern, title_path, options)
    blocks = page.layout.blocks
    if len(main) > 1 and fold(blocks[main[0]].text) == title:
        main = main[1:]  # the title as a line of the text's own element
    if not main:
        return None
    sub = supplementary_blocks(page, pattern, main, title, title_path)
    parts = [(index, "main") for index in main] + [(index, "sub") for index in sub]
    sections = [ArticleSection(kind, blocks[index].text) for index, kind in sorted(parts)]
    if title:
        sections.insert(0, ArticleSection("title", title))
    html = render(page.layout, main, article_images(page, pattern, main))
    return Article(
        url=page.url,
        title=title,
        text="\n".join(blocks[index].text for index in main),
        html=html,
        sections=tuple(sections),
        pattern=pattern.name,
        similarity=round(similarity(evidence_of(page, match, main, title, affixes)), 4),
        date=_date(page, main, sub) if options.date else None,
        markdown=markdown_of(title, html) if options.markdown else None,
    )


def _date(page: PlacedLayout, main: Sequence[int], sub: Sequence[int]) -> str | None:
    from .date import publication_date  # needs an extra

    return publication_date(page.layout, main, sub)


def markdown_of(title: str, html: str) -> str:
    """Return an article as Markdown: the title as a heading of the first level, then the main text."""
    from .markdown import as_markdown, heading  # needs an extra

    return "\n\n".join(filter(None, (heading(title), as_markdown(html))))
