"""Our lines in the log, and the stats in which they are counted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import signals
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.log import LogCounterHandler

from scrapy_webstemmer.crawl.reports import OwnLines

OURS, THEIRS = logging.getLogger("scrapy_webstemmer.crawl"), logging.getLogger("scrapy_webstemmers")


@pytest.fixture
def crawler(caplog: pytest.LogCaptureFixture) -> Any:
    """Return a crawler with only stats and signals; every line of the log is made."""
    caplog.set_level(logging.DEBUG)
    stub = SimpleNamespace(spider=None)
    stub.stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))  # type: ignore[arg-type]
    stub.signals = SignalManager(stub)
    return stub


@pytest.fixture
def start_counting() -> Iterator[Callable[[Any], None]]:
    """Return a function that makes Scrapy count the lines of a crawler."""
    handlers = []

    def start(crawler: Any) -> None:
        handlers.append(LogCounterHandler(crawler))
        logging.root.addHandler(handlers[-1])

    yield start
    for handler in handlers:
        logging.root.removeHandler(handler)


def log(name: logging.Logger) -> None:
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
        name.log(level, "a line")


@pytest.mark.parametrize("early", [True, False])
def test_our_lines_are_counted_apart(
    early: bool, crawler: Any, start_counting: Callable[[Any], None]
) -> None:
    """Our lines count under our own name, except errors, whenever Scrapy begins to count."""
    if early:
        start_counting(crawler)
    own_lines = OwnLines(crawler)
    if not early:
        start_counting(crawler)
        crawler.signals.send_catch_log(signals.spider_opened)
    log(OURS)
    assert crawler.stats.get_stats() == {
        "webstemmer/log_count/DEBUG": 1,
        "webstemmer/log_count/INFO": 1,
        "webstemmer/log_count/WARNING": 1,
        "log_count/ERROR": 1,
    }
    assert own_lines.crawler is crawler


def test_lines_of_others_are_counted_as_before(crawler: Any, start_counting: Callable[[Any], None]) -> None:
    """Lines of other packages, and the counts of other crawls, stay as they are."""
    other = SimpleNamespace(stats=MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None)))  # type: ignore[arg-type]
    start_counting(crawler)
    start_counting(other)
    own_lines = OwnLines(crawler)
    log(THEIRS)
    assert crawler.stats.get_stats() == {
        f"log_count/{level}": 1 for level in ("DEBUG", "INFO", "WARNING", "ERROR")
    }
    log(OURS)
    assert other.stats.get_value("log_count/INFO") == 2
    assert own_lines.crawler is crawler


def test_a_line_may_be_ours_by_its_content(crawler: Any, start_counting: Callable[[Any], None]) -> None:
    """Whoever makes a feed of ours may tell the lines that Scrapy logs about it."""
    start_counting(crawler)
    own_lines = OwnLines(crawler, lambda record: record.getMessage().endswith("ours"))
    THEIRS.info("it is %s", "ours")
    THEIRS.info("it is theirs")
    assert crawler.stats.get_stats() == {"webstemmer/log_count/INFO": 1, "log_count/INFO": 1}
    assert own_lines.crawler is crawler
