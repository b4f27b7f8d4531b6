from __future__ import annotations

import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.classic.layouts_2009 import assign

features = st.text("abc", max_size=7)
sections = st.text("abc", max_size=4)


@given(features, sections)
def test_as_many_blocks_as_possible(page: str, wanted: str) -> None:
    """No other way to divide the page gives the sections more blocks, apart from the first block."""
    found = sum(map(len, assign(f"-{page}", wanted)))
    assert found == (oracles.assigned_weight([(feature, 1) for feature in page], wanted, False) or 0)


@given(features, sections)
def test_features_and_order_are_kept(page: str, wanted: str) -> None:
    """A section gets only blocks of its feature, all of them before the blocks of the next section."""
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
        # equally many blocks in both ways: the last section gets none
        ("hpdp", "hpd", [[0], [1, 3], []]),
        ("-pqpq", "pq", [[1, 3], [4]]),
        # the first block fits only the first section
        ("pp", "hp", [[], [1]]),
        ("", "hp", [[], []]),
        ("hp", "", []),
    ],
)
def test_assignments_of_2009(page: str, wanted: str, expected: list[list[int]]) -> None:
    """Of equally good assignments, the one of the program of 2009 is taken."""
    assert assign(page, wanted) == expected


def test_equal_neighbours_share_the_blocks() -> None:
    """Two neighbouring sections may have the same feature. Each block goes to one of them."""
    assigned = assign("-ppp", "pp")
    assert sorted(i for found in assigned for i in found) == [1, 2, 3]
