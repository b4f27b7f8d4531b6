"""Read what a path tells: its last step, its tag, its ancestors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from ..page.tags import TEXT_TAGS

#: The places of a title outside the page's blocks.
TITLE_ELEMENT, OG_TITLE = "head/title", "head/og:title"
#: Where the ``title`` element of an answer to many urls is kept (:mod:`.copies`). It is no path of a page.
ANSWER = "head/title/answer"


#: Bound: the most paths whose answers are kept: memory must stay bounded in a crawl of months.
MOST_PATHS = 5_000

_Answer = TypeVar("_Answer")


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
