"""A magazine of lists: recipes, letters full of links, and lists of names, in a template of WordPress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from .site import Site
from .texts import NAMES, Prose, read_grammar

_ARTICLES, _LATER = 18, 6
_GRAMMAR = read_grammar(
    NAMES,
    """
root: carrots | parsnips | beetroots | leeks | potatoes | onions | turnips | red cabbage | fennel | celeriac
fruit: apples | quinces | plums | pears | cherries | gooseberries | lemons | rhubarb
herb: dill | thyme | sorrel | lovage | mint | sage | caraway | chervil | parsley
grain: barley | rye flour | oats | buckwheat | wheat flour | millet
fat: butter | rapeseed oil | goose fat | cream | walnut oil
dish: soup | pie | dumpling | stew | flat bread | salad | pancake | tart | broth | gratin
amount: 200 g of | 500 g of | a handful of | 2 spoons of | 100 g of | a pound of | a little | plenty of
minutes: 10 | 15 | 20 | 25 | 35 | 40 | 50
vessel: heavy pot | shallow dish | stone bowl | frying pan | loaf tin | copper pan
ware: {amount} {root} | {amount} {fruit} | {amount} {grain} | {amount} {fat}
ware: fresh {herb} | 2 eggs | salt | 1 litre of water | 3 cloves of garlic | black pepper
step: Peel the {root} and cut them into small pieces. | Melt the {fat} in a {vessel}.
step: Add the {grain} and stir for {minutes} minutes. | Let it rest under a cloth for {minutes} minutes.
step: Season with {herb} and a pinch of salt. | Put the {vessel} into the oven for {minutes} minutes.
step: Mash half of the {root} and leave the rest as they are. | Serve it warm, with {herb} on top.
step: Pour in water until the {fruit} are covered. | Knead it with wet hands until it is smooth.
step: Skim the {fat} off and keep it for the next {dish}. | Taste it, and add {fruit} if it is too mild.
intro: In {place} nobody makes a {dish} without {herb}, and for once they are right.
intro: This {dish} comes from {person}, who cooked for {number} hungry children.
intro: It looks like little, but it feeds {number} people on a cold {day}.
intro: We tried it {number} times before we dared to print it.
intro: The {vessel} matters more than the {grain}, so take the best one you have.
recipe: {dish} with {root} and {herb} | {grain} {dish} from {place} | {first}'s {dish} with {fruit}
recipe: A {dish} of {root} for a cold {day} | {place} {dish} with {herb}
link: How {place} keeps its {fruit} over winter | The last mill for {grain} | In praise of {root}
link: {person} on {herb} and memory | A history of the {dish} in {number} pictures | Who invented the {dish}?
link: Why {root} taste of earth | {number} kinds of {fruit} and one orchard | The {vessel} that went to sea
link: Letters from a kitchen in {place} | What {grain} did for {place}
link: {herb}, a love story
why: A long read about {place}, best with a cup of tea.
why: {person} counts {fruit}, and we could not stop reading.
why: The pictures alone are worth the {minutes} minutes.
why: With a map of every {dish} between {place} and {place}.
why: It answers a question about {root} that we never dared to ask. | Sad, funny and full of {herb}.
why: We do not agree with a word about {fat}, and liked it all the same. | From {month}, but still true.
why: The author baked {number} times in a {vessel} to find out. | Old film, no sound, much {grain}.
month: January | March | April | June | September | October
letter: {number} things to read about {root} | Links for a slow {day}
letter: What we read in {month}: {root} and {herb}
letter: Reading list: {fruit}, {grain}, {herb} | A {day} letter about {herb}
hello: Dear readers, {month} was a month of {root} and little else. Here is what we read between two meals.
hello: It rained in {place}, so the list is longer than usual. Thanks to {person} for {number} of the links.
hello: Some of you asked for more about {herb}. We searched the drawers, and this is what came out.
trade: baker | cheesemaker | miller | beekeeper | fishmonger | brewer | gardener | butcher | grocer
goods: {grain} bread | {herb} jelly | smoked {root} | {herb} cheese | pickled {root} | {herb} vinegar
who: {person}, {trade} | {person}, {trade} in {place} | {person} with {goods}
names: The stalls of the {place} market | Who sells {goods}? | Our {trade}s between {place} and {place}
names: {number} growers of {root} you should know | The jury of the {place} {dish} day
note: The list was checked in {month}. If somebody is missing, write to us. | In the order of the alphabet.
note: All of them are there from {day} morning on. | Those with a web page have a link.
""",
)


@dataclass(frozen=True)
class _Entry:
    number: int
    kind: str
    title: str
    day: date
    author: str
    lines: tuple[str, ...]
    body: str

    @property
    def path(self) -> str:
        words = "".join(c if c.isalnum() else " " for c in self.title.lower()).split()
        return f"{self.kind}/{'-'.join(words)}/"

    @property
    def date(self) -> str:
        return f"{self.day:%B} {self.day.day}, {self.day.year}"


class _Body:
    """Collects an article's markup together with its lines, as a reader sees them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.html = ""

    def add(self, tag: str, *texts: str) -> None:
        """Add an element for each text."""
        self.lines += texts
        self.html += "".join(f"<{tag}>{text}</{tag}>\n" for text in texts)

    def add_list(self, tag: str, items: Sequence[tuple[str, str, str]]) -> None:
        """Add a list of items, each of a linked text, the link (or none), and a text after it."""
        self.lines += [f"{head}{rest}" for head, _, rest in items]
        heads = [f'<a href="{link}">{head}</a>' if link else head for head, link, _ in items]
        shown = "".join(f"<li>{head}{rest}</li>\n" for head, (_, _, rest) in zip(heads, items, strict=True))
        self.html += f"<{tag}>\n{shown}</{tag}>\n"


