"""Which breadcrumbs a page shows, where JSON-LD states none."""

from __future__ import annotations

import json

import pytest

from scrapy_webstemmer import extract
from scrapy_webstemmer.values import Breadcrumb

URL = "http://a.example/sea/harbour/quiet/"
TEXT = "".join(
    f"<p>{'The harbour was quiet, and nobody saw the boat that left. ' * 3}{at}</p>" for at in range(5)
)
HOME = Breadcrumb("Home", "http://a.example/")
SEA = Breadcrumb("Sea", "http://a.example/sea/")
HARBOUR = Breadcrumb("Harbour", "http://a.example/sea/harbour/")
LINKS = '<a href="/">Home</a>', '<a href="/sea/">Sea</a>', '<a href="/sea/harbour/">Harbour</a>'
ITEMS = "".join(f"<li>{link}</li>" for link in LINKS)


def shown(before: str, head: str = "") -> tuple[Breadcrumb, ...]:
    """Return the breadcrumbs of a page with some markup before its heading and its text."""
    page = f"{head}<title>A quiet harbour</title><body>{before}<h1>A quiet harbour</h1>{TEXT}"
    return tuple(extract(page, url=URL).breadcrumbs)


@pytest.mark.parametrize(
    "element",
    [
        "nav aria-label=Breadcrumb",
        "nav aria-labelledby=system-breadcrumb",
        "div class=breadcrumbs",
        "div class='row woocommerce-breadcrumb'",
        "div class=Breadcrumb_breadcrumb__dbdE6",
        "section class=pageBreadCrumb",
        "div class=bread-crumb",
        "p id=breadcrumbs",
        "div id=topicPath",
        "div class='nav pankuzu'",
        "nav class=fil-d-ariane",
        "site-breadcrumbs",
    ],
)
def test_what_is_called_breadcrumbs(element: str) -> None:
    """A label for screen readers, a name, an id and a class tell it, for a list and for a line of links."""
    begin, end = f"<{element}>", f"</{element.partition(' ')[0]}>"
    assert shown(f"{begin}{' &gt; '.join(LINKS)}{end}") == (HOME, SEA, HARBOUR)
    if not element.startswith("p "):
        assert shown(f"{begin}<ol>{ITEMS}</ol>{end}") == (HOME, SEA, HARBOUR)


@pytest.mark.parametrize(
    "markup",
    [
        "<ol itemscope itemtype=https://schema.org/BreadcrumbList>"
        "<li itemprop=itemListElement itemscope><a itemprop=item href=/><span itemprop=name>Home</span></a>"
        "<meta itemprop=position content=1></li>"
        "<li itemprop=itemListElement itemscope><link itemprop=item href=/sea/>"
        "<meta itemprop=name content=Sea><i>2</i> <b>3</b></li></ol><a href=/more>More</a>",
        "<div vocab=https://schema.org/ typeof=BreadcrumbList>"
        '<span property=itemListElement typeof=ListItem><a property=item href="/">'
        "<span property=name>Home</span></a></span> | "
        "<span property=itemListElement typeof=ListItem><a property=item href=/sea/>"
        "<span property=name>Sea</span></a></span></div>",
        '<div itemscope itemtype="http://data-vocabulary.org/Breadcrumb"><a itemprop=url href="/">'
        "<span itemprop=title>Home</span></a></div> &gt; "
        '<div itemscope itemtype="http://data-vocabulary.org/Breadcrumb"><a itemprop=url href="/sea/">'
        "<span itemprop=title>Sea</span></a></div>",
    ],
)
def test_stated_lists(markup: str) -> None:
    """Microdata, RDFa and what was before them count: their names and targets, and no text beside these."""
    assert shown(markup) == (HOME, SEA)


