"""`scrapy review`: its files, its server, and what changes if one pattern file takes the place of another."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from news_pages import article, articles, indexes

from scrapy_webstemmer import PatternSet, learn
from scrapy_webstemmer.commands.review import report
from scrapy_webstemmer.monitoring.differences import Difference, SiteChanges

HOST = "news.example.com"


@pytest.fixture
def crawl(workdir: Path, write_zip: Callable[..., Path]) -> Path:
    """Return the folder with a pattern file, patterns.json, and a crawl of other pages, crawl.zip."""
    learn([*articles(HOST, 40), *indexes(HOST, 10)]).save(workdir / "patterns.json")
    write_zip("crawl.zip", {page.url: page.body for page in articles(HOST, 30, first=500)})
    return workdir


def other(folder: Path, change: Callable[[Any], Any], name: str = "old.json") -> None:
    """Write a pattern file whose patterns of articles are changed."""
    patterns = PatternSet.load(folder / "patterns.json")
    sites = {
        key: replace(
            site, patterns=tuple(change(one) if one.kind == "article" else one for one in site.patterns)
        )
        for key, site in patterns.sites.items()
    }
    PatternSet(sites).save(folder / name)


def test_files(run: Callable[..., Any], crawl: Path) -> None:
    """All views are written, and link to each other; a folder that is there already is left alone."""
    done = run("review", "patterns.json", "crawl.zip", "--export", "out/review")
    assert (done.status, done.out) == (0, "")
    written = {path.name: path.read_text(encoding="utf-8") for path in Path("out/review").iterdir()}
    assert done.err.startswith(f"{len(written)} files written")
    linked = {name for html in written.values() for name in re.findall(r'(?:href|src)="([^"#:]+)["#]', html)}
    assert linked <= written.keys()
    assert written.keys() - linked <= {"index.html"}
    assert sum(name.startswith("page-") for name in written) == 30
    done = run("review", "patterns.json", "crawl.zip", "--export", "out/review")
    assert done.status == 1
    assert "File exists" in done.err


def test_files_of_what_changes(run: Callable[..., Any], crawl: Path) -> None:
    """With another pattern file, its changes are a view, and each page is there as before and as after."""
    other(crawl, lambda one: replace(one, container="body"))
    done = run("review", "patterns.json", "crawl.zip", "--before", "old.json", "--export", "out")
    assert (done.status, done.out) == (0, "")
    written = {path.name: path.read_text(encoding="utf-8") for path in Path("out").iterdir()}
    assert "What changes: the articles of 30 pages" in written["index.html"]
    (changes,) = (text for name, text in written.items() if name.startswith("changes-"))
    assert changes.count(">another text</bdi>") == 30
    assert changes.count(">before</a>") == changes.count(">after</a>") == 30
    assert sum(name.startswith("page-") for name in written) == 60
    assert {name for text in written.values() for name in re.findall(r'href="([^"#:]+)"', text)} <= {*written}


def test_a_port_in_use(run: Callable[..., Any], crawl: Path) -> None:
    """It is said in a line."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("review", "patterns.json", "crawl.zip", "--port", port, "--no-browser")
    assert done.status == 1
    assert f"--port {port}: " in done.err


