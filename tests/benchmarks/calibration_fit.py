"""Logistic regression with exponents that are not negative, for the constants of patterns/confidence.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log

from scrapy_webstemmer.patterns.confidence import LEAST

#: Least exponent: every factor counts, even if it is worth little on these sites.
_LEAST_EXPONENT = 0.5
#: How strongly exponents are kept small.
_SHRINK = 1.0
_ROUNDS = 100


def fit(
    values: Sequence[Mapping[str, float]], right: Sequence[bool], weights: Sequence[float]
) -> tuple[float, dict[str, float]]:
    """Return odds and exponents.

    :param values: the factors of each article.
    :param right: whether each article is right.
    :param weights: the weight of each article.
    """
    names = list(values[0])
    logs = [[log(max(row[name], LEAST)) for name in names] + [1.0] for row in values]
    scale = len(weights) / sum(weights)
    *exponents, constant = _regression(logs, right, [weight * scale for weight in weights])
    return round(exp(constant), 2), dict(zip(names, (round(one, 2) for one in exponents), strict=True))


def fit_unmatched(
    values: Sequence[float], right: Sequence[bool], weights: Sequence[float]
) -> tuple[float, float]:
    """Return the odds of articles that no pattern fits, and the power of the others' odds.

    :param values: the confidence of each as if its pattern were unknown.
    """
    scale = len(weights) / sum(weights)
    logs = [[log(value / (1 - value)), 1.0] for value in values]
    power, constant = _regression(logs, right, [weight * scale for weight in weights])
    return round(exp(constant), 1), round(power, 2)


def _regression(
    rows: Sequence[Sequence[float]], right: Sequence[bool], weights: Sequence[float]
) -> list[float]:
    """Return the coefficients, the constant last, by Newton's steps for one coefficient after the other."""
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
