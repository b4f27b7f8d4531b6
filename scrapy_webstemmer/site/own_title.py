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

from ..base.urls import name_in_host, site_of
from ..page.statements import Statements
from ..page.tags import HEADINGS
from ..page.text import fold, weight
from .affixes import NO_AFFIXES, SPACED_BREAK, Affixes, without_additions
from .main_text import container_on
from .paths import OG_TITLE, TITLE_ELEMENT, tag_of
from .placed import PlacedLayout
from .weighing import descend

#: A title that the page shows has at most this many characters.
LONGEST_SHOWN = 300
#: Bound: so many texts that the page shows are candidates. Of 2,100 pages, one in a hundred has more than 70
#: headings before its longest text, and none more than 160.
_MOST_SHOWN = 200
#: Bound: so many parts count from each end of a title in the head. Real ones have at most 6.
_MOST_TITLE_PARTS = 8
#: One of so many first lines of an element may be a title.
_FIRST_LINES = 3
#: A shorter name of a site is found in other words, too.
_SHORTEST_NAME = 4
#: A title has at least so many times the characters of a topic beside it.
_TOPIC_TIMES = 3
#: The site's name in a heading is so much like the one in the head: "Gazette", "The Gazette".
_SAME_NAME = 0.8
#: The site's name has at most so many times the letters of its host's.
_NAME_TIMES = 3

#: What stands before the last step of the trail to a page.
_TRAIL_SIGNS = "►▸▶»›>→ "
#: What ends a part of a title in the head.
_PART_END = re.compile(r"\s*[_:：|｜/–—·•»-]")
_KEY_WORD = re.compile(r"[^\W_]+")
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
    :param site_name: whether it has the site's name in it.
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
    """A text that a page shows, or has in its head.

    :param level: its tag, if it is a heading that counts for ``TitleEvidence.top``; else empty.
    """

    text: str
    place: str
    level: str
    inside: bool
    listed: bool


def own_title(page: PlacedLayout, container: str, affixes: Affixes = NO_AFFIXES) -> tuple[str, str]:
    """Return the title of a page by its own evidence, and its place; both are empty if there is no candidate.

    :param container: the path of the element that holds the main text; empty: not known.
    :param affixes: the texts that the site puts before and after its titles.

    Cost: a pass over the blocks, and a comparison of each candidate with the parts of the head's titles.
    """
    weights, candidates = _weights(), candidates_of(page, container, affixes)
    best = max(candidates, key=lambda text: round(sum(map(mul, weights, text.evidence)), 6), default=None)
    if not best:
        return "", ""
    if _names_site(page, best.text) and (headline := _stated_headline(page)) is not None:
        return page.layout.blocks[headline].text, page.places[headline]
    if not best.evidence.shown:
        return _without_topics(page, best.text), best.place
    best = _below_name(page, candidates, best)
    return best.text, best.place


def _below_name(page: PlacedLayout, candidates: Sequence[Candidate], best: Candidate) -> Candidate:
    """Return the heading with the beginning of the ``title`` element, if the site's name stands above it.

    That is a heading with what stands behind the title there, or nearly so.
    """
    title, name = _title_key(page.title), _title_key(best.text)
    if best.evidence.begins or best.evidence.og or not best.evidence.top:
        return best
    for candidate in candidates[candidates.index(best) + 1 :]:
        if tag_of(candidate.place) in HEADINGS and candidate.evidence.begins:
            behind = title[len(_title_key(candidate.text)) :].strip()
            if Indel.normalized_similarity(behind, name) >= _SAME_NAME:
                return candidate
    return best


def _without_topics(page: PlacedLayout, title: str) -> str:
    """Return a title of the head without short parts around it that the page has as links: topics."""
    breaks = [*SPACED_BREAK.finditer(title)]
    if not breaks:
        return title
    links = {fold(block.text) for block in page.layout.blocks if not block.plain}
    for match in reversed(breaks[-_MOST_TITLE_PARTS:]):
        part = title[match.end() :].strip()
        if match.start() < _TOPIC_TIMES * len(part) or part not in links:
            break
        title = title[: match.start()]
    before, after = title[: breaks[0].start()].strip(), title[breaks[0].end() :]
    return after.strip() if _TOPIC_TIMES * len(before) <= len(after) and before in links else title.strip()


@cache
def _weights() -> tuple[float, ...]:
    """Return the weight of each value of :class:`TitleEvidence`, in their order. The file is read once."""
    stored = json.loads((files(__package__) / "title_weights.json").read_text(encoding="utf-8"))
    return tuple(map(stored.__getitem__, TitleEvidence._fields))


