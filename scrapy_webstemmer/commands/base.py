"""The base class of all commands: errors in one line, exit statuses, no traceback when a command is ended."""

from __future__ import annotations

import argparse
import gc
import logging
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
from scrapy.settings import Settings
from scrapy.utils.log import configure_logging

from ..base.compiled import say_what_is_missing
from ..base.parts import rarely_collected
from ..base.terminal import printable, say
from ..errors import OptionError, WebstemmerError
from .inputs import fetches

#: Exit statuses. For invalid arguments, argparse and Scrapy exit with 2.
FAILED, INTERRUPTED = 1, 130

#: What to say if a command that writes to standard output is ended early.
INCOMPLETE = "the output is not complete"


class WebstemmerCommand(ScrapyCommand):
    """A command that turns our errors into one line and an exit status.

    Status 2: an argument is wrong. 1: a file is damaged, writing failed, or there is no result at all. 130:
    the command was interrupted. 143 and 129: SIGTERM or SIGHUP ended it, and it cleaned up as after an
    interrupt. 0 otherwise. Unreadable pages leave the status at 0, except in `scrapy html2txt`,
    whose inputs are single pages.

    :cvar usage: the command's arguments.
    :cvar summary: its line in the list of commands.
    :cvar description: what its help says.
    :cvar takes_urls: whether an input may be the url of a page to fetch.
    :cvar crawls: whether the command always crawls.
    :ivar left: what to say of the files if the command is ended now. ``work`` changes it when it begins to
        change files in several steps.
    """

    settings: Settings  # Scrapy sets it before it asks for anything
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}
    usage: ClassVar[str]
    summary: ClassVar[str]
    description: ClassVar[str]
    takes_urls: ClassVar[bool] = False
    crawls: ClassVar[bool] = False
    left = "nothing was written"

    @abstractmethod
    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do the work of the command. It may raise errors of ours."""

    def syntax(self) -> str:
        return self.usage

    def short_desc(self) -> str:
        return self.summary

    def long_desc(self) -> str:
        return self.description

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Process Scrapy's global options. Only to fetch pages, a command needs a crawler process."""
        super().process_options(args, opts)
        self.requires_crawler_process = self.crawls or (self.takes_urls and any(map(fetches, args)))

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's global options, and make the parser report errors in one line."""
        super().add_options(parser)
        called = (parser.usage or "").removesuffix(self.syntax()).rstrip()

        def error(message: str) -> NoReturn:
            parser.exit(2, printable(f"{called}: error: {message}") + "\n")

        parser.error = error  # type: ignore[method-assign]

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the command, and set ``exitcode``. Raises UsageError if an argument is wrong."""
        args = _arguments(args)
        _open_what_is_closed()
        _configure_logging(self)
        say_what_is_missing(logging.getLogger(__name__))
        try:
            with _ended_by_signals(), _without_old_objects():
                self.work(args, opts)
            sys.stdout.flush()
        except OptionError as error:
            raise UsageError(str(error)) from None
        except BrokenPipeError:  # the reader has gone (``| head``): the interpreter ends quietly
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self.exitcode = FAILED
        except (WebstemmerError, OSError) as error:
            say(sys.stderr, printable(f"error: {error}"))
            self.exitcode = FAILED
        except KeyboardInterrupt:
            say(sys.stderr, f"interrupted: {self.left}")
            self.exitcode = INTERRUPTED
        except EndedBySignal as end:
            with suppress(OSError):  # the terminal may have gone
                say(sys.stderr, f"ended by {end.signal.name}: {self.left}")
            self.exitcode = 128 + end.signal


def _open_what_is_closed() -> None:
    """Let standard output and standard error go nowhere if they are closed (``>&-``), and input be empty.

    Else an error follows where they are used, and the next file that is opened takes their place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - it stays open


class EndedBySignal(BaseException):
    """A signal ends the process. This is not an Exception, so nothing takes it for an error of a page."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)


def ended_by(number: int) -> BaseException:
    """Return what ends a command by a signal that has come before; :meth:`WebstemmerCommand.run` takes it."""
    return KeyboardInterrupt() if number == signal.SIGINT else EndedBySignal(number)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block as Ctrl-C does, so that files and processes are cleaned up.

    A signal that is already handled, or ignored (``nohup``), is left alone. After the first signal both are
    ignored until everything is cleaned up.
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []  # only the main thread may set handlers
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, frame: object) -> NoReturn:  # noqa: ARG001 - what Python calls
        for other in ours:
            signal.signal(other, signal.SIG_IGN)
        raise EndedBySignal(number)

    for number in ours:
        signal.signal(number, end)
    try:
        yield
    except RuntimeError as error:  # a lock that was being taken or given back when the signal came
        if isinstance(error.__context__, KeyboardInterrupt | EndedBySignal):
            raise error.__context__ from None
        raise
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _without_old_objects() -> Iterator[None]:
    """Let the garbage collector skip the objects that exist, and look at new ones less often.

    The existing objects are Scrapy itself. Nothing touches them, so worker processes that are forked inside
    share their memory. The objects that exist at the end are skipped, too: otherwise the interpreter would
    look at all of them once more when it exits.
    """
    gc.freeze()
    try:
        with rarely_collected():
            yield
    finally:
        gc.freeze()


def _arguments(args: list[str]) -> list[str]:
    """Return the arguments that are no options; behind ``--``, all are none.

    :raises UsageError: an argument looks like an option: Scrapy leaves unknown ones among the arguments.
    """
    end = args.index("--") if "--" in args else len(args)
    for arg in args[:end]:
        if arg.startswith("-") and arg != "-":
            raise UsageError(f"no such option: {arg}")
    return args[:end] + args[end + 1 :]


def _configure_logging(command: ScrapyCommand) -> None:
    """Configure logging as the settings say.

    Before Scrapy 2.14 each command had a crawler process, which did this.
    """

    if command.crawler_process is None:
        configure_logging(command.settings)
