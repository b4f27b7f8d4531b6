#!/usr/bin/env python3
"""Measure whether a changed site is noticed, and whether an unchanged one is left alone.

    drift.py redesigns CORPUS...
    drift.py swaps CORPUS... [--pages N]
    drift.py alarms CORPUS... [--crawls N] [--few] [--mixes]

CORPUS is a folder with gold.jsonl and pages/.

redesigns: for corpora whose rows have a ``group``, such as a year. Learns the groups so far, one after the
other, looks at the next one, and prints what has changed. All pages are taken for those of one site, even if
the site has moved to another domain.

swaps: learns each corpus, and looks at N pages of each other corpus as if they were those of the same site.
So the site has changed altogether, and its urls, too. Prints how often this is noticed.

alarms: N times for each corpus, learns a random half of its pages and looks at the other half: at all of it,
and at parts of it that have another mix of pages (MIXES). The site has not changed, so each drift is a false
alarm. Prints how many crawls had enough pages, the number of false alarms, and the largest excess over the
usual share for each thing that is compared. --few learns 20 pages instead of half of them, and looks at all
others. --mixes prints a row for each mix.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_webstemmer import Page, PageError, PatternSet, learn
from scrapy_webstemmer.api import extract_in_parts
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.extraction.result import Result
from scrapy_webstemmer.monitoring.find_drift import LEAST_PAGES, Drift, find_drift, least_usual
from scrapy_webstemmer.monitoring.tally import Tally, fits
from scrapy_webstemmer.values import Usual

#: All pages of a corpus are those of this site.
HOST = "http://site.example"
#: What is compared.
KEYS = ("layout", "articles", "title", "length", "confidence")
#: Number of pages that are learned in the variant that learns few.
FEW = 20


def read_pages(folder: Path) -> list[tuple[Page, Mapping[str, Any]]]:
    """Return a corpus' pages with their rows of gold.jsonl. Each url comes once."""
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        rows = {row["url"]: row for row in map(json.loads, lines)}
    return [(Page(HOST + _local(url), (folder / row["file"]).read_bytes()), row) for url, row in rows.items()]


def _local(url: str) -> str:
    """Return the path and the query of a url."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def look(pages: Sequence[Page], patterns: PatternSet) -> list[Result]:
    """Extract the articles of a crawl."""
    found = []
    for page in pages:
        with contextlib.suppress(PageError):
            found.append(finish(extract_in_parts(page, patterns)))
    return found


def counted(seen: Sequence[Result]) -> Tally:
    """Return the counts of a crawl."""
    tally = Tally()
    for one in seen:
        tally.add(one)
    return tally


def redesigns(folder: Path) -> Iterator[tuple[str, int, int, int, Drift | None]]:
    """Yield for each group the pages learned before, its judged pages, those unlike them, and the drift."""
    groups: dict[str, list[Page]] = defaultdict(list)
    for page, row in read_pages(folder):
        if "group" not in row:
            raise SystemExit(f"{folder}: its rows have no group")
        groups[str(row["group"])].append(page)
    known: list[Page] = []
    for name in sorted(groups):
        if known:
            patterns = learn(known)
            (site,) = patterns.sites.values()
            tally = counted(look(groups[name], patterns))
            yield name, len(known), tally.judged, tally.unlike.pages, find_drift(site.usual, tally)
        known += groups[name]


def swaps(folders: Sequence[Path], count: int) -> Iterator[tuple[str, str, int, int, Drift | None]]:
    """Yield for two corpora their names, the second one's judged pages, those unlike the first, the drift."""
    pages = {folder.name: [page for page, _ in read_pages(folder)] for folder in folders}
    for name, own in pages.items():
        patterns = learn(own)
        (site,) = patterns.sites.values()
        for other, others in pages.items():
            if other != name:
                chance = random.Random(f"{name} {other}")
                tally = counted(look(chance.sample(others, min(count, len(others))), patterns))
                yield name, other, tally.judged, tally.unlike.pages, find_drift(site.usual, tally)


def _all(seen: Sequence[Result], chance: random.Random) -> list[Result]:
    del chance
    return list(seen)


def _thinned(seen: Sequence[Result], chance: random.Random, share: float, *, articles: bool) -> list[Result]:
    """Return a share of the articles, or of the other pages, and all pages of the other kind."""
    return [one for one in seen if (one.article is not None) != articles or chance.random() < share]


def _directory(seen: Sequence[Result], chance: random.Random) -> list[Result]:
    """Return the pages of one of the larger directories of the site."""
    names = Counter(_directory_of(one) for one in seen)
    name = chance.choice(sorted(names, key=lambda name: (-names[name], name))[:3])
    return [one for one in seen if _directory_of(one) == name]


def _directory_of(one: Result) -> str:
    return "/".join(urlsplit(one.url).path.split("/")[:2])


def _layout(seen: Sequence[Result], chance: random.Random) -> list[Result]:
    """Return the pages that fit one of the site's patterns."""
    names = Counter(name for one in seen if (name := _pattern_of(one)))
    if not names:
        return []
    name = chance.choice(sorted(names, key=lambda name: (-names[name], name))[:3])
    return [one for one in seen if _pattern_of(one) == name]


def _pattern_of(one: Result) -> str:
    return max(one.compared, key=lambda found: found[1])[0].name if fits(one) else ""


