"""The pattern that a page matches best (path layouts)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from news_pages import TEMPLATES, article, articles, indexes

from scrapy_webstemmer.options import ExtractOptions, LearnOptions
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.patterns.make_patterns import learn_paths
from scrapy_webstemmer.patterns.match import Match, best_match, compare, model_of, threshold_of
from scrapy_webstemmer.values import Layout, Page, SitePatterns

HOST = "press.example"


def layout(page: Page) -> Layout:
    return layout_of(page.url, parse(page))


def learned(pages: list[Page], **options: Any) -> SitePatterns:
    ordered = sorted(pages, key=lambda page: page.url)
    return learn_paths(HOST, [layout(page) for page in ordered], {}, LearnOptions(**options)).site


def match(page: Page, site: SitePatterns, **options: Any) -> Match | None:
    chosen = ExtractOptions(**options)
    compared = compare(model_of(site).place(layout(page)), site, chosen)
    return best_match(compared, threshold_of(site, chosen))


@pytest.fixture(scope="module")
def redesigned() -> SitePatterns:
    """Return a site with a pattern for each template, each learned from 12 pages."""
    return learned([p for i, name in enumerate(TEMPLATES) for p in articles(HOST, 12, name, 20 * i + 1)])


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_page_matches_its_template(redesigned: SitePatterns, template: str) -> None:
    """The pattern of the page's own template is the most similar one, with a share of nearly 1."""
    found = match(article(HOST, 100, template), redesigned)
    assert found is not None
    assert 0.9 < found.share <= 1
    containers = {
        "press": "body/main#content/article.report/div.report-text",
        "blog": "body/div#page/div.post/div.entry",
        "bulletin": "body/table#frame/tr/td.middle/div.told",
    }
    assert found.pattern.container == containers[template]


def test_an_index_matches_an_index_pattern() -> None:
    """Pages that lead to others match the pattern of index pages."""
    site = learned([*articles(HOST, 24), *indexes(HOST, 9)])
    found = match(indexes(HOST, 12)[-1], site)
    assert found is not None
    assert found.pattern.kind == "index"


OTHER = Page(f"http://{HOST}/x", b"<body><form><fieldset>Nothing that is alike</fieldset></form></body>")


def test_unlike_page_matches_nothing_on_a_known_site(redesigned: SitePatterns) -> None:
    """If enough pages were learned, a page of another layout does not match any pattern."""
    assert redesigned.pages == 36
    assert match(OTHER, redesigned) is None


def test_every_page_matches_on_a_small_site() -> None:
    """If few pages are known, every page matches, with a share that says how alike it is."""
    found = match(OTHER, learned(articles(HOST, 5)))
    assert found is not None
    assert found.share == 0


@pytest.mark.parametrize(("threshold", "matched"), [(0.0, True), (0.5, True), (0.999, False), (1.0, False)])
def test_threshold(redesigned: SitePatterns, threshold: float, matched: bool) -> None:
    """The option sets the least similarity of a match."""
    half = article(HOST, 100).body.replace(b'class="headline"', b'class="press-more"')
    found = match(Page(f"http://{HOST}/half", half), redesigned, threshold=threshold)
    assert (found is not None) is matched
    if found is not None:
        assert found.share >= threshold


def test_threshold_counts_on_small_sites_too() -> None:
    """A given threshold counts, however few pages were learned."""
    assert match(OTHER, learned(articles(HOST, 5)), threshold=0.1) is None


def test_strict_asks_for_every_section(redesigned: SitePatterns) -> None:
    """In strict mode, a page that lacks a section of the pattern does not match."""
    whole = article(HOST, 100)
    lacking = Page(whole.url, whole.body.replace(b"Printed on recycled paper.", b""))
    assert match(whole, redesigned, strict=True) is not None
    assert match(lacking, redesigned) is not None
    assert match(lacking, redesigned, strict=True) is None


def test_of_equals_the_larger_pattern() -> None:
    """If two patterns are equally similar, the one with more pages wins, in either order."""
    site = learned(articles(HOST, 6))
    (pattern,) = site.patterns
    larger = replace(pattern, name="larger", pages=7)
    for patterns in ((pattern, larger), (larger, pattern)):
        found = match(article(HOST, 100), replace(site, patterns=patterns))
        assert found is not None
        assert found.pattern.name == "larger"


def test_site_without_patterns_matches_nothing() -> None:
    """On a site without patterns no page matches."""
    assert match(article(HOST, 100), SitePatterns(HOST, "paths", 0, 0, ())) is None


def test_the_model_is_the_one_that_was_learned() -> None:
    """A site's saved values are those with which its pages were placed."""
    site = learned(articles(HOST, 6))
    model = model_of(site)
    assert model.affixes == ((), (f" - {HOST}",))
    assert "printed on recycled paper." in model.boilerplate.texts["body/div.press-foot/p"]
