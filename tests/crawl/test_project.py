"""The ``scrapy`` command in a fresh project: what a user types and sees."""

from __future__ import annotations

import csv
import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest
import scrapy
from forked_scrapy import run_scrapy

from scrapy_webstemmer import learn
from scrapy_webstemmer.storage.sqlite import SqliteLearningSet

SPIDER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class NewsSpider(CrawlSpider):
    name = "news"
    rules = (Rule(LinkExtractor(allow="/(article|moved|about)"), callback="parse_page", follow=True),)

    def parse_page(self, response):
        yield {"seen": response.url}
"""

ASYNC_SPIDER = """
import scrapy
from scrapy.linkextractors import LinkExtractor


class NewsSpider(scrapy.Spider):
    name = "news"

    async def start(self):
        yield scrapy.Request(self.start_urls[0])

    async def parse(self, response):
        if not response.url.endswith("/"):
            yield {"seen": response.url}
        for link in LinkExtractor(allow="/(article|moved|about)").extract_links(response):
            yield scrapy.Request(link.url)
"""

FOLLOWER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class NewsSpider(CrawlSpider):
    name = "news"
    rules = (Rule(LinkExtractor(allow="/(article|moved|about)"), follow=True),)
"""

PIPELINE = """
class PressPipeline:
    def process_item(self, item, spider=None):
        with open("seen.txt", "a") as file:
            print(type(item).__name__, file=file)
        return item
"""

OWN = """
ITEM_PIPELINES = {"press.pipelines.PressPipeline": 0}
FEEDS = {
    "own.jsonl": {"format": "jsonlines", "item_classes": [dict]},
    "articles.jsonl": {"format": "jsonlines", "item_classes": ["scrapy_webstemmer.ArticleItem"]},
}
"""

ADDON = 'ADDONS = {"scrapy_webstemmer.Addon": 500}'

COMPONENTS = """
SPIDER_MIDDLEWARES = {"scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": 60}
ITEM_PIPELINES["scrapy_webstemmer.crawl.page_pipeline.PagePipeline"] = -20
"""


def prepare(project: Any, spider: str, url: str) -> None:
    """Give the project a spider that begins at a url, a pipeline and feeds."""
    name = '    name = "news"\n'
    project.write("spiders/news.py", spider.replace(name, f'{name}    start_urls = ["{url}/"]\n'))
    project.write("pipelines.py", PIPELINE)
    project.add_settings(OWN)


def own_output(project: Any) -> tuple[list[str], ...]:
    """Return the output of the project's feed and pipeline, and clear it."""
    feed, seen = project.folder / "own.jsonl", project.folder / "seen.txt"
    output = tuple(sorted(path.read_text(encoding="utf-8").splitlines()) for path in (feed, seen))
    feed.unlink()
    seen.unlink()
    return output


def shown_by_parse(project: Any, url: str) -> str:
    """Return what `scrapy parse` prints. It is Scrapy's own, and uses what is deprecated."""
    arguments = ("parse", "--spider", "news", "-c", "parse_page", url)
    done = run_scrapy(*arguments, cwd=project.folder, env=project.environment())
    assert done.returncode == 0, done.stderr
    return done.stdout


def learn_patterns(project: Any, name: str) -> None:
    with SqliteLearningSet(project.folder / name) as learning_set:
        learn(learning_set, learning_set.linkinfo()).save(project.folder / "patterns.json")


