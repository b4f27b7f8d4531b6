"""Paths of elements, and sums over the subtrees of a page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

from ..html.tags import HEADINGS, TEXT_TAGS
from ..values import Layout, Step
from .placing import Below, paths_of

#: The places of a title outside the page's blocks.
TITLE_ELEMENT, OG_TITLE = "head/title", "head/og:title"


# --- Read what a path tells: its last step, its tag, its ancestors

#: Bound: with more ancestors than this, looking up the steps of a path takes less time than comparing each
#: of them.
_MANY = 50


@lru_cache(maxsize=16_384)
def last_step(path: str) -> str:
    """Return a path's last step.

    >>> last_step("body/div#main/ul.list")
    'ul.list'
    """
    return path.rpartition("/")[2]


@lru_cache(maxsize=16_384)
def tag_of(path: str) -> str:
    """Return the tag of a path's last step.

    >>> tag_of("body/div#main/ul.list")
    'ul'
    """
    return last_step(path).partition(".")[0].partition("#")[0]


def above(path: str) -> Iterator[str]:
    """Yield the paths of an element's ancestors, inner ones first.

    >>> list(above("body/div#main/ul.list"))
    ['body/div#main', 'body']
    """
    while path := path.rpartition("/")[0]:
        yield path


def is_under(path: str, ancestor: str) -> bool:
    """Return whether a path is the ancestor's path or leads through it."""
    return path == ancestor or path.startswith(ancestor + "/")


def under_any(ancestors: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tells whether a path is under one of some ancestors (:func:`is_under`).

    >>> within = under_any(["body/nav", "body/div.ads"])
    >>> within("body/nav/ul"), within("body/div.ads"), within("body/div")
    (True, True, False)

    Cost: a comparison with each ancestor; of many, a look-up for each step of a path.
    """
    known = [*ancestors]
    if len(known) > _MANY:
        first = first_above(known)
        return lambda path: bool(first(path))
    beginnings = tuple([f"{one}/" for one in known])
    return lambda path: f"{path}/".startswith(beginnings)


def first_above(ancestors: Sequence[str]) -> Callable[[str], str]:
    """Return a function that returns the first of some ancestors that a path is under; empty: there is none.

    >>> of = first_above(["body/nav", "body/div.ads"])
    >>> of("body/nav/ul"), of("body/div")
    ('body/nav', '')

    Cost: a look-up for each step of a path, however many ancestors there are.
    """
    order = {one: number for number, one in reversed([*enumerate(ancestors)])}

    def first(path: str) -> str:
        return min((one for one in (path, *above(path)) if one in order), key=order.__getitem__, default="")

    return first


def bare(path: str) -> str:
    """Return a path without ids and classes.

    >>> bare("body/div#main/ul.list")
    'body/div/ul'
    """
    return "/".join(map(tag_of, path.split("/")))


@lru_cache(maxsize=65536)
def coarse(path: str) -> str:
    """Return a path without the bare tags of running text at its end.

    Two articles of one template differ if one author used a list and the other a
    quotation, but the element that holds the text is the same.

    >>> coarse("body/article.post/blockquote/p")
    'body/article.post'
    >>> coarse("body/ul.menu/li")
    'body/ul.menu'
    """
    steps = path.split("/")
    while len(steps) > 1 and steps[-1] in TEXT_TAGS:
        steps.pop()
    return "/".join(steps)


# --- Give each element of a site its path

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

_WHOLE = frozenset({"html", "body"})

#: A number in a class or id.
DIGITS = re.compile(r"\d+")


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
        #: Each path with its table of elements below it; elements with the same path share one table.
        self._known: dict[str, tuple[str, Below]] = {}
        #: The names of elements in paths.
        self._names: dict[Step, str] = {}
        self._size = 0

    def of(self, layout: Layout) -> tuple[str, ...]:
        """Return the path of each node of a layout."""
        if self._size > self.most:
            self._forget()
        return paths_of(layout.steps, layout.parents, ("", self._top), self._intern)

    def _intern(self, above: tuple[str, Below], step: Step) -> tuple[str, Below]:
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
        path = f"{above}/{name}" if above else name
        return path if len(path) <= MAX_PATH else f"{above}/{step.tag}"

    def _name(self, step: Step) -> str:
        """Return the tag with its telling attributes: a known id, else the known classes."""
        tag, vocabulary = step.tag, self._vocabulary
        if step.id and tag not in HEADINGS and f"{tag}#{step.id}" in vocabulary:
            return f"{tag}#{_without_slash(step.id)}"
        known = sorted([name for name in step.classes if f"{tag}.{name}" in vocabulary])
        return ".".join([tag, *map(_without_slash, known)])


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
        if 0 < len(step.id) <= MAX_NAME and step.tag not in HEADINGS:
            return f"{step.tag}#{_folded(step.id)}"
        return ".".join([step.tag, *sorted({_folded(n) for n in step.classes if len(n) <= MAX_NAME})])


def _folded(value: str) -> str:
    return _without_slash(DIGITS.sub("0", value))


def tokens_of(step: Step) -> list[str]:
    """Return an element's attribute values, ``tag.class`` and ``tag#id``."""
    tokens = [f"{step.tag}.{name}" for name in step.classes if len(name) <= MAX_NAME]
    if 0 < len(step.id) <= MAX_NAME and step.tag not in HEADINGS:
        tokens.append(f"{step.tag}#{step.id}")
    return tokens


def _without_slash(value: str) -> str:
    """Replace the sign that separates the steps of a path."""
    return value.replace("/", "|")


# --- Work with the nodes in an element: they are a range, since nodes are numbered in the order of the page
#
# So the sum over all nodes in an element is the difference of two running totals, and one pass over a page
# serves all its elements (see also ``placing.py``).


def running_totals(values: Iterable[int]) -> list[int]:
    """Return the sum of the values before each node, and the sum of all, as :func:`sum_in` needs them."""
    return list(accumulate(values, initial=0))


def sum_in(totals: Sequence[int], ends: Sequence[int], node: int) -> int:
    """Return the sum of a node's value and those of all nodes in it."""
    return totals[ends[node]] - totals[node]


def any_in(nodes: Sequence[int], first: int, end: int) -> bool:
    """Return whether one of some sorted nodes is in the range from ``first`` to before ``end``.

    Cost: a binary search.
    """
    at = bisect_left(nodes, first)
    return at < len(nodes) and nodes[at] < end


def children_of(node: int, ends: Sequence[int]) -> Iterator[int]:
    """Yield the children of a node in the order of the page."""
    child, end = node + 1, ends[node]
    while child < end:
        yield child
        child = ends[child]
