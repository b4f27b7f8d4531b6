"""`scrapy extract PATTERNS URL`: a page is fetched as the project fetches pages, and nothing is stored."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import scrapy
from forked_scrapy import RunningScrapy, run_scrapy
from loopback import Answer, WebServer, links, redirect, serve
from news_pages import article, articles, story

from scrapy_webstemmer import Page, PatternSet, learn

HOST = "127.0.0.1"
NUMBER = 77
PATH = f"/story/{NUMBER}.html"

SPIDER = """
import scrapy


class NewsSpider(scrapy.Spider):
    name = "127.0.0.1:PORT"  # a spider is also responsible for the host of its name
    allowed_domains = ["127.0.0.1"]
    start_urls = ["http://127.0.0.1:1/never"]
    custom_settings = {
        "USER_AGENT": "news spider",
        "WEBSTEMMER_LEARNING_SET": "of_spider.sqlite",
        "FEEDS": {"of_spider.jsonl": {"format": "jsonlines"}},
    }

    def parse(self, response):
        yield {"url": response.url}
"""

MIDDLEWARES = """
class HeaderMiddleware:
    def process_request(self, request, spider=None):
        request.headers["X-Project"] = "press"
"""

PIPELINES = """
class PressPipeline:
    def open_spider(self, spider=None):
        open("opened.txt", "w").close()

    def process_item(self, item, spider=None):
        return item
"""

SETTINGS = """
USER_AGENT = "press project"
DOWNLOADER_MIDDLEWARES = {"press.middlewares.HeaderMiddleware": 543}
ITEM_PIPELINES = {"press.pipelines.PressPipeline": 0}
FEEDS = {"own.jsonl": {"format": "jsonlines"}}
JOBDIR = "job"
WEBSTEMMER_LEARNING_SET = "set.sqlite"
WEBSTEMMER_PATTERNS = "patterns.json"
WEBSTEMMER_URLDB = "news.urldb"
"""

ADDON = 'ADDONS = {"scrapy_webstemmer.Addon": 500}'

COMPONENTS = """
SPIDER_MIDDLEWARES = {
    "scrapy_webstemmer.crawl.linkinfo.LinkinfoMiddleware": 60,
    "scrapy_webstemmer.crawl.urldb_middleware.UrlDbMiddleware": 70,
}
ITEM_PIPELINES["scrapy_webstemmer.crawl.page_pipeline.PagePipeline"] = -20
"""

#: An article that declares no charset.
JAPANESE = "<title>日本の港</title><h1>日本の港</h1>" + "".join(
    f"<p>港の人々は冬の間に{number}番目の灯台を建て、春には古い船を直して島へ渡った。" * 3
    for number in range(9)
)
ANSWERS = {
    "/moved": redirect(PATH),
    "/loop": redirect("/loop"),
    "/picture": Answer(b"\x89PNG\r\n", headers={"Content-Type": "image/png"}),
    "/closed": Answer(b"<p>closed", status=500),
    "/robots.txt": Answer(b"User-agent: *\nDisallow: /secret", headers={"Content-Type": "text/plain"}),
    "/secret": links("/a"),
    "/euc": Answer(JAPANESE.encode("euc-jp"), headers={"Content-Type": "text/html"}),
}


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Serve a story and pages that are none."""
    with serve() as server:
        server.pages.update(ANSWERS)
        server.pages[PATH] = article(HOST, NUMBER).body.decode()
        yield server


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    """Return what the stories of the site, on any port, teach."""
    pages = articles(HOST, 30)
    return learn([Page(f"http://{HOST}/story/{n}.html", page.body) for n, page in enumerate(pages, 1)])


@pytest.fixture
def prepared(project: Any, site: WebServer, patterns: PatternSet) -> Any:
    """Return a project whose settings would store everything that there is to store."""
    patterns.save(project.folder / "patterns.json")
    project.write("spiders/news.py", SPIDER.replace("PORT", str(site.port)))
    project.write("middlewares.py", MIDDLEWARES)
    project.write("pipelines.py", PIPELINES)
    project.add_settings(SETTINGS)
    return project


