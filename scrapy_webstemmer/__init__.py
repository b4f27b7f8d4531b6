"""Learn a site's layouts from one crawl, and turn its pages into articles."""

from __future__ import annotations

from .errors import LearningSetError, OptionError, PageError, PatternFileError, WebstemmerError
from .flow import extract, learn
from .options import ExtractOptions, LearnOptions, UrlRule
from .patterns.files import PatternSet
from .values import Article, ArticleSection, Page, Pattern, Section

__version__ = "0.1.0"
__all__ = [
    "Article",
    "ArticleSection",
    "ExtractOptions",
    "LearnOptions",
    "LearningSetError",
    "OptionError",
    "Page",
    "PageError",
    "Pattern",
    "PatternFileError",
    "PatternSet",
    "Section",
    "UrlRule",
    "WebstemmerError",
    "extract",
    "learn",
]
