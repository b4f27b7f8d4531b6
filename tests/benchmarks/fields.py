#!/usr/bin/env python3
"""Compare the fields of articles with what the sites' own sources say: days, authors, language, topics.

    fields.py [--bare] [--feed 0] [--only TOOL] [--pages 20] [--sites] [--wrong FIELD] CORPUS...

A corpus is a folder with gold.jsonl, some of whose rows have a ``date``, ``authors``, ``lang`` or ``tags``.
Half of its pages, by a digest of their urls, are learned from, 200 at most; of the other half so many
articles are extracted. With --bare, everything that states something to programs is taken off these articles,
but not off the pages that are learned from: ``meta`` and ``link`` elements, JSON-LD, microdata and RDFa. With
--feed, day and authors of so many articles that are learned from are known as if a feed had named them.

A field counts where the page shows it: a day if it stands in the url or the page's source in one of the usual
forms, unless the url names another month; authors and topics if all of them stand there. It is right if it is
exact: a day to the day, authors and topics but for their order, letter case and punctuation, a language up to
its first hyphen. For topics, F1 is printed as well. Sites that are kept aside (aside.py) have rows of their
own.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from html import unescape
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from aside import is_aside

from scrapy_webstemmer import ExtractOptions, Page, PageError, PatternSet, extract, learn
from scrapy_webstemmer.values import Announcement

#: Pages that are learned from.
_LEARNED = 200
_OPTIONS = ExtractOptions(date=True, metadata=True, html=False, sections=False)
FIELDS = ("date", "authors", "lang", "tags")

#: What a tool finds on a page: values by the names of FIELDS.
Found = Mapping[str, Any]
Tool = Callable[[Page, PatternSet], Found]

_BARE = re.compile(
    rb"<meta\b(?![^>]*charset)[^>]*>|<link\b[^>]*>|<script\b[^>]*ld\+json.*?</script\s*>", re.I | re.S
)
_STATING = re.compile(
    rb"""\s(?:item(?:prop|type|scope|ref|id)|property|typeof|vocab|resource|content)(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?(?=[\s/>])""",
    re.I,
)
_TAG = re.compile(rb"<[a-z][^<>]*>", re.I)


class Outcome(NamedTuple):
    """What a tool makes of a field of one article."""

    tool: str
    field: str
    site: str
    url: str
    true: Any
    found: Any

    @property
    def verdict(self) -> str:
        if not self.found:
            return "missing"
        return "right" if self.found == self.true else "wrong"

    @property
    def f1(self) -> float:
        both = len({*self.true} & {*self.found})
        return 2 * both / (len(self.true) + len(self.found))


def bare(body: bytes) -> bytes:
    """Return a page without what states something to programs."""
    return _TAG.sub(lambda tag: _STATING.sub(b"", tag[0]), _BARE.sub(b"", body))


def plain(text: str) -> str:
    """Return a text without what does not count."""
    return re.sub(r"[\W_]+", " ", unescape(text).lower()).strip()


def plain_value(field: str, value: Any) -> Any:
    """Return a value in the form in which it is compared."""
    if not value:
        return None
    if field == "date":
        return str(value)[: len("2014-05-06")]
    if field == "lang":
        return plain(value).partition(" ")[0]
    return sorted({text for one in value if (text := plain(one))})


def is_shown(field: str, true: Any, page: Page) -> bool:
    """Return whether a page shows a value. A day of another month than that of the url is not the page's."""
    if field == "lang":
        return True
    text = page.body.decode("utf-8", "replace")
    if field == "date":
        year, month, day = true.split("-")
        named = re.search(r"/((?:19|20)\d\d)/(0[1-9]|1[0-2])/", page.url)
        if named and abs(int(year) * 12 + int(month) - int(named[1]) * 12 - int(named[2])) > 1:
            return False
        number, gap = rf"(?<!\d)0?{int(day)}(?:st|nd|rd|th)?(?!\d)", r"[^\w<>]{1,4}"
        word = rf"(?:0?{int(month)}|[^\W\d_]{{3,}})"
        shown = "|".join(
            (
                rf"{number}{gap}(?:de )?{word}{gap}(?:de )?{year}",
                rf"{word}{gap}{number}{gap}(?:at )?{year}",
                rf"{year}(?:{gap}|\s?[年년]\s?)0?{int(month)}(?:{gap}|\s?[月월]\s?){number}",
                rf"{year}-?{month}-?{day}",
            )
        )
        return bool(re.search(shown, f"{page.url} {text}"))
    text = f" {plain(text)} "
    return all(f" {one} " in text or one in text for one in true)


# ---- tools -------------------------------------------------------------------------------------------------


def _ours(page: Page, patterns: PatternSet) -> Found:
    try:
        article = extract(page, patterns, _OPTIONS)
    except PageError:
        return {}
    if article is None:
        return {}
    return {
        "date": article.date_published,
        "authors": [one.name for one in article.authors],
        "lang": article.language,
        "tags": article.tags,
    }


def _trafilatura(page: Page, _: PatternSet) -> Found:
    from trafilatura import bare_extraction

    found = bare_extraction(page.body, url=page.url, with_metadata=True)
    if found is None:
        return {}
    return {
        "date": found.date,
        "authors": (found.author or "").split("; "),
        "lang": found.language,
        "tags": found.tags,
    }


def _newspaper(page: Page, _: PatternSet) -> Found:
    from newspaper import Article

    article = Article(page.url, fetch_images=False)
    article.download(input_html=page.body.decode("utf-8", "replace"))
    article.parse()
    day = article.publish_date
    return {
        "date": day.strftime("%Y-%m-%d") if hasattr(day, "strftime") else day,
        "authors": article.authors,
        "lang": article.meta_lang,
        "tags": article.tags or article.meta_keywords,
    }


def _htmldate(page: Page, _: PatternSet) -> Found:
    from htmldate import find_date

    return {"date": find_date(page.body, url=page.url, original_date=True)}


def _turbohtml(page: Page, _: PatternSet) -> Found:
    from turbohtml import parse

    found = parse(page.body.decode("utf-8", "replace")).article()
    if found is None:
        return {}
    authors = [found.byline] if found.byline else []
    return {"date": found.date, "authors": authors, "lang": found.lang, "tags": found.tags}


def _extruct(page: Page, _: PatternSet) -> Found:
    from extruct import extract as read

    syntaxes = ["json-ld", "microdata", "opengraph"]
    found = read(
        page.body.decode("utf-8", "replace"),
        base_url=page.url,
        syntaxes=syntaxes,
        uniform=True,
        errors="ignore",
    )
    things = [one for name in ("json-ld", "microdata") for one in found[name]]
    things += [inner for one in things for inner in one.get("@graph", ()) if isinstance(inner, dict)]
    articles = [one for one in things if str(one.get("@type", "")).lower().endswith(("article", "posting"))]
    metas = {
        name: value for one in found["opengraph"] for name, value in one.items() if isinstance(value, str)
    }
    first = articles[0] if articles else {}
    authors = first.get("author") or []
    authors = authors if isinstance(authors, list) else [authors]
    known = {one.get("@id"): one for one in things}
    names = [known.get(one.get("@id"), one).get("name") if isinstance(one, dict) else one for one in authors]
    words = first.get("keywords") or []
    return {
        "date": first.get("datePublished") or metas.get("article:published_time"),
        "authors": [name for name in names if isinstance(name, str)],
        "lang": first.get("inLanguage") or metas.get("og:locale", "").replace("_", "-"),
        "tags": words.split(",")
        if isinstance(words, str)
        else [one for one in words if isinstance(one, str)],
    }


OURS = "scrapy-webstemmer"
TOOLS: Mapping[str, Tool] = {
    OURS: _ours,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper,
    "htmldate": _htmldate,
    "extruct": _extruct,
    "turbohtml": _turbohtml,
}


# ---- measuring ---------------------------------------------------------------------------------------------


def digest_of(row: Mapping[str, Any]) -> bytes:
    """Return the digest that draws pages."""
    return sha256(row["url"].encode()).digest()


def halves(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of the pages to learn from, and of the others."""
    rows = [json.loads(line) for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = sorted({row["url"]: row for row in rows}.values(), key=digest_of)
    return [row for row in rows if not digest_of(row)[0] % 2], [row for row in rows if digest_of(row)[0] % 2]


def page_of(folder: Path, row: Mapping[str, Any], change: Callable[[bytes], bytes] = bytes) -> Page:
    """Return the page of a row."""
    return Page(row["url"], change((folder / row["file"]).read_bytes()))


def announcement(row: Mapping[str, Any]) -> Announcement:
    """Return what a feed would say about the page of a row."""
    return Announcement(published=row.get("date") or "", authors=tuple(row.get("authors") or ()))


def outcomes(folder: Path, args: argparse.Namespace) -> list[Outcome]:
    """Return the outcomes of all tools on a corpus."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    return [*_outcomes(folder, args)]


def _outcomes(folder: Path, args: argparse.Namespace) -> Iterator[Outcome]:
    first, second = halves(folder)
    known = [row for row in second if row.get("text") and any(row.get(field) for field in FIELDS)]
    if not known:
        return
    articles = [row["url"] for row in first[:_LEARNED] if row.get("text")]
    announced = {*articles[: args.feed]}
    patterns = learn(
        replace(page_of(folder, row), announced=announcement(row) if row["url"] in announced else None)
        for row in first[:_LEARNED]
    )
    for row in known[: args.pages]:
        page = page_of(folder, row, bare if args.bare else bytes)
        for name in args.only or TOOLS:
            try:
                found = TOOLS[name](page, patterns)
            except Exception:  # what a tool makes of odd pages
                found = {}
            for field in FIELDS:
                true = plain_value(field, row.get(field))
                if true and is_shown(field, true, page):
                    yield Outcome(
                        name, field, folder.name, row["url"], true, plain_value(field, found.get(field))
                    )


def rows_of(found: Collection[Outcome]) -> Iterator[str]:
    """Yield the rows of the table, the means over articles."""
    groups: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for one in found:
        for group in ("all", "kept aside" if is_aside(one.site) else "others"):
            groups[one.field, group, one.tool].append(one)
    yield "| field | sites | articles | tool | right | wrong | missing | F1 | right, mean of sites |"
    yield "|---|---|--:|---|--:|--:|--:|--:|--:|"
    for (field, group, tool), own in sorted(
        groups.items(), key=lambda item: (FIELDS.index(item[0][0]), item[0][1])
    ):
        by_site: dict[str, list[float]] = defaultdict(list)
        for one in own:
            by_site[one.site].append(one.verdict == "right")
        shares = [
            f"{fmean(one.verdict == name for one in own):.3f}" for name in ("right", "wrong", "missing")
        ]
        f1 = f"{fmean(one.f1 if one.found else 0.0 for one in own):.3f}" if field == "tags" else ""
        sites = f"{fmean(map(fmean, by_site.values())):.3f}"
        cells = (field, f"{group}, {len(by_site)}", f"{len(own):,}", tool, *shares, f1, sites)
        yield f"| {' | '.join(cells)} |"


def site_rows(found: Iterable[Outcome]) -> Iterator[str]:
    """Yield the rows of the table of sites: of how many articles a field is right, and of how many wrong."""
    sites: dict[str, dict[str, list[Outcome]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        sites[one.site][one.field].append(one)
    yield f"| site | {' | '.join(FIELDS)} |"
    yield f"|---|{'---|' * len(FIELDS)}"
    for site, fields in sorted(sites.items()):
        yield f"| {site} | {' | '.join(_share(fields[field]) for field in FIELDS)} |"


def _share(own: Collection[Outcome]) -> str:
    """Return how many are right of how many, and how many are wrong, if any."""
    counts = Counter(one.verdict for one in own)
    wrong = f", {counts['wrong']} wrong" if counts["wrong"] else ""
    return f"{counts['right']} of {len(own)}{wrong}" if own else ""


def main() -> None:
    """Print the table, and what is not right."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--feed", type=int, default=0, metavar="NUMBER", help="so many pages are announced")
    parser.add_argument("--bare", action="store_true", help="take off the articles what states something")
    parser.add_argument("--only", action="append", choices=[*TOOLS], help="this tool; may be repeated")
    parser.add_argument("--pages", type=int, default=20, help="at most so many articles of a corpus")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sites", action="store_true", help="print a row of ours for each site, too")
    parser.add_argument(
        "--wrong",
        action="append",
        choices=FIELDS,
        default=[],
        help="print the articles where this field of ours is not right; may be repeated",
    )
    args = parser.parse_args()
    with Pool(args.processes, maxtasksperchild=8) as pool:
        found = [
            one for own in pool.imap_unordered(partial(outcomes, args=args), args.corpora) for one in own
        ]
    for one in sorted(found, key=lambda one: (one.site, one.url)):
        if one.field in args.wrong and one.tool == OURS and one.verdict != "right":
            print(one.field, one.site, one.verdict, one.url, one.true, one.found, sep="  ")
    print(*rows_of(found), sep="\n")
    if args.sites:
        print("", *site_rows(one for one in found if one.tool == OURS), sep="\n")


if __name__ == "__main__":
    main()
