"""Measure CPU seconds of this process, for whole functions and for their stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from time import process_time
from typing import Any
from unittest.mock import patch

__all__ = ["ROUNDS", "best", "stages"]

#: The number of rounds; the best one counts.
ROUNDS = 3


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the CPU seconds that work takes: the least of some rounds."""
    found = []
    for _ in range(rounds):
        start = process_time()
        work()
        found.append(process_time() - start)
    return min(found)


@contextmanager
def stages(names: Mapping[str, str]) -> Iterator[dict[str, float]]:
    """Give a dictionary that has the CPU seconds of each stage when the context ends."""
    spent = dict.fromkeys(names.values(), 0.0)
    with ExitStack() as stack:
        for name, stage in names.items():
            owner, attribute = _owner(name)
            timed = _timed(getattr(owner, attribute), stage, spent)
            stack.enter_context(patch.object(owner, attribute, timed))
        yield spent


def _owner(name: str) -> tuple[Any, str]:
    """Return the module or class below the package, and the name in it."""
    path, attribute = name.rsplit(".", 1)
    holder, _, last = path.rpartition(".")
    if last.lstrip("_")[:1].isupper():
        return getattr(import_module(f"scrapy_webstemmer.{holder}"), last), attribute
    return import_module(f"scrapy_webstemmer.{path}"), attribute


def _timed(function: Any, stage: str, spent: dict[str, float]) -> Any:
    def timed(*args: Any, **kwargs: Any) -> Any:
        start = process_time()
        try:
            return function(*args, **kwargs)
        finally:
            spent[stage] += process_time() - start

    return timed
