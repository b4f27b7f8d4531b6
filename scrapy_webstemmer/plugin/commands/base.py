"""What the commands share: one-line errors, exit statuses, an end without a traceback."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import threading
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, NoReturn

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ...errors import OptionError, WebstemmerError
from .terminal import printable, say

__all__ = ["FAILED", "INTERRUPTED", "WebstemmerCommand"]

#: Exit statuses. Invalid arguments are 2, by argparse and Scrapy.
FAILED, INTERRUPTED = 1, 130

#: New objects after which the garbage collector looks for cycles: of ten thousands of layouts, all in use, it
#: finds hardly any. From here on larger numbers save no more.
_COLLECT_AFTER = 50_000


class WebstemmerCommand(ScrapyCommand):
    """A command that turns our errors into one line and an exit status.

    Status 2: an argument is wrong. 1: a file turned out damaged, or writing failed.
    130: interrupted; 143 and 129: ended by SIGTERM or SIGHUP, in the same orderly way.
    0 otherwise, also where single pages could not be read.
    """

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}

    @abstractmethod
    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command is for; errors of ours may pass."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's global options, and say errors in one line."""
        super().add_options(parser)
        name = self.__module__.rpartition(".")[2]

        def error(message: str) -> NoReturn:
            parser.exit(2, printable(f"scrapy {name}: error: {message}") + "\n")

        parser.error = error  # type: ignore[method-assign]

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the command. Raises UsageError where an argument is wrong; sets ``exitcode``."""
        _refuse_unknown_options(args)
        _configure_logging(self)
        try:
            with _ended_by_signals(), _rarely_collected():
                self.work(args, opts)
            sys.stdout.flush()
        except OptionError as error:
            raise UsageError(str(error)) from None
        except BrokenPipeError:
            _forget_stdout()
            self.exitcode = FAILED
        except (WebstemmerError, OSError) as error:
            say(sys.stderr, printable(f"error: {error}"))
            self.exitcode = FAILED
        except KeyboardInterrupt:
            say(sys.stderr, "interrupted: nothing was written")
            self.exitcode = INTERRUPTED
        except _EndedBySignal as end:
            with suppress(OSError):  # the terminal may have gone
                say(sys.stderr, f"ended by {end.signal.name}: nothing was written")
            self.exitcode = 128 + end.signal


class _EndedBySignal(BaseException):
    """The process was asked to end; no Exception, so that nothing takes it for an error of a page."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end what is inside as Ctrl-C does, so that files and processes are cleaned up.

    Signals that somebody handles, or ignores (``nohup``), are left to him. After the first one both are
    ignored until all is cleaned up.
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []  # only the main thread may set handlers
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, frame: object) -> NoReturn:  # noqa: ARG001 - what Python calls
        for other in ours:
            signal.signal(other, signal.SIG_IGN)
        raise _EndedBySignal(number)

    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _rarely_collected() -> Iterator[None]:
    """Let the garbage collector pass over what is there, Scrapy itself, and look at what is new less often.

    Worker processes that are forked inside share the memory of what is there, as nothing touches it. What is
    there at the end is skipped, too: the interpreter would look at all of it once more when it ends.
    """
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.freeze()


def _refuse_unknown_options(args: list[str]) -> None:
    """Refuse what looks like an option: Scrapy leaves those it does not know among the arguments."""
    for arg in args:
        if arg.startswith("-") and arg != "-":
            raise UsageError(f"no such option: {arg}")


def _configure_logging(command: ScrapyCommand) -> None:
    """Log as the settings say; before Scrapy 2.14 the crawler process, which every command had, did so."""
    from scrapy.utils.log import configure_logging

    if command.crawler_process is None:
        configure_logging(command.settings)


def _forget_stdout() -> None:
    """Let the interpreter end quietly when the reader of our output has gone (``| head``)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
