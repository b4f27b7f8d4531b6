"""The files that articles go to: which they are, what becomes of those that are there, which are refused."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import scrapy
from filelock import FileLock
from forked_scrapy import run_scrapy
from scrapy.exceptions import DropItem
from scrapy.linkextractors import LinkExtractor
from scrapy.statscollectors import DummyStatsCollector

from scrapy_webstemmer import ArticleItem, PatternSet, learn
from scrapy_webstemmer.crawl.feed_settings import ARTICLE_FIELDS
from scrapy_webstemmer.errors import OptionError
from scrapy_webstemmer.storage.sqlite import SqliteLearningSet

ADDON = {"ADDONS": {"scrapy_webstemmer.Addon": 500}}
GZIP = ["scrapy.extensions.postprocessing.GzipPlugin"]
RunSpider = Callable[..., Any]


class News(scrapy.Spider):
    """Yields an item for each page."""

    name = "news"

    def parse(self, response: Any) -> Iterator[Any]:
        yield {"seen": response.url}
        for link in LinkExtractor(allow=r"/article").extract_links(response):
            yield scrapy.Request(link.url)


class Silent(News):
    """Yields no items."""

    def parse(self, response: Any) -> Iterator[Any]:
        return (entry for entry in News.parse(self, response) if not isinstance(entry, dict))


@pytest.fixture(scope="module")
def learned() -> dict[str, bytes]:
    """Return a place for the patterns that the first test learns."""
    return {}


@pytest.fixture
def start(crawl: RunSpider, news_site: Any, learned: dict[str, bytes]) -> RunSpider:
    """Return a function that crawls the site with settings, and the patterns of the site."""
    home, patterns = news_site.url + "/", Path("patterns.json")
    if not learned:
        crawl(Silent, {**ADDON, "WEBSTEMMER_LEARNING_SET": "set.sqlite"}, start_urls=[home])
        with SqliteLearningSet("set.sqlite") as learning_set:
            learn(learning_set, learning_set.linkinfo()).save(patterns)
        learned["patterns"] = patterns.read_bytes()
        Path("set.sqlite").unlink()
    patterns.write_bytes(learned["patterns"])

    def run(articles: Any = None, spider: Any = News, **settings: Any) -> Any:
        more = {} if articles is None else {"WEBSTEMMER_ARTICLES": articles}
        return crawl(
            spider,
            {**ADDON, "WEBSTEMMER_PATTERNS": "patterns.json", **more, **settings},
            start_urls=[home],
        )

    return run


def urls_in(text: str) -> list[str]:
    """Return the urls in JSON lines."""
    return [json.loads(line)["url"] for line in text.splitlines()]


def test_articles_of_a_spider_with_items_have_a_file(start: RunSpider, caplog: Any) -> None:
    """It is named after the spider, and the start of the crawl says so; the project's feed is as ever."""
    done = start(FEEDS={"own.jsonl": {"format": "jsonlines"}})
    assert sorted(urls_in(Path("news.articles.jsonl").read_text())) == sorted(
        one.url for one in done.articles
    )
    assert len(done.articles) > 10
    assert {tuple(json.loads(line)) for line in Path("own.jsonl").read_text().splitlines()} == {("seen",)}
    assert (
        "Articles go to news.articles.jsonl; the project's feeds have the spider's items alone" in caplog.text
    )
    assert f"Result: {len(done.articles)} articles in news.articles.jsonl" in caplog.text
    assert "in no feed" not in caplog.text


def test_articles_of_a_project_without_feeds_have_a_file(start: RunSpider, caplog: Any) -> None:
    """Whether the spider yields items or not: there is no other place."""
    for spider in (News, Silent):
        done = start(spider=spider)
        found = urls_in(Path("news.articles.jsonl").read_text())
        assert sorted(found) == sorted(one.url for one in done.articles)
        assert len(done.articles) > 10
    assert "Articles go to news.articles.jsonl" in caplog.text


