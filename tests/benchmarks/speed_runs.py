"""Measure commands on a learning set, with several processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

from speed_commands import cpu_of
from speed_site import HOST, site_page

from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.anchors import find_anchors
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.storage import SqliteLearningSet

_LIMITS = Limits()

__all__ = ["worker_times"]

_ROUNDS = 3
#: The number of sites in the learning set with many sites.
_SITES = 20


def worker_times(folder: Path, pages: int, counts: Iterable[int] = (1, 2)) -> list[dict[str, Any]]:
    """Return rows by command and number of processes: seconds by the clock, CPU seconds of all processes.

    Both are the least of some rounds. On a busy machine the clock hardly shows what several processes save,
    and the CPU seconds hardly show what they cost.

    :param folder: an empty folder.
    :raises AssertionError: the number of processes changes what is written.
    """
    write_set(folder / "one.sqlite", range(pages))
    write_set(folder / "many.sqlite", range(pages), _SITES)
    commands = {
        "analyze": ("analyze", "one.sqlite", "-o"),
        f"analyze, {_SITES} sites": ("analyze", "many.sqlite", "-o"),
        "extract": ("extract", "patterns.json", "one.sqlite", "-O"),
    }
    cpu_of(["-m", "scrapy", *commands["analyze"], "patterns.json"], folder)
    rows: dict[tuple[str, int], list[float]] = {}
    outputs: dict[str, set[bytes]] = defaultdict(set)
    for _ in range(_ROUNDS):
        for (name, command), count in product(commands.items(), counts):
            output = f"out.{command[0]}.jsonl"
            start = perf_counter()
            cpu = cpu_of(["-m", "scrapy", *command, output, "--workers", str(count)], folder)
            found = perf_counter() - start, cpu
            rows[name, count] = list(map(min, rows.get((name, count), found), found))
            outputs[name].add((folder / output).read_bytes())
    assert {len(found) for found in outputs.values()} == {1}
    return [
        {"command": name, "workers": count, "seconds": seconds, "cpu": cpu}
        for (name, count), (seconds, cpu) in sorted(rows.items())
    ]


def write_set(path: Path, numbers: Sequence[int], sites: int = 1) -> None:
    """Add pages of the generated site, and their anchors, to a learning set.

    :param sites: share the pages among so many sites; the numbers of each site's pages are consecutive.
    """
    with SqliteLearningSet(path) as learning_set:
        for at, number in enumerate(numbers):
            page = site_page(number)
            if sites > 1:
                page = replace(page, url=page.url.replace(HOST, f"site{at * sites // len(numbers)}.example"))
            learning_set.add_page(
                page, [tuple(anchor) for anchor in find_anchors(open_page(page, None, _LIMITS), page).anchors]
            )
