"""What extraction found out about a page, and what decided about its article."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from ..errors import PageError
from ..patterns.confidence import Shares, confidence, shares_of
from ..patterns.match import Match
from ..site.affixes import Affixes
from ..site.main_text import MainText
from ..site.placed import PlacedLayout
from ..values import Article, Layout, Pattern, SitePatterns
from ..verdict.classifier import Verdict
from ..verdict.evidence import Evidence
from ..verdict.page_types import PageType, page_type


class Reason(StrEnum):
    """Why a page gives no article, in the order in which this is looked at.

    For an unreadable page, :func:`~scrapy_webstemmer.api.explain` gives the reason of its error.
    """

    LEFT_OUT = "a url rule leaves it out"
    UNKNOWN_SITE = "its site is not in the pattern file"
    NO_TEXT = "it has no text"
    SAME_ANSWER = "its site gives the same answer to many urls"
    NOT_AN_ARTICLE = "it is not an article, but a list or another kind of page"
    NO_MATCH = "no layout of its site's articles is like it"
    NO_MAIN_TEXT = "it has no main text"
    UNCERTAIN = "its confidence is too low"


class ArticleParts(NamedTuple):
    """The parts of a page that make its article.

    :param title: the title; empty if the page shows none.
    :param place: the path where the title stands; empty if the page shows none.
    :param main: indexes of the blocks of the main text, in the order of the page; empty if it has none.
    :param chosen: how the main text was chosen.
    """

    title: str
    place: str
    main: Sequence[int]
    chosen: MainText


class ReadPage(NamedTuple):
    """A page that was read by a pattern.

    :param placed: the page as its site sees it.
    :param match: the pattern. Its name is empty if it is the page's own.
    :param probability: the probability that the page is an article.
    :param shares: the evidence on what was read; None: it has no main text.
    :param likely: the confidence in a text that was chosen by what pages are like in general; None: it was
        chosen otherwise.
    :param type: the type of the page; None: nobody has asked for it.
    """

    placed: PlacedLayout
    match: Match
    parts: ArticleParts
    probability: float = 1.0
    shares: Shares | None = None
    likely: float | None = None
    type: PageType | None = None

    @property
    def confidence(self) -> float:
        """The confidence in what was read, 0 to 1."""
        if self.shares is None:
            return 0.0
        return confidence(self.shares) if self.likely is None else self.likely

    def with_main(self, main: Sequence[int], affixes: Affixes) -> ReadPage:
        """Return the page with another main text.

        :param main: indexes of its blocks, in the order of the page.
        """
        page, match, parts, probability, *_ = self
        shares = shares_of(page, *match, main, parts.title, affixes, probability) if main else None
        return self._replace(parts=parts._replace(main=main), shares=shares)

    @property
    def is_other(self) -> bool:
        """Whether the page is known to be of another type than an article."""
        return self.type is not None and self.type.name != "article"

    def with_type(self, evidence: Evidence) -> ReadPage:
        """Return the page with its type, by the evidence on whether it is an article."""
        kind = page_type(self.placed, self.parts.main, evidence, self.probability, self.confidence)
        return self._replace(type=kind)


class Result(NamedTuple):
    """What extraction found out about a page, and what decided about its article.

    After a decision against an article, the rest stays empty.

    :param url: the page's url.
    :param reason: why the page gives no article; empty if it gives one.
    :param site: the patterns of the page's site; None: the pattern file has none.
    :param layout: the page's layout.
    :param compared: the patterns that the page was compared with, and the similarity of each, 0 to 1.
    :param threshold: least similarity of a match.
    :param verdict: whether the page is an article; None: nothing judges a page of an unknown site.
    :param match: the pattern by which the page was read. Its name is empty if this is the page's own.
    :param page: the page with its title and main text (path layouts).
    :param article: the article.
    :param uncertain: the article that does not come out, since its confidence is too low.
    :param min_confidence: the least confidence of an article that comes out.
    :param error: why the page is unreadable.
    :param refusal: why the page would give no article if articles alone were asked for; empty: it would give
        one, or gives none anyway.
    """

    url: str
    reason: str = ""
    site: SitePatterns | None = None
    layout: Layout | None = None
    compared: Sequence[tuple[Pattern, float]] = ()
    threshold: float = 0.0
    verdict: Verdict | None = None
    match: Match | None = None
    page: ReadPage | None = None
    article: Article | None = None
    uncertain: Article | None = None
    min_confidence: float = 0.0
    error: PageError | None = None
    refusal: str = ""

    @property
    def probability(self) -> float:
        """The probability that the page is an article, 0 to 1; 1 if nothing judges it."""
        return self.verdict.probability if self.verdict else 1.0

    @property
    def similarity(self) -> float | None:
        """The similarity of the page to the pattern that is most like it, 0 to 1; None: not compared."""
        return max([share for _, share in self.compared], default=None)
