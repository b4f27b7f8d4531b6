"""The base class of all sources of pages: iteration, linkinfo, and the records that were skipped."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from ..errors import visible
from ..values import Linkinfo, Page

__all__ = ["MAX_BODY", "PageSource", "Skipped"]

#: Bytes that a decompressed page may have. A larger page is refused, so that it does not fill the memory.
MAX_BODY = 64 * 1024 * 1024

#: The reason that is reported for a larger page.
TOO_LARGE = f"larger than {MAX_BODY // 1024 // 1024} MiB"

logger = logging.getLogger("scrapy_webstemmer.storage")


class Skipped(NamedTuple):
    """A record that could not be read: its url, member, line or file, and the reason."""

    record: str
    reason: str


class PageSource(ABC):
    """Pages of one or many sites, read one at a time.

    Iteration holds one page in memory. It can be repeated, and always gives the same order. Unreadable
    records are skipped, named in :attr:`skipped` and logged, once each.

    :param path: the file or folder; ``-`` for a list from standard input.
    :param encoding: the charset of pages for which the source records none.
    """

    def __init__(self, path: str | Path, *, encoding: str | None = None) -> None:
        self.path = Path(path)
        self.encoding = encoding
        self.skipped: list[Skipped] = []
        self._known: set[Skipped] = set()

    @abstractmethod
    def __iter__(self) -> Iterator[Page]:
        """Yield the pages.

        :raises LearningSetError: the source as a whole cannot be read any further.
        """

    def linkinfo(self) -> Linkinfo | None:
        """Return the recorded anchor texts by canonical url, or None if none are recorded."""
        return None

    def count(self) -> int | None:
        """Return how many records iteration goes through, or None if only reading all would tell."""
        return None

    def close(self) -> None:  # noqa: B027 - most sources keep nothing open
        """Close what is open. Further calls do nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _skip(self, record: str, reason: str) -> None:
        skipped = Skipped(record, reason)
        if skipped in self._known:
            return
        self._known.add(skipped)
        self.skipped.append(skipped)
        logger.warning("%s: %s: skipped: %s", self.path, visible(record), visible(reason))
