"""`scrapy analyze` again: what a learning set has kept saves time, and changes nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer import Page, reading, readings
from scrapy_webstemmer.packing import Reading
from scrapy_webstemmer.pages import SqliteLearningSet
from scrapy_webstemmer.pages import sqlite_shelf as shelf_module


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the urls of the pages that are read, in this process."""
    urls: list[str] = []
    real = reading.read_page

    def read_page(page: Page, wanted: reading.Wanted) -> Reading:
        urls.append(page.url)
        return real(page, wanted)

    monkeypatch.setattr(readings, "read_page", read_page)
    return urls


@pytest.fixture
def add(workdir: Path, make_story: Any) -> Callable[[Iterable[int]], None]:
    """Return what adds stories to news.sqlite, with the anchors of an index page."""

    def add_stories(numbers: Iterable[int]) -> None:
        with SqliteLearningSet(workdir / "news.sqlite") as pages:
            for number in numbers:
                told = make_story(number)
                pages.add_page(Page(told.url, told.body), [(told.url, told.title)])

    return add_stories


def patterns(run: Callable[..., Any], *options: str) -> bytes:
    """Return the pattern file that the learning set gives."""
    assert run("analyze", "news.sqlite", "-o", "patterns.json", *options).status == 0
    return Path("patterns.json").read_bytes()


def table(path: Path) -> int:
    """Return how many readings a learning set has kept; -1 if it has no tables for them."""
    with closing(sqlite3.connect(path)) as db:
        if not db.execute(shelf_module.READINGS).fetchone():
            return -1
        return int(db.execute("SELECT COUNT(*) FROM read_page").fetchone()[0])


@pytest.mark.parametrize("options", [[], ["--linkinfo", ""], ["--classic"], ["--site", "host"]])
def test_only_new_and_changed_pages_are_read(
    run: Callable[..., Any], add: Any, read: list[str], make_story: Any, options: list[str]
) -> None:
    """After some pages were added and one has changed only these are read, and all are learned from."""
    add(range(20))
    patterns(run, *options)
    add(range(20, 23))
    with SqliteLearningSet("news.sqlite") as pages:
        pages.add_page(Page(make_story(5).url, make_story(99).body))
    read.clear()
    again = patterns(run, *options)
    assert sorted(read) == sorted(make_story(number).url for number in (20, 21, 22, 5))
    assert again == patterns(run, *options, "--no-cache")


def test_other_options_read_all_pages(run: Callable[..., Any], add: Any, read: list[str]) -> None:
    """Where another charset is asked for, nothing that is kept serves."""
    add(range(20))
    patterns(run)
    read.clear()
    patterns(run, "--encoding", "latin-1")
    assert len(read) == 20


def test_options_that_do_not_matter_read_nothing(run: Callable[..., Any], add: Any, read: list[str]) -> None:
    """Thresholds have no part in reading."""
    add(range(20))
    patterns(run)
    read.clear()
    patterns(run, "--cluster-threshold", ".4", "--samples", "10")
    assert read == []


def test_workers_keep_the_same(run: Callable[..., Any], add: Any, read: list[str]) -> None:
    """What other processes have read is kept as well."""
    add(range(20))
    first = patterns(run, "--workers", "2")
    assert patterns(run) == first
    assert read == []


def test_without_cache_the_file_stays_as_it_is(
    run: Callable[..., Any], add: Any, read: list[str], workdir: Path
) -> None:
    """With --no-cache nothing is kept, and nothing that was kept is used."""
    add(range(20))
    alone = patterns(run, "--no-cache")
    assert table(workdir / "news.sqlite") == -1
    assert patterns(run) == alone
    read.clear()
    assert patterns(run, "--no-cache") == alone
    assert (len(read), table(workdir / "news.sqlite")) == (20, 20)


def test_a_locked_learning_set_is_analysed(
    run: Callable[..., Any], add: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process writes, the patterns are learned; one line says that nothing is kept."""
    add(range(20))
    alone = patterns(run, "--no-cache")
    monkeypatch.setattr(shelf_module, "_PATIENCE", 0.01)
    with closing(sqlite3.connect("news.sqlite", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        done = run("analyze", "news.sqlite", "-o", "patterns.json")
    assert (done.status, Path("patterns.json").read_bytes()) == (0, alone)
    assert done.err.count("cannot be kept: database is locked") == 1
    assert table(Path("news.sqlite")) == -1
