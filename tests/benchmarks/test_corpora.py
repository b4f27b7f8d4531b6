"""Corpora in memory: which pages are learned from, drawn and scored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import corpora
import news_pages
import pytest
from corpora import Corpus, LearnPage, Prediction

from scrapy_webstemmer.values import Page

HOST = "daily.example"


class Judge:
    """Replaces the split and the scores, which are not part of this project."""

    def score(self, folder: Path, predictions: Path) -> dict[str, Any]:
        """Return the arguments of the call."""
        rows = map(json.loads, predictions.read_text(encoding="utf-8").splitlines())
        return {row["url"]: (row["title"], row["text"]) for row in rows}

    def anchors(self, url: str, body: bytes) -> Iterator[tuple[str, str]]:
        """Yield one anchor, which names the page."""
        yield "http://daily.example/", url


def learn_page(url: str, *anchors: tuple[str, str]) -> LearnPage:
    """Return a page with these anchors only."""
    return LearnPage(Page(url, b""), anchors)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Return a corpus of 20 articles to learn from and five to extract."""
    pages = [LearnPage(page, ()) for page in news_pages.articles(HOST, 20)]
    test = {page.url: page for page in news_pages.articles(HOST, 5, first=21)}
    return Corpus(tmp_path, tmp_path, pages, test, Judge())  # type: ignore[arg-type]


def test_linkinfo_knows_only_the_pages_that_were_taken() -> None:
    """An anchor counts only if its page and its target were both taken."""
    a = learn_page("http://a.example/", ("a.example/b", "B"), ("a.example/b", "B"), ("a.example/c", "C"))
    b = learn_page("https://a.example/b", ("a.example/", "Home"))
    c = learn_page("http://a.example/c", ("a.example/b", "Later"))
    assert corpora.linkinfo_of([a, b]) == {"https://a.example/b": {"B": 2}, "http://a.example/": {"Home": 1}}
    assert corpora.linkinfo_of([a, c]) == {"http://a.example/c": {"C": 1}}


def test_the_same_seed_draws_the_same_pages() -> None:
    """A draw depends only on its seed, and takes no page twice."""
    pages = [learn_page(f"http://a.example/{n}") for n in range(50)]
    first = corpora.draw(pages, 10, "one")
    assert first == corpora.draw(pages, 10, "one")
    assert first != corpora.draw(pages, 10, "two")
    assert len({page.page.url for page in first}) == 10
    assert len(corpora.draw(pages, 60, "one")) == 50


def test_predictions_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Titles and texts of any script and with line breaks are read as they were written."""
    found = {"http://a.example/": Prediction("Tïtle", "one\ntwo\u2028三"), "http://b.example/": Prediction()}
    corpora.write_predictions(tmp_path / "p.jsonl", found)
    assert corpora.read_predictions(tmp_path / "p.jsonl") == found


def named(pages: Iterable[Page]) -> list[Page]:
    """Return the pages with names as in an archive."""
    return [replace(page, name=f"20261121/{page.url}") for page in pages]


@pytest.fixture
def stored(corpus: Corpus) -> Corpus:
    """Return the corpus as it is read from archives: its pages have names, and the names have urls."""
    learn = [LearnPage(page, ()) for page in named(one.page for one in corpus.learn)]
    test = {page.url: page for page in named(corpus.test.values())}
    rows = [{"id": page.name, "url": page.url} for page in (*(one.page for one in learn), *test.values())]
    (corpus.work / "urls.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return replace(corpus, learn=learn, test=test)


def test_a_redrawn_corpus_has_each_page_in_one_half(stored: Corpus) -> None:
    """Half of all pages is learned from and the rest is extracted; a seed always gives the same halves."""
    drawn = corpora.redrawn(stored, "one")
    learned = [one.page.url for one in drawn.learn]
    assert (len(learned), len(drawn.test)) == (12, 13)
    assert {*learned, *drawn.test} == {*(one.page.url for one in stored.learn), *stored.test}
    assert all(page.url == url for url, page in drawn.test.items())
    assert drawn == corpora.redrawn(stored, "one")
    assert drawn != corpora.redrawn(stored, "two")


def test_pages_that_were_extracted_are_learned_with_their_anchors(stored: Corpus) -> None:
    """A page of the later crawl that is drawn to learn from has its anchors."""
    drawn = corpora.redrawn(stored, "one")
    moved = [one for one in drawn.learn if one.page.url in stored.test]
    assert moved
    assert all(one.anchors == (("daily.example/", one.page.url),) for one in moved)


def test_pages_without_a_prediction_are_scored_as_no_articles(corpus: Corpus) -> None:
    """Every page of the later crawl is scored, with or without a prediction."""
    url = next(iter(corpus.test))
    scored = corpus.score(
        {url: Prediction("Title", "Text"), "http://elsewhere.example/": Prediction("x", "y")}
    )
    assert scored == {one: ("Title", "Text") if one == url else ("", "") for one in corpus.test}


def test_a_run_learns_and_extracts(corpus: Corpus) -> None:
    """A run gives the articles of the later crawl, and the number of pages that were learned from."""
    scored = dict(corpus.run())
    assert scored.pop("learned") == 20
    stories = [news_pages.story(HOST, number) for number in range(21, 26)]
    assert list(scored.values()) == [(one.title, one.text) for one in stories]


def test_what_is_remembered_changes_nothing(corpus: Corpus) -> None:
    """Runs that reuse trees, layouts and scores give the same results as runs that do not."""
    fresh = [corpus.run(), corpus.run(corpus.learn[:3])]
    with corpora.remembered():
        again = [corpus.run(), corpus.run(), corpus.run(corpus.learn[:3])]
    assert again == [fresh[0], *fresh]