class Dropping:
    """A pipeline that takes no item today."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        raise DropItem("sold out")


@pytest.mark.parametrize("feed", [{"format": "csv"}, {"format": "csv", "item_filter": "OddUrls"}], ids=str)
@pytest.mark.parametrize("spider", [News, Silent])
def test_a_day_without_items_is_a_day_without_articles_in_the_projects_feeds(
    spider: Any, feed: dict[str, Any], start: RunSpider
) -> None:
    """They stay empty if the spider yields nothing or a pipeline drops all, whatever their filter says."""
    if "item_filter" in feed:
        feed = {**feed, "item_filter": OddUrls}
    settings = {"ITEM_PIPELINES": {Dropping: 300}} if spider is News else {}
    done = start(spider=spider, FEEDS={"prices.csv": feed}, **settings)
    assert Path("prices.csv").read_text() == ""
    assert len(urls_in(Path("news.articles.jsonl").read_text())) == len(done.articles) > 10


class OddUrls:
    """A filter of the project for items that are dicts and others, which knows nothing of articles."""

    def __init__(self, feed_options: Any) -> None:
        """Take any options."""

    def accepts(self, item: Any) -> bool:
        return bool(item)


@pytest.mark.parametrize("more", [{}, {"item_filter": OddUrls}], ids=["plain", "own filter"])
def test_a_feed_of_the_project_asks_for_articles(more: dict[str, Any], start: RunSpider, caplog: Any) -> None:
    """Its item_classes name their class: it gets them, and they have no other file."""
    feed = {"format": "jsonlines", "item_classes": ["scrapy_webstemmer.ArticleItem"], **more}
    done = start(spider=Silent, FEEDS={"all.jsonl": feed})
    assert len(urls_in(Path("all.jsonl").read_text())) == len(done.articles) > 10
    assert not Path("news.articles.jsonl").exists()
    assert f"Result: {len(done.articles)} articles in all.jsonl" in caplog.text


def test_a_feed_that_is_added_to_keeps_its_header(start: RunSpider) -> None:
    """Two days with items and one without, in one CSV file: one kind of row."""
    feeds = {"own.csv": {"format": "csv", "overwrite": False}}
    for spider in (News, Silent, News):
        start(spider=spider, FEEDS=feeds)
    with Path("own.csv").open(newline="") as stream:
        assert {tuple(row) for row in csv.DictReader(stream)} == {("seen",)}


def test_no_file_is_wanted(start: RunSpider, caplog: Any) -> None:
    """An empty setting says so; a warning then counts the articles."""
    done = start("")
    assert f"{len(done.articles)} articles are in no feed" in caplog.text
    assert not Path("news.articles.jsonl").exists()


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.xml"])
def test_a_second_crawl_replaces_the_file(name: str, start: RunSpider) -> None:
    """Each format is as after one crawl."""
    done = start(name)
    first = Path(name).read_text()
    start(name)
    second = Path(name).read_text()
    assert sorted(line.rstrip(",") for line in second.splitlines()) == sorted(
        line.rstrip(",") for line in first.splitlines()
    )
    assert len(done.articles) > 10


@pytest.mark.parametrize("setting", ["+a.jsonl", {"a.jsonl": {"overwrite": False}}])
def test_a_second_crawl_adds_to_the_file(setting: Any, start: RunSpider) -> None:
    """If the setting asks for it; what a killed crawl has begun is ended."""
    done = start(setting)
    with Path("a.jsonl").open("a") as stream:
        stream.write('{"url": "cut')
    start(setting)
    lines = Path("a.jsonl").read_text().splitlines()
    whole = [line for line in lines if not line.endswith("cut")]
    assert len(whole) == len(lines) - 1 == 2 * len(done.articles) > 20
    assert all(map(json.loads, whole))


def test_added_rows_have_no_second_header(start: RunSpider) -> None:
    """A CSV file has one header."""
    done = start("+a.csv")
    start("+a.csv")
    with Path("a.csv").open(newline="") as stream:
        rows = [*csv.DictReader(stream)]
    assert len(rows) == 2 * len(done.articles)
    assert "url" not in {row["url"] for row in rows}


def test_a_file_keeps_its_columns(start: RunSpider) -> None:
    """Articles are added in the columns of the file; if it has others than were chosen, it is refused."""
    start("+a.csv", WEBSTEMMER_FIELDS="title,url")
    first = Path("a.csv").read_text()
    done = start("+a.csv")
    with Path("a.csv").open(newline="") as stream:
        rows = [*csv.DictReader(stream)]
    assert {tuple(row) for row in rows} == {("title", "url")}
    assert {row["url"] for row in rows} == {one.url for one in done.articles}
    assert len(rows) == 2 * len(done.articles)
    Path("a.csv").write_text(first)
    for fields in ("title,url,text", {"title": "headline", "url": "url"}):
        with pytest.raises(OptionError, match=r"since columns differ \(.*(text|headline)"):
            start("+a.csv", WEBSTEMMER_FIELDS=fields)
    assert Path("a.csv").read_text() == first


def test_a_file_of_an_earlier_version(start: RunSpider) -> None:
    """A CSV file from before articles had a probability keeps its columns, and gets the others."""
    start("+a.csv")
    with Path("a.csv").open(newline="") as stream:
        rows = [*csv.DictReader(stream)]
    columns = [name for name in rows[0] if name != "probability"]
    with Path("a.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    start("+a.csv")
    with Path("a.csv").open(newline="") as stream:
        again = [*csv.DictReader(stream)]
    assert {tuple(row) for row in again} == {tuple(columns)}
    assert len(again) == 2 * len(rows)
    assert {row["confidence"] for row in again} == {row["confidence"] for row in rows} != {""}


def test_a_project_whose_feeds_come_in_batches(start: RunSpider, caplog: Any) -> None:
    """The file of the articles is no batch, unless its name numbers them; nothing is warned of."""
    project = {
        "FEEDS": {"own-%(batch_id)d.jsonl": {"format": "jsonlines"}},
        "FEED_EXPORT_BATCH_ITEM_COUNT": 9,
    }
    done = start(**project)
    assert len(urls_in(Path("news.articles.jsonl").read_text())) == len(done.articles) > 10
    start("articles-%(batch_id)d.jsonl", **project)
    assert len(urls_in(Path("articles-1.jsonl").read_text())) == 9
    assert not [one for one in caplog.records if one.levelname in ("WARNING", "ERROR")]


def test_what_articles_as_items_do_not_use(start: RunSpider, caplog: Any) -> None:
    """A file that is named beside articles as items is not written, and a warning says so."""
    done = start("a.jsonl", WEBSTEMMER_ARTICLES_TO_PIPELINES=True)
    assert not Path("a.jsonl").exists()
    assert done.stats["item_scraped_count"] > 10
    assert "WEBSTEMMER_ARTICLES is not used: with WEBSTEMMER_ARTICLES_TO_PIPELINES articles" in caplog.text


def test_a_compressed_file_is_added_to(start: RunSpider, caplog: Any) -> None:
    """All articles of both crawls can be read; a file that a kill has cut off is refused."""
    feed = {"a.jsonl.gz": {"postprocessing": GZIP, "overwrite": False, "format": "jsonlines"}}
    done = start(feed)
    start(feed)
    with gzip.open("a.jsonl.gz", "rt") as stream:
        assert len(urls_in(stream.read())) == 2 * len(done.articles)
    path = Path("a.jsonl.gz")
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(OptionError, match=r"WEBSTEMMER_ARTICLES='a\.jsonl\.gz'.*end of the file is missing"):
        start(feed)


@pytest.mark.parametrize(
    "feed", [{"a.json": {}}, {"a.xml": {}}, {"a.parquet": {}}, {"a.jsonl": {"encoding": "utf-16"}}], ids=str
)
def test_a_file_that_cannot_be_added_to_is_refused(feed: Any, start: RunSpider) -> None:
    """The crawl does not begin, and the file stays as it is."""
    (name, options) = next(iter(feed.items()))
    setting = {name: {**options, "overwrite": False}}
    start(setting)
    before = Path(name).read_bytes()
    with pytest.raises(OptionError, match="nothing can be added"):
        start(setting)
    assert Path(name).read_bytes() == before


@pytest.mark.parametrize("memory", [{"JOBDIR": "job"}, {"WEBSTEMMER_URLDB": "urls.sqlite"}], ids=str)
def test_a_crawl_that_goes_on_adds(memory: Any, start: RunSpider) -> None:
    """What an earlier crawl has given does not come again, so it stays in the file."""
    done = start("a.jsonl", **memory)
    assert not start("a.jsonl", **memory).articles
    assert len(urls_in(Path("a.jsonl").read_text())) == len(done.articles) > 10


@pytest.mark.parametrize(
    ("feeds", "reason"),
    [
        ({"a.jsonl": {"format": "orc"}}, "Unknown feed format: orc"),
        ("a.orc", "a.orc: the ending .orc is not that of a known format: csv, jl, json, "),
        ("articles.", "articles.: the ending . is not that of a known format: csv, jl, json, "),
        ("a.parquet.gz", "a.parquet.gz: the ending .gz is not that of a known format: csv, jl, json, "),
        ("s3://bucket/a.ORC", "the ending .orc is not that of a known format"),
        ({"a.txt": {"overwrite": True}}, "the ending .txt is not that of a known format"),
        ({"a.jsonl.gz": {}}, "the ending .gz is not that of a known format"),
        ({"a.md.gz": {"postprocessing": GZIP}}, "the ending .gz is not that of a known format"),
        ("gopher://example.com/a.jsonl", "Unknown feed storage scheme: gopher"),
        ("s3://bucket/a.jsonl", "missing boto3 library"),
        ({"a.jsonl": {"batch_item_count": 5}}, "must be in the feed URI"),
        ({"a.jsonl": {"item_filter": "no.such.Filter"}}, "no"),
        ({"a.jsonl": {"postprocessing": 7}}, ""),
        ("folder", "is a folder"),
        ("new/", "is the name of a folder"),
        ("%(section)s.jsonl", "the spider has nothing for %(section)s"),
        ({"a.csv": {"fields": ["url", "heading"]}}, "there is no field 'heading'"),
        ("patterns.json/a.jsonl", "is not a folder"),
    ],
)
def test_a_feed_that_cannot_work_is_refused(feeds: Any, reason: str, start: RunSpider) -> None:
    """The crawl does not begin; the error names the setting, the feed and the reason."""
    Path("folder").mkdir()
    with pytest.raises(OptionError, match=r"^WEBSTEMMER_ARTICLES=['{].*") as caught:
        start(feeds)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("articles", "more", "reason"),
    [
        ({"set.sqlite": {"format": "jsonl"}}, {}, "is the file of WEBSTEMMER_LEARNING_SET"),
        ({"./%(spider)s.urls": {"format": "csv"}}, {}, "is the file of WEBSTEMMER_URLDB"),
        ({"patterns.json": {"format": "json"}}, {}, "is the file of WEBSTEMMER_PATTERNS"),
        ("a.jsonl, folder/../a.jsonl", {}, "is there twice"),
        ("b.jsonl, a.jsonl", {"FEEDS": {Path("a.jsonl"): {"format": "jsonl"}}}, "has the project's"),
        ("news.csv", {"FEEDS": {"./%(name)s.csv": {"format": "csv"}}}, "has the project's items"),
        (None, {"FEEDS": {"news.articles.jsonl": {"format": "jsonl"}}}, "has the project's items"),
    ],
)
def test_articles_destroy_no_other_file(articles: Any, more: Any, reason: str, start: RunSpider) -> None:
    """A file that the crawl uses for something else is no feed of articles, however it is written."""
    more = {**more, "WEBSTEMMER_LEARNING_SET": "set.sqlite", "WEBSTEMMER_URLDB": "news.urls"}
    with pytest.raises(OptionError, match=r"^WEBSTEMMER_ARTICLES=") as caught:
        start(articles, **more)
    assert reason in str(caught.value)


@pytest.mark.parametrize("adds", [True, False])
@pytest.mark.parametrize("make", [lambda path: SqliteLearningSet(path).close(), PatternSet().save])
def test_articles_destroy_no_file_of_another_crawl(make: Any, adds: bool, start: RunSpider) -> None:
    """A learning set or patterns, whoever uses them, are neither replaced nor added to."""
    make("kept.json")
    before = Path("kept.json").read_bytes()
    with pytest.raises(OptionError, match=r"^WEBSTEMMER_ARTICLES=.* not to be overwritten"):
        start({"kept.json": {"format": "jsonl", "overwrite": not adds}})
    assert Path("kept.json").read_bytes() == before


def test_the_place_of_articles_is_said_as_it_is(start: RunSpider, caplog: pytest.LogCaptureFixture) -> None:
    """The last line of the crawl has the names of files, without placeholders."""
    start('["%(name)s/%(time)s.csv"]')  # a list, as the command line can have it
    (path,) = Path("news").iterdir()
    assert f"articles in {path}\n" in caplog.text


def test_times_are_those_of_other_paths(start: RunSpider) -> None:
    """The time is written as in the name of a learning set, whose crawl can so be told by both files."""
    start("%(timestamp)s %(time)s.csv", WEBSTEMMER_LEARNING_SET="%(timestamp)s %(time)s.sqlite")
    names = [path.name for path in Path().iterdir() if path.suffix in (".csv", ".sqlite")]
    assert len(names) == 2
    for name in names:
        assert re.match(r"\d{12} \d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.", name)


def test_a_dash_is_standard_output(start: RunSpider, capsys: pytest.CaptureFixture[str]) -> None:
    """Articles go there as they do with -O, and to no file of this name."""
    start("-")
    assert json.loads(capsys.readouterr().out.splitlines()[0])["title"]
    assert not Path("-").exists()


class OtherStats(DummyStatsCollector):
    """Has numbers of other crawls, as bytes: scrapy-redis keeps them so."""

    def get_stats(self) -> Any:
        return {"webstemmer/matched": b"70", "webstemmer/pages_stored": b"9"}


@pytest.mark.parametrize("stats", [DummyStatsCollector, OtherStats])
def test_what_is_said_of_a_crawl_does_not_need_its_stats(
    stats: Any, start: RunSpider, caplog: pytest.LogCaptureFixture
) -> None:
    """A project may keep no stats, or those of several crawls in one place."""
    more = {"WEBSTEMMER_LEARNING_SET": "other.sqlite", "WEBSTEMMER_URLDB": "news.urls", "STATS_CLASS": stats}
    number = len(start(**more).articles)
    assert f"{number} articles in news.articles.jsonl\n" in caplog.text
    assert "No page" not in caplog.text
    start(**more)
    assert f"in news.urls {number} were skipped, " in caplog.text


def test_the_place_of_pages_is_said_as_it_is(start: RunSpider, caplog: pytest.LogCaptureFixture) -> None:
    """It is the zip, not the file in which they are until then, which has gone."""
    start(WEBSTEMMER_LEARNING_SET="pages.zip")
    assert " pages stored in pages.zip, " in caplog.text


def test_articles_at_home(start: RunSpider, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``~`` at the beginning of a path is the user's home, as in a shell."""
    Path("home").mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(Path("home").absolute()))
    start("~/a.jsonl", WEBSTEMMER_LEARNING_SET="~/set.sqlite")
    assert {path.name for path in Path("home").iterdir()} >= {"a.jsonl", "set.sqlite"}


