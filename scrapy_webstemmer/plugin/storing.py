"""The learning set that a crawl fills, and the pages that wait until another program leaves it alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from ..errors import LearningSetError, OptionError
from ..items import PageItem
from ..storage.sqlite import SqliteLearningSet
from ..storage.zip_writer import ZipCrawl
from ..values import Page
from .settings import setting_name

__all__ = ["MAX_BYTES", "MAX_ITEMS", "PATIENCE", "LearningSet", "WaitingItems", "open_learning_set"]

#: Seconds that a page waits for another program that is writing: a crawl stands still meanwhile.
PATIENCE = 1.0

#: How many items may wait, and how many bytes their pages may have together; beyond, the oldest one fails.
MAX_ITEMS, MAX_BYTES = 1_000, 16 * 1024 * 1024


class LearningSet(Protocol):
    """What is asked of a learning set that a crawl fills; what fails raises a LearningSetError."""

    path: Path

    def add_page(self, page: Page, anchors: Iterable[tuple[str, str]] | None = None) -> None:
        """Store a page and its (target url, anchor text) pairs, safe on return; None: leave them alone."""

    def add_anchors(self, url: str, anchors: Iterable[tuple[str, str]]) -> None:
        """Record the anchors of a page that is not stored."""

    def wait_up_to(self, seconds: float) -> None:
        """Set how long a change waits for another process that is writing."""

    def close(self) -> None:
        """Finish the file."""


def open_learning_set(path: Path, timestamp: str, linkinfo: str = "linkinfo") -> LearningSet:
    """Return a learning set to add to; a new one, in a new folder, where there is none.

    :param path: a zip in the layout of 2009 if it ends in ``.zip``, written at the end; else a SQLite file.
    :param timestamp: what the names in a zip begin with.
    :param linkinfo: what a zip calls its linkinfo; empty: it gets none.
    :raises OptionError: that cannot be done; names the setting and the file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == ".zip":
            return ZipCrawl(path, timestamp, linkinfo)
        learning_set = SqliteLearningSet(path)
        learning_set.wait_up_to(PATIENCE)
        return learning_set
    except (LearningSetError, OSError) as error:
        raise OptionError(setting_name("learning_set"), str(path), str(error)) from None


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
