"""The same work on many things, in several processes: what comes out does not depend on their number."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from multiprocessing import get_context, parent_process
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from ..errors import WorkerError

__all__ = ["Workers"]

_Name = TypeVar("_Name")
_Thing = TypeVar("_Thing")
_Result = TypeVar("_Result")

logger = logging.getLogger("scrapy_webstemmer.workers")

#: A batch is sent once it has so many things, or such a size: small enough to keep all processes busy, large
#: enough that sending costs little.
_BATCH, _BATCH_SIZE = 32, 1 << 20
#: Batches that wait for each process, so that it finds work while this one is busy.
_IN_FLIGHT = 4


class Workers(Generic[_Name, _Thing, _Result]):
    """Processes that apply a function, and give the results in the order of the things.

    At most some batches are on their way, whatever number of things there is.
    A context manager; what has not begun when it is left is given up.

    :param function: what is to be done with a thing; it, the things and the results must be picklable.
    :param count: number of processes; 1: this one does it, at once.
    :param batch: send so many things at a time, or fewer if they are large.
    :param forked: the function holds too much to be sent: it is applied in copies of this process, which have
        all that it has; where these cannot be made safely, in this one, which is said once in the log.
    """

    def __init__(
        self,
        function: Callable[[_Thing], _Result],
        count: int,
        *,
        batch: int = _BATCH,
        forked: bool = False,
    ) -> None:
        self._function, self._batch, self._most = function, batch, _IN_FLIGHT * count
        self._names: list[_Name] = []
        self._things: list[_Thing] = []
        self._size = 0
        self._waiting: deque[tuple[list[_Name], Future[list[_Result]]]] = deque()
        self._pool: ProcessPoolExecutor | None = None
        context = _context()
        if count > 1 and (context.get_start_method() == "fork" or not forked):
            self._pool = ProcessPoolExecutor(count, context, partial(_begin, function))
        elif count > 1:
            _warn_once()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def add(self, name: _Name, thing: _Thing, size: int = 0) -> Iterator[tuple[_Name, _Result]]:
        """Yield results that are there, of this thing or of earlier ones, each with the name of its thing.

        :param name: stays in this process.
        :param size: bytes of the thing, or something like it.
        :raises WorkerError: if a process has died.
        """
        if self._pool is None:
            yield name, self._function(thing)
            return
        self._names.append(name)
        self._things.append(thing)
        self._size += size
        if len(self._things) >= self._batch or self._size >= _BATCH_SIZE:
            self._send(self._pool)
        while len(self._waiting) > self._most:
            yield from self._first()

    def rest(self) -> Iterator[tuple[_Name, _Result]]:
        """Yield all results that are still to come.

        :raises WorkerError: if a process has died.
        """
        if self._pool is not None and self._things:
            self._send(self._pool)
        while self._waiting:
            yield from self._first()

    def _send(self, pool: ProcessPoolExecutor) -> None:
        try:
            self._waiting.append((self._names, pool.submit(_work, self._things)))
        except BrokenProcessPool:
            raise WorkerError(_DIED) from None
        self._names, self._things, self._size = [], [], 0

    def _first(self) -> Iterator[tuple[_Name, _Result]]:
        names, future = self._waiting.popleft()
        try:
            results = future.result()
        except BrokenProcessPool:
            raise WorkerError(_DIED) from None
        return zip(names, results, strict=True)


_DIED = "a worker process has died: killed, or out of memory; fewer workers need less of it"

#: What a worker process applies; set once in each.
_function: Callable[[Any], Any]


def _context() -> BaseContext:
    """Return how processes begin: as copies of this one where that is safe, which saves them all imports."""
    safe = sys.platform == "linux" and threading.active_count() == 1
    return get_context("fork" if safe else "spawn")


@cache
def _warn_once() -> None:
    """Say why one process does what several were asked for."""
    why = "while other threads are running" if sys.platform == "linux" else f"on {sys.platform}"
    logger.warning("One process does the work of several: %s a process cannot be copied safely", why)


def _begin(function: Callable[[Any], Any]) -> None:
    """Begin a worker process. It ends when the process that gives it work has ended, however that came.

    Ctrl-C, and the end of the terminal, are for that process. Its handlers for signals are not for this one.

    The garbage collector skips what is there: what is not touched stays in the memory of both.
    """
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()
    _function = function


def _end_with_parent() -> None:
    """Wait until the process that gives work has ended, and end this one at once."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(things: Sequence[Any]) -> list[Any]:
    return [_function(thing) for thing in things]
