"""The paths of a site's elements: the names of their ancestors, as far as the template gives them.

:class:`Paths` gives each element its own. The functions read what a path tells: its last step, its tag, its
ancestors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from ..page.tags import HEADINGS, TEXT_TAGS
from ..values import Layout, Step
from .named_parts import kind_of
from .subtrees import Below, Place, firsts, places_of

#: The places of a title outside the page's blocks.
TITLE_ELEMENT, OG_TITLE = "head/title", "head/og:title"
#: Where the ``title`` element of an answer to many urls is kept (:mod:`.copies`). It is no path of a page.
ANSWER = "head/title/answer"

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

#: Bound: the most paths whose answers are kept: memory must stay bounded in a crawl of months.
MOST_PATHS = 5_000

_Answer = TypeVar("_Answer")


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


class ByPath(dict[str, _Answer]):
    """What is known of paths. Each path is looked at once: the pages of a cluster share their paths.

    :param look: returns what is known of a path.
    """

    def __init__(self, look: Callable[[str], _Answer]) -> None:
        super().__init__()
        self._look = look

    def __missing__(self, path: str) -> _Answer:
        if len(self) > MOST_PATHS:
            self.clear()
        answer = self[path] = self._look(path)
        return answer


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

    Cost: a look-up for each step of a path, however many ancestors there are.
    """
    known = frozenset(ancestors)

    def is_under_one(path: str) -> bool:
        return path in known or not known.isdisjoint(above(path))

    return is_under_one


def first_above(ancestors: Sequence[str]) -> Callable[[str], str]:
    """Return a function that returns the first of some ancestors that a path is under; empty: there is none.

    >>> of = first_above(["body/nav", "body/div.ads"])
    >>> of("body/nav/ul"), of("body/div")
    ('body/nav', '')

    Cost: a look-up for each step of a path, however many ancestors there are.
    """
    order = {ancestor: number for number, ancestor in reversed([*enumerate(ancestors)])}

    def first(path: str) -> str:
        around = [ancestor for ancestor in (path, *above(path)) if ancestor in order]
        return min(around, key=order.__getitem__, default="")

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


@lru_cache(maxsize=65536)
def named(path: str) -> str:
    """Return a path without the bare elements around its last one with a name.

    An author may put the same box of the template between paragraphs, into a list, or into a quotation.

    >>> named("body/div.post/blockquote/div.ad/p")
    'div.post/div.ad/p'
    """
    steps = path.split("/")
    last = len(steps) - 1
    while last > 0 and is_bare(steps[last]):
        last -= 1
    return "/".join([*(step for step in steps[:last] if not is_bare(step)), *steps[last:]])


@lru_cache(maxsize=16_384)
def is_bare(path: str) -> bool:
    """Return whether the last step of a path is a tag alone, without an id or classes."""
    return last_step(path) == tag_of(path)
