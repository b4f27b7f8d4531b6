"""`scrapy extract --explain`: an account of each page instead of articles."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from news_pages import article

from scrapy_webstemmer import Page, PatternSet, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.review import explanation
from scrapy_webstemmer.verdict.classifier import Context
from scrapy_webstemmer.verdict.evidence import Evidence


def accounts(out: str) -> dict[str, list[str]]:
    """Return the lines of each account by url."""
    found = {}
    for account in out.removesuffix("\n\n").split("\n\n"):
        url, *lines = account.split("\n")
        assert all(line.startswith("  ") for line in lines)
        found[url] = [line[2:] for line in lines]
    return found


def test_the_account_of_an_article(run: Callable[..., Any], patterns: Path, make_story: Any) -> None:
    """It has the outcome, the site, patterns, the probability with its parts, title, main text and fields."""
    done = run("extract", "--explain", "patterns.json", "crawl.zip")
    assert done.status == 0
    found = accounts(done.out)
    assert len(found) == 20
    lines = found[make_story(3).url]
    assert lines[0].startswith("article, with the confidence 0.")
    assert lines[1] == "site: news.example, 1 pattern from 20 pages"
    assert lines[2] == "similarity to the patterns (0.00 is a match):"
    assert lines[3].startswith("  * ")
    assert "  article  http://news.example/story/" in lines[3]
    assert lines[4].startswith("probability of an article: 0.")
    assert lines[4].endswith(" (0.18 is enough); its log odds are")
    assert lines.pop() == "site name: Example News; stated"
    named = [line[9:].rpartition(" (")[0] for line in lines[:-2] if " * " in line and "(" in line]
    one = make_story(3)
    verdict = explain(Page(one.url, one.body), PatternSet.load(patterns)).verdict
    assert verdict is not None
    values = {"own": 1.0, **verdict.context._asdict(), **verdict.evidence._asdict()}
    shown = [explanation._ODDS_WORDS[name] for name, value in values.items() if value]
    assert sorted(named) == sorted(shown)
    assert 3 < len(shown) < len(values)
    assert lines[-2] == f'title: "{make_story(3).title}", at body/div.story/h1'
    assert lines[-1].startswith("main text: 3 of ")
    assert lines[-1].endswith(" blocks, in body/div.story")
    assert done.err.startswith("20 pages: 20 articles\n")


def test_each_part_has_words() -> None:
    """No value of the classifier is shown by its name in the code."""
    assert explanation._ODDS_WORDS.keys() == {"own", *Context._fields, *Evidence._fields}
    assert len(set(explanation._ODDS_WORDS.values())) == len(explanation._ODDS_WORDS)


def test_what_a_page_lacks_is_named(patterns: Path, make_story: Any) -> None:
    """A line has what the site's articles usually have and the page has not; an article has no such line."""
    learned = PatternSet.load(patterns)
    one = make_story(3)
    bare = re.sub(rb"<h1.*?</h1>|<title.*?</title>|<p>.*?</p>", b"", one.body, flags=re.DOTALL)
    for body, expected in (
        (one.body, ""),
        (bare + b'<p><a href="/">Front</a>', "; most of the text outside links;"),
    ):
        lines = explanation.explanation_text(explain(Page(one.url, body), learned)).splitlines()
        found = [line for line in lines if line.startswith("  not so, but usual on this site: ")]
        assert bool(found) == bool(expected)
        assert expected in "".join(found)


def test_the_parts_add_up(run: Callable[..., Any], patterns: Path, make_story: Any) -> None:
    """The products and the base add up to the log odds, and those of the page to its own odds."""
    lines = accounts(run("extract", "--explain", "patterns.json", "crawl.zip").out)[make_story(3).url]
    first = lines.index(next(line for line in lines if line.startswith("probability")))
    inner = lines.index("the page itself, from -6 to 6:")
    last = lines.index(next(line for line in lines if line.startswith("title: ")))
    parts = [float(line.split()[0]) for line in lines[inner + 2 : last]]
    own = float(lines[inner + 1].split()[0]) + sum(parts)
    (line,) = [line for line in lines[first:inner] if "the page itself (" in line]
    assert float(line.partition("(")[2].split()[0]) == pytest.approx(min(6, own), abs=0.1)
    assert [abs(part) for part in parts] == sorted((abs(part) for part in parts), reverse=True)
    odds = sum(float(line.split()[0]) for line in lines[first + 1 : inner])
    assert float(lines[first].split()[4]) == pytest.approx(1 / (1 + 2.718281828**-odds), abs=0.01)