def _recipe(prose: Prose, body: _Body) -> str:
    """Write the lists of a recipe, in half of them with links to all goods, in a third of them on a card."""
    body.add("p", prose.paragraph(1, 2, "intro"))
    card = prose.chance.random() < 0.35
    linked = prose.chance.random() < 0.5

    def wares(least: int, most: int) -> list[tuple[str, str, str]]:
        found = prose.several("ware", least, most)
        return [(ware, f"/pantry/{ware.split()[-1].lower()}/" if linked else "", "") for ware in found]

    if card:
        body.html += '<div class="recipe-card">\n'
    body.add("h2", "Ingredients")
    body.add_list("ul", wares(5, 9))
    if prose.chance.random() < 0.4:
        body.add("h3", "For the topping")
        body.add_list("ul", wares(2, 4))
    body.add("h2", "Method")
    body.add_list("ol", [(step, "", "") for step in prose.several("step", 4, 7)])
    if card:
        body.html += "</div>\n"
    return prose.tell("recipe")


def _letter(prose: Prose, body: _Body) -> str:
    body.add("p", prose.tell("hello"))
    for month in prose.several("month", 1, 2):
        if prose.chance.random() < 0.5:
            body.add("h2", f"From {month}")
        body.add_list(
            "ul",
            [
                (prose.tell("link"), f"http://reads{prose.chance.randrange(40)}.example/", f" – {why}")
                for why in prose.several("why", 3, 5)
            ],
        )
    return prose.tell("letter")


def _names(prose: Prose, body: _Body) -> str:
    body.add("p", prose.tell("note"))
    all_linked = prose.chance.random() < 0.4
    for town in prose.several("place", 2, 3):
        body.add("h2", town)
        items = []
        for who in sorted(prose.several("who", 4, 8)):
            link = all_linked or prose.chance.random() < 0.5
            items.append((who, f"http://{who.split()[1].lower().strip(',')}.example/" if link else "", ""))
        body.add_list("ul", items)
    return prose.tell("names")


_KINDS: dict[str, Callable[[Prose, _Body], str]] = {"recipes": _recipe, "letters": _letter, "people": _names}


def _write(number: int) -> _Entry:
    prose = Prose(_GRAMMAR, f"larder/{number}")
    kind = list(_KINDS)[number % 3]
    body = _Body()
    title = _KINDS[kind](prose, body)
    day = date(2018, 3, 4) + timedelta(days=11 * number)
    return _Entry(number, kind, title, day, prose.tell("person"), tuple(body.lines), body.html)


def _page(title: str, main: str, recent: Sequence[_Entry], body: str) -> str:
    """Return a page; ``body`` has the classes that WordPress gives to the body."""
    menu = "".join(
        f'<li class="menu-item"><a href="/{kind}/">{kind.capitalize()}</a></li>'
        for kind in (*_KINDS, "imprint")
    )
    latest = "".join(f'<li><a href="/{entry.path}">{entry.title}</a></li>\n' for entry in recent)
    months = "".join(
        f'<li><a href="/2018/{n:02}/">{date(2018, n, 1):%B} 2018</a></li>\n' for n in range(3, 9)
    )
    return f"""<!DOCTYPE html>
<html lang="en-US">
<head>
<meta charset="UTF-8">
<title>{title} – The Larder</title>
<meta name="generator" content="WordPress 4.9.8">
</head>
<body class="{body} wp-custom-logo has-sidebar">
<div id="page" class="site">
<header id="masthead" class="site-header" role="banner">
<p class="site-title"><a href="/" rel="home">The Larder</a></p>
<p class="site-description">Eat, read, keep</p>
<nav id="site-navigation" class="main-navigation"><ul id="top-menu" class="menu">{menu}</ul></nav>
</header>
<div id="content" class="site-content"><div class="wrap">
<div id="primary" class="content-area"><main id="main" class="site-main" role="main">
{main}
</main></div>
<aside id="secondary" class="widget-area">
<section id="recent-posts-2" class="widget widget_recent_entries">
<h2 class="widget-title">Fresh from the shelf</h2>
<ul>{latest}</ul></section>
<section id="archives-2" class="widget widget_archive">
<h2 class="widget-title">Archives</h2>
<ul>{months}</ul></section>
</aside>
</div></div>
<footer id="colophon" class="site-footer">
<div class="site-info">The Larder, Mill Street 3, Saltby</div></footer>
</div>
</body>
</html>
"""


