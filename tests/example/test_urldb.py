"""A delta crawl of the demo site: the second day fetches only index pages and new articles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_site.site import build, truth
from loopback import QuietHandler, listening

from scrapy_webstemmer import Page, learn

SPIDER = """
import scrapy
from scrapy.linkextractors import LinkExtractor


class FollowSpider(scrapy.Spider):
    name = "follow"
    custom_settings = {{
        "ADDONS": {{"scrapy_webstemmer.Addon": 500}},
        "FEED_EXPORT_ENCODING": "utf-8",
        "RETRY_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
    }}

    async def start(self):
        yield scrapy.Request("{url}/")  # not fetched again when pages link to it, as start_urls are

    def parse(self, response):
        yield from response.follow_all(LinkExtractor().extract_links(response))
"""


class DemoServer:
    """The demo site of a day on loopback; it counts requests, and may refuse a page."""

    def __init__(self) -> None:
        self.url = ""
        self.pages = build(1)
        self.broken = ""
        self.asked: Counter[str] = Counter()
        server = self

        class Handler(QuietHandler):
            def answer(self) -> None:
                server.asked[self.path] += 1
                body = server.pages.get(self.path)
                self.send_response(500 if self.path == server.broken else 200 if body else 404)
                self.send_header("Content-Type", "text/html" if self.path != "/robots.txt" else "text/plain")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

        self.handler = Handler

    def day(self, day: int, broken: str = "") -> None:
        """Show the site of a day, clear the counts, and answer one path with status 500."""
        self.pages, self.broken = build(day), broken
        self.asked.clear()


@pytest.fixture
def demo() -> Iterator[DemoServer]:
    """Serve the demo site."""
    server = DemoServer()
    with listening(server.handler) as port:
        server.url = f"http://127.0.0.1:{port}"
        yield server


def articles(day: int) -> set[str]:
    """Return the addresses of the articles of a day."""
    return {str(record["path"]) for record in truth(day)}


def other_pages(day: int) -> set[str]:
    """Return the addresses of all other pages of a day: fronts, sections, tags, archives, about."""
    return {path for path in build(day) if path.endswith(("/", ".html"))} - articles(day)


def test_the_next_day_only_what_is_new_is_fetched(tmp_path: Path, example: Path, demo: DemoServer) -> None:
    """Only index pages, new articles and the failed article are fetched, each once."""
    (tmp_path / "follow.py").write_text(SPIDER.format(url=demo.url), "utf-8")

    def crawl(output: str) -> tuple[str, set[str]]:
        settings = ["WEBSTEMMER_PATTERNS=patterns.json", "WEBSTEMMER_URLDB=seen.urldb"]
        options = [word for setting in settings for word in ("-s", setting)]
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "runspider", "follow.py", *options, "-O", output],
            cwd=tmp_path,
            env={name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        assert "Deprecat" not in done.stderr, done.stderr
        lines = (tmp_path / output).read_text("utf-8").splitlines()
        return done.stderr, {json.loads(line)["url"].removeprefix(demo.url) for line in lines}

    pages = sorted(articles(1) | other_pages(1))
    learn([Page(demo.url + path, demo.pages[path]) for path in pages]).save(tmp_path / "patterns.json")
    failed = sorted(articles(1))[40]
    demo.day(1, broken=failed)
    log, found = crawl("one.jsonl")
    assert demo.asked == Counter(articles(1) | other_pages(1))
    assert found == articles(1) - {failed}
    assert "'webstemmer/urldb/added': 89" in log
    assert "webstemmer/urldb/skipped" not in log

    demo.day(2)
    log, found = crawl("two.jsonl")
    new = articles(2) - articles(1)
    assert demo.asked == Counter(other_pages(2) | new | {failed})
    assert demo.asked.total() == 84 + 54 + 1
    assert found == new | {failed}
    assert "'webstemmer/urldb/skipped': 89" in log
    assert "'webstemmer/urldb/added': 55" in log
    assert "webstemmer/urldb/again" not in log
