"""The content of a file decides which source it is."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.storage import Skipped, SqliteLearningSet, folder, open_pages
from scrapy_webstemmer.values import Page

URL = "http://example.com/a"


def test_the_name_does_not_matter(make_zip: Any, warc: Any, tmp_path: Path) -> None:
    """Each kind of file is read, whatever its name."""
    with SqliteLearningSet(tmp_path / "set.zip") as pages:
        pages.add_page(Page(URL, b"a"))
    warc.add(URL, b"<html>")
    make_zip({"202611210900/example.com/a": b"a"}, "zip.warc")
    for path in (tmp_path / "set.zip", warc.write().rename(tmp_path / "x.sqlite"), tmp_path / "zip.warc"):
        with open_pages(str(path)) as opened:
            assert [page.url for page in opened] == [URL]


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads the list of files from standard input."""
    (tmp_path / "a").write_bytes(b"a")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{URL}\t{tmp_path}/a\n"))
    assert list(open_pages("-")) == [Page(URL, b"a")]


def stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Return a function that puts content on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


def test_a_page_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Input that begins like a page is one page, in its own charset, and not a list."""
    stdin(monkeypatch, b"\n<!DOCTYPE html>\n<p>caf\xe9</p>\n")
    with open_pages("-") as pages:
        (page,) = pages
        assert (page.name, page.url, page.body) == (
            "stdin",
            "file:///stdin",
            b"\n<!DOCTYPE html>\n<p>caf\xe9</p>\n",
        )
        assert (page.encoding, pages.count(), pages.linkinfo()) == (None, 1, None)


def test_a_page_on_standard_input_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page beyond the limit is skipped and named."""
    monkeypatch.setattr(folder, "MAX_BODY", 100)
    stdin(monkeypatch, b"<html>" + b"a" * 100)
    with open_pages("-") as pages:
        assert list(pages) == []
        assert pages.skipped == [Skipped("stdin", folder.TOO_LARGE)]


def test_a_zip_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Input that is neither a list nor a page is an error, not a list of strange names."""
    stdin(monkeypatch, b"PK\x03\x04")
    with pytest.raises(LearningSetError, match="neither a list of files nor a page"):
        open_pages("-")


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.html", b"text"), ("a", b"<!-- c --><html>"), ("page.txt", b"<title>t</title>"), ("a.HTM", b"\0")],
)
def test_a_single_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes) -> None:
    """A file with a page's suffix or first bytes is a page with the url of its file."""
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    with open_pages(name) as pages:
        (page,) = pages
        assert page == Page((tmp_path / name).as_uri(), content)
        assert (page.name, pages.count(), pages.linkinfo(), pages.skipped) == (name, 1, None, [])
    assert [page.url for page in open_pages(tmp_path / name)] == [page.url]


@pytest.mark.parametrize(
    "name",
    ["www.example.com/a.html", "202611210900/www.example.com/a.html", "morning/www.example.com/a.html"],
)
def test_a_single_page_of_a_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A relative name with a host, with or without a base id before it, gives the url."""
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_bytes(b"a")
    monkeypatch.chdir(tmp_path)
    (page,) = open_pages(name)
    assert (page.url, page.name) == ("http://www.example.com/a.html", name)
    assert page.aliases == ("http://www.example.com/a",)


def test_a_single_page_that_has_gone(tmp_path: Path) -> None:
    """A file that has become unreadable when it is read is named."""
    (tmp_path / "a.html").write_bytes(b"a")
    with open_pages(tmp_path / "a.html") as pages:
        (tmp_path / "a.html").unlink()
        assert list(pages) == []
        assert [skipped.reason for skipped in pages.skipped] == ["No such file or directory"]


def test_a_list_by_its_name(tmp_path: Path) -> None:
    """A file with the suffix .list names the pages, in the charset of the file system."""
    name = os.fsdecode(b"caf\xe9")
    (tmp_path / name).write_bytes(b"a")
    (tmp_path / "my.list").write_bytes(b"# pages\n" + os.fsencode(f"{URL}\t{tmp_path}/{name}\n"))
    with open_pages(tmp_path / "my.list") as pages:
        assert list(pages) == [Page(URL, b"a")]
        assert pages.path == tmp_path / "my.list"
    (tmp_path / "empty.list").touch()
    assert list(open_pages(tmp_path / "empty.list")) == []


def test_the_content_of_a_list_counts_first(make_zip: Any) -> None:
    """A zip with the suffix .list is a zip."""
    assert [page.url for page in open_pages(make_zip({"9/example.com/a": b"a"}, "zip.list"))] == [URL]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"plain text", "is not a learning set"),
        (b"%PDF-1.4 <html>", "is not a learning set"),
        (gzip.compress(b"plain text", mtime=0), "is compressed: unpack it first"),
        (b"BZh91AY&SY", "is compressed: unpack it first"),
        (b"\x1f\x8b\x08\0\0", "damaged gzip"),
        (b"\x1f\x8b\xff" + b"\0" * 20, "damaged gzip"),
        (b"PK\x03\x04 and no more", "damaged zip"),
        (b"SQLite format 3\0" + b"\xff" * 200, "not a database|malformed|not a learning set"),
        (b"SQLite format 3\0", "not a database|not a learning set"),
    ],
)
def test_unknown_and_damaged_files(tmp_path: Path, content: bytes, reason: str) -> None:
    """A file that is not a source of pages gives an error that names it and the reason."""
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(LearningSetError, match=rf"file: .*(?:{reason})") as caught:
        open_pages(path)
    assert caught.value.path == path


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    """Missing files, pipes and impossible names give an error at once."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("missing", "pipe", "a\0b", "x" * 5000):
        with pytest.raises(LearningSetError):
            open_pages(tmp_path / name)


def test_reading_needs_no_right_to_write(tmp_path: Path) -> None:
    """Reading does not change a learning set, and makes no file beside it."""
    path = tmp_path / "set"
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(URL, b"a"), [(URL, "A")])
    before = path.read_bytes()
    with open_pages(path) as opened:
        assert [page.url for page in opened] == [URL]
        assert dict((opened.linkinfo() or {}).items()) == {URL: {"A": 1}}
        assert [file.name for file in tmp_path.iterdir()] == ["set"]
    assert ([file.name for file in tmp_path.iterdir()], path.read_bytes()) == (["set"], before)


def test_a_set_that_is_open_for_reading_cannot_be_written(tmp_path: Path) -> None:
    """A source that is opened for reading cannot be changed by mistake."""
    SqliteLearningSet(tmp_path / "set").close()
    with open_pages(tmp_path / "set") as opened:
        assert isinstance(opened, SqliteLearningSet)
        with pytest.raises(LearningSetError, match="readonly"):
            opened.add_page(Page(URL, b"a"))
