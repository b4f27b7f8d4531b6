"""Measure learning by the number of pages, each number in its own process: CPU seconds, peak memory.

    speed_growth.py SOURCE COUNT

SOURCE is a corpus' folder, or ``generated``. Prints one JSON object.
"""

from __future__ import annotations

import json
import logging
import math
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from serve_corpus import read_gold
from speed_site import site_pages

from scrapy_webstemmer import learn
from scrapy_webstemmer.values import Page

__all__ = ["GENERATED", "SIZES", "exponent", "growth"]

GENERATED = "generated"
SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000)


def growth(source: str, sizes: Iterable[int] = SIZES) -> list[dict[str, Any]]:
    """Return a row for each size that the source has: pages, seconds and peak memory in MiB."""
    most = math.inf if source == GENERATED else len(read_gold(Path(source)))
    rows = []
    for size in sizes:
        if size <= most:
            command = [sys.executable, __file__, source, str(size)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            rows.append(json.loads(done.stdout))
    return rows


def exponent(rows: Sequence[Mapping[str, float]], least: int = 1_000) -> float | None:
    """Return b if seconds grow as pages to the power of b, fitted to the sizes from ``least`` on.

    >>> exponent([{"pages": n, "seconds": 3 * n**1.5} for n in (10, 1_000, 4_000)])
    1.5
    """
    points = [(math.log(row["pages"]), math.log(row["seconds"])) for row in rows if row["pages"] >= least]
    if len(points) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    rise = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return round(rise / sum((x - mean_x) ** 2 for x, _ in points), 3)


class _Uncounted:
    """Pages, with the seconds that it takes to make or read them."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.pages, self.seconds = iter(pages), 0.0

    def __iter__(self) -> Iterator[Page]:
        return self

    def __next__(self) -> Page:
        start = process_time()
        try:
            return next(self.pages)
        finally:
            self.seconds += process_time() - start


def pages_of(source: str, count: int) -> Iterator[Page]:
    """Yield pages of a source, read or made one at a time; a corpus gives pages from all over it.

    Its first pages are shorter than the rest, and would hide how time grows with the number of pages.
    """
    if source == GENERATED:
        return site_pages(count)
    every = list(read_gold(Path(source)))
    rows = (every[number * len(every) // count] for number in range(count))
    return (Page(row["url"], (Path(source) / row["file"]).read_bytes()) for row in rows)


def main() -> None:
    """Learn once, from bytes to pattern file, with the pages' own anchors."""
    logging.disable(logging.CRITICAL)
    source, count = sys.argv[1], int(sys.argv[2])
    pages = _Uncounted(pages_of(source, count))
    start = process_time()
    with tempfile.TemporaryDirectory() as folder:
        learn(pages).save(Path(folder) / "patterns.json")
    seconds = process_time() - start - pages.seconds
    print(json.dumps({"pages": count, "seconds": seconds, "peak": _peak()}))


def _peak() -> float:
    """Return the peak memory of this process in MiB."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux getrusage may give the peak of the process that started this one
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text(encoding="utf-8"))
        if found:
            return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
