"""The add-on: which components it enables, and when it stays out."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings

from scrapy_webstemmer import Addon, OptionError
from scrapy_webstemmer.crawl.charset import DefaultEncodingMiddleware
from scrapy_webstemmer.crawl.cookies import CookieFileMiddleware
from scrapy_webstemmer.crawl.linkinfo import LinkinfoMiddleware
from scrapy_webstemmer.crawl.page_pipeline import PagePipeline
from scrapy_webstemmer.crawl.urldb_middleware import UrlDbMiddleware


def updated(**values: Any) -> Settings:
    """Return settings after the add-on has seen them."""
    settings = Settings(values)
    Addon().update_settings(settings)
    return settings


@pytest.mark.parametrize("names", [("LEARNING_SET",), ("PATTERNS",), ("LEARNING_SET", "PATTERNS")])
def test_components_follow_the_settings(names: tuple[str, ...]) -> None:
    """If one of their settings is set, middleware and pipeline are added, before those of a project."""
    settings = updated(**{f"WEBSTEMMER_{name}": "a" for name in names})
    assert set(settings.getdict("ITEM_PIPELINES")) == {PagePipeline}
    assert settings.getdict("ITEM_PIPELINES")[PagePipeline] < 0
    assert settings.getdict("SPIDER_MIDDLEWARES")[LinkinfoMiddleware] < -1000


def test_articles_at_once_alone() -> None:
    """To read pages by their own evidence needs no file."""
    settings = updated(WEBSTEMMER_AT_ONCE=True)
    assert set(settings.getdict("ITEM_PIPELINES")) == {PagePipeline}
    assert set(settings.getdict("SPIDER_MIDDLEWARES")) == {LinkinfoMiddleware}


def test_urldb_alone() -> None:
    """With only a URLDB set, only its middleware is added, always before those of a project."""
    settings = updated(WEBSTEMMER_URLDB="a.urldb")
    assert set(settings.getdict("SPIDER_MIDDLEWARES")) == {UrlDbMiddleware}
    assert not settings.getdict("ITEM_PIPELINES")
    both = updated(WEBSTEMMER_URLDB="a.urldb", WEBSTEMMER_PATTERNS="a.json").getdict("SPIDER_MIDDLEWARES")
    assert both[LinkinfoMiddleware] < both[UrlDbMiddleware] < 100


def test_cookie_file_alone() -> None:
    """With only a cookie file set, its middleware replaces Scrapy's."""
    settings = updated(WEBSTEMMER_COOKIE_FILE="cookies.txt")
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == {CookiesMiddleware: None, CookieFileMiddleware: 700}
    assert not settings.getdict("SPIDER_MIDDLEWARES")


def test_default_encoding_alone() -> None:
    """With only a default charset set, it comes between decompression and meta refresh."""
    settings = updated(WEBSTEMMER_DEFAULT_ENCODING="euc-jp")
    assert set(settings.getdict("DOWNLOADER_MIDDLEWARES")) == {DefaultEncodingMiddleware}
    base = {path.rpartition(".")[2]: n for path, n in settings.getdict("DOWNLOADER_MIDDLEWARES_BASE").items()}
    order = settings.getdict("DOWNLOADER_MIDDLEWARES")[DefaultEncodingMiddleware]
    assert base["MetaRefreshMiddleware"] < order < base["HttpCompressionMiddleware"]


class Own(PagePipeline):
    """A project's pipeline that inherits from ours."""


@pytest.mark.parametrize(
    "pipelines",
    [
        {"scrapy_webstemmer.crawl.page_pipeline.PagePipeline": 7},
        {PagePipeline: None},
        {Own: 7},
    ],
)
def test_orders_of_the_project_stay(pipelines: dict[Any, Any]) -> None:
    """A component that the project names keeps its order or stays disabled; a subclass replaces it."""
    settings = updated(
        WEBSTEMMER_LEARNING_SET="a.sqlite",
        ITEM_PIPELINES=pipelines,
        SPIDER_MIDDLEWARES={"scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": 99},
    )
    assert settings.getdict("ITEM_PIPELINES") == pipelines
    assert settings.getdict("SPIDER_MIDDLEWARES") == {
        "scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": 99
    }


def test_parquet_is_a_format_of_feeds() -> None:
    """Ours is there for the project's own feeds, too, unless the project has another one, or none."""
    ours = "scrapy_webstemmer.crawl.parquet.ParquetItemExporter"
    assert updated(WEBSTEMMER_PATTERNS="a.json").getwithbase("FEED_EXPORTERS")["parquet"] == ours
    for own in ("own.Exporter", None):
        settings = updated(WEBSTEMMER_PATTERNS="a.json", FEED_EXPORTERS={"parquet": own})
        assert settings.getwithbase("FEED_EXPORTERS")["parquet"] == own
    with pytest.raises(NotConfigured):
        Addon().update_settings(settings := Settings())  # nothing else to do
    assert settings.getwithbase("FEED_EXPORTERS")["parquet"] == ours
    with pytest.raises(NotConfigured):
        Addon().update_settings(settings := Settings({"WEBSTEMMER_ENABLED": False}))
    assert "parquet" not in settings.getwithbase("FEED_EXPORTERS")


def test_nothing_to_do_is_said() -> None:
    """If no setting needs it, the add-on stays out and names the settings that would."""
    with pytest.raises(NotConfigured, match="none of WEBSTEMMER_LEARNING_SET, WEBSTEMMER_PATTERNS, "):
        updated()


def test_disabled_is_silent() -> None:
    """If it is switched off, the add-on stays out and says nothing."""
    with pytest.raises(NotConfigured) as caught:
        updated(WEBSTEMMER_ENABLED=False, WEBSTEMMER_PATTERNS="a.json")
    assert caught.value.args == ()


def test_bad_value_stops_the_start() -> None:
    """An invalid value is an error, not a reason to stay out."""
    with pytest.raises(OptionError, match="WEBSTEMMER_LEARNING_SET"):
        updated(WEBSTEMMER_LEARNING_SET=["a", "b"])
