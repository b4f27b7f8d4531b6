"""The first page of a review: what is worth a look, and what the pages of each site are and lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from ..errors import plural
from ..site.paths import is_under, under_any
from ..values import Pattern, SitePatterns
from .explanation import warnings_of
from .reviewed import ODD, Glance, Review, ReviewedLayout, ReviewedPage, ReviewedSite
from .web_pages import CELL, Content, Links, View, bar, h, link, page, text_of, to_site, way

#: So many sites are on a page, and of so many of them layouts are drawn, at most so many each.
_SITES_LISTED, _SITES_PICTURED, _LAYOUTS_PICTURED = 300, 60, 4
#: So many kinds of doubtful articles are shown, and so many articles of each.
_DOUBTS, _EXAMPLES = 6, 3
#: Why articles are worth a look: the words behind "articles", and what it may mean.
_MEANINGS: Mapping[str, tuple[str, str]] = {
    "no title": ("without a title", "The title may stand where nobody looks for it."),
    "low confidence": (
        "of low confidence",
        "More likely wrong than right: perhaps no article at all, or not its text.",
    ),
    "same text as another page": (
        "with the text of another page",
        "One page has two urls, or the text is one that the site repeats.",
    ),
    "very long": ("much longer than usual", "Comments, or other articles, may be in the text."),
    "very short": ("much shorter than usual", "A part of the text may be missing."),
}
#: A picture of a layout has so many lines of text; a line has so many characters.
_PICTURE_LINES, _PICTURE_COLUMNS = 44, 60
#: What becomes of a section in such a picture, in words.
_PICTURE_WORDS = {
    "title": "the title",
    "main": "text",
    "list": "a list of other pages",
    "excluded": "left out of the text",
    "template": "outside the text",
}


def first_page(review: Review, view: View, links: Links, more: Content) -> str | None:
    """Return the first page, or one of those with further sites; None: there are not so many sites.

    :param view: its ``site`` is a part of the names of the sites that are listed; empty: all are. ``what`` is
        the number of the page, from 1 on.
    :param more: what stands below the first lines.
    """
    wanted = view.site.strip().lower()
    sites = [reviewed for reviewed in review.sites if wanted in reviewed.site.site.lower()]
    number = int(view.what) if view.what.isdecimal() else 1
    begin = (number - 1) * _SITES_LISTED
    listed = sites[begin : begin + _SITES_LISTED]
    if begin and not listed:
        return None
    rows = [_row(review, site, links, is_drawn=at < _SITES_PICTURED) for at, site in enumerate(listed)]
    stored = f"{plural(sum(site.stored for site in sites), 'page')} of {plural(len(sites), 'site')}"
    is_first = not wanted and not begin
    heading = "Sites, those that need a look first"
    if len(listed) < len(sites):
        heading = f"{heading}: {begin + 1:,} to {begin + len(listed):,} of {len(sites):,}"
    further = len(sites) - begin - len(listed)
    body = h(
        "main",
        None if view == View() else way(links),
        h("h1", f"Sites with “{view.site}”" if wanted else "Review"),
        h("p", f"{stored}: what was understood of them, and what may be wrong.", class_="lead"),
        more,
        _doubts(review, links) if is_first else None,
        h(
            "section",
            h("h2", heading),
            search("Find a site", asks=review.path is not None),
            drawn_legend(),
            h("ul", rows, id="rows", class_="sites"),
            h("p", link(links, view._replace(what=str(number + 1)), plural(further, "further site")))
            if further > 0
            else None,
        ),
        class_="first",
    )
    return page("Review", body, script=text_of("search.js"), forms=review.path is not None)


def search(label: str, *, asks: bool = False) -> Any:
    """Return a field in which somebody looks for rows of the table or the list ``rows``.

    :param asks: whether it may ask for the sites of such a name, also those that are not listed.
    """
    field = h("input", type="search", id="search", name="site" if asks else None, autocomplete="off")
    parts = h("label", f"{label} ", field), h("output", id="found", for_="search")
    hidden = h("input", type="hidden", name="kind", value="sites")
    return h("form", hidden, parts, method="get", role="search") if asks else h("p", parts)


def _doubts(review: Review, links: Links) -> Any:
    """Return the articles that are worth a look, by site and reason, those that are most first."""
    read = sum(glance.pages for glance in review.glances.values())
    groups: list[tuple[str, str, Sequence[ReviewedPage]]] = []
    for name, glance in review.glances.items():
        for odd in ODD:
            pages = [row for row in glance.odd if row.odd[0] == odd]
            groups += [(name, odd, pages)] if pages else []
    groups.sort(key=lambda group: (-len(group[2]), group[0]))
    cards = [_doubt(*group, links) for group in groups[:_DOUBTS]]
    left = sum(len(pages) for *_, pages in groups[_DOUBTS:])
    words = [
        f"{plural(read, 'page')} of {plural(len(review.glances), 'site')} were read for this. An article's"
        " confidence, from 0 to 1, says how likely it is right."
    ]
    if not cards:
        words.insert(0, "Nothing stands out.")
    if left:
        words.append(f"{plural(left, 'more article')}: see the pages of the sites.")
    unread = not review.is_looked_around
    return h(
        "section",
        h("h2", "Worth a look"),
        h("div", cards, class_="cards doubts") if cards else None,
        h(
            "p",
            " ".join(words),
            [" Others are being read: ", link(links, View(), "look again"), "."] if unread else None,
            class_="quiet",
        ),
    )


def _doubt(site: str, odd: str, pages: Sequence[ReviewedPage], links: Links) -> Any:
    words, meaning = _MEANINGS[odd]
    left = len(pages) - _EXAMPLES
    more = link(links, View("site", site), f"{left:,} more")
    return h(
        "article",
        h("h3", f"{plural(len(pages), 'article')} {words}"),
        h("p", to_site(links, site)),
        h("p", meaning, class_="quiet"),
        h("ul", [_example(row, links) for row in pages[:_EXAMPLES]]),
        h("p", more) if left > 0 else None,
    )


def _example(row: ReviewedPage, links: Links) -> Any:
    figures = f"confidence {row.confidence:.2f}, {plural(row.length, 'character')}"
    name = h("bdi", (row.title or row.url)[:CELL])
    return h("li", link(links, View("page", url=row.url), name), " ", h("small", figures))


def warning_items(site: SitePatterns) -> list[Any]:
    """Return the warnings of a site as the items of a list."""
    return [h("li", warning) for warning in warnings_of(site)]


def _row(review: Review, reviewed: ReviewedSite, links: Links, *, is_drawn: bool) -> Any:
    """Return what is said of a site; the first element has its name."""
    name = reviewed.site.site
    glance = review.glances.get(name)
    kinds = (
        ("main", "article pages", reviewed.articles),
        ("list", "list pages", reviewed.indexes),
        ("template", "in no layout", reviewed.unused),
    )
    warnings = warning_items(reviewed.site)
    layouts = review.layouts(name) if is_drawn else []
    largest = sorted(layouts, key=lambda layout: -layout.pattern.pages)[:_LAYOUTS_PICTURED]
    return h(
        "li",
        h("h3", to_site(links, name)),
        h(
            "div",
            h("p", f"{plural(reviewed.stored, 'page')}, {reviewed.learned:,} learned from", class_="quiet"),
            bar(kinds),
            h("ul", [_key(kind, f"{number:,} {words}") for kind, words, number in kinds if number]),
        ),
        h("div", _lacks(glance)),
        h(
            "div",
            [
                h("figure", layout_picture(layout.pattern), h("figcaption", _to_layout(name, layout, links)))
                for layout in largest
            ],
            h("p", f"and {len(layouts) - len(largest):,} more", class_="quiet")
            if len(layouts) > len(largest)
            else None,
            class_="layouts",
        )
        if largest
        else None,
        h("details", h("summary", plural(len(warnings), "warning")), h("ul", warnings)) if warnings else None,
    )


def _lacks(glance: Glance | None) -> Iterator[Any]:
    """Yield how many articles have what an article should have."""
    if glance is None or not glance.articles:
        words = f"no article on {plural(glance.pages, 'page')} read" if glance else "not read yet"
        yield h("p", words, class_="quiet")
        return
    yield h(
        "p", f"{plural(glance.articles, 'article')} on {plural(glance.pages, 'page')} read", class_="quiet"
    )
    counts = (
        ("with a title", glance.titled),
        ("with a day", glance.dated),
        ("with an author", glance.signed),
        ("likely right", glance.sure),
    )
    rows = (
        h(
            "li",
            bar((("main", words, number), ("missing", "not", glance.articles - number))),
            f" {f'{number:,}' if number < glance.articles else 'all'} {words}",
        )
        for words, number in counts
    )
    yield h("ul", [*rows], class_="meters")


def _key(kind: str, *words: Content) -> Any:
    return h("li", h("span", class_=f"key {kind}", aria_hidden="true"), words)


def _to_layout(site: str, layout: ReviewedLayout, links: Links) -> Any:
    kind = "Articles" if layout.pattern.kind == "article" else "Lists"
    words = f"{kind}: {plural(layout.pattern.pages, 'page')}"
    return link(links, View("layout", site, layout.key), words)


def drawn_legend() -> Any:
    """Return what the colours of the pictures of layouts mean."""
    return h("ul", [_key(kind, words) for kind, words in _PICTURE_WORDS.items()], class_="legend")


def layout_picture(pattern: Pattern) -> Any:
    """Return a typical page of a layout in small, drawn from its sections, with the same in words.

    Each line stands for 60 characters; of long texts lines are left out, so that all sections fit in.
    """
    runs = [
        (kind, [weight for _, weight in group]) for kind, group in groupby(_drawn(pattern), itemgetter(0))
    ]
    whole = [_flowed(weights) for _, weights in runs]
    room, long = max(0, _PICTURE_LINES - len(runs)), sum(len(lines) - 1 for lines in whole)
    paths, row = dict.fromkeys(_PICTURE_WORDS, ""), 0
    for (kind, _), lines in zip(runs, whole, strict=True):
        count = 1 + (len(lines) - 1) * min(long, room) // max(1, long)
        for number in range(count if row < _PICTURE_LINES else 0):
            for left, width in lines[number * len(lines) // count]:
                paths[kind] += f"M{left} {3 * row}h{width}v2h-{width}z"
            row += 1
    drawn = [h("path", class_=kind, d=path) for kind, path in paths.items() if path]
    words = f"A typical page, from top to bottom: {', '.join(_in_words(runs)) or 'nothing'}"
    box = {"viewBox": f"-4 -4 108 {3 * _PICTURE_LINES + 7}"}
    return h("svg", h("title", words), drawn, class_="picture", role="img", aria_label=words, **box)


def _drawn(pattern: Pattern) -> Iterator[tuple[str, float]]:
    """Yield for each section of a layout what becomes of it, and its characters."""
    paths = {section.feature for section in pattern.sections}
    title = next((path for path in pattern.titles if path in paths), None)
    is_excluded = under_any((*pattern.excluded, *pattern.cut))
    for section in pattern.sections:
        path = section.feature
        if path == title:
            kind = "title"
        elif pattern.container and not is_under(path, pattern.container):
            kind = "template"
        elif pattern.kind != "article":
            kind = "list"
        elif is_excluded(path):
            kind = "excluded"
        else:
            kind = "main" if section.main_score > 1 else "template"
        yield kind, section.weight


def _flowed(weights: Sequence[float]) -> list[list[tuple[int, int]]]:
    """Return texts in lines, as words flow; of each piece its place and its width in hundredths."""
    lines: list[list[tuple[int, int]]] = [[]]
    place = 0
    for weight in weights:
        length = max(4, round(100 * weight / _PICTURE_COLUMNS))
        if place and place + min(length, 100) > 100:
            lines.append([])
            place = 0
        while length > 100 - place:
            lines[-1].append((place, 100 - place))
            lines.append([])
            length, place = length - 100 + place, 0
        lines[-1].append((place, length))
        place += length + 4
    return lines


def _in_words(runs: Sequence[tuple[str, Sequence[float]]]) -> Iterator[str]:
    """Yield what becomes of the page from top to bottom, in shares of its text; small parts are left out."""
    total = sum(sum(weights) for _, weights in runs) or 1
    shares = [(kind, sum(weights) / total) for kind, weights in runs]
    large = [(kind, share) for kind, share in shares if kind == "title" or share >= 0.05]
    for kind, group in groupby(large, itemgetter(0)):
        words = _PICTURE_WORDS[kind]
        yield words if kind == "title" else f"{sum(share for _, share in group):.0%} {words}"
