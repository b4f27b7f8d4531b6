"""Learn which attribute values belong to a site's templates, and give each element its path.

A class or id that recurs from page to page comes from the template. A value that
only one page has (``post-1234``) belongs to that page, and would make its path
unlike all others. So the values are counted over the pages, and only recurring
values become part of a path. If more than ten values differ in their digits only,
they are numbers of pages or paragraphs, even if an index repeats them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from ..values.layouts import Layout, Step
from .tags import HEADINGS

#: An element nested deeper than this has the path of its nearest ancestor that is not.
MAX_DEPTH = 100

#: The most pairs of path and element that are kept: memory must stay bounded in a crawl of months.
MAX_INTERNED = 50_000

#: If more values than this differ in their digits only, they are numbers.
_NUMBERED = 10

#: A class with less than this share of the pages of its element's most common class is a variant, not layout.
_RARER = 0.8

_WHOLE = frozenset({"html", "body"})

_DIGITS = re.compile(r"\d+")


def learn_vocabulary(layouts: Sequence[Layout], share: float, least: int) -> dict[str, int]:
    """Return the recurring attribute values, ``tag#id`` and ``tag.class``, with their number of pages.

    :param share: a value must be on this share of the pages, from 0 to 1 ...
    :param least: ... and on this many pages in any case.

    Cost: linear in the number of different elements.
    """
    counts: Counter[str] = Counter()
    tokens: dict[Step, list[str]] = {}  # kept, since the pages have most elements in common
    for layout in layouts:
        steps = set(layout.steps)
        for step in steps.difference(tokens):
            tokens[step] = _tokens(step)
        counts.update(set(chain.from_iterable(map(tokens.__getitem__, steps))))
    needed = max(least, share * len(layouts))
    recurring = {token: count for token, count in counts.items() if count >= needed}
    numbers = _numbers_among(recurring, counts)
    return {token: count for token, count in sorted(recurring.items()) if token not in numbers}


def _numbers_among(tokens: Iterable[str], others: Iterable[str]) -> set[str]:
    """Return the tokens that are numbers; all tokens count as evidence, though most need no close look."""
    shapes = {token: _DIGITS.sub("0", token) for token in tokens if _DIGITS.search(token)}
    beginnings = tuple({shape.partition("0")[0] for shape in shapes.values()})
    alike = [token for token in others if token.startswith(beginnings)] if beginnings else []
    variants = Counter([_DIGITS.sub("0", token) for token in alike if _DIGITS.search(token)])
    return {token for token, shape in shapes.items() if variants[shape] > _NUMBERED}


#: For each element below a path: the element's own path, and the same table for the elements below it.
_Below: TypeAlias = "dict[Step, tuple[str, _Below]]"


class Paths:
    """The paths of a site's elements: names of block-level ancestors, joined by ``/``.

    Names and paths are interned as an automaton. An element that was seen before
    below its parent's path costs one look-up in the table of that path.
    """

    #: How many pairs of path and element are kept.
    most = MAX_INTERNED

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._forget()

    def _forget(self) -> None:
        self._top: _Below = {}
        #: Each path with its table of elements below it; elements with the same path share one table.
        self._known: dict[str, tuple[str, _Below]] = {}
        #: The names of elements in paths.
        self._names: dict[Step, str] = {}
        self._size = 0

    def of(self, layout: Layout) -> tuple[str, ...]:
        """Return the path of each node of a layout."""
        self.make_room()
        places: list[tuple[str, _Below]] = []
        top = self.top()
        for step, parent in zip(layout.steps, layout.parents, strict=True):
            above = places[parent] if parent >= 0 else top
            places.append(above[1].get(step) or self.intern(above, step))
        return tuple([path for path, _ in places])

    def make_room(self) -> None:
        """Forget all paths if there are too many of them."""
        if self._size > self.most:
            self._forget()

    def top(self) -> tuple[str, _Below]:
        """Return the path of no element, and the table of the elements below it."""
        return "", self._top

    def intern(self, above: tuple[str, _Below], step: Step) -> tuple[str, _Below]:
        """Add an element below another one; return its path, with the table of the elements below it."""
        self._size += 1
        path = self._join(above[0], step)
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = path, {}
        above[1][step] = found
        return found

    def _join(self, above: str, step: Step) -> str:
        if above.count("/") >= MAX_DEPTH:
            return above
        name = self._names.get(step)
        if name is None:
            name = self._names[step] = self._name(step)
        return f"{above}/{name}" if above else name

    def _name(self, step: Step) -> str:
        """Return the tag with its telling attributes: a known id, else the most usual classes."""
        tag, vocabulary = step.tag, self._vocabulary
        if step.id and tag not in HEADINGS and f"{tag}#{step.id}" in vocabulary:
            return f"{tag}#{_without_slash(step.id)}"
        counts = {name: count for name in step.classes if (count := vocabulary.get(f"{tag}.{name}"))}
        if not counts:
            return tag
        most = max(counts.values())
        usual = sorted([name for name, count in counts.items() if count >= _RARER * most])
        return ".".join([tag, *map(_without_slash, usual)])


class OwnPaths(Paths):
    """Paths by an element's id, or else all its classes, for pages of a site whose vocabulary is not known.

    Digits are folded, and ``html`` and ``body`` have no names: both would differ from page to page of one
    template.
    """

    most = 5_000  # few, since many elements are on one page only

    def __init__(self) -> None:
        super().__init__({})

    def _name(self, step: Step) -> str:
        if step.tag in _WHOLE:
            return step.tag
        if step.id and step.tag not in HEADINGS:
            return f"{step.tag}#{_folded(step.id)}"
        return ".".join([step.tag, *sorted({_folded(name) for name in step.classes})])


def _folded(value: str) -> str:
    return _without_slash(_DIGITS.sub("0", value))


def _tokens(step: Step) -> list[str]:
    tokens = [f"{step.tag}.{name}" for name in step.classes]
    if step.id and step.tag not in HEADINGS:
        tokens.append(f"{step.tag}#{step.id}")
    return tokens


def _without_slash(value: str) -> str:
    """Replace the sign that separates the steps of a path."""
    return value.replace("/", "|")
