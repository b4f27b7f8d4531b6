"""One name for one page, whatever the url looks like."""

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tldextract import TLDExtract
from w3lib.url import canonicalize_url, safe_url_string

from scrapy_webstemmer.base import urls
from scrapy_webstemmer.base.urls import (
    _registered_domain,
    canonical_url,
    is_canonical,
    link_key,
    page_url,
    quick_canonical_url,
    site_of,
    well_formed,
)

ODD_PIECES = [
    *"aZ09:/?#[]@&=%._~ \t\nü日\ud800|\\",
    *("http://", "https://", "%41", "%zz", "xn--", "::1", "..", "example.com", ":80", "co.uk", "℀"),
]
ODD_URLS = st.lists(st.sampled_from(ODD_PIECES), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://EXAMPLE.com", "http://example.com/"),
        ("http://example.com/a#top", "http://example.com/a"),
        ("http://example.com/?b=1&a=2", "http://example.com/?a=2&b=1"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:443?a=1", "https://example.com/?a=1"),
        ("http://example.com:443/a", "http://example.com:443/a"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("http://user:80@example.com/", "http://user:80@example.com/"),
        ("http://[::1]:80/a", "http://[::1]/a"),
        ("http://münchen.example/ü", "http://xn--mnchen-3ya.example/%C3%BC"),
        (
            "http://example.com/a?u=http://b.example:80/",
            "http://example.com/a?u=http%3A%2F%2Fb.example%3A80%2F",
        ),
        ("http://[::1", "http://[::1"),
        ("http://example.com/\ud83d\ude00", "http://example.com/%F0%9F%98%80"),
        ("http://example.com/\ud800", "http://example.com/%EF%BF%BD"),
    ],
)
def test_canonical_url(url: str, canonical: str) -> None:
    """All spellings of a url have one canonical form, and the form of that one is itself."""
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@given(st.text())
@example("?b=1&a=2;c=%zz")
def test_canonical_url_is_stable(path: str) -> None:
    """A canonical url does not change when it is made canonical again, so stored urls are found."""
    once = canonical_url(f"http://example.com/{path}")
    assert canonical_url(once) == once


@given(
    ODD_URLS
    | st.from_regex(
        r"https?://[a-z0-9.-]{1,70}(:[0-9]{1,5})?/([\w./~%?=&,:@!+-]|%[0-9A-F]{2})*", fullmatch=True
    )
)
@example("http://xn--/")
@example("http://a.co./")
@example("http://1.2/a//b/../c/~d/")
def test_what_shows_to_be_canonical_is(url: str) -> None:
    """A url that passes the quick test is not changed by the rules of w3lib, and is safe to request."""
    if is_canonical(url):
        assert safe_url_string(canonicalize_url(url)) == safe_url_string(url) == url


QUERIES = st.lists(
    st.sampled_from([*"azAZ09&&==%+-.~_,:;/?@!$'()*[]|# \"\\ü", "%41", "%2F", "%zz", "%e4", "%C3%BC", "a=b"])
).map("".join)


@given(ODD_URLS | QUERIES.map("http://example.com/a?".__add__))
@example("http://example.com/?b=1&a-b=2&a=3&a=1#top")
@example("http://example.com/?&&")
@example("http://example.com/?a=1;b=2")
def test_quick_rules_are_those_of_w3lib(url: str) -> None:
    """A url that the quick rules make canonical is the one that w3lib makes of it."""
    if quick := quick_canonical_url(url):
        assert quick == canonicalize_url(url)


def test_the_parts_of_a_query_are_made_canonical_quickly() -> None:
    """They are sorted by their keys and values, and a part without a value gets an empty one."""
    url = "http://example.com/a?page=2&order=V%c3%bd%20a&%24Path=%2F&a"
    assert quick_canonical_url(url) == "http://example.com/a?%24Path=%2F&a=&order=V%C3%BD+a&page=2"


def test_most_urls_show_to_be_canonical() -> None:
    """Plain urls pass the quick test; longer queries, the default port and needless escapes do not."""
    plain = ["news.example.co.uk/2026/11/seals_return-to.the~harbour.html", "a.co:8080/", "a.co/0,29,3.html"]
    plain += ["a.co/%E3%82%A2/@news!", "a.co/index.php?page=12"]
    assert all(is_canonical(f"http://{url}") for url in plain)
    odd = ["a.co", "a.co/?b=1&a=2", "a.co:80/", "a.co:65536/", "A.co/", "a.co/%41", "a.co/%e3", "a/ü", "a/#a"]
    assert not any(is_canonical(f"http://{url}") for url in odd)


@given(ODD_URLS | st.text())
@example("http://[::1")
@example("http://℀.com/")
@example("http://example.com:99999999/")
def test_nothing_raises(url: str) -> None:
    """Any text of an href gives a string that can be stored."""
    for function in (canonical_url, link_key, site_of):
        function(url).encode("utf-8")
    assert page_url(url)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.com/a", "https://example.com/a"),
        ("http://example.com:80/a", "https://example.com:443/a"),
        ("http://example.com/a#b", "https://EXAMPLE.com/a"),
    ],
)
def test_link_key_joins_the_schemes(one: str, other: str) -> None:
    """A page is found by its links, whether they say http or https."""
    assert link_key(one) == link_key(other)


