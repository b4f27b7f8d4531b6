#!/usr/bin/env python3
"""Measure readers' comments: how many are found, and what is read of each without marks for programs.

    comments.py [--pages 20] [--processes 2] [--wrong] CORPUS...

A corpus is a folder with gold.jsonl, some of whose rows have ``comments``, the number of readers' comments on
the page. Half of its pages, by a digest of their urls, are learned from, 200 at most; of the other half the
pages with the most comments are extracted, and as many without any.

Nobody has written down what the comments say. But many pages mark authors and times for programs (the class
``fn``, the class of an author, ``datetime``). These marks are taken off, and what is then read by the places
is compared with what is read with them. Only comments whose author or day is known with the marks count.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
from collections import Counter
from functools import partial
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from fields import halves, page_of

from scrapy_webstemmer import Article, ExtractOptions, Page, PatternSet, extract, learn

_LEARNED = 200
_OPTIONS = ExtractOptions(comments=True, html=False, sections=False)
_DATETIME = re.compile(rb"""\sdatetime=("[^"]*"|'[^']*')""")
_CLASS = re.compile(rb"""class=("[^"]*"|'[^']*')""")
_NAMES = re.compile(rb"""(?<=["' ])(?:fn|[\w-]*author[\w-]*)(?=["' ])""")


def without_marks(body: bytes) -> bytes:
    """Return a page without the times and the classes of authors that are there for programs."""
    return _CLASS.sub(lambda found: _NAMES.sub(b"x", found[0]), _DATETIME.sub(b"", body))


def counts_of(folder: Path, pages: int, wrong: bool = False) -> Counter[str]:
    """Return what became of a corpus's pages and comments.

    :param wrong: print the pages on which not all comments are found.
    """
    logging.disable(logging.CRITICAL)
    found = Counter[str]()
    rows = [json.loads(line) for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    if not any("comments" in row for row in rows):
        return found
    first, second = halves(folder)
    patterns = learn(page_of(folder, row) for row in first[:_LEARNED])
    known = sorted(
        (row for row in second if row.get("text") and "comments" in row), key=lambda row: -row["comments"]
    )
    few = [row for row in known if not row["comments"]][:pages]
    for row in [*[row for row in known if row["comments"]][:pages], *few]:
        page = page_of(folder, row)
        article = extract(page, patterns, _OPTIONS)
        if article is None or not article.comments_read:
            continue
        number, kind = len(article.comments), min(row["comments"], 2)
        found[f"pages {kind}"] += 1
        found[f"right {kind}"] += number == row["comments"]
        found[f"some {kind}"] += number > 0
        if wrong and number != row["comments"]:
            print(folder.name, f"{number} of {row['comments']}", row["url"], sep="  ", flush=True)
        found["true"] += row["comments"]
        found["found"] += number
        if article.comments:
            found.update(_without_marks(page, patterns, article))
    return found


def _without_marks(page: Page, patterns: PatternSet, article: Article) -> Counter[str]:
    bare = extract(Page(page.url, without_marks(page.body), page.encoding), patterns, _OPTIONS)
    own, others = article.comments, () if bare is None else bare.comments
    if len(own) != len(others):
        return Counter({"comments lost without marks": len(own)})
    found = Counter[str]()
    for one, other in zip(own, others, strict=True):
        found["authors"] += one.author is not None
        found["same author"] += one.author is not None and one.author == other.author
        found["days"] += one.date is not None
        found["same day"] += one.date is not None and one.date[:10] == (other.date or "")[:10]
        found["texts"] += 1
        found["same text"] += one.text == other.text
    return found


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=20, help="at most so many articles of a corpus")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--wrong", action="store_true", help="print the pages with another number of comments"
    )
    args = parser.parse_args()
    with Pool(args.processes, maxtasksperchild=8) as pool:
        counts = partial(counts_of, pages=args.pages, wrong=args.wrong)
        total = sum(pool.imap_unordered(counts, args.corpora), Counter[str]())
    for kind, name in ((0, "without comments"), (1, "with a single comment"), (2, "with several comments")):
        right, some = total[f"right {kind}"], total[f"some {kind}"]
        print(f"pages {name}: {total[f'pages {kind}']:,}, exact number {right:,}, some found {some:,}")
    print(f"comments: {total['true']:,}, found {total['found']:,}")
    print(f"comments on pages whose number changes without marks: {total['comments lost without marks']:,}")
    for name, same in (("authors", "same author"), ("days", "same day"), ("texts", "same text")):
        print(f"{name}: {total[name]:,}, the same without marks {total[same] / max(1, total[name]):.3f}")


if __name__ == "__main__":
    main()
