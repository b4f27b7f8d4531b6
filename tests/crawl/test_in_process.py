"""Crawls of spiders of all kinds, in this process."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider

from scrapy_webstemmer import ArticleItem, PatternSet, learn
from scrapy_webstemmer.crawl import article_finder as finding
from scrapy_webstemmer.items import article_scraped
from scrapy_webstemmer.storage.sqlite import SqliteLearningSet
from scrapy_webstemmer.storage.urldb import UrlDb

ADDON = {"ADDONS": {"scrapy_webstemmer.Addon": 500}}
COMPONENTS = {
    "SPIDER_MIDDLEWARES": {"scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": 60},
    "ITEM_PIPELINES": {"scrapy_webstemmer.crawl.page_pipeline.PagePipeline": 10},
}


def _following(response: Any) -> Iterator[Any]:
    yield {"seen": response.url}
    for link in LinkExtractor(allow=r"/(article|moved|about)").extract_links(response):
        yield scrapy.Request(link.url)


class Generators(scrapy.Spider):
    name = "generators"

    def parse(self, response: Any) -> Any:
        yield from _following(response)


class Lists(Generators):
    name = "lists"

    def parse(self, response: Any) -> Any:
        return list(_following(response))


class AsyncGenerators(Generators):
    name = "async_generators"

    async def parse(self, response: Any) -> AsyncIterator[Any]:
        for entry in _following(response):
            yield entry


class Coroutines(Generators):
    name = "coroutines"

    async def parse(self, response: Any) -> Any:
        return list(_following(response))


class Crawling(CrawlSpider):
    name = "crawling"
    rules = (Rule(LinkExtractor(allow=r"/(article|moved|about)"), callback="parse_page", follow=True),)

    def parse_page(self, response: Any) -> Any:
        yield {"seen": response.url}


class Sitemap(SitemapSpider):
    name = "sitemap"

    def __init__(self, start_urls: list[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.sitemap_urls = [start_urls[0] + "sitemap.xml"]

    def parse(self, response: Any) -> Any:
        return {"seen": response.url}


RunSpider = Callable[..., Any]
SPIDERS = [Generators, Lists, AsyncGenerators, Coroutines, Crawling, Sitemap]


def stored(path: Path) -> dict[str, Any]:
    """Return the pages of a learning set by their urls."""
    with SqliteLearningSet(path, readonly=True) as learning_set:
        return {page.url: page for page in learning_set}


@pytest.fixture(scope="module")
def learned() -> dict[str, bytes]:
    """Return a place for the pattern file that the first test has learned from a crawl of the site."""
    return {}


@pytest.fixture
def patterns(tmp_path: Path, crawl: RunSpider, news_site: Any, learned: dict[str, bytes]) -> Path:
    """Return a pattern file that was learned from a crawl of the site."""
    path = tmp_path / "patterns.json"
    if path.name not in learned:
        settings = {**ADDON, "WEBSTEMMER_LEARNING_SET": tmp_path / "learned.sqlite"}
        crawl(Generators, settings, start_urls=[news_site.url + "/"])
        with SqliteLearningSet(tmp_path / "learned.sqlite") as learning_set:
            learn(learning_set, learning_set.linkinfo()).save(path)
        learned[path.name] = path.read_bytes()
    path.write_bytes(learned[path.name])
    return path


@pytest.mark.parametrize("spider", SPIDERS, ids=lambda spider: spider.name)
@pytest.mark.parametrize("enabled", [ADDON, COMPONENTS], ids=["addon", "components"])
def test_every_page_is_stored_once(
    spider: Any, enabled: Any, tmp_path: Path, crawl: RunSpider, news_site: Any
) -> None:
    """Any kind of spider fills the learning set without a change, and keeps its own items."""
    path = tmp_path / "sets" / "pages.sqlite"
    done = crawl(spider, {**enabled, "WEBSTEMMER_LEARNING_SET": str(path)}, start_urls=[news_site.url + "/"])
    pages = stored(path)
    assert set(news_site.article_urls) <= set(pages)
    assert done.stats["webstemmer/pages_stored"] == len(pages)
    assert not done.dropped
    assert all(isinstance(item, dict) for item in done.scraped)
    assert not done.errors


@pytest.mark.usefixtures("look_at_all")
def test_the_garbage_collector_looks_at_new_objects(tmp_path: Path, crawl: RunSpider, news_site: Any) -> None:
    """While a crawl goes on, the collector skips the objects that were there before, and no longer."""
    skipped: list[int] = []

    class Watching(Generators):
        def parse(self, response: Any) -> None:
            skipped.append(gc.get_freeze_count())

    settings = {**ADDON, "WEBSTEMMER_LEARNING_SET": tmp_path / "pages.sqlite"}
    crawl(Watching, settings, start_urls=[news_site.url + "/"])
    assert skipped
    assert all(skipped)
    assert gc.get_freeze_count() == 0


class Silent(scrapy.Spider):
    name = "silent"

    def parse(self, response: Any) -> None:
        return None


class SilentCoroutine(Silent):
    name = "silent_coroutine"

    async def parse(self, response: Any) -> None:
        return None


class FailsHalfWay(Silent):
    name = "fails_half_way"

    def parse(self, response: Any) -> Any:
        yield {"seen": response.url}
        raise ValueError("half way")


class FailsHalfWayAsync(Silent):
    name = "fails_half_way_async"

    async def parse(self, response: Any) -> Any:
        raise ValueError("before anything")
        yield {}


@pytest.mark.parametrize(
    "spider", [Silent, SilentCoroutine, FailsHalfWay, FailsHalfWayAsync], ids=lambda s: s.name
)
def test_page_does_not_depend_on_the_callback(
    spider: Any, tmp_path: Path, crawl: RunSpider, news_site: Any
) -> None:
    """A page is stored once, even if its callback yields nothing or fails as a generator."""
    path = tmp_path / "pages.sqlite"
    done = crawl(spider, {**ADDON, "WEBSTEMMER_LEARNING_SET": str(path)}, start_urls=[news_site.url + "/"])
    assert set(stored(path)) == {news_site.url + "/"}
    assert done.stats["webstemmer/pages_stored"] == 1


class RaisesAtOnce(Silent):
    name = "raises_at_once"

    def parse(self, response: Any) -> Any:
        raise ValueError("no output begins")


def test_callback_without_output_gives_no_page(tmp_path: Path, crawl: RunSpider, news_site: Any) -> None:
    """If a callback raises before any output, there is no page for Scrapy or for us."""
    path = tmp_path / "pages.sqlite"
    crawl(RaisesAtOnce, {**ADDON, "WEBSTEMMER_LEARNING_SET": str(path)}, start_urls=[news_site.url + "/"])
    assert stored(path) == {}


def test_redirected_page_is_known_under_both_urls(tmp_path: Path, crawl: RunSpider, news_site: Any) -> None:
    """A page after a redirect has the first url among its aliases."""
    path = tmp_path / "pages.sqlite"
    crawl(Silent, {**ADDON, "WEBSTEMMER_LEARNING_SET": str(path)}, start_urls=[news_site.url + "/moved.html"])
    (page,) = stored(path).values()
    assert page.url == news_site.url + "/article/3.html"
    assert page.aliases == (news_site.url + "/moved.html",)


def test_linkinfo_has_all_anchors(tmp_path: Path, crawl: RunSpider, news_site: Any) -> None:
    """Linkinfo has several texts a target, image links, nofollow links, and targets that were not stored."""
    path = tmp_path / "pages.sqlite"
    done = crawl(Silent, {**ADDON, "WEBSTEMMER_LEARNING_SET": str(path)}, start_urls=[news_site.url + "/"])
    with SqliteLearningSet(path) as learning_set:
        linkinfo = dict((learning_set.linkinfo() or {}).items())
    first = news_site.url + "/article/1.html"
    assert set(linkinfo[first]) == {news_site.story(first).title, "Picture of part one"}
    assert set(linkinfo[news_site.url + "/moved.html"]) == {"The story that moved"}
    assert set(linkinfo[news_site.url + "/never-stored.pdf"]) == {"A report"}
    assert not any("mailto" in url or "broken" in url for url in linkinfo)
    assert done.stats["webstemmer/broken_urls"] == 1
    assert done.stats["webstemmer/anchors"] == sum(sum(texts.values()) for texts in linkinfo.values())


class Awkward(scrapy.Spider):
    name = "awkward"
    paths = (
        "empty.html",
        "nul.html",
        "wrong-charset.html",
        "unknown-charset.html",
        "not-html.html",
        "data.json",
        "gone.html",
    )
    handle_httpstatus_list = (404,)

    async def start(self) -> AsyncIterator[Any]:
        for path in self.paths:
            yield scrapy.Request(self.start_urls[0] + path)
        yield scrapy.Request(self.start_urls[0] + "about.html", meta={"webstemmer_skip": True})

    def parse(self, response: Any) -> Any:
        yield {"seen": response.url}


def test_awkward_responses_do_not_fail_the_crawl(
    tmp_path: Path, crawl: RunSpider, news_site: Any, patterns: Path
) -> None:
    """Responses that are not or hardly pages are counted; the spider gets each response unchanged."""
    path = tmp_path / "pages.sqlite"
    settings = {**ADDON, "WEBSTEMMER_LEARNING_SET": str(path), "WEBSTEMMER_PATTERNS": str(patterns)}
    done = crawl(Awkward, settings, start_urls=[news_site.url + "/"])
    assert len(done.of(dict)) == len(Awkward.paths) + 1
    assert not done.errors
    ignored = {
        key.rpartition("/")[2]: n for key, n in done.stats.items() if key.startswith("webstemmer/ignored/")
    }
    assert ignored.pop("not_html") in (1, 2)  # binary data declared as HTML: Scrapy versions differ
    assert ignored == {"empty": 1, "status": 1, "skipped": 1}
    pages = stored(path)
    assert pages[news_site.url + "/nul.html"].body.count(b"\0") == 3
    assert "café".encode("latin-1") in pages[news_site.url + "/wrong-charset.html"].body
    assert "webstemmer/errors/collect" not in done.stats
    assert "webstemmer/errors/store" not in done.stats


def test_articles_are_no_items_of_the_project(
    patterns: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """Matching pages give articles with title and text; counts and logs of the spider's own items stay."""
    done = crawl(
        Generators, {**ADDON, "WEBSTEMMER_PATTERNS": str(patterns)}, start_urls=[news_site.url + "/"]
    )
    articles = {item.url: item for item in done.articles}
    assert set(news_site.article_urls) <= set(articles)
    for url in news_site.article_urls:
        told = news_site.story(url)
        assert articles[url].title == told.title
        assert all(paragraph in articles[url].text for paragraph in told.paragraphs)
    assert len(done.of(dict)) == len(done.scraped) == done.stats["item_scraped_count"]
    assert done.stats["webstemmer/matched"] == done.stats["webstemmer/articles"] == len(done.articles)
    assert "item_dropped_count" not in done.stats
    assert not [key for key in done.stats if "://" in key]  # a crawl of many sites would have hundreds
    assert "webstemmer/pages_stored" not in done.stats
    lines = [record.message for record in caplog.records if record.message.startswith("Article <http")]
    assert len(lines) == len(done.articles)
    assert max(map(len, lines)) < 300


