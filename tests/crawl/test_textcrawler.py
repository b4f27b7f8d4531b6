"""The textcrawler against a local server: its arguments, its redirects, and servers that misbehave."""

from __future__ import annotations

import gzip
import logging
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from loopback import Answer, Raw, WebServer, links, redirect, serve

from scrapy_webstemmer.storage.sqlite import SqliteLearningSet
from scrapy_webstemmer.textcrawler.spiders import TextCrawler
from scrapy_webstemmer.values import Announcement

Run = Callable[..., Any]


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Serve on loopback the pages that a test puts into ``pages``."""
    with serve() as server:
        yield server


@pytest.fixture
def run(crawl: Run, site: WebServer) -> Run:
    """Return a function that crawls the site from ``/``, page by page, and returns the results."""

    def crawl_site(settings: dict[str, Any] | None = None, **arguments: Any) -> Any:
        one_by_one = {"CONCURRENT_REQUESTS": 1, **(settings or {})}
        return crawl(TextCrawler, one_by_one, **{"url": site.url(), **arguments})

    return crawl_site


def stored(path: Path) -> dict[str, bytes]:
    """Return the bodies in a learning set by the paths of their urls."""
    with SqliteLearningSet(path) as learning_set:
        return {urlsplit(page.url).path: page.body for page in learning_set}


def chain(site: WebServer, length: int = 4) -> None:
    """Make a site of pages that each link to the next: /, /1, /2 …"""
    site.pages["/"] = links("/1")
    site.pages.update({f"/{n}": links(f"/{n + 1}") for n in range(1, length)})
    site.pages[f"/{length}"] = links()


def never(server: WebServer) -> Raw:
    """Answer only when the test is over."""
    server.closing.wait(60)
    return Raw(b"")


# --- arguments ---


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        ({}, ["/", "/1"]),
        ({"depth": "0"}, ["/"]),
        ({"depth": "2"}, ["/", "/1", "/2"]),
        ({"depth": "unlimited"}, ["/", "/1", "/2", "/3", "/4"]),
        ({"depth": "none"}, ["/", "/1", "/2", "/3", "/4"]),
    ],
)
def test_depth(arguments: dict[str, str], paths: list[str], run: Run, site: WebServer) -> None:
    """Links are followed to the depth that is asked for; by default it is 1, as in 2009."""
    chain(site)
    run(**arguments)
    assert site.paths() == paths


def test_pages_near_the_start_come_first(run: Run, site: WebServer) -> None:
    """Each page has two links; no page comes before a page that is nearer to the start."""
    names = ["/", "/a", "/b", "/aa", "/ab", "/ba", "/bb"]
    site.pages = {name: links(f"{name.rstrip('/') or '/'}a", f"{name.rstrip('/') or '/'}b") for name in names}
    run(depth="2")
    assert site.paths() == names


def test_failure_does_not_wait_for_the_end(run: Run, site: WebServer) -> None:
    """A page that is tried again comes before pages that are farther from the start."""
    chain(site)
    answers = iter([Answer(b"", status=500), links()])
    site.pages |= {"/": links("/fails", "/1", "/last"), "/fails": lambda server: next(answers)}
    run(depth="unlimited")
    assert site.paths() == ["/", "/fails", "/1", "/last", "/fails", "/2", "/3", "/4"]


def test_several_start_urls(run: Run, site: WebServer) -> None:
    """Each of several urls is a start page, and each folder belongs to the area."""
    site.pages = {"/a/": links("/a/1", "/b/2", "/c/3"), "/b/": links()}
    run(url=f"{site.url('/a/')} {site.url('/b/')}")
    assert sorted(site.paths()) == ["/a/", "/a/1", "/b/", "/b/2"]


def test_start_page_is_fetched_once(run: Run, site: WebServer) -> None:
    """Links to the start page, and to the target of its redirect, do not fetch it again."""
    site.pages = {
        "/": redirect("/home"),
        "/home": links("/", "/home", "/a", "/a#part"),
        "/a": links("/", "/home"),
    }
    run(depth="unlimited")
    assert site.paths() == ["/", "/home", "/a"]


def sitemap(*urls: str, inside: str = "url") -> bytes:
    return f"<x>{''.join(f'<{inside}><loc>{url}</loc></{inside}>' for url in urls)}</x>".encode()


def test_a_sitemap_is_a_start_page(run: Run, site: WebServer) -> None:
    """A robots.txt leads to an index, the index to sitemaps of its host, and these to pages of the host."""
    xml, other = {"Content-Type": "application/xml"}, site.url("/b.xml", "localhost")
    pages = sitemap("/news/1", "/news/1.jpg", site.url("/2"), "http://elsewhere.example/3", "mailto:x")
    site.pages = {
        "/robots.txt": Answer(b"Sitemap: /maps/index.xml", headers={"Content-Type": "text/plain"}),
        "/maps/index.xml": Answer(
            sitemap("/maps/a.xml.gz", "/maps/c.xml", other, inside="sitemap"), headers=xml
        ),
        "/maps/a.xml.gz": Answer(gzip.compress(pages), headers={"Content-Type": "application/x-gzip"}),
        "/maps/c.xml": Answer(gzip.compress(pages)[:40], headers={"Content-Type": "application/x-gzip"}),
        "/news/1": links("/news/more"),
        "/2": links(),
    }
    run(url=site.url("/robots.txt"), robots="no")
    maps = ["/robots.txt", "/maps/index.xml", "/maps/a.xml.gz", "/maps/c.xml"]
    assert site.paths() == [*maps[1:], "/news/1", "/2"]  # the server does not count robots.txt
    site.asked.clear()
    run(url=site.url("/maps/index.xml"), robots="no", accept="/2", reject="/news/")
    assert site.paths() == [*maps[1:], "/2"]


def test_a_feed_is_a_start_page(run: Run, site: WebServer) -> None:
    """The pages of a feed are as far away as links of a start page, wherever they are on its host."""
    items = (f"<item><link>{path}</link></item>" for path in ("/news/1", "/1.png", "/"))
    feed = f"<rss>{''.join(items)}</rss>".encode()
    site.pages = {
        "/blog/feed/": Answer(feed, headers={"Content-Type": "application/rss+xml"}),
        "/news/1": links("/news/2"),
        "/news/2": links("/blog/feed/"),
        "/": links(),
    }
    run(url=site.url("/blog/feed/"), depth="2")
    assert site.paths() == ["/blog/feed/", "/news/1", "/", "/news/2"]


FEED = {"Content-Type": "application/rss+xml"}


def feed_of(*urls: str, more: str = "") -> Answer:
    items = "".join(f"<item><link>{url}</link></item>" for url in urls)
    return Answer(f"<rss>{more}{items}</rss>".encode(), headers=FEED)


@pytest.mark.parametrize("document", ["feed", "sitemap", "index", "robots"])
def test_what_stands_on_another_host(document: str, run: Run, site: WebServer, caplog: Any) -> None:
    """A feed or a sitemap on another host leads to its pages, not beyond, and the log says how to go on."""
    urls = [site.url(path, "localhost") for path in ("/1", "/2", "/3.jpg", "/old")]
    maps = site.url("/maps.xml", "localhost")
    site.pages = {
        "/feed": feed_of(*urls),
        "/maps.xml": Answer(sitemap(*urls), headers=FEED),
        "/index.xml": Answer(sitemap(maps, inside="sitemap"), headers=FEED),
        "/robots.txt": Answer(f"Sitemap: {maps}".encode(), headers={"Content-Type": "text/plain"}),
        "/1": links("/beyond", site.url("/also", "localhost")),
        "/2": links(),
        "/old": redirect("/new"),
        "/new": links(),
    }
    start = {"feed": "/feed", "sitemap": "/maps.xml", "index": "/index.xml", "robots": "/robots.txt"}[
        document
    ]
    run(url=site.url(start), depth="2", robots="no")
    assert sorted({*site.paths()} - {start, "/maps.xml", "/robots.txt"}) == ["/1", "/2", "/new", "/old"]
    assert (
        f"announces 4 pages such as {urls[0]}, and none of them is in its folder or on its host"
        in caplog.text
    )
    assert "accept=REGEX" in caplog.text


def test_what_accept_leaves_out(run: Run, site: WebServer, caplog: Any) -> None:
    """If the user says what is accepted, nothing else is; the log says if that is nothing."""
    urls = [site.url(path, "localhost") for path in ("/1", "/2")]
    site.pages = {"/feed": feed_of(*urls), "/1": links(), "/2": links()}
    run(url=site.url("/feed"), robots="no", accept="/story/")
    assert site.paths() == ["/feed"]
    assert f"announces 2 pages such as {urls[0]}, and accept leaves out all of them" in caplog.text
    site.asked.clear()
    run(url=site.url("/feed"), robots="no", reject="/2")
    assert sorted(site.paths()) == ["/1", "/feed"]
    site.asked.clear()
    run(url=site.url("/feed"), robots="no", accept="//localhost:.*/2")
    assert sorted(site.paths()) == ["/2", "/feed"]


def test_own_pages_come_before_those_elsewhere(run: Run, site: WebServer) -> None:
    """A feed that has pages of its own host leads to these alone."""
    site.pages = {"/feed": feed_of("/1", site.url("/2", "localhost")), "/1": links(), "/2": links()}
    run(url=site.url("/feed"), robots="no")
    assert site.paths() == ["/feed", "/1"]


@pytest.mark.parametrize(
    "start",
    [
        feed_of("/1", "/2", more="<x>&#xD83D;&#0;&nbsp;&</x>"),
        feed_of("/1&#xD83D;", "/2&#0;", "http://[/3"),
        Answer(sitemap("/1", "/2&#x1F;", "http://a.example:99999/"), headers=FEED),
        Answer(b"<item><link>/1</link><link>/2</link></item>", headers=FEED),
    ],
)
def test_a_damaged_feed(start: Answer, run: Run, site: WebServer) -> None:
    """What is wrong in it costs no other url."""
    site.pages = {"/feed": start, "/1": links(), "/2": links()}
    run(url=site.url("/feed"), robots="no")
    assert site.paths() == ["/feed", "/1", "/2"]


def test_a_start_page_that_announces_nothing(run: Run, site: WebServer, caplog: Any) -> None:
    """The log says so."""
    site.pages = {"/feed": Answer(b"no feed", headers={"Content-Type": "text/plain"})}
    run(url=site.url("/feed"), robots="no")
    assert "/feed> announces no page: it is no RSS or Atom feed, no XML sitemap" in caplog.text


def test_area(run: Run, site: WebServer) -> None:
    """By default only urls under the start url's folder are followed, without images and archives."""
    local = ["/news/a", "/news/deep/b", "/newsroom/c", "/", "/news/d.jpg", "/news/e.PDF", "/news/f.webp?w=1"]
    foreign = [site.url("/news/g", "localhost"), f"https://127.0.0.1:{site.port + 1}/news/h"]
    site.pages = {"/news/index.html": links(*local, *foreign)}
    run(url=site.url("/news/index.html"))
    assert site.paths() == ["/news/index.html", "/news/a", "/news/deep/b"]


