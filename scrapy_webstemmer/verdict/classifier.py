"""THE decision whether a page is an article, for all who ask: learning, extraction, confidence, monitoring.

    own          =  BASE + sum over the evidence of WEIGHT * value             between -6 and 6
    log odds     =  base + own * w1 + shape * w2 + layout * w3 + site * w4 + signs * w5
    probability  =  1 / (1 + exp(-log odds))

``own`` is what the page says itself: ``evidence.py``. The context is what the site's learned pages say, as
means of their own odds: those with addresses of the same shape, those of the same layout, and all of them. A
tag page with a single entry looks much like an article, and an article of two lines much like a list, but the
pages beside them tell. The weight of the site is negative: on a site whose pages all look little like
articles, some are articles all the same. The signs are what the site's articles have in common: where each of
them shows its title and states when it was published, a page that does neither is hardly one.

The weights are those of two logistic regressions on pages whose kind is known.
``tests/benchmarks/fit_verdict.py`` fits them, writes ``weights.json``, and shows how good they are on sites
that had no part in it.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from functools import cache
from importlib.resources import files
from operator import mul
from typing import NamedTuple

from ..base.urls import url_shape
from .evidence import Evidence

#: A page's own log odds are at most this, and at least minus this: one page is never as sure as many.
MOST_ODDS = 6.0
#: A mean is taken as if there were this number of further pages with log odds of 0.
DOUBT = 2
#: The mean of all pages counts at most this: that all pages are articles is no reason to doubt one.
MOST_OF_SITE = 2.0
#: Evidence that a site's articles may have in common: its template shows or states it, or its authors do.
SIGNS = (
    *("dated", "og_article", "published", "post", "embeddable", "neighbours", "beside", "typed_article"),
    *("commentable", "one_article", "body_single", "text", "paragraphs", "linked", "titled", "headed"),
    *("in_title", "date_line"),
)
#: A page has the sign ``linked`` if less than this share of its new text is in links.
_FEW_LINKS = 0.5
#: A sign is usual if more than this share of the pages that look like articles have it.
_USUAL = 2 / 3
#: To have all signs counts at most as much as half a sign, and to lack some at most as much as two: some of
#: them come together, as a title that is not shown stands above nothing. Measured on 213 sites.
_MOST_SIGNS, _MOST_LACKING = 0.5, 2.0
#: From this number of pages, half of what many pages would tell about a site's signs is known.
_HALF_KNOWN = 20
#: On a page that is like no layout of its site, signs count so much: a new design has others.
_OF_OTHERS = 0.5
#: Bound: log odds beyond which nothing is surer.
_MOST_CONTEXT_ODDS = 30.0
#: Bound: largest number of url shapes that are kept, the most frequent ones.
_MOST_SHAPES = 1_000


class Context(NamedTuple):
    """What a site's learned pages say about a page: means of log odds, and signs; 0 where nothing is known.

    :param shape: of the pages with urls of the same :func:`~scrapy_webstemmer.base.urls.url_shape`.
    :param layout: of the pages of the same layout.
    :param site: of all pages.
    :param signs: from .5 to -2, whether it has all of the ``SIGNS`` that the site's articles usually have, or
        how many of them it lacks; nearer to 0 if few pages are known, or if it has a layout of its own.
    """

    shape: float = 0.0
    layout: float = 0.0
    site: float = 0.0
    signs: float = 0.0


#: The context of a page of which no other page is known.
NO_CONTEXT = Context()


class Verdict(NamedTuple):
    """Whether a page is an article, and why.

    :param evidence: the page's own evidence.
    :param context: what the site's learned pages say about it.
    :param probability: the probability that the page is an article, 0 to 1.
    :param least: the least such probability of an article.
    """

    evidence: Evidence
    context: Context
    probability: float
    least: float


class Weights(NamedTuple):
    """The weights of the page's own evidence, and those of its own odds and their context.

    :param evidence: the weight of each value of :class:`Evidence`, by name, and ``base``.
    :param context: the weights of ``own`` and of each value of :class:`Context`, and ``base``.
    """

    evidence: Mapping[str, float]
    context: Mapping[str, float]


@cache
def weights() -> Weights:
    """Return the weights of the package's file. It is read once."""
    stored = json.loads((files(__package__) / "weights.json").read_text(encoding="utf-8"))
    return Weights(stored["evidence"], stored["context"])


@cache
def _ordered_weights() -> tuple[list[float], list[float]]:
    """Return the weights of each value of :class:`Evidence`, and of :class:`Context`, in their order."""
    evidence, context = weights()
    return [evidence[name] for name in Evidence._fields], [context[name] for name in Context._fields]


def own_odds(evidence: Evidence) -> float:
    """Return the log odds that a page is an article by its own evidence, from -6 to 6.

    >>> article = Evidence(slug=0.5, titled=1, text=0.9, paragraphs=0.8, title_words=0.5, one_article=1)
    >>> own_odds(article) > 0 > own_odds(article._replace(in_list_folder=1, list_page=1, below_headline=1))
    True
    """
    odds: float = weights().evidence["base"] + sum(map(mul, _ordered_weights()[0], evidence))
    return min(MOST_ODDS, max(-MOST_ODDS, odds))


def probability_alone(odds: float) -> float:
    """Return the probability that a page is an article, 0 to 1, if no other page of its site is known."""
    return 1 / (1 + math.exp(-odds))


