"""Read the HTML pages among the response records of WARC files, compressed or not.

Nothing is remembered between records. If a url was crawled twice, both versions come, in the order of the
file, and learning chooses one for each url.
"""

from __future__ import annotations

import gzip
import logging
import re
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from warcio.archiveiterator import WARCIterator  # type: ignore[import-untyped]
from warcio.bufferedreaders import BufferedReader  # type: ignore[import-untyped]
from warcio.exceptions import ArchiveLoadFailed  # type: ignore[import-untyped]
from warcio.statusandheaders import StatusAndHeadersParser  # type: ignore[import-untyped]

from ..errors import LearningSetError, visible
from ..values import Page
from .source import GZIP_MAGIC, MAX_BODY, TOO_LARGE, PageSource, cause_of, looks_like_html

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
#: Types that say nothing. Source: WHATWG, MIME Sniffing, section 7.
_UNKNOWN_TYPES = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_READ_SIZE = 64 * 1024

#: Lines and bytes that the headers of a record, or of a response, may have. Servers send about ten lines.
_HEADER_LINES, _HEADER_SIZE = 1_000, 256 * 1024

#: Chunks that a body may have, and content encodings that are undone.
_MAX_CHUNKS, _MAX_ENCODINGS = 100_000, 5

#: The line before a chunk: its size and, after a semicolon, extensions that are ignored.
_CHUNK = re.compile(rb"([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]{0,1000})?\r\n", re.IGNORECASE)

#: The errors that warcio and gzip raise on damaged files. warcio also lets programming errors through, for
#: example if a header has no value. So the list is long, but it is used around warcio's own code only.
_DAMAGE = (ArchiveLoadFailed, zlib.error, OSError, EOFError, ValueError, TypeError, AttributeError, KeyError)


class WarcFile(PageSource):
    """The successful HTML responses of a ``.warc`` or ``.warc.gz`` file.

    Other records are ignored. A response without a type is a page if its body begins like HTML; else it is
    named in :attr:`skipped`. If the file is damaged or cut off, the pages before the damage count, and the
    damage is named in :attr:`skipped`. Nothing after it can be found again.

    :param opening: opens the path for reading bytes, if it is no path of this machine.
    :raises LearningSetError: the file cannot be opened.
    """

    def __init__(self, path: str | Path, opening: Callable[[], IO[bytes]] | None = None) -> None:
        super().__init__(path)
        self._opening: Callable[[], IO[bytes]] = opening or (lambda: self.path.open("rb"))
        self._open().close()

    def __iter__(self) -> Iterator[Page]:
        with self._open() as stream:
            for response in self._responses(stream):
                page = self._page(response)
                if page is not None:
                    yield page

    def _open(self) -> IO[bytes] | _Unzipped:
        try:
            stream = self._opening()
            zipped = stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            stream.seek(0)
            return _Unzipped(stream) if zipped else stream
        except OSError as error:
            raise LearningSetError(self.path, cause_of(error)) from error

    def _responses(self, stream: IO[bytes] | _Unzipped) -> Iterator[_Response]:
        """Yield the responses that are pages, up to the end of the file or the first damage."""
        where = "record 1"
        try:
            records = WARCIterator(stream, no_record_parse=True)
            records.INC_RECORD = _Complaint(self._skip)
            records.reader = reader = _Reader(stream)
            for number, record in enumerate(records, start=1):
                where = f"record {number} ({record.rec_headers.get_header('WARC-Target-URI') or 'no url'})"
                try:
                    response = _read(record)
                except _HeadersTooLongError as error:
                    self._skip(where, str(error))
                    response = None
                if response is not None:
                    yield response
                where = f"record {number + 1}"
                reader.begin_headers()
        except _DAMAGE as error:
            self._skip(where, f"damaged, and so is all after it: {error}")

    def _page(self, response: _Response) -> Page | None:
        url, fetched, headers, payload = response
        try:
            body = decode_body(
                payload, headers.get_header("Transfer-Encoding"), headers.get_header("Content-Encoding")
            )
        except (ValueError, zlib.error) as error:
            self._skip(url, str(error))
            return None
        if _kind(headers) in _UNKNOWN_TYPES and not looks_like_html(body):
            self._skip(url, "has no Content-Type, and does not begin like HTML")
            return None
        charset = _CHARSET.search(headers.get_header("Content-Type") or "")
        return Page(url, body, charset[1] if charset else None, fetched)


