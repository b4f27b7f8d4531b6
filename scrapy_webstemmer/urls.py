"""One name for one page: canonical urls, and the site that a url belongs to."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from w3lib.url import canonicalize_url

if TYPE_CHECKING:
    from tldextract import TLDExtract

__all__ = ["canonical_url", "link_key", "page_url", "site_of"]

_STAMPED = re.compile(r"\d{12}/")


def canonical_url(url: str) -> str:
    """Return the form in which we store and compare a url.

    The query is sorted, the host is in lower case, percent-encoding is unified
    and the fragment is dropped. A url that cannot be parsed is returned as it
    is: it will match nothing but itself.
    """
    try:
        return canonicalize_url(url)
    except ValueError:
        return url


def link_key(url: str) -> str:
    """Return what anchors and pages are joined by: the canonical url without its scheme.

    A site that moved to https is linked to under both schemes, and a 2009 zip
    does not record the scheme at all.
    """
    return canonical_url(url).partition("://")[2] or url


def page_url(name: str) -> str:
    """Return the url of a stored page's name, ``[TIMESTAMP/]host/path`` or a url.

    >>> page_url("200906011200/www.example.com/a.html")
    'http://www.example.com/a.html'
    """
    if "://" in name:
        return name
    return "http://" + _STAMPED.sub("", name, count=1)


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

    >>> site_of("https://news.example.co.uk:8080/a")
    'example.co.uk'
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host if by == "host" else _registered_domain(host)
