"""Logistic regression with exponents that are not negative, for the constants of articles/similarity.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, log

from scrapy_webstemmer.articles.similarity import LEAST

#: Least exponent: what is known of an article always has a say, however little it is worth on these sites.
_LEAST_EXPONENT = 0.5
#: Strength with which exponents are kept small.
_SHRINK = 1.0
_ROUNDS = 100


def fit(
    values: Sequence[Mapping[str, float]],
    right: Sequence[bool],
    weights: Sequence[float],
    counted: Sequence[bool],
    goal: float,
    sure: float,
) -> tuple[float, dict[str, float]]:
    """Return odds and exponents.

    :param values: for each article its factors.
    :param right: whether it is right.
    :param weights: how much it weighs in the regression.
    :param counted: whether it counts for the goal:
    :param goal: share that is right of the counted articles whose similarity is ``sure`` or more.
    """
    names = list(values[0])
    logs = [[log(max(row[name], LEAST)) for name in names] + [1.0] for row in values]
    scale = len(weights) / sum(weights)
    found = _regression(logs, right, [weight * scale for weight in weights])
    exponents = [round(exponent, 2) for exponent in found[:-1]]
    scores = [sum(e * x for e, x in zip(exponents, row, strict=False)) for row in logs]
    least = _least_score([(s, r) for s, r, c in zip(scores, right, counted, strict=True) if c], goal)
    return round(sure / (1 - sure) * exp(-least), 2), dict(zip(names, exponents, strict=True))


def _regression(
    rows: Sequence[Sequence[float]], right: Sequence[bool], weights: Sequence[float]
) -> list[float]:
    """Return the coefficients, the constant last: Newton's steps, one coefficient after the other."""
    coefficients = [_LEAST_EXPONENT] * (len(rows[0]) - 1) + [0.0]
    scores = [sum(c * x for c, x in zip(coefficients, row, strict=True)) for row in rows]
    for _ in range(_ROUNDS):
        for number, old in enumerate(coefficients):
            last = number == len(coefficients) - 1
            slope, bend = (0.0, 1e-9) if last else (_SHRINK * old, _SHRINK)
            for row, score, hit, weight in zip(rows, scores, right, weights, strict=True):
                likely = 1 / (1 + exp(-score))
                slope += weight * (likely - hit) * row[number]
                bend += weight * likely * (1 - likely) * row[number] ** 2
            new = old - slope / bend if last else max(_LEAST_EXPONENT, old - slope / bend)
            coefficients[number] = new
            scores = [s + (new - old) * row[number] for s, row in zip(scores, rows, strict=True)]
    return coefficients


def _least_score(scored: Sequence[tuple[float, bool]], goal: float) -> float:
    """Return the lowest score from which on the goal is met."""
    ordered = sorted(scored, reverse=True)
    hits = accumulate(hit for _, hit in ordered)
    met = [score for n, ((score, _), hit) in enumerate(zip(ordered, hits, strict=True), 1) if hit >= goal * n]
    return met[-1] if met else ordered[0][0]
