"""The checks by their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trial import Check


@dataclass(frozen=True)
class Entry:
    """A check: its name on the command line, its title in the table, what it installs, and what it does."""

    name: str
    title: str
    requirements: tuple[str, ...]
    shown: tuple[str, ...]
    run: Check


CHECKS: dict[str, Entry] = {}


def check(name: str, title: str, *requirements: str, shown: tuple[str, ...] = ()) -> Callable[[Check], Check]:
    """Register a check. Its versions are those of Scrapy and of SHOWN."""

    def register(function: Check) -> Check:
        CHECKS[name] = Entry(name, title, requirements or ("scrapy",), ("scrapy", *shown), function)
        return function

    return register
