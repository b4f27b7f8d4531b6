"""Test a pattern on the pages that it was learned from, and withdraw what takes their text away.

The rules that find containers and exclusions look at paths, records and boilerplate. This test looks at none
of them: it reads some pages with the pattern, without its exclusions, and by themselves, and compares how
much text comes out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..base.sampling import drawn
from ..layouts.affixes import Affixes
from ..layouts.main_text import MainTextChoice, main_blocks
from ..layouts.paths import is_under
from ..layouts.placed import PlacedLayout
from ..layouts.title import title_of
from ..values.patterns import Pattern

#: So many pages of a pattern are read again.
_PAGES = 40
#: A page is emptied if less than this share of its text is left.
_LEFT = 0.1
#: Something is withdrawn if it empties at least this share of the pages.
_EMPTIED = 0.3


def verified(pattern: Pattern, pages: Sequence[PlacedLayout], affixes: Affixes) -> tuple[Pattern, int]:
    """Return a pattern without what empties its own pages, and how many pages that emptied; 0: nothing did.

    Exclusions go first: those that take the text. If that is not enough, no container is learned, and each
    page shows its own.

    Patterns of lists are not tested: most of their text is in records. Cost: three readings of at most 40
    pages.
    """
    if pattern.kind != "article":
        return pattern, 0
    sample = drawn(pages, _PAGES)
    whole = [_texts(page, replace(pattern, excluded=()), affixes) for page in sample]
    emptied = 0
    if pattern.excluded:
        found = [_texts(page, pattern, affixes) for page in sample]
        taken = [
            (page, text)
            for page, text, left in zip(sample, whole, found, strict=True)
            if _is_empty(left, text)
        ]
        if len(taken) >= _EMPTIED * len(sample):
            emptied = len(taken)
            guilty = Counter(path for page, text in taken for path in _takers(page, text, pattern.excluded))
            kept = tuple(path for path in pattern.excluded if guilty[path] < _EMPTIED * len(taken))
            pattern = replace(pattern, excluded=kept)
    own = [
        _texts(page, replace(pattern, excluded=(), container=""), affixes, learned=False) for page in sample
    ]
    misled = sum(_is_empty(text, other) for text, other in zip(whole, own, strict=True))
    if misled >= _EMPTIED * len(sample):
        return replace(pattern, container="", excluded=()), max(emptied, misled)
    return pattern, emptied


def _texts(page: PlacedLayout, pattern: Pattern, affixes: Affixes, learned: bool = True) -> dict[int, int]:
    """Return the weights of the blocks that a pattern takes for a page's main text.

    Parts that are no main text by their names do not count: comments may be longer than the article.

    :param learned: whether only blocks in the pattern's container count.
    """
    _, place = title_of(page, pattern.titles, affixes)
    choice = MainTextChoice()
    numbers = main_blocks(page, pattern, place, choice)
    if learned and not choice.learned:
        return {}
    blocks, named = page.layout.blocks, page.named
    return {n: blocks[n].plain for n in numbers if not named or not named[blocks[n].node]}


def _is_empty(left: dict[int, int], text: dict[int, int]) -> bool:
    return sum(left.values()) < _LEFT * sum(text.values())


def _takers(page: PlacedLayout, text: dict[int, int], excluded: Sequence[str]) -> list[str]:
    """Return the exclusions that take an essential part of a page's text, at least a tenth."""
    taken = Counter(dict.fromkeys(excluded, 0))
    for number, weight in text.items():
        path = next((one for one in excluded if is_under(page.places[number], one)), None)
        if path is not None:
            taken[path] += weight
    return [path for path, weight in taken.items() if weight > _LEFT * sum(text.values())]
