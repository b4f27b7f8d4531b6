"""Samples of a site's pages that are the same whatever the order in which they come."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections.abc import Sequence
from heapq import heapify, heappop, heappush, nsmallest
from typing import Protocol, TypeVar

__all__ = ["PageSample", "drawn"]

#: Entries that may be out of date are dropped when there are so many times more of them than pages.
_STALE = 4


class _Named(Protocol):
    """What has a url."""

    @property
    def url(self) -> str: ...


_Page = TypeVar("_Page", bound=_Named)


def drawn(pages: Sequence[_Page], size: int) -> Sequence[_Page]:
    """Return at most so many of some pages, drawn by a digest of their urls; 0: all. Their order is kept.

    A site that grows by a page changes its sample by one page at most.
    """
    if not 0 < size < len(pages):
        return pages
    digests = (hashlib.sha256(page.url.encode()).digest() for page in pages)
    chosen = nsmallest(size, zip(digests, range(len(pages)), strict=True))
    return [pages[number] for number in sorted(number for _, number in chosen)]


class PageSample:
    """At most so many of a site's pages, drawn evenly from the directories of their urls.

    A template has its pages in a directory or a few, mostly, and a small one must
    not be lost beside an archive of a hundred thousand pages. So each directory's
    pages are ordered by a digest, and the sample has the first page of each, then
    the second, and so on, until it is full; where there is no room for all of the
    same rank, those with the smallest digests.

    A page that is left out once would be left out at the end as well, since
    further pages only push it back: nothing has to be kept for it.
    """

    def __init__(self, size: int) -> None:
        """Make an empty sample.

        :param size: how many pages it may have; 0: all.
        """
        self._size = size
        self._count = 0
        self._directories: dict[str, list[tuple[int, str]]] = {}
        #: By size of the directory and digest of its last page, both largest first; may be out of date.
        self._last: list[tuple[int, int, str]] = []

    def add(self, key: str) -> str | None:
        """Take a page in; return the one that is left out for it, which may be itself, or None.

        :param key: the page's url without its scheme; each is added once.

        Cost: the logarithm of the sample's size.
        """
        if not self._size:
            return None
        directory = key.partition("?")[0].rpartition("/")[0]
        pages = self._directories.setdefault(directory, [])
        insort(pages, (_digest(key), key))
        self._note(directory)
        self._count += 1
        if self._count <= self._size:
            return None
        self._count -= 1
        return self._leave_out()

    def _leave_out(self) -> str:
        """Return the page of the highest rank, and of these the one with the largest digest."""
        while True:
            entry = heappop(self._last)
            directory = entry[2]
            if directory in self._directories and self._entry(directory) == entry:
                break
        pages = self._directories[directory]
        _, key = pages.pop()
        if pages:
            self._note(directory)
        else:
            del self._directories[directory]
        return key

    def _note(self, directory: str) -> None:
        heappush(self._last, self._entry(directory))
        if len(self._last) > _STALE * self._size:
            self._last = [self._entry(one) for one in self._directories]
            heapify(self._last)

    def _entry(self, directory: str) -> tuple[int, int, str]:
        pages = self._directories[directory]
        return -len(pages), -pages[-1][0], directory


def _digest(key: str) -> int:
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
