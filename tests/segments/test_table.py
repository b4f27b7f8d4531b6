"""The text segment table: its counts, and when it forgets."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import PlainSegmentTable

from scrapy_webstemmer.segments.segment_tables import (
    SegmentOptions,
    SegmentRow,
    SegmentTable,
    SiteCounts,
    lifetimes,
)

PAGES = st.lists(st.tuples(st.integers(100, 112), st.lists(st.integers(0, 9), max_size=6)), max_size=60)
OPTIONS = st.builds(SegmentOptions, lifetime=st.integers(1, 5), longest=st.integers(1, 6))


@given(PAGES, OPTIONS)
def test_it_is_the_plain_table(pages: list[tuple[int, list[int]]], options: SegmentOptions) -> None:
    """After each page the table has the same rows as a slow oracle that looks at every segment each time."""
    table, plain = SegmentTable(options), PlainSegmentTable(options.lifetime, options.longest)
    for page, digests in pages:
        table.add(page, digests)
        plain.add(page, digests)
        assert {row.digest: row[1:] for row in table} == plain.known
        assert len(table) == len(plain.known)


@given(PAGES, OPTIONS, st.integers(0, 60))
def test_it_goes_on_where_another_ended(
    pages: list[tuple[int, list[int]]], options: SegmentOptions, cut: int
) -> None:
    """A table made from the rows of another one goes on exactly like it."""
    table = SegmentTable(options)
    for number, (page, digests) in enumerate(pages):
        if number == cut:
            counts = table.counts
            copied = SiteCounts(counts.pages, counts.different)
            other = SegmentTable(options, copied, list(table))
        table.add(page, digests)
        if number >= cut:
            other.add(page, digests)
            assert sorted(other) == sorted(table)
            assert other.counts == table.counts


@given(st.integers(1, 1000), st.integers(1, 100))
def test_lifetimes_rise_from_one_end_to_the_other(lifetime: int, longest: int) -> None:
    """A segment seen once is remembered for T_b pages, one seen often for T_b N, and none for longer."""
    found = lifetimes(SegmentOptions(lifetime=lifetime, longest=longest))
    assert (found[1], found[-1]) == (lifetime, lifetime * longest)
    assert list(found) == sorted(found)


def test_segment_counts_once_a_page() -> None:
    """A segment that is on a page twice is counted once."""
    table = SegmentTable()
    assert table.add(100, [1, 1, 2])
    table.add(101, [1])
    assert [table.frequency(digest) for digest in (1, 2, 3)] == [2, 1, 0]


def test_page_that_comes_again_counts_once() -> None:
    """A repeated crawl does not raise the frequency of segments of known pages."""
    table = SegmentTable()
    assert [table.add(100, [1, 2]) for _ in range(9)] == [True] + [False] * 8
    assert [table.frequency(digest) for digest in (1, 2)] == [1, 1]
    assert (table.counts.pages, table.counts.different) == (9, 1)


def test_known_page_keeps_what_it_has_from_being_forgotten() -> None:
    """Each page with a segment, known or not, starts the segment's clock anew."""
    table = SegmentTable(SegmentOptions(lifetime=3, longest=1))
    for page in (100, 101, 100, 102, 103):
        table.add(page, [1] if page == 100 else [])
    assert table.frequency(1) == 1
    table.add(104, [])
    assert table.frequency(1) == 0


def test_nothing_is_left_of_what_was_forgotten() -> None:
    """If all segments of every page are new, the table keeps those of the last T_b pages."""
    table = SegmentTable(SegmentOptions(lifetime=10))
    for page in range(1000):
        table.add(10_000 + page, [100_000 + 5 * page + number for number in range(5)])
    assert len(table) == 10 * 6
    assert {row.last for row in table} == set(range(991, 1001))


def test_memory_of_a_segment() -> None:
    """A segment takes less than 200 bytes, with the entry that tells when to look at it again."""
    rows = [SegmentRow(number * 104_729 << 20, 1, 1) for number in range(100_000)]
    counts = SiteCounts(pages=1)
    tracemalloc.start()
    try:
        table = SegmentTable(SegmentOptions(), counts, rows)
        assert tracemalloc.get_traced_memory()[0] / len(table) < 200
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("digest", [0, 2**56 - 1])
def test_digests_of_56_bits(digest: int) -> None:
    """The smallest and the largest digest are kept as they are."""
    table = SegmentTable()
    table.add(5, [digest])
    assert SegmentRow(digest, 1, 1) in set(table)
