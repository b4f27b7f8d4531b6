"""The first page of a review: what is worth a look, and for each site what its pages are and what they lack.

It is also a file of its own, the report of `scrapy analyze`, whose links lead to the web.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..errors import plural
from ..site.paths import is_under, under_any
from .explanation import missing_lines, warning_lines
from .reviewed import ODD, Glance, Review, ReviewedLayout, ReviewedPage, ReviewedSite
from .web_pages import SHORT, Content, Links, View, bar, h, link, page, text_of, way

if TYPE_CHECKING:
    from ..values import Pattern

#: So many sites are on a page, and of so many of them layouts are drawn, at most so many each.
_LISTED, _PICTURED, _LAYOUTS = 300, 60, 4
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
_LINES, _COLUMNS = 44, 60
#: What becomes of a section in such a picture, in words.
_DRAWN = {
    "title": "the title",
    "main": "text",
    "list": "a list of other pages",
    "excluded": "left out of the text",
    "template": "outside the text",
}


def first_page(review: Review, view: View, links: Links, *more: Content) -> str | None:
    """Return the first page, or one of those with further sites; None: there are not so many sites.

    :param view: its ``site`` is a part of the names of the sites that are listed; empty: all are. ``what`` is
        the number of the page, from 1 on.
    :param more: what stands below the first lines.
    """
    wanted = view.site.strip().lower()
    sites = [one for one in review.sites if wanted in one.site.site.lower()]
    number = int(view.what) if view.what.isdecimal() else 1
    begin = (number - 1) * _LISTED
    listed = sites[begin : begin + _LISTED]
    if begin and not listed:
        return None
    rows = [_row(review, one, links, is_drawn=at < _PICTURED) for at, one in enumerate(listed)]
    stored = f"{plural(sum(one.stored for one in sites), 'page')} of {plural(len(sites), 'site')}"
    is_first = not wanted and not begin
    heading = "Sites, those that need a look first"
    if len(listed) < len(sites):
        heading = f"{heading}: {begin + 1:,} to {begin + len(listed):,} of {len(sites):,}"
    rest = len(sites) - begin - len(listed)
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
            h("p", link(links, view._replace(what=str(number + 1)), f"{plural(rest, 'further site')}"))
            if rest > 0
            else None,
        ),
        class_="first",
    )
    return page("Review", body, script=text_of("search.js"), forms=review.path is not None)


def report(review: Review, how: str) -> str:
    """Return the first page as a file of its own, whose links lead to the pages in the web.

    :param how: the command that shows all other views.

    Cost: that of extracting some pages of each site.
    """
    review.look_around()
    more = h("p", "To look at each page, and to put right what is wrong: ", h("code", how), class_="note")
    return first_page(review, View(), _in_the_web, more) or ""


def _in_the_web(view: View) -> str:
    return view.url if view.kind == "page" and view.url.startswith(("http://", "https://")) else ""


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
    read = sum(one.pages for one in review.glances.values())
    groups: list[tuple[str, str, list[ReviewedPage]]] = []
    for name, glance in review.glances.items():
        pages = sorted(glance.odd, key=lambda one: ODD.index(one.odd[0]))
        groups += ((name, odd, [*own]) for odd, own in groupby(pages, lambda one: one.odd[0]))
    groups.sort(key=lambda one: (-len(one[2]), one[0]))
    cards = [_doubt(*one, links) for one in groups[:_DOUBTS]]
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
    rest = len(pages) - _EXAMPLES
    more = link(links, View("site", site), f"{rest:,} more")
    return h(
        "article",
        h("h3", f"{plural(len(pages), 'article')} {words}"),
        h("p", link(links, View("site", site), h("bdi", site or "(no site)"))),
        h("p", meaning, class_="quiet"),
        h("ul", [_example(one, links) for one in pages[:_EXAMPLES]]),
        h("p", more) if rest > 0 else None,
    )


def _example(one: ReviewedPage, links: Links) -> Any:
    figures = f"confidence {one.confidence:.2f}, {plural(one.length, 'character')}"
    name = h("bdi", (one.title or one.url)[:SHORT])
    return h("li", link(links, View("page", url=one.url), name), " ", h("small", figures))


def _row(review: Review, one: ReviewedSite, links: Links, *, is_drawn: bool) -> Any:
    """Return what is said of a site; the first element has its name."""
    name, glance = one.site.site, review.glances.get(one.site.site)
    kinds = (
        ("main", "article pages", one.articles),
        ("list", "list pages", one.indexes),
        ("template", "in no layout", one.unused),
    )
    total = one.articles + one.indexes + one.unused
    warnings = [h("li", line.strip().removeprefix("warning: ")) for line in warning_lines(one.site)]
    layouts = review.layouts(name) if is_drawn else []
    first = sorted(layouts, key=lambda one: -one.pattern.pages)[:_LAYOUTS]
    return h(
        "li",
        h("h3", link(links, View("site", name), h("bdi", name or "(no site)"))),
        h(
            "div",
            h("p", f"{plural(one.stored, 'page')}, {total:,} learned from", class_="quiet"),
            bar(kinds),
            h("ul", [_key(kind, f"{number:,} {words}") for kind, words, number in kinds if number]),
        ),
        h("div", _lacks(glance) if glance and glance.articles else _lacked(one, glance)),
        h(
            "div",
            [
                h("figure", layout_picture(one.pattern), h("figcaption", _to_layout(name, one, links)))
                for one in first
            ],
            h("p", f"and {len(layouts) - len(first):,} more", class_="quiet")
            if len(layouts) > len(first)
            else None,
            class_="layouts",
        )
        if first
        else None,
        h("details", h("summary", plural(len(warnings), "warning")), h("ul", warnings)) if warnings else None,
    )


def _lacks(glance: Glance) -> Iterator[Any]:
    """Yield how many articles have what an article should have."""
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


def _lacked(one: ReviewedSite, glance: Glance | None) -> Any:
    """Return what the articles of a site lacked when it was learned, if none was read now."""
    lines = [h("li", line) for line in missing_lines(one.site.usual)]
    words = f"no article on {plural(glance.pages, 'page')} read" if glance else "not read yet"
    return [h("p", words, class_="quiet"), h("ul", lines)]


def _key(kind: str, *words: Content) -> Any:
    return h("li", h("span", class_=f"key {kind}", aria_hidden="true"), words)


def _to_layout(site: str, layout: ReviewedLayout, links: Links) -> Any:
    kind = "Articles" if layout.pattern.kind == "article" else "Lists"
    words = f"{kind}: {plural(layout.pattern.pages, 'page')}"
    return link(links, View("layout", site, layout.key), words)


def drawn_legend() -> Any:
    """Return what the colours of the pictures of layouts mean."""
    return h("ul", [_key(kind, words) for kind, words in _DRAWN.items()], class_="legend")


def layout_picture(pattern: Pattern) -> Any:
    """Return a typical page of a layout in small, drawn from its sections, with the same in words.

    Each line stands for 60 characters; of long texts lines are left out, so that all sections fit in.
    """
    runs = [(kind, [one for _, one in own]) for kind, own in groupby(_drawn(pattern), lambda one: one[0])]
    whole = [_flowed(weights) for _, weights in runs]
    room, long = max(0, _LINES - len(runs)), sum(len(lines) - 1 for lines in whole)
    paths, at = dict.fromkeys(_DRAWN, ""), 0
    for (kind, _), lines in zip(runs, whole, strict=True):
        count = 1 + (len(lines) - 1) * min(long, room) // max(1, long)
        for number in range(count if at < _LINES else 0):
            for left, width in lines[number * len(lines) // count]:
                paths[kind] += f"M{left} {3 * at}h{width}v2h-{width}z"
            at += 1
    drawn = [h("path", class_=kind, d=path) for kind, path in paths.items() if path]
    words = f"A typical page, from top to bottom: {', '.join(_in_words(runs)) or 'nothing'}"
    box = {"viewBox": f"-4 -4 108 {3 * _LINES + 7}"}
    return h("svg", h("title", words), drawn, class_="picture", role="img", aria_label=words, **box)


def _drawn(pattern: Pattern) -> Iterator[tuple[str, float]]:
    """Yield for each section of a layout what becomes of it, and its characters."""
    paths = {one.feature for one in pattern.sections}
    title = next((one for one in pattern.titles if one in paths), None)
    is_out = under_any((*pattern.excluded, *pattern.cut))
    is_list = pattern.kind != "article"
    for one in pattern.sections:
        is_inside = not pattern.container or is_under(one.feature, pattern.container)
        if one.feature == title:
            kind = "title"
        elif is_inside and is_list:
            kind = "list"
        elif is_inside and is_out(one.feature):
            kind = "excluded"
        elif is_inside and one.main_score > 1:
            kind = "main"
        else:
            kind = "template"
        yield kind, one.weight


def _flowed(weights: Sequence[float]) -> list[list[tuple[int, int]]]:
    """Return texts in lines, as words flow; of each piece its place and its width in hundredths."""
    lines: list[list[tuple[int, int]]] = [[]]
    at = 0
    for weight in weights:
        rest = max(4, round(100 * weight / _COLUMNS))
        if at and at + min(rest, 100) > 100:
            lines.append([])
            at = 0
        while rest > 0:
            width = min(rest, 100 - at)
            lines[-1].append((at, width))
            rest -= width
            if rest > 0:
                lines.append([])
                at = 0
            else:
                at += width + 4
    return lines


def _in_words(runs: Sequence[tuple[str, Sequence[float]]]) -> Iterator[str]:
    """Yield what becomes of the page from top to bottom, in shares of its text; small parts are left out."""
    total = sum(sum(weights) for _, weights in runs) or 1
    shares = [(kind, sum(weights) / total) for kind, weights in runs]
    large = [one for one in shares if one[0] == "title" or one[1] >= 0.05]
    for kind, own in groupby(large, lambda one: one[0]):
        share = sum(one for _, one in own)
        yield _DRAWN[kind] if kind == "title" else f"{share:.0%} {_DRAWN[kind]}"
