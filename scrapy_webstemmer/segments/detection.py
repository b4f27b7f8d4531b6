"""Tell which blocks of a page are template: enough of their text is in segments that enough pages have."""

from __future__ import annotations

from collections.abc import Sequence

from .segmentation import Segment, Segmentation
from .table import SegmentTable


def template_blocks(page: Segmentation, table: SegmentTable) -> list[bool]:
    """Return for each block of a page whether it is template. Cost: a look-up per segment.

    :param table: the site's table; the page must have been counted in it.
    """
    most = table.options.template_ratio
    return [template_ratio(block, table) > most for block in page]


def template_ratio(block: Sequence[Segment], table: SegmentTable) -> float:
    """Return the share of a block's text in template segments, from 0 to 1."""
    least = table.options.template_frequency
    total = template = 0
    for digest, length in block:
        total += length
        if table.frequency(digest) >= least:
            template += length
    return template / total if total else 0.0
