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
    assert f"pages read: {number}, lost: " in done.err


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
