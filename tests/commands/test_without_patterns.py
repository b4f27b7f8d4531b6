"""`scrapy extract INPUT...` without a pattern file: each site is learned from the pages that are given."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from news_pages import article, articles, indexes, story

from scrapy_webstemmer import PatternSet
from scrapy_webstemmer.values import Page

HOST = "news.example"
OTHER = "blog.example"


def lay_out(folder: Path, pages: list[Page]) -> None:
    """Write pages as wget does: a folder for each host."""
    for page in pages:
        path = folder / page.url.removeprefix("http://")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.body)


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def stating(page: Page, url: str) -> bytes:
    """Return the body of a page that states a url as its own."""
    return page.body.replace(b"</head>", f'<link rel="canonical" href="{url}"></head>'.encode())


@pytest.fixture
def mirror(workdir: Path) -> Path:
    """Return a folder with pages of two sites."""
    pages = [*articles(HOST, 20), *indexes(HOST, 4), *articles(OTHER, 6, "blog")]
    lay_out(workdir / "mirror", pages)
    return workdir / "mirror"


@pytest.mark.parametrize("workers", [[], ["--workers", "2"]])
def test_a_folder_gives_what_analyze_and_extract_give(
    run: Callable[..., Any], mirror: Path, workers: list[str]
) -> None:
    """One command learns and extracts; what was learned can be kept, and is the same."""
    done = run("extract", "mirror", "-O", "one.jsonl", "--save-patterns", "kept.json", *workers)
    assert (done.status, done.out) == (0, "")
    assert "30 pages: 26 articles" in done.err
    assert run("analyze", "mirror", "-o", "patterns.json").status == 0
    assert run("extract", "patterns.json", "mirror", "-O", "two.jsonl").status == 0
    names = "one.jsonl", "two.jsonl", "kept.json", "patterns.json"
    one, two, kept, patterns = (mirror.with_name(name).read_bytes() for name in names)
    assert one == two
    assert kept == patterns
    assert {row["title"] for row in rows(one.decode())} == {
        *(story(HOST, n).title for n in range(1, 21)),
        *(story(OTHER, n).title for n in range(1, 7)),
    }


def test_patterns_may_be_named_by_an_option(run: Callable[..., Any], mirror: Path) -> None:
    """--patterns names the file that may also stand before the inputs."""
    run("analyze", "mirror", "-o", "patterns.json")
    by_option = run("extract", "mirror", "--patterns", "patterns.json")
    assert by_option.out == run("extract", "patterns.json", "mirror").out
    assert by_option.out


def test_one_page_is_enough(run: Callable[..., Any], workdir: Path) -> None:
    """A single page is read by itself; nothing can be learned from it, and nothing is kept."""
    (workdir / "page.html").write_bytes(article(HOST, 7).body)
    url = "http://news.example/story/7.html"
    done = run("extract", "page.html", "--url", url, "--save-patterns", "kept.json")
    (found,) = rows(done.out)
    assert (found["title"], found["text"]) == (story(HOST, 7).title, story(HOST, 7).text)
    assert (found["url"], found["pattern"]) == (url, "")
    assert "kept.json was not written: no site has two pages to learn from" in done.err
    assert not (workdir / "kept.json").exists()


def test_the_reasons_are_said_if_there_is_no_article(run: Callable[..., Any], workdir: Path) -> None:
    """Who gives a page that is none learns why; `--explain` says more."""
    links = "".join(f'<li><a href="/a/{n}">A story that has the number {n}</a></li>' for n in range(40))
    (workdir / "list.html").write_text(f"<title>All stories</title><ul>{links}</ul>", encoding="utf-8")
    done = run("extract", "list.html")
    assert (done.status, done.out) == (0, "")
    assert done.err.splitlines() == [
        "1 page: 0 articles, 1 without an article",
        "         1  it is not an article, but a list or another kind of page",
    ]
    assert "no article: it is not an article" in run("extract", "list.html", "--explain").out


def test_pages_of_files_have_the_urls_that_they_state(run: Callable[..., Any], workdir: Path) -> None:
    """Saved pages without a telling name belong to the sites that they state, and are learned with these."""
    folder = workdir / "saved"
    folder.mkdir()
    for host, template in ((HOST, "press"), (OTHER, "blog")):
        for page in articles(host, 8, template):
            number = page.url.rpartition("/")[2]
            (folder / f"{host[:4]} {number}").write_bytes(stating(page, page.url))
    done = run("extract", "saved", "--save-patterns", "kept.json")
    found = rows(done.out)
    expected = {f"http://{host}/story/{n}.html" for host in (HOST, OTHER) for n in range(1, 9)}
    assert {row["url"] for row in found} == expected
    assert all(row["pattern"] for row in found)
    assert set(PatternSet.load(workdir / "kept.json").sites) == {HOST, OTHER}


def test_a_url_that_all_pages_state_is_not_that_of_all(run: Callable[..., Any], workdir: Path) -> None:
    """Some sites state the url of their front page everywhere: no page is lost, and the site is known."""
    folder = workdir / "saved"
    folder.mkdir()
    for page in articles(HOST, 8):
        (folder / page.url.rpartition("/")[2]).write_bytes(stating(page, "https://news.example/"))
    found = rows(run("extract", "saved").out)
    assert {row["title"] for row in found} == {story(HOST, n).title for n in range(1, 9)}
    assert len({row["url"] for row in found}) == 8
    assert all(row["url"].startswith("https://news.example/") for row in found)


def test_standard_input_may_be_a_page_or_a_list(
    run: Callable[..., Any], mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page, or a list of files, comes in by standard input."""

    def given(content: bytes) -> list[dict[str, Any]]:
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)))  # type: ignore[arg-type]
        monkeypatch.setattr("sys.stdin", stream)
        return rows(run("extract", "-").out)

    (found,) = given(article(HOST, 3).body)
    assert found["text"] == story(HOST, 3).text
    names = [f"mirror/{HOST}/story/{number}.html" for number in range(1, 9)]
    assert len(given("\n".join(names).encode())) == 8
