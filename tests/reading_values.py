"""Strategies for what learning takes from a page."""

from __future__ import annotations

from hypothesis import strategies as st

from scrapy_webstemmer.packing import Reading
from scrapy_webstemmer.values import Block, Layout, Step

__all__ = ["READINGS"]

_TEXT = st.text(max_size=6)
_NUMBER = st.integers(-1, 2**31 - 1)


def layouts(nodes: int) -> st.SearchStrategy[Layout]:
    """Return layouts of so many nodes; what is at a node and in a block is anything."""
    numbers = st.lists(_NUMBER, min_size=nodes, max_size=nodes).map(tuple)
    step = st.builds(Step, _TEXT, _TEXT, st.lists(_TEXT, max_size=2).map(tuple))
    return st.builds(
        Layout,
        _TEXT,
        st.lists(step, min_size=nodes, max_size=nodes).map(tuple),
        numbers,
        numbers,
        numbers,
        st.lists(st.builds(Block, _NUMBER, _TEXT, _NUMBER, _NUMBER), max_size=3).map(tuple),
        title_element=_TEXT,
        og_title=_TEXT,
    )


READINGS = st.builds(
    Reading,
    st.none() | st.integers(0, 4).flatmap(layouts),
    st.lists(st.tuples(_TEXT, _TEXT), max_size=3).map(tuple),
    _TEXT,
)
