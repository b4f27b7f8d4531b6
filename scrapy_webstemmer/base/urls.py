"""One name for one page: canonical urls, and the site that a url belongs to."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from w3lib.url import canonicalize_url

if TYPE_CHECKING:
    from tldextract import TLDExtract

__all__ = [
    "canonical_url",
    "is_canonical",
    "is_host",
    "link_key",
    "page_url",
    "site_of",
    "url_shape",
    "well_formed",
]

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_DEFAULT_PORT = re.compile(r"(http://[^/?#]*):80(?=[/?#]|$)|(https://[^/?#]*):443(?=[/?#]|$)")
#: Urls that are canonical as they are, and most urls of a site are; the rules of w3lib cost fifty times this.
_CANONICAL = re.compile(r"https?://[a-z0-9.-]+(?:/(?!\.)[\w.~-]*)+\Z", re.ASCII)
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?::\d+)?(?:[/?#]|\Z)", re.ASCII)
_STAMP = re.compile(r"[0-9]{12}/")
_DOMAIN = r"[\w-]+(?:\.[\w-]+)*\.(?:[^\W\d_]{2,}|xn--[\w-]+)"
_HOST = re.compile(rf"(?:localhost|{_DOMAIN}|\d+(?:\.\d+){{3}})(?:[:+]\d+)?\Z")
_DIGITS = re.compile(r"[0-9]+")
_LETTERS = re.compile(r"[^\d]*[^\W\d].*")
_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}\Z")
_NO_DOMAIN = re.compile(r"\.(?:aspx?|cfm|cgi|x?html?|jsp|php)\Z", re.IGNORECASE)


def well_formed(text: str) -> str:
    """Return text that UTF-8 can encode: surrogate pairs joined, lone ones made U+FFFD, as browsers do."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_canonical(url: str) -> bool:
    """Return whether it shows at once that a url is its own :func:`canonical_url`; of most urls it does."""
    return _CANONICAL.match(url) is not None


def canonical_url(url: str) -> str:
    """Return the form in which we store and compare a url.

    The query is sorted, the host is in lower case and in its ASCII form,
    percent-encoding is unified, the fragment and the scheme's default port are
    dropped. Never raises: a url that cannot be parsed is returned as it is
    (made well-formed) and will match nothing but itself.

    >>> canonical_url("HTTP://München.example:80/?b=1&a=2#top")
    'http://xn--mnchen-3ya.example/?a=2&b=1'
    """
    if is_canonical(url):
        return url
    url = well_formed(url)
    try:
        canonical = canonicalize_url(url)
    except ValueError:
        return url
    return _DEFAULT_PORT.sub(r"\1\2", canonical, count=1)


def link_key(url: str) -> str:
    """Return what anchors and pages are joined by: the canonical url without its scheme.

    A site that moved to https is linked to under both schemes, and a 2009 zip
    does not record the scheme at all.
    """
    return _SCHEME.sub("", canonical_url(url), count=1)


def url_shape(url: str) -> str:
    """Return what urls of one kind of page have in common: host, first folder, how the others look, ending.

    >>> url_shape("http://example.com/news/2026/11/town/harbour.html"), url_shape("http://example.com/tag/sea/")
    ('example.com/news/0/0/a/*.html', 'example.com/tag/*')
    """
    host, _, path = link_key(url).partition("?")[0].rstrip("/").partition("/")
    *folders, name = path.split("/")
    looks = [_LETTERS.sub("a", _DIGITS.sub("0", folder)) for folder in folders]
    ending = _ENDING.search(name)
    first = [_DIGITS.sub("0", folders[0])] if folders else []
    return "/".join([host, *first, *looks[1:], f"*{ending.group() if ending else ''}"])


def is_host(name: str) -> bool:
    """Return whether a part of a file's name can be a host's, with its port after ``:`` or ``+``.

    >>> is_host("www.example.com:8080"), is_host("200906011200"), is_host("v1.2"), is_host("index.php")
    (True, False, False, False)
    """
    return _HOST.match(name) is not None and not _NO_DOMAIN.search(name)


def page_url(name: str) -> str:
    """Return the url of a stored page's name, ``[BASEID/]host/path`` or a url.

    The base id of a crawl is its timestamp, or any other name before a host.

    >>> page_url("200906011200/www.example.com/a.html"), page_url("morning/www.example.com/a.html")
    ('http://www.example.com/a.html', 'http://www.example.com/a.html')
    """
    if _SCHEME.match(name):
        return name
    base, _, rest = name.partition("/")
    host, slash, _ = rest.partition("/")
    based = _STAMP.match(name) or (slash and is_host(host) and not is_host(base))
    return "http://" + (rest if based else name)


@lru_cache(maxsize=4096)
def _registered_domain(host: str) -> str:
    return _extractor()(host).top_domain_under_public_suffix or host


@lru_cache(maxsize=1)
def _extractor() -> TLDExtract:
    """Return an extractor with the bundled list of suffixes: never the network, never a cache file."""
    from tldextract import TLDExtract  # 0.1 s to import, and `scrapy` imports our commands each time

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def site_of(url: str, by: str = "domain") -> str:
    """Return the site of a url: its registered domain, or its host where ``by`` is ``host``.

    Names that have no registered domain (IP addresses, ``localhost``) are their
    own site. Never raises: a url without a host belongs to the site ``""``.

    >>> site_of("https://news.example.co.uk:8080/a")
    'example.co.uk'
    """
    plain = _PLAIN_HOST.match(url)
    host = (plain.group(1) if plain else _host_of(url)).strip(".")
    return host if by == "host" else _registered_domain(host)


def _host_of(url: str) -> str:
    if not url.isascii():
        url = canonical_url(url)  # one site, whether its name is written in ASCII or not
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
