"""Make the article of a page from the pattern that it matched (path layouts)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..base.parts import Parts
from ..fields.image_sources import image_tags
from ..fields.images import article_images, first_picture, media_in, pictures
from ..fields.metadata import Fields
from ..options import ExtractOptions
from ..page.days import DAY_SIZE, is_date_line
from ..page.text import ends_in_word, fold
from ..patterns.match import Match
from ..site.affixes import NO_AFFIXES, Affixes
from ..site.block_odds import likely_text
from ..site.insets import without_insets
from ..site.main_text import main_text, supplementary_blocks
from ..site.placed import PlacedLayout
from ..site.posts import thread_text
from ..site.threads import without_comments
from ..site.titles import title_on
from ..values import Article, ArticleImage, ArticleSection, Pattern, SitePatterns
from .article_html import render
from .result import ArticleParts, ReadPage

#: Where nothing else is the title, a line is if it has at most this many characters, and no full stop
#: at its end.
_HEADLINE = 120


def parts_of(page: PlacedLayout, pattern: Pattern, affixes: Affixes) -> ArticleParts:
    """Return the title and the main text of a page, as a pattern reads it.

    :param affixes: the texts that the site puts before and after its titles.
    """
    title, place = title_on(page, pattern, affixes)
    chosen = main_text(page, pattern, place)
    main = chosen.blocks
    if not title and (headline := _headline(page, main)) is not None:
        title, place = fold(page.layout.blocks[headline].text), page.places[headline]
        main = [index for index in main if index != headline]
    return ArticleParts(title, place, without_title(page, main, title), chosen)


def _headline(page: PlacedLayout, main: Sequence[int]) -> int | None:
    """Return the line above the text, after any date: the title of old pages without headings; or None."""
    blocks = page.layout.blocks
    first = next((index for index in main[:-1] if not is_date_line(blocks[index])), None)
    if first is None or len(blocks[first].text) > _HEADLINE or not ends_in_word(blocks[first].text):
        return None
    return first


def without_title(page: PlacedLayout, main: Sequence[int], title: str) -> Sequence[int]:
    """Return a main text without the title, if it stands as a line in the text's own element."""
    is_first = len(main) > 1 and fold(page.layout.blocks[main[0]].text) == title
    return main[1:] if is_first else main


def read_page(page: PlacedLayout, match: Match, affixes: Affixes, probability: float = 1.0) -> ReadPage:
    """Return a page as the pattern of a match reads it.

    :param affixes: the texts that the site puts before and after its titles.
    :param probability: the probability that the page is an article.
    """
    parts = parts_of(page, match.pattern, affixes)
    return ReadPage(page, match, parts, probability).with_main(parts.main, affixes)


def read_in_general(
    page: PlacedLayout, affixes: Affixes, probability: float, *, as_article: bool = False
) -> ReadPage:
    """Return a page as no pattern reads it, but what pages are like in general.

    :param affixes: the texts that the site puts before and after its titles.
    :param probability: the probability that the page is an article.
    :param as_article: whether the page is read as an article, whatever it is.
    """
    pattern = Pattern(name="", kind="article", score=0.0, pages=0, sections=())
    parts = parts_of(page, pattern, affixes)
    read = ReadPage(page, Match(pattern, 0.0), parts, probability)
    return with_likely_text(read, affixes, as_article=as_article)


def with_likely_text(read: ReadPage, affixes: Affixes, *margin: float, as_article: bool) -> ReadPage:
    """Return a page with the main text that is most likely by what pages are like in general.

    :param margin: its present text stays if the other one is expected to be better by at most this.
    :param as_article: whether the page is read as an article, whatever it is.
    """
    page, parts = read.placed, read.parts
    lead = {*parts.chosen.lead}
    main: Sequence[int] = [index for index in parts.main if index not in lead]
    likely = likely_text(page, main, parts.chosen.node, read.probability, *margin, as_article=as_article)
    main = sorted(lead.union(main)) if lead and {*main}.issuperset(likely.blocks) else likely.blocks
    main = without_title(page, main, parts.title)
    if as_article and main:
        main = without_comments(page, main)
    if affixes == NO_AFFIXES:  # of a site that is known, boilerplate says more
        main = without_insets(page, main, parts.title, read.probability)
    main = thread_text(page, main)
    read = read.with_main(main, affixes)
    return read._replace(likely=likely.confidence)


