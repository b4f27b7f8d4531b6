"""Make the article of a page, with its confidence, and the account of what decided."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from html import escape, unescape
from typing import Any, NamedTuple

from ..engines import ENGINES
from ..errors import PageError
from ..html.parsing import parse_text
from ..html.statements import Statements
from ..html.text import fold, weights
from ..html.walk import layout_of
from ..options import ExtractOptions
from ..patterns.best_readings import Shares, confidence, shares_of
from ..patterns.match import Match
from ..patterns.own_evidence import match_itself
from ..site.affixes import Affixes
from ..site.date_lines import is_date_line
from ..site.main_text import MainText, main_text, supplementary_blocks
from ..site.model import place_all
from ..site.placed import PlacedLayout
from ..site.titles import title_of
from ..values import Article, ArticleImage, ArticleSection, Layout, Pattern, SitePatterns
from ..verdict.classifier import Verdict
from .article_html import render
from .images import article_images, pictures
from .metadata import Fields

# --- Record what extraction found out about a page, and what decided about its article


class Reason(StrEnum):
    """Why a page gives no article, in the order in which this is looked at.

    For an unreadable page, :func:`~scrapy_webstemmer.api.explain` gives the reason of its error.
    """

    LEFT_OUT = "a url rule leaves it out"
    UNKNOWN_SITE = "its site is not in the pattern file"
    NO_TEXT = "it has no text"
    NOT_AN_ARTICLE = "it is not an article, but a list or another kind of page"
    NO_MATCH = "no layout of its site's articles is like it"
    NO_MAIN_TEXT = "it has no main text"
    UNCERTAIN = "its confidence is too low"


class ArticleParts(NamedTuple):
    """The parts of a page that make its article.

    :param title: the title; empty if the page shows none.
    :param place: the path where the title stands; empty if the page shows none.
    :param main: indexes of the blocks of the main text, in the order of the page; empty if it has none.
    :param chosen: how the main text was chosen.
    """

    title: str
    place: str
    main: Sequence[int]
    chosen: MainText


class ReadPage(NamedTuple):
    """A page that was read by a pattern.

    :param placed: the page as its site sees it.
    :param match: the pattern. Its name is empty if it is the page's own.
    :param probability: the probability that the page is an article.
    :param shares: the evidence on what was read; None: it has no main text.
    """

    placed: PlacedLayout
    match: Match
    parts: ArticleParts
    probability: float = 1.0
    shares: Shares | None = None

    @property
    def confidence(self) -> float:
        """The confidence in what was read, 0 to 1."""
        return confidence(self.shares) if self.shares else 0.0

    def with_main(self, main: Sequence[int], affixes: Affixes) -> ReadPage:
        """Return the page with another main text.

        :param main: indexes of its blocks, in the order of the page.
        """
        page, match, parts, probability, _ = self
        shares = shares_of(page, *match, main, parts.title, affixes, probability) if main else None
        return self._replace(parts=parts._replace(main=main), shares=shares)


class Result(NamedTuple):
    """What extraction found out about a page, and what decided about its article.

    After a decision against an article, the rest stays empty.

    :param url: the page's url.
    :param reason: why the page gives no article; empty if it gives one.
    :param site: the patterns of the page's site; None: the pattern file has none.
    :param layout: the page's layout.
    :param compared: the patterns that the page was compared with, and the similarity of each, 0 to 1.
    :param threshold: least similarity of a match.
    :param verdict: whether the page is an article; None: nothing judges a page of an unknown site.
    :param match: the pattern by which the page was read. Its name is empty if this is the page's own.
    :param page: the page with its title and main text (path layouts).
    :param article: the article.
    :param uncertain: the article that does not come out, since its confidence is too low.
    :param min_confidence: the least confidence of an article that comes out.
    :param error: why the page is unreadable.
    """

    url: str
    reason: str = ""
    site: SitePatterns | None = None
    layout: Layout | None = None
    compared: Sequence[tuple[Pattern, float]] = ()
    threshold: float = 0.0
    verdict: Verdict | None = None
    match: Match | None = None
    page: ReadPage | None = None
    article: Article | None = None
    uncertain: Article | None = None
    min_confidence: float = 0.0
    error: PageError | None = None

    @property
    def probability(self) -> float:
        """The probability that the page is an article, 0 to 1; 1 if nothing judges it."""
        return self.verdict.probability if self.verdict else 1.0

    @property
    def similarity(self) -> float | None:
        """The similarity of the page to the pattern that is most like it, 0 to 1; None: not compared."""
        return max([share for _, share in self.compared], default=None)


# --- Make the article of a page from the pattern that it matched (path layouts)

#: Where nothing else is the title, a line is if it has at most this many characters, and no full stop
#: at its end.
_HEADLINE = 120


def parts_of(page: PlacedLayout, pattern: Pattern, affixes: Affixes) -> ArticleParts:
    """Return the title and the main text of a page, as a pattern reads it.

    :param affixes: the texts that the site puts before and after its titles.
    """
    title, place = title_of(page, pattern.titles, affixes, pattern.headline)
    chosen = main_text(page, pattern, place)
    main = chosen.blocks
    if not title and (headline := _headline(page, main)) is not None:
        title, place = fold(page.layout.blocks[headline].text), page.places[headline]
        main = [index for index in main if index != headline]
    if len(main) > 1 and fold(page.layout.blocks[main[0]].text) == title:
        main = main[1:]  # the title stands as a line in the text's own element
    return ArticleParts(title, place, main, chosen)


def read_page(page: PlacedLayout, match: Match, affixes: Affixes, probability: float = 1.0) -> ReadPage:
    """Return a page as the pattern of a match reads it.

    :param affixes: the texts that the site puts before and after its titles.
    :param probability: the probability that the page is an article.
    """
    parts = parts_of(page, match.pattern, affixes)
    return ReadPage(page, match, parts, probability).with_main(parts.main, affixes)


def _headline(page: PlacedLayout, main: Sequence[int]) -> int | None:
    """Return the line above the text, after any date: the title of old pages without headings; or None."""
    blocks = page.layout.blocks
    first = next((index for index in main[:-1] if not is_date_line(blocks[index])), None)
    if first is None or len(blocks[first].text) > _HEADLINE or not blocks[first].text[-1].isalnum():
        return None
    return first


def article_of_paths(read: ReadPage, options: ExtractOptions, site: SitePatterns | None = None) -> Article:
    """Return the article on a page.

    :param read: the page; its layout has its markup.
    :param site: what is learned about the page's site; None: nothing is.
    """
    page, (pattern, _), parts, *_ = read
    title, title_path, main, _ = parts
    wants_fields = options.date or options.metadata or options.comments
    if not (options.html or options.sections or wants_fields):
        return plain_article(read)
    wants_sub = options.sections or options.date
    sub = supplementary_blocks(page, pattern, main, title, title_path) if wants_sub else ()
    fields = fields_of(read, site, options, sub) if wants_fields else None
    images = article_images(page, pattern, main) if options.html else []
    html = render(page.layout, main, images) if options.html else ""
    stated = _stated_values(fields, options, pictures(page, images, html) if options.metadata else ())
    return Article(
        **_plain_values(read) | stated,
        html=html,
        sections=tuple(_sections(page, parts, sub)) if options.sections else (),
        markdown=markdown_of(title, html) if options.markdown else None,
    )


def _stated_values(
    fields: Fields | None, options: ExtractOptions, images: tuple[ArticleImage, ...] = ()
) -> dict[str, Any]:
    """Return the fields of an article that the options ask for, besides its text."""
    if fields is None:
        return {}
    found = fields.metadata(images) if options.metadata else {}
    if options.comments:
        found |= {"comments": fields.comments, "comments_read": True}
        if fields.comments and options.metadata and found["comment_count"] is None:
            found["comment_count"] = len(fields.comments)
    if (options.date or options.metadata) and (published := fields.published[0]):
        found["date"] = published[: len("2014-05-06")]
    return found


def _sections(page: PlacedLayout, parts: ArticleParts, sub: Sequence[int]) -> Iterator[ArticleSection]:
    """Yield an article's sections: the title, then the others in the order of the page."""
    blocks, (title, _, main, _) = page.layout.blocks, parts
    if title:
        yield ArticleSection("title", title)
    kinds = dict.fromkeys(main, "main") | dict.fromkeys(sub, "sub")
    yield from (ArticleSection(kinds[index], blocks[index].text) for index in sorted(kinds))


