"""The view of a page: what became of its text, the article beside it, and how it was decided."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..engines import ENGINES
from ..errors import plural
from ..extraction.make_article import markdown_of, parts_of
from ..extraction.result import Result
from ..items import ArticleItem
from ..patterns.match import model_of
from ..site.main_text import EXCLUDED
from ..values import Article, SitePatterns
from .explanation import explanation_text
from .fates import FATES, LETTERS, PartLine, Run, part_lines, runs_of
from .fixes import Fixes
from .page_look import SANDBOX, TITLE_ID, WEB
from .reviewed import Review
from .web_pages import (
    CELL,
    MOST_SHOWN,
    SCROLLED,
    Content,
    Links,
    View,
    h,
    link,
    page,
    table,
    way,
    within,
)

#: The view of a page with the patterns that these replace.
BEFORE = "before"
#: So many other layouts of a page are shown.
_OTHERS_SHOWN = 10


def badge(fate: str, *content: Content) -> Any:
    """Return the letter and the colour of what became of a block, with content behind it."""
    return h("span", h("b", LETTERS[fate]), content, class_=f"badge {fate}", title=FATES[fate])


def legend() -> Any:
    """Return what the letters and colours mean."""
    items = [h("li", badge(fate, f" {words}")) for fate, words in FATES.items()]
    items.append(h("li", h("span", "a day, authors or topics at a learned place", class_="badge field")))
    return h("ul", items, class_="legend", aria_label="Colours and letters")


def scores() -> Any:
    """Return what the scores in the tables mean."""
    words = (
        "DiffScore says how much a text differs from page to page, from 0 to 1; MainScore is that times its"
        " characters outside links, so that long texts of a page's own have high ones."
    )
    return h("p", words, class_="quiet")


def result_page(review: Review, result: Result, view: View, links: Links) -> str:
    """Return the view of a page."""
    is_before = view.what == BEFORE
    site = None if is_before else result.site
    steps, fixes = [], None
    if site is not None:
        steps.append((View("site", site.site), site.site))
        if (layout := review.layout_of(result)) is not None:
            steps.append((View("layout", site.site, layout.key), f"Layout {layout.number}"))
            fixes = Fixes(review, site, layout)
    article = result.uncertain if result.article is None else result.article
    words = "The page, with what became of its text"
    address = links(view._replace(kind="look", site="", key=""))
    look = h("iframe", src=f"{address}#{TITLE_ID}", sandbox=SANDBOX, title=words, class_="shown")
    has_text = bool(result.layout and result.layout.blocks)
    texts = _runs_table(result, fixes)
    body = h(
        "main",
        way(links, *steps),
        h("h1", h("bdi", result.url if article is None else article.title or result.url)),
        h("p", h("bdi", result.url), class_="quiet"),
        h("p", f"No article: {result.reason}.", class_="reason") if result.reason else None,
        h("p", _other_views(review, view, links, has_texts=texts is not None)),
        legend(),
        h(
            "div",
            h(
                "section",
                h("h2", "The page"),
                look if has_text else None,
            ),
            h(
                "section",
                h("h2", "The article"),
                _article(article) if article is not None else h("p", "There is none."),
            ),
            class_="sides",
        ),
        scores() if result.match else None,
        texts,
        _by_little(result),
        _in_other_layouts(review, result, site, links) if site is not None else None,
        h("section", h("h2", "How it was decided"), h("pre", _first_of(explanation_text(result)))),
    )
    can_fix = fixes is not None and fixes.can_fix
    return page(f"{result.url} - review", body, forms=can_fix, frames=True)


def _other_views(review: Review, view: View, links: Links, *, has_texts: bool) -> Iterator[Content]:
    """Yield links to the other views of a page, and to its table of texts."""
    if has_texts:
        yield from (h("a", "What became of its texts", href="#texts"), ", ")  # past all links of the frame
    yield link(links, view._replace(kind="look"), "The page without a frame")
    if review.path is not None:  # files that are sent to somebody ask nobody
        words = "Without styles and pictures" if view.path == WEB else "With styles and pictures from the web"
        yield from (", ", link(links, view._replace(path="" if view.path == WEB else WEB), words))
    if review.before is not None:
        is_before = view.what == BEFORE
        words = "With the patterns of now" if is_before else "With the patterns before"
        yield from (", ", link(links, view._replace(what="" if is_before else BEFORE), words))


def _runs_table(result: Result, fixes: Fixes | None) -> Any:
    """Return the table of what became of each text, with scores, and buttons that put it right."""
    if result.page is None or result.match is None:
        return None
    placed = result.page.placed
    sections = {section.feature: section for section in result.match.pattern.sections}

    def row(number: int, run: Run) -> tuple[Content, ...]:
        path = placed.places[run.blocks[0]]
        section = sections.get(path)
        return (
            h("span", badge(run.fate) if run.fate else "", id=f"r{number}"),
            " ".join(placed.layout.blocks[block].text[:CELL] for block in run.blocks[:3]),
            h("code", run.part if run.fate == EXCLUDED else path),
            section.diff_score if section else "",
            section.main_score if section else "",
            *(fixes.of_part(path, {run.fate: len(run.blocks)}) if fixes else ()),
        )

    rows = (row(number, run) for number, run in enumerate(runs_of(result)))
    heads = ("", "text", "part", "DiffScore", "MainScore", *(fixes.heads if fixes else ()))
    return table("What became of its texts", heads, rows, id="texts")


def _by_little(result: Result) -> Any:
    """Return the table of the parts that are text, or are not, by little on this page."""
    if result.page is None:
        return None
    match, parts = result.page.match, result.page.parts
    lines = part_lines([result.page.placed], match.pattern, parts.chosen.excluded)
    return parts_table([line for line in lines if line.is_near], "Text, or not, by little on this page")


def parts_table(lines: Sequence[PartLine], caption: str = "Parts that are left out, or nearly are") -> Any:
    """Return the table of parts with what speaks against them; None: there are none."""
    if not lines:
        return None
    heads = ("part", "characters", "repeated", "in records", "in links", "DiffScore", "on pages", "rule")
    rows = (
        (
            h("code", line.path),
            round(line.evidence.weight),
            *(f"{share:.0%}" for share in line.evidence.against),
            "" if line.diff_score is None else line.diff_score,
            f"{line.evidence.refused} of {line.evidence.pages}",
            f"{line.rule or 'none'}{', by little' if line.is_near else ''}",
        )
        for line in lines
    )
    return table(caption, heads, rows)


def _in_other_layouts(review: Review, result: Result, site: SitePatterns, links: Links) -> Any:
    """Return the table of what the other layouts would give; None: the page was compared with none."""
    name = result.match.pattern.name if result.match else ""
    others = [(pattern, share) for pattern, share in result.compared if pattern.name != name]
    if not ENGINES[site.layout].judges or result.layout is None or not others:
        return None
    placed = result.page.placed if result.page else model_of(site).place(result.layout)
    layouts = {layout.pattern.name: layout for layout in review.layouts(site.site)}
    rows = []
    for pattern, share in sorted(others, key=lambda other: -other[1])[:_OTHERS_SHOWN]:
        parts = parts_of(placed, pattern, (site.prefixes, site.suffixes))
        layout = layouts[pattern.name]
        rows.append(
            (
                link(links, View("layout", site.site, layout.key), f"Layout {layout.number}"),
                pattern.kind,
                share,
                parts.title,
                sum(len(result.layout.blocks[index].text) for index in parts.main),
            )
        )
    return table("In the other layouts", ("layout", "kind", "similarity", "title", "characters"), rows)


def _first_of(text: str) -> str:
    """Return a text, or its beginning and how much follows."""
    more = len(text) - MOST_SHOWN
    return text if more <= 0 else f"{text[:MOST_SHOWN]}\n… and {plural(more, 'character')} more"


def _article(article: Article) -> Iterator[Any]:
    """Yield an article: its fields, its text, and all of it as HTML, Markdown and JSON to open."""
    shown = {
        "title": article.title,
        "day": article.date,
        "authors": ", ".join(author.name for author in article.authors),
        "topics": ", ".join(article.tags),
        "language": article.language,
        "confidence": None if article.confidence is None else f"{article.confidence:.2f}",
    }
    yield h("dl", [[h("dt", name), h("dd", h("bdi", value or "none"))] for name, value in shown.items()])
    lines = within(h("p", line, dir="auto") for line in _first_of(article.text).split("\n"))
    yield h("div", [*lines], class_="text", **SCROLLED, aria_label="text")
    row = {name: value for name, value in ArticleItem.from_article(article).items() if value is not None}
    formats = [
        ("HTML", article.html),
        ("Markdown", markdown_of(article.title, article.html) if len(article.html) <= MOST_SHOWN else ""),
        ("JSON", json.dumps(row, ensure_ascii=False, indent=1)),
    ]
    for name, text in formats:
        if text:
            yield h("details", h("summary", name), h("pre", _first_of(text)))
