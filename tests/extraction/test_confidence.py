"""The confidence of articles: it grows with all evidence, and never leaves its range."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place

from scrapy_webstemmer.patterns.confidence import (
    EXPONENTS,
    LEAST,
    Shares,
    confidence,
    shares_of,
    unmatched_confidence,
)
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Pattern

BEST = Shares(**dict.fromkeys(Shares._fields, 1.0))

share = st.floats(0, 1)
evidence = st.builds(Shares, **dict.fromkeys(Shares._fields, share))


@given(evidence)
def test_range(found: Shares) -> None:
    """It is from 0 to 1. No page has more than a page with all shares at 1."""
    assert 0 <= confidence(found) < 1
    assert confidence(found) <= confidence(BEST)


@given(evidence, st.sampled_from(Shares._fields), share)
def test_grows_with_each_share(found: Shares, name: str, other: float) -> None:
    """A larger share never lowers the confidence."""
    low, high = sorted((other, getattr(found, name)))
    assert confidence(found._replace(**{name: low})) <= confidence(found._replace(**{name: high}))


@pytest.mark.parametrize("name", Shares._fields)
def test_each_share_has_a_say(name: str) -> None:
    """Each single share of less than 1 lowers the confidence."""
    assert confidence(BEST._replace(**{name: 0.5})) < confidence(BEST)


def test_the_best_is_sure_and_a_page_of_no_known_layout_is_not() -> None:
    """It is over .9 with the best evidence, but not with an unknown layout or a doubtful page."""
    assert confidence(BEST) > 0.9
    assert confidence(BEST._replace(layout=0.0)) < 0.9
    assert confidence(BEST._replace(article=0.6)) < 0.9
    assert confidence(BEST._replace(seen=1 / 3)) < confidence(BEST)


def test_without_a_pattern_nothing_is_as_sure_as_with_a_good_one() -> None:
    """A page of a known site that no pattern fits is likely right if nothing but that speaks against it."""
    alone = BEST._replace(layout=LEAST, seen=LEAST)
    assert 0.8 < unmatched_confidence(alone) < 0.9 < confidence(BEST)
    assert unmatched_confidence(alone._replace(article=0.5)) < 0.2
    assert unmatched_confidence(alone._replace(whole=0.0)) < 0.01


def test_every_factor_has_an_exponent() -> None:
    """Every factor of the formula has a positive exponent."""
    assert {*Shares._fields} == EXPONENTS.keys()
    assert min(EXPONENTS.values()) > 0


PATTERN = Pattern(name="p", kind="article", score=1.0, pages=7, sections=())
BODY = (
    "<h1>Nine seals</h1><div id=c><p>aaaaaaaaaa</p><p>bbbbbbbbbb</p><p>cccccccccc</p>"
    "<p>ddddd<a href=/x>eeeee</a></p></div>"
)


def seen(main: list[int], title: str = "Nine seals", head: str = "Nine seals - Gazette") -> Shares:
    page: PlacedLayout = place([layout(BODY, 1, head)], vocabulary_pages=1)[0]
    return shares_of(page, PATTERN, 0.75, main, title, ((), (" - Gazette",)), 0.625)


def test_evidence_of_a_whole_article() -> None:
    """The evidence has the match, the pattern and the probability. No text is missing between the blocks."""
    found = seen([0, 1, 2, 3])
    assert found == Shares(
        layout=0.75,
        whole=1.0,
        plain=1.0,
        single=1.0,
        seen=7 / 9,
        title=1.0,
        article=0.625,
        covered=pytest.approx(39 / 44),  # type: ignore[arg-type]
    )


def test_evidence_of_gaps_and_links() -> None:
    """Text that was left out between two blocks counts, and so does text in links."""
    found = seen([1, 4])
    assert found.whole == 0.5
    assert found.plain == 0.75


@pytest.mark.parametrize(
    ("title", "head", "like"),
    [("NINE SEALS", "Nine seals - Gazette", 1.0), ("", "Nine seals", 0.0)],
)
def test_evidence_of_the_title(title: str, head: str, like: float) -> None:
    """The title is compared with the page's title element."""
    assert seen([1], title, head).title == (1 + like) / 2


def test_text_in_records_is_noted() -> None:
    """Text in repeated records with links lowers a share, since it may be comments."""
    item = "<div class=k><a href=/u>uuuuu</a> kkkkk</div>"
    page = place([layout(f"<p>aaaaaaaaaa</p><div>{item * 3}</div>", 1)], vocabulary_pages=1)[0]
    found = shares_of(page, PATTERN, 1.0, range(len(page.layout.blocks)), "", ((), ()), 1.0)
    assert found.single == 0.25
    assert found.covered == 1


def test_what_an_article_leaves_out_is_noted() -> None:
    """One share is the article's part of the page's text outside links, boilerplate and repeated records."""
    assert seen([1, 2, 3, 4]).covered == pytest.approx(35 / 44)
    assert seen([1]).covered == pytest.approx(10 / 44)
    foot = "<p>imprint</p>"
    pages = place([layout(f"<div>{name * 10}</div>{foot}", n) for n, name in enumerate("abc")])
    assert [*pages[0].boilerplate] == [0, 1]
    assert shares_of(pages[0], PATTERN, 1.0, [0], "", ((), ()), 1.0).covered == 1
    linked = place([layout("<p><a href=/x>aaaaa</a></p>", 1)])[0]
    assert shares_of(linked, PATTERN, 1.0, [0], "", ((), ()), 1.0).covered == 1
