"""Find the title of a page that is read alone: the text for which most of the page's own evidence speaks.

    odds of a text  =  sum over its evidence of WEIGHT * value

The candidates are the headings before the longest text, the ``title`` element, ``og:title``, and the parts
with which these two begin or end: one page does not tell what its site adds to them. A heading with the words
of such a part is one candidate with it. No source comes first: the head of a page is often written for search
engines, and its first heading is often the site's name.

The weights are those of a conditional logistic regression (McFadden 1974) on pages whose title is known.
``tests/benchmarks/fit_titles.py`` fits them, writes ``title_weights.json``, and shows how good they are on
sites that had no part in it.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from operator import mul
from typing import NamedTuple
from urllib.parse import unquote

from rapidfuzz.distance import Indel
from rapidfuzz.process import extractOne

from ..base.urls import site_of
from ..page.tags import HEADINGS
from ..page.text import fold, weight
from .affixes import NO_AFFIXES, SPACED_BREAK, between_names, without_additions
from .main_text import container_on, descend
from .paths import OG_TITLE, TITLE_ELEMENT, tag_of
from .placed import PlacedLayout

#: A title that the page shows has at most this many characters.
_LONGEST = 300
#: Bound: so many texts that the page shows are candidates. Of 2,100 pages, one in a hundred has more than 70
#: headings before its longest text, and none more than 160.
_MOST = 200
#: Bound: so many parts count from each end of a title in the head. Real ones have at most 6.
_MOST_PARTS = 8
#: One of so many first lines of an element may be a title.
_LINES = 3
#: A shorter name of a site is found in other words, too.
_NAME = 4
#: A title has at least so many times the characters of a topic beside it.
_TOPIC = 3
#: The site's name has at most so many times the letters of its host's.
_LITTLE_MORE = 3

_WORD = re.compile(r"[^\W_]+")
_LAST_STEP = re.compile(r"[^?#]*/([^/?#]+)")


class TitleEvidence(NamedTuple):
    """What speaks for a candidate, or against it.

    :param like: the likeness to the head's titles and their parts: that of the most similar one, 0 to 1.
    :param address: the likeness to the last step of the url's path, 0 to 1.
    :param length: the logarithm of the number of letters and digits.
    :param begins: whether the title element begins with it, and has more.
    :param og: its share of ``og:title``, if that begins or ends with it, else 0.
    :param shown: whether the page shows it before its longest text.
    :param inside: whether it stands there in the container.
    :param listed: whether it stands there in records that lead to other pages.
    :param top: whether it is a heading of the highest level that the page has there. Headings that lead to
        other pages, and the site's name, do not count.
    :param only: whether it is the only one of these.
    :param site: whether it has the site's name in it.
    """

    like: float
    address: float
    length: float
    begins: float
    og: float
    shown: float
    inside: float
    listed: float
    top: float
    only: float
    site_name: float


class Candidate(NamedTuple):
    """A text that may be the title, with its place and its evidence."""

    text: str
    place: str
    evidence: TitleEvidence


class _Shown(NamedTuple):
    """A text that a page shows.

    :param level: its tag, if it is a heading that counts for ``TitleEvidence.top``; else empty.
    """

    text: str
    place: str
    level: str
    inside: bool
    listed: bool


def own_title(page: PlacedLayout, container: str) -> tuple[str, str]:
    """Return the title of a page by its own evidence, and its place; both are empty if there is no candidate.

    :param container: the path of the element that holds the main text; empty: not known.

    Cost: a pass over the blocks, and a comparison of each candidate with the parts of the head's titles.
    """
    weights, found = _weights(), candidates_of(page, container)
    best = max(found, key=lambda one: round(sum(map(mul, weights, one.evidence)), 6), default=None)
    if not best:
        return "", ""
    if best.evidence.shown:
        best = _below_name(page, found, best)
        if not any(one.evidence.top for one in found):
            best = _nearest(found, best)
    return (best.text, best.place) if best.evidence.shown else (_without_topics(page, best.text), best.place)


def _below_name(page: PlacedLayout, found: Sequence[Candidate], best: Candidate) -> Candidate:
    """Return the heading with the beginning of the ``title`` element, if the site's name stands above it.

    That is a heading with what stands behind the title there.
    """
    title, name = _key(page.title), _key(best.text)
    if not (best.evidence.top and title.endswith(name)) or best.evidence.begins or best.evidence.og:
        return best
    rest = title.removesuffix(name).strip()
    below = (one for one in found[found.index(best) + 1 :] if tag_of(one.place) in HEADINGS)
    return next((one for one in below if _key(one.text) == rest), best)


def _without_topics(page: PlacedLayout, title: str) -> str:
    """Return a title of the head without short parts around it that the page has as links: topics."""
    breaks = [*SPACED_BREAK.finditer(title)]
    if not breaks:
        return title
    links = {fold(block.text) for block in page.layout.blocks if not block.plain}
    for one in reversed(breaks[-_MOST_PARTS:]):
        part = title[one.end() :].strip()
        if one.start() < _TOPIC * len(part) or part not in links:
            break
        title = title[: one.start()]
    before, rest = title[: breaks[0].start()].strip(), title[breaks[0].end() :]
    return rest.strip() if _TOPIC * len(before) <= len(rest) and before in links else title.strip()


def _nearest(found: Sequence[Candidate], best: Candidate) -> Candidate:
    """Return the last of the parts of the head's titles that a page without headings shows before its text.

    Such pages show the site's name above the title.
    """
    shown = [
        one for one in found if one.evidence.shown and one.evidence.like == 1 and not one.evidence.listed
    ]
    return shown[-1] if best in shown else best


@cache
def _weights() -> tuple[float, ...]:
    """Return the weight of each value of :class:`TitleEvidence`, in their order. The file is read once."""
    found = json.loads((files(__package__) / "title_weights.json").read_text(encoding="utf-8"))
    return tuple(map(found.__getitem__, TitleEvidence._fields))


def candidates_of(page: PlacedLayout, container: str) -> list[Candidate]:
    """Return the texts that may be the title of a page, with the evidence for each."""
    title, og_title = page.title, page.layout.og_title
    is_cut = title != page.layout.title_element
    parts, og_parts = _parts(title), _parts(og_title)
    head = {key: (part, OG_TITLE) for key, part in og_parts.items()}
    head |= {key: (part, TITLE_ELEMENT) for key, part in parts.items()}
    head.pop("", None)
    site = _site_key(page.url)
    shown = _shown(page, container, site, head)
    level = min((one.level for one in shown.values() if one.level), default="")
    top = {key for key, one in shown.items() if level and one.level == level}
    names, address = [*map(_sorted, head)], _address(page.url)
    found = []
    for key in [*shown, *(key for key in head if key not in shown)]:
        one, letters = shown.get(key), key.replace(" ", "")
        text, place = (one.text, one.place) if one else head[key]
        evidence = TitleEvidence(
            like=extractOne(_sorted(key), names, scorer=Indel.normalized_similarity)[1] if names else 0.0,
            address=Indel.normalized_similarity(key, address),
            length=math.log1p(len(letters)),
            begins=key in parts and title.startswith(parts[key]) and (is_cut or parts[key] != title),
            og=len(og_parts.get(key, "")) / max(1, len(og_title)),
            shown=one is not None,
            inside=one is not None and one.inside,
            listed=one is not None and one.listed,
            top=key in top,
            only=top == {key},
            site_name=len(site) >= _NAME and site in letters,
        )
        found.append(Candidate(text, place, evidence))
    return found


def _site_key(url: str) -> str:
    """Return the name that a url's host has for its site, as :func:`_key` without spaces."""
    return _key(site_of(url).removeprefix("www.").partition(".")[0]).replace(" ", "")


