"""Tell articles from lists: a page's own evidence as one number, the log odds that it is an article.

An article shows its own title, and text under it. A list (of a tag, a month, a
category, the newest pages) shows the headlines of other pages, each a link to
its page. No words and no names of classes are used.

    log odds  =  BASE + sum over the signs of WEIGHTS[sign] * sign

The weights come from a logistic regression on pages whose kind is known.
``tests/benchmarks/kinds.py`` prints them, and their accuracy on sites that were
left out. ``patterns/kinds.py`` adds the evidence of the rest of the site.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..blocks.tags import HEADINGS
from ..values.layouts import Layout
from .container import container_on
from .paths import is_under, tag_of
from .placed import PlacedLayout
from .subtrees import running_totals

__all__ = ["BASE", "MOST_ODDS", "WEIGHTS", "Signs", "lead_share", "new_blocks", "own_odds", "signs_of"]

#: Printed by ``tests/benchmarks/kinds.py``.
BASE = -7.55
WEIGHTS: Mapping[str, float] = {
    "under_headline": -3.56,
    "under_nothing": 0.71,
    "titled": 4.37,
    "text": 6.42,
    "headlines": -4.55,
}
#: The log odds of one page are at most this, and at least minus this: one page is never as sure as many.
MOST_ODDS = 4.0

#: A headline weighs at least this.
_HEADLINE = 4
#: A part of the ``title`` element with this many characters is the page's title.
_LONG_TITLE = 10
#: From this weight outside links on, more text does not make an article more likely.
_MUCH = 1_500
#: A heading may stand in a link. An element with more nodes than this is more than a heading.
_AROUND_HEADING = 6


class Signs(NamedTuple):
    """The signs that tell an article from a list, each from 0 to 1.

    :param under_headline: whether the last heading before the main text is a link to another page.
    :param under_nothing: whether there is no heading before the main text.
    :param titled: whether the page shows its title in a block that is not a link to another page.
    :param text: the amount of main text outside links and outside records that lead to other pages;
        logarithmic, 1 from 1,500 characters on.
    :param headlines: the number n of headings that lead to other pages, as n / (n + 2). It counts from the
        last heading above the main text to the end of the main text.
    """

    under_headline: float
    under_nothing: float
    titled: float
    text: float
    headlines: float


def own_odds(signs: Signs) -> float:
    """Return the log odds that a page is an article, by its own evidence alone.

    >>> article = Signs(under_headline=0, under_nothing=0, titled=1, text=0.9, headlines=0)
    >>> own_odds(article) > 1 > -1 > own_odds(article._replace(under_headline=1, headlines=0.5, titled=0))
    True
    """
    odds = BASE + sum(WEIGHTS[name] * value for name, value in zip(signs._fields, signs, strict=True))
    return min(MOST_ODDS, max(-MOST_ODDS, odds))


def signs_of(page: PlacedLayout, container: str, main: Sequence[int], title_path: str) -> Signs:
    """Return the signs that tell whether a page is an article. Cost: some passes over its nodes and blocks.

    :param container: path of the element that holds the main text. A page without it is judged as a whole.
    :param main: indexes of the blocks of the main text, in the order of the page; may be empty.
    :param title_path: the path of the page's title.
    """
    blocks, places = page.layout.blocks, page.places
    headlines = _Headlines(page)
    node = (container_on(page, container) if container else None) or 0
    headings = _headings_by(page, node)
    before = [n for n in headings if n <= main[0]] if main else []
    first = before[-1] if before else 0
    span = [n for n in headings if first <= n <= main[-1]] if main else headings
    leading = sum(map(headlines.lead_on, span))
    plain = sum(blocks[n].plain for n in main if not page.leading[blocks[n].node])
    title = places.index(title_path) if title_path in places else None
    return Signs(
        under_headline=float(bool(before) and headlines.lead_on(before[-1])),
        under_nothing=float(not before),
        titled=float(title is not None and not headlines.lead_on(title)),
        text=min(1.0, math.log1p(plain) / math.log1p(_MUCH)),
        headlines=leading / (leading + 2),
    )


def lead_share(page: PlacedLayout, numbers: Sequence[int]) -> float:
    """Return the share of some blocks' text in records that lead to other pages, from 0 to 1."""
    total = leads = 0
    blocks, leading = page.layout.blocks, page.leading
    for number in numbers:
        node, _, weight, _ = blocks[number]
        total += weight
        if leading[node]:
            leads += weight
    return leads / total if total else 0.0


def new_blocks(page: PlacedLayout, container: str) -> list[int]:
    """Return the indexes of the blocks in a container, by their paths, without boilerplate."""
    inside = {path: is_under(path, container) for path in set(page.places)}
    flags = zip(page.places, page.boilerplate, strict=True)
    return [number for number, (path, boilerplate) in enumerate(flags) if not boilerplate and inside[path]]


def _blocks_in(page: PlacedLayout, node: int) -> list[int]:
    end = page.ends[node]
    return [number for number, block in enumerate(page.layout.blocks) if node <= block.node < end]


def _headings_by(page: PlacedLayout, container: int) -> list[int]:
    """Return the blocks of headings that tell about a container's text, in the order of the page.

    A headline on several lists is boilerplate. It still counts if it stands near the main text.
    """
    parent = page.layout.parents[container]
    near = set(_blocks_in(page, parent if parent > 0 else container))
    flags = enumerate(zip(page.places, page.boilerplate, strict=True))
    return [
        n for n, (path, boilerplate) in flags if (not boilerplate or n in near) and tag_of(path) in HEADINGS
    ]


class _Headlines:
    """Tells which blocks of a page are headlines of other pages: all text of such a block is a link there."""

    def __init__(self, page: PlacedLayout) -> None:
        self._layout: Layout = page.layout
        self._ends = page.ends
        self._links = running_totals(page.layout.links)
        self._leads = running_totals(page.layout.leads)
        self._title = page.title

    def _is_own(self, text: str) -> bool:
        """Return whether a text is the page's own title, even if it is a link to an old url of the page."""
        return text == self._title or (len(text) >= _LONG_TITLE and text in self._layout.title_element)

    def lead_on(self, number: int) -> bool:
        """Return whether a block is the headline of another page."""
        block = self._layout.blocks[number]
        if block.plain or block.weight < _HEADLINE or self._is_own(block.text):
            return False
        node, ends = block.node, self._ends
        while node >= 0 and ends[node] - node <= _AROUND_HEADING:
            if self._links[ends[node]] > self._links[node]:
                return self._leads[ends[node]] > self._leads[node]
            node = self._layout.parents[node]
        return node >= 0 and self._layout.leads[node] > 0
