"""What learning notes of a site's usual pages, and that it finds a later crawl unchanged or changed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from news_pages import article, articles, index, indexes

from scrapy_webstemmer import ExtractOptions, LearnOptions, Page, PatternSet, learn
from scrapy_webstemmer.api import extract_in_parts
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.extraction import page_steps
from scrapy_webstemmer.learning import learn_sites
from scrapy_webstemmer.monitoring.find_drift import find_drift
from scrapy_webstemmer.monitoring.tally import Tally
from scrapy_webstemmer.values import Usual

HOST = "news.example.com"
LEARNED = [*articles(HOST, 40), *indexes(HOST, 10)]
UNREADABLE = Page(f"http://{HOST}/picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10)
EMPTY = Page(f"http://{HOST}/empty", b"")


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn(LEARNED)


def usual_of(patterns: PatternSet) -> Usual | None:
    (site,) = patterns.sites.values()
    return site.usual


def counted(pages: list[Page], patterns: PatternSet, least: float = 0.0) -> Tally:
    tally, options = Tally(), ExtractOptions(min_confidence=least)
    for page in pages:
        tally.add(finish(extract_in_parts(page, patterns, options)), page.fetched or "")
    return tally


def test_learning_counts_as_a_crawl_of_the_same_pages_does(patterns: PatternSet) -> None:
    """What is noted without the pages' markup is what their extraction gives; sure lists are not read."""
    usual = usual_of(patterns)
    assert usual is not None
    assert usual == counted(LEARNED, patterns).usual(len(LEARNED))
    assert (usual.judged, usual.fitting, usual.articles, usual.titled) == (40, 40, 40, 40)


def test_doubtful_lists_count_in_learning_as_in_a_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that are read, since their urls do not say enough, are judged as well."""
    monkeypatch.setattr(page_steps, "_SURE", -100.0)
    patterns = learn(LEARNED)
    usual = usual_of(patterns)
    assert usual is not None
    assert usual == counted(LEARNED, patterns).usual(len(LEARNED))
    assert (usual.judged, usual.fitting, usual.articles, usual.titled) == (50, 50, 40, 40)


@pytest.mark.parametrize("least", [0.5, 1.0])
def test_the_least_confidence_of_a_crawl_is_no_drift(patterns: PatternSet, least: float) -> None:
    """A crawl that gives only its surest articles, or none, counts and finds what any crawl does."""
    pages = [*articles(HOST, 30, first=500), *(index(HOST, n, range(n, n + 8)) for n in range(100, 110))]
    tally = counted(pages, patterns, least)
    assert tally.usual(len(pages)) == counted(pages, patterns).usual(len(pages))
    assert find_drift(usual_of(patterns), tally) is None
    redesigned = [article(HOST, number, "bulletin") for number in range(500, 520)]
    assert find_drift(usual_of(patterns), counted(redesigned, patterns, least)) is not None


def test_known_pages_are_all_pages_of_the_site() -> None:
    """Pages without text, unreadable ones and those that are not in the sample are known, but not judged."""
    pages = [*LEARNED, UNREADABLE, EMPTY]
    usual = usual_of(learn(pages, options=LearnOptions(max_pages=30)))
    assert usual is not None
    assert usual.known == 52
    assert usual.judged <= 30


def test_a_large_site_is_judged_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging costs little on a large site, too."""
    monkeypatch.setattr(learn_sites, "_JUDGED_PAGES", 20)
    usual = usual_of(learn(articles(HOST, 50)))
    assert usual is not None
    assert (usual.known, usual.judged) == (50, 20)


def test_order_has_no_part(tmp_path: object) -> None:
    """Learning the same pages in another order gives equal counts."""
    timed = [replace(page, fetched=f"2026-11-{n % 20 + 1:02}T09:00:00") for n, page in enumerate(LEARNED)]
    first = usual_of(learn(timed))
    assert first is not None
    assert first.latest == "2026-11-20T09:00:00"
    assert usual_of(learn(random.Random(1).sample(timed, len(timed)))) == first


def test_layouts_of_2009_have_no_usual_counts() -> None:
    """Their pages have another similarity, so they are not judged."""
    assert usual_of(learn(LEARNED, options=LearnOptions.classic())) is None


def test_a_site_without_pages_that_can_be_learned_has_none() -> None:
    """A site of empty pages has no patterns, so nothing is usual."""
    assert usual_of(learn([EMPTY])) is None


def test_new_pages_of_the_same_design_are_no_drift(patterns: PatternSet) -> None:
    """Neither new articles, nor index pages alone, nor the learned pages themselves show a change."""
    new = articles(HOST, 30, first=500)
    lists = [index(HOST, n, range(n, n + 8)) for n in range(100, 130)]
    for pages in (new, lists, [*new, *lists], LEARNED):
        assert find_drift(usual_of(patterns), counted(pages, patterns)) is None


@pytest.mark.parametrize("count", [10, 40])
def test_a_new_design_is_drift(patterns: PatternSet, count: int) -> None:
    """After a redesign the layouts no longer fit; the earliest new page says since when."""
    pages = [article(HOST, n, "bulletin", fetched=f"2026-11-{n % 28 + 1:02}") for n in range(count)]
    drift = find_drift(usual_of(patterns), counted(pages, patterns))
    assert drift is not None
    assert drift.changes[0].key == "layout"
    assert (drift.changes[0].pages, drift.changes[0].since) == (count, "2026-11-01")