class Recorder:
    """A pipeline of the project that records the items that it sees."""

    seen: list[Any] = []  # noqa: RUF012

    def process_item(self, item: Any, spider: Any = None) -> Any:
        self.seen.append(item)
        return item


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the items that the project's pipeline sees."""
    monkeypatch.setattr(Recorder, "seen", [])
    return Recorder.seen


def test_pipelines_of_the_project_see_nothing_new(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, recorder: list[Any]
) -> None:
    """Neither pages nor articles pass through the project's pipelines."""
    settings = {"WEBSTEMMER_PATTERNS": str(patterns), "WEBSTEMMER_LEARNING_SET": str(tmp_path / "new.sqlite")}
    done = crawl(
        Generators, {**ADDON, **settings, "ITEM_PIPELINES": {Recorder: 0}}, start_urls=[news_site.url + "/"]
    )
    assert done.articles
    assert recorder == done.of(dict)


def test_articles_may_pass_the_pipelines(
    patterns: Path, crawl: RunSpider, news_site: Any, recorder: list[Any]
) -> None:
    """If a setting asks for it, articles are items: later pipelines see each of them once, and no page."""
    settings = {"WEBSTEMMER_PATTERNS": str(patterns), "WEBSTEMMER_ARTICLES_TO_PIPELINES": True}
    done = crawl(
        Generators, {**ADDON, **settings, "ITEM_PIPELINES": {Recorder: 300}}, start_urls=[news_site.url + "/"]
    )
    assert [item for item in recorder if isinstance(item, ArticleItem)] == done.of(ArticleItem) != []
    assert {type(item) for item in recorder} == {dict, ArticleItem}


