"""Bodies of responses are decoded, within limits; ``test_warc.py`` has what a reader of WARC files sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.storage import warc
from scrapy_webstemmer.storage.warc import decode_body


@given(st.lists(st.binary(min_size=1, max_size=20), max_size=5))
def test_chunks_are_joined(parts: list[bytes]) -> None:
    """The chunks of a body give the body, whatever they hold."""
    packed = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])
    assert decode_body(packed, " Chunked", None) == b"".join(parts)


def test_a_brotli_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes that stand for ten megabytes are unpacked to little more than the limit."""
    packer = pytest.importorskip("brotli", minversion="1.2").Compressor()
    bomb = b"".join([packer.process(bytes(1 << 20)) for _ in range(10)]) + packer.finish()
    assert len(bomb) < 1000
    monkeypatch.setattr(warc, "MAX_BODY", 1000)
    assert 1000 < len(warc._unbrotli(bomb)) < 1 << 20
