"""What was read of a page is the same after it was bytes."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.packing import Reading, from_bytes, pack, to_bytes, unpack
from scrapy_webstemmer.values import Block, Layout, Step

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


@given(READINGS)
def test_unpacking_gives_what_was_packed(reading: Reading) -> None:
    """What was read of a page is the same after it was bytes, whatever characters it has."""
    assert unpack(pack(reading)) == reading
    assert from_bytes(to_bytes(reading)) == reading


@given(st.binary(max_size=30) | st.binary(max_size=60).map(zlib.compress))
def test_damaged_bytes_give_nothing(packed: bytes) -> None:
    """Bytes that nobody packed are no reading, and no error."""
    assert unpack(packed) is None


@given(READINGS, st.data())
def test_less_than_was_packed_gives_nothing(reading: Reading, data: st.DataObject) -> None:
    """Bytes of which the end is missing are no reading, and no error."""
    packed = pack(reading)
    assert unpack(packed[: data.draw(st.integers(0, len(packed) - 1))]) is None
