"""Ways to write the pages of a site otherwise: what readers see as the article's text stays the same.

Each way takes a page and returns it as another site might have written it. All pages of a site are changed in
the same way, and a page always in the same way: what differs from page to page depends on its url.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from scrapy_webstemmer.base.urls import link_key, site_of
from scrapy_webstemmer.errors import PageError
from scrapy_webstemmer.page.charsets import decode
from scrapy_webstemmer.values import Page

#: Takes a page, returns it written otherwise.
Rewrite = Callable[[Page], Page]

_NAMED = rb"(\s(?:class|id)\s*=\s*)"
_NAMES = re.compile(_NAMED + rb"(\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE)
_TITLE = re.compile(rb"<title\b.*?</title\s*>", re.IGNORECASE | re.DOTALL)
#: A paragraph of running text has so many characters.
_PARAGRAPH = 120
#: A paragraph of some length has so many.
_LINE = 80
#: So many paragraphs make a text long enough for a box in it.
_PARAGRAPHS_AROUND = 3
_STATING = ("itemprop", "itemscope", "itemtype", "property", "typeof", "datetime")
_BOXES = (
    "Subscribe to our newsletter and never miss a story again",
    "Sponsored: ten mattresses of the year, tested by people who sleep well",
    "Download our free app today",
    "Advertisement",
    "You might also like these stories",
    "Read more: what to know before you travel this winter",
    "Support independent journalism, become a member for five dollars a month",
    "Our partners help you compare prices of electricity and gas in your area",
)
#: The last one has no sign that ends it.
_POINTERS = ("Read also: ", "MORE | ", "Lire aussi : ", "Siehe auch – ", "See ")
_BOX_CLASSES = ("promo-box", "inline-ad", "card", "widget-a", "box")
_SENTENCES = (
    "The committee met on Tuesday to discuss the budget.",
    "Local farmers fear that the harvest will be late.",
    "A new bridge opened after years of delay.",
    "Scientists found traces of water below the surface.",
    "The team won in extra time before a large crowd.",
    "Prices rose faster than expected in the spring.",
    "Volunteers cleaned the beach for the third time.",
    "The museum shows works that were thought lost.",
    "Voters will decide in November about the plan.",
    "The band announced a tour of twelve cities.",
)
_LAST_NAMES = ("Lee", "Novak", "Garcia", "Weber", "Rossi", "Kim", "Moreau", "Patel")
_LIVES = (
    "is a reporter who covers schools, housing and the courts.",
    "writes about food and gardens, and lives in a small house by the river with two dogs.",
    "joined the paper in 2015. Send tips and questions by email.",
    "is a senior editor, and has written two books on the history of the valley.",
)
_READERS = ("Anna", "Ben K.", "Carl Smith", "Dora77", "Emil", "Fay", "Gus", "Hana")


def _on_bytes(change: Callable[[bytes], bytes]) -> Rewrite:
    """Return a way that looks at a page's bytes alone."""
    return lambda page: replace(page, body=change(page.body))


def _on_tree(change: Callable[[Any, Page], object]) -> Rewrite:
    """Return a way that changes a page's tree, given its root and the page; one without a tree stays."""

    def changed(page: Page) -> Page:
        try:
            parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
            root = html.document_fromstring(decode(page, None).encode("utf-8", "replace"), parser=parser)
        except (etree.ParserError, PageError):
            return page
        change(root, page)
        return replace(page, body=etree.tostring(root, method="html", encoding="utf-8"), encoding="utf-8")

    return changed


def _tags_as_div(names: str) -> Callable[[bytes], bytes]:
    """Return what makes some elements ``div`` elements, with their attributes."""
    tag = re.compile(rb"<(/?)(?:%s)(?=[\s>/])" % names.encode(), re.IGNORECASE)
    return lambda body: tag.sub(rb"<\1div", body)


def _other_names(body: bytes, salt: bytes = b"") -> bytes:
    """Replace each run of letters in classes and ids by other letters, everywhere in the same way."""

    def other(found: re.Match[bytes]) -> bytes:
        digest = blake2b(found[0].lower(), digest_size=8, salt=salt).digest()
        return bytes(ord("a") + byte % 26 for byte in digest)

    return _NAMES.sub(lambda found: found[1] + re.sub(rb"[A-Za-z]+", other, found[2]), body)


def _chance(page: Page, what: str) -> random.Random:
    """Return the source of what differs from page to page."""
    return random.Random(f"{what} {link_key(page.url)}")


def _relaunched(page: Page) -> Page:
    salt = b"old" if _chance(page, "relaunch").random() < 0.5 else b"new"
    return replace(page, body=_other_names(page.body, salt))


def _wrap(root: Any, page: Page) -> None:
    """Put the children of the body, or of two other elements, into an element more; or change nothing."""
    chance = _chance(page, "wrap")
    holders = [one for one in root.iter("div") if len(one) > 1]
    chosen = chance.choice([[], [*root.iter("body")], chance.sample(holders, min(2, len(holders)))])
    for holder in chosen:
        inner = etree.Element("div", {"class": chance.choice(["theme-a", "theme-b"])})
        inner.text, holder.text = holder.text, None
        inner.extend([*holder])
        holder.append(inner)


