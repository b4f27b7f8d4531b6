"""Dates of pages: where a site dates its articles in their urls, what has no date is none.

Documentation, imprints and questions answered are often made by the blog's own
template, so the layout cannot tell them apart. A blog's engine files its posts
by date, though. Numbers only: no names of months, no order of day and month.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from ..values import Block
from .placed import PlacedLayout

__all__ = ["date_lines", "dated_share", "is_date_line", "is_dated", "is_stamp", "undated"]

#: Share of the pages of article patterns with a date in their url, from which on articles have one.
_DATED_SITE = 2 / 3

_YEAR = r"(?<!\d)(?:19[89]|20[0-4])\d"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
#: A year as a step of the url's path, a year with its month, or a whole date.
_IN_URL = re.compile(rf"/{_YEAR}(?=/)|{_YEAR}[-_.]{_MONTH}(?!\d)|{_YEAR}{_MONTH}{_DAY}(?!\d)")

_YEAR_IN_TEXT, _DAY_IN_TEXT = re.compile(rf"{_YEAR}(?!\d)"), re.compile(r"(?<!\d)\d\d?(?!\d)")
#: What every such text has; most have no digit at all, and one search is enough for them.
_HINT = re.compile(r"\d[:.]\d|\d\d\d\d")
#: Weight of a line that tells when a comment was written, at most: with a name, a time and some controls.
_STAMP = 60
_TIME_IN_TEXT = re.compile(r"(?<![\d:.])[012]?\d[:.][0-5]\d(?![\d:])")
#: Weight of a text that is a date line, with a name and a place at most; a longer one tells of a date.
_DATE_LINE = 40


def dated_share(urls: Collection[str]) -> float:
    """Return the share of urls that have a date in them, 0 to 1."""
    return sum(map(is_dated, urls)) / len(urls) if urls else 0.0


def undated(page: PlacedLayout, share: float) -> bool:
    """Return whether a page of a site with dated articles has no date, neither in its url nor as a line.

    The line spares articles that the site has filed in another way, before a
    redesign for example; it varies, and stands in no list of other pages.

    :param share: the site's :func:`dated_share`.
    """
    return share >= _DATED_SITE and not is_dated(page.url) and not _has_date_line(page)


def is_dated(url: str) -> bool:
    """Return whether a url has a date in its path."""
    return _IN_URL.search("/" + url.partition("//")[2].partition("/")[2]) is not None


def is_stamp(text: str) -> bool:
    """Return whether a text tells a day of a year, or a time of day, in digits.

    >>> [is_stamp(text) for text in ("12 mayo, 2010", "hace 3 horas", "10:20", "In 2010")]
    [True, False, True, False]
    """
    if not _HINT.search(text):
        return False
    if _TIME_IN_TEXT.search(text):
        return True
    return _YEAR_IN_TEXT.search(text) is not None and _DAY_IN_TEXT.search(text) is not None


def date_lines(blocks: Sequence[Block], among: Iterable[int]) -> list[int]:
    """Return which of some blocks are short lines with a date; cost: one search if there is none."""
    short = [index for index in among if blocks[index].weight <= _STAMP]
    if not _HINT.search("\n".join([blocks[index].text for index in short])):
        return []
    return [index for index in short if is_stamp(blocks[index].text)]


def is_date_line(block: Block) -> bool:
    """Return whether a block is a short line that tells when something was written, and by whom perhaps."""
    return block.weight <= _STAMP and is_stamp(block.text)


def _has_date_line(page: PlacedLayout) -> bool:
    return any(
        block.weight <= _DATE_LINE
        and not boilerplate
        and not page.repeated[block.node]
        and not page.leading[block.node]
        and _YEAR_IN_TEXT.search(block.text)
        and _DAY_IN_TEXT.search(block.text)
        for block, boilerplate in zip(page.layout.blocks, page.boilerplate, strict=True)
    )
