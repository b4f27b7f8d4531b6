"""Count on how many pages of a site each text segment is, and tell by that which blocks are template.

Segments that do not come again are forgotten.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import OptionError
from .segmentation import Segment, Segmentation


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOptions:
    """Options for the detection of templates while pages come in.

    A default is the paper's if it is not marked as ours.

    :param template_frequency: a text segment is template from this document frequency on.
    :param template_ratio: a block is template if more than this share of its text is in such segments.
    :param lifetime: T_b, the number of pages after which a segment that was seen once is forgotten (ours:
        with it, a part of the template on one page in fifty is still found).
    :param longest: N, how many times longer the most frequent segments are remembered (ours).
    :param enough_pages: from this many pages on, a site's template counts as known (ours).
    """

    template_frequency: int = 5
    template_ratio: float = 0.7
    lifetime: int = 250
    longest: int = 40
    enough_pages: int = 50

    def __post_init__(self) -> None:
        for name in ("template_frequency", "lifetime", "longest", "enough_pages"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(name, value, "must be a whole number from 1 on")
        ratio = self.template_ratio
        if isinstance(ratio, bool) or not isinstance(ratio, int | float) or not 0 <= ratio <= 1:
            raise OptionError("template_ratio", ratio, "must be a number from 0 to 1")


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


#: One integer holds a frequency and the number of a last page: this many bits are the page's.
_PAGE_BITS = 32
_PAGE_MASK = (1 << _PAGE_BITS) - 1
_OPTIONS = SegmentOptions()


class SegmentRow(NamedTuple):
    """A row of the table: a segment, or a page that was counted.

    :param digest: its digest, 56 bits.
    :param frequency: its document frequency: the number of pages on which it was seen.
    :param last: the number of the last of these pages, from 1.
    """

    digest: int
    frequency: int
    last: int


@dataclass(slots=True)
class SiteCounts:
    """Counts of a site's pages.

    :param pages: all pages; the clock by which segments are forgotten.
    :param different: pages without those that were known already.
    """

    pages: int = 0
    different: int = 0


def lifetimes(options: SegmentOptions) -> tuple[int, ...]:
    """Return after how many pages an unseen segment is forgotten, by its document frequency, from 0.

        t = T_b N / (1 + (N - 1) e^-(DF - 1))

    It is rounded. It is T_b for a frequency of 1, and never more than T_b N. The last one holds for all
    higher frequencies.

    >>> lifetimes(SegmentOptions(lifetime=100, longest=10))[:5]
    (0, 100, 232, 451, 691)
    """
    most = options.lifetime * options.longest
    found = [0]
    while found[-1] < most:
        decay = math.exp(1 - len(found))
        found.append(round(most / (1 + (options.longest - 1) * decay)))
    return tuple(found)


class SegmentTable:
    """The segments of one site. The same pages in the same order give the same table.

    A segment takes about 150 bytes of memory, 16 of them information. It is two
    integers in a dictionary: its digest, and its frequency packed with its last page.
    Its digest is also in a list of segments to look at after a certain page, to
    forget them. The work per segment is constant: it is looked at again no more often
    than it has been seen.

    :param counts: the counts of the pages that the rows are from; the table keeps and changes them.
    :param rows: the rows that are known from an earlier crawl.
    """

    def __init__(
        self,
        options: SegmentOptions = _OPTIONS,
        counts: SiteCounts | None = None,
        rows: Iterable[SegmentRow] = (),
    ) -> None:
        self.options = options
        self.counts = counts or SiteCounts()
        self._lifetimes = lifetimes(options)
        self._values: dict[int, int] = {}
        #: By number of a page, the digests to look at after this page was counted.
        self._due: dict[int, array[int]] = defaultdict(lambda: array("Q"))
        for row in rows:
            self._values[row.digest] = row.frequency << _PAGE_BITS | row.last
            self._due[max(self.due(row), self.counts.pages + 1)].append(row.digest)

    def __len__(self) -> int:
        """Return how many segments and pages are known."""
        return len(self._values)

    def __iter__(self) -> Iterator[SegmentRow]:
        """Yield the rows of all known segments and pages, in no order."""
        for digest, value in self._values.items():
            yield SegmentRow(digest, value >> _PAGE_BITS, value & _PAGE_MASK)

    def frequency(self, digest: int) -> int:
        """Return the number of pages on which a segment was seen; 0 if it is not known."""
        return self._values.get(digest, 0) >> _PAGE_BITS

    def add(self, page: int, digests: Iterable[int]) -> bool:
        """Count each segment of a page once. Then forget the segments that were not seen for too long.

        :param page: the digest of the page's name; it must differ from those of segments.
        :returns: whether the page is new. If not, its segments are remembered for longer, but not counted.
        """
        values, counts = self._values, self.counts
        counts.pages += 1
        new = page not in values
        counts.different += new
        raised = (1 << _PAGE_BITS) + counts.pages
        seen = raised if new else counts.pages
        first = []
        for digest in set(digests):
            value = values.get(digest)
            if value is None:
                first.append(digest)
                values[digest] = raised
            else:
                values[digest] = (value & ~_PAGE_MASK) + seen
        if new:
            first.append(page)
        values[page] = (values.get(page, 0) & ~_PAGE_MASK) + raised
        self._due[counts.pages + self._lifetimes[1]].extend(first)
        self._shrink()
        return new

    def due(self, row: SegmentRow) -> int:
        """Return the number of the page after which a segment is forgotten, unless it is seen until then."""
        return self._end(row.frequency, row.last)

    def _end(self, frequency: int, last: int) -> int:
        return last + self._lifetimes[min(frequency, len(self._lifetimes) - 1)]

    def _shrink(self) -> None:
        """Forget the segments that are due; those that were seen since get a later date."""
        values, page = self._values, self.counts.pages
        for digest in self._due.pop(page, ()):
            value = values[digest]
            end = self._end(value >> _PAGE_BITS, value & _PAGE_MASK)
            if end <= page:
                del values[digest]
            else:
                self._due[end].append(digest)
