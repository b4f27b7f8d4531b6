"""Assign a page's blocks to the sections of a pattern of 2009.

Source: Webstemmer 0.7.1, matching of layouts. A block goes to a section with its own feature. The order is
kept, a section gets any number of blocks, and as many blocks as possible are assigned. Often several
assignments have equally many blocks. The choice between them decides which texts are title and main text,
so this module takes the assignment that the program of 2009 took.
"""

from __future__ import annotations

from collections.abc import Sequence

#: The neighbour that gave a cell of the table its value. Of equal values the larger number wins.
_SECTION_BEFORE, _BLOCK_BEFORE, _BOTH_BEFORE = 1, 2, 3


def assign(features: Sequence[str], sections: Sequence[str]) -> list[list[int]]:
    """Return for each section the indexes of the blocks that are assigned to it, ascending.

    :param features: the features of the page's blocks.
    :param sections: the features of the sections.

    If several assignments have equally many blocks, the one with the fewest blocks
    in the last section is taken; then the one that ends a section latest. The
    page's first block goes to the first section or to none.

    Cost: len(features) * len(sections) steps, and as many bytes.
    """
    if not features or not sections:
        return [[] for _ in sections]
    return _trace(features, sections, _moves(features, sections))


def _moves(features: Sequence[str], sections: Sequence[str]) -> list[bytearray]:
    """Fill the table of sections and blocks row by row, and return the move that led to each cell.

    A cell holds the number of blocks assigned so far, and how many of them are in earlier sections. Both
    numbers and the move are packed into one number, so that the larger number is the better cell.
    """
    count = len(features)
    size = count + 1
    above: list[int] = []
    table = []
    for section in sections:
        total, earlier, moves = [0] * count, [0] * count, bytearray(count)
        for i, feature in enumerate(features):
            fits = feature == section
            best = -1
            if i:
                best = ((total[i - 1] + fits) * size + earlier[i - 1]) * 4 + _BLOCK_BEFORE
                if above:
                    best = max(best, ((above[i - 1] + fits) * size + above[i - 1]) * 4 + _BOTH_BEFORE)
            elif not above:
                best = fits * size * 4 + _BOTH_BEFORE
            if above:
                best = max(best, (above[i] * size + above[i]) * 4 + _SECTION_BEFORE)
            packed, moves[i] = divmod(best, 4)
            total[i], earlier[i] = divmod(packed, size)
        table.append(moves)
        above = total
    return table


def _trace(features: Sequence[str], sections: Sequence[str], table: Sequence[bytearray]) -> list[list[int]]:
    """Return the assignment: walk back through the table, from the last block and the last section."""
    assigned: list[list[int]] = [[] for _ in sections]
    section, block = len(sections) - 1, len(features) - 1
    while block >= 0:
        move = table[section][block]
        if move != _SECTION_BEFORE:
            if features[block] == sections[section]:
                assigned[section].append(block)
            block -= 1
        if move != _BLOCK_BEFORE:
            section = max(section - 1, 0)
    return [blocks[::-1] for blocks in assigned]
