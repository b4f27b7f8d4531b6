"""The pipelines, one by one: what they take, what they refuse at start, what they count."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.logformatter import LogFormatter
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.spiders import Spider
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_webstemmer import (
    ArticlePipeline,
    LearningSetPipeline,
    OptionError,
    Page,
    PageError,
    PageItem,
    PatternSet,
)
from scrapy_webstemmer.blocks.anchors import Anchor
from scrapy_webstemmer.pages.sqlite import SqliteLearningSet
from scrapy_webstemmer.pipelines import PageConsumed

ITEM = PageItem(Page("https://example.com/a", b"<p>a</p>", "utf-8"), (Anchor("https://example.com/b", "B"),))


class FakeCrawler:
    """As much of a crawler as the pipelines look at."""

    spidercls = Spider

    def __init__(self, **values: Any) -> None:
        self.settings = Settings(values)
        self.spider = Spider(name="news")
        self.stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))
        self.signals = SignalManager(self)
        self.logformatter = LogFormatter()
        self.pipelines: list[Any] = []

    def get_item_pipeline(self, cls: type) -> Any:
        return next((pipeline for pipeline in self.pipelines if isinstance(pipeline, cls)), None)


@pytest.fixture
def learning_set(tmp_path: Path) -> Iterator[LearningSetPipeline]:
    """Return the pipeline of a new learning set, in folders that are not there yet."""
    crawler: Any = FakeCrawler(WEBSTEMMER_LEARNING_SET=str(tmp_path / "a" / "b" / "%(spider)s.sqlite"))
    pipeline = LearningSetPipeline.from_crawler(crawler)
    crawler.pipelines.append(pipeline)
    yield pipeline
    pipeline.close_spider()


def test_page_is_stored_and_consumed(learning_set: LearningSetPipeline, tmp_path: Path) -> None:
    """A page item ends in the file named after the spider, and goes no further."""
    with pytest.raises(PageConsumed):
        asyncio.run(learning_set.process_item(ITEM))
    with SqliteLearningSet(tmp_path / "a" / "b" / "news.sqlite") as stored:
        assert [page.url for page in stored] == ["https://example.com/a"]
        assert stored.linkinfo()["https://example.com/b"] == {"B": 1}


def test_stored_is_said_after_it_is_true(
    learning_set: LearningSetPipeline, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a page is being stored there is neither a line in the log nor a count."""
    caplog.set_level(logging.DEBUG)
    add_page = SqliteLearningSet.add_page

    def watched(self: Any, *args: Any) -> None:
        add_page(self, *args)
        assert not caplog.records
        assert not learning_set.crawler.stats.get_stats()

    monkeypatch.setattr(SqliteLearningSet, "add_page", watched)
    learning_set.store(ITEM)
    assert [record.getMessage().split(" in ")[0] for record in caplog.records] == [
        "Stored https://example.com/a"
    ]
    assert learning_set.crawler.stats.get_stats() == {"webstemmer/pages_stored": 1, "webstemmer/anchors": 1}


def test_other_items_pass(learning_set: LearningSetPipeline) -> None:
    """An item of the project's is returned as it came."""
    item = {"a": 1}
    assert asyncio.run(learning_set.process_item(item)) is item
    assert asyncio.run(ArticlePipeline(learning_set.crawler, PatternSet({})).process_item(item)) is item


@pytest.mark.parametrize(
    "error", [PageError("https://example.com/a", "no markup"), RuntimeError("a fault of ours")]
)
def test_failed_extraction_is_counted(error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """A page that cannot be read is a warning; what we did not foresee is an error with its traceback."""

    def failing(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr("scrapy_webstemmer.pipelines.extract", failing)
    crawler: Any = FakeCrawler()
    assert ArticlePipeline(crawler, PatternSet({})).extract(ITEM) is None
    assert crawler.stats.get_stats() == {"webstemmer/errors/extract": 1}
    (record,) = caplog.records
    foreseen = isinstance(error, PageError)
    assert (record.levelname, bool(record.exc_info)) == (("WARNING", False) if foreseen else ("ERROR", True))


def test_page_without_patterns_is_unmatched() -> None:
    """A page of a site that the patterns do not know is counted as unmatched."""
    crawler: Any = FakeCrawler()
    assert ArticlePipeline(crawler, PatternSet({})).extract(ITEM) is None
    assert crawler.stats.get_stats() == {"webstemmer/unmatched": 1}


@pytest.mark.parametrize("pipeline", [LearningSetPipeline, ArticlePipeline])
def test_stays_out_without_its_setting(pipeline: Any) -> None:
    """A pipeline that is named but has nothing to do stays out and names the setting."""
    with pytest.raises(NotConfigured, match=f"WEBSTEMMER_{pipeline.setting.upper()} is not set"):
        pipeline.from_crawler(FakeCrawler())


@pytest.mark.parametrize("pipeline", [LearningSetPipeline, ArticlePipeline])
def test_disabled_is_silent(pipeline: Any) -> None:
    """Where everything of ours is switched off the pipelines stay out without a word."""
    values = {"WEBSTEMMER_ENABLED": False, "WEBSTEMMER_PATTERNS": "a", "WEBSTEMMER_LEARNING_SET": "a"}
    with pytest.raises(NotConfigured) as caught:
        pipeline.from_crawler(FakeCrawler(**values))
    assert caught.value.args == ()


def test_pattern_file_that_cannot_be_read_is_said_at_start(tmp_path: Path) -> None:
    """A missing file and one that is no pattern file are errors that name the setting and the file."""
    PatternSet({}).save(tmp_path / "good.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    for name in ("bad.json", "missing.json"):
        paths = [str(tmp_path / "good.json"), str(tmp_path / name)]
        with pytest.raises(OptionError) as caught:
            ArticlePipeline.from_crawler(FakeCrawler(WEBSTEMMER_PATTERNS=paths))  # type: ignore[arg-type]
        assert (caught.value.name, caught.value.value) == ("WEBSTEMMER_PATTERNS", paths[1])


def test_learning_set_that_cannot_be_opened_is_said_at_start(tmp_path: Path) -> None:
    """A file that is no learning set is an error that names the setting and the file."""
    path = tmp_path / "text.sqlite"
    path.write_text("no database at all " * 100, encoding="utf-8")
    with pytest.raises(OptionError) as caught:
        LearningSetPipeline.from_crawler(FakeCrawler(WEBSTEMMER_LEARNING_SET=str(path)))  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("WEBSTEMMER_LEARNING_SET", str(path))
    assert path.read_text(encoding="utf-8").startswith("no database")
