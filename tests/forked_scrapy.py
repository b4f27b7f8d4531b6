"""Processes that need not import Scrapy and this package, since they are forks of one that has.

Importing takes most of the time of a short command. What a shell's command has of its own, such a process
has as well: working folder, environment, arguments, output, signals, and exit status.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pkgutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from scrapy import commands
from scrapy.settings import default_settings

_context = multiprocessing.get_context("forkserver")


@cache
def _preload() -> None:
    """Name what the process that is forked imports: call this before the first fork.

    Every command imports the modules of all commands to find its own. A crawl also imports the components
    that it has by default. A module that a version lacks is skipped.
    """
    default = {text for value in vars(default_settings).values() for text in _texts(value)}
    # with FTP older versions import the reactor, which a command chooses
    default = {text for text in default if text.startswith("scrapy.") and "ftp" not in text.lower()}
    _context.set_forkserver_preload(
        [
            "scrapy.cmdline",
            "scrapy.linkextractors",
            "scrapy.spiders",
            *(found.name for found in pkgutil.iter_modules(commands.__path__, "scrapy.commands.")),
            *(text.rpartition(".")[0] for text in default),
            *(entry.module for entry in entry_points(group="scrapy.commands")),
            "twisted.conch.telnet",
            "protego",
            "scrapy_webstemmer.crawl.addon",
            "scrapy_webstemmer.crawl.page_pipeline",
            "scrapy_webstemmer.learning.learn_sites",
            "scrapy_webstemmer.page.scan",
            "scrapy_webstemmer.page.scan_layout",
            "scrapy_webstemmer.textcrawler.spiders",
            "scrapy_webstemmer.training",
            "tqdm.contrib.logging",
        ]
    )


def _texts(setting: object) -> Iterator[str]:
    if isinstance(setting, str):
        yield setting
    elif isinstance(setting, dict):
        for one in (*setting, *setting.values()):
            yield from _texts(one)


def run_scrapy(
    *args: str, cwd: Path, env: Mapping[str, str], strict: bool = False, stdin: str = "", timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run a command as ``python -m scrapy`` does; with ``strict``, as ``python -W error -m scrapy``."""
    _preload()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("in", "out", "err")]
        for path in files:
            path.write_text(stdin if path.name == "in" else "", encoding="utf-8")
        process = _context.Process(target=_execute, args=(args, cwd, dict(env), files, strict))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(args, timeout, *(path.read_bytes() for path in files[1:]))
        texts = [path.read_text(encoding="utf-8") for path in files[1:]]
        done = subprocess.CompletedProcess(args, process.exitcode, *texts)
        process.close()
        return done


def _execute(args: tuple[str, ...], cwd: Path, env: dict[str, str], files: list[Path], strict: bool) -> None:
    _begin(files)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    _search(env.get("PYTHONPATH", ""))
    sys.path.insert(0, "")
    sys.argv = ["scrapy", *args]
    if strict:
        sys.warnoptions.append("error")
        warnings.simplefilter("error")

    from scrapy.cmdline import execute

    try:
        execute()
    except SystemExit as end:
        status = end.code
    gc.collect()  # as at the end of every process: then Twisted logs the errors that nobody has handled
    sys.exit(status)


class RunningScrapy:
    """A command that runs beside the test as ``python -m scrapy`` does.

    :ivar stderr: what it writes as errors, line by line; its output is not read.
    """

    def __init__(self, *args: str, cwd: Path, env: Mapping[str, str]) -> None:
        _preload()
        with tempfile.TemporaryDirectory() as folder:
            pipe, nothing = Path(folder, "err"), Path(os.devnull)
            os.mkfifo(pipe)
            files = [nothing, nothing, pipe]
            self._process = _context.Process(target=_execute, args=(args, cwd, dict(env), files, False))
            self._process.start()
            self.stderr = pipe.open(encoding="utf-8")  # waits until the process has opened it, too

    def __enter__(self) -> RunningScrapy:
        return self

    def __exit__(self, *fault: object) -> None:
        if any(fault):
            self._process.kill()
        self.end()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def is_running(self) -> bool:
        return self._process.exitcode is None

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def end(self, timeout: float = 60) -> tuple[int, str]:
        """Wait for its end; return its exit status, and what of its errors has not been read."""
        rest = "" if self.stderr.closed else self.stderr.read()
        self.stderr.close()
        self._process.join(timeout)
        assert self._process.exitcode is not None, rest
        return self._process.exitcode, rest


class ForkedPython:
    """Stands for ``subprocess.Popen`` where a crawl runs ``python -P -c`` to learn."""

    def __init__(self, command: list[str], *, stdin: int, stdout: Any, stderr: Any, **apart: object) -> None:
        _preload()
        self._process = _context.Process(target=_run, args=(command[2:], Path(stdout.name)))
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        self._process.join()


def _run(arguments: list[str], output: Path) -> None:
    _begin([Path(os.devnull), output, output])
    os.setsid()
    option, code, *sys.argv[1:] = arguments
    sys.argv[0] = option
    _search(os.environ.get("PYTHONPATH", ""))
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})


def _begin(files: list[Path]) -> None:
    """Let the process have files of its own as its input, output and errors."""
    gc.freeze()  # what is imported already is never garbage: no collection needs to look through it
    for number, path in enumerate(files):
        opened = os.open(path, os.O_RDWR | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)


def _search(own: str) -> None:
    """Let modules be found where a new process finds them: not in the folders of tests, as pytest does."""
    tests = str(Path(__file__).parent)
    others = [name for name in sys.path if name and not name.startswith(tests)]
    sys.path[:] = [*filter(None, own.split(os.pathsep)), *others]
