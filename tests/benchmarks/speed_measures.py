"""What speed.py measures on a corpus: CPU seconds of this process, the best of some rounds."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

from generic_tools import TOOLS
from serve_corpus import read_gold

from scrapy_webstemmer import PatternSet, extract, learn
from scrapy_webstemmer.blocks.anchors import find_anchors
from scrapy_webstemmer.blocks.parsing import decode, parse
from scrapy_webstemmer.blocks.tags import TODAY
from scrapy_webstemmer.blocks.walk import layout_of
from scrapy_webstemmer.urls import link_key
from scrapy_webstemmer.values import Linkinfo, Page, Pattern, SitePatterns

__all__ = ["EXTRACT_STAGES", "LEARN_STAGES", "PATTERNS", "SpeedCorpus", "installed_tools", "measure"]

#: Pages learned from and pages extracted, at most; rounds of which the best counts.
LEARN, TEST, ROUNDS = 400, 40, 3
#: Numbers of patterns that pages are matched against.
PATTERNS = (1, 10, 100)

#: Stages by what is called: modules and names below the package.
LEARN_STAGES: Mapping[str, str] = {
    "reading.parse_within": "parse",
    "reading.layout_of": "blocks",
    "site_pages.SitePages._keep": "kept once",
    "patterns.learn.learn_traits": "traits",
    "layouts.traits.SiteTraits.place": "places",
    "patterns.learn.profile_of": "profiles",
    "patterns.learn.cluster": "clusters",
    "patterns.learn._with_containers": "containers",
    "patterns.learn._joined": "joined",
    "patterns.learn.pattern_of": "patterns",
    "patterns.learn.with_figures": "figures",
}
EXTRACT_STAGES: Mapping[str, str] = {
    "flow.parse_within": "parse",
    "flow.check_layout": "limits",
    "flow.layout_of": "blocks",
    "layouts.traits.SiteTraits.place": "place",
    "flow.match_paths": "match",
    "flow.blended": "own evidence",
    "articles.build.title_of": "title",
    "articles.build.main_blocks": "main text",
    "articles.build.supplementary_blocks": "supplementary",
    "articles.build.render": "render",
    "articles.build.article_images": "images",
    "articles.build.evidence_of": "similarity",
}


@dataclass(frozen=True)
class SpeedCorpus:
    """Pages to learn from with their anchor texts, and others to extract."""

    name: str
    learn: Sequence[Page]
    test: Sequence[Page]
    linkinfo: Linkinfo

    @classmethod
    def read(cls, folder: Path, learn: int = LEARN, test: int = TEST) -> SpeedCorpus:
        """Return an unpacked corpus: half of its pages, by the digests of their urls, for each."""
        rows = sorted(read_gold(folder), key=lambda row: hashlib.sha256(row["url"].encode()).digest())
        pages = [Page(row["url"], (folder / row["file"]).read_bytes()) for row in rows]
        half = (len(pages) + 1) // 2
        learned = pages[:half][:learn]
        return cls(folder.name, learned, pages[half:][:test], _linkinfo(learned))


def _linkinfo(pages: Sequence[Page]) -> Linkinfo:
    urls = {link_key(page.url): page.url for page in pages}
    found: dict[str, dict[str, int]] = {}
    for page in pages:
        for anchor in find_anchors(parse(page), page).anchors:
            if anchor.key in urls:
                found.setdefault(urls[anchor.key], {})[anchor.text] = 1
    return found


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the CPU seconds that work takes, the least of some rounds."""
    found = []
    for _ in range(rounds):
        start = process_time()
        work()
        found.append(process_time() - start)
    return min(found)


@contextmanager
def stages(names: Mapping[str, str]) -> Iterator[dict[str, float]]:
    """Give a dictionary that has the CPU seconds in each stage when the context ends."""
    spent = dict.fromkeys(names.values(), 0.0)
    with ExitStack() as stack:
        for name, stage in names.items():
            owner, attribute = _owner(name)
            timed = _timed(getattr(owner, attribute), stage, spent)
            stack.enter_context(patch.object(owner, attribute, timed))
        yield spent


def _owner(name: str) -> tuple[Any, str]:
    """Return the module or class below the package, and the name in it."""
    path, attribute = name.rsplit(".", 1)
    holder, _, last = path.rpartition(".")
    if last.lstrip("_")[:1].isupper():
        return getattr(import_module(f"scrapy_webstemmer.{holder}"), last), attribute
    return import_module(f"scrapy_webstemmer.{path}"), attribute


