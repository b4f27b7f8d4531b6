"""Crawls that give the articles of unknown sites at once (``WEBSTEMMER_AT_ONCE``)."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import scrapy
from forked_scrapy import run_scrapy
from loopback import Answer, WebServer, serve
from news_pages import article, index, story
from scrapy.linkextractors import LinkExtractor

from scrapy_webstemmer import ArticleItem
from scrapy_webstemmer.crawl import learning_process as child
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

    def parse_page(self, response):
        return None
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
    early, final = (
        sorted(one["url"] for one in articles if one["provisional"] is kind) for kind in (True, False)
    )
    return early, final


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_articles_come_at_once_and_again_when_the_site_is_learned(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any
) -> None:
    """Each article is provisional at first, and final at the end; the next crawl knows the site."""
    feed = tmp_path / "articles.jsonl"
    settings = learning(tmp_path, WEBSTEMMER_ARTICLES=str(feed))
    first = crawl(Follows, settings, **start(site))
    early, final = given(first.articles)
    assert early == final == sorted(titles(site))
    lines = rows(feed)
    assert [line["provisional"] for line in lines] == [True] * STORIES + [False] * STORIES
    assert {line["url"]: line["title"] for line in lines[STORIES:]} == titles(site)
    assert first.stats["webstemmer/provisional"] == STORIES
    assert first.stats["webstemmer/articles"] == first.stats["webstemmer/matched"] == STORIES
    assert first.stats["webstemmer/unmatched"] == LISTS
    assert "webstemmer/copies" not in first.stats
    assert (
        f"24 pages stored in {tmp_path / 'news.sqlite'}, 20 articles and 20 provisional ones in {feed}"
        in caplog.text
    )

    second = crawl(Follows, settings, **start(site))
    assert given(second.articles) == ([], sorted(titles(site)))
    assert "webstemmer/provisional" not in second.stats


def test_without_the_setting_no_article_is_provisional(
    tmp_path: Path, crawl: RunSpider, site: WebServer
) -> None:
    """The final articles come at the end of the crawl, the same ones as with the setting."""
    done = crawl(Follows, learning(tmp_path, WEBSTEMMER_AT_ONCE=False), **start(site))
    assert given(done.articles) == ([], sorted(titles(site)))
    with_it = crawl(Follows, learning(tmp_path / "new"), **start(site))
    final = {one.url: dict(one) for one in with_it.articles if not one.provisional}
    assert final == {one.url: dict(one) for one in done.articles}


def test_an_article_is_taken_back(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A page that looks like an article by itself, and like a list of its site, has no final article."""
    host = f"127.0.0.1:{site.port}"
    for number in range(1, LISTS + 1):
        path = f"/archive/{number}.html"
        text = "".join(
            f"<p>{line}</p>" for one in range(5) for line in story(host, 5 * number + one).paragraphs
        )
        site.pages[path] = Answer(site.pages[path].body.replace(b"</h1>", f"</h1>{text}".encode()))
    done = crawl(Follows, learning(tmp_path), **start(site))
    early, final = given(done.articles)
    assert final == sorted(titles(site))
    assert set(early) > set(final)
    assert all("/archive/" in url for url in set(early) - set(final))
    assert done.stats["webstemmer/unmatched"] == LISTS


