"""Results: what extraction found out about a page, and what decided about its article."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from news_pages import article, articles, index, indexes
from path_pages import words

from scrapy_webstemmer import ExtractOptions, LearnOptions, Limits, Page, PatternSet, UrlRule, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.base.urls import url_shape
from scrapy_webstemmer.errors import LimitError, PageError
from scrapy_webstemmer.extraction.result import Reason
from scrapy_webstemmer.site.main_text import excluded_blocks
from scrapy_webstemmer.verdict.classifier import Context, own_odds, probability, signs_of

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
        result = explain(page, known, ExtractOptions(**options))
        assert result.article == extract(page, known, ExtractOptions(**options))
        assert (result.article is None) == bool(result.reason)


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
    result = explain(ABOUT, patterns, ExtractOptions(limits=Limits(elements=2)))
    assert isinstance(result.error, LimitError)
    assert result.site == patterns.sites["example.com"]
    result = explain(Page(ABOUT.url, b"GIF89a"), patterns)
    assert isinstance(result.error, PageError)


def test_all_patterns_are_compared(patterns: PatternSet) -> None:
    """All patterns have their similarity, the best one is the match, and the threshold is told."""
    result = explain(PAGES[0], patterns)
    assert result.match is not None
    assert {pattern.name for pattern, _ in result.compared} == {
        pattern.name for pattern in patterns.sites["example.com"].patterns
    }
    assert max(share for _, share in result.compared) == result.match.share
    assert result.verdict
    assert (result.threshold, result.verdict.least) == (0.4, 0.18)
    assert explain(PAGES[0], learn(LEARNED[:3])).threshold == 0.0


def test_the_probability_is_the_sum_of_its_parts(patterns: PatternSet) -> None:
    """Evidence and context are those from which the probability came, for articles and for lists."""
    site = patterns.sites["example.com"]
    for page in (PAGES[0], PAGES[3]):
        result = explain(page, patterns)
        assert result.verdict is not None
        evidence, context, found, _ = result.verdict
        assert found == result.probability == probability(own_odds(evidence), context)
        best, _ = max(result.compared, key=lambda found: found[1])
        shape = site.shapes[url_shape(page.url)]
        signs = signs_of(evidence, site.signs, site.pages)
        assert context == Context(shape, best.odds, site.odds, signs)


def test_a_page_like_no_other_has_only_the_context_of_the_site(patterns: PatternSet) -> None:
    """Without a match and with a new kind of url, the mean of all pages is what is known."""
    result = explain(replace(article(HOST, 77, "bulletin"), url=f"http://{HOST}/new/kind/of/x"), patterns)
    assert result.verdict is not None
    site = patterns.sites["example.com"]
    signs = signs_of(result.verdict.evidence, site.signs, site.pages, fits=False)
    assert result.verdict.context == Context(0.0, 0.0, site.odds, signs)


def test_an_article_that_does_not_come_out_is_told(patterns: PatternSet) -> None:
    """If the confidence is too low, the explanation has the article, its match and the limit."""
    result = explain(PAGES[0], patterns, ExtractOptions(min_confidence=1.0))
    assert (result.article, result.min_confidence) == (None, 1.0)
    assert result.match is not None
    assert result.uncertain == extract(PAGES[0], patterns)
    result = explain(PAGES[0], patterns, ExtractOptions(min_confidence=0.1))
    assert result.uncertain is None
    assert result.article is not None


def test_title_container_and_exclusions(patterns: PatternSet) -> None:
    """The explanation has the title's place, the container, and what in it was left out."""
    result = explain(PAGES[0], patterns)
    assert result.page is not None
    placed, parts = result.page.placed, result.page.parts
    assert parts.place.endswith("/h1.headline")
    assert placed.paths[parts.chosen.node].endswith("/div.report-text")
    assert (parts.chosen.learned, parts.chosen.comments) == (True, 0)
    assert excluded_blocks(placed, parts.chosen) == []
    result = explain(_with_advertisement(90), learn([_with_advertisement(n) for n in range(40)]))
    assert result.page is not None
    ((path, blocks),) = excluded_blocks(result.page.placed, result.page.parts.chosen)
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
    result = explain(PAGES[0], classic)
    assert result.match is not None
    assert result.compared == [tuple(result.match)]
    assert result.threshold == 0.8
    result = explain(PAGES[2], classic)
    assert (result.reason, result.compared) == (Reason.NO_MATCH, [])
    assert explain(Page(ABOUT.url, b"<p></p>"), classic).reason == Reason.NO_TEXT


def _settings(number: int) -> Page:
    """Return an article with little but a list that others of its kind have word for word."""
    page = article(HOST, number)
    line = "<p>The {} is set to {} of nine</p>"
    texts = "".join(line.format(words(n, 4), words(n + 9, 3)) for n in range(30))
    own = f"<p>What {words(number, 3)} uses:</p><div class='settings'>{texts}</div><p>Thanks to all.</p>"
    body = re.sub(r"(?s)(?<=<div class=.report-text.>).*?(?=</div>)", own, page.body.decode())
    return replace(page, body=body.encode())


def test_a_page_that_its_pattern_reads_badly_is_read_by_its_own_evidence() -> None:
    """What a few pages share word for word is boilerplate. Where hardly anything else is left, it is text."""
    patterns = learn([*(article(HOST, n) for n in range(1, 60)), *map(_settings, range(60, 65))])
    found = extract(_settings(70), patterns)
    assert found is not None
    assert found.text.count("is set to") == 30
    assert found.confidence is not None
    assert found.confidence < 0.5
