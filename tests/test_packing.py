"""What was read of a page is the same after it was bytes."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st
from reading_values import READINGS

from scrapy_webstemmer.packing import Reading, pack, unpack


@given(READINGS)
def test_unpacking_gives_what_was_packed(reading: Reading) -> None:
    """What was read of a page is the same after it was bytes, whatever characters it has."""
    assert unpack(pack(reading)) == reading


@given(st.binary(max_size=30) | st.binary(max_size=60).map(zlib.compress))
def test_damaged_bytes_give_nothing(packed: bytes) -> None:
    """Bytes that nobody packed are no reading, and no error."""
    assert unpack(packed) is None


@given(READINGS, st.data())
def test_less_than_was_packed_gives_nothing(reading: Reading, data: st.DataObject) -> None:
    """Bytes of which the end is missing are no reading, and no error."""
    packed = pack(reading)
    assert unpack(packed[: data.draw(st.integers(0, len(packed) - 1))]) is None
