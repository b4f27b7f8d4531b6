"""Corpora in memory: pages to learn from, with their anchors, pages to extract, and the scores of runs."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from evalkit import Evalkit

from scrapy_webstemmer import ExtractOptions, LearnOptions, Limits, extract, learn
from scrapy_webstemmer.base.parts import Parts, finish
from scrapy_webstemmer.base.urls import link_key
from scrapy_webstemmer.errors import PageError
from scrapy_webstemmer.learning.page_reading import read_page
from scrapy_webstemmer.page import sources, tags
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.storage import open_pages
from scrapy_webstemmer.values import Layout, Linkinfo, Page

#: The results of score.py for a corpus, and the number of pages that were learned from.
Scores = Mapping[str, Any]


class Prediction(NamedTuple):
    """A page's title and main text as a tool gives them; both empty if the tool gives no article."""

    title: str = ""
    text: str = ""


class LearnPage(NamedTuple):
    """A page to learn from, and its anchors, each with its target's key and its text."""

    page: Page
    anchors: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Corpus:
    """A corpus, split as split.py does.

    :param folder: the folder with gold.jsonl.
    :param work: the folder for predictions that are to be scored.
    :param learn: the pages of the learning crawl, in the order of their digests.
    :param test: the pages of the later crawl by their urls in gold.jsonl.
    """

    folder: Path
    work: Path
    learn: Sequence[LearnPage]
    test: Mapping[str, Page]
    evalkit: Evalkit

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    def shorter(self, count: int) -> Corpus:
        """Return the corpus with at most so many pages to extract, the first by their digests."""
        return replace(self, test=dict(list(self.test.items())[:count]))

    def score(self, predictions: Mapping[str, Prediction]) -> Scores:
        """Return the scores of predictions by url; a page without a prediction gives no article."""
        path = self.work / "predictions.jsonl"
        write_predictions(path, {url: predictions.get(url, Prediction()) for url in self.test})
        return self.evalkit.score(self.folder, path)

    def run(
        self,
        pages: Sequence[LearnPage] | None = None,
        learn_options: LearnOptions | None = None,
        extract_options: ExtractOptions | None = None,
    ) -> Scores:
        """Learn from pages (None: from all), extract the later crawl, and return the scores.

        Without any page to learn from, each page is read alone.
        """
        pages = self.learn if pages is None else pages
        wanted = learn_options or LearnOptions()
        patterns = learn((one.page for one in pages), linkinfo_of(pages), wanted) if pages else None
        found = {}
        for url, page in self.test.items():
            try:
                article = extract(page, patterns, extract_options or ExtractOptions())
            except PageError:  # some pages of a crawl are fonts and pictures
                continue
            if article is not None:
                found[url] = Prediction(article.title, article.text)
        return {**self.score(found), "learned": len(pages)}


def read_corpus(folder: Path, work: Path, evalkit: Evalkit, learn: int, test: int) -> Corpus:
    """Return an unpacked corpus with at most so many pages of each half."""
    work = work / folder.name
    evalkit.halves(folder, work, learn, test)
    urls = _urls(work)
    with open_pages(work / "learn.zip") as first, open_pages(work / "test.zip") as second:
        pages = [LearnPage(page, _anchors(evalkit, urls[page.name], page.body)) for page in first]
        later = {urls[page.name]: page for page in second}
    return Corpus(folder, work, pages, later, evalkit)


def redrawn(corpus: Corpus, seed: str) -> Corpus:
    """Return the corpus with a random half of all its pages to learn from, and the others to extract."""
    urls = _urls(corpus.work)
    later = [LearnPage(page, _anchors(corpus.evalkit, url, page.body)) for url, page in corpus.test.items()]
    pages = [*corpus.learn, *later]
    drawn, middle = draw(pages, len(pages), seed), len(pages) // 2
    test = {urls[one.page.name]: one.page for one in drawn[middle:]}
    return replace(corpus, learn=drawn[:middle], test=test)


def _urls(work: Path) -> dict[str, str]:
    """Return the urls in gold.jsonl of the pages of both crawls, by the pages' names."""
    with (work / "urls.jsonl").open(encoding="utf-8") as lines:
        return {row["id"]: row["url"] for row in map(json.loads, lines)}


def _anchors(evalkit: Evalkit, url: str, body: bytes) -> tuple[tuple[str, str], ...]:
    return tuple((link_key(target), text) for target, text in evalkit.anchors(url, body))


@contextmanager
def remembered() -> Iterator[None]:
    """Keep, while the context lasts, what all runs on a corpus have in common.

    Trees and layouts are half of the work, and the same in every run. Cost: memory for the trees of all its
    pages.
    """
    # the tags are a part of the keys, since a run may replace them
    learned = lru_cache(maxsize=None)(lambda page, wanted, _: read_page(page, wanted))
    extracted = lru_cache(maxsize=None)(
        lambda page, encoding, limits, _: finish(read(page, encoding, limits))
    )
    read = sources.read_layout

    def read_layout(page: Page, encoding: str | None, limits: Limits, source: Any = None) -> Parts[Layout]:
        del source  # no run has opened the page
        yield
        layout: Layout = extracted(page, encoding, limits, tags.TODAY)
        return layout

    faster = {
        "learning.page_reading.read_page": lambda page, wanted: learned(page, wanted, tags.TODAY),
        "classic.layouts_2009.layout_of": lru_cache(maxsize=None)(layout_of),
        "api.read_layout": read_layout,
    }
    with ExitStack() as stack:
        for name, function in faster.items():
            stack.enter_context(patch(f"scrapy_webstemmer.{name}", function))
        yield


def linkinfo_of(pages: Iterable[LearnPage]) -> Linkinfo:
    """Return for each page the anchor texts, with counts, by which the pages link to it."""
    pages = list(pages)
    urls = {link_key(one.page.url): one.page.url for one in pages}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in pages:
        for target, text in one.anchors:
            if target in urls:
                found[urls[target]][text] += 1
    return found


def draw(pages: Sequence[LearnPage], count: int, seed: str) -> list[LearnPage]:
    """Return ``count`` pages at random, or all if there are fewer; a seed always gives the same pages."""
    return random.Random(seed).sample(list(pages), min(count, len(pages)))


def write_predictions(path: Path, predictions: Mapping[str, Prediction]) -> None:
    """Write predictions as score.py reads them."""
    with path.open("w", encoding="utf-8") as out:
        for url, found in predictions.items():
            out.write(json.dumps({"url": url, **found._asdict()}, ensure_ascii=False) + "\n")


def read_predictions(path: Path) -> dict[str, Prediction]:
    """Return what ``write_predictions`` wrote."""
    with path.open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return {row["url"]: Prediction(row["title"], row["text"]) for row in rows}
