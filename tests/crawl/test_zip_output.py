"""Crawls into zips in the layout of 2009, in this process and as the ``scrapy`` command."""

from __future__ import annotations

import ast
import json
import re
import signal
import zipfile
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.linkextractors import LinkExtractor

from scrapy_webstemmer import PatternSet
from scrapy_webstemmer.storage import open_pages

ADDON = {"ADDONS": {"scrapy_webstemmer.Addon": 500}}

SPIDER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class NewsSpider(CrawlSpider):
    name = "news"
    start_urls = ["START"]
    rules = (Rule(LinkExtractor(allow="/(article|moved|about)"), follow=True),)
"""


class Following(scrapy.Spider):
    name = "following"

    def parse(self, response: Any) -> Any:
        for link in LinkExtractor(allow=r"/(article|about)").extract_links(response):
            yield scrapy.Request(link.url)


def prepare(project: Any, url: str, *settings: str) -> None:
    """Give the project our add-on, settings, and a spider that begins at a url."""
    project.write("spiders/news.py", SPIDER.replace("START", f"{url}/"))
    project.add_settings("\n".join(['ADDONS = {"scrapy_webstemmer.Addon": 500}', *settings]))


def zip_in(folder: Path) -> Path:
    """Return the only zip in a folder, which has the time of its crawl as its name."""
    (path,) = folder.glob("*.zip")
    assert re.fullmatch(r"news\.\d{12}\.zip", path.name)
    return path


def urls_in(path: Path) -> set[str]:
    with open_pages(path) as pages:
        return {page.url for page in pages}


def titles(project: Any, path: Path, *options: str) -> dict[str, str]:
    """Learn from a zip by the command, and return the titles of its articles."""
    project.scrapy("analyze", str(path), "-o", "patterns.json", *options)
    assert len(PatternSet.load(project.folder / "patterns.json"))
    project.scrapy("extract", "patterns.json", str(path), "-O", "articles.jsonl")
    lines = (project.folder / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return {article["url"]: article["title"] for article in found}


def test_zip_and_sqlite_hold_the_same(tmp_path: Path, crawl: Any, news_site: Any) -> None:
    """Crawls into a zip and into SQLite store the same pages and the same linkinfo."""
    stored = {}
    for name in ("pages.zip", "pages.sqlite"):
        path = tmp_path / "sets" / name
        settings = {**ADDON, "WEBSTEMMER_LEARNING_SET": path, "WEBSTEMMER_TIMESTAMP": "202611210900"}
        done = crawl(Following, settings, start_urls=[news_site.url + "/"])
        with open_pages(path) as pages:
            bodies = {page.url: page.body for page in pages}
            stored[name] = bodies, dict((pages.linkinfo() or {}).items())
        assert done.stats["webstemmer/pages_stored"] == len(bodies)
        assert set(news_site.article_urls) <= set(bodies)
    assert stored["pages.zip"] == stored["pages.sqlite"]


@pytest.mark.parametrize("linkinfo", [True, False])
def test_crawl_and_analyze(linkinfo: bool, project: Any, news_site: Any) -> None:
    """A crawl by command makes a zip of 2009, with or without linkinfo, and articles come from it."""
    prepare(project, news_site.url, 'WEBSTEMMER_LEARNING_SET = "%(spider)s.%(timestamp)s.zip"')
    project.scrapy("crawl", "news", *([] if linkinfo else ["-s", "WEBSTEMMER_LINKINFO=False"]))
    path = zip_in(project.folder)
    with zipfile.ZipFile(path) as opened:
        names = opened.namelist()
        stamp = path.name.split(".")[1]
        host = news_site.url.removeprefix("http://")
        assert f"{stamp}/{host}/article/1.html" in names
        assert names.count("linkinfo") == linkinfo
        if linkinfo:
            assert names[-1] == "linkinfo"
            lines = dict(
                ast.literal_eval(line) for line in opened.read("linkinfo").decode("ascii").splitlines()
            )
            story = news_site.story(news_site.article_urls[0])
            assert story.title in lines[f"{stamp}/{host}/article/1.html"]
    found = titles(project, path)
    assert {url: found.get(url) for url in news_site.article_urls} == {
        url: news_site.story(url).title for url in news_site.article_urls
    }


def test_killed_crawl_leaves_its_pages(project: Any, news_site: Any) -> None:
    """After kill -9 each page that was logged as stored is beside the zip, and the next crawl zips it."""
    prepare(project, news_site.url, 'WEBSTEMMER_LEARNING_SET = "news.202611210900.zip"')
    reported = set()
    with project.start("crawl", "news", "-s", "CONCURRENT_REQUESTS=1") as killed:
        for line in killed.stderr:
            if "] DEBUG: Stored " in line:
                reported.add(line.split("Stored ")[1].split()[0])
                if len(reported) == 7:
                    killed.send_signal(signal.SIGKILL)
        assert killed.end()[0] == -signal.SIGKILL
    left = project.folder / "news.202611210900.zip.sqlite"
    assert reported <= urls_in(left)
    assert not list(project.folder.glob("*.zip"))
    found = titles(project, left)
    articles = reported & set(news_site.article_urls)
    assert articles
    assert {url: found[url] for url in articles} == {url: news_site.story(url).title for url in articles}
    project.scrapy("crawl", "news", "-s", "WEBSTEMMER_TIMESTAMP=202611220900")
    assert set(news_site.article_urls) | reported <= urls_in(zip_in(project.folder))
    assert not left.exists()


def test_a_file_that_is_no_zip_stops_the_crawl(project: Any, news_site: Any) -> None:
    """The crawl does not begin, the error names setting and file, and the file does not change."""
    prepare(project, news_site.url, 'WEBSTEMMER_LEARNING_SET = "notes.zip"')
    (project.folder / "notes.zip").write_text("my notes", encoding="utf-8")
    log = project.scrapy("crawl", "news", status=1)
    assert (
        "The crawl does not begin: WEBSTEMMER_LEARNING_SET='notes.zip': notes.zip: is not a zip file" in log
    )
    assert "Crawled (200)" not in log
    assert (project.folder / "notes.zip").read_text(encoding="utf-8") == "my notes"
