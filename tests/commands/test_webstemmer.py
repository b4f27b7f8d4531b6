"""`scrapy webstemmer`: further commands under one name, each with its own options, help and errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.commands.webstemmer import COMMANDS, Command

Run = Callable[..., Any]
DOCS = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


@pytest.fixture(autouse=True)
def page(workdir: Path) -> None:
    """Write a page into the working folder."""
    (workdir / "page.html").write_text("<title>Harbour</title><p>A bridge opens", encoding="utf-8")


def test_alone_it_lists_the_commands(run: Run) -> None:
    """Each command has a line; the list is that of the docs."""
    done = run("webstemmer")
    assert (done.status, done.err) == (0, "")
    assert re.findall(r"^([\w-]+)  +\S", done.out, re.MULTILINE) == [*COMMANDS]
    assert f"$ scrapy webstemmer\n{done.out}```" in DOCS.read_text(encoding="utf-8")


def test_help_lists_the_commands(run: Run) -> None:
    """Its help names them as well, and a command's help has this command's options."""
    done = run("webstemmer", "--help")
    assert done.status == 0
    assert all(f"\n    {name}" in done.out for name in COMMANDS)
    done = run("webstemmer", "html2txt", "--help")
    assert done.out.splitlines()[2] == "  scrapy webstemmer html2txt [options] [FILE...] [-O FILE]"
    assert "--output-encoding NAME" in done.out


def test_a_command_gets_its_arguments(run: Run, workdir: Path) -> None:
    """Options and arguments in any order reach the command, Scrapy's own options too."""
    assert run("webstemmer", "html2txt", "page.html") == (0, "Harbour\nA bridge opens\n", "")
    arguments = ("page.html", "-O", "page.txt", "--pidfile", "page.pid", "page.html")
    assert run("webstemmer", "html2txt", *arguments) == (0, "", "")
    assert (workdir / "page.txt").read_text() == "Harbour\nA bridge opens\n" * 2
    assert (workdir / "page.pid").exists()


def test_the_status_is_that_of_the_command(run: Run, workdir: Path) -> None:
    """A failure of the command is one of ``scrapy webstemmer``."""
    (workdir / "page.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    assert run("webstemmer", "html2txt", "page.html").status == 1


@pytest.mark.parametrize(
    ("argv", "error"),
    [
        (["spell"], "scrapy webstemmer: error: argument NAME: invalid choice: 'spell' (choose from "),
        (["--days"], "scrapy webstemmer: error: no such option: --days"),
        (["urldb"], "scrapy webstemmer urldb: error: say show or prune first"),
        (["urldb", "--pages"], "scrapy webstemmer urldb: error: no such option: --pages"),
        (["urldb", "prune", "--days", "x"], "scrapy webstemmer urldb: error: argument --days: "),
        (["html2txt", "-s", "A", "page.html"], "scrapy webstemmer html2txt: error: Invalid -s value"),
    ],
)
def test_errors_name_the_command(run: Run, argv: list[str], error: str) -> None:
    """A wrong argument is an error in one line, which says whose it is."""
    done = run("webstemmer", *argv)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(error)
    assert done.err.count("\n") == 1


def test_errors_of_the_short_names_are_their_own(run: Run) -> None:
    """What is called without ``webstemmer`` is named so."""
    assert run("urldb").err == "scrapy urldb: error: say show or prune first\n"


def test_the_short_names_are_the_same_commands() -> None:
    """Each command is also one of ``scrapy`` itself, and the summary names them all."""
    ours = {point.name: point for point in entry_points(group="scrapy.commands")}
    assert {name: ours[name].load() for name in COMMANDS} == COMMANDS
    assert Command.summary.endswith(", ".join(COMMANDS))
