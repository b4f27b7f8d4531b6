from __future__ import annotations

import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_trees import drawn_trees, parsed, tree_of

from scrapy_webstemmer.engines import ENGINES
from scrapy_webstemmer.errors import LimitError
from scrapy_webstemmer.trees.layout_trees import Tree
from scrapy_webstemmer.trees.tree_clusters import leader_clusters, ripper_clusters
from scrapy_webstemmer.trees.tree_rates import Rates

pytestmark = pytest.mark.once

tables = st.integers(1, 8).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from([0.1, 0.5, 0.59, 0.6, 0.7, 0.9, 1.0]), min_size=size, max_size=size),
        min_size=size,
        max_size=size,
    )
)
drawn = st.lists(drawn_trees(10), min_size=1, max_size=8)


def keys_of(number: int) -> list[str]:
    return [f"http://example.com/{index}" for index in range(number)]


def rates_of(table: list[list[float]]) -> Rates:
    """Return rates that come from a table: pages are trees of one size, which differ in their text."""
    trees = [tree_of(["body", str(index)]) for index in range(len(table))]
    rates = Rates(trees, keys=keys_of(len(table)))
    rates.bound = lambda first, second: 1.0  # type: ignore[method-assign]
    rates.rate = lambda a, b: table[min(a, b)][max(a, b)]  # type: ignore[method-assign]
    return rates


def all_rates(trees: list[Tree], is_restricted: bool = False) -> list[list[float]]:
    rates = Rates(trees, keys_of(len(trees)), is_restricted=is_restricted)
    return [[rates.rate(a, b) for b in range(len(trees))] for a in range(len(trees))]


def symmetric(pairs: dict[tuple[int, int], float], size: int) -> list[list[float]]:
    table = [[1.0 if a == b else 0.0 for b in range(size)] for a in range(size)]
    for (a, b), rate in pairs.items():
        table[a][b] = table[b][a] = rate
    return table


def test_published_thresholds() -> None:
    """The thresholds are those of the two sources."""
    assert (ENGINES["leaves"].similarity, ENGINES["tree-edit"].similarity) == (0.6, 0.8)


def test_nine_pages_of_the_thesis() -> None:
    """At 60 % three clusters of two pages form, and at 25 % one more and a larger one."""
    pairs = {(0, 1): 0.9, (2, 3): 0.7, (4, 5): 0.6, (0, 4): 0.59, (6, 7): 0.3}
    rates = rates_of(symmetric(pairs, 9))
    assert ripper_clusters(rates, 0.6) == [[0, 1], [2, 3], [4, 5], [6], [7], [8]]
    assert ripper_clusters(rates, 0.61) == [[0, 1], [2, 3], [4], [5], [6], [7], [8]]
    assert ripper_clusters(rates, 0.25) == [[0, 1, 4], [2, 3], [6, 7], [5], [8]]


def test_the_best_pair_begins_a_cluster() -> None:
    """The free pages that are similar to one of its two pages join; those similar to a third one do not."""
    pairs = {(0, 1): 0.9, (1, 2): 0.6, (2, 3): 0.8, (3, 4): 0.7}
    assert ripper_clusters(rates_of(symmetric(pairs, 5)), 0.6) == [[0, 1, 2], [3, 4]]


def test_one_free_page_begins_a_cluster_alone() -> None:
    """A free page whose partner is in a cluster takes the free pages that are similar to itself."""
    pairs = {(0, 1): 0.9, (1, 2): 0.85, (2, 3): 0.8, (3, 4): 0.6, (3, 5): 0.7}
    assert ripper_clusters(rates_of(symmetric(pairs, 6)), 0.6) == [[0, 1, 2], [3, 4, 5]]


@given(tables, st.sampled_from([0.0, 0.25, 0.6, 0.9]))
def test_clusters_are_those_of_the_published_loop(table: list[list[float]], threshold: float) -> None:
    """The clusters are the same as when all pairs are sorted."""
    pairs = {(a, b): table[a][b] for a in range(len(table)) for b in range(a)}
    table = symmetric(pairs, len(table))
    assert ripper_clusters(rates_of(table), threshold) == oracles.ripper_clusters(table, threshold)


