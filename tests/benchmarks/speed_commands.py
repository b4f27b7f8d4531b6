"""Measure whole commands with their start-up: CPU seconds of the process and its children."""

from __future__ import annotations

import resource
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from speed_site import site_page

__all__ = ["command_times"]

_ROUNDS = 3
_PAGES = 10


def command_times(folder: Path) -> dict[str, float]:
    """Return the least CPU seconds of each command over some rounds.

    :param folder: an empty folder for the files that the commands read and write.
    """
    with zipfile.ZipFile(folder / "ten.zip", "w") as archive:
        for number in range(1, _PAGES + 1):
            page = site_page(number)
            archive.writestr("202611210900/" + page.url.partition("://")[2], page.body)
    return {name: min(cpu_of(words, folder) for _ in range(_ROUNDS)) for name, words in _commands().items()}


def _commands() -> Mapping[str, Sequence[str]]:
    scrapy = ("-m", "scrapy")
    return {
        "python alone": ("-c", "pass"),
        "import scrapy": ("-c", "import scrapy"),
        "import scrapy_webstemmer": ("-c", "import scrapy_webstemmer"),
        "from scrapy_webstemmer import learn, extract": (
            "-c",
            "from scrapy_webstemmer import learn, extract",
        ),
        "scrapy version": (*scrapy, "version"),
        f"scrapy analyze, {_PAGES} pages": (*scrapy, "analyze", "ten.zip", "-o", "patterns.json"),
        f"scrapy extract, {_PAGES} pages": (
            *scrapy,
            "extract",
            "patterns.json",
            "ten.zip",
            "-O",
            "out.jsonl",
        ),
    }


def cpu_of(arguments: Sequence[str], folder: Path) -> float:
    """Return the CPU seconds that Python takes with arguments, in all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
