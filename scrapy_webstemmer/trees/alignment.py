"""Align the children of two nodes: the rows of the table of least costs.

Row m, column n of the table is the least cost of a mapping of the first m siblings of one tree and the first
n of the other. Each row follows from the one above it. Cost: linear in the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

__all__ = ["row_of_many", "row_of_one"]


def row_of_one(
    above: Sequence[float], lost: float, new: Sequence[float], paired: Sequence[float]
) -> list[float]:
    """Return the row of a node that has one partner or none.

    :param new: what each sibling costs without a partner.
    :param paired: what each costs as the node's partner.
    """
    diagonal = above[0]
    least = diagonal + lost
    row = [least]
    add = row.append
    for over, one, pair in zip(above[1:], new, paired, strict=True):
        least += one
        if over + lost < least:
            least = over + lost
        if diagonal + pair < least:
            least = diagonal + pair
        diagonal = over
        add(least)
    return row


def row_of_many(above: Sequence[float], lost: float) -> list[float]:
    """Return the row of a node that takes one sibling or more at no cost."""
    row, least = [above[0] + lost], inf
    for column in range(1, len(above)):
        least = min(least, above[column - 1])
        row.append(min(least, above[column] + lost))
    return row
