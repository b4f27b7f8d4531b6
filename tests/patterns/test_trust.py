"""Each warning appears when it should, and never on a good site."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from golden_sites import Writer, paragraphs, story
from news_pages import article, articles, index, indexes, story_url

from scrapy_webstemmer import ExtractOptions, PatternSet, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.extraction.result import Reason
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.patterns.clusters import Template
from scrapy_webstemmer.patterns.trust import find_warnings
from scrapy_webstemmer.site.model import place_all
from scrapy_webstemmer.values import LearnWarning, Page, SitePatterns

HOST = "press.example"


def learned(pages: Sequence[Page]) -> SitePatterns:
    (site,) = learn(pages).sites.values()
    return site


def kinds(site: SitePatterns) -> list[str]:
    return [warning.kind for warning in site.warnings]


def warning(site: SitePatterns, kind: str) -> LearnWarning:
    (found,) = (one for one in site.warnings if one.kind == kind)
    return found


GOOD = [*articles(HOST, 30), *indexes(HOST, 9)]


def test_no_warning_where_all_is_well() -> None:
    """Enough articles of one layout, and index pages that lead to them, give no warning."""
    assert learned(GOOD).warnings == ()


def test_figures_of_a_pattern() -> None:
    """A pattern has the share of main text on its pages, and the share of confirmed titles."""
    (pattern,) = (one for one in learned(GOOD).patterns if one.kind == "article")
    assert pattern.main_share is not None
    assert 0.6 < pattern.main_share < 1
    assert pattern.title_share == 1.0


def test_titles_that_nothing_confirms() -> None:
    """If neither anchor texts nor the title element agree with the titles, their share is 0."""
    pages = [
        replace(page, body=page.body.replace(b"<title>", b"<title>Our paper</title><x>"))
        for page in (article(HOST, 10 * n) for n in range(1, 13))
    ]
    (pattern,) = learned(pages).patterns
    assert pattern.title_share == 0.0


def test_few_pages_of_the_site() -> None:
    """A site with fewer than 30 pages gets a warning."""
    assert warning(learned(articles(HOST, 29)), "few pages") == LearnWarning("few pages", 29)
    assert "few pages" not in kinds(learned(articles(HOST, 30)))


def test_few_pages_of_a_layout() -> None:
    """Layouts of fewer than ten pages are named if they have more than a tenth of the articles."""
    site = learned([*articles(HOST, 27), *articles(HOST, 4, "blog", 40), *articles(HOST, 9, "bulletin", 60)])
    found = warning(site, "few pages of a layout")
    assert found.pages == 13
    assert set(found.patterns) == {p.name for p in site.patterns if p.pages < 10}
    few = learned([*articles(HOST, 40), *articles(HOST, 4, "blog", 60)])
    assert "few pages of a layout" not in kinds(few)


def redesigned(first: str | None, second: str | None) -> SitePatterns:
    """Return a site with two designs, each fetched in its own time."""
    old = [article(HOST, n, "press", fetched=first) for n in range(1, 16)]
    new = [article(HOST, n, "blog", fetched=second) for n in range(21, 36)]
    return learned(old + new)


@pytest.mark.parametrize(
    ("first", "second", "warned"),
    [
        (None, None, True),
        ("2025-01-10T08:00:00Z", "2026-01-10T08:00:00Z", True),
        ("2026-01-10T08:00:00Z", "2026-01-10T09:00:00Z", False),
    ],
)
def test_redesigns(first: str | None, second: str | None, warned: bool) -> None:
    """Two layouts with alike urls and little else in common are two designs, unless both are in use."""
    site = redesigned(first, second)
    assert ("redesigns" in kinds(site)) is warned
    if warned:
        assert warning(site, "redesigns").pages == 30
        assert set(warning(site, "redesigns").patterns) == {pattern.name for pattern in site.patterns}


def test_sections_of_a_site_are_no_redesigns() -> None:
    """Layouts whose pages have different urls are parts of one site."""
    blog = [
        replace(page, url=page.url.replace("/story/", "/weblog/")) for page in articles(HOST, 15, "blog", 21)
    ]
    assert "redesigns" not in kinds(learned([*articles(HOST, 15), *blog]))


def test_no_anchor_texts() -> None:
    """A warning says that no anchor texts lead to the pages. Anchors of the pages count like linkinfo."""
    pages = articles(HOST, 30)
    (site,) = learn(pages, {}).sites.values()
    assert warning(site, "no anchor texts") == LearnWarning("no anchor texts", 30)
    assert "no anchor texts" not in kinds(learned(pages))
    linkinfo = {story_url(HOST, n): {f"Story {n} of the day": 1} for n in range(1, 31)}
    (site,) = learn(pages, linkinfo).sites.values()
    assert "no anchor texts" not in kinds(site)


def refused(number: int) -> Page:
    """Return what a site shows in place of one of its pages."""
    body = f"""<html><head><title>One moment</title></head><body><h1>One moment</h1>
        <p>Please wait while we check whether a person asks for this page. This takes a few seconds.</p>
        <p>Request {number}</p></body></html>"""
    return Page(story_url(HOST, number), body.encode(), "utf-8")


def test_the_same_answer_to_many_urls(tmp_path: Path) -> None:
    """A site that refuses the crawler gives a warning, and no article for the pages that it refused."""
    site = learned([*GOOD, *(refused(n) for n in range(101, 108))])
    assert warning(site, "same answers") == LearnWarning("same answers", 7)
    PatternSet({site.site: site}).save(tmp_path / "patterns.json")
    patterns = PatternSet.load(tmp_path / "patterns.json")
    assert explain(refused(200), patterns).reason == Reason.SAME_ANSWER
    assert extract(refused(200), patterns, ExtractOptions(all_kinds=True)) is None
    found = extract(article(HOST, 50), patterns)
    assert found is not None
    alone = extract(article(HOST, 50), learn(GOOD))  # from fewer pages, so its probability is another
    assert alone is not None
    assert replace(found, probability=alone.probability) == alone
    assert "same answers" not in kinds(learned([*GOOD, *(refused(n) for n in range(101, 104))]))
    everywhere = learned([replace(refused(0), url=story_url(HOST, n)) for n in range(40)])
    assert kinds(everywhere)[:2] == ["hardly any articles", "same answers"]


@pytest.mark.parametrize(
    ("confidence", "pages", "warned"), [(0.49, 30, True), (0.5, 30, False), (0.4, 2, False)]
)
def test_doubtful_articles(confidence: float, pages: int, warned: bool) -> None:
    """A layout of three pages or more is named if its articles are more likely wrong than right."""
    written = articles(HOST, pages)
    (pattern,) = learned(written).patterns
    template = Template(place_all([layout_of(one.url, parse(one)) for one in written])[1], pattern.container)
    urls = [page.url for page in template.pages]
    anchors = dict.fromkeys(urls, ("a",))
    found = find_warnings({pattern.name: template}, [pattern], anchors, urls, {pattern.name: confidence})
    assert (LearnWarning("doubtful articles", pages, (pattern.name,)) in found) is warned


def test_hardly_any_articles() -> None:
    """A site of lists gets one warning alone, with the number of its pages that look like articles."""
    pages = lists(30)
    assert learned(pages).warnings == (LearnWarning("hardly any articles", 0),)
    assert kinds(learned(lists(12))) == ["few pages"]
    assert "hardly any articles" not in kinds(learned(GOOD))


def test_articles_without_text() -> None:
    """If the pages of a layout of articles all have the same text, nothing of it is theirs, which is said."""
    same = paragraphs(Writer("same.example", 0).paragraphs())
    pages = [
        Page(f"http://same.example/{n}", story(Writer("same.example", n).title(), same).encode(), "utf-8")
        for n in range(1, 13)
    ]
    site = learned(pages)
    assert warning(site, "no text") == LearnWarning("no text", 12, (site.patterns[0].name,))
    assert "no text" not in kinds(learned(GOOD))


def test_the_few_articles_of_a_site_of_lists_have_their_warnings() -> None:
    """If articles have a layout of their own, what is wrong with it is said, too."""
    found = kinds(learned([*lists(100), *articles("lists.example", 4)]))
    assert found[:2] == ["hardly any articles", "few pages of a layout"]


def lists(number: int) -> list[Page]:
    """Return the pages of a site of lists that lead to one another."""
    host = "lists.example"
    pages = []
    for n in range(number):
        entries = "".join(
            f'<div class="entry"><h3><a href="/{(n + i) % number}.html">'
            f"{Writer(host, n * 5 + i).sentence()}</a></h3>"
            f"<p>{Writer(host, 900 + n * 5 + i).sentence()}</p></div>"
            for i in range(5)
        )
        html = f"<title>List {n}</title><h1>List {n}</h1><div id=entries>{entries}</div>"
        pages.append(Page(f"http://{host}/{n}.html", html.encode()))
    return pages


def test_pages_unused() -> None:
    """There is a warning with the number of unused pages, once there are many."""
    odd = [
        Page(f"http://{HOST}/{tag}", f"<{tag}>Of this layout there is one page only</{tag}>".encode())
        for tag in ("form", "aside", "section", "nav", "address", "fieldset")
    ]
    site = learned([*GOOD, *odd])
    assert warning(site, "unused pages") == LearnWarning("unused pages", 6)
    assert "unused pages" not in kinds(learned([*GOOD, *odd[:2]]))


def test_files_without_figures_are_read(tmp_path: Path) -> None:
    """A file without figures and warnings can be read and used."""
    path = tmp_path / "old.json"
    learn(GOOD).save(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    (entry,) = document["sites"]
    del entry["warnings"]
    for row in entry["patterns"]:
        del row["main_share"], row["title_share"]
    path.write_text(json.dumps(document), encoding="utf-8")
    site = PatternSet.load(path).sites[HOST]
    assert site.warnings == ()
    assert {(pattern.main_share, pattern.title_share) for pattern in site.patterns} == {(None, None)}


def test_the_order_of_the_pages_has_no_part(tmp_path: Path) -> None:
    """The same pages in any order give the same figures and warnings, to the byte, and a file keeps them."""
    pages = [*articles(HOST, 9), *articles(HOST, 5, "blog", 21), index(HOST, 1, [1, 2, 3])]
    first, second = learn(pages), learn(pages[::-1])
    first.save(tmp_path / "a.json")
    second.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert PatternSet.load(tmp_path / "a.json") == first
    assert first.sites[HOST].warnings
