"""Reading many pages: in this process or in others, or what was kept of them from an earlier run."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

from .packing import Reading, pack, unpack
from .reading import Wanted, digest_of, read_page
from .shelf import ShelvedPage
from .values import Block, Layout, Page, Step
from .workers import Workers

__all__ = ["Read", "Readings", "read_pages"]

_Value = TypeVar("_Value")


class Read(NamedTuple):
    """What was read of a page.

    :param reading: to learn from.
    :param packed: the same as a learning set keeps it; empty if none does.
    """

    reading: Reading
    packed: bytes = b""


class Readings(list[Read]):
    """What was read of several pages, on its way from one process to another.

    What recurs on pages of one site, most blocks, steps and anchors, is sent once. Plain values, marshalled,
    are fastest, and both processes run the same Python.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (_sent(self),)


def read_pages(pages: Iterable[Page], wanted: Wanted, workers: int = 1) -> Iterator[tuple[Page, Reading]]:
    """Yield pages with what was read of them, in any order.

    What a learning set has kept of a page is not read again, if neither the page, what is wanted of it nor
    the code that reads it have changed since; what it has not is kept there.

    :param workers: read in so many processes; 1: in this one.
    :raises WorkerError: if one of them dies.
    """
    read = partial(_read, wanted=wanted)
    with Workers[tuple[Page, bytes], tuple[Page, bool], Read](read, workers, Readings) as pool:
        for page in pages:
            digest = digest_of(page, wanted) if isinstance(page, ShelvedPage) else b""
            kept = _kept(page, digest)
            if kept is not None:
                yield page, kept
                continue
            plain = Page(page.url, page.body, page.encoding, aliases=page.aliases)
            yield from map(_keep, pool.add((page, digest), (plain, bool(digest)), len(page.body)))
        yield from map(_keep, pool.rest())


def _kept(page: Page, digest: bytes) -> Reading | None:
    """Return what a learning set has kept of a page, if that is of today."""
    if not isinstance(page, ShelvedPage) or page.kept is None or page.kept[0] != digest:
        return None
    return unpack(page.kept[1])


def _read(task: tuple[Page, bool], wanted: Wanted) -> Read:
    """Read a page, and pack what was read if it is to be kept."""
    page, keep = task
    reading = read_page(page, wanted)
    return Read(reading, pack(reading) if keep else b"")


def _keep(done: tuple[tuple[Page, bytes], Read]) -> tuple[Page, Reading]:
    """Return a page with what was read of it; if its learning set keeps that, it does now."""
    (page, digest), read = done
    if isinstance(page, ShelvedPage):
        page.shelf.keep(page.row, digest, read.packed)
    return page, read.reading


class _Numbers(dict[_Value, int]):
    """Different values, each with its number in the order in which they are first asked for."""

    def __missing__(self, value: _Value) -> int:
        self[value] = number = len(self)
        return number


def _sent(readings: Iterable[Read]) -> bytes:
    """Return as bytes the different blocks, steps and anchors, and for each page the numbers of its own."""
    blocks, steps, anchors = _Numbers[Block](), _Numbers[Step](), _Numbers[tuple[str, str]]()
    pages = []
    for reading, packed in readings:
        layout = reading.layout
        page: list[Any] = [packed, reading.problem, list(map(anchors.__getitem__, reading.anchors))]
        if layout is not None:
            page += layout.url, layout.title_element, layout.og_title
            page += layout.parents, layout.links, layout.leads
            page += list(map(steps.__getitem__, layout.steps)), list(map(blocks.__getitem__, layout.blocks))
        pages.append(page)
    return marshal.dumps([pages, *(list(zip(*values, strict=True)) for values in (blocks, steps, anchors))])


def _received(sent: bytes) -> list[Read]:
    """Return the readings that were sent as bytes; what recurs in them is one object."""
    pages, *columns = marshal.loads(sent)  # noqa: S302 - from a process of ours
    rows = [zip(*values, strict=True) for values in columns]
    blocks, steps, anchors = list(map(Block._make, rows[0])), list(map(Step._make, rows[1])), list(rows[2])
    readings = []
    for packed, problem, own, *rest in pages:
        layout = _layout(rest, steps, blocks) if rest else None
        readings.append(Read(Reading(layout, tuple(map(anchors.__getitem__, own)), problem), packed))
    return readings


def _layout(fields: list[Any], steps: list[Step], blocks: list[Block]) -> Layout:
    url, title_element, og_title, parents, links, leads, its_steps, its_blocks = fields
    return Layout(
        url=url,
        steps=tuple(map(steps.__getitem__, its_steps)),
        parents=parents,
        links=links,
        leads=leads,
        blocks=tuple(map(blocks.__getitem__, its_blocks)),
        title_element=title_element,
        og_title=og_title,
    )
