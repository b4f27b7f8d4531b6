"""The benchmark of crawls year by year warns of a redesign, and learns it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, cast

import pytest
from crawl_corpus import CorpusError, Project
from crawl_years import Year, years
from evalkit import Evalkit
from forked_scrapy import run_scrapy
from news_pages import article, story
from serve_corpus import read_gold

HOST = "news.example.com"


class Titles:
    """Scores nothing but titles: a stand-in for the scores of the evaluation kit."""

    def score(self, corpus: Path, predictions: Path) -> dict[str, Any]:
        """Return the share of pages whose title is right, as both scores."""
        wanted = {row["url"]: row["title"] for row in read_gold(corpus)}
        rows = [json.loads(line) for line in predictions.read_text(encoding="utf-8").splitlines()]
        share = sum(row["title"] == wanted[row["url"]] for row in rows) / len(rows)
        return {"f1": share, "title": share}


def corpus_in(folder: Path, *, grouped: bool = True) -> Path:
    """Return a corpus of one year in one design and one in another."""
    pages = [("2009", number, article(HOST, number)) for number in range(12)]
    pages += [("2013", number, article(HOST, number, "bulletin")) for number in range(100, 112)]
    folder.mkdir()
    with (folder / "gold.jsonl").open("w", encoding="utf-8") as out:
        for group, number, page in pages:
            (folder / f"{number}.html").write_bytes(page.body)
            row = {"file": f"{number}.html", "url": page.url, "title": story(HOST, number).title}
            out.write(json.dumps(row | ({"group": group} if grouped else {})) + "\n")
    return folder


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the commands of the benchmark as forks, and write their log as it does."""

    def scrapy(self: Project, *args: str) -> None:
        done = run_scrapy(*args, cwd=self.folder, env=os.environ)
        assert done.returncode == 0, done.stderr
        with (self.folder / "scrapy.log").open("a", encoding="utf-8") as log:
            log.write(done.stdout + done.stderr)

    monkeypatch.setattr(Project, "scrapy", scrapy)


@pytest.mark.once
@pytest.mark.usefixtures("forks")
def test_a_redesign_is_noticed_and_learned(tmp_path: Path) -> None:
    """Only the crawl of the redesigned year warns, and both years give all their articles."""
    found = list(years(corpus_in(tmp_path / "corpus"), tmp_path / "work", cast("Evalkit", Titles())))
    assert [(year.name, year.pages, year.articles, year.shown_by) for year in found] == [
        ("2009", 12, 12, ""),
        ("2013", 12, 12, "12 of 12"),
    ]
    assert [(year.alone["title"], year.together["title"]) for year in found] == [(1.0, 1.0)] * 2


def test_a_corpus_without_years_is_an_error(tmp_path: Path) -> None:
    """Rows without a group are an error, and nothing is crawled."""
    corpus = corpus_in(tmp_path / "corpus", grouped=False)
    with pytest.raises(CorpusError, match="no group"):
        list(years(corpus, tmp_path / "work", cast("Evalkit", Titles())))


@pytest.mark.parametrize(
    ("year", "is_first", "faults"),
    [
        (Year("2005", 10, 10, "", {"f1": 0.9}, {"f1": 0.9}), True, []),
        (Year("2005", 10, 10, "9 of 10", {"f1": 0.9}, {"f1": 0.9}), True, ["false alarm"]),
        (Year("2009", 10, 10, "", {"f1": 0.9}, {"f1": 0.9}), False, ["no warning"]),
        (Year("2009", 9, 9, "", {"f1": 0.9}, {"f1": 0.9}), False, []),
        (
            Year("2009", 10, 10, "9 of 10", {"f1": 0.8}, {"f1": 0.9}),
            False,
            ["worse than all years at once"],
        ),
    ],
)
def test_what_does_not_hold(year: Year, faults: list[str], *, is_first: bool) -> None:
    """A year that breaks a promise says which one."""
    assert year.faults(is_first=is_first) == faults
