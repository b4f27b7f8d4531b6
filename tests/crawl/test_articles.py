"""`scrapy articles URL`: a site is crawled, learned, and gives its articles, without a project."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from forked_scrapy import RunningScrapy, run_scrapy
from loopback import Answer, WebServer, links, redirect, serve, silent
from news_pages import article, index, story

from scrapy_webstemmer import PatternSet, extract
from scrapy_webstemmer.commands.crawled_sites import CrawledSite
from scrapy_webstemmer.storage import SqliteLearningSet

HOST = "127.0.0.1"
#: A server on this machine needs no rest.
FAST = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=0")
FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>{}</channel></rss>"""


def publish(server: WebServer, stories: int, archives: int) -> None:
    """Let a server have a site: a front page, archives of one page after the other, stories, other pages."""
    for number in range(1, stories + 1):
        server.pages[f"/story/{number}.html"] = article(HOST, number).body.decode()
    each = -(-stories // archives)
    for number in range(archives):
        told = [n for n in range(number * each + 1, (number + 1) * each + 1) if n <= stories]
        older = f'<p><a href="/archive/{number + 1}.html">Older stories</a></p></body>'
        body = index(HOST, number, told).body.decode()
        server.pages[f"/archive/{number}.html"] = body.replace("</body>", older, 1)
    server.pages["/"] = links("/archive/0.html", "/desk.html")
    server.pages["/desk.html"] = "<title>The desk</title><p>Write to the desk.</p>"


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Serve a site of 200 pages, with 120 articles."""
    with serve() as server:
        publish(server, 120, 78)
        yield server


@pytest.fixture
def middling_site() -> Iterator[WebServer]:
    """Serve a site of 80 pages, with 60 articles."""
    with serve() as server:
        publish(server, 60, 18)
        yield server


@pytest.fixture
def small_site() -> Iterator[WebServer]:
    """Serve a site of twelve articles."""
    with serve() as server:
        publish(server, 12, 3)
        yield server


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}


def crawl(folder: Path, *arguments: str, status: int = 0) -> list[str]:
    """Run `scrapy articles` in a folder; return the lines of its messages."""
    done = run_scrapy("articles", *arguments, *FAST, cwd=folder, env=environment(), strict=True)
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    return done.stderr.splitlines()


def started(folder: Path, server: WebServer, delay: float = 0.02) -> RunningScrapy:
    """Start `scrapy articles` in a folder, so slow that it can be ended before its end."""
    slow = ("-s", f"DOWNLOAD_DELAY={delay}", "-s", "AUTOTHROTTLE_ENABLED=0")
    command = ("articles", server.url(), "-O", "articles.jsonl", *slow)
    return RunningScrapy(*command, cwd=folder, env=environment())


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def told(numbers: Iterable[int]) -> list[tuple[str, str]]:
    return sorted((story(HOST, number).title, story(HOST, number).text) for number in numbers)


def found(path: Path) -> list[tuple[str, str]]:
    return sorted((row["title"], row["text"]) for row in rows(path))


def test_a_site_in_one_line(tmp_path: Path, site: WebServer) -> None:
    """All 120 articles of 200 pages come out; a table says what they lack, and a line how to look at them."""
    lines = crawl(tmp_path, site.url(), "-O", "articles.jsonl")
    assert found(tmp_path / "articles.jsonl") == told(range(1, 121))
    name = f"127.0.0.1-{site.port}"
    table = next(line for line in lines if line.startswith(name) and "fetched" not in line)
    assert table.split() == [name, "200", "120", "120", "0", "120", "120", "0"]
    assert lines[-1] == (f"{name}: to look at it: scrapy review {name}.patterns.json {name}.sqlite")
    names = {"articles.jsonl", f"{name}.sqlite", f"{name}.patterns.json"}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert set(PatternSet.load(tmp_path / f"{name}.patterns.json").sites) == {HOST}


def test_the_next_call_fetches_what_is_new(tmp_path: Path, small_site: WebServer) -> None:
    """Known articles are not fetched again, lists are; the file has old and new articles."""
    crawl(tmp_path, small_site.url(), "-O", "articles.jsonl")
    small_site.asked.clear()
    publish(small_site, 14, 3)
    lines = crawl(tmp_path, small_site.url(), "-O", "articles.jsonl")
    asked = Counter(small_site.paths())
    new = {"/story/13.html", "/story/14.html"}
    assert new <= asked.keys()
    assert not asked.keys() & {f"/story/{number}.html" for number in range(1, 13)}
    assert asked["/archive/0.html"] == 1
    assert found(tmp_path / "articles.jsonl") == told(range(1, 15))
    table = next(line for line in lines if line.startswith("127.0.0.1-"))
    assert table.split()[1:4] == ["19", "14", "2"]
    small_site.asked.clear()
    crawl(tmp_path, small_site.url(), "-O", "articles.jsonl", "--again")
    assert "/story/1.html" in small_site.paths()


def test_what_could_not_be_read_is_fetched_again(tmp_path: Path, small_site: WebServer) -> None:
    """Pages of an earlier call that are no HTML, or damaged in the file, are asked for again."""
    html = {"Content-Type": "text/html"}
    small_site.pages["/desk.html"] = Answer(b"\x89PNG\r\n" + bytes(range(256)), headers=html)
    crawl(tmp_path, small_site.url(), "-O", "articles.jsonl")
    with sqlite3.connect(tmp_path / f"127.0.0.1-{small_site.port}.sqlite") as connection:
        connection.execute("UPDATE page SET body = x'00' WHERE url LIKE '%/story/5.html'")
    small_site.pages["/desk.html"] = article(HOST, 40).body.decode()
    small_site.asked.clear()
    lines = crawl(tmp_path, small_site.url(), "-O", "articles.jsonl")
    assert {"/desk.html", "/story/5.html"} <= set(small_site.paths())
    assert not any("damaged" in line or "/desk.html" in line for line in lines)
    assert len(rows(tmp_path / "articles.jsonl")) == 13


@pytest.mark.once
def test_a_killed_crawl_goes_on(tmp_path: Path, middling_site: WebServer) -> None:
    """The same command fetches the pages that are missing, and gives all articles."""
    with started(tmp_path, middling_site) as process:
        deadline = time.monotonic() + 60
        while len(middling_site.asked) < 40 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    before = Counter(middling_site.paths())
    assert 30 < before.total() < 78
    assert not (tmp_path / "articles.jsonl").exists()
    middling_site.asked.clear()
    lines = crawl(tmp_path, middling_site.url(), "-O", "articles.jsonl")
    again = before & Counter(middling_site.paths())
    assert again.total() < 25  # pages are stored some at a time; those of the last moment are lost
    assert found(tmp_path / "articles.jsonl") == told(range(1, 61))
    table = next(line for line in lines if line.startswith("127.0.0.1-") and "fetched" not in line)
    assert table.split()[1:4] == ["80", "60", "60"]
    assert not list(tmp_path.glob("*.unfinished"))


@pytest.mark.once
@pytest.mark.parametrize(
    ("ended_by", "twice"),
    [(signal.SIGINT, False), (getattr(signal, "SIGHUP", signal.SIGINT), True)],
    ids=["once", "twice"],
)
def test_an_interrupt_ends_the_crawl_and_not_the_rest(
    ended_by: signal.Signals, twice: bool, tmp_path: Path, middling_site: WebServer
) -> None:
    """Ctrl-C, or a closed terminal, ends the crawl; what was fetched gives articles; the next goes on.

    The second Ctrl-C does not wait for the pages that are on the way. The status tells scripts of both.
    """
    held = article(HOST, 5).body.decode()

    def hold(server: WebServer) -> str:
        server.closing.wait(60)
        return held

    if twice:
        middling_site.pages["/story/5.html"] = hold
    with started(tmp_path, middling_site) as process:
        deadline = time.monotonic() + 60
        while len(middling_site.asked) < 45 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(ended_by)
        if twice:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
        status, err = process.end()
    assert status == 128 + ended_by, err
    assert err.splitlines()[-1].endswith(
        "the articles of the pages so far are written, and the same command goes on"
    )
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".jsonl", ".sqlite", ".unfinished"}
    assert "the crawl is not complete: somebody has ended it; the same command goes on" in err
    first = len(rows(tmp_path / "articles.jsonl"))
    assert 5 < first < 60
    middling_site.pages["/story/5.html"] = held
    crawl(tmp_path, middling_site.url(), "-O", "articles.jsonl")
    assert found(tmp_path / "articles.jsonl") == told(range(1, 61))


@pytest.mark.once
def test_an_interrupt_before_any_article(tmp_path: Path) -> None:
    """A line says so, the status is that of an interrupt, and an earlier file stays as it is."""
    earlier = '{"url": "http://news.example/", "text": ""}'
    (tmp_path / "articles.jsonl").write_text(earlier)
    with serve() as server:
        server.pages["/"] = links(*(f"/{number}" for number in range(200)))
        server.pages |= {f"/{number}": links("/") for number in range(200)}
        with started(tmp_path, server, delay=0.1) as process:
            deadline = time.monotonic() + 60
            while len(server.asked) < 3 and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            status, err = process.end()
    assert status == 130, err
    assert err.splitlines()[-1] == "interrupted: the pages are kept, and the same command goes on"
    assert (tmp_path / "articles.jsonl").read_text() == earlier


@pytest.mark.once
def test_a_site_that_does_not_answer_any_more(tmp_path: Path) -> None:
    """The stored articles are written; a line says why nothing came, and the status is 1."""
    with serve() as server:
        publish(server, 12, 3)
        crawl(tmp_path, server.url(), "-O", "articles.jsonl")
    with silent(server.port):
        lines = crawl(tmp_path, server.url(), "-O", "articles.jsonl", status=1)
    assert f"127.0.0.1-{server.port}: no start url gives a page: Connection was refused" in "\n".join(lines)
    assert lines[-1] == "error: no site answers; the articles are those of earlier calls"
    assert found(tmp_path / "articles.jsonl") == told(range(1, 13))


@pytest.mark.once
def test_large_pages(tmp_path: Path, small_site: WebServer) -> None:
    """Pages are as large as they may be elsewhere; a line says which setting raises that."""
    for number, size in ((3, 2_000_000), (4, 12_000_000)):
        small_site.pages[f"/story/{number}.html"] += f"<!--{size * 'x'}-->"
    small_site.pages["/story/5.html"] += "<i></i>" * 60_000
    lines = crawl(tmp_path, small_site.url(), "-O", "articles.jsonl")
    assert found(tmp_path / "articles.jsonl") == told([*range(1, 4), *range(6, 13)])
    url = small_site.url("/story/4.html")
    said = f'1 url gave no page, such as {url}: it is too large; -s \'WEBSTEMMER_LIMITS={{"page_size": '
    assert any(said in line for line in lines)
    name = f"127.0.0.1-{small_site.port}"
    assert f"{name}: 1 page beyond the limit elements, see WEBSTEMMER_LIMITS" in lines
    limits = 'WEBSTEMMER_LIMITS={"page_size": 100000000, "elements": 100000}'
    crawl(tmp_path, small_site.url(), "-O", "articles.jsonl", "-s", limits)
    assert found(tmp_path / "articles.jsonl") == told(range(1, 13))


@pytest.mark.once
def test_enough_pages_are_enough(tmp_path: Path, small_site: WebServer) -> None:
    """--pages bounds the requests of one call; the next one goes on, with other pages."""
    lines = crawl(tmp_path, small_site.url(), "-O", "articles.jsonl", "--pages", "10")
    assert len(small_site.paths()) == 10
    assert any("not sent, see --pages; the same command goes on" in line for line in lines)
    (tmp_path / "other").mkdir()
    (line,) = crawl(tmp_path / "other", small_site.url(), "-O", "articles.jsonl", "--pages", "2", status=1)
    assert "2 pages, and none is an article" in line
    assert line.endswith("not sent, see --pages; the same command goes on")
    del small_site.asked[10:]
    first = Counter(small_site.paths())
    crawl(tmp_path, small_site.url(), "-O", "articles.jsonl", "--pages", "10")
    assert not first & Counter(small_site.paths()[10:])
    assert found(tmp_path / "articles.jsonl") == told(range(1, 13))


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ("finished", ""),
        ("", ""),
        ("closespider_timeout", "the minutes were over"),
        ("memusage_exceeded", "Scrapy has ended it (memusage_exceeded)"),
    ],
)
def test_what_has_ended_a_crawl_is_said(ended: str, said: str) -> None:
    """Whatever has ended a crawl before its time is named, also if it has no article."""
    site = CrawledSite("news.example", [], Path("news.sqlite"), ended=ended)
    assert site.missing == (said and f"the crawl is not complete: {said}; the same command goes on")
    assert site.missing in site.reason


@pytest.mark.once
def test_rules_say_what_is_fetched(tmp_path: Path, small_site: WebServer) -> None:
    """--reject leaves pages out; --accept names the only ones, beside the start pages."""
    crawl(tmp_path, small_site.url(), "-O", "articles.jsonl", "--reject", r"/story/1\d*\.html")
    assert found(tmp_path / "articles.jsonl") == told(range(2, 10))
    assert "/story/1.html" not in small_site.paths()
    small_site.asked.clear()
    folder = tmp_path / "other"
    folder.mkdir()
    crawl(folder, small_site.url("/archive/0.html"), "-O", "articles.jsonl", "--accept", "/story/")
    assert set(small_site.paths()) == {"/archive/0.html", *(f"/story/{n}.html" for n in range(1, 16))}


def test_feeds_and_sitemaps_begin_a_crawl(tmp_path: Path, small_site: WebServer) -> None:
    """A feed leads to the articles that it announces, and they to the others."""
    items = "".join(f"<item><link>{small_site.url(f'/story/{n}.html')}</link></item>" for n in range(1, 9))
    headers = {"Content-Type": "application/rss+xml"}
    small_site.pages["/feed.xml"] = Answer(FEED.format(items).encode(), headers=headers)
    crawl(tmp_path, small_site.url("/feed.xml"), "-O", "articles.jsonl")
    assert found(tmp_path / "articles.jsonl") == told(range(1, 13))


@pytest.mark.once
def test_several_sites_have_a_file_each(tmp_path: Path, small_site: WebServer) -> None:
    """Each site has a learning set and a row of its own; all articles are in one file."""
    with serve() as other:
        publish(other, 8, 2)
        lines = crawl(tmp_path, small_site.url(), other.url(), "http://127.0.0.1:9/", "-O", "articles.csv")
    assert not (tmp_path / "127.0.0.1-9.sqlite").exists()
    for port, articles in ((small_site.port, "12"), (other.port, "8")):
        assert (tmp_path / f"127.0.0.1-{port}.sqlite").exists()
        row = next(line for line in lines if line.startswith(f"127.0.0.1-{port} "))
        assert row.split()[2] == articles
    assert any(line.startswith("127.0.0.1-9: no article: Connection was refused") for line in lines)
    assert len((tmp_path / "articles.csv").read_text(encoding="utf-8").splitlines()) > 20


@pytest.mark.once
def test_one_page_in_four_ways(tmp_path: Path, small_site: WebServer) -> None:
    """A page gives the same article as a url, as a file, in Python, and as the only page of a crawl."""
    url = small_site.url("/story/5.html")
    html = article(HOST, 5).body
    crawl(tmp_path, url, "-O", "crawled.jsonl", "--pages", "1")
    (tmp_path / "page.html").write_bytes(html)
    for name, given in (("fetched.jsonl", [url]), ("file.jsonl", ["page.html", "--url", url])):
        done = run_scrapy("extract", *given, "-O", name, cwd=tmp_path, env=environment(), strict=True)
        assert done.returncode == 0, done.stderr
    (expected,) = rows(tmp_path / "crawled.jsonl")
    assert (expected["title"], expected["text"]) == (story(HOST, 5).title, story(HOST, 5).text)
    assert rows(tmp_path / "fetched.jsonl") == rows(tmp_path / "file.jsonl") == [expected]
    for page in (html, html.decode()):
        own = extract(page, url=url).to_dict()
        assert own | {"language": None} == expected  # the other processes have no model of languages


LOGIN = '<title>Log in</title><form><input name="user"><input type="password" name="word"></form>'


@pytest.mark.parametrize(
    ("pages", "start", "reason"),
    [
        ({}, "/nothing", "the server answers 404"),
        (
            {"/": links("/a", "/b"), "/a": links("/"), "/b": links("/a")},
            "/",
            "3 pages, and none is an article, mostly because it is not an article, but a list",
        ),
        ({"/": redirect("/login"), "/login": LOGIN}, "/", "it asks for a login; -s WEBSTEMMER_COOKIE_FILE="),
        ({"/": Answer(b"no", status=403)}, "/", "the server answers 403; -s WEBSTEMMER_COOKIE_FILE="),
        (
            {
                "/robots.txt": Answer(b"User-agent: *\nDisallow: /", headers={"Content-Type": "text/plain"}),
                "/": links("/a"),
            },
            "/",
            "its robots.txt forbids to crawl it; -s ROBOTSTXT_OBEY=0",
        ),
        (
            {"/a.pdf": Answer(b"%PDF-1.4", headers={"Content-Type": "application/pdf"})},
            "/a.pdf",
            "it announces no page: it is no RSS or Atom feed",
        ),
        (
            {"/a.gz": Answer(gzip.compress(b"<urlset>")[:9], headers={"Content-Type": "application/gzip"})},
            "/a.gz",
            "it is skipped: Compressed file ended",
        ),
    ],
    ids=["missing", "no articles", "login page", "forbidden", "robots", "no feed", "cut off"],
)
def test_no_article_is_one_line(tmp_path: Path, pages: dict[str, Any], start: str, reason: str) -> None:
    """If a site gives nothing, one line says why, and the status is 1."""
    with serve() as server:
        server.pages.update(pages)
        (line,) = crawl(tmp_path, server.url(start), "-O", "articles.jsonl", status=1)
        assert line.startswith(f"error: {server.url(start)}: {reason}")
    assert not (tmp_path / "articles.jsonl").exists()
    assert {path.suffix for path in tmp_path.iterdir()} <= {".sqlite", ".json"}


def test_a_setting_that_is_wrong_is_one_line(tmp_path: Path, small_site: WebServer) -> None:
    """If no crawl can begin, one line says why, and an earlier file and the pages stay as they are."""
    crawl(tmp_path, small_site.url(), "-O", "articles.jsonl")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    wrong = ["-s", "WEBSTEMMER_COOKIE_FILE=cookies.txt"]
    (line,) = crawl(tmp_path, small_site.url(), "-O", "articles.jsonl", *wrong, status=1)
    reason = "WEBSTEMMER_COOKIE_FILE='cookies.txt': No such file or directory"
    assert line == f"error: {small_site.url()}: {reason}"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_pages_that_cannot_be_stored_are_said(tmp_path: Path, small_site: WebServer) -> None:
    """If the learning set refuses pages, a line says why, the status is 1, and the crawl is not over."""
    name = f"127.0.0.1-{small_site.port}"
    SqliteLearningSet(tmp_path / f"{name}.sqlite").close()
    with sqlite3.connect(tmp_path / f"{name}.sqlite") as connection:
        (made,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'page'").fetchone()
        refusing = f"{made.rstrip()[:-1]}, CHECK (url NOT LIKE '%/story/7.html'))"
        connection.execute("PRAGMA writable_schema = 1")
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'page'", (refusing,))
    lines = crawl(tmp_path, small_site.url(), "-O", "articles.jsonl", status=1)
    said = f"{name}: 1 page could not be stored, such as {small_site.url('/story/7.html')}: "
    assert any(line.startswith(said) and "CHECK constraint failed" in line for line in lines)
    assert lines[-1] == "error: the articles are those of the stored pages; the same command goes on"
    assert len(rows(tmp_path / "articles.jsonl")) == 11
    assert (tmp_path / f"{name}.unfinished").exists()


def test_a_learning_set_that_is_none_is_found_before_any_crawl(tmp_path: Path, small_site: WebServer) -> None:
    """A learning set of another version, or of another kind, ends the command before it fetches or writes."""
    two = [small_site.url(), f"http://localhost:{small_site.port}/"]
    name = f"localhost-{small_site.port}.sqlite"
    with sqlite3.connect(tmp_path / name) as connection:
        connection.executescript(
            f"PRAGMA application_id = {0x5753544D}; PRAGMA user_version = 7; CREATE TABLE a (b)"
        )
    (line,) = crawl(tmp_path, *two, "-O", "articles.jsonl", status=1)
    assert line == f"error: {name}: has format version 7; this release reads 1"
    (tmp_path / name).write_text('{"url": "http://a/", "text": ""}')
    (line,) = crawl(tmp_path, *two, "-O", "articles.jsonl", status=2)
    assert f"{name}: is a file of articles" in line
    assert small_site.asked == []
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "give the URL of at least one site"),
        (["news.example"], "news.example: must begin with http:// or https://"),
        (["http://127.0.0.1:9/", "-O", "nowhere/a.jsonl"], "there is no folder nowhere"),
        (["http://127.0.0.1:9/", "-O", "a.txtt"], "the ending .txtt is not that of a known format"),
        (["http://127.0.0.1:9/", "--pages", "-1"], "--pages: must be a whole number from 0 on"),
        (["http://127.0.0.1:9/", "--minutes", "a few"], "--minutes: must be a whole number from 0 on"),
        (["http://127.0.0.1:99999/"], "must begin with http:// or https:// and a host"),
        (["http://127.0.0.1:9/", "--learning-set", "a.zip"], "a.zip: a zip cannot keep the pages of a site"),
        (["http://127.0.0.1:9/", "--accept", "["], "--accept/--reject"),
        (["http://127.0.0.1:9/", "http://127.0.0.2:9/", "--learning-set", "a.sqlite"], "there are several"),
    ],
)
def test_a_wrong_argument_is_one_line(tmp_path: Path, arguments: list[str], reason: str) -> None:
    """A wrong argument is an error before anything is fetched or written."""
    (line,) = crawl(tmp_path, *arguments, status=2)
    assert line.startswith("scrapy articles: error: ")
    assert reason in line
    assert list(tmp_path.iterdir()) == []


def test_a_project_gives_its_settings(project: Any, small_site: WebServer) -> None:
    """Inside a project its settings hold: here the user agent, and an option of extraction."""
    project.add_settings(
        'USER_AGENT = "press project"\nADDONS = {"scrapy_webstemmer.Addon": 500}\n'
        'WEBSTEMMER_LEARNING_SET = "own.sqlite"\nWEBSTEMMER_LEARN = True\n'
        'WEBSTEMMER_EXTRACT_OPTIONS = {"html": False}\nITEM_PIPELINES = {"missing.Pipeline": 1}'
    )
    crawl(project.folder, small_site.url(), "-O", "articles.jsonl")
    assert small_site.headers("/story/1.html")["User-Agent"] == "press project"
    assert found(project.folder / "articles.jsonl") == told(range(1, 13))
    assert {row["html"] for row in rows(project.folder / "articles.jsonl")} == {""}
    assert not (project.folder / "own.sqlite").exists()
