"""The process that a crawl starts at its end."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from ..errors import WebstemmerError
from .task import Folder
from .update import update

#: Seconds between two lines of progress.
_PAUSE = 0.5


class _Progress:
    """Says what is being done and how far it is, and ends the process when its parent has ended.

    A new step is said at once, numbers within a step twice a second.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._parent = os.getppid()
        self._next = 0.0
        self._step = ""

    def __call__(self, step: str, done: str = "") -> None:
        now = time.monotonic()
        if step == self._step and now < self._next:
            return
        self._next, self._step = now + _PAUSE, step
        if os.getppid() != self._parent:
            sys.exit("the crawl has ended")
        self._folder.say(f"{step}: {done}" if done else step)


def main(folder: str) -> None:
    """Do the task in a folder. An error is the last line on standard error, and gives the exit status 1."""
    files = Folder(Path(folder))
    try:
        files.write_outcome(update(files.read_task(), files, _Progress(files)))
    except (WebstemmerError, OSError) as error:
        sys.exit(str(error))
