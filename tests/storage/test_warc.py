"""HTML pages are read from WARC files."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.storage import open_pages, source
from scrapy_webstemmer.storage import warc as warc_module
from scrapy_webstemmer.values import Page

BODY = "<!DOCTYPE html><title>Zürich</title>".encode()
TYPE = ("Content-Type", "text/html")


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def chunked(data: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (data[:7], data[7:], b""))


def test_a_page_is_read_with_what_is_known_of_it(warc: Any) -> None:
    """The record gives url, body, charset and date."""
    warc.add("http://example.com/a", BODY)
    with open_pages(warc.write()) as pages:
        assert list(pages) == [Page("http://example.com/a", BODY, "utf-8", "2026-11-21T09:00:00Z")]
        assert list(pages) == list(pages), "several passes give the same pages"
        assert pages.skipped == []
        assert pages.linkinfo() is None


def test_a_charset_that_is_not_declared_is_unknown(warc: Any) -> None:
    """Without a declared charset, a page has none."""
    warc.add("http://example.com/a", BODY, [TYPE])
    assert [page.encoding for page in open_pages(warc.write())] == [None]


def member(kind: str, headers: str, content: bytes) -> bytes:
    """Return a record of WARC in a gzip member of its own."""
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\n{headers}Content-Length: {len(content)}\r\n\r\n"
    return gzip.compress(head.encode() + content + b"\r\n\r\n")


def test_records_as_common_crawl_writes_them(tmp_path: Path) -> None:
    """Each page has three, encodings are undone, and a body that was cut is read as far as it goes."""
    about = "WARC-Target-URI: http://example.com/a\r\nWARC-Date: 2026-11-21T09:00:00Z\r\n"
    http = (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=iso-8859-1\r\n"
        b"X-Crawl-Content-Encoding: gzip\r\nX-Crawl-Transfer-Encoding: chunked\r\n"
        b"X-Crawl-Content-Length: 9999\r\nContent-Length: 1048576\r\n\r\n"
    )
    cut = "WARC-Truncated: length\r\nWARC-Identified-Payload-Type: text/html\r\n"
    kind = "Content-Type: application/http; msgtype="
    path = tmp_path / "CC-MAIN.warc.gz"
    path.write_bytes(
        member("warcinfo", "Content-Type: application/warc-fields\r\n", b"isPartOf: CC-MAIN-2026-47\r\n")
        + member("request", f"{about}{kind}request\r\n", b"GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n")
        + member("response", f"{about}{cut}{kind}response\r\n", http + BODY[:-9])
        + member("metadata", f"{about}Content-Type: application/warc-fields\r\n", b"fetchTimeMs: 9\r\n")
    )
    with open_pages(path) as pages:
        assert list(pages) == [Page("http://example.com/a", BODY[:-9], "iso-8859-1", "2026-11-21T09:00:00Z")]
        assert pages.skipped == []


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Content-Type", "")],
        [("Content-Type", " ; charset=utf-8")],
        [("Content-Type", "Unknown/Unknown")],
        [("Content-Type", "*/*")],
    ],
    ids=str,
)
def test_a_record_without_a_type(headers: Any, warc: Any) -> None:
    """It is a page if its body begins like HTML, also if that is encoded; else it is named and counted."""
    warc.add("http://example.com/a", BODY, headers)
    warc.add("http://example.com/b", gzip.compress(BODY), [*headers, ("Content-Encoding", "gzip")])
    warc.add("http://example.com/c", b"%PDF-1.7", headers)
    warc.add("http://example.com/d", b"no page", headers)
    warc.add("http://example.com/e", b"", headers, status="404 Not Found")
    with open_pages(warc.write()) as pages:
        found = list(pages)
        assert [(page.url[-1], page.body) for page in found] == [("a", BODY), ("b", BODY)]
        reason = "has no Content-Type, and does not begin like HTML"
        assert pages.skipped == [(f"http://example.com/{name}", reason) for name in "cd"]
        assert pages.skipped_count == 2


def test_other_records_are_skipped_in_silence(warc: Any) -> None:
    """Errors, redirects, images and requests are neither pages nor damage."""
    warc.add("http://example.com/missing", BODY, status="404 Not Found")
    warc.add("http://example.com/moved", b"", [("Location", "/a")], status="301 Moved")
    warc.add("http://example.com/i.png", b"\x89PNG", [("Content-Type", "image/png")])
    warc.add("http://example.com/plain", BODY, [("Content-Type", "text/plain")])
    warc.add("http://example.com/a", BODY, kind="resource")
    warc.add("http://example.com/x", BODY, [("Content-Type", "application/xhtml+xml; charset='UTF-8'")])
    with open_pages(warc.write()) as pages:
        assert [(page.url, page.encoding) for page in pages] == [("http://example.com/x", "UTF-8")]
        assert pages.skipped == []


@pytest.mark.parametrize(
    ("headers", "payload"),
    [
        ([("Content-Encoding", "gzip")], gzip.compress(BODY)),
        ([("Content-Encoding", "x-gzip")], gzip.compress(BODY)),
        ([("Content-Encoding", "deflate")], zlib.compress(BODY)),
        ([("Content-Encoding", "deflate")], bare_deflate(BODY)),
        ([("Content-Encoding", "deflate, gzip")], gzip.compress(zlib.compress(BODY))),
        ([("Content-Encoding", "gzip")], BODY),
        ([("Content-Encoding", "identity")], BODY),
        ([("Transfer-Encoding", "chunked")], chunked(BODY)),
        ([("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip")], chunked(gzip.compress(BODY))),
        ([("Transfer-Encoding", "chunked")], BODY),
    ],
    ids=["gzip", "x", "zlib", "bare", "two", "decoded", "identity", "chunked", "both", "not chunked"],
)
def test_encodings_are_undone(warc: Any, headers: list[tuple[str, str]], payload: bytes) -> None:
    """The body is as a browser would see it, whether or not the crawler had decoded it."""
    warc.add("http://example.com/a", payload, [TYPE, *headers])
    with open_pages(warc.write()) as pages:
        assert [page.body for page in pages] == [BODY]
        assert pages.skipped == []


def test_brotli_is_undone_where_it_is_installed(warc: Any) -> None:
    """With the package brotli, its encoding is decoded like any other."""
    brotli = pytest.importorskip("brotli", minversion="1.2")
    warc.add("http://example.com/a", brotli.compress(BODY), [TYPE, ("Content-Encoding", "br")])
    assert [page.body for page in open_pages(warc.write())] == [BODY]


def test_missing_brotli_is_said(warc: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the page is skipped, and the reason names the package."""
    monkeypatch.setitem(sys.modules, "brotli", None)
    warc.add("http://example.com/a", b"\x0b\x02\x80", [TYPE, ("Content-Encoding", "br")])
    with open_pages(warc.write()) as pages:
        assert list(pages) == []
        assert pages.skipped[0].record == "http://example.com/a"
        assert "needs the package brotli" in pages.skipped[0].reason


