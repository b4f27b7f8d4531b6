"""Put something right: the buttons that correct, and the view of what a correction would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..engines import ENGINES
from ..errors import plural
from ..monitoring.differences import Difference
from ..patterns.corrections import FIELDS, OF_LAYOUTS, OF_PARTS, is_about
from ..site.paths import above, is_under
from ..values import Correction, Pattern, SitePatterns
from .reviewed import Change, Review, ReviewedLayout, StaleError, key_of
from .web_pages import CELL, Content, Links, View, h, link, page, table, to_page, way

#: For each correction, the words of its button.
_BUTTON_WORDS = {
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
        for correction in site.site.corrections:
            if key_of(correction) == view.key:
                return Change(correction, taken_back=True)
        raise StaleError("There is no such correction any more")
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

    def _fits(self, what: str, path: str) -> bool:
        return is_about(self._pattern, Correction(what, path, self._pattern.container))

    def button(self, what: str, path: str = "") -> Any:
        """Return a button for a correction; None: nothing can be corrected, or it would change nothing."""
        if not self.can_fix or not self._fits(what, path):
            return None
        return _form(self._view, _hidden("path", path) if path else None, _button(what))

    def of_part(self, path: str, fates: Mapping[str, int]) -> Sequence[Content]:
        """Return the cell with the buttons of a part; none: nothing can be corrected.

        :param fates: how many blocks there have which fate.
        """
        if not self.can_fix:
            return ()
        buttons = []
        if fates.get("main"):
            buttons += [self._choice("leave out", path), self.button("title", path)]
        if fates.get("title"):
            buttons.append(self.button("no title", path))
        if fates.keys() - {"main", "title", ""}:
            buttons.append(self._choice("keep", path))
        if not fates.get("title"):
            buttons.append(self._shows(path))
        return (buttons,)

    def of_layout(self) -> Any:
        """Return the buttons of the layout as a whole."""
        other = "no article" if self._pattern.kind == "article" else "article"
        return h("div", self.button(other), self.button("forget"), class_="fixes") if self.can_fix else None

    def _shows(self, path: str) -> Any:
        """Return a choice of the fields that a part may show, with a button."""
        options = [h("option", f"the {field}", value=field) for field in FIELDS if self._fits(field, path)]
        if not options:
            return None
        chosen = h("select", options, name="what", aria_label="which field")
        return _form(self._view, _hidden("path", path), "It shows ", chosen, h("button", "Show"))

    def _choice(self, what: str, path: str) -> Any:
        """Return a button with a choice of the elements around a part for which a correction fits."""
        options = [
            h("option", element.rpartition("/")[2], value=element)
            for element in reversed([path, *above(path)])
            if not is_under(self._pattern.container, element) and self._fits(what, element)
        ]
        if not options:
            return None
        options[-1].set("selected", "")
        chosen = h("select", options, name="path", aria_label="which element")
        return _form(self._view, chosen, _button(what))


def can_fix(review: Review, site: SitePatterns) -> bool:
    """Return whether the patterns of a site can be corrected."""
    return review.path is not None and ENGINES[site.layout].judges


def corrections_table(review: Review, site: SitePatterns) -> Any:
    """Return the table of a site's corrections, each with a button that takes it back; None: it has none."""
    if not site.corrections:
        return None
    rows: list[Sequence[Content]] = []
    heads = ["correction", "part", "layout with its text in", "day"]
    if can_fix(review, site):
        heads.append("put right")
    for correction in site.corrections:
        view = View(TAKE_BACK, site.site, key_of(correction))
        back = (_form(view, h("button", _BACK)),) if can_fix(review, site) else ()
        rows.append((*correction, *back))
    return table("Corrections", heads, rows)


def change_cells(change: Difference) -> tuple[Content, ...]:
    """Return the cells of a changed article: its title, the lines that go, and those that come."""
    title = " → ".join(dict.fromkeys(change.titles))
    gone = [h("p", h("del", h("bdi", line[:CELL]))) for line in change.gone]
    return title, gone, [h("p", h("ins", h("bdi", line[:CELL]))) for line in change.new]


def _form(view: View, *content: Content) -> Any:
    fields = [_hidden("kind", view.kind), _hidden("site", view.site), _hidden("key", view.key)]
    return h("form", fields, content, method="get")


def _hidden(name: str, value: str) -> Any:
    return h("input", type="hidden", name=name, value=value)


def _button(what: str) -> Any:
    return h("button", _BUTTON_WORDS[what], name="what", value=what)


def trial_page(review: Review, view: View, change: Change, links: Links) -> str:
    """Return the view of what a change of the corrections changes: buttons save it or throw it away."""
    trial, correction = review.trial(view.site, change), change.correction
    rows = ((to_page(links, row.url), CHANGES[row.kind], *change_cells(row)) for row in trial.differences)
    site = View("site", view.site)
    layout = None if change.taken_back else review.layout(view.site, view.key)
    back = View("layout", view.site, view.key) if layout else site
    steps = [(site, view.site)] + ([(back, f"Layout {layout.number}")] if layout else [])
    words = f"{_BACK}: {correction.what}" if change.taken_back else _BUTTON_WORDS[correction.what]
    changed = f"It changes {len(trial.differences):,} of {plural(trial.pages, 'page')} that were read."
    body = h(
        "main",
        way(links, *steps),
        h("h1", words),
        h("p", h("code", correction.path or correction.container)),
        h("p", changed if trial.fits else "It fits no layout.", id="changed"),
        h(
            "div",
            h("form", h("button", "Save", autofocus=True), method="post") if trial.fits else None,
            link(links, back, "Throw away"),
            class_="fixes",
        ),
        table("Before and after", ("page", "change", "title", "goes", "comes"), rows),
    )
    return page("A correction - review", body, forms=True)
