from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from oracles import path_similarity

from scrapy_webstemmer.site.profiles import ProfileTable

profiles = st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 2**30), max_size=5)


@given(st.lists(profiles, max_size=8), profiles)
def test_the_table_compares_like_the_pairs(known: list[dict[str, int]], profile: dict[str, int]) -> None:
    """The table gives the same similarities as a comparison with each profile, to the last digit."""
    table = ProfileTable()
    for other in known:
        table.add(other)
    assert table.similarities(profile) == [path_similarity(profile, other) for other in known]
