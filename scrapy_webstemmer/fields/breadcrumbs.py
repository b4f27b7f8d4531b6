"""Read the breadcrumbs that a page shows: the way from the site's front page to the page.

They count where JSON-LD states none. An element has them if the word "breadcrumb", or another usual one,
stands in its name, its id, its class, its type in microdata or RDFa, or its label for screen readers.

If microdata or RDFa states which elements are steps, these are. Else the links are, with the items of a list
that have no link. Without a list the text behind the last link is a step, too.

Sources: schema.org, ``BreadcrumbList``; WAI-ARIA Authoring Practices, breadcrumb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import NamedTuple

from ..page.instead import tags_from
from ..page.marks import MOST_INNER
from ..page.markup import attributes_of, markup_of, name_of, plain_text
from ..page.text import fold, letters
from ..values import Breadcrumb, Layout, Markup, valid_text

#: What a tag has in it that may begin breadcrumbs. Bound: so many elements are looked at.
_NEEDLES = {"": (b"crumb", b"Crumb", b"opicpath", b"opicPath", b"opic-path", b"ankuzu", b"riane")}
_MOST_ELEMENTS = 60
#: The name of a step has at most so many characters.
_LONGEST_NAME = 250
#: So many pieces may be between two steps that no element holds together.
_BETWEEN_STEPS = 16

#: The attributes that may have the word.
_NAMING = ("itemtype", "typeof", "aria-label", "aria-labelledby", "id", "class")
#: The words, of which some are usual in Japan or in France; other words in names that have one, of a state of
#: the page, or of pages of a list.
_WORD = re.compile(
    r"[bB]read[-_]?[cC]rumbs?(?![a-z])"
    r"|(?i:(?:^|[-_])(?:crumbs|topic-?path|pankuzu|fil-?(?:d-?)?ariane)(?:$|[-_]))"
)
_NO_WORD = re.compile(r"^(?:has|with|no|without|hide|show)[-_]|pagination|popup", re.IGNORECASE)

#: Elements whose text is not the name of a step.
_UNREAD = frozenset("script style template svg select button form input noscript i textarea label".split())
_LISTS = frozenset({"ul", "ol", "menu"})
#: What states that an element is a step, in schema.org and in data-vocabulary.org, its forerunner.
_ITEM = re.compile(r'="(?:\w+:)?itemListElement"|data-vocabulary\.org/Breadcrumb"|"v:Breadcrumb"')
#: Properties of a step.
_NAMES, _TARGETS = frozenset({"name", "title"}), frozenset({"item", "url"})
#: Signs between steps, and those that a font shows as icons.
_SIGNS = " »›>→/|\\·•∙‣▸▶►❯⟩⇒➔➜➤«‹<-–—" + "".join(map(chr, range(0xE000, 0xF900)))
#: A link that is no step; the address of a front page.
_BACK = re.compile(r"(?:go )?back\b|return to\b", re.IGNORECASE)
_FRONT = re.compile(r"https?://[^/?#]*/?", re.IGNORECASE)


def shown_breadcrumbs(layout: Layout, address: Callable[[str], str]) -> tuple[Breadcrumb, ...]:
    """Return the breadcrumbs that a page shows; none if it shows none.

    The last step is mostly the page itself, without a link. The first way of several steps decides; else the
    first of a single step, but not if this is the front page or the page itself.

    :param address: returns the absolute url that the text of an attribute is; empty: none.

    Cost: a search in the page's tags; a look at what is called breadcrumbs.
    """
    for steps in sorted(_ways(markup_of(layout), address), key=lambda way: len(way) == 1):
        way = _from_link_on(steps)
        url = way[0].url if len(way) == 1 else None
        if way and not (url and (url == layout.url or _FRONT.fullmatch(url))):
            return tuple(way)
    return ()


def _from_link_on(steps: Iterable[Breadcrumb]) -> list[Breadcrumb]:
    """Return the steps from the first link on, without links behind a text: this is the page itself."""
    way = list[Breadcrumb]()
    for crumb in steps:
        if crumb.url and way and not way[-1].url:
            break
        if crumb.url or way:
            way.append(crumb)
    return way


def _ways(markup: Markup, address: Callable[[str], str]) -> Iterator[list[Breadcrumb]]:
    """Yield the steps of each element that has breadcrumbs, if no element around it has them.

    Elements of a single step that stand side by side are a way together.
    """
    way, end, pieces = list[Breadcrumb](), -1, markup.pieces
    tagged = markup.marked(_NEEDLES, markup.nodes[0], len(pieces))
    begins = [piece for piece, tag in tagged if _says_breadcrumbs(tag)]
    for begin in begins[:_MOST_ELEMENTS]:
        behind = markup.end_of(begin)
        if begin < end or behind - begin > MOST_INNER:
            continue
        tags = [(tag, text) for _, tag, text in tags_from(pieces[begin:behind], 0)]
        steps = _crumbs(_steps(tags), address)
        if len(steps) == 1 and begin - end <= _BETWEEN_STEPS:
            way += steps
        elif steps:
            yield way
            way = steps
        end = behind if steps else end
    yield way


@lru_cache(maxsize=1 << 11)
def _says_breadcrumbs(tag: str) -> bool:
    """Return whether a start tag says that its element has breadcrumbs."""
    attributes = attributes_of(tag)
    words = [name_of(tag), *" ".join(attributes.get(key, "") for key in _NAMING).split()]
    return any(_WORD.search(word) and not _NO_WORD.search(word) for word in words)


@dataclass(slots=True)
class _Step:
    """What may be a step: an item of a list, a link, or the text behind the last link.

    :ivar name: the text that is stated as its name; ``text``: all other text.
    :ivar target: where it leads, as its tag says.
    :ivar label: the name that a link without text has for screen readers.
    :ivar is_item: whether it is an item of a list, or stated as a step.
    :ivar has_links: whether it is an item whose links are the steps instead of it.
    """

    name: str = ""
    text: str = ""
    target: str = ""
    label: str = ""
    is_item: bool = False
    has_links: bool = False


class _Open(NamedTuple):
    """An element that is open: the step that it is in, and what its text is."""

    step: _Step | None
    is_read: bool
    is_name: bool


def _steps(tags: Sequence[tuple[str, str]]) -> list[_Step]:
    """Return what may be the steps in an element."""
    is_stated = any(_ITEM.search(tag) for tag, _ in tags)
    steps, behind_links = list[_Step](), ""
    opened = [_Open(None, True, False)]
    for tag, text in tags:
        if tag[:1] == "/":
            opened.pop()
        elif tag:
            around, element = opened[-1].step, _opened(tag, opened[-1], is_stated)
            if element.step and element.step is not around:
                steps.append(element.step)
                behind_links = ""
                if around:
                    around.has_links = not is_stated
            if tag[-1:] != "/":
                opened.append(element)
        step, is_read, is_name = opened[-1]
        text = plain_text(text) if is_read else ""
        if step is None:
            behind_links += text
        elif is_name:
            step.name += text
        else:
            step.text += text
    if not any(step.is_item for step in steps):
        steps.append(_Step(text=behind_links))
    return [step for step in steps if not step.has_links]


def _opened(tag: str, around: _Open, is_stated: bool) -> _Open:
    """Return the element that a start tag opens; note what the tag says about its step.

    :param around: the element in which it stands.
    :param is_stated: whether markup states which elements are steps.
    """
    name, attributes = name_of(tag), attributes_of(tag)
    step, is_read, is_name = around
    is_read &= name not in _UNREAD and not (step and name in _LISTS)  # a step may open a menu
    if not is_read:
        return _Open(step, is_read, is_name)
    is_link = name == "a"
    begins_step = _ITEM.search(tag) if is_stated else is_link or name == "li"
    if begins_step:
        step = _Step(is_item=is_stated or name == "li")
    stated = f"{attributes.get('itemprop', '')} {attributes.get('property', '')}".lower().split()
    properties = {value.rpartition(":")[2] for value in stated}
    is_name |= not properties.isdisjoint(_NAMES)
    if step and (is_link or not properties.isdisjoint(_TARGETS)):
        step.target = step.target or _first(attributes, "href", "resource", "content")
    if step and name in ("a", "img"):
        step.label = step.label or _first(attributes, "aria-label", "title", "alt")
    if step and is_name and name == "meta":
        step.name += attributes.get("content", "")
    return _Open(step, is_read, is_name)


def _first(attributes: dict[str, str], *names: str) -> str:
    """Return the first of some attributes that has a value; empty if none has."""
    return next(filter(None, map(attributes.get, names)), "")


def _crumbs(steps: Iterable[_Step], address: Callable[[str], str]) -> list[Breadcrumb]:
    """Return the steps that have a name, each once."""
    crumbs = dict[str, Breadcrumb]()
    for step in steps:
        url = address(escape(step.target, quote=False)) if step.target[:1] not in ("", "#") else ""
        text = step.name or step.text
        name = valid_text(fold(text if letters(text) or not url else step.label).strip(_SIGNS))
        if letters(name) and len(name) <= _LONGEST_NAME and not (url and _BACK.match(name)):
            crumbs.setdefault(name, Breadcrumb(name, url or None))
    return [*crumbs.values()]
