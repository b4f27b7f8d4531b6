"""The split into a learning and a later crawl, and the scores, by which corpora are measured."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

#: The folder of split.py and score.py.
EVALKIT = Path(__file__).resolve().parents[3] / "shared" / "evalkit"


class Evalkit:
    """The split and the score of evaluate.py, from the folder that holds them."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        self._split: Any = importlib.import_module("split")
        self._score: Any = importlib.import_module("score")

    def remember(self) -> None:
        """Keep what two texts have in common, because many runs give the same texts."""
        self._score.shingles = lru_cache(maxsize=2_000)(self._score.shingles)
        self._score.overlap = lru_cache(maxsize=20_000)(self._score.overlap)

    def halves(self, corpus: Path, folder: Path, learn: int, test: int) -> tuple[list[str], list[str]]:
        """Return the urls of the learning crawl and of the later one."""
        self._split.main([str(corpus), str(folder), str(learn), str(test)])
        rows = [json.loads(line) for line in (folder / "urls.jsonl").open(encoding="utf-8")]
        first, second = ([row["url"] for row in rows if row["set"] == half] for half in ("learn", "test"))
        return first, second

    def anchors(self, url: str, body: bytes) -> Iterator[tuple[str, str]]:
        """Yield the targets and texts of a page's anchors, as the linkinfo of the split has them."""
        found: Iterator[tuple[str, str]] = self._split.anchors(url, body)
        return found

    def score(self, corpus: Path, predictions: Path) -> dict[str, Any]:
        """Return articles, precision, recall, f1, title and false of the predictions, and ``lost``."""
        result: dict[str, Any] = self._score.score(corpus, predictions)
        return {**result, "lost": self.lost(corpus, predictions)}

    def lost(self, corpus: Path, predictions: Path) -> float | None:
        """Return the share of articles for which no text is predicted; None if no predicted page is one."""
        articles = self.articles(corpus)
        with predictions.open(encoding="utf-8") as lines:
            texts = {row["url"]: row.get("text") for row in map(json.loads, lines)}
        lost = [not text for url, text in texts.items() if url in articles]
        return fmean(lost) if lost else None

    def articles(self, corpus: Path) -> frozenset[str]:
        """Return the urls of a corpus' articles with a known text."""
        with (corpus / "gold.jsonl").open(encoding="utf-8") as lines:
            rows = {row["url"]: row for row in map(json.loads, lines)}
        return frozenset(url for url, row in rows.items() if self.usable(row))

    def usable(self, gold: dict[str, Any]) -> bool:
        """Return whether a row of gold.jsonl is an article with a known text."""
        found: bool = self._score.usable(gold)
        return found

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text, or its characters in scripts without spaces."""
        found: list[str] = self._score.tokens(text)
        return found

    def judge(self, gold: dict[str, Any], text: str) -> tuple[bool, float | None]:
        """Return whether the gold says what the page is, and the text's F1; None if it is not an article."""
        if self._score.usable(gold):
            precision, recall = (share or 0.0 for share in self._score.overlap(gold["text"], text))
            total = precision + recall
            return True, 2 * precision * recall / total if total else 0.0
        other = gold.get("kind", "other") not in self._score.UNJUDGED
        return not gold.get("is_article") and other, None

    def same_title(self, gold: dict[str, Any], title: str) -> bool:
        """Return whether a title is that of a row of gold.jsonl but for case, punctuation, white space."""
        same: bool = self._score.fold(gold.get("title") or "") == self._score.fold(title)
        return same

    def show(self, value: float | None) -> str:
        """Return a number as a cell of a table."""
        cell: str = self._score.show(value)
        return cell
