"""Crawls that give articles from the first page on: one after another, killed, and with patterns."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import scrapy
from loopback import WebServer, links, serve
from news_pages import article, story

from scrapy_webstemmer import PatternSet, learn
from scrapy_webstemmer.crawl.article_finder import PAGES_A_SAVE
from scrapy_webstemmer.errors import SegmentFileError
from scrapy_webstemmer.incremental import SEGMENTS
from scrapy_webstemmer.segments.segment_files import SegmentFile

ADDON = {"ADDONS": {"scrapy_webstemmer.Addon": 500}}
HOST = "127.0.0.1"
#: A page is fetched only after the one before it has been extracted.
ONE_AFTER_THE_OTHER = {"CONCURRENT_REQUESTS": 1, "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 1}
RunSpider = Callable[..., Any]
#: So many that a crawl saves its tables and goes on.
STORIES = PAGES_A_SAVE + 60


class Follows(scrapy.Spider):
    """Requests the stories with some numbers, one after the other."""

    name = "follows"
    custom_settings: ClassVar[dict[str, Any]] = ONE_AFTER_THE_OTHER

    def parse(self, response: Any) -> None:
        return None


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Return a site of stories."""
    with serve() as server:
        for number in range(1, STORIES + 1):
            server.pages[f"/story/{number}.html"] = article(HOST, number).body.decode()
        server.pages["/"] = links(*(f"/story/{number}.html" for number in range(1, STORIES + 1)))
        yield server


def urls(site: WebServer, numbers: range) -> list[str]:
    return [site.url(f"/story/{number}.html") for number in numbers]


def counts(path: Path) -> Any:
    file = SegmentFile(path)
    found = file.table(HOST).counts
    file.close()
    return found


def test_later_crawl_starts_warm(site: WebServer, tmp_path: Path, crawl: RunSpider) -> None:
    """The first crawl reports how little it knows; the next one goes on with its tables."""
    path = tmp_path / "new" / "follows.segments"
    settings = {**ADDON, "WEBSTEMMER_SEGMENTS": str(tmp_path / "new" / "%(spider)s.segments")}
    first = crawl(Follows, settings, start_urls=urls(site, range(1, 41)))
    assert [item.pattern for item in first.articles] == [""] * 40
    assert first.stats["webstemmer/segments/pages"] == 40
    assert counts(path).different == 40
    second = crawl(Follows, settings, start_urls=urls(site, range(41, 61)))
    items = second.articles
    assert [item.pattern for item in items] == [""] * 9 + [SEGMENTS] * 11
    assert [(item.title, item.text) for item in items] == [
        (story(HOST, number).title, story(HOST, number).text) for number in range(41, 61)
    ]
    assert second.stats["webstemmer/segments/articles"] == 20
    assert counts(path).different == 60


PROJECT_SPIDER = """
import scrapy

class News(scrapy.Spider):
    name = "news"
    start_urls = ["{url}"]

    def parse(self, response):
        yield from response.follow_all(css="p > a")
"""


def test_killed_crawl_goes_on(site: WebServer, project: Any) -> None:
    """kill -9 loses only the counts of the pages since the last save."""
    project.write("spiders/news.py", PROJECT_SPIDER.format(url=site.url()))
    project.add_settings(
        'ADDONS = {"scrapy_webstemmer.Addon": 500}\nWEBSTEMMER_SEGMENTS = "news.segments"\nDEPTH_LIMIT = 1'
    )
    one_after_the_other = [f"-s{name}={value}" for name, value in ONE_AFTER_THE_OTHER.items()]
    done = 0
    with subprocess.Popen(
        project.command("crawl", "news", *one_after_the_other),
        cwd=project.folder,
        env=project.environment(),
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            done += "] DEBUG: Article <" in line
            if done == PAGES_A_SAVE + 20:
                os.kill(running.pid, signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
    path = project.folder / "news.segments"
    kept = counts(path).pages
    assert done - PAGES_A_SAVE < kept
    assert kept % PAGES_A_SAVE == 0
    project.scrapy("crawl", "news", "-s", "WEBSTEMMER_ARTICLES=articles.jsonl")
    assert counts(path).pages == kept + STORIES + 1
    lines = (project.folder / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["pattern"] for line in lines[:5]} == {SEGMENTS}


@pytest.mark.parametrize("unmatched", [True, False])
def test_pages_that_match_no_pattern_come_by_their_segments(
    unmatched: bool, site: WebServer, tmp_path: Path, crawl: RunSpider
) -> None:
    """Pages of a learned template use its pattern; others use segments if that is asked for."""
    learn([article(HOST, number) for number in range(1, 35)]).save(tmp_path / "patterns.json")
    for number in range(400, 420):
        site.pages[f"/story/{number}.html"] = article(HOST, number, "bulletin").body.decode()
    settings = {
        **ADDON,
        "WEBSTEMMER_SEGMENTS": str(tmp_path / "a.segments"),
        "WEBSTEMMER_PATTERNS": str(tmp_path / "patterns.json"),
        "WEBSTEMMER_EXTRACT_OPTIONS": {"unmatched": unmatched},
    }
    asked = [*urls(site, range(1, 61)), *urls(site, range(400, 420))]
    done = crawl(Follows, settings, start_urls=asked)
    (pattern,) = PatternSet.load(tmp_path / "patterns.json").sites[HOST].patterns
    found = {item.url: item for item in done.articles}
    assert {found[url].pattern for url in asked[:60]} == {pattern.name}
    assert [url in found for url in asked[60:]] == [unmatched] * 20
    if unmatched:
        assert {found[url].pattern for url in asked[60:]} == {SEGMENTS}
        assert found[asked[-1]].text == story(HOST, 419).text
    assert counts(tmp_path / "a.segments").pages == 80


def test_failing_file_ends_no_crawl(
    site: WebServer, tmp_path: Path, crawl: RunSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that cannot be saved are counted as an error, and the articles still come."""

    def failing(self: SegmentFile) -> None:
        raise SegmentFileError(self.path, "disk full")

    monkeypatch.setattr(SegmentFile, "save", failing)
    settings = {**ADDON, "WEBSTEMMER_SEGMENTS": str(tmp_path / "a.segments")}
    done = crawl(Follows, settings, start_urls=urls(site, range(1, PAGES_A_SAVE + 6)))
    assert done.stats["webstemmer/errors/segments"] == 2
    assert len(done.articles) == PAGES_A_SAVE + 5


def test_failing_page_ends_no_crawl(
    site: WebServer, tmp_path: Path, crawl: RunSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unreadable page is counted, and the next one comes."""
    monkeypatch.setattr("scrapy_webstemmer.incremental.read_in_general", lambda *_, **__: 1 / 0)
    settings = {**ADDON, "WEBSTEMMER_SEGMENTS": str(tmp_path / "a.segments")}
    done = crawl(Follows, settings, start_urls=urls(site, range(1, 4)))
    assert done.stats["webstemmer/errors/extract"] == 3
    assert not done.articles


def test_file_of_another_kind_stops_the_crawl(site: WebServer, tmp_path: Path, project: Any) -> None:
    """A setting with a file of another kind is an error at the start that names setting and file."""
    project.write("spiders/news.py", PROJECT_SPIDER.format(url=site.url()))
    project.add_settings('ADDONS = {"scrapy_webstemmer.Addon": 500}')
    log = project.scrapy("crawl", "news", "-s", "WEBSTEMMER_SEGMENTS=scrapy.cfg", status=1)
    assert "The crawl does not begin: WEBSTEMMER_SEGMENTS='scrapy.cfg'" in log
    assert not site.paths()
