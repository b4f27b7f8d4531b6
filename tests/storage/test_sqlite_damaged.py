"""Damaged learning sets in SQLite give one error with advice, and the file does not change."""

from __future__ import annotations

import random
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from sqlite_files import DAMAGES, page_leaves

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.storage import SqliteLearningSet, open_pages
from scrapy_webstemmer.values import Page

PAGES, SIZE = 60, 4096
HOME = "http://example.com/"


def url(number: int) -> str:
    return f"http://example.com/{number:03}"


def page(number: int) -> Page:
    """Return a page whose body takes several pages of the SQLite file, or less than one."""
    body = random.Random(number).randbytes(9000 if number % 2 else 300)
    return Page(url(number), body, "utf-8", aliases=(f"{url(number)}/a",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a learning set of sixty pages with their anchors."""
    path = tmp_path / "set.sqlite"
    with SqliteLearningSet(path) as pages:
        for number in range(PAGES):
            pages.add_page(page(number), [(HOME, "Home"), (url(number + 1), f"Story {number + 1}")])
    return path


def read_all(path: Path) -> None:
    with open_pages(path) as pages:
        pages.linkinfo()
        list(pages)


def add_one(path: Path) -> None:
    with SqliteLearningSet(path) as pages:
        pages.add_page(page(7), [(HOME, "Home")])


def root_page(path: Path, table: str) -> int:
    """Return the number of the file's page, from 1, at which a table begins."""
    with SqliteLearningSet(path) as pages:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        row = pages.connection.execute(sql, (table,)).fetchone()
    return int(row[0])


def overwrite(path: Path, number: int) -> None:
    """Write zeros over a page of the file; pages are counted from 1."""
    with path.open("r+b") as stream:
        stream.seek((number - 1) * SIZE)
        stream.write(bytes(SIZE))


@pytest.mark.parametrize("name", ["header", "list of tables", "page in the middle", "cut off"])
def test_reading_says_what_to_do(path: Path, name: str) -> None:
    """The error names the file and the command that saves what is left; nothing is written."""
    DAMAGES[name](path)
    before = path.read_bytes()
    with pytest.raises(LearningSetError, match=r"set\.sqlite: .*(?:damaged|malformed)") as caught:
        read_all(path)
    assert caught.value.damaged
    assert caught.value.path == path
    assert caught.value.reason.endswith(f"; to save what is left: sqlite3 {path} .recover | sqlite3 NEW")
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["header", "list of tables", "cut off", "no database"])
def test_writing_does_not_begin(path: Path, name: str) -> None:
    """A file that is found damaged on opening is refused for writing, too, and does not change."""
    DAMAGES[name](path)
    before = path.read_bytes()
    with pytest.raises(LearningSetError, match=r"file is not a database|damaged") as caught:
        add_one(path)
    assert ("; to save what is left: sqlite3" in str(caught.value)) == (name != "no database")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "reason"), [("empty", "is empty"), ("no database", "is not a learning set")]
)
def test_what_is_no_sqlite_file_is_not_called_damaged(path: Path, name: str, reason: str) -> None:
    """A file without SQLite's first bytes is refused like any other file."""
    DAMAGES[name](path)
    with pytest.raises(LearningSetError, match=reason) as caught:
        open_pages(path)
    assert not caught.value.damaged


def test_the_command_can_be_pasted(path: Path) -> None:
    """The command quotes a name that a shell would split."""
    path = path.rename(path.with_name("my set's.sqlite"))
    DAMAGES["cut off"](path)
    with pytest.raises(LearningSetError) as caught:
        open_pages(path)
    command = caught.value.reason.rpartition(": ")[2]
    assert shlex.split(command) == ["sqlite3", str(path), ".recover", "|", "sqlite3", "NEW"]


def test_damage_that_is_met_later(path: Path) -> None:
    """The pages before the damage come first, then the error, on each iteration."""
    DAMAGES["page in the middle"](path)
    with open_pages(path) as pages:
        for _ in range(2):
            iterator = iter(pages)
            assert [next(iterator) for _ in range(PAGES // 4)] == [page(n) for n in range(PAGES // 4)]
            with pytest.raises(LearningSetError, match="malformed"):
                list(iterator)


def test_nothing_is_written_once_damage_is_met(path: Path) -> None:
    """After the first change that meets damage, all further changes are refused."""
    overwrite(path, root_page(path, "anchor"))
    before = path.read_bytes()
    with SqliteLearningSet(path) as pages:
        with pytest.raises(LearningSetError, match="malformed") as caught:
            pages.add_page(page(PAGES), [(HOME, "Home")])
        assert caught.value.record == url(PAGES)
        with pytest.raises(LearningSetError, match=r"nothing more is written to it; .*\.recover"):
            pages.add_page(page(PAGES))
        assert pages.count() == PAGES
    assert path.read_bytes() == before


def test_a_row_that_is_missing_is_named(path: Path) -> None:
    """A row that only the index of urls has is skipped and named."""
    content = bytearray(path.read_bytes())
    leaf = next(at for at in page_leaves(path) if content[at + 4] > 1)
    content[leaf + 4] -= 1  # the number of rows on this page of the file
    path.write_bytes(content)
    with open_pages(path) as pages:
        assert len(list(pages)) == PAGES - 1
        assert [skipped.reason for skipped in pages.skipped] == ["damaged row: missing"]


def test_a_garbled_list_of_tables(path: Path) -> None:
    """A message of SQLite's that is not text does not cause another error."""
    content = path.read_bytes()
    path.write_bytes(content.replace(b"TABLE anchor", b"\xff" * 12))
    with pytest.raises(LearningSetError, match=r"malformed database schema.*\.recover \| sqlite3 NEW"):
        read_all(path)


def can_recover() -> bool:
    """Return whether SQLite's shell is installed and can recover; the one of Debian 12 cannot."""
    shell = shutil.which("sqlite3")
    command = [shell or "", ":memory:", "CREATE TABLE t (x); SELECT COUNT(*) FROM sqlite_dbpage"]
    return shell is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_recover(), reason="sqlite3 is not installed, or cannot recover")
@pytest.mark.parametrize("name", ["page in the middle", "cut off"])
def test_what_is_recovered_is_a_learning_set(path: Path, name: str) -> None:
    """The command in the message makes a learning set of the remaining pages, for reading and adding."""
    DAMAGES[name](path)
    with pytest.raises(LearningSetError) as caught:
        read_all(path)
    command = caught.value.reason.rpartition(": ")[2]
    subprocess.run(command, shell=True, check=True, cwd=path.parent)
    new = path.with_name("NEW")
    with open_pages(new) as pages:
        found = list(pages)
        assert PAGES / 4 < len(found) <= PAGES
        assert all(one == page(int(one.url[-3:])) for one in found)
    add_one(new)
