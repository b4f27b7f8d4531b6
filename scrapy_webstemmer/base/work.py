"""How work is done: by compiled modules if they are there, in parts, and in several processes."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from multiprocessing import get_context, parent_process
from multiprocessing.context import BaseContext
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Generic, Self, TypeAlias, TypeVar

from lxml import etree

from ..errors import WorkerError

# --- Find the compiled modules of the package, which do the most frequent work
#
# Without them it works, too: a package that was built without a C compiler has none. Two of them are made
# from files of Python, which Python then runs as they are. Instead of the third, which reads pages, there is
# another way that gives the same. All this takes some times as long.

#: An environment variable: with the value 0 no compiled module is used.
SWITCH = "SCRAPY_WEBSTEMMER_COMPILED"
#: What may be compiled.
MODULES = ("html.scan", "site.named_parts", "site.records", "site.subtrees", "site.weighing")
_NAMES = frozenset(f"scrapy_webstemmer.{name}" for name in MODULES)
#: The compiled reading of pages nests elements as libxml2 does from this version on (``html/tags.py``). With
#: an older one, which lxml 5 brings, pages are read by their trees: a page must have one reading.
_READING, _LIBXML2 = "html.scan", (2, 14)

_PACKAGE = Path(__file__).parents[1]
_logger = logging.getLogger("scrapy_webstemmer.compiled")


class _Loader(ExtensionFileLoader):
    """Loads a compiled module if it was made from the sources that are there, else its Python file."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module, or put that of its Python file in its place.

        :raises ImportError: it has no Python file.
        """
        try:
            super().exec_module(module)
        except Exception as error:  # one that was made from an older source may fail in any way
            _logger.debug("%s: %r", self.path, error)
        if _is_current(module):
            return
        _logger.warning("Not used, since it was made from another source: %s; build it again", self.path)
        spec = _python_spec(self.name)
        if spec is None or spec.loader is None:
            raise ImportError(f"{self.path} cannot be used", name=self.name)
        sys.modules[self.name] = instead = module_from_spec(spec)
        spec.loader.exec_module(instead)


def _python_spec(name: str) -> ModuleSpec | None:
    """Return how to import a module from its Python file; None: it has none."""
    path = _PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py")
    return spec_from_file_location(name, path) if path.exists() else None


def _is_current(module: ModuleType) -> bool:
    """Return whether a module was made from its sources as they are. A wheel has only those in Python."""
    made_from: Mapping[str, str] = getattr(module, "MADE_FROM", {})
    digests = {_PACKAGE / name: digest for name, digest in made_from.items()}
    return bool(digests) and all(
        sha256(path.read_bytes()).hexdigest() == digest for path, digest in digests.items() if path.exists()
    )


class _Finder(PathFinder):
    """Finds the modules that may be compiled: as such if they are there and wanted, else as Python files."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import one of these modules; None: it is another one."""
        if name not in _NAMES:
            return None
        if os.environ.get(SWITCH) == "0" and (found := _python_spec(name)):
            return found
        found = super().find_spec(name, path, target)
        if found and found.origin and isinstance(found.loader, ExtensionFileLoader):
            found.loader = _Loader(name, found.origin)
        return found


sys.meta_path.insert(0, _Finder)


@cache
def compiled(name: str) -> ModuleType | None:
    """Return a compiled module of the package.

    None: it is not there, not wanted, was made from another source, or does not fit libxml2.

    :param name: its name within the package, for example ``html.scan``.
    """
    whole = f"scrapy_webstemmer.{name}"
    fits = name != _READING or etree.LIBXML_VERSION >= _LIBXML2
    if not fits or os.environ.get(SWITCH) == "0" or find_spec(whole) is None:
        return None
    try:
        module = import_module(whole)
    except ImportError:
        return None
    return module if hasattr(module, "MADE_FROM") else None


