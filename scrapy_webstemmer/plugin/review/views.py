"""The views of a review: its sites, a site, a layout with its sections, and what a correction changes.

Each view is a whole page that needs nothing from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...errors import plural
from ...patterns.make_patterns import OF_LAYOUTS, OF_PARTS
from ...values import Correction
from ..commands.summary import warning_lines
from . import SHORT, Content, Links, View, bar, h, histogram, link, page, table, text_of, way
from .page_views import badge, legend, result_page
from .reviewed import Review, ReviewedPage, ReviewedSite, SectionLine, section_lines

if TYPE_CHECKING:
    from ...values import Pattern, SitePatterns

#: So many pages of a site are listed in its view.
_LISTED = 200


def view_html(review: Review, view: View, links: Links) -> str | None:
    """Return a view as HTML; None: the review has no such site, layout or page."""
    if view.kind == "sites":
        return _sites(review, links)
    if view.kind == "page":
        result = review.result(view.url)
        return None if result is None else result_page(result, links)
    site = review.site(view.site)
    if site is None:
        return None
    if view.kind == "site":
        return _site(review, site, links)
    if view.kind == "layout" and 0 < view.layout <= len(site.site.patterns):
        return _layout(review, site.site, view.layout, links)
    correction = correction_of(review, view)
    return None if correction is None else _trial(review, view, correction, links)


def correction_of(review: Review, view: View) -> Correction | None:
    """Return the correction that a trial is about; None: it is none."""
    site = review.patterns.sites.get(view.site)
    if (
        view.kind != "trial"
        or review.path is None
        or site is None
        or not 0 < view.layout <= len(site.patterns)
    ):
        return None
    if view.what not in (OF_PARTS if view.path else OF_LAYOUTS):
        return None
    return Correction(view.what, view.path, site.patterns[view.layout - 1].container)


# --- The sites, and a site


def _pages_table(caption: str, pages: Sequence[ReviewedPage], links: Links) -> Any:
    heads = ("page", "title", "characters", "confidence", "day", "layout", "worth a look")
    rows = (
        (
            link(links, View("page", url=one.url), h("bdi", one.url)),
            one.title,
            one.length if not one.reason else "",
            one.confidence if not one.reason else "",
            one.day,
            one.layout or "",
            one.odd or (f"no article: {one.reason}" if one.reason else ""),
        )
        for one in pages
    )
    return table(caption, heads, rows)


def _sites(review: Review, links: Links) -> str:
    rows = []
    for one in review.sites:
        site, warnings = one.site, [line.strip() for line in warning_lines(one.site)]
        rows.append(
            (
                link(links, View("site", site.site), h("bdi", site.site or "(no site)")),
                one.stored,
                one.articles,
                one.indexes,
                one.unused,
                bar(
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
    sites = table("Sites, those that need a look first", heads, rows, id="sites")
    return page("Review", h("main", h("h1", "Review"), search, sites), script=text_of("sites.js"))


def _site(review: Review, one: ReviewedSite, links: Links) -> str:
    site, pages = one.site, review.pages(one.site.site)
    articles = [row for row in pages if not row.reason]
    warnings = [h("li", line.strip()) for line in warning_lines(site)]
    unused = ((group.reason, group.pages, group.sample_url) for group in site.unused)
    plots = h(
        "div",
        histogram("Confidence", [row.confidence for row in articles], 0, 1, "from 0 to 1"),
        histogram(
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
        way(links),
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
        table("Pages that gave no layout", ("reason", "pages", "for example"), unused)
        if site.unused
        else None,
        table("Corrections", ("correction", "part", "layout with its text in", "day"), site.corrections)
        if site.corrections
        else None,
    )
    return page(f"{site.site} - review", body)


def _days_plot(days: Sequence[str]) -> Any:
    years = sorted(int(day[:4]) for day in days)
    if not years:
        return None
    return histogram("Days in urls", years, years[0], years[-1] + 1, f"from {years[0]} to {years[-1]}")


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
        h("h3", link(links, View("layout", site.site, number), f"Layout {number}: {kind}")),
        _picture(pattern),
        h("p", h("bdi", pattern.sample_title[:SHORT] or pattern.sample_url)),
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


def _layout(review: Review, site: SitePatterns, number: int, links: Links) -> str:
    name, pattern = site.site, site.patterns[number - 1]
    fix = _Fixes(
        View("trial", name, number), pattern, can_fix=review.path is not None and site.layout == "paths"
    )
    lines = section_lines(review, name, number, pattern)
    rows = (
        (
            h("code", one.feature),
            one.diff_score,
            one.main_score,
            one.pages,
            [badge(fate, f" {count:,}") for fate, count in sorted(one.fates.items()) if fate],
            h("ul", [h("li", h("bdi", text[:SHORT])) for text in one.values]) if one.values else "",
            *fix.of_section(one),
        )
        for one in lines
    )
    heads = ("section", "DiffScore", "MainScore", "blocks", "what becomes of it", "texts", *fix.heads)
    facts = [
        ("Text is looked for in", [h("code", pattern.container)]),
        (
            "Left out there",
            [
                h("li", h("code", path), " ", fix.button("keep", path))
                for path in (*pattern.excluded, *pattern.cut)
            ],
        ),
        ("The title stands at", [h("li", h("code", path)) for path in pattern.titles]),
        (
            "Other fields",
            [h("li", f"{one.field.replace('_', ' ')}: ", h("code", one.path)) for one in pattern.places],
        ),
    ]
    own = [row for row in review.pages(name) if row.layout == number]
    body = h(
        "main",
        way(links, (View("site", name), name)),
        h("h1", f"Layout {number}"),
        h("p", h("bdi", pattern.sample_title)),
        fix.of_layout(),
        h(
            "dl",
            [[h("dt", term), h("dd", h("ul", values) if values else "nothing")] for term, values in facts],
        ),
        _pages_table("Its pages, those worth a look first", own, links),
        legend(),
        table("Its sections, in the order of the page", heads, rows),
    )
    return page(f"Layout {number} of {name} - review", body, forms=fix.can_fix)


# --- Put something right

#: For each correction, the words of its button.
_WORDS = {
    "leave out": "Leave out: it is no text",
    "keep": "Keep: it is text",
    "title": "It is the title",
    "no title": "It is not the title",
    "article": "Its pages are articles",
    "no article": "Its pages are no articles",
    "forget": "Forget this layout",
}
#: For each kind of difference, what happens to the article.
_CHANGES = {
    "lost": "article lost",
    "text": "another text",
    "title": "another title",
    "gained": "article gained",
}


class _Fixes:
    """The buttons of a layout that show what a correction would change.

    :param trial: the view of such a trial, without its correction.
    :param can_fix: False: there are no buttons.
    """

    def __init__(self, trial: View, pattern: Pattern, *, can_fix: bool) -> None:
        self._trial, self._pattern, self.can_fix = trial, pattern, can_fix
        self.heads = ("put right",) if can_fix else ()

    def button(self, what: str, path: str = "") -> Any:
        """Return a button for a correction; None: nothing can be corrected."""
        return (
            self._form([what], h("input", type="hidden", name="path", value=path)) if self.can_fix else None
        )

    def of_section(self, one: SectionLine) -> Sequence[Content]:
        """Return the cell with the buttons of a section; none: nothing can be corrected."""
        if not self.can_fix:
            return ()
        found = []
        if one.fates.get("main") or one.fates.get("spared"):
            found += [self._leaving_out(one.feature), self.button("title", one.feature)]
        if one.fates.get("title"):
            found.append(self.button("no title", one.feature))
        return (found,)

    def of_layout(self) -> Any:
        """Return the buttons of the layout as a whole."""
        if not self.can_fix:
            return None
        other = "no article" if self._pattern.kind == "article" else "article"
        return h("p", self.button(other), self.button("forget"), class_="fixes")

    def _leaving_out(self, feature: str) -> Any:
        """Return a button with a choice of the elements around a section, inside the container."""
        rest = feature.removeprefix(self._pattern.container).strip("/").split("/")
        paths = ["/".join((self._pattern.container, *rest[: at + 1])) for at in range(len(rest)) if rest[0]]
        if not paths or not feature.startswith(f"{self._pattern.container}/"):
            return None
        options = [h("option", path.rpartition("/")[2], value=path) for path in paths]
        options[-1].set("selected", "")
        return self._form(["leave out"], h("select", options, name="path", aria_label="which element"))

    def _form(self, whats: Sequence[str], *content: Content) -> Any:
        hidden = {"kind": "trial", "site": self._trial.site, "layout": str(self._trial.layout)}
        fields = [h("input", type="hidden", name=name, value=value) for name, value in hidden.items()]
        buttons = [h("button", _WORDS[what], name="what", value=what) for what in whats]
        return h("form", fields, content, buttons, method="get")


def _trial(review: Review, view: View, correction: Correction, links: Links) -> str:
    """Return the view of what a correction changes, with the buttons that save it or throw it away."""
    found = review.trial(view.site, correction)
    rows = (
        (
            link(links, View("page", url=one.url), h("bdi", one.url)),
            _CHANGES[one.kind],
            one.titles[0] if one.titles[0] == one.titles[1] else " → ".join(one.titles),
            [h("p", h("del", h("bdi", line[:SHORT]))) for line in one.gone[:3]],
            [h("p", h("ins", h("bdi", line[:SHORT]))) for line in one.new[:3]],
        )
        for one in found.differences
    )
    back = View("layout", view.site, view.layout)
    changed = f"It changes {len(found.differences):,} of {plural(found.pages, 'page')} that were read."
    body = h(
        "main",
        way(links, (View("site", view.site), view.site), (back, f"Layout {view.layout}")),
        h("h1", _WORDS[correction.what]),
        h("p", h("code", correction.path or correction.container)),
        h("p", changed if found.fits else "It fits no layout.", id="changed"),
        h(
            "div",
            h("form", h("button", "Save", autofocus=True), method="post") if found.fits else None,
            link(links, back, "Throw away"),
            class_="fixes",
        ),
        table("Before and after", ("page", "change", "title", "goes", "comes"), rows),
    )
    return page("A correction - review", body, forms=True)
