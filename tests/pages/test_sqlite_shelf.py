"""What was read of pages is kept in their learning set, as long as it can be, and never in the way."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_files import execute

from scrapy_webstemmer.pages import SqliteLearningSet, open_pages, sqlite_shelf
from scrapy_webstemmer.shelf import ShelvedPage
from scrapy_webstemmer.values import Page

URLS = [f"http://example.com/{number}" for number in range(5)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a learning set of five pages."""
    path = tmp_path / "set.sqlite"
    with SqliteLearningSet(path) as pages:
        for url in URLS:
            pages.add_page(Page(url, b"<p>" + url.encode()))
    return path


def shelve(path: Path, digest: bytes = b"digest") -> None:
    """Keep something of each page, as a run would."""
    with open_pages(path, keep_readings=True) as pages:
        for page in pages:
            assert isinstance(page, ShelvedPage)
            page.shelf.keep(page.row, digest, page.url.encode())


def kept(path: Path) -> dict[str, tuple[bytes, bytes] | None]:
    """Return what is kept, by the pages' urls."""
    with open_pages(path, keep_readings=True) as pages:
        return {page.url: page.kept for page in pages if isinstance(page, ShelvedPage)}


@pytest.fixture
def locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lock the file as another process does that is writing to it."""
    monkeypatch.setattr(sqlite_shelf, "_PATIENCE", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield


def test_what_is_kept_is_there_the_next_time(path: Path) -> None:
    """Each page comes with what was kept of it; what is kept anew takes its place."""
    assert kept(path) == dict.fromkeys(URLS)
    shelve(path)
    assert kept(path) == {url: (b"digest", url.encode()) for url in URLS}
    shelve(path, b"later")
    assert kept(path) == {url: (b"later", url.encode()) for url in URLS}


def test_the_file_is_still_the_same_learning_set(path: Path) -> None:
    """The pages are as before for whoever does not ask for what is kept."""
    with open_pages(path) as pages:
        before = list(pages)
    shelve(path)
    with open_pages(path) as pages:
        assert list(pages) == before
        assert {type(page) for page in pages} == {Page}


def test_nothing_is_written_unless_there_is_something_to_keep(path: Path) -> None:
    """Looking for what is kept does not change the file."""
    before = path.read_bytes()
    assert len(kept(path)) == len(URLS)
    assert path.read_bytes() == before


def test_some_are_written_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is written while there is more to come, so that little is lost with the process."""
    monkeypatch.setattr(sqlite_shelf, "_ROWS", 2)
    with open_pages(path, keep_readings=True) as pages:
        for page in pages:
            assert isinstance(page, ShelvedPage)
            page.shelf.keep(page.row, b"", b"")
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("SELECT COUNT(*) FROM reading").fetchone() == (4,)


@pytest.mark.usefixtures("locked")
def test_a_locked_file_is_read_and_said_to_be_locked_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where another process keeps the file locked, all pages come, and one warning says it."""
    monkeypatch.setattr(sqlite_shelf, "_ROWS", 1)
    with caplog.at_level(logging.WARNING):
        shelve(path)
    (message,) = caplog.messages
    assert message == f"{path}: what is read of its pages cannot be kept: database is locked"
    assert kept(path) == dict.fromkeys(URLS)


@pytest.mark.parametrize("table", ["reading (page INTEGER)", "reading (page INTEGER, digest, content)"])
def test_a_table_that_is_not_ours_is_in_nobodys_way(
    path: Path, caplog: pytest.LogCaptureFixture, table: str
) -> None:
    """Where a table has the name but not the columns, or not the key, nothing is kept and all pages come."""
    execute(path, f"CREATE TABLE {table}")
    shelve(path)
    assert kept(path) == dict.fromkeys(URLS)
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("value", ["NULL", "7", "'text'"])
def test_values_that_are_no_bytes_are_nothing(path: Path, value: str) -> None:
    """A damaged value counts as if nothing were kept."""
    execute(path, "CREATE TABLE reading (page INTEGER PRIMARY KEY, digest, content)")
    execute(path, f"INSERT INTO reading SELECT id, {value}, {value} FROM page")
    assert kept(path) == dict.fromkeys(URLS)
