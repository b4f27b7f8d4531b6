"""All kinds of pages give their text when somebody asks for them, and say of which type they are."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from news_pages import article, articles, index, indexes
from path_pages import words

from scrapy_webstemmer import (
    Article,
    ExtractOptions,
    LearnOptions,
    Page,
    PatternSet,
    UrlRule,
    extract,
    extract_all,
    learn,
)
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.extraction.result import Reason
from scrapy_webstemmer.monitoring.tally import Tally
from scrapy_webstemmer.verdict.page_types import PAGE_TYPES

HOST = "news.example.com"
LEARNED = [*articles(HOST, 30), *indexes(HOST, 8)]
LIST = index(HOST, 44, range(5))
ALL = ExtractOptions(all_kinds=True)
#: A page with nothing but what all pages of its template have.
FOOT = Page(f"http://{HOST}/about.html", b'<div class="press-foot"><p>Printed on recycled paper.</p></div>')
ERROR = Page(
    f"http://{HOST}/nothing", b'<body class="error404 press"><h1>Nothing here</h1><p>There is no such page.'
)


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    """Return the patterns of a site with articles and lists."""
    return learn(LEARNED)


def typed(found: Article | None) -> Article:
    """Return an article that must be there, with its type."""
    assert found is not None
    assert found.page_type in PAGE_TYPES
    assert found.page_type_confidence is not None
    assert 1 / len(PAGE_TYPES) <= found.page_type_confidence <= 1
    return found


def test_without_the_option_nothing_has_a_type(patterns: PatternSet) -> None:
    """Articles have none, neither by patterns nor alone, and lists give no article."""
    for found in (extract(article(HOST, 77), patterns), extract(article(HOST, 77))):
        assert found is not None
        assert (found.page_type, found.page_type_confidence) == (None, None)
    assert extract(LIST, patterns) is None


def test_an_article_is_the_same_with_its_type(patterns: PatternSet) -> None:
    """The option changes nothing else of it."""
    page = article(HOST, 77)
    for known in (patterns, PatternSet()):
        options = ExtractOptions(fallback=True)
        found = typed(extract(page, known, replace(options, all_kinds=True)))
        assert replace(found, page_type=None, page_type_confidence=None) == extract(page, known, options)
    assert typed(extract(page, patterns, ALL)).page_type == "article"


def test_a_list_of_a_learned_site_gives_its_text(patterns: PatternSet) -> None:
    """It is read by itself, so its text is that of the page alone, and the reason is kept."""
    result = explain(LIST, patterns, ALL)
    found, alone = typed(result.article), typed(extract(LIST, options=ALL))
    assert (result.reason, result.refusal) == ("", Reason.NOT_AN_ARTICLE)
    assert (found.text, found.pattern, found.page_type) == (alone.text, "", "collection")
    assert result.article == extract(LIST, patterns, ALL)
    assert [one for _, one in extract_all([LIST], patterns, ALL)] == [found]


def test_a_list_of_a_learned_site_has_its_title() -> None:
    """It stands where the site has titles of such pages, though the site's name is a larger heading."""
    body = "<h1>The Gull Project</h1><div class=menu><h2>{}</h2><ul>{}</ul></div>"

    def menu(number: int) -> Page:
        shown = "".join(f"<li><a href=/a/{n}>{words(n, 4)}</a></li>" for n in range(number, number + 9))
        html = f"<title>The Gull Project</title>{body.format(words(number + 500, 3), shown)}"
        return Page(f"http://{HOST}/menu/{number}", html.encode())

    learned = learn([*LEARNED, *map(menu, range(0, 80, 4))])
    found = typed(extract(menu(2), learned, ALL))
    assert (found.pattern, found.title) == ("", words(502, 3))


def test_a_page_like_no_pattern_gives_its_text(patterns: PatternSet) -> None:
    """Though only pages that match a pattern are asked for, and though all its text is boilerplate."""
    for page, options, reason in (
        (article(HOST, 77, "bulletin"), {"unmatched": False}, Reason.NO_MATCH),
        (FOOT, {"article_threshold": 0.0}, Reason.NO_MAIN_TEXT),
    ):
        given: Any = options
        assert explain(page, patterns, ExtractOptions(**given)).reason == reason
        result = explain(page, patterns, replace(ALL, **given))
        assert (result.reason, result.refusal) == ("", reason)
        assert typed(result.article).text


