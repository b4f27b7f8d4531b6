from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tree_pages import trees

from scrapy_webstemmer.site.subtrees import any_in, children_of, ends_of, mark, running_totals, sum_in
from scrapy_webstemmer.values import Column


def inside(parents: Column, node: int) -> list[int]:
    """Return a node and all nodes in it; a slow oracle that goes up from each node."""
    found = []
    for start in range(len(parents)):
        above = start
        while above not in (node, -1):
            above = parents[above]
        if above == node:
            found.append(start)
    return found


@given(trees())
def test_what_stands_in_a_node_is_a_range(parents: Column) -> None:
    """A node and all nodes in it are the range from its own index to before its end."""
    ends = ends_of(parents)
    for node in range(len(parents)):
        assert inside(parents, node) == list(range(node, ends[node]))


@given(trees())
def test_children_are_the_nodes_with_this_parent(parents: Column) -> None:
    """The children of a node are the nodes whose parent it is."""
    ends = ends_of(parents)
    for node in range(len(parents)):
        assert list(children_of(node, ends)) == [n for n, above in enumerate(parents) if above == node]


@given(trees(), st.data())
def test_sums_are_differences_of_running_totals(parents: Column, data: st.DataObject) -> None:
    """The sum of the values in a node is the sum over its range."""
    size = len(parents)
    values = data.draw(st.lists(st.integers(0, 50), min_size=size, max_size=size))
    ends, totals = ends_of(parents), running_totals(values)
    for node in range(size):
        assert sum_in(totals, ends, node) == sum(values[one] for one in inside(parents, node))


@given(trees(), st.data())
def test_marks_are_handed_on(parents: Column, data: st.DataObject) -> None:
    """A mark sets the flags of a node and of all nodes in it, and clears no flag."""
    size = len(parents)
    flags = bytearray(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    nodes = data.draw(st.lists(st.integers(0, size - 1)))
    wanted = [flag or any(n in inside(parents, one) for one in nodes) for n, flag in enumerate(flags)]
    mark(flags, nodes, ends_of(parents))
    assert [*flags] == wanted


@given(st.lists(st.integers(0, 20)), st.integers(0, 20), st.integers(0, 20))
def test_a_sorted_list_tells_what_is_in_a_range(nodes: list[int], first: int, end: int) -> None:
    """A search tells whether one of the nodes is in a range."""
    assert any_in(sorted(nodes), first, end) == any(first <= node < end for node in nodes)
