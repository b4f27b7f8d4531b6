#!/usr/bin/env python3
"""Fit the weights that tell day and authors among those that a page states and shows.

    fit_fields.py [--write] PAGES CORPUS...

PAGES is a folder as for single_pages.py, CORPUS one as for fields.py. Four pages of each corpus are read, as
they are and without what they state to programs; sites that are kept aside (aside.py) have no part in it. All
pages are read alone. All sites weigh alike.

The model is a choice between the candidates of a page and none of them (conditional logit): the odds of one
are e to the sum of the weights of its evidence, those of none are 1. Prints for each field of how many pages
it is right, and of how many wrong, of two halves of the sites, by weights that were fitted on the first half;
then the weights from both.

--write writes these into the package.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from aside import is_aside
from fields import bare, digest_of, is_shown, plain_value

from scrapy_webstemmer import ExtractOptions, Page, PageError
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.extraction.make_article import fields_of
from scrapy_webstemmer.extraction.page_steps import read_alone
from scrapy_webstemmer.fields import authors, publication
from scrapy_webstemmer.page.days import day_in_url
from scrapy_webstemmer.page.sources import read_layout
from scrapy_webstemmer.site.main_text import supplementary_blocks

#: So many pages of a corpus.
_PAGES = 4
#: The penalty of large weights; the steps of the fit, and their size at the beginning and at the end.
_PENALTY, _STEPS, _STEP, _LAST_STEP = 0.5, 300, 0.05, 0.01
_DAY = len("2014-05-06")

Evidence = Mapping[str, frozenset[str]]
#: The files of the weights.
FILES = {"date": "day_weights.json", "authors": "author_weights.json"}


class Example(NamedTuple):
    """A page's candidates for a field with their evidence, and the right one."""

    site: str
    kind: str
    field: str
    true: str
    evidence: Evidence

    @property
    def is_first(self) -> bool:
        """Whether its site is in the first half."""
        return not sha256(self.site.encode()).digest()[0] % 2


def evidence_of(page: Page) -> dict[str, Evidence]:
    """Return the evidence for each field of a page that is read alone; none if it has no article."""
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
    if fields is None:
        return {}
    return {
        "date": publication.evidence_by_day(fields.clues),
        "authors": authors.authors_by_key(fields.author_clues),
    }


def examples_of(page: Page, site: str, kind: str, true: Mapping[str, str]) -> Iterator[Example]:
    """Yield a page as an example for each field that is known.

    :param true: what is known, by field.
    """
    found = evidence_of(page) if true else {}
    for field, value in true.items():
        yield Example(site, kind, field, value, found.get(field, {}))


def known(row: Mapping[str, Any]) -> dict[str, str]:
    """Return what is known about a page: a day that its url does not name, authors."""
    found = {}
    if row.get("date") and not day_in_url(row["url"]):
        found["date"] = row["date"][:_DAY]
    if row.get("authors"):
        found["authors"] = authors.authors_key(row["authors"])
    return found


def examples_of_pages(folder: Path) -> Iterator[Example]:
    """Yield the pages of a folder of which no two are of one site."""
    for row in rows_of(folder):
        page, host = Page(row["url"], (folder / row["file"]).read_bytes()), urlsplit(row["url"]).netloc
        yield from examples_of(page, host.removeprefix("www."), row["kind"], known(row))


def examples_of_site(folder: Path) -> Iterator[Example]:
    """Yield some pages of a corpus, each as it is and without what it states."""
    left = _PAGES
    for row in sorted(rows_of(folder), key=digest_of):
        if not (left and row.get("text")):
            continue
        page = Page(row["url"], (folder / row["file"]).read_bytes())
        shown = {field for field in FILES if row.get(field)}
        shown = {field for field in shown if is_shown(field, plain_value(field, row[field]), page)}
        if true := {field: value for field, value in known(row).items() if field in shown}:
            left -= 1
            yield from examples_of(page, folder.name, "site", true)
            yield from examples_of(Page(page.url, bare(page.body)), folder.name, "bare", true)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of a folder's gold.jsonl."""
    return [*map(json.loads, (folder / "gold.jsonl").read_text(encoding="utf-8").strip().split("\n"))]


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of evidence."""
    names = sorted({one for example in examples for own in example.evidence.values() for one in own})
    sites = Counter((one.site, one.kind) for one in examples)
    rows: list[tuple[Any, int, float]] = []
    for one in examples:
        keys = sorted(one.evidence)
        if keys:
            table = np.array([[name in one.evidence[key] for name in names] for key in keys], float)
            true = keys.index(one.true) if one.true in keys else -1
            rows.append((table, true, 1 / sites[one.site, one.kind]))
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
    """Return of how many pages a field is right, and of how many it is wrong."""
    found = [(publication.likeliest(one.evidence, weights), one.true) for one in examples]
    right = sum(one == true for one, true in found)
    wrong = sum(one not in ("", true) for one, true in found)
    return f"{right / max(1, len(found)):.3f} right, {wrong / max(1, len(found)):.3f} wrong of {len(found)}"


def report(examples: Sequence[Example]) -> dict[str, float]:
    """Print how good the fit is; return the weights."""
    first = fit([one for one in examples if one.is_first])
    for kind in sorted({one.kind for one in examples}):
        own = [one for one in examples if one.kind == kind]
        halves = ([one for one in own if one.is_first == is_first] for is_first in (True, False))
        print(f"{kind:14}", *(shares(half, first) for half in halves), sep="  ")
    weights = fit(examples)
    print(*(f"{name:20} {weight:+.2f}" for name, weight in weights.items()), sep="\n")
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
    examples = [*examples_of_pages(args.pages), *sites]
    for field, name in FILES.items():
        print(f"\n{field}")
        weights = report([one for one in examples if one.field == field])
        if args.write:
            path = Path(publication.__file__).with_name(name)
            path.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
