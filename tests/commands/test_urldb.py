"""`scrapy urldb`: what it shows and removes, and what it refuses."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

from scrapy_webstemmer.commands.urldb_command import Command
from scrapy_webstemmer.storage.urldb import ARTICLE, PAGE, UrlDb, url_digest

DOCS = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
NOW = 1_800_000_000  # 2027-01-15T08:00:00Z
DAY = 24 * 60 * 60
STORY, INDEX, OLD = (f"https://example.com/{name}" for name in ("story", "index", "old"))
LINES = {
    STORY: f"{url_digest(STORY).hex()} article 2027-01-15T07:00:00Z",
    INDEX: f"{url_digest(INDEX).hex()} page 2027-01-15T08:00:00Z",
    OLD: f"{url_digest(OLD).hex()} article 2026-12-16T07:59:59Z",
}

Run = Callable[..., Any]


@pytest.fixture
def file(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a URLDB of three urls, seen.sqlite in the working folder; one entry is 30 days old."""
    monkeypatch.setattr("time.time", lambda: NOW)
    with UrlDb(workdir / "seen.sqlite") as urldb:
        urldb.mark(url_digest(STORY), ARTICLE, NOW - 3600)
        urldb.mark(url_digest(INDEX), PAGE)
        urldb.mark(url_digest(OLD), ARTICLE, NOW - 30 * DAY - 1)
    return workdir / "seen.sqlite"


def in_order(*lines: str) -> str:
    """Return lines in the command's order, by their digests."""
    return "".join(line + "\n" for line in sorted(lines))


def test_show(file: Path, run: Run) -> None:
    """Each entry has a line with digest, kind and time; the totals go elsewhere."""
    done = run("urldb", "show", "seen.sqlite")
    assert done == (0, in_order(*LINES.values()), "seen.sqlite: 3 urls: 2 articles, 1 page\n")


def test_show_with_days(file: Path, run: Run) -> None:
    """With --days each line says whether pruning would leave the entry in or take it out."""
    done = run("urldb", "show", "--days", "30", "seen.sqlite")
    lines = [line + (" out" if url == OLD else " in") for url, line in LINES.items()]
    assert done == (0, in_order(*lines), "seen.sqlite: 3 urls: 2 articles, 1 page; 2 in, 1 out\n")


def test_show_one_url(file: Path, run: Run) -> None:
    """With --url the entry of that url is shown, in any spelling, or a message that there is none."""
    url = "HTTP://Example.com:80/story#top"
    assert run("urldb", "show", "seen.sqlite", "--url", url) == (0, LINES[STORY] + "\n", "")
    assert run("urldb", "show", "seen.sqlite", "--url", url, "--days", "1").out == LINES[STORY] + " in\n"
    done = run("urldb", "show", "--url", STORY + "2", "seen.sqlite")
    assert done == (0, "", f"seen.sqlite: has not seen {STORY}2\n")


def test_show_changes_nothing(file: Path, run: Run) -> None:
    """Showing leaves the file as it is, byte for byte."""
    before = file.read_bytes()
    run("urldb", "show", "--days", "1", "seen.sqlite")
    assert file.read_bytes() == before


def test_prune(file: Path, run: Run) -> None:
    """Entries that were not met for so many days are removed, all others stay, and the number is printed."""
    assert run("urldb", "prune", "--days", "31", "seen.sqlite").err == "seen.sqlite: 0 urls removed, 3 left\n"
    done = run("urldb", "prune", "--days", "30", "seen.sqlite")
    assert done == (0, "", "seen.sqlite: 1 url removed, 2 left\n")
    assert run("urldb", "show", "seen.sqlite").out == in_order(LINES[STORY], LINES[INDEX])


@pytest.mark.parametrize("flag", ["-v", "--verbose"])
def test_prune_names_what_it_removes(file: Path, run: Run, flag: str) -> None:
    """With -v each removed entry has a line."""
    done = run("urldb", "prune", flag, "--days", "30", "seen.sqlite")
    assert done.out == LINES[OLD] + " out\n"


