"""What a learning set keeps of its pages beside them: what was read of each, so that it is read but once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .values import Page

__all__ = ["Shelf", "ShelvedPage"]


class Shelf(Protocol):
    """Where what was read of pages is kept from one run to the next."""

    def keep(self, row: int, digest: bytes, packed: bytes) -> None:
        """Keep what was read of a page; where that fails, nothing is kept, and nothing raised."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ShelvedPage(Page):
    """A page of a learning set that keeps what is read of its pages.

    :param shelf: where it does.
    :param row: the page's number there.
    :param kept: digest and bytes of what is kept already; None if nothing is.
    """

    shelf: Shelf
    row: int
    kept: tuple[bytes, bytes] | None
