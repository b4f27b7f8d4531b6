"""The views of a review: what they show, and that nothing of a stranger's page gets out of its frame."""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from hostile_pages import HOSTILE
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from news_pages import article, articles, indexes, story
from odd_markup import FRAGMENTS

from scrapy_webstemmer import LearnOptions, Page, PatternSet, learn
from scrapy_webstemmer.pattern_files.pattern_file import add_sites
from scrapy_webstemmer.review.fates import FATES, LETTERS, runs_of
from scrapy_webstemmer.review.first_page import layout_picture
from scrapy_webstemmer.review.fixes import change_of
from scrapy_webstemmer.review.page_look import SANDBOX, TITLE_ID, WEB, look_policy
from scrapy_webstemmer.review.reviewed import ODD, Change, Glance, Review, ReviewedPage, StaleError, key_of
from scrapy_webstemmer.review.server import ReviewServer, link_of
from scrapy_webstemmer.review.views import view_html
from scrapy_webstemmer.review.web_pages import View, h, to_html
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.values import Correction, Pattern, Section

HOST = "news.example.com"


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Review]:
    patterns = learn([*articles(HOST, 40), *indexes(HOST, 10)])
    with (
        SqliteLearningSet(tmp_path_factory.mktemp("review") / "pages.sqlite") as stored,
        stored.transaction(),
    ):
        for page in (*articles(HOST, 30, first=500), *indexes(HOST, 5)):
            stored.add_page(page)
        stored.add_page(replace(article(HOST, 501), url=f"http://{HOST}/copy.html"))
        stored.add_page(Page(f"http://{HOST}/odd.html", b"<p>short"))
        yield Review(patterns, stored)


def shown(review: Review, view: View) -> Any:
    written = view_html(review, view, link_of)
    assert written is not None
    return html.fromstring(written)


def key(review: Review, number: int = 1, site: str = "example.com") -> str:
    """Return the key of a layout."""
    return review.layouts(site)[number - 1].key


@pytest.fixture
def looked(review: Review) -> Review:
    """Return a review for which some pages of each site were read."""
    own = Review(review.patterns, review.stored)
    own.look_around()
    return own


def test_sites(looked: Review) -> None:
    """Each says how many pages it has, of which kinds they are, and what its articles have."""
    page = shown(looked, View())
    (row,) = page.xpath("//ul[@id='rows']/li")
    assert row[0].text_content() == "example.com"
    assert row.xpath("string(.//p)") == "37 pages, 50 learned from"
    assert "40 article pages, 10 list pages, 0 in no layout" in row.xpath(".//@aria-label")
    assert [one.text_content() for one in row.xpath("div[1]/ul/li")] == ["40 article pages", "10 list pages"]
    assert row.xpath("string(div[2]/p)") == "31 articles on 37 pages read"
    has = [one.xpath("normalize-space(text())") for one in row.xpath(".//ul[@class='meters']/li")]
    assert has == ["all with a title", "0 with a day", "0 with an author", "all likely right"]
    assert page.xpath("//label//input[@type='search']")


def test_doubtful_articles_come_first(looked: Review) -> None:
    """They stand above the sites, with the reason, and each leads to its page."""
    page = shown(looked, View())
    (card,) = page.xpath("//div[contains(@class, 'doubts')]/article")
    assert card.findtext("h3") == "2 articles with the text of another page"
    links = {link_of(View("page", url=url)) for url in (article(HOST, 501).url, f"http://{HOST}/copy.html")}
    assert {*card.xpath("ul/li/a/@href")} == links
    assert card.xpath("ul/li/a//text()") == [story(HOST, 501).title] * 2
    assert card.xpath("string(p/a/@href)") == link_of(View("site", "example.com"))
    above = page.xpath("//h2/text()")
    assert above == ["Worth a look", "Sites, those that need a look first"]


def test_many_doubtful_articles(review: Review) -> None:
    """The kinds with most articles are shown, some articles of each, and how many more there are."""
    glances = {}
    for number, reason in enumerate(ODD * 2):
        rows = [
            ReviewedPage(f"http://a.example/{number}/{n}", 1, "", confidence=0.2, odd=(reason,))
            for n in range(number + 1)
        ]
        glances[f"{number}.example"] = Glance.of(rows)
    page = shown(Review(review.patterns, review.stored, glances=glances), View())
    cards = page.xpath("//div[contains(@class, 'doubts')]/article")
    assert [int(one.findtext("h3").split()[0]) for one in cards] == [10, 9, 8, 7, 6, 5]
    assert [len(one.xpath("ul/li")) for one in cards] == [3] * 6
    assert cards[0].xpath("string(p[last()])") == "7 more"
    assert "10 more articles: see the pages of the sites." in page.text_content()
    assert "Others are being read: look again." in page.text_content()
    assert "confidence 0.20, 0 characters" in cards[0].text_content()


def test_a_site_that_was_not_read(review: Review) -> None:
    """The first page says so."""
    sites = {"a.example": replace(review.patterns.sites["example.com"], site="a.example")}
    page = shown(Review(PatternSet(sites), review.stored), View())
    assert page.xpath("//ul[@id='rows']/li/div[2]//text()") == ["not read yet"]