@pytest.mark.parametrize("encoding", ["zstd", "gzip", "br"])
def test_a_body_that_cannot_be_decoded_is_named_and_the_rest_goes_on(warc: Any, encoding: str) -> None:
    """An unknown encoding or a damaged body costs only one page."""
    if encoding == "br":
        pytest.importorskip("brotli")
    warc.add("http://example.com/a", b"\xff\xfe not packed", [TYPE, ("Content-Encoding", encoding)])
    warc.add("http://example.com/b", BODY)
    with open_pages(warc.write()) as pages:
        assert [page.url for page in pages] == ["http://example.com/b"]
        assert [skipped.record for skipped in pages.skipped] == ["http://example.com/a"]


@pytest.mark.parametrize("encoding", [None, "gzip", "br"])
def test_a_page_that_is_too_large_is_refused(
    warc: Any, encoding: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A body is unpacked only up to the limit."""
    monkeypatch.setattr(warc_module, "MAX_BODY", 1000)
    body, headers = b"x" * 100_000, [TYPE]
    if encoding:
        packer = gzip if encoding == "gzip" else pytest.importorskip("brotli", minversion="1.2")
        body, headers = packer.compress(body), [TYPE, ("Content-Encoding", encoding)]
    warc.add("http://example.com/a", body, headers)
    warc.add("http://example.com/b", BODY)
    with open_pages(warc.write()) as pages:
        assert [page.url for page in pages] == ["http://example.com/b"]
        assert pages.skipped == [source.Skipped("http://example.com/a", source.TOO_LARGE)]


def test_a_file_that_is_cut_off_gives_the_pages_before_the_cut(warc: Any, capfd: Any) -> None:
    """Wherever the file ends, whole records count, and the damage is named, not printed."""
    for number in range(3):
        warc.add(f"http://example.com/{number}", BODY + bytes(range(256)) * 4)
    path: Path = warc.write()
    whole = path.read_bytes()
    for size in range(len(whole) - 20, len(whole) * 2 // 3 + 5, -7):
        path.write_bytes(whole[:size])
        with open_pages(path) as pages:
            urls = [page.url for page in pages]
            assert urls == [f"http://example.com/{number}" for number in range(len(urls))]
            assert len(urls) == 2, size
            assert len(pages.skipped) == 1, size
    assert capfd.readouterr() == ("", "")


def test_flipped_bytes_are_named_and_what_came_before_counts(warc: Any) -> None:
    """After damage in the second record the first one is still read."""
    for number in range(3):
        warc.add(f"http://example.com/{number}", BODY * 20)
    path: Path = warc.write()
    content = bytearray(path.read_bytes())
    second = content.find(b"WARC/1.0", 20) if path.suffix == ".warc" else content.find(b"\x1f\x8b\x08", 20)
    content[second : second + 60] = b"\x00" * 60
    path.write_bytes(content)
    with open_pages(path) as pages:
        assert [page.url for page in pages] == ["http://example.com/0"]
        assert "record 2" in pages.skipped[0].record


def test_reading_is_lazy(warc: Any) -> None:
    """The first page comes before the damage after it is read."""
    warc.add("http://example.com/a", BODY)
    warc.add("http://example.com/b", BODY * 9999)
    path: Path = warc.write()
    path.write_bytes(path.read_bytes()[:-300])
    with open_pages(path) as pages:
        iterator = iter(pages)
        assert next(iterator).url == "http://example.com/a"
        assert pages.skipped == []
        assert list(iterator) == []
        assert len(pages.skipped) == 1


def test_a_file_packed_as_one_piece_is_read(tmp_path: Path, warc: Any) -> None:
    """A WARC that was gzipped as a whole is read like one with a gzip member for each record."""
    warc.add("http://example.com/a", BODY)
    warc.add("http://example.com/b", BODY)
    content = warc.write().read_bytes()
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    (tmp_path / "whole.warc.gz").write_bytes(gzip.compress(content))
    with open_pages(tmp_path / "whole.warc.gz") as pages:
        assert [page.url for page in pages] == ["http://example.com/a", "http://example.com/b"]
        assert pages.skipped == []


def test_a_record_that_is_longer_than_it_says(warc: Any, capfd: Any) -> None:
    """The bytes after it are named, never printed: they may hold escapes for a terminal."""
    warc.add("http://example.com/1", b"\x1b[2J" * 99)
    warc.add("http://example.com/2", BODY)
    path: Path = warc.write()
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())))
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    path.write_bytes(content.replace(b"\x1b[2J" * 99, b"\x1b[2J" * 120, 1))
    with open_pages(path) as pages:
        assert "http://example.com/2" in [page.url for page in pages]
        assert [skipped.reason for skipped in pages.skipped] == [
            "the record before it is longer than it says"
        ]
    assert capfd.readouterr() == ("", "")


LINES, SIZE = 1_000, 256 * 1024


@pytest.mark.parametrize(
    "headers",
    [[("A", "b")] * LINES, [("A", "b\r\n c" * LINES)], [("A", "x" * SIZE)], [("x" * SIZE, "")]],
    ids=["lines", "continued", "long value", "long name"],
)
def test_endless_headers_of_a_response(warc: Any, headers: list[tuple[str, str]]) -> None:
    """A response whose headers are too long is named, and the next record is read."""
    warc.add("http://example.com/a", BODY, [TYPE, *headers])
    warc.add("http://example.com/b", BODY)
    with open_pages(warc.write()) as pages:
        assert [page.url for page in pages] == ["http://example.com/b"]
        assert [skipped.record for skipped in pages.skipped] == ["record 1 (http://example.com/a)"]
        assert "its headers are longer than 1,000 lines or 256 KiB" in pages.skipped[0].reason


@pytest.mark.parametrize(
    "headers",
    [b"A: b\r\n" * LINES, b"A: b" + b"\r\n b" * LINES, b"A: " + b"x" * SIZE, b"\r\n" * LINES],
    ids=["lines", "continued", "long line", "blank lines"],
)
def test_endless_headers_of_a_record(warc: Any, headers: bytes) -> None:
    """If the headers of a record do not end, the pages before it count, and the damage is named."""
    warc.add("http://example.com/a", BODY)
    path: Path = warc.write()
    more = (b"" if headers.startswith(b"\r") else b"WARC/1.0\r\n") + headers
    with path.open("ab") as stream:
        stream.write(gzip.compress(more) if path.suffix == ".gz" else more)
    with open_pages(path) as pages:
        assert [page.url for page in pages] == ["http://example.com/a"]
        reason = "damaged, and so is all after it: its headers are longer than 1,000 lines or 256 KiB"
        assert pages.skipped == [source.Skipped("record 2", reason)]


def test_headers_that_are_just_short_enough(warc: Any) -> None:
    """Hundreds of cookies are not damage, and each record may use the whole limit."""
    for name in "abc":
        warc.add(f"http://example.com/{name}", BODY, [TYPE, *[("Set-Cookie", "x" * 200)] * (LINES - 10)])
    with open_pages(warc.write()) as pages:
        assert len(list(pages)) == 3
        assert pages.skipped == []


CHUNKED = [TYPE, ("Transfer-Encoding", "chunked")]


def test_endless_chunks(warc: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body with too many chunks is named, and the next record is read."""
    monkeypatch.setattr(warc_module, "_MAX_CHUNKS", 100)
    for name, number in (("a", 101), ("b", 100)):
        warc.add(f"http://example.com/{name}", b"1\r\nx\r\n" * number + b"0\r\n\r\n", CHUNKED)
    with open_pages(warc.write()) as pages:
        assert [page.body for page in pages] == [b"x" * 100]
        assert pages.skipped == [source.Skipped("http://example.com/a", "has more than 100 chunks")]


@pytest.mark.parametrize(
    ("payload", "body"),
    [
        (b"5;name=value\r\n<p>ab\r\n0\r\nTrailer: x\r\n\r\n", b"<p>ab"),
        (b"2\r\nab\r\n5\r\ncd", b"abcd"),
        (b"2\r\nab\r\n", b"ab"),
        (b"ffffffff\r\nab", b"ab"),
        (b"2\r\nabc\r\n", b"2\r\nabc\r\n"),
        (b"2\r\nab\r\n<p>c", b"ab<p>c"),
        (b"1;" + b"x" * 2000, b"1;" + b"x" * 2000),
        (b"-1\r\na", b"-1\r\na"),
        (b"", b""),
    ],
)
def test_chunks_that_are_odd(warc: Any, payload: bytes, body: bytes) -> None:
    """A chunked body that ends too early is kept whole, and bytes that are not chunks stay as they are."""
    warc.add("http://example.com/a", payload, CHUNKED)
    with open_pages(warc.write()) as pages:
        assert [page.body for page in pages] == [body]


def test_many_content_encodings(warc: Any) -> None:
    """A body with too many content encodings is named and not unpacked."""
    warc.add("http://example.com/a", BODY[1:], [TYPE, ("Content-Encoding", "gzip, " * 1000)])
    with open_pages(warc.write()) as pages:
        assert list(pages) == []
        assert [skipped.reason for skipped in pages.skipped] == ["has more than 5 content encodings"]


def test_old_brotli_is_not_used(warc: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A brotli that cannot stop at a limit is not used, and the reason says which version is needed."""
    brotli = pytest.importorskip("brotli")
    monkeypatch.setattr(brotli, "Decompressor", object)
    warc.add("http://example.com/a", brotli.compress(BODY), [TYPE, ("Content-Encoding", "br")])
    with open_pages(warc.write()) as pages:
        assert list(pages) == []
        assert "needs the package brotli, 1.2 or newer" in pages.skipped[0].reason


def test_a_url_that_a_terminal_would_obey(warc: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Control characters in a url are visible in the log, where warcio names urls with spaces."""
    warc.add("http://example.com/a b\x1b[2J", BODY)
    with open_pages(warc.write()) as pages:
        assert len(list(pages)) == 1
    assert "\x1b" not in caplog.text
    assert "example.com/a b\\x1b[2J" in caplog.text