def _article_tag(entry: _Entry) -> str:
    classes = f"post type-post status-publish format-standard category-{entry.kind}"
    return f'<article id="post-{500 + entry.number}" class="post-{500 + entry.number} {classes}">'


def _date(entry: _Entry) -> str:
    time = f'<time class="entry-date published">{entry.date}</time>'
    return f'<span class="posted-on"><a href="/{entry.path}" rel="bookmark">{time}</a></span>'


def _article(entry: _Entry, before: _Entry, after: _Entry) -> str:
    shares = "".join(
        f'<li class="share-{name}"><a href="/{entry.path}?share={name}"><span>{name.title()}</span></a></li>'
        for name in ("twitter", "email", "print")
    )
    return f"""{_article_tag(entry)}
<header class="entry-header">
<div class="entry-meta">{_date(entry)}
<span class="byline"> by <span class="author vcard">{entry.author}</span></span></div>
<h1 class="entry-title">{entry.title}</h1>
</header>
<div class="entry-content">
{entry.body}<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3>
<div class="sd-content"><ul>{shares}</ul></div></div>
</div>
<footer class="entry-footer"><span class="cat-links">Posted in
<a href="/{entry.kind}/" rel="category tag">{entry.kind.capitalize()}</a></span></footer>
</article>
<nav class="navigation post-navigation"><h2 class="screen-reader-text">Post navigation</h2>
<div class="nav-links">
<div class="nav-previous"><a href="/{before.path}" rel="prev">{before.title}</a></div>
<div class="nav-next"><a href="/{after.path}" rel="next">{after.title}</a></div></div></nav>"""


def _index(title: str, entries: Sequence[_Entry]) -> str:
    teasers = "\n".join(
        f"""{_article_tag(entry)}
<header class="entry-header"><div class="entry-meta">{_date(entry)}</div>
<h2 class="entry-title"><a href="/{entry.path}" rel="bookmark">{entry.title}</a></h2></header>
<div class="entry-content"><p>{entry.lines[0]}
<a href="/{entry.path}" class="more-link">Continue reading</a></p></div>
</article>"""
        for entry in entries
    )
    return f'<header class="page-header"><h1 class="page-title">{title}</h1></header>\n{teasers}'


def larder() -> Site:
    """Articles are mostly lists: ingredients, links with a sentence each, names; headings recur."""
    site = Site("larder.example")
    entries = [_write(number) for number in range(_ARTICLES + _LATER)]
    recent = entries[-6:]
    for n, entry in enumerate(entries):
        main = _article(entry, entries[n - 1], entries[(n + 1) % len(entries)])
        page = _page(entry.title, main, recent, f"post-template-default single single-post postid-{500 + n}")
        site.add(entry.path, page, entry.title, entry.lines, later=n >= _ARTICLES)
    lists = {"": ("Eat, read, keep", entries[-7:]), "page/2/": ("Page 2", entries[-14:-7])}
    for kind in _KINDS:
        lists[f"{kind}/"] = (kind.capitalize(), [entry for entry in entries if entry.kind == kind])
    for month in range(3, 8):
        chosen = [entry for entry in entries if (entry.day.year, entry.day.month) == (2018, month)]
        lists[f"2018/{month:02}/"] = (f"Month: {date(2018, month, 1):%B} 2018", chosen)
    kinds = [f"{kind}/" for kind in _KINDS]
    for n, (path, (title, chosen)) in enumerate(lists.items()):
        body = "archive date" if path[:2] == "20" else "archive category" if path in kinds else "home blog"
        site.add(path, _page(title, _index(title, chosen), recent, body), later=n % 2 > 0)
    imprint = (
        "<h1>Imprint</h1><p>The Larder, Mill Street 3, Saltby</p><p>Write to us: post at larder.example</p>"
    )
    page = _page(
        "Imprint", f"<article class='page'>{imprint}</article>", recent, "page-template-default page"
    )
    site.add_unjudged("imprint/", page)
    return site
