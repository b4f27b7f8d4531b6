"""web-poet page objects: make items of the article that a crawl's patterns find on a page."""

from __future__ import annotations

import attrs
from web_poet import ItemPage, field
from zyte_common_items import Article, ArticleMetadata, ArticlePage

from ...items import ArticleItem
from ..zyte import ZyteValues, zyte_values
from .providers import PageArticle


@attrs.define
class ArticleItemPage(ItemPage[ArticleItem]):
    """A page whose item is an :class:`~scrapy_webstemmer.ArticleItem`, as our pipeline gives it.

    A page without an article has the item None. Scrapy skips a None that a callback yields.
    """

    found: PageArticle

    async def to_item(self) -> ArticleItem | None:
        """Return the article; None if the page gives none."""
        return self.found.item


@attrs.define
class WebstemmerArticlePage(ArticlePage):
    """A page whose item is a ``zyte_common_items.Article``.

    ``metadata.probability`` is our confidence; None for layouts of 2009, which have none. A page without an
    article has an item with the probability 0 and no text. ``DropLowProbabilityItemPipeline`` of
    zyte-common-items drops such items.

    A subclass may add fields, or replace some. It finds the page in ``response``.
    """

    found: PageArticle

    def validate_input(self) -> Article | None:
        """Return the item of a page without an article; None if there is an article."""
        return self.no_item_found() if self.found.item is None else None

    @field
    def headline(self) -> str | None:
        """The title; None if the page shows none."""
        return self._values["title"]

    @field
    def articleBody(self) -> str:  # noqa: N802 - the name is schema.org's
        """The main text."""
        return self._values["text"]

    @field
    def articleBodyHtml(self) -> str:  # noqa: N802 - as above
        """The main text as cleaned HTML."""
        return self._values["html"]

    @field
    def datePublished(self) -> str | None:  # noqa: N802 - as above
        """The day of publication as a time, ``YYYY-MM-DDT00:00:00``; None if it is not known."""
        return self._values["date"]

    @field
    def metadata(self) -> ArticleMetadata:
        """The time of this call, and how sure the article is."""
        return self._values["confidence"]

    @property
    def _values(self) -> ZyteValues:
        assert self.found.item is not None  # noqa: S101 - web-poet calls validate_input before any field
        return zyte_values(self.found.item)
