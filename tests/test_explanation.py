"""Explanations: what decided about a page's article, told by the extraction itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from news_pages import article, articles, index, indexes

from scrapy_webstemmer import ExtractOptions, LearnOptions, Limits, Page, PatternSet, UrlRule, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.article.result import Explanation, Reason
from scrapy_webstemmer.base.urls import url_shape
from scrapy_webstemmer.errors import LimitError, PageError
from scrapy_webstemmer.verdict.classifier import Context, own_odds, probability

HOST = "news.example.com"
LEARNED = [*articles(HOST, 30), *indexes(HOST, 8), *articles(HOST, 10, "blog", 100)]
ABOUT = Page(f"http://{HOST}/about.html", b"<p>Some text about us")
#: A page with nothing but what all pages of its template have.
EMPTY = replace(ABOUT, body=b'<div class="press-foot"><p>Printed on recycled paper.</p></div>')
PAGES = (
    article(HOST, 77),
    article(HOST, 77, "blog"),
    article(HOST, 77, "bulletin"),
    index(HOST, 44, range(5)),
    ABOUT,
    article("other.example", 77),
)


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    """Return patterns of three layouts."""
    return learn(LEARNED)


@pytest.fixture(scope="module")
def classic() -> PatternSet:
    """Return layouts of 2009."""
    return learn(LEARNED, options=LearnOptions.classic())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"fallback": True},
        {"unmatched": False},
        {"strict": True},
        {"article_threshold": 0.0},
        {"min_confidence": 0.5},
    ],
    ids=str,
)
@pytest.mark.parametrize("sort", ["patterns", "classic", "few"])
def test_the_article_is_that_of_extract(
    sort: str, options: Any, patterns: PatternSet, classic: PatternSet
) -> None:
    """An explanation has the very article that extraction gives, and a reason if there is none."""
    known = {"patterns": patterns, "classic": classic, "few": learn(LEARNED[:3])}[sort]
    for page in PAGES:
        told = explain(page, known, ExtractOptions(**options))
        assert told.article == extract(page, known, ExtractOptions(**options))
        assert (told.article is None) == bool(told.reason)


@pytest.mark.parametrize(
    ("page", "options", "reason"),
    [
        (ABOUT, {"url_rules": (UrlRule("about", False),)}, Reason.LEFT_OUT),
        (article("other.example", 1), {}, Reason.UNKNOWN_SITE),
        (Page(ABOUT.url, b"<title>About</title>"), {}, Reason.NO_TEXT),
        (article(HOST, 77, "bulletin"), {"unmatched": False}, Reason.NO_MATCH),
        (index(HOST, 44, range(5)), {}, Reason.NOT_AN_ARTICLE),
        (EMPTY, {"article_threshold": 0.0}, Reason.NO_MAIN_TEXT),
        (PAGES[0], {"min_confidence": 1.0}, Reason.UNCERTAIN),
        (PAGES[2], {"min_confidence": 1.0}, Reason.UNCERTAIN),
        (PAGES[5], {"min_confidence": 1.0, "fallback": True}, Reason.UNCERTAIN),
        (Page("http://other.example/", b"<title>x</title>"), {"fallback": True}, Reason.NO_TEXT),
        (Page(ABOUT.url, b"GIF89a"), {}, "it cannot be read: is a binary file, not HTML"),
        (
            ABOUT,
            {"limits": Limits(elements=2)},
            "it cannot be read: has more than 2 elements (limit 'elements')",
        ),
    ],
)
def test_every_reason(page: Page, options: Any, reason: str, patterns: PatternSet) -> None:
    """Each way to give no article has its own reason."""
    assert explain(page, patterns, ExtractOptions(**options)).reason == reason


def test_an_error_comes_with_what_was_known_before(patterns: PatternSet) -> None:
    """An unreadable page has its site and its error."""
    told = explain(ABOUT, patterns, ExtractOptions(limits=Limits(elements=2)))
    assert isinstance(told.error, LimitError)
    assert told.site == patterns.sites["example.com"]
    told = explain(Page(ABOUT.url, b"GIF89a"), patterns)
    assert isinstance(told.error, PageError)


def test_all_patterns_are_compared(patterns: PatternSet) -> None:
    """All patterns have their similarity, the best one is the match, and the threshold is told."""
    told = explain(PAGES[0], patterns)
    assert told.match is not None
    assert {pattern.name for pattern, _ in told.compared} == {
        pattern.name for pattern in patterns.sites["example.com"].patterns
    }
    assert max(share for _, share in told.compared) == told.match.share
    assert (told.threshold, told.least) == (0.4, 0.18)
    assert explain(PAGES[0], learn(LEARNED[:3])).threshold == 0.0


def test_the_probability_is_the_sum_of_its_parts(patterns: PatternSet) -> None:
    """Evidence and context are those from which the probability came, for articles and for lists."""
    site = patterns.sites["example.com"]
    for page in (PAGES[0], PAGES[3]):
        told = explain(page, patterns)
        assert told.evidence is not None
        assert told.context is not None
        assert told.probability == probability(own_odds(told.evidence), told.context)
        best, _ = max(told.compared, key=lambda found: found[1])
        shape = site.shapes[url_shape(page.url)]
        assert told.context == Context(shape, best.odds, site.odds)


def test_a_page_like_no_other_has_only_the_context_of_the_site(patterns: PatternSet) -> None:
    """Without a match and with a new kind of url, the mean of all pages is what is known."""
    told = explain(replace(article(HOST, 77, "bulletin"), url=f"http://{HOST}/new/kind/of/x"), patterns)
    assert told.context == Context(0.0, 0.0, patterns.sites["example.com"].odds)


def test_an_article_that_does_not_come_out_is_told(patterns: PatternSet) -> None:
    """If the confidence is too low, the explanation has the article, its match and the limit."""
    told = explain(PAGES[0], patterns, ExtractOptions(min_confidence=1.0))
    assert (told.article, told.min_confidence) == (None, 1.0)
    assert told.match is not None
    assert told.uncertain == extract(PAGES[0], patterns)
    told = explain(PAGES[0], patterns, ExtractOptions(min_confidence=0.1))
    assert (told.uncertain, told.min_confidence) == (None, 0.1)


def test_title_container_and_exclusions(patterns: PatternSet) -> None:
    """The explanation has the title's place, the container, and what in it was left out."""
    told = explain(PAGES[0], patterns)
    assert told.parts is not None
    assert told.choice is not None
    assert told.parts.place.endswith("/h1.headline")
    assert told.choice.container.endswith("/div.report-text")
    assert (told.choice.learned, told.choice.excluded, told.choice.comments) == (True, [], 0)
    told = explain(_with_advertisement(90), learn([_with_advertisement(n) for n in range(40)]))
    assert told.choice is not None
    ((path, blocks),) = told.choice.excluded
    assert path.endswith("/div.ad")
    assert blocks == 2


def _with_advertisement(number: int) -> Page:
    page = article(HOST, number)
    offer = "".join(
        f"<p><a href='/buy'>Buy offer {(number + n) % 4} of our shop today</a></p>" for n in (0, 1)
    )
    return Page(page.url, page.body.replace(b"</p>\n<p>", f"</p><div class=ad>{offer}</div><p>".encode(), 1))


def test_layouts_of_2009(classic: PatternSet) -> None:
    """The patterns that were compared and the threshold are told, and the reason."""
    told = explain(PAGES[0], classic)
    assert told.match is not None
    assert told.compared == [tuple(told.match)]
    assert told.threshold == 0.8
    told = explain(PAGES[2], classic)
    assert (told.reason, told.compared) == (Reason.NO_MATCH, [])
    assert explain(Page(ABOUT.url, b"<p></p>"), classic).reason == Reason.NO_TEXT


def test_an_explanation_is_empty_at_first() -> None:
    """What was not looked at stays empty."""
    told = Explanation("http://a.example/")
    assert (told.article, told.reason, told.compared, told.evidence) == (None, "", [], None)
