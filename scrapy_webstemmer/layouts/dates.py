"""Find dates in urls and texts. Only numbers count: no names of months, no order of day and month."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ..base.compiled import compiled
from ..values.layouts import Block
from .placed import PlacedLayout

_placing = compiled("layouts.placing")

_YEAR = r"(?<!\d)(?:19[89]|20[0-4])\d"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
#: A year as a step of the url's path, a year with its month, or a whole date.
_IN_URL = re.compile(rf"/{_YEAR}(?=/)|{_YEAR}[-_.]{_MONTH}(?!\d)|{_YEAR}{_MONTH}{_DAY}(?!\d)")

_YEAR_IN_TEXT, _DAY_IN_TEXT = re.compile(rf"{_YEAR}(?!\d)"), re.compile(r"(?<!\d)\d\d?(?!\d)")
#: Every such text has this. Most texts have no digit at all, so one search is enough for them.
_HINT = re.compile(r"\d[:.]\d|\d\d\d\d")
#: A line that tells when a comment was written weighs at most this, with a name, a time and some controls.
_STAMP = 60
_TIME_IN_TEXT = re.compile(r"(?<![\d:.])[012]?\d[:.][0-5]\d(?![\d:])")
#: A line with an article's date weighs at most this, with a name and a place. A longer text is a sentence.
_DATE_LINE = 40


def is_dated(url: str) -> bool:
    """Return whether a url has a date after its host."""
    return _IN_URL.search("/" + url.partition("//")[2].partition("/")[2]) is not None


def is_stamp(text: str) -> bool:
    """Return whether a text gives a day of a year, or a time of day, in digits.

    >>> [is_stamp(text) for text in ("12 mayo, 2010", "hace 3 horas", "10:20", "In 2010")]
    [True, False, True, False]
    """
    if not _HINT.search(text):
        return False
    if _TIME_IN_TEXT.search(text):
        return True
    return _YEAR_IN_TEXT.search(text) is not None and _DAY_IN_TEXT.search(text) is not None


def date_lines(blocks: Sequence[Block], among: Iterable[int]) -> list[int]:
    """Return the indexes of the blocks that are short lines with a date or a time.

    Cost: one search if there are none.
    """
    short = [index for index in among if blocks[index].weight <= _STAMP]
    texts = [blocks[index].text for index in short]
    hints = _HINT.finditer("\n".join(texts))
    ends = [*accumulate(len(text) + 1 for text in texts)]  # of each text among all
    hinted = dict.fromkeys(bisect_right(ends, hint.start()) for hint in hints)
    return [short[number] for number in hinted if is_stamp(texts[number])]


def is_date_line(block: Block) -> bool:
    """Return whether a block is a short line that tells when something was written, and perhaps by whom."""
    return block.weight <= _STAMP and is_stamp(block.text)


def _short_lines(page: PlacedLayout) -> list[str]:
    """Return the short texts that are neither boilerplate nor in records."""
    return [
        text
        for (node, text, weight, _), boilerplate in zip(page.layout.blocks, page.boilerplate, strict=True)
        if weight <= _DATE_LINE and not boilerplate and not page.repeated[node] and not page.leading[node]
    ]


def has_date_line(page: PlacedLayout) -> bool:
    """Return whether a page has a short line with a date, not in boilerplate and not in a list of pages."""
    lines = _placing.short_lines(page, _DATE_LINE) if _placing else _short_lines(page)
    if not _YEAR_IN_TEXT.search("\n".join(lines)):  # one search is enough for most pages
        return False
    return any(_YEAR_IN_TEXT.search(line) and _DAY_IN_TEXT.search(line) for line in lines)
