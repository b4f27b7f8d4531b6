"""`scrapy drift`: a table a site, a star for what has changed, and a status for cron."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from news_pages import article, articles, index, indexes

from scrapy_webstemmer import Page, PatternSet, learn
from scrapy_webstemmer.storage.sqlite import SqliteLearningSet

HOST = "news.example.com"


@pytest.fixture
def learned(workdir: Path) -> Path:
    """Return a pattern file of a site, patterns.json in the working folder."""
    learn([*articles(HOST, 40), *indexes(HOST, 10)]).save(workdir / "patterns.json")
    return workdir / "patterns.json"


@pytest.fixture
def write_crawl(write_zip: Callable[..., Path]) -> Callable[[str, list[Page]], Path]:
    """Return a function that writes pages into an archive."""
    return lambda name, pages: write_zip(name, {page.url: page.body for page in pages})


def redesigned(count: int = 20) -> list[Page]:
    return [article(HOST, number, "bulletin") for number in range(500, 500 + count)]


def test_an_unchanged_site(run: Callable[..., Any], learned: Path, write_crawl: Any) -> None:
    """New pages of the same design: the table has both crawls, no star, and the status is 0."""
    lists = [index(HOST, n, range(n, n + 8)) for n in range(100, 110)]
    write_crawl("new.zip", [*articles(HOST, 30, first=500), *lists])
    done = run("drift", "patterns.json", "new.zip")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "example.com: no change"
    assert [line.split() for line in lines[1:6]] == [
        ["now", "usually"],
        ["pages", "30", "40"],  # lists that their addresses tell are not read
        ["fit", "a", "layout", "30", "100%", "40", "100%"],
        ["give", "an", "expected", "article", "30", "100%", "40", "100%"],
        ["articles", "30", "100%", "40", "100%"],
    ]
    assert "*" not in done.out
    assert "with date" not in done.out


def test_a_redesigned_site(run: Callable[..., Any], learned: Path, write_crawl: Any) -> None:
    """Pages of a new design: a star, the sentence, the advice, and the status 1."""
    write_crawl("new.zip", redesigned())
    done = run("drift", "patterns.json", "new.zip")
    assert (done.status, done.err) == (1, "")
    lines = done.out.splitlines()
    assert lines[0] == "example.com: has changed"
    assert next(line for line in lines if line.startswith("*")).split()[:4] == ["*", "fit", "a", "layout"]
    assert (
        "20 of 20 pages fit no layout that was learned (usually 0%), since 2026-11-21, for example"
        f" http://{HOST}/story/500.html"
    ) in done.out
    assert "scrapy analyze" in lines[-1]


def test_dates_are_shown_if_they_are_looked_for(
    run: Callable[..., Any], learned: Path, write_crawl: Any
) -> None:
    """With --dates the table has the articles with a date; learning does not look for dates."""
    write_crawl("new.zip", articles(HOST, 30, first=500))
    done = run("drift", "patterns.json", "new.zip", "--dates")
    (line,) = [line for line in done.out.splitlines() if "with date" in line]
    assert line.split() == ["with", "date", "0", "0%", "-"]
    assert done.status == 0


def test_since_looks_only_at_later_pages(run: Callable[..., Any], learned: Path) -> None:
    """Pages fetched before the day, or at an unknown time, do not count."""
    days = ("2026-11-20T10:00:00", "2026-11-22T00:00:00")
    pages = articles(HOST, 12, first=700) + redesigned(12)
    with SqliteLearningSet(learned.with_name("new.sqlite")) as learning_set:
        for number, page in enumerate(pages):
            learning_set.add_page(replace(page, fetched=days[number // 12]))
    folder = learned.with_name("mirror") / HOST
    folder.mkdir(parents=True)
    (folder / "story.html").write_bytes(article(HOST, 800).body)
    done = run("drift", "patterns.json", "new.sqlite", "mirror", "--since", "2026-11-22")
    assert done.status == 1
    assert "12 of 12 pages fit no layout" in done.out
    assert done.err == "not compared: 13 pages from before 2026-11-22, or from an unknown time\n"


def test_url_rules_choose_the_pages(run: Callable[..., Any], learned: Path, write_crawl: Any) -> None:
    """Pages that -a and -j leave out do not count."""
    write_crawl("new.zip", [*articles(HOST, 30, first=600), *redesigned()])
    done = run("drift", "patterns.json", "new.zip", "-j", "/story/5")
    assert done.status == 0
    assert "pages                                     30" in done.out


def test_debug_names_the_pages_that_fit_no_layout(
    run: Callable[..., Any], learned: Path, write_crawl: Any
) -> None:
    """With -d, standard error has the url of each page that fits no layout."""
    write_crawl("new.zip", [*articles(HOST, 12, first=600), *redesigned(2)])
    done = run("drift", "patterns.json", "new.zip", "-d")
    assert done.err.splitlines() == [
        f"fits no layout: http://{HOST}/story/{number}.html" for number in (500, 501)
    ]


def test_sites_that_cannot_be_compared_are_named(
    run: Callable[..., Any], learned: Path, write_crawl: Any
) -> None:
    """Unknown sites do not hide what the other sites show; they are named on standard error."""
    write_crawl("new.zip", [*redesigned(), *articles("other.example", 2)])
    done = run("drift", "patterns.json", "new.zip")
    assert done.status == 1
    assert done.err == "not compared: other.example: the pattern file does not know the site of 2 pages\n"


def _without_counts(path: Path) -> None:
    data = json.loads(path.read_text())
    del data["sites"][0]["usual"]
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("pages", "change", "message"),
    [
        (articles("other.example", 20), None, "the pattern file does not know the site of 20 pages"),
        (articles(HOST, 9), None, "example.com: 9 pages of it are too few to tell a change: 10 are needed"),
        (articles(HOST, 20), _without_counts, "learn again with scrapy analyze"),
        ([], None, "the inputs have no pages"),
        (articles(HOST, 20), "none", "-a and -j leave out all of 20 pages"),
    ],
)
def test_a_comparison_that_is_not_possible_is_an_error(
    run: Callable[..., Any], learned: Path, write_crawl: Any, pages: Any, change: Any, message: str
) -> None:
    """If no site can be compared, one line says why, and the status is not 0."""
    if callable(change):
        change(learned)
    write_crawl("new.zip", pages)
    done = run("drift", "patterns.json", "new.zip", *(("-a", "/none/") if change == "none" else ()))
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("error: no site could be compared: ")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a pattern file and at least one INPUT"),
        (["-"], "give a pattern file and at least one INPUT"),
        (["patterns.json"], "give at least one INPUT"),
        (["patterns.json", "gone.zip"], "gone.zip: there is no such file"),
        (["gone.json", "patterns.json"], "gone.json: there is no such file"),
        (["patterns.json", "patterns.json", "--since", "yesterday"], "yesterday is not a day like"),
        (["patterns.json", "patterns.json", "--classic"], "--classic"),
        (["patterns.json", "patterns.json", "-a", "x("], "x("),
    ],
)
def test_wrong_arguments(run: Callable[..., Any], learned: Path, arguments: list[str], message: str) -> None:
    """Wrong usage has the status 2, and one line names what is wrong."""
    done = run("drift", *arguments)
    assert done.status == 2
    assert message in done.err


def test_damaged_patterns(run: Callable[..., Any], learned: Path, write_crawl: Any) -> None:
    """A damaged pattern file is an error, and not a changed site."""
    write_crawl("new.zip", redesigned())
    learned.write_text("{")
    done = run("drift", "patterns.json", "new.zip")
    assert (done.status, done.out) == (1, "")
    assert "patterns.json" in done.err


def test_unreadable_pages_are_named_and_cost_nothing(
    run: Callable[..., Any], learned: Path, write_crawl: Any
) -> None:
    """An unreadable page is named, and the others are compared."""
    picture = Page(f"http://{HOST}/picture.html", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10)
    write_crawl("new.zip", [picture, *articles(HOST, 20, first=500)])
    done = run("drift", "patterns.json", "new.zip")
    assert done.status == 0
    assert done.err.startswith(f"not read: {picture.url}")


def test_saved_patterns_are_those_of_learning(learned: Path) -> None:
    """The counts come back from the file as they were."""
    (site,) = PatternSet.load(learned).sites.values()
    assert site.usual is not None
    assert site.usual.judged == 40  # the ten lists are told by their addresses
