#!/usr/bin/env python3
"""Measure the memory of incremental extraction on a generated site.

    growth.py [PAGES]

The site has four templates. Each page has the boilerplate of its template, a list that 1 page in 50 of the
template has (that of a desk), and a story of its own. Three pages link to each story. Prints a JSON list of
[pages, MiB since the beginning, segments known] at each hundredth of the way. Run it in a process of its own,
because it measures the memory of the process.
"""

from __future__ import annotations

import gc
import json
import os
import random
import sys
from pathlib import Path

from scrapy_webstemmer import IncrementalExtractor, Page
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.anchors import find_anchors
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.segments.segment_files import SegmentTables
from scrapy_webstemmer.segments.segment_tables import SegmentOptions

_LIMITS = Limits()

_SYLLABLES = ("ba", "do", "fi", "gu", "ka", "lo", "mi", "nu", "pe", "ra", "so", "tu", "ve", "zi")
HOST = "http://generated.example"


def page(number: int, templates: int = 4) -> Page:
    """Return a page of the generated site; the same number always gives the same page."""
    template, desk = number % templates, number % (50 * templates)
    menu = "".join(f'<li><a href="/{template}/{n}">Menu {template} entry {n}</a></li>' for n in range(20))
    list_ = "".join(f"<li>Desk {desk} line {n}</li>" for n in range(8))
    links = "".join(f'<li><a href="/story/{n}">{_title(n)}</a></li>' for n in range(number + 1, number + 4))
    text = "".join(f"<p>{_words(f'{number} {n}', 30)}.</p>" for n in range(12))
    html = (
        f"<html><head><title>{_title(number)} - Generated</title></head><body class=page-{number}>"
        f"<div class=menu><ul>{menu}</ul></div><div id=desk><ul>{list_}</ul></div>"
        f"<div class=story-{template}><h1>{_title(number)}</h1><div class=text>{text}</div></div>"
        f"<div class=more><h3>More</h3><ul>{links}</ul></div><p class=foot>Foot of template {template}</p>"
    )
    return Page(f"{HOST}/story/{number}", html.encode())


def _title(number: int) -> str:
    return f"{_words(f'title {number}', 5)} {number}".capitalize()


def _words(seed: str, count: int) -> str:
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(_SYLLABLES, k=3)) for _ in range(count))


def resident() -> int:
    """Return the bytes of memory that the process uses now."""
    gc.collect()
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def grow(count: int, options: SegmentOptions | None = None) -> list[tuple[int, float, int]]:
    """Return pages seen, MiB since the beginning, and segments known, at each hundredth of the way."""
    extractor = IncrementalExtractor(SegmentTables(options or SegmentOptions()))
    first = Page("http://elsewhere.example/", page(0).body)
    extractor.extract(
        first, find_anchors(open_page(first, None, _LIMITS), first).anchors
    )  # loads what is loaded only once
    start = resident()
    found = [(0, 0.0, 0)]
    for number in range(1, count + 1):
        one = page(number)
        source = open_page(one, None, _LIMITS)
        article = extractor.extract(one, find_anchors(source, one).anchors, source=source)
        if article is None:
            raise ValueError(f"no article on page {number}")
        if number % max(1, count // 100) == 0:
            table = extractor.tables.table("generated.example")
            found.append((number, round((resident() - start) / 2**20, 2), len(table)))
    return found


if __name__ == "__main__":
    print(json.dumps(grow(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)))
