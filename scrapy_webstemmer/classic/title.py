"""Which section of 2009 holds the title: the one most like the texts under which other pages link here.

Source: documentation of Webstemmer, title; program of 0.7.1. Only sections
before the one with the largest MainScore are candidates. Departures: Dice's
coefficient counts longest common subsequences, not difflib's matching blocks; of
candidates with equally many votes the one most like the ``title`` element wins,
then the earliest (in 2009 chance decided).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from ..base.sequences import Words, dice
from .sections import SequenceSection

__all__ = ["find_title_section"]

#: Without anchor texts: what a section must reach by its likeness to the main text.
_LEAST_LIKENESS = 1.0

#: Significant characters that are compared where there is no anchor text: the cost is their product.
_LONGEST_TITLE, _LONGEST_TEXT = 300, 3000


def find_title_section(
    sections: Sequence[SequenceSection], anchors: Sequence[Collection[str]], threshold: float
) -> int | None:
    """Return the number of the section that most pages of the cluster elect; None: most elect none.

    :param anchors: for each page of the cluster the anchor texts that refer to it.
    :param threshold: what the likeness to an anchor text times DiffScore must pass, 0 to 1.
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
    """Return how like a section's texts are to those of the ``title`` element, summed over the pages."""
    element = next((found for found in sections if found.section.feature == "title"), None)
    if element is None or number >= len(sections):
        return 0.0
    return sum(map(dice, sections[number].texts, element.texts))


def _elect(
    sections: Sequence[SequenceSection], page: int, largest: int, anchors: Sequence[Words], threshold: float
) -> int:
    """Return the number of the section that is this page's title; that of none is past all of them."""
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
    """Return the sum of the squared lengths of what both have in common, over the length of the title."""
    matches = SequenceMatcher(None, body, title, autojunk=False).get_matching_blocks()
    return sum(match.size**2 for match in matches) / len(title)
