"""Samples of a site's pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.base.samples import PageSample, digest_of, drawn
from scrapy_webstemmer.values import Page


def sampled(keys: Iterable[str], size: int) -> set[str]:
    sample, kept = PageSample(size), set()
    for key in keys:
        kept.add(key)
        left_out = sample.add(key)
        kept -= {left_out}
    return kept


def first_of_each(keys: Iterable[str], size: int) -> set[str]:
    """Return the sample by its definition: by rank in the directory, then by digest."""
    directories = defaultdict(list)
    for key in sorted(keys, key=digest_of):
        directories[key.rpartition("/")[0]].append(key)
    ranked = [(rank, digest_of(key), key) for found in directories.values() for rank, key in enumerate(found)]
    return {key for _, _, key in sorted(ranked)[:size]}


keys = st.lists(
    st.builds("{}/{}".format, st.sampled_from(["a.com", "a.com/b", "a.com/b/c"]), st.integers(0, 40)),
    unique=True,
    max_size=60,
)


@given(keys, st.integers(1, 30))
def test_a_sample_is_what_it_is_in_any_order(keys: list[str], size: int) -> None:
    """A sample has the first pages of each directory by digest, whatever the order in which they come."""
    wanted = first_of_each(keys, size)
    assert sampled(keys, size) == wanted
    assert sampled(reversed(keys), size) == wanted


def test_no_directory_is_lost() -> None:
    """A directory with few pages is wholly in the sample, even beside an archive of many pages."""
    small = [f"a.com/news/{number}" for number in range(5)]
    large = [f"a.com/archive/{number}?page=/x/" for number in range(500)]
    kept = sampled([*large, *small], 50)
    assert len(kept) == 50
    assert set(small) < kept


def test_no_limit() -> None:
    """A sample of size 0 has all pages."""
    pages = {f"a.com/{number}" for number in range(100)}
    assert sampled(pages, 0) == pages


def test_a_sample_hardly_changes_with_the_site() -> None:
    """The same pages are drawn in any order; a further page replaces one at most; size 0 draws all."""
    pages = [Page(f"http://a.example/{n:02}", b"") for n in range(40)]
    found = {page.url for page in drawn(pages, 10)}
    assert len(found) == 10
    assert {page.url for page in drawn(pages[::-1], 10)} == found
    assert len(found - {page.url for page in drawn(pages[:-1], 10)}) <= 1
    assert [page.url for page in drawn(pages, 10)] == sorted(found)
    assert drawn(pages, 0) is drawn(pages, 40) is pages
