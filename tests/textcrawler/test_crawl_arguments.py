"""The textcrawler's arguments: good values become rules and settings, bad ones are refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_webstemmer import OptionError, UrlRule
from scrapy_webstemmer.textcrawler.crawl_arguments import CrawlArguments, is_web_url

URL = "https://example.com/news/"


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        (URL, (URL,)),
        (f"  {URL}\n\thttp://b.example ", (URL, "http://b.example")),
        (f"{URL}, http://b.example/", (URL, "http://b.example/")),
        ("http://b.example/1,2,3.html", ("http://b.example/1,2,3.html",)),
        ([URL, "http://b.example/"], (URL, "http://b.example/")),
    ],
)
def test_urls(value: Any, urls: tuple[str, ...]) -> None:
    """Several urls come as a list or with white space between them; a comma inside belongs to its url."""
    assert CrawlArguments.parse(value).urls == urls


def test_rules_keep_the_order_of_the_arguments() -> None:
    """Rules keep the order in which they are written, whatever their numbers; a value may hold several."""
    rules = CrawlArguments.parse(URL, reject2="/a/", accept="/b/ /c/", depth=2, reject=["/d/"]).rules
    assert rules == (UrlRule("/a/", False), UrlRule("/b/"), UrlRule("/c/"), UrlRule("/d/", False))


@pytest.mark.parametrize(
    ("argument", "value", "setting", "wanted"),
    [
        ("depth", "0", "DEPTH_LIMIT", -1),
        ("depth", 3, "DEPTH_LIMIT", 3),
        ("depth", "unlimited", "DEPTH_LIMIT", 0),
        ("depth", None, "DEPTH_LIMIT", 0),
        ("delay", "1.5", "DOWNLOAD_DELAY", 1.5),
        ("timeout", "300", "DOWNLOAD_TIMEOUT", 300.0),
        ("max_size", "0", "DOWNLOAD_MAXSIZE", 0),
        ("robots", "No", "ROBOTSTXT_OBEY", False),
        ("robots", True, "ROBOTSTXT_OBEY", True),
        ("cookies", "a b.txt", "WEBSTEMMER_COOKIE_FILE", "a b.txt"),
        ("charset", "sjis", "WEBSTEMMER_DEFAULT_ENCODING", "sjis"),
        ("output", "cnn", "WEBSTEMMER_LEARNING_SET", "cnn.%(timestamp)s.zip"),
        ("output", "sets/cnn.v2", "WEBSTEMMER_LEARNING_SET", "sets/cnn.v2.%(timestamp)s.zip"),
        ("output", "cnn.sqlite", "WEBSTEMMER_LEARNING_SET", "cnn.sqlite"),
        ("output", "cnn.zip", "WEBSTEMMER_LEARNING_SET", "cnn.zip"),
        ("timestamp", "200906011200", "WEBSTEMMER_TIMESTAMP", "200906011200"),
        ("urldb", "cnn.urldb", "WEBSTEMMER_URLDB", "cnn.urldb"),
        ("linkinfo", "", "WEBSTEMMER_LINKINFO", ""),
    ],
)
def test_settings(argument: str, value: Any, setting: str, wanted: Any) -> None:
    """An argument sets its setting, and the setting is known to come from the argument."""
    arguments = CrawlArguments.parse(URL, **{argument: value})
    assert arguments.settings == {setting: wanted}
    assert arguments.renamed(OptionError(setting, wanted, ""), arguments.settings).name == argument


@pytest.mark.parametrize(
    ("argument", "value", "reason"),
    [
        ("url", "", "must be the url where to begin"),
        ("url", [], "must be the url where to begin"),
        ("url", "example.com", "must begin with http:// or https://"),
        ("url", "file:///etc/passwd", "must begin with http:// or https://"),
        ("url", "http://", "and a host"),
        ("url", "http://[broken/", "and a host"),
        ("url", f"{URL} http://h:99999/", "http://h:99999/"),
        ("url", 7, "must be text"),
        ("accept", "", "must be a regular expression"),
        ("reject", "x(", "'x(' is not a valid regular expression: missing )"),
        ("accept2", "ok [", "'[' is not a valid regular expression: unterminated"),
        ("accept", ["a", ""], "must be text"),
        ("depth", "-1", "must be a whole number from 0 on"),
        ("depth", "1.5", "must be a whole number from 0 on"),
        ("depth", "deep", "must be a whole number from 0 on"),
        ("depth", True, "must be a whole number from 0 on"),
        ("delay", "-1", "must be a number of seconds"),
        ("delay", "nan", "must be a number of seconds"),
        ("timeout", "0", "must be a number of seconds above 0"),
        ("timeout", "inf", "must be a number of seconds above 0"),
        ("max_size", "1M", "must be a number of bytes"),
        ("robots", "maybe", "must be yes or no"),
        ("nofollow", "", "must be yes or no"),
        ("index", "a/b.html", "must be the name of a file"),
        ("index", None, "must be the name of a file"),
        ("output", " ", "must not be empty"),
        ("cookies", None, "must not be empty"),
        ("dept", "1", "did you mean depth?"),
        ("acept", "x", "did you mean accept?"),
        ("x", "1", "there are url, accept, reject, index, nofollow, depth"),
    ],
)
def test_bad_values_are_refused(argument: str, value: Any, reason: str) -> None:
    """The error names the argument and the value, and says what is valid."""
    with pytest.raises(OptionError) as caught:
        CrawlArguments.parse(**{"url": URL, argument: value})
    assert caught.value.name == argument
    assert reason in str(caught.value)


def test_errors_about_settings_name_the_argument() -> None:
    """An error about a setting names the argument that set it, unless the value came from elsewhere."""
    arguments = CrawlArguments.parse(URL, timestamp="a/b")
    error = OptionError("WEBSTEMMER_TIMESTAMP", "a/b", "must be else")
    assert arguments.renamed(error, {"WEBSTEMMER_TIMESTAMP": "a/b"}).name == "timestamp"
    assert arguments.renamed(error, {"WEBSTEMMER_TIMESTAMP": "other"}).name == "WEBSTEMMER_TIMESTAMP"
    assert arguments.renamed(OptionError("OTHER", 1, "no"), {}).name == "OTHER"


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("http://h", True),
        ("https://[::1]:8080/x", True),
        ("HTTP://h/", True),
        ("http://h:0/", False),
        ("http://h:port/", False),
        ("ftp://h/", False),
        ("//h/", False),
        ("", False),
    ],
)
def test_web_urls(url: str, good: bool) -> None:
    """A url is a web url if it is http or https and has a host and a possible port."""
    assert is_web_url(url) == good
