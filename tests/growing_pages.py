"""Pages of any size on which something long meets something that comes often, or is nested deeply.

What is written of such a page could grow with the product of both, or the work could. A page of some size
has half of it in what is long, and half in what comes often.
"""

from __future__ import annotations

import json
from collections.abc import Callable

__all__ = ["FEEDS", "HOST", "PAGES", "TEXT", "URL", "name", "often", "page", "words"]

HOST = "press.example"
URL = f"http://{HOST}/2026/1.html"
_SYLLABLES = (
    "ber ce del em fjo gro her isl jet kno lot map nad onx per riv sto tre umb val wil xen yar".split()
)


def words(number: int, seed: int = 0) -> str:
    """Return words without a meaning; another seed gives others."""
    found, state = [], seed * 7919 + 1
    for _ in range(number):
        state = (state * 1103515245 + 12345) % 2**31
        found.append("".join(_SYLLABLES[(state >> shift) % len(_SYLLABLES)] for shift in (4, 12, 20)))
    return " ".join(found)


def name(number: int) -> str:
    """Return a name of letters alone: values that differ in their digits count as numbers."""
    found = ""
    number += 26
    while number:
        number, letter = divmod(number, 26)
        found = chr(ord("a") + letter) + found
    return found


def often(unit: str, size: int) -> str:
    """Return a piece over and over; each ``@`` in it is another name each time."""
    found, length, number = [], 0, 0
    while length < size:
        found.append(unit.replace("@", name(number)))
        length, number = length + len(found[-1]), number + 1
    return "".join(found)


TEXT = "".join(f"<p>{words(30, seed)}.</p>" for seed in range(1, 4))


def page(body: str, head: str = "", title: str = "Seals return to the bay") -> str:
    """Return a page with an article."""
    top = f"<html><head><title>{title}</title>{head}</head><body><h1>Seals return to the bay</h1>"
    return f"{top}<article>{TEXT}{body}</article></body></html>"


