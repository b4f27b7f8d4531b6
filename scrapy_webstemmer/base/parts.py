"""Work in parts: between two parts the caller can do something else, such as serve an event loop."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from time import perf_counter
from typing import TypeAlias, TypeVar

from .collector import uncollected

_Result = TypeVar("_Result")

#: So many pages are read together, where there are many: more gain little, and take memory.
TOGETHER = 16

#: A generator that yields after each part of its work, and returns the result.
Parts: TypeAlias = Generator[None, None, _Result]


def do_parts(work: Parts[_Result], seconds: float) -> None:
    """Do parts of some work until so many seconds are over, at least one.

    The garbage collector waits meanwhile.

    :raises StopIteration: that was the last part; it has the result.
    """
    end = perf_counter() + seconds
    with uncollected():
        next(work)
        while perf_counter() < end:
            next(work)


def finish_together(works: Iterable[Parts[_Result]]) -> list[_Result]:
    """Do several works, a part of each in turn, and return their results in their order.

    The code of a part is still in the processor's caches when the next work comes to it. So sixteen pages
    take four fifths of the time that they take one by one.

    :raises Exception: a work has raised it; the other works are given up.
    """
    results: dict[int, _Result] = {}
    left = dict(enumerate(works))
    with uncollected():
        while left:
            for number, work in [*left.items()]:
                try:
                    next(work)
                except StopIteration as done:
                    results[number] = done.value
                    del left[number]
    return [results[number] for number in sorted(results)]


def finish(work: Parts[_Result]) -> _Result:
    """Do all parts at once and return the result."""
    return finish_together([work])[0]