def _timed(function: Any, stage: str, spent: dict[str, float]) -> Any:
    def timed(*args: Any, **kwargs: Any) -> Any:
        start = process_time()
        try:
            return function(*args, **kwargs)
        finally:
            spent[stage] += process_time() - start

    return timed


def measure(corpus: SpeedCorpus, tools: Sequence[str]) -> dict[str, Any]:
    """Return all figures of a corpus; seconds, of ``test`` pages and of ``learn`` pages.

    :param tools: generic extractors by the names in ``generic_tools.TOOLS``.
    """
    learned: list[PatternSet] = []
    learning = best(lambda: learned.append(learn(corpus.learn, corpus.linkinfo)), 2)
    with stages(LEARN_STAGES) as learn_stages:
        learn(corpus.learn, corpus.linkinfo)
    patterns, test = learned[0], corpus.test
    roots = [parse(page) for page in test]
    found: dict[str, Any] = {
        "name": corpus.name,
        "learn pages": len(corpus.learn),
        "test pages": len(test),
        "bytes": sum(len(page.body) for page in test) // len(test),
        "learn": learning,
        "learn stages": learn_stages,
        "parse": best(lambda: [parse(page) for page in test]),
        "blocks": best(lambda: [layout_of(p.url, r, TODAY) for p, r in zip(test, roots, strict=True)]),
        "extract": best(lambda: [extract(page, patterns) for page in test]),
        "extract parsed": best(
            lambda: [extract(p, patterns, root=r) for p, r in zip(test, roots, strict=True)]
        ),
    }
    with stages(EXTRACT_STAGES) as extract_stages:
        for page in test:
            extract(page, patterns)
    found["extract stages"] = extract_stages
    found["patterns"] = _by_patterns(patterns, test)
    found["lexbor"] = lexbor_times(test)
    found["tools"] = {name: _tool_time(name, test) for name in tools}
    return found


def lexbor_times(pages: Sequence[Page]) -> dict[str, float] | None:
    """Return the seconds that another parser takes, decoding included, and that it takes to write its trees.

    None if it is not installed.
    """
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        return None
    trees = [LexborHTMLParser(decode(page)) for page in pages]
    return {
        "parse": best(lambda: [LexborHTMLParser(decode(page)) for page in pages]),
        "write": best(lambda: [tree.html for tree in trees]),
    }


def _tool_time(name: str, pages: Sequence[Page]) -> float:
    return best(lambda: [_guarded(name, page) for page in pages], 1)


def _guarded(name: str, page: Page) -> None:
    try:
        TOOLS[name](page)
    except Exception:  # it has taken its time all the same
        return


def installed_tools() -> list[str]:
    """Return the generic extractors that are installed; each has been used once, and is warm."""
    page = Page("http://warm.example/", b"<html><body><p>" + b"Some words, and some more. " * 50)
    return [name for name in TOOLS if _works(name, page)]


def _works(name: str, page: Page) -> bool:
    try:
        TOOLS[name](page)
    except ImportError:
        return False
    except Exception:  # of so short a page some make nothing
        return True
    return True


def _by_patterns(patterns: PatternSet, pages: Sequence[Page]) -> dict[str, dict[str, float]] | None:
    """Return the seconds of extraction, and of matching in it, by the number of patterns of the site.

    Only pages that give an article by the site's first pattern are extracted. None if no page does.
    """
    articles = [
        pattern for site in patterns.sites.values() for pattern in site.patterns if pattern.kind == "article"
    ]
    if not articles:
        return None
    site = next(site for site in patterns.sites.values() if articles[0] in site.patterns)
    sets = {count: PatternSet({site.site: _multiplied(site, articles[0], count)}) for count in PATTERNS}
    pages = [page for page in pages if (found := extract(page, sets[1])) and found.pattern]
    if not pages:
        return None
    found: dict[str, dict[str, float]] = {}
    for count, many in sets.items():
        with stages({"flow.match_paths": "match"}) as spent:
            for page in pages:
                extract(page, many)
        found[str(count)] = {
            "extract": best(lambda many=many: [extract(page, many) for page in pages]),
            **spent,
        }
    return found


def _multiplied(site: SitePatterns, pattern: Pattern, count: int) -> SitePatterns:
    """Return the site with a pattern, and with so many in all: the others have half of its places."""
    others = tuple(_disguised(pattern, number) for number in range(1, count))
    return replace(site, patterns=(pattern, *others))


def _disguised(pattern: Pattern, number: int) -> Pattern:
    chance = random.Random(number)
    profile = {
        feature if chance.random() < 0.5 else f"other{number}/{feature}": share
        for feature, share in pattern.profile.items()
    }
    return replace(pattern, name=f"{pattern.name}#{number}", profile=profile)
