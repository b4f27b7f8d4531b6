"""What is left of learning sets that were cut off or overwritten: all that can be, and nothing wrong."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
import struct
from pathlib import Path
from typing import Any

import pytest
from sqlite_files import damage, execute

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.pages import SqliteLearningSet, open_pages
from scrapy_webstemmer.pages.sqlite_pages import SqlitePages
from scrapy_webstemmer.pages.sqlite_recovery import RecoveredLearningSet
from scrapy_webstemmer.values import Page

PAGES, SIZE = 60, 4096
HOME = "http://example.com/"


def url(number: int) -> str:
    return f"http://example.com/{number:03}"


def body(number: int) -> bytes:
    """Return a body that takes several pages of the file, or a part of one."""
    return random.Random(number).randbytes(9000 if number % 2 else 300)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a learning set of sixty pages, and of two for which a page had been stored before."""
    path = tmp_path / "set.sqlite"
    with SqliteLearningSet(path) as pages:
        for number in range(PAGES):
            for version in range(1, 2 if number > 1 else 3):
                page = Page(
                    url(number), body(number), "utf-8", f"2026-11-{version:02}", (f"{url(number)}/a",)
                )
                pages.add_page(page, [(HOME, "Home"), (url(number + 1), f"Story {number + 1}")])
    return path


def read(path: Path) -> tuple[dict[str, Page], dict[str, dict[str, int]], list[str], str]:
    """Return the pages and anchors that can be read, the records that cannot, and why not the first."""
    with open_pages(path) as pages:
        found = list(pages)
        assert (pages.count() or 0) >= len(found)
        anchors = {key: dict(texts) for key, texts in (pages.linkinfo() or {}).items()}
        lost = [skipped.record for skipped in pages.skipped]
        return {page.url: page for page in found}, anchors, lost, pages.skipped[0].reason if lost else ""


def overwrite(path: Path, *numbers: int, size: int = SIZE) -> None:
    """Write zeros over pages of the file, counted from 1."""
    with path.open("r+b") as stream:
        for number in numbers:
            stream.seek((number - 1) * size)
            stream.write(bytes(size))


def are_right(pages: dict[str, Page]) -> bool:
    """Return whether each page is what was stored."""
    return all(
        page.body == body(int(key[-3:])) and page.encoding == "utf-8" and page.aliases == (f"{key}/a",)
        for key, page in pages.items()
    )


def test_a_sound_file_is_read_as_it_is(path: Path) -> None:
    """Nothing is copied where nothing is damaged."""
    with open_pages(path) as pages:
        assert not isinstance(pages, RecoveredLearningSet)
        assert pages.skipped == []
        assert pages.count() == PAGES


def test_rows_are_found_without_sqlite(path: Path) -> None:
    """Of a sound file all rows of the tables are found, those on several pages too, and nothing else."""
    with sqlite3.connect(path) as db:
        wanted = [tuple(row) for table in ("page", "anchor") for row in db.execute(f"SELECT * FROM {table}")]
    db.close()
    with path.open("rb") as stream, path.open("rb") as log:
        found = [row for row in SqlitePages(stream, log).rows() if row.number and len(row.values) in (5, 9)]
    found = [row for row in found if row.values[0] is None]  # the table of tables has five columns as well
    assert sorted((row.number, *row.values[1:]) for row in found) == sorted(wanted)


def test_a_file_that_is_cut_off(path: Path) -> None:
    """What stood before the cut is read, and what is known to have been there is counted and named."""
    before = read(path)
    for share in (0.3, 0.5, 0.9):
        copy = path.with_name(f"{share}.sqlite")
        shutil.copy(path, copy)
        with copy.open("r+b") as stream:
            stream.truncate(int(path.stat().st_size * share))
        pages, anchors, lost, reason = read(copy)
        assert PAGES * (share - 0.2) < len(pages) < PAGES
        assert are_right(pages)
        assert set(lost[1:]).isdisjoint(pages)
        assert set(lost[1:]) <= set(before[0])
        assert f"pages read: {len(pages)}, known to be lost: " in reason
        assert all(anchors[key].items() <= before[1][key].items() for key in anchors)


def test_each_page_of_the_file_may_be_overwritten(path: Path) -> None:
    """Whichever page of the file is lost, hardly any page of the crawl goes with it, and each is named."""
    count = path.stat().st_size // SIZE
    for number in range(2, count + 1):
        copy = path.with_name("copy.sqlite")
        shutil.copy(path, copy)
        overwrite(copy, number)
        pages, _, lost, _ = read(copy)
        assert PAGES - 8 <= len(pages) <= PAGES
        assert are_right(pages)
        missing = {url(number) for number in range(PAGES)} - set(pages)
        assert missing == set(lost) - {"the file"}


