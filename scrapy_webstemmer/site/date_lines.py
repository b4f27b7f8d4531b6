"""Find short lines with a date or a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ..page.days import HINT_OF_TIME, is_stamp
from ..page.tags import HEADINGS
from ..values import Block

#: In these elements a date is the author's.
AUTHORS = HEADINGS | {"td", "th", "pre", "blockquote", "caption", "figcaption"}
#: A line that tells when a comment was written weighs at most this, with a name, a time and some controls.
_STAMP = 60


def date_lines(blocks: Sequence[Block], among: Iterable[int]) -> list[int]:
    """Return the indexes of the blocks that are short lines with a date or a time.

    Cost: one search if there are none.
    """
    short = [index for index in among if blocks[index].weight <= _STAMP]
    texts = [blocks[index].text for index in short]
    hints = HINT_OF_TIME.finditer("\n".join(texts))
    ends = [*accumulate(len(text) + 1 for text in texts)]  # of each text among all
    hinted = dict.fromkeys(bisect_right(ends, hint.start()) for hint in hints)
    return [short[number] for number in hinted if is_stamp(texts[number])]


def is_date_line(block: Block) -> bool:
    """Return whether a block is a short line that tells when something was written, and perhaps by whom."""
    return block.weight <= _STAMP and is_stamp(block.text)