def probability(alone: float, context: Context = NO_CONTEXT) -> float:
    """Return the probability that a page of a learned site is an article, 0 to 1.

    :param alone: the page's :func:`own_odds`.

    >>> probability(3.0, Context(3.0, 3.0, 1.0)) > 0.9 > 0.1 > probability(-3.0, Context(-3.0, -3.0, 1.0))
    True
    """
    by_name = weights().context
    odds = by_name["base"] + by_name["own"] * alone + sum(map(mul, _ordered_weights()[1], context))
    # a pattern file that was edited by hand may have any number
    return probability_alone(min(_MOST_CONTEXT_ODDS, max(-_MOST_CONTEXT_ODDS, odds)))


def has_sign(evidence: Evidence, name: str) -> bool:
    """Return whether a page has one of the ``SIGNS``."""
    value: float = getattr(evidence, name)
    return value < _FEW_LINKS if name == "linked" else value > 0


def usual_signs(pages: Collection[Evidence]) -> dict[str, float]:
    """Return the signs that most pages of a site have which look like articles, each with their share.

    :param pages: the evidence of each of these pages.
    """
    counts = {name: sum(has_sign(evidence, name) for evidence in pages) for name in SIGNS}
    usual = {name: count for name, count in counts.items() if count > _USUAL * len(pages)}
    return {name: round(count / len(pages), 4) for name, count in usual.items()}


def signs_of(evidence: Evidence, usual: Mapping[str, float], pages: int, *, fits: bool = True) -> float:
    """Return the value of ``Context.signs``.

    :param usual: the signs that the site's articles usually have, as :func:`usual_signs` gives them.
    :param pages: number of learned pages.
    :param fits: whether the page is like one of the layouts of its site.

    >>> signs_of(Evidence(titled=1.0), {"titled": 1.0}, 20), signs_of(Evidence(), {"titled": 1.0}, 20)
    (0.25, -0.25)
    """
    whole = lacking = 0.0
    for name, share in usual.items():
        worth = min(1.0, max(0.0, (share - _USUAL) / (1 - _USUAL)))
        whole += worth
        lacking += 0.0 if has_sign(evidence, name) else worth
    known = pages / (pages + _HALF_KNOWN) * (1.0 if fits else _OF_OTHERS)
    return (min(_MOST_SIGNS, whole) - min(_MOST_LACKING, lacking)) * known


class PageOdds:
    """The own odds of a site's learned pages, and the context that they give each other.

    The order of the pages does not matter.
    """

    def __init__(
        self,
        odds: Mapping[str, float],
        layouts: Iterable[Collection[str]],
        evidence: Mapping[str, Evidence] | None = None,
        answers: Set[str] = frozenset(),
    ) -> None:
        """Take the odds of pages by url.

        :param layouts: the urls of the pages of each layout. Each page has one layout.
        :param evidence: the evidence of each page, for the signs; None: no signs are known.
        :param answers: the urls to which the site answers the same as to others. They tell nothing about
            other urls of their shape.
        """
        self.odds = odds
        self._evidence = evidence or {}
        likely = [self._evidence[url] for url, alone in odds.items() if alone >= 0 and self._evidence]
        #: The signs that the pages usually have that look like articles, each with their share.
        self.signs = usual_signs(likely)
        shapes: defaultdict[str, list[str]] = defaultdict(list)
        for url in odds:
            shapes[url_shape(url)] += [url] if url not in answers else []
        self._shapes = {shape: self._group(urls) for shape, urls in shapes.items()}
        self._layouts = {url: group for urls in layouts for group in [self._group(urls)] for url in urls}
        self._site = self._group(odds.keys() - answers)

    def _group(self, urls: Iterable[str]) -> _Group:
        odds = [self.odds[url] for url in urls]
        return _Group(math.fsum(odds), len(odds))

    def probabilities(self) -> dict[str, float]:
        """Return for each page the probability that it is an article, by url."""
        return {url: probability(odds, self.context(url)) for url, odds in self.odds.items()}

    def context(self, url: str) -> Context:
        """Return what the other pages say about one of the pages."""
        groups = self._shapes[url_shape(url)], self._layouts[url], self._site
        shape, layout, site = (group.mean(self.odds[url]) for group in groups)
        evidence = self._evidence.get(url)
        signs = signs_of(evidence, self.signs, len(self.odds)) if evidence else 0.0
        return Context(shape, layout, min(MOST_OF_SITE, site), signs)

    def of_layout(self, urls: Collection[str]) -> float:
        """Return the mean odds of the layouts of some pages, for a further page of these layouts."""
        return round(math.fsum(self._layouts[url].mean() for url in urls) / len(urls), 3)

    def of_site(self) -> float:
        """Return the mean odds of all pages, for a further page."""
        return round(min(MOST_OF_SITE, self._site.mean()), 3)

    def by_shape(self) -> dict[str, float]:
        """Return the mean odds of the pages of each url shape, the most frequent ones, for further pages."""
        most = sorted(self._shapes, key=lambda shape: (-self._shapes[shape].pages, shape))[:_MOST_SHAPES]
        return {shape: round(self._shapes[shape].mean(), 3) for shape in sorted(most)}


class _Group(NamedTuple):
    """The sum of the log odds of some pages, and their number."""

    total: float
    pages: int

    def mean(self, without: float | None = None) -> float:
        """Return the mean log odds. The fewer the pages, the nearer it is to 0.

        :param without: the odds of one of the pages, which is left out.
        """
        left = without is not None
        return (self.total - (without or 0.0)) / (self.pages - left + DOUBT)