def files(folder: Path) -> set[str]:
    """Return the files of a folder, without compiled modules."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if "__pycache__" not in path.parts}


def extract(folder: Path, *arguments: str, status: int = 0) -> tuple[str, str]:
    """Run `scrapy extract` in a folder; return what it printed, and its messages."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}
    done = run_scrapy("extract", *arguments, cwd=folder, env=environment, strict=True)
    assert done.returncode == status, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("enabled", [ADDON, COMPONENTS, ""], ids=["addon", "components", "neither"])
def test_a_page_is_fetched_as_the_project_fetches_and_nothing_is_stored(
    enabled: str, prepared: Any, site: WebServer
) -> None:
    """Middlewares, settings and the host's spider of the project take part; no file is written."""
    prepared.add_settings(enabled)
    before = files(prepared.folder)
    out, err = extract(prepared.folder, "patterns.json", site.url("/moved"))
    assert files(prepared.folder) == before
    (found,) = map(json.loads, out.splitlines())
    assert (found["url"], found["title"]) == (site.url(PATH), story(HOST, NUMBER).title)
    assert found["text"] == story(HOST, NUMBER).text
    assert err.startswith("1 page: 1 article\n")
    headers = site.headers(PATH)
    assert (headers["User-Agent"], headers["X-Project"]) == ("news spider", "press")
    assert site.paths() == ["/moved", PATH]


@pytest.mark.parametrize("learning_set", ["", "news.sqlite", "%(spider)s.sqlite"])
def test_the_patterns_of_the_project_need_not_be_named(
    learning_set: str, prepared: Any, site: WebServer, patterns: PatternSet
) -> None:
    """The file that a setting names, or that a learning crawl keeps, is taken; a line says what is taken."""
    name = "patterns.json"
    if learning_set:
        name = "news.patterns.json"
        (prepared.folder / "patterns.json").rename(prepared.folder / name)
        prepared.add_settings(
            f'WEBSTEMMER_LEARN = True\nWEBSTEMMER_LEARNING_SET = "{learning_set}"\nWEBSTEMMER_PATTERNS = None'
        )
    out, err = extract(prepared.folder, site.url(PATH))
    (found,) = map(json.loads, out.splitlines())
    assert found["text"] == story(HOST, NUMBER).text
    assert err.startswith(f"patterns: {name}, as the settings of the project say\n1 page: 1 article\n")
    (prepared.folder / name).unlink()
    out, err = extract(prepared.folder, site.url(PATH))
    assert json.loads(out)["text"] == story(HOST, NUMBER).text
    missing = learning_set.replace(".sqlite", ".patterns.json") or name
    assert err.splitlines() == [
        f"patterns: none of the project, {missing}: there is no such file",
        "1 page: 1 article (1 by the page alone)",
    ]


def test_articles_are_no_patterns_and_no_pages(prepared: Any, site: WebServer) -> None:
    """A file of articles is named as what it is, also where a pattern file might stand."""
    extract(prepared.folder, "patterns.json", site.url(PATH), "-o", "out.jsonl")
    _, err = extract(prepared.folder, "out.jsonl", site.url(PATH), status=2)
    assert "out.jsonl: is a file of articles, and has no pages" in err
    _, err = extract(prepared.folder, "patterns.json", "out.jsonl", status=2)
    assert "out.jsonl: is a file of articles, and has no pages" in err


@pytest.mark.parametrize("enabled", [ADDON, COMPONENTS], ids=["addon", "components"])
def test_a_page_is_fetched_by_a_project_whose_crawls_learn(
    enabled: str, prepared: Any, site: WebServer
) -> None:
    """WEBSTEMMER_LEARN does not concern the command: it gives the article, and learns and writes nothing."""
    prepared.add_settings(f"{enabled}\nWEBSTEMMER_LEARN = True")
    before = files(prepared.folder)
    out, _ = extract(prepared.folder, "patterns.json", site.url(PATH))
    assert files(prepared.folder) == before
    assert json.loads(out)["title"] == story(HOST, NUMBER).title


