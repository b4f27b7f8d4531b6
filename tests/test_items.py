"""Items, as feeds and logs see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itemadapter import ItemAdapter
from lxml import etree

from scrapy_webstemmer import Article, ArticleItem, Page
from scrapy_webstemmer.items import METADATA_FIELDS, CrawledPage
from scrapy_webstemmer.page.anchors import Anchor
from scrapy_webstemmer.values import ArticleImage, ArticleSection, Author, Breadcrumb, Comment, valid_text

ARTICLE = Article(
    url="https://example.com/a",
    title="T",
    text="one\ntwo",
    html="<p>one</p>",
    sections=(ArticleSection("title", "T"),),
    pattern="name",
    confidence=0.75,
)


def test_article_item_has_the_fields_in_their_order() -> None:
    """An article item has the article's values in plain types, in the order in which feeds write them."""
    assert list(ItemAdapter(ArticleItem.from_article(ARTICLE)).asdict().items()) == [
        ("url", "https://example.com/a"),
        ("title", "T"),
        ("text", "one\ntwo"),
        ("html", "<p>one</p>"),
        ("pattern", "name"),
        ("confidence", 0.75),
        ("probability", None),
        ("provisional", False),
        ("page_type", None),
        ("page_type_confidence", None),
        ("date", None),
        ("markdown", None),
        ("sections", None),
        *((name, None) for name in METADATA_FIELDS),
        ("comments", None),
    ]
    with_sections = ArticleItem.from_article(ARTICLE, sections=True)
    assert with_sections["sections"] == [{"kind": "title", "text": "T"}]


def test_a_dict_is_a_line_of_json() -> None:
    """An article's dict has the item's keys and values; comments that nobody asked for are no empty list."""
    found = ARTICLE.to_dict(sections=True)
    assert [*found.items()] == [*ArticleItem.from_article(ARTICLE, sections=True).items()]
    assert found["sections"] == [{"kind": "title", "text": "T"}]
    full = replace(
        ARTICLE,
        probability=0.5,
        sections=(),
        authors=(Author("Ann", "http://a.example/"),),
        tags=("one", "two"),
        images=(ArticleImage("http://a.example/i.png"),),
        comments=(Comment("Bob", None, "Well", 1),),
    ).to_dict(sections=True)
    assert (full["probability"], full["sections"], full["videos"]) == (0.5, None, None)
    assert (full["authors"], full["tags"]) == ([{"name": "Ann", "url": "http://a.example/"}], ["one", "two"])
    assert full["images"] == [{"url": "http://a.example/i.png", "alt": None, "caption": None}]
    assert full["comments"] == [{"author": "Bob", "date": None, "text": "Well", "depth": 1}]
    assert (found["comments"], replace(ARTICLE, comments_read=True).to_dict()["comments"]) == (None, [])
    found["sections"].clear()
    assert ARTICLE.sections


@given(st.text(st.characters() | st.sampled_from("\0\x0b\x1f\ud83d\udfff\ufffe\uffff\n\r\t")))
def test_every_text_is_valid_in_xml_and_utf_8(text: str) -> None:
    """Whatever a page has in its text and statements, XML 1.0 and UTF-8 can have each field of an article."""
    article = Article(
        url=text,
        title=text,
        text=text,
        html=text,
        pattern=text,
        markdown=text,
        sections=(ArticleSection("main", text),),
        authors=(Author(text, text),),
        description=text,
        tags=(text, text),
        breadcrumbs=(Breadcrumb(text, None),),
        comments=(Comment(text, None, text, 1),),
    )
    item = ArticleItem.from_article(article, sections=True)
    written = [*strings_of(dict(item))]
    root = etree.Element("items")
    for one in written:
        etree.SubElement(root, "value").text = one
        assert valid_text(one) == one
    assert [one.text or "" for one in etree.fromstring(etree.tostring(root, encoding="utf-8"))] == written
    assert article == replace(article)
    assert len(written) >= 14
    section = replace(article, text="a", sections=(ArticleSection("main", text),)).sections[0]
    assert section.text == valid_text(text)


def strings_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings_of(one)


def test_what_is_valid_stays_as_it_is() -> None:
    """Only characters that XML and UTF-8 cannot have are left out of a text."""
    text = "a\tb\nc é\xa0日\U0001f600 \ufffd\ue000\x7f\x85"
    assert valid_text(text) == text
    assert valid_text("a\0b\ud83d\x1b") == "ab"


def test_article_item_may_be_changed() -> None:
    """A pipeline may change an item. The article stays as it was."""
    item = ArticleItem.from_article(ARTICLE, sections=True)
    ItemAdapter(item)["title"] = "Another"
    assert item.sections is not None
    item.sections.clear()
    assert (item.title, ARTICLE.title, len(ARTICLE.sections)) == ("Another", "T", 1)


def test_article_item_is_read_and_set_by_key() -> None:
    """Code that was written for other items reads articles like these; there are no other keys."""
    item = ArticleItem.from_article(ARTICLE)
    item["title"] = item["title"].lower()
    assert (item.title, item.get("title"), item.get("price"), "text" in item) == ("t", "t", None, True)
    assert dict(item)["confidence"] == 0.75
    assert (item == ArticleItem.from_article(ARTICLE)) is False
    for change in (lambda: item["price"], lambda: item.update(price=1)):
        with pytest.raises(KeyError, match="price"):
            change()
    with pytest.raises(TypeError):
        del item["title"]


def test_article_item_is_short_in_logs() -> None:
    """The repr of an article has its url, title, length and confidence, and not its text."""
    assert (
        repr(ArticleItem.from_article(ARTICLE))
        == "<https://example.com/a 'T', 7 characters, confidence 0.75>"
    )
    early = ArticleItem.from_article(ARTICLE, provisional=True)
    assert repr(early) == "<https://example.com/a 'T', 7 characters, confidence 0.75, provisional>"


def test_page_item_is_short_in_logs() -> None:
    """The repr of a page item shows neither the body nor the anchors."""
    page = Page("https://example.com/a", b"secret" * 1000)
    item = CrawledPage(page, (Anchor("https://example.com/b", "secret"),))
    assert repr(item) == "<CrawledPage https://example.com/a, 6000 bytes, 1 anchors>"
