"""Layout trees as layouts of their own: learning, saving, loading and extracting."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from news_pages import BAD_PAGES, article, articles, indexes, story

from scrapy_webstemmer.api import explain, extract, learn
from scrapy_webstemmer.engines import ENGINES
from scrapy_webstemmer.errors import LimitError, PageError, PatternFileError
from scrapy_webstemmer.options import ExtractOptions, LearnOptions, Limits
from scrapy_webstemmer.pattern_files.pattern_file import PatternSet
from scrapy_webstemmer.values import Page

HOSTS = {"press.example": "press", "blog.example.org": "blog", "bulletin.example.co.uk": "bulletin"}
HOST = "press.example"


def site_pages(host: str) -> list[Page]:
    return [*articles(host, 12, HOSTS[host]), *indexes(host, 4, HOSTS[host])]


@pytest.fixture(scope="module", params=[name for name, one in ENGINES.items() if one.has_trees])
def layout(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def learned(layout: str) -> PatternSet:
    pages = [page for host in HOSTS for page in site_pages(host)]
    return learn(pages, options=LearnOptions(layout=layout))


@pytest.mark.parametrize("host", HOSTS)
def test_new_pages_give_their_articles(learned: PatternSet, host: str) -> None:
    """A page that was not learned from gives its whole text, without text that other pages have."""
    for number in range(100, 105):
        told = story(host, number)
        found = extract(article(host, number, HOSTS[host]), learned)
        assert found is not None
        assert set(told.paragraphs) <= set(found.text.split("\n"))
        assert "Printed on recycled paper." not in found.text
        assert found.pattern in {pattern.name for site in learned.sites.values() for pattern in site.patterns}
        assert found.confidence is None


def test_parts_of_an_article(learned: PatternSet) -> None:
    """The title, if one is found, is the first section; each text leaf is a section and a paragraph."""
    found = extract(article(HOST, 100), learned)
    assert found is not None
    main = [section.text for section in found.sections if section.kind == "main"]
    assert found.text.split("\n") == main
    assert found.html == "\n".join(f"<p>{text}</p>" for text in main)
    assert [section.text for section in found.sections if section.kind == "title"] == [found.title]


def test_leaves_give_the_title() -> None:
    """With text leaves, the title is the heading."""
    found = extract(article(HOST, 100), learn(site_pages(HOST), options=LearnOptions(layout="leaves")))
    assert found is not None
    assert found.title == story(HOST, 100).title


def test_markup_in_texts_is_escaped(layout: str, learned: PatternSet) -> None:
    """What stands in a text as characters does not become an element of the article's HTML."""
    page = article(HOST, 100)
    told = story(HOST, 100)
    body = page.body.replace(told.paragraphs[0].encode(), b"&lt;script&gt;run()&lt;/script&gt; " * 40)
    found = extract(replace(page, body=body), learned)
    assert found is not None
    assert "<script>run()" in found.text
    assert "<script" not in found.html


