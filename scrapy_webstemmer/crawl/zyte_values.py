"""The values that a ``zyte_common_items.Article`` has for those of an article."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..items import ArticleItem

#: For a field of an article, the field of a ``zyte_common_items.Article`` that gets its value.
ZYTE_FIELDS = {
    "url": "url",
    "title": "headline",
    "text": "articleBody",
    "html": "articleBodyHtml",
    "date_published": "datePublished",
    "date_published_raw": "datePublishedRaw",
    "date_modified": "dateModified",
    "date_modified_raw": "dateModifiedRaw",
    "authors": "authors",
    "description": "description",
    "main_image": "mainImage",
    "images": "images",
    "videos": "videos",
    "audios": "audios",
    "language": "inLanguage",
    "breadcrumbs": "breadcrumbs",
    "canonical_url": "canonicalUrl",
    "confidence": "metadata",
}


def is_zyte_article(cls: type[Any]) -> bool:
    """Return whether a class is ``zyte_common_items.Article`` or a subclass of it."""
    library = sys.modules.get("zyte_common_items")  # where it is not loaded, no class is of it
    return library is not None and issubclass(cls, library.Article)


def zyte_values(article: ArticleItem) -> dict[str, Any]:
    """Return the values that an article gives to a ``zyte_common_items.Article``, under our names.

    What is not known of the article is None. Times are ``YYYY-MM-DDTHH:MM:SS``, with a zone if the page gives
    one; a day alone is one at midnight. ``confidence`` is an ``ArticleMetadata`` with the time at which it is
    made, and the probability that the article is right. Authors, pictures and the like are the library's own
    components.
    """
    from zyte_common_items import ArticleMetadata, Audio, Author, Breadcrumb, Image, Video

    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "url": article.url,
        "title": article.title or None,
        "text": article.text,
        "html": article.html,
        "date_published": _at_midnight(article.date_published or article.date),
        "date_published_raw": article.date_published_raw,
        "date_modified": _at_midnight(article.date_modified),
        "date_modified_raw": article.date_modified_raw,
        "authors": [Author(**author) for author in article.authors or ()] or None,
        "description": article.description,
        "main_image": Image(url=article.main_image) if article.main_image else None,
        "images": [Image(url=image["url"]) for image in article.images or ()] or None,
        "videos": [Video(url=url) for url in article.videos or ()] or None,
        "audios": [Audio(url=url) for url in article.audios or ()] or None,
        "language": article.language,
        "breadcrumbs": [Breadcrumb(**breadcrumb) for breadcrumb in article.breadcrumbs or ()] or None,
        "canonical_url": article.canonical_url,
        "confidence": ArticleMetadata(dateDownloaded=now, probability=article.confidence),
    }


def _at_midnight(time: str | None) -> str | None:
    return f"{time}T00:00:00" if time and "T" not in time else time
