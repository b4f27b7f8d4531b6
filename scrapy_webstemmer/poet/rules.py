"""scrapy-poet rules: the patterns give the articles of all urls. ``SCRAPY_POET_DISCOVER`` names this module.

Importing it registers the rules. Their priority is below web-poet's 500, so a project's page objects come
first.
"""

from __future__ import annotations

from web_poet import handle_urls

from .page_articles import ArticleItemPage, WebstemmerArticlePage

_PRIORITY = 100

for _page in (ArticleItemPage, WebstemmerArticlePage):
    handle_urls("", priority=_PRIORITY)(_page)