def test_the_server_until_ctrl_c(crawl: Path) -> None:
    """It says where it is, answers there, and ends with status 0."""
    command = [sys.executable, "-m", "scrapy", "review", "patterns.json", "crawl.zip", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().split()[4]
        with urlopen(url) as answer:
            assert b"example.com" in answer.read()
        process.send_signal(signal.SIGINT)
        assert (process.wait(60), process.stderr.read()) == (0, "")


def test_the_same_patterns(run: Callable[..., Any], crawl: Path) -> None:
    """Nothing changes: a line a site, and the status is 0."""
    done = run("review", "patterns.json", "crawl.zip", "--before", "patterns.json", "--text")
    assert (done.status, done.err) == (0, "")
    assert done.out == "example.com: 30 pages, 30 articles before, 30 after: no change\n"


def test_another_text(run: Callable[..., Any], crawl: Path) -> None:
    """The pages that change most come first, with lines that go and come; the status is 1."""
    other(crawl, lambda one: replace(one, container="body"))
    done = run("review", "patterns.json", "crawl.zip", "--before", "old.json", "--text")
    assert done.status == 1
    lines = done.out.splitlines()
    assert lines[0] == "example.com: 30 pages, 30 articles before, 30 after: 30 got another text"
    assert len([line for line in lines if line.startswith("http://")]) == 20
    assert lines[-1] == "and 10 pages more (--debug shows all)"
    every = run(
        "review", "patterns.json", "crawl.zip", "--before", "old.json", "--text", "--debug"
    ).out.split("\n\n")
    assert len(every) == 31
    shares = [int(one.partition("text, ")[2].partition("%")[0]) for one in every[1:]]
    assert shares == sorted(shares, reverse=True)
    assert {line[:4] for one in every[1:] for line in one.splitlines()[2:]} == {"  - "}
    back = run("review", "old.json", "crawl.zip", "--before", "patterns.json", "--text").out
    assert {line[:4] for line in back.splitlines() if line[2:4] in ("+ ", "- ")} == {"  + "}


def test_the_lines_of_a_page() -> None:
    """Titles and texts are told apart; long lines are cut, and a mark shows that there are more."""
    site = SiteChanges()
    site.pages, site.articles = 2, [2, 2]
    site.differences = [
        Difference("http://a.example/1", "title", 0.0, 80, ("Old\x1b[2J", "New"), (), ()),
        Difference(
            "http://a.example/2", "text", 0.5, 9, ("A", "A"), ("one", "two " * 60, "three"), ("four",)
        ),
    ]
    lines = [*report({"a.example": site}, 1_000, every=False)]
    assert lines[0] == (
        "a.example: 2 pages, 2 articles before, 2 after: 1 got another text, 1 got another title"
    )
    assert lines[2:5] == ["http://a.example/2", "  got another text, 50% of it (9 characters)", "  - one"]
    assert lines[5].endswith("…")
    assert lines[6:8] == ["  - ...", "  + four"]
    assert lines[9:] == [
        "http://a.example/1",
        "  got another title (80 characters)",
        "  - title: Old[2J",
        "  + title: New",
    ]
    assert next(report({"": site}, 20, every=False)) == "(no site): 2 pages,…"


def test_lost_and_gained(run: Callable[..., Any], crawl: Path, workdir: Path) -> None:
    """A site that only one of the files knows: its articles are lost, or gained, which is no fault."""
    (workdir / "none.json").write_text(
        json.dumps(json.loads((workdir / "patterns.json").read_text()) | {"sites": []}), encoding="utf-8"
    )
    done = run("review", "none.json", "crawl.zip", "--before", "patterns.json", "--text")
    assert done.status == 1
    assert done.out.startswith("example.com: 30 pages, 30 articles before, 0 after: 30 lost their article\n")
    done = run("review", "patterns.json", "crawl.zip", "--before", "none.json", "--text", "--workers", "2")
    assert done.status == 0
    assert done.out.startswith("example.com: 30 pages, 0 articles before, 30 after: 30 got an article\n")


def test_what_cannot_be_read(run: Callable[..., Any], crawl: Path, write_zip: Callable[..., Path]) -> None:
    """A damaged page is named; if there is nothing else, that is an error."""
    good = article(HOST, 700)
    write_zip("some.zip", {good.url: good.body, f"http://{HOST}/x\x1b[2J.html": b"GIF89a\0\1"})
    done = run("review", "patterns.json", "some.zip", "--before", "patterns.json", "--text")
    assert done.status == 0
    assert "not read: " in done.err
    assert "\x1b" not in done.err + done.out
    write_zip("bad.zip", {f"http://{HOST}/x.html": b"GIF89a\0\1"})
    done = run("review", "patterns.json", "bad.zip", "--before", "patterns.json", "--text")
    assert done.status == 1
    assert "there is nothing to compare" in done.err
    write_zip("none.zip", {})
    done = run("review", "patterns.json", "none.zip", "--export", "out")
    assert (done.status, Path("out").exists()) == (1, False)
    assert "error: there is nothing to show: the inputs have no pages" in done.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["patterns.json", "crawl.zip", "--text"], "say with --before"),
        (
            ["patterns.json", "crawl.zip", "--before", "old.json", "--text", "--export", "x"],
            "exclude each other",
        ),
        (["patterns.json", "crawl.zip", "--port", "70000"], "from 0 to 65535"),
        (["patterns.json", "crawl.zip", "--export", "patterns.json/x"], "--export patterns.json/x: "),
        (["patterns.json", "missing.zip"], "missing.zip"),
        (["patterns.json", "--before", "patterns.json"], ""),
        (["patterns.json", "crawl.zip", "--before", "missing.json"], "missing.json"),
        (["patterns.json", "crawl.zip", "--before", "crawl.zip"], "crawl.zip"),
        (["patterns.json", "missing.zip", "--before", "patterns.json"], "missing.zip"),
    ],
)
def test_wrong_arguments(run: Callable[..., Any], crawl: Path, args: list[str], message: str) -> None:
    """Each gives one line that says what is wrong."""
    done = run("review", *args)
    assert done.status in (1, 2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
