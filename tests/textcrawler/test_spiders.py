"""The textcrawler without a crawl: its settings, its area, and how it reads a page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.http import HtmlResponse, Request, Response
from scrapy.settings import Settings

from scrapy_webstemmer import Addon, OptionError, TextCrawler
from scrapy_webstemmer.textcrawler.area import AreaMiddleware
from scrapy_webstemmer.textcrawler.crawl_arguments import SETTINGS
from scrapy_webstemmer.textcrawler.spiders import DEFAULTS, says_nofollow

URL = "https://www.example.com/news/index.html"
DOC = (Path(__file__).resolve().parents[2] / "docs" / "crawler.md").read_text(encoding="utf-8")


def settings_of(project: dict[str, Any], command: dict[str, Any] | None = None, **arguments: Any) -> Settings:
    """Return the settings of a crawl from those of a project and of the command line."""
    settings = Settings(project)
    settings.setdict(command or {}, priority="cmdline")
    crawler = Crawler(TextCrawler, settings)
    crawler.settings.update(settings)  # Scrapy does this again when it starts the crawl
    TextCrawler.from_crawler(crawler, url=URL, **arguments)
    return crawler.settings


def page(body: str, url: str = URL, **headers: str) -> HtmlResponse:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return HtmlResponse(url, body=body.encode(), encoding="utf-8", headers=names)


def test_who_wins() -> None:
    """The command line's settings come first, then arguments, then the project's settings, then defaults."""
    assert settings_of({})["DEPTH_LIMIT"] == 1
    assert settings_of({"DEPTH_LIMIT": 7})["DEPTH_LIMIT"] == 7
    assert settings_of({"DEPTH_LIMIT": 7}, depth=3)["DEPTH_LIMIT"] == 3
    assert settings_of({"DEPTH_LIMIT": 7}, {"DEPTH_LIMIT": 9}, depth=3)["DEPTH_LIMIT"] == 9


def test_defaults() -> None:
    """Without arguments the crawl has the spider's defaults."""
    settings = settings_of({})
    assert {name: settings[name] for name in DEFAULTS} == DEFAULTS


def test_components() -> None:
    """The add-on is there once, and our offsite middleware replaces Scrapy's."""
    other = "scrapy.downloadermiddlewares.stats.DownloaderStats"
    for addons in ({}, {"scrapy_webstemmer.Addon": 300}, {Addon: 300}):
        settings = settings_of({"ADDONS": addons, "DOWNLOADER_MIDDLEWARES": {other: 1}})
        assert settings.getdict("ADDONS") == addons or {Addon: 500}
        assert len(settings.getdict("ADDONS")) == 1
        middlewares = {OffsiteMiddleware: None, AreaMiddleware: 50, other: 1}
        assert settings.getdict("DOWNLOADER_MIDDLEWARES") == middlewares


def test_setting_of_the_project_is_named_as_such(tmp_path: Path) -> None:
    """An error names the argument if the value comes from one, else the setting."""
    with pytest.raises(OptionError, match=r"^cookies="):
        settings_of({}, cookies=str(tmp_path / "missing"))
    with pytest.raises(OptionError, match=r"^WEBSTEMMER_COOKIE_FILE="):
        settings_of({"WEBSTEMMER_COOKIE_FILE": str(tmp_path / "missing")})


def test_an_expression_that_goes_wrong_on_a_link(caplog: Any) -> None:
    """The page's further links are skipped with a line in the log, and the crawl goes on."""
    spider = TextCrawler(URL, accept=["/a$", "(b|bb)+$"])
    links = ["/a", f"/{'b' * 60}!", *(f"/{'b' * 60}!{n}" for n in range(100)), "/c/a"]
    found = spider.parse(page("".join(f'<a href="{link}">x</a>' for link in links)))
    assert [request.url for request in found] == ["https://www.example.com/a"]
    assert caplog.text.count("takes too long; no further link of it is followed") == 1
    assert not spider.accepts(f"https://www.example.com/{'b' * 60}!")
    assert spider.accepts("https://www.example.com/c/a")


@pytest.mark.parametrize(
    ("url", "accepted"),
    [
        ("https://www.example.com/news/", True),
        ("https://www.example.com/news/a/b?c=d", True),
        ("http://www.example.com/news/a", True),
        ("https://WWW.example.com:443/news/a", True),
        ("https://www.example.com/news", True),
        ("https://www.example.com/newsroom/a", False),
        ("https://www.example.com/", False),
        ("https://example.com/news/a", False),
        ("https://www.example.com.evil.example/news/a", False),
        ("https://www.example.com:8443/news/a", False),
        ("https://wwwxexample.com/news/a", False),
        ("https://other.example/?https://www.example.com/news/a", False),
        ("ftp://www.example.com/news/a", False),
        ("https://www.example.com/news/a.JPG", False),
        ("https://www.example.com/news/a.webp?w=640", False),
        ("https://www.example.com/news/a.zip;x=1", False),
        ("https://www.example.com/news/archive.tar.gz", False),
        ("https://www.example.com/news/a.rpm", False),
        ("https://www.example.com/news/a.mp4", False),
        ("https://www.example.com/news/a.pdf", False),
        ("https://www.example.com/news/a.css", False),
        ("https://www.example.com/news/a.js", False),
        ("https://www.example.com/news/node.js-is-new", True),
        ("https://www.example.com/news/a.jpg.html", True),
        ("https://www.example.com/news/?file=a.jpg", True),
        ("https://www.example.com/news/a.php", True),
    ],
)
def test_area(url: str, accepted: bool) -> None:
    """By default the crawl accepts urls of possible pages under the start url's host and folder."""
    assert TextCrawler(url=URL).accepts(url) == accepted