class _Response(NamedTuple):
    """A record that holds a page: its url and date, the HTTP headers and the bytes after them."""

    url: str
    fetched: str | None
    headers: Any
    payload: bytes


class _HeadersTooLongError(ValueError):
    def __init__(self) -> None:
        super().__init__(f"its headers are longer than {_HEADER_LINES:,} lines or {_HEADER_SIZE // 1024} KiB")


class _HeaderLines:
    """The lines of headers, up to a limit. warcio itself reads and keeps any number of them.

    :param readline: reads a line, at most the given number of bytes of it.
    """

    def __init__(self, readline: Callable[[int], bytes]) -> None:
        self._readline, self._lines, self._size = readline, _HEADER_LINES, _HEADER_SIZE

    def readline(self) -> bytes:
        """Return the next line.

        :raises _HeadersTooLongError: there are too many lines, or too many bytes in them.
        """
        line = self._readline(self._size + 1)
        self._lines -= 1
        self._size -= len(line)
        if self._lines < 0 or self._size < 0:
            raise _HeadersTooLongError
        return line


class _Reader(BufferedReader):  # type: ignore[misc]
    """The stream from which warcio reads, with limits for blank lines and headers between two records.

    Only there does warcio ask for a line of any length. Within a record it passes the number of bytes left.
    """

    def __init__(self, stream: IO[bytes] | _Unzipped) -> None:
        super().__init__(stream)
        self.begin_headers()

    def begin_headers(self) -> None:
        """Start a new count of lines and bytes."""
        self._headers = _HeaderLines(super().readline)

    def readline(self, length: int | None = None) -> bytes:
        if length is None:
            return self._headers.readline()
        line: bytes = super().readline(length)
        return line


class _Complaint:
    """Replaces the text, with a part of the file, that warcio prints if a length is wrong."""

    def __init__(self, skip: Callable[[str, str], None]) -> None:
        self._skip = skip

    def format(self, offset: int, line: bytes) -> str:  # noqa: ARG002 - warcio passes it
        """Report the place, and return nothing to print."""
        self._skip(f"byte {offset}", "the record before it is longer than it says")
        return ""


class _Unzipped(gzip.GzipFile):
    """A gzip file that gives all data before a damage, a member at a time, and only then raises.

    warcio could unpack by itself. But it prints damage to standard error and goes on as if the file ended,
    and it treats an EOFError the same way.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(fileobj=stream)
        self._stream = stream

    def close(self) -> None:
        super().close()
        self._stream.close()

    def read(self, size: int | None = -1) -> bytes:
        try:
            return self.read1(-1 if size is None else size)
        except EOFError as error:
            raise OSError(str(error)) from None


def _read(record: Any) -> _Response | None:
    """Read a record to its end; return its response if that is a page.

    :raises EOFError: the file ends before the record does.
    :raises ValueError: the record does not say where it ends.
    :raises _HeadersTooLongError: the response's headers are too long; the next record can still be read.
    """
    length = record.rec_headers.get_header("Content-Length") or ""
    if not length.strip().isdecimal():
        raise ValueError(f"Content-Length is {length!r}")
    try:
        return _response(record)
    finally:
        while record.raw_stream.read(_READ_SIZE):
            pass
        if record.raw_stream.limit > 0:
            raise EOFError("the file ends within the record")


def _response(record: Any) -> _Response | None:
    """Return a record's response if that is a page, with at most ``MAX_BODY`` + 1 bytes of the body."""
    stream, url = record.raw_stream, record.rec_headers.get_header("WARC-Target-URI")
    if record.rec_type != "response" or not url or not stream.limit:
        return None
    headers = StatusAndHeadersParser([], verify=False).parse(_HeaderLines(stream.readline))
    # a response of an unknown kind may be a page: its body tells
    if headers.get_statuscode() != "200" or _kind(headers) not in _HTML_TYPES | _UNKNOWN_TYPES:
        return None
    return _Response(url, record.rec_headers.get_header("WARC-Date"), headers, stream.read(MAX_BODY + 1))


def _kind(headers: Any) -> str:
    return str(headers.get_header("Content-Type") or "").partition(";")[0].strip().lower()


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


def _make_visible(record: logging.LogRecord) -> bool:
    """Escape control characters in warcio's messages: they quote the file, and a terminal would obey them."""
    record.msg, record.args = visible(record.getMessage()), ()
    return True


logging.getLogger("warcio.recordloader").addFilter(_make_visible)
