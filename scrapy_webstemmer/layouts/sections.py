"""Find the sections of a cluster with path layouts: the blocks that its pages have at one path.

A path names its place, so all blocks at one path are a section. (In layouts of
2009 a section is a part of the common sequence: ``classic/sections.py``.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from ..values.patterns import Section
from .placed import PlacedLayout
from .scores import estimated_diff_score, main_score


@dataclass(slots=True)
class _Occurrences:
    """The blocks at one path: for each page with the path its text and its position; the sums of weights."""

    texts: list[str] = field(default_factory=list)
    positions: list[float] = field(default_factory=list)
    plain: int = 0
    weight: int = 0


def find_sections(pages: Sequence[PlacedLayout], support: float) -> tuple[Section, ...]:
    """Return the sections of a cluster, in the order of its pages, with their scores.

    :param support: this share of the pages must have a section.

    Cost: linear in the number of blocks, and at most 100 comparisons of texts per section.
    """
    found: dict[str, _Occurrences] = defaultdict(_Occurrences)
    for page in pages:
        _add_page(page, found)
    kept = [(path, seen) for path, seen in found.items() if len(seen.texts) >= support * len(pages)]
    kept.sort(key=lambda item: (fmean(item[1].positions), item[0]))
    return tuple(_scored(path, seen, len(pages)) for path, seen in kept)


def _add_page(page: PlacedLayout, found: dict[str, _Occurrences]) -> None:
    blocks, paths = page.layout.blocks, page.paths
    here: dict[str, list[str]] = {}
    for index, (node, text, weight, plain) in enumerate(blocks):
        path = paths[node]
        seen = found[path]
        seen.plain += plain
        seen.weight += weight
        if path in here:
            here[path].append(text)
        else:
            here[path] = [text]
            seen.positions.append(index / len(blocks))
    for path, texts in here.items():
        found[path].texts.append(texts[0] if len(texts) == 1 else "\n".join(texts))


def _scored(path: str, seen: _Occurrences, pages: int) -> Section:
    diff = estimated_diff_score(seen.texts)
    main = main_score(diff, seen.plain, pages)
    return Section(path, round(diff, 4), round(main, 2), round(seen.weight / pages, 2))
