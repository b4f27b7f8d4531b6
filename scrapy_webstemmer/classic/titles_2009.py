"""Find the title of a pattern of 2009: the section most like the anchor texts that lead to its pages.

Source: documentation of Webstemmer, title; program of 0.7.1. Only sections before the one with the largest
MainScore are candidates. Departures: Dice's coefficient counts longest common subsequences, not difflib's
matching blocks. If candidates have equally many votes, the one most like the ``title`` element wins, then
the earliest (in 2009 chance decided).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from ..base.sequences import Words, dice
from .sections_2009 import SequenceSection

#: If no anchor text elects a section: its likeness to the main text, times DiffScore, must exceed this.
_LEAST_LIKENESS = 1.0

#: Significant characters of the title and of the main text that are then compared; the cost is their product.
_LONGEST_TITLE, _LONGEST_TEXT = 300, 3000


def find_title_section(
    sections: Sequence[SequenceSection], anchors: Sequence[Collection[str]], threshold: float
) -> int | None:
    """Return the index of the section that most pages of the cluster elect; None if most elect none.

    :param anchors: for each page of the cluster, the anchor texts that lead to it.
    :param threshold: the likeness to an anchor text, times DiffScore, must exceed this, 0 to 1.
    """
    scores = [found.section.main_score for found in sections]
    largest = scores.index(max(scores))
    votes = Counter(
        _elect(sections, page, largest, [Words(text) for text in sorted(texts)], threshold)
        for page, texts in enumerate(anchors)
    )
    most = max(votes.values())
    tied = sorted(number for number, count in votes.items() if count == most)
    elected = tied[0] if len(tied) == 1 else max(tied, key=lambda number: _like_element(sections, number))
    return elected if elected < len(sections) else None


def _like_element(sections: Sequence[SequenceSection], number: int) -> float:
    """Return the likeness of a section's texts to the ``title`` elements, summed over the pages."""
    element = next((found for found in sections if found.section.feature == "title"), None)
    if element is None or number >= len(sections):
        return 0.0
    return sum(map(dice, sections[number].texts, element.texts))


def _elect(
    sections: Sequence[SequenceSection], page: int, largest: int, anchors: Sequence[Words], threshold: float
) -> int:
    """Return the index of the section that is this page's title; ``len(sections)`` if none is."""
    anchors = [anchor for anchor in anchors if anchor]
    best, elected = threshold, len(sections)
    for number, found in enumerate(sections[:largest]):
        diff = found.section.diff_score
        if diff > best:  # a likeness is 1 at most
            score = diff * max((dice(anchor, found.texts[page]) for anchor in anchors), default=0.0)
            if score > best:
                best, elected = score, number
    return elected if elected < len(sections) else _elect_by_text(sections, page, largest)


def _elect_by_text(sections: Sequence[SequenceSection], page: int, largest: int) -> int:
    body = sections[largest].texts[page].letters[:_LONGEST_TEXT]
    best, elected = _LEAST_LIKENESS, len(sections)
    for number, found in enumerate(sections[:largest]):
        title, diff = found.texts[page].letters, found.section.diff_score
        if len(title) <= _LONGEST_TITLE and diff * len(title) > best:
            score = diff * _likeness(title, body)
            if score > best:
                best, elected = score, number
    return elected


def _likeness(title: str, body: str) -> float:
    """Return the sum of the squared lengths of the matching blocks, divided by the length of the title."""
    matches = SequenceMatcher(None, body, title, autojunk=False).get_matching_blocks()
    return sum(match.size**2 for match in matches) / len(title)
