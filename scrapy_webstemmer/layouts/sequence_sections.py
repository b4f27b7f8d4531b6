"""Sections of a cluster whose layouts are sequences: the items of its common sequence.

Source: documentation of Webstemmer, DiffScore and MainScore. Texts are compared
by their significant characters, in lower case.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from ..sequences import Words, common_words
from ..values import Section
from .scores import diff_score, main_score
from .sequence import SequenceLayout, common_features, section_blocks

__all__ = ["MAX_PAIRS", "SequenceSection", "draw_sample", "find_sequence_sections"]

#: Pairs of pages that a section's DiffScore is computed from; the error is below .01 for nearly all sections.
MAX_PAIRS = 2000


@dataclass(frozen=True, slots=True)
class SequenceSection:
    """A section with its scores, and its text on each page that it was learned from."""

    section: Section
    texts: tuple[Words, ...]


def draw_sample(pages: Sequence[SequenceLayout], samples: int) -> list[SequenceLayout]:
    """Return at most so many of a cluster's pages (0: all), in the order of their urls; no chance in it."""
    if 0 < samples < len(pages):
        pages = sorted(pages, key=lambda page: hashlib.sha256(page.layout.url.encode()).digest())[:samples]
    return sorted(pages, key=lambda page: page.layout.url)


def find_sequence_sections(pages: Sequence[SequenceLayout]) -> tuple[SequenceSection, ...]:
    """Return the sections that all pages of a cluster have, in the order of the page.

    Cost: for each section at most 2,000 comparisons of two texts.
    """
    features = common_features(pages)
    assigned = [section_blocks(page, features, complete=True) for page in pages]
    return tuple(
        _scored(feature, pages, [blocks[number] for blocks in assigned if blocks is not None])
        for number, feature in enumerate(features)
    )


def _scored(feature: str, pages: Sequence[SequenceLayout], found: Sequence[Sequence[int]]) -> SequenceSection:
    blocks = [[page.layout.blocks[i] for i in indexes] for page, indexes in zip(pages, found, strict=True)]
    texts = tuple(Words("\n".join(block.text for block in own)) for own in blocks)
    diff = diff_score(texts, MAX_PAIRS, common_words)
    plain = [sum(block.plain for block in own) for own in blocks]
    weight = sum(block.weight for own in blocks for block in own) / len(pages)
    main = main_score(diff, plain, len(pages))
    return SequenceSection(Section(feature, round(diff, 4), round(main, 2), round(weight, 2)), texts)
