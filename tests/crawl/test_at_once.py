"""Crawls that give the articles of unknown sites at once (``WEBSTEMMER_AT_ONCE``)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import scrapy
from loopback import Answer, WebServer, serve
from news_pages import article, index, story
from scrapy.linkextractors import LinkExtractor

from scrapy_webstemmer import ArticleItem
from scrapy_webstemmer.errors import OptionError
from scrapy_webstemmer.plugin import learning_at_end as child
from scrapy_webstemmer.storage.urldb import UrlDb, url_digest

RunSpider = Callable[..., Any]

STORIES, LISTS = 20, 4
ADDONS = {"scrapy_webstemmer.Addon": 500}
SPIDER = """
import scrapy
from scrapy.linkextractors import LinkExtractor


class NewsSpider(scrapy.Spider):
    name = "news"
    start_urls = ["{url}/archive/1.html"]

    def parse(self, response):
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url)
"""
#: A learning process that does not come to its end. Python reads it at its start.
SLOW = """
import sys, time
if "scrapy_webstemmer.training" in "".join(sys.orig_argv):
    time.sleep(100)
"""


def publish(site: WebServer, stories: int = STORIES, template: str = "press") -> None:
    """Put stories and the lists that lead to them on the site."""
    host = f"127.0.0.1:{site.port}"
    for number in range(1, stories + 1):
        site.pages[f"/story/{number}.html"] = Answer(article(host, number, template).body)
    for number in range(1, LISTS + 1):
        links = [one for one in range(1, stories + 1) if one % LISTS == number % LISTS]
        following = b'<a href="/archive/%d.html">Older stories</a></body>' % (number + 1)
        body = index(host, number, links, template).body.replace(b"</body>", following)
        site.pages[f"/archive/{number}.html"] = Answer(body)


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Serve a site of twenty stories and four lists."""
    with serve() as server:
        publish(server)
        yield server


class Follows(scrapy.Spider):
    """Follows all links, and yields nothing."""

    name = "news"
    custom_settings = {"RETRY_ENABLED": False, "LOG_LEVEL": "INFO"}  # noqa: RUF012 - as Scrapy has it

    def parse(self, response: Any) -> Any:
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url)


def titles(site: WebServer, stories: int = STORIES) -> dict[str, str]:
    """Return the titles of the site's stories by their urls."""
    host = f"127.0.0.1:{site.port}"
    return {site.url(f"/story/{n}.html"): story(host, n).title for n in range(1, stories + 1)}


def learning(folder: Path, **others: Any) -> dict[str, Any]:
    """Return the settings of a crawl that learns, and gives articles at once."""
    stored = {"WEBSTEMMER_LEARNING_SET": str(folder / "news.sqlite"), "WEBSTEMMER_LEARN": True}
    return {"ADDONS": ADDONS, "WEBSTEMMER_AT_ONCE": True, **stored, **others}


def start(site: WebServer) -> dict[str, Any]:
    """Return the argument that says where a spider begins."""
    return {"start_urls": [site.url("/archive/1.html")]}


def given(articles: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Return the urls of the provisional articles and of the final ones, sorted."""
    early, final = (sorted(one["url"] for one in articles if one["provisional"] is kind) for kind in (True, False))
    return early, final


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

def test_x(tmp_path, crawl, site, caplog):
    done = crawl(Follows, learning(tmp_path), **start(site))
    e,f = given(done.articles)
    print(len(e), len(f), set(f)==set(titles(site)), set(e)-set(f), set(f)-set(e))
    print({k:v for k,v in done.stats.items() if 'webst' in k})
    print([m for m in caplog.messages if 'Result' in m or 'Articles go' in m])
    assert 0
