"""What was read of pages as bytes: on the way from one process to another, and as a learning set keeps it.

Pages of one site have most blocks, elements and anchors in common, so those of
a batch of pages are written once, and a page has their numbers. All strings are
joined by a sign that is in none of them, and all numbers stand behind them in
one array: both are written and read at once. Nothing says how the bytes are to
be read: who keeps them drops what another release or machine has kept.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from typing import Any, Generic, TypeVar, cast

from .values import Block, Layout, Step

__all__ = ["Reading", "Shared", "pack", "unpack"]

#: Type of the numbers, and bytes of the first one, which says how long the strings are.
_NUMBER, _HEAD = "i", 4
#: Strings that each page has for itself: the problem, the url and two titles.
_OWN = 4
#: In the place of the number of nodes: there is no layout.
_NO_LAYOUT = -1

_Value = TypeVar("_Value", bound=Hashable)
_Item = TypeVar("_Item")

#: Makes a block of its parts, in a third of the time that it takes to name them.
_block = cast("Callable[[tuple[int, str, int, int]], Block]", partial(tuple.__new__, Block))


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a page.

    :param layout: its layout, without the time when it was fetched; None if it could not be read.
    :param anchors: the links to other pages of its site: the key of the target and the text, each pair once.
    :param problem: why it could not be read; empty if it could.
    """

    layout: Layout | None
    anchors: tuple[tuple[str, str], ...] = ()
    problem: str = ""


class Shared:
    """Values of which equal ones are one object, also where they come in different batches."""

    #: So many are remembered: most come once only, and there is no end of them.
    most_values, most_columns = 50_000, 5_000

    def __init__(self) -> None:
        self._values: dict[Any, Any] = {}
        self._columns: dict[Any, Any] = {}

    def all(self, values: Sequence[_Value]) -> list[_Value]:
        """Return values, in the place of each one before that was equal; cost: a look-up each."""
        if len(self._values) > self.most_values:
            self._values.clear()
        return list(map(self._values.setdefault, values, values))

    def column(self, column: tuple[_Value, ...]) -> tuple[_Value, ...]:
        """Return what each node of a page has, or a column before that was equal."""
        if len(self._columns) > self.most_columns:
            self._columns.clear()
        return cast("tuple[_Value, ...]", self._columns.setdefault(column, column))

    def reading(self, reading: Reading) -> Reading:
        """Return what was read of a page; its blocks and its shape are those of pages before, where equal."""
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


def pack(readings: Sequence[Reading]) -> bytes:
    """Return what was read of some pages as bytes; cost: a look-up for each node, block and anchor."""
    tables = _Tables()
    own: list[str] = []
    pages: list[int] = []
    for reading in readings:
        tables.add(reading, pages)
        layout = reading.layout
        own.append(reading.problem)
        own += ("", "", "") if layout is None else (layout.url, layout.title_element, layout.og_title)
    columns, strings = tables.columns()
    text = _joined([*own, *strings])
    numbers = array(_NUMBER, [len(readings), *tables.sizes(), *columns, *pages])
    return b"".join((len(text).to_bytes(_HEAD, "little"), text, numbers.tobytes()))


def unpack(packed: bytes, shared: Shared) -> list[Reading]:
    """Return what was packed; what recurs is one object, in all that is unpacked with the same memory.

    :raises ValueError: nobody packed these bytes.
    """
    end = _HEAD + int.from_bytes(packed[:_HEAD], "little")
    columns = array(_NUMBER)
    columns.frombytes(packed[end:])
    try:
        text = packed[_HEAD:end].decode("utf-8", "surrogatepass")
        strings, numbers = _Values(text[1:].split(text[0]) if text else []), _Values(columns.tolist())
        pages, *sizes = numbers.take(5)
        if not 0 <= _OWN * pages <= strings.left:
            raise ValueError(f"cannot be {pages} pages")
        own = [strings.take(_OWN) for _ in range(pages)]
        tables = _read_tables(sizes, numbers, strings, shared)
        readings = [_reading(one, numbers, tables, shared) for one in own]
        if numbers.left or strings.left:
            raise ValueError("there is more than was packed")
        return readings
    except (TypeError, IndexError) as error:
        raise ValueError(f"cannot be unpacked: {error}") from error


def _numbered() -> defaultdict[Any, int]:
    """Return a dictionary that numbers different values in the order in which they are first asked for."""
    return defaultdict(count().__next__)


