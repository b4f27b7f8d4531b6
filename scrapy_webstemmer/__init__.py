"""Learn a site's layouts from one crawl, and turn its pages into articles.

Each name is imported when it is first used. Scrapy imports this package at every
call of ``scrapy``, to find its commands, and the core must not import Scrapy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import extract as extract
    from .api import extract_all as extract_all
    from .api import learn as learn
    from .errors import LearningSetError as LearningSetError
    from .errors import LimitError as LimitError
    from .errors import OptionError as OptionError
    from .errors import PageError as PageError
    from .errors import PatternFileError as PatternFileError
    from .errors import SegmentFileError as SegmentFileError
    from .errors import UrlDbError as UrlDbError
    from .errors import WebstemmerError as WebstemmerError
    from .errors import WorkerError as WorkerError
    from .incremental import IncrementalExtractor as IncrementalExtractor
    from .items import ArticleItem as ArticleItem
    from .options import ExtractOptions as ExtractOptions
    from .options import LearnOptions as LearnOptions
    from .options import Limits as Limits
    from .options import SegmentOptions as SegmentOptions
    from .options import UrlRule as UrlRule
    from .patterns.pattern_file import PatternSet as PatternSet
    from .plugin.addon import Addon as Addon
    from .plugin.middlewares import AreaMiddleware as AreaMiddleware
    from .plugin.middlewares import CookieFileMiddleware as CookieFileMiddleware
    from .plugin.middlewares import DefaultEncodingMiddleware as DefaultEncodingMiddleware
    from .plugin.middlewares import LinkinfoMiddleware as LinkinfoMiddleware
    from .plugin.page_pipeline import PagePipeline as PagePipeline
    from .plugin.spiders import TextCrawler as TextCrawler
    from .plugin.urldb_middleware import UrlDbMiddleware as UrlDbMiddleware
    from .segments.segment_tables import SegmentFile as SegmentFile
    from .segments.segment_tables import SegmentTables as SegmentTables
    from .storage.urldb import UrlDb as UrlDb
    from .values import Article as Article
    from .values import ArticleSection as ArticleSection
    from .values import Page as Page
    from .values import Pattern as Pattern
    from .values import Section as Section

__version__ = "0.1.0"

_MODULES = {  # each with its public names
    "api": "extract extract_all learn",
    "errors": "LearningSetError LimitError OptionError PageError PatternFileError "
    "SegmentFileError UrlDbError WebstemmerError WorkerError",
    "incremental": "IncrementalExtractor",
    "items": "ArticleItem",
    "options": "ExtractOptions LearnOptions Limits SegmentOptions UrlRule",
    "patterns.pattern_file": "PatternSet",
    "plugin.addon": "Addon",
    "plugin.middlewares": "AreaMiddleware CookieFileMiddleware DefaultEncodingMiddleware LinkinfoMiddleware",
    "plugin.page_pipeline": "PagePipeline",
    "plugin.spiders": "TextCrawler",
    "plugin.urldb_middleware": "UrlDbMiddleware",
    "segments.segment_tables": "SegmentFile SegmentTables",
    "storage.urldb": "UrlDb",
    "values": "Article ArticleSection Page Pattern Section",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}
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
