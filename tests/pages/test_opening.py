"""A source is known by its content."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.pages import SqliteLearningSet, open_pages
from scrapy_webstemmer.values import Page

URL = "http://example.com/a"


def test_the_name_does_not_matter(make_zip: Any, warc: Any, tmp_path: Path) -> None:
    """Each kind of file is read whatever it is called."""
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


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"<html>", "is no learning set"),
        (gzip.compress(b"<html>"), "is no learning set"),
        (b"\x1f\x8b\x08\0\0", "damaged gzip"),
        (b"\x1f\x8b\xff" + b"\0" * 20, "damaged gzip"),
        (b"PK\x03\x04 and no more", "damaged zip"),
        (b"SQLite format 3\0" + b"\xff" * 200, "not a database|malformed|no learning set"),
        (b"SQLite format 3\0", "not a database|no learning set"),
    ],
)
def test_unknown_and_damaged_files(tmp_path: Path, content: bytes, reason: str) -> None:
    """A file that is no source of pages gives an error that names it and says why."""
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(LearningSetError, match=rf"file: .*(?:{reason})") as caught:
        open_pages(path)
    assert caught.value.path == path


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    """Missing files, pipes and impossible names are errors at once."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("missing", "pipe", "a\0b", "x" * 5000):
        with pytest.raises(LearningSetError):
            open_pages(tmp_path / name)


@pytest.mark.parametrize("writable", [True, False])
def test_reading_needs_no_right_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool
) -> None:
    """A learning set is left as it was, and in a folder that cannot be written no file is made meanwhile."""
    path = tmp_path / "set"
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(URL, b"a"), [(URL, "A")])
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: writable)
    with open_pages(path) as opened:
        assert [page.url for page in opened] == [URL]
        assert dict(opened.linkinfo() or {}) == {URL: {"A": 1}}
        assert writable or [file.name for file in tmp_path.iterdir()] == ["set"]
    assert ([file.name for file in tmp_path.iterdir()], path.read_bytes()) == (["set"], before)


def test_a_set_that_is_open_for_reading_cannot_be_written(tmp_path: Path) -> None:
    """Who opens a source to read it cannot change it by mistake."""
    SqliteLearningSet(tmp_path / "set").close()
    with open_pages(tmp_path / "set") as opened:
        assert isinstance(opened, SqliteLearningSet)
        with pytest.raises(LearningSetError, match="readonly"):
            opened.add_page(Page(URL, b"a"))