def test_pages_of_unknown_sites(patterns: PatternSet) -> None:
    """They give their text if such pages are read at all."""
    page = index("other.example", 1, range(8))
    assert extract(page, patterns, ALL) is None
    assert extract(page, patterns, ExtractOptions(fallback=True)) is None
    assert typed(extract(page, patterns, replace(ALL, fallback=True))).text


@pytest.mark.parametrize(
    ("page", "options", "reason"),
    [
        (ERROR, {}, Reason.NOT_AN_ARTICLE),
        (replace(ERROR, url="http://other.example/x"), {"fallback": True}, Reason.NOT_AN_ARTICLE),
        (Page(ERROR.url, b"<title>Nothing</title><p hidden>Some text"), {}, Reason.NO_TEXT),
        (LIST, {"url_rules": (UrlRule("archive|index", False),)}, Reason.LEFT_OUT),
        (index("other.example", 1, range(8)), {}, Reason.UNKNOWN_SITE),
    ],
)
def test_what_stays_out(page: Page, options: Any, reason: str, patterns: PatternSet) -> None:
    """A page of an error, an empty page, and what rules leave out give nothing."""
    result = explain(page, patterns, replace(ALL, **options))
    assert (result.article, result.reason, result.refusal) == (None, reason, "")
    assert extract(page, patterns, replace(ALL, **options)) is None


def test_the_least_confidence_is_for_articles(patterns: PatternSet) -> None:
    """It keeps out no page of another kind."""
    options = replace(ALL, min_confidence=1.0)
    assert extract(article(HOST, 77), patterns, options) is None
    assert typed(extract(LIST, patterns, options)).text


def test_a_page_without_a_text_has_no_type() -> None:
    """Nobody can tell what it is."""
    found = extract(b"<title>Nothing</title>", options=ALL)
    assert (found.text, found.page_type, found.page_type_confidence) == ("", None, None)


def test_text_for_browsers_without_scripts_counts(patterns: PatternSet) -> None:
    """A forum that shows no other text gives it on a learned site, too."""
    posts = "".join(f"<div class='post'><p>{words(number, 40)}</p></div>" for number in range(5))
    page = Page(f"http://{HOST}/forum/1", f"<body><div></div><noscript>{posts}</noscript>".encode())
    assert extract(page, patterns) is None
    assert words(3, 40) in typed(extract(page, patterns, ALL)).text


def test_a_text_that_is_only_stated_has_a_type(patterns: PatternSet) -> None:
    """Whether the page shows a few words or nothing, alone and on a learned site."""
    body = ". ".join(words(number, 30) for number in range(5))
    stated = json.dumps({"@type": "NewsArticle", "articleBody": body})
    script = f'<script type="application/ld+json">{stated}</script>'
    for shown in ("", "<p>Loading the page</p>"):
        page = Page(f"http://{HOST}/app/1", (script + shown).encode())
        for known in (patterns, None):
            found: Article | None = extract(page, known, ALL) if known else extract(page, options=ALL)
            assert typed(found).text == body
        assert explain(page, patterns, ALL).refusal == ""  # it comes out without the option, too


def test_the_least_confidence_keeps_no_stated_text_of_another_kind() -> None:
    """A discussion whose text is only stated comes out, and a story does not."""
    body = ". ".join(words(number, 30) for number in range(5))
    for name, kind in (("DiscussionForumPosting", "forum"), ("NewsArticle", None)):
        stated = json.dumps({"@type": name, "articleBody": body})
        html = f'<script type="application/ld+json">{stated}</script><p>Loading the page</p>'
        page = Page("http://forum.example/t/12345", html.encode())
        found = extract(page, PatternSet(), replace(ALL, fallback=True, min_confidence=0.9))
        assert (found and found.page_type) == kind


def test_other_kinds_are_no_articles_of_the_site(patterns: PatternSet) -> None:
    """What is told of changes of a site is the same, whatever pages are asked for."""
    tallies = Tally(), Tally()
    for page in (LIST, FOOT, *articles(HOST, 5, first=60)):
        for tally, options in zip(tallies, (ExtractOptions(), ALL), strict=True):
            tally.add(explain(page, patterns, options))
    assert tallies[0].usual(7) == tallies[1].usual(7)
    assert tallies[0].articles == 5


def test_other_layouts_have_no_types() -> None:
    """Layouts of 2009 give what they give without the option."""
    classic = learn(LEARNED, options=LearnOptions.classic())
    for page in (article(HOST, 77), LIST):
        assert extract(page, classic, ALL) == extract(page, classic)
