"""Upper limits for pages and pattern files: whatever strangers write, time and memory stay bounded."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ..errors import OptionError

#: Largest number of a file, far beyond any score: sums and products of a few of them are numbers still.
LARGEST = 1e100

_DEEPEST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a page and a pattern file may be.

    A page beyond a limit is skipped, counted and named. The defaults are at least six times the maximum of
    1,700 ordinary pages. With them no page takes much longer than a second.

    :param page_size: bytes of a page.
    :param attributes: attributes of one element. A parser's time grows with the square of their number. They
        are counted on pages of 120,000 characters or more: a shorter page takes about 1.4 s at most.
    :param elements: elements of a page; a layout tree in a pattern file may have twice as many nodes.
    :param depth: elements around an element. libxml2 drops elements nested deeper than about 2,000.
    :param blocks: layout blocks of a page.
    :param block_size: characters of a layout block.
    :param anchors: links of a page that have a text.
    :param steps: comparisons of a block with a section, in total for all patterns of 2009 tried on a page; a
        comparison of nodes of layout trees counts as eight of them.
    :param patterns: patterns in a pattern file.
    :param sections: sections of a pattern.
    """

    page_size: int = 10 * 1024 * 1024
    attributes: int = 5_000
    elements: int = 50_000
    depth: int = 500
    blocks: int = 20_000
    block_size: int = 1_000_000
    anchors: int = 10_000
    steps: int = 4_000_000
    patterns: int = 100_000
    sections: int = 10_000

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(limit.name, value, "must be a whole number from 1 on")
        if self.depth > _DEEPEST:
            raise OptionError("depth", self.depth, f"must be {_DEEPEST} at most: parsers drop what is deeper")
