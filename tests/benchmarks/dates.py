"""Compare the days of publication that we find with those that the sites' own sources say.

    python tests/benchmarks/dates.py [--pages 20] CORPUS...

A corpus is a folder with gold.jsonl, some of whose rows have a ``date``. Patterns are learned from 40 of
its pages. Each tool gets the same articles: at most so many of each corpus, drawn by a digest of their
urls. Prints for each tool the shares of articles whose day is right, off by a day (a server in another time
zone), wrong, and missing.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from htmldate import find_date
from turbohtml.extract import DateExtraction, dates

from scrapy_webstemmer import ExtractOptions, Page, PageError, PatternSet, extract, learn

#: Pages that are learned from.
_LEARNED = 40
_OPTIONS = ExtractOptions(date=True)
_OUTCOMES = ("right", "a day off", "wrong", "missing")

Tool = Callable[[Page, PatternSet], str | None]


def _ours(page: Page, patterns: PatternSet) -> str | None:
    try:
        article = extract(page, patterns, _OPTIONS)
    except PageError:
        return None
    return article.date if article else None


def _htmldate(page: Page, _: PatternSet) -> str | None:
    try:
        return find_date(page.body, url=page.url, original_date=True)
    except (ValueError, TypeError, AttributeError):  # what it makes of odd pages
        return None


def _turbohtml(page: Page, _: PatternSet) -> str | None:
    found = dates(page.body.decode("utf-8", "replace"), DateExtraction(original=True))
    return found.date if found else None


TOOLS: Mapping[str, Tool] = {"scrapy-webstemmer": _ours, "htmldate": _htmldate, "turbohtml": _turbohtml}


def outcomes(folder: Path, most: int) -> Iterator[tuple[str, str, str, str, str | None]]:
    """Yield for each article and tool the tool, the outcome, the url, the true day, and that of the tool."""
    rows = [json.loads(line) for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    known = [row for row in rows if row.get("date") and row.get("text")]
    if not known:
        return
    patterns = learn(page_of(folder, row) for row in rows[:_LEARNED])
    for row in sorted(known, key=lambda row: sha256(row["url"].encode()).digest())[:most]:
        page, day = page_of(folder, row), row["date"][:10]
        for name, tool in TOOLS.items():
            found = tool(page, patterns)
            yield name, _outcome(day, found), row["url"], day, found


def page_of(folder: Path, row: Mapping[str, Any]) -> Page:
    """Return the page of a row of gold.jsonl."""
    return Page(row["url"], (folder / row["file"]).read_bytes())


def _outcome(day: str, found: str | None) -> str:
    if not found:
        return "missing"
    days = abs((date.fromisoformat(day) - date.fromisoformat(found)).days)
    return "right" if days == 0 else "a day off" if days == 1 else "wrong"


def main() -> None:
    """Print the table, and with ``--debug`` what is not right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=20, help="at most so many articles of a corpus")
    parser.add_argument("--debug", action="store_true", help="print the articles whose day is not right")
    arguments = parser.parse_args()
    logging.disable(logging.ERROR)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    sites = 0
    for folder in arguments.corpora:
        before = sum(counts[next(iter(TOOLS))].values())
        for tool, outcome, *about in outcomes(folder, arguments.pages):
            counts[tool][outcome] += 1
            if arguments.debug and tool == "scrapy-webstemmer" and outcome != "right":
                print(folder.name, outcome, *about)
        sites += sum(counts[next(iter(TOOLS))].values()) > before
    print(f"{sum(counts[next(iter(TOOLS))].values()):,} articles of {sites} sites")
    print(f"| tool | {' | '.join(_OUTCOMES)} |\n| --- |{' --: |' * len(_OUTCOMES)}")
    for tool in TOOLS:
        found = counts[tool]
        shares = (f"{found[name] / max(1, found.total()):.3f}" for name in _OUTCOMES)
        print(f"| {tool} | {' | '.join(shares)} |")


if __name__ == "__main__":
    main()
