"""The advice in the warning that a site has changed names this crawl's files, and its commands work."""

from __future__ import annotations

import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from scrapy.settings import Settings

from scrapy_webstemmer.crawl.outcome import what_to_do
from scrapy_webstemmer.crawl.page_store import PageStore
from scrapy_webstemmer.crawl.settings import WebstemmerSettings

STORED = {"WEBSTEMMER_LEARNING_SET": "{folder}/%(spider)s's.sqlite"}
ONE = {"WEBSTEMMER_PATTERNS": "{folder}/%(spider)s.json"}


def words_of(folder: Path, values: dict[str, str]) -> list[str]:
    """Return what a crawl with these settings advises, in the words that a shell would see."""
    settings = Settings({name: value.replace("{folder}", str(folder)) for name, value in values.items()})
    crawler: Any = SimpleNamespace(settings=settings, spider=SimpleNamespace(name="news"), stats=None)
    options = WebstemmerSettings.from_settings(settings)
    store = PageStore.from_settings(crawler, options)
    advice = what_to_do(crawler, options, store)
    if store:
        store.close()
    before, command = advice.split(": ", 1)
    assert before == "Learn it anew"
    return [word.replace(str(folder), "{folder}") for word in shlex.split(command)]


def test_the_command_names_the_files_of_this_crawl(tmp_path: Path) -> None:
    """The spider's name is filled in, a name with a quote can be pasted, and no pattern file is replaced."""
    words = words_of(tmp_path, STORED | ONE)
    assert words[:5] == ["scrapy", "analyze", "{folder}/news's.sqlite", "-o", "{folder}/news's.new.json"]
    assert "WEBSTEMMER_PATTERNS," in words


def test_without_stored_pages_the_next_crawl_stores_them(tmp_path: Path) -> None:
    """Without a learning set, the advice begins with a crawl that has one."""
    words = words_of(tmp_path, ONE)
    assert words[:5] == ["crawl", "again", "with", "-s", "WEBSTEMMER_LEARNING_SET=news.sqlite,"]
    assert words[7:] == shlex.split(
        "scrapy analyze news.sqlite -o news.new.json (and add this file to WEBSTEMMER_PATTERNS, at the end)"
    )


def test_a_crawl_that_learns_needs_no_advice() -> None:
    """With WEBSTEMMER_LEARN there is nothing to do."""
    crawler: Any = SimpleNamespace(settings=Settings(), spider=None, stats=None)
    advice = what_to_do(crawler, WebstemmerSettings(learn=True), None)
    assert advice == "It is learned anew at the end of this crawl."
