"""Do the same work in many tasks with several processes; the number of processes does not change results."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from ..errors import OptionError, WorkerError
from .parts import TOGETHER, Parts, finish_together

logger = logging.getLogger("scrapy_webstemmer.workers")

_Result = TypeVar("_Result")


_Name = TypeVar("_Name")

_Task = TypeVar("_Task")

#: Number and size in bytes of the tasks with which a batch is sent. A batch is small enough to keep all
#: processes busy, and large enough that sending costs little.
_BATCH, _BATCH_SIZE = 32, 1 << 20
#: Tasks that this process does together have so many bytes at most, or are one.
_TOGETHER_SIZE = 1 << 19
#: Batches that wait per process, so that a worker has work while this process is busy.
_IN_FLIGHT = 4


class Workers(Generic[_Name, _Task, _Result]):
    """Processes that apply a function to tasks, and give the results in the order of the tasks.

    Only a few batches are on their way at a time, however many tasks there are.
    It is a context manager: at its end, work that has not begun is given up.

    :param function: does a task, which may be any value. Function, tasks and results must be picklable.
    :param count: number of processes; 1: this process does the work, at once, or some tasks together.
    :param together: the function works in parts, and some tasks are done together
        (:func:`~.parts.finish_together`).
    :param batch: send this many tasks at a time, or fewer if they are large.
    :param forked: the function holds too much to be sent. Copies of this process apply it, since they have
        all that this process has.

    If this process may have no others, or copies are needed and cannot be made safely, it does all the work,
    and the log says so once.

    :raises OptionError: there can be no such number of processes.
    """

    def __init__(
        self,
        function: Callable[[_Task], _Result] | Callable[[_Task], Parts[_Result]],
        count: int,
        *,
        together: bool = False,
        batch: int = _BATCH,
        forked: bool = False,
    ) -> None:
        if not isinstance(count, int) or count < 0:
            raise OptionError("workers", count, "must be a whole number of processes")
        apply: Callable[[Any, Sequence[Any]], list[Any]] = _together if together else _in_turn
        self._apply = partial(apply, function)
        self._most = _IN_FLIGHT * count
        self._names: list[_Name] = []
        self._tasks: list[_Task] = []
        self._size = 0
        self._waiting: deque[tuple[list[_Name], Future[list[_Result]]]] = deque()
        self._pool: ProcessPoolExecutor | None = None
        context = _context()
        if count > 1 and (why := _hindrance(context, forked)):
            _warn_once(why)
        elif count > 1:
            self._pool = ProcessPoolExecutor(count, context, partial(_begin, self._apply))
        here = (TOGETHER, _TOGETHER_SIZE) if together else (1, 0)
        self._batch, self._batch_size = (batch, _BATCH_SIZE) if self._pool else here

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def add(self, name: _Name, task: _Task, size: int = 0) -> Iterator[tuple[_Name, _Result]]:
        """Add a task; yield results of this task or of earlier ones, each with the name of its task.

        If too many batches are on their way, it waits for the first one.

        :param name: stays in this process.
        :param size: about how many bytes the task has.
        :raises WorkerError: a process has died.
        """
        self._names.append(name)
        self._tasks.append(task)
        self._size += size
        if len(self._tasks) >= self._batch or self._size >= self._batch_size:
            yield from self._send()
        while len(self._waiting) > self._most:
            yield from self._first()

    def in_turn(self, tasks: Iterable[tuple[_Name, _Task, int]]) -> Iterator[tuple[_Name, _Result]]:
        """Add tasks, each with its name and its size; yield all results.

        :raises WorkerError: a process has died.
        """
        for task in tasks:
            yield from self.add(*task)
        yield from self.rest()

    def rest(self) -> Iterator[tuple[_Name, _Result]]:
        """Yield all results that are still to come.

        :raises WorkerError: a process has died.
        """
        if self._tasks:
            yield from self._send()
        while self._waiting:
            yield from self._first()

    def _send(self) -> Iterator[tuple[_Name, _Result]]:
        """Send the tasks to a process; without one, do them here, and yield the results."""
        names, tasks = self._names, self._tasks
        self._names, self._tasks, self._size = [], [], 0
        if self._pool is None:
            yield from zip(names, self._apply(tasks), strict=True)
            return
        try:
            self._waiting.append((names, self._pool.submit(_work, tasks)))
        except BrokenProcessPool:
            raise WorkerError(_DIED) from None

    def _first(self) -> Iterator[tuple[_Name, _Result]]:
        names, future = self._waiting.popleft()
        try:
            results = future.result()
        except BrokenProcessPool:
            raise WorkerError(_DIED) from None
        return zip(names, results, strict=True)


_DIED = "a worker process has died: killed, or out of memory; fewer workers need less of it"

#: What a worker process does with the tasks of a batch; set once in each process.
_apply: Callable[[Sequence[Any]], list[Any]]


def _context() -> BaseContext:
    """Return how to start processes: as copies of this one if that is safe, since copies import nothing."""
    safe = sys.platform == "linux" and threading.active_count() == 1
    return get_context("fork" if safe else "spawn")


def _hindrance(context: BaseContext, forked: bool) -> str:
    """Return why no other processes can do the work; empty if they can."""
    if current_process().daemon:  # a process of a pool is one
        return "a daemonic process may have no others"
    if not forked or context.get_start_method() == "fork":
        return ""
    when = "while other threads are running" if sys.platform == "linux" else f"on {sys.platform}"
    return f"a process cannot be copied safely {when}"


@cache
def _warn_once(why: str) -> None:
    """Say once in the log why one process does the work for which several were asked."""
    logger.warning("One process does all the work, because %s", why)


def _begin(apply: Callable[[Sequence[Any]], list[Any]]) -> None:
    """Begin a worker process. It ends when the process that gives it work has ended, for whatever reason.

    It ignores Ctrl-C and the end of the terminal: both end the process that gives it work. It does not use
    that process's signal handlers.

    The garbage collector skips all objects that exist now: memory that a copy does not touch stays shared.
    """
    global _apply
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()
    _apply = apply


def _end_with_parent() -> None:
    """Wait until the process that gives work has ended, then end this process at once."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(tasks: Sequence[Any]) -> list[Any]:
    return _apply(tasks)


def _in_turn(function: Callable[[Any], Any], tasks: Sequence[Any]) -> list[Any]:
    return [function(task) for task in tasks]


def _together(function: Callable[[Any], Parts[Any]], tasks: Sequence[Any]) -> list[Any]:
    results: list[Any] = []
    for first in range(0, len(tasks), TOGETHER):
        results += finish_together(map(function, tasks[first : first + TOGETHER]))
    return results
