"""The values that a ``zyte_common_items.Article`` has for those of an article."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from ..items import ArticleItem

#: For a field of an article, the field of a ``zyte_common_items.Article`` that gets its value.
ZYTE_FIELDS = {
    "url": "url",
    "title": "headline",
    "text": "articleBody",
    "html": "articleBodyHtml",
    "date": "datePublished",
    "confidence": "metadata",
}


class ZyteValues(TypedDict):
    """The values of :data:`ZYTE_FIELDS` under our names; None: not known of this article.

    ``date`` is the day of publication as a time, ``YYYY-MM-DDT00:00:00``. ``confidence`` is an
    ``ArticleMetadata`` with the time at which it was made, and the probability that the article is right.
    """

    url: str
    title: str | None
    text: str
    html: str
    date: str | None
    confidence: Any


def is_zyte_article(cls: type[Any]) -> bool:
    """Return whether a class is ``zyte_common_items.Article`` or a subclass of it."""
    library = sys.modules.get("zyte_common_items")  # where it is not loaded, no class is of it
    return library is not None and issubclass(cls, library.Article)


def zyte_values(article: ArticleItem) -> ZyteValues:
    """Return the values that an article gives to a ``zyte_common_items.Article``."""
    from zyte_common_items import ArticleMetadata

    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "url": article.url,
        "title": article.title or None,
        "text": article.text,
        "html": article.html,
        "date": f"{article.date}T00:00:00" if article.date else None,
        "confidence": ArticleMetadata(dateDownloaded=now, probability=article.confidence),
    }
