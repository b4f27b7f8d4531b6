"""The demo site is the same each time, complete, and agrees with its truth."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
from demo_site import site
from demo_site.site import write
from demo_site.stories import DAYS, stories
from parsel import Selector

#: Days are made once for all tests.
build, truth = cache(site.build), cache(site.truth)

DIGEST = """
import hashlib
from demo_site.site import build, truth
for day in (1, 2, 3):
    print(hashlib.sha256(repr((sorted(build(day).items()), truth(day))).encode()).hexdigest())
"""


def digests(example: Path, seed: str) -> str:
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(example)}
    done = subprocess.run([sys.executable, "-c", DIGEST], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def html_pages(day: int) -> dict[str, Selector]:
    return {
        path: Selector(
            body=content, encoding="shift_jis" if "/ja/bulletin/" in path else "utf-8", type="html"
        )
        for path, content in build(day).items()
        if path.endswith(("/", ".html"))
    }


def folded(text: str) -> str:
    return "".join(text.split())


def test_same_bytes_in_every_process(example: Path) -> None:
    """Pages and truth do not depend on the hash seed, or on sites that were made before."""
    first = digests(example, "1")
    assert len(first.split()) == 3
    assert digests(example, "2") == first


@pytest.mark.parametrize("day", [1, 2, 3])
def test_truth_stands_on_the_pages(day: int) -> None:
    """The title and every line of an article's truth are on its page, in the same order."""
    pages = html_pages(day)
    for record in truth(day):
        page = pages[str(record["path"])]
        text = folded("".join(page.xpath("//body//text()").getall()))
        assert str(record["title"]) in page.css("title::text").get("")
        place = text.index(folded(str(record["title"])))
        for line in str(record["text"]).splitlines():
            place = text.find(folded(line), place)
            assert place >= 0, (record["path"], line)
            place += len(folded(line))


@pytest.mark.parametrize("day", [1, 2, 3])
def test_every_link_resolves_and_every_page_is_linked(day: int) -> None:
    """Links from the front page reach every page, and every link and picture has a target."""
    files, pages = build(day), html_pages(day)
    reached, waiting = {"/"}, ["/"]
    while waiting:
        path = waiting.pop()
        for link in pages[path].xpath("//@href | //@src").getall():
            target = urldefrag(urljoin(path, link)).url
            assert target in files, (path, link)
            if target in pages and target not in reached:
                reached.add(target)
                waiting.append(target)
    assert reached == set(pages)


def test_articles_differ() -> None:
    """No two articles share a title, an address or a text; all layouts and languages occur."""
    shown = stories(3)
    for values in ([s.title for s in shown], [s.path for s in shown], [s.text for s in shown]):
        assert len(set(values)) == DAYS[3]
    for day in (2, 3):
        new = Counter((story.department, story.language) for story in shown if story.day == day)
        assert len(new) == 6
        assert min(new.values()) >= 5


@pytest.mark.parametrize("day", [2, 3])
def test_a_day_adds_to_the_day_before(day: int) -> None:
    """A day keeps the truth of the day before, and its index pages link to new articles."""
    before, after = truth(day - 1), truth(day)
    assert after[: len(before)] == before
    assert {record["day"] for record in after[len(before) :]} == {day}
    first, second = build(day - 1), build(day)
    assert set(first) < set(second)
    for path in ("/", "/en/", "/ja/news/", "/en/blog/", "/ja/bulletin/", "/en/archive/"):
        assert first[path] != second[path]


def markup(page: Selector) -> set[str]:
    """Return the classes in the body of a page."""
    return set(" ".join(page.css("body [class]::attr(class)").getall()).split())


def test_the_newspaper_is_redesigned_on_day_three() -> None:
    """All its pages, old ones too, get new markup with the same articles; other parts stay as they are."""
    before, after = html_pages(2), html_pages(3)
    for story in stories(2):
        same = markup(before[story.path]) & markup(after[story.path])
        if story.department == "news":
            assert not same, story.path
        else:
            assert same >= markup(before[story.path]) - {"comment"}, story.path
    assert not markup(before["/en/"]) & markup(after["/en/"])
    new = [story for story in stories(3) if story.day == 3 and story.department == "news"]
    assert len(new) >= 40


def test_no_marks_are_left_in_the_pages() -> None:
    """No marks of the stock's notation remain on a page or in the truth."""
    for path, page in html_pages(3).items():
        text = " ".join(page.xpath("//body//text()[not(parent::script or parent::code)]").getall())
        assert not set("{}*$") & set(text), path
        assert "[[" not in text
    assert not any("[[" in str(record["text"]) for record in truth(3))


def test_writing_day_two_over_day_one(tmp_path: Path) -> None:
    """The folder has each page under its address, and the truth of the last day that was written."""
    write(tmp_path, 1)
    write(tmp_path, 2)
    story = stories(2)[-1]
    assert len((tmp_path / "truth.jsonl").read_text("utf-8").splitlines()) == DAYS[2]
    file = tmp_path / "www" / story.path.removeprefix("/")
    assert (file / "index.html" if story.path.endswith("/") else file).read_bytes() == build(2)[story.path]
