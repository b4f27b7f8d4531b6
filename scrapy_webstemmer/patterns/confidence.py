"""Compute how likely an article is right: one number from what extraction saw of it (path layouts).

The container that reads a layout's pages best is found by it, too.

    odds       =  ODDS * layout^a * whole^b * plain^c * single^d * seen^e * title^f * article^g * covered^h
    confidence =  odds / (1 + odds)

Each factor is a share from 0 to 1 (:class:`Shares`); one below .01 counts as .01. The exponents are
positive: the larger a factor, the larger the confidence. ``seen`` is n / (n + 2) for a pattern of n pages.
``title`` is between a half and 1, since a page's ``title`` element may well say something else.

ODDS and the exponents are those of a logistic regression (is F1 .9 or more?) on pages that gave an article.
Their patterns were learned from all pages of their sites, from 20 pages and from 5.
``tests/benchmarks/calibration.py --fit`` prints the numbers, and how well they hold on sites that were kept
aside.
"""

from __future__ import annotations
