"""The ``scrapy`` command in a process of its own that need not import Scrapy, as a fork of one that has.

Importing takes most of the time of a short command. What a shell's command has of its own, such a process
has as well: working folder, environment, arguments, output, signals, and exit status.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(
    [
        "scrapy.commands.crawl",
        "scrapy.core.downloader.handlers.http11",
        "scrapy.downloadermiddlewares.cookies",
        "scrapy.extensions.feedexport",
        "scrapy.extensions.remote_control",  # what a version does not have is passed over
        "scrapy.linkextractors",
        "scrapy.spiders",
        "scrapy_webstemmer.steps",
        "scrapy_webstemmer.crawl.addon",
        "scrapy_webstemmer.commands.analyze",
        "scrapy_webstemmer.commands.extract",
        "scrapy_webstemmer.crawl.page_pipeline",
    ]
)


def run_scrapy(
    *args: str, cwd: Path, env: Mapping[str, str], strict: bool = False, stdin: str = "", timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run a command as ``python -m scrapy`` does; with ``strict``, as ``python -W error -m scrapy``."""
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
    for number, path in enumerate(files):
        opened = os.open(path, os.O_RDWR | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    ours = str(Path(__file__).parent)  # pytest finds modules there, a command does not
    own = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = ["", *own, *(name for name in sys.path if name and not name.startswith(ours))]
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
