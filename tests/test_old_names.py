"""The dotted names of before load what has these names now."""

from __future__ import annotations

from importlib import import_module

import pytest
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader
from scrapy.utils.misc import load_object

from scrapy_webstemmer import TextCrawler

OLD = "scrapy_webstemmer.plugin"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("middlewares.LinkinfoMiddleware", "crawl.linkinfo"),
        ("middlewares.CookieFileMiddleware", "crawl.cookies"),
        ("middlewares.DefaultEncodingMiddleware", "crawl.charset"),
        ("middlewares.AreaMiddleware", "textcrawler.area"),
        ("page_pipeline.PagePipeline", "crawl.page_pipeline"),
        ("urldb_middleware.UrlDbMiddleware", "crawl.urldb_middleware"),
        ("parquet.ParquetItemExporter", "crawl.parquet"),
        ("poet.ArticleProvider", "poet"),
    ],
)
def test_classes_in_settings(old: str, new: str) -> None:
    """The class of an old name is the class itself, so that the add-on knows it."""
    name = old.rpartition(".")[2]
    assert load_object(f"{OLD}.{old}") is load_object(f"scrapy_webstemmer.{new}.{name}")


def test_modules_in_settings() -> None:
    """SPIDER_MODULES finds the spider, and SCRAPY_POET_DISCOVER registers the rules once."""
    spiders = SpiderLoader.from_settings(Settings({"SPIDER_MODULES": [f"{OLD}.spiders"]}))
    assert spiders.load("textcrawler") is TextCrawler
    assert import_module(f"{OLD}.poet.rules") is import_module("scrapy_webstemmer.poet.rules")
    with pytest.raises(ImportError, match=f"No module named '{OLD}.nothing'"):
        import_module(f"{OLD}.nothing")
