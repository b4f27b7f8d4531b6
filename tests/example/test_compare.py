"""The comparison with the truth: what it counts, and when it passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from demo_site.compare import Comparison, compare

HOST = "http://127.0.0.1:8000"
TRUTH = [
    {"path": f"/{n}.html", "day": 1 + n % 2, "title": f"Title {n}", "text": f"First {n}.\nSecond."}
    for n in range(100)
]
ARTICLES = [{"url": HOST + r["path"], "title": r["title"], "text": r["text"]} for r in TRUTH]


def compared(folder: Path, articles: list[dict[str, str]]) -> Comparison:
    for name, records in (("truth", TRUTH), ("articles", articles)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, "utf-8")
    return compare(folder / "truth.jsonl", folder / "articles.jsonl")


def test_all_exact(tmp_path: Path) -> None:
    """Articles that equal the truth pass; white space does not matter."""
    articles = [a | {"text": a["text"].replace("\n", "\n\n  "), "title": f" {a['title']}"} for a in ARTICLES]
    result = compared(tmp_path, articles)
    assert result.passed
    assert [(group.total, group.exact) for group in result.groups.values()] == [(50, 50), (50, 50)]
    assert not result.differences


@pytest.mark.parametrize("change", [{"title": "Title"}, {"text": "First 1."}, {"text": None}])
def test_wrong_articles(tmp_path: Path, change: dict[str, str]) -> None:
    """One wrong article of fifty new ones is allowed, two are not; each is named."""
    one = compared(tmp_path, [a | change if a["url"].endswith("/1.html") else a for a in ARTICLES])
    assert one.passed
    assert one.groups[2].exact == 49
    assert one.differences[0].startswith("/1.html")
    two = compared(
        tmp_path, [a | change if a["url"].endswith(("/1.html", "/3.html")) else a for a in ARTICLES]
    )
    assert not two.passed


def test_articles_that_did_not_come_out(tmp_path: Path) -> None:
    """Missing articles count against the result."""
    result = compared(tmp_path, ARTICLES[:80])
    assert (result.passed, result.groups[2].found, result.groups[2].total) == (False, 40, 50)


@pytest.mark.parametrize("url", ["/en/about/", "/", "/1.html"])
def test_pages_that_are_no_article(tmp_path: Path, url: str) -> None:
    """A single page that is not an article, or an article that comes twice, fails."""
    result = compared(
        tmp_path, [*ARTICLES, {"url": HOST + url, "title": "Title 1", "text": "First 1.\nSecond."}]
    )
    assert not result.passed
    assert result.unexpected == [HOST + url]