def _add_boxes(root: Any, page: Page) -> None:
    """Put one to three boxes behind paragraphs of a longer text."""
    chance = _chance(page, "boxes")
    places = [one for one in root.iter("p") if len("".join(one.itertext()).strip()) > _PARAGRAPH][:-1]
    if len(places) < _PARAGRAPHS_AROUND - 1:
        return
    for place in chance.sample(places, min(len(places), chance.choice([1, 1, 2, 3]))):
        box = etree.Element("div", {"class": chance.choice(_BOX_CLASSES)})
        form = chance.randrange(3)
        if form == 0:
            box.text = chance.choice(_BOXES)
        else:
            etree.SubElement(box, "p").text = chance.choice(_BOXES)
            link = etree.SubElement(box, "a", {"href": f"/go/{chance.randrange(50)}"})
            link.text = "Learn more" if form == 1 else chance.choice(_BOXES)
        box.tail, place.tail = place.tail, None
        place.addnext(box)


def _add_stories_and_comments(root: Any, page: Page) -> None:
    """Put teasers of five other stories, and none to eight comments, at the end of the body."""
    chance = _chance(page, "below")
    for body in root.iter("body"):
        more = etree.SubElement(body, "div", {"class": "lower"})
        etree.SubElement(more, "h3").text = "More stories"
        for _ in range(5):
            teaser = etree.SubElement(more, "div", {"class": "teaser"})
            link = etree.SubElement(teaser, "a", {"href": f"/story/{chance.randrange(500)}"})
            link.text = chance.choice(_SENTENCES)
            etree.SubElement(teaser, "p").text = " ".join(chance.sample(_SENTENCES, 2))
        talk = etree.SubElement(body, "div", {"class": "talk"})
        for _ in range(chance.choice([0, 0, 1, 2, 3, 5, 8])):
            entry = etree.SubElement(talk, "div", {"class": "entry", "id": f"c-{chance.randrange(10**4)}"})
            head = etree.SubElement(entry, "div", {"class": "by"})
            name = etree.SubElement(head, "b")
            name.text, name.tail = chance.choice(_READERS), " "
            time = f"{chance.randrange(1, 29)} March 2021 at {chance.randrange(10, 24)}:15"
            etree.SubElement(head, "span").text = time
            some = chance.sample(_SENTENCES, chance.randrange(1, 5))
            etree.SubElement(entry, "p").text = " ".join(some)


def _paragraphs(root: Any) -> list[Any]:
    """Return the paragraphs of some length in the element with most text in such ones."""
    found: dict[Any, list[Any]] = {}
    for one in root.iter("p"):
        if len(_text_of(one)) > _LINE:
            found.setdefault(one.getparent(), []).append(one)
    return max(found.values(), key=lambda own: sum(map(len, map(_text_of, own))), default=[])


def _text_of(element: Any) -> str:
    return "".join(element.itertext()).strip()


def _behind(place: Any, part: Any) -> None:
    part.tail, place.tail = place.tail, None
    place.addnext(part)


def _add_news_line(root: Any, page: Page) -> None:
    """Put the weather and the last news, which change, before all else in the body."""
    chance = _chance(page, "news")
    for body in root.iter("body"):
        strip = etree.Element("div", {"class": "strip"})
        weather = f"{chance.randrange(-5, 35)} degrees, {chance.choice(['sunny', 'rain', 'clouds', 'fog'])}."
        etree.SubElement(strip, "div").text = weather
        etree.SubElement(strip, "p").text = "Breaking: " + " ".join(chance.sample(_SENTENCES, 2))
        for name in ("Gold", "Oil", "Euro"):
            etree.SubElement(strip, "span").text = f"{name} {chance.randrange(9000) / 100:.2f}"
        strip.tail, body.text = body.text, None
        body.insert(0, strip)


def _add_next_story(root: Any, page: Page) -> None:
    """Put one of sixty stories, with all of its text, behind the last paragraph."""
    paragraphs, number = _paragraphs(root), _chance(page, "next").randrange(60)
    chance = random.Random(f"{site_of(page.url)} {number}")
    for last in paragraphs[-1:]:
        story = etree.Element("div", {"class": "next-up"})
        link = etree.SubElement(etree.SubElement(story, "h2"), "a", {"href": f"/story/{number}"})
        link.text = chance.choice(_SENTENCES)
        etree.SubElement(story, "p").text = f"By {chance.choice(_READERS)}"
        for _ in range(chance.randrange(3, 7)):
            etree.SubElement(story, "p").text = " ".join(chance.sample(_SENTENCES, chance.randrange(3, 6)))
        _behind(last, story)


