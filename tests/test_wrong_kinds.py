"""What somebody may pass by mistake gets one line that says what is right."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from news_pages import article

from scrapy_webstemmer import OptionError, Page, PatternSet, extract, extract_all, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.errors import PatternFileError

HOST = "press.example"


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    """Return the patterns of a site."""
    return learn([article(HOST, number) for number in range(20)])


MISTAKES: dict[str, tuple[Callable[[Any], object], str]] = {
    "text as body": (
        lambda _: Page("http://a.example/", "<p>x</p>"),
        "body of a Page must be bytes, not str; .*response.body",
    ),
    "bytes as charset": (
        lambda _: Page("http://a.example/", b"", encoding=b"utf-8"),
        r"encoding of a Page must be str \| None, not bytes",
    ),
    "a number as time": (
        lambda _: Page("http://a.example/", b"", fetched=1.5),
        r"fetched of a Page must be str \| None, not float",
    ),
    "a url as aliases": (
        lambda _: Page("http://a.example/", b"", aliases="http://b.example/"),
        r"aliases of a Page must be tuple \| list, not str",
    ),
    "a title as announcement": (
        lambda _: Page("http://a.example/", b"", announced="Fair"),
        r"announced of a Page must be .*Announcement \| None, not str",
    ),
    "bytes as url": (lambda _: Page(b"http://a.example/", b""), "url of a Page must be str, not bytes"),
    "a path as pages": (lambda _: learn("pages"), r"several, not str; .*open_pages\(path\)"),
    "a Path as pages": (lambda _: learn(Path("pages")), r"several, not \w*Path; .*open_pages\(path\)"),
    "paths as pages": (lambda _: learn(["a.html"]), "each page must be a Page, not str"),
    "a page as pages": (lambda _: learn(article(HOST, 1)), "several, not Page"),
    "options of learning": (lambda _: learn([], options={}), "must be a LearnOptions, not dict"),
    "linkinfo": (lambda _: learn([], ["a"]), "linkinfo must map urls"),
    "a path as page": (
        lambda known: extract(__file__, known),
        r"not the name of a file; Path\(.*\)\.read_bytes",
    ),
    "a Path as page": (lambda known: extract(Path("a.html"), known), r"HTML as text or bytes, not \w*Path"),
    "a url as page": (
        lambda _: extract("https://a.example/"),
        "must be HTML, not its url; fetch .*a.example",
    ),
    "a tree as root": (
        lambda _: extract("<p>x", root=etree.ElementTree(etree.Element("html"))),
        r"root must be an? _Element, not _ElementTree; getroot\(\) of a tree",
    ),
    "two urls": (lambda _: extract(article(HOST, 1), url="http://a.example/"), "a Page has its own url"),
    "bytes as url of HTML": (lambda _: extract("<p>x", url=b"a"), "url of a Page must be str, not bytes"),
    "a path as patterns": (
        lambda _: extract(article(HOST, 1), "patterns.json"),
        r"must be a PatternSet, not str; PatternSet\.load\(path\)",
    ),
    "a dict as options": (lambda known: extract(article(HOST, 1), known, {}), "an ExtractOptions, not dict"),
    "explain": (lambda known: explain("a.html", known), "page must be a Page, not str"),
    "all of a path": (lambda known: [*extract_all("pages", known)], r"several, not str; .*open_pages"),
    "all of paths": (lambda known: [*extract_all(["a.html"], known)], "page must be a Page, not str"),
    "sites": (lambda _: PatternSet("patterns.json"), r"must be a Mapping, not str; PatternSet\.load"),
    "a dict as file": (lambda _: PatternSet.load({}), "is a path or a stream, not a dict"),
    "nothing as place": (
        lambda known: known.save(None),
        "to a path or a stream .* for bytes, not a NoneType",
    ),
    "a stream of text": (
        lambda known: known.save(io.StringIO()),
        "to a path or .* for bytes, not a StringIO",
    ),
    "a dict as content": (lambda _: PatternSet.loads({}), "content must be bytes, not dict"),
}


@pytest.mark.parametrize(("mistake", "line"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(mistake: Callable[[Any], object], line: str, patterns: PatternSet) -> None:
    """The error is a TypeError with one line."""
    with pytest.raises(TypeError, match=line) as caught:
        mistake(patterns)
    assert "\n" not in str(caught.value)


def test_text_of_a_pattern_file(patterns: PatternSet, tmp_path: Path) -> None:
    """It may be a str; what is none is a PatternFileError."""
    patterns.save(tmp_path / "patterns.json")
    assert PatternSet.loads((tmp_path / "patterns.json").read_text(encoding="utf-8")) == patterns
    with pytest.raises(PatternFileError, match="is not a pattern file"):
        PatternSet.loads("{}")


def test_what_a_notebook_shows(patterns: PatternSet) -> None:
    """Patterns and pages are one short line."""
    (site,) = patterns.sites.values()
    assert repr(patterns) == f"<PatternSet of 1 site: {HOST}>"
    assert repr(PatternSet()) == "<PatternSet of no site>"
    many = PatternSet(dict.fromkeys("abcdefg", site))
    assert repr(many) == "<PatternSet of 7 sites: a, b, c, ...>"
    page = Page("http://a.example/", b"x" * 52_000, "utf-8")
    assert repr(page) == "<Page 'http://a.example/': 52,000 bytes, encoding='utf-8'>"


@pytest.mark.parametrize("workers", [1, 2])
def test_articles_of_many_pages(workers: int, patterns: PatternSet, caplog: Any) -> None:
    """Each page comes with its article, in order; one that cannot be read is logged, and has none."""
    pages = [article(HOST, number) for number in range(30, 40)]
    pages.insert(3, Page(f"http://{HOST}/picture", b"\x89PNG\r\n"))
    found = [*extract_all(iter(pages), patterns, workers=workers)]
    assert [page for page, _ in found] == pages
    assert [one for _, one in found] == [
        None if number == 3 else extract(page, patterns) for number, page in enumerate(pages)
    ]
    if workers == 1:
        assert "page skipped: http://press.example/picture: is a binary file" in caplog.text


@pytest.mark.parametrize("workers", [-1, 1.5])
def test_a_number_of_processes_that_cannot_be(patterns: PatternSet, workers: Any) -> None:
    """It is an error that names the option, in learning and in extraction."""
    pages = [article(HOST, number) for number in range(3)]
    with pytest.raises(OptionError, match=r"workers=.*must be a whole number of processes"):
        learn(pages, workers=workers)
    with pytest.raises(OptionError, match="workers="):
        list(extract_all(pages, patterns, workers=workers))
