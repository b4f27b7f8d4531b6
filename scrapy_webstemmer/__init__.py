"""Learn a site's layouts from one crawl, and turn its pages into articles.

Each name is imported when it is first used. Scrapy imports this package at every
call of ``scrapy``, to find its commands, and the core must not import Scrapy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base.limits import Limits
    from .errors import (
        LearningSetError,
        LimitError,
        OptionError,
        PageError,
        PatternFileError,
        SegmentFileError,
        UrlDbError,
        WebstemmerError,
        WorkerError,
    )
    from .flow import extract, learn
    from .incremental import IncrementalExtractor
    from .items import ArticleItem
    from .options.extract import ExtractOptions
    from .options.learn import LearnOptions
    from .options.url_rules import UrlRule
    from .patterns.files import PatternSet
    from .plugin.addon import Addon
    from .plugin.middlewares import (
        AreaMiddleware,
        CookieFileMiddleware,
        DefaultEncodingMiddleware,
        LinkinfoMiddleware,
        UrlDbMiddleware,
    )
    from .plugin.pipeline import PagePipeline
    from .plugin.spiders import TextCrawler
    from .segments.files import SegmentFile, SegmentTables
    from .segments.options import SegmentOptions
    from .storage.urldb import UrlDb
    from .values.articles import Article, ArticleSection
    from .values.pages import Page
    from .values.patterns import Pattern, Section

__version__ = "0.1.0"
__all__ = [
    "Addon",
    "AreaMiddleware",
    "Article",
    "ArticleItem",
    "ArticleSection",
    "CookieFileMiddleware",
    "DefaultEncodingMiddleware",
    "ExtractOptions",
    "IncrementalExtractor",
    "LearnOptions",
    "LearningSetError",
    "LimitError",
    "Limits",
    "LinkinfoMiddleware",
    "OptionError",
    "Page",
    "PageError",
    "PagePipeline",
    "Pattern",
    "PatternFileError",
    "PatternSet",
    "Section",
    "SegmentFile",
    "SegmentFileError",
    "SegmentOptions",
    "SegmentTables",
    "TextCrawler",
    "UrlDb",
    "UrlDbError",
    "UrlDbMiddleware",
    "UrlRule",
    "WebstemmerError",
    "WorkerError",
    "extract",
    "learn",
]

_MODULES = {
    "plugin.addon": ["Addon"],
    "errors": [
        "LearningSetError",
        "LimitError",
        "OptionError",
        "PageError",
        "PatternFileError",
        "SegmentFileError",
        "UrlDbError",
        "WebstemmerError",
        "WorkerError",
    ],
    "flow": ["extract", "learn"],
    "incremental": ["IncrementalExtractor"],
    "items": ["ArticleItem"],
    "base.limits": ["Limits"],
    "plugin.middlewares": [
        "AreaMiddleware",
        "CookieFileMiddleware",
        "DefaultEncodingMiddleware",
        "LinkinfoMiddleware",
        "UrlDbMiddleware",
    ],
    "options.extract": ["ExtractOptions"],
    "options.learn": ["LearnOptions"],
    "options.url_rules": ["UrlRule"],
    "patterns.files": ["PatternSet"],
    "plugin.pipeline": ["PagePipeline"],
    "segments.files": ["SegmentFile", "SegmentTables"],
    "segments.options": ["SegmentOptions"],
    "plugin.spiders": ["TextCrawler"],
    "storage.urldb": ["UrlDb"],
    "values.articles": ["Article", "ArticleSection"],
    "values.pages": ["Page"],
    "values.patterns": ["Pattern", "Section"],
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}
# Former names: only the ITEM_PIPELINES setting of older projects needs them.
_FORMER = dict.fromkeys(("ArticlePipeline", "IncrementalPipeline", "LearningSetPipeline"), "plugin.pipeline")

if not TYPE_CHECKING:  # a type checker assumes that a module with __getattr__ has every name

    def __getattr__(name: str) -> object:
        home = _HOME.get(name) or _FORMER.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{home}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