def names_site(page: PlacedLayout, title: str) -> bool:
    """Return whether a title is all that the head calls a page, and little more than the name of its host."""
    site, letters = _site_key(page.url), _key(title).replace(" ", "")
    is_name = len(site) >= _NAME and site in letters and len(letters) <= _LITTLE_MORE * len(site)
    return is_name and title == page.layout.title_element


def _shown(page: PlacedLayout, container: str, site: str, head: Collection[str]) -> dict[str, _Shown]:
    """Return the texts before a page's longest one by their keys: headings, and what its head has, too."""
    layout, ends, places = page.layout, page.ends, page.places
    within = container_on(page, container)
    within = descend(page) if within is None else within
    inside = range(within, ends[within])
    elements = _elements(page, {weight(key) for key in head})
    headings = {places[number]: text for _, tag, number, text in reversed(elements) if tag}
    trimmed = without_additions(headings, page, NO_AFFIXES)
    found: dict[str, _Shown] = {}
    names = {site, _key(site_of(page.url)).replace(" ", "")}
    if names_site(page, page.title):
        names.add(_key(page.title).replace(" ", ""))
    for node, tag, number, whole in elements:
        place = places[number]
        text = trimmed[place] if tag and headings[place] == whole else whole
        key = _key(text)
        if not key or (key not in head and not tag):
            continue
        counts = tag and not any(layout.leads[node : ends[node]]) and key.replace(" ", "") not in names
        one = _Shown(text, place, tag if counts else "", node in inside, bool(page.leading[node]))
        if (other := found.get(key)) is not None:
            level = min(filter(None, (other.level, one.level)), default="")
            within_both, listed = other.inside and one.inside, other.listed and one.listed
            one = other._replace(level=level, inside=within_both, listed=listed)
        elif len(found) == _MOST:
            break
        found[key] = one
    return found


