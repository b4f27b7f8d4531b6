"""What was read of pages is the same after it was bytes."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from news_pages import articles, indexes
from reading_values import READINGS

from scrapy_webstemmer.packing import Reading, Shared, pack, unpack
from scrapy_webstemmer.reading import Wanted, read_page
from scrapy_webstemmer.values import Block, Layout, Step

HOST = "press.example"
PAGES = [*articles(HOST, 12, "press"), *indexes(HOST, 3, "press")]
BATCHES = st.lists(READINGS, max_size=4)


@given(BATCHES)
def test_unpacking_gives_what_was_packed(readings: list[Reading]) -> None:
    """What was read of pages is the same after it was bytes, and so are its types."""
    unpacked = unpack(pack(readings), Shared())
    assert unpacked == readings
    assert repr(unpacked) == repr(readings)


@given(st.lists(BATCHES, max_size=3))
def test_memory_has_no_part_in_the_values(batches: list[list[Reading]]) -> None:
    """Batches that are unpacked one after the other, with the same memory, are those that were packed."""
    shared = Shared()
    assert [unpack(pack(readings), shared) for readings in batches] == batches


@given(st.binary(max_size=30))
def test_damaged_bytes_are_refused(packed: bytes) -> None:
    """Bytes that nobody packed are an error of value."""
    with pytest.raises(ValueError, match=r"."):
        unpack(packed, Shared())


def test_more_pages_than_strings_are_refused() -> None:
    """A number that is wrong is no reason to make room for so many pages."""
    packed = pack([])
    numbers = array("i", [2**31 - 1, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="cannot be 2147483647 pages"):
        unpack(packed[: -len(bytes(numbers))] + bytes(numbers), Shared())


#: A page whose last number is that of its only block: where it is missing, so is the block.
ONE_BLOCK = Reading(Layout("", (), (), (), (), (Block(0, "", 0, 0),)))


@given(BATCHES, st.data())
@example([ONE_BLOCK], -4)
def test_less_than_was_packed_is_refused(readings: list[Reading], data: st.DataObject | int) -> None:
    """Bytes of which the end is missing are an error of value."""
    packed = pack(readings)
    end = data if isinstance(data, int) else data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(ValueError, match=r"."):
        unpack(packed[:end], Shared())


@given(BATCHES, st.integers(-2, 3), st.booleans())
def test_more_than_was_packed_is_refused(readings: list[Reading], number: int, string: bool) -> None:
    """Bytes with a number or a string more than they need are an error of value."""
    packed = pack(readings)
    if string:
        end = 4 + int.from_bytes(packed[:4], "little")
        text = packed[4:end] + (packed[4:5] if readings else b"-")  # the sign that comes before each string
        packed = len(text).to_bytes(4, "little") + text + packed[end:]
    else:
        packed += array("i", [number]).tobytes()
    with pytest.raises(ValueError, match="more than was packed"):
        unpack(packed, Shared())


@given(BATCHES.filter(bool))
def test_a_missing_string_is_refused(readings: list[Reading]) -> None:
    """Bytes with a string less than they need are an error of value, be it a text, a class or an anchor's."""
    packed = pack(readings)
    end = 4 + int.from_bytes(packed[:4], "little")
    text = packed[4:end].rpartition(packed[4:5])[0]
    with pytest.raises(ValueError, match=r"."):
        unpack(len(text).to_bytes(4, "little") + text + packed[end:], Shared())


@pytest.mark.parametrize("size", [-1, 10**9])
def test_a_wrong_size_is_refused(size: int) -> None:
    """A page that claims to have more numbers than there are, or less than none, is an error of value."""
    packed = pack([ONE_BLOCK])
    numbers = array("i", packed[-8:])
    numbers[0] = size  # how many blocks it has
    with pytest.raises(ValueError, match=f"{size} values are wanted"):
        unpack(packed[:-8] + numbers.tobytes(), Shared())


def test_what_recurs_in_a_batch_is_one_object() -> None:
    """Equal blocks, steps and anchors of several pages are one object each, and packed once."""
    packed = pack([read_page(page, Wanted()) for page in PAGES])
    unpacked = unpack(packed, Shared())
    layouts = [reading.layout for reading in unpacked if reading.layout]
    for values in (
        [block for layout in layouts for block in layout.blocks],
        [step for layout in layouts for step in layout.steps],
        [anchor for reading in unpacked for anchor in reading.anchors],
    ):
        assert len({id(value) for value in values}) == len(set(values)) < len(values)
    texts = Counter(text for layout in layouts for text in {block.text for block in layout.blocks})
    (most, pages), *_ = texts.most_common(1)
    assert pages == len(PAGES)
    assert packed.count(b"\0%s\0" % most.encode()) == 1


def test_what_recurs_in_another_batch_is_one_object() -> None:
    """Texts, steps and the shape of a page that are known from an earlier batch take no more memory."""
    shared = Shared()
    first, second = (
        unpack(pack([read_page(page, Wanted())]), shared)[0].layout for page in (PAGES[0], PAGES[0])
    )
    assert first is not None
    assert second is not None
    assert first.steps is second.steps
    assert first.parents is second.parents
    assert all(a.text is b.text for a, b in zip(first.blocks, second.blocks, strict=True))


@given(READINGS)
def test_sharing_changes_no_value(reading: Reading) -> None:
    """What was read in this process is the same when it is shared."""
    shared = Shared()
    assert repr(shared.reading(reading)) == repr(shared.reading(reading)) == repr(reading)


def test_what_recurs_in_this_process_is_one_object() -> None:
    """Blocks and the shape of pages take the memory of one, also those that were not packed."""
    shared = Shared()
    first, second = (shared.reading(read_page(page, Wanted())).layout for page in (PAGES[0], PAGES[0]))
    assert first is not None
    assert second is not None
    assert first.steps is second.steps
    assert first.leads is second.leads
    assert all(a is b for a, b in zip(first.blocks, second.blocks, strict=True))


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What recurs is remembered up to a number of values."""
    monkeypatch.setattr(Shared, "most_values", 10)
    monkeypatch.setattr(Shared, "most_columns", 10)
    shared, step = Shared(), Step("p", "", ())
    for number in range(100):
        block = Block(0, f"text {number}", 4, 4)
        unpack(pack([Reading(Layout("", (step,), (number,), (0,), (0,), (block,)))]), shared)
        assert len(shared._values) + len(shared._columns) <= 40