def test_a_file_takes_one_crawl_at_a_time(start: RunSpider, caplog: pytest.LogCaptureFixture) -> None:
    """While another crawl writes it, a file that was named is refused, and the usual one gets a number."""
    with (
        FileLock(".a.csv.lock"),
        pytest.raises(OptionError, match=r"^WEBSTEMMER_ARTICLES='a.csv': another crawl"),
    ):
        start("folder/../a.csv, b.csv")
    with FileLock(".news.articles.jsonl.lock"):
        done = start()
    assert "writing news.articles.jsonl, so articles go to news.articles-2.jsonl" in caplog.text
    assert len(urls_in(Path("news.articles-2.jsonl").read_text())) == len(done.articles) > 10
    assert not Path("news.articles.jsonl").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev")
def test_what_is_no_regular_file_is_not_locked(start: RunSpider) -> None:
    """Standard output and the like take articles of several crawls."""
    with FileLock(".pipe.jsonl.lock"):
        Path("pipe.jsonl").symlink_to("/dev/null")
        assert len(start("pipe.jsonl").articles) > 10


def test_after_a_crawl_another_one_writes_the_file(start: RunSpider) -> None:
    """Crawls of one process that follow each other have the same file, and leave no lock of it."""
    for _ in range(2):
        start("new/%(spider)s.jsonl, %(time)s.csv")
        start()
    assert {path.name for path in Path().rglob("*.*") if path.suffix != ".csv"} == {
        "news.jsonl",
        "news.articles.jsonl",
        "patterns.json",
    } | {path.name for path in Path().glob("set.sqlite")}


