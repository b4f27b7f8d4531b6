"""Items, as feeds and logs see them."""

from __future__ import annotations

import pytest
from itemadapter import ItemAdapter

from scrapy_webstemmer import Article, ArticleItem, ArticleSection, Page
from scrapy_webstemmer.html.anchors import Anchor
from scrapy_webstemmer.items import METADATA_FIELDS, CrawledPage

ARTICLE = Article(
    "https://example.com/a", "T", "one\ntwo", "<p>one</p>", (ArticleSection("title", "T"),), "name", 0.75
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
        ("date", None),
        ("markdown", None),
        ("sections", None),
        *((name, None) for name in METADATA_FIELDS),
        ("comments", None),
    ]
    with_sections = ArticleItem.from_article(ARTICLE, sections=True)
    assert with_sections["sections"] == [{"kind": "title", "text": "T"}]


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


def test_page_item_is_short_in_logs() -> None:
    """The repr of a page item shows neither the body nor the anchors."""
    page = Page("https://example.com/a", b"secret" * 1000)
    item = CrawledPage(page, (Anchor("https://example.com/b", "secret"),))
    assert repr(item) == "<CrawledPage https://example.com/a, 6000 bytes, 1 anchors>"
