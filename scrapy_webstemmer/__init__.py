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
    from .crawl.addon import Addon as Addon
    from .errors import OptionError as OptionError
    from .errors import PageError as PageError
    from .errors import WebstemmerError as WebstemmerError
    from .items import ArticleItem as ArticleItem
    from .options import ExtractOptions as ExtractOptions
    from .options import LearnOptions as LearnOptions
    from .options import Limits as Limits
    from .options import UrlRule as UrlRule
    from .pattern_files.pattern_file import PatternSet as PatternSet
    from .textcrawler.spiders import TextCrawler as TextCrawler
    from .values import Article as Article
    from .values import Page as Page

__version__ = "0.1.0"

_MODULES = {  # each with its public names; what only some use is imported from its own module
    "api": "extract extract_all learn",
    "errors": "OptionError PageError WebstemmerError",
    "items": "ArticleItem",
    "options": "ExtractOptions LearnOptions Limits UrlRule",
    "pattern_files.pattern_file": "PatternSet",
    "crawl.addon": "Addon",
    "textcrawler.spiders": "TextCrawler",
    "values": "Article Page",
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
