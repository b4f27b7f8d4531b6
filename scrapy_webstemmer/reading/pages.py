"""Read many pages, in this process or in others. Parts that pages have in common are kept once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from ..base.workers import Workers
from ..values.pages import Page
from .page import Reading, Wanted, read_page

_Value = TypeVar("_Value", bound=Hashable)


def read_pages(pages: Iterable[tuple[Page, Wanted]], workers: int = 1) -> Iterator[tuple[Page, Reading]]:
    """Yield each page with the result of reading it, in the order of the pages.

    :param pages: each page with its wanted parts.
    :param workers: number of processes that read; 1: this process reads.
    :raises WorkerError: one of the processes has died.
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
    """Reads pages. Equal values become one object, so that a process sends them once per batch."""

    def __init__(self) -> None:
        self._shared = Shared()

    def __call__(self, task: tuple[Page, Wanted]) -> Reading:
        return self._shared.reading(read_page(*task))


class Shared:
    """Replaces equal values by one object: the pages of a site have most blocks and elements in common."""

    #: The most values that are kept: most values come only once, and a crawl may have any number of them.
    most_values, most_columns = 50_000, 5_000

    def __init__(self) -> None:
        self._values: dict[Any, Any] = {}
        self._columns: dict[Any, Any] = {}

    def all(self, values: Sequence[_Value]) -> list[_Value]:
        """Return the values, each replaced by an equal one that came before. Cost: a look-up per value."""
        if len(self._values) > self.most_values:
            self._values.clear()
        return list(map(self._values.setdefault, values, values))

    def column(self, column: tuple[_Value, ...]) -> tuple[_Value, ...]:
        """Return an equal tuple that came before, or the tuple itself."""
        if len(self._columns) > self.most_columns:
            self._columns.clear()
        return cast("tuple[_Value, ...]", self._columns.setdefault(column, column))

    def reading(self, reading: Reading) -> Reading:
        """Return a reading in which equal parts of earlier pages replace the blocks and elements."""
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
            stated=self._values.setdefault(layout.stated, layout.stated),
        )
        return replace(reading, layout=layout)