def test_tables_that_sqlite_cannot_find(path: Path) -> None:
    """Where the table of tables is lost the rows are found all the same."""
    with path.open("r+b") as stream:
        stream.seek(100)
        stream.write(bytes(SIZE - 100))
    pages, anchors, _, reason = read(path)
    assert len(pages) == PAGES
    assert are_right(pages)
    assert anchors[url(3)] == {"Story 3": 1}
    assert f"pages read: {PAGES}, known to be lost: 0" in reason


def test_a_header_that_is_garbled(path: Path) -> None:
    """Where the header does not tell how large pages are, they are as large as usual."""
    with path.open("r+b") as stream:
        stream.seek(16)
        stream.write(b"\xff" * 60)
    assert len(read(path)[0]) == PAGES


def test_pages_in_the_write_ahead_log(path: Path) -> None:
    """What a killed crawl has left in the log counts, up to the last complete transaction."""
    copy = path.with_name("copy.sqlite")
    with SqliteLearningSet(path) as writer:
        writer.add_page(Page(url(PAGES), body(PAGES), "utf-8", None, (f"{url(PAGES)}/a",)))
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
    with Path(f"{copy}-wal").open("ab") as stream:
        stream.write(b"a frame that was not finished")
    overwrite(copy, 2)
    pages, *_ = read(copy)
    assert url(PAGES) in pages
    assert are_right(pages)


def test_what_was_deleted_stays_away(path: Path) -> None:
    """Pages of the file that are free hold old rows; they do not come back."""
    execute(path, f"DELETE FROM page WHERE id > {PAGES // 2}")
    overwrite(path, 2)
    pages, _, lost, _ = read(path)
    assert set(pages) <= {url(number) for number in range(PAGES // 2)}
    assert len(pages) + len(lost) - 1 <= PAGES


def test_a_damaged_body_is_lost(path: Path) -> None:
    """A body whose checksum is wrong counts as lost, and no other version is invented."""
    execute(path, "UPDATE page SET body = zeroblob(100) WHERE key = ?", url(7))
    overwrite(path, 2)
    pages, _, lost, _ = read(path)
    assert url(7) not in pages
    assert url(7) in lost


@pytest.mark.parametrize("seed", range(30))
def test_flipped_bytes(path: Path, seed: int) -> None:
    """Wherever forty bytes are changed the file is read to its end, or refused by an error of ours."""
    damage(path, seed)
    with contextlib.suppress(LearningSetError):
        pages, *_ = read(path)
        assert all(page.body == body(int(key[-3:])) for key, page in pages.items() if key[-3:].isdigit())


def test_a_chain_that_goes_round_in_circles(path: Path) -> None:
    """A row that is continued on a page that leads to itself ends; so does a list of free pages."""
    content = bytearray(path.read_bytes())
    for at in range(SIZE, len(content), SIZE):
        if content[at] not in (2, 5, 10, 13):
            content[at : at + 4] = struct.pack(">L", at // SIZE + 1)
    content[32:36] = struct.pack(
        ">L", 1 + next(n for n in range(1, 9) if content[n * SIZE] not in (2, 5, 10, 13))
    )
    path.write_bytes(content)
    pages, *_ = read(path)
    assert pages
    assert are_right(pages)


def test_nothing_is_left(tmp_path: Path) -> None:
    """A file without a whole page is an error, and its copy is gone."""
    path = tmp_path / "set.sqlite"
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(HOME, b"x" * 100))
    execute(path, "UPDATE page SET body = x'00'")
    overwrite(path, 2)
    with pytest.raises(LearningSetError, match=r"damaged: .*; no page is whole"):
        open_pages(path)


def test_the_copy_is_removed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary file goes when the set is closed, and the damaged file is left as it was."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    overwrite(path, 2)
    before = path.read_bytes()
    with open_pages(path) as pages:
        assert len(list(folder.iterdir())) == 1
        assert pages.path == path
    assert list(folder.iterdir()) == []
    assert path.read_bytes() == before


def test_no_room_for_the_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is an error that names the damaged file."""

    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("scrapy_webstemmer.pages.sqlite_recovery.recover", full)
    overwrite(path, 2)
    with pytest.raises(LearningSetError, match=r"set\.sqlite: damaged: .*; No space left on device"):
        open_pages(path)