def around(before: str, unit: str, after: str = "") -> Callable[[int], str]:
    """Return a maker of pages: something with a long value, ``{}``, around or before what comes often."""
    return lambda size: page(before.replace("{}", "x" * (size // 2)) + often(unit, size // 2) + after)


def nested(start: str, unit: str, most: int = 90) -> Callable[[int], str]:
    """Return a maker of pages: what comes often stands in elements that are nested deeply."""
    return lambda size: page(start * min(most, size // 100) + often(unit, size))


def many(unit: str) -> Callable[[int], str]:
    """Return a maker of pages with many of something."""
    return lambda size: page(often(unit, size))


def based(unit: str, length: int = 0) -> Callable[[int], str]:
    """Return a maker of pages with relative addresses and a long base."""
    return lambda size: page(
        often(unit, size // 2), f'<base href="http://{HOST}/{"x" * (length or size // 2)}/">'
    )


def titled(unit: str, title: str) -> Callable[[int], str]:
    """Return a maker of pages with a long title, and many places where it may stand."""
    return lambda size: page(often(unit, size // 2), title=often(title, size // 2))


def stating(statement: Callable[[int], object], base: int = 1_900) -> Callable[[int], str]:
    """Return a maker of pages with JSON-LD."""
    return lambda size: page(
        "",
        f'<base href="http://{HOST}/{"x" * base}/"><script type="application/ld+json">'
        f"{json.dumps(statement(size))}</script>",
    )


def headed(unit: str) -> Callable[[int], str]:
    """Return a maker of pages with many statements in their head."""
    return lambda size: page("", often(unit, size))


def commented(size: int, unit: str = "") -> str:
    """Return a page with comments of readers: with many, or with a few of many lines."""
    number = 5 if unit else 4 + size // 130
    records = [
        f'<li id="c{n}" class=comment><div><b>Ann {name(n)}</b>, 11/{n % 28 + 1}/2026 at 10:20</div>'
        f"<p>{words(6, n)}</p>{often(unit, size // number) if unit else ''}</li>"
        for n in range(number)
    ]
    return page("").replace("</article>", f"</article><ol>{''.join(records)}</ol>")


def _authors(size: int) -> object:
    return {"@type": "NewsArticle", "author": [{"name": name(n), "url": name(n)} for n in range(size // 30)]}


def _breadcrumbs(size: int) -> object:
    steps = [{"position": n, "name": name(n), "item": name(n)} for n in range(size // 50)]
    return {"@type": "BreadcrumbList", "itemListElement": steps}


def _in_each_other(size: int) -> object:
    found: object = {"@type": "Article", "name": "x"}
    for _ in range(7):
        found = {"@type": "WebPage", "mainEntity": found, "breadcrumb": [found]}
    return [found] * (size // 8_000 + 1)


#: For each kind, the maker of its pages.
PAGES: dict[str, Callable[[int], str]] = {
    "paragraphs": many("<p>@ @ @ @ @ @ @ @ @ @</p>"),
    "short paragraphs": many("<p>x"),
    "line breaks": many("x<br>"),
    "signs of Markdown": many("*_` #[1]("),
    "signs of HTML": many('&<"a '),
    # ---- addresses
    "a link around lines": around("<p><a href='/{}'>", "x y z, word<br>", "</a>"),
    "a link around paragraphs": around("<a href='/{}'>", "<p>x y z, word</p>", "</a>"),
    "a link around elements": around("<a href='http://other.example/{}'>", "<div>x y, word</div>", "</a>"),
    "a link around all": around("<p>text <a href='/{}'>", "x, word<div></div>"),
    "a short link around lines": lambda size: page(f"<p><a href='/{'x' * 400}'>" + often("xyz<br>", size)),
    "links with a long base": based('<p>text <a href="@">@</a></p>'),
    "links with a base": based('<a href="@">@</a> x ', 180),
    "images with a long base": based("<p>x<img src=@></p>"),
    "images with a base": based("<img src=@>", 180),
    "media with a long base": lambda size: page(
        "",
        f'<base href="http://{HOST}/{"x" * (size // 2)}/">'
        + often('<meta property="og:video" content="@">', size // 2),
    ),
    "pictures": lambda size: page(
        often(f"<p>x<picture><source srcset='/{'y' * (size // 8)}'>{'<img alt=z>' * 90}</picture>", size)
    ),
    "candidates": lambda size: page(f"<p>x<img srcset='{often('/@.jpg 2x, ', size)}'>"),
    "links": many("<p><a href='/@.html'>text of @</a></p>"),
    "links to one page": many("<a href='/2026/2.html'>text of @</a> "),
    "links in each other": lambda size: page(often("<a href='/@.html'><div>x", min(size, 200 * 24))),
    "links around images": lambda size: page(
        often("<a href='/@'>", min(size // 2, 200 * 15)) + often("<img alt=@>", size // 2)
    ),
    # ---- names
    "a long class": around('<div class="{}">', '<p class="@">text @</p>', "</div>"),
    "a long id": around('<div id="{}">', '<p class="@">text @</p>', "</div>"),
    "many classes": lambda size: page(
        f'<div class="{often("@ ", size // 2)}">' + often('<p class="@">text @</p>', size // 2)
    ),
    "ids in each other": lambda size: page(
        often('<div id="@zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz">', min(size // 2, 90 * 45))
        + often('<p class="@">text @</p>', size // 2)
    ),
    "numbers": many("<div class='@1q'>word @</div>"),
    "records of many classes": lambda size: page(
        "".join(
            f"<div class='{often('@ ', int(size**0.5))}'><a href='/{name(n)}'>x</a><p>t</div>"
            for n in range(3 + int(size**0.5))
        )
    ),
    "records": many("<div class='a @'><a href='/@'>x @</a><p>t</div>"),
    # ---- titles
    "a long title": titled('<p class="@">text word word @</p>', "text word @ "),
    "a title of all texts": titled("<p>@ @ word</p>", "@ @ "),
    "separators": titled('<p class="@">a - word @</p>', "a - "),
    "a long og:title": lambda size: page(
        often('<p class="@">text word @</p>', size // 2),
        f'<meta property="og:title" content="{words(size // 20)}">',
    ),
    "headings": many("<h2><a href=/@>@ word</a></h2><p>t @</p>"),
    # ---- pictures
    "figures": many("<figure><img src=/@.jpg><figcaption>caption @</figcaption></figure>"),
    "figures between paragraphs": many("<p>x<figure><img src=@.jpg><figcaption>on @</figcaption></figure>"),
    "captions": many("<div><img src=@.jpg><div class=caption>caption @</div></div>"),
    "a figure of many images": lambda size: page(
        f"<figure>{often('<img src=@>', size)}<figcaption>{words(30)}</figcaption></figure>"
    ),
    "images": many("<p>x<img src=@></p>"),
    # ---- nesting
    "quotations": nested("<blockquote>", "<p>x</p>"),
    "very deep quotations": nested("<blockquote>", "<p>x</p>", 400),
    "a listing in quotations": lambda size: page(
        "<blockquote>" * min(90, size // 100) + f"<pre>{often('x', 9)}" + "x\n\n" * (size // 3)
    ),
    "items": nested("<ol start=999><li>", "<p>x</p>"),
    "items of six lists": lambda size: page("<ol start=999><li>" * 6 + often("<li>x", size)),
    "a listing in items": lambda size: page(
        "<ol start=999><li>" * min(90, size // 100) + "<pre>" + "x\n" * (size // 2)
    ),
    "definitions": nested("<dl><dd>", "<p>x</p>"),
    "quotations and items": nested("<blockquote><ul><li>", "<p>x</p>", 40),
    "deep lists": many("<ul><li>x" * 40 + "</ul>" * 40),
    "details": nested("<details><summary>x</summary>", "<p>x</p>", 300),
    "inline elements": lambda size: page("<p>" + "<b><i>" * min(200, size // 100) + often("x y<br>", size)),
    "links in inline elements": nested("<b>", "x <a href=/@>y</a><br>", 400),
    "elements": nested("<div>", "<p>some text</p>", 400),
    "elements of a listing": lambda size: page(
        "<pre>" + "<div>x\n" * min(size // 50, 400) + often("a\n", size)
    ),
    # ---- tables
    "tables": many("<table><caption>x</caption><tr><td>x<td>y</table>"),
    "rows": lambda size: page(f"<table>{often('<tr><td>x<td>y', size)}</table>"),
    "wide cells": lambda size: page(f"<table>{often('<tr><td colspan=999>x<td>y', size)}</table>"),
    "wide cells under a wide row": lambda size: page(
        f"<table><tr>{often('<td>x', size // 2)}</tr>{often('<tr><td colspan=999>x<td>y', size // 2)}</table>"
    ),
    "empty cells": lambda size: page(
        f"<table><tr>{often('<td>', size // 2)}<td>x{often('<td>', size // 2)}</table>"
    ),
    "tables in each other": nested("<table><tr><td>", "<table><tr><td>x<td>y</table>", 100),
    # ---- code
    "code": many("<code>`x</code> "),
    "backticks": lambda size: page(
        f"<p><code>{'`' * (size // 2)}</code>{often('<code>x</code> ', size // 2)}"
    ),
    "listings": many("<pre>x</pre>"),
    "addresses and code": many("www.<code>x</code>"),
    # ---- statements
    "authors": stating(_authors),
    "breadcrumbs": stating(_breadcrumbs),
    "breadcrumbs in each other": nested("<div class=breadcrumb>", "<a href=/@>@</a>", 300),
    "things": stating(lambda size: [{"@type": ["Article"] * 20, "url": name(n)} for n in range(size // 250)]),
    "types": stating(lambda size: [{"@type": [f"Article{name(n)}" for n in range(size // 40)]}] * 2),
    "things in each other": stating(_in_each_other),
    "scripts": headed('<script type="application/ld+json">{"@type": "NewsArticle", "name": "@"}</script>'),
    "authors in meta": headed('<meta name=author content="@">'),
    "topics in meta": headed('<meta property="article:tag" content="@">'),
    "descriptions": lambda size: page("", f'<meta name=description content="{"x" * size}">'),
    "canonical urls": headed('<link rel=canonical href="/@">'),
    # ---- marks and comments
    "links to authors": many('<a rel=author href="/a/@">Ann @</a> '),
    "links to one author": many('<a rel=author href="/a/b">Ann @</a> '),
    "authors in each other": lambda size: page(
        often("<span class=author>", min(size // 2, 400 * 19)) + often("<span class=fn>@</span> ", size // 2)
    ),
    "times": many("<time datetime='2026-01-01'>x</time> "),
    "times in paragraphs": many("<p><time datetime='2026-01-01'>x @</time>"),
    "topics": many("<a rel=tag href='/tag/@'>t@</a> "),
    "comments": commented,
    # a shorter page is read in another way, since its few lines are no more than its text
    "comments of many lines": lambda size: commented(10_000 + size, "<p>x y</p>"),
    "lines with dates": many("<p>11/12/2026</p>"),
    "hidden parts": many("<div hidden><div hidden>x</div></div>"),
}

_LINK = '<link href="/@"/>'
_CHANNEL = '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'

#: The same for feeds and sitemaps.
FEEDS: dict[str, Callable[[int], str]] = {
    "links of an item": lambda size: f"{_CHANNEL}<item><title/>{often('<link>/@</link>', size)}</item>",
    "links and titles": lambda size: f"{_CHANNEL}<item>{often('<title/><link>/@</link>', size)}</item>",
    "a title of many links": lambda size: (
        f"{_CHANNEL}<item><title>{words(70)}</title>{often('<link>/@</link>', size)}</item>"
    ),
    "authors of an item": lambda size: (
        f"{_CHANNEL}<item>{often('<dc:creator/>', size // 2)}{often('<link>/@</link>', size // 2)}</item>"
    ),
    "authors of a feed": lambda size: (
        f"{_CHANNEL}{often('<dc:creator>' + words(60) + ' @</dc:creator>', size // 2)}"
        f"{often('<item><link>/@</link></item>', size // 2)}"
    ),
    "items in each other": lambda size: (
        f"{_CHANNEL}<item>{often('<item><link>/@</link></item><link>/b@</link>', size)}</item>"
    ),
    "locations of a url": lambda size: (
        f"<urlset><url>{often('<x/>', size // 2)}{often('<loc>/@</loc>', size // 2)}</url></urlset>"
    ),
    "links of an entry": lambda size: (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><entry>{often(_LINK, size)}</entry></feed>'
    ),
}
