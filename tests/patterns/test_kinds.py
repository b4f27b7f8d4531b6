"""The evidence of the rest of the site is added to a page's own evidence of being an article."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place, words

from scrapy_webstemmer.layouts.kind import MOST_ODDS
from scrapy_webstemmer.layouts.placed import PlacedLayout
from scrapy_webstemmer.patterns import kinds as module
from scrapy_webstemmer.patterns.kinds import (
    Evidence,
    evidence_of,
    mean_odds,
    odds_by_shape,
    odds_of,
    probability,
)
from scrapy_webstemmer.patterns.match import Match
from scrapy_webstemmer.values.patterns import Pattern, SitePatterns

_ODDS = st.floats(-MOST_ODDS, MOST_ODDS)
_SHARE = st.floats(0, 1)


def pattern(odds: float, container: str = "body/div#c") -> Pattern:
    return Pattern("p", "article", 1.0, 5, (), titles=("body/h1",), container=container, odds=odds)


def site(pages: int, odd_odds: float = 0.0, dated: float = 0.0) -> SitePatterns:
    shapes = {"example.com/*": 2.0}
    return SitePatterns("example.com", "paths", pages, 2, (), shapes=shapes, odd_odds=odd_odds, dated=dated)


def page_of(body: str, number: int = 7) -> PlacedLayout:
    return place([layout(body, number)], vocabulary_pages=1)[0]


PAGE = page_of("<p>text</p>")


@given(
    st.builds(Evidence, _ODDS, _ODDS, _ODDS, st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0]), _SHARE)
)
def test_evidence_of_an_article_makes_it_more_probable(evidence: Evidence) -> None:
    """It is a probability. Evidence of the page, of its url and of its layout makes it larger."""
    found = probability(evidence)
    assert 0 < found < 1
    for name in ("own", "shape", "layout"):
        more = evidence._replace(**{name: getattr(evidence, name) + 1})
        assert probability(more) > found
    for name in ("undated", "unmatched"):
        assert probability(evidence._replace(**{name: 1.0})) <= found


def test_what_the_site_says_outweighs_a_doubtful_page() -> None:
    """A doubtful page is what the pages with the same kind of url and layout are."""
    doubtful = Evidence(own=0.0)
    assert probability(doubtful._replace(shape=3.0, layout=3.0)) > 0.5
    assert probability(doubtful._replace(shape=-3.0, layout=-3.0)) < 0.1


def test_undated_pages_of_dated_sites_are_hardly_articles() -> None:
    """If articles have a date in their url, a page without a date is much less probably an article."""
    likely = Evidence(own=1.0, shape=1.0)
    assert probability(likely._replace(undated=1.0)) < 0.5 * probability(likely)


@given(st.lists(_ODDS, min_size=1, max_size=50))
def test_the_mean_of_few_pages_is_nearer_to_nothing(odds: list[float]) -> None:
    """With more pages the mean is farther from 0, but never farther than the pages' plain mean."""
    found, more = mean_odds(odds), mean_odds(odds * 10)
    assert abs(found) <= abs(more) + 0.001
    assert abs(more) <= abs(sum(odds) / len(odds)) + 0.001


def test_the_mean_of_some_pages() -> None:
    """The mean is taken as if there were two more pages with 0. Without pages it is 0."""
    assert mean_odds([]) == 0
    assert mean_odds([3.0]) == 1.0
    assert mean_odds([3.0, 3.0, 3.0, 1.0]) == pytest.approx(10 / 6, abs=0.001)
    assert mean_odds([4.0, -4.0]) == 0


def test_odds_by_the_shape_of_addresses() -> None:
    """Pages whose urls look alike have one mean, whatever the odds of each page."""
    odds = {
        "http://example.com/tag/a": -3.0,
        "http://example.com/tag/b": -1.0,
        "http://example.com/2026/11/a.html": 4.0,
        "http://example.com/2025/12/b.html": 2.0,
        "http://example.com/": 1.2,
    }
    assert odds_by_shape(odds) == {
        "example.com/*": 0.4,
        "example.com/0/0/*.html": 1.5,
        "example.com/tag/*": -1.0,
    }
    assert odds_by_shape({}) == {}


def test_the_most_frequent_shapes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The url shapes with most pages are kept; of equally frequent ones, the first."""
    monkeypatch.setattr(module, "_MOST_SHAPES", 2)
    urls = [
        f"http://example.com/{folder}/{n}"
        for folder, count in zip("cab", (1, 1, 2), strict=True)
        for n in range(count)
    ]
    assert list(odds_by_shape(dict.fromkeys(urls, 1.0))) == ["example.com/a/*", "example.com/b/*"]


def test_evidence_of_a_page_that_matches() -> None:
    """Besides its own odds, those of its url and its pattern count, but less if few pages are known."""
    found = evidence_of(PAGE, site(10), Match(pattern(3.0), 0.9), 1.5)
    assert found == Evidence(own=1.5, shape=1.0, layout=1.5, undated=0, unmatched=0, few=0.5)
    many = evidence_of(PAGE, site(990), Match(pattern(3.0), 0.9), 1.5)
    assert (many.shape, many.layout, many.few) == (pytest.approx(1.98), pytest.approx(2.97), 0.01)


def test_evidence_of_a_page_that_matches_nothing() -> None:
    """The odds are those of the site's odd pages. A missing match tells more on a known site."""
    few, known = (evidence_of(PAGE, site(pages, odd_odds=-2.0), None, 1.5) for pages in (10, 30))
    assert (few.unmatched, known.unmatched) == (0.5, 0.75)
    assert known.layout == pytest.approx(0.75 * -2.0)


def test_evidence_of_a_page_of_which_nothing_else_is_known() -> None:
    """Another kind of url, a layout of both kinds, and a site without pages have no effect."""
    other = page_of("<p>text</p>")
    shapeless = SitePatterns("example.com", "paths", 0, 0, ())
    assert evidence_of(other, shapeless, Match(pattern(0.0), 0.9), -1.0) == Evidence(own=-1.0, few=1.0)


@pytest.mark.parametrize(("dated", "undated"), [(1.0, 0.75), (0.0, 0)])
def test_evidence_of_dates(dated: float, undated: float) -> None:
    """A page without a date in its url is undated if the site's articles have one."""
    assert evidence_of(PAGE, site(30, dated=dated), None, 1.0).undated == undated


def test_odds_of_pages_read_by_a_pattern() -> None:
    """Each page has its own odds, by url: positive for an article, negative for a list of headlines."""
    entry = '<h2><a href="/{0}">{1}</a></h2><p>{2}</p>'
    entries = "".join(entry.format(n, words(n, 5), words(n + 100, 30)) for n in (1, 2, 3))
    pages = [
        page_of(f'<h1>{words(1, 4)}</h1><div id="c"><p>{words(2, 200)}</p></div>', 1),
        page_of(f'<div id="c">{entries}</div>', 2),
    ]
    found = odds_of(pages, pattern(0.0), ((), ()))
    assert list(found) == [page.url for page in pages]
    assert found[pages[0].url] > 1 > -1 > found[pages[1].url]
