"""The view of a page: what became of its text, the article beside it, and how it was decided.

A page of a stranger is shown as the cleaned HTML of its blocks, without addresses, in a frame in which
nothing runs, loads or leads away. In the three windows its text is text. These may have very many
lines, and are written as text, all of it escaped, and not made as elements.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from lxml import html

from ..article.article_html import render
from ..article.result import markdown_of, parts_of
from ..engines import ENGINES
from ..errors import plural
from ..items import ArticleItem
from ..patterns.match import model_of
from ..site.main_text import EXCLUDED
from ..values import NO_XML
from .elements import (
    MOST_INDENTED,
    MOST_SHOWN,
    SHORT,
    Content,
    Links,
    View,
    h,
    link,
    page,
    page_of,
    table,
    text_of,
    to_html,
    tree_style,
    way,
    within,
)
from .explanation import explanation_text
from .fates import FATES, LETTERS, PartLine, Run, part_lines, runs_of
from .fixes import Fixes
from .reviewed import Review

if TYPE_CHECKING:
    from ..article.result import Result
    from ..values import Article, Layout, Markup

#: The view of a page with the patterns that these replace.
BEFORE = "before"
#: So many other layouts of a page are shown.
_OTHERS = 10
#: What stays of elements in the frame: these attributes.
_KEPT = ("colspan", "rowspan", "start")


def badge(fate: str, *content: Content) -> Any:
    """Return the letter and the colour of what became of a block, with content behind it."""
    return h("span", h("b", LETTERS[fate]), content, class_=f"badge {fate}", title=FATES[fate])


def legend() -> Any:
    """Return what the letters and colours mean."""
    items = [h("li", badge(fate, f" {words}")) for fate, words in FATES.items()]
    return h("section", h("h2", "Colours and letters"), h("ul", items, class_="legend"))


def result_page(review: Review, result: Result, view: View, links: Links) -> str:
    """Return the view of a page."""
    is_before = view.what == BEFORE
    site = None if is_before else result.site
    steps = [] if site is None else [(View("site", site.site), site.site)]
    own = None if site is None else review.layout_of(result)
    if site is not None and own is not None:
        steps.append((View("layout", site.site, own.key), f"Layout {own.number}"))
    article = result.uncertain if result.article is None else result.article
    frame = h(
        "iframe",
        srcdoc=_frame(result),
        sandbox="",
        title="The page, with what became of its text",
        class_="shown",
    )
    says = h("p", f"No article: {result.reason}.", class_="reason") if result.reason else None
    fixes = Fixes(review, site, own) if site is not None and own is not None else None
    body = h(
        "main",
        way(links, *steps),
        h("h1", h("bdi", result.url if article is None else article.title or result.url)),
        h("p", h("bdi", result.url), class_="quiet"),
        says,
        h("p", _others(review, view, links)),
        legend(),
        h(
            "div",
            h("section", h("h2", "The page"), frame if result.layout and result.layout.blocks else None),
            h(
                "section",
                h("h2", "The article"),
                _article(article) if article is not None else h("p", "There is none."),
            ),
            class_="sides",
        ),
        _runs_table(result, fixes),
        _by_little(result),
        _in_other_layouts(review, result, links) if site is not None else None,
        h("section", h("h2", "How it was decided"), h("pre", _first_of(explanation_text(result)))),
    )
    return page(f"{result.url} - review", body, forms=fixes is not None and fixes.can_fix)


def _others(review: Review, view: View, links: Links) -> Iterator[Content]:
    """Yield links to the other views of a page."""
    yield link(links, view._replace(kind="windows"), "Its tree, text and source side by side")
    if review.before is not None:
        now = view.what == BEFORE
        words = "With the patterns of now" if now else "With the patterns before"
        yield from (", ", link(links, view._replace(what="" if now else BEFORE), words))


def _runs_table(result: Result, fixes: Fixes | None) -> Any:
    """Return the table of what became of each text, with scores, and buttons that put it right."""
    pattern = result.match.pattern if result.match else None
    if pattern is None or result.layout is None or result.page is None:
        return None
    scores = {one.feature: one for one in pattern.sections}
    blocks, places = result.layout.blocks, result.page.placed.places

    def row(run: Run) -> tuple[Content, ...]:
        path = places[run.blocks[0]]
        section = scores.get(path)
        return (
            badge(run.fate) if run.fate else "",
            " ".join(blocks[number].text[:SHORT] for number in run.blocks[:3]),
            h("code", run.part if run.fate == EXCLUDED else path),
            section.diff_score if section else "",
            section.main_score if section else "",
            *(fixes.of_part(path, {run.fate: len(run.blocks)}) if fixes else ()),
        )

    rows = map(row, runs_of(result))
    heads = ("", "text", "part", "DiffScore", "MainScore", *(fixes.heads if fixes else ()))
    return table("What became of its texts", heads, rows)


def _by_little(result: Result) -> Any:
    """Return the table of the parts that are text, or are not, by little on this page."""
    if result.page is None:
        return None
    match, parts = result.page.match, result.page.parts
    lines = part_lines([result.page.placed], match.pattern, parts.chosen.excluded)
    return parts_table([one for one in lines if one.is_near], "Text, or not, by little on this page")


def parts_table(lines: Sequence[PartLine], caption: str = "Parts that are left out, or nearly are") -> Any:
    """Return the table of parts with what speaks against them; None: there are none."""
    if not lines:
        return None
    heads = (
        "part",
        "characters",
        "repeated",
        "in records",
        "in links",
        "DiffScore",
        "on pages",
        "rule",
    )
    rows = (
        (
            h("code", one.path),
            round(one.evidence.weight),
            *(f"{share:.0%}" for share in one.evidence.against),
            "" if one.diff_score is None else one.diff_score,
            f"{one.evidence.refused} of {one.evidence.pages}",
            f"{one.rule or 'none'}{', by little' if one.is_near else ''}",
        )
        for one in lines
    )
    return table(caption, heads, rows)


def _in_other_layouts(review: Review, result: Result, links: Links) -> Any:
    """Return the table of what the other layouts would give; None: the page was compared with none."""
    site, own = result.site, result.match.pattern.name if result.match else ""
    others = [one for one in result.compared if one[0].name != own]
    if site is None or not ENGINES[site.layout].judges or result.layout is None or not others:
        return None
    placed = result.page.placed if result.page else model_of(site).place(result.layout)
    known = {one.pattern.name: one for one in review.layouts(site.site)}
    rows = []
    for pattern, share in sorted(others, key=lambda one: -one[1])[:_OTHERS]:
        parts = parts_of(placed, pattern, (site.prefixes, site.suffixes))
        one = known[pattern.name]
        rows.append(
            (
                link(links, View("layout", site.site, one.key), f"Layout {one.number}"),
                pattern.kind,
                share,
                parts.title,
                sum(len(result.layout.blocks[index].text) for index in parts.main),
            )
        )
    return table("In the other layouts", ("layout", "kind", "similarity", "title", "characters"), rows)


def _first_of(text: str) -> str:
    """Return a text, or its beginning and how much follows."""
    rest = len(text) - MOST_SHOWN
    return text if rest <= 0 else f"{text[:MOST_SHOWN]}\n… and {plural(rest, 'character')} more"


def _article(article: Article) -> Iterator[Any]:
    """Yield an article as text, and as HTML, Markdown and JSON to open."""
    lines = within(h("p", line, dir="auto") for line in _first_of(article.text).split("\n"))
    yield h("div", [*lines], class_="text")
    row = {name: value for name, value in ArticleItem.from_article(article).items() if value is not None}
    ways = [
        ("HTML", article.html),
        ("Markdown", _markdown(article)),
        ("JSON", json.dumps(row, ensure_ascii=False, indent=1)),
    ]
    for name, text in ways:
        if text:
            yield h("details", h("summary", name), h("pre", _first_of(text)))


def _markdown(article: Article) -> str:
    """Return an article as Markdown; empty without the library, or if making it would take long."""
    can_be_made = find_spec("markdownify") is not None and len(article.html) <= MOST_SHOWN
    return markdown_of(article.title, article.html) if can_be_made else ""


def _frame(result: Result) -> str:
    """Return a page as its blocks, each run in the colour of what became of it."""
    layout = result.layout
    if layout is None or layout.markup is None:
        return ""
    body = within(_run(run, _cleaned(layout, run.blocks)) for run in runs_of(result))
    return page("Page", h("div", [*body], class_="page"))


def _cleaned(layout: Layout, blocks: Sequence[int]) -> str:
    """Return blocks as HTML, or the first of them, or the beginning of the text of the first one."""
    assert layout.markup is not None  # noqa: S101 - whoever calls has looked
    sizes = (sum(map(len, layout.markup.pieces[slice(*layout.markup.blocks[one])])) for one in blocks)
    number = sum(1 for size in accumulate(sizes) if size <= MOST_SHOWN)
    return render(layout, blocks[:number]) if number else escape(layout.blocks[blocks[0]].text[:MOST_SHOWN])


def _run(run: Run, cleaned: str) -> Any:
    words = FATES.get(run.fate, "")
    element = h("div", class_=f"run {run.fate}", title=f"{words}: {run.part}" if words else run.part)
    if run.fate:
        element.append(h("b", LETTERS[run.fate], class_="letter", title=words))
    for one in html.fragments_fromstring(f"<div>{NO_XML.sub('', cleaned)}</div>"):
        element.append(_harmless(one))
    return element


def _harmless(root: Any) -> Any:
    """Return an element in which no address and no style is left; pictures become their texts."""
    for one in list(root.iter()):
        if not isinstance(one.tag, str):
            one.drop_tree()
            continue
        if one.tag == "img":
            text = f"[picture: {one.get('alt', '')}]"
            one.tag, one.text = "span", text
        for name in set(one.attrib) - {*_KEPT}:
            del one.attrib[name]
    return root


# --- A page as tree, text and source, each pointing into the others

#: So many characters of a line of the tree and of the source are shown, and so many of a text.
_LINE, _TEXT = 300, 10_000


def windows_page(result: Result, links: Links) -> str:
    """Return the view of a page in three windows: its tree, its text and its source.

    What somebody chooses in one of them is shown in the two others; without scripts, each leads to the next.
    The source is that of the page's elements as they are nested, which is not always what was sent.

    Source: News Ripper, whose window for a page has these three.
    """
    layout = result.layout
    if layout is None or layout.markup is None or not layout.blocks:
        return page(f"{result.url} - review", h("main", way(links), h("p", "The page has no text.")))
    fates = {number: run.fate for run in runs_of(result) for number in run.blocks}
    parts = (
        ("Tree", _tree_lines(layout, fates)),
        (
            "Text",
            (_window_line(n, "b", "s", one.text[:_TEXT], fates[n]) for n, one in enumerate(layout.blocks)),
        ),
        ("Source", _source_lines(layout.markup)),
    )
    back = (View("page", url=result.url), "The page")
    written = [to_html(way(links, back)), f"<h1><bdi>{escape(result.url)}</bdi></h1>"]
    written.append(
        '<p class="quiet">Choose a text in one window, and the two others show it.</p><main class="three">'
    )
    for name, lines in parts:
        written.append(
            f'<section class="window" aria-label="{name}" tabindex="0"><h2>{name}</h2><ul class="tree">\n'
        )
        written += within(lines, more="<li>The rest is not shown.</li>\n")
        written.append("</ul></section>")
    return page_of(
        f"{result.url} - review",
        NO_XML.sub("", "".join([*written, "</main>"])),
        style=tree_style(),
        script=text_of("windows.js"),
    )


def _window_line(number: int, here: str, there: str, text: str, fate: str, depth: int = 0) -> str:
    """Return the line of a block that leads into the next window."""
    letter = f"<b>{LETTERS[fate]}</b> " if fate else ""
    classes = " ".join(filter(None, (fate, f"d{min(depth, MOST_INDENTED)}" if depth else "")))
    return (
        f'<li id="{here}{number}" data-n="{number}" class="{classes}">{letter}<a href="#{there}{number}">'
        f"<bdi>{escape(text)}</bdi></a></li>\n"
    )


def _tree_lines(layout: Layout, fates: Mapping[int, str]) -> Iterator[str]:
    """Yield the block-level elements with their texts, in the order of the page."""
    assert layout.markup is not None  # noqa: S101 - whoever calls has looked
    depths: list[int] = []
    for parent in layout.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    lines = [(layout.markup.nodes[node], 0, node) for node in range(len(depths))]
    lines += [(first, 1, number) for number, (first, _) in enumerate(layout.markup.blocks)]
    for _, is_block, number in sorted(lines):
        if is_block:
            block = layout.blocks[number]
            yield _window_line(number, "t", "b", block.text[:_LINE], fates[number], depths[block.node] + 1)
        else:
            step, depth = layout.steps[number], depths[number]
            name = "".join((step.tag, f"#{step.id}" if step.id else "", *(f".{one}" for one in step.classes)))
            yield f'<li class="d{min(depth, MOST_INDENTED)}"><bdi>{escape(name)}</bdi></li>\n'


def _source_lines(markup: Markup) -> Iterator[str]:
    """Yield the pieces of a page's markup, each in a line."""
    starts = dict(zip((first for first, _ in markup.blocks), range(len(markup.blocks)), strict=True))
    owners = {piece: number for number, span in enumerate(markup.blocks) for piece in range(*span)}
    for piece, text in enumerate(markup.pieces):
        line = f"<bdi>{escape(f'<{text}'[:_LINE] if piece else text[:_LINE])}</bdi>"
        number = owners.get(piece)
        if number is None:
            yield f"<li>{line}</li>\n"
        else:
            start = f' id="s{number}"' if piece in starts else ""
            yield f'<li{start} data-n="{number}"><a href="#t{number}">{line}</a></li>\n'
