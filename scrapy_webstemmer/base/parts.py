"""Work in parts: between two parts the caller can do something else, such as serve an event loop."""

from __future__ import annotations

import gc
from collections.abc import Generator
from typing import TypeAlias, TypeVar

_Result = TypeVar("_Result")


#: A generator that yields after each part of its work, and returns the result.
Parts: TypeAlias = Generator[None, None, _Result]


def do_part(work: Parts[_Result]) -> None:
    """Do the next part of some work. The garbage collector waits until it is done.

    A part makes thousands of objects, and hardly any of them outlives it. If the collector looked at them
    while they are in use, it would take them for objects that stay, and look at all objects of a crawl the
    more often.

    :raises StopIteration: that was the last part; it has the result.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        next(work)
    finally:
        if collects:
            gc.enable()


def finish(work: Parts[_Result]) -> _Result:
    """Do all parts at once and return the result."""
    while True:
        try:
            do_part(work)
        except StopIteration as done:
            result: _Result = done.value
            return result