#: The parts of the second half that are looked at.
MIXES: Mapping[str, Callable[[Sequence[Result], random.Random], list[Result]]] = {
    "all": _all,
    "a third of the articles": lambda seen, chance: _thinned(seen, chance, 1 / 3, articles=True),
    "a tenth of the articles": lambda seen, chance: _thinned(seen, chance, 1 / 10, articles=True),
    "a third of the other pages": lambda seen, chance: _thinned(seen, chance, 1 / 3, articles=False),
    "one directory": _directory,
    "one layout": _layout,
}


class Looked(NamedTuple):
    """One crawl of an unchanged site."""

    mix: str
    usual: Usual
    tally: Tally
    drift: Drift | None


def alarms(folder: Path, crawls: int, few: int = 0) -> Iterator[Looked]:
    """Yield what is found if the site has not changed.

    :param few: learn so many pages and look at all others; 0: learn half of them.
    """
    pages = [page for page, _ in read_pages(folder)]
    for number in range(crawls):
        chance = random.Random(f"{folder.name} {number}")
        shuffled = chance.sample(pages, len(pages))
        count = few or len(pages) // 2
        patterns = learn(shuffled[:count])
        (site,) = patterns.sites.values()
        if site.usual is None:
            raise ValueError(f"{folder.name}: no usual counts")
        seen = look(shuffled[count:], patterns)
        for mix, chosen in MIXES.items():
            tally = counted(chosen(seen, chance))
            yield Looked(mix, site.usual, tally, find_drift(site.usual, tally))


def excess(one: Looked) -> dict[str, float]:
    """Return by how much the shares of a crawl exceed the usual ones, if enough pages were judged."""
    usual, tally = one.usual, one.tally
    found = {}
    rows = {
        "layout": (usual.judged - usual.fitting, usual.judged, tally.unlike.pages, tally.judged),
        "articles": (usual.expected - usual.given, usual.expected, tally.missing.pages, tally.expected),
        "title": (usual.articles - usual.titled, usual.articles, tally.untitled.pages, tally.articles),
    }
    if usual.articles:
        length, confidence = least_usual(usual)
        short = sum(seen.length < length for seen in tally.measured)
        unsure = sum(seen.confidence < confidence for seen in tally.measured)
        for key, value in (("length", short), ("confidence", unsure)):
            rows[key] = (int(0.05 * usual.articles), usual.articles, value, tally.articles)
    for key, (bad, known, here, judged) in rows.items():
        if known and judged >= LEAST_PAGES:
            found[key] = here / judged - bad / known
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("redesigns", "swaps", "alarms"))
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--crawls", type=int, default=20, metavar="N")
    parser.add_argument("--pages", type=int, default=30, metavar="N")
    parser.add_argument("--few", action="store_true", help=f"learn {FEW} pages instead of half of them")
    parser.add_argument("--mixes", action="store_true", help="a row for each mix of pages")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if options.what == "swaps":
        _tell_swaps(options.corpora, options.pages)
        return
    for folder in options.corpora:
        if options.what == "redesigns":
            _tell_redesigns(folder)
        else:
            _tell_alarms(folder, options.crawls, FEW if options.few else 0, each=options.mixes)


def _tell_redesigns(folder: Path) -> None:
    for name, known, judged, unlike, drift in redesigns(folder):
        keys = ", ".join(change.key for change in drift.changes) if drift else "nothing"
        print(f"| {folder.name} | {name} | {known} | {unlike} of {judged} | {keys} |", flush=True)


def _tell_swaps(folders: Sequence[Path], count: int) -> None:
    missed: dict[str, list[str]] = {folder.name: [] for folder in folders}
    for name, other, judged, unlike, drift in swaps(folders, count):
        if drift is None:
            missed[name].append(f"{other} ({unlike} of {judged} unlike)")
    for name, others in missed.items():
        found = len(missed) - 1 - len(others)
        print(f"| {name} | {found} of {len(missed) - 1} | {', '.join(others)} |", flush=True)


def _tell_alarms(folder: Path, crawls: int, few: int, *, each: bool) -> None:
    looked: dict[str, list[Looked]] = defaultdict(list)
    for one in alarms(folder, crawls, few):
        looked[one.mix].append(one)
    if each:
        for mix, found in looked.items():
            print(f"| {folder.name}, {mix} | {_alarm_cells(found)} |", flush=True)
    else:
        print(
            f"| {folder.name} | {_alarm_cells([one for found in looked.values() for one in found])} |",
            flush=True,
        )


def _alarm_cells(looked: Sequence[Looked]) -> str:
    """Return the cells of a row: crawls with enough pages, false alarms, and the largest excesses."""
    most: dict[str, float] = {}
    for one in looked:
        for key, value in excess(one).items():
            most[key] = max(most.get(key, value), value)
    judged = sum(one.tally.judged >= LEAST_PAGES for one in looked)
    false = Counter(change.key for one in looked if one.drift for change in one.drift.changes)
    count = sum(one.drift is not None for one in looked)
    named = f" ({', '.join(sorted(false))})" if false else ""
    return " | ".join(
        [f"{judged}", f"{count}{named}", *(f"{most[key]:+.2f}" if key in most else "" for key in KEYS)]
    )


if __name__ == "__main__":
    main()
