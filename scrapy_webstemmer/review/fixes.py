"""Put something right: the buttons that correct, and the view of what a correction would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..engines import ENGINES
from ..errors import plural
from ..patterns.corrections import FIELDS, OF_LAYOUTS, OF_PARTS, fits
from ..site.paths import above
from ..values import Correction
from .reviewed import Change, Review, ReviewedLayout, StaleError, key_of
from .web_pages import SHORT, Content, Links, View, h, link, page, table, way

if TYPE_CHECKING:
    from ..monitoring.differences import Difference
    from ..values import Pattern, SitePatterns

#: For each correction, the words of its button.
_WORDS = {
    "leave out": "Leave out: it is no text",
    "keep": "Keep: it is text",
    "title": "It is the title",
    "no title": "It is not the title",
    **{what: f"It shows the {what}" for what in FIELDS},
    "article": "Its pages are articles",
    "no article": "Its pages are no articles",
    "forget": "Forget this layout",
}
#: The kind of view that takes a correction back, and the words of its button.
TAKE_BACK, _BACK = "take back", "Take back"
#: For each kind of difference, what happens to the article.
CHANGES = {
    "lost": "article lost",
    "text": "another text",
    "title": "another title",
    "gained": "article gained",
    "field": "another value",
}


def change_of(review: Review, view: View) -> Change | None:
    """Return the change of the corrections that a view is about; None: it is about none.

    :raises StaleError: the review does not have any more what is to be corrected.
    """
    site = review.site(view.site)
    if review.path is None or site is None or not view.key:
        return None
    if view.kind == TAKE_BACK:
        found = [one for one in site.site.corrections if key_of(one) == view.key]
        if not found:
            raise StaleError("There is no such correction any more")
        return Change(found[0], taken_back=True)
    if view.kind != "trial" or view.what not in (OF_PARTS if view.path else OF_LAYOUTS):
        return None
    layout = review.layout(view.site, view.key)
    if layout is None:
        raise StaleError("There is no such layout any more")
    return Change(Correction(view.what, view.path, layout.pattern.container), key=view.key)


class Fixes:
    """The buttons that show what a correction of a layout would change."""

    def __init__(self, review: Review, site: SitePatterns, layout: ReviewedLayout) -> None:
        self._pattern: Pattern = layout.pattern
        self._view = View("trial", site.site, layout.key)
        self.can_fix = can_fix(review, site)
        self.heads = ("put right",) if self.can_fix else ()

    def button(self, what: str, path: str = "") -> Any:
        """Return a button for a correction; None: nothing can be corrected, or it would change nothing."""
        if not self.can_fix or not fits(self._pattern, Correction(what, path, self._pattern.container)):
            return None
        hidden = h("input", type="hidden", name="path", value=path) if path else None
        return _form(self._view, hidden, h("button", _WORDS[what], name="what", value=what))

    def of_part(self, path: str, fates: Mapping[str, int]) -> Sequence[Content]:
        """Return the cell with the buttons of a part; none: nothing can be corrected.

        :param fates: how many blocks there have which fate.
        """
        if not self.can_fix:
            return ()
        found = []
        if fates.get("main"):
            found += [self._choice("leave out", path), self.button("title", path)]
        if fates.get("title"):
            found.append(self.button("no title", path))
        if fates.keys() - {"main", "title", ""}:
            found.append(self._choice("keep", path))
        if not fates.get("title"):
            found.append(self._shows(path))
        return (found,)

    def of_layout(self) -> Any:
        """Return the buttons of the layout as a whole."""
        other = "no article" if self._pattern.kind == "article" else "article"
        return h("div", self.button(other), self.button("forget"), class_="fixes") if self.can_fix else None

    def _shows(self, path: str) -> Any:
        """Return a choice of the fields that a part may show, with a button."""
        pattern = self._pattern
        fitting = [one for one in FIELDS if fits(pattern, Correction(one, path, pattern.container))]
        if not fitting:
            return None
        options = [h("option", f"the {one}", value=one) for one in fitting]
        chosen = h("select", options, name="what", aria_label="which field")
        hidden = h("input", type="hidden", name="path", value=path)
        return _form(self._view, hidden, "It shows ", chosen, h("button", "Show"))

    def _choice(self, what: str, path: str) -> Any:
        """Return a button with a choice of the elements around a part for which a correction fits."""
        container = self._pattern.container
        around = [path, *above(path)]
        paths = [
            one
            for one in reversed(around)
            if not f"{container}/".startswith(f"{one}/")
            and fits(self._pattern, Correction(what, one, container))
        ]
        if not paths:
            return None
        options = [h("option", one.rpartition("/")[2], value=one) for one in paths]
        options[-1].set("selected", "")
        chosen = h("select", options, name="path", aria_label="which element")
        return _form(self._view, chosen, h("button", _WORDS[what], name="what", value=what))


def can_fix(review: Review, site: SitePatterns) -> bool:
    """Return whether the patterns of a site can be corrected."""
    return review.path is not None and ENGINES[site.layout].judges


def corrections_table(review: Review, site: SitePatterns) -> Any:
    """Return the table of a site's corrections, each with a button that takes it back; None: it has none."""
    if not site.corrections:
        return None
    rows: list[Sequence[Content]] = []
    for one in site.corrections:
        view = View(TAKE_BACK, site.site, key_of(one))
        back = (_form(view, h("button", _BACK)),) if can_fix(review, site) else ()
        rows.append((*one, *back))
    heads = (
        "correction",
        "part",
        "layout with its text in",
        "day",
        *(["put right"] if len(rows[0]) > 4 else []),
    )
    return table("Corrections", heads, rows)


def change_cells(one: Difference) -> tuple[Content, ...]:
    """Return the cells of a changed article: its title, the lines that go, and those that come."""
    title = one.titles[0] if one.titles[0] == one.titles[1] else " → ".join(one.titles)
    gone = [h("p", h("del", h("bdi", line[:SHORT]))) for line in one.gone]
    return title, gone, [h("p", h("ins", h("bdi", line[:SHORT]))) for line in one.new]


def _form(view: View, *content: Content) -> Any:
    hidden = {"kind": view.kind, "site": view.site, "key": view.key}
    fields = [h("input", type="hidden", name=name, value=value) for name, value in hidden.items()]
    return h("form", fields, content, method="get")


def trial_page(review: Review, view: View, change: Change, links: Links) -> str:
    """Return the view of what a change of the corrections changes: buttons save it or throw it away."""
    found, correction = review.trial(view.site, change), change.correction
    rows = (
        (link(links, View("page", url=one.url), h("bdi", one.url)), CHANGES[one.kind], *change_cells(one))
        for one in found.differences
    )
    site = View("site", view.site)
    layout = None if change.taken_back else review.layout(view.site, view.key)
    back = View("layout", view.site, view.key) if layout else site
    steps = [(site, view.site)] + ([(back, f"Layout {layout.number}")] if layout else [])
    words = f"{_BACK}: {correction.what}" if change.taken_back else _WORDS[correction.what]
    changed = f"It changes {len(found.differences):,} of {plural(found.pages, 'page')} that were read."
    body = h(
        "main",
        way(links, *steps),
        h("h1", words),
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