def test_accept_and_reject_are_tried_in_order(run: Run, site: WebServer) -> None:
    """The first rule that is found in a url decides. Without any, it is followed if no rule accepts urls."""
    site.pages = {"/": links("/news/1", "/news/old/2", "/news/old/best/3", "/tag/4", "/other")}
    run(accept="/best/", reject="/old/ /tag/", accept2="/news/ /tag/")
    assert site.paths() == ["/", "/news/1", "/news/old/best/3"]
    site.asked.clear()
    run(accept="/news/", reject="/old/")
    assert site.paths() == ["/", "/news/1", "/news/old/2", "/news/old/best/3"]
    site.asked.clear()
    run(reject="/old/")  # alone: the rest is followed where it would be without
    assert site.paths() == ["/", "/news/1", "/tag/4", "/other"]


def test_rules_take_the_place_of_the_area(run: Run, site: WebServer) -> None:
    """With its own rules a crawl may leave the folder and the host, and fetch any kind of file."""
    site.pages = {"/news/": links("/other", "/report.pdf", site.url("/more", "localhost"))}
    run(url=site.url("/news/"), accept=".")
    assert site.paths("127.0.0.1") == ["/news/", "/other", "/report.pdf"]
    assert site.paths("localhost") == ["/more"]


def test_cookie_file(run: Run, site: WebServer, tmp_path: Path) -> None:
    """Cookies of a file go to their hosts and paths, together with those that the site sets."""
    rows = [
        ("127.0.0.1", "FALSE", "/", "FALSE", "0", "everywhere", "1"),
        ("127.0.0.1", "FALSE", "/members", "FALSE", "0", "members", "2"),
        ("127.0.0.1", "FALSE", "/", "TRUE", "0", "https", "3"),
        ("#HttpOnly_localhost", "FALSE", "/", "FALSE", "0", "other", "4"),
    ]
    lines = ["# Netscape HTTP Cookie File", *("\t".join(row) for row in rows)]
    (tmp_path / "cookies.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    before = (tmp_path / "cookies.txt").read_bytes()
    site.pages["/"] = Answer(
        links("/members/a", site.url("/b", "localhost")).encode(), headers={"Set-Cookie": "session=5; Path=/"}
    )
    run(cookies=str(tmp_path / "cookies.txt"), accept=".")
    assert site.headers("/")["Cookie"] == "everywhere=1"
    assert set(site.headers("/members/a")["Cookie"].split("; ")) == {"everywhere=1", "members=2", "session=5"}
    assert site.headers("/b")["Cookie"] == "other=4"
    assert (tmp_path / "cookies.txt").read_bytes() == before


def test_charset(run: Run, site: WebServer, tmp_path: Path) -> None:
    """Pages that declare no charset are stored, and their links read, with the given one."""
    html = '<title>天気</title><a href="/next?q=天気">天気の記事</a>'
    site.pages["/"] = Answer(html.encode("euc-jp"), headers={"Content-Type": "text/html"})
    run(charset="euc-jp", output=str(tmp_path / "set.sqlite"))
    assert site.paths() == ["/", "/next?q=%C5%B7%B5%A4"]
    with SqliteLearningSet(tmp_path / "set.sqlite") as learning_set:
        assert [page.encoding for page in learning_set] == ["euc_jp"]
        assert [text for _, texts in learning_set.linkinfo().items() for text in texts] == ["天気の記事"]


def test_index(run: Run, site: WebServer) -> None:
    """The name of the index file is added to folders, so that both spellings are one page."""
    site.pages = {"/index.html": links("/", "/index.html", "/a/", "/a/index.html", "/b/?next=/", "/c")}
    run(index="index.html")
    assert site.paths() == ["/index.html", "/a/index.html", "/b/?next=/", "/c"]


def test_timeout(run: Run, site: WebServer, tmp_path: Path) -> None:
    """A page that exceeds the timeout is given up, and the crawl goes on."""
    site.pages = {"/": links("/slow", "/quick"), "/quick": links()}
    site.pages["/slow"] = never
    outcome = run({"RETRY_TIMES": 1}, timeout="0.3", output=str(tmp_path / "set.sqlite"))
    assert set(stored(tmp_path / "set.sqlite")) == {"/", "/quick"}
    assert site.paths().count("/slow") == 2
    assert outcome.stats["finish_reason"] == "finished"


def test_max_size(run: Run, site: WebServer, tmp_path: Path) -> None:
    """Pages beyond the limit are refused, whether they state their size, hide it, or are compressed."""
    large = b"<p>" + b"word " * 1000
    chunks = b"1000\r\n" + large[:4096] + b"\r\n0\r\n\r\n"
    site.pages = {
        "/": links("/said", "/hidden", "/packed", "/small"),
        "/said": Answer(large),
        "/hidden": Answer(chunks, headers={"Transfer-Encoding": "chunked"}),
        "/packed": Answer(gzip.compress(large), headers={"Content-Encoding": "gzip"}),
        "/small": links(),
    }
    run({"RETRY_ENABLED": False}, max_size="2000", output=str(tmp_path / "small.sqlite"))
    assert set(stored(tmp_path / "small.sqlite")) == {"/", "/small"}
    run(output=str(tmp_path / "all.sqlite"))
    assert len(stored(tmp_path / "all.sqlite")) == 5


def test_size_limit_of_2009(run: Run, site: WebServer, tmp_path: Path) -> None:
    """Without an argument the limit is a million bytes."""
    site.pages = {"/": links("/a", "/b"), "/a": Answer(b"a" * 1_000_000), "/b": Answer(b"b" * 1_000_001)}
    run({"RETRY_ENABLED": False}, output=str(tmp_path / "set.sqlite"))
    assert set(stored(tmp_path / "set.sqlite")) == {"/", "/a"}


def test_robots(run: Run, site: WebServer) -> None:
    """robots.txt is obeyed, even outside the area, unless that is switched off."""
    site.pages = {
        "/robots.txt": Answer(
            b"User-agent: *\nDisallow: /news/admin/\n", headers={"Content-Type": "text/plain"}
        ),
        "/news/": links("/news/a", "/news/admin/b"),
    }
    run(url=site.url("/news/"))
    assert site.paths() == ["/news/", "/news/a"]
    site.asked.clear()
    run(url=site.url("/news/"), robots="no")
    assert site.paths() == ["/news/", "/news/a", "/news/admin/b"]
    assert "/robots.txt" not in [one.path for one in site.asked]


NOFOLLOW = {
    "a link": Answer(b"<a href='/a' rel='external nofollow'>A</a>"),
    "the page": Answer(b"<meta name=ROBOTS content='noarchive, NoFollow'><a href='/a'>A</a>"),
    "none": Answer(b"<meta name=robots content=none><a href='/a'>A</a>"),
    "a header": Answer(b"<a href='/a'>A</a>", headers={"X-Robots-Tag": "noindex, nofollow"}),
}


@pytest.mark.parametrize("page", NOFOLLOW.values(), ids=NOFOLLOW)
def test_nofollow(page: Answer, run: Run, site: WebServer) -> None:
    """Nofollow links, and links of nofollow pages, are followed only if that is asked for."""
    site.pages["/"] = page
    run()
    assert site.paths() == ["/"]
    run(nofollow="no")
    assert site.paths() == ["/", "/", "/a"]


def test_output_timestamp_and_linkinfo(run: Run, site: WebServer, tmp_path: Path) -> None:
    """A prefix gives a zip with linkinfo; its name and its members' names have the timestamp."""
    site.pages = {"/": links("/a"), "/a": links()}
    run(output=str(tmp_path / "news"), timestamp="200906011200", linkinfo="refs")
    with zipfile.ZipFile(tmp_path / "news.200906011200.zip") as archive:
        names = set(archive.namelist())
        assert f"200906011200/127.0.0.1:{site.port}/a" in names
        assert b"Link number 0" in archive.read("refs")


def test_linkinfo_off(run: Run, site: WebServer, tmp_path: Path) -> None:
    """With an empty name no anchor texts are recorded."""
    site.pages = {"/": links("/a")}
    run(output=str(tmp_path / "set.sqlite"), linkinfo="")
    with SqliteLearningSet(tmp_path / "set.sqlite") as learning_set:
        assert len(list(learning_set)) == 1
        assert learning_set.linkinfo() is None


def test_urldb(run: Run, site: WebServer, tmp_path: Path) -> None:
    """With a URLDB the second crawl skips pages that the first one has stored."""
    site.pages = {"/": links("/a", "/b"), "/a": links(), "/b": links()}
    arguments = {"output": str(tmp_path / "set.sqlite"), "urldb": str(tmp_path / "seen.urldb")}
    run(**arguments)
    assert site.paths() == ["/", "/a", "/b"]
    run(**arguments)
    assert site.paths() == ["/", "/a", "/b", "/"]


def test_delay(run: Run, site: WebServer, caplog: pytest.LogCaptureFixture) -> None:
    """The argument sets Scrapy's delay."""
    run(delay="0.01")
    assert "'DOWNLOAD_DELAY': 0.01" in caplog.text


# --- links ---


def test_kinds_of_links(run: Run, site: WebServer) -> None:
    """Links of anchors, image maps, frames and inline frames are followed, and no others."""
    site.pages["/"] = (
        "<a href='/anchor'>A</a><map><area href='/area'></map><iframe src='/iframe'></iframe>"
        "<img src='/img'><link rel=next href='/link'><script src='/script'></script><form action='/form'>"
    )
    site.pages["/iframe"] = "<html><frameset><frame src='/frame'></frameset></html>"
    run(depth="2")
    assert site.paths() == ["/", "/anchor", "/area", "/iframe", "/frame"]


def test_links_behind_the_end_of_a_page(run: Run, site: WebServer) -> None:
    """They are followed: browsers show them."""
    site.pages["/"] = "<html><body><a href='/a'>A</a></body></html>\n<p><a href='/b'>B</a></p>"
    site.pages |= {"/a": "<p>A", "/b": "<p>B"}
    run()
    assert site.paths() == ["/", "/a", "/b"]


def test_base(run: Run, site: WebServer) -> None:
    """Relative links start from the page's base."""
    site.pages["/"] = "<base href='/deep/folder/'><a href='a'>A</a><a href='../b'>B</a>"
    run()
    assert site.paths() == ["/", "/deep/folder/a", "/deep/b"]


def test_impossible_links(
    run: Run, site: WebServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Links to nowhere, to local files and to invalid urls are skipped without a message."""
    secret = tmp_path / "secret.html"
    secret.write_text("<p>secret", encoding="utf-8")
    bad = [
        "http://[broken/",
        "http://",
        "http://h:99999/",
        "http://h:port/",
        "mailto:a@b",
        "data:,x",
    ]
    site.pages = {
        "/": links(*bad, "javascript:go()", secret.as_uri(), "//", "ftp://h/", "/good"),
        "/good": links(),
    }
    outcome = run(accept=".", output=str(tmp_path / "set.sqlite"))
    assert site.paths() == ["/", "/good"]
    assert set(stored(tmp_path / "set.sqlite")) == {"/", "/good"}
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert outcome.stats["downloader/request_count"] == 3


def test_other_kinds_of_content(run: Run, site: WebServer, tmp_path: Path) -> None:
    """HTML and XHTML are stored and followed, and nothing else is, whatever its name."""
    kinds = {
        "html": "text/html",
        "xhtml": "application/xhtml+xml",
        "plain": "text/plain",
        "pdf": "application/pdf",
    }
    site.pages["/"] = links(*(f"/{name}" for name in kinds))
    for name, kind in kinds.items():
        site.pages[f"/{name}"] = Answer(links(f"/from-{name}").encode(), headers={"Content-Type": kind})
    run(depth="2", output=str(tmp_path / "set.sqlite"))
    assert set(stored(tmp_path / "set.sqlite")) == {"/", "/html", "/xhtml"}
    assert site.paths()[-2:] == ["/from-html", "/from-xhtml"]


# --- redirects ---


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("target", ["/new", "new", "//127.0.0.1:{port}/new", "http://127.0.0.1:{port}/new"])
def test_redirects(status: int, target: str, run: Run, site: WebServer, tmp_path: Path) -> None:
    """All kinds of redirects are followed; the page is known under both urls."""
    target = target.replace("{port}", str(site.port))
    site.pages = {"/": links("/old"), "/old": redirect(target, status), "/new": links()}
    run(output=str(tmp_path / "set.sqlite"))
    assert site.paths() == ["/", "/old", "/new"]
    with SqliteLearningSet(tmp_path / "set.sqlite") as learning_set:
        (page,) = [page for page in learning_set if page.url.endswith("/new")]
    assert page.aliases == (site.url("/old"),)


def test_meta_refresh(run: Run, site: WebServer, tmp_path: Path) -> None:
    """A page that forwards its reader at once is a redirect; one that reloads itself is a page."""
    refresh = "<meta http-equiv=refresh content='{}; url={}'><a href='/from{}'>A</a>"
    site.pages = {"/": links("/moved", "/ticker"), "/new": links()}
    site.pages["/moved"] = refresh.format(0, "/new", "-moved")
    site.pages["/ticker"] = refresh.format(60, "/ticker", "-ticker")
    run(output=str(tmp_path / "set.sqlite"))
    assert sorted(site.paths()) == ["/", "/moved", "/new", "/ticker"]
    assert set(stored(tmp_path / "set.sqlite")) == {"/", "/new", "/ticker"}


def test_redirect_loop(run: Run, site: WebServer, tmp_path: Path) -> None:
    """Endless redirects are given up, also those of a start page, and the crawl goes on."""
    site.pages = {"/a": redirect("/b"), "/b": redirect("/a"), "/good": links("/a", "/c"), "/c": links()}
    outcome = run(url=f"{site.url('/a')} {site.url('/good')}", output=str(tmp_path / "set.sqlite"))
    assert set(stored(tmp_path / "set.sqlite")) == {"/good", "/c"}
    assert outcome.stats["finish_reason"] == "finished"


@pytest.mark.parametrize("kind", ["location", "refresh"])
def test_redirect_out_of_the_area(kind: str, run: Run, site: WebServer, tmp_path: Path) -> None:
    """The target of a redirect out of the area is neither fetched nor stored."""
    away = {"/news/a": "/private/1", "/news/b": site.url("/news/2", "localhost"), "/news/c": "/news/3"}
    site.pages = {"/news/": links(*away), "/private/1": links(), "/news/2": links(), "/news/3": links()}
    for path, target in away.items():
        refresh = f"<meta http-equiv=refresh content='0; url={target}'>"
        site.pages[path] = redirect(target) if kind == "location" else refresh
    run(url=site.url("/news/"), output=str(tmp_path / "set.sqlite"))
    assert site.paths() == ["/news/", *away, "/news/3"]
    assert set(stored(tmp_path / "set.sqlite")) == {"/news/", "/news/3"}


def test_start_url_may_redirect_anywhere(run: Run, site: WebServer, tmp_path: Path) -> None:
    """The folder to which a start url redirects belongs to the area, on another host too."""
    site.pages = {
        "/": redirect(site.url("/en/home", "localhost")),
        "/en/home": links("a", "/b"),
        "/en/a": links(),
    }
    run(output=str(tmp_path / "set.sqlite"))
    assert site.paths("localhost") == ["/en/home", "/en/a"]


def test_start_page_that_redirects_to_itself(run: Run, site: WebServer) -> None:
    """A start page that sets a cookie and redirects to itself is fetched again, with the cookie."""

    def consent(server: WebServer) -> Any:
        if "Cookie" in server.asked[-1].headers:
            return links("/a")
        return Answer(status=302, headers={"Location": "/", "Set-Cookie": "consent=yes; Path=/"})

    site.pages["/"] = consent
    run()
    assert site.paths() == ["/", "/", "/a"]


# --- servers ---


def deflate(data: bytes) -> bytes:
    """Return data compressed without zlib's header, which some servers call ``deflate``."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("name", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress), ("deflate", deflate)]
)
def test_compression(
    name: str, pack: Callable[[bytes], bytes], run: Run, site: WebServer, tmp_path: Path
) -> None:
    """The crawler asks for compression; compressed pages are stored and followed unpacked."""
    html = links("/a").encode()
    site.pages["/"] = Answer(pack(html), headers={"Content-Encoding": name})
    run(output=str(tmp_path / "set.sqlite"))
    assert name in site.headers("/")["Accept-Encoding"]
    assert stored(tmp_path / "set.sqlite") == {"/": html}
    assert site.paths() == ["/", "/a"]


def test_connections_are_kept(run: Run, site: WebServer, tmp_path: Path) -> None:
    """Pages with a length and pages in chunks come over reused connections."""
    names = [f"/{n}" for n in range(30)]
    site.pages = {"/": links(*names)}
    page = links().encode()
    for name in names[::2]:
        site.pages[name] = Answer(
            b"%x\r\n%s\r\n0\r\n\r\n" % (len(page), page), headers={"Transfer-Encoding": "chunked"}
        )
    for name in names[1::2]:
        site.pages[name] = links()
    run({"CONCURRENT_REQUESTS": 4}, output=str(tmp_path / "set.sqlite"))
    assert len(stored(tmp_path / "set.sqlite")) == len(site.paths()) == 31
    assert site.connections <= 5


def head(*lines: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", "Content-Type: text/html", *lines, "", ""]).encode()


BROKEN = {
    "nothing at all": Raw(b""),
    "no HTTP": Raw(b"\x00\xff nonsense\r\n\r\n"),
    "half of the headers": Raw(b"HTTP/1.1 200 OK\r\nContent-Ty"),
    "half of the body": Raw(head("Content-Length: 1000") + b"<p>Half"),
    "half of a chunk": Raw(head("Transfer-Encoding: chunked") + b"ff\r\n<p>Half"),
    "chunks without sizes": Raw(head("Transfer-Encoding: chunked") + b"<p>No size"),
    "a length that is no number": Raw(head("Content-Length: many") + b"<p>Page"),
    "invalid gzip": Answer(b"<p>Not compressed", headers={"Content-Encoding": "gzip"}),
    "invalid deflate": Answer(b"<p>Not compressed", headers={"Content-Encoding": "deflate"}),
    "an error": Answer(b"<p>Broken", status=500),
    "a redirect to nowhere": redirect("http://[broken/"),
    "a redirect without a target": Answer(status=302),
    "an empty page": Answer(b""),
    "a refresh to nowhere": "<meta http-equiv=refresh content='0; url=http://[broken/'>",
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_broken_responses(answer: Any, run: Run, site: WebServer, tmp_path: Path) -> None:
    """A broken response is not stored, and the crawl goes on."""
    site.pages = {"/": links("/broken", "/good"), "/broken": answer, "/good": links()}
    outcome = run(output=str(tmp_path / "set.sqlite"))
    assert set(stored(tmp_path / "set.sqlite")) == {"/", "/good"}
    assert "/broken" in site.paths()
    assert outcome.stats["finish_reason"] == "finished"


def test_a_base_that_is_no_url(run: Run, site: WebServer, tmp_path: Path) -> None:
    """The crawl goes on. Whether the page is stored depends on how far it comes in this version of Scrapy."""
    broken = "<base href='http://[broken/'><a href='/a'>A</a>"
    site.pages = {"/": links("/broken", "/good"), "/broken": broken, "/good": links()}
    outcome = run(output=str(tmp_path / "set.sqlite"))
    assert set(stored(tmp_path / "set.sqlite")) - {"/broken"} == {"/", "/good"}
    assert "/broken" in site.paths()
    assert outcome.stats["finish_reason"] == "finished"


@pytest.mark.parametrize("first", ["nothing at all", "half of the body", "half of a chunk", "an error"])
def test_failures_are_tried_again(first: str, run: Run, site: WebServer, tmp_path: Path) -> None:
    """A page that fails once and then comes is stored."""
    answers = iter([BROKEN[first], links("/next")])
    site.pages = {"/": links("/a"), "/a": lambda server: next(answers)}
    run(depth="2", output=str(tmp_path / "set.sqlite"))
    assert set(stored(tmp_path / "set.sqlite")) == {"/", "/a"}
    assert site.paths() == ["/", "/a", "/a", "/next"]


# --- feeds ---


@pytest.mark.parametrize("name", ["/feed.xml", "/atom.xml.gz"])
def test_a_feed_goes_with_its_pages(name: str, run: Run, site: WebServer, tmp_path: Path) -> None:
    """Its titles are linkinfo; its times and authors come out of the learning set with the pages."""
    entry = "<item><title>A ferry</title><link>/1</link><author>a@a.example (Ann Lee)</author></item>"
    body = f"<rss><channel>{entry}</channel></rss>".encode()
    is_zipped = name.endswith(".gz")
    kind = "application/gzip" if is_zipped else "application/rss+xml"
    answer = Answer(gzip.compress(body) if is_zipped else body, headers={"Content-Type": kind})
    site.pages.update({name: answer, "/1": links()})
    path = tmp_path / "set.sqlite"
    result = run(url=site.url(name), output=str(path))
    assert result.stats["webstemmer/feeds"] == 1
    with SqliteLearningSet(path) as learning_set:
        (page,) = learning_set
        assert page.announced == Announcement(authors=("Ann Lee",))
        assert dict((learning_set.linkinfo() or {}).items()) == {site.url("/1"): {"A ferry": 1}}
