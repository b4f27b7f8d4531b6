"""Tell whether a site has changed since it was learned ("drift").

What a site's pages give is counted, in the pages that it was learned from and in a later crawl, and the
counts are compared. A change is a share of pages that is larger than usual, always for the worse. It must be

1. too large for chance: Fisher's exact test, one-sided;
2. large enough to matter; and
3. found in enough pages of the crawl.

A crawl seldom has the same mix of pages as the learned ones: with a database of known urls it fetches
index pages and new articles alone. So no share of articles among all pages counts. Missing articles are
counted among the pages that should give one, and titles, dates, lengths and confidences among articles. Odd
pages, which are like no other page of their site, are more frequent among pages without an article. So the
share of pages unlike all layouts is compared with the usual one of such a mix.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import visible
from ..values import QUANTILES, Usual
from .tally import Group, Tally

#: Fewer pages of a crawl, or articles, show nothing.
LEAST_PAGES = 10
#: Chance by which an unchanged site may give such a difference.
_SIGNIFICANCE = 0.001
#: A share that matters is larger than the usual one by this. A length is shorter by this share of it, and a
#: confidence, which is the probability that an article is right, is lower by this ...
_TOLERANCE = 0.1
#: ... or larger than this, where the mix of articles has an influence, too: reports, notes, interviews.
_MIXED_SHARE = 0.5
#: That pages give no article says something if this share of those that should give one does so usually.
_USUALLY_GIVEN = 0.9
#: So many articles show which lengths and confidences are usual.
_ENOUGH_ARTICLES = 30

#: For each change, what is said about the pages concerned and all pages of which it could be told.
_CHANGE_TEXTS = {
    "layout": "{} of {} pages fit no layout that was learned",
    "articles": "{} of {} pages with a layout of articles give no article",
    "title": "{} of {} articles have no title",
    "date": "{} of {} articles have no date",
    "length": "{} of {} articles are unusually short",
    "confidence": "{} of {} articles are unusually uncertain",
}


class Change(NamedTuple):
    """A change of a site for the worse.

    :param key: what has changed: ``layout``, ``articles``, ``title``, ``date``, ``length`` or ``confidence``.
    :param pages: number of pages concerned.
    :param judged: number of pages of which this could be told.
    :param usual: usual share of such pages, 0 to 1.
    :param since: the earliest time at which one of the pages concerned was fetched, ISO 8601; empty: unknown.
    :param url: url of one of them.
    """

    key: str
    pages: int
    judged: int
    usual: float
    since: str
    url: str


class Drift(NamedTuple):
    """The changes of a site since it was learned, at least one, those that explain others first."""

    changes: tuple[Change, ...]

    def sentence(self) -> str:
        """Return what has changed, since when, on how many pages, and an example, in a sentence or two.

        The example belongs to the first change, and so does the time.
        """
        first, *others = self.changes
        since = f", since {visible(first.since[:10])}" if first.since else ""
        text = f"{_in_words(first)}{since}, for example {visible(first.url)}"
        return f"{text} (also, {' and '.join(map(_in_words, others))})" if others else text


def _in_words(change: Change) -> str:
    text = _CHANGE_TEXTS[change.key].format(f"{change.pages:,}", f"{change.judged:,}")
    return f"{text} (usually {change.usual:.0%})"


def find_drift(usual: Usual | None, tally: Tally) -> Drift | None:
    """Return how a site has changed since it was learned; None if nothing shows that it has.

    :param usual: the counts of the learned pages; None: unknown, so no change can be told.
    :param tally: the site's pages in a later crawl.

    Cost: some passes over the lengths of the articles that the tally keeps.
    """
    changes = () if usual is None else tuple(_changes(usual, tally))
    return Drift(changes) if changes else None


def _changes(usual: Usual, tally: Tally) -> Iterator[Change]:
    """Yield the changes for the worse, in the order of the steps of extraction."""
    mixed = _share_in_mix(usual, tally)
    if _largest_chance(tally.unlike.pages, tally.judged, mixed) < _SIGNIFICANCE:
        known = (usual.judged - usual.fitting, usual.judged)
        yield from _worse("layout", known, tally.unlike, tally.judged, mixed + _TOLERANCE)
    if usual.given >= _USUALLY_GIVEN * usual.expected:
        known = (usual.expected - usual.given, usual.expected)
        yield from _worse("articles", known, tally.missing, tally.expected, _MIXED_SHARE)
    articles = usual.articles
    yield from _worse("title", (articles - usual.titled, articles), tally.untitled, tally.articles)
    if usual.dated is not None and tally.dates:
        yield from _worse("date", (articles - usual.dated, articles), tally.undated, tally.articles)
    if articles < _ENOUGH_ARTICLES:
        return
    # of n values at most this number is below the lowest quantile
    low = (math.ceil(QUANTILES[0] * articles), articles)
    measured = tally.measured
    length, confidence = least_usual(usual)
    short = _group((article.url, article.fetched) for article in measured if article.length < length)
    yield from _worse("length", low, short, len(measured), _MIXED_SHARE)
    unsure = _group((article.url, article.fetched) for article in measured if article.confidence < confidence)
    yield from _worse("confidence", low, unsure, len(measured), _MIXED_SHARE)


def least_usual(usual: Usual) -> tuple[float, float]:
    """Return the length in characters and the confidence below which an article is unusual.

    On many sites nearly all articles have the same confidence, or the same length. So an article is unusual
    only if it is worse than 95 % of the learned ones by an amount that matters.

    :param usual: the counts of a site with articles.
    """
    return usual.lengths[0] * (1 - _TOLERANCE), usual.confidences[0] - _TOLERANCE


def _share_in_mix(usual: Usual, tally: Tally) -> float:
    """Return the share of pages unlike all layouts that is usual for a crawl's mix of pages, 0 to 1.

    Articles and other pages have a usual share each. The fewer were learned, the nearer it is to a half.
    """
    unlike, others = usual.judged - usual.fitting, usual.judged - usual.articles
    of_articles = (usual.odd + 1) / (usual.articles + 2)
    of_others = (unlike - usual.odd + 1) / (others + 2)
    share = tally.articles / (tally.judged or 1)
    return share * of_articles + (1 - share) * of_others


def _largest_chance(bad: int, judged: int, share: float) -> float:
    """Return a bound of the chance that so many of some pages, or more, are of a kind that has this share.

    It is the bound of Chernoff and Hoeffding, exp(-n D), where D is how far the share found is from the other
    (relative entropy).

    :param share: more than 0, less than 1.
    """
    if bad <= share * judged:
        return 1.0
    good = judged - bad
    far = bad * math.log(bad / (judged * share))
    if good:
        far += good * math.log(good / (judged * (1 - share)))
    return math.exp(-far)


def _group(pages: Iterable[tuple[str, str]]) -> Group:
    group = Group()
    for url, fetched in pages:
        group.add(url, fetched)
    return group


def _worse(
    key: str, usual: tuple[int, int], group: Group, judged: int, least: float | None = None
) -> Iterator[Change]:
    """Yield a change if the share of a group is larger than usual.

    :param usual: number of the learned pages concerned, and of all of which it could be told.
    :param judged: number of pages of the crawl of which it could be told.
    :param least: the share must be larger than this; None: than the usual share and the tolerance.
    """
    bad, known = usual
    if judged < LEAST_PAGES or not known:
        return
    if group.pages / judged <= (bad / known + _TOLERANCE if least is None else least):
        return
    if chance_of(bad, known, group.pages, judged) < _SIGNIFICANCE:
        yield Change(key, group.pages, judged, bad / known, group.since, group.url)


def chance_of(bad: int, known: int, later_bad: int, judged: int) -> float:
    """Return the chance to find at least so many bad pages in a crawl if the site has not changed, 0 to 1.

    This is Fisher's exact test, one-sided: of all pages, learned and found, so many are bad, and chance alone
    decides which of them are in the crawl (R. A. Fisher, Statistical Methods for Research Workers, section
    21.02).

    :param bad: number of bad pages among the learned ones.
    :param known: number of learned pages.
    :param later_bad: number of bad pages in the crawl.
    :param judged: number of pages in the crawl.

    Cost: at most ``bad`` + 1 steps.

    >>> chance_of(1, 10, 9, 10) < 0.001 < chance_of(1, 10, 5, 10)
    True
    """
    every = bad + later_bad
    whole = _log_choices(known + judged, judged)
    return min(
        1.0,
        sum(
            math.exp(
                _log_choices(every, count) + _log_choices(known + judged - every, judged - count) - whole
            )
            for count in range(later_bad, min(judged, every) + 1)
            if judged - count <= known + judged - every
        ),
    )


def _log_choices(total: int, chosen: int) -> float:
    """Return the logarithm of the number of ways to choose some of so many pages."""
    return math.lgamma(total + 1) - math.lgamma(chosen + 1) - math.lgamma(total - chosen + 1)
