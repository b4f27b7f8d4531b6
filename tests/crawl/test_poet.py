"""Crawls with scrapy-poet, in a fresh project: the examples of docs/poet.md at work."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import scrapy

from scrapy_webstemmer import Page, learn

pytest.importorskip("scrapy_poet", reason="the extra poet is not installed")
pytest.importorskip("zyte_common_items", reason="the extra poet is not installed")

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "poet.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(?:python|\{code-block\} python)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
SETTINGS, SPIDER, PIPELINE, PAGE_OBJECT, TEMPLATE_SETTINGS, TEMPLATE_SPIDER = BLOCKS

ZYTE_SPIDER = """
import scrapy
from scrapy_poet import DummyResponse
from zyte_common_items import Article


class NewsSpider(scrapy.Spider):
    name = "news"
    start_urls = ["https://news.example/"]

    def parse(self, response):
        yield from response.follow_all(css="ul a, nav a:first-child", callback=self.parse_page)

    def parse_page(self, response: DummyResponse, article: Article):
        yield article
"""


@pytest.fixture
def pipeline() -> str:
    """Return the settings with the pipeline of zyte-common-items, which new versions of Scrapy warn of."""
    ignored = 'import warnings\nwarnings.filterwarnings("ignore", "DropLowProbabilityItemPipeline")\n'
    return ignored + SETTINGS + PIPELINE


@pytest.fixture
def templates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip a test without zyte-spider-templates, and ignore its warnings: it is made for older versions."""
    pytest.importorskip("zyte_spider_templates")
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")


def learn_patterns(project: Any, news_site: Any) -> None:
    """Learn the site from its articles and its list of them."""
    urls = [*news_site.article_urls, news_site.url + "/"]
    pages = [Page(url, urlopen(url).read(), "utf-8") for url in urls]
    learn(pages).save(project.folder / "patterns.json")


def prepare(project: Any, news_site: Any, settings: str, **modules: str) -> None:
    """Give a project patterns, settings, and modules whose urls are those of the site."""
    learn_patterns(project, news_site)
    project.add_settings(settings)
    for name, text in modules.items():
        folder = "spiders/" if name == "news" else ""
        project.write(f"{folder}{name}.py", text.replace("https://news.example/", news_site.url + "/"))


def crawl(project: Any, *arguments: str) -> tuple[dict[str, Any], str]:
    """Run a spider; return its items by their url, and its log. Only a shell heeds PYTHONWARNINGS."""
    run = project.shell if "PYTHONWARNINGS" in os.environ else project.scrapy
    log = run("crawl", *arguments, "-O", "items.jsonl")
    lines = (project.folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    assert len({item["url"] for item in items}) == len(items)
    assert "] ERROR: " not in log, log
    return {item["url"]: item for item in items}, log


def check(items: dict[str, Any], news_site: Any, title: str, text: str) -> None:
    """Check that the items are exactly the articles of the site."""
    assert sorted(items) == sorted(news_site.article_urls)
    for url, item in items.items():
        told = news_site.story(url)
        assert (item[title], item[text]) == (told.title, "\n".join(told.paragraphs))


def test_callback_gets_our_items(project: Any, news_site: Any) -> None:
    """The spider of the documentation gives exactly the articles; pages without an article give nothing."""
    prepare(project, news_site, SETTINGS, news=SPIDER.replace('"ul a"', '"ul a, nav a:first-child"'))
    items, log = crawl(project, "news")
    check(items, news_site, "title", "text")
    assert "'webstemmer/unmatched'" in log


def test_callback_gets_items_of_zyte_common_items(project: Any, news_site: Any, pipeline: str) -> None:
    """Article comes with body, HTML and probability; pages without an article are dropped as improbable."""
    prepare(project, news_site, pipeline, news=ZYTE_SPIDER)
    items, log = crawl(project, "news")
    check(items, news_site, "headline", "articleBody")
    assert all(item["articleBodyHtml"].startswith("<p>") for item in items.values())
    assert all(0.5 < item["metadata"]["probability"] <= 1 for item in items.values())
    assert "'drop_low_probability_item/dropped/Article'" in log


def test_cache_keeps_the_articles(project: Any, news_site: Any) -> None:
    """With scrapy-poet's cache a second crawl has the same articles, and reads no patterns for them."""
    prepare(project, news_site, SETTINGS + '\nSCRAPY_POET_CACHE = "cache"', news=SPIDER)
    items, log = crawl(project, "news")
    assert "'poet/cache/firsthand'" in log
    again, log = crawl(project, "news")
    assert again == items != {}
    assert "'poet/cache/hit'" in log
    assert "'webstemmer/matched'" not in log


def test_page_object_of_the_project_comes_first(project: Any, news_site: Any, pipeline: str) -> None:
    """A subclass keeps what the patterns give and adds its own fields, also on pages without an article."""
    own = PAGE_OBJECT.replace("news.example", news_site.url.removeprefix("http://")).replace(".byline", "h1")
    discover = '\nSCRAPY_POET_DISCOVER.insert(0, "press.pages")'
    prepare(project, news_site, pipeline + discover, news=ZYTE_SPIDER, pages=own)
    items, _ = crawl(project, "news")
    check(items, news_site, "headline", "articleBody")
    for url, item in items.items():
        assert [author["name"] for author in item["authors"]] == [news_site.story(url).title]


def test_without_patterns_the_crawl_does_not_begin(project: Any, news_site: Any) -> None:
    """If no pattern file is named, no page is fetched, and the log names the setting."""
    prepare(project, news_site, SETTINGS + "\nWEBSTEMMER_PATTERNS = None", news=SPIDER)
    log = project.scrapy("crawl", "news", status=1)
    assert "The crawl does not begin: WEBSTEMMER_PATTERNS=None: ArticleProvider needs a pattern file" in log
    assert "Traceback" not in log
    assert "Crawled (" not in log


@pytest.mark.skipif(scrapy.version_info >= (2, 16), reason="zyte-spider-templates does not start with it")
@pytest.mark.usefixtures("templates")
def test_spider_template_without_a_key(project: Any, news_site: Any) -> None:
    """zyte-spider-templates' ArticleSpider crawls the site with settings alone, without an API key."""
    prepare(project, news_site, TEMPLATE_SETTINGS)
    check_templates(project, news_site, "article")


@pytest.mark.skipif(scrapy.version_info < (2, 16), reason="it needs no spider of one's own")
@pytest.mark.usefixtures("templates")
def test_spider_template_with_a_newer_scrapy(project: Any, news_site: Any) -> None:
    """The spider of the documentation does the same with Scrapy 2.16 and newer."""
    own = '\nSPIDER_MODULES = ["press.spiders"]'
    prepare(project, news_site, TEMPLATE_SETTINGS + own, news=TEMPLATE_SPIDER)
    check_templates(project, news_site, "news")


def check_templates(project: Any, news_site: Any, spider: str) -> None:
    """Crawl with zyte-spider-templates, and check that the articles of the site come out."""
    items, _ = crawl(project, spider, "-a", f"url={news_site.url}/")
    items.pop(news_site.url + "/about.html", None)  # no page like it was learned
    check(items, news_site, "headline", "articleBody")
    assert all(item["articleBodyHtml"] and item["metadata"]["probability"] > 0.5 for item in items.values())
