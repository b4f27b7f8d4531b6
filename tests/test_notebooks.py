"""What notebooks show of articles and of patterns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lxml import html
from news_pages import articles

from scrapy_webstemmer import Article, PatternSet, extract, learn
from scrapy_webstemmer.values import Author, LearnWarning, Pattern, SitePatterns

HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\ud800"
ALLOWED = {"div", "h2", "a", "table", "tr", "th", "td", "p", "tbody"}


def shown(value: Article | PatternSet) -> html.HtmlElement:
    """Return what a notebook shows, which any notebook can store."""
    text = value._repr_html_()
    text.encode()
    root = html.fragment_fromstring(text, create_parent=True)
    assert {one.tag for one in root.iter()} <= ALLOWED
    assert all(name in ("href", "rel") for one in root.iter() for name in one.attrib)
    return root


def test_an_article() -> None:
    """The title leads to the page, a table has the fields that are known, and the text follows."""
    page = articles("press.example", 1)[0]
    found = replace(
        extract(page), authors=(Author("Ann Lee"), Author("Bob Roe")), tags=("seals", "sea"), language=None
    )
    root = shown(found)
    (link,) = root.xpath("h2/a")
    assert (link.text, link.get("href")) == (found.title, page.url)
    rows = {row[0].text: row[1].text for row in root.xpath("table//tr")}
    assert [*rows] == [*(["date"] if found.date else []), "authors", "tags", "confidence", "probability"]
    assert (rows["authors"], rows["tags"], rows["confidence"]) == (
        "Ann Lee, Bob Roe",
        "seals, sea",
        str(found.confidence),
    )
    assert found._repr_html_().endswith(found.html)


def test_an_article_without_html_and_title() -> None:
    """Its url and its text are shown."""
    root = shown(Article(url="http://a.example/", title="", text="one\ntwo"))
    assert root.findtext("h2/a") == "http://a.example/"
    assert [one.text for one in root.findall("p")] == ["one", "two"]


@pytest.mark.parametrize(
    "url", ["http://a.example/", "javascript:alert(1)", f"http://a.example/{HOSTILE}", "a.html", ""]
)
def test_an_article_of_hostile_texts(url: str) -> None:
    """Everything is escaped, and only addresses of the web are links."""
    author, text = Author(HOSTILE), f"{HOSTILE}\n{HOSTILE}"
    found = Article(
        url=url, title=HOSTILE, text=text, authors=(author,), tags=(HOSTILE,), language=HOSTILE, date=HOSTILE
    )
    root = shown(found)
    assert [one.get("href") for one in root.iter("a")] == ([found.url] if url.startswith("http") else [])
    assert root.find("h2").text_content() == found.title


def test_patterns() -> None:
    """A row for each layout of each site, and the warnings in words."""
    patterns = learn([*articles("press.example", 12), *articles("blog.example.org", 3, "blog")])
    root = shown(patterns)
    heads, *rows = [[cell.text or "" for cell in row] for row in root.xpath("table//tr")]
    assert heads == ["site", "layout", "kind", "pages", "sample title"]
    assert rows == [
        [site.site, one.name, one.kind, str(one.pages), one.sample_title]
        for site in patterns.sites.values()
        for one in site.patterns
    ]
    assert any("press.example: only 12 pages learned from" in one.text for one in root.findall("p"))


@pytest.mark.parametrize(
    ("sites", "layouts", "rows", "more"),
    [
        (0, 0, 0, []),
        (1, 0, 1, []),
        (100, 1, 100, []),
        (250, 1, 100, ["and 150 more sites"]),
        (2_000, 3, 100, ["and 2 more layouts", "and 1,966 more sites"]),
        (1, 101, 100, ["and 1 more layout"]),
    ],
)
def test_many_patterns(sites: int, layouts: int, rows: int, more: list[str]) -> None:
    """At most a hundred layouts are shown, and how many more there are."""
    own = tuple(Pattern(f"http://a.example/{n}", "article", 1.0, 4, ()) for n in range(layouts))
    known = {str(n): SitePatterns(str(n), "paths", 9, 1, own) for n in range(sites)}
    root = shown(PatternSet(known))
    assert len(root.xpath("table//tr")) == rows + 1
    assert [one.text for one in root.findall("p")] == more


def test_patterns_of_hostile_texts() -> None:
    """Names of sites, layouts and kinds of warnings are escaped."""
    pattern = Pattern(HOSTILE, HOSTILE, 1.0, 4, (), sample_title=HOSTILE)
    site = SitePatterns(HOSTILE, "paths", 9, 1, (pattern,), warnings=(LearnWarning(HOSTILE, 3),))
    assert len(shown(PatternSet({HOSTILE: site})).xpath("table//tr")) == 2
