"""What was read of pages is kept in their learning set, as long as it can be, and never in the way."""

from __future__ import annotations

import logging
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_files import DAMAGES, execute

from scrapy_webstemmer.errors import LearningSetError, PageError
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


def shelve(path: Path, digest: bytes = b"digest", size: int = 2, urls: Sequence[str] = URLS) -> None:
    """Keep something of some pages, so many in a batch, as a run would."""
    with open_pages(path, keep_readings=True) as pages:
        shelved = [page for page in pages if isinstance(page, ShelvedPage) and page.url in urls]
        for start in range(0, len(shelved), size):
            some = shelved[start : start + size]
            some[0].shelf.keep([(page.row, digest) for page in some], some[0].url.encode())


def kept(path: Path) -> dict[str, tuple[bytes, bytes | None, int] | None]:
    """Return what is kept, by the pages' urls: digest, batch and the place in it."""
    with open_pages(path, keep_readings=True) as pages:
        return {
            page.url: page.kept and (page.kept.digest, page.shelf.batch(page.kept.batch), page.kept.place)
            for page in pages
            if isinstance(page, ShelvedPage)
        }


def batches(path: Path) -> list[str]:
    """Return the batches in a file, each under the url of its first page."""
    with closing(sqlite3.connect(path)) as db:
        return [content.decode() for (content,) in db.execute("SELECT content FROM read_batch ORDER BY id")]


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
    assert kept(path) == {
        url: (b"digest", URLS[number - number % 2].encode(), number % 2) for number, url in enumerate(URLS)
    }
    shelve(path, b"later", 5)
    assert kept(path) == {url: (b"later", URLS[0].encode(), place) for place, url in enumerate(URLS)}
    assert batches(path) == [URLS[0]]


def test_pages_of_a_batch_come_together(path: Path) -> None:
    """They come in the order of their batches, and those of which nothing is kept last."""
    shelve(path, urls=[URLS[3], URLS[4]])
    shelve(path, urls=[URLS[0], URLS[2]])
    with open_pages(path, keep_readings=True) as pages:
        assert [page.url for page in pages] == [URLS[number] for number in (3, 4, 0, 2, 1)]


def test_a_batch_stays_until_all_its_pages_have_changed(path: Path) -> None:
    """What no page needs any more is dropped, and its number is not used again."""
    shelve(path)
    shelve(path, b"later", urls=[URLS[0]])
    assert batches(path) == [URLS[0], URLS[2], URLS[4], URLS[0]]
    shelve(path, b"later", urls=[URLS[1]])
    assert batches(path) == [URLS[2], URLS[4], URLS[0], URLS[1]]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT MAX(id) FROM read_batch").fetchone() == (5,)


def test_a_body_is_inflated_when_it_is_asked_for(path: Path) -> None:
    """A damaged body is an error where it is asked for, and counted as in any other source, once."""
    execute(path, "UPDATE page SET body = x'00' WHERE key LIKE '%/1'")
    execute(path, "UPDATE page SET body = 7 WHERE key LIKE '%/2'")
    with open_pages(path, keep_readings=True) as pages:
        damaged = next(page for page in pages if page.url == URLS[1])
        assert pages.skipped == []
        for _ in range(2):
            with pytest.raises(PageError, match="damaged row"):
                damaged.body  # noqa: B018 - asked for
        assert {page.url for page in pages} == {URLS[number] for number in (0, 1, 3, 4)}
        assert [skipped.record for skipped in pages.skipped] == URLS[1:3]


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
    monkeypatch.setattr(sqlite_shelf, "_BATCHES", 2)
    with open_pages(path, keep_readings=True) as pages:
        for page in pages:
            assert isinstance(page, ShelvedPage)
            page.shelf.keep([(page.row, b"")], b"")
        assert len(batches(path)) == 4


def test_nothing_is_kept_in_a_damaged_file(path: Path) -> None:
    """Where reading meets damage, nothing is written to the file when it is closed."""
    with SqliteLearningSet(path) as pages:
        for number in range(50):
            url, body = f"http://example.com/more/{number}", random.Random(number).randbytes(500)
            pages.add_page(Page(url, body, "utf-8"))
    DAMAGES["page in the middle"](path)
    before = path.read_bytes()
    with open_pages(path, keep_readings=True) as pages:
        iterator = iter(pages)
        first = next(iterator)
        assert isinstance(first, ShelvedPage)
        first.shelf.keep([(first.row, b"")], b"")
        with pytest.raises(LearningSetError, match="malformed"):
            list(iterator)
    assert path.read_bytes() == before


@pytest.mark.usefixtures("locked")
def test_a_locked_file_is_read_and_said_to_be_locked_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where another process keeps the file locked, all pages come, and one warning says it."""
    monkeypatch.setattr(sqlite_shelf, "_BATCHES", 1)
    with caplog.at_level(logging.WARNING):
        shelve(path)
    (message,) = caplog.messages
    assert message == f"{path}: what is read of its pages cannot be kept: database is locked"
    assert kept(path) == dict.fromkeys(URLS)


@pytest.mark.parametrize("table", ["read_page (page INTEGER)", "read_batch (id INTEGER)"])
def test_a_table_that_is_not_ours_is_in_nobodys_way(
    path: Path, caplog: pytest.LogCaptureFixture, table: str
) -> None:
    """Where a table has the name but not the columns nothing is kept, and all pages come."""
    execute(path, f"CREATE TABLE {table}")
    shelve(path)
    assert kept(path) == dict.fromkeys(URLS)
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("column", ["digest", "batch", "place"])
@pytest.mark.parametrize("value", ["x'00'", "7.5", "'text'"])
def test_values_of_another_type_are_nothing(path: Path, column: str, value: str) -> None:
    """A damaged value counts as if nothing were kept."""
    execute(path, "CREATE TABLE read_page (page INTEGER PRIMARY KEY, digest, batch, place)")
    execute(path, "INSERT INTO read_page SELECT id, x'00', 1, 1 FROM page")
    execute(path, f"UPDATE read_page SET {column} = {value}")
    where = (b"\0", None, 1) if (column, value) == ("digest", "x'00'") else None
    assert kept(path) == dict.fromkeys(URLS, where)


def test_a_batch_of_another_type_is_gone(path: Path) -> None:
    """A damaged batch counts as if it were not there."""
    shelve(path, size=5)
    execute(path, "UPDATE read_batch SET content = 'text'")
    assert {found and found[1] for found in kept(path).values()} == {None}
