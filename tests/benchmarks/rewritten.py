#!/usr/bin/env python3
"""Measure how much depends on the way in which a site's pages are written, and write docs/rewritten.md.

    rewritten.py [--docs] [--work DIR] [--processes N] [--learn N] [--test N] CORPUS...

Nobody knows how the next site is written. So the pages of known sites are written otherwise: without classes,
with paragraphs as ``div``, and so on. All pages of a site are changed in the same way, before learning and
before extraction. What readers see stays the same, and so do the gold texts. Prints the means of each way,
and the sites that lose a tenth of their F1 or more. --docs also writes the table into the page.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import blake2b
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from corpora import Corpus, read_corpus
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack
from tables import fill_tables, markdown, mean, show

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rewritten.md"
#: A site that loses this much of its F1 is named.
LOST = 0.1
_COLUMNS = ("f1", "title", "false")
_NAMED = rb"(\s(?:class|id)\s*=\s*)"
_NAMES = re.compile(_NAMED + rb"(\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE)
_TITLE = re.compile(rb"<title\b.*?</title\s*>", re.IGNORECASE | re.DOTALL)

#: Takes a page's HTML, returns it written otherwise.
Rewrite = Callable[[bytes], bytes]


def tags_as_div(names: str) -> Rewrite:
    """Return what makes some elements ``div`` elements, with their attributes."""
    tag = re.compile(rb"<(/?)(?:%s)(?=[\s>/])" % names.encode(), re.IGNORECASE)
    return lambda html: tag.sub(rb"<\1div", html)


def _other_names(html: bytes) -> bytes:
    """Replace each run of letters in classes and ids by other letters, everywhere in the same way."""
    return _NAMES.sub(lambda found: found[1] + re.sub(rb"[A-Za-z]+", _other_word, found[2]), html)


def _other_word(found: re.Match[bytes]) -> bytes:
    digest = blake2b(found[0].lower(), digest_size=8).digest()
    return bytes(ord("a") + byte % 26 for byte in digest)


_PARAGRAPHS, _HEADINGS = tags_as_div("p"), tags_as_div("h[1-6]")
_SECTIONS = tags_as_div("article|main|section|header|footer|aside|nav")

REWRITES: Mapping[str, Rewrite] = {
    "as they are": bytes,
    "other names of classes and ids": _other_names,
    "no classes and ids": lambda html: _NAMES.sub(b"", html),
    "sections as `div`": _SECTIONS,
    "headings as `div`": _HEADINGS,
    "paragraphs as `div`": _PARAGRAPHS,
    "no `title` element": lambda html: _TITLE.sub(b"", html),
    "other names, all of these as `div`": lambda html: _other_names(_SECTIONS(_HEADINGS(_PARAGRAPHS(html)))),
}


def rewritten(corpus: Corpus, rewrite: Rewrite) -> Corpus:
    """Return a corpus whose pages are written otherwise."""

    def changed(page: Any) -> Any:
        return replace(page, body=rewrite(page.body))

    return replace(
        corpus,
        learn=[one._replace(page=changed(one.page)) for one in corpus.learn],
        test={url: changed(page) for url, page in corpus.test.items()},
    )


def measure(task: tuple[Path, argparse.Namespace]) -> tuple[str, dict[str, Mapping[str, Any]]]:
    """Return a corpus' name, and the scores of each way to write its pages."""
    folder, args = task
    logging.disable(logging.CRITICAL)
    evalkit = Evalkit(args.evalkit)
    evalkit.remember()
    corpus = read_corpus(folder, args.work, evalkit, args.learn, args.test)
    return corpus.name, {name: rewritten(corpus, rewrite).run() for name, rewrite in REWRITES.items()}


def table(results: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Return the means of each way, and the sites that lose much."""
    rows = []
    for name in REWRITES:
        scores = [site[name] for site in results.values()]
        usual = {site: found["as they are"]["f1"] or 0.0 for site, found in results.items()}
        lost = [site for site in sorted(results) if (results[site][name]["f1"] or 0.0) <= usual[site] - LOST]
        rows.append([name, *(show(mean(scores, column)) for column in _COLUMNS), ", ".join(lost)])
    return markdown(["pages written", "F1", "title", "false", "sites that lose a tenth of F1 or more"], rows)


def main() -> None:
    """Measure, print the table and, if asked for, write the documentation."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--docs", action="store_true", help="write docs/rewritten.md")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--learn", type=int, default=100, help="pages to learn from at most")
    parser.add_argument("--test", type=int, default=40, help="pages to extract at most")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        args.work.mkdir(parents=True, exist_ok=True)
        folders = [unpack(corpus.resolve(), args.work / "corpora") for corpus in args.corpora]
        with Pool(args.processes, maxtasksperchild=1) as pool:
            results = dict(pool.imap_unordered(measure, [(folder, args) for folder in folders]))
    print(table(results))
    if args.docs:
        fill_tables(PAGE, {"rewritten": table(results)})


if __name__ == "__main__":
    main()