def test_settings_of_ours_that_change_the_fetch_are_kept(prepared: Any, site: WebServer) -> None:
    """Cookies of WEBSTEMMER_COOKIE_FILE are sent, and still nothing is stored."""
    prepared.add_settings(f'{ADDON}\nWEBSTEMMER_COOKIE_FILE = "cookies.txt"')
    (prepared.folder / "cookies.txt").write_text(
        f"# Netscape HTTP Cookie File\n{HOST}\tFALSE\t/\tFALSE\t0\tpress\tcard\n", encoding="utf-8"
    )
    before = files(prepared.folder)
    extract(prepared.folder, "patterns.json", site.url(PATH))
    assert site.headers(PATH)["Cookie"] == "press=card"
    assert files(prepared.folder) == before


def test_the_settings_of_the_project_hold_without_a_spider_for_the_host(
    prepared: Any, site: WebServer
) -> None:
    """A host that no spider names is fetched by a spider of Scrapy's own."""
    url = site.url(PATH, host="localhost")
    _, err = extract(prepared.folder, "patterns.json", url, "--explain")
    assert err.startswith("1 page: 0 articles, 1 without an article\n")
    assert site.headers(PATH, "localhost")["User-Agent"] == "press project"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/missing", "the server answers 404"),
        ("/closed", "the server answers 500"),
        ("/picture", "is not an HTML page"),
        ("/secret", "Forbidden by robots.txt"),
        ("/loop", "max redirections reached"),
    ],
)
def test_a_failed_fetch_is_one_line_and_status_1(
    path: str, reason: str, prepared: Any, site: WebServer
) -> None:
    """The line names the url and the reason, and an earlier output stays."""
    (prepared.folder / "out.jsonl").write_text("earlier", encoding="utf-8")
    arguments = ("patterns.json", site.url(path), "-O", "out.jsonl")
    out, err = extract(prepared.folder, *arguments, status=1)
    assert (out, err) == ("", f"error: {site.url(path)}: {reason}\n")
    assert (prepared.folder / "out.jsonl").read_text(encoding="utf-8") == "earlier"


@pytest.mark.parametrize("url", ["http://[::1", "http://127.0.0.1:99999/", "http://127.0.0.1:x/", "http://"])
def test_an_invalid_url_is_one_line_and_status_1(url: str, prepared: Any) -> None:
    """No traceback: the line names the url."""
    out, err = extract(prepared.folder, "patterns.json", url, status=1)
    assert out == ""
    assert err.startswith(f"error: {url}: ")
    assert err.count("\n") == 1


def test_no_server(prepared: Any) -> None:
    """A connection that is refused is one line, too."""
    _, err = extract(prepared.folder, "patterns.json", "http://127.0.0.1:1/", status=1)
    assert err.startswith("error: http://127.0.0.1:1/: ")
    assert "refused" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("    def parse(", "    def __init__(self, desk):\n        pass\n\n    def parse("), "'desk'"),
        (
            ('"USER_AGENT": "news spider",', '"SPIDER_MIDDLEWARES": {"press.middlewares.Never": 1},'),
            "no request was sent: the project's spider or one of its middlewares held it back",
        ),
    ],
    ids=["a spider that wants arguments", "a middleware that drops the request"],
)
def test_a_crawl_that_does_not_begin(
    change: tuple[str, str], reason: str, prepared: Any, site: WebServer
) -> None:
    """If the project's spider cannot be made, or sends no request, the line says so."""
    prepared.write("spiders/news.py", SPIDER.replace(*change).replace("PORT", str(site.port)))
    never = "class Never:\n    async def process_start(self, start):\n        return\n        yield\n"
    prepared.write("middlewares.py", f"{MIDDLEWARES}\n\n{never}")
    _, err = extract(prepared.folder, "patterns.json", site.url(PATH), status=1)
    assert err.startswith(f"error: {site.url(PATH)}: ")
    assert reason in err
    assert err.count("\n") == 1


