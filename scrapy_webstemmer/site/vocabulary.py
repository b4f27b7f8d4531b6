"""Learn which attribute values belong to a site's templates.

A class or id comes from the template if the elements of its kind have it, on page after page. A value that
names a page's topic, number or day belongs to that page, and would make its path unlike all others. Such a
value is on some pages only, while another value of the same elements is on all of them: `post` on each
article, `category-sports` on some. Lists that show the same articles on every page hide this if pages alone
are counted, so each place of an element is looked at by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, count, islice

from ..values import Layout, Step
from .element_paths import DIGITS, MAX_DEPTH, tokens_of
from .subtrees import Below, Place, firsts, places_of

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


class _Elements:
    """Numbers the different elements at each place, from 0 on, in the order in which they come.

    :ivar places: the place of each: its tag and those around it.
    :ivar steps: what it looks like.
    """

    def __init__(self) -> None:
        self.places: list[str] = []
        self.steps: list[Step] = []
        self._top: Below = {}
        self._below: dict[str, Below] = {}

    def of(self, layout: Layout) -> tuple[int, ...]:
        """Return the number of each node of a page."""
        return firsts(places_of(layout.steps, layout.parents, (-1, self._top), self._intern))

    def _intern(self, above: Place, step: Step) -> Place:
        number, table = above
        place = self.places[number] if number >= 0 else ""
        if place.count("/") < MAX_DEPTH:
            place = f"{place}/{step.tag}"
        entry = table[step] = len(self.places), self._below.setdefault(place, {})
        self.places.append(place)
        self.steps.append(step)
        return entry


class _ValueCounts:
    """Counts of attribute values and of their shapes, over all and at each place.

    Elements, and values at a place, have numbers: pages have most of them in common, and numbers cost less.
    """

    def __init__(self) -> None:
        self._elements = _Elements()
        #: For each element the values that it has at its place; for each of these the value alone.
        self._values: list[Sequence[int]] = []
        self._there: defaultdict[tuple[str, str], int] = defaultdict(count().__next__)
        self._alone: list[str] = []
        #: The pages of each element, of each value at a place, and of each value.
        self._pages_with, self._pages_there, self._pages = Counter[int](), Counter[int](), Counter[str]()

    def add(self, layout: Layout) -> None:
        """Count a page."""
        numbers = set(self._elements.of(layout))
        places, steps = self._elements.places, self._elements.steps
        for number in range(len(self._values), len(places)):
            tokens = tokens_of(steps[number])
            values = dict.fromkeys([*tokens, *map(_shape, tokens)])
            self._values.append([self._there[places[number], value] for value in values])
        self._alone += [value for _, value in islice(self._there, len(self._alone), None)]
        there = set(chain.from_iterable(map(self._values.__getitem__, numbers)))
        self._pages_with.update(numbers)
        self._pages_there.update(there)
        self._pages.update(set(map(self._alone.__getitem__, there)))

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
        for place, step, values in zip(
            self._elements.places, self._elements.steps, self._values, strict=True
        ):
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
    return DIGITS.sub(" ", token)