def test_the_picture_of_a_layout(review: Review) -> None:
    """It has the title and the text of a typical page at their places, and says the same in words."""
    page = shown(review, View())
    pictures = page.xpath("//figure/*[name()='svg']")
    layouts = review.layouts("example.com")
    assert len(pictures) == len(layouts)
    words = pictures[0].get("aria-label")
    assert re.fullmatch(
        r"A typical page, from top to bottom: the title, \d+% text, \d+% outside the text", words
    )
    tops = {
        one.get("class"): [int(y) for y in re.findall(r"M\d+ (\d+)h", one.get("d"))]
        for one in pictures[0].xpath("./*[name()='path']")
    }
    assert len(tops["title"]) == 1
    assert tops["title"][0] < min(tops["main"])
    assert max(map(max, tops.values())) <= 3 * 44
    assert page.xpath("//figure//a/@href") == [
        link_of(View("layout", "example.com", one.key))
        for one in sorted(layouts, key=lambda one: -one.pattern.pages)
    ]
    lists = next(one for one in pictures if "a list of other pages" in one.get("aria-label"))
    assert not lists.xpath("./*[@class='main']")


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 1e5)), max_size=60))
def test_the_picture_of_any_layout(sections: list[tuple[str, float]]) -> None:
    """Whatever its sections are, nothing is drawn outside, and each kind of them is seen."""
    made = tuple(Section(f"body/{name}", 1.0, weight, weight) for name, weight in sections)
    pattern = Pattern(
        "p", "article", 1.0, 4, made, titles=("body/a",), container="body", excluded=("body/b",)
    )
    picture = html.fromstring(to_html(layout_picture(pattern)))
    for left, top, width in re.findall(r"M(\d+) (\d+)h(\d+)", to_html(layout_picture(pattern))):
        assert int(left) + int(width) <= 100
        assert int(top) < 3 * 44
    assert bool(picture.xpath("./*[name()='path']")) == bool(sections)


def test_very_many_sites(review: Review) -> None:
    """Each page has three hundred, those at the top with pictures; any is found by a part of its name."""
    learned = review.patterns.sites["example.com"]
    sites = {f"s{n}.example": replace(learned, site=f"s{n}.example") for n in range(700)}
    own = Review(PatternSet(sites), review.stored, path=Path("patterns.json"))
    found: list[str] = []
    view: View | None = View()
    while view is not None:
        page = shown(own, view)
        found += [one[0].text_content() for one in page.xpath("//ul[@id='rows']/li")]
        assert len(page.xpath("//li[.//figure]")) == 60
        assert len(page.xpath("//h2[.='Worth a look']")) == (view == View())
        (heading,) = page.xpath("//h2[starts-with(., 'Sites')]/text()")
        assert heading.endswith(f"to {len(found)} of 700")
        number = str(len(found) // 300 + 1)
        (more,) = page.xpath("//a[contains(., 'further site')]/@href") or [None]
        assert more == (link_of(View(what=number)) if len(found) < 700 else None)
        view = View(what=number) if more else None
    assert sorted(found) == sorted(sites)
    assert view_html(own, View(what="4"), link_of) is None
    (form,) = page.xpath("//form[@role='search']")
    assert form.xpath(".//input/@name") == ["kind", "site"]
    some = shown(own, View(site=" S699."))
    assert [one[0].text_content() for one in some.xpath("//ul[@id='rows']/li")] == ["s699.example"]
    assert not some.xpath("//h2[.='Worth a look']")


class Counting:
    """A learning set that counts the pages that are asked for."""

    def __init__(self, stored: SqliteLearningSet) -> None:
        self._stored, self.asked = stored, 0

    def page(self, url: str) -> Page | None:
        self.asked += 1
        return self._stored.page(url)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stored, name)


@pytest.mark.once
def test_five_thousand_pages(tmp_path: Path, review: Review) -> None:
    """The first view reads none of them, others a sample, and none is larger than 5 MB."""
    learned, url = review.patterns.sites["example.com"], "http://s0.example/large.html"
    sites = {f"s{n}.example": replace(learned, site=f"s{n}.example") for n in range(10)}
    paragraphs = b"".join(b"<p>%d %s</p>" % (n, b"A line of a very long page. " * 9) for n in range(12_000))
    with SqliteLearningSet(tmp_path / "pages.sqlite") as pages:
        with pages.transaction():
            for host in sites:
                body = article(host, 1).body
                for number in range(500):
                    own = body.replace(b"</h1>", b" %d</h1>" % number, 1)
                    pages.add_page(Page(f"http://{host}/story/{number}.html", own))
            pages.add_page(Page(url, article("s0.example", 1).body.replace(b"<p>", paragraphs + b"<p>", 1)))
        stored: Any = Counting(pages)
        own = Review(PatternSet(sites), stored, path=tmp_path / "patterns.json")
        written = [view_html(own, View(), link_of)]
        assert stored.asked == 0
        own.look_around()
        assert stored.asked == 60 * len(sites)
        written += [view_html(own, one, link_of) for one in (View(), View("site", "s0.example"))]
        assert stored.asked == 60 * len(sites) + 200
        layout = View("layout", "s0.example", own.layouts("s0.example")[0].key)
        written += [view_html(own, layout, link_of)]
        written += [view_html(own, View(kind, url=url), link_of) for kind in ("page", "look")]
    sizes = [len((one or "").encode()) for one in written]
    assert min(sizes) > 5_000
    assert max(sizes) < 5_000_000


def test_looking_around_ends(review: Review) -> None:
    """Somebody who ends the review does not wait until all sites were read; what was read stays."""
    own, ended = Review(review.patterns, review.stored), threading.Event()
    ended.set()
    own.look_around(ended)
    assert (own.glances, own.is_looked_around) == ({}, False)
    own.look_around()
    assert own.is_looked_around


def test_large_pages_wait(tmp_path: Path) -> None:
    """A page of megabytes is read when somebody asks for it, and not before the first view."""
    with SqliteLearningSet(tmp_path / "pages.sqlite") as stored, stored.transaction():
        for page in articles(HOST, 20):
            stored.add_page(page)
        large = article(HOST, 77).body.replace(b"</main>", b"<p>More of it.</p>" * 100_000 + b"</main>")
        stored.add_page(replace(article(HOST, 77), body=large))
        own = Review(learn(articles(HOST, 20)), stored)
        own.look_around()
        assert own.glances["example.com"].pages == 20
        assert len(own.pages("example.com")) == 21
        assert own.glances["example.com"].pages == 21


