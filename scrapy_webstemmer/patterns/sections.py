"""Find the sections of a cluster, the blocks that its pages have at one path, and their container.

A path names its place, so all blocks at one path are a section. (In layouts of 2009 a section is a part of
the common sequence.) Source: documentation of Webstemmer, scores. Departures: if a section has more pairs of
texts than ``max_pairs``, a sample of them is compared, drawn the same way every time. Path layouts use an
estimate: there a score shows what varies, and is not a threshold for the main text.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from ..base.sequences import Words, common_words
from ..site.placed import PlacedLayout
from ..site.weighing import HELD, stops
from ..values import Section

#: Bound: so many pairs of pages give a DiffScore.
MAX_PAIRS = 200

#: An estimate compares the first characters of this many texts.
_COMPARED_TEXTS, _OPENING = 10, 500


def diff_score(texts: Sequence[Words], max_pairs: int = MAX_PAIRS) -> float:
    """Return how much a section's texts differ from page to page, from 0 (the same) to 1.

    It is the sum over pairs of W(a) + W(b) - 2 |MCS(a, b)|, over the sum of W(a) + W(b).
    For a section of a single page it is 1.

    Cost: one comparison per pair, at most ``max_pairs``; equal texts cost nothing.
    """
    if len(texts) < 2:
        return 1.0
    different = total = 0
    for a, b in _pairs(texts, max_pairs):
        length = len(a) + len(b)
        total += length
        if a != b:
            different += length - 2 * common_words(a, b)
    return different / total if total else 0.0


def estimated_diff_score(texts: Sequence[str]) -> float:
    """Return an estimate of :func:`diff_score`, at a hundredth of its cost.

    The words in the first 500 characters of ten texts are compared, the same ten every time.
    """
    if len(texts) < 2:
        return 1.0
    if all(text == texts[0] for text in texts):
        return 0.0
    draw = random.Random(len(texts))  # noqa: S311 - a sample, not a secret; the same in every run
    sample = draw.sample(texts, _COMPARED_TEXTS) if len(texts) > _COMPARED_TEXTS else texts
    codes: dict[str, str] = {}
    return diff_score([Words(text[:_OPENING], codes) for text in sample])


def main_score(diff: float, plain: int, pages: int) -> float:
    """Return DiffScore times the mean weight outside links over all of the cluster's pages.

    :param plain: the section's weight outside links, summed over all pages.
    """
    return diff * plain / pages


def _pairs(texts: Sequence[Words], max_pairs: int) -> Iterator[tuple[Words, Words]]:
    count = len(texts)
    if count * (count - 1) // 2 <= max_pairs:
        for i in range(count):
            for j in range(i):
                yield texts[i], texts[j]
        return
    draw = random.Random(count)  # noqa: S311 - a sample, not a secret; the same in every run
    for _ in range(max_pairs):
        i, j = draw.sample(range(count), 2)
        yield texts[i], texts[j]


@dataclass(slots=True)
class _Occurrences:
    """The blocks at one path: for each page with the path its text and its position; the sums of weights."""

    texts: list[str] = field(default_factory=list)
    positions: list[float] = field(default_factory=list)
    plain: int = 0
    weight: int = 0


#: A section must be on at least this share of a cluster's pages.
_SUPPORT = 0.5


def find_sections(pages: Sequence[PlacedLayout]) -> tuple[Section, ...]:
    """Return the sections of a cluster, in the order of its pages, with their scores.

    Cost: linear in the number of blocks, and at most 100 comparisons of texts per section.
    """
    occurrences: dict[str, _Occurrences] = defaultdict(_Occurrences)
    for page in pages:
        _add_page(page, occurrences)
    kept = [(path, seen) for path, seen in occurrences.items() if len(seen.texts) >= _SUPPORT * len(pages)]
    kept.sort(key=lambda item: (fmean(item[1].positions), item[0]))
    return tuple(_scored(path, seen, len(pages)) for path, seen in kept)


def _add_page(page: PlacedLayout, occurrences: dict[str, _Occurrences]) -> None:
    blocks, paths = page.layout.blocks, page.paths
    here: dict[str, list[str]] = {}
    for index, (node, text, weight, plain) in enumerate(blocks):
        path = paths[node]
        seen = occurrences[path]
        seen.plain += plain
        seen.weight += weight
        if path not in here:
            here[path] = []
            seen.positions.append(index / len(blocks))
        here[path].append(text)
    for path, texts in here.items():
        occurrences[path].texts.append("\n".join(texts))


def _scored(path: str, seen: _Occurrences, pages: int) -> Section:
    diff = estimated_diff_score(seen.texts)
    main = main_score(diff, seen.plain, pages)
    return Section(path, round(diff, 4), round(main, 2), round(seen.weight / pages, 2))


#: An element holds the main text if it has the share ``HELD`` of its parent's mass on at least this share of
#: the pages on which the parent has mass.
_ON_PAGES = 0.7


def find_container(pages: Sequence[PlacedLayout]) -> str:
    """Return the path of a cluster's container; that of the body if no element in it holds the text.

    Cost: linear in the number of nodes.
    """
    masses = [page.masses() for page in pages]
    children = [_with_mass(page, mass) for page, mass in zip(pages, masses, strict=True)]
    nodes: list[int | None] = [0 if mass[0] else None for mass in masses]
    path = pages[0].paths[0]
    while True:
        step = _step_down(pages, masses, children, nodes)
        if step is None:
            return path
        path, nodes = step


def _with_mass(page: PlacedLayout, masses: Sequence[float]) -> dict[int, list[int]]:
    """Return for each node its children with mass; the search leads through no others."""
    with_mass: dict[int, list[int]] = defaultdict(list)
    for node, (parent, mass) in enumerate(zip(page.layout.parents, masses, strict=True)):
        if mass:
            with_mass[parent].append(node)
    return with_mass


def _step_down(
    pages: Sequence[PlacedLayout],
    masses: Sequence[Sequence[float]],
    children: Sequence[dict[int, list[int]]],
    nodes: Sequence[int | None],
) -> tuple[str, list[int | None]] | None:
    """Return the path of the child that holds its parent's mass, with its node on each page."""
    shares: dict[str, list[float]] = defaultdict(list)
    heaviest: list[dict[str, int]] = []
    present = 0
    for page, mass, below, node in zip(pages, masses, children, nodes, strict=True):
        by_path: dict[str, int] = {}
        heaviest.append(by_path)
        if node is None:
            continue
        present += 1
        for child in below[node]:
            path = page.paths[child]
            if path not in by_path or mass[child] > mass[by_path[path]]:
                by_path[path] = child
        for path, child in by_path.items():
            shares[path].append(mass[child] / mass[node])
    for path, held in sorted(shares.items()):
        if not stops(path) and sum(share >= HELD for share in held) >= _ON_PAGES * present:
            return path, [by_path.get(path) for by_path in heaviest]
    return None