def plain_article(read: ReadPage) -> Article:
    """Return the article on a page, with its title, text and confidence alone. The page needs no markup."""
    return Article(**_plain_values(read))


def _plain_values(read: ReadPage) -> dict[str, Any]:
    page, parts = read.placed, read.parts
    return {
        "url": page.url,
        "title": parts.title,
        "text": "\n".join([page.layout.blocks[index].text for index in parts.main]),
        "pattern": read.match.pattern.name,
        "confidence": round(read.confidence, 4),
        "probability": round(read.probability, 4),
    }


def fields_of(
    read: ReadPage, site: SitePatterns | None, options: ExtractOptions, sub: Sequence[int] = ()
) -> Fields | None:
    """Return the fields of the article on a page; None if the page has no markup.

    :param sub: indexes of the blocks of its supplementary sections.
    """
    page, (pattern, _), (_, place, main, _), *_ = read
    if page.layout.markup is None:
        return None
    return Fields(page, main, pattern, site, title=place, sub=sub, lines=options.date)


def with_markdown(article: Article, options: ExtractOptions) -> Article:
    """Return an article with its Markdown, if the options ask for it."""
    if not options.markdown:
        return article
    return replace(article, markdown=markdown_of(article.title, article.html))


def markdown_of(title: str, html: str) -> str:
    """Return an article as Markdown: the title as a heading of the first level, then the main text."""
    from .markdown import (
        as_markdown,
        heading,  # needs an extra
    )

    return "\n\n".join(filter(None, (heading(title), as_markdown(html))))


