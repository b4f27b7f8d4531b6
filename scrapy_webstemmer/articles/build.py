"""Make the article of a page from the pattern that it matched (path layouts)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..blocks.text import fold
from ..layouts.affixes import Affixes
from ..layouts.comments import find_comments
from ..layouts.dates import is_date_line
from ..layouts.main_text import MainTextChoice, main_blocks, supplementary_blocks
from ..layouts.placed import PlacedLayout
from ..layouts.title import title_of
from ..options.extract import ExtractOptions
from ..patterns.match import Match
from ..values.articles import Article, ArticleSection
from ..values.patterns import Pattern
from .confidence import confidence, evidence_of
from .images import article_images
from .render import render

#: Where nothing else is the title, a line is if it has at most this many characters, and no full stop
#: at its end.
_HEADLINE = 120


class ArticleParts(NamedTuple):
    """The parts of a page that make its article.

    :param title: the title; empty if the page shows none.
    :param place: the path where the title stands; empty if the page shows none.
    :param main: indexes of the blocks of the main text, at least one, in the order of the page.
    """

    title: str
    place: str
    main: Sequence[int]


def parts_of(
    page: PlacedLayout, pattern: Pattern, affixes: Affixes, choice: MainTextChoice | None = None
) -> ArticleParts | None:
    """Return the title and the main text of a page, as a pattern reads it; None without main text.

    :param affixes: the texts that the site puts before and after its titles.
    :param choice: filled with what decided about the main text; None: nobody wants to know.
    """
    title, place = title_of(page, pattern.titles, affixes)
    main = main_blocks(page, pattern, place, choice)
    if not title and (headline := _headline(page, main)) is not None:
        title, place = fold(page.layout.blocks[headline].text), page.places[headline]
        main = [index for index in main if index != headline]
    if len(main) > 1 and fold(page.layout.blocks[main[0]].text) == title:
        main = main[1:]  # the title stands as a line in the text's own element
    return ArticleParts(title, place, main) if main else None


def _headline(page: PlacedLayout, main: Sequence[int]) -> int | None:
    """Return the line above the text, after any date: the title of old pages without headings; or None."""
    blocks = page.layout.blocks
    first = next((index for index in main[:-1] if not is_date_line(blocks[index])), None)
    if first is None or len(blocks[first].text) > _HEADLINE or not blocks[first].text[-1].isalnum():
        return None
    return first


def article_of_paths(
    page: PlacedLayout,
    match: Match,
    parts: ArticleParts,
    affixes: Affixes,
    options: ExtractOptions,
    probability: float = 1.0,
) -> Article:
    """Return the article on a page.

    :param page: the page's layout, with its markup.
    :param parts: the title and the main text.
    :param affixes: the texts that the site puts before and after its titles.
    :param probability: the probability that the page is an article.
    """
    pattern, (title, title_path, main) = match.pattern, parts
    plain = plain_article(page, match, parts, affixes, probability)
    if not (options.html or options.sections or options.date):
        return plain
    wants_sub = options.sections or options.date
    sub = supplementary_blocks(page, pattern, main, title, title_path) if wants_sub else ()
    html = render(page.layout, main, article_images(page, pattern, main)) if options.html else ""
    return replace(
        plain,
        html=html,
        sections=tuple(_sections(page, parts, sub, options)) if options.sections else (),
        date=_date(page, main, sub) if options.date else None,
        markdown=markdown_of(title, html) if options.markdown else None,
    )


def _sections(
    page: PlacedLayout, parts: ArticleParts, sub: Sequence[int], options: ExtractOptions
) -> Iterator[ArticleSection]:
    """Yield an article's sections: the title, then the others in the order of the page, then comments."""
    blocks, (title, _, main) = page.layout.blocks, parts
    if title:
        yield ArticleSection("title", title)
    kinds = dict.fromkeys(main, "main") | dict.fromkeys(sub, "sub")
    yield from (ArticleSection(kinds[index], blocks[index].text) for index in sorted(kinds))
    if options.comments and (found := find_comments(page, main, range(main[0] + 1, len(blocks)))):
        for record in found.records:
            yield ArticleSection("comment", "\n".join(blocks[index].text for index in record))


def plain_article(
    page: PlacedLayout, match: Match, parts: ArticleParts, affixes: Affixes, probability: float = 1.0
) -> Article:
    """Return the article on a page, with its title, text and confidence alone. The page needs no markup.

    The parameters are those of :func:`article_of_paths`.
    """
    title, _, main = parts
    return Article(
        url=page.url,
        title=title,
        text="\n".join(page.layout.blocks[index].text for index in main),
        html="",
        sections=(),
        pattern=match.pattern.name,
        confidence=round(confidence(evidence_of(page, match, main, title, affixes, probability)), 4),
    )


def _date(page: PlacedLayout, main: Sequence[int], sub: Sequence[int]) -> str | None:
    from .date import publication_date  # needs an extra

    return publication_date(page.layout, main, sub)


def markdown_of(title: str, html: str) -> str:
    """Return an article as Markdown: the title as a heading of the first level, then the main text."""
    from .markdown import as_markdown, heading  # needs an extra

    return "\n\n".join(filter(None, (heading(title), as_markdown(html))))
