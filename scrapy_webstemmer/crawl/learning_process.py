"""Run the process that learns at the end of a crawl, while the event loop stays free."""

from __future__ import annotations

import logging
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from scrapy import Spider

from ..training import Folder, Task
from .event_loop import pause

logger = logging.getLogger(__name__)

#: Seconds between two looks at the process, and between two lines of the log about it.
_LOOK_PAUSE, _LOG_PAUSE = 0.05, 10.0

#: The process looks for this package also where this one has found it.
_ROOT = str(Path(__file__).resolve().parents[2])
_PROCESS_CODE = (
    "import sys; sys.path.append(sys.argv[1]); from scrapy_webstemmer.training import main; main(sys.argv[2])"
)
#: Bytes on the disk below which a process may not even be able to write why it ends.
_NO_ROOM = 100_000
#: Characters of the process's standard error that are shown if it fails.
_ERROR_SHOWN = 2_000
#: Seconds in which a signal is the same as that before: some programs pass on what a terminal sends to all.
_SAME = 0.5
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]


class LearningError(Exception):
    """The process has failed; the message is what it says."""


class SkippedError(Exception):
    """Somebody has interrupted it."""


@asynccontextmanager
async def running(task: Task, spider: Spider | None) -> AsyncIterator[tuple[Folder, Sequence[float]]]:
    """Let another process do a task, and give the folder with the results.

    The process ends with this one, whatever happens. Ctrl-C and SIGTERM end it alone: the crawl then closes
    in order. Its progress is logged.

    The first interruption in the block is only noted, in the sequence: it would end the crawl before its
    feeds are closed, and what they have not written yet would be lost.

    :raises LearningError: it has failed.
    :raises SkippedError: it was interrupted.
    """
    try:
        place = tempfile.TemporaryDirectory(prefix="webstemmer-", ignore_cleanup_errors=True)
    except OSError as error:
        raise LearningError(f"there is no room for temporary files: {error}") from None
    with place as name, _interruptions() as caught:
        folder = Folder(Path(name))
        try:
            folder.write_task(task)
            await _run(folder, task.learning_set, spider, caught)
        except OSError as error:  # no memory for another process, or no room in the folder
            raise LearningError(f"its process cannot be started: {error}") from None
        yield folder, caught


async def _run(folder: Folder, learning_set: str, spider: Spider | None, caught: Sequence[float]) -> None:
    errors = folder.path / "stderr"
    with errors.open("wb") as stream, _process(folder, stream) as process:
        logger.info("Learning from %s; Ctrl-C skips it", learning_set, extra={"spider": spider})
        said = time.monotonic()
        while process.poll() is None and not caught:
            await pause(_LOOK_PAUSE)
            if time.monotonic() - said > _LOG_PAUSE:
                said = time.monotonic()
                logger.info("Progress: %s", folder.progress() or "starting", extra={"spider": spider})
    if caught:
        raise SkippedError
    if process.returncode:
        said_last = errors.read_text(encoding="utf-8", errors="replace")[-_ERROR_SHOWN:].strip()
        raise LearningError(_why_failed(folder, said_last or f"it ended with status {process.returncode}"))


def _why_failed(folder: Folder, said: str) -> str:
    """Return why the process has failed. Without room, it does not say where, if it can say anything."""
    if shutil.disk_usage(folder.path).free < _NO_ROOM:
        return f"there is no room left in {folder.path.parent} for its temporary files"
    return said


@contextmanager
def _process(folder: Folder, stream: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run the process in a group of its own: Ctrl-C on the terminal then reaches the crawl alone."""
    # -P: the folder of the crawl may have a queue.py that has nothing to do with us
    command = [sys.executable, "-P", "-c", _PROCESS_CODE, _ROOT, str(folder.path)]
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    process = subprocess.Popen(  # noqa: S603 - our own module
        command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, **apart
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


#: When something was caught, a list for each learning that goes on in this process; and the handlers before
#: them.
_caught: list[list[float]] = []
_handlers: dict[int, Any] = {}


@contextmanager
def _interruptions() -> Iterator[list[float]]:
    """Keep the next Ctrl-C or SIGTERM from the crawl; give the list in which its time is noted.

    Several crawls of one process may learn at the same time: one interruption is meant for all of them.
    """
    caught: list[float] = []
    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    if not _handlers:
        # A handler that is not Python's (None) could not be put back, and an ignored signal stays ignored.
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if handler not in (None, signal.SIG_IGN):
                _handlers[number] = handler
                signal.signal(number, _skip)
    _caught.append(caught)
    try:
        yield caught
    finally:
        # by identity: lists that have caught nothing are equal
        _caught[:] = [others for others in _caught if others is not caught]
        if not _caught:
            _restore()


def _skip(number: int, _frame: object) -> None:
    """Note an interruption; the next one is for the crawls, unless it is the same one."""
    now = time.monotonic()
    if any(now - when < _SAME for caught in _caught for when in caught):
        return
    if all(_caught):
        _restore()
        signal.raise_signal(number)
    for caught in _caught:
        caught.append(now)


def _restore() -> None:
    """Put the handlers back, unless somebody has replaced ours."""
    for number, handler in _handlers.items():
        if signal.getsignal(number) is _skip:
            signal.signal(number, handler)
    _handlers.clear()