def test_a_site(review: Review) -> None:
    """Its layouts are cards; its pages come in the order in which they are worth a look."""
    page = shown(review, View("site", "example.com"))
    assert len(page.xpath("//div[@class='cards']/article")) == len(
        review.patterns.sites["example.com"].patterns
    )
    rows = page.xpath("//caption[starts-with(., 'Pages, those')]/../tbody/tr")
    assert len(rows) == 37
    assert {row.xpath("string(td[1])") for row in rows[:2]} == {
        f"http://{HOST}/copy.html",
        article(HOST, 501).url,
    }
    assert rows[0].xpath("string(td[8])") == "same text as another page"
    assert rows[-1].xpath("string(td[8])").startswith("no article: ")


def test_a_layout(review: Review) -> None:
    """Each section says what becomes of it."""
    page = shown(review, View("layout", "example.com", key(review)))
    rows = page.xpath("//caption[starts-with(., 'Its sections')]/../tbody/tr")
    fates = {row.xpath("string(td[1])"): row.xpath("td[5]//b/text()") for row in rows}
    pattern = review.patterns.sites["example.com"].patterns[0]
    assert fates[next(path for path in pattern.titles if path in fates)] == ["T"]
    assert any("M" in one for path, one in fates.items() if path.startswith(pattern.container))


def test_a_page(review: Review) -> None:
    """A frame has the page as it looks; the article is beside it, and each text has a row with its letter."""
    url = article(HOST, 503).url
    page = shown(review, View("page", url=url))
    (look,) = page.xpath("//iframe")
    assert look.get("sandbox") == SANDBOX
    assert {"T", "M"} <= set(page.xpath("//table[@id='texts']//td[1]//b/text()"))
    result = review.result(url)
    assert result is not None
    assert result.article is not None
    assert result.article.text.split("\n") == page.xpath("//div[@class='text']/p/text()")
    runs = runs_of(result)
    assert [index for run in runs for index in run.blocks] == [*range(len(result.layout.blocks))]  # type: ignore[union-attr]
    assert {run.fate for run in runs} <= FATES.keys()


def test_a_page_as_it_looks(review: Review) -> None:
    """Its markup has a link around each text, in the colour of what became of it, to the row of this text."""
    url = article(HOST, 503).url
    page, look = shown(review, View("page", url=url)), shown(review, View("look", url=url))
    result = review.result(url)
    assert result is not None
    assert result.article is not None
    own = "//*[contains(concat(' ', @class, ' '), ' {} ') and @title]"
    texts = ["".join(one.itertext()) for one in look.xpath(own.format("main"))]
    assert texts == result.article.text.split("\n")
    (title,) = look.xpath(own.format("title"))
    assert (title.getparent().get("id"), title.text) == (TITLE_ID, result.article.title)
    assert title.getparent().tag == "w-t"  # the frame is opened there, and the focus stays where it is
    rows = {f"{link_of(View('page', url=url))}#{one}" for one in page.xpath("//span/@id")}
    assert {*look.xpath("//a/@href")} <= rows
    assert {*look.xpath("//a/@target")} == {"_top"}
    assert result.article.title in " ".join(page.xpath("//dl//text()"))


def test_a_page_with_what_it_loads(review: Review) -> None:
    """Styles and pictures come from the web only on request; nothing else does."""
    url = f"http://{HOST}/styled.html"
    loads = (
        "<link rel=stylesheet href=/a.css><style>p { background: url(/b.png) } div > p { color: red }</style>"
        "<p style='background: url(c.png); color: blue'>A text with <img src=d.png alt=d> in it.</p>"
        "<script src=/e.js></script><iframe src=/f.html></iframe>"
    )
    review.stored.add_page(Page(url, f"<title>Styled</title>{loads}{'<p>More of it.</p>' * 9}".encode()))
    without, web = (view_html(review, View("look", url=url, path=path), link_of) for path in ("", WEB))
    assert without is not None
    assert web is not None
    assert "div > p { color: red }" in without
    assert "color: blue" in without
    for name in ("a.css", "b.png", "c.png", "d.png"):
        assert name not in without
        assert name in web
    assert f'href="http://{HOST}/a.css"' in web
    assert f'src="http://{HOST}/d.png"' in web
    assert not any(name in one for name in ("e.js", "f.html") for one in (without, web))
    for view, path in (("img-src data:;", ""), ("img-src data: http: https:;", WEB)):
        assert view in look_policy(View("look", path=path))
        assert "script-src" not in look_policy(View("look", path=path))


def test_what_the_whole_page_looks_like(review: Review) -> None:
    """It keeps its direction, and style sheets that are hidden in a comment; nothing ends them early."""
    url = f"http://{HOST}/whole.html"
    css = "<!-- p::before { content: 'a<b' } --> em { color: red }"
    head = f"<html dir=rtl lang=fa onclick=x()><head><title>Whole</title><style>{css}</style><style></style>"
    review.stored.add_page(
        Page(url, f"{head}</head><body>{'<p>A text of it.</p>' * 9}</body></html>".encode())
    )
    written = view_html(review, View("look", url=url), link_of)
    assert written is not None
    assert '<html dir="rtl" lang="fa">' in written
    assert written.count("<style") == written.count("</style>")
    assert "<style> p::before { content: 'a\\3c b' }  em { color: red }</style>" in written


