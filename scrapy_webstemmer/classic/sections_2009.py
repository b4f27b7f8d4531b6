"""Find the sections of a cluster of 2009: the items of the features' common sequence.

Source: documentation of Webstemmer, DiffScore and MainScore; program of 0.7.1. Texts are compared by their
significant characters, in lower case. Pages on which a section is empty do not count for its DiffScore.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..base.sequences import Words, common_words
from ..patterns.sections import diff_score, main_score
from ..values import Section
from .assignment_2009 import assign
from .layouts_2009 import SequenceLayout, common_features

#: Largest number of page pairs for a section's DiffScore; the error is below .01 for nearly all sections.
MAX_PAIRS = 2000


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
    found = [[blocks[number] for blocks in assigned] for number in range(len(features))]
    return tuple(
        _scored(feature, pages, blocks)
        for feature, blocks in zip(features, found, strict=True)
        if any(blocks)
    )


def _scored(feature: str, pages: Sequence[SequenceLayout], found: Sequence[Sequence[int]]) -> SequenceSection:
    blocks = [[page.layout.blocks[i] for i in indexes] for page, indexes in zip(pages, found, strict=True)]
    texts = tuple(Words("\n".join(block.text for block in own)) for own in blocks)
    filled = [text for text in texts if len(text)]
    diff = diff_score(filled, MAX_PAIRS, common_words) if len(filled) > 1 else 0.0
    plain = sum(block.plain for own in blocks for block in own)
    weight = sum(block.weight for own in blocks for block in own) / len(pages)
    main = main_score(diff, plain, len(pages))
    return SequenceSection(Section(feature, round(diff, 4), round(main, 2), round(weight, 2)), texts)
