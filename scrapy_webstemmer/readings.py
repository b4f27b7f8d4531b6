"""Reading many pages: in this process or in others, or what was kept of them from an earlier run."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from .errors import PageError
from .packing import Reading, Shared, pack, unpack
from .reading import Wanted, digest_of, read_page
from .shelf import Shelf, ShelvedPage
from .values import Page
from .workers import Workers

__all__ = ["read_pages"]

#: Pages of a batch at most, and bytes of them from which on it takes no further one. What they have in common
#: is packed once; but a batch is unpacked as a whole, also when most of its pages have changed since.
_BATCH, _BATCH_SIZE = 64, 1 << 20
#: Bytes of a batch that was kept, decompressed; there is hardly more in it than its pages had.
_LARGEST = 256 * 1024 * 1024


class _Task(NamedTuple):
    """Pages to read, each with what is wanted of it, and whether a learning set keeps what is read."""

    pages: list[tuple[Page, Wanted]]
    keep: bool


class _Read(NamedTuple):
    """What was read of some pages, packed if that was in another process; and as it is kept, or nothing."""

    readings: list[Reading] | bytes
    kept: bytes


def read_pages(pages: Iterable[tuple[Page, Wanted]], workers: int = 1) -> Iterator[tuple[Page, Reading]]:
    """Yield pages with what was read of them, in any order; a damaged one is passed over.

    What a learning set has kept of a page is not read again, if neither the page, what is wanted of it nor
    the code that reads it have changed since; what it has not is kept there.

    :param pages: each with what is wanted of it.
    :param workers: read in so many processes; 1: in this one.
    :raises WorkerError: if one of them dies.
    """
    shared = Shared()
    kept, batch = _Kept(shared), _Batch(None)
    read = partial(_read, is_sent=workers > 1)
    with Workers[_Batch, _Task, _Read](read, workers, batch=1) as pool:
        for page, wanted in pages:
            digest = digest_of(page, wanted) if isinstance(page, ShelvedPage) else b""
            reading = kept.of(page, digest)
            if reading is not None:
                yield page, reading
                continue
            if not batch.has_room_for(page):
                yield from _taken(pool.add(batch, batch.task), shared)
                batch = _Batch(_shelf_of(page))
            batch.add(page, wanted, digest)
        yield from _taken(pool.add(batch, batch.task), shared)
        yield from _taken(pool.rest(), shared)


class _Batch:
    """Pages that are read together, all from one shelf or from none."""

    def __init__(self, shelf: Shelf | None) -> None:
        self.shelf = shelf
        self.pages: list[Page] = []
        self.rows: list[tuple[int, bytes]] = []
        self.task = _Task([], shelf is not None)
        self._size = 0

    def has_room_for(self, page: Page) -> bool:
        """Return whether a page can be added."""
        is_full = len(self.pages) >= _BATCH or self._size >= _BATCH_SIZE
        return not is_full and self.shelf is _shelf_of(page)

    def add(self, page: Page, wanted: Wanted, digest: bytes) -> None:
        """Take a page in; a damaged one is not, and its source has named it."""
        try:
            plain = Page(page.url, page.body, page.encoding, aliases=page.aliases)
        except PageError:
            return
        if isinstance(page, ShelvedPage):
            self.rows.append((page.row, digest))
        self.pages.append(page)
        self.task.pages.append((plain, wanted))
        self._size += len(plain.body)


def _shelf_of(page: Page) -> Shelf | None:
    return page.shelf if isinstance(page, ShelvedPage) else None


def _read(task: _Task, *, is_sent: bool) -> _Read:
    """Read some pages, and pack what was read if it is sent or kept."""
    readings = [read_page(page, wanted) for page, wanted in task.pages]
    packed = pack(readings) if is_sent or task.keep else b""
    return _Read(packed if is_sent else readings, zlib.compress(packed, 1) if task.keep else b"")


def _taken(done: Iterable[tuple[_Batch, _Read]], shared: Shared) -> Iterator[tuple[Page, Reading]]:
    """Yield pages with what was read of them; if their learning set keeps that, it does now."""
    for batch, (found, kept) in done:
        if batch.shelf is not None:
            batch.shelf.keep(batch.rows, kept)
        readings = unpack(found, shared) if isinstance(found, bytes) else map(shared.reading, found)
        yield from zip(batch.pages, readings, strict=True)


class _Kept:
    """What shelves have kept, unpacked a batch at a time: a batch's pages come one after the other."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._at: tuple[Shelf, int] | None = None
        self._readings: Sequence[Reading] = ()

    def of(self, page: Page, digest: bytes) -> Reading | None:
        """Return what is kept of a page, if it is of today and whole."""
        if not isinstance(page, ShelvedPage) or page.kept is None or page.kept.digest != digest:
            return None
        _, batch, place = page.kept
        if self._at != (page.shelf, batch):
            self._at, self._readings = (page.shelf, batch), self._open(page.shelf.batch(batch))
        return self._readings[place] if 0 <= place < len(self._readings) else None

    def _open(self, kept: bytes | None) -> Sequence[Reading]:
        inflater = zlib.decompressobj()
        try:
            packed = inflater.decompress(kept or b"", _LARGEST)
            return unpack(packed, self._shared) if inflater.eof else ()
        except (ValueError, zlib.error):
            return ()
