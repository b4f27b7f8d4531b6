"""What notebooks show of articles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lxml import html
from news_pages import articles

from scrapy_webstemmer import Article, extract
from scrapy_webstemmer.values import Author

HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\ud800"
ALLOWED = {"div", "h2", "a", "table", "tr", "th", "td", "p", "tbody"}


def shown(value: Article) -> html.HtmlElement:
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