@pytest.mark.parametrize("addon", [True, False], ids=["add-on", "components"])
def test_articles_as_parquet(addon: bool, start: RunSpider) -> None:
    """The file has all columns with their types, and can be read back; a second crawl replaces it."""
    components = {
        "ADDONS": {},
        "SPIDER_MIDDLEWARES": {"scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": -10_000},
        "ITEM_PIPELINES": {"scrapy_webstemmer.crawl.page_pipeline.PagePipeline": -20},
    }
    for _ in range(2):
        done = start("articles.parquet", **({} if addon else components))
    table = pyarrow.parquet.read_table("articles.parquet")
    assert table.to_pylist() == [dict(one) for one in done.articles]
    assert table.num_rows > 10
    assert table.schema.names == list(ArticleItem.__dataclass_fields__)
    structs = {"authors": ["name", "url"], "sections": ["kind", "text"], "images": ["url", "alt", "caption"]}
    for name, fields in structs.items():
        kind = table.schema.field(name).type.value_type
        assert [kind.field(n).name for n in range(kind.num_fields)] == fields
    assert table.schema.field("confidence").type == pyarrow.float64()
    assert table["comments"].null_count == table.num_rows


def test_parquet_of_other_items_and_fields(start: RunSpider) -> None:
    """In the project's feeds, with chosen fields, and with a class of the project."""
    feed = {"format": "parquet", "overwrite": True}
    asked = {
        **feed,
        "item_classes": ["scrapy_webstemmer.ArticleItem"],
        "fields": {"authors": "by", "url": "at"},
    }
    start("", FEEDS={"own.parquet": {**feed, "item_classes": ["builtins.dict"]}, "all.parquet": asked})
    own, found = (pyarrow.parquet.read_table(name) for name in ("own.parquet", "all.parquet"))
    assert (own.schema.names, found.schema.names) == (["seen"], ["by", "at"])
    assert own.num_rows > 10
    assert found.schema.field("by").type.value_type.num_fields == 2
    done = start("a.parquet", WEBSTEMMER_ITEM="builtins.dict", WEBSTEMMER_FIELDS={"title": "t", "tags": "s"})
    rows = pyarrow.parquet.read_table("a.parquet").to_pylist()
    assert rows == [dict(one) for one in done.articles]
    done = start("a.parquet", WEBSTEMMER_ITEM="builtins.dict")
    table = pyarrow.parquet.read_table("a.parquet")
    assert table.to_pylist() == [dict(one) for one in done.articles]
    assert table.schema.field("authors").type.value_type.num_fields == 2


