"""The ``scrapy`` command in a process of its own that need not import Scrapy, as a fork of one that has.

Importing takes most of the time of a short command. What a shell's command has of its own, such a process
has as well: working folder, environment, arguments, output, signals, and exit status.
"""

from __future__ import annotations

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
        "scrapy_webstemmer.extraction",
        "scrapy_webstemmer.learning",
        "scrapy_webstemmer.plugin.addon",
        "scrapy_webstemmer.plugin.commands.analyze",
        "scrapy_webstemmer.plugin.commands.extract",
        "scrapy_webstemmer.plugin.pipeline",
    ]
)


def run_scrapy(
    *args: str, cwd: Path, env: Mapping[str, str], strict: bool = False, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run a command as ``python -m scrapy`` does; with ``strict``, as ``python -W error -m scrapy``."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = _context.Process(target=_execute, args=(args, cwd, dict(env), (out, err), strict))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(args, timeout, out.read_bytes(), err.read_bytes())
        texts = [path.read_text(encoding="utf-8") for path in (out, err)]
        done = subprocess.CompletedProcess(args, process.exitcode, *texts)
        process.close()
        return done


def _execute(
    args: tuple[str, ...], cwd: Path, env: dict[str, str], outputs: tuple[Path, Path], strict: bool
) -> None:
    for number, path in enumerate(outputs, 1):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    tests = Path(__file__).parent
    sys.path[:] = [
        "",
        *(name for name in sys.path if name and tests not in (Path(name), *Path(name).parents)),
    ]
    sys.argv = ["scrapy", *args]
    if strict:
        sys.warnoptions.append("error")
        warnings.simplefilter("error")

    from scrapy.cmdline import execute

    execute()
