"""`scrapy zip`: put the pages that a crawl has left into its zip."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_webstemmer.commands.zip import Command
from scrapy_webstemmer.storage import SqliteLearningSet, open_pages
from scrapy_webstemmer.storage import zip_crawl as module
from scrapy_webstemmer.values import Page

A, B = "http://example.com/a", "http://example.com/b"


@pytest.fixture
def left(workdir: Path) -> Path:
    """Return the file that a killed crawl has left, news.zip.sqlite in the working folder."""
    with SqliteLearningSet(workdir / "news.zip.sqlite") as pages:
        pages.add_page(Page(A, b"<p>a", fetched="2026-11-21T09:00:30+00:00"), [(B, "B")])
    return workdir / "news.zip.sqlite"


def run_zip(*names: str, **settings: Any) -> Command:
    """Run the command in this process, as `scrapy zip` does."""
    command = Command()
    command.settings = Settings({**Command.default_settings, **settings})
    command.run(list(names), argparse.Namespace())
    return command


def test_the_zip_is_made(left: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pages and linkinfo are in the zip, with the time of the crawl, and the SQLite file is gone."""
    assert run_zip("news.zip.sqlite").exitcode == 0
    assert capsys.readouterr() == ("", "news.zip: 1 page added, news.zip.sqlite removed\n")
    assert [path.name for path in left.parent.iterdir()] == ["news.zip"]
    with open_pages("news.zip") as pages:
        assert [(page.name, page.body) for page in pages] == [("202611210900/example.com/a", b"<p>a")]
        assert dict((pages.linkinfo() or {}).items()) == {B: {"B": 1}}


def test_a_zip_that_is_there_is_added_to(left: Path, write_zip: Callable[..., Path]) -> None:
    """Its pages stay; the settings give timestamp and linkinfo their names."""
    write_zip("news.zip", {A: b"old"})
    settings = {"WEBSTEMMER_TIMESTAMP": "monday", "WEBSTEMMER_LINKINFO": "links"}
    assert run_zip("news.zip.sqlite", **settings).exitcode == 0
    with open_pages("news.zip") as pages:
        assert [page.name for page in pages] == ["202611210900/example.com/a", "monday/example.com/a"]


def test_an_interrupt_between_two_files(
    left: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C the first zip is complete, the second file is as it was, and the message says so."""
    other = left.with_name("other.zip.sqlite")
    other.write_bytes(left.read_bytes())
    made = module.ZipCrawl

    def opened(path: Path, *rest: Any) -> module.ZipCrawl:
        if path.name == "other.zip":
            raise KeyboardInterrupt
        return made(path, *rest)

    monkeypatch.setattr(module, "ZipCrawl", opened)
    assert run_zip("news.zip.sqlite", other.name).exitcode == 130
    end = "interrupted: each zip is either complete or as it was\n"
    assert capsys.readouterr().err == f"news.zip: 1 page added, news.zip.sqlite removed\n{end}"
    assert sorted(path.name for path in left.parent.iterdir()) == ["news.zip", other.name]


def test_a_zip_that_cannot_be_written(left: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error is one line, with status 1, and the SQLite file stays."""
    left.with_suffix("").mkdir()
    assert run_zip("news.zip.sqlite").exitcode == 1
    assert capsys.readouterr().err == "error: news.zip: is not a file\n"
    assert left.is_file()


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ([], "give at least one"),
        (["news.sqlite"], "news.sqlite: is not called NAME.zip.sqlite"),
        (["other.zip.sqlite"], "other.zip.sqlite: there is no such file"),
    ],
)
def test_wrong_arguments(names: list[str], reason: str, left: Path) -> None:
    """Files that are not left by a crawl into a zip are refused before anything is done."""
    with pytest.raises(UsageError, match=reason):
        run_zip("news.zip.sqlite", *names) if names else run_zip()
    assert left.is_file()
