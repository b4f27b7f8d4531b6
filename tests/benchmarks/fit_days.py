#!/usr/bin/env python3
"""Fit the weights that tell the day of publication among the days that a page states and shows.

    fit_days.py [--write] PAGES CORPUS...

PAGES is a folder as for single_pages.py, CORPUS one as for fields.py. Four pages of each corpus are read, as
they are and without what they state to programs; sites that are kept aside (aside.py) have no part in it. All
pages are read alone. All sites weigh alike.

The model is a choice between the days of a page and none of them (conditional logit): the odds of a day are e
to the sum of the weights of its evidence, those of none are 1. Prints how many pages have the right day and a
wrong one, of two halves of the sites, by weights that were fitted on the first half; then the weights from
both.

--write writes these into the package.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from aside import is_aside
from fields import bare, digest_of, is_shown

from scrapy_webstemmer import ExtractOptions, Page, PageError
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.extraction.make_article import fields_of
from scrapy_webstemmer.extraction.page_steps import read_alone
from scrapy_webstemmer.fields import publication
from scrapy_webstemmer.page.days import day_in_url
from scrapy_webstemmer.page.sources import read_layout
from scrapy_webstemmer.site.main_text import supplementary_blocks

#: So many pages of a corpus.
_PAGES = 4
#: The penalty of large weights; the steps of the fit, and their size at the beginning and at the end.
_PENALTY, _STEPS, _STEP, _LAST_STEP = 0.5, 300, 0.05, 0.01
_DAY = len("2014-05-06")

Evidence = Mapping[str, frozenset[str]]


class Example(NamedTuple):
    """A page's days with their evidence, and the day of its publication."""

    site: str
    kind: str
    day: str
    evidence: Evidence

    @property
    def is_first(self) -> bool:
        """Whether its site is in the first half."""
        return not sha256(self.site.encode()).digest()[0] % 2


def evidence_of(page: Page) -> Evidence:
    """Return the evidence of the days of a page that is read alone; none if it has no article."""
    options = ExtractOptions(html=False, metadata=False)
    try:
        layout = finish(read_layout(page, None, options.limits))
    except PageError:
        return {}
    read = finish(read_alone(layout, options)).page
    if read is None:
        return {}
    place, main = read.parts.place, read.parts.main
    sub = supplementary_blocks(read.placed, read.match.pattern, main, read.parts.title, place)
    fields = fields_of(read, None, sub)
    return publication.evidence_by_day(fields.clues) if fields else {}


def examples_of_pages(folder: Path) -> Iterator[Example]:
    """Yield the pages of a folder of which no two are of one site."""
    for row in map(json.loads, (folder / "gold.jsonl").read_text(encoding="utf-8").strip().split("\n")):
        if row["date"] and not day_in_url(row["url"]):
            page, host = Page(row["url"], (folder / row["file"]).read_bytes()), urlsplit(row["url"]).netloc
            yield Example(host.removeprefix("www."), row["kind"], row["date"][:_DAY], evidence_of(page))


def examples_of_site(folder: Path) -> Iterator[Example]:
    """Yield some pages of a corpus, each as it is and without what it states."""
    rows = [*map(json.loads, (folder / "gold.jsonl").read_text(encoding="utf-8").strip().split("\n"))]
    left = _PAGES
    for row in sorted(rows, key=digest_of):
        if not (left and row.get("date") and row.get("text")) or day_in_url(row["url"]):
            continue
        page, day = Page(row["url"], (folder / row["file"]).read_bytes()), row["date"][:_DAY]
        if is_shown("date", day, page):
            left -= 1
            yield Example(folder.name, "site", day, evidence_of(page))
            yield Example(folder.name, "bare", day, evidence_of(Page(page.url, bare(page.body))))


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of evidence."""
    names = sorted({one for example in examples for own in example.evidence.values() for one in own})
    sites = Counter((one.site, one.kind) for one in examples)
    rows: list[tuple[Any, int, float]] = []
    for one in examples:
        days = sorted(one.evidence)
        if days:
            table = np.array([[name in one.evidence[day] for name in names] for day in days], float)
            rows.append(
                (table, days.index(one.day) if one.day in days else -1, 1 / sites[one.site, one.kind])
            )
    weights, squares = np.zeros(len(names)), np.zeros(len(names))
    for step in range(_STEPS):
        slope = -_PENALTY * weights
        for table, true, share in rows:
            odds = np.exp(table @ weights)
            slope -= share * (odds / (1 + odds.sum()) @ table)
            if true >= 0:
                slope += share * table[true]
        squares = 0.9 * squares + 0.1 * slope**2
        size = _STEP if step < _STEPS * 2 / 3 else _LAST_STEP
        weights += size * slope / np.sqrt(squares + 1e-9)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def shares(examples: Sequence[Example], weights: Mapping[str, float]) -> str:
    """Return of how many pages the day is right, and of how many it is wrong."""
    found = [(publication.likeliest(one.evidence, weights), one.day) for one in examples]
    right = sum(day == true for day, true in found)
    wrong = sum(day not in ("", true) for day, true in found)
    return f"{right / max(1, len(found)):.3f} right, {wrong / max(1, len(found)):.3f} wrong of {len(found)}"


def report(examples: Iterable[Example]) -> dict[str, float]:
    """Print how good the fit is; return the weights."""
    examples = [*examples]
    first = fit([one for one in examples if one.is_first])
    for kind in sorted({one.kind for one in examples}):
        own = [one for one in examples if one.kind == kind]
        halves = ([one for one in own if one.is_first == is_first] for is_first in (True, False))
        print(f"{kind:14}", *(shares(half, first) for half in halves), sep="  ")
    weights = fit(examples)
    print(*(f"{name:14} {weight:+.2f}" for name, weight in weights.items()), sep="\n")
    return weights


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", type=Path, metavar="PAGES")
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    corpora = [corpus for corpus in sorted(args.corpora) if not is_aside(corpus.name)]
    sites = (one for corpus in corpora for one in examples_of_site(corpus))
    weights = report([*examples_of_pages(args.pages), *sites])
    if args.write:
        path = Path(publication.__file__).with_name("day_weights.json")
        path.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
