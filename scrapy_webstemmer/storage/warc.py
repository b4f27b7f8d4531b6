"""Read the HTML pages among the response records of WARC files, compressed or not.

Nothing is remembered between records. If a url was crawled twice, both versions come, in the order of the
file, and learning chooses one for each url.
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

#: The errors that warcio and gzip raise on damaged files. warcio also lets programming errors through, for
#: example if a header has no value. So the list is long, but it is used around warcio's own code only.
_DAMAGE = (ArchiveLoadFailed, zlib.error, OSError, EOFError, ValueError, TypeError, AttributeError, KeyError)


class WarcFile(PageSource):
    """The successful HTML responses of a ``.warc`` or ``.warc.gz`` file.

    Other records are ignored. If the file is damaged or cut off, the pages before the damage count, and the
    damage is named in :attr:`skipped`. Nothing after it can be found again.

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

    def read(self, size: int | None = -1) -> bytes:
        try:
            return self.read1(-1 if size is None else size)
        except EOFError as error:
            raise OSError(str(error)) from None


def _read(record: Any) -> _Response | None:
    """Read a record to its end; return its response if that is a page.

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
    """Return a response's body without the chunked coding, at most ``MAX_BODY`` + 1 bytes of it."""
    chunked = (headers.get_header("Transfer-Encoding") or "").strip().lower() == "chunked"
    data: bytes = (ChunkedDataReader(stream) if chunked else stream).read(MAX_BODY + 1)
    return data


def _decoded(payload: bytes, encodings: str) -> bytes:
    """Undo the content encodings, the last one first; stop soon after ``MAX_BODY`` bytes.

    A body that is already plain HTML is returned as it is, because crawlers store decoded bodies under the
    original headers.

    :raises ValueError: an encoding is unknown here or damaged, or the result is too large.
    :raises zlib.error: a body is damaged.
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
    """Unpack gzip, zlib or a bare deflate stream, which some servers mean by ``deflate``."""
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
    for start in range(0, len(payload), 256):  # in small steps: a few bytes can stand for a gigabyte
        try:
            body += inflater.process(payload[start : start + 256])
        except brotli.error as error:
            raise ValueError(f"damaged brotli: {error}") from None
        if len(body) > MAX_BODY:
            break
    return bytes(body)