def test_the_texts_of_a_page(review: Review) -> None:
    """Each run has a row with its letter and its scores; the other layouts say what they would give."""
    url = article(HOST, 503).url
    page = shown(review, View("page", url=url))
    result = review.result(url)
    assert result is not None
    rows = page.xpath("//caption[.='What became of its texts']/../tbody/tr")
    assert [row.xpath("string(td[1]//b)") for row in rows] == [
        LETTERS.get(run.fate, "") for run in runs_of(result)
    ]
    assert {"0.00", "1.00"} & {row.xpath("string(td[4])") for row in rows}
    others = page.xpath("//caption[.='In the other layouts']/../tbody/tr")
    assert len(others) == len(review.patterns.sites["example.com"].patterns) - 1


@pytest.mark.parametrize("url", [article(HOST, 503).url, indexes(HOST, 5)[0].url, f"http://{HOST}/odd.html"])
def test_links_within_a_page(url: str, review: Review) -> None:
    """Each leads to a part that is there, also if the page fits no layout and has no table of its texts."""
    page = shown(review, View("page", url=url))
    targets = {f"#{target}" for target in page.xpath("//@id")}
    assert {*page.xpath("//a/@href[starts-with(., '#')]")} <= targets


def test_the_rules_of_a_layout(tmp_path: Path) -> None:
    """A part that is left out says by which rule, and how much of its text speaks against it."""
    pages = with_links(articles(HOST, 40))
    with SqliteLearningSet(tmp_path / "linked.sqlite") as stored, stored.transaction():
        for page in pages:
            stored.add_page(page)
        own = Review(learn([*pages, *indexes(HOST, 10)]), stored)
        page = shown(own, View("layout", "example.com", key(own)))
        (row,) = page.xpath(
            "//caption[.='Parts that are left out, or nearly are']/../tbody/tr[td[8]!='none']"
        )
        assert row.xpath("string(td[1])").endswith("/div.more")
        assert [row.xpath(f"string(td[{n}])") for n in range(3, 6)] == ["0%", "0%", "100%"]
        assert row.xpath("string(td[7])") == "20 of 20"
        assert row.xpath("string(td[8])").startswith("more than 40% of its text is ")
        sections = page.xpath("//caption[starts-with(., 'Its sections')]/../tbody/tr")
        found = {one.xpath("string(td[1])"): one.xpath("string(td[5]/p)") for one in sections}
        assert {path.rpartition("/div.more")[2] for path, rule in found.items() if rule} == {""}


def with_links(pages: list[Page]) -> list[Page]:
    """Return pages with links to others in a part behind the first paragraph."""
    found = []
    for page in pages:
        number = int(re.findall(r"\d+", page.url)[-1])
        titles = (story(f"more.{HOST}", n).title for n in range(number * 4, number * 4 + 4))
        links = "".join(f"<a href=/story/{n}.html>{title}</a> " for n, title in enumerate(titles))
        begin, end, rest = page.body.decode().partition("</p>")
        found.append(replace(page, body=f"{begin}{end}<div class=more>{links}</div>{rest}".encode()))
    return found


@pytest.mark.parametrize("layout", ["sequence", "tree-edit", "leaves", "roadrunner"])
def test_other_layouts(layout: Any, tmp_path: Path) -> None:
    """Their pages are shown as well; what became of their blocks is not known."""
    pages = [*articles(HOST, 12), *indexes(HOST, 4)]
    with SqliteLearningSet(tmp_path / "pages.sqlite") as stored:
        for page in pages:
            stored.add_page(page)
        other = Review(learn(pages, options=LearnOptions(layout=layout)), stored)
        site = next(iter(other.patterns.sites))
        views = [View(), View("site", site), View("layout", site, key(other, 1, site))]
        views += [View("page", url=pages[0].url)]
        for view in views:
            shown(other, view)


@pytest.mark.parametrize(
    "view",
    [
        View("site", "other.example"),
        View("layout", "example.com"),
        View("layout", "example.com", "1"),
        View("layout", "other.example", "1"),
        View("page", url="http://news.example.com/missing"),
        View("page"),
        View("page", url=article(HOST, 503).url, what="before"),
        View("changes"),
        View("nonsense"),
    ],
)
def test_what_is_not_there(view: View, review: Review) -> None:
    """There is no such view."""
    assert view_html(review, view, link_of) is None


# --- hostile pages


def check_is_harmless(written: str, script: str = "") -> None:
    """Check a view: nothing runs but our script, nothing loads, leads away or is styled by a page."""
    page = html.fromstring(written)
    assert all(one.startswith("?kind=look&") for one in page.xpath("//iframe/@src"))
    elements = [one for one in page.iter() if isinstance(one.tag, str)]
    names = {one.tag for one in elements}
    assert not names & {
        "object",
        "embed",
        "form",
        "link",
        "base",
        "img",
        "video",
        "audio",
        "math",
        "template",
    }
    assert len(page.xpath("//style")) == 1
    assert [one.text for one in page.xpath("//script")] == ([script] if script else [])
    assert not page.xpath("//iframe[not(@sandbox)]")
    for one in elements:
        loads = ("style", "action", "srcdoc") if one.tag == "iframe" else ("style", "src", "action")
        assert not [name for name in one.attrib if name.startswith("on") or name in loads]
        assert one.get("href", "?").startswith(("?", "#"))
    metas = [one.get("http-equiv") for one in page.xpath("//meta[@http-equiv]")]
    assert metas == ["Content-Security-Policy"]


@pytest.mark.parametrize("body", HOSTILE)
def test_hostile_pages(body: str, review: Review) -> None:
    """Of no page anything runs, loads or leads away, in its frame or around it."""
    good = article(HOST, 600)
    inside = good.body.decode().replace("<p>", f"<p>{body}</p><p>", 1)
    for number, text in enumerate((body, inside)):
        url = f"http://{HOST}/hostile-{number}.html"
        review.stored.add_page(Page(url, text.encode()))
        written = view_html(review, View("page", url=url), link_of)
        assert written is not None
        check_is_harmless(written)
        check_look(review, url)


