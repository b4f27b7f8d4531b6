"""Change bytes at random, as files break and as attackers write them. A seed repeats its changes."""

from __future__ import annotations

import random
from collections.abc import Sequence

__all__ = ["mutated"]

#: The length of the longest input, in bytes.
MAX_INPUT = 1 << 20

#: Tokens that may confuse the reader of some format.
TOKENS = (
    b"\0", b"\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xae", b"\x1b[2J", b"\x1b]0;x\x07",
    b"\r\n", b"\xef\xbb\xbf", b"<", b">", b"&", b"&#x110000;", b"&#xD800;", b"&#0;", b"&nbsp", b"'", b'"',
    b"\\", b"/", b"=", b"<!--", b"-->", b"]]>", b"<![CDATA[", b"<?", b"<div>", b"</div>", b"<ul><li>",
    b"<table><tr><td>", b"<p>", b"<pre>", b"<title>", b"</body>", b"<script>", b"</script>", b"<a href=x>",
    b"<a href='http://[x'>", b"<base href=//x>", b"<meta charset=utf-7>", b"<img src=x alt=x>",
    b"<math><mi>", b"<svg>", b"<template>", b"<frameset>", b"<h1>", b"<blockquote>", b"{", b"}", b"[", b"]",
    b"(", b")", b",", b":", b"null", b"true", b"NaN", b"-1", b"1e999", b"0", b"9" * 30, b"9" * 300,
    b"\\u", b"\\ud800", b"u'", b"\\x", b"None", b"!mangle_pat='(a+)+$'\n", b"\n", b"../", b"%00", b"..%2f",
    b"a" * 300, b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"\x1f\x8b\x08", b"WARC/1.0\r\n",
    b"Content-Length: 9999999999\r\n", b"Transfer-Encoding: chunked\r\n", b"Content-Encoding: br\r\n",
    b"HTTP/1.1 200 OK\r\n", b"\x7f\xff\xff\xff", b"\x80\0\0\0",
)  # fmt: skip


def mutated(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """Return a seed with one to eight changes, small ones and large."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
        chance.choice(_CHANGES)(data, chance, seeds)
        del data[MAX_INPUT:]
    return bytes(data)


def _span(data: bytearray, chance: random.Random) -> tuple[int, int]:
    """Return a place and a length; small lengths are more frequent."""
    at = chance.randrange(len(data) + 1)
    return at, min(len(data) - at, int(2 ** chance.uniform(0, 12)))


def _flip(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _overwrite(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    at, length = _span(data, chance)
    data[at : at + length] = chance.choice((bytes(length), b"\xff" * length, chance.randbytes(length)))


def _delete(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    at, length = _span(data, chance)
    del data[at : at + length]


def _cut_off(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    del data[chance.randrange(len(data) + 1) :]


def _insert(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    at, _ = _span(data, chance)
    data[at:at] = chance.choice(TOKENS)


def _insert_many(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    """Repeat one or two tokens, for deep nesting and long runs."""
    at, _ = _span(data, chance)
    piece = b"".join(chance.choices(TOKENS, k=chance.choice((1, 1, 2, 3))))
    data[at:at] = piece * min(int(2 ** chance.uniform(2, 14)), 1 + (MAX_INPUT // 4) // len(piece))


def _repeat(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    """Repeat a part of the input."""
    at, length = _span(data, chance)
    times = min(int(2 ** chance.uniform(1, 12)), 1 + (MAX_INPUT // 4) // max(1, length))
    data[at:at] = data[at : at + length] * times


def _swap(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    """Move a part of the input to another place."""
    at, length = _span(data, chance)
    part = data[at : at + length]
    del data[at : at + length]
    to = chance.randrange(len(data) + 1)
    data[to:to] = part


def _splice(data: bytearray, chance: random.Random, seeds: Sequence[bytes]) -> None:
    """Continue with another seed."""
    other = chance.choice(seeds)
    data[chance.randrange(len(data) + 1) :] = other[chance.randrange(len(other) + 1) :]


_CHANGES = (
    _flip,
    _flip,
    _overwrite,
    _delete,
    _cut_off,
    _insert,
    _insert,
    _insert_many,
    _repeat,
    _swap,
    _splice,
)
