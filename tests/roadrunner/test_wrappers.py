"""RoadRunner's wrappers as a site's patterns: what is learned, the bounds, and what is read."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from news_pages import article, articles, indexes, story

from scrapy_webstemmer.api import explain, extract, learn
from scrapy_webstemmer.errors import LimitError
from scrapy_webstemmer.options import ExtractOptions, LearnOptions, Limits
from scrapy_webstemmer.pattern_files.pattern_file import PatternSet
from scrapy_webstemmer.roadrunner import wrappers
from scrapy_webstemmer.roadrunner.union_free import FIELD, GROUP_NAMES
from scrapy_webstemmer.values import Page

HOST = "press.example"
ROADRUNNER = LearnOptions(layout="roadrunner")


def site_pages() -> list[Page]:
    return [*articles(HOST, 12), *indexes(HOST, 4)]


def labels(learned: PatternSet, kind: str) -> list[str]:
    """Return the labels of the rows of the first pattern of a kind."""
    patterns = learned.sites[HOST].patterns
    return [row.partition(" ")[2] for row in next(one for one in patterns if one.kind == kind).tree]


def test_a_site_gives_wrappers_and_articles(tmp_path: Path) -> None:
    """Paragraphs become an iterator of fields, the footer stays a text; the file gives the same articles."""
    learn(site_pages(), options=ROADRUNNER).save(tmp_path / "patterns.json")
    learned = PatternSet.load(tmp_path / "patterns.json")
    found = labels(learned, "article")
    iterator = found.index("(+)")
    assert found[iterator : iterator + 3] == ["(+)", "p", FIELD]
    assert "#text Printed on recycled paper." in found
    assert GROUP_NAMES.isdisjoint(labels(learned, "index"))
    one = extract(article(HOST, 100), learned)
    assert one is not None
    assert tuple(one.text.split("\n")) == story(HOST, 100).paragraphs
    told = explain(article(HOST, 100), learned)
    assert told.match is not None
    assert 0.5 < told.match.share < 1
    assert [share > 0 for _, share in told.compared] == [True, False]


def test_pages_of_a_cluster_that_a_wrapper_rejects_have_one_of_their_own() -> None:
    """Pages alike but for an element that has no other side give two wrappers of one cluster."""
    head = "<html><head><title>A day by the sea</title></head><body><h1>A day by the sea</h1>"
    pages = [
        Page(f"http://{HOST}/{number}.html", f"{head}<{tag}>{number}</{tag}></body></html>".encode())
        for number, tag in enumerate(["div", "blockquote"] * 3)
    ]
    (site,) = learn(pages, options=ROADRUNNER).sites.values()
    assert site.clusters == 1
    assert sorted(one.pages for one in site.patterns) == [3, 3]
    assert site.unused == ()


def hostile(number: int) -> Page:
    """Return a page in which nearly every tag is a mismatch with any other such page."""
    chance = random.Random(number)
    parts = "".join(
        f"<{tag}><ul><li>{number}</ul></{tag}>" for tag in chance.choices(("div", "section", "aside"), k=400)
    )
    return Page(f"http://{HOST}/{number}.html", f"<html><body>{parts}</body></html>".encode())


@pytest.mark.once
def test_learning_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the steps of a site are used up, the pages that are left are named with the reason."""
    pages = [hostile(number) for number in range(6)]
    learn(pages, options=ROADRUNNER)  # ends
    monkeypatch.setattr(wrappers, "_SITE_STEPS", 1_000)
    (site,) = learn(pages, options=ROADRUNNER).sites.values()
    assert site.patterns == ()
    assert "takes too long to compare" in {left.reason for left in site.unused}
    assert sum(left.pages for left in site.unused) == 6


def test_large_wrappers_are_left_out() -> None:
    """A wrapper with more nodes than a pattern file may have is none, and the reason is told."""
    pages = [
        Page(f"http://{HOST}/{number}.html", f"<p>a</p>{more * 5}<h1>b</h1>".encode())
        for number, more in enumerate(("", "<ul></ul>", "<ol></ol>", "<dl></dl>"))
    ]
    for elements, reasons in ((20, []), (10, ["pattern beyond the limit 'elements'"])):
        options = LearnOptions(layout="roadrunner", cluster_threshold=0.3, limits=Limits(elements=elements))
        (site,) = learn(pages, options=options).sites.values()
        assert [left.reason for left in site.unused] == reasons
        assert len(site.patterns) == 1 - len(reasons)


def test_hostile_files_are_read_in_bounded_steps(tmp_path: Path) -> None:
    """Iterators in iterators end with the limit of steps, or with a page that is not accepted."""
    learn(site_pages(), options=ROADRUNNER).save(tmp_path / "patterns.json")
    document = json.loads((tmp_path / "patterns.json").read_bytes())
    depth = 300
    rows = ["0 html", "1 body", *(f"{2 + level} (*)" for level in range(depth)), f"{2 + depth} p", "2 hr"]
    document["sites"][0]["patterns"][0]["tree"] = rows
    learned = PatternSet.loads(json.dumps(document).encode())
    page = Page(f"http://{HOST}/many.html", b"<html><body>" + b"<p></p>" * 100 + b"words</body></html>")
    assert extract(page, learned) is None
    with pytest.raises(LimitError, match="limit 'steps'"):
        extract(page, learned, ExtractOptions(limits=Limits(steps=1_000)))
