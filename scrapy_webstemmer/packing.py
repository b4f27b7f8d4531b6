"""What was read of a page as bytes, as a learning set keeps it.

All strings, joined by a sign that is in none of them, and all numbers behind
them in one array: both are written and read at once. Nothing says how the bytes
are to be read: who keeps them drops what another release or machine has kept.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, count, islice
from typing import cast

from .values import Block, Layout, Step

__all__ = ["Reading", "pack", "unpack"]

#: Bytes of what was read of a page, decompressed; there is no more in it than that page had.
_LARGEST = 64 * 1024 * 1024
#: Type of the numbers, and bytes of the first one, which says how long the strings are.
_NUMBER, _HEAD = "i", 4

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


def pack(reading: Reading) -> bytes:
    """Return what was read as bytes, compressed: a fifth of the page as it was fetched."""
    return zlib.compress(_to_bytes(reading), 1)


def unpack(packed: bytes) -> Reading | None:
    """Return what was packed; None if it is damaged."""
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(packed, _LARGEST)
        return _from_bytes(data) if inflater.eof else None
    except (ValueError, TypeError, IndexError, StopIteration, RuntimeError, zlib.error):
        return None


def _to_bytes(reading: Reading) -> bytes:
    layout, anchors = reading.layout, reading.anchors
    strings = [reading.problem, *chain.from_iterable(anchors)]
    numbers = array(_NUMBER, (len(anchors),))
    if layout is not None:
        kinds = {step: number for number, step in enumerate(dict.fromkeys(layout.steps))}
        nodes, texts, weights, plain = zip(*layout.blocks, strict=True) if layout.blocks else ((),) * 4
        strings += [layout.url, layout.title_element, layout.og_title, *texts]
        for step in kinds:
            strings += (step.tag, step.id, *step.classes)
        numbers.extend((len(layout.steps), len(texts), len(kinds), *[len(step.classes) for step in kinds]))
        columns = ([kinds[step] for step in layout.steps], layout.parents, layout.links, layout.leads)
        numbers.extend(chain(*columns, nodes, weights, plain))
    whole = "".join(strings)
    sign = next(sign for sign in map(chr, count()) if sign not in whole)
    text = (sign + sign.join(strings)).encode("utf-8", "surrogatepass")
    return len(text).to_bytes(_HEAD, "little") + text + numbers.tobytes()


def _from_bytes(data: bytes) -> Reading:
    end = _HEAD + int.from_bytes(data[:_HEAD], "little")
    text = data[_HEAD:end].decode("utf-8", "surrogatepass")
    strings = iter(text[1:].split(text[0]))
    columns = array(_NUMBER)
    columns.frombytes(data[end:])
    numbers = _Numbers(columns)
    problem, (anchors,) = next(strings), numbers.take(1)
    pairs = tuple([(next(strings), next(strings)) for _ in range(anchors)])
    if numbers.none_left():
        return Reading(None, pairs, problem)
    return Reading(_layout(strings, numbers), pairs, problem)


def _layout(strings: Iterator[str], numbers: _Numbers) -> Layout:
    url, title_element, og_title = islice(strings, 3)
    size, blocks, kinds = numbers.take(3)
    texts = list(islice(strings, blocks))
    known = [_step(*islice(strings, 2 + classes)) for classes in numbers.take(kinds)]
    steps, parents, links, leads = (numbers.take(size) for _ in range(4))
    columns = numbers.take(blocks), texts, numbers.take(blocks), numbers.take(blocks)
    return Layout(
        url=url,
        steps=tuple([known[number] for number in steps]),
        parents=tuple(parents),
        links=tuple(links),
        leads=tuple(leads),
        blocks=tuple(map(_block, zip(*columns, strict=True))),
        title_element=title_element,
        og_title=og_title,
    )


@lru_cache(maxsize=10_000)
def _step(tag: str, name: str, *classes: str) -> Step:
    """Return what an element looks like; the pages of a site share most of theirs."""
    return Step(tag, name, classes)


class _Numbers:
    """An array that is read from its beginning."""

    def __init__(self, values: array[int]) -> None:
        self._values, self._at = values, 0

    def take(self, size: int) -> array[int]:
        """Return the next ones; fewer if there are no more."""
        self._at += size
        return self._values[self._at - size : self._at]

    def none_left(self) -> bool:
        return self._at >= len(self._values)
