"""The advice in the warning that a site has changed names this crawl's files, and its commands work."""

from __future__ import annotations

import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_webstemmer.crawl.outcome import what_to_do
from scrapy_webstemmer.crawl.page_store import PageStore
from scrapy_webstemmer.crawl.settings import WebstemmerSettings

STORED = {"WEBSTEMMER_LEARNING_SET": "{folder}/%(spider)s's.sqlite"}
ONE = {"WEBSTEMMER_PATTERNS": "{folder}/%(spider)s.json"}
AGAIN = ["crawl", "again", "with", "-s", "WEBSTEMMER_LEARNING_SET=news.sqlite"]


def words_of(folder: Path, values: dict[str, str], *, knows_all: bool = True) -> list[str]:
    """Return what a crawl with these settings advises, in the words that a shell would see."""
    settings = Settings({name: value.replace("{folder}", str(folder)) for name, value in values.items()})
    crawler: Any = SimpleNamespace(settings=settings, spider=SimpleNamespace(name="news"), stats=None)
    options = WebstemmerSettings.from_settings(settings)
    store = PageStore.from_settings(crawler, options)
    advice = what_to_do(crawler, options, store, knows_all=knows_all)
    if store:
        store.close()
    before, command = advice.split(": ", 1)
    assert before == "Learn it anew"
    return [word.replace(str(folder), "{folder}") for word in shlex.split(command)]


def test_the_command_names_the_files_of_this_crawl(tmp_path: Path) -> None:
    """The spider's name is filled in, and a name with a quote can be pasted."""
    assert words_of(tmp_path, STORED | ONE) == [
        "scrapy",
        "analyze",
        "{folder}/news's.sqlite",
        "-o",
        "{folder}/news.json",
    ]


@pytest.mark.parametrize(
    ("patterns", "knows_all"),
    [("{folder}/news.json", False), ("{folder}/a.json,{folder}/b.json", True), ("press:news.json", True)],
)
def test_patterns_that_must_stay_are_not_replaced(tmp_path: Path, patterns: str, *, knows_all: bool) -> None:
    """If a pattern file has other sites, too, or cannot be written, a new one is made."""
    words = words_of(tmp_path, STORED | {"WEBSTEMMER_PATTERNS": patterns}, knows_all=knows_all)
    assert words[2:5] == ["{folder}/news's.sqlite", "-o", "{folder}/news's.new.json"]
    assert "WEBSTEMMER_PATTERNS," in words


def test_without_stored_pages_one_more_crawl_learns(tmp_path: Path) -> None:
    """Without a learning set, the next crawl stores its pages and learns at its end, if it can."""
    assert words_of(tmp_path, ONE) == [*AGAIN, "-s", "WEBSTEMMER_LEARN=1"]
    words = words_of(tmp_path, {"WEBSTEMMER_PATTERNS": "press:news.json"})
    assert words[:5] == [*AGAIN[:4], "WEBSTEMMER_LEARNING_SET=news.sqlite,"]
    assert words[7:] == shlex.split(
        "scrapy analyze news.sqlite -o news.new.json (and add this file to WEBSTEMMER_PATTERNS, at the end)"
    )


def test_a_crawl_that_learns_needs_no_advice() -> None:
    """With WEBSTEMMER_LEARN there is nothing to do."""
    crawler: Any = SimpleNamespace(settings=Settings(), spider=None, stats=None)
    advice = what_to_do(crawler, WebstemmerSettings(learn=True), None, knows_all=False)
    assert advice == "It is learned anew at the end of this crawl."
