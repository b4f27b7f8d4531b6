"""Compare what we take from pages' statements with what the sites' own sources say.

    python tests/benchmarks/metadata.py [--pages 20] CORPUS...

A corpus is a folder with gold.jsonl, some of whose rows have a ``date``, ``authors``, ``lang`` or ``tags``.
Patterns are learned from 40 of its pages. Prints for each field the shares of articles on which it is right,
wrong, and missing. Letters, digits and their order count, for a language the part before the country.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from dates import page_of

from scrapy_webstemmer import ExtractOptions, PageError, extract, learn
from scrapy_webstemmer.values import Metadata

#: Pages that are learned from.
_LEARNED = 40
_OPTIONS = ExtractOptions(metadata=True, html=False, sections=False)
_FIELDS = {"date": "date_published", "authors": "authors", "lang": "language", "tags": "tags"}


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def _ours(found: Metadata, field: str) -> Any:
    if field == "authors":
        return [_plain(one.name) for one in found.authors]
    return _true(getattr(found, _FIELDS[field]) or "", field)


def _true(value: Any, field: str) -> Any:
    """Return a value of gold.jsonl in the form in which it is compared."""
    if field == "date":
        return value[: len("2014-05-06")]
    if field == "lang":
        return _plain(value).partition(" ")[0]
    return sorted(map(_plain, value)) if field == "tags" else [*map(_plain, value)]


def outcomes(folder: Path, most: int) -> Iterator[tuple[str, str]]:
    """Yield for each article and field the field and the outcome."""
    rows = [json.loads(line) for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    known = [row for row in rows if row.get("text") and any(row.get(field) for field in _FIELDS)]
    if not known:
        return
    patterns = learn(page_of(folder, row) for row in rows[:_LEARNED])
    for row in sorted(known, key=lambda row: sha256(row["url"].encode()).digest())[:most]:
        try:
            article = extract(page_of(folder, row), patterns, _OPTIONS)
        except PageError:
            continue
        if article is None or article.metadata is None:
            continue
        for field in filter(row.get, _FIELDS):
            ours = _ours(article.metadata, field)
            yield field, "missing" if not ours else "right" if ours == _true(row[field], field) else "wrong"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=20, help="at most so many articles of a corpus")
    arguments = parser.parse_args()
    logging.disable(logging.ERROR)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in arguments.corpora:
        for field, outcome in outcomes(folder, arguments.pages):
            counts[field][outcome] += 1
    print("| field | articles | right | wrong | missing |\n| --- | --: | --: | --: | --: |")
    for field, found in counts.items():
        shares = " | ".join(f"{found[name] / found.total():.2f}" for name in ("right", "wrong", "missing"))
        print(f"| {_FIELDS[field]} | {found.total():,} | {shares} |")


if __name__ == "__main__":
    main()
