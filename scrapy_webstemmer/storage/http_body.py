"""Undo the transfer encoding and the content encodings of a response's body, within limits."""

from __future__ import annotations

import re
import zlib
from importlib import import_module

from .first_bytes import looks_like_html
from .source import MAX_BODY, TOO_LARGE

#: Chunks that a body may have, and content encodings that are undone.
_MAX_CHUNKS, _MAX_ENCODINGS = 100_000, 5

#: The line before a chunk: its size and, after a semicolon, extensions that are ignored.
_CHUNK = re.compile(rb"([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]{0,1000})?\r\n", re.IGNORECASE)


def decode_body(payload: bytes, transfer_encoding: str | None, content_encoding: str | None) -> bytes:
    """Undo the chunks and the content encodings, the last one first; stop soon after ``MAX_BODY`` bytes.

    A body that is already plain HTML is returned as it is, because crawlers store decoded bodies under the
    original headers.

    :param transfer_encoding: the header ``Transfer-Encoding``; None: there is none.
    :param content_encoding: the header ``Content-Encoding``; None: there is none.
    :raises ValueError: an encoding is unknown here or damaged, there are too many encodings or chunks, or the
        result is too large.
    :raises zlib.error: a body is damaged.
    """
    if len(payload) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    if (transfer_encoding or "").strip().lower() == "chunked":
        payload = _joined(payload)
    encodings = [part.strip().lower() for part in (content_encoding or "").split(",")]
    if len(encodings) > _MAX_ENCODINGS:
        raise ValueError(f"has more than {_MAX_ENCODINGS} content encodings")
    for encoding in reversed(encodings):
        if encoding in ("", "identity") or looks_like_html(payload):
            continue
        if encoding in ("gzip", "x-gzip", "deflate"):
            payload = _inflate(payload)
        elif encoding == "br":
            payload = _unbrotli(payload)
        else:
            raise ValueError(f"content encoding {encoding!r} cannot be decoded")
        if len(payload) > MAX_BODY:
            raise ValueError(TOO_LARGE)
    return payload


def _joined(payload: bytes) -> bytes:
    """Return a chunked body in one piece. From the first place that is not a chunk, it is taken as it is.

    :raises ValueError: there are too many chunks.
    """
    parts: list[bytes] = []
    at = 0
    while chunk := _CHUNK.match(payload, at):
        begin, end = chunk.end(), chunk.end() + int(chunk[1], 16)
        if begin == end:
            return b"".join(parts)
        if payload[end : end + 2] not in (b"\r\n", b""):
            break
        if len(parts) == _MAX_CHUNKS:
            raise ValueError(f"has more than {_MAX_CHUNKS:,} chunks")
        parts.append(payload[begin:end])
        at = end + 2
    return b"".join([*parts, payload[at:]])


def _inflate(payload: bytes) -> bytes:
    """Unpack gzip, zlib or a bare deflate stream, which some servers mean by ``deflate``."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(payload, MAX_BODY + 1)
    except zlib.error:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(payload, MAX_BODY + 1)


def _unbrotli(payload: bytes) -> bytes:
    try:
        brotli = import_module("brotli")
        inflater = brotli.Decompressor()
        accepts_more = inflater.can_accept_more_data  # older ones cannot stop: a few bytes can be a gigabyte
    except (ImportError, AttributeError):
        raise ValueError("content encoding 'br' needs the package brotli, 1.2 or newer") from None
    body = bytearray()
    try:
        while len(body) <= MAX_BODY and not inflater.is_finished():
            body += inflater.process(payload, output_buffer_limit=MAX_BODY + 1 - len(body))
            if accepts_more():
                break
            payload = b""  # the decompressor has taken all of it
    except brotli.error as error:
        raise ValueError(f"damaged brotli: {error}") from None
    return bytes(body)
