"""The split into a learning and a later crawl, and the scores, that corpora are measured by."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

#: Where split.py and score.py are.
EVALKIT = Path(__file__).resolve().parents[3] / "shared" / "evalkit"


class Evalkit:
    """The split and the score of evaluate.py, from the folder that holds them."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        self._split, self._score = importlib.import_module("split"), importlib.import_module("score")

    def halves(self, corpus: Path, folder: Path, learn: int, test: int) -> tuple[list[str], list[str]]:
        """Return the urls of the learning crawl and of the later one."""
        self._split.main([str(corpus), str(folder), str(learn), str(test)])
        rows = [json.loads(line) for line in (folder / "urls.jsonl").open(encoding="utf-8")]
        first, second = ([row["url"] for row in rows if row["set"] == half] for half in ("learn", "test"))
        return first, second

    def score(self, corpus: Path, predictions: Path) -> dict[str, Any]:
        """Return articles, precision, recall, f1, title and false of the predictions."""
        result: dict[str, Any] = self._score.score(corpus, predictions)
        return result

    def show(self, value: float | None) -> str:
        """Return a number as a cell."""
        cell: str = self._score.show(value)
        return cell
