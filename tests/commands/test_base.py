"""What all commands share."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.commands.base import WebstemmerCommand, ended_by
from scrapy_webstemmer.commands.html2txt import Command

posix = pytest.mark.skipif(os.name != "posix", reason="other systems lack these signals")

#: A command that has written half a file and keeps two workers busy. It says so, and goes on.
BUSY = """
import sys, time
from scrapy.cmdline import execute
from scrapy_webstemmer.base.files import replacing
from scrapy_webstemmer.base.workers import Workers
from scrapy_webstemmer.commands.html2txt import Command

def work(self, args, opts):
    with replacing("output") as stream, Workers(time.sleep, 2, batch=1) as pool:
        stream.write(b"new")
        stream.flush()
        for number in range(1_000_000):
            print("working", flush=True)
            list(pool.add(number, 0.01))

Command.work = work
execute(["scrapy", "html2txt", "page.html"])
"""


@pytest.mark.usefixtures("look_at_all")
@pytest.mark.parametrize("error", [None, OSError("no")])
def test_the_garbage_collector_is_as_before(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    """Only while a command works, garbage is looked for less often, and only among new objects."""
    found: list[tuple[bool, bool]] = []
    before = gc.get_threshold()

    def work(self: Command, args: list[str], opts: argparse.Namespace) -> None:
        found.append((gc.get_threshold()[0] > before[0], gc.get_freeze_count() > 0))
        if error is not None:
            raise error

    monkeypatch.setattr(Command, "work", work)
    assert run("html2txt", "page.html").status == (1 if error else 0)
    assert found == [(True, True)]
    assert gc.get_threshold() == before


@posix
@pytest.mark.parametrize(
    ("name", "everybody"),
    [("SIGTERM", False), ("SIGTERM", True), ("SIGHUP", False), ("SIGINT", False), ("SIGINT", True)],
)
def test_a_signal_leaves_nothing_behind(workdir: Path, name: str, everybody: bool) -> None:
    """The status is 128 plus the number, and all is cleaned up, if one process or all get the signal."""
    output = workdir / "output"
    output.write_bytes(b"old")
    number = signal.Signals[name]
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", BUSY]
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as started:
        assert started.stdout is not None
        assert [started.stdout.readline() for _ in range(50)] == ["working\n"] * 50
        assert len(list(workdir.iterdir())) == 2
        (os.killpg if everybody else os.kill)(started.pid, number)
        try:
            _, err = started.communicate(timeout=60)  # until the last process that has the pipes has ended
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            pytest.fail("workers were left behind")
    verb = "interrupted" if name == "SIGINT" else f"ended by {name}"
    assert (started.returncode, err) == (128 + number, f"{verb}: nothing was written\n")
    assert list(workdir.iterdir()) == [output]
    assert output.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("end", "status"), [(KeyboardInterrupt(), 130), (ended_by(signal.SIGTERM), 143), (ValueError(), None)]
)
def test_a_signal_while_a_lock_is_taken_ends_a_command(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, end: BaseException, status: int | None
) -> None:
    """The error that the lock gives then, "cannot release un-acquired lock", is no error of its own."""

    def work(self: Command, args: list[str], opts: argparse.Namespace) -> None:
        try:
            raise end
        finally:
            threading.Lock().release()

    monkeypatch.setattr(Command, "work", work)
    if status is None:
        with pytest.raises(RuntimeError):
            run("html2txt", "page.html")
    else:
        assert run("html2txt", "page.html").status == status


def handlers(command: Any) -> list[Any]:
    """Run a command, and return the handlers of the signals while it works."""
    found: list[Any] = []

    class Asked(WebstemmerCommand):
        def work(self, args: list[str], opts: argparse.Namespace) -> None:
            found.extend(signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP))

        def short_desc(self) -> str:
            return ""

    asked = Asked()
    asked.settings = command
    asked.crawler_process = object()  # logging is configured
    asked.run([], argparse.Namespace())
    return found


@posix
def test_signals_are_handled_while_a_command_works() -> None:
    """A command handles the signals while it works, and then restores the earlier handlers."""
    before = signal.getsignal(signal.SIGTERM)
    assert all(map(callable, handlers(None)))
    assert signal.getsignal(signal.SIGTERM) is before is signal.SIG_DFL


@posix
def test_who_handles_or_ignores_signals_goes_on() -> None:
    """A handler of other code stays, and `nohup` still ignores the signals."""

    def own(number: int, frame: object) -> None:
        pass

    signal.signal(signal.SIGTERM, own)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert handlers(None) == [own, signal.SIG_IGN]
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@posix
def test_signals_are_left_alone_in_other_threads() -> None:
    """Only the main thread may handle signals, so a command in another thread leaves them alone."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(handlers(None)))
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL, signal.SIG_DFL]