def _add_author(root: Any, page: Page) -> None:
    """Tell about one of twelve authors behind the last paragraph; the first ones have written most."""
    chance, site = _chance(page, "author"), random.Random(site_of(page.url))
    form = site.randrange(3)
    names = [
        f"{site.choice(_READERS)} {site.choice('ABCDEFGH')}. {site.choice(_LAST_NAMES)}" for _ in range(12)
    ]
    name = names[min(chance.randrange(12), chance.randrange(12))]
    about = f"{name} {random.Random(name).choice(_LIVES)}"
    for last in _paragraphs(root)[-1:]:
        part = etree.Element("p" if form == 0 else "div")
        if form == 0:
            etree.SubElement(part, "em").text = about
        else:
            part.set("class", "person")
            etree.SubElement(part, "h4" if form == 1 else "b").text = (
                name if form == 1 else "About the author"
            )
            etree.SubElement(part, "p" if form == 1 else "span").text = about
        _behind(last, part)


def _add_offers(root: Any, page: Page) -> None:
    """Put each paragraph between a picture and a button that lead to a shop, as lists of products have it."""
    chance = _chance(page, "offers")
    for paragraph in _paragraphs(root):
        item, target = (
            etree.Element("div", {"class": "item-x"}),
            f"https://shop.example/{chance.randrange(999)}",
        )
        item.tail, paragraph.tail = paragraph.tail, None
        paragraph.addprevious(item)
        picture = etree.SubElement(item, "a", {"href": target})
        etree.SubElement(picture, "img", {"src": "/picture.jpg", "alt": ""})
        item.append(paragraph)
        etree.SubElement(item, "a", {"href": target, "class": "order"}).text = "Buy now"


def _add_pointers(root: Any, page: Page) -> None:
    """Name another page of the site behind one to three paragraphs of a longer text, with one label."""
    paragraphs, chance = _paragraphs(root), _chance(page, "pointers")
    if len(paragraphs) < _PARAGRAPHS_AROUND:
        return
    label = random.Random(f"label {site_of(page.url)}").choice(_POINTERS)
    for place in chance.sample(paragraphs, chance.choice([1, 2, 3])):
        line = etree.Element("p")
        bold = etree.SubElement(line, "strong")
        bold.text = label
        etree.SubElement(bold, "a", {"href": f"/story/{chance.randrange(500)}"}).text = chance.choice(
            _SENTENCES
        )
        line.tail, place.tail = place.tail, None
        place.addnext(line)


def _state_nothing(root: Any, _: Page) -> None:
    """Take out what the page states to programs: scripts, metadata, microdata, the names of roles."""
    for one in [*root.iter("script", "meta", "link")]:
        if one.get("charset") is None and one.get("http-equiv") is None:
            one.drop_tree()
    for one in root.iter(etree.Element):
        for name in _STATING:
            one.attrib.pop(name, None)


def other_key(key: str) -> str:
    """Return the key of a page whose url tells nothing, given its own (:func:`link_key`)."""
    host, _, path = key.partition("/")
    return f"{host}/p/{blake2b(path.encode(), digest_size=5).hexdigest()}" if path else key


@cache
def _other_url(url: str) -> str:
    return f"{urlsplit(url).scheme}://{other_key(link_key(url))}"


def _tell_nothing(root: Any, page: Page) -> None:
    """Let the links of a page lead to the other urls of the pages of its site."""
    site = site_of(page.url)
    for link in root.iter("a", "link"):
        try:
            target = urljoin(page.url, link.get("href", "#"))
            if urlsplit(target).scheme in {"http", "https"} and site_of(target) == site:
                _, _, place = target.partition("#")
                link.set("href", _other_url(target) + (f"#{place}" if place else ""))
        except ValueError:  # it is no url
            continue


def _by_other_urls(page: Page) -> Page:
    return replace(_on_tree(_tell_nothing)(page), url=_other_url(page.url))


_PARAGRAPHS, _HEADINGS = _tags_as_div("p"), _tags_as_div("h[1-6]")
_SECTIONS = _tags_as_div("article|main|section|header|footer|aside|nav")

#: The way with other urls: with it the keys of pages are :func:`other_key`.
OTHER_URLS = "urls that tell nothing"

REWRITES: Mapping[str, Rewrite] = {
    "as they are": lambda page: page,
    "other names of classes and ids": _on_bytes(_other_names),
    "other names on half of the pages": _relaunched,
    "no classes and ids": _on_bytes(lambda body: _NAMES.sub(b"", body)),
    "sections as `div`": _on_bytes(_SECTIONS),
    "headings as `div`": _on_bytes(_HEADINGS),
    "paragraphs as `div`": _on_bytes(_PARAGRAPHS),
    "an element more around some": _on_tree(_wrap),
    "no `title` element": _on_bytes(lambda body: _TITLE.sub(b"", body)),
    "nothing stated to programs": _on_tree(_state_nothing),
    OTHER_URLS: _by_other_urls,
    "boxes between the paragraphs": _on_tree(_add_boxes),
    "other articles and comments below": _on_tree(_add_stories_and_comments),
    "a line of news above all": _on_tree(_add_news_line),
    "the next story below the text": _on_tree(_add_next_story),
    "who wrote it below the text": _on_tree(_add_author),
    "a picture and a button at each paragraph": _on_tree(_add_offers),
    "lines to other pages between the paragraphs": _on_tree(_add_pointers),
    "other names, paragraphs, headings, sections as `div`": _on_bytes(
        lambda body: _other_names(_SECTIONS(_HEADINGS(_PARAGRAPHS(body))))
    ),
}
