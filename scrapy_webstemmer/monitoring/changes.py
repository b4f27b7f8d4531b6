"""Notice what has changed: a site since it was learned ("drift"), or its articles with other patterns.

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

Other patterns are compared page by page: what each page gives with the ones and with the others.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappush, heappushpop, nlargest
from itertools import islice
from typing import NamedTuple, TypeVar

from ..article.result import Result
from ..base.sequences import Words, dice
from ..engines import ENGINES
from ..errors import visible
from ..patterns.match import KNOWN_SITE
from ..values import QUANTILES, Article, Usual
from ..verdict.classifier import probability

# --- Count what a site's pages give, in one crawl or in the pages that it was learned from

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
        self.pages += 1
        if fetched:
            self.since = min(self.since or fetched, fetched)
        if not self.url or fetched > self._until:
            self.url, self._until = url, fetched
        elif fetched == self._until:
            self.url = min(self.url, url)

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
        self._measured: list[Measured] = []

    def add(self, result: Result, fetched: str = "") -> None:
        """Add a page. A page that was not compared with the patterns does not count.

        An article that does not come out, since its confidence is too low, counts as well: this limit is the
        user's, and no change of the site.

        :param result: what extraction found out about the page.
        :param fetched: the time at which the page was fetched, ISO 8601; empty: unknown.
        """
        fit = fits(result)
        if fit is None:
            return
        article = result.uncertain if result.article is None else result.article
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
        digest = hashlib.blake2b(article.url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        # the smallest item of the heap is the one with the largest digest, which leaves the sample first
        rank = -int.from_bytes(digest)
        one = Measured(rank, article.url, fetched, len(article.text), article.confidence or 0.0)
        if len(self._measured) < _MOST_ARTICLES:
            heappush(self._measured, one)
        else:
            heappushpop(self._measured, one)

    def merge(self, other: Tally) -> None:
        """Add what another tally of the same site has counted, of other pages."""
        for name in ("judged", "expected", "articles", "odd"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("unlike", "missing", "untitled", "undated"):
            getattr(self, name).merge(getattr(other, name))
        self.latest = max(self.latest, other.latest)
        self._measured = nlargest(_MOST_ARTICLES, [*self._measured, *other.measured])
        heapify(self._measured)

    @property
    def measured(self) -> Sequence[Measured]:
        """The articles in numbers: all of them, or a sample if there are very many."""
        return self._measured

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
            lengths=quantiles([one.length for one in self._measured]),
            confidences=quantiles([one.confidence for one in self._measured]),
            latest=latest or self.latest,
        )


def _is_expected(result: Result) -> bool:
    """Return whether a page that fits should give an article.

    Its most similar pattern is one of articles, and the other pages of the site, with such urls or such a
    layout, make that likely, whatever the page itself looks like. A threshold that the user has raised
    keeps pages from matching. That is no change of the site.
    """
    pattern, share = max(result.compared, key=lambda found: (found[1], found[0].pages))
    if pattern.kind != "article" or share < result.threshold or result.verdict is None:
        return False
    return probability(0.0, result.verdict.context) >= _LIKELY


def quantiles(values: Sequence[_Number]) -> tuple[_Number, ...]:
    """Return for each share of ``QUANTILES`` the smallest value that has this share at or below it.

    >>> quantiles(range(1, 101))
    (5, 25, 50, 75, 95)
    """
    ordered = sorted(values)
    return tuple(ordered[math.ceil(share * len(ordered)) - 1] for share in QUANTILES) if ordered else ()


# --- Tell whether a site has changed since it was learned ("drift")

#: Fewer pages of a crawl, or articles, show nothing.
LEAST_PAGES = 10
#: Chance by which an unchanged site may give such a difference.
_LEVEL = 0.001
#: A share that matters is larger than the usual one by this. A length is shorter by this share of it, and a
#: confidence, which is the probability that an article is right, is lower by this ...
_TOLERANCE = 0.1
#: ... or larger than this, where the mix of articles has an influence, too: reports, notes, interviews.
_HALF = 0.5
#: That pages give no article says something if this share of those that should give one does so usually.
_MOST = 0.9
#: So many articles show which lengths and confidences are usual.
_ENOUGH_ARTICLES = 30

#: For each change, what is said about the pages concerned and all pages of which it could be told.
_TEXTS = {
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

    @property
    def share(self) -> float:
        """The share of the pages concerned, 0 to 1."""
        return self.pages / self.judged


class Drift(NamedTuple):
    """The changes of a site since it was learned, at least one, those that explain others first."""

    changes: tuple[Change, ...]

    def sentence(self) -> str:
        """Return what has changed, since when, on how many pages, and an example, in a sentence or two.

        The example belongs to the first change, and so does the time.
        """
        first, *others = self.changes
        since = f", since {visible(first.since[:10])}" if first.since else ""
        text = f"{_words(first)}{since}, for example {visible(first.url)}"
        return f"{text} (also, {' and '.join(map(_words, others))})" if others else text


def _words(change: Change) -> str:
    text = _TEXTS[change.key].format(f"{change.pages:,}", f"{change.judged:,}")
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
    if _largest_chance(tally.unlike.pages, tally.judged, mixed) < _LEVEL:
        known = (usual.judged - usual.fitting, usual.judged)
        yield from _worse("layout", known, tally.unlike, tally.judged, mixed + _TOLERANCE)
    if usual.given >= _MOST * usual.expected:
        known = (usual.expected - usual.given, usual.expected)
        yield from _worse("articles", known, tally.missing, tally.expected, _HALF)
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
    short = _group((one.url, one.fetched) for one in measured if one.length < length)
    yield from _worse("length", low, short, len(measured), _HALF)
    unsure = _group((one.url, one.fetched) for one in measured if one.confidence < confidence)
    yield from _worse("confidence", low, unsure, len(measured), _HALF)


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


def _largest_chance(found: int, judged: int, share: float) -> float:
    """Return a bound of the chance that so many of some pages, or more, are of a kind that has this share.

    It is the bound of Chernoff and Hoeffding, exp(-n D), where D is how far the share found is from the other
    (relative entropy).

    :param share: more than 0, less than 1.
    """
    if found <= share * judged:
        return 1.0
    rest = judged - found
    far = found * math.log(found / (judged * share))
    if rest:
        far += rest * math.log(rest / (judged * (1 - share)))
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
    if chance_of(bad, known, group.pages, judged) < _LEVEL:
        yield Change(key, group.pages, judged, bad / known, group.since, group.url)


def chance_of(bad: int, known: int, found: int, judged: int) -> float:
    """Return the chance to find at least so many bad pages in a crawl if the site has not changed, 0 to 1.

    This is Fisher's exact test, one-sided: of all pages, learned and found, so many are bad, and chance alone
    decides which of them are in the crawl (R. A. Fisher, Statistical Methods for Research Workers, section
    21.02).

    :param bad: number of bad pages among the learned ones.
    :param known: number of learned pages.
    :param found: number of bad pages in the crawl.
    :param judged: number of pages in the crawl.

    Cost: at most ``bad`` + 1 steps.

    >>> chance_of(1, 10, 9, 10) < 0.001 < chance_of(1, 10, 5, 10)
    True
    """
    every = bad + found
    whole = _log_choices(known + judged, judged)
    return min(
        1.0,
        sum(
            math.exp(
                _log_choices(every, count) + _log_choices(known + judged - every, judged - count) - whole
            )
            for count in range(found, min(judged, every) + 1)
            if judged - count <= known + judged - every
        ),
    )


def _log_choices(total: int, chosen: int) -> float:
    """Return the logarithm of the number of ways to choose some of so many pages."""
    return math.lgamma(total + 1) - math.lgamma(chosen + 1) - math.lgamma(total - chosen + 1)


# --- Tell what other patterns change

#: The kinds of a difference, the worst first.
LOST, TEXT, TITLE, GAINED = "lost", "text", "title", "gained"
KINDS = (LOST, TEXT, TITLE, GAINED)
#: Bound: of the lines that differ so many are kept, and so many characters of each.
_KEPT_LINES, _LONGEST_LINE = 3, 200


class Difference(NamedTuple):
    """What other patterns change about the article of a page.

    :param url: the page.
    :param kind: the article is ``lost`` or ``gained``, or has another ``text`` or ``title``.
    :param share: how much of the text is not the same, 0 to 1; 1 if one of them is missing.
    :param length: number of characters of the longer text.
    :param titles: the title before and after; empty: there is none, or no article.
    :param gone: the first lines, cut, that the text no longer has.
    :param new: the first lines that it did not have before.
    """

    url: str
    kind: str
    share: float
    length: int
    titles: tuple[str, str]
    gone: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def rank(self) -> tuple[int, float, int, str]:
        """The key that sorts differences: the worst kind first, then those that concern most of a text."""
        return KINDS.index(self.kind), -self.share, -self.length, self.url


class SiteChanges:
    """What changes on the pages of a site.

    :ivar pages: number of pages that were read.
    :ivar articles: number of articles before, and after.
    :ivar differences: of the pages whose articles are not the same.
    """

    def __init__(self) -> None:
        self.pages = 0
        self.articles = [0, 0]
        self.differences: list[Difference] = []

    def count(self) -> Counter[str]:
        """Return the number of pages with each kind of difference."""
        return Counter(one.kind for one in self.differences)


def difference(url: str, before: Article | None, after: Article | None) -> Difference | None:
    """Return how the articles of a page differ that two pattern files give; None: they are the same.

    HTML, fields and confidence do not count.

    Cost: that of a longest common subsequence of both texts; linear from 50,000 characters on.
    """
    texts = [one.text if one else "" for one in (before, after)]
    titles = [one.title if one else "" for one in (before, after)]
    if before is None or after is None:
        kind = GAINED if after else LOST
        if after is before:
            return None
    elif texts[0] != texts[1]:
        kind = TEXT
    elif titles[0] != titles[1]:
        kind = TITLE
    else:
        return None
    share = 1.0 if kind in (LOST, GAINED) else 1 - dice(*map(Words, texts))
    lines = [Counter(filter(None, text.split("\n"))) for text in texts]
    gone, new = _first(lines[0] - lines[1]), _first(lines[1] - lines[0])
    return Difference(url, kind, share, max(map(len, texts)), (titles[0], titles[1]), gone, new)


def _first(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line[:_LONGEST_LINE] for line in islice(lines, _KEPT_LINES))
