"""Which patterns a page is compared with (path layouts)."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.layouts.similarity import ANYTHING, Profile, folded, profile_similarity
from scrapy_webstemmer.patterns.index import PatternIndex, seen_by
from scrapy_webstemmer.values.patterns import Pattern

PATHS = ["body", "body/div", "body/div/ul.x", "body/div#a", "body/div#a/div", "body/divan", "body/div.b"]
FEATURES = PATHS
WEIGHTS = st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, 7.0])
PROFILES = st.dictionaries(st.sampled_from(FEATURES), WEIGHTS, max_size=8)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    """Draw a pattern. Some are folded; a few of these also have other features in the container."""
    profile, container = draw(PROFILES), draw(st.sampled_from(PATHS))
    if draw(st.booleans()):
        profile = {**folded(profile, container), **draw(st.just({}) | PROFILES)}
    pages = draw(st.integers(1, 3))
    return Pattern("", "article", 0.0, pages, (), profile=profile, container=container)


def best(found: Sequence[Pattern], profile: Profile) -> Pattern:
    """Return the most similar pattern. Of equal ones, more pages decide, then the order."""
    ranks = [(profile_similarity(seen_by(one, profile), one.profile), one.pages) for one in found]
    return found[ranks.index(max(ranks))]


@given(st.lists(patterns(), min_size=1, max_size=9), PROFILES)
def test_the_best_pattern_is_among_the_nearest(all_of: list[Pattern], profile: dict[str, float]) -> None:
    """The best of the nearest patterns is the best of all patterns."""
    index = PatternIndex(all_of)
    for _ in range(2):  # what the index has kept changes nothing
        assert best(index.nearest(profile), profile) is best(all_of, profile)


def numbered(number: int, **profile: float) -> Pattern:
    return Pattern(str(number), "article", 0.0, number, (), profile=profile)


def test_few_of_many_are_compared() -> None:
    """If there are many patterns, a page is compared only with those that may be most similar to it."""
    many = [numbered(n, **{f"body{n}": 0.5, f"main{n // 2}": 0.5}) for n in range(100)]
    index = PatternIndex(many)
    assert index.nearest({"body7": 10, "other": 90}) == [many[7]]
    assert index.nearest({"main3": 10, "other": 90}) == [many[6], many[7]]
    assert index.nearest({"other": 90}) == [many[99]]


def test_what_a_folded_pattern_has_is_looked_for_by_its_container() -> None:
    """In a folded pattern all text of the container is one feature."""
    all_of = [
        Pattern(str(n), "article", 0.0, 1, (), profile={f"body/{n}{ANYTHING}": 1.0}, container=f"body/{n}")
        for n in range(9)
    ]
    index = PatternIndex(all_of)
    assert index.nearest({"body/5/div/ul.x": 10, "body/60": 10}) == [all_of[5]]


def test_a_site_without_patterns_has_none_near() -> None:
    """Without patterns, none is near."""
    assert list(PatternIndex([]).nearest({"body": 1})) == []