def test_parquet_without_its_library_is_refused(start: RunSpider, monkeypatch: pytest.MonkeyPatch) -> None:
    """The crawl does not begin, and the error says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match=r'needs pyarrow.*: pip install "scrapy-webstemmer\[parquet\]"'):
        start("articles.parquet")


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_a_crawl_and_a_command_give_the_same_keys(form: str, start: RunSpider) -> None:
    """In the same order, and the same articles, but for what a crawl knows of other pages by then."""
    done = start(f"crawl.{form}", WEBSTEMMER_LEARNING_SET="set.sqlite")
    command = ("extract", "patterns.json", "set.sqlite", "-O", f"command.{form}")
    run_scrapy(*command, cwd=Path.cwd(), env=os.environ).check_returncode()
    crawl, own = (rows_of(Path(f"{name}.{form}")) for name in ("crawl", "command"))
    assert {tuple(row) for row in (*crawl, *own)} == {tuple(ARTICLE_FIELDS)}
    assert tuple(ArticleItem.__dataclass_fields__) == ARTICLE_FIELDS
    assert len(crawl) == len(done.articles) > 10
    assert sorted(crawl, key=lambda row: row["url"]) == sorted(own, key=lambda row: row["url"])


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file."""
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path).to_pylist()
    with path.open(encoding="utf-8", newline="") as stream:
        return [*csv.DictReader(stream)] if path.suffix == ".csv" else [*map(json.loads, stream)]


