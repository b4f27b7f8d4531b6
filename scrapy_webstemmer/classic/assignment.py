"""Which of a page's blocks belong to which section of a pattern of 2009.

Source: Webstemmer 0.7.1, matching of layouts. Blocks go to sections of their
own feature, in order, as many blocks as possible, any number to one section.
Often several assignments have equally many blocks. Which of them is taken
decides which texts are title and main text, so it is the one that the program
of 2009 took.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["assign"]

#: Where a cell of the table got its value from; the numbers decide between equals.
_SECTION_BEFORE, _BLOCK_BEFORE, _BOTH_BEFORE = 1, 2, 3


def assign(features: Sequence[str], sections: Sequence[str]) -> list[list[int]]:
    """Return for each section the indexes of the blocks that are assigned to it, ascending.

    :param features: of the page's blocks.
    :param sections: their features.

    Of assignments with equally many blocks, the one in which the last section
    has the fewest, then the one that ends a section latest. The page's first block
    goes to the first section or to none.

    Cost: len(features) * len(sections) steps, and as many bytes.
    """
    if not features or not sections:
        return [[] for _ in sections]
    return _trace(features, sections, _moves(features, sections))


def _moves(features: Sequence[str], sections: Sequence[str]) -> list[bytearray]:
    """Fill the table over sections and blocks, row by row, and return where each cell's value comes from.

    A cell holds how many blocks are assigned so far, and how many of them to earlier
    sections; both are packed into one number with the move, so that the larger number is the better cell.
    """
    size = len(features) + 1
    count = len(features)
    above: list[int] = []
    table = []
    for section in sections:
        total, earlier, moves = [0] * count, [0] * count, bytearray(count)
        for i, feature in enumerate(features):
            here = feature == section
            best = -1
            if i:
                best = ((total[i - 1] + here) * size + earlier[i - 1]) * 4 + _BLOCK_BEFORE
                if above:
                    best = max(best, ((above[i - 1] + here) * size + above[i - 1]) * 4 + _BOTH_BEFORE)
            elif not above:
                best = here * size * 4 + _BOTH_BEFORE
            if above:
                best = max(best, (above[i] * size + above[i]) * 4 + _SECTION_BEFORE)
            packed, moves[i] = divmod(best, 4)
            total[i], earlier[i] = divmod(packed, size)
        table.append(moves)
        above = total
    return table


def _trace(features: Sequence[str], sections: Sequence[str], table: Sequence[bytearray]) -> list[list[int]]:
    """Walk back through the table, from the last block and the last section."""
    found: list[list[int]] = [[] for _ in sections]
    number, i = len(sections) - 1, len(features) - 1
    while i >= 0:
        move = table[number][i]
        if move != _SECTION_BEFORE and features[i] == sections[number]:
            found[number].append(i)
        if move != _SECTION_BEFORE:
            i -= 1
        if move != _BLOCK_BEFORE:
            number = max(number - 1, 0)
    return [blocks[::-1] for blocks in found]
