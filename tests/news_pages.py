"""Pages of small news sites, made from their own words: some templates, each with articles and indexes.

The same host, template and number always give the same page.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from scrapy_webstemmer.values import Page

_WORDS = """amber anchor autumn barrel basket beacon bishop blossom bottle bramble brick bridle bronze
burrow butter cabin candle canvas carpet castle cedar cellar chalk cherry cider cinder cobble copper
cotton cradle crane crystal dagger damson ember fabric falcon feather fiddle flagon flint forest fossil
galley garden garnet ginger glacier granite gravel hamlet harbour harvest hazel heather helmet hollow
honey island ivory jasmine kennel kettle lantern lattice laurel ledger lemon linen lobster magnet mantle
maple marble meadow mirror mortar mosaic mussel nettle nickel oatmeal orchard otter oyster paddle parcel
parsley pasture pebble pepper pewter pigeon pillow plaster pocket poplar powder pumpkin quarry quiver
rafter raven ribbon saddle saffron sandal sapphire satchel scarlet shelter shovel silver sparrow spindle
stable sturgeon tailor tallow tandem teapot thimble thistle timber trellis trumpet tunnel turnip velvet
vessel violet walnut weasel whistle willow window winter wool yarrow zinc""".split()


@dataclass(frozen=True)
class Story:
    """The true contents of an article: its title, and the paragraphs of its main text."""

    title: str
    paragraphs: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(count)).capitalize()


@cache
def story(host: str, number: int) -> Story:
    """Return the story that a host tells under a number. All stories differ."""
    chance = random.Random(f"{host}/{number}")
    title = _words(chance, 5)
    count = chance.randint(3, 6)
    return Story(title, tuple(f"{_words(chance, chance.randint(25, 45))}." for _ in range(count)))


def story_url(host: str, number: int) -> str:
    return f"http://{host}/story/{number}.html"


def _paragraphs(told: Story) -> str:
    return "".join(f"<p>{text}</p>\n" for text in told.paragraphs)


def _press(told: Story) -> str:
    return (
        f'<main id="content"><article class="report"><h1 class="headline">{told.title}</h1>\n'
        f'<div class="report-text">{_paragraphs(told)}</div></article></main>'
    )


def _blog(told: Story) -> str:
    return (
        f'<div id="page"><div class="post"><h2 class="post-title">{told.title}</h2>\n'
        f'<div class="entry">{_paragraphs(told)}</div></div></div>'
    )


def _bulletin(told: Story) -> str:
    return (
        f'<table id="frame"><tr><td class="left">Weather and tides</td><td class="middle">\n'
        f'<h3 class="top">{told.title}</h3><div class="told">{_paragraphs(told)}</div></td></tr></table>'
    )


#: The markup of a story in each template.
TEMPLATES: dict[str, Callable[[Story], str]] = {"press": _press, "blog": _blog, "bulletin": _bulletin}


def _links(host: str, numbers: Iterable[int]) -> str:
    return "".join(f'<li><a href="/story/{n}.html">{story(host, n).title}</a></li>\n' for n in numbers)


def _page(url: str, host: str, template: str, title: str, main: str, fetched: str | None) -> Page:
    html = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} - {host}</title></head>\n'
        f'<body><div class="{template}-menu"><a href="/">Home page</a> <a href="/desk.html">The desk</a>'
        f'</div>\n{main}\n<div class="{template}-foot"><p>Printed on recycled paper.</p></div></body></html>'
    )
    return Page(url, html.encode(), "utf-8", fetched)


def article(
    host: str, number: int, template: str = "press", *, fetched: str | None = None, told: Story | None = None
) -> Page:
    """Return the page of a story, with links to the next three."""
    told = told or story(host, number)
    more = f'<div class="{template}-more"><ul>{_links(host, range(number + 1, number + 4))}</ul></div>'
    main = TEMPLATES[template](told) + more
    return _page(story_url(host, number), host, template, told.title, main, fetched)


def index(host: str, number: int, stories: Sequence[int], template: str = "press") -> Page:
    """Return a page that leads to stories."""
    title = f"Archive {number}"
    entries = f'<ul class="entries">{_links(host, stories)}</ul>'
    main = f'<div class="{template}-list"><h1>{title}</h1>{entries}</div>'
    return _page(f"http://{host}/archive/{number}.html", host, template, title, main, None)


def articles(host: str, count: int, template: str = "press", first: int = 1) -> list[Page]:
    return [article(host, number, template) for number in range(first, first + count)]


def indexes(host: str, count: int, template: str = "press") -> list[Page]:
    return [index(host, n, range(5 * n + 1, 5 * n + 9), template) for n in range(1, count + 1)]


#: Pages that are empty, not HTML, very large, nested too deep or in an unknown charset.
BAD_PAGES = {
    "empty": b"",
    "no-html": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10,
    "nul": b"<html><body><p>\x00\x00 a page \x00 with NULs</p></body></html>",
    "large": b"<html><body>" + b"<p>a paragraph of a large page</p>" * 150_000 + b"</body></html>",
    "deep": b"<div>" * 10_000 + b"deep" + b"</div>" * 10_000,
    "charset": b"<html><head><meta charset='no-such'></head><body><p>\xff\xfe text</p></body></html>",
}
