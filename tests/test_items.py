"""Items, as feeds and logs see them."""

from __future__ import annotations

from itemadapter import ItemAdapter
from scrapy.http import HtmlResponse

from scrapy_webstemmer import Article, ArticleItem, ArticleSection, Page, PageItem
from scrapy_webstemmer.blocks.anchors import Anchor

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
        ("sections", [{"kind": "title", "text": "T"}]),
        ("pattern", "name"),
        ("confidence", 0.75),
        ("date", None),
        ("markdown", None),
    ]


def test_article_item_may_be_changed() -> None:
    """A pipeline may change an item. The article stays as it was."""
    item = ArticleItem.from_article(ARTICLE)
    ItemAdapter(item)["title"] = "Another"
    item.sections.clear()
    assert (item.title, ARTICLE.title, len(ARTICLE.sections)) == ("Another", "T", 1)


def test_page_item_is_short_in_logs() -> None:
    """The repr of a page item shows neither the body nor the anchors."""
    page = Page("https://example.com/a", b"secret" * 1000)
    item = PageItem(page, (Anchor("https://example.com/b", "secret"),))
    assert repr(item) == "<PageItem https://example.com/a, 6000 bytes, 1 anchors>"


def test_page_item_gives_the_tree_that_was_parsed() -> None:
    """The root is the very one of the response's selector; without a response there is none."""
    response = HtmlResponse("https://example.com/a", body=b"<p>text</p>")
    assert PageItem(Page(response.url, response.body), (), response).root is response.selector.root
    assert PageItem(Page(response.url, response.body)).root is None
