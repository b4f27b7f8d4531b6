"""The accuracy and cost of articles when each page of a corpus is extracted as it comes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any

from corpora import Prediction, write_predictions
from evalkit import Evalkit

from scrapy_webstemmer import IncrementalExtractor, Page, PageError
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.anchors import find_anchors
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.segments.segment_tables import SegmentTable, template_blocks
from scrapy_webstemmer.segments.segmentation import Segmenter, digest

_LIMITS = Limits()

#: The first page that is scored, on a corpus of at least so many pages.
FIRST_PAGE, LARGE = 50, 100
#: Groups by the number of pages seen before: from, to.
WINDOWS = ((0, 5), (5, 10), (10, 20), (20, 50), (50, 100), (100, 200), (200, 400), (400, 10_000))
#: The number of pages before the time counts, and of those that are timed.
_WARM, _TIMED = 30, 150

#: A page, and its row of gold.jsonl.
Row = tuple[Page, Mapping[str, Any]]


def read_in_order(folder: Path) -> list[Row]:
    """Return a corpus' pages in the order of a digest of their urls, which does not depend on the site."""
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows.sort(key=lambda row: hashlib.sha256(row["url"].encode()).digest())
    return [(Page(row["url"], (folder / row["file"]).read_bytes()), row) for row in rows]


def accuracy(folder: Path, rows: Sequence[Row], work: Path, evalkit: Evalkit) -> dict[str, Any]:
    """Return the scores from page 50 on (below 100 pages, of all pages), and the scores by pages seen."""
    found = _extract(rows)
    first = FIRST_PAGE if len(rows) >= LARGE else 0

    def score(part: Sequence[tuple[str, Prediction]]) -> dict[str, Any]:
        path = work / f"{folder.name}.jsonl"
        write_predictions(path, dict(part))
        return evalkit.score(folder, path)

    windows = [score(found[start:end]) if found[start:end] else None for start, end in WINDOWS]
    return {"pages": len(rows), **score(found[first:]), "windows": windows}


def _extract(rows: Sequence[Row]) -> list[tuple[str, Prediction]]:
    extractor = IncrementalExtractor()
    found = []
    for page, row in rows:
        try:
            source = open_page(page, None, _LIMITS)
        except PageError:
            found.append((row["url"], Prediction()))
            continue
        article = extractor.extract(page, find_anchors(source, page).anchors, source=source)
        found.append(
            (row["url"], Prediction() if article is None else Prediction(article.title, article.text))
        )
    return found


def cost(rows: Sequence[Row]) -> dict[str, float]:
    """Return CPU time as multiples of the parse: the reading, the table with all it needs, and everything."""
    extractor, segmenter, table = IncrementalExtractor(), Segmenter(), SegmentTable()
    spent = dict.fromkeys(("parse", "reading", "segments", "article"), 0.0)
    for number, (page, _) in enumerate(rows[: _WARM + _TIMED]):
        times = [process_time()]
        try:
            parse(page)
            times.append(process_time())
            source = open_page(page, None, _LIMITS)
        except PageError:
            continue
        layout = source.layout(page.url)
        times.append(process_time())
        segmentation = segmenter.segments(layout)
        table.add(digest("page", page.url), (one.digest for one in chain.from_iterable(segmentation)))
        template_blocks(segmentation, table)
        times.append(process_time())
        extractor.extract(page, source=source)
        times.append(process_time())
        if number >= _WARM:
            for name, start, end in zip(spent, times, times[1:], strict=False):
                spent[name] += end - start
    return {name: seconds / spent["parse"] for name, seconds in spent.items()}
