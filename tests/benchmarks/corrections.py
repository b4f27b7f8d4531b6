#!/usr/bin/env python3
"""Measure what one correction changes: leaving out the part with the most text that is in no article.

    corrections.py [--learned 100] [--pages 60] CORPUS...

A corpus is a folder with gold.jsonl. Half of its pages, by a digest of their urls, are learned from; so many
of the other half are read, and F1 is that of the words of each text. The part is found on the pages that are
learned from, with their gold texts, as a person would see it. Then the site is learned again, from the other
half without the pages that are read, and the correction is applied to the new patterns. A row for each site
whose F1 changes by .002 or more: F1 before, after, learned again without and with the correction.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from fields import halves, page_of

from scrapy_webstemmer import ExtractOptions, PageError, PatternSet, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.patterns.make_patterns import corrected, corrected_again
from scrapy_webstemmer.site.paths import is_under
from scrapy_webstemmer.values import Correction, Pattern

_PLAIN = ExtractOptions(html=False, sections=False, metadata=False)
#: A part is wrong if less than this share of its words is in the articles' gold texts.
_IN_GOLD = 0.3
#: F1 changes if it changes by this.
_CHANGE = 0.002

Row = Mapping[str, Any]


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


def worst_part(folder: Path, rows: Sequence[Row], patterns: PatternSet) -> Correction | None:
    """Return the correction that leaves out the part with the most text that is in no gold text."""
    found: Counter[tuple[str, str]] = Counter()
    all_of: Counter[tuple[str, str]] = Counter()
    for row in rows:
        result = explain(page_of(folder, row), patterns, _PLAIN)  # type: ignore[arg-type]
        if result.page is None or result.match is None or not result.match.pattern.container:
            continue
        gold, container = set(row["text"].split()), result.match.pattern.container
        for index in result.page.parts.main:
            path = result.page.placed.places[index]
            words = result.page.placed.layout.blocks[index].text.split()
            for part in _parts(path, container):
                all_of[container, part] += len(words)
                found[container, part] += sum(word not in gold for word in words)
    wrong = {key: n for key, n in found.items() if n > (1 - _IN_GOLD) * all_of[key]}
    if not wrong:
        return None
    container, path = max(wrong, key=lambda key: (wrong[key], len(key[1]), key))
    return Correction("leave out", path, container)


def _parts(path: str, container: str) -> Iterable[str]:
    """Yield the elements in a container that hold a block."""
    if is_under(path, container):
        while path != container:
            yield path
            path = path.rpartition("/")[0]


def measure(folder: Path, learned: int, pages: int) -> tuple[str, str, list[float]] | None:
    """Return a corpus, its correction, and the four means of F1; None: nothing is to be corrected."""
    logging.disable(logging.CRITICAL)
    first, second = halves(folder)
    tested = [row for row in second if row.get("text")][:pages]
    rest = [row for row in second if row not in tested][:learned]
    patterns = learn(page_of(folder, row) for row in first[:learned])
    one = worst_part(folder, [row for row in first[:learned] if row.get("text")], patterns)
    if one is None or not tested:
        return None
    name = next(name for name, site in patterns.sites.items() if any(_has(p, one) for p in site.patterns))
    new = PatternSet({**patterns.sites, name: corrected(patterns.sites[name], [one])[0]})
    again = learn(page_of(folder, row) for row in rest)
    kept = PatternSet(corrected_again(again.sites, new.sites))
    return folder.name, one.path, [mean_f1(folder, tested, one) for one in (patterns, new, again, kept)]


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
    print("| site | left out | before | after | learned again | and corrected |\n|---|---|--:|--:|--:|--:|")
    with Pool(2) as pool:
        tasks = [(folder, args.learned, args.pages) for folder in args.corpora]
        for row in filter(None, pool.starmap(measure, tasks, chunksize=1)):
            name, path, scores = row
            if abs(scores[1] - scores[0]) >= _CHANGE:
                print(f"| {name} | `{path}` | {' | '.join(f'{one:.3f}' for one in scores)} |")


if __name__ == "__main__":
    main()