class LikeImages:
    """Has the attribute of Scrapy's ImagesPipeline, which needs Pillow."""

    images_result_field = "images"

    def process_item(self, item: Any, spider: Any = None) -> Any:
        return item


@pytest.mark.parametrize("to_pipelines", [True, False])
def test_a_pipeline_that_replaces_a_field_of_articles(
    to_pipelines: bool, crawl: RunSpider, patterns: Path, news_site: Any, caplog: Any
) -> None:
    """A warning names the setting that gives the pipeline another field."""
    settings = {"WEBSTEMMER_PATTERNS": str(patterns), "WEBSTEMMER_ARTICLES_TO_PIPELINES": to_pipelines}
    more = {"ITEM_PIPELINES": {LikeImages: 1}, "CLOSESPIDER_PAGECOUNT": 1}
    crawl(Generators, {**ADDON, **settings, **more}, start_urls=[news_site.url + "/"])
    assert ("set IMAGES_RESULT_FIELD to another name" in caplog.text) == to_pipelines


@pytest.mark.parametrize(
    "use",
    [lambda item: item["headline"], lambda item: item.headline, lambda item: dict.copy(item)],
    ids=["key", "attribute", "class"],
)
def test_error_of_a_pipeline_names_the_article(
    use: Any, patterns: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """If a pipeline takes an article for an item of the project, the log names the article's url."""

    class Pipeline:
        def process_item(self, item: Any, spider: Any = None) -> Any:
            return item if isinstance(item, dict) else use(item)

    settings = {"WEBSTEMMER_PATTERNS": str(patterns), "WEBSTEMMER_ARTICLES_TO_PIPELINES": True}
    done = crawl(
        Generators, {**ADDON, **settings, "ITEM_PIPELINES": {Pipeline: 300}}, start_urls=[news_site.url + "/"]
    )
    assert set(news_site.article_urls) <= {item.url for item in done.errors}
    assert done.of(dict) == done.scraped != []
    messages = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(messages) == len(done.errors)
    for item, message in zip(done.errors, messages, strict=True):
        assert message.startswith(f"Error processing <{item.url} {item.title!r}")


def test_feeds_can_separate_the_articles(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any
) -> None:
    """A feed with ``item_classes`` gets only articles, as JSON lines with their fields in order."""
    feeds = {
        str(tmp_path / "articles.jsonl"): {
            "format": "jsonlines",
            "encoding": "utf-8",
            "item_classes": ["scrapy_webstemmer.ArticleItem"],
        },
        str(tmp_path / "own.jsonl"): {"format": "jsonlines", "item_classes": [dict]},
    }
    settings = {**ADDON, "WEBSTEMMER_PATTERNS": str(patterns), "FEEDS": feeds}
    done = crawl(Generators, settings, start_urls=[news_site.url + "/"])
    lines = [
        json.loads(line) for line in (tmp_path / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [tuple(line) for line in lines] == [tuple(done.articles[0])] * len(done.articles)
    assert {line["url"] for line in lines} == {item.url for item in done.articles}
    own = [json.loads(line) for line in (tmp_path / "own.jsonl").read_text(encoding="utf-8").splitlines()]
    assert own == done.of(dict)


def lines_of(path: Path) -> list[Any]:
    """Return the objects in a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_articles_have_a_feed_of_their_own(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any
) -> None:
    """It has the fields that a setting chooses; the project's feed and the stats stay as they are."""
    for name, settings in {
        "without": {},
        "with": {
            **ADDON,
            "WEBSTEMMER_PATTERNS": str(patterns),
            "WEBSTEMMER_ARTICLES": str(tmp_path / "%(spider)s.jsonl"),
            "WEBSTEMMER_FIELDS": {"url": "link", "title": "title", "sections": "parts"},
        },
    }.items():
        feeds = {str(tmp_path / f"{name}.csv"): {"format": "csv"}}
        done = crawl(Generators, {**settings, "FEEDS": feeds}, start_urls=[news_site.url + "/"])
        assert done.stats["feedexport/success_count/FileFeedStorage"] == 1
    articles = lines_of(tmp_path / "generators.jsonl")
    assert [list(one) for one in articles] == [["link", "title", "parts"]] * len(done.articles)
    assert articles[0]["parts"][0]["kind"] == "title"
    rows = [sorted((tmp_path / f"{name}.csv").read_text().splitlines()) for name in ("without", "with")]
    assert rows[0] == rows[1]


class Reader(scrapy.Spider):
    """A spider that follows links and yields nothing of its own."""

    name = "reader"

    def parse(self, response: Any) -> Iterator[Any]:
        for link in LinkExtractor(allow=r"/(article|moved|about)").extract_links(response):
            yield scrapy.Request(link.url)


@pytest.mark.parametrize("spider", [Reader, Generators], ids=lambda spider: spider.name)
def test_a_feed_that_asks_for_nothing(
    spider: Any, patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """It gets the spider's items alone, even if there are none; the articles have a file of their own."""
    feeds = {str(tmp_path / "all.jsonl"): {"format": "jsonlines"}}
    settings = {**ADDON, "WEBSTEMMER_PATTERNS": str(patterns), "FEEDS": feeds}
    done = crawl(spider, settings, start_urls=[news_site.url + "/"])
    found = lines_of(tmp_path / "all.jsonl")
    assert done.articles
    assert found == done.of(dict)
    assert bool(found) is (spider is Generators)
    assert len(lines_of(tmp_path / f"{spider.name}.articles.jsonl")) == len(done.articles)
    assert "articles are in no feed" not in caplog.text


class OddSpider(Generators):
    """A spider without items whose attributes cannot all be read, as Scrapy's exporter does."""

    def parse(self, response: Any) -> Any:
        return (entry for entry in _following(response) if not isinstance(entry, dict))

    @property
    def odd(self) -> str:
        raise AttributeError("odd")


def test_articles_whose_feed_cannot_be_opened_are_said_to_be_lost(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """The crawl goes on, a warning counts the articles, and no url is marked as done."""
    settings = {
        "WEBSTEMMER_PATTERNS": str(patterns),
        "WEBSTEMMER_ARTICLES": str(tmp_path / "a.jsonl"),
        "WEBSTEMMER_URLDB": str(tmp_path / "seen.urldb"),
    }
    done = crawl(OddSpider, {**ADDON, **settings}, start_urls=[news_site.url + "/"])
    assert done.articles
    assert f"{len(done.articles)} articles are in no feed" in caplog.text
    with UrlDb(tmp_path / "seen.urldb") as seen:
        assert [entry for entry in seen if entry.kind == "article"] == []


@dataclass
class News:
    """An item of the project, which articles may be, too."""

    url: str
    headline: str = ""
    origin: str = ""

    def __post_init__(self) -> None:
        if self.headline.endswith("part 7"):
            raise ValueError("a headline that no validator likes")


class NewsSpider(Generators):
    name = "news"

    def parse(self, response: Any) -> Any:
        for entry in _following(response):
            yield News(entry["seen"], origin="spider") if isinstance(entry, dict) else entry


AS_NEWS = {"WEBSTEMMER_ITEM": News, "WEBSTEMMER_FIELDS": {"url": "url", "title": "headline"}}


def test_articles_of_the_projects_class_are_not_taken_for_its_items(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any
) -> None:
    """Spider's items and articles are of one class: each feed has its own, and one that asks has both."""
    feeds = {
        str(tmp_path / "all.jsonl"): {"format": "jsonlines"},
        str(tmp_path / "news.jsonl"): {"format": "jsonlines", "item_classes": [News]},
    }
    settings = {
        "WEBSTEMMER_PATTERNS": str(patterns),
        "WEBSTEMMER_ARTICLES": str(tmp_path / "a.jsonl"),
        "FEEDS": feeds,
    }
    done = crawl(NewsSpider, {**ADDON, **AS_NEWS, **settings}, start_urls=[news_site.url + "/"])
    assert {type(article) for article in done.articles} == {News}
    everything, news, articles = (lines_of(tmp_path / f"{name}.jsonl") for name in ("all", "news", "a"))
    assert {one["origin"] for one in everything} == {"spider"}
    assert len(everything) == len(done.scraped)
    assert sorted(one["headline"] for one in articles) == sorted(one.headline for one in done.articles)
    assert {one["origin"] for one in articles} == {""}
    assert len(news) == len(everything) + len(articles)


def test_articles_of_the_projects_class_have_a_file(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """A feed that asks for nothing gets none of them, whether the spider has items of this class or not."""
    settings = {**ADDON, **AS_NEWS, "WEBSTEMMER_PATTERNS": str(patterns)}
    for spider in (Reader, NewsSpider):
        paths = (tmp_path / f"{spider.name}.jsonl", tmp_path / f"{spider.name}.articles.jsonl")
        feeds = {str(paths[0]): {"format": "jsonlines"}}
        done = crawl(spider, {**settings, "FEEDS": feeds}, start_urls=[news_site.url + "/"])
        for path, expected in zip(paths, (done.scraped, done.articles), strict=True):
            assert sorted(map(str, lines_of(path))) == sorted(str(vars(one)) for one in expected)
        assert done.articles


def test_an_article_that_its_class_refuses_is_counted(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """One article is missing, the log has its url, and the crawl goes on."""
    settings = {"WEBSTEMMER_PATTERNS": str(patterns), "WEBSTEMMER_ARTICLES_TO_PIPELINES": True}
    done = crawl(Reader, {**ADDON, **AS_NEWS, **settings}, start_urls=[news_site.url + "/"])
    assert done.stats["webstemmer/errors/convert"] == 1
    refused = news_site.article_urls[6]
    assert f"Cannot convert {refused}: a headline that no validator likes" in caplog.text
    assert {one.url for one in done.of(News)} >= {*news_site.article_urls} - {refused}
    assert refused not in {one.url for one in done.scraped}


class Quitting(News):
    """An item class of the project that ends the program, as it believes."""

    def __post_init__(self) -> None:
        raise SystemExit("no more articles today")


def test_a_class_that_exits_does_not_hang_the_crawl(
    patterns: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """Its articles are counted as refused, and the crawl goes on."""
    settings = {
        "WEBSTEMMER_PATTERNS": str(patterns),
        "WEBSTEMMER_ITEM": Quitting,
        "WEBSTEMMER_FIELDS": {"url": "url", "title": "headline"},
    }
    done = crawl(Generators, {**ADDON, **settings}, start_urls=[news_site.url + "/"])
    assert done.stats["webstemmer/errors/convert"] == done.stats["webstemmer/matched"] > 10
    assert done.stats["finish_reason"] == "finished"
    assert "its class raises SystemExit: no more articles today" in caplog.text


def test_long_markdown_is_made_in_a_thread(
    patterns: Path, crawl: RunSpider, news_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop gets its turns meanwhile; short articles need no thread. All have their Markdown.

    An option asks for it, or a field.
    """
    threads: list[bool] = []
    real = finding.with_markdown

    def noted(article: Any, options: Any) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return real(article, options)

    monkeypatch.setattr(finding, "with_markdown", noted)
    settings = {
        "WEBSTEMMER_PATTERNS": str(patterns),
        "WEBSTEMMER_ARTICLES": "",
    }
    option, field = {"WEBSTEMMER_EXTRACT_OPTIONS": {"markdown": True}}, {"WEBSTEMMER_FIELDS": "markdown"}
    for least, in_main, asks in ((20_000, True, option), (0, False, field)):
        monkeypatch.setattr(finding, "_LONG_HTML", least)
        done = crawl(Reader, {**ADDON, **settings, **asks}, start_urls=[news_site.url + "/"])
        assert len(done.articles) > 10
        assert all(one.markdown.startswith("# ") for one in done.articles)
        assert set(threads) == {in_main}
        threads.clear()


class OwnArticles(Generators):
    """A spider whose callback yields article items, as it does with scrapy-poet."""

    name = "own_articles"

    def parse(self, response: Any) -> Iterator[Any]:
        yield ArticleItem(response.url, "Mine", "Text", "<p>Text</p>")
        yield from Reader.parse(self, response)  # type: ignore[arg-type]


@pytest.mark.parametrize("own_feed", [True, False])
def test_articles_that_a_callback_yields_are_items(
    own_feed: bool, patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """The project's feed gets the article items of a callback, as without the add-on, and none of ours."""
    feeds = {str(tmp_path / "all.jsonl"): {"format": "jsonlines"}}
    settings = {**ADDON, "WEBSTEMMER_PATTERNS": str(patterns), "FEEDS": feeds}
    if own_feed:
        settings["WEBSTEMMER_ARTICLES"] = str(tmp_path / "ours.jsonl")
    done = crawl(OwnArticles, settings, start_urls=[news_site.url + "/"])
    found = lines_of(tmp_path / "all.jsonl")
    assert {one["title"] for one in found} == {"Mine"}
    assert len(found) == done.stats["item_scraped_count"] > 10
    if own_feed:
        assert len(lines_of(tmp_path / "ours.jsonl")) == len(done.articles) > 10
    assert (tmp_path / "own_articles.articles.jsonl").exists() != own_feed


def test_a_feed_that_fails_costs_its_articles(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An article that cannot be written is counted; the spider's items come as ever."""
    from scrapy.exporters import JsonLinesItemExporter

    def full(self: Any, item: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JsonLinesItemExporter, "export_item", full)
    settings = {"WEBSTEMMER_PATTERNS": str(patterns), "WEBSTEMMER_ARTICLES": str(tmp_path / "a.jsonl")}
    done = crawl(Generators, {**ADDON, **settings}, start_urls=[news_site.url + "/"])
    assert done.stats["webstemmer/errors/export"] == done.stats["webstemmer/matched"] > 10
    assert "webstemmer/articles" not in done.stats
    assert len(done.of(dict)) > 10
    assert not done.errors


def test_articles_without_a_feed_are_said(
    patterns: Path, tmp_path: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """A warning says what to set; their urls are not marked as done."""
    from scrapy_webstemmer.storage.urldb import ARTICLE, UrlDb

    feeds = {str(tmp_path / "all.jsonl"): {"format": "jsonlines"}}
    settings = {
        "WEBSTEMMER_PATTERNS": str(patterns),
        "WEBSTEMMER_URLDB": str(tmp_path / "seen"),
        "FEEDS": feeds,
    }
    done = crawl(Reader, {**ADDON, **settings}, start_urls=[news_site.url + "/"])
    with UrlDb(tmp_path / "seen") as urldb:
        marked = sum(entry.kind == ARTICLE for entry in urldb)
    assert marked >= len(done.articles) > 10
    assert "in no feed" not in caplog.text
    del settings["FEEDS"]
    settings |= {"WEBSTEMMER_ARTICLES": "", "WEBSTEMMER_URLDB": str(tmp_path / "other")}
    crawl(Reader, {**ADDON, **settings}, start_urls=[news_site.url + "/"])
    assert "articles are in no feed: set WEBSTEMMER_ARTICLES" in caplog.text
    with UrlDb(tmp_path / "other") as urldb:
        assert [entry for entry in urldb if entry.kind == ARTICLE] == []


def test_handlers_of_article_scraped_are_awaited(
    patterns: Path, crawl: RunSpider, news_site: Any, tmp_path: Path
) -> None:
    """An asynchronous handler of article_scraped ends before the crawl does."""

    class Slow:
        done: list[str] = []  # noqa: RUF012

        @classmethod
        def from_crawler(cls, crawler: Any) -> Any:
            extension = cls()
            crawler.signals.connect(extension.scraped, article_scraped)
            return extension

        async def scraped(self, article: Any, response: Any) -> None:
            await asyncio.sleep(0.01)
            assert response.url == article.url
            self.done.append(article.url)

    settings = {**ADDON, "WEBSTEMMER_PATTERNS": str(patterns), "EXTENSIONS": {Slow: 500}}
    outcome = crawl(Generators, settings, start_urls=[news_site.url + "/"])
    assert sorted(Slow.done) == sorted(item.url for item in outcome.articles) != []


def test_broad_crawl_fills_one_learning_set(tmp_path: Path, crawl: RunSpider, news_site: Any) -> None:
    """Two sites share a learning set and a pattern file, and each gets its own articles."""
    start = [news_site.url + "/", news_site.other_url + "/"]
    path, learned = tmp_path / "both.sqlite", tmp_path / "both.json"
    crawl(Generators, {**ADDON, "WEBSTEMMER_LEARNING_SET": str(path)}, start_urls=start)
    with SqliteLearningSet(path) as learning_set:
        patterns = learn(learning_set, learning_set.linkinfo())
    assert set(patterns.sites) == {"127.0.0.1", "localhost"}
    patterns.save(learned)
    done = crawl(Generators, {**ADDON, "WEBSTEMMER_PATTERNS": str(learned)}, start_urls=start)
    articles = {item.url: item for item in done.articles}
    for url in news_site.article_urls:
        for each in (url, url.replace("127.0.0.1", "localhost")):
            assert articles[each].title == news_site.story(each).title


def test_pattern_files_are_joined(tmp_path: Path, crawl: RunSpider, news_site: Any, patterns: Path) -> None:
    """Several pattern files work like one."""
    empty = tmp_path / "empty.json"
    PatternSet({}).save(empty)
    settings = {**ADDON, "WEBSTEMMER_PATTERNS": [str(empty), str(patterns)]}
    done = crawl(Generators, settings, start_urls=[news_site.url + "/"])
    assert done.articles


def test_storage_fault_does_not_stop_the_crawl(
    tmp_path: Path, crawl: RunSpider, news_site: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """A page that cannot be stored is an error in the log and the stats, and the crawl goes on."""
    from scrapy_webstemmer.errors import LearningSetError

    def full(self: Any, page: Any, anchors: Any = None) -> None:
        raise LearningSetError(self.path, "database or disk is full", page.url)

    monkeypatch.setattr(SqliteLearningSet, "add_page", full)
    settings = {**ADDON, "WEBSTEMMER_LEARNING_SET": str(tmp_path / "pages.sqlite")}
    done = crawl(Generators, settings, start_urls=[news_site.url + "/"])
    assert done.stats["webstemmer/errors/store"] == len(done.of(dict)) > 10
    assert "webstemmer/pages_stored" not in done.stats
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == len(done.of(dict))
    assert "database or disk is full" in errors[0].message


class FailsToClose:
    """A pipeline of the project whose database is down when the crawl ends."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        return item

    def close_spider(self, spider: Any = None) -> None:
        raise RuntimeError("the database is down")


def test_a_pipeline_that_fails_to_close_costs_no_page(
    tmp_path: Path, crawl: RunSpider, news_site: Any, caplog: Any
) -> None:
    """The last pages are stored, and the last line is said once, though Scrapy closes no further pipeline."""
    path = tmp_path / "pages.sqlite"
    settings = {**ADDON, "WEBSTEMMER_LEARNING_SET": path, "ITEM_PIPELINES": {FailsToClose: 1}}
    done = crawl(Generators, settings, start_urls=[news_site.url + "/"])
    assert len(stored(path)) == len(done.of(dict)) > 10
    assert sum(line.startswith("Result: ") for line in caplog.messages) == 1
    assert [left.name for left in tmp_path.iterdir()] == [path.name]


def test_extraction_fault_does_not_stop_the_crawl(
    crawl: RunSpider, news_site: Any, patterns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page on which extraction fails is counted, and the crawl goes on."""

    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("scrapy_webstemmer.crawl.article_finder.extract_in_parts", broken)
    done = crawl(
        Generators, {**ADDON, "WEBSTEMMER_PATTERNS": str(patterns)}, start_urls=[news_site.url + "/"]
    )
    assert done.stats["webstemmer/errors/extract"] == len(done.of(dict)) > 10
    assert "item_error_count" not in done.stats
    assert not done.errors


def test_nothing_is_collected_without_a_taker(crawl: RunSpider, news_site: Any, caplog: Any) -> None:
    """Without the pipeline the middleware stays out, and says why."""
    settings = {
        "SPIDER_MIDDLEWARES": {"scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": 60},
        "WEBSTEMMER_PATTERNS": "patterns.json",
    }
    done = crawl(Generators, settings, start_urls=[news_site.url + "/"])
    assert len(done.scraped) == len(done.of(dict))
    assert not done.dropped
    assert (
        "Disabled scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware: no pipeline takes the pages"
        in caplog.text
    )