# --- The article of a page that shows none: its text as the page states it to programs
#
# Some pages have their text in a script alone, which writes it when the page is shown. Search engines get it
# as the ``articleBody`` of JSON-LD. It is the last resort: nobody sees it there, and it may be a summary.

#: A page shows no text of its own if its text outside links has fewer significant characters than this,
#: and than this share of the text that it states, which has at least so many. Headers have some.
_LITTLE, _LITTLE_SHARE, _LEAST_STATED = 1_000, 0.5, 150
#: The confidence of such an article: a low one, chosen by hand, since such pages are rare.
_STATED_CONFIDENCE = 0.3
#: An element that ends a line in a text that is stated as HTML.
_IN_HTML = re.compile(r"<(?:p|br|div|li|h[1-6]|blockquote|td|figure|section)\b[^<>]*>", re.IGNORECASE)


def or_stated(result: Result, options: ExtractOptions) -> Result:
    """Return the result for a page; with the article that the page states, if it shows no text of its own.

    Cost: a look at each block. The statements are read only if there is hardly any text.
    """
    layout = result.layout
    if layout is None or layout.markup is None or (result.site and not ENGINES[result.site.layout].judges):
        return result
    shown = sum([plain for _, _, _, plain in layout.blocks])
    if shown >= _LITTLE:
        return result
    stated = Statements(layout.markup, result.url, layout.announced)
    lines = _lines_of(stated.body)
    weight = sum(weights(lines))
    if weight < _LEAST_STATED or shown > _LITTLE_SHARE * weight:
        return result
    if not {block.text for block in layout.blocks}.isdisjoint(lines):
        return result  # it shows a part of the text, and hides the rest
    article = _stated_article(result, layout, stated, lines, options)
    if options.min_confidence > _STATED_CONFIDENCE:
        least = options.min_confidence
        return result._replace(reason=Reason.UNCERTAIN, article=None, uncertain=article, min_confidence=least)
    return result._replace(reason="", article=article, uncertain=None)


def _stated_article(
    result: Result, layout: Layout, stated: Statements, lines: Sequence[str], options: ExtractOptions
) -> Article:
    """Return the article with the text that a page states."""
    page = result.page
    if page is None:
        model, (placed,) = place_all([layout])
        placed, match = match_itself(placed, model)
        page = read_page(placed, match, model.affixes)
    title = stated.headline or page.parts.title or layout.title_element
    whole = page._replace(parts=page.parts._replace(main=range(len(layout.blocks))))
    wants_fields = options.date or options.metadata
    fields = fields_of(whole, result.site, options) if wants_fields else None
    stated_values = _stated_values(fields, replace(options, comments=False))
    article = Article(
        url=result.url,
        title=title,
        text="\n".join(lines),
        html="".join([f"<p>{escape(line, quote=False)}</p>" for line in lines]) if options.html else "",
        sections=(ArticleSection("title", title), *(ArticleSection("main", line) for line in lines))
        if options.sections
        else (),
        pattern="",
        confidence=_STATED_CONFIDENCE,
        probability=round(result.verdict.probability, 4) if result.verdict else None,
        comments_read=options.comments,
        **stated_values,
    )
    return with_markdown(article, options)


def _lines_of(text: str) -> list[str]:
    """Return the lines of a text that is stated: plain, or as HTML."""
    text = unescape(text) if "&" in text else text
    if _IN_HTML.search(text):
        layout = layout_of("", parse_text(text))
        text = "\n".join(block.text for block in layout.blocks)
    return [line for line in map(fold, text.split("\n")) if line]
