"""`scrapy extract` of a page that was saved by hand: its url comes from the user or from the page."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer import PatternSet

URL = "http://news.example/story/33.html"


@pytest.fixture
def saved(patterns: Path, make_story: Any) -> Callable[[str], Path]:
    """Return a function that saves a story with something in its head, page.html in the working folder."""

    def save(head: str = "") -> Path:
        page = make_story(33).body.replace(b"<head>", f"<head>{head}".encode(), 1)
        patterns.with_name("page.html").write_bytes(page)
        return patterns.with_name("page.html")

    return save


def url_of(done: Any) -> str:
    assert done.status == 0, done.err
    return str(json.loads(done.out)["url"])


def test_the_user_names_the_url(run: Callable[..., Any], saved: Callable[..., Path]) -> None:
    """With --url the page has this url, whatever it states; the text output keeps the file's name."""
    saved("<link rel=canonical href=http://news.example/other>")
    done = run("extract", "patterns.json", "page.html", "--url", URL)
    assert url_of(done) == URL
    assert "as it states" not in done.err
    done = run("extract", "patterns.json", "page.html", "--url", URL, "--format", "text")
    assert done.out.startswith("!MATCHED: page.html\n")


def test_standard_input_has_a_url(
    run: Callable[..., Any], saved: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """--url also names a page from standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(saved().read_bytes())))
    assert url_of(run("extract", "patterns.json", "-", "--url", URL)) == URL


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("crawl.zip", "--url", URL), "--url goes with a single page"),
        (("page.html", "page.html", "--url", URL), "--url goes with a single page"),
        (("page.html", "--url", "news.example/a"), "must begin with http:// or https://"),
    ],
)
def test_a_url_for_something_else(
    run: Callable[..., Any], saved: Callable[..., Path], arguments: tuple[str, ...], reason: str
) -> None:
    """A url for several pages, or one that is none, is an error, and nothing is written."""
    saved()
    done = run("extract", "patterns.json", *arguments, "-O", "out.jsonl")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert reason in done.err
    assert not Path("out.jsonl").exists()


@pytest.mark.parametrize(
    "head",
    [
        f"<link rel=canonical href={URL}>",
        f"<meta property=og:url content={URL}>",
        f"<!-- saved from url=(0033){URL} -->",
        f"<link rel=canonical href=http://other.example/a><meta property=og:url content={URL}>",
    ],
)
def test_the_page_states_its_url(run: Callable[..., Any], saved: Callable[..., Path], head: str) -> None:
    """A page has the first url that it states whose site is in the pattern file, and a line says so."""
    saved(head)
    done = run("extract", "patterns.json", "page.html")
    assert url_of(done) == URL
    assert done.err.startswith(f"page.html: has the url {URL}, as it states\n")
    assert run("extract", "patterns.json", "page.html", "-j", "story").out == ""


def test_a_page_of_an_unknown_site(run: Callable[..., Any], saved: Callable[..., Path]) -> None:
    """A page that states a url of another site, or none, has the url of its file."""
    path = saved("<link rel=canonical href=http://other.example/a>")
    done = run("extract", "patterns.json", "page.html")
    assert url_of(done) == path.as_uri()
    assert "as it states" not in done.err
    saved()
    assert url_of(run("extract", "patterns.json", "page.html")) == path.as_uri()


def test_the_url_chooses_among_several_sites(
    run: Callable[..., Any], saved: Callable[..., Path], patterns: Path
) -> None:
    """In a file with several sites, only a page with a url has patterns."""
    known = PatternSet.load(patterns)
    (site,) = known.sites.values()
    PatternSet({**known.sites, "b.example": replace(site, site="b.example")}).save(patterns)
    saved()
    done = run("extract", "patterns.json", "page.html", "-d")
    assert done.out == ""
    assert "its site is not in the pattern file" in done.err
    assert url_of(run("extract", "patterns.json", "page.html", "--url", URL)) == URL


def test_pages_with_a_url_keep_it(run: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """What a stored page states about itself does not matter."""
    write_zip("one.zip", {"http://news.example/x": f"<link rel=canonical href={URL}><p>text".encode()})
    assert "no article: http://news.example/x: " in run("extract", "patterns.json", "one.zip", "-d").err
