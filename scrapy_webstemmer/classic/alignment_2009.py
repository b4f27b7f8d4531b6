"""Align two pages: compute how much of both can be assigned to one common sequence of features.

A page is a sequence of runs. A run is a feature and the weight of the neighbouring blocks that have it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Run: TypeAlias = tuple[str, int]


def collapse(runs: Iterable[Run]) -> list[Run]:
    """Join neighbours of equal feature, and add up their weights."""
    joined: list[Run] = []
    for feature, weight in runs:
        if joined and joined[-1][0] == feature:
            joined[-1] = feature, joined[-1][1] + weight
        else:
            joined.append((feature, weight))
    return joined


def aligned_weight(a: Sequence[Run], b: Sequence[Run]) -> int:
    """Return the largest weight of runs that can be assigned to one common sequence.

    It is the largest over all sequences C of features that both sides contain. The
    runs of each side are assigned in order to items of C with the same feature. An
    item may get any number of runs, but at least one of each side. The result is
    symmetric. All weights must be 1 or more.

    Cost: (pairs of runs of equal feature) * (different features) * log(len(b))
    steps, after the common beginning and the common end have been set aside.
    """
    begin, end = _common_ends(a, b)
    kept = sum(weight for runs in (a, b) for _, weight in [*runs[:begin], *runs[len(runs) - end :]])
    return kept + _Alignment(a[begin : len(a) - end], b[begin : len(b) - end]).weight()


def _common_ends(a: Sequence[Run], b: Sequence[Run]) -> tuple[int, int]:
    """Return how many runs at the beginning and at the end certainly belong together.

    This is certain only for features that occur once on each side: their runs can
    be assigned to nothing else, and nothing else to them.
    """
    once = _once(a) & _once(b)
    shorter = min(len(a), len(b))
    begin = 0
    while begin < shorter and a[begin][0] == b[begin][0] in once:
        begin += 1
    end = 0
    while end < shorter - begin and a[-1 - end][0] == b[-1 - end][0] in once:
        end += 1
    return begin, end


def _once(runs: Sequence[Run]) -> set[str]:
    seen: set[str] = set()
    again: set[str] = set()
    for feature, _ in runs:
        (again if feature in seen else seen).add(feature)
    return seen - again


class _Alignment:
    """The dynamic programme behind :func:`aligned_weight`, from the last run of ``a`` to the first.

    An item of C starts at a pair (i, j) of runs of equal feature f. It takes all
    later runs of f until the next item starts at (k, l). The largest weight of the
    item and all later items is

        best(i, j) = rest_a(f, i) + rest_b(f, j) + max over (k > i, l > j) of
                     best(k, l) - rest_a(f, k) - rest_b(f, l), or 0 if there is no next,

    where rest(f, i) is the weight of f from run i on. For each f the maxima are
    kept as a staircase over the runs of ``b``, in ascending order.
    """

    def __init__(self, a: Sequence[Run], b: Sequence[Run]) -> None:
        self.a, self.width = a, len(b)
        self.columns: dict[str, list[int]] = defaultdict(list)
        for j, (feature, _) in enumerate(b):
            self.columns[feature].append(j)
        self.first = {
            feature: i for i, (feature, _) in reversed(list(enumerate(a))) if feature in self.columns
        }
        self.rest_b = {feature: _rests(b, feature) for feature in self.first}

    def weight(self) -> int:
        rest_a = dict.fromkeys(self.first, 0)
        stairs = {feature: [0] * (self.width + 1) for feature in self.first}
        largest = 0
        for i in range(len(self.a) - 1, -1, -1):
            feature, weight = self.a[i]
            if feature not in rest_a:
                continue
            rest_a[feature] += weight
            own, rest_b = stairs[feature], self.rest_b[feature]
            starts = [
                (j, rest_a[feature] + rest_b[j] + own[self.width - j - 1]) for j in self.columns[feature]
            ]
            largest = max(largest, *(best for _, best in starts))
            for other, first in self.first.items():
                if first < i:
                    self._raise(stairs[other], starts, rest_a[other], self.rest_b[other])
        return largest

    def _raise(self, stair: list[int], starts: list[tuple[int, int]], rest_a: int, rest_b: list[int]) -> None:
        for j, best in starts:
            value = best - rest_a - rest_b[j]
            low = self.width - j
            if stair[low] < value:
                high = bisect_left(stair, value, low)
                stair[low:high] = [value] * (high - low)


def _rests(runs: Sequence[Run], feature: str) -> list[int]:
    """Return for each run the weight of a feature from that run on."""
    rests = [0] * (len(runs) + 1)
    for j in range(len(runs) - 1, -1, -1):
        rests[j] = rests[j + 1] + (runs[j][1] if runs[j][0] == feature else 0)
    return rests