@pytest.mark.parametrize(
    ("start", "inside", "outside"),
    [
        ("http://example.ai", "http://example.ai/a", "http://example.com/a"),
        ("http://example.ai", "http://example.ai?a", "http://example.ai.example/"),
        ("http://example.com:8080/a/b", "https://example.com:8080/a/c", "http://example.com/a/c"),
        ("http://user:word@example.com/a/", "http://example.com/a/b", "http://user/a/b"),
        (
            "http://münchen.example/ä/",
            "http://xn--mnchen-3ya.example/%C3%A4/b",
            "http://xn--mnchen-3ya.example/a",
        ),
        pytest.param(
            *("http://[::1]/a.b/", "http://[::1]/a.b/c", "http://[::1]/axb/c"),
            marks=pytest.mark.skipif("[" not in Request("http://[::1]/").url, reason="older w3lib"),
        ),
        ("http://h/a?b=/c/", "http://h/d", "http://i/"),
    ],
)
def test_area_of_unusual_urls(start: str, inside: str, outside: str) -> None:
    """Hosts without a path, ports, user names, passwords, other scripts and addresses have an area, too."""
    spider = TextCrawler(url=start)
    assert spider.accepts(inside)
    assert not spider.accepts(outside)


def test_rules_that_only_reject() -> None:
    """They leave the area as it is, and take away from it."""
    spider = TextCrawler(url="http://example.com/news/", reject="/tag/")
    assert spider.accepts("http://example.com/news/a")
    for url in ("http://example.com/news/tag/a", "http://example.com/a", "http://other.example/news/a"):
        assert not spider.accepts(url)


def test_area_grows_with_start_pages() -> None:
    """The folder of a start page's final url belongs to the area, in later runs, too."""
    spider = TextCrawler(url="http://example.com/")
    body = "<a href='/en/a'>A</a><a href='/de/b'>B</a><a href='http://example.com/c'>C</a>"
    followed = [request.url for request in spider.parse_start(page(body, "http://www.example.com/en/"))]
    assert followed == ["http://www.example.com/en/a", "http://example.com/c"]
    again = TextCrawler(url="http://example.com/")
    again.state = spider.state
    assert again.accepts("http://www.example.com/en/a")


def test_links_of_a_page() -> None:
    """Each url is followed once, without its fragment, and never the start page again."""
    body = "<a href='a#1'>A</a><a href='a#2'>A</a> <a href=' a '>A</a><a href=''>self</a><a href='#x'>x</a>"
    spider = TextCrawler(url=URL)
    assert [request.url for request in spider.parse(page(body))] == ["https://www.example.com/news/a"]
    assert list(spider.parse(Response(URL))) == []


def test_links_in_either_kind_of_link() -> None:
    """A url is followed if one link to it says nofollow and another does not."""
    body = "<a rel=nofollow href=a>A</a><a href=a>A</a><a rel=nofollow href=b>B</a>"
    urls = [request.url for request in TextCrawler(url=URL).parse(page(body))]
    assert urls == ["https://www.example.com/news/a"]


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("/", "/index.html"),
        ("", "/index.html"),
        ("/news/", "/news/index.html"),
        ("/news/#top", "/news/index.html"),
        ("/news", "/news"),
        ("/news/?next=/", "/news/?next=/"),
    ],
)
def test_index_file(url: str, wanted: str) -> None:
    """The index file's name is added to start pages and links whose urls end in a slash."""
    (start,) = TextCrawler(url=f"http://h{url}", index="index.html").start_urls
    assert start == f"http://h{wanted}"


def test_rules_see_the_index_file() -> None:
    """Rules are tried on the url with the index file's name."""
    spider = TextCrawler(url="http://h/", index="index.html", accept=r"index\.html$")
    assert spider.accepts("http://h/a/")
    assert not spider.accepts("http://h/a")


@pytest.mark.parametrize(
    ("response", "says"),
    [
        (page("<meta name='robots' content='nofollow'>"), True),
        (page("<meta name='Robots' content='NOINDEX,NOFOLLOW'>"), True),
        (page("<meta name=robots content=none>"), True),
        (page("<meta name=robots content='noindex, follow'>"), False),
        (page("<meta name=googlebot content=nofollow>"), False),
        (page("<meta name=description content='nofollow'>"), False),
        (page("<p>a", X_Robots_Tag="nofollow"), True),
        (page("<p>a", X_Robots_Tag="noindex, NoFollow"), True),
        (page("<p>a", X_Robots_Tag="none"), True),
        (page("<p>a", X_Robots_Tag="unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow"), True),
        (page("<p>a", X_Robots_Tag="max-snippet:20, nofollow"), True),
        (page("<p>a", X_Robots_Tag="googlebot: noindex, nofollow"), False),
        (page("<p>a", X_Robots_Tag="noarchive"), False),
        (page("{}"), False),
    ],
)
def test_says_nofollow(response: HtmlResponse, says: bool) -> None:
    """Only meta elements and headers for all crawlers count."""
    assert says_nofollow(response) == says


def test_documented_arguments_are_those_of_the_code() -> None:
    """docs/crawler.md has a row for each argument, and no other, with the spider's defaults."""
    documented = re.findall(r"^\| `(\w+)` \|", DOC, re.MULTILINE)
    assert sorted(documented) == sorted(["url", "accept", "reject", "index", "nofollow", *SETTINGS])
    assert f"default {DEFAULTS['DEPTH_LIMIT']}" in DOC
    assert f"default {DEFAULTS['DOWNLOAD_TIMEOUT']}" in DOC
    assert f"default {DEFAULTS['DOWNLOAD_MAXSIZE']:,}" in DOC
