"""Keep pages in memory until they are stored: for a moment, or while another program has locked the file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from ..errors import LearningSetError
from ..items import CrawledPage

#: At most so many items may wait, with pages of so many bytes together. Beyond that the oldest item fails.
MAX_ITEMS, MAX_BYTES = 1_000, 16 * 1024 * 1024
#: So many items, or pages of so many bytes, are worth a transaction of their own.
_BATCH, _BATCH_BYTES = 16, 1024 * 1024


class WaitingItems:
    """Items in the order in which they came, until they are stored or have failed.

    Some programs lock a file for minutes, and the crawl must not stand still meanwhile.

    :param store: stores items, all of them or none, or raises.
    """

    def __init__(self, store: Callable[[Sequence[CrawledPage]], object]) -> None:
        self._store = store
        self._items: deque[CrawledPage] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    @property
    def are_many(self) -> bool:
        """Whether they are enough to be stored together."""
        return len(self._items) >= _BATCH or self._bytes >= _BATCH_BYTES

    def add(self, item: CrawledPage) -> None:
        """Put an item at the end."""
        self._items.append(item)
        self._bytes += len(item.page.body)

    def store(self, *, all_of_them: bool = False) -> Iterator[tuple[CrawledPage, Exception | None]]:
        """Try to store the items; yield each one that is stored or has failed, with the error if it failed.

        If the file is in use, the remaining items go on waiting, unless they are too many.

        :param all_of_them: True: no item goes on waiting.
        """
        size = _BATCH
        while self._items:
            batch, failure = [self._items[number] for number in range(min(size, len(self._items)))], None
            try:
                self._store(batch)
            except Exception as error:
                if _may_succeed(error) and not all_of_them and not self._are_too_many():
                    return
                if len(batch) > 1:
                    size = 1  # one by one it shows which of them fail
                    continue
                failure = error
            for item in batch:
                self._items.popleft()
                self._bytes -= len(item.page.body)
                yield item, failure

    def _are_too_many(self) -> bool:
        return len(self._items) > MAX_ITEMS or self._bytes > MAX_BYTES


def _may_succeed(error: Exception) -> bool:
    return isinstance(error, LearningSetError) and error.busy