class Columns:
    """A format of the project: a line of titles. Like some for columns, it takes dicts alone."""

    def __init__(self, file: Any, **_: Any) -> None:
        self.file, self.titles = file, []

    def start_exporting(self) -> None:
        """Begin."""

    def export_item(self, item: dict[str, Any]) -> None:
        assert type(item) is dict
        self.titles.append(item["title"])

    def finish_exporting(self) -> None:
        self.file.write("|".join(self.titles).encode())


@pytest.mark.parametrize(
    "articles",
    ["a.columns", "%(time)s.a.Columns", {"a.columns.gz": {"postprocessing": GZIP}}, "%(spider)s.columns"],
    ids=str,
)
def test_a_format_of_the_project(articles: Any, start: RunSpider) -> None:
    """It is known by its name, with which the name of the file ends."""
    done = start(articles, FEED_EXPORTERS={"columns": Columns}, WEBSTEMMER_ITEM="builtins.dict")
    (path,) = (one for one in Path().iterdir() if "columns" in one.name.lower())
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    assert content.decode().split("|") == [article["title"] for article in done.articles]


@pytest.mark.parametrize(
    ("name", "begin"), [("a.jl", b"{"), ("a", b"{"), ("a.csv", b"url,"), ("a.xml", b"<?")]
)
def test_the_ending_chooses_the_format(name: str, begin: bytes, start: RunSpider) -> None:
    """Without one, the file has JSON lines."""
    start(name)
    assert Path(name).read_bytes().startswith(begin)


