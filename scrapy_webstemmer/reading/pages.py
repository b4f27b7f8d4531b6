"""Reading many pages, in this process or in others; what they have in common is kept once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from ..base.workers import Workers
from ..values import Page
from .page import Reading, Wanted, read_page

__all__ = ["Shared", "read_pages"]

_Value = TypeVar("_Value", bound=Hashable)


def read_pages(pages: Iterable[tuple[Page, Wanted]], workers: int = 1) -> Iterator[tuple[Page, Reading]]:
    """Yield pages with what was read of them, in their order.

    :param pages: each with the parts that are wanted of it.
    :param workers: number of processes that read; 1: this one does.
    :raises WorkerError: if one of them dies.
    """
    shared = Shared()
    with Workers[Page, tuple[Page, Wanted], Reading](_Reader(), workers) as pool:
        for page, wanted in pages:
            bare = Page(page.url, page.body, page.encoding, aliases=page.aliases)
            for read, found in pool.add(page, (bare, wanted), len(page.body)):
                yield read, shared.reading(found)
        for read, found in pool.rest():
            yield read, shared.reading(found)


class _Reader:
    """Reads pages; equal values are one object, so that a process sends them once in a batch."""

    def __init__(self) -> None:
        self._shared = Shared()

    def __call__(self, task: tuple[Page, Wanted]) -> Reading:
        return self._shared.reading(read_page(*task))


class Shared:
    """Equal values as one object: the pages of a site have most blocks and elements in common."""

    #: Number of values that are remembered: most come only once, and there is no end of them.
    most_values, most_columns = 50_000, 5_000

    def __init__(self) -> None:
        self._values: dict[Any, Any] = {}
        self._columns: dict[Any, Any] = {}

    def all(self, values: Sequence[_Value]) -> list[_Value]:
        """Return the values, each replaced by an equal one that came before; cost: a look-up each."""
        if len(self._values) > self.most_values:
            self._values.clear()
        return list(map(self._values.setdefault, values, values))

    def column(self, column: tuple[_Value, ...]) -> tuple[_Value, ...]:
        """Return a tuple, or an equal one that came before."""
        if len(self._columns) > self.most_columns:
            self._columns.clear()
        return cast("tuple[_Value, ...]", self._columns.setdefault(column, column))

    def reading(self, reading: Reading) -> Reading:
        """Return what was read of a page, with equal blocks and shapes of earlier pages in it."""
        layout = reading.layout
        if layout is None:
            return reading
        layout = replace(
            layout,
            steps=self.column(layout.steps),
            parents=self.column(layout.parents),
            links=self.column(layout.links),
            leads=self.column(layout.leads),
            blocks=tuple(self.all(layout.blocks)),
        )
        return replace(reading, layout=layout)
