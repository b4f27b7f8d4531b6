from __future__ import annotations

import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.classic.assignment import assign

features = st.text("abc", max_size=7)
sections = st.text("abc", max_size=4)


@given(features, sections)
def test_as_many_blocks_as_possible(page: str, wanted: str) -> None:
    """No other way to part the page gives the sections more blocks, the first block left aside."""
    found = sum(map(len, assign(f"-{page}", wanted)))
    assert found == (oracles.assigned_weight([(feature, 1) for feature in page], wanted, False) or 0)


@given(features, sections)
def test_features_and_order_are_kept(page: str, wanted: str) -> None:
    """A section gets blocks of its feature only, all of them before those of the next one."""
    assigned = assign(page, wanted)
    flat = [i for found in assigned for i in found]
    assert flat == sorted(set(flat))
    for section, found in zip(wanted, assigned, strict=True):
        assert {page[i] for i in found} <= {section}


@pytest.mark.parametrize(
    ("page", "wanted", "expected"),
    [
        ("hpd", "hpd", [[0], [1], [2]]),
        ("hppd", "hpd", [[0], [1, 2], [3]]),
        ("hxpxd", "hpd", [[0], [2], [4]]),
        # as many blocks either way: the last section goes without
        ("hpdp", "hpd", [[0], [1, 3], []]),
        ("-pqpq", "pq", [[1, 3], [4]]),
        # the first block fits only the first section
        ("pp", "hp", [[], [1]]),
        ("", "hp", [[], []]),
        ("hp", "", []),
    ],
)
def test_assignments_of_2009(page: str, wanted: str, expected: list[list[int]]) -> None:
    """Of equals, the assignment is the one that the program of 2009 takes."""
    assert assign(page, wanted) == expected


def test_equal_neighbours_share_the_blocks() -> None:
    """Sections of the same feature may follow one another; each block goes to one of them."""
    assigned = assign("-ppp", "pp")
    assert sorted(i for found in assigned for i in found) == [1, 2, 3]