def _elements(page: PlacedLayout, lengths: Collection[int]) -> list[tuple[int, str, int, str]]:
    """Return the elements with a new text that is no longer than a title, up to the longest text.

    For each, its node; its tag, if it is a heading; the number of its first block; its text.

    :param lengths: one that is no heading has as many significant characters as one of these.
    """
    steps, blocks = page.layout.steps, page.layout.blocks
    headings: dict[int, int] = {}
    for node, step in enumerate(steps):
        if step.tag in HEADINGS and node not in headings:
            headings.update(dict.fromkeys(range(node, page.ends[node]), node))
    longest = most = -1
    elements: dict[int, list[int]] = defaultdict(list)
    for number, (block, is_known) in enumerate(zip(blocks, page.boilerplate, strict=True)):
        if not is_known:
            elements[headings.get(block.node, block.node)].append(number)
            if block.plain > most and block.node not in headings:
                longest, most = number, block.plain
    found = []
    for node, numbers in elements.items():
        if numbers[0] > longest:
            break
        if node in headings or sum([blocks[number].weight for number in numbers]) in lengths:
            text = " ".join([blocks[number].text for number in numbers])
            if len(text) - len(numbers) < _LONGEST:
                found.append((node, steps[node].tag if node in headings else "", numbers[0], fold(text)))
                continue
        if node not in headings:  # a line above a line break, in the element that holds the text
            lines = [number for number in numbers[:_LINES] if blocks[number].weight in lengths]
            found += [(node, "", number, blocks[number].text) for number in lines if number < longest]
    return found


def _parts(title: str) -> dict[str, str]:
    """Return by their keys a title in the head, and the parts with which it begins or ends.

    >>> [*_parts("The Web-API | Example").values()]
    ['Example', 'The Web-API', 'The Web-API | Example']
    """
    breaks = [
        found for found in SPACED_BREAK.finditer(title) if found.start() > 0 and found.end() < len(title)
    ]
    parts = [title, *(title[: one.start()] for one in breaks[:_MOST_PARTS])]
    parts += [title[one.end() :] for one in breaks[-_MOST_PARTS:]]
    parts += filter(None, [between_names(title)])
    return {_key(part): part.strip() for part in reversed(parts)}


def _key(text: str) -> str:
    """Return the words of a text, in lower case: two texts with the same ones are one candidate."""
    return " ".join(_WORD.findall(text.lower().replace("'", "").replace("’", ""))) or text.strip()


def _sorted(key: str) -> str:
    """Return a key with its words in alphabetical order, so that two are compared whatever their order."""
    return " ".join(sorted(key.split()))


def _address(url: str) -> str:
    """Return the words of the last step of a url's path; empty if it has none.

    >>> _address("https://a.example/2014/the-ferry%20is-late.html?page=2")
    'the ferry is late html'
    """
    found = _LAST_STEP.match(url.partition("://")[2].rstrip("/"))
    return _key(unquote(found[1])) if found else ""
