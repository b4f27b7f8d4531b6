"""Commands on damaged files and pages, and on names with escapes that a terminal would obey."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlite_files import DAMAGES

from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.values import Page


@pytest.fixture
def learning_set(workdir: Path, make_story: Callable[[int], Any]) -> Path:
    """Return a learning set of forty stories."""
    path = workdir / "set.sqlite"
    with SqliteLearningSet(path) as pages:
        for number in range(40):
            pages.add_page(Page(make_story(number).url, make_story(number).body, "utf-8"))
    return path


DAMAGED = pytest.mark.parametrize("name", ["header", "list of tables", "page in the middle", "cut off"])


def is_one_line_that_says_what_to_do(err: str) -> bool:
    """Return whether a command prints just one line about the damaged learning set, with advice."""
    advice = "; to save what is left: sqlite3 set.sqlite .recover | sqlite3 NEW\n"
    return err.startswith("error: set.sqlite: ") and err.endswith(advice) and err.count("\n") == 1


@DAMAGED
def test_analyze_says_what_to_do(learning_set: Path, patterns: Path, run: Any, name: str) -> None:
    """A damaged learning set gives one line and status 1, and an existing pattern file stays as it was."""
    before = patterns.read_bytes()
    DAMAGES[name](learning_set)
    done = run("analyze", "crawl.zip", learning_set.name, "-o", patterns.name)
    assert (done.status, done.out) == (1, "")
    assert is_one_line_that_says_what_to_do(done.err)
    assert patterns.read_bytes() == before


@DAMAGED
def test_extract_says_what_to_do(learning_set: Path, patterns: Path, run: Any, name: str) -> None:
    """A damaged learning set gives one line and status 1, and no articles are written."""
    DAMAGES[name](learning_set)
    done = run("extract", patterns.name, "crawl.zip", learning_set.name, "-O", "articles.jsonl")
    assert (done.status, done.out) == (1, "")
    assert is_one_line_that_says_what_to_do(done.err)
    assert not Path("articles.jsonl").exists()


def test_limits_of_the_settings(crawl: Path, patterns: Path, run: Callable[..., Any]) -> None:
    """WEBSTEMMER_LIMITS holds for the commands; a page beyond a limit is named, counted and skipped."""
    limits = 'WEBSTEMMER_LIMITS={"elements": 5}'
    done = run("extract", "patterns.json", "crawl.zip", "-s", limits)
    assert done.status == 1
    assert "error: nothing was read: 20 pages could not be read" in done.err
    assert done.err.count("has more than 5 elements") == 20
    done = run("analyze", "crawl.zip", "-o", "none.json", "-s", limits)
    assert "could not be read, such as\n          http://news.example/story/0.html\n" in done.out
    done = run("extract", "patterns.json", "crawl.zip", "-s", 'WEBSTEMMER_LIMITS={"element": 5}')
    assert done.status == 2
    assert "there is no option 'element'" in done.err


def test_a_fault_on_one_page_costs_that_page_alone(
    crawl: Path, patterns: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unexpected error is named and counted, and the other pages give their articles."""

    def failing(layout: Any, *_: Any) -> None:
        if layout.url.endswith("/1.html"):
            raise RuntimeError("a fault of ours")

    monkeypatch.setattr("scrapy_webstemmer.page.sources.check_layout", failing)
    done = run("extract", "patterns.json", "crawl.zip", "-O", "a.jsonl")
    assert done.status == 0
    assert "not read: http://news.example/story/1.html: RuntimeError: a fault of ours" in done.err
    assert "20 pages: 19 articles, 1 unreadable" in done.err


def test_names_that_a_terminal_would_obey(run: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """Escapes in names, urls, titles and texts reach neither the terminal nor the text output."""
    evil = "\x1b[2J\u202e\x07"
    pages = {
        f"http://news.example/{evil}/{n}": f"<title>{evil}</title><p>{evil} word &lt;b&gt;".encode()
        for n in "ab"
    }
    path = write_zip("evil.zip", pages)
    path.write_bytes(path.read_bytes().replace(b"word", b"wood", 1))  # a damaged member is named, too
    for command in (
        ["extract", "patterns.json", "evil.zip", "--format", "text", "--fallback", "-d"],
        ["analyze", "evil.zip", "-o", "p.json", "-d"],
        ["extract", "patterns.json", "evil.zip", "-s", 'WEBSTEMMER_LIMITS={"page_size": 5}'],
    ):
        done = run(*command)
        assert done.out or done.err
        for char in evil.replace("[2J", ""):
            assert char not in done.err
            assert char not in done.out.replace("\u202e", "")
