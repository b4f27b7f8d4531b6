"""Work in parts: between two parts the caller can do something else, such as serve an event loop."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

_Result = TypeVar("_Result")

#: A generator that yields after each part of its work, and returns the result.
Parts: TypeAlias = Generator[None, None, _Result]


def finish(work: Parts[_Result]) -> _Result:
    """Do all parts at once and return the result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: _Result = done.value
            return result
