"""The article of a page that shows none: its text as the page states it to programs.

Some pages have their text in a script alone, which writes it when the page is shown. Search engines get it
as the ``articleBody`` of JSON-LD; otherwise it stands in the data of the script, or in an element that shows
it to scripts or to browsers without them. All are the last resort: nobody sees the text there, and it may be
a summary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape

from ..engines import ENGINES
from ..options import ExtractOptions
from ..page.facts import JSON
from ..page.markup import attributes_of
from ..page.parsing import parse_text
from ..page.script_state import article_in_state
from ..page.statements import Statements
from ..page.text import fold, weights
from ..page.walk import layout_of
from ..patterns.own_evidence import match_itself
from ..site.model import place_all
from ..values import Article, ArticleSection, Layout, Markup
from ..verdict.evidence import evidence_of
from .make_article import fields_of, read_page, stated_values, type_values, with_markdown
from .result import Reason, Result

#: A page shows no text of its own if its text outside links has fewer significant characters than this,
#: and than this share of the text that it states, which has at least so many. Headers have some.
_LITTLE, _LITTLE_SHARE, _LEAST_STATED = 1_000, 0.5, 150
#: The data of scripts counts only beside less than this: shops have their pages in it, too, with much that is
#: not shown at once.
_NEXT_TO_NOTHING = 300
#: The confidence of such an article: a low one, chosen by hand, since such pages are rare.
_STATED_CONFIDENCE = 0.3
#: Elements whose text no reader sees; how many elements with lines, and how many significant characters, the
#: text of an article has there. Requests to switch scripts on are shorter.
_SPARE, _PARAGRAPHS, _LEAST_SPARE = ("noscript", "textarea"), 2, 300
#: What JSON-LD has before the text of an article or posting, see ``Statements.body``.
_BODY = re.compile(r'"(?:articleBody|text|reviewBody)"')
#: An element that ends a line in a text that is stated as HTML.
_IN_HTML = re.compile(r"<(?:p|br|div|li|h[1-6]|blockquote|td|figure|section)\b[^<>]*>", re.IGNORECASE)


def or_stated(result: Result, options: ExtractOptions) -> Result:
    """Return the result for a page; with the article that the page states, if it shows no text of its own.

    Cost: a look at each block of the main text; of the page, if that is short. The statements are read only
    if there is hardly any text.
    """
    layout, page = result.layout, result.page
    if layout is None or layout.markup is None or (result.site and not ENGINES[result.site.layout].judges):
        return result
    blocks = layout.blocks
    if page and sum([blocks[index].plain for index in page.parts.main]) >= _LITTLE:
        return result
    shown = sum([plain for _, _, _, plain in blocks])
    if shown >= _LITTLE or (shown >= _NEXT_TO_NOTHING and not _may_state(layout.markup, shown)):
        return result
    stated = Statements(layout.markup, result.url, layout.announced, layout.title_element)
    title, lines = stated.headline, _lines_of(stated.body)
    if shown < _NEXT_TO_NOTHING and sum(weights(lines)) < _LEAST_STATED:
        titles = (stated.headline, layout.og_title, layout.title_element)
        if data := article_in_state(layout.markup, titles, _LEAST_STATED):
            title, lines = data.title, [line for text in data.texts for line in _lines_of(text)]
        # on a learned site a page without text is hardly an article, unless it states a headline
        elif title or options.all_kinds or not result.site:
            lines = (result.reason != Reason.NOT_AN_ARTICLE and _spare_lines(layout.markup)) or lines
    weight = sum(weights(lines))
    if weight < _LEAST_STATED or shown > _LITTLE_SHARE * weight:
        return result
    if not {block.text for block in blocks}.isdisjoint(lines):
        return result  # it shows a part of the text, and hides the rest
    article = _stated_article(result, layout, title, lines, options)
    if options.min_confidence > _STATED_CONFIDENCE and article.page_type in (None, "article"):
        least = options.min_confidence
        return result._replace(reason=Reason.UNCERTAIN, article=None, uncertain=article, min_confidence=least)
    return result._replace(reason="", refusal="", article=article, uncertain=None)


def _may_state(markup: Markup, shown: int) -> bool:
    """Return whether a page may state a text beside which it shows little. Cost: a search."""
    least = shown / _LITTLE_SHARE
    return any(
        kind == JSON and len(value) >= least and _BODY.search(value) for kind, _, value in markup.stating(())
    )


def _spare_lines(markup: Markup) -> list[str]:
    """Return the lines of the longest HTML with paragraphs that an element has, and does not show.

    Cost: linear in the length of these elements.
    """
    pieces, texts, last = markup.pieces, [""], -1
    for _, tag in markup.marked({"iframe": (b"srcdoc",)}, 0, len(pieces)):
        texts.append(attributes_of(tag).get("srcdoc", ""))
    for at, _ in markup.marked(dict.fromkeys(_SPARE, (b"",)), 0, len(pieces)):
        if at > last:
            last = markup.end_of(at)
            inside = "<".join([pieces[at].partition(">")[2], *pieces[at + 1 : last]])
            texts.append(unescape(inside) if pieces[at].startswith("textarea") else inside)
    best = max(texts, key=len)
    lines = _lines_of(best) if len(_IN_HTML.findall(best)) >= _PARAGRAPHS else []
    return lines if sum(weights(lines)) >= _LEAST_SPARE else []


def _stated_article(
    result: Result, layout: Layout, title: str, lines: Sequence[str], options: ExtractOptions
) -> Article:
    """Return the article with the text that a page states."""
    page = result.page
    if page is None:
        model, (placed,) = place_all([layout])
        placed, match = match_itself(placed, model)
        page = read_page(placed, match, model.affixes)
        if options.all_kinds:
            verdict = result.verdict
            page = page.with_type(verdict.evidence if verdict else evidence_of(placed, model.affixes))
    title = title or page.parts.title or layout.title_element
    whole = page._replace(parts=page.parts._replace(main=range(len(layout.blocks))))
    wants_fields = options.date or options.metadata
    fields = fields_of(whole, result.site) if wants_fields else None
    values = stated_values(fields, replace(options, comments=False))
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
        **type_values(page),
        **values,
    )
    return with_markdown(article, options)


def _lines_of(text: str) -> list[str]:
    """Return the lines of a text that is stated: plain, or as HTML."""
    text = unescape(text) if "&" in text else text
    if _IN_HTML.search(text):
        layout = layout_of("", parse_text(text))
        text = "\n".join(block.text for block in layout.blocks)
    return [line for line in map(fold, text.split("\n")) if line]
