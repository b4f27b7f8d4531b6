from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.classic.patterns_2009 import first_fit

numbers = st.lists(st.integers(0, 99), min_size=1, max_size=12, unique=True)


def near(a: int, b: int) -> float:
    return 1 - abs(a - b) / 100


def url(number: int) -> str:
    return f"http://example.com/{number % 3}/{number:02}"


def clusters(items: list[int], threshold: float = 0.9, samples: int = 0) -> list[list[int]]:
    return [[items[i] for i in members] for members in first_fit(items, near, threshold, url, samples)]


@given(numbers, st.randoms())
def test_order_of_the_items_is_nothing_to_the_clusters(items: list[int], chance: Random) -> None:
    """The same items in any order form the same clusters. The largest comes first."""
    found = clusters(items)
    chance.shuffle(items)
    assert clusters(items) == found
    assert [len(members) for members in found] == sorted(map(len, found), reverse=True)


@given(numbers, st.floats(0, 1))
def test_every_pair_reaches_the_threshold(items: list[int], threshold: float) -> None:
    """Each item is in one cluster, and every pair of a cluster is alike enough."""
    found = clusters(items, threshold)
    assert sorted(one for members in found for one in members) == sorted(items)
    assert all(near(a, b) >= threshold for members in found for a in members for b in members)


def test_the_nearest_directory_is_tried_first() -> None:
    """A page that fits two clusters joins the one whose urls are more like its own."""
    pages = {"http://a.com/x/1": 10, "http://a.com/y/1": 30, "http://a.com/y/2": 20}

    def alike(a: str, b: str) -> float:
        return near(pages[a], pages[b])

    def joined(urls: list[str]) -> list[list[str]]:
        return [[urls[i] for i in members] for members in first_fit(urls, alike, 0.9, str)]

    assert joined(list(pages)) == [["http://a.com/y/1", "http://a.com/y/2"], ["http://a.com/x/1"]]


def test_samples_bound_the_comparisons() -> None:
    """With a sample, a page may be unlike other members of a cluster. Chance has no part in it."""
    chain = list(range(0, 60, 6))
    calls = 0

    def counted(a: int, b: int) -> float:
        nonlocal calls
        calls += 1
        return 1.0

    assert first_fit(chain, counted, 0.9, url, 2) == [sorted(range(10), key=lambda i: url(chain[i]))]
    assert calls == 1 + 2 * 8
    assert clusters(chain, samples=1) == clusters(chain[::-1], samples=1)
    assert clusters(chain, samples=1) != clusters(chain)
