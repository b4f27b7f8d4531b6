"""Sections of a path layout: the blocks that a cluster's pages have at one path.

A path names its place, so a section is what stands at one path. (In the layout
of 2009 it is a part of the common sequence: ``classic/sections.py``.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from ..values import Section
from .placed import PlacedLayout
from .scores import diff_score, main_score

__all__ = ["find_sections"]

#: Pairs of texts that are compared for a section's DiffScore.
_PAIRS = 200


@dataclass(slots=True)
class _Occurrences:
    """What stands at one path: a text, its weights and its place for each page that has it."""

    texts: list[str] = field(default_factory=list)
    plain: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    positions: list[float] = field(default_factory=list)


def find_sections(pages: Sequence[PlacedLayout], support: float) -> tuple[Section, ...]:
    """Return the sections of a cluster, in the order of its pages, with their scores.

    :param support: share of the pages that must have a section.

    Cost: at most 200 comparisons of texts a section.
    """
    found: dict[str, _Occurrences] = defaultdict(_Occurrences)
    for page in pages:
        _add_page(page, found)
    kept = [(path, seen) for path, seen in found.items() if len(seen.texts) >= support * len(pages)]
    kept.sort(key=lambda item: (fmean(item[1].positions), item[0]))
    return tuple(_scored(path, seen, len(pages)) for path, seen in kept)


def _add_page(page: PlacedLayout, found: dict[str, _Occurrences]) -> None:
    blocks = page.layout.blocks
    here: dict[str, list[int]] = defaultdict(list)
    for index, block in enumerate(blocks):
        here[page.paths[block.node]].append(index)
    for path, indexes in here.items():
        seen = found[path]
        seen.texts.append("\n".join(blocks[i].text for i in indexes))
        seen.plain.append(sum(blocks[i].plain for i in indexes))
        seen.weights.append(sum(blocks[i].weight for i in indexes))
        seen.positions.append(indexes[0] / len(blocks))


def _scored(path: str, seen: _Occurrences, pages: int) -> Section:
    diff = diff_score(seen.texts, _PAIRS)
    main = main_score(diff, seen.plain, pages)
    return Section(path, round(diff, 4), round(main, 2), round(sum(seen.weights) / pages, 2))
