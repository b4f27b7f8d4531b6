#!/usr/bin/env python3
"""Measure what one correction changes: leaving out a part that is no text, or keeping one that is.

    corrections.py [--learned 100] [--pages 60] CORPUS...

A corpus is a folder with gold.jsonl. Half of its pages, by a digest of their urls, are learned from; so many
of the other half are read, and F1 is that of the words of each text. The part is found on the pages that are
learned from, with their gold texts, as a person would see it: the one with the most text that is in no
article, or that articles lack. Then the site is learned again, from the other half without the pages that are
read, and the correction is applied to the new patterns. A row for each correction that changes F1 by .002 or
more: F1 before, after, learned again without and with the correction.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from fields import halves, page_of

from scrapy_webstemmer import ExtractOptions, PageError, PatternSet, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.patterns.corrections import corrected_again
from scrapy_webstemmer.site.paths import above, is_under
from scrapy_webstemmer.values import Correction, Pattern

_PLAIN = ExtractOptions(html=False, sections=False, metadata=False)
#: A part is wrong if less than this share of its words is in the articles' gold texts.
_IN_GOLD = 0.3
#: F1 changes if it changes by this.
_CHANGE = 0.002

Row = Mapping[str, Any]
#: Numbers of words, by container and part.
Words = Counter[tuple[str, str]]


def f1_of(found: str, true: str) -> float:
    """Return the F1 of the words of a text."""
    ours, gold = Counter(found.split()), Counter(true.split())
    both = (ours & gold).total()
    return 2 * both / (ours.total() + gold.total()) if both else 0.0


def mean_f1(folder: Path, rows: Iterable[Row], patterns: PatternSet) -> float:
    """Return the mean F1 of the articles; a missing one has 0."""
    scores = []
    for row in rows:
        try:
            article = extract(page_of(folder, row), patterns, _PLAIN)  # type: ignore[arg-type]
        except PageError:
            article = None
        scores.append(f1_of(article.text if article else "", row["text"]))
    return fmean(scores)


def wrong_parts(folder: Path, rows: Sequence[Row], patterns: PatternSet) -> list[Correction]:
    """Return the corrections that leave out and that keep a part: those that concern most words."""
    words: dict[str, tuple[Words, Words]] = {what: (Counter(), Counter()) for what in ("leave out", "keep")}
    for row in rows:
        result = explain(page_of(folder, row), patterns, _PLAIN)  # type: ignore[arg-type]
        if result.page is None or result.match is None or not result.match.pattern.container:
            continue
        gold, container = set(row["text"].split()), result.match.pattern.container
        placed, title = result.page.placed, result.page.parts.title
        for index, (block, path) in enumerate(zip(placed.layout.blocks, placed.places, strict=True)):
            what = "leave out" if index in result.page.parts.main else "keep"
            if what == "keep" and (placed.boilerplate[index] or block.text in title):
                continue
            every, wrong = words[what]
            own = block.text.split()
            for part in (path, *above(path)):
                if part != container and (what == "keep" or is_under(part, container)):
                    every[container, part] += len(own)
                    wrong[container, part] += sum((word in gold) == (what == "keep") for word in own)
    found = []
    for what, (every, wrong) in words.items():
        sure = {key: n for key, n in wrong.items() if n > (1 - _IN_GOLD) * every[key] and not _holds(*key)}
        if sure:
            container, path = max(sure, key=lambda key: (sure[key], len(key[1]), key))
            found.append(Correction(what, path, container))
    return found


def _holds(container: str, path: str) -> bool:
    """Return whether a part holds the container."""
    return is_under(container, path)


def measure(folder: Path, learned: int, pages: int) -> list[tuple[str, Correction, list[float]]]:
    """Return a corpus, each correction, and the four means of F1."""
    logging.disable(logging.CRITICAL)
    first, second = halves(folder)
    tested = [row for row in second if row.get("text")][:pages]
    rest = [row for row in second if row not in tested][:learned]
    if not tested:
        return []
    patterns = learn(page_of(folder, row) for row in first[:learned])
    found = wrong_parts(folder, [row for row in first[:learned] if row.get("text")], patterns)
    again = learn(page_of(folder, row) for row in rest) if found else patterns
    rows = []
    for one in found:
        sites = patterns.sites.items()
        name = next((name for name, site in sites if any(_has(p, one) for p in site.patterns)), None)
        if name is None:  # few pages are known, and this one was read by its own evidence
            continue
        new = PatternSet({**patterns.sites, name: replace(patterns.sites[name], corrections=(one,))})
        kept = PatternSet(corrected_again(again.sites, new.sites))
        scores = [mean_f1(folder, tested, each) for each in (patterns, new, again, kept)]
        rows.append((folder.name, one, scores))
    return rows


def _measured(task: tuple[Path, int, int]) -> list[tuple[str, Correction, list[float]]]:
    return measure(*task)


def _has(pattern: Pattern, one: Correction) -> bool:
    return pattern.container == one.container


def main() -> None:
    """Print a row for each site that changes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--learned", type=int, default=100)
    parser.add_argument("--pages", type=int, default=60)
    args = parser.parse_args()
    print("| site | correction | before | after | learned again | and corrected |\n|---|---|--:|--:|--:|--:|")
    with Pool(2) as pool:
        tasks = [(folder, args.learned, args.pages) for folder in args.corpora]
        for rows in pool.imap(_measured, tasks):
            for name, one, scores in rows:
                if abs(scores[1] - scores[0]) >= _CHANGE:
                    figures = " | ".join(f"{score:.3f}" for score in scores)
                    print(f"| {name} | {one.what} `{one.path}` | {figures} |", flush=True)


if __name__ == "__main__":
    main()
