"""Generic extractors: results are kept, and a tool that fails gives nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import generic_tools
import pytest
from corpora import Corpus, Prediction

from scrapy_webstemmer.values import Page

PAGES = {url: Page(url, body) for url, body in (("http://a.example/1", b"one"), ("http://a.example/2", b""))}


class Judge:
    """Replaces score.py."""

    def score(self, folder: Path, predictions: Path) -> list[str]:
        """Return the texts of the call."""
        return [json.loads(line)["text"] for line in predictions.read_text(encoding="utf-8").splitlines()]


def tool(page: Page) -> Prediction:
    """Return the whole page as the text, and fail on an empty page."""
    if not page.body:
        raise ValueError("empty")
    return Prediction("", page.body.decode())


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Return a corpus of two pages; the tool has version 1."""
    monkeypatch.setattr(generic_tools, "TOOLS", {"tool": tool})
    monkeypatch.setattr(generic_tools, "version", {"tool": "1"}.__getitem__)
    return Corpus(tmp_path, tmp_path, [], PAGES, Judge())  # type: ignore[arg-type]


def test_a_tool_that_raises_gives_no_article(corpus: Corpus) -> None:
    """An error on one page does not change the result of the others."""
    assert generic_tools.score_tool("tool", corpus) == ["one", ""]


def test_what_a_tool_gave_is_used_again(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same version of a tool runs only once on the same pages; another version runs again."""
    generic_tools.score_tool("tool", corpus)
    other: Any = {"tool": lambda page: Prediction("", "other")}
    monkeypatch.setattr(generic_tools, "TOOLS", other)
    assert generic_tools.score_tool("tool", corpus) == ["one", ""]
    monkeypatch.setattr(generic_tools, "version", {"tool": "2"}.__getitem__)
    assert generic_tools.score_tool("tool", corpus) == ["other", "other"]
