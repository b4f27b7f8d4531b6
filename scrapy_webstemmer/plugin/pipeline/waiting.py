"""The pages that wait until another program leaves the learning set alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from ...errors import LearningSetError
from ...items import PageItem

__all__ = ["MAX_BYTES", "MAX_ITEMS", "WaitingItems"]

#: How many items may wait, and how many bytes their pages may have together; beyond, the oldest one fails.
MAX_ITEMS, MAX_BYTES = 1_000, 16 * 1024 * 1024


class WaitingItems:
    """Items in the order in which they came, until they are stored or have failed.

    Some programs lock a file for minutes, and a crawl is not to stand still meanwhile.

    :param store: stores an item, or raises.
    """

    def __init__(self, store: Callable[[PageItem], object]) -> None:
        self._store = store
        self._items: deque[PageItem] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    def add(self, item: PageItem) -> None:
        """Put an item at the end."""
        self._items.append(item)
        self._bytes += len(item.page.body)

    def store(self, *, all_of_them: bool = False) -> Iterator[tuple[PageItem, Exception | None]]:
        """Try to store the items, and yield each that is done with, and why if it has failed.

        Where the file is in use the rest wait, unless they are too many.

        :param all_of_them: none may wait any longer.
        """
        while self._items:
            item, failure = self._items[0], None
            try:
                self._store(item)
            except Exception as error:
                if _may_succeed(error) and not all_of_them and not self._are_too_many():
                    return
                failure = error
            self._items.popleft()
            self._bytes -= len(item.page.body)
            yield item, failure

    def _are_too_many(self) -> bool:
        return len(self._items) > MAX_ITEMS or self._bytes > MAX_BYTES


def _may_succeed(error: Exception) -> bool:
    return isinstance(error, LearningSetError) and error.busy
