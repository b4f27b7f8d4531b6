"""Aligning two sequences of runs, and the blocks of a page with the sections of a pattern.

A run is a feature and the weight of the neighbouring blocks that have it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

__all__ = ["Run", "aligned_weight", "assign", "collapse"]

Run: TypeAlias = tuple[str, int]

_IMPOSSIBLE = float("-inf")


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

    Over all sequences C of features that both contain: the runs of either side
    are assigned in order to the items of C with the same feature, any number to
    one item, on both sides at least one to each. Symmetric; weights of 1 or more.

    Cost: (pairs of runs of equal feature) * (different features) * log(len(b))
    steps, once what both begin and end with has been set aside.
    """
    begin, end = _common_ends(a, b)
    kept = sum(weight for runs in (a, b) for _, weight in [*runs[:begin], *runs[len(runs) - end :]])
    return kept + _Alignment(a[begin : len(a) - end], b[begin : len(b) - end]).weight()


def _common_ends(a: Sequence[Run], b: Sequence[Run]) -> tuple[int, int]:
    """Return how many runs at the beginning and at the end belong together for certain.

    That is certain only of features that occur once on either side: nothing else
    could be assigned to them, nor they to anything else.
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

    An item of C starts at a pair (i, j) of runs of equal feature f and takes all
    later runs of f until the next item starts at (k, l). What it is worth,

        best(i, j) = rest_a(f, i) + rest_b(f, j) + max over (k > i, l > j) of
                     best(k, l) - rest_a(f, k) - rest_b(f, l), or 0 if there is no next,

    where rest(f, i) is the weight of f from run i on. The maxima are kept for
    each f as a staircase over the runs of ``b``, in ascending order.
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
    """Return for each run the weight of a feature from there on."""
    rests = [0] * (len(runs) + 1)
    for j in range(len(runs) - 1, -1, -1):
        rests[j] = rests[j + 1] + (runs[j][1] if runs[j][0] == feature else 0)
    return rests


def assign(runs: Sequence[Run], sections: Sequence[str], complete: bool) -> list[list[int]] | None:
    """Return for each section the indexes of the runs that are assigned to it, in order.

    The assignment with the largest weight, any number of runs to one section; of
    equals the one in which the earlier sections have more.

    :param sections: their features; neighbours differ.
    :param complete: no section may stay empty; None if that cannot be.

    Cost: len(runs) * len(sections) steps.
    """
    wanted = set(sections)
    chosen = [i for i, (feature, _) in enumerate(runs) if feature in wanted]
    if [runs[i][0] for i in chosen] == list(sections):
        return [[i] for i in chosen]
    tables = _tables([runs[i] for i in chosen], sections, complete)
    if tables[0][complete][0] == _IMPOSSIBLE:
        return None
    return _trace([runs[i] for i in chosen], chosen, sections, tables, complete)


#: For a section what the runs from each one on can weigh: once it has a run, and as long as it needs one.
_Table: TypeAlias = tuple[list[float], list[float]]


def _tables(runs: Sequence[Run], sections: Sequence[str], complete: bool) -> list[_Table]:
    count = len(runs)
    after: list[float] = [0.0] * (count + 1)
    tables: list[_Table] = [(after, after)]
    for section in reversed(sections):
        opened, needing = after.copy(), [_IMPOSSIBLE] * (count + 1)
        for i in range(count - 1, -1, -1):
            feature, weight = runs[i]
            if feature == section:
                stay = opened[i + 1] + weight
                needing[i] = max(needing[i + 1], stay)
            else:
                stay = opened[i + 1]
                needing[i] = needing[i + 1]
            if stay > opened[i]:
                opened[i] = stay
        tables.append((opened, needing))
        after = needing if complete else opened
    return tables[::-1]


def _trace(
    runs: Sequence[Run],
    indexes: Sequence[int],
    sections: Sequence[str],
    tables: Sequence[_Table],
    complete: bool,
) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in sections]
    number, i = 0, 0
    while number < len(sections) and i < len(runs):
        opened, needing = tables[number]
        (feature, weight), needs = runs[i], complete and not found[number]
        matches = feature == sections[number]
        worth = needing[i] if needs else opened[i]
        if matches and worth == opened[i + 1] + weight:
            found[number].append(indexes[i])
            i += 1
        elif needs or worth == opened[i + 1]:
            i += 1
        else:
            number += 1
    return found