def article_of_paths(
    read: ReadPage, options: ExtractOptions, site: SitePatterns | None = None
) -> Parts[Article]:
    """Return the article on a page, in parts.

    :param read: the page; its layout has its markup.
    :param site: what is learned about the page's site; None: nothing is.
    """
    page, (pattern, _), parts, *_ = read
    title, title_path, main, _ = parts
    wants_fields = options.date or options.metadata or options.comments
    if not (options.html or options.sections or wants_fields):
        return plain_article(read)
    wants_sub = options.sections or wants_fields
    sub = supplementary_blocks(page, pattern, main, title, title_path) if wants_sub else ()
    fields = fields_of(read, site, sub) if wants_fields else None
    yield
    chosen = article_images(page, pattern, main, title_path) if options.html else ()
    images = image_tags(page.layout, chosen)
    html = render(page.layout, main, images) if options.html else ""
    yield
    stated = stated_values(fields, options, pictures(page, images, html) if options.metadata else ())
    if options.metadata and fields is not None:
        stated |= _shown_values(page, main, stated, images)
    values = _plain_values(read) | stated
    values["html"], values["sections"] = html, _sections(page, parts, sub) if options.sections else ()
    if options.markdown:
        values["markdown"] = markdown_of(title, html)
    return Article.made(values)


def _shown_values(
    page: PlacedLayout, main: Sequence[int], stated: Mapping[str, Any], images: Mapping[int, str]
) -> dict[str, Any]:
    """Return what an article shows beyond what is stated: its films and recordings, and its first picture.

    :param images: the tags of the images between blocks, by their indexes.
    """
    shown = {"main_image": stated["main_image"] or first_picture(page, images) or None}
    for kind, urls in media_in(page, main).items():
        shown[f"{kind}s"] = tuple(dict.fromkeys((*stated[f"{kind}s"], *urls)))
    return shown


def stated_values(
    fields: Fields | None, options: ExtractOptions, images: tuple[ArticleImage, ...] = ()
) -> dict[str, Any]:
    """Return the fields of an article that the options ask for, besides its text."""
    if fields is None:
        return {}
    values = fields.metadata(images) if options.metadata else {}
    if options.comments:
        values |= {"comments": fields.comments, "comments_read": True}
        if fields.comments and options.metadata and values["comment_count"] is None:
            values["comment_count"] = len(fields.comments)
    if (options.date or options.metadata) and (published := fields.published[0]):
        values["date"] = published[:DAY_SIZE]
    return values


def _sections(page: PlacedLayout, parts: ArticleParts, sub: Sequence[int]) -> tuple[ArticleSection, ...]:
    """Return an article's sections: the title, then the others in the order of the page."""
    blocks, (title, _, main, _) = page.layout.blocks, parts
    kinds = dict.fromkeys(main, "main") | dict.fromkeys(sub, "sub")
    sections = [ArticleSection(kinds[index], blocks[index].text) for index in sorted(kinds)]
    return (ArticleSection("title", title), *sections) if title else tuple(sections)


def plain_article(read: ReadPage) -> Article:
    """Return the article on a page, with its title, text and confidence alone. The page needs no markup."""
    return Article.made(_plain_values(read))


def _plain_values(read: ReadPage) -> dict[str, Any]:
    page, parts = read.placed, read.parts
    return {
        "url": page.url,
        "title": parts.title,
        "text": "\n".join([page.layout.blocks[index].text for index in parts.main]),
        "pattern": read.match.pattern.name,
        "confidence": round(read.confidence, 4),
        "probability": round(read.probability, 4),
        **type_values(read),
    }


def type_values(read: ReadPage) -> dict[str, Any]:
    """Return the type of a page, and how sure it is, as an article has them; none if nobody has asked."""
    if read.type is None:
        return {}
    return {"page_type": read.type.name, "page_type_confidence": round(read.type.probability, 4)}


def fields_of(read: ReadPage, site: SitePatterns | None, sub: Sequence[int] = ()) -> Fields | None:
    """Return the fields of the article on a page; None if the page has no markup.

    :param sub: indexes of the blocks of its supplementary sections.
    """
    page, (pattern, _), (_, place, main, _), *_ = read
    if page.layout.markup is None:
        return None
    return Fields(page, main, pattern, site, title=place, sub=sub)


def with_markdown(article: Article, options: ExtractOptions) -> Article:
    """Return an article with its Markdown, if the options ask for it."""
    if not options.markdown:
        return article
    return replace(article, markdown=markdown_of(article.title, article.html))


def markdown_of(title: str, html: str) -> str:
    """Return an article as Markdown: the title as a heading of the first level, then the main text."""
    from .markdown import document  # loads libraries that most crawls do not need

    return document(title, html)
