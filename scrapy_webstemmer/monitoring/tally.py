"""Count what a site's pages give, in one crawl or in the pages that it was learned from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappush, heappushpop, nlargest
from typing import NamedTuple, TypeVar

from ..base.samples import digest_of
from ..engines import ENGINES
from ..extraction.result import Result
from ..patterns.match import KNOWN_SITE
from ..values import QUANTILES, Article, Usual
from ..verdict.classifier import probability

#: Bound: the lengths and confidences of so many articles are kept, each with its url: about half a megabyte.
_MOST_ARTICLES = 1_000
#: A page should give an article if its probability is this, by the evidence of the site's other pages alone.
_LIKELY = 0.8

_Number = TypeVar("_Number", int, float)


def fits(result: Result) -> bool | None:
    """Return whether a page is like a pattern of its site; None: it was not compared with them.

    What counts is the similarity from which a page matches on a site with enough known
    pages. With other layouts than ``paths``, which have another measure, no page is judged.
    """
    if result.similarity is None or (result.site is not None and not ENGINES[result.site.layout].judges):
        return None
    return result.similarity >= KNOWN_SITE


@dataclass(slots=True)
class Group:
    """Pages with something in common: their number, when the first was fetched, and an example.

    :ivar pages: number of pages.
    :ivar since: the earliest time at which one of them was fetched, ISO 8601; empty: unknown.
    :ivar url: the url of the one that was fetched last.
    """

    pages: int = 0
    since: str = ""
    url: str = ""
    _until: str = ""

    def add(self, url: str, fetched: str) -> None:
        """Add a page. The order in which pages come does not change the result."""
        self.merge(Group(1, fetched, url, fetched))

    def merge(self, other: Group) -> None:
        """Add the pages of another group."""
        self.pages += other.pages
        self.since = min(filter(None, (self.since, other.since)), default="")
        if not self.url or (other.url and (other._until, self.url) > (self._until, other.url)):
            self.url, self._until = other.url, other._until


class Measured(NamedTuple):
    """An article in numbers: its length in characters, and its confidence. The order is that of a sample."""

    rank: int
    url: str
    fetched: str
    length: int
    confidence: float


class Tally:
    """What one site's pages give. The order in which they come does not change the result.

    :ivar judged: number of pages that were compared with the patterns.
    :ivar unlike: those that fit no pattern.
    :ivar expected: number of pages that should give an article, by all that is known of the site.
    :ivar missing: those of them that gave no article.
    :ivar articles: number of articles, of all judged pages.
    :ivar odd: number of articles whose page fits no pattern.
    :ivar untitled: those without a title.
    :ivar undated: those without a date.
    :ivar dates: whether dates were looked for.
    :ivar latest: the newest time at which a page was fetched, ISO 8601; empty: unknown.
    :ivar measured: the articles in numbers: all of them, or a sample if there are very many.

    Memory: some hundred bytes, and up to about half a megabyte for the articles of a large site.
    """

    def __init__(self, *, dates: bool = False) -> None:
        """Begin to count.

        :param dates: the articles' dates are looked for, so it tells something if one has none.
        """
        self.dates = dates
        self.judged = self.expected = self.articles = self.odd = 0
        self.unlike, self.missing, self.untitled, self.undated = Group(), Group(), Group(), Group()
        self.latest = ""
        self.measured: list[Measured] = []

    def add(self, result: Result, fetched: str = "") -> None:
        """Add a page. A page that was not compared with the patterns does not count.

        An article that does not come out, since its confidence is too low, counts as well: this limit is the
        user's, and no change of the site. The text of a page that is no article does not count as one, though
        the user has asked for all kinds of pages.

        :param result: what extraction found out about the page.
        :param fetched: the time at which the page was fetched, ISO 8601; empty: unknown.
        """
        fit = fits(result)
        if fit is None:
            return
        article = result.uncertain if result.article is None else result.article
        article = None if result.refusal else article
        self.judged += 1
        self.latest = max(self.latest, fetched)
        if not fit:
            self.unlike.add(result.url, fetched)
        elif _is_expected(result):
            self.expected += 1
            if article is None:
                self.missing.add(result.url, fetched)
        if article is not None:
            self.odd += not fit
            self._add_article(article, fetched)

    def _add_article(self, article: Article, fetched: str) -> None:
        self.articles += 1
        if not article.title:
            self.untitled.add(article.url, fetched)
        if article.date is None:
            self.undated.add(article.url, fetched)
        # the smallest item of the heap is the one with the largest digest, which leaves the sample first
        rank = -digest_of(article.url)
        measured = Measured(rank, article.url, fetched, len(article.text), article.confidence or 0.0)
        if len(self.measured) < _MOST_ARTICLES:
            heappush(self.measured, measured)
        else:
            heappushpop(self.measured, measured)

    def merge(self, other: Tally) -> None:
        """Add what another tally of the same site has counted, of other pages."""
        for name in ("judged", "expected", "articles", "odd"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("unlike", "missing", "untitled", "undated"):
            getattr(self, name).merge(getattr(other, name))
        self.latest = max(self.latest, other.latest)
        self.measured = nlargest(_MOST_ARTICLES, [*self.measured, *other.measured])
        heapify(self.measured)

    def usual(self, known: int, latest: str = "") -> Usual:
        """Return the counts as values.

        :param known: number of the site's pages that are known, at least as many as were judged.
        :param latest: the newest time at which one of them was fetched, ISO 8601; empty: that of the pages
            that were judged.
        """
        return Usual(
            known=known,
            judged=self.judged,
            fitting=self.judged - self.unlike.pages,
            expected=self.expected,
            given=self.expected - self.missing.pages,
            articles=self.articles,
            odd=self.odd,
            titled=self.articles - self.untitled.pages,
            dated=self.articles - self.undated.pages if self.dates else None,
            lengths=quantiles([measured.length for measured in self.measured]),
            confidences=quantiles([measured.confidence for measured in self.measured]),
            latest=latest or self.latest,
        )


def _is_expected(result: Result) -> bool:
    """Return whether a page that fits should give an article.

    Its most similar pattern is one of articles, and the other pages of the site, with such urls or such a
    layout, make that likely, whatever the page itself looks like. A threshold that the user has raised
    keeps pages from matching. That is no change of the site.
    """
    pattern, share = max(result.compared, key=lambda match: (match[1], match[0].pages))
    if pattern.kind != "article" or share < result.threshold or result.verdict is None:
        return False
    return probability(0.0, result.verdict.context._replace(signs=0.0)) >= _LIKELY


def quantiles(values: Sequence[_Number]) -> tuple[_Number, ...]:
    """Return for each share of ``QUANTILES`` the smallest value that has this share at or below it.

    >>> quantiles(range(1, 101))
    (5, 25, 50, 75, 95)
    """
    ordered = sorted(values)
    return tuple(ordered[math.ceil(share * len(ordered)) - 1] for share in QUANTILES) if ordered else ()
