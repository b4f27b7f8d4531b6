"""WARC files, compressed or not: the HTML pages among their response records.

Nothing is remembered between records: where a url was crawled twice, both versions
come, in the order of the file, and learning chooses by url.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from warcio.archiveiterator import WARCIterator  # type: ignore[import-untyped]
from warcio.bufferedreaders import ChunkedDataReader  # type: ignore[import-untyped]
from warcio.exceptions import ArchiveLoadFailed  # type: ignore[import-untyped]
from warcio.statusandheaders import StatusAndHeadersParser  # type: ignore[import-untyped]

from ..errors import LearningSetError
from ..values import Page
from .sniffing import GZIP_MAGIC, looks_like_html
from .source import MAX_BODY, TOO_LARGE, PageSource

__all__ = ["WarcFile"]

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_READ_SIZE = 64 * 1024

#: What warcio and gzip raise on damaged files; warcio also lets programming errors through (a header
#: without a value, a length that is no number), so the net is wide, around its own code only.
_DAMAGE = (ArchiveLoadFailed, zlib.error, OSError, EOFError, ValueError, TypeError, AttributeError, KeyError)


class WarcFile(PageSource):
    """The successful HTML responses of a ``.warc`` or ``.warc.gz`` file.

    Other records are skipped, they are not pages. Where the file is damaged
    or cut off, what was read before counts and the damage is named in
    :attr:`skipped`: nothing after it can be found again.

    :raises LearningSetError: the file cannot be opened.
    """

    def __init__(self, path: str | Path, *, encoding: str | None = None) -> None:
        super().__init__(path, encoding=encoding)
        self._open().close()

    def __iter__(self) -> Iterator[Page]:
        with self._open() as stream:
            for response in self._responses(stream):
                page = self._page(response)
                if page is not None:
                    yield page

    def _open(self) -> IO[bytes] | _Unzipped:
        try:
            with self.path.open("rb") as stream:
                zipped = stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            return _Unzipped(self.path) if zipped else self.path.open("rb")
        except OSError as error:
            raise LearningSetError(self.path, error.strerror or str(error)) from error

    def _responses(self, stream: IO[bytes] | _Unzipped) -> Iterator[_Response]:
        """Yield the responses that are pages, up to the end of the file or the first damage."""
        where = "record 1"
        try:
            records = WARCIterator(stream, no_record_parse=True)
            records.INC_RECORD = _Complaint(self._skip)
            for number, record in enumerate(records, start=1):
                where = f"record {number} ({record.rec_headers.get_header('WARC-Target-URI') or 'no url'})"
                response = _read(record)
                if response is not None:
                    yield response
                where = f"record {number + 1}"
        except _DAMAGE as error:
            self._skip(where, f"damaged, and so is all after it: {error}")

    def _page(self, response: _Response) -> Page | None:
        url, fetched, headers, payload = response
        try:
            body = _decoded(payload, headers.get_header("Content-Encoding") or "")
        except (ValueError, zlib.error) as error:
            self._skip(url, str(error))
            return None
        charset = _CHARSET.search(headers.get_header("Content-Type"))
        return Page(url, body, charset.group(1) if charset else self.encoding, fetched)


class _Response(NamedTuple):
    """A record that holds a page: its url and date, the HTTP headers and the bytes after them."""

    url: str
    fetched: str | None
    headers: Any
    payload: bytes


class _Complaint:
    """Takes the place of the text that warcio prints, with a part of the file, where a length is wrong."""

    def __init__(self, skip: Callable[[str, str], None]) -> None:
        self._skip = skip

    def format(self, offset: int, line: bytes) -> str:  # noqa: ARG002 - what warcio calls
        """Name the place, and leave nothing to be printed."""
        self._skip(f"byte {offset}", "the record before it is longer than it says")
        return ""


class _Unzipped(gzip.GzipFile):
    """A gzip file that gives what lies before a damage before it raises, a member at a time.

    warcio could unpack by itself, but prints damage to standard error and goes on as if the file
    ended, which is also how it takes an EOFError.
    """

    def read(self, size: int | None = -1) -> bytes:
        try:
            return self.read1(-1 if size is None else size)
        except EOFError as error:
            raise OSError(str(error)) from None


def _read(record: Any) -> _Response | None:
    """Go through a record to its end; return what it holds if that is a page.

    :raises EOFError: the file ends before the record does.
    :raises ValueError: the record does not say where it ends.
    """
    length = record.rec_headers.get_header("Content-Length") or ""
    if not length.strip().isdecimal():
        raise ValueError(f"Content-Length is {length!r}")
    stream, response = record.raw_stream, None
    url = record.rec_headers.get_header("WARC-Target-URI")
    if record.rec_type == "response" and url and stream.limit:
        headers = StatusAndHeadersParser([], verify=False).parse(stream)
        if _is_page(headers):
            payload = _payload(stream, headers)
            response = _Response(url, record.rec_headers.get_header("WARC-Date"), headers, payload)
    while stream.read(_READ_SIZE):
        pass
    if stream.limit > 0:
        raise EOFError("the file ends within the record")
    return response


def _is_page(headers: Any) -> bool:
    kind = (headers.get_header("Content-Type") or "").partition(";")[0].strip().lower()
    return headers.get_statuscode() == "200" and kind in _HTML_TYPES


def _payload(stream: Any, headers: Any) -> bytes:
    """Return at most one byte more than ``MAX_BODY`` of a response, without the chunked coding."""
    chunked = (headers.get_header("Transfer-Encoding") or "").strip().lower() == "chunked"
    data: bytes = (ChunkedDataReader(stream) if chunked else stream).read(MAX_BODY + 1)
    return data


def _decoded(payload: bytes, encodings: str) -> bytes:
    """Undo the content encodings, last applied first; at most one byte more than ``MAX_BODY`` is made.

    A body that is plain already is returned as it is: crawlers store decoded bodies under the
    headers as they came.

    :raises ValueError: an encoding is not known here, or the result is too large.
    """
    if len(payload) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    for encoding in reversed([part.strip().lower() for part in encodings.split(",")]):
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


def _inflate(payload: bytes) -> bytes:
    """Unpack gzip, zlib or, as some servers understand deflate, a bare deflate stream."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(payload, MAX_BODY + 1)
    except zlib.error:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(payload, MAX_BODY + 1)


def _unbrotli(payload: bytes) -> bytes:
    try:
        brotli = import_module("brotli")
    except ImportError:
        raise ValueError("content encoding 'br' needs the package brotli") from None
    inflater, body = brotli.Decompressor(), bytearray()
    for start in range(0, len(payload), 256):  # little by little: a few bytes can stand for a gigabyte
        try:
            body += inflater.process(payload[start : start + 256])
        except brotli.error as error:
            raise ValueError(f"damaged brotli: {error}") from None
        if len(body) > MAX_BODY:
            break
    return bytes(body)