def test_the_accounts_of_other_pages(run: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """Each page has an account, also one that is left out, unknown or unreadable; escapes are removed."""
    pages = {
        "http://other.example/a\x1b[31m": b"<p>nothing</p>",
        "http://news.example/list\u202e": b"<p><a href=/1>A headline\x1b[2J</a>",
        "http://news.example/none": b"<title>none</title>",
        "http://news.example/out": b"<p>text",
        "http://news.example/picture": b"GIF89a",
    }
    write_zip("other.zip", pages)
    done = run("extract", "--explain", "patterns.json", "other.zip", "-j", "/out", "-O", "out.txt")
    assert (done.status, done.out) == (0, "")
    text = patterns.with_name("out.txt").read_text(encoding="utf-8")
    assert not set(text) & set("\x1b\u202e")
    found = accounts(text)
    assert {url.rpartition("/")[2]: lines[0] for url, lines in found.items()} == {
        "a[31m": "no article: its site is not in the pattern file",
        "list": "no article: it is not an article, but a list or another kind of page",
        "none": "no article: it has no text",
        "out": "no article: a url rule leaves it out",
        "picture": "no article: it cannot be read: is a binary file, not HTML",
    }
    assert found["http://news.example/out"][1:] == []
    assert "5 pages: 0 articles, 3 without an article, 1 left out by their url, 1 unreadable" in done.err


def test_an_article_whose_confidence_is_too_low(
    run: Callable[..., Any], patterns: Path, make_story: Any, read_items: Any
) -> None:
    """The account says how high the confidence is and what would be enough; the rest is as usual."""
    assert run("extract", "patterns.json", "crawl.zip", "-O", "a.jsonl").status == 0
    (known,) = [
        item for item in read_items(patterns.with_name("a.jsonl")) if item["url"] == make_story(3).url
    ]
    usual = accounts(run("extract", "--explain", "patterns.json", "crawl.zip").out)
    done = run("extract", "--explain", "patterns.json", "crawl.zip", "--min-confidence", "1")
    first, *others = accounts(done.out)[make_story(3).url]
    assert first == f"no article: its confidence is too low: {known['confidence']:g} (1 is enough)"
    assert others == usual[make_story(3).url][1:]
    assert done.err.startswith("20 pages: 0 articles, 20 too uncertain\n")


def test_layouts_of_2009(run: Callable[..., Any], patterns: Path, make_story: Any) -> None:
    """There is no probability, but the share of the text that each pattern takes."""
    assert run("analyze", "--classic", "crawl.zip", "-o", "old.pat").status == 0
    found = accounts(run("extract", "--explain", "old.pat", "crawl.zip").out)
    lines = found[make_story(3).url]
    assert lines[0] == "article"
    assert lines[1].startswith("site: ")
    assert lines[1].endswith(", layouts of 2009")
    assert lines[2] == "similarity to the patterns (more than 0.80 is a match):"
    assert lines[3].startswith("  * ")
    assert not [line for line in lines if "probability" in line]
    lines = accounts(run("extract", "--explain", "old.pat", "crawl.zip", "-t", "1").out)[make_story(3).url]
    assert lines[0] == "no article: no layout of its site's articles is like it"


def test_of_many_patterns_the_most_similar_are_shown(
    run: Callable[..., Any], patterns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are counted."""
    monkeypatch.setattr(explanation, "PATTERNS_SHOWN", 0)
    assert "\n      and 1 less similar\n" in run("extract", "--explain", "patterns.json", "crawl.zip").out


def test_a_page_that_is_read_by_its_own_evidence(
    run: Callable[..., Any], patterns: Path, write_zip: Any
) -> None:
    """The account says that no pattern serves, or that the site is unknown."""
    title = b"<title>The harbour bridge</title><h1>The harbour bridge</h1>"
    text = title + b"<div class=x>" + b"<p>Words of a story that go on and on.</p>" * 20
    hosts = ("news.example", "other.example")
    write_zip("other.zip", {f"http://{host}/story/the-harbour-bridge.html": text for host in hosts})
    command = ("extract", "--explain", "patterns.json", "other.zip", "-t", ".9", "--fallback")
    done = run(*command, "-s", "LOG_LEVEL=ERROR")
    first, second = accounts(done.out).values()
    assert "no article: no layout of its site's articles is like it" in first
    assert "site: not in the pattern file" in second
    assert second[0].startswith("article, with the confidence 0.")
    learned = learn([article("news.example", number) for number in range(30)])
    told = explanation.explanation_text(explain(article("news.example", 99, "bulletin"), learned))
    assert "  read by its own evidence, since no pattern of articles is like it\n" in told


def test_workers_have_no_part_in_the_accounts(
    run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any
) -> None:
    """Two processes write the same accounts in the same order."""
    write_zip("more.zip", {make_story(n).url: make_story(n).body for n in range(40)})
    alone = run("extract", "--explain", "patterns.json", "more.zip")
    assert run("extract", "--explain", "patterns.json", "more.zip", "--workers", "2") == alone


def test_the_type_of_a_page(run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any) -> None:
    """With all kinds of pages, an account has the type, and why the page would give no article."""
    links = "".join(f'<li><a href="/p/{number}.html">Story number {number}</a></li>' for number in range(20))
    url = "http://news.example/tag/lamps"
    write_zip("list.zip", {url: f"<h1>Lamps</h1><ul>{links}</ul>".encode()})
    found = accounts(run("extract", "--explain", "--all-kinds", "patterns.json", "list.zip", "crawl.zip").out)
    assert found[url][1].startswith("type of the page: collection, with the probability ")
    reason = "it is not an article, but a list or another kind of page"
    assert found[url][2] == f"it comes out since all kinds of pages are asked for: {reason}"
    lines = found[make_story(3).url]
    assert lines[1].startswith("type of the page: article, with the probability ")
    assert not lines[2].startswith("it comes out")
    lines = accounts(run("extract", "--explain", "patterns.json", "list.zip").out)[url]
    assert lines[0] == f"no article: {reason}"
    assert not [line for line in lines if line.startswith("type of the page")]
