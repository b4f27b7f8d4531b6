"""Record what extraction found out about a page, and what decided about its article."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..errors import PageError
from ..layouts.main_text import MainTextChoice
from ..patterns.match import Match
from ..values.articles import Article
from ..values.layouts import Layout
from ..values.patterns import Pattern, SitePatterns
from ..verdict.classifier import Context
from ..verdict.evidence import Evidence
from .build import ArticleParts


class Reason(StrEnum):
    """Why a page gives no article, in the order in which this is looked at.

    For an unreadable page, :func:`~scrapy_webstemmer.flow.explain` gives the reason of its error.
    """

    LEFT_OUT = "a url rule leaves it out"
    UNKNOWN_SITE = "its site is not in the pattern file"
    NO_TEXT = "it has no text"
    NOT_AN_ARTICLE = "it is not an article, but a list or another kind of page"
    NO_MATCH = "no layout of its site's articles is like it"
    NO_MAIN_TEXT = "it has no main text"
    UNCERTAIN = "its confidence is too low"


@dataclass(slots=True)
class Explanation:
    """What extraction found out about a page. Extraction itself fills it, in the order of its decisions.

    After a decision against an article, the rest stays empty.

    :param url: the page's url.
    :ivar reason: why the page gives no article; empty if it gives one.
    :ivar site: the patterns of the page's site; None: the pattern file has none.
    :ivar layout: the page's layout.
    :ivar compared: the patterns that the page was compared with, and the similarity of each, 0 to 1.
    :ivar threshold: least similarity of a match.
    :ivar match: the pattern by which the page was read. Its name is empty if this is the page's own.
    :ivar evidence: the page's own evidence on whether it is an article.
    :ivar context: what the site's learned pages say about it.
    :ivar probability: the probability that the page is an article; None: it was not judged.
    :ivar least: the least such probability of an article.
    :ivar choice: how the main text was chosen.
    :ivar parts: the title with its place, and the blocks of the main text.
    :ivar article: the article.
    :ivar uncertain: the article that does not come out, since its confidence is too low.
    :ivar min_confidence: the least confidence of an article that comes out.
    :ivar error: why the page is unreadable.
    """

    url: str
    reason: str = ""
    site: SitePatterns | None = None
    layout: Layout | None = None
    compared: list[tuple[Pattern, float]] = field(default_factory=list)
    threshold: float = 0.0
    match: Match | None = None
    evidence: Evidence | None = None
    context: Context | None = None
    probability: float | None = None
    least: float = 0.0
    choice: MainTextChoice | None = None
    parts: ArticleParts | None = None
    article: Article | None = None
    uncertain: Article | None = None
    min_confidence: float = 0.0
    error: PageError | None = None

    @property
    def similarity(self) -> float | None:
        """The similarity of the page to the pattern that is most like it, 0 to 1; None: not compared."""
        return max([share for _, share in self.compared], default=None)

    def refuse(self, reason: str) -> Article | None:
        """Record the reason why the page gives no article, and return None."""
        self.reason = reason
        return None