def test_a_site_that_is_not_learned(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """Its few pages are read by their own evidence both times, and their articles come twice all the same."""

    class Seeds(Follows):
        def parse(self, response: Any) -> Any:
            return None

    done = crawl(Seeds, learning(tmp_path), start_urls=[site.url(f"/story/{n}.html") for n in (1, 2, 3)])
    early, final = given(done.articles)
    assert early == final
    assert len(final) == 3
    texts = {one.text for one in done.articles}
    assert len(texts) == 3
    assert done.stats["webstemmer/learned/sites"] == 0


@pytest.mark.parametrize("to_pipelines", [False, True], ids=["to feeds", "to pipelines"])
def test_learning_fails(
    to_pipelines: bool,
    tmp_path: Path,
    crawl: RunSpider,
    site: WebServer,
    caplog: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The provisional articles stand, and their urls are not done: the next crawl gives the final ones."""
    more = {"WEBSTEMMER_URLDB": str(tmp_path / "urls"), "WEBSTEMMER_ARTICLES_TO_PIPELINES": to_pipelines}
    settings = learning(tmp_path, **more)
    with monkeypatch.context() as patch:
        patch.setattr(child, "_PROCESS_CODE", "import sys; sys.exit('out of paper')")
        first = crawl(Follows, settings, **start(site))
    assert given(first.of(ArticleItem) or first.articles) == (sorted(titles(site)), [])
    assert first.stats["webstemmer/provisional"] == STORIES
    assert "24 pages have given no final article yet" in caplog.text
    assert "0 articles and 20 provisional ones" in caplog.text
    assert "No page gave a final article: 24 pages wait" in caplog.text
    assert kinds(tmp_path / "urls", site) == {"page"}
    second = crawl(Follows, settings, **start(site))
    assert given(second.of(ArticleItem) or second.articles) == (sorted(titles(site)), sorted(titles(site)))
    assert kinds(tmp_path / "urls", site) == {"article"}
    third = crawl(Follows, settings, **start(site))
    assert not third.of(ArticleItem) + third.articles


def kinds(urldb: Path, site: WebServer) -> set[str | None]:
    """Return what a URLDB says about the site's stories."""
    known = UrlDb(urldb)
    try:
        found = [known.find(url_digest(url)) for url in titles(site)]
    finally:
        known.close()
    return {entry.kind if entry else None for entry in found}


@dataclass
class Headline:
    """A project's class of articles, which has few fields."""

    url: str
    title: str


def test_a_class_without_the_field(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """It gets both articles of a page, and nothing says which is which."""
    done = crawl(Follows, learning(tmp_path, WEBSTEMMER_ITEM=Headline), **start(site))
    assert sorted(one.url for one in done.articles) == sorted([*titles(site), *titles(site)])


@pytest.mark.parametrize("patterns", [None, "missing.json"])
def test_nothing_else_is_set(patterns: str | None, crawl: RunSpider, site: WebServer) -> None:
    """The setting alone gives articles, which are final, since nothing is learned."""
    done = crawl(
        Follows, {"ADDONS": ADDONS, "WEBSTEMMER_AT_ONCE": "1", "WEBSTEMMER_PATTERNS": patterns}, **start(site)
    )
    assert given(done.articles) == ([], sorted(titles(site)))
    assert {one.url: one.title for one in done.articles} == titles(site)
    assert done.stats["webstemmer/by_themselves"] == STORIES
    assert done.stats["webstemmer/unmatched"] == LISTS
    assert "webstemmer/unknown_site" not in done.stats
    assert given(rows(Path("news.articles.jsonl"))) == ([], sorted(titles(site)))


def test_beside_patterns(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A site in the pattern file is read by its patterns, another one by what its pages show."""
    crawl(Follows, learning(tmp_path), **start(site))
    settings = {
        "ADDONS": ADDONS,
        "WEBSTEMMER_PATTERNS": str(tmp_path / "news.patterns.json"),
        "WEBSTEMMER_AT_ONCE": True,
    }
    urls = [*start(site)["start_urls"], site.url("/archive/1.html", "localhost")]
    done = crawl(Follows, settings, start_urls=urls)
    assert given(done.articles)[0] == []
    assert {one.url for one in done.articles if one.pattern} == titles(site).keys()
    others = {one.url.replace("localhost", "127.0.0.1") for one in done.articles if not one.pattern}
    assert others == titles(site).keys()


@pytest.mark.parametrize("at_once", [False, True])
def test_a_redesigned_site(at_once: bool, tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """Pages that no learned layout is like give their article at once, too; the drift is the same as ever."""
    crawl(Follows, learning(tmp_path), **start(site))
    publish(site, template="bulletin")
    done = crawl(Follows, learning(tmp_path, WEBSTEMMER_AT_ONCE=at_once), **start(site))
    early, final = given(done.articles)
    assert final == sorted(titles(site))
    assert early == (final if at_once else [])
    assert done.stats["webstemmer/drift/127.0.0.1"] == STORIES + LISTS
    assert done.stats["webstemmer/coverage/title"] == 1.0


def test_copies(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A page under several urls gives one provisional and one final article, and one copy a further url."""
    for path in [path for path in site.pages if path.startswith("/story/")]:
        body = site.pages[path].body.replace(
            b"</body>", f'<a href="{path}?share=1">Share</a></body>'.encode()
        )
        site.pages[path] = site.pages[f"{path}?share=1"] = Answer(body)
    settings = learning(tmp_path, WEBSTEMMER_URLDB=str(tmp_path / "urls"))
    done = crawl(Follows, settings, **start(site))
    for urls in given(done.articles):
        assert sorted(url.partition("?")[0] for url in urls) == sorted(titles(site))
    assert done.stats["webstemmer/copies"] == done.stats["webstemmer/provisional"] == STORIES
    assert kinds(tmp_path / "urls", site) == {"article"}
    both = crawl(
        Follows, learning(tmp_path / "new", WEBSTEMMER_EXTRACT_OPTIONS={"copies": True}), **start(site)
    )
    assert [len(urls) for urls in given(both.articles)] == [2 * STORIES, 2 * STORIES]


def test_pages_of_earlier_crawls(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """A url of which only the page was stored can give its article, also where no link of it is followed."""
    stored = {
        "WEBSTEMMER_LEARNING_SET": str(tmp_path / "a.sqlite"),
        "WEBSTEMMER_URLDB": str(tmp_path / "urls"),
    }
    settings = {"ADDONS": ADDONS, "DEPTH_LIMIT": 1, **stored}
    first = crawl(Follows, settings, **start(site))
    assert not first.articles
    second = crawl(Follows, {**settings, "WEBSTEMMER_AT_ONCE": True}, **start(site))
    assert len(second.articles) == first.stats["webstemmer/pages_stored"] - 2  # two of them are lists
    third = crawl(Follows, {**settings, "WEBSTEMMER_AT_ONCE": True}, **start(site))
    assert not third.articles


def test_articles_that_cannot_be_written(
    tmp_path: Path, crawl: RunSpider, site: WebServer, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only final ones are said to be lost at the end."""
    from scrapy.exporters import JsonLinesItemExporter

    def full(self: Any, item: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JsonLinesItemExporter, "export_item", full)
    done = crawl(Follows, learning(tmp_path), **start(site))
    assert done.stats["webstemmer/errors/provisional/export"] == STORIES
    assert done.stats["webstemmer/errors/export"] == STORIES
    assert "webstemmer/provisional" not in done.stats
    assert "24 pages stored in {}, 0 articles, 20 more could".format(tmp_path / "news.sqlite") in caplog.text


def test_a_command_shows_an_article(project: Any, site: WebServer) -> None:
    """`scrapy parse` shows what a page of an unknown site gives."""
    prepare(project, site, 'ADDONS = {"scrapy_webstemmer.Addon": 500}\nWEBSTEMMER_AT_ONCE = True')
    url, title = next(iter(titles(site).items()))
    arguments = ("parse", "--spider", "news", "-c", "parse_page", url)
    shown = run_scrapy(*arguments, cwd=project.folder, env=project.environment()).stdout
    assert f'"title": "{title}"' in shown
    assert '"provisional": false' in shown


def prepare(project: Any, site: WebServer, settings: str) -> None:
    project.write("spiders/news.py", SPIDER.replace("{url}", site.url("")))
    project.add_settings(settings)


SETTINGS = """
ADDONS = {"scrapy_webstemmer.Addon": 500}
WEBSTEMMER_LEARNING_SET = "news.sqlite"
WEBSTEMMER_LEARN = True
WEBSTEMMER_AT_ONCE = True
WEBSTEMMER_URLDB = "news.urldb"
WEBSTEMMER_ARTICLES = "articles.jsonl"
"""


def test_the_command_gives_both(project: Any, site: WebServer) -> None:
    """In a fresh project, the file has the provisional articles and then the final ones."""
    prepare(project, site, SETTINGS)
    log = project.scrapy("crawl", "news")
    lines = rows(project.folder / "articles.jsonl")
    assert [line["provisional"] for line in lines] == [True] * STORIES + [False] * STORIES
    assert given(lines) == (sorted(titles(site)), sorted(titles(site))), log
    assert "20 articles and 20 provisional ones in articles.jsonl" in log
    again = project.scrapy("crawl", "news")
    assert rows(project.folder / "articles.jsonl") == lines, again


def test_a_killed_crawl(project: Any, site: WebServer) -> None:
    """After kill -9 the next crawl gives every final article: no url with a provisional one is done."""
    publish(site, 120)  # more than the URLDB waits for before it has the feeds flushed
    prepare(project, site, SETTINGS)
    slow = project.folder / "slow"
    slow.mkdir()
    (slow / "sitecustomize.py").write_text(SLOW, encoding="utf-8")
    paths = filter(None, (str(slow), os.environ.get("PYTHONPATH")))
    environment = {**project.environment(), "PYTHONPATH": os.pathsep.join(paths)}
    with project.start("crawl", "news", env=environment) as running:
        assert any("Learning from news.sqlite" in line for line in running.stderr)
        running.send_signal(signal.SIGKILL)
        assert running.end()[0] == -signal.SIGKILL
    assert not [line for line in rows(project.folder / "articles.jsonl") if not line["provisional"]]
    log = project.scrapy("crawl", "news")
    final = given(rows(project.folder / "articles.jsonl"))[1]
    assert final == sorted(titles(site, 120)), log


def list_urls(site: WebServer) -> list[str]:
    """Return the urls of the site's lists."""
    return [site.url(f"/archive/{number}.html") for number in range(1, LISTS + 1)]


@pytest.mark.parametrize("to_pipelines", [False, True], ids=["to feeds", "to pipelines"])
def test_all_kinds_of_pages(to_pipelines: bool, tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """Lists give their text with their type, and later crawls fetch them again for what is new."""
    more = {"WEBSTEMMER_URLDB": str(tmp_path / "urls"), "WEBSTEMMER_ARTICLES_TO_PIPELINES": to_pipelines}
    settings = learning(tmp_path, WEBSTEMMER_ALL_KINDS=True, **more)
    first = crawl(Follows, settings, **start(site))
    found = first.of(ArticleItem) or first.articles
    early, final = given(found)
    assert early == final == sorted([*titles(site), *list_urls(site)])
    types = {one.url: one.page_type for one in found if not one.provisional}
    assert {types[url] for url in list_urls(site)} == {"collection"}
    assert {types[url] for url in titles(site)} == {"article"}
    assert all(0 < one.page_type_confidence <= 1 for one in found)
    assert kinds(tmp_path / "urls", site) == {"article"}
    site.asked.clear()
    second = crawl(Follows, settings, **start(site))
    assert given(second.of(ArticleItem) or second.articles)[1] == list_urls(site)
    assert not [path for path in site.paths() if path.startswith("/story/")]


def test_all_kinds_without_learning(tmp_path: Path, crawl: RunSpider, site: WebServer) -> None:
    """Pages that are read alone have types, too: a column of the feed, empty without the setting."""
    settings = {"ADDONS": ADDONS, "WEBSTEMMER_AT_ONCE": True}
    plain, every = tmp_path / "plain.jsonl", tmp_path / "every.jsonl"
    crawl(Follows, {**settings, "WEBSTEMMER_ARTICLES": str(plain)}, **start(site))
    assert {row["page_type"] for row in rows(plain)} == {None}
    more = {"WEBSTEMMER_ALL_KINDS": True, "WEBSTEMMER_ARTICLES": str(every)}
    crawl(Follows, {**settings, **more}, **start(site))
    types = {row["url"]: row["page_type"] for row in rows(every)}
    assert {types[url] for url in list_urls(site)} == {"collection"}
    assert types.keys() == {*titles(site), *list_urls(site)}
