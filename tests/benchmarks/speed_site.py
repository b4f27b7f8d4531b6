"""Generate a site of any size from numbers: the same number always gives the same page.

It has three layouts: articles, lists and tag pages. Beside their text the pages have navigation, teasers,
comments, scripts, and attribute values that only one page has. A page has about 20 KB, and takes a fraction
of a millisecond to make.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from scrapy_webstemmer.values import Page

__all__ = ["HOST", "site_page", "site_pages"]

HOST = "generated.example"
_SYLLABLES = "ba den fil gor kha lum men nor pas rit sol tev ul vin wer zam".split()
_WORDS = ["".join(parts) for parts in product(_SYLLABLES, repeat=2)] + _SYLLABLES
#: One page in ten is a list, and every second list is a tag page.
_LIST = 10
_TEASERS, _COMMENTS, _MENU = 12, 6, 45


@lru_cache(maxsize=4096)
def _title(number: int) -> str:
    return _words(random.Random(number), 6)


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(_WORDS, k=count)).capitalize()


def _url(number: int) -> str:
    if number % _LIST == 0:
        return f"/tag/{number}" if number % (2 * _LIST) else f"/archive/{number}"
    return f"/{2000 + number % 25}/{number % 12 + 1:02}/story-{number}.html"


_MENU_LINKS = "".join(
    f'<li class="menu-item item-{n}"><a href="/section/{n}">{_title(-n - 1)}</a></li>\n' for n in range(_MENU)
)
_HEAD = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<link rel="stylesheet" href="/style.css"><script>{"var settings = {a: [1, 2, 3], b: null};" * 60}</script>
"""
_FOOT = f"""<footer class="foot"><ul class="links">{_MENU_LINKS}</ul><p>All rights reserved.</p>
<script>{"track('page', {now: true});" * 40}</script></footer></body></html>"""


def _article(chance: random.Random, number: int) -> str:
    tag, name = (("article", "story"), ("div", "post entry"), ("section", "report"))[number % 3]
    text = "".join(
        f"<p>{_words(chance, 45)}, <a href='{_url(chance.randrange(number + 1))}'>{_words(chance, 3)}</a>"
        f" <em>{_words(chance, 12)}</em>.</p>\n"
        for _ in range(chance.randint(6, 12))
    )
    comments = "".join(
        f'<div class="comment" id="c{number}-{n}"><b>{_words(chance, 2)}</b>'
        f"<p>{_words(chance, 20)}.</p></div>\n"
        for n in range(chance.randrange(_COMMENTS))
    )
    return (
        f'<{tag} class="{name}" id="post-{number}"><h1>{_title(number)}</h1>'
        f'<p class="by">{_words(chance, 3)}</p>\n'
        f'<div class="text">{text}</div><ul class="share"><li>Send</li><li>Print</li></ul></{tag}>\n'
        f'<div class="comments"><h3>Comments</h3>{comments}</div>'
    )


def _list(chance: random.Random, number: int) -> str:
    return f'<div class="list"><h1>{_title(number)}</h1>{_teasers(chance, number, 2 * _TEASERS)}</div>'


def _teasers(chance: random.Random, number: int, count: int) -> str:
    others = [chance.randrange(number + 1) for _ in range(count)]
    return "".join(
        f'<div class="teaser"><h3><a href="{_url(n)}">{_title(n)}</a></h3><p>{_words(chance, 14)}</p></div>\n'
        for n in others
    )


def site_page(number: int) -> Page:
    """Return the site's page with a number, from 0 on."""
    chance = random.Random(f"page {number}")
    main = (_list if number % _LIST == 0 else _article)(chance, number)
    body = (
        f"{_HEAD}<title>{_title(number)} | Generated</title></head><body class='page-{number}'>\n"
        f'<nav class="top"><ul class="menu">{_MENU_LINKS}</ul></nav><main id="main">{main}</main>\n'
        f'<aside class="side"><h2>Read more</h2>{_teasers(chance, number, _TEASERS)}</aside>{_FOOT}'
    )
    return Page(f"http://{HOST}{_url(number)}", body.encode())


def site_pages(count: int) -> Iterator[Page]:
    """Yield the site's first pages, one at a time."""
    return map(site_page, range(count))
