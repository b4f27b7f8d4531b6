from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import path_similarity
from path_pages import place, placed, words
from tree_pages import layouts

from scrapy_webstemmer.site.paths import coarse
from scrapy_webstemmer.site.profiles import mean_profile, profile_of, profile_similarity
from scrapy_webstemmer.values import Layout

profiles = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 1000).map(float))


@given(profiles, profiles)
def test_similarity_is_symmetric_and_a_share(a: dict[str, float], b: dict[str, float]) -> None:
    """Both similarities lie between 0 and 1 and do not depend on the order."""
    for similarity in (path_similarity, profile_similarity):
        assert similarity(a, b) == pytest.approx(similarity(b, a))
        assert 0 <= similarity(a, b) <= 1


@given(profiles)
def test_similarity_with_itself_is_one(a: dict[str, float]) -> None:
    """A page has similarity 1 to itself, even without text; so pages without text are one cluster."""
    assert path_similarity(a, a) == 1
    assert profile_similarity(a, a) == (1 if a else 0)


@given(profiles, profiles)
def test_similarity_is_one_only_for_the_same_features(a: dict[str, float], b: dict[str, float]) -> None:
    """Pages without a common feature have similarity 0; one with a further feature has less than 1."""
    if a and b:
        assert (path_similarity(a, b) == 0) == a.keys().isdisjoint(b)
        assert (path_similarity(a, b) == 1) == (a.keys() == b.keys())


def test_path_similarity_weighs_by_text() -> None:
    """The similarity is the weight of the common features over the weight of all of both pages."""
    assert path_similarity({"a": 30, "b": 10}, {"a": 50, "c": 10}) == 80 / 100


def test_profile_similarity_weighs_both_sides_the_same() -> None:
    """A long page does not outweigh the typical page."""
    assert profile_similarity({"a": 900, "b": 100}, {"a": 0.5, "c": 0.5}) == pytest.approx((0.9 + 0.5) / 2)


def test_profile_counts_text_by_element_of_the_template() -> None:
    """A list and a quotation in an article's element are the same feature."""
    page = placed('<div class="post"><p>abc</p><ul><li>de</li></ul></div><h1 class="t">f</h1>')[0]
    assert profile_of(page) == {"body/div.post": 5, "body/h1.t": 1}


def test_profile_leaves_out_static_text() -> None:
    """Boilerplate does not count for the layout, unless a page has no other text."""
    foot = '<div class="foot">imprint</div>'
    pages = placed(*(f"<p>{words(n)}</p>{foot}" for n in range(3)), foot)
    assert profile_of(pages[0]).keys() == {"body"}
    assert profile_of(pages[3]) == {"body/div.foot": 7}


def test_mean_profile_is_the_mean_of_shares() -> None:
    """All pages count equally, whatever their length; features with hardly any text are left out."""
    found = mean_profile([{"a": 1, "b": 3}, {"a": 1000}])
    assert found == {"a": 0.625, "b": 0.375}
    assert mean_profile([{"a": 9999, "b": 1}]) == {"a": 0.9999}


@given(st.lists(layouts(), min_size=1, max_size=3))
def test_profile_is_in_the_order_of_the_page(pages: list[Layout]) -> None:
    """Each feature has the weight of its blocks; features come in the order of their first blocks."""
    for page in place(pages, vocabulary_pages=1):
        wanted: dict[str, int] = {}
        for varying in (True, False):
            for block, boilerplate in zip(page.layout.blocks, page.boilerplate, strict=True):
                feature = coarse(page.paths[block.node])
                if not (varying and boilerplate):
                    wanted[feature] = wanted.get(feature, 0) + block.weight
            if wanted:
                break
        assert list(profile_of(page).items()) == list(wanted.items())
