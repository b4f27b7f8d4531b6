"""Limits for pages and pattern files, and how the pipeline counts them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from news_pages import article, articles

from scrapy_webstemmer.api import extract, learn
from scrapy_webstemmer.errors import LimitError, PatternFileError
from scrapy_webstemmer.options import ExtractOptions, LearnOptions, Limits
from scrapy_webstemmer.pattern_files import pattern_file as files
from scrapy_webstemmer.pattern_files.pattern_file import PatternSet

HOST = "press.example"


@pytest.mark.parametrize("name", ["p.json", "p.pat"])
def test_pattern_files(name: str, tmp_path: Path) -> None:
    """A file with too many patterns, or too many sections in a pattern, is refused; the error says which."""
    learned = learn(articles(HOST, 6), options=LearnOptions.classic(min_score=-1))
    learned.save(tmp_path / name)
    (pattern,) = learned.sites[HOST].patterns
    sections = len(pattern.sections)
    assert PatternSet.load(tmp_path / name, Limits(patterns=1, sections=sections))
    with pytest.raises(PatternFileError, match="sections"):
        PatternSet.load(tmp_path / name, Limits(sections=sections - 1))
    if name == "p.pat":
        with (tmp_path / name).open("a", encoding="utf-8") as stream:
            stream.write((tmp_path / name).read_text(encoding="utf-8"))
        with pytest.raises(PatternFileError, match="more than 1 patterns"):
            PatternSet.load(tmp_path / name, Limits(patterns=1))


def test_values_of_a_pattern_file_are_counted_before_they_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small file can need a lot of memory; its commas and brackets are counted before it is parsed."""
    (tmp_path / "p").write_text(
        json.dumps({"format": files.FORMAT, "version": files.VERSION, "sites": [[]] * 99})
    )
    monkeypatch.setattr(files, "MAX_VALUES", 100)
    with pytest.raises(PatternFileError, match="more than 100 values"):
        PatternSet.load(tmp_path / "p")


def test_steps_of_2009() -> None:
    """A page that needs too many comparisons with patterns of 2009 raises an error of that page."""
    learned = learn(articles(HOST, 6), options=LearnOptions.classic(min_score=-1))
    assert extract(article(HOST, 100), learned, ExtractOptions(limits=Limits(steps=1_000)))
    with pytest.raises(LimitError, match="more than 10 comparisons"):
        extract(article(HOST, 100), learned, ExtractOptions(limits=Limits(steps=10)))


def test_learning_passes_over_pages_beyond_a_limit(caplog: Any) -> None:
    """Pages beyond a limit are counted as unread with one of their urls; the log names each of them."""
    pages = articles(HOST, 6)
    learned = learn(pages, options=LearnOptions(limits=Limits(page_size=len(pages[0].body) - 1)))
    reasons = [group.reason for group in learned.sites[HOST].unused]
    assert "could not be read" in reasons
    assert f"{pages[0].url}: has more than {len(pages[0].body) - 1:,} bytes" in caplog.text


def test_the_pipeline_counts_by_limit(caplog: Any) -> None:
    """A page beyond a limit gives a warning in the log and is counted under the limit's name."""
    from scrapy.settings import Settings
    from scrapy.statscollectors import MemoryStatsCollector

    from scrapy_webstemmer.crawl.article_finder import ArticleFinder
    from scrapy_webstemmer.items import CrawledPage

    crawler: Any = SimpleNamespace(settings=Settings(), spider=None)
    crawler.stats = MemoryStatsCollector(crawler)
    finder = ArticleFinder(crawler, ExtractOptions(limits=Limits(elements=5)), learn(articles(HOST, 6)))
    assert asyncio.run(finder.find(CrawledPage(article(HOST, 100)))) is None
    assert crawler.stats.get_stats() == {"webstemmer/limits/elements": 1}
    assert "has more than 5 elements" in caplog.text
