from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest
from golden_sites import ENGINES, SITES, Site

from scrapy_webstemmer import Article, Page, PatternSet, extract, learn
from scrapy_webstemmer.page.parsing import parse

by_site = pytest.mark.parametrize("make", SITES, ids=lambda make: make.__name__)
by_engine = pytest.mark.parametrize("make", ENGINES, ids=lambda make: make.__name__)


def fields(article: Article | None) -> tuple[str, str] | None:
    return article and (article.title, article.text)


def faults(site: Site, pages: Iterable[Page], patterns: PatternSet) -> Iterator[str]:
    """Yield a line for each page whose article is not exactly the expected one."""
    for url, found, expected in (
        (page.url, fields(extract(page, patterns)), site.expected[page.url])
        for page in pages
        if page.url in site.expected
    ):
        if found is None or expected is None:
            if found is not expected:
                yield f"{url}: {'not an article' if expected is None else 'article lost'}"
            continue
        if found[0] != expected[0]:
            yield f"{url}: title {found[0]!r}, not {expected[0]!r}"
        if found[1] != expected[1]:
            lines, right = found[1].split("\n"), expected[1].split("\n")
            missing = [line for line in right if line not in lines]
            surplus = [line for line in lines if line not in right]
            yield f"{url}: text without {missing}, with {surplus}, {len(lines)} lines, not {len(right)}"


@by_site
def test_articles_of_the_pages_learned_from(make: Callable[[], Site]) -> None:
    """Every article has its exact title and text. No list gives an article."""
    site = make()
    assert not list(faults(site, site.pages, learn(site.pages)))


@by_site
def test_articles_of_pages_that_were_not_learned(make: Callable[[], Site]) -> None:
    """A page that was left out of learning gives its article, too."""
    site = make()
    for number in (0, len(site.pages) - 1):
        page = site.pages[number]
        patterns = learn(site.pages[:number] + site.pages[number + 1 :])
        assert not list(faults(site, [page], patterns))


@by_engine
def test_articles_of_pages_that_came_later(make: Callable[[], Site]) -> None:
    """Pages that came after learning give their exact articles, and no list gives one."""
    site = make()
    assert not list(faults(site, site.later, learn(site.pages)))


@by_engine
def test_engines_have_enough_pages(make: Callable[[], Site]) -> None:
    """A whole site has twelve articles and four lists to learn from, and four of each for later."""
    site = make()
    for pages, articles in ((site.pages, 12), (site.later, 4)):
        judged = [site.expected[page.url] for page in pages if page.url in site.expected]
        assert sum(one is not None for one in judged) >= articles
        assert judged.count(None) >= 4


@by_engine
def test_expected_articles_stand_on_their_pages(make: Callable[[], Site]) -> None:
    """Each page shows its expected title and its expected lines in order. All titles differ."""
    site = make()
    titles = [expected[0] for expected in site.expected.values() if expected]
    assert len(set(titles)) == len(titles)
    for page in site.pages + site.later:
        shown = " ".join(parse(page).text_content().split())
        title, text = site.expected.get(page.url) or ("", "")
        assert title in shown
        place = 0
        for line in text.split("\n"):
            place = shown.index(line, place) + len(line)
