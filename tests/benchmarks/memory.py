"""Measure the peak memory of learning from, and extracting, learning sets of growing size.

    python tests/benchmarks/memory.py 1000 10000 30000 [--learn 1000 10000]

Each measurement runs in a process of its own; the pages are generated, about 20 KB each.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from scrapy_webstemmer import Page, learn
from scrapy_webstemmer.storage import SqliteLearningSet

HOST = "http://news.example"
WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in ("lan", "mor", "nit", "rus", "tev")]
PAGE = """<!DOCTYPE html><html><head><title>{title} | The Example News</title></head><body class="page">
<ul id="menu">{menu}</ul><article class="story post-{number}"><h1>{title}</h1>{text}</article>
<div class="more">{more}</div>
<div id="footer">Copyright The Example News, all rights reserved</div></body></html>"""

EXTRACT = """
import sys
from scrapy_webstemmer import PatternSet, extract
from scrapy_webstemmer.storage import open_pages
patterns, found = PatternSet.load(sys.argv[2]), 0
with open_pages(sys.argv[1]) as pages:
    for page in pages:
        found += extract(page, patterns) is not None
print(found)
"""
LEARN = """
import sys
from scrapy_webstemmer import learn
from scrapy_webstemmer.storage import open_pages
with open_pages(sys.argv[1]) as pages:
    print(learn(pages, pages.linkinfo()).sites["news.example"].pages)
"""


def page(number: int) -> Page:
    """Return a story with thirty paragraphs, and links to other stories."""
    chance = random.Random(number)

    def words(count: int) -> str:
        return " ".join(chance.choices(WORDS, k=count)).capitalize()

    menu = "".join(f'<li class="item"><a href="/section/{n}">Section number {n}</a></li>' for n in range(40))
    text = "".join(f"<p>{words(80)}</p>" for _ in range(30))
    more = "".join(f'<p><a href="/{chance.randrange(10**6)}.html">{words(8)}</a></p>' for _ in range(20))
    body = PAGE.format(number=number, title=words(7), menu=menu, text=text, more=more)
    return Page(f"{HOST}/{number}.html", body.encode(), "utf-8")


def peak(program: str, *arguments: Path) -> tuple[str, int]:
    """Return a program's output, and the peak of its resident memory in MB."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.read().strip()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return said, usage.ru_maxrss // 1024


def main() -> None:
    """Make the learning sets and print a row for each measurement."""
    parser = argparse.ArgumentParser(description="Measure peak memory.")
    parser.add_argument("sizes", type=int, nargs="+", help="pages of the learning sets")
    parser.add_argument(
        "--learn", type=int, nargs="*", default=[1000, 10000], help="sizes to learn from as well"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        learn(page(number) for number in range(60)).save(folder / "patterns.json")
        filled = 0
        with SqliteLearningSet(folder / "set.sqlite") as learning_set:
            for size in sorted(arguments.sizes):
                for number in range(filled, size):
                    links = [(f"{HOST}/{number + n}.html", f"Story {number + n}") for n in range(10)]
                    learning_set.add_page(page(number), links)
                filled = size
                said, memory = peak(EXTRACT, folder / "set.sqlite", folder / "patterns.json")
                print(f"| extract | {size:,} pages | {said} articles | {memory} MB |", flush=True)
                if size in arguments.learn:
                    said, memory = peak(LEARN, folder / "set.sqlite")
                    print(f"| learn | {size:,} pages | {said} learned | {memory} MB |", flush=True)


if __name__ == "__main__":
    main()
