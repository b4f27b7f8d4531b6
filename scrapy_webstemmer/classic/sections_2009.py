"""Find the sections of a cluster of 2009, the items of the features' common sequence, and its title.

Sections. Source: documentation of Webstemmer, DiffScore and MainScore; program of 0.7.1. Texts are compared
by their significant characters, in lower case. Pages on which a section is empty do not count for its
DiffScore.

The title is the section most like the anchor texts that lead to the pages. Source: documentation of
Webstemmer, title; program of 0.7.1. Only sections before the one with the largest MainScore are candidates.
Departures: Dice's coefficient counts longest common subsequences, not difflib's matching blocks. If
candidates have equally many votes, the one most like the ``title`` element wins, then the earliest (in 2009
chance decided).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain

from ..base.sequences import Words, common_words, dice
from ..patterns.sections import diff_score, main_score
from ..values import Section
from .assignment_2009 import assign
from .layouts_2009 import SequenceLayout, common_features

#: Largest number of page pairs for a section's DiffScore; the error is below .01 for nearly all sections.
MAX_PAIRS = 2000
#: If no anchor text elects a section: its likeness to the main text, times DiffScore, must exceed this.
_LEAST_LIKENESS = 1.0

#: Significant characters of the title and of the main text that are then compared; the cost is their product.
_COMPARED_TITLE, _COMPARED_TEXT = 300, 3000


@dataclass(frozen=True, slots=True)
class SequenceSection:
    """A section with its scores, and its text on each page that it was learned from."""

    section: Section
    texts: tuple[Words, ...]


def find_sequence_sections(pages: Sequence[SequenceLayout]) -> tuple[SequenceSection, ...]:
    """Return the sections of a cluster in the order of the page, without those that are empty everywhere.

    Cost: at most 2,000 comparisons of two texts for each section, and the product
    of the numbers of blocks and sections for each page.
    """
    features = common_features(pages)
    assigned = [assign(page.features, features) for page in pages]
    by_section = zip(features, zip(*assigned, strict=True), strict=True)
    return tuple(_scored(feature, pages, indexes) for feature, indexes in by_section if any(indexes))


def _scored(
    feature: str, pages: Sequence[SequenceLayout], indexes: Sequence[Sequence[int]]
) -> SequenceSection:
    """Return a section with its scores.

    :param indexes: for each page, the indexes of its blocks that belong to the section.
    """
    blocks = [[page.layout.blocks[i] for i in taken] for page, taken in zip(pages, indexes, strict=True)]
    texts = tuple(Words("\n".join(block.text for block in of_page)) for of_page in blocks)
    filled = [text for text in texts if len(text)]
    diff = diff_score(filled, MAX_PAIRS, common_words) if len(filled) > 1 else 0.0
    plain = sum(block.plain for block in chain.from_iterable(blocks))
    weight = sum(block.weight for block in chain.from_iterable(blocks)) / len(pages)
    main = main_score(diff, plain, len(pages))
    return SequenceSection(Section(feature, round(diff, 4), round(main, 2), round(weight, 2)), texts)


def find_title_section(
    sections: Sequence[SequenceSection], anchors: Sequence[Collection[str]], threshold: float
) -> int | None:
    """Return the index of the section that most pages of the cluster elect; None if most elect none.

    :param anchors: for each page of the cluster, the anchor texts that lead to it.
    :param threshold: the likeness to an anchor text, times DiffScore, must exceed this, 0 to 1.
    """
    scores = [candidate.section.main_score for candidate in sections]
    largest = scores.index(max(scores))
    votes = Counter(
        _elect(sections, page, largest, [Words(text) for text in sorted(texts)], threshold)
        for page, texts in enumerate(anchors)
    )
    most = max(votes.values())
    tied = sorted(index for index, count in votes.items() if count == most)
    elected = tied[0] if len(tied) == 1 else max(tied, key=lambda index: _like_element(sections, index))
    return elected if elected < len(sections) else None


def _like_element(sections: Sequence[SequenceSection], index: int) -> float:
    """Return the likeness of a section's texts to the ``title`` elements, summed over the pages."""
    element = next((title for title in sections if title.section.feature == "title"), None)
    if element is None or index >= len(sections):
        return 0.0
    return sum(map(dice, sections[index].texts, element.texts))


def _elect(
    sections: Sequence[SequenceSection], page: int, largest: int, anchors: Sequence[Words], threshold: float
) -> int:
    """Return the index of the section that is this page's title; ``len(sections)`` if none is."""
    anchors = [anchor for anchor in anchors if anchor]
    best, elected = threshold, len(sections)
    for index, candidate in enumerate(sections[:largest]):
        diff = candidate.section.diff_score
        if diff > best:  # a likeness is 1 at most
            score = diff * max((dice(anchor, candidate.texts[page]) for anchor in anchors), default=0.0)
            if score > best:
                best, elected = score, index
    return elected if elected < len(sections) else _elect_by_text(sections, page, largest)


def _elect_by_text(sections: Sequence[SequenceSection], page: int, largest: int) -> int:
    body = sections[largest].texts[page].letters[:_COMPARED_TEXT]
    best, elected = _LEAST_LIKENESS, len(sections)
    for index, candidate in enumerate(sections[:largest]):
        title, diff = candidate.texts[page].letters, candidate.section.diff_score
        if len(title) <= _COMPARED_TITLE and diff * len(title) > best:
            score = diff * _likeness(title, body)
            if score > best:
                best, elected = score, index
    return elected


def _likeness(title: str, body: str) -> float:
    """Return the sum of the squared lengths of the matching blocks, divided by the length of the title."""
    matches = SequenceMatcher(None, body, title, autojunk=False).get_matching_blocks()
    return sum(match.size**2 for match in matches) / len(title)
