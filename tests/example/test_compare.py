"""The comparison with the truth: what it counts, and when it passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from demo_site.compare import Comparison, Group, compare

HOST = "http://127.0.0.1:8000"
TRUTH = [
    {"path": f"/{n}.html", "day": 1 + n % 2, "title": f"Title {n}", "text": f"First {n}.\nSecond."}
    for n in range(100)
]
ARTICLES = [{"url": HOST + r["path"], "title": r["title"], "text": r["text"]} for r in TRUTH]


def compared(folder: Path, articles: list[dict[str, str]], **options: Any) -> Comparison:
    for name, records in (("truth", TRUTH), ("articles", articles)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, "utf-8")
    return compare(folder / "truth.jsonl", folder / "articles.jsonl", **options)


def test_all_exact(tmp_path: Path) -> None:
    """Articles that equal the truth pass; white space does not matter."""
    articles = [a | {"text": a["text"].replace("\n", "\n\n  "), "title": f" {a['title']}"} for a in ARTICLES]
    result = compared(tmp_path, articles)
    assert result.passed
    assert [(group.total, group.exact) for group in (result.older, result.new)] == [(50, 50), (50, 50)]
    assert not result.differences


@pytest.mark.parametrize("change", [{"title": "Title"}, {"text": "First 1."}, {"text": None}])
def test_wrong_articles(tmp_path: Path, change: dict[str, str]) -> None:
    """One wrong article of fifty new ones is allowed, two are not; each is named."""
    one = compared(tmp_path, [a | change if a["url"].endswith("/1.html") else a for a in ARTICLES])
    assert one.passed
    assert one.new.exact == 49
    assert one.differences[0].startswith("/1.html")
    two = compared(
        tmp_path, [a | change if a["url"].endswith(("/1.html", "/3.html")) else a for a in ARTICLES]
    )
    assert not two.passed


def test_the_share_that_has_to_be_exact() -> None:
    """The caller says how many of the new articles have to be exact."""
    nearly = Group(total=50, found=50, title=50, text=49, exact=49)
    assert Comparison(new=nearly, required=0.98).passed
    assert not Comparison(new=nearly, required=1).passed
    assert not Comparison(new=Group(), required=0).passed


def test_articles_that_did_not_come_out(tmp_path: Path) -> None:
    """Missing articles count against the result."""
    result = compared(tmp_path, ARTICLES[:80])
    assert (result.passed, result.new.found, result.new.total) == (False, 40, 50)


@pytest.mark.parametrize("url", ["/en/about/", "/", "/1.html"])
def test_pages_that_are_no_article(tmp_path: Path, url: str) -> None:
    """A single page that is not an article, or an article that comes twice, fails."""
    result = compared(
        tmp_path, [*ARTICLES, {"url": HOST + url, "title": "Title 1", "text": "First 1.\nSecond."}]
    )
    assert not result.passed
    assert result.unexpected == [HOST + url]


def test_only_new_articles_are_wanted(tmp_path: Path) -> None:
    """If a crawl is to give new articles alone, older ones need not come out, and fail if they do."""
    new = [article for article, record in zip(ARTICLES, TRUTH, strict=True) if record["day"] == 2]
    result = compared(tmp_path, new, only_new=True)
    assert result.passed
    assert (result.new.exact, result.older.total, result.differences) == (50, 0, [])
    again = compared(tmp_path, [*new, ARTICLES[0]], only_new=True)
    assert not again.passed
    assert again.unexpected == [f"{HOST}/0.html"]
