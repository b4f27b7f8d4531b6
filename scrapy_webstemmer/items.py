"""The items of a crawl: pages, which only this package uses, and articles, which every pipeline gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy.http import TextResponse

    from .blocks.anchors import Anchor
    from .values import Article, Page

__all__ = ["ArticleItem", "PageItem", "page_stored", "tree_of"]

#: Scrapy signal: a page is stored safely in the learning set. Handlers get ``page`` and ``response``.
page_stored = object()


def tree_of(response: TextResponse) -> Any:
    """Return the root of a response's lxml tree; None if parsel made no tree.

    Before version 1.10, parsel reads an HTML response as JSON if its body is valid JSON.
    """
    root = response.selector.root
    return root if hasattr(root, "iter") else None


@dataclass(eq=False, repr=False)
class PageItem:
    """A page on its way from the spider middleware to our pipeline. No other component sees it.

    :param page: the page as it was fetched, with the encoding that Scrapy used to decode it.
    :param anchors: its anchors to other pages; empty if nothing in this crawl needs them.
    :param response: the page's response; the spider may have parsed its tree already.
    :param seen: what an earlier crawl stored of its url, ``page`` or ``article``; empty: nothing.
    """

    page: Page
    anchors: tuple[Anchor, ...] = ()
    response: TextResponse | None = None
    seen: str = ""

    @property
    def root(self) -> Any:
        """The root of the response's lxml tree, which must not be changed; None without a response."""
        return None if self.response is None else tree_of(self.response)

    def __repr__(self) -> str:
        return f"<PageItem {self.page.url}, {len(self.page.body)} bytes, {len(self.anchors)} anchors>"


@dataclass
class ArticleItem:
    """An article as pipelines and feeds get it. A project's pipelines may change it.

    The fields are those of :class:`~scrapy_webstemmer.values.Article`, in
    plain types: ``sections`` is a list of ``{"kind": …, "text": …}``.
    """

    url: str
    title: str
    text: str
    html: str
    sections: list[dict[str, str]] = field(default_factory=list)
    pattern: str = ""
    confidence: float | None = None
    date: str | None = None
    markdown: str | None = None

    @classmethod
    def from_article(cls, article: Article) -> ArticleItem:
        """Return the item of an article."""
        return cls(
            url=article.url,
            title=article.title,
            text=article.text,
            html=article.html,
            sections=[{"kind": one.kind, "text": one.text} for one in article.sections],
            pattern=article.pattern,
            confidence=article.confidence,
            date=article.date,
            markdown=article.markdown,
        )
