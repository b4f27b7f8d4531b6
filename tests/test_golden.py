from __future__ import annotations

from collections.abc import Callable

import pytest
from golden_sites import SITES, Site

from scrapy_webstemmer import Article, extract, learn

by_cause = pytest.mark.parametrize("make", SITES, ids=lambda make: make.__name__)


def fields(article: Article | None) -> tuple[str, str] | None:
    return article and (article.title, article.text)


@by_cause
def test_articles_of_the_pages_learned_from(make: Callable[[], Site]) -> None:
    """Every article has its exact title and text. No other page gives an article."""
    site = make()
    patterns = learn(site.pages)
    assert {page.url: fields(extract(page, patterns)) for page in site.pages} == site.expected


@by_cause
def test_articles_of_pages_that_were_not_learned(make: Callable[[], Site]) -> None:
    """A page that was left out of learning gives its article, too."""
    site = make()
    for number in (0, len(site.pages) - 1):
        page = site.pages[number]
        patterns = learn(site.pages[:number] + site.pages[number + 1 :])
        assert fields(extract(page, patterns)) == site.expected[page.url]
