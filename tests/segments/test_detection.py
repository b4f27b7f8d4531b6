"""Template blocks: enough of their text recurs."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.segments.segment_tables import (
    SegmentOptions,
    SegmentTable,
    template_blocks,
    template_ratio,
)
from scrapy_webstemmer.segments.segmentation import Segment

COMMON, RARE = 1, 2


@pytest.fixture
def table() -> SegmentTable:
    """Return a table in which one segment is on five pages, and another on four."""
    table = SegmentTable(SegmentOptions())
    for page in range(100, 105):
        table.add(page, [COMMON] if page == 100 else [COMMON, RARE])
    return table


@pytest.mark.parametrize(
    ("block", "ratio", "template"),
    [
        ([Segment(COMMON, 5)], 1.0, True),
        ([Segment(RARE, 5)], 0.0, False),
        ([Segment(COMMON, 7), Segment(RARE, 3)], 0.7, False),
        ([Segment(COMMON, 71), Segment(RARE, 29)], 0.71, True),
        ([], 0.0, False),
    ],
)
def test_ratio_decides(table: SegmentTable, block: list[Segment], ratio: float, template: bool) -> None:
    """A block is template if more than .7 of its text is in segments of five pages or more."""
    assert template_ratio(block, table) == pytest.approx(ratio)
    assert template_blocks([block], table) == [template]
