"""Drift: a change for the worse is noticed, and chance or another mix of pages is none."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.extraction.result import Result
from scrapy_webstemmer.monitoring.find_drift import (
    LEAST_PAGES,
    Change,
    Drift,
    _largest_chance,
    chance_of,
    find_drift,
)
from scrapy_webstemmer.monitoring.tally import Tally
from scrapy_webstemmer.values import Article, Pattern, Usual
from scrapy_webstemmer.verdict.classifier import Context, Verdict
from scrapy_webstemmer.verdict.evidence import Evidence

PATTERN = Pattern("http://a.example/1", "article", 1.0, 20, ())
INDEX = replace(PATTERN, kind="index")
#: A site of 100 pages: 70 articles, 30 lists, of which 3 are like no other page.
USUAL = Usual(
    known=120,
    judged=100,
    fitting=97,
    expected=70,
    given=70,
    articles=70,
    odd=0,
    titled=70,
    lengths=(500, 1_000, 2_000, 3_000, 6_000),
    confidences=(0.8, 0.9, 0.95, 0.96, 0.97),
)


def crawl(*kinds: tuple[str, int], dates: bool = False, fetched: str = "2026-11-22T09:00:00") -> Tally:
    """Return the tally of a crawl with so many pages of each kind."""
    tally = Tally(dates=dates)
    for kind, count in kinds:
        for number in range(count):
            url = f"http://a.example/{kind}/{number}"
            share = 0.1 if kind in ("odd", "new") else 0.9
            pattern = INDEX if kind == "list" else PATTERN
            verdict = Verdict(Evidence(), Context(shape=4.0), 0.5, 0.18)
            article = Article(url=url, title="A title", text="x" * 2_000, confidence=0.95, date="2026-11-22")
            given = _changed(kind, article)
            tally.add(Result(url, compared=[(pattern, share)], verdict=verdict, article=given), fetched)
    return tally


def _changed(kind: str, article: Article) -> Article | None:
    if kind in ("list", "odd", "lost"):
        return None
    changes = {
        "untitled": {"title": ""},
        "short": {"text": "x" * 100},
        "unsure": {"confidence": 0.1},
        "undated": {"date": None},
    }
    return replace(article, **changes.get(kind, {}))  # type: ignore[arg-type]


def keys(drift: Drift | None) -> list[str]:
    return [change.key for change in drift.changes] if drift else []


@pytest.mark.parametrize(
    ("pages", "found"),
    [
        ([("article", 70), ("list", 27), ("odd", 3)], []),
        ([("new", 20), ("odd", 10)], ["layout"]),
        ([("article", 10), ("new", 20)], ["layout"]),
        ([("odd", 30)], ["layout"]),
        ([("lost", 20), ("list", 10)], ["articles"]),
        ([("article", 12), ("lost", 8)], []),
        ([("article", 10), ("untitled", 10)], ["title"]),
        ([("article", 10), ("short", 20)], ["length"]),
        ([("article", 20), ("short", 10)], []),
        ([("article", 10), ("unsure", 20)], ["confidence"]),
        ([("article", 1), ("list", 30), ("odd", 4)], []),
        ([("list", 30)], []),
        ([("article", 30)], []),
        ([("new", LEAST_PAGES - 1)], []),
        ([("new", LEAST_PAGES)], ["layout"]),
    ],
    ids=str,
)
def test_what_has_changed(pages: list[tuple[str, int]], found: list[str]) -> None:
    """Each change for the worse has its key; the usual pages, in any mix, and few pages are no change."""
    assert keys(find_drift(USUAL, crawl(*pages))) == found


def test_dates_are_compared_only_if_both_crawls_looked_for_them() -> None:
    """Missing dates are a change if dates were usual."""
    pages = [("undated", 20), ("article", 5)]
    dated = replace(USUAL, dated=68)
    assert keys(find_drift(dated, crawl(*pages, dates=True))) == ["date"]
    assert keys(find_drift(dated, crawl(*pages))) == []
    assert keys(find_drift(USUAL, crawl(*pages, dates=True))) == []


def test_odd_pages_are_usual_where_articles_are_missing_from_the_crawl() -> None:
    """If only odd pages give no article, a crawl with few articles has many odd pages: that is no change."""
    odd = replace(USUAL, judged=82, fitting=70)
    assert keys(find_drift(odd, crawl(("article", 10), ("odd", 20)))) == []
    assert keys(find_drift(odd, crawl(("new", 10), ("odd", 20)))) == ["layout"]


def test_a_site_that_often_gives_no_article_does_not_lose_them() -> None:
    """Missing articles tell something only if nearly all pages with such layouts and urls give one."""
    assert keys(find_drift(replace(USUAL, given=60), crawl(("lost", 30)))) == []


def test_a_few_learned_articles_do_not_tell_usual_lengths() -> None:
    """Quantiles of a handful of articles say little, so lengths and confidences are not compared."""
    few = Usual(20, 20, 20, 20, 20, 20, 0, 20, None, USUAL.lengths, USUAL.confidences)
    assert keys(find_drift(few, crawl(("short", 30), ("unsure", 30)))) == []


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"lengths": (2_200, 2_210, 2_220, 2_230, 2_240)}, []),
        ({"lengths": (2_300, 2_310, 2_320, 2_330, 2_340)}, ["length"]),
        ({"confidences": (0.969, 0.97, 0.97, 0.971, 0.971)}, []),
        ({"lengths": (1, 1, 1, 1, 1), "confidences": (1.0, 1.0, 1.0, 1.0, 1.0)}, []),
    ],
)
def test_where_all_articles_are_alike_a_small_step_is_no_change(
    values: dict[str, tuple[float, ...]], found: list[str]
) -> None:
    """Articles of 2,000 characters and a confidence of .95 may be a little worse than all usual ones."""
    assert keys(find_drift(replace(USUAL, **values), crawl(("article", 30)))) == found  # type: ignore[arg-type]


def test_without_counts_nothing_is_told() -> None:
    """Patterns without counts, and sites without pages, give no drift."""
    assert find_drift(None, crawl(("new", 100))) is None
    assert find_drift(Usual(0, 0, 0, 0, 0, 0, 0, 0), crawl(("article", 100))) is None
    assert find_drift(USUAL, Tally()) is None


def test_a_sentence_says_what_since_when_where_and_how_often() -> None:
    """The sentence has the numbers, the day, an example, and the other changes without theirs."""
    drift = find_drift(USUAL, crawl(("new", 20), ("untitled", 11)))
    assert drift is not None
    assert drift.changes[0] == Change("layout", 20, 31, 0.03, "2026-11-22T09:00:00", "http://a.example/new/0")
    assert drift.sentence() == (
        "20 of 31 pages fit no layout that was learned (usually 3%), since 2026-11-22, for example"
        " http://a.example/new/0 (also, 11 of 31 articles have no title (usually 0%))"
    )


def test_a_sentence_without_a_time_and_with_a_hostile_url() -> None:
    """An unknown time is left out, and nothing that a terminal obeys gets into the sentence."""
    drift = Drift((Change("title", 1_200, 1_300, 0.0, "", "http://a.example/\x1b[2J"),))
    assert drift.sentence() == (
        "1,200 of 1,300 articles have no title (usually 0%), for example http://a.example/\\x1b[2J"
    )


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_chance_is_the_share_of_draws(bad: int, good: int, found: int, rest: int) -> None:
    """The chance is the share of all ways to draw the crawl from all pages that have so many bad ones."""
    pages = [True] * (bad + found) + [False] * (good + rest)
    draws = [sum(draw) for draw in combinations(pages, found + rest)]
    expected = sum(one >= found for one in draws) / len(draws)
    assert chance_of(bad, bad + good, found, found + rest) == pytest.approx(expected)


def test_chance_of_a_large_crawl() -> None:
    """A million pages of a crawl are compared as fast and as exactly as a hundred."""
    assert chance_of(3, 300, 10_000, 1_000_000) > 0.1
    assert chance_of(3, 300, 100_000, 1_000_000) < 1e-6


@given(st.integers(1, 40), st.data(), st.floats(0.01, 0.99))
def test_the_largest_chance_is_an_upper_bound(judged: int, data: st.DataObject, share: float) -> None:
    """The bound is never below the exact probability of so many pages or more."""
    found = data.draw(st.integers(0, judged))
    exact = sum(
        math.comb(judged, one) * share**one * (1 - share) ** (judged - one)
        for one in range(found, judged + 1)
    )
    assert exact <= _largest_chance(found, judged, share) * (1 + 1e-9) <= 1 + 1e-9
