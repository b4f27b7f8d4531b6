"""Counts of what a site's pages give: which pages count, and that nothing depends on their order."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.extraction.result import Result
from scrapy_webstemmer.monitoring import tally as module
from scrapy_webstemmer.monitoring.tally import Group, Tally, fits, quantiles
from scrapy_webstemmer.patterns.match import KNOWN_SITE
from scrapy_webstemmer.values import QUANTILES, Article, Pattern, SitePatterns, Usual
from scrapy_webstemmer.verdict.classifier import Context, Verdict
from scrapy_webstemmer.verdict.evidence import Evidence

ARTICLES = Pattern("http://a.example/1", "article", 1.0, 20, ())
LISTS = replace(ARTICLES, name="http://a.example/tag", kind="index")
SITE = SitePatterns("a.example", "paths", 40, 2, (ARTICLES, LISTS))


def result(
    share: float | None,
    article: Article | None = None,
    *,
    pattern: Pattern = ARTICLES,
    shape: float = 4.0,
    **values: Any,
) -> Result:
    """Return what extraction finds out about a page with this similarity to its nearest pattern."""
    compared = [] if share is None else [(pattern, share), (LISTS, share / 2)]
    verdict = Verdict(Evidence(), Context(shape=shape), 0.5, 0.18)
    found = Result("http://a.example/2", site=SITE, compared=compared, verdict=verdict, article=article)
    return found._replace(**values)


def article(url: str = "http://a.example/2", text: str = "Some text.", **values: object) -> Article:
    return replace(Article(url=url, title="A title", text=text, confidence=0.9), **values)  # type: ignore[arg-type]


def test_a_page_fits_from_the_similarity_of_a_match_on() -> None:
    """The similarity from which a page matches on a well-known site is that from which it fits."""
    assert fits(result(KNOWN_SITE)) is True
    assert fits(result(KNOWN_SITE - 0.001)) is False
    assert fits(result(None)) is None


def test_pages_of_layouts_of_2009_are_not_judged() -> None:
    """Layouts of 2009 have another similarity, so nothing is told about their pages."""
    assert fits(result(0.9, site=replace(SITE, layout="sequence"))) is None


def test_a_page_that_was_not_compared_does_not_count() -> None:
    """Pages of unknown sites, and pages that a url rule leaves out, leave the counts as they are."""
    tally = Tally()
    tally.add(result(None, article()), "2026-11-22")
    assert tally.usual(0) == Usual(0, 0, 0, 0, 0, 0, 0, 0)


def test_counts() -> None:
    """Each count has the pages that its name says."""
    tally = Tally(dates=True)
    tally.add(result(0.9, article(text="x" * 50, date="2026-11-20")), "2026-11-21")
    tally.add(result(0.8, article(title="", text="x" * 10)), "2026-11-23")
    tally.add(result(0.7), "2026-11-22")
    tally.add(result(0.6, pattern=LISTS))
    tally.add(result(0.1, article(text="x" * 30, confidence=0.2)))
    tally.add(result(0.1))
    assert tally.usual(known=9) == Usual(
        known=9,
        judged=6,
        fitting=4,
        expected=3,
        given=2,
        articles=3,
        odd=1,
        titled=2,
        dated=1,
        lengths=(10, 10, 30, 50, 50),
        confidences=(0.2, 0.2, 0.9, 0.9, 0.9),
        latest="2026-11-23",
    )
    assert tally.usual(9, "2026-12-01").latest == "2026-12-01"


def test_an_article_is_expected_whatever_signs_the_page_lacks() -> None:
    """A new design may have lost what the articles of the site showed; then it gives fewer than it should."""
    for signs in (0.5, -2.0):
        page = result(0.9)
        assert page.verdict is not None
        verdict = page.verdict._replace(context=page.verdict.context._replace(signs=signs))
        tally = Tally()
        tally.add(page._replace(verdict=verdict))
        assert (tally.judged, tally.expected, tally.missing.pages) == (1, 1, 1)


@pytest.mark.parametrize(
    "page",
    [result(0.9, pattern=LISTS), result(0.9, shape=0.0), result(0.9, shape=1.2)],
    ids=["list", "new", "doubtful"],
)
def test_an_article_is_expected_only_by_layout_and_url(page: Result) -> None:
    """A page like a list, or with a url that is not surely that of an article, need not give one."""
    tally = Tally()
    tally.add(page)
    assert (tally.judged, tally.expected, tally.missing.pages) == (1, 0, 0)


def test_a_raised_threshold_is_no_change_of_the_site() -> None:
    """A page that does not match only because the user demands more is not expected to give an article."""
    tally = Tally()
    tally.add(result(0.6, threshold=0.8))
    assert tally.expected == 0


def test_a_raised_confidence_is_no_change_of_the_site() -> None:
    """An article that does not come out, since the user asks for more confidence, counts like any other."""
    tally, usual = Tally(), Tally()
    given = article(title="", text="x" * 30, confidence=0.3)
    tally.add(result(0.9, uncertain=given), "2026-11-22")
    usual.add(result(0.9, given), "2026-11-22")
    assert tally.usual(1) == usual.usual(1)
    assert (tally.expected, tally.missing.pages, tally.untitled.pages) == (1, 0, 1)


def test_dates_count_only_if_they_were_looked_for() -> None:
    """Without a look for dates, the number of dated articles is unknown."""
    tally = Tally()
    tally.add(result(0.9, article()))
    assert tally.usual(1).dated is None


_pages = st.lists(
    st.tuples(
        st.sampled_from([0.1, 0.5, 0.9, None]),
        st.sampled_from([f"http://a.example/{n}" for n in range(20)]),
        st.sampled_from([None, ("", 10), ("A", 700), ("B", 20)]),
        st.sampled_from(["", "2026-11-20T10:00:00", "2026-11-21T10:00:00"]),
    ),
    max_size=30,
)


@given(_pages, st.randoms(use_true_random=False))
def test_order_has_no_part(
    pages: list[tuple[float, str, tuple[str, int] | None, str]], chance: random.Random
) -> None:
    """The same pages in another order, or counted apart, give the same counts, samples and examples."""

    def counted(rows: list[tuple[float, str, tuple[str, int] | None, str]]) -> Tally:
        tally = Tally()
        for share, url, found, fetched in rows:
            one = found and article(url, title=found[0], text="x" * found[1])
            tally.add(result(share, one or None, url=url), fetched)
        return tally

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_ARTICLES", 5)
        first, second = counted(pages), counted(chance.sample(pages, len(pages)))
        half = len(pages) // 2
        merged = counted(pages[:half])
        merged.merge(counted(pages[half:]))
    for other in (second, merged):
        assert first.usual(99) == other.usual(99)
        for name in ("unlike", "missing", "untitled", "undated"):
            assert getattr(first, name) == getattr(other, name)
        assert sorted(first.measured) == sorted(other.measured)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many articles, only a sample is measured; all of them are counted."""
    monkeypatch.setattr(module, "_MOST_ARTICLES", 50)
    tally = Tally()
    for number in range(2_000):
        url = f"http://a.example/{number}"
        tally.add(result(0.9, article(url, "x" * (number % 100)), url=url))
    assert (tally.articles, len(tally.measured)) == (2_000, 50)
    assert 20 < tally.usual(2_000).lengths[2] < 80


def test_the_example_is_the_page_that_was_fetched_last() -> None:
    """A group tells the first time, and as an example the last page: it certainly shows the change."""
    group = Group()
    for url, fetched in (("b", "2026-11-21"), ("c", "2026-11-22"), ("d", ""), ("a", "2026-11-22")):
        group.add(url, fetched)
    assert (group.pages, group.since, group.url) == (4, "2026-11-21", "a")


@given(st.lists(st.integers(0, 50), min_size=1))
def test_quantiles_are_the_smallest_values_with_their_share_below(values: list[int]) -> None:
    """Each quantile is a value; at least its share of the values is at or below it, and less is below it."""
    for share, found in zip(QUANTILES, quantiles(values), strict=True):
        assert found in values
        assert sum(value <= found for value in values) >= share * len(values)
        assert sum(value < found for value in values) < share * len(values)


def test_no_values_have_no_quantiles() -> None:
    """Without articles there is nothing to tell of their lengths."""
    assert quantiles([]) == ()