def candidates_of(page: PlacedLayout, container: str, affixes: Affixes = NO_AFFIXES) -> list[Candidate]:
    """Return the texts that may be the title of a page, with the evidence for each: see :func:`own_title`."""
    title, og_title = page.title, page.layout.og_title
    is_cut = title != page.layout.title_element
    parts, og_parts = _title_parts(title), _title_parts(og_title)
    head = {key: (part, OG_TITLE) for key, part in og_parts.items()}
    head |= {key: (part, TITLE_ELEMENT) for key, part in parts.items()}
    head.pop("", None)
    site = _site_key(page.url)
    shown = _shown(page, container, site, head, affixes)
    level = min((seen.level for seen in shown.values() if seen.level), default="")
    top = {key for key, seen in shown.items() if level and seen.level == level}
    names, address = [*map(_sorted, head)], _address(page.url)
    for key, seen in shown.items():  # of "海_新聞", no space tells what is a part; of "E-mail" none is
        is_whole = " " in seen.text or not seen.text.isascii()
        is_begin = is_whole and tag_of(seen.place) in HEADINGS and title.startswith(seen.text)
        if is_begin and _PART_END.match(title, len(seen.text)):
            parts.setdefault(key, seen.text)
            names.append(_sorted(key))
    in_head = {key: _Shown(*head[key], "", inside=False, listed=False) for key in head if key not in shown}
    candidates = []
    for key, text in (shown | in_head).items():
        letters = key.replace(" ", "")
        evidence = TitleEvidence(
            like=extractOne(_sorted(key), names, scorer=Indel.normalized_similarity)[1] if names else 0.0,
            address=Indel.normalized_similarity(key, address),
            length=math.log1p(len(letters)),
            begins=key in parts and title.startswith(parts[key]) and (is_cut or parts[key] != title),
            og=len(og_parts.get(key, "")) / max(1, len(og_title)),
            shown=key in shown,
            inside=text.inside,
            listed=text.listed,
            top=key in top,
            only=top == {key},
            site_name=len(site) >= _SHORTEST_NAME and site in letters,
        )
        candidates.append(Candidate(text.text, text.place, evidence))
    return candidates


def _site_key(url: str) -> str:
    """Return the name that a url's host has for its site, as :func:`_title_key` without spaces."""
    return _title_key(name_in_host(url)).replace(" ", "")


def _stated_headline(page: PlacedLayout) -> int | None:
    """Return the first block with the headline that a page states; None: there is no such block."""
    layout = page.layout
    headline = Statements(layout.markup, page.url).headline if layout.markup else ""
    return next((index for index, block in enumerate(layout.blocks) if block.text == headline), None)


def _names_site(page: PlacedLayout, title: str) -> bool:
    """Return whether a title is all that the head calls a page, and little more than the name of its host."""
    site, letters = _site_key(page.url), _title_key(title).replace(" ", "")
    is_name = len(site) >= _SHORTEST_NAME and site in letters and len(letters) <= _NAME_TIMES * len(site)
    return is_name and title == page.layout.title_element


def _shown(
    page: PlacedLayout, container: str, site: str, head: Collection[str], affixes: Affixes
) -> dict[str, _Shown]:
    """Return the texts before a page's longest one by their keys: headings, and what its head has, too."""
    layout, ends, places = page.layout, page.ends, page.places
    within = container_on(page, container)
    within = descend(page) if within is None else within
    inside = range(within, ends[within])
    elements = _elements(page, {weight(key) for key in head})
    headings = {places[index]: text for _, tag, index, text in reversed(elements) if tag}
    trimmed = without_additions(headings, page, affixes)
    shown: dict[str, _Shown] = {}
    names = {site, _title_key(site_of(page.url)).replace(" ", "")}
    for node, tag, index, whole in elements:
        place = places[index]
        text = trimmed[place] if tag and headings[place] == whole else whole.lstrip(_TRAIL_SIGNS)
        key = _title_key(text)
        if not key or (key not in head and not tag):
            continue
        counts = tag and not any(layout.leads[node : ends[node]]) and key.replace(" ", "") not in names
        seen = _Shown(text, place, tag if counts else "", node in inside, bool(page.leading[node]))
        if (other := shown.get(key)) is not None:
            level = min(filter(None, (other.level, seen.level)), default="")
            within_both, listed = other.inside and seen.inside, other.listed and seen.listed
            seen = other._replace(level=level, inside=within_both, listed=listed)
        elif len(shown) == _MOST_SHOWN:
            break
        shown[key] = seen
    return shown


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
    for index, (block, is_known) in enumerate(zip(blocks, page.boilerplate, strict=True)):
        if not is_known:
            elements[headings.get(block.node, block.node)].append(index)
            if block.plain > most and block.node not in headings:
                longest, most = index, block.plain
    texts = []
    for node, indexes in elements.items():
        if indexes[0] > longest:
            break
        if node in headings or sum([blocks[index].weight for index in indexes]) in lengths:
            text = " ".join([blocks[index].text for index in indexes])
            if len(text) - len(indexes) < LONGEST_SHOWN:
                texts.append((node, steps[node].tag if node in headings else "", indexes[0], fold(text)))
                continue
        # a line above a line break, in the element that holds the text
        lines = [index for index in indexes[:_FIRST_LINES] if blocks[index].weight in lengths]
        texts += [(node, "", index, blocks[index].text) for index in lines]
    return texts


def _title_parts(title: str) -> dict[str, str]:
    """Return by their keys a title in the head, and the parts with which it begins or ends.

    >>> [*_title_parts("The Web-API | Example").values()]
    ['Example', 'The Web-API', 'The Web-API | Example']
    """
    breaks = [*SPACED_BREAK.finditer(title)]
    parts = [title, *(title[: match.start()] for match in breaks[:_MOST_TITLE_PARTS])]
    parts += [title[match.end() :] for match in breaks[-_MOST_TITLE_PARTS:]]
    return {_title_key(part): part.strip() for part in reversed(parts)}


def _title_key(text: str) -> str:
    """Return the words of a text, in lower case: two texts with the same ones are one candidate."""
    return " ".join(_KEY_WORD.findall(text.lower().replace("'", "").replace("’", ""))) or text.strip()


def _sorted(key: str) -> str:
    """Return a key with its words in alphabetical order, so that two are compared whatever their order."""
    return " ".join(sorted(key.split()))


def _address(url: str) -> str:
    """Return the words of the last step of a url's path; empty if it has none.

    >>> _address("https://a.example/2014/the-ferry%20is-late.html?page=2")
    'the ferry is late html'
    """
    last = _LAST_STEP.match(url.partition("://")[2].rstrip("/"))
    return _title_key(unquote(last[1])) if last else ""