def test_articles_that_cannot_be_written_are_counted_as_lost(
    start: RunSpider, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """The last line tells them from those that came out; each has one line in the log."""
    from scrapy.exporters import JsonLinesItemExporter

    def full(self: Any, item: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JsonLinesItemExporter, "export_item", full)
    done = start("a.jsonl")
    lost = done.stats["webstemmer/errors/export"]
    assert lost > 10
    assert not done.articles
    assert f"Result: 0 articles, {lost} more could not be written" in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("own", [False, True], ids=["usual", "named"])
def test_a_crawl_without_an_article(own: bool, start: RunSpider, caplog: pytest.LogCaptureFixture) -> None:
    """The file that nobody has asked for stays as it is, and the log says so; a named one becomes empty."""
    name = "own.jsonl" if own else "news.articles.jsonl"
    Path(name).write_text('{"url": "http://news.example/"}\n')
    start(name if own else None, CLOSESPIDER_PAGECOUNT=1)
    assert (Path(name).stat().st_size == 0) is own
    assert ("No article came, so news.articles.jsonl stays as it was" in caplog.text) is not own


class Failing:
    """A pipeline with an error."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        raise ValueError("no stock")


@pytest.mark.parametrize("pipeline", [Dropping, Failing])
def test_articles_that_do_not_pass_the_pipelines_do_not_come_out(
    pipeline: type, start: RunSpider, caplog: pytest.LogCaptureFixture
) -> None:
    """The last line counts them apart, and not the spider's own items that are dropped, too."""
    done = start(WEBSTEMMER_ARTICLES_TO_PIPELINES=True, ITEM_PIPELINES={pipeline: 300})
    number = done.stats["webstemmer/dropped"]
    assert 10 < number < done.stats.get("item_dropped_count", 0) + len(done.errors)
    assert f"Result: 0 articles, {number} more did not pass the pipelines" in caplog.text
    assert "No page gave" not in caplog.text