def test_json_ld_comes_first() -> None:
    """What JSON-LD states is not looked for in the page."""
    steps = [{"@type": "ListItem", "position": 1, "name": "Boats", "item": "http://a.example/boats"}]
    stated = json.dumps({"@type": "BreadcrumbList", "itemListElement": steps})
    script = f"<script type=application/ld+json>{stated}</script>"
    trail = f"<ol class=breadcrumb>{ITEMS}</ol>"
    assert shown(trail, script) == (Breadcrumb("Boats", "http://a.example/boats"),)


@pytest.mark.parametrize(
    "last",
    [
        "<li>A quiet day</li>",
        "<li>A quiet day</li><li><a href=/edit>Edit</a></li>",
        '<li>/</li><li><a href="#">A quiet day</a></li>',
        "<li><i class=fa>chevron</i><svg><title>arrow</title></svg><span>A quiet</span> day</li>",
        "<li>A quiet day <ul><li><a href=/boats>Boats</a></ul></li>",
    ],
)
def test_the_last_step(last: str) -> None:
    """The page itself has no link. Signs, icons, menus and links that follow are no steps."""
    expected = (HOME, SEA, HARBOUR, Breadcrumb("A quiet day"))
    assert shown(f"<nav class=breadcrumb><h2>You are here</h2><ol>{ITEMS}{last}</ol></nav>") == expected


def test_a_line_of_links() -> None:
    """The text behind the last link is a step, that before the first is none; a picture may have a name."""
    home = '<a href="/"><img src=/h.png alt=Home></a>'
    line = f"You are here: {home} » {LINKS[1]} – Boats and gulls"
    assert shown(f"<div class=breadcrumbs>{line}</div>") == (HOME, SEA, Breadcrumb("Boats and gulls"))


@pytest.mark.parametrize("item", ["You are here", "<a href=/harbour>Back to the harbour</a>", "1. {}"])
def test_texts_and_links_that_are_no_steps(item: str) -> None:
    """A way begins with a link that leads up; the text beside a link in an item is none."""
    items = f"<li>{item.format(LINKS[0])}</li><li>{LINKS[1]}</li>"
    expected = (HOME, SEA) if "{}" in item else (SEA,)
    assert shown(f"<ol class=breadcrumb>{items}</ol>") == expected


def test_parts_without_an_element_around_them() -> None:
    """Links with the name that stand side by side are the steps."""
    links = "<b>/</b>".join(link.replace("<a", "<a class=breadcrumb-link") for link in LINKS)
    assert shown(f"<div class=x>{links}</div>") == (HOME, SEA, HARBOUR)


def test_each_step_once() -> None:
    """The way may stand there once more for narrow screens, and a single step before it."""
    single = f"<div class=mobile-breadcrumb>{LINKS[1]}</div><p>{TEXT}</p>"
    both = f"<nav class=breadcrumb><ol>{ITEMS}</ol><ol>{ITEMS}</ol><a href=/sea/>Back to Sea</a></nav>"
    assert shown(single + both) == (HOME, SEA, HARBOUR)
    assert shown(f"<div class=breadcrumb>{'/'.join(LINKS * 2)}</div>") == (HOME, SEA, HARBOUR)


@pytest.mark.parametrize(
    "before",
    [
        f"<div class=breadcrumb>{LINKS[0]}</div>",
        f"<div class=breadcrumb><a href={URL}>A quiet harbour</a></div>",
        "<div class=breadcrumb><a href=/sea/>Back to the sea</a></div>",
        "<div class=breadcrumb>Sea</div>",
        f"<div class=no-breadcrumbs>{LINKS[1]}</div>",
        f"<ul class=bread>{ITEMS}</ul>",
        f"<div class=breadcrumbs>{' / '.join(LINKS)}{'<b>x</b>' * 100}</div>",
    ],
)
def test_what_is_no_way(before: str) -> None:
    """The front page or the page alone, and a part of the page are none."""
    assert shown(before) == ()


def test_a_single_step() -> None:
    """The part of the site in which a page stands is a way, too."""
    assert shown(f"<div class=breadcrumb>{LINKS[1]}</div>") == (SEA,)
