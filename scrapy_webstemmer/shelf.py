"""What a learning set keeps of its pages beside them: what was read of each, so that it is read but once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from .values import Page

__all__ = ["Kept", "Shelf", "ShelvedPage"]


class Shelf(Protocol):
    """Where what was read of pages is kept from one run to the next, a batch of pages at a time."""

    def keep(self, rows: Sequence[tuple[int, bytes]], packed: bytes) -> None:
        """Keep what was read of some pages; where that fails, nothing is kept, and nothing raised.

        :param rows: the number and the digest of each page, in the order in which they were packed.
        """

    def batch(self, number: int) -> bytes | None:
        """Return what was packed, or None if that is gone or damaged."""


class Kept(NamedTuple):
    """Where what was read of a page is.

    :param digest: of all on which it depends.
    :param batch: number of the batch.
    :param place: of the page in its batch.
    """

    digest: bytes
    batch: int
    place: int


class ShelvedPage(Page):
    """A page of a learning set that keeps what is read of its pages; its body is inflated when asked for.

    :param stored: its body as it is stored.
    :param inflate: returns the body, or raises PageError if it is damaged.
    :param shelf: where what is read of it is kept.
    :param row: its number there.
    :param kept: what is there already; None if nothing is.
    """

    __slots__ = ("_inflate", "kept", "row", "shelf", "stored")
    stored: bytes
    shelf: Shelf
    row: int
    kept: Kept | None
    _inflate: Callable[[], bytes]

    def __init__(
        self,
        url: str,
        encoding: str | None = None,
        fetched: str | None = None,
        aliases: tuple[str, ...] = (),
        *,
        stored: bytes,
        inflate: Callable[[], bytes],
        shelf: Shelf,
        row: int,
        kept: Kept | None = None,
    ) -> None:
        fields: dict[str, object] = {
            "url": url,
            "encoding": encoding,
            "fetched": fetched,
            "aliases": aliases,
            "name": "",
            "stored": stored,
            "_inflate": inflate,
            "shelf": shelf,
            "row": row,
            "kept": kept,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)  # a page is frozen

    @property
    def body(self) -> bytes:
        """The page's bytes.

        :raises PageError: they are damaged.
        """
        return self._inflate()
