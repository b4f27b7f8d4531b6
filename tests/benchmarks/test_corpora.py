"""Corpora in memory: which pages are learned from, drawn and scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import corpora
import news_pages
import pytest
from corpora import Corpus, LearnPage, Prediction

from scrapy_webstemmer.values.pages import Page

HOST = "daily.example"


class Judge:
    """Replaces the split and the scores, which are not part of this project."""

    def score(self, folder: Path, predictions: Path) -> dict[str, Any]:
        """Return the arguments of the call."""
        rows = map(json.loads, predictions.read_text(encoding="utf-8").splitlines())
        return {row["url"]: (row["title"], row["text"]) for row in rows}


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
