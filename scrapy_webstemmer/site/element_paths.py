"""Give each element of a site its path: the names of its ancestors, as far as the template gives them."""

from __future__ import annotations

from collections.abc import Mapping

from ..page.tags import HEADINGS
from ..values import Layout, Step
from .named_parts import kind_of
from .subtrees import Below, Place, firsts, places_of

#: Bound: an element nested deeper than this has the path of its nearest ancestor that is not.
MAX_DEPTH = 100

#: Bound: the most pairs of path and element that are kept: memory must stay bounded in a crawl of months.
MAX_INTERNED = 50_000

#: Bound: a longer id or class says nothing about a template. On 60 real sites the longest has 113
#: characters.
MAX_NAME = 200

#: Bound: in a path that would be longer, an element has its tag alone. On the same sites the longest has
#: 2,154 characters. A page has a path for each of its places, so without a limit a few long names take the
#: memory.
MAX_PATH = 2_500


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
        self._top: Below = {}
        #: The table of the elements below each path: elements with the same path share one.
        self._below: dict[str, Below] = {}
        #: The names of elements in paths.
        self._names: dict[Step, str] = {}
        self._size = 0

    def places(self, layout: Layout) -> list[Place]:
        """Return for each node of a layout its path, and what else is kept of it: see :meth:`_intern`."""
        if self._size > self.most:
            self._forget()
        return places_of(layout.steps, layout.parents, ("", self._top), self._intern)

    def of(self, layout: Layout) -> tuple[str, ...]:
        """Return the path of each node of a layout."""
        return firsts(self.places(layout))

    def _intern(self, above: Place, step: Step) -> Place:
        """Add an element below another one.

        Return its path, the table of the elements below it, and what kind of part its own names say it is.
        """
        self._size += 1
        path = self._join(above[0], step)
        place = above[1][step] = path, self._below.setdefault(path, {}), kind_of(step)
        return place

    def _join(self, above: str, step: Step) -> str:
        if above.count("/") >= MAX_DEPTH:
            return above
        name = self._names.get(step)
        if name is None:
            name = self._names[step] = self._name(step)
        path = f"{above}/{name}" if above else name
        return path if len(path) <= MAX_PATH else f"{above}/{step.tag}"

    def _name(self, step: Step) -> str:
        """Return the tag with its telling attributes: a known id, else the known classes."""
        tag, vocabulary = step.tag, self._vocabulary
        # the id of a heading is made from its text, and may be the same on several pages ("Summary")
        if step.id and tag not in HEADINGS and f"{tag}#{step.id}" in vocabulary:
            return f"{tag}#{_without_slash(step.id)}"
        known = sorted([name for name in step.classes if f"{tag}.{name}" in vocabulary])
        return ".".join([tag, *map(_without_slash, known)])


class AllNames(Paths):
    """Paths by all names of the elements, for pages of a site of which nothing is known."""

    most = 5_000  # few, since many elements are on one page only

    def __init__(self) -> None:
        super().__init__({})

    def _name(self, step: Step) -> str:
        if 0 < len(step.id) <= MAX_NAME and step.tag not in HEADINGS:
            return f"{step.tag}#{_without_slash(step.id)}"
        known = sorted([name for name in step.classes if len(name) <= MAX_NAME])
        return ".".join([step.tag, *map(_without_slash, known)])


def tokens_of(step: Step) -> list[str]:
    """Return an element's attribute values, ``tag.class`` and ``tag#id``."""
    tokens = [f"{step.tag}.{name}" for name in step.classes if len(name) <= MAX_NAME]
    if 0 < len(step.id) <= MAX_NAME and step.tag not in HEADINGS:
        tokens.append(f"{step.tag}#{step.id}")
    return tokens


def _without_slash(value: str) -> str:
    """Replace the sign that separates the steps of a path."""
    return value.replace("/", "|")