class _Tables:
    """What recurs on pages, numbered."""

    def __init__(self) -> None:
        self._anchors: dict[tuple[str, str], int] = _numbered()
        self._steps: dict[Step, int] = _numbered()
        self._blocks: dict[Block, int] = _numbered()
        self._texts: dict[str, int] = _numbered()

    def add(self, reading: Reading, numbers: list[int]) -> None:
        """Write a page as numbers."""
        numbers.append(len(reading.anchors))
        numbers += map(self._anchors.__getitem__, reading.anchors)
        layout = reading.layout
        if layout is None:
            numbers.append(_NO_LAYOUT)
            return
        numbers.append(len(layout.steps))
        numbers += map(self._steps.__getitem__, layout.steps)
        for column in (layout.parents, layout.links, layout.leads):
            numbers += column
        numbers.append(len(layout.blocks))
        numbers += map(self._blocks.__getitem__, layout.blocks)

    def columns(self) -> tuple[list[int], Iterator[str]]:
        """Return the numbers and the strings of which the numbered values consist."""
        numbers = [len(step.classes) for step in self._steps]
        nodes, texts, weights, plain = zip(*self._blocks, strict=True) if self._blocks else ((),) * 4
        for column in (nodes, map(self._texts.__getitem__, texts), weights, plain):
            numbers += column
        looks = ((step.tag, step.id, *step.classes) for step in self._steps)
        return numbers, chain(*self._anchors, *looks, self._texts)

    def sizes(self) -> tuple[int, ...]:
        """Return how many anchors, steps, blocks and texts there are."""
        return len(self._anchors), len(self._steps), len(self._blocks), len(self._texts)


def _joined(strings: Sequence[str]) -> bytes:
    """Return strings as one, each behind a sign that is in none of them."""
    whole = "".join(strings)
    sign = next(sign for sign in map(chr, count()) if sign not in whole)
    return sign.join(("", *strings)).encode("utf-8", "surrogatepass")


class _Values(Generic[_Item]):
    """Numbers or strings that are read from their beginning."""

    def __init__(self, values: list[_Item]) -> None:
        self._values, self._at = values, 0

    def take(self, size: int) -> list[_Item]:
        """Return the next ones.

        :raises ValueError: there are not so many.
        """
        if not 0 <= size <= self.left:
            raise ValueError(f"{size} values are wanted, and {self.left} are left")
        self._at += size
        return self._values[self._at - size : self._at]

    @property
    def left(self) -> int:
        """How many have not been read."""
        return len(self._values) - self._at


#: Anchors, steps and blocks.
_Recurring = tuple[list[tuple[str, str]], list[Step], list[Block]]


def _read_tables(
    sizes: list[int], numbers: _Values[int], strings: _Values[str], shared: Shared
) -> _Recurring:
    size_of_anchors, size_of_steps, size_of_blocks, size_of_texts = sizes
    halves = strings.take(2 * size_of_anchors)
    anchors = list(zip(halves[::2], halves[1::2], strict=True))
    steps = [_step(*strings.take(2 + classes)) for classes in numbers.take(size_of_steps)]
    nodes, places, weights, plain = (numbers.take(size_of_blocks) for _ in range(4))
    texts = shared.all(strings.take(size_of_texts))
    blocks = list(map(_block, zip(nodes, map(texts.__getitem__, places), weights, plain, strict=True)))
    return anchors, shared.all(steps), blocks


def _step(tag: str, name: str, *classes: str) -> Step:
    return Step(tag, name, classes)


def _reading(own: list[str], numbers: _Values[int], tables: _Recurring, shared: Shared) -> Reading:
    """Return what was read of a page, whose own strings are these."""
    problem, url, title_element, og_title = own
    anchors, steps, blocks = tables
    (size,) = numbers.take(1)
    pairs = tuple(map(anchors.__getitem__, numbers.take(size)))
    (size,) = numbers.take(1)
    if size == _NO_LAYOUT:
        return Reading(None, pairs, problem)
    looks = tuple(map(steps.__getitem__, numbers.take(size)))
    parents, links, leads = (tuple(numbers.take(size)) for _ in range(3))
    (size,) = numbers.take(1)
    layout = Layout(
        url=url,
        steps=shared.column(looks),
        parents=shared.column(parents),
        links=shared.column(links),
        leads=shared.column(leads),
        blocks=tuple(map(blocks.__getitem__, numbers.take(size))),
        title_element=title_element,
        og_title=og_title,
    )
    return Reading(layout, pairs, problem)
