"""Check a package that was installed from a wheel or an sdist: it learns a site and extracts its articles.

    python tests/installed.py compiled|python

The argument says how the package must work: with its compiled modules, or without them ("python"). The script
needs no more than the package and its dependencies.
"""

from __future__ import annotations

import sys
from pathlib import Path

from news_pages import article, articles, indexes, story

import scrapy_webstemmer
from scrapy_webstemmer import extract, learn
from scrapy_webstemmer.base.compiled import MODULES, compiled

SITE = "news.example"
NEW = range(21, 26)
PACKAGE = Path(scrapy_webstemmer.__file__).parent


def check(wanted: str) -> None:
    """Raise an error if something is missing, left over or wrong."""
    checkout = Path(__file__).resolve().parents[1]
    if PACKAGE.parent == checkout:
        raise SystemExit(f"{PACKAGE} is the checkout, not an installed package")
    if left := [path.name for path in PACKAGE.rglob("*") if path.suffix in (".pyx", ".pxd", ".c", ".html")]:
        raise SystemExit(f"{PACKAGE} has files that only a build needs: {', '.join(left)}")
    for name in MODULES:
        found = "compiled" if compiled(name) else "python"
        if found != wanted:
            raise SystemExit(f"{name}: {found}; expected: {wanted}")

    patterns = learn([*articles(SITE, 20), *indexes(SITE, 4)])
    for number in NEW:
        told, result = story(SITE, number), extract(article(SITE, number), patterns)
        if result is None or (result.title, result.text) != (told.title, told.text):
            raise SystemExit(f"wrong article: {result}\nexpected: {told}")
    print(f"{len(NEW)} articles are right: {wanted}")


if __name__ == "__main__":
    check(sys.argv[1])
