"""`scrapy learning-set`: what it shows and drops, and what it refuses."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlite_files import DAMAGES

from scrapy_webstemmer.storage import SqliteLearningSet, open_pages, pruning
from scrapy_webstemmer.storage.pruning import Pruning
from scrapy_webstemmer.values import Page

NOW = 1_795_305_600  # 2026-11-22T00:00:00Z
Run = Callable[..., Any]


@pytest.fixture
def file(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a learning set of two sites, pages.sqlite in the working folder; one page is ten days old."""
    monkeypatch.setattr("time.time", lambda: NOW)
    with SqliteLearningSet(workdir / "pages.sqlite") as pages:
        for number, day in enumerate((12, 20, 21)):
            url, when = f"https://news.example/{number}", f"2026-11-{day}T09:00:00+00:00"
            pages.add_page(
                Page(url, b"x" * 100, fetched=when), [("https://news.example/", "Home"), (url, url)]
            )
        pages.add_page(Page("https://shop.example/", b"", fetched=None))
    return workdir / "pages.sqlite"


def urls(path: Path) -> list[str]:
    with open_pages(path) as pages:
        return [page.url for page in pages]


def test_show(file: Path, run: Run) -> None:
    """Each site has a line with its pages, times, bytes and anchors; the last line has the totals."""
    done = run("learning-set", "show", "pages.sqlite")
    assert (done.status, done.err) == (0, "")
    with contextlib.closing(sqlite3.connect(file)) as db:
        size = sum(len(body) for (body,) in db.execute("SELECT body FROM page ORDER BY id LIMIT 3"))
    rows = [line.split() for line in done.out.splitlines()]
    times = ["2026-11-12T09:00:00", "2026-11-21T09:00:00"]
    assert rows == [
        ["site", "pages", "first", "last", "bytes", "anchors"],
        ["news.example", "3", *times, str(size), "4"],
        ["shop.example", "1", "-", "-", "8", "0"],
        ["all:", "2", "sites", "4", *times, str(size + 8), "4"],
    ]


def test_show_changes_nothing(file: Path, run: Run) -> None:
    """Showing leaves the file as it is, byte for byte, and makes no file beside it."""
    before = file.read_bytes()
    run("learning-set", "show", "pages.sqlite")
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_show_of_an_empty_set_and_of_several(file: Path, run: Run) -> None:
    """Each file has its own table, even one without pages."""
    SqliteLearningSet(file.with_name("empty.sqlite")).close()
    done = run("learning-set", "show", "empty.sqlite", "pages.sqlite")
    lines = done.out.splitlines()
    assert lines[1].split() == ["all:", "0", "sites", "0", "-", "-", "0", "0"]
    assert len(lines) == 6


def test_prune(file: Path, run: Run) -> None:
    """The newest pages stay, and what was dropped is said for each site and in all."""
    done = run("learning-set", "prune", "--pages", "2", "pages.sqlite")
    line = "news.example: 1 page dropped, 2 left\n"
    assert done == (0, line, "pages.sqlite: 1 page of 1 site dropped, 3 left\n")
    assert urls(file) == [f"https://{name}" for name in ("news.example/1", "news.example/2", "shop.example/")]
    done = run("learning-set", "prune", "--pages", "2", "pages.sqlite")
    assert done == (0, "", "pages.sqlite: no page is dropped\n")


def test_prune_by_age(file: Path, run: Run) -> None:
    """Pages older than so many days go; pages of unknown time stay."""
    run("learning-set", "prune", "--older-than", "10", "pages.sqlite")
    assert len(urls(file)) == 4
    done = run("learning-set", "prune", "--older-than", "9", "pages.sqlite")
    assert done.err == "pages.sqlite: 1 page of 1 site dropped, 3 left\n"
    assert "https://news.example/0" not in urls(file)


def test_a_dry_run_drops_nothing(file: Path, run: Run) -> None:
    """With --dry-run the same lines say what would be dropped."""
    done = run("learning-set", "prune", "--pages", "1", "--dry-run", "pages.sqlite")
    line = "news.example: 2 pages would be dropped, 1 left\n"
    assert done == (0, line, "pages.sqlite: 2 pages of 1 site would be dropped, 2 left\n")
    assert len(urls(file)) == 4


def test_one_site_only(file: Path, run: Run) -> None:
    """With --site, other sites keep all pages; an unknown site is an error."""
    done = run("learning-set", "prune", "--pages", "1", "--site", "shop.example", "pages.sqlite")
    assert done == (0, "", "pages.sqlite: no page is dropped\n")
    done = run("learning-set", "prune", "--pages", "1", "--site", "www.news.example", "pages.sqlite")
    assert (done.status, done.out) == (1, "")
    assert "has no page of the site www.news.example; `scrapy learning-set show` prints" in done.err
    assert len(urls(file)) == 4


