"""Reading the inputs of a command, whatever they are, with a progress bar."""

from __future__ import annotations

import gzip
import io
import os
import shlex
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from news_pages import article, articles

from scrapy_webstemmer.commands.inputs import open_inputs, progress
from scrapy_webstemmer.storage import SqliteLearningSet


def test_progress_has_no_thread(tmp_path: Path) -> None:
    """While pages are read there is only one thread, so that worker processes can be forked."""
    pages = articles("press.example", 2, "press")
    with SqliteLearningSet(tmp_path / "set.sqlite") as learning_set:
        for page in pages:
            learning_set.add_page(page)
    before = threading.active_count()
    with open_inputs([str(tmp_path / "set.sqlite")]) as sources, progress(sources, "reading") as read:
        assert {page.url for page in read} == {page.url for page in pages}
        assert threading.active_count() == before


PAGE = article("press.example", 1).body


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input have some content."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize(
    "content", [gzip.compress(PAGE), PAGE.decode().encode("utf-16")], ids=["gzip", "UTF-16"]
)
@pytest.mark.parametrize("way", ["file", "folder", "standard input"])
def test_pages_in_another_coat(
    content: bytes, way: str, run: Callable[..., Any], workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compressed with gzip, or in UTF-16, a page is a page: in a folder, alone, and on standard input."""
    place = workdir / "news.example" / "a"
    place.parent.mkdir()
    place.write_bytes(content)
    pipe(monkeypatch, content)
    name = {"file": str(place), "folder": str(place.parent), "standard input": "-"}[way]
    done = run("extract", name)
    assert done.status == 0
    assert "1 article" in done.err
    assert done.out.count("\n") == 1


def test_a_damaged_gzip_file_costs_itself_alone(run: Callable[..., Any], workdir: Path) -> None:
    """In a folder it is named, and the others are read; alone it is an error."""
    (workdir / "a.html").write_bytes(PAGE)
    (workdir / "b.html").write_bytes(gzip.compress(PAGE)[:10] + b"x" * 40)
    done = run("extract", ".")
    assert done.status == 0
    assert "2 pages: 1 article (1 by the page alone), 1 unreadable" in done.err
    assert "b.html: damaged gzip file" in done.err
    assert run("extract", "b.html").err.startswith("error: b.html: damaged gzip file")


@pytest.mark.parametrize(
    "content", [b"", b"%PDF-1.4", gzip.compress(PAGE)[:10] + b"x" * 40], ids=["empty", "pdf", "gzip"]
)
def test_a_file_among_many_costs_itself_alone(content: bytes, run: Callable[..., Any], workdir: Path) -> None:
    """A file that is empty, binary or damaged is named and counted; others beside it are read."""
    (workdir / "a.html").write_bytes(PAGE)
    (workdir / "b.html").write_bytes(content)
    done = run("extract", "a.html", "b.html")
    assert done.status == 0
    assert "2 pages: 1 article (1 by the page alone), 1 unreadable" in done.err
    assert "b.html: " in done.err
    assert run("extract", "b.html").status == 1


@pytest.mark.parametrize("name", ["folder", "-", "noise.html", "noise.html other.html", "empty.zip"])
def test_inputs_without_a_page(
    name: str, run: Callable[..., Any], workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has no page, or none that can be read, is an error, and an earlier file stays as it is."""
    (workdir / "folder").mkdir()
    zipfile.ZipFile(workdir / "empty.zip", "w").close()
    for file in ("noise.html", "other.html"):
        (workdir / file).write_bytes(bytes(range(256)))
    pipe(monkeypatch, b"")
    (workdir / "articles.jsonl").write_text('{"url": "http://a.example/", "text": ""}\n')
    done = run("extract", *name.split(), "-O", "articles.jsonl")
    assert done.status == 1
    assert "error: nothing was read, and articles.jsonl was not written: " in done.err
    assert (workdir / "articles.jsonl").stat().st_size


@pytest.mark.parametrize(
    "content",
    [
        b"WARC/1.0\r\n",
        b'{"url": "http://a/"}\n',
        b"\n<urlset/>",
        b"<p>no head</p>",
        gzip.compress(PAGE)[:9] + b"x" * 40,
    ],
    ids=["WARC", "JSON", "XML", "HTML", "gzip"],
)
def test_standard_input_of_another_kind(
    content: bytes, run: Callable[..., Any], workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is neither a list nor a page is one error, and its lines are not taken for names of files."""
    pipe(monkeypatch, content)
    done = run("extract", "-")
    assert done.status == 1
    assert done.err.startswith("error: -: ")
    assert done.err.count("\n") == 1


def test_lists_with_a_mark_of_their_order(run_fork: Callable[..., Any], workdir: Path) -> None:
    """The mark with which some editors begin a file is no part of the first line."""
    (workdir / "a.html").write_bytes(PAGE)
    assert "1 article" in run_fork("extract", "-", stdin="\ufeffa.html\r\n").err
    (workdir / "urls.txt").write_bytes(b"\xef\xbb\xbfhttp://127.0.0.1:1/\r\n")
    assert "http://127.0.0.1:1/: " in run_fork("extract", "urls.txt").err
    (workdir / "urls.txt").write_bytes("http://127.0.0.1:1/\r\n".encode("utf-16"))
    assert "http://127.0.0.1:1/: " in run_fork("extract", "urls.txt").err


def test_names_that_begin_with_a_dash(run: Callable[..., Any], workdir: Path) -> None:
    """Behind two dashes, all arguments are names; before them an unknown option is one."""
    (workdir / "-x.html").write_bytes(PAGE)
    assert "1 article" in run("extract", "--", "-x.html").err
    assert run("extract", "-x.html").err == "scrapy extract: error: no such option: -x.html\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["analyze", "http://news.example/", "-o", "a.json"], "is not fetched here; `scrapy articles`"),
        (["extract", "feed.json"], "feed.json: is taken for the pattern file; give at least one INPUT"),
        (
            ["extract", "localhost:8701/a.html"],
            "a.html: there is no such file or folder; a url must begin with",
        ),
        (
            ["extract", "news.example/a.html"],
            "a.html: there is no such file or folder; a url must begin with",
        ),
        (["extract", "news.sqlite"], "news.sqlite: there is no such file or folder\n"),
        (["extract", "file:///tmp/a.html"], "; a file is named by its path, without file://\n"),
        (
            ["extract", "urls.txt"],
            "urls.txt, line 4: news.example/b: there is no such file; a url must begin",
        ),
    ],
)
def test_what_is_no_input_is_said(
    arguments: list[str], reason: str, run: Callable[..., Any], workdir: Path
) -> None:
    """A url where none is fetched, one without its beginning, and a pattern file alone are told apart."""
    (workdir / "urls.txt").write_text("# two\n\nhttp://news.example/a\nnews.example/b\n")
    (workdir / "feed.json").write_text('{"version": "https://jsonfeed.org/version/1.1"}')
    done = run(*arguments)
    assert done.status == 2
    assert reason in done.err


@pytest.mark.parametrize("content", ["www.news.example/a\n", "http://news.example/a\tA title\n"])
def test_a_list_without_a_url_is_told_how_urls_begin(
    content: str, run: Callable[..., Any], workdir: Path
) -> None:
    """What its name calls a list, and is none, gets a hint: urls may lack their beginning."""
    (workdir / "urls.txt").write_text(content)
    done = run("extract", "urls.txt")
    assert done.status == 1
    assert done.err.endswith("folder or page; in a list of urls, a url must begin with http:// or https://\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_not_waited_for(run_process: Callable[..., Any], workdir: Path) -> None:
    """It is refused before anything is read from it."""
    os.mkfifo(workdir / "pipe")
    done = run_process("extract", "pipe", timeout=30)
    assert (done.status, done.err) == (1, "error: pipe: is neither a file nor a folder\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes files")
@pytest.mark.parametrize("command", ["extract -", "html2txt"])
def test_standard_input_that_is_closed(command: str, workdir: Path) -> None:
    """It is as if it were empty: `scrapy extract` has no page, and html2txt no text."""
    line = f"{shlex.quote(sys.executable)} -m scrapy {command} <&-"
    done = subprocess.run(line, shell=True, cwd=workdir, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (int(command != "html2txt"), "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["html2txt", "a.html", "-O"],
        ["extract", "--explain", "a.html", "-O"],
        ["extract", "a.html", "--save-patterns"],
    ],
    ids=lambda command: f"{command[0]} {command[-1]}",
)
@pytest.mark.parametrize("name", ["set.sqlite", "other.db", "articles.jsonl"])
def test_no_output_destroys_a_file_of_another_kind(
    command: list[str], name: str, run: Callable[..., Any], workdir: Path
) -> None:
    """A learning set, or a file of articles, is not replaced by something else, whatever writes it."""
    for page in ("a.html", "b.html"):
        (workdir / page).write_bytes(PAGE)
    SqliteLearningSet(workdir / "set.sqlite").close()
    with closing(sqlite3.connect(workdir / "other.db")) as connection:
        connection.execute("CREATE TABLE other (one)")
    (workdir / "articles.jsonl").write_text('{"url": "http://a.example/", "text": ""}\n')
    before = (workdir / name).read_bytes()
    done = run(*command, name)
    if "--save-patterns" not in command or name != "other.db":  # it could have patterns
        assert done.status == 2
        assert "which is not to be overwritten: choose another name" in done.err
    assert (workdir / name).read_bytes() == before


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("first.html", PAGE, "is a page"),
        ("notes.txt", b"my notes", "is not a pattern file"),
        ("damaged.json", b"{", ""),
        ("empty.txt", b"", ""),
    ],
)
def test_patterns_replace_patterns_alone(
    name: str, content: bytes, reason: str, run: Callable[..., Any], workdir: Path
) -> None:
    """`scrapy analyze -o *.html`, with the name forgotten, leaves the first page as it is."""
    (workdir / name).write_bytes(content)
    (workdir / "a.html").write_bytes(PAGE)
    done = run("analyze", "a.html", "-o", name)
    assert done.status == (2 if reason else 0)
    assert f"{name}: {reason}" in done.err if reason else "overwritten" not in done.err
    assert ((workdir / name).read_bytes() == content) == bool(reason)


def test_a_page_with_gzip_as_text(run: Callable[..., Any], workdir: Path) -> None:
    """It is read as in the other commands."""
    (workdir / "a.html.gz").write_bytes(gzip.compress(b"<title>Fair</title><p>Books"))
    assert run("html2txt", "a.html.gz") == (0, "Fair\nBooks\n", "")
