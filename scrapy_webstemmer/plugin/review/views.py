"""The views of a review: its sites, a site, a layout with its sections, a page with what became of its text.

Each view is a whole page that needs nothing from elsewhere. A page of a stranger is shown as the cleaned HTML
of its blocks, without addresses, in a frame in which nothing runs, loads or leads away.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import html

from ...article.article_html import render
from ...article.result import markdown_of
from ...errors import plural
from ...html.text import NO_XML
from ...items import ArticleItem
from ..commands.summary import explanation_text, warning_lines
from . import Content, h, page, text_of
from .reviewed import FATES, Review, ReviewedPage, ReviewedSite, Run, runs_of, section_lines

if TYPE_CHECKING:
    from ...article.result import Result
    from ...values import Article, Pattern, SitePatterns

#: So many pages of a site are listed in its view.
_LISTED = 200
#: So many characters of a text are shown in a table.
_SHORT = 120
#: What stays of elements in the frame: these attributes.
_KEPT = ("colspan", "rowspan", "start")
#: The letters that stand for what became of blocks, beside the colours.
_LETTERS = dict(zip(FATES, "TMSRXLON", strict=True))
_BINS = 10


class View(NamedTuple):
    """A view: ``sites``, ``site`` with a name, ``layout`` with a number as well, or ``page`` with a url."""

    kind: str = "sites"
    site: str = ""
    layout: int = 0
    url: str = ""


#: Returns the address of a view.
Links = Callable[[View], str]


def view_html(review: Review, view: View, links: Links) -> str | None:
    """Return a view as HTML; None: the review has no such site, layout or page."""
    if view.kind == "sites":
        return _sites(review, links)
    if view.kind == "page":
        result = review.result(view.url)
        return None if result is None else _page(result, links)
    site = review.site(view.site)
    if site is None:
        return None
    if view.kind == "site":
        return _site(review, site, links)
    patterns = site.site.patterns
    if view.kind == "layout" and 0 < view.layout <= len(patterns):
        return _layout(review, site.site, view.layout, patterns[view.layout - 1], links)
    return None


# --- The parts of views


def _link(links: Links, view: View, *content: Content) -> Any:
    return h("a", *content, href=links(view))


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Content]], **attributes: str) -> Any:
    """Return a table; a cell with a number is aligned to the right."""
    return h(
        "div",
        h(
            "table",
            h("caption", caption),
            h("thead", h("tr", [h("th", one, scope="col") for one in heads])),
            h("tbody", [h("tr", [_cell(one) for one in row]) for row in rows]),
            **attributes,
        ),
        class_="wide",
    )


def _cell(value: Content) -> Any:
    if isinstance(value, int | float):
        return h("td", f"{value:,}" if isinstance(value, int) else f"{value:.2f}", class_="number")
    return h("td", h("bdi", value[:_SHORT]) if isinstance(value, str) else value)


def _bar(parts: Sequence[tuple[str, str, int]]) -> Any:
    """Return a bar of shares.

    :param parts: for each part its class, its name and its number of pages.
    """
    words = ", ".join(f"{number:,} {name}" for _, name, number in parts)
    total = sum(number for *_, number in parts)
    rects, at = [], 0.0
    for kind, _, number in parts:
        width = 100 * number / total if total else 0
        rects.append(h("rect", class_=kind, x=f"{at:.2f}", y="0", width=f"{width:.2f}", height="10"))
        at += width
    box = {"viewBox": "0 0 100 10", "preserveAspectRatio": "none"}
    return h("svg", h("title", words), rects, class_="bar", role="img", aria_label=words, **box)


def _histogram(name: str, values: Sequence[float], least: float, most: float, shown: str) -> Any:
    """Return a plot of how many values lie in each tenth of a range."""
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, int(_BINS * (value - least) / ((most - least) or 1)))] += 1
    highest = max(counts, default=0) or 1
    rects = [
        h(
            "rect",
            x=str(10 * at),
            y=f"{40 - 40 * n / highest:.1f}",
            width="9",
            height=f"{40 * n / highest:.1f}",
        )
        for at, n in enumerate(counts)
    ]
    words = f"{name}: {plural(len(values), 'article')}, {shown}"
    box = {"viewBox": "0 0 100 40", "preserveAspectRatio": "none"}
    plot = h("svg", h("title", words), rects, class_="plot", role="img", aria_label=words, **box)
    return h("figure", plot, h("figcaption", words))


def _pages_table(caption: str, pages: Sequence[ReviewedPage], links: Links) -> Any:
    heads = ("page", "title", "characters", "confidence", "day", "layout", "worth a look")
    rows = (
        (
            _link(links, View("page", url=one.url), h("bdi", one.url)),
            one.title,
            one.length if not one.reason else "",
            one.confidence if not one.reason else "",
            one.day,
            one.layout or "",
            one.odd or (f"no article: {one.reason}" if one.reason else ""),
        )
        for one in pages
    )
    return _table(caption, heads, rows)


def _way(links: Links, *steps: tuple[View, str]) -> Any:
    """Return the way from the first view to this one."""
    items = [h("li", _link(links, view, h("bdi", name))) for view, name in ((View(), "All sites"), *steps)]
    return h("nav", h("ol", items), aria_label="Way to this page", class_="way")


# --- The sites, and a site


def _sites(review: Review, links: Links) -> str:
    rows = []
    for one in review.sites:
        site, warnings = one.site, [line.strip() for line in warning_lines(one.site)]
        rows.append(
            (
                _link(links, View("site", site.site), h("bdi", site.site or "(no site)")),
                one.stored,
                one.articles,
                one.indexes,
                one.unused,
                _bar(
                    (
                        ("main", "in layouts of articles", one.articles),
                        ("list", "in layouts of index pages", one.indexes),
                        ("excluded", "left over", one.unused),
                    )
                ),
                h("ul", [h("li", line) for line in warnings]) if warnings else "",
            )
        )
    heads = ("site", "pages stored", "of articles", "of lists", "left over", "shares", "warnings")
    search = h(
        "p",
        h("label", "Find a site ", h("input", type="search", id="search", autocomplete="off")),
        h("output", id="found", for_="search"),
    )
    table = _table("Sites, those that need a look first", heads, rows, id="sites")
    return page("Review", h("main", h("h1", "Review"), search, table), script=text_of("sites.js"))


def _site(review: Review, one: ReviewedSite, links: Links) -> str:
    site, pages = one.site, review.pages(one.site.site)
    articles = [row for row in pages if not row.reason]
    warnings = [h("li", line.strip()) for line in warning_lines(site)]
    unused = ((group.reason, group.pages, group.sample_url) for group in site.unused)
    plots = h(
        "div",
        _histogram("Confidence", [row.confidence for row in articles], 0, 1, "from 0 to 1"),
        _histogram(
            "Length",
            [row.length for row in articles],
            0,
            max((row.length for row in articles), default=0),
            f"up to {max((row.length for row in articles), default=0):,} characters",
        ),
        _days_plot([row.day for row in articles if row.day]),
        class_="plots",
    )
    body = h(
        "main",
        _way(links),
        h("h1", h("bdi", site.site or "(no site)")),
        h(
            "p",
            f"Learned from {plural(site.pages, 'page')}; {one.stored:,} stored, {len(pages):,} read here.",
        ),
        h("section", h("h2", "Warnings"), h("ul", warnings)) if warnings else None,
        h("h2", "Layouts"),
        h(
            "div",
            [_card(site, number, pattern, links) for number, pattern in enumerate(site.patterns, 1)],
            class_="cards",
        ),
        h("h2", "Articles"),
        plots if articles else h("p", "None of these pages gives an article."),
        _pages_table("Pages, those worth a look first", pages[:_LISTED], links),
        _table("Pages that gave no layout", ("reason", "pages", "for example"), unused)
        if site.unused
        else None,
    )
    return page(f"{site.site} - review", body)


def _days_plot(days: Sequence[str]) -> Any:
    years = sorted(int(day[:4]) for day in days)
    if not years:
        return None
    return _histogram("Days in urls", years, years[0], years[-1] + 1, f"from {years[0]} to {years[-1]}")


def _card(site: SitePatterns, number: int, pattern: Pattern, links: Links) -> Any:
    """Return a layout in short: a picture of its sections, and its figures."""
    shares = [
        f"{name} on {share:.0%}"
        for name, share in (("title", pattern.title_share), ("text", pattern.main_share))
        if share is not None
    ]
    kind = "articles" if pattern.kind == "article" else "index pages"
    return h(
        "article",
        h("h3", _link(links, View("layout", site.site, number), f"Layout {number}: {kind}")),
        _picture(pattern),
        h("p", h("bdi", pattern.sample_title[:_SHORT] or pattern.sample_url)),
        h(
            "p",
            ", ".join([plural(pattern.pages, "page"), f"score {pattern.score:,.0f}", *shares]),
            class_="quiet",
        ),
    )


def _picture(pattern: Pattern) -> Any:
    """Return a small picture of a layout: a line for each section, as wide as its text is long."""
    shown = pattern.sections[:60]
    most = max((one.weight for one in shown), default=0) or 1
    rects = []
    for at, one in enumerate(shown):
        kind = "title" if one.feature in pattern.titles else "main" if one.main_score > 1 else "template"
        width = 4 + 96 * min(1.0, one.weight / most)
        rects.append(h("rect", class_=kind, x="0", y=str(4 * at), width=f"{width:.1f}", height="3"))
    words = f"{plural(len(pattern.sections), 'section')} from the top of the page to its end"
    box = {"viewBox": f"0 0 100 {max(40, 4 * len(shown))}", "preserveAspectRatio": "none"}
    return h("svg", h("title", words), rects, class_="picture", role="img", aria_label=words, **box)


# --- A layout


def _layout(review: Review, site: SitePatterns, number: int, pattern: Pattern, links: Links) -> str:
    name = site.site
    lines = section_lines(review, name, number, pattern)
    rows = (
        (
            h("code", one.feature),
            one.diff_score,
            one.main_score,
            one.pages,
            [_badge(fate, f" {count:,}") for fate, count in sorted(one.fates.items()) if fate],
            h("ul", [h("li", h("bdi", text[:_SHORT])) for text in one.values]) if one.values else "",
        )
        for one in lines
    )
    heads = ("section", "DiffScore", "MainScore", "blocks", "what becomes of it", "texts")
    facts = [
        ("Text is looked for in", [h("code", pattern.container)]),
        ("Left out there", [h("li", h("code", path)) for path in pattern.excluded]),
        ("The title stands at", [h("li", h("code", path)) for path in pattern.titles]),
        (
            "Other fields",
            [h("li", f"{one.field.replace('_', ' ')}: ", h("code", one.path)) for one in pattern.places],
        ),
    ]
    own = [row for row in review.pages(name) if row.layout == number]
    body = h(
        "main",
        _way(links, (View("site", name), name)),
        h("h1", f"Layout {number}"),
        h("p", h("bdi", pattern.sample_title)),
        h(
            "dl",
            [[h("dt", term), h("dd", h("ul", values) if values else "nothing")] for term, values in facts],
        ),
        _pages_table("Its pages, those worth a look first", own, links),
        _legend(),
        _table("Its sections, in the order of the page", heads, rows),
    )
    return page(f"Layout {number} of {name} - review", body)


def _badge(fate: str, *content: Content) -> Any:
    return h("span", h("b", _LETTERS[fate]), content, class_=f"badge {fate}", title=FATES[fate])


def _legend() -> Any:
    items = [h("li", _badge(fate, f" {words}")) for fate, words in FATES.items()]
    return h("section", h("h2", "Colours and letters"), h("ul", items, class_="legend"))


# --- A page


def _page(result: Result, links: Links) -> str:
    site = result.site
    steps = [] if site is None else [(View("site", site.site), site.site)]
    number = _number_of(result)
    if site is not None and number:
        steps.append((View("layout", site.site, number), f"Layout {number}"))
    article = result.article or result.uncertain
    frame = h(
        "iframe",
        srcdoc=_frame(result),
        sandbox="",
        title="The page, with what became of its text",
        class_="shown",
    )
    says = h("p", f"No article: {result.reason}.", class_="reason") if result.reason else None
    body = h(
        "main",
        _way(links, *steps),
        h("h1", h("bdi", article.title if article and article.title else result.url)),
        h("p", h("bdi", result.url), class_="quiet"),
        says,
        _legend(),
        h(
            "div",
            h("section", h("h2", "The page"), frame if result.layout and result.layout.blocks else None),
            h("section", h("h2", "The article"), _article(article) if article else h("p", "There is none.")),
            class_="sides",
        ),
        h("section", h("h2", "How it was decided"), h("pre", explanation_text(result))),
    )
    return page(f"{result.url} - review", body)


def _number_of(result: Result) -> int:
    """Return the number of the layout by which a page was read, from 1 on; 0: by none."""
    names = [pattern.name for pattern in result.site.patterns] if result.site else []
    name = result.match.pattern.name if result.match else ""
    return names.index(name) + 1 if name in names else 0


def _article(article: Article) -> Iterator[Any]:
    """Yield an article as text, and as HTML, Markdown and JSON to open."""
    yield h("div", [h("p", line, dir="auto") for line in article.text.split("\n")], class_="text")
    row = {name: value for name, value in ArticleItem.from_article(article).items() if value is not None}
    ways = [
        ("HTML", article.html),
        ("Markdown", markdown_of(article.title, article.html) if find_spec("markdownify") else ""),
        ("JSON", json.dumps(row, ensure_ascii=False, indent=1)),
    ]
    for name, text in ways:
        if text:
            yield h("details", h("summary", name), h("pre", text))


def _frame(result: Result) -> str:
    """Return a page as its blocks, each run in the colour of what became of it."""
    layout = result.layout
    if layout is None or layout.markup is None:
        return ""
    body = [_run(run, render(layout, run.blocks)) for run in runs_of(result)]
    return page("Page", h("div", body, class_="page"))


def _run(run: Run, cleaned: str) -> Any:
    words = FATES.get(run.fate, "")
    element = h("div", class_=f"run {run.fate}", title=f"{words}: {run.part}" if words else run.part)
    if run.fate:
        element.append(h("b", _LETTERS[run.fate], class_="letter", title=words))
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