def check_look(review: Review, url: str) -> None:
    """Check a page as it looks: of its own elements nothing runs, loads or leads away."""
    written = view_html(review, View("look", url=url), link_of)
    assert written is not None
    assert written.startswith("<!DOCTYPE html><html><head><meta charset")
    page = html.fromstring(written)
    elements = [one for one in page.iter() if isinstance(one.tag, str)]
    assert not {one.tag for one in elements} & {
        "script",
        "object",
        "embed",
        "link",
        "base",
        "iframe",
        "frame",
        "template",
    }
    assert [one.get("http-equiv") for one in page.xpath("//meta[@http-equiv]")] == ["Content-Security-Policy"]
    own = f"{link_of(View('page', url=url))}#r"
    for one in elements:
        assert not [
            name for name in one.attrib if name.startswith("on") or name in ("action", "srcdoc", "ping")
        ]
        assert one.get("href", own).startswith(own)
        assert one.get("src", "data:").startswith("data:")
        assert "url(" not in one.get("style", "").replace("url(data:", "").lower()


@given(st.lists(st.sampled_from([*FRAGMENTS, *HOSTILE[:20]]), max_size=8))
def test_any_markup(review: Review, parts: list[str]) -> None:
    """Whatever a page has, its view is harmless."""
    url = f"http://{HOST}/any.html"
    review.stored.add_page(Page(url, "".join(parts).encode("utf-8", "replace")))
    written = view_html(review, View("page", url=url), link_of)
    assert written is not None
    check_is_harmless(written)
    check_look(review, url)


@given(st.text(), st.text())
def test_elements(text: str, value: str) -> None:
    """Text and attributes come out as what they are, but for characters that no page may have."""
    written = to_html(h("p", [text, None, [h("b", "x"), text]], title=value, hidden=False))
    back = html.fromstring(written)
    assert back.tag == "p"
    assert [one.tag for one in back] == ["b"]
    assert set(back.attrib) == {"title"}


# --- the server


@pytest.fixture
def server(review: Review) -> Iterator[ReviewServer]:
    with ReviewServer(review) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: ReviewServer, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse()


def test_the_server_answers(server: ReviewServer) -> None:
    """It gives views, and says what it has not."""
    path = urlsplit(server.url).path
    for query in (
        "",
        "?kind=site&site=example.com",
        f"?kind=layout&site=example.com&key={key(server.review)}",
    ):
        answer = ask(server, path + query)
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert b"example.com" in answer.read()
    for query in ("?kind=layout&site=example.com&layout=9e9", "?kind=page&url=%ff%00", "?kind=%3Cscript%3E"):
        assert ask(server, path + query).status == 404
    assert server.server_address[0] == "127.0.0.1"


def test_the_first_view_of_the_server(server: ReviewServer) -> None:
    """It waits a little for what the pages of the sites give."""
    server.looking.join()
    written = ask(server, urlsplit(server.url).path).read().decode()
    assert "2 articles with the text of another page" in written
    found = ask(server, f"{urlsplit(server.url).path}?kind=sites&site=nowhere").read().decode()
    assert "0 pages of 0 sites" in found


def test_the_server_is_for_its_user_alone(server: ReviewServer) -> None:
    """Without the word, by another name, or from another page's script it gives nothing."""
    path = urlsplit(server.url).path
    for asked, headers in (
        ("/", {}),
        ("/x/", {}),
        (path, {"Host": "evil.example"}),
        (path, {"Host": f"evil.example:{server.server_port}"}),
        (path, {"Origin": "http://evil.example"}),
        (path, {"Origin": "null"}),
    ):
        answer = ask(server, asked, **headers)
        assert answer.status == 403
        assert b"example.com" not in answer.read()
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert ask(server, path, "POST", **headers).status == 403
    assert ask(server, path, "PUT").status == 501
    assert ask(server, path, Origin=f"http://localhost:{server.server_port}").status == 200


