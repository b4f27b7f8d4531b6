"""Files of segment tables: saved tables come back, each site's by itself."""

from __future__ import annotations

import sqlite3
import weakref
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from news_pages import article
from sqlite_files import damage, execute, start

from scrapy_webstemmer import IncrementalExtractor
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.errors import SegmentFileError
from scrapy_webstemmer.segments.segment_files import SegmentFile, SegmentTables
from scrapy_webstemmer.segments.segment_tables import SegmentOptions
from scrapy_webstemmer.storage.urldb import UrlDb

PAGES = st.lists(
    st.tuples(
        st.sampled_from(["a.example", "b.example"]),
        st.integers(100, 130),
        st.lists(st.integers(0, 9), max_size=5),
        st.booleans(),
    ),
    max_size=40,
)
OPTIONS = SegmentOptions(lifetime=4, longest=3)


def content(tables: SegmentTables, site: str) -> tuple[Any, Any]:
    table = tables.table(site)
    return sorted(table), table.counts


@given(PAGES)
def test_what_was_saved_is_there(tmp_path_factory: pytest.TempPathFactory, pages: list[Any]) -> None:
    """A file that is saved, closed and opened many times gives the tables of one long crawl."""
    path = tmp_path_factory.mktemp("tables") / "a.segments"
    memory, file = SegmentTables(OPTIONS), SegmentFile(path, OPTIONS)
    for site, page, digests, reopen in pages:
        for tables in (memory, file):
            tables.table(site).add(page, digests)
        if reopen:
            file.close()
            file = SegmentFile(path, OPTIONS)
        else:
            file.save()
    for site in ("a.example", "b.example"):
        assert content(file, site) == content(memory, site)
    file.close()


def test_sites_share_nothing(tmp_path: Path) -> None:
    """A site's segments are not known for another site, in memory and in the file."""
    with_both = SegmentFile(tmp_path / "a.segments")
    with_both.table("a.example").add(100, [1, 2])
    with_both.table("b.example").add(100, [2])
    with_both.close()
    again = SegmentFile(tmp_path / "a.segments")
    assert [again.table("a.example").frequency(digest) for digest in (1, 2)] == [1, 1]
    assert [again.table("b.example").frequency(digest) for digest in (1, 2)] == [0, 1]
    again.close()


def test_sites_that_rest_leave_memory(tmp_path: Path) -> None:
    """A table without new pages since the last save leaves memory, and is read again when a page comes."""
    file = SegmentFile(tmp_path / "a.segments")
    first = file.table("a.example")
    first.add(100, [1])
    rows = sorted(first)
    file.save()
    assert file.table("a.example") is first
    gone = weakref.ref(first)
    del first
    file.save()
    assert gone() is None
    assert sorted(file.table("a.example")) == rows
    file.close()


def test_a_table_that_somebody_has_is_not_forgotten(tmp_path: Path) -> None:
    """Counts in a table that somebody holds are saved, however many saves came in between."""
    file = SegmentFile(tmp_path / "a.segments")
    held = file.table("a.example")
    for page in range(100, 105):
        for _ in range(3):
            file.save()
        held.add(page, [1])
        file.table("a.example").add(page + 50, [1])
    del held
    file.close()
    file = SegmentFile(tmp_path / "a.segments")
    assert file.table("a.example").counts.pages == 10
    assert file.table("a.example").frequency(1) == 10
    file.close()


STEPS = st.lists(st.sampled_from(["save", "begin", *range(4)]), max_size=60)


