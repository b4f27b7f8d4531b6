"""Learn which attribute values belong to a site's templates.

A class or id comes from the template if the elements of its kind have it, on page after page. A value that
names a page's topic, number or day belongs to that page, and would make its path unlike all others. Such a
value is on some pages only, while another value of the same elements is on all of them: `post` on each
article, `category-sports` on some. Lists that show the same articles on every page hide this if pages alone
are counted, so each place of an element is looked at by itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, count, islice

from ..values import Layout, Step
from .paths import MAX_DEPTH, tokens_of
from .subtrees import Below, Place, firsts, places_of

#: A number in a class or id.
_DIGITS = re.compile(r"\d+")
#: A value of a template is on at least this share of the pages that have its kind of element. Values are on
#: nearly all of them or on few, so most sites are read in the same way with any share from .9 to 1.
_STEADY = 0.95


def learn_vocabulary(layouts: Sequence[Layout], least: int) -> dict[str, int]:
    """Return the attribute values of the templates, ``tag#id`` and ``tag.class``, with their number of pages.

    An element's place is its tag and those around it. A value is compared with the most common value of the
    same elements. All values that differ in their digits only count as one value there: they may be numbers
    of posts.

    :param least: a value must be on this many pages in any case.

    Cost: linear in the number of different elements and places.
    """
    if least == len(layouts) == 1:  # there is nothing to compare with: all values count
        return dict.fromkeys(sorted(chain.from_iterable(map(tokens_of, {*layouts[0].steps}))), 1)
    counts = _ValueCounts()
    for layout in layouts:
        counts.add(layout)
    return counts.steady(least)


class _ValueCounts:
    """Counts of attribute values and of their shapes, over all and at each place.

    The different elements at each place, and the values there, have numbers from 0 on, in the order in which
    they come: pages have most of them in common, and numbers cost less.
    """

    def __init__(self) -> None:
        self._top: Below = {}
        self._below: dict[str, Below] = {}
        #: For each element its place, the tags of it and of those around it; what it looks like; the values
        #: that it has there. For each of these the value alone.
        self._places, self._steps = list[str](), list[Step]()
        self._values: list[Sequence[int]] = []
        self._there: defaultdict[tuple[str, str], int] = defaultdict(count().__next__)
        self._alone: list[str] = []
        #: The pages of each element, of each value at a place, and of each value.
        self._pages_with, self._pages_there, self._pages = Counter[int](), Counter[int](), Counter[str]()

    def add(self, layout: Layout) -> None:
        """Count a page."""
        numbers = set(firsts(places_of(layout.steps, layout.parents, (-1, self._top), self._intern)))
        self._alone += [value for _, value in islice(self._there, len(self._alone), None)]
        there = set(chain.from_iterable(map(self._values.__getitem__, numbers)))
        self._pages_with.update(numbers)
        self._pages_there.update(there)
        self._pages.update(set(map(self._alone.__getitem__, there)))

    def _intern(self, above: Place, step: Step) -> Place:
        """Add an element below another one. Return its number, and the table of the elements below it."""
        number, table = above
        place = self._places[number] if number >= 0 else ""
        if place.count("/") < MAX_DEPTH:
            place = f"{place}/{step.tag}"
        entry = table[step] = len(self._places), self._below.setdefault(place, {})
        tokens = tokens_of(step)
        values = dict.fromkeys([*tokens, *map(_shape, tokens)])
        self._places.append(place)
        self._steps.append(step)
        self._values.append([self._there[place, value] for value in values])
        return entry

    def steady(self, least: int) -> dict[str, int]:
        """Return the values that nearly all elements of their kind have, on this many pages at least.

        A value and its usual one are compared by their pages all in all, and by those at each place at which
        no page has two such elements. Where there are several, they differ without naming the content.
        """
        elements = Counter[int]()
        for number, values in enumerate(self._values):
            for value in values:
                elements[value] += self._pages_with[number]
        held, around, most = Counter[str](), Counter[str](), Counter[str]()
        for value, usual in self._usual().items():
            token, pages = self._alone[value], self._pages_there[usual]
            most[token] = max(most[token], self._pages[self._alone[usual]])
            if elements[usual] == pages:
                held[token] += self._pages_there[value]
                around[token] += pages
        return {
            token: pages
            for token in sorted(most)
            if (pages := self._pages[token]) >= least
            and pages + held[token] >= _STEADY * (most[token] + around[token])
        }

    def _usual(self) -> dict[int, int]:
        """Return for each value at a place the one that most pages have there, of the values of its elements.

        An id is compared with ids of its shape only: classes tell what an element is like, an id which it is.
        """
        usual_of: dict[int, int] = {}
        # the order of values at a place: by pages there, then by pages all in all
        ranks = [(self._pages_there[n], self._pages[alone], alone) for n, alone in enumerate(self._alone)]
        for place, step, values in zip(self._places, self._steps, self._values, strict=True):
            if not values:  # most elements have none
                continue
            usual = max(values, key=ranks.__getitem__)
            for token in tokens_of(step):
                value = self._there[place, token]
                other = self._there[place, _shape(token)] if "#" in token else usual
                if self._pages_there[other] > self._pages_there[value]:
                    usual_of[value] = max(usual_of.get(value, value), other, key=ranks.__getitem__)
                else:
                    usual_of.setdefault(value, value)
        return usual_of


@lru_cache(maxsize=20_000)
def _shape(token: str) -> str:
    """Return a value with its digits folded to a sign that no value has; without digits, the value."""
    return _DIGITS.sub(" ", token)
