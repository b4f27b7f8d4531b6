"""Draw samples of a site's pages by their names: the order in which the pages come does not change them."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush, nsmallest
from operator import attrgetter
from typing import TypeVar

#: Old entries are dropped when the list has this many times more entries than the sample may have pages.
_STALE = 4


_Page = TypeVar("_Page")


def drawn(
    pages: Sequence[_Page], size: int, url: Callable[[_Page], str] = attrgetter("url")
) -> Sequence[_Page]:
    """Return at most ``size`` of some pages, drawn by a digest of their urls. Their order is kept.

    A further page changes the sample by one page at most.

    :param size: 0: all pages.
    :param url: returns the url of a page.
    """
    if not 0 < size < len(pages):
        return pages
    digests = (hashlib.sha256(url(page).encode()).digest() for page in pages)
    chosen = nsmallest(size, zip(digests, range(len(pages)), strict=True))
    return [pages[number] for number in sorted(number for _, number in chosen)]


class PageSample:
    """A sample of a site's pages, drawn evenly from the directories of their urls.

    Most templates have their pages in one directory or a few. A template with few
    pages must not be lost beside an archive of a hundred thousand pages. So the
    pages of each directory are ordered by a digest, or first by a number that the
    caller gives, such as their age. The sample has the first page
    of each directory, then the second of each, and so on, until it is full. If
    there is no room for all pages of a rank, the first of them in the same order come
    in.

    A page that is left out once never comes back, since further pages only push it
    back. So nothing has to be kept for it.
    """

    def __init__(self, size: int) -> None:
        """Make an empty sample.

        :param size: the most pages that the sample may have; 0: no limit.
        """
        self._size = size
        self._count = 0
        #: The pages of each directory, first to last.
        self._directories: dict[str, list[tuple[float, int, str]]] = {}
        #: Directories by their size and their last page, largest first. Some entries are old.
        self._last: list[tuple[int, float, int, str]] = []

    def add(self, key: str, place: float = 0) -> str | None:
        """Add a page. Return the page that is left out in its place (it may be the same one), or None.

        :param key: the page's url without its scheme. Each page is added once. What follows a ``#`` tells
            several versions of a page apart, and counts neither for the directory nor for the digest.
        :param place: pages with a smaller number come first. The digest orders those with the same number.

        Cost: the logarithm of the sample's size.
        """
        if not self._size:
            return None
        name = key.partition("#")[0]
        directory = name.partition("?")[0].rpartition("/")[0]
        pages = self._directories.setdefault(directory, [])
        insort(pages, (place, digest_of(name), key))
        self._note(directory)
        self._count += 1
        if self._count <= self._size:
            return None
        self._count -= 1
        return self._leave_out()

    def _leave_out(self) -> str:
        """Remove and return a page of the highest rank: of these the last one by place and digest."""
        while True:
            entry = heappop(self._last)
            directory = entry[-1]
            if directory in self._directories and self._entry(directory) == entry:
                break
        pages = self._directories[directory]
        *_, key = pages.pop()
        if pages:
            self._note(directory)
        else:
            del self._directories[directory]
        return key

    def _note(self, directory: str) -> None:
        heappush(self._last, self._entry(directory))
        if len(self._last) > _STALE * self._size:
            self._last = [self._entry(directory) for directory in self._directories]
            heapify(self._last)

    def _entry(self, directory: str) -> tuple[int, float, int, str]:
        pages = self._directories[directory]
        place, digest, _ = pages[-1]
        return -len(pages), -place, -digest, directory


def digest_of(key: str) -> int:
    """Return a digest of a page's key, by which samples are drawn."""
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
