#!/usr/bin/env python3
"""Score what is read from one page alone, without a learned site: text, title, days and authors.

    single_pages.py [--tool NAME]... [--worst N] [--only KIND]... [--keep FILE] FOLDER

FOLDER has gold.jsonl, whose rows have ``url``, ``file``, ``kind``, ``title``, ``authors``, ``date`` and
``text``, and the pages. The table has a row for each kind. The tools are scrapy-webstemmer, as
``extract(page)`` reads a page, and trafilatura.

A text's score is the F1 of its words, each counted as often as it occurs; no text counts as 0. A page is
lost if it has less than a tenth of the words of its gold text. A title is right if it is the gold title once
letter case, punctuation and white space are folded; authors but for their order, too; a day must be the day.
Days and authors count where the gold has them, as right, wrong or missing.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from evalkit import EVALKIT, Evalkit

from scrapy_webstemmer import ExtractOptions, Page, PageError, extract

_OURS = "scrapy-webstemmer"
_LOST = 0.1
_OPTIONS = ExtractOptions(html=False)


class Found(NamedTuple):
    """What a tool finds on a page."""

    text: str = ""
    title: str = ""
    day: str = ""
    authors: tuple[str, ...] = ()


class Score(NamedTuple):
    """How good that is: F1 and recall of the text's words, and whether title, day and authors are right.

    A day or authors are True, False, None (not found) or absent ("-": the gold has none).
    """

    url: str
    file: str
    kind: str
    f1: float
    recall: float
    title: bool
    day: bool | str | None
    authors: bool | str | None


def ours(page: Page) -> Found:
    """Read a page as ``extract(page)`` does."""
    try:
        article = extract(page, options=_OPTIONS)
    except PageError:
        return Found()
    if article is None:
        return Found()
    return Found(
        article.text,
        article.title,
        (article.date or "")[:10],
        tuple(author.name for author in article.authors),
    )


def trafilatura(page: Page) -> Found:
    """Read a page as trafilatura does, without comments."""
    from trafilatura import bare_extraction

    found: Any = bare_extraction(page.body, url=page.url, include_comments=False, with_metadata=True)
    if found is None:
        return Found()
    names = tuple(name.strip() for name in (found.author or "").split(";") if name.strip())
    return Found(found.text or "", found.title or "", (found.date or "")[:10], names)


TOOLS: Mapping[str, Callable[[Page], Found]] = {_OURS: ours, "trafilatura": trafilatura}


def score(kit: Evalkit, gold: Mapping[str, Any], found: Found) -> Score:
    """Compare what is found with a row of gold.jsonl."""
    true, words = Counter(kit.tokens(gold["text"])), Counter(kit.tokens(found.text))
    common = sum((true & words).values())
    recall = common / true.total() if true else 1.0
    f1 = 2 * common / (true.total() + words.total()) if true or words else 1.0
    fold = partial(_folded, kit)
    day: bool | str | None = "-"
    if gold["date"]:
        day = found.day == gold["date"][:10] if found.day else None
    authors: bool | str | None = "-"
    if gold["authors"]:
        authors = set(map(fold, found.authors)) == set(map(fold, gold["authors"])) if found.authors else None
    title = fold(found.title) == fold(gold["title"])
    return Score(gold["url"], gold["file"], gold["kind"], f1, recall, title, day, authors)


def _folded(kit: Evalkit, text: str) -> str:
    return " ".join(kit.tokens(text))


def _run(folder: Path, names: Sequence[str], row: Mapping[str, Any]) -> dict[str, Score]:
    logging.disable(logging.CRITICAL)
    page = Page(row["url"], (folder / row["file"]).read_bytes())
    kit = Evalkit(EVALKIT)
    return {name: score(kit, row, TOOLS[name](page)) for name in names}


def rows_of(scores: Sequence[Score]) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table for each kind of page, and one for all."""
    kinds = Counter(one.kind for one in scores)
    for kind in [*(kind for kind, _ in kinds.most_common()), "all"]:
        some = [one for one in scores if kind in (one.kind, "all")]
        lost = fmean(one.recall < _LOST for one in some)
        yield (
            kind,
            str(len(some)),
            f"{fmean(one.f1 for one in some):.3f}",
            f"{lost:.3f}",
            f"{fmean(one.title for one in some):.3f}",
            *_shares([one.day for one in some]),
            *_shares([one.authors for one in some]),
        )


def _shares(verdicts: Sequence[bool | str | None]) -> tuple[str, str]:
    """Return the shares of what is right and of what is wrong."""
    known = [one for one in verdicts if one != "-"]
    if not known:
        return "-", "-"
    return tuple(f"{fmean(one is right for one in known):.3f}" for right in (True, False))  # type: ignore[return-value]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tool", action="append", choices=TOOLS, help="only this tool")
    parser.add_argument("--only", action="append", help="only pages of this kind")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="name our N worst pages")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the scores as JSON lines")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    names = args.tool or list(TOOLS)
    with (args.folder / "gold.jsonl").open(encoding="utf-8") as lines:
        gold = [row for row in map(json.loads, lines) if not args.only or row["kind"] in args.only]
    scores: dict[str, list[Score]] = defaultdict(list)
    with Pool(args.processes) as pool:
        for outcome in pool.imap(partial(_run, args.folder, names), gold, 8):
            for name, one in outcome.items():
                scores[name].append(one)
    for name in names:
        print(f"\n{name}")
        print("kind              n    F1  lost title   day wrong authors wrong")
        for kind, number, *shares in rows_of(scores[name]):
            print(f"{kind:14} {number:>4} " + " ".join(f"{share:>5}" for share in shares))
    for one in sorted(scores[names[0]], key=lambda one: one.f1)[: args.worst]:
        print(f"{one.f1:.3f} {one.kind:13} {one.file} {one.url}")
    if args.keep:
        rows = [{"tool": name, **one._asdict()} for name in names for one in scores[name]]
        args.keep.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