def test_an_error_of_ours(server: ReviewServer, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """It costs one view, and the log has it."""
    monkeypatch.setattr("scrapy_webstemmer.review.server.view_html", lambda *_: 1 / 0)
    assert ask(server, urlsplit(server.url).path).status == 500
    assert "ZeroDivisionError" in caplog.text


# --- corrections


@pytest.fixture
def editable(tmp_path: Path, review: Review) -> Review:
    """Return a review whose pattern file may be corrected."""
    path = tmp_path / "patterns.json"
    review.patterns.save(path)
    return Review(PatternSet.load(path), review.stored, path=path)


def buttons(page: Any) -> list[str]:
    return [one.text for one in page.xpath(".//button")]


def test_only_a_pattern_file_can_be_corrected(review: Review, editable: Review) -> None:
    """Files that were written, and layouts of 2009, have no buttons."""
    view = View("layout", "example.com", key(review))
    assert buttons(shown(review, view)) == []
    assert {"Its pages are no articles", "Forget this layout", "Leave out: it is no text"} <= {
        *buttons(shown(editable, view))
    }
    trial = View("trial", "example.com", key(review), what="no article")
    assert view_html(review, trial, link_of) is None


def test_a_trial_changes_nothing(editable: Review) -> None:
    """It says how many pages would change, and how."""
    assert editable.path is not None
    before = editable.path.read_bytes()
    page = shown(editable, View("trial", "example.com", key(editable), what="no article"))
    assert re.match(r"It changes 3\d of \d+ pages", page.xpath("string(//p[@id='changed'])"))
    rows = page.xpath("//table/tbody/tr")
    assert {row.xpath("string(td[2])") for row in rows} == {"article lost"}
    assert buttons(page) == ["Save"]
    page = shown(editable, View("trial", "example.com", key(editable), what="title", path="body/h9"))
    assert page.xpath("string(//p[@id='changed'])") == "It fits no layout."
    assert buttons(page) == []
    assert editable.path.read_bytes() == before


def test_a_page_is_put_right(editable: Review) -> None:
    """Beside each text of a page are the buttons that correct its layout."""
    page = shown(editable, View("page", url=article(HOST, 503).url))
    rows = page.xpath("//caption[.='What became of its texts']/../tbody/tr")
    of = {row.xpath("string(td[1]//b)"): buttons(row) for row in rows}
    assert of["T"] == ["It is not the title"]
    assert of["M"] == ["Leave out: it is no text", "It is the title", "Show"]
    others = {one for letter in of.keys() - {"T", "M", ""} for one in of[letter]}
    assert others == {"Keep: it is text", "Show"}
    (form,) = (one for row in rows for one in row.xpath(".//form[button='It is not the title']"))
    values = {one.get("name"): one.get("value") for one in form.xpath(".//input")}
    assert values["site"] == "example.com"
    trial = View("trial", values["site"], values["key"], what="no title", path=values["path"])
    assert "It changes" in shown(editable, trial).xpath("string(//p[@id='changed'])")


def test_a_trial_of_what_a_part_shows(editable: Review) -> None:
    """It lists the values of the field before and after, on each page."""
    page = shown(editable, View("page", url=article(HOST, 503).url))
    (form, *_) = page.xpath("//form[.//select[@aria-label='which field']]")
    assert form.xpath(".//option/@value") == ["authors", "day", "topics"]
    values = {one.get("name"): one.get("value") for one in form.xpath(".//input")}
    trial = shown(editable, View("trial", values["site"], values["key"], what="topics", path=values["path"]))
    changed = trial.xpath("string(//p[@id='changed'])")
    assert int(changed.split()[2]) > 10
    rows = trial.xpath("//caption[.='Before and after']/../tbody/tr")
    assert {row.xpath("string(td[2])") for row in rows} == {"another value"}
    assert all(row.xpath(".//ins") for row in rows)


def test_a_correction_is_taken_back(editable: Review) -> None:
    """Its site has a button for it; what it would change is shown first."""
    path = editable.path
    assert path is not None
    correction = Correction(
        "no article", container=editable.patterns.sites["example.com"].patterns[0].container
    )
    editable = editable.correct("example.com", Change(correction))
    (row,) = shown(editable, View("site", "example.com")).xpath("//caption[.='Corrections']/../tbody/tr")
    assert buttons(row) == ["Take back"]
    back = View("take back", "example.com", key_of(correction))
    assert re.match(r"It changes 3\d of \d+ pages", shown(editable, back).xpath("string(//p[@id='changed'])"))
    change = change_of(editable, back)
    assert change is not None
    editable = editable.correct("example.com", change)
    assert PatternSet.load(path).sites["example.com"].corrections == ()
    with pytest.raises(StaleError, match="There is no such correction any more: "):
        view_html(editable, back, link_of)


def test_what_is_known_after_a_correction(editable: Review) -> None:
    """Only the pages of the site that was corrected are read again."""
    assert editable.path is not None
    other = replace(editable.patterns.sites["example.com"], site="other.example")
    PatternSet({**editable.patterns.sites, "other.example": other}).save(editable.path)
    own = editable.again()
    own.look_around()
    correction = Correction("forget", container=own.patterns.sites["example.com"].patterns[0].container)
    new = own.correct("example.com", Change(correction))
    assert new.glances.keys() == {"other.example"}
    assert own.glances.keys() == {"example.com", "other.example"}


def test_the_same_correction_twice(editable: Review) -> None:
    """It is kept once, with the later day."""
    first = Correction("no title", "body/h1", "body", "2026-01-01")
    second = first._replace(date="2026-02-02")
    assert Change(second).over([first]) == (second,)
    assert Change(first, taken_back=True).over([second]) == ()


@pytest.mark.parametrize(
    "view",
    [
        View("take back", "example.com"),
        View("trial", "example.com"),
        View("trial", "example.com", "KEY"),
        View("trial", "example.com", "KEY", what="remove", path="body"),
        View("trial", "example.com", "KEY", what="forget", path="body"),
        View("trial", "example.com", "KEY", what="title"),
        View("trial", "other.example", "KEY", what="forget"),
        View("layout", "example.com", "KEY", what="forget"),
    ],
)
def test_what_is_no_correction(view: View, editable: Review) -> None:
    """It is neither shown nor saved."""
    view = view._replace(key=view.key.replace("KEY", key(editable)))
    assert change_of(editable, view) is None
    if view.kind in ("trial", "take back"):
        assert view_html(editable, view, link_of) is None


@pytest.mark.parametrize("name", ["patterns.json", "patterns.sqlite"])
def test_a_correction_is_saved(name: str, editable: Review, tmp_path: Path) -> None:
    """The file has it with its day, a copy of the old file stands beside it, and the views show it."""
    path = tmp_path / name
    editable.patterns.save(path)
    own = Review(PatternSet.load(path), editable.stored, path=path)
    assert own.pages("example.com")[0].reason == ""
    with ReviewServer(own) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        place = f"{urlsplit(server.url).path}?kind=trial&site=example.com&key={key(own)}&what=no+article"
        mine = f"http://127.0.0.1:{server.server_port}"
        assert ask(server, place, "POST", Origin="http://evil.example").status == 403
        answer = ask(server, place, "POST", Origin=mine)
        assert answer.status == 303
        assert ask(server, str(answer.headers["Location"])).status == 200
        assert ask(server, place.replace("no+article", "remove"), "POST", Origin=mine).status == 404
        path.write_bytes(b"damaged")
        assert ask(server, place, "POST", Origin=mine).status == 500
        server.shutdown()
        thread.join()
    own = server.review
    (correction,) = own.patterns.sites["example.com"].corrections
    assert (correction.what, correction.date) == ("no article", datetime.now(UTC).date().isoformat())
    copies = [one for one in tmp_path.glob(f"{name}.*.before") if PatternSet.load(one) == editable.patterns]
    assert len(copies) == 1
    assert "no article" in view_html(own, View("site", "example.com"), link_of)  # type: ignore[operator]


# --- several windows, several programs


def parts_of(review: Review, number: int = 1) -> list[str]:
    """Return the paths of the sections of a layout that can be a title."""
    layout = review.layouts("example.com")[number - 1]
    return list(dict.fromkeys(one.feature for one in layout.pattern.sections))


@pytest.mark.parametrize("name", ["patterns.json", "patterns.sqlite"])
def test_two_reviews_of_one_file(name: str, editable: Review, tmp_path: Path) -> None:
    """Neither loses what the other one has saved, and both show it, even if they save at the same time."""
    path = tmp_path / name
    editable.patterns.save(path)
    reviews = [Review(PatternSet.load(path), editable.stored, path=path) for _ in range(2)]
    container = editable.layouts("example.com")[0].pattern.container
    changes = [Change(Correction("title", one, container)) for one in parts_of(editable)[:8]]
    assert len(changes) >= 4

    def save(which: int) -> None:
        for change in changes[which::2]:
            reviews[which] = reviews[which].correct("example.com", change)

    threads = [threading.Thread(target=save, args=(which,)) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    saved = PatternSet.load(path).sites["example.com"].corrections
    assert {one[:3] for one in saved} == {one.correction[:3] for one in changes}
    last = max(reviews, key=lambda one: len(one.patterns.sites["example.com"].corrections))
    assert len(last.patterns.sites["example.com"].corrections) == len(changes)
    copies = [PatternSet.load(one) for one in tmp_path.glob(f"{name}.*.before")]
    assert len(copies) == 2
    assert editable.patterns in copies


@pytest.mark.parametrize("name", ["patterns.json", "patterns.sqlite"])
def test_a_site_is_learned_while_it_is_corrected(name: str, editable: Review, tmp_path: Path) -> None:
    """Learning writes its patterns when it is done, and the correction that was saved meanwhile stays."""
    path = tmp_path / name
    editable.patterns.save(path)
    own = Review(PatternSet.load(path), editable.stored, path=path)
    learned = learn([*articles(HOST, 44), *indexes(HOST, 10)]).sites
    correction = Correction("no article", container=own.layouts("example.com")[0].pattern.container)
    own = own.correct("example.com", Change(correction))
    found = add_sites(str(path), learned).sites["example.com"]
    assert found.pages == 54
    assert [one[:3] for one in found.corrections] == [correction[:3]]


def forms_of(page: Any) -> dict[str, str]:
    """Return for each button that has no choice the query that its form sends."""
    found = {}
    for form in page.xpath("//form[not(select)]"):
        (button,) = form.xpath(".//button")
        fields = [(one.get("name"), one.get("value")) for one in form.xpath(".//input")]
        found[button.text] = urlencode([*fields, (button.get("name"), button.get("value"))])
    return found


@pytest.fixture
def serving(editable: Review) -> Iterator[ReviewServer]:
    with ReviewServer(editable) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def save(server: ReviewServer, query: str) -> http.client.HTTPResponse:
    mine = f"http://127.0.0.1:{server.server_port}"
    return ask(server, f"{urlsplit(server.url).path}?{query}", "POST", Origin=mine)


def test_each_window_forgets_the_layout_that_it_shows(serving: ReviewServer) -> None:
    """Two windows show two layouts; when the first one was forgotten, the second one forgets its own."""
    review = serving.review
    layouts = review.layouts("example.com")
    windows = [shown(review, View("layout", "example.com", one.key)) for one in layouts[:2]]
    queries = [forms_of(one)["Forget this layout"] for one in windows]
    assert save(serving, queries[0]).status == 303
    assert serving.review.layouts("example.com")[0].number == 2
    assert save(serving, queries[1]).status == 303
    assert serving.review.layouts("example.com") == layouts[2:]
    answer = save(serving, queries[1])
    assert answer.status == 409
    assert b"There is no such layout any more: it was corrected, or learned again, since" in answer.read()


def test_a_window_of_another_file(serving: ReviewServer) -> None:
    """What was learned again is not corrected: a sentence says so, and the review shows the new file."""
    review = serving.review
    assert review.path is not None
    query = forms_of(shown(review, View("layout", "example.com", key(review))))["Forget this layout"]
    learned = learn([*articles(HOST, 60), *indexes(HOST, 10)])
    learned.save(review.path)
    before = review.path.read_bytes()
    answer = save(serving, query)
    assert answer.status == 409
    page = html.fromstring(answer.read().decode())
    assert page.xpath("string(//main/p)") == (
        "The pattern file has no such layout any more: it was corrected, or learned again, since this window"
        " was opened. Nothing was saved."
    )
    assert ask(serving, urlsplit(serving.url).path + page.xpath("//a/@href")[0]).status == 200
    assert review.path.read_bytes() == before
    assert not list(review.path.parent.glob("*.before"))
    assert serving.review.patterns == learned
    PatternSet({"other.example": replace(learned.sites["example.com"], site="other.example")}).save(
        review.path
    )
    query = forms_of(shown(serving.review, View("layout", "example.com", key(serving.review))))[
        "Forget this layout"
    ]
    assert save(serving, query).status == 409
    assert ask(serving, f"{urlsplit(serving.url).path}?{query}").status == 404


def test_days_of_pages(review: Review) -> None:
    """The views have the days that pages state."""
    page = article(HOST, 900)
    body = page.body.replace(
        b"</head>", b'<meta property="article:published_time" content="2021-05-06"></head>'
    )
    review.stored.add_page(replace(page, body=body))
    own = Review(review.patterns, review.stored)
    assert own.site("example.com") is not None
    days = {row.url: row.day for row in own.pages("example.com")}
    assert days[page.url] == "2021-05-06"
    shown(own, View("site", "example.com"))


# --- large pages, browsers that go away, and requests that no browser sends

LARGE = {
    "paragraphs": "<p>" + "</p><p>".join(f"Word {n} of many & < others." for n in range(60_000)) + "</p>",
    "a paragraph": f"<p>{'Of words and ampersands &amp; there are many. ' * 40_000}</p>",
    "elements": "<p><b>" + "</b> <b>".join(f"{n}" for n in range(100_000)) + "</b></p>",
    "lines": "<pre>" + "x\n" * 300_000 + "</pre>",
    "links": "".join(f"<li><a href='/{'x' * 300}/{n}'>{n}</a>" for n in range(4_000)),
    "nested": "<div class=abcdefgh>" * 180 + "<p>A text.</p><h2>Another</h2>" * 2_000,
}


@pytest.mark.parametrize("kind", LARGE)
def test_large_pages(kind: str, editable: Review) -> None:
    """However large a page is, its views stay such that a browser can show them."""
    good = article(HOST, 700)
    url = f"http://{HOST}/large.html"
    body = good.body.decode().replace("<p>", f"{LARGE[kind]}<p>", 1)
    editable.stored.add_page(Page(url, body.encode()))
    for view in ("page", "look"):
        written = view_html(editable, View(view, url=url), link_of)
        assert written is not None
        assert len(written) < 4_500_000
    check_is_harmless_but_for_forms(editable, url)


def check_is_harmless_but_for_forms(review: Review, url: str) -> None:
    written = view_html(Review(review.patterns, review.stored), View("page", url=url), link_of)
    assert written is not None
    check_is_harmless(written)


def test_nobody_waits_while_a_view_is_written(
    review: Review, server: ReviewServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one window's page is written as HTML, another one is answered."""
    written = threading.Event()
    begun = threading.Event()

    def slow(*given: Any) -> str:
        begun.set()
        assert written.wait(60)
        return "At last"

    monkeypatch.setattr("scrapy_webstemmer.review.page_views.explanation_text", slow)
    path = urlsplit(server.url).path
    answers = []
    place = f"{path}?kind=page&url={article(HOST, 503).url}"
    first = threading.Thread(target=lambda: answers.append(ask(server, place).status))
    first.start()
    assert begun.wait(60)
    assert ask(server, f"{path}?kind=site&site=example.com").status == 200
    assert answers == []
    written.set()
    first.join()
    assert answers == [200]


def test_a_window_that_is_closed(
    server: ReviewServer, caplog: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """A browser that does not wait for its answer leaves nothing in the log and on the terminal."""
    path = f"{urlsplit(server.url).path}?kind=page&url={article(HOST, 503).url}"
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", server.server_port)) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # it says so at once
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode())
    assert ask(server, path).status == 200
    for thread in threading.enumerate():
        if "process_request" in thread.name:
            thread.join()
    assert [one for one in caplog.records if one.levelname not in ("DEBUG", "INFO")] == []
    assert capfd.readouterr() == ("", "")


def test_an_answer_that_cannot_be_sent(
    server: ReviewServer, monkeypatch: pytest.MonkeyPatch, caplog: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whichever error says that the browser is gone, it is no error of ours."""
    for error in (BrokenPipeError, ConnectionResetError, ConnectionAbortedError, TimeoutError):

        def gone(*_: Any, error: type[Exception] = error) -> None:
            raise error("gone")

        monkeypatch.setattr("scrapy_webstemmer.review.server._Handler._send", gone)
        with pytest.raises(http.client.RemoteDisconnected):
            ask(server, urlsplit(server.url).path)
    assert [one for one in caplog.records if one.levelname not in ("DEBUG", "INFO")] == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET http://[::1 HTTP/1.1",
        b"GET //[x HTTP/1.1",
        b"GET",
        b"GET /",
        b"GET / HTTP/9.9",
        b"GET / HTTP/1." + b"1" * 50,
        b"GET / \xff\xfe\x00 HTTP/1.1",
        b"G\xffT /\x1b[2J HTTP/1.1",
        b"\x16\x03\x01\x02\x00",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1",
        b"POST /? HTTP/1.1\r\nContent-Length: x",
        b"GET PATH?url=%00&kind=page&site=%ff&key=%F0%9F HTTP/1.1",
        b"GET PATH?kind=page&kind=site&&&==&url HTTP/1.1",
        b"GET PATH?%s%d%n HTTP/1.1",
        b"GET PATH?kind=page&url=http://[x HTTP/1.1\r\nOrigin: http://[",
        b"POST PATH?kind=trial&site=example.com&key=%E2%84%80 HTTP/1.1\r\nOrigin: http://127.0.0.1]",
        b"GET PATH HTTP/1.1\r\nOrigin: http://\xe2\x84\x80.example",
        b"GET PATH HTTP/1.1\r\n" + b"X: y\r\n" * 200,
    ],
)
def test_odd_requests(
    request_line: bytes, server: ReviewServer, caplog: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever somebody sends, it is answered or refused, without a traceback."""
    path = urlsplit(server.url).path
    with socket.create_connection(("127.0.0.1", server.server_port)) as one:
        one.sendall(request_line.replace(b"PATH", path.encode()))
        one.sendall(f"\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode())
        answer = b""
        with contextlib.suppress(OSError):  # it may have closed the connection
            one.shutdown(socket.SHUT_WR)
            while more := one.recv(1 << 16):
                answer += more
    assert b"500 " not in answer[:20]
    assert ask(server, path).status == 200
    assert [one for one in caplog.records if one.levelname not in ("DEBUG", "INFO")] == []
    assert capfd.readouterr() == ("", "")