def test_the_log_is_shown_if_a_level_is_set(prepared: Any, site: WebServer) -> None:
    """With --loglevel Scrapy's messages appear before ours."""
    _, err = extract(prepared.folder, "patterns.json", site.url("/missing"), "-L", "DEBUG", status=1)
    assert f"DEBUG: Crawled (404) <GET {site.url('/missing')}>" in err
    assert err.endswith(f"error: {site.url('/missing')}: the server answers 404\n")


def test_without_a_project_and_beside_other_inputs(
    tmp_path: Path, site: WebServer, patterns: PatternSet
) -> None:
    """Urls and files may be mixed, and come out in their order; several processes may share the work."""
    patterns.save(tmp_path / "patterns.json")
    (tmp_path / HOST / "story").mkdir(parents=True)
    (tmp_path / HOST / "story" / "5.html").write_bytes(article(HOST, 5).body)
    inputs = (site.url(PATH), f"{HOST}/story/5.html", site.url("/moved"))
    for more in ((), ("--workers", "2")):
        out, err = extract(tmp_path, "patterns.json", *inputs, "--copies", *more)
        found = [json.loads(line) for line in out.splitlines()]
        assert [one["title"] for one in found] == [story(HOST, n).title for n in (NUMBER, 5, NUMBER)]
        assert "3 pages: 3 articles\n" in err
    assert files(tmp_path) == {"patterns.json", HOST, f"{HOST}/story", f"{HOST}/story/5.html"}


@pytest.mark.parametrize(
    "setting",
    [
        "TWISTED_REACTOR=twisted.internet.selectreactor.SelectReactor",
        "TWISTED_REACTOR=",
        "TWISTED_REACTOR_ENABLED=False",
    ],
)
def test_other_reactors(setting: str, tmp_path: Path, site: WebServer, patterns: PatternSet) -> None:
    """The fetch works with other reactors, or none."""
    if setting == "TWISTED_REACTOR_ENABLED=False":
        if scrapy.version_info < (2, 15):
            pytest.skip("Scrapy before 2.15 does not run without a reactor")
        pytest.importorskip("aiohttp", reason="Scrapy downloads with aiohttp where there is no reactor")
    patterns.save(tmp_path / "patterns.json")
    out, _ = extract(tmp_path, "patterns.json", site.url(PATH), "-s", setting)
    assert json.loads(out)["title"] == story(HOST, NUMBER).title
    _, err = extract(tmp_path, "patterns.json", site.url("/missing"), "-s", setting, status=1)
    assert err == f"error: {site.url('/missing')}: the server answers 404\n"


def test_the_charset_of_a_page_that_declares_none(tmp_path: Path, site: WebServer) -> None:
    """The option --encoding holds for fetched pages, too."""
    PatternSet().save(tmp_path / "empty.json")
    arguments = ("empty.json", site.url("/euc"), "--fallback", "-c", "euc-jp", "--format", "text")
    out, _ = extract(tmp_path, *arguments)
    assert "日本" in out


def test_a_url_without_patterns(tmp_path: Path, site: WebServer) -> None:
    """No pattern file is needed; the page is read by itself."""
    out, err = extract(tmp_path, site.url(PATH))
    assert json.loads(out)["title"] == story(HOST, NUMBER).title
    assert err.startswith("1 page: 1 article (1 by the page alone)\n")


@pytest.mark.once
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_page_that_does_not_come_is_given_up(number: signal.Signals, status: int, tmp_path: Path) -> None:
    """The first signal waits for the page, and says how to end at once; the second ends the command."""

    def never(server: WebServer) -> str:
        server.closing.wait(60)
        return ""

    with serve() as server:
        server.pages["/slow"] = never
        command = ("extract", server.url("/slow"), "-s", "ROBOTSTXT_OBEY=0")
        with RunningScrapy(*command, cwd=tmp_path, env=os.environ) as process:
            deadline = time.monotonic() + 60
            while not server.asked and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(number)
            assert "once more ends the crawl at once" in process.stderr.readline()
            process.send_signal(number)
            ended, err = process.end()
        server.closing.set()
    assert ended == status, err
    assert err.count("\n") == 1
