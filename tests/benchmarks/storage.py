"""Measure what template detection must keep: the paper's Table 1, on corpora, judged by their gold texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from batch_templates import by_shingles, by_style_tree, leaves, signatures

from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.segments.segment_tables import SegmentOptions, SegmentTable, template_blocks
from scrapy_webstemmer.segments.segmentation import Segmentation, Segmenter, digest
from scrapy_webstemmer.values import Page

_LIMITS = Limits()

#: Bytes of information in a segment's row: digest, document frequency and page number.
ROW_BYTES = 16
#: The recall of template blocks at which the methods are compared, and the first page that counts.
RECALL, FIRST_PAGE = 0.8, 50

LIFETIMES = (1, 2, 3, 5, 10, 20, 50, 100, 250)
BATCHES = (5, 10, 20, 50, 100, 200, 400)
REPEATS = (2, 3, 5)
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)

#: Tokens in a shingle; shingles of a block's text are looked for in the gold text.
_SHINGLE = 4


class Prepared(NamedTuple):
    """The parts of a page that the methods use.

    :param size: bytes of its body.
    :param template: for each block whether none of the gold text is in it; None: the gold does not say.
    """

    url: str
    size: int
    template: list[bool] | None
    segments: Segmentation
    signatures: list[tuple[int, ...]]
    leaves: list[Any]


class Outcome(NamedTuple):
    """The result of a method with one value of its parameter.

    :param kept: mean number of bytes that it keeps, over all pages inserted.
    """

    parameter: int
    recall: float
    precision: float
    kept: float


def prepare(
    pages: Iterable[tuple[Page, str | None]], tokens: Callable[[str], list[str]]
) -> Iterator[Prepared]:
    """Yield the parts of pages that the methods use; pages without any text are left out.

    :param pages: each page with its gold text, or None if it has none.
    """
    segmenter = Segmenter()
    for page, gold in pages:
        layout = open_page(page, None, _LIMITS).layout(page.url)
        if layout.blocks:
            template = None if gold is None else _template(layout.blocks, gold, tokens)
            segments = [tuple(block) for block in segmenter.segments(layout)]
            yield Prepared(page.url, len(page.body), template, segments, signatures(layout), leaves(layout))


def _template(blocks: Sequence[Any], gold: str, tokens: Callable[[str], list[str]]) -> list[bool]:
    """Return for each block whether it is not gold text: neither a line of it, nor half of its shingles."""
    lines = {tuple(tokens(line)) for line in gold.split("\n")}
    words = tokens(gold)
    shingles = {tuple(words[n : n + _SHINGLE]) for n in range(len(words) - _SHINGLE + 1)}
    found = []
    for block in blocks:
        own = tokens(block.text)
        parts = [tuple(own[n : n + _SHINGLE]) for n in range(len(own) - _SHINGLE + 1)]
        inside = sum(part in shingles for part in parts) >= len(parts) / 2 if parts else False
        found.append(not inside and tuple(own) not in lines)
    return found


def incremental(pages: Sequence[Prepared], lifetime: int) -> Outcome:
    """Return the result of the text segment table, with pages one by one."""
    table = SegmentTable(SegmentOptions(lifetime=lifetime))
    told, kept = [], []
    for page in pages:
        table.add(digest("page", page.url), (one.digest for block in page.segments for one in block))
        told.append(template_blocks(page.segments, table))
        kept.append(len(table) * ROW_BYTES)
    return _outcome(lifetime, pages, told, kept)


def in_batches(
    pages: Sequence[Prepared], size: int, tell: Callable[[Sequence[Prepared]], list[list[bool]]]
) -> Outcome:
    """Return the result of a method that caches pages until a batch of them is full."""
    told: list[list[bool]] = []
    kept: list[int] = []
    for first in range(0, len(pages), size):
        batch = pages[first : first + size]
        told += tell(batch)
        waiting = 0
        for page in batch:
            waiting += page.size
            kept.append(waiting)
    return _outcome(size, pages, told, kept)


def _outcome(
    parameter: int, pages: Sequence[Prepared], told: Sequence[Sequence[bool]], kept: Sequence[int]
) -> Outcome:
    counts: Counter[tuple[bool, bool]] = Counter()
    for page, own in list(zip(pages, told, strict=True))[FIRST_PAGE:]:
        if page.template is not None:
            counts.update(zip(page.template, own, strict=True))
    right, missed, wrong = counts[True, True], counts[True, False], counts[False, True]
    recall, precision = right / max(1, right + missed), right / max(1, right + wrong)
    return Outcome(parameter, recall, precision, fmean(kept))


def storage(pages: Sequence[Prepared]) -> dict[str, Any]:
    """Return for each method its result with the least data at the required recall, or None if there is none.

    ``best recall`` is the highest recall of each method. ``default`` is the result of the table with default
    options. ``pages`` and ``page bytes`` are the number of the pages and their mean size.
    """
    ours = [incremental(pages, lifetime) for lifetime in LIFETIMES]
    shingles = [
        in_batches(pages, size, lambda batch, n=n: by_shingles([page.signatures for page in batch], n))
        for size in BATCHES
        for n in REPEATS
    ]
    tree = [
        in_batches(pages, size, lambda batch, t=t: by_style_tree([page.leaves for page in batch], t))
        for size in BATCHES
        for t in THRESHOLDS
    ]
    found = {"segments": ours, "shingles": shingles, "style tree": tree}
    rows: dict[str, Any] = {name: _least(outcomes) for name, outcomes in found.items()}
    rows["best recall"] = {name: max(one.recall for one in outcomes) for name, outcomes in found.items()}
    rows["default"] = incremental(pages, SegmentOptions().lifetime)._asdict()
    rows["pages"], rows["page bytes"] = len(pages), fmean(page.size for page in pages)
    return rows


def _least(outcomes: Sequence[Outcome]) -> dict[str, Any] | None:
    enough = [one for one in outcomes if one.recall >= RECALL]
    return min(enough, key=lambda one: (one.kept, -one.precision))._asdict() if enough else None
