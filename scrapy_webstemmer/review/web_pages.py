"""Web pages: elements, tables, plots, links to other views, and the frame around them.

What pages show comes from strangers. Elements are made as a tree, so that no text of theirs can become
markup. A policy in the head lets a browser run and load nothing but the page's own style and script.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias

from lxml import etree, html

from ..errors import plural
from ..values import NO_XML

#: What may stand in an element: text, elements, nothing, or several of these.
Content: TypeAlias = Any


def h(tag: str, *content: Content, **attributes: str | float | bool | None) -> Any:
    """Return an element.

    :param content: texts, elements, and lists of these; None is left out.
    :param attributes: ``class_`` stands for ``class``, ``aria_label`` for ``aria-label``. True is an
        attribute without a value; one that is None or False is left out.
    """
    element = etree.Element(tag)
    for name, value in attributes.items():
        if value is not None and value is not False:
            text = "" if value is True else NO_XML.sub("", str(value))
            element.set(name.rstrip("_").replace("_", "-"), text)
    _fill(element, content)
    return element


def _fill(element: Any, content: Iterable[Content]) -> None:
    for part in content:
        if part is None:
            continue
        if isinstance(part, str):
            text = NO_XML.sub("", part)
            if len(element):
                element[-1].tail = (element[-1].tail or "") + text
            else:
                element.text = (element.text or "") + text
        elif isinstance(part, etree._Element):
            element.append(part)
        else:
            _fill(element, part)


def to_html(element: Any) -> str:
    """Return an element as HTML."""
    return str(html.tostring(element, encoding="unicode"))


#: So many characters of a text are shown in a table.
CELL = 120
#: A page may be as large as a stranger likes, and a view shows its text several times. Of each place so many
#: characters are shown: a text of 40,000 words, longer than nearly all articles.
MOST_SHOWN = 250_000
#: So many characters of HTML has a table: the 500 rows of the longest one take half of it.
MOST_OF_TABLE = 1_000_000
#: A text of so many characters, such as a day, is not broken in a table.
_UNBROKEN = 12
#: A plot has so many bars.
_BINS = 10


class View(NamedTuple):
    """A view: ``site`` with a name, ``layout`` with a key as well, ``page`` with a url.

    ``sites`` is the first page, with all sites or those with ``site`` in their names, or with ``what`` a
    further one; ``look`` a page as it looks; ``changes`` what other patterns change; ``trial`` what a
    correction of a layout would change, and ``take back`` what to have it no more would.

    :param key: of the layout, or of the correction that is taken back: a digest of its content, so that an
        address never comes to mean another one.
    :param what: for a trial, the correction of the layout; see :class:`~scrapy_webstemmer.values.Correction`.
        For a page, whether the patterns before are meant. For further sites, the number of their page.
    :param path: of the part of the layout that a correction is about.
    """

    kind: str = "sites"
    site: str = ""
    key: str = ""
    url: str = ""
    what: str = ""
    path: str = ""


#: Returns the address of a view.
Links = Callable[[View], str]


def link(links: Links, view: View, *content: Content) -> Any:
    """Return a link to a view."""
    return h("a", *content, href=links(view))


def to_page(links: Links, url: str) -> Any:
    """Return a link to the view of a page, with the page's url."""
    return link(links, View("page", url=url), h("bdi", url))


def to_site(links: Links, name: str) -> Any:
    """Return a link to the view of a site, with the site's name."""
    return link(links, View("site", name), h("bdi", name or "(no site)"))


#: What an element has that may be larger than its place: the keyboard scrolls it, too.
SCROLLED = {"role": "region", "tabindex": "0"}


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Content]], **attributes: str) -> Any:
    """Return a table; a cell with a number is aligned to the right.

    Rows that are left out behind :data:`MOST_OF_TABLE` are announced.
    """
    lines = (h("tr", [_cell(value) for value in row]) for row in rows)
    shown = [*within(lines, MOST_OF_TABLE, more=None)]
    is_cut = shown[-1:] == [None]
    return h(
        "div",
        h(
            "table",
            h("caption", f"{caption}, the first {len(shown) - 1:,}" if is_cut else caption),
            h("thead", h("tr", [h("th", name, scope="col") for name in heads])),
            h("tbody", shown),
            **attributes,
        ),
        class_="wide",
        **SCROLLED,
        aria_label=caption,
    )


def within(content: Iterable[Any], most: int = MOST_SHOWN, more: Any = "…") -> Iterator[Any]:
    """Yield elements until so many characters are written as HTML; at least one.

    :param more: comes instead of the rest.
    """
    left = most
    for part in content:
        if left < 0:
            yield more
            return
        left -= len(to_html(part))
        yield part


def _cell(value: Content) -> Any:
    if isinstance(value, int | float):
        return h("td", f"{value:,}" if isinstance(value, int) else f"{value:.2f}", class_="number")
    if isinstance(value, str):
        return h("td", h("bdi", value[:CELL]), class_="short" if len(value) <= _UNBROKEN else None)
    return h("td", value)


def bar(parts: Sequence[tuple[str, str, int]]) -> Any:
    """Return a bar of shares.

    :param parts: for each part its class, its name and its number of pages.
    """
    words = ", ".join(f"{number:,} {name}" for _, name, number in parts)
    total = sum(number for *_, number in parts)
    rects, left = [], 0.0
    for kind, _, number in parts:
        width = 100 * number / total if total else 0
        rects.append(h("rect", class_=kind, x=f"{left:.2f}", y="0", width=f"{width:.2f}", height="10"))
        left += width
    box = {"viewBox": "0 0 100 10", "preserveAspectRatio": "none"}
    return h("svg", h("title", words), rects, class_="bar", role="img", aria_label=words, **box)


def histogram(name: str, values: Sequence[float], least: float, most: float, shown: str) -> Any:
    """Return a plot of how many values lie in each tenth of a range."""
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, int(_BINS * (value - least) / ((most - least) or 1)))] += 1
    heights = [40 * count / (max(counts) or 1) for count in counts]
    rects = [
        h("rect", x=10 * column, y=f"{40 - height:.1f}", width="9", height=f"{height:.1f}")
        for column, height in enumerate(heights)
    ]
    words = f"{name}: {plural(len(values), 'article')}, {shown}"
    box = {"viewBox": "0 0 100 40", "preserveAspectRatio": "none"}
    plot = h("svg", h("title", words), rects, class_="plot", role="img", aria_label=words, **box)
    return h("figure", plot, h("figcaption", words))


def way(links: Links, *steps: tuple[View, str]) -> Any:
    """Return the way from the first view to this one."""
    items = [h("li", link(links, view, h("bdi", name))) for view, name in ((View(), "All sites"), *steps)]
    return h("nav", h("ol", items), aria_label="Way to this page", class_="way")


def page(title: str, *body: Content, script: str = "", forms: bool = False, frames: bool = False) -> str:
    """Return a whole page in English.

    :param title: what the window is called.
    :param body: the content of its body.
    :param script: the only script that runs.
    :param forms: whether it may send forms to where it comes from.
    :param frames: whether it may have frames from there.
    """
    style = text_of("views.css")
    may = f"script-src {_digest(script)}; " if script else ""  # this style and this script, and nothing else
    may += "frame-src 'self'; " if frames else ""
    sends = "'self'" if forms else "'none'"
    policy = f"default-src 'none'; {may}style-src {_digest(style)}; base-uri 'none'; form-action {sends}"
    runs = f"<script>{script}</script>" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body>{''.join(map(to_html, body))}{runs}</body></html>\n"
    )


@cache
def text_of(name: str) -> str:
    """Return the content of a file beside this module."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