def test_link_key_cuts_only_a_leading_scheme() -> None:
    """A url inside another url's path keeps its scheme."""
    assert link_key("http://archive.example/web/http://a.example/") == "archive.example/web/http://a.example/"
    assert link_key("mailto:a@b.example") == "mailto:a@b.example"


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("202611210900/example.com/a", "http://example.com/a"),
        ("morning-1/example.com:80/a", "http://example.com:80/a"),
        ("example.com/example.org/a", "http://example.com/example.org/a"),
        ("intranet/example.com", "http://intranet/example.com"),
        ("wiki/index.php/Main", "http://wiki/index.php/Main"),
        ("example.com/a", "http://example.com/a"),
        ("https://example.com/a", "https://example.com/a"),
        ("202611210900/example.com/web/http://b.example/", "http://example.com/web/http://b.example/"),
        ("example.com/x/202611210900/a", "http://example.com/x/202611210900/a"),
        ("202611210900/example.com/202611210900/a", "http://example.com/202611210900/a"),
    ],
)
def test_page_url(name: str, url: str) -> None:
    """Only a leading timestamp or a name before a host is cut; a name that begins with a scheme is a url."""
    assert page_url(name) == url


@pytest.mark.parametrize(
    ("url", "domain", "host"),
    [
        ("https://news.example.co.uk:8080/a", "example.co.uk", "news.example.co.uk"),
        ("http://www.example.com./", "example.com", "www.example.com"),
        ("http://user@example.com/", "example.com", "example.com"),
        ("https://somebody.github.io/a", "somebody.github.io", "somebody.github.io"),
        ("http://www.their.blogspot.com/", "their.blogspot.com", "www.their.blogspot.com"),
        ("https://x.netlify.app/", "x.netlify.app", "x.netlify.app"),
        ("https://github.io/", "github.io", "github.io"),
        ("http://192.168.0.1:8080/", "192.168.0.1", "192.168.0.1"),
        ("http://[::1]:80/", "::1", "::1"),
        ("http://localhost:8000/", "localhost", "localhost"),
        ("http://co.uk/", "co.uk", "co.uk"),
        ("http://www.münchen.de/", "xn--mnchen-3ya.de", "www.xn--mnchen-3ya.de"),
        ("http://www.xn--mnchen-3ya.de/", "xn--mnchen-3ya.de", "www.xn--mnchen-3ya.de"),
        ("mailto:a@example.com", "", ""),
        ("http://[::1", "", ""),
        ("", "", ""),
    ],
)
def test_site_of(url: str, domain: str, host: str) -> None:
    """A site is a registered domain, or a host if that is asked for, in its ASCII spelling."""
    assert site_of(url) == domain
    assert site_of(url, "host") == host


def test_sites_are_those_of_tldextract() -> None:
    """Under each public suffix, hosts of several levels have the site that tldextract finds."""
    extract = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    names = [rule.replace("*", "any").lstrip("!") for rule in extract.tlds]
    names += [name.encode("idna").decode() for name in names if not name.isascii()]
    assert len(names) > 9_000
    for host in [before + name for name in names for before in ("", "a.", "b.a.", "c.b.a.", "a..")]:
        assert _registered_domain(host) == (extract(host).top_domain_under_public_suffix or host)


@given(ODD_URLS | st.from_regex(r"https?://[a-z0-9.:@-]{1,30}([/?#].*)?", fullmatch=True))
@example("http://a.co:80#b")
@example("http://example.com:/")
def test_host_is_that_of_the_standard_library(url: str) -> None:
    """The host of any url is the one that urlsplit finds."""
    try:
        host = urlsplit(canonical_url(url) if not url.isascii() else url).hostname
    except ValueError:
        host = ""
    assert site_of(url, "host") == (host or "").strip(".")


@given(st.text(st.characters(exclude_categories=())))
def test_well_formed(text: str) -> None:
    """Well-formed text can be encoded, and text that is already well-formed does not change."""
    encoded = well_formed(text).encode("utf-8")
    assert well_formed(encoded.decode("utf-8")) == encoded.decode("utf-8")


def test_the_list_of_suffixes_under_another_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If tldextract has no such file, it is asked for its rules, and they are the same."""
    rules = {one for one in urls._suffix_rules() if one and not one.startswith("//")}
    elsewhere = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(urls, "find_spec", lambda _: elsewhere)
    assert urls._suffix_rules.__wrapped__() == rules