def test_an_interrupt_says_what_stays_removed(file: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during prune does not say that nothing was written."""

    def interrupted(self: UrlDb) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(UrlDb, "give_space_back", interrupted)
    done = run("urldb", "prune", "--days", "30", "seen.sqlite")
    assert done == (130, "", "interrupted: the urls that were removed so far stay removed\n")
    with UrlDb(file, readonly=True) as urldb:
        assert urldb.find(url_digest(OLD)) is None


def test_days_beyond_all_time(file: Path, run: Run) -> None:
    """A number of days that goes back beyond all times removes nothing."""
    done = run("urldb", "prune", "--days", "9" * 30, "seen.sqlite")
    assert done.err == "seen.sqlite: 0 urls removed, 3 left\n"


def test_several_files(file: Path, run: Run) -> None:
    """Several files are done one after the other, each with its totals."""
    with UrlDb("other.sqlite") as urldb:
        urldb.mark(url_digest(OLD), PAGE, 0)
    done = run("urldb", "show", "other.sqlite", "seen.sqlite")
    first = f"{url_digest(OLD).hex()} page 1970-01-01T00:00:00Z\n"
    assert done.out == first + in_order(*LINES.values())
    done = run("urldb", "prune", "--days", "30", "other.sqlite", "seen.sqlite")
    assert done.err == "other.sqlite: 1 url removed, 0 left\nseen.sqlite: 1 url removed, 2 left\n"


def test_times_that_no_calendar_has(file: Path, run: Run) -> None:
    """An impossible time, in a damaged file, is shown as it is."""
    with UrlDb(file) as urldb:
        urldb.mark(url_digest(STORY), ARTICLE, 2**62)
    assert f"article @{2**62}\n" in run("urldb", "show", "seen.sqlite").out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "say show or prune first"),
        (("dump", "seen.sqlite"), "dump: is neither show nor prune"),
        (("show",), "give at least one FILE"),
        (("show", "missing.sqlite"), "missing.sqlite: there is no such file"),
        (("show", "."), ".: is not a file"),
        (("prune", "seen.sqlite"), "say with --days"),
        (("prune", "--days", "0", "seen.sqlite"), "--days: must be a whole number from 1 on"),
        (("show", "--days", "-3", "seen.sqlite"), "--days: must be a whole number from 1 on"),
        (("prune", "--days", "soon", "seen.sqlite"), "--days: must be a whole number from 1 on"),
        (("prune", "--days", "1", "--url", "u", "seen.sqlite"), "--url goes with show only"),
        (("prune", "--days", "1", "missing.sqlite", "seen.sqlite"), "missing.sqlite: there is no such file"),
        (("show", "--dais", "seen.sqlite"), "no such option: --dais"),
    ],
)
def test_wrong_arguments(file: Path, run: Run, argv: tuple[str, ...], message: str) -> None:
    """A wrong argument gives one line and status 2, and the file stays as it was."""
    before = file.read_bytes()
    done = run("urldb", *argv)
    assert done.status == 2
    assert message in done.err + done.out
    assert file.read_bytes() == before
    assert not Path("missing.sqlite").exists()


@pytest.mark.parametrize(
    ("argv", "content"),
    [
        (("show",), b""),
        (("prune", "--days", "1"), b""),
        (("show",), b"text" * 1000),
        (("prune", "--days", "1"), b"text" * 1000),
    ],
)
def test_other_files(file: Path, run: Run, argv: tuple[str, ...], content: bytes) -> None:
    """A file that is not a URLDB is named, and the other files stay as they are."""
    Path("other").write_bytes(content)
    done = run("urldb", *argv, "seen.sqlite", "other")
    assert (done.status, done.out) == (1, "")
    assert re.fullmatch(r"error: other: .*\n", done.err)
    assert ".recover" not in done.err  # it was never a SQLite file
    assert Path("other").read_bytes() == content
    with UrlDb(file) as urldb:
        assert urldb.count() == 3


def test_prune_while_a_crawl_writes(file: Path, run: Run) -> None:
    """Pruning does not touch what another process writes meanwhile."""
    code = (
        "import sys; from scrapy_webstemmer.storage.urldb import UrlDb, key_digest\n"
        "with UrlDb('seen.sqlite') as urldb:\n"
        "    for number in range(3000):\n"
        f"        urldb.mark(key_digest(str(number)), 'page', {NOW})\n"
        "        print(number, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert run("urldb", "prune", "--days", "30", "seen.sqlite").status == 0
        process.communicate()
        assert process.returncode == 0
    with UrlDb(file) as urldb:
        assert urldb.count() == 3002


def test_documented_options_are_those_of_the_code() -> None:
    """The table in docs/commands.md has exactly the options of the command."""

    def names(add_options: Callable[[Any], None]) -> set[str]:
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        add_options(parser)
        return {name for action in parser._actions for name in action.option_strings}

    command = Command()
    command.settings = Settings()
    own = names(command.add_options) - names(lambda parser: ScrapyCommand.add_options(command, parser))
    (section,) = re.findall(r"^## scrapy urldb\n(.*?)(?=^## )", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    rows = re.findall(r"^\| (`-.*?) \|", section, re.MULTILINE)
    assert {word for row in rows for word in re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", row)} == own
