"""`scrapy html2txt`: files, file urls, standard input, charsets and unreadable files."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGE = "<html><head><title>Title</title></head><body><p>café 日本</p><p>two</p></body></html>"
TEXT = "Title\ncafé 日本\ntwo\n"


@pytest.fixture
def page(workdir: Path) -> Path:
    """Return a page, page.html in the working folder."""
    path = workdir / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_files_come_one_after_the_other(run: Callable[..., Any], page: Path) -> None:
    """Each file's text follows the one before."""
    page.with_name("b").write_text("<p>other", encoding="utf-8")
    done = run("html2txt", "page.html", "b", "page.html")
    assert done == (0, TEXT + "other\n" + TEXT, "")


@pytest.mark.parametrize("start", ["file://", "file://localhost", "FILE:"])
def test_urls_on_disk(run: Callable[..., Any], page: Path, start: str) -> None:
    """A file: url is read, and its percent-encoding is decoded."""
    path = page.rename(page.with_name("a b%?.html"))
    assert run("html2txt", start + path.as_uri().removeprefix("file://")) == (0, TEXT, "")


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input(run_process: Callable[..., Any], page: Path, arguments: list[str]) -> None:
    """Without a file, or with -, the page comes from standard input."""
    assert run_process("html2txt", *arguments, input=PAGE, cwd=page.parent) == (0, TEXT, "")


def test_standard_input_among_files(run: Callable[..., Any], page: Path, monkeypatch: Any) -> None:
    """Standard input is printed at its place among the files."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<p>piped"), encoding="ascii"))
    assert run("html2txt", "page.html", "-", "page.html").out == TEXT + "piped\n" + TEXT


def test_a_file_is_written_when_it_is_complete(run: Callable[..., Any], page: Path) -> None:
    """With -O the text goes only to the file, unchanged, even control characters."""
    page.write_text("<pre>a\x7fb\u202e</pre>", encoding="utf-8")
    assert run("html2txt", "page.html", "-O", "page.txt") == (0, "", "")
    assert page.with_name("page.txt").read_text(encoding="utf-8") == "a\x7fb\u202e\n"
    assert sorted(path.name for path in page.parent.iterdir()) == ["page.html", "page.txt"]


@pytest.mark.skipif(os.name != "posix", reason="terminals")
def test_a_terminal_gets_nothing_that_it_obeys(run_process: Callable[..., Any], page: Path) -> None:
    """Escapes in a page do not reach a terminal, but its letters and indentation do."""
    page.write_text("<pre>  a\x9b31mb\x7f\n\tc é日</pre>", encoding="utf-8")
    ours, theirs = os.openpty()
    try:
        done = run_process(
            "html2txt", "page.html", capture_output=False, stdout=theirs, stderr=-1, cwd=page.parent
        )
        assert done.status == 0, done  # reading would wait for ever if nothing was written
        assert os.read(ours, 1000).decode() == "  a31mb\r\n c é日\r\n"
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("option", ["-c", "--encoding"])
def test_charset_of_pages_that_declare_none(run: Callable[..., Any], page: Path, option: str) -> None:
    """The option's charset holds only for pages that declare none."""
    page.write_bytes("<p>日本".encode("euc-jp"))
    page.with_name("b").write_bytes("<meta charset=shift_jis><p>日本".encode("shift_jis"))
    assert run("html2txt", "page.html", "b", option, "euc-jp").out == "日本\n日本\n"
    assert run("html2txt", "page.html").out != "日本\n"


@pytest.mark.parametrize("option", ["-C", "--output-encoding"])
def test_charset_of_the_output(run: Callable[..., Any], page: Path, option: str) -> None:
    """The text is written in the charset; a character that it lacks becomes a question mark."""
    assert run("html2txt", "page.html", option, "latin-1", "-O", "a").status == 0
    assert page.with_name("a").read_bytes() == TEXT.replace("日本", "??").encode("latin-1")
    assert run("html2txt", "page.html", option, "shift_jis", "-O", "a").status == 0
    assert page.with_name("a").read_bytes() == TEXT.replace("é", "?").encode("shift_jis")


def test_charset_of_standard_output(run_process: Callable[..., Any], page: Path) -> None:
    """Standard output has the charset as well."""
    done = run_process("html2txt", "page.html", "-C", "utf-16-le", encoding="utf-16-le", cwd=page.parent)
    assert done.out == TEXT


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["page.html", "missing.html"], "missing.html: there is no such file"),
        (["file:///no/such/file"], "there is no such file"),
        (["file:a%00b"], "there is no such file"),
        (["file://elsewhere/a"], "not on this machine"),
        (["file://[/a"], "is not a url"),
        (
            ["http://a.example/?b&c"],
            "with `scrapy fetch --nolog 'http://a.example/?b&c' | scrapy html2txt`",
        ),
        (["HTTPS://a.example/"], "scrapy fetch --nolog"),
        (["ftp://a.example/"], "scrapy fetch --nolog"),
        (["-", "-"], "only once"),
        (["page.html", "-c", "no-such"], "--encoding no-such"),
        (["page.html", "-C", "no-such"], "--output-encoding no-such"),
        (["page.html", "-C", "base64"], "--output-encoding base64"),
        (["page.html", "-O", "page.html"], "is an input as well"),
        (["page.html", "-O", "no/such"], "there is no folder no"),
        (["page.html", "-x"], "no such option: -x"),
    ],
)
def test_a_wrong_argument_is_one_line_and_status_2(
    run: Callable[..., Any], page: Path, arguments: list[str], reason: str
) -> None:
    """The error is one line, before anything is printed or written."""
    done = run("html2txt", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("scrapy html2txt: error: ")
    assert reason in done.err
    assert done.err.count("\n") == 1
    assert list(page.parent.iterdir()) == [page]


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(run: Callable[..., Any], page: Path) -> None:
    """Pictures and folders are named, the pages after them are printed, and the status is 1."""
    page.with_name("picture.html").write_bytes(b"\x89PNG\r\n\x1a\n\x1b[31m")
    page.with_name("folder").mkdir()
    done = run("html2txt", "picture.html", "folder", "page.html")
    assert (done.status, done.out) == (1, TEXT)
    assert done.err == (
        "not read: picture.html: is a binary file, not HTML\nnot read: folder: Is a directory\n"
    )


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission(run: Callable[..., Any], page: Path) -> None:
    """A file without read permission is named."""
    page.with_name("locked").touch(mode=0)
    done = run("html2txt", "locked", "page.html")
    assert (done.status, done.out, done.err) == (1, TEXT, "not read: locked: Permission denied\n")


def test_a_file_that_is_too_large(run: Callable[..., Any], page: Path, monkeypatch: Any) -> None:
    """A file that is larger than a page may be is not read into memory."""
    monkeypatch.setattr("scrapy_webstemmer.storage.source.MAX_BODY", 10)
    done = run("html2txt", "page.html")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("not read: page.html: larger than ")


@pytest.mark.skipif(os.name != "posix", reason="pipes that close")
def test_a_reader_that_goes_away_gives_no_traceback(run_process: Callable[..., Any], page: Path) -> None:
    """``scrapy html2txt … | head`` ends without a message."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as stream:
        done = run_process(
            "html2txt", "page.html", capture_output=False, stdout=stream, stderr=-1, cwd=page.parent
        )
    assert (done.status, done.err) == (1, "")