def test_saved_patterns_are_the_same(learned: PatternSet, tmp_path: Path) -> None:
    """What is written to a file is read again, and gives the same bytes."""
    learned.save(tmp_path / "one.json")
    again = PatternSet.load(tmp_path / "one.json")
    assert again == learned
    again.save(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    page = article(HOST, 100)
    assert extract(page, again) == extract(page, learned)


@pytest.mark.parametrize("seed", range(3))
def test_order_of_pages_has_no_part(layout: str, seed: int) -> None:
    """The same pages give the same patterns, in any order."""
    pages = site_pages(HOST)
    expected = learn(pages, options=LearnOptions(layout=layout))
    random.Random(seed).shuffle(pages)
    assert learn(pages, options=LearnOptions(layout=layout)) == expected


def test_processes_share_the_work(layout: str) -> None:
    """Several processes learn the same."""
    pages, options = site_pages(HOST), LearnOptions(layout=layout)
    assert learn(pages, options=options, workers=2) == learn(pages, options=options)


def test_pages_of_other_layouts_give_nothing(layout: str, learned: PatternSet) -> None:
    """A page that no pattern is like gives no article, and the reason is told."""
    page = Page(f"http://{HOST}/other.html", b"<html><body><form><label>Name</label></form></body></html>")
    assert extract(page, learned) is None
    told = explain(page, learned)
    assert told.reason == "no layout of its site's articles is like it"
    assert len(told.compared) == len(learned.sites[HOST].patterns)


def test_a_page_alone_is_unused(layout: str) -> None:
    """From one page of a layout nothing is learned. A site without text has no patterns at all."""
    options = LearnOptions(layout=layout)
    (site,) = learn([article(HOST, 1)], options=options).sites.values()
    assert site.patterns == ()
    assert [tuple(left)[:2] for left in site.unused] == [("no other page has this layout", 1)]
    (site,) = learn([Page(f"http://{HOST}/", b"")], options=options).sites.values()
    assert site.patterns == ()


@pytest.mark.parametrize("name", BAD_PAGES)
def test_bad_pages(name: str, layout: str, learned: PatternSet) -> None:
    """A bad page gives an error of ours or no article, and does not disturb learning."""
    bad = Page(f"http://{HOST}/bad.html", BAD_PAGES[name])
    with suppress(PageError):
        assert extract(bad, learned) is None
    some = learn([*site_pages(HOST), bad], options=LearnOptions(layout=layout))
    assert some.sites[HOST].patterns == learned.sites[HOST].patterns


def wide(path: str, word: str, count: int) -> Page:
    leaves = "".join(f"<p>{word} {number}</p><hr>" for number in range(count))
    return Page(f"http://{HOST}/{path}.html", f"<html><body>{leaves}</body></html>".encode())


def test_wide_pages_take_bounded_time(layout: str) -> None:
    """Wide pages that differ everywhere are left out, or learned from, but the work is bounded."""
    pages = [wide(str(number), f"word{number}", 3_000) for number in range(3)]
    (site,) = learn(pages, options=LearnOptions(layout=layout)).sites.values()
    assert sum(left.pages for left in site.unused) + sum(one.pages for one in site.patterns) == 3


def test_steps_of_extraction_are_bounded(layout: str) -> None:
    """A page that takes more comparisons than the limit is an error that names the limit."""
    learned = learn(site_pages(HOST), options=LearnOptions(layout=layout))
    with pytest.raises(LimitError, match="limit 'steps'"):
        extract(article(HOST, 100), learned, ExtractOptions(limits=Limits(steps=1)))


def test_many_small_patterns_are_bounded(layout: str) -> None:
    """Thousands of patterns, each soon compared, are refused at the same limit."""
    (site,) = learn(site_pages(HOST), options=LearnOptions(layout=layout)).sites.values()
    few = replace(site, patterns=site.patterns[:1])
    many = replace(
        site, patterns=tuple(replace(one, name=str(n)) for n in range(8_000) for one in few.patterns)
    )
    assert extract(article(HOST, 100), PatternSet({site.site: few})) is not None
    with pytest.raises(LimitError, match="limit 'steps'"):
        extract(article(HOST, 100), PatternSet({site.site: many}))


def edited(learned: PatternSet, tmp_path: Path, key: str, value: object) -> bytes:
    learned.save(tmp_path / "patterns.json")
    document = json.loads((tmp_path / "patterns.json").read_bytes())
    document["sites"][0]["patterns"][0][key] = value
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "have a tree if"),
        (["html"], "row 1 of a tree is not a depth and a label"),
        (["1 html"], "row 1 of a tree cannot have the depth 1"),
        (["0 html", "0 html"], "row 2 of a tree cannot have the depth 0"),
        (["0 html", "2 body"], "row 2 of a tree cannot have the depth 2"),
        (["0 html", "1 $", "2 body"], "row 3 of a tree cannot have the depth 2"),
        (["0 html", "1 #text words", "2 body"], "row 3 of a tree cannot have the depth 2"),
        (["0 html", "1 #text"], "row 2 of a tree is a text without text"),
        (["0 html", "9999999 body"], "row 2 of a tree is not a depth and a label"),
        (["0 html", "-1 body"], "row 2 of a tree is not a depth and a label"),
        ([5], "must be a string, not 5"),
        ("0 html", "must be a list, not '0 html'"),
    ],
)
def test_invalid_trees_in_files(learned: PatternSet, tmp_path: Path, rows: object, reason: str) -> None:
    """A tree that is not one is an error of the pattern file, with the reason."""
    with pytest.raises(PatternFileError, match=reason):
        PatternSet.loads(edited(learned, tmp_path, "tree", rows))


@pytest.mark.parametrize("leaves", [["one"], {"one": "two"}, {"one": -1}, 5])
def test_invalid_leaves_in_files(learned: PatternSet, tmp_path: Path, leaves: object) -> None:
    """Leaves that are not texts with counts are an error of the pattern file."""
    with pytest.raises(PatternFileError):
        PatternSet.loads(edited(learned, tmp_path, "leaves", leaves))


def test_large_trees_in_files(learned: PatternSet, tmp_path: Path) -> None:
    """A tree beyond the limit is an error that names the limit."""
    content = edited(learned, tmp_path, "tree", ["0 html", *["1 p"] * 20])
    with pytest.raises(PatternFileError, match="limit 'elements'"):
        PatternSet.loads(content, Limits(elements=10))


def test_other_layouts_have_no_trees(tmp_path: Path) -> None:
    """A tree in a pattern of a path layout is an error."""
    learned = learn(site_pages(HOST))
    with pytest.raises(PatternFileError, match="have a tree if"):
        PatternSet.loads(edited(learned, tmp_path, "tree", ["0 html"]))


def test_thresholds_of_the_layouts() -> None:
    """If none is given, the threshold of clusters is the published one of the layout."""
    published = {"paths": 0.5, "sequence": 0.5, "tree-edit": 0.8, "leaves": 0.6, "roadrunner": 0.6}
    assert {name: LearnOptions(layout=name).least_similarity for name in ENGINES} == published
    assert LearnOptions(layout="leaves", cluster_threshold=0.3).least_similarity == 0.3