@pytest.mark.parametrize(
    ("spider", "enabled"),
    [(SPIDER, ADDON), (SPIDER, COMPONENTS), (ASYNC_SPIDER, ADDON)],
    ids=["addon", "components", "async generators"],
)
def test_crawl_learn_crawl(spider: str, enabled: str, project: Any, news_site: Any) -> None:
    """A few lines of settings give a learning set and articles; the project's own output does not change."""
    prepare(project, spider, news_site.url)
    project.scrapy("crawl", "news")
    before = own_output(project)
    assert len(before[0]) > len(news_site.article_urls)

    project.add_settings(enabled + '\nWEBSTEMMER_LEARNING_SET = "sets/%(spider)s.sqlite"')
    project.scrapy("crawl", "news")
    assert own_output(project) == before

    learn_patterns(project, "sets/news.sqlite")
    project.add_settings('WEBSTEMMER_PATTERNS = "patterns.json"')
    log = project.scrapy("crawl", "news")
    assert own_output(project) == before
    assert "'webstemmer/matched'" in log, log
    lines = (project.folder / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    articles = {article["url"]: article for article in map(json.loads, lines)}
    for url in news_site.article_urls:
        assert articles[url]["title"] == news_site.story(url).title


@pytest.mark.parametrize(
    "arguments",
    [
        ("-s", "TWISTED_REACTOR=twisted.internet.selectreactor.SelectReactor"),
        ("-s", "TWISTED_REACTOR="),
        ("-s", "TWISTED_REACTOR_ENABLED=False"),
        ("-s", "JOBDIR=job"),
        ("-s", "HTTPCACHE_ENABLED=True"),
    ],
    ids=lambda arguments: arguments[1],
)
def test_other_ways_to_run_scrapy(arguments: Any, project: Any, news_site: Any) -> None:
    """Storing and extraction work with other reactors or none, with a job folder and with a cache."""
    if "TWISTED_REACTOR_ENABLED=False" in arguments:
        if scrapy.version_info < (2, 15):
            pytest.skip("Scrapy before 2.15 does not run without a reactor")
        pytest.importorskip("aiohttp", reason="Scrapy downloads with aiohttp where there is no reactor")
    prepare(project, SPIDER, news_site.url)
    project.add_settings(ADDON + '\nWEBSTEMMER_LEARNING_SET = "news.sqlite"')
    project.scrapy("crawl", "news", *arguments)
    learn_patterns(project, "news.sqlite")
    log = project.scrapy(
        "crawl",
        "news",
        *[argument.replace("=job", "=job2") for argument in arguments],
        "-s",
        "WEBSTEMMER_PATTERNS=patterns.json",
    )
    assert "webstemmer/errors" not in log
    urls = [
        json.loads(line)["url"]
        for line in (project.folder / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert set(news_site.article_urls) <= set(urls)
    assert len(urls) == len(set(urls))


def test_three_lines_of_settings_and_one_crawl(project: Any, news_site: Any) -> None:
    """With the README's lines and its command the first crawl gives the articles, as does the next one."""
    name = '    name = "news"\n'
    project.write("spiders/news.py", FOLLOWER.replace(name, f'{name}    start_urls = ["{news_site.url}/"]\n'))
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (block,) = [one for one in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "ADDONS" in one]
    project.add_settings(block)
    command = re.findall(r"^\$ scrapy (crawl news.*)$", readme, re.MULTILINE)[0]
    (shown,) = re.findall(r"```json\n(.*?)\n```", readme)
    for first in (True, False):
        run = project.shell if first else project.scrapy
        log = run(*shlex.split(command))
        assert ("Sites learned: 1" in log) is first
        lines = (project.folder / "news.articles.jsonl").read_text(encoding="utf-8").splitlines()
        articles = [json.loads(line) for line in lines]
        assert set(news_site.article_urls) <= {article["url"] for article in articles}
        assert all(json.loads(shown).keys() <= article.keys() for article in articles)
    assert (project.folder / "news.patterns.json").exists()


def test_articles_of_a_spider_with_items_of_its_own(project: Any, news_site: Any) -> None:
    """The README's line for such a spider gives the articles a file of their own; late ones too."""
    name = '    name = "news"\n'
    project.write("spiders/news.py", SPIDER.replace(name, f'{name}    start_urls = ["{news_site.url}/"]\n'))
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (block,) = [one for one in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "ADDONS" in one]
    (line,) = re.findall(r"`(WEBSTEMMER_ARTICLES = .*?)`", readme)
    project.add_settings(f"{block}\n{line}")
    project.scrapy("crawl", "news", "-O", "own.jsonl")
    own, articles = (
        [json.loads(line) for line in (project.folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("own.jsonl", "articles.jsonl")
    )
    assert {tuple(item) for item in own} == {("seen",)}
    assert set(news_site.article_urls) <= {article["url"] for article in articles}


def test_commands_that_look_at_a_page_write_nothing(project: Any, news_site: Any) -> None:
    """parse shows the article; fetch and view give what they give without us; no file is made."""
    prepare(project, SPIDER, news_site.url)
    project.add_settings(ADDON + '\nWEBSTEMMER_LEARNING_SET = "news.sqlite"')
    project.scrapy("crawl", "news")
    learn_patterns(project, "news.sqlite")
    (project.folder / "news.sqlite").unlink()
    project.add_settings('WEBSTEMMER_PATTERNS = "patterns.json"\nWEBSTEMMER_URLDB = "seen.urldb"')
    before = {path.name for path in project.folder.iterdir()}
    url = news_site.article_urls[0]
    assert f'"title": "{news_site.story(url).title}"' in shown_by_parse(project, url)
    assert "# Article" not in project.scrapy("fetch", "--nolog", url)
    assert {path.name for path in project.folder.iterdir()} - before <= {"seen.txt"}


ITEMS = """
import scrapy


class NewsItem(scrapy.Item):
    url = scrapy.Field()
    headline = scrapy.Field()
    body = scrapy.Field()
    price = scrapy.Field()
"""

AS_ITEMS = """
WEBSTEMMER_PATTERNS = "patterns.json"
WEBSTEMMER_ITEM = "press.items.NewsItem"
WEBSTEMMER_FIELDS = {"url": "url", "title": "headline", "text": "body"}
FEEDS["news.jsonl"] = {"format": "jsonlines", "item_classes": ["press.items.NewsItem"]}
"""


def test_articles_are_items_of_the_projects_class(project: Any, news_site: Any) -> None:
    """They are so in feeds that ask for the class, in pipelines, and in what parse shows."""
    prepare(project, SPIDER, news_site.url)
    project.write("items.py", ITEMS)
    project.add_settings(ADDON)
    project.scrapy("crawl", "news", "-s", "WEBSTEMMER_LEARNING_SET=news.sqlite")
    learn_patterns(project, "news.sqlite")
    before = own_output(project)
    project.add_settings(AS_ITEMS)
    project.scrapy("crawl", "news", "-s", "WEBSTEMMER_ARTICLES=articles.csv")
    assert own_output(project) == before
    articles = [json.loads(line) for line in (project.folder / "news.jsonl").read_text().splitlines()]
    titles = {one["url"]: one["headline"] for one in articles}
    assert {url: titles[url] for url in news_site.article_urls} == {
        url: news_site.story(url).title for url in news_site.article_urls
    }
    assert {tuple(sorted(one)) for one in articles} == {("body", "headline", "url")}
    assert (project.folder / "articles.jsonl").read_text() == ""
    with (project.folder / "articles.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["url"]: row["headline"] for row in rows} == titles
    assert {row["price"] for row in rows} == {""}

    project.scrapy("crawl", "news", "-s", "WEBSTEMMER_ARTICLES_TO_PIPELINES=True")
    (own, seen) = own_output(project)
    assert own == before[0]
    assert seen == [*["NewsItem"] * len(articles), *before[1]]

    url = news_site.article_urls[0]
    assert f'"headline": "{titles[url]}"' in shown_by_parse(project, url)


@pytest.mark.parametrize(
    ("enabled", "setting", "value"),
    [
        (ADDON, "WEBSTEMMER_PATTERNS", "scrapy.cfg"),
        (ADDON, "WEBSTEMMER_PATTERNS", "press:missing.json"),
        (ADDON, "WEBSTEMMER_PATTERNS", "press:settings.py"),
        (ADDON, "WEBSTEMMER_PATTERNS", "nopress:patterns.json"),
        (ADDON, "WEBSTEMMER_LEARNING_SET", "scrapy.cfg"),
        (ADDON, "WEBSTEMMER_LEARNING_SET", "/dev/null/pages.sqlite"),
        (ADDON, "WEBSTEMMER_EXTRACT_OPTIONS", '{"threshold": 7}'),
        (COMPONENTS, "WEBSTEMMER_PATTERNS", "scrapy.cfg"),
        (ADDON, "WEBSTEMMER_ARTICLES", '{"a.jsonl": 5}'),
        (ADDON, "WEBSTEMMER_FIELDS", "url,price"),
        (ADDON, "WEBSTEMMER_ITEM", "press.items.NoItem"),
        (ADDON, "WEBSTEMMER_ITEM", "press.items.PressItem"),
    ],
)
def test_bad_value_is_said_at_start(
    enabled: str, setting: str, value: str, project: Any, news_site: Any
) -> None:
    """The crawl does not begin; one line of the log names setting and value, without a traceback."""
    prepare(project, SPIDER, news_site.url)
    project.add_settings(enabled)
    others = ["-s", "WEBSTEMMER_LEARNING_SET=ok.sqlite"] if setting != "WEBSTEMMER_LEARNING_SET" else []
    log = project.scrapy("crawl", "news", *others, "-s", f"{setting}={value}", status=1)
    line, *others = [line for line in log.splitlines() if "ERROR" in line or "CRITICAL" in line]
    assert f"The crawl does not begin: {setting}=" in line
    assert value in line
    assert not others
    assert "Traceback" not in log
    assert "Unhandled" not in log
    assert "Crawled (200)" not in log


def test_misspelt_setting_is_named(project: Any, news_site: Any) -> None:
    """An unknown setting gets a warning with the closest name; the add-on says why it stays out."""
    prepare(project, SPIDER, news_site.url)
    project.add_settings(ADDON)
    log = project.scrapy("crawl", "news", "-s", "WEBSTEMMER_LEARNINGSET=a.sqlite")
    assert "Unknown setting WEBSTEMMER_LEARNINGSET: did you mean WEBSTEMMER_LEARNING_SET?" in log
    assert "none of WEBSTEMMER_LEARNING_SET, WEBSTEMMER_PATTERNS, " in log


def test_a_misspelt_setting_is_named_before_what_comes_of_it(project: Any, news_site: Any) -> None:
    """If another setting fails for the want of it, the warning stands before the error."""
    prepare(project, SPIDER, news_site.url)
    project.add_settings(f"{ADDON}\nWEBSTEMMER_LEARN = True\nWEBSTEMMER_LEARNINGSET = 'a.sqlite'")
    log = project.scrapy("crawl", "news", status=1)
    hint = "Unknown setting WEBSTEMMER_LEARNINGSET: did you mean WEBSTEMMER_LEARNING_SET?"
    reason = "The crawl does not begin: WEBSTEMMER_LEARN=True: needs WEBSTEMMER_LEARNING_SET"
    assert 0 < log.index(hint) < log.index(reason)
    assert log.count(hint) == 1


def test_patterns_in_the_projects_package(project: Any, news_site: Any) -> None:
    """Crawls and `scrapy extract` read patterns that are a resource of the project's own package."""
    prepare(project, SPIDER, news_site.url)
    project.add_settings(ADDON)
    project.scrapy("crawl", "news", "-s", "WEBSTEMMER_LEARNING_SET=news.sqlite")
    learn_patterns(project, "news.sqlite")
    (project.folder / "press" / "data").mkdir()
    (project.folder / "patterns.json").rename(project.folder / "press" / "data" / "news.json")
    log = project.scrapy("crawl", "news", "-s", "WEBSTEMMER_PATTERNS=press.data:%(spider)s.json")
    assert "'webstemmer/matched'" in log
    project.scrapy("extract", "press:data/news.json", "news.sqlite", "-O", "out.jsonl")
    lines = (project.folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert set(news_site.article_urls) <= {json.loads(line)["url"] for line in lines}
    log = project.scrapy("extract", "press:none.json", "news.sqlite", status=1)
    assert log == "error: press:none.json: cannot be read: the package press has no resource none.json\n"
    log = project.scrapy("analyze", "news.sqlite", "-o", "press:none.json", status=2)
    assert "names a resource of a package, which cannot be written" in log


def stored_urls(path: Path) -> set[str]:
    with SqliteLearningSet(path) as learning_set:
        return {page.url for page in learning_set}


def test_killed_crawl_loses_nothing_that_was_reported(project: Any, news_site: Any) -> None:
    """After kill -9 each page that was logged as stored is there, and the next crawl goes on."""
    prepare(project, SPIDER, news_site.url)
    project.add_settings(ADDON + '\nWEBSTEMMER_LEARNING_SET = "news.sqlite"')
    with project.start("crawl", "news", "-s", "CONCURRENT_REQUESTS=1") as crawl:
        reported = set()
        for line in crawl.stderr:
            if "] DEBUG: Stored " in line:
                reported.add(line.split("Stored ")[1].split()[0])
                if len(reported) == 5:
                    crawl.send_signal(signal.SIGKILL)
        assert crawl.end()[0] == -signal.SIGKILL
    assert len(reported) >= 5
    assert reported <= stored_urls(project.folder / "news.sqlite")
    project.scrapy("crawl", "news")
    assert set(news_site.article_urls) | reported <= stored_urls(project.folder / "news.sqlite")
