"""Templates of articles are told from templates of lists."""

from __future__ import annotations

from dataclasses import replace

import pytest
from path_pages import placed, words

from scrapy_webstemmer.layouts.placed import PlacedLayout
from scrapy_webstemmer.layouts.templates import Template
from scrapy_webstemmer.options.learn import LearnOptions
from scrapy_webstemmer.patterns.pattern import Titles, find_container_of
from scrapy_webstemmer.patterns.told import (
    Told,
    dated_articles,
    odds_of_odd_pages,
    tell_kinds,
    with_article,
)

OPTIONS = LearnOptions()
NO_AFFIXES = ((), ())


def article(number: int) -> str:
    text = "".join(f"<p>{words(number + k, 60)}</p>" for k in (0, 200, 400))
    return f'<div id="c"><h2>{words(number, 5)}</h2>{text}</div>'


def listing(number: int) -> str:
    entry = '<h2><a href="/{0}">{1}</a></h2><p>{2}</p>'
    numbers = range(4 * number, 4 * number + 4)
    entries = "".join(entry.format(n, words(n % 1000, 5), words((n + 300) % 1000, 50)) for n in numbers)
    return f'<div id="c">{entries}</div>'


def pages_of(articles: int, lists: int) -> list[PlacedLayout]:
    bodies = [*map(article, range(articles)), *map(listing, range(articles, articles + lists))]
    return placed(*bodies)


def told(pages: list[PlacedLayout], options: LearnOptions = OPTIONS) -> list[Told]:
    template = Template(pages, find_container_of(pages, options), samples=options.samples)
    titles = Titles({}, NO_AFFIXES)
    return [*tell_kinds(template, titles, NO_AFFIXES, options)]


def kinds(found: list[Told]) -> list[tuple[str, int]]:
    return [(one.pattern.kind, one.pattern.pages) for one in found]


@pytest.mark.parametrize("options", [OPTIONS, LearnOptions(samples=12)])
def test_articles_and_lists_of_one_template_are_apart(options: LearnOptions) -> None:
    """With five or more pages of both kinds, each kind is a template of its own, for any sample."""
    pages = pages_of(12, 12)
    found = told(pages, options)
    assert kinds(found) == [("article", 12), ("index", 12)]
    assert [[page.url for page in one.template.pages] for one in found] == [
        [page.url for page in part] for part in (pages[:12], pages[12:])
    ]
    assert [one.pattern.odds for one in found] == [0, 0]
    assert len({one.pattern.name for one in found}) == 2


@pytest.mark.parametrize(("articles", "lists"), [(5, 5), (5, 9), (9, 5)])
def test_five_of_both_are_enough(articles: int, lists: int) -> None:
    """Five articles among lists are learned apart, and so are five lists among articles."""
    assert kinds(told(pages_of(articles, lists))) == [("article", articles), ("index", lists)]


@pytest.mark.parametrize(("articles", "lists"), [(10, 4), (4, 10), (10, 0), (0, 10), (1, 0), (0, 1)])
def test_a_few_of_a_kind_stay_with_the_others(articles: int, lists: int) -> None:
    """With fewer, a template has the kind of most of its pages, and its odds say so for further pages."""
    (found,) = told(pages_of(articles, lists))
    assert kinds([found]) == [("article" if articles > lists else "index", articles + lists)]
    assert found.pattern.odds > 0 if articles > lists else found.pattern.odds < 0
    assert len(found.odds) == articles + lists
    assert sum(value >= 0 for value in found.odds.values()) == articles


def test_each_part_has_its_own_pattern() -> None:
    """Each part has the sections of its own pages: lists have no title where articles have one."""
    articles, lists = told(pages_of(8, 8))
    assert articles.pattern.titles[:1] == ("body/div#c/h2",)
    assert articles.pattern.sample_title == words(int(articles.pattern.name[-3:]), 5)
    assert articles.pattern.profile != lists.pattern.profile
    assert all(value >= 0 for value in articles.odds.values())
    assert all(value < 0 for value in lists.odds.values())


def test_one_pattern_of_articles_always_remains() -> None:
    """If all templates look like lists, the one most like articles becomes one of articles. Its odds stay."""
    (small,), (large,) = told(pages_of(0, 3)), told(pages_of(0, 12))
    assert kinds([small, large]) == [("index", 3), ("index", 12)]
    found = with_article([large, small])
    assert kinds(found) == [("index", 12), ("article", 3)]
    assert found[1].pattern.odds == small.pattern.odds < 0


def test_where_there_are_articles_nothing_changes() -> None:
    """If a site has a template of articles, all kinds stay as they are."""
    found = [*told(pages_of(8, 0)), *told(pages_of(0, 8))]
    assert with_article(found) == found


def test_odd_pages_are_each_read_by_itself() -> None:
    """The odds of pages without a pattern come from each page's own evidence."""
    pages = [*placed(article(1)), *(replace(page) for page in placed("<p></p>", listing(9))[1:])]
    odds = odds_of_odd_pages(pages, NO_AFFIXES, OPTIONS)
    assert list(odds) == [page.url for page in pages]
    assert odds[pages[0].url] > 0 > odds[pages[1].url]
    assert odds_of_odd_pages([], NO_AFFIXES, OPTIONS) == {}


def test_dates_are_those_of_articles_alone() -> None:
    """Lists do not count for the share of pages with a date in their url."""
    articles, lists = told(pages_of(8, 8))
    assert dated_articles([articles, lists]) == 0

    def dated(one: Told, day: int) -> Told:
        pages = [
            replace(page, layout=replace(page.layout, url=f"http://example.com/2026/11/{n + 10}/x"))
            if n < day
            else page
            for n, page in enumerate(one.template.pages)
        ]
        return one._replace(template=replace(one.template, pages=pages))

    assert dated_articles([dated(articles, 6), dated(lists, 8)]) == 0.75
    assert dated_articles([articles, dated(lists, 8)]) == 0