@given(STEPS)
def test_pages_in_work_at_the_same_time(tmp_path_factory: pytest.TempPathFactory, steps: list[Any]) -> None:
    """Tables in a file equal those in memory, whenever they are saved while pages are read in turns."""
    path = tmp_path_factory.mktemp("tables") / "a.segments"
    pages = [article(f"{'ab'[number % 2]}.example", number // 3) for number in range(12)]
    memory, file = SegmentTables(OPTIONS), SegmentFile(path, OPTIONS)
    for tables in (memory, file):
        extractor, waiting = IncrementalExtractor(tables), iter(pages)
        works: list[Any] = []
        for step in steps:
            if step == "save" and tables is file:
                file.save()
            elif step == "begin":
                works += [extractor.extract_in_parts(page) for page in islice(waiting, 1)]
            elif works and step != "save":
                work = works[step % len(works)]
                if next(work, "done") == "done":
                    works.remove(work)
        for work in works:
            finish(work)
    file.close()
    file = SegmentFile(path, OPTIONS)
    for site in ("a.example", "b.example"):
        assert content(file, site) == content(memory, site)
    file.close()


def test_file_keeps_nothing_that_was_forgotten(tmp_path: Path) -> None:
    """Forgotten segments leave the file, so its size is bounded like that of the tables."""
    file = SegmentFile(tmp_path / "a.segments", SegmentOptions(lifetime=3, longest=1))
    for page in range(50):
        file.table("a.example").add(1000 + page, [page])
        file.save()
    file.close()
    db = sqlite3.connect(tmp_path / "a.segments")
    assert db.execute("SELECT COUNT(*) FROM segment").fetchone() == (2 * 3,)
    db.close()


WRITER = """
import sys
from scrapy_webstemmer.segments.segment_files import SegmentFile
file = SegmentFile(sys.argv[1])
for page in range(10**6):
    file.table("a.example").add(1000 + page, [1])
    if page % 10 == 9:
        file.save()
        print(page + 1, flush=True)
"""


def test_killed_while_saving(tmp_path: Path) -> None:
    """After kill -9, all pages that were reported as saved are counted, and the next writer goes on."""
    path = tmp_path / "a.segments"
    with start(WRITER, path) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 200:
                process.kill()
                break
        rest = [int(line) for line in process.stdout if line.endswith("\n")]
    file = SegmentFile(path)
    reported = max([int(line), *rest])
    pages = file.table("a.example").counts.pages
    assert reported <= pages
    assert pages % 10 == 0
    file.table("a.example").add(1, [1])
    assert file.table("a.example").frequency(1) == pages + 1
    file.close()


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A file of another kind or version gives an error that names it, and is not changed."""
    UrlDb(tmp_path / "urls").close()
    (tmp_path / "text").write_text("no database, but a text that is longer than a header of SQLite's " * 9)
    SegmentFile(tmp_path / "later").close()
    execute(tmp_path / "later", "PRAGMA user_version = 3")
    SegmentFile(tmp_path / "earlier").close()
    execute(tmp_path / "earlier", "PRAGMA user_version = 1")
    for name in ("urls", "text", "later", "earlier"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(SegmentFileError, match=name):
            SegmentFile(tmp_path / name)
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE segment SET frequency = 'many'",
        "UPDATE segment SET frequency = -1",
        "UPDATE segment SET last = x'00'",
        "UPDATE OR REPLACE segment SET digest = -5",
        "UPDATE site SET pages = 'all'",
    ],
)
def test_rows_that_cannot_be_are_skipped(change: str, tmp_path: Path) -> None:
    """Invalid rows are ignored."""
    path = tmp_path / "a.segments"
    file = SegmentFile(path)
    file.table("a.example").add(100, [1, 2])
    file.close()
    execute(path, change)
    file = SegmentFile(path)
    assert len(file.table("a.example")) == 0
    file.table("a.example").add(101, [3])
    file.close()


@pytest.mark.parametrize("seed", range(30))
def test_damaged_file(seed: int, tmp_path: Path) -> None:
    """A damaged file gives tables or a SegmentFileError, and nothing else."""
    path = tmp_path / "a.segments"
    file = SegmentFile(path)
    for page in range(200):
        file.table("a.example").add(1000 + page, range(page, page + 9))
    file.close()
    damage(path, seed)
    with suppress(SegmentFileError):
        file = SegmentFile(path)
        file.table("a.example").add(100, [1])
        file.close()
