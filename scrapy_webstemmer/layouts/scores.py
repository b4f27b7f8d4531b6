"""DiffScore and MainScore of a cluster's sections.

Source: documentation of Webstemmer, scores. Departure: where a section has more
pairs of texts than ``max_pairs``, a sample of them is compared, drawn the same
way every time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence, Sized
from typing import TypeVar

from ..sequences import common_length

__all__ = ["MAX_PAIRS", "diff_score", "main_score"]

MAX_PAIRS = 200

Text = TypeVar("Text", bound=Sized)


def diff_score(
    texts: Sequence[Text],
    max_pairs: int = MAX_PAIRS,
    common: Callable[[Text, Text], int] = common_length,  # type: ignore[assignment]
) -> float:
    """Return how much a section's texts differ from page to page, 0 (the same) to 1.

    :param common: the length that two texts have in common.

    The sum over pairs of W(a) + W(b) - 2 |MCS(a, b)|, over the sum of W(a) + W(b).
    A section that a single page has differs from nothing: 1.

    Cost: one comparison a pair, at most ``max_pairs``; equal texts cost nothing.
    """
    if len(texts) < 2:
        return 1.0
    different = total = 0
    for a, b in _pairs(texts, max_pairs):
        length = len(a) + len(b)
        total += length
        if a != b:
            different += length - 2 * common(a, b)
    return different / total if total else 0.0


def main_score(diff: float, plain_weights: Sequence[int], pages: int) -> float:
    """Return DiffScore times the mean weight outside links over all of the cluster's pages."""
    return diff * sum(plain_weights) / pages if pages else 0.0


def _pairs(texts: Sequence[Text], max_pairs: int) -> Iterator[tuple[Text, Text]]:
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