@pytest.mark.parametrize("after", [0, 1])
def test_an_interrupt_says_what_stays_dropped(
    file: Path, run: Run, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Ctrl-C during prune gives the counts so far, and does not say that nothing was written."""
    drop, calls = pruning._SiteDropping.drop, 0

    def dropping(self: Any, pages: Any) -> int:
        nonlocal calls
        calls += 1
        if calls > after:
            raise KeyboardInterrupt
        return drop(self, pages)

    monkeypatch.setattr(pruning, "_DROP_AT_ONCE", 1)
    monkeypatch.setattr(pruning._SiteDropping, "drop", dropping)
    done = run("learning-set", "prune", "--pages", "1", "pages.sqlite")
    line, total = "news.example: 1 page dropped, 2 left\n", "pages.sqlite: 1 page of 1 site dropped, 3 left\n"
    said = (line, total) if after else ("", "")
    end = "interrupted: the pages that were dropped so far stay dropped\n"
    assert done == (130, said[0], said[1] + end)
    assert len(urls(file)) == 4 - after


@pytest.mark.parametrize("argv", [("show",), ("prune", "--pages", "1", "--dry-run")])
def test_an_interrupt_before_anything_is_written(
    file: Path, run: Run, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]
) -> None:
    """Ctrl-C during show or a dry run says that nothing was written, and the file is as it was."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SqliteLearningSet, "sites", interrupted)
    monkeypatch.setattr(Pruning, "in_parts", interrupted)
    done = run("learning-set", *argv, "pages.sqlite")
    assert done == (130, "", "interrupted: nothing was written\n")
    assert len(urls(file)) == 4


def test_the_file_becomes_smaller(file: Path, run: Run) -> None:
    """The space of dropped pages is given back."""
    with SqliteLearningSet(file) as pages:
        for number in range(50):
            body = bytes(range(256)) * number
            pages.add_page(Page(f"https://news.example/old/{number}", body, fetched="2026-11-01T09:00:00"))
    size = file.stat().st_size
    run("learning-set", "prune", "--pages", "2", "pages.sqlite")
    assert file.stat().st_size < size


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "say show or prune first"),
        (("dump", "pages.sqlite"), "dump: is neither show nor prune"),
        (("show",), "give at least one FILE"),
        (("show", "missing.sqlite"), "missing.sqlite: there is no such file"),
        (("show", "."), ".: is not a file"),
        (("show", "crawl.zip"), "crawl.zip: is not a SQLite learning set"),
        (("prune", "--pages", "5", "crawl.zip"), "crawl.zip: is not a SQLite learning set"),
        (("show", "--pages", "5", "pages.sqlite"), "--pages goes with prune only"),
        (("show", "--dry-run", "pages.sqlite"), "--dry-run goes with prune only"),
        (("prune", "pages.sqlite"), "say with --pages how many"),
        (("prune", "--pages", "0", "pages.sqlite"), "--pages: must be a whole number from 1 on"),
        (("prune", "--older-than", "-1", "pages.sqlite"), "--older-than: must be a whole number"),
        (("prune", "--pages", "many", "pages.sqlite"), "scrapy learning-set: error: argument --pages"),
        (("prune", "--pages", "1", "pages.sqlite", "missing.sqlite"), "there is no such file"),
        (("show", "--side", "a", "pages.sqlite"), "no such option: --side"),
    ],
)
def test_wrong_arguments(file: Path, crawl: Path, run: Run, argv: tuple[str, ...], message: str) -> None:
    """A wrong argument gives one line and status 2, and the file stays as it was."""
    before = file.read_bytes()
    done = run("learning-set", *argv)
    assert done.status == 2
    assert message in done.err + done.out
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", [name for name in DAMAGES if name not in ("empty", "no database")])
@pytest.mark.parametrize("argv", [("show",), ("prune", "--pages", "1")], ids=lambda argv: argv[0])
def test_damaged_files(workdir: Path, run: Run, name: str, argv: tuple[str, ...]) -> None:
    """A damaged file gives no error, or one line that names it, and status 1."""
    path = workdir / "pages.sqlite"
    with SqliteLearningSet(path) as pages:
        for number in range(40):
            page = Page(f"https://news.example/{number}", bytes(range(256)) * 9 + b"%d" % number, "utf-8")
            pages.add_page(page, [(page.url, "x" * 50)])
    DAMAGES[name](path)
    done = run("learning-set", *argv, "pages.sqlite")
    assert "Traceback" not in done.err
    if done.status:
        assert done.status == 1
        assert "error: pages.sqlite: " in done.err