def say_what_is_missing(logger: logging.Logger, **extra: Any) -> None:
    """Say in one line of the log that pages are read by Python code, if that is so.

    :param extra: for the log record.
    """
    if None in map(compiled, MODULES):
        reason = "there are no compiled modules of this version"
        if etree.LIBXML_VERSION < _LIBXML2:
            has, needs = (".".join(map(str, version[:2])) for version in (etree.LIBXML_VERSION, _LIBXML2))
            reason = f"lxml has libxml2 {has}, and the compiled modules need {needs}, which lxml 6 brings"
        logger.info("Pages are read by Python code, which is slower: %s", reason, extra=extra)


_Result = TypeVar("_Result")

# --- Work in parts: between two parts the caller can do something else, such as serve an event loop

#: A generator that yields after each part of its work, and returns the result.
Parts: TypeAlias = Generator[None, None, _Result]


def do_part(work: Parts[_Result]) -> None:
    """Do the next part of some work. The garbage collector waits until it is done.

    A part makes thousands of objects, and hardly any of them outlives it. If the collector looked at them
    while they are in use, it would take them for objects that stay, and look at all objects of a crawl the
    more often.

    :raises StopIteration: that was the last part; it has the result.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        next(work)
    finally:
        if collects:
            gc.enable()


def finish(work: Parts[_Result]) -> _Result:
    """Do all parts at once and return the result."""
    while True:
        try:
            do_part(work)
        except StopIteration as done:
            result: _Result = done.value
            return result


_Name = TypeVar("_Name")
# --- Do the same work on many things in several processes; the number of processes does not change results

_Thing = TypeVar("_Thing")

logger = logging.getLogger("scrapy_webstemmer.workers")

#: Number and size in bytes of the things with which a batch is sent. A batch is small enough to keep all
#: processes busy, and large enough that sending costs little.
_BATCH, _BATCH_SIZE = 32, 1 << 20
#: Batches that wait per process, so that a worker has work while this process is busy.
_IN_FLIGHT = 4


class Workers(Generic[_Name, _Thing, _Result]):
    """Processes that apply a function to things, and give the results in the order of the things.

    Only a few batches are on their way at a time, however many things there are.
    It is a context manager: at its end, work that has not begun is given up.

    :param function: what to do with a thing. The function, the things and the results must be picklable.
    :param count: number of processes; 1: this process does the work, at once.
    :param batch: send this many things at a time, or fewer if they are large.
    :param forked: the function holds too much to be sent. Copies of this process apply it, since they have
        all that this process has. If copies cannot be made safely, this process applies it, and the log says
        so once.
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
        """Add a thing; yield results of this thing or of earlier ones, each with the name of its thing.

        If too many batches are on their way, it waits for the first one.

        :param name: stays in this process.
        :param size: about how many bytes the thing has.
        :raises WorkerError: a process has died.
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

        :raises WorkerError: a process has died.
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

#: The function that a worker process applies; set once in each process.
_function: Callable[[Any], Any]


def _context() -> BaseContext:
    """Return how to start processes: as copies of this one if that is safe, since copies import nothing."""
    safe = sys.platform == "linux" and threading.active_count() == 1
    return get_context("fork" if safe else "spawn")


@cache
def _warn_once() -> None:
    """Say once in the log why one process does the work for which several were asked."""
    why = "while other threads are running" if sys.platform == "linux" else f"on {sys.platform}"
    logger.warning("One process does all the work, because a process cannot be copied safely %s", why)


def _begin(function: Callable[[Any], Any]) -> None:
    """Begin a worker process. It ends when the process that gives it work has ended, for whatever reason.

    It ignores Ctrl-C and the end of the terminal: both end the process that gives it work. It does not use
    that process's signal handlers.

    The garbage collector skips all objects that exist now: memory that a copy does not touch stays shared.
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
    """Wait until the process that gives work has ended, then end this process at once."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(things: Sequence[Any]) -> list[Any]:
    return [_function(thing) for thing in things]
