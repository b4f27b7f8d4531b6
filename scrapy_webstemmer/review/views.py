"""The views of a review: its sites, a site, a layout with its sections, and what a correction changes.

Each view is a whole page that needs nothing from elsewhere. A folder can have all of them as files.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from ..errors import plural
from ..monitoring.differences import KINDS
from ..values import Pattern, SitePatterns
from .fates import layout_lines
from .first_page import drawn_legend, first_page, layout_picture, search, warning_items
from .fixes import CHANGES, Fixes, can_fix, change_cells, change_of, corrections_table, trial_page
from .page_look import look_page
from .page_views import BEFORE, badge, legend, parts_table, result_page, scores
from .reviewed import Review, ReviewedLayout, ReviewedPage, ReviewedSite
from .web_pages import CELL, Links, View, h, histogram, link, page, table, text_of, to_page, to_site, way

#: So many pages of a site are listed in its view, and so many that change in that of all sites.
_PAGES_LISTED, _CHANGES_LISTED = 200, 500


def view_html(review: Review, view: View, links: Links) -> str | None:
    """Return a view as HTML; None: the review has no such site, layout or page.

    :raises StaleError: it is about a correction of what the review does not have any more.
    """
    if view.kind == "sites":
        with review.lock:  # reading pages for it would take half of the time
            return first_page(review, view, links, _to_changes(review, links))
    if view.kind == "changes":
        return _changes(review, links)
    if view.kind in ("page", "look"):
        result = review.result(view.url, before=view.what == BEFORE)
        if result is None:
            return None
        if view.kind == "look":
            return look_page(result, view, links)
        return result_page(review, result, view, links)
    site = review.site(view.site)
    if site is None:
        return None
    if view.kind == "site":
        return _site(review, site, links)
    if view.kind == "layout":
        layout = review.layout(view.site, view.key)
        return None if layout is None else _layout(review, site.site, layout, links)
    change = change_of(review, view)
    return None if change is None else trial_page(review, view, change, links)


def _pages_table(caption: str, pages: Sequence[ReviewedPage], links: Links) -> Any:
    heads = ("page", "title", "characters", "confidence", "day", "authors", "layout", "worth a look")
    rows = (
        (
            to_page(links, row.url),
            row.title,
            "" if row.reason else row.length,
            "" if row.reason else row.confidence,
            row.day,
            row.authors,
            row.layout or "",
            f"no article: {row.reason}" if row.reason else ", ".join(row.odd),
        )
        for row in pages
    )
    return table(caption, heads, rows, id="rows")


def _to_changes(review: Review, links: Links) -> Any:
    """Return a link to the view of what these patterns change; None: they replace none."""
    if review.before is None:
        return None
    pages = sum(len(changes.differences) for changes in review.changes.values())
    words = f"What changes: the articles of {plural(pages, 'page')}"
    return h("p", link(links, View("changes"), words), class_="note")


def _changes(review: Review, links: Links) -> str | None:
    """Return the view of what these patterns change; None: they replace none."""
    if review.before is None:
        return None
    ordered = sorted(review.changes.items(), key=lambda item: (-len(item[1].differences), item[0]))
    sites = (
        (
            to_site(links, name) if review.site(name) else name,
            changes.pages,
            *changes.articles,
            *(changes.count()[kind] for kind in KINDS),
        )
        for name, changes in ordered
    )
    differences = [difference for _, changes in ordered for difference in changes.differences]
    differences.sort(key=attrgetter("rank"))
    pages = (
        (
            h("bdi", row.url),
            CHANGES[row.kind],
            h(
                "span",
                link(links, View("page", url=row.url, what=BEFORE), "before"),
                " ",
                link(links, View("page", url=row.url), "after"),
                class_="short",
            ),
            row.share,
            row.length,
            *change_cells(row),
        )
        for row in differences[:_CHANGES_LISTED]
    )
    count = len(differences)
    more = f", the first {_CHANGES_LISTED:,} of {count:,}" if count > _CHANGES_LISTED else ""
    heads = ("page", "change", "look", "share of its text", "characters", "title", "goes", "comes")
    body = h(
        "main",
        way(links),
        h("h1", "What changes"),
        table(
            "Sites, those that change most first",
            ("site", "pages", "articles before", "after", *(CHANGES[kind] for kind in KINDS)),
            sites,
        ),
        search("Find a page"),
        table(f"Pages, those that lose most first{more}", heads, pages, id="rows"),
    )
    return page("What changes - review", body, script=text_of("search.js"))


def _site(review: Review, reviewed: ReviewedSite, links: Links) -> str:
    site, pages = reviewed.site, review.pages(reviewed.site.site)
    warnings, stored = warning_items(site), reviewed.stored
    articles = [row for row in pages if not row.reason]
    unused = ((group.reason, group.pages, group.sample_url) for group in site.unused)
    lengths = [row.length for row in articles]
    longest = max(lengths, default=0)
    plots = h(
        "div",
        histogram("Confidence", [row.confidence for row in articles], 0, 1, "from 0 to 1"),
        histogram("Length", lengths, 0, longest, f"up to {longest:,} characters"),
        _days_plot([row.day for row in articles if row.day]),
        class_="plots",
    )
    body = h(
        "main",
        way(links),
        h("h1", h("bdi", site.site or "(no site)")),
        h("p", f"Learned from {plural(site.pages, 'page')}; {stored:,} stored, {len(pages):,} read here."),
        h("section", h("h2", "Warnings"), h("ul", warnings)) if warnings else None,
        h("h2", "Layouts"),
        drawn_legend(),
        h("div", [_card(site, layout, links) for layout in review.layouts(site.site)], class_="cards"),
        h("h2", "Articles"),
        plots if articles else h("p", "None of these pages gives an article."),
        search("Find a page"),
        _pages_table("Pages, those worth a look first", pages[:_PAGES_LISTED], links),
        table("Pages that gave no layout", ("reason", "pages", "for example"), unused)
        if site.unused
        else None,
        corrections_table(review, site),
    )
    return page(f"{site.site} - review", body, script=text_of("search.js"), forms=can_fix(review, site))


def _days_plot(days: Sequence[str]) -> Any:
    years = sorted(int(day[:4]) for day in days)
    if not years:
        return None
    return histogram("Days", years, years[0], years[-1] + 1, f"from {years[0]} to {years[-1]}")


def _card(site: SitePatterns, layout: ReviewedLayout, links: Links) -> Any:
    """Return a layout in short: a picture of its sections, and its figures."""
    pattern = layout.pattern
    shares = [
        words.format(share)
        for words, share in (
            ("{:.0%} of a page is text", pattern.main_share),
            ("links or the title element agree with {:.0%} of the titles", pattern.title_share),
        )
        if share is not None
    ]
    kind = "articles" if pattern.kind == "article" else "index pages"
    return h(
        "article",
        h("h3", link(links, View("layout", site.site, layout.key), f"Layout {layout.number}: {kind}")),
        layout_picture(pattern),
        h("p", h("bdi", pattern.sample_title[:CELL] or pattern.sample_url)),
        h("p", ", ".join([plural(pattern.pages, "page"), *shares]), class_="quiet"),
    )


def _layout(review: Review, site: SitePatterns, layout: ReviewedLayout, links: Links) -> str:
    name, number, pattern = site.site, layout.number, layout.pattern
    fixes = Fixes(review, site, layout)
    sections, parts = layout_lines(review, name, layout)
    rules = {part.path: part.rule for part in parts}
    rows = (
        (
            h("code", line.section.feature),
            line.section.diff_score,
            line.section.main_score,
            line.pages,
            [
                [badge(fate, f" {count:,}") for fate, count in sorted(line.fates.items()) if fate],
                h("p", rules.get(line.part, ""), class_="quiet") if line.part else None,
            ],
            h("ul", [h("li", h("bdi", text[:CELL])) for text in line.texts]) if line.texts else "",
            *fixes.of_part(line.section.feature, line.fates),
        )
        for line in sections
    )
    heads = ("section", "DiffScore", "MainScore", "blocks", "what becomes of it", "texts", *fixes.heads)
    pages = [row for row in review.pages(name) if row.layout == number]
    body = h(
        "main",
        way(links, (View("site", name), name)),
        h("h1", f"Layout {number}"),
        h("p", h("bdi", pattern.sample_title)),
        fixes.of_layout(),
        h("div", layout_picture(pattern), _places(pattern, fixes), class_="beside"),
        scores(),
        legend(),
        table("Its sections, in the order of the page", heads, rows),
        parts_table(parts),
        _pages_table("Its pages, those worth a look first", pages, links),
    )
    return page(f"Layout {number} of {name} - review", body, forms=fixes.can_fix)


def _places(pattern: Pattern, fixes: Fixes) -> Any:
    """Return where a layout has its text, what is left out of it, its title, and its other fields."""

    def items(paths: Sequence[str], words: str = "") -> list[Any]:
        return [h("li", words, h("code", path)) for path in paths]

    out = (*pattern.excluded, *pattern.cut)
    fields = [items([path], f"{field.replace('_', ' ')}: ") for field, path, *_ in pattern.places]
    places = {
        "Text is looked for in": items([pattern.container]),
        "Left out there": [h("li", h("code", path), " ", fixes.button("keep", path)) for path in out],
        "Text in any case": items(pattern.kept),
        "The title stands at": items(pattern.titles),
        "Other fields": fields,
    }
    rows = (
        (h("dt", term), h("dd", h("ul", values) if values else "nothing")) for term, values in places.items()
    )
    return h("dl", [*rows])


def export(review: Review, folder: Path) -> Iterator[Path]:
    """Write all views of a review into a folder, one file each; yield each when it is written.

    The first is ``index.html``. Links lead from file to file.

    :raises OSError: a file cannot be written.
    """
    waiting, known = deque([View()]), {View()}
    review.look_around()

    def file_of(view: View) -> str:
        if view not in known:
            known.add(view)
            waiting.append(view)
        return _file_name(view)

    while waiting:
        view = waiting.popleft()
        written = view_html(review, view, file_of)
        if written is not None:
            path = folder / _file_name(view)
            path.write_bytes(written.encode("utf-8", "replace"))
            yield path


def _file_name(view: View) -> str:
    if view == View():
        return "index.html"
    return f"{view.kind}-{hashlib.sha256(repr(tuple(view)).encode('utf-8', 'replace')).hexdigest()[:16]}.html"
