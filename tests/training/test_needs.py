"""Which sites need learning, and from which of their pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from news_pages import articles, indexes

from scrapy_webstemmer import PatternSet, learn
from scrapy_webstemmer.site.model import HANDFUL
from scrapy_webstemmer.training import pages_to_learn, sites_to_learn
from scrapy_webstemmer.values import SitePatterns

SITE = "news.example"


@pytest.fixture(scope="module")
def known() -> SitePatterns:
    """Return a site that was learned from twelve pages."""
    return learn([*articles(SITE, 10), *indexes(SITE, 2)]).sites[SITE]


@pytest.mark.parametrize(
    ("count", "drifted", "most", "needs"),
    [
        (12, [], 5_000, False),
        (17, [], 5_000, False),
        (18, [], 5_000, True),
        (17, [SITE], 5_000, True),
        (17, ["other.example"], 5_000, False),
        (100, [], 12, False),  # it was learned from a whole sample
        (100, [], 13, True),
        (100, [], 0, True),
        (100, [SITE], 12, True),
        (HANDFUL - 1, [SITE], 5_000, False),
    ],
)
def test_a_known_site(known: SitePatterns, count: int, drifted: list[str], most: int, needs: bool) -> None:
    """A site is learned again when it has grown by half, up to the sample's size, or has drifted."""
    patterns = PatternSet({SITE: known})
    assert sites_to_learn({SITE: count}, patterns, drifted, most) == [SITE] * needs


def test_a_site_of_an_earlier_version(known: SitePatterns) -> None:
    """Without counts in the pattern file, the number of pages that were learned from decides."""
    patterns = PatternSet({SITE: replace(known, usual=None)})
    assert sites_to_learn({SITE: 17}, patterns, [], 5_000) == []
    assert sites_to_learn({SITE: 18}, patterns, [], 5_000) == [SITE]


def test_new_sites(known: SitePatterns) -> None:
    """A new site is learned from a handful of pages on."""
    counts = {"b.example": HANDFUL, "a.example": HANDFUL, "few.example": HANDFUL - 1, SITE: 12}
    assert sites_to_learn(counts, PatternSet({SITE: known}), [], 5_000) == ["a.example", "b.example"]


keys = st.lists(st.sampled_from([f"http://x/{a}/{b}" for a in "abc" for b in range(30)]), unique=True)


@given(keys, st.sets(st.sampled_from([f"http://x/a/{b}" for b in range(30)])), st.integers(0, 100))
def test_pages_to_learn(found: list[str], fresh: set[str], most: int) -> None:
    """All pages, or as many as the sample may have, up to half of them fresh; their order does not matter."""
    found.sort()
    chosen = pages_to_learn(found, fresh, most)
    assert set(chosen) <= set(found)
    assert len(set(chosen)) == len(chosen) == (len(found) if most == 0 else min(most, len(found)))
    if len(chosen) < len(found):
        new = fresh.intersection(found)
        assert len(new.intersection(chosen)) >= min(len(new), most // 2)
        assert pages_to_learn(found[::-1], fresh, most) == chosen
