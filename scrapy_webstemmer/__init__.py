"""Learn a site's layouts from one crawl, and turn its pages into articles.

Each name is imported when it is first used. Scrapy imports this package at every
call of ``scrapy``, to find its commands, and the core must not import Scrapy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base.limits import Limits as Limits
    from .errors import LearningSetError as LearningSetError
    from .errors import LimitError as LimitError
    from .errors import OptionError as OptionError
    from .errors import PageError as PageError
    from .errors import PatternFileError as PatternFileError
    from .errors import SegmentFileError as SegmentFileError
    from .errors import UrlDbError as UrlDbError
    from .errors import WebstemmerError as WebstemmerError
    from .errors import WorkerError as WorkerError
    from .flow import extract as extract
    from .flow import extract_all as extract_all
    from .flow import learn as learn
    from .incremental import IncrementalExtractor as IncrementalExtractor
    from .items import ArticleItem as ArticleItem
    from .options.extract import ExtractOptions as ExtractOptions
    from .options.learn import LearnOptions as LearnOptions
    from .options.url_rules import UrlRule as UrlRule
    from .patterns.files import PatternSet as PatternSet
    from .plugin.addon import Addon as Addon
    from .plugin.middlewares.area import AreaMiddleware as AreaMiddleware
    from .plugin.middlewares.cookies import CookieFileMiddleware as CookieFileMiddleware
    from .plugin.middlewares.encoding import DefaultEncodingMiddleware as DefaultEncodingMiddleware
    from .plugin.middlewares.linkinfo import LinkinfoMiddleware as LinkinfoMiddleware
    from .plugin.middlewares.urldb import UrlDbMiddleware as UrlDbMiddleware
    from .plugin.pipeline import PagePipeline as PagePipeline
    from .plugin.spiders import TextCrawler as TextCrawler
    from .segments.files import SegmentFile as SegmentFile
    from .segments.files import SegmentTables as SegmentTables
    from .segments.options import SegmentOptions as SegmentOptions
    from .storage.urldb import UrlDb as UrlDb
    from .values.articles import Article as Article
    from .values.articles import ArticleSection as ArticleSection
    from .values.pages import Page as Page
    from .values.patterns import Pattern as Pattern
    from .values.patterns import Section as Section

__version__ = "0.1.0"

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
    "flow": ["extract", "extract_all", "learn"],
    "incremental": ["IncrementalExtractor"],
    "items": ["ArticleItem"],
    "base.limits": ["Limits"],
    "plugin.middlewares.area": ["AreaMiddleware"],
    "plugin.middlewares.cookies": ["CookieFileMiddleware"],
    "plugin.middlewares.encoding": ["DefaultEncodingMiddleware"],
    "plugin.middlewares.linkinfo": ["LinkinfoMiddleware"],
    "plugin.middlewares.urldb": ["UrlDbMiddleware"],
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
__all__ = list(_HOME)

if not TYPE_CHECKING:  # a type checker assumes that a module with __getattr__ has every name

    def __getattr__(name: str) -> object:
        home = _HOME.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{home}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