@pytest.mark.parametrize("is_restricted", [False, True])
@given(trees=drawn, threshold=st.sampled_from([0.25, 0.5, 0.6, 0.8, 1.0]))
def test_bounds_change_nothing(is_restricted: bool, trees: list[Tree], threshold: float) -> None:
    """The clusters are the same as with all pairs, for both rules."""
    rates = Rates(trees, keys_of(len(trees)), is_restricted=is_restricted)
    table = all_rates(trees, is_restricted)
    assert ripper_clusters(rates, threshold) == oracles.ripper_clusters(table, threshold)
    found = leader_clusters(rates, threshold)
    assert found == oracles.leader_clusters(table, threshold)
    assert all(
        members[0] == member or table[members[0]][member] >= threshold
        for members in found
        for member in members
    )


@pytest.mark.parametrize("clusters_of", [ripper_clusters, leader_clusters])
@given(trees=drawn, random=st.randoms(use_true_random=False))
def test_the_order_of_pages_makes_no_difference(clusters_of, trees: list[Tree], random) -> None:
    """The same pages in another order are in the same clusters."""
    keys = keys_of(len(trees))
    order = list(range(len(trees)))
    random.shuffle(order)
    found = clusters_of(Rates(trees, keys=keys), 0.6)
    again = clusters_of(Rates([trees[i] for i in order], keys=[keys[i] for i in order]), 0.6)
    assert [[keys[i] for i in members] for members in found] == [
        [keys[order[i]] for i in members] for members in again
    ]


@pytest.mark.parametrize("clusters_of", [ripper_clusters, leader_clusters])
def test_pages_of_two_templates(clusters_of, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of one template are together, in the order of their keys; pairs across templates are bounded."""
    story = "<div><h1>{0}</h1><p>{0}</p><p>Text {0}</p></div><ul><li>About<li>Contact</ul>"
    table = "<table><tr><td>Name<td>{0}<tr><td>Price<td>{0} Euro</table><hr><ul><li>About<li>Contact</ul>"
    rates = Rates([parsed((story, table)[n % 2].format(n)).bare for n in range(10)], keys=keys_of(10))
    rate, compared = rates.rate, []
    monkeypatch.setattr(rates, "rate", lambda *pair: compared.append(pair) or rate(*pair))
    assert clusters_of(rates, 0.7) == [[0, 2, 4, 6, 8], [1, 3, 5, 7, 9]]
    assert all(first % 2 == second % 2 for first, second in compared)


def test_equal_pages_are_compared_once() -> None:
    """A page that is equal to an earlier one joins that one's cluster without a comparison."""
    rates = Rates([tree_of(["body", ["p", "a"]])] * 50, keys=keys_of(50), cells=0)
    assert sorted(leader_clusters(rates, 0.8)[0]) == list(range(50))


@pytest.mark.parametrize("clusters_of", [ripper_clusters, leader_clusters])
def test_too_much_work(clusters_of) -> None:
    """Work beyond the limit is an error."""
    trees = [tree_of(["body", ["p", "a"], str(number)]) for number in range(50)]
    with pytest.raises(LimitError, match="cells"):
        clusters_of(Rates(trees, keys=keys_of(50), cells=100), 0.5)


@pytest.mark.parametrize("clusters_of", [ripper_clusters, leader_clusters])
def test_no_pages(clusters_of) -> None:
    """No pages have no clusters."""
    assert clusters_of(Rates([], keys=[]), 0.5) == []


@given(drawn, st.sampled_from([0.25, 0.6]), st.integers(1, 8))
def test_a_sample_begins_the_clusters(trees: list[Tree], threshold: float, sample: int) -> None:
    """All pages of a cluster are similar to one of two of them; a sample of all pages changes nothing."""
    rates, table = Rates(trees, keys=keys_of(len(trees))), all_rates(trees)
    found = ripper_clusters(rates, threshold, sample=sample)
    assert sorted(index for members in found for index in members) == list(range(len(trees)))
    for members in found:
        starts = [
            (a, b)
            for a in members
            for b in members
            if all(one in (a, b) or max(table[one][a], table[one][b]) >= threshold for one in members)
        ]
        assert starts
    if sample >= len(trees):
        assert found == ripper_clusters(rates, threshold)


def test_pages_beyond_the_sample_join() -> None:
    """With a sample of a third, pages of two templates are in two clusters."""
    trees = [tree_of(["body", *[["p", "a"]] * (3 + 9 * (number % 2)), str(number)]) for number in range(30)]
    found = ripper_clusters(Rates(trees, keys=keys_of(30)), 0.5, sample=10)
    assert sorted(map(sorted, found)) == [list(range(0, 30, 2)), list(range(1, 30, 2))]
