"""The measurements of speed.py on a corpus: CPU seconds of this process, the best of some rounds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from generic_tools import FAST_TOOLS, TOOLS
from lxml import etree
from python_only import in_python
from serve_corpus import read_gold
from speed_patterns import by_patterns
from speed_timing import ROUNDS, best, stages

from scrapy_webstemmer import ExtractOptions, PageError, PatternSet, extract, extract_all, learn
from scrapy_webstemmer.api import extract_in_parts
from scrapy_webstemmer.base.compiled import compiled
from scrapy_webstemmer.base.urls import link_key
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.anchors import find_anchors
from scrapy_webstemmer.page.markup import tag_reader
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.values import Linkinfo, Page

_LIMITS = Limits()

__all__ = ["EXTRACT_STAGES", "LEARN_STAGES", "SpeedCorpus", "installed_tools", "measure"]

#: The largest number of pages to learn from, and to extract.
LEARN, TEST = 400, 40
#: So many pages of a site are read before the timed ones, because in a crawl no page is the first.
_BEFORE = 20

#: The stages, by the functions that are called: modules and names below the package.
LEARN_STAGES: Mapping[str, str] = {
    "learning.page_reading.open_page": "open",
    "page.sources._ScanSource.layout": "blocks",
    "learning.page_reading.traces_of": "traces of fields",
    "learning.page_reading.Shared.reading": "kept once",
    "patterns.make_patterns.place_all": "model and places",
    "patterns.make_patterns.profile_of": "profiles",
    "patterns.make_patterns.cluster": "clusters",
    "patterns.make_patterns.evidence_of": "kinds",
    "patterns.make_patterns._templates": "containers",
    "patterns.make_patterns.join_templates": "joined",
    "patterns.make_patterns.pattern_of": "patterns",
    "patterns.make_patterns.read_best": "self-test",
    "patterns.make_patterns.with_title_share": "figures",
    "learning.learn_sites._judged": "what pages usually give",
}
EXTRACT_STAGES: Mapping[str, str] = {
    "page.sources.open_page": "open",
    "page.sources._ScanSource.layout": "blocks",
    "page.sources.check_layout": "limits",
    "site.model.SiteModel.place": "place",
    "extraction.page_steps.compare": "match",
    "extraction.page_steps.evidence_of": "kind",
    "extraction.page_steps.blended": "own evidence",
    "extraction.make_article.title_on": "title",
    "extraction.make_article.main_text": "main text",
    "extraction.result.shares_of": "confidence",
    "extraction.make_article.supplementary_blocks": "supplementary",
    "extraction.make_article.render": "render",
    "extraction.make_article.article_images": "images",
}
#: What gives title and text, and no more.
_TEXT = ExtractOptions(html=False, sections=False, metadata=False)
#: The same, and HTML.
_HTML = ExtractOptions(sections=False, metadata=False)
_TOOLS = {**TOOLS, **FAST_TOOLS}
_PARSER = etree.HTMLParser(huge_tree=True)


@dataclass(frozen=True)
class SpeedCorpus:
    """Pages to learn from with their anchor texts, and others to extract."""

    name: str
    learn: Sequence[Page]
    test: Sequence[Page]
    linkinfo: Linkinfo

    @classmethod
    def read(cls, folder: Path, learn: int = LEARN, test: int = TEST) -> SpeedCorpus:
        """Return an unpacked corpus: pages to learn from and to extract, halved by digests of urls."""
        rows = sorted(read_gold(folder), key=lambda row: hashlib.sha256(row["url"].encode()).digest())
        pages = [Page(row["url"], (folder / row["file"]).read_bytes()) for row in rows]
        pages = [page for page in pages if _is_readable(page)]
        half = (len(pages) + 1) // 2
        learned = pages[:half][:learn]
        return cls(folder.name, learned, pages[half:][:test], _linkinfo(learned))


def _is_readable(page: Page) -> bool:
    try:
        return bool(open_page(page, None, _LIMITS).layout(page.url).blocks)
    except PageError:
        return False


def _linkinfo(pages: Sequence[Page]) -> Linkinfo:
    urls = {link_key(page.url): page.url for page in pages}
    found: dict[str, dict[str, int]] = {}
    for page in pages:
        for anchor in find_anchors(open_page(page, None, _LIMITS), page).anchors:
            if anchor.key in urls:
                found.setdefault(urls[anchor.key], {})[anchor.text] = 1
    return found


def forget() -> None:
    """Clear the caches of tags that earlier pages have filled."""
    tag_reader.cache_clear()
    for name in ("page.source_text", "page.scan", "page.scan_layout"):
        if (module := compiled(name)) is not None:
            module.forget()


def parse_bytes(page: Page) -> None:
    """Do what is the unit of all times: lxml's parse of a page's bytes."""
    etree.fromstring(page.body, _PARSER)


def best_in_crawl(corpus: SpeedCorpus, patterns: PatternSet, work: Callable[[PatternSet], object]) -> float:
    """Return the CPU seconds of work on pages that are new, after other pages of their site.

    :param work: gets the patterns as if they had just been loaded and used for the earlier pages.
    """
    found = []
    for _ in range(ROUNDS):
        fresh = crawling(corpus, patterns)
        start = process_time()
        work(fresh)
        found.append(process_time() - start)
    return min(found)


def crawling(corpus: SpeedCorpus, patterns: PatternSet) -> PatternSet:
    """Return patterns in the state of a crawl that has seen some pages of the site."""
    forget()
    fresh = PatternSet(patterns.sites)
    for page in corpus.learn[:_BEFORE]:
        extract(page, fresh)
    return fresh


def longest_parts(pages: Sequence[Page], patterns: PatternSet) -> float:
    """Return how many CPU seconds an extraction in Scrapy blocks everything else, summed over pages."""
    total = 0.0
    for page in pages:
        parts, longest, going = extract_in_parts(page, patterns), 0.0, True
        while going:
            start = process_time()
            going = next(parts, parts) is not parts
            longest = max(longest, process_time() - start)
        total += longest
    return total


def measure(corpus: SpeedCorpus, tools: Sequence[str]) -> dict[str, Any]:
    """Return all figures of a corpus: seconds for ``test`` pages and for ``learn`` pages.

    :param tools: generic extractors by the names in ``generic_tools``.
    """
    learned: list[PatternSet] = []
    learning = min(best(lambda: learned.append(_learn(corpus)), 1) for _ in range(2))
    forget()
    with stages(LEARN_STAGES) as learn_stages:
        learn(corpus.learn, corpus.linkinfo)
    patterns, test = learned[0], corpus.test

    def one_by_one(options: ExtractOptions) -> float:
        return best_in_crawl(corpus, patterns, lambda new: [extract(page, new, options) for page in test])

    def together(options: ExtractOptions) -> float:
        return best_in_crawl(corpus, patterns, lambda new: [*extract_all(test, new, options)])

    found: dict[str, Any] = {
        "name": corpus.name,
        "learn pages": len(corpus.learn),
        "test pages": len(test),
        "bytes": sum(len(page.body) for page in test) // len(test),
        "learn": learning,
        "learn stages": learn_stages,
        "parse": best(lambda: [parse_bytes(page) for page in test]),
        "extract": one_by_one(_TEXT),
        "extract html": one_by_one(_HTML),
        "extract fields": one_by_one(ExtractOptions()),
        "together": together(_TEXT),
        "together html": together(_HTML),
        "together fields": together(ExtractOptions()),
    }
    with in_python():
        found["extract in Python"] = one_by_one(_TEXT)
    found["longest part"] = min(longest_parts(test, crawling(corpus, patterns)) for _ in range(ROUNDS))
    fresh = crawling(corpus, patterns)
    with stages(EXTRACT_STAGES) as extract_stages:
        for page in test:
            extract(page, fresh)
    found["extract stages"] = extract_stages
    found["patterns"] = by_patterns(patterns, test)
    found["tools"] = {name: _tool_time(name, test) for name in tools}
    return found


def _learn(corpus: SpeedCorpus) -> PatternSet:
    forget()
    return learn(corpus.learn, corpus.linkinfo)


def _tool_time(name: str, pages: Sequence[Page]) -> float:
    return best(lambda: [_guarded(name, page) for page in pages], 1)


def _guarded(name: str, page: Page) -> None:
    try:
        _TOOLS[name](page)
    except Exception:  # its time counts all the same
        return


def installed_tools() -> list[str]:
    """Return the generic extractors that are installed; each has run once, and is warm."""
    page = Page("http://warm.example/", b"<html><body><p>" + b"Some words, and some more. " * 50)
    return [name for name in _TOOLS if _works(name, page)]


def _works(name: str, page: Page) -> bool:
    try:
        _TOOLS[name](page)
    except ImportError:
        return False
    except Exception:  # some tools find nothing on such a short page
        return True
    return True
