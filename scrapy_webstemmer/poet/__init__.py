"""Articles for scrapy-poet: spiders and page objects ask for them by a type. Needs the extra ``poet``.

    response -> ArticleProvider -> PageArticle -> page object -> item

The provider applies the crawl's patterns to a response. A page object makes an item of what it finds:
``ArticleItemPage`` an ``ArticleItem``, ``WebstemmerArticlePage`` an ``Article`` of zyte-common-items. The
module ``rules`` registers both for all urls; a project names it in ``SCRAPY_POET_DISCOVER``.
"""

from .page_articles import (
    AnyResponseProvider,
    ArticleItemPage,
    ArticleProvider,
    PageArticle,
    WebstemmerArticlePage,
)

__all__ = [
    "AnyResponseProvider",
    "ArticleItemPage",
    "ArticleProvider",
    "PageArticle",
    "WebstemmerArticlePage",
]
