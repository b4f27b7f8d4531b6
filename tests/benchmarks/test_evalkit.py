"""What the benchmarks add to the scores of score.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from evalkit import Evalkit

GOLD = [
    {"url": "http://a.example/1", "is_article": True, "text": "one"},
    {"url": "http://a.example/2", "is_article": True, "text": "two"},
    {"url": "http://a.example/3", "is_article": True, "text": ""},
    {"url": "http://a.example/", "is_article": False, "text": ""},
]


@pytest.fixture
def evalkit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Evalkit:
    """Return the kit with a short score.py: an article with a text is usable, and all F1 are 1."""
    usable = {"usable": lambda row: row["is_article"] and bool(row["text"])}
    monkeypatch.setitem(sys.modules, "split", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "score", SimpleNamespace(score=lambda *_: {"f1": 1.0}, **usable))
    monkeypatch.setattr(sys, "path", [*sys.path])
    return Evalkit(tmp_path)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a corpus with two usable articles, one without a text, and a list."""
    return lines(tmp_path / "gold.jsonl", GOLD).parent


def lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write a row a line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_articles_have_a_known_text(evalkit: Evalkit, corpus: Path) -> None:
    """Articles are the pages that score.py can use."""
    assert evalkit.articles(corpus) == {"http://a.example/1", "http://a.example/2"}


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        ({"1": "one", "2": "wrong", "3": ""}, 0.0),
        ({"1": "one", "2": "", "": "a list"}, 0.5),
        ({"1": ""}, 1.0),
        ({"3": "", "": ""}, None),
    ],
)
def test_an_article_without_any_text_is_lost(
    evalkit: Evalkit, corpus: Path, tmp_path: Path, texts: Mapping[str, str], share: float | None
) -> None:
    """Only usable articles among the predicted pages count, and a wrong text is not a lost article."""
    rows = [{"url": f"http://a.example/{page}", "title": "T", "text": text} for page, text in texts.items()]
    predictions = lines(tmp_path / "predictions.jsonl", rows)
    assert evalkit.lost(corpus, predictions) == share
    assert evalkit.score(corpus, predictions) == {"f1": 1.0, "lost": share}
