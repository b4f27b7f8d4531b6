"""Linkinfo in a file of its own, as an input or in a list."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from scrapy_webstemmer.storage import merged_linkinfo, open_pages
from scrapy_webstemmer.storage.folder import FileList

LINES = b"""('202611210900/www.example.com/a', ['A', 'A, again'])

('www.example.com/a', ['A'])
('morning/www.example.com/b', [u'\\u65e5'])
__import__('os').mkdir('ran')
('x', [
('b.com/', ['\xff'])
"""
TEXTS = {
    "http://www.example.com/a": {"A": 2, "A, again": 1},
    "http://www.example.com/b": {"日": 1},
    "http://b.com/": {"\ufffd": 1},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "linkinfo"
    path.write_bytes(LINES)
    return path


@pytest.mark.parametrize("listed", [True, False])
def test_anchor_texts_of_a_file(file: Path, listed: bool) -> None:
    """A file called linkinfo gives anchor texts and no page; bad lines are named, and none is executed."""
    with FileList([f"{file}\n"]) if listed else open_pages(file) as source:
        assert source.count() == 0
        assert list(source) == []
        assert source.linkinfo() == TEXTS
        assert [skipped.record for skipped in source.skipped] == [f"{file}:5", f"{file}:6"]
    assert list(file.parent.iterdir()) == [file]


def test_the_name_that_is_asked_for(file: Path) -> None:
    """Another name selects that file, an empty name selects none; linkinfo is still not a page."""
    other = file.rename(file.with_name("anchors"))
    assert open_pages(other, linkinfo_name="anchors").linkinfo() == TEXTS
    assert FileList([str(other)], linkinfo_name="anchors").linkinfo() == TEXTS
    unused = other.rename(file)
    for source in (open_pages(unused, linkinfo_name=""), FileList([str(unused)], linkinfo_name="")):
        assert source.linkinfo() is None
        assert list(source) == []


def test_pages_and_linkinfo_of_two_inputs(file: Path) -> None:
    """As in 2009, the pages may come from one input and the linkinfo from another."""
    (file.parent / "page.html").write_bytes(b"a")
    sources = [open_pages(file.parent / "page.html"), open_pages(file)]
    assert merged_linkinfo(sources) == TEXTS


def test_a_page_called_linkinfo(file: Path) -> None:
    """A file that begins like a page, or is listed with its url, is a page even if it is called linkinfo."""
    for content, line in ((b"<html>page", str(file)), (LINES, f"http://www.example.com/linkinfo\t{file}")):
        file.write_bytes(content)
        with FileList([line]) as source:
            assert [page.body for page in source] == [content]
            assert source.linkinfo() is None


def test_a_line_of_many_texts_takes_little_memory(file: Path) -> None:
    """A line takes memory for its texts only; a syntax tree of the line would take 300 times as much."""
    file.write_text("('a.com/', [" + "''," * 30_000 + "])")
    tracemalloc.start()
    try:
        assert open_pages(file).linkinfo() == {"http://a.com/": {"": 30_000}}
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()


def test_an_empty_file(file: Path) -> None:
    """A crawl without anchors leaves a linkinfo without lines."""
    file.write_bytes(b"")
    assert open_pages(file).linkinfo() == {}


def test_a_listed_file_that_is_missing(tmp_path: Path) -> None:
    """The missing file is named once, and the others are read."""
    with FileList([f"{tmp_path}/linkinfo"]) as source:
        assert [source.linkinfo(), source.linkinfo()] == [{}, {}]
        assert [skipped.reason for skipped in source.skipped] == ["No such file or directory"]
