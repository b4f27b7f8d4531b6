"""Commands on damaged learning sets: they say what is lost, and do their work with the rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.pages import SqliteLearningSet
from scrapy_webstemmer.values import Page


@pytest.fixture
def learning_set(workdir: Path, make_story: Callable[[int], Any]) -> Path:
    """Return a learning set of forty stories whose second half is cut off."""
    path = workdir / "set.sqlite"
    with SqliteLearningSet(path) as pages:
        for number in range(40):
            pages.add_page(Page(make_story(number).url, make_story(number).body, "utf-8"))
    with path.open("r+b") as stream:
        stream.truncate(path.stat().st_size // 2)
    return path


def test_analyze_goes_on(learning_set: Path, run: Callable[..., Any]) -> None:
    """It says how many pages were read and how many were lost, names those it can, and learns."""
    done = run("analyze", learning_set.name, "-o", "patterns.json")
    assert done.status == 0
    assert "learned 1 pattern" in done.out
    assert "the file: damaged: database disk image is malformed; pages read: " in done.out
    assert Path("patterns.json").is_file()


def test_extract_goes_on(
    learning_set: Path, patterns: Path, run: Callable[..., Any], read_items: Any
) -> None:
    """Each page that is left gives its article."""
    done = run("extract", patterns.name, learning_set.name, "-O", "articles.jsonl")
    assert done.status == 0
    number = len(read_items(Path("articles.jsonl")))
    assert 2 < number < 40
    assert f"pages read: {number}, known to be lost: " in done.err


def test_limits_of_the_settings(crawl: Path, patterns: Path, run: Callable[..., Any]) -> None:
    """WEBSTEMMER_LIMITS holds for the commands; a page beyond is named, counted and passed over."""
    limits = 'WEBSTEMMER_LIMITS={"elements": 5}'
    done = run("extract", "patterns.json", "crawl.zip", "-s", limits)
    assert done.status == 0
    assert "20 pages: 0 matched, 0 unmatched, 20 unreadable" in done.err
    assert done.err.count("has more than 5 elements") == 20
    done = run("analyze", "crawl.zip", "-o", "none.json", "-s", limits)
    assert "could not be read: http://news.example/story/0.html" in done.out
    done = run("extract", "patterns.json", "crawl.zip", "-s", 'WEBSTEMMER_LIMITS={"element": 5}')
    assert done.status == 2
    assert "there is no option 'element'" in done.err


def test_a_fault_on_one_page_costs_that_page_alone(
    crawl: Path, patterns: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What we did not foresee is named and counted, and the other pages give their articles."""
    from scrapy_webstemmer import flow

    def failing(layout: Any, limits: Any) -> None:
        if layout.url.endswith("/1.html"):
            raise RuntimeError("a fault of ours")

    monkeypatch.setattr(flow, "check_layout", failing)
    done = run("extract", "patterns.json", "crawl.zip", "-O", "a.jsonl")
    assert done.status == 0
    assert "not read: http://news.example/story/1.html: RuntimeError: a fault of ours" in done.err
    assert "20 pages: 19 matched, 0 unmatched, 1 unreadable" in done.err


def test_names_that_a_terminal_would_obey(run: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """Escapes in names, urls, titles and texts reach neither the terminal nor the text output."""
    evil = "\x1b[2J\u202e\x07"
    pages = {
        f"http://news.example/{evil}/{n}": f"<title>{evil}</title><p>{evil} word &lt;b&gt;".encode()
        for n in "ab"
    }
    path = write_zip("evil.zip", pages)
    path.write_bytes(path.read_bytes().replace(b"word", b"wood", 1))  # so that a member is named as well
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
