"""Give each page one name: canonical urls, keys of links, shapes of urls, and the site of a page."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote_plus, unquote_to_bytes, urlsplit

from w3lib.url import canonicalize_url

_ABSOLUTE = re.compile(r"file://|[a-z][a-z0-9+.-]*://[^/?#]", re.IGNORECASE)
_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_DEFAULT_PORT = re.compile(r"(http://[^/?#]*):80(?=[/?#]|$)|(https://[^/?#]*):443(?=[/?#]|$)")
#: Urls that are surely canonical; most urls of a site are. The rules of w3lib cost fifty times as much.
_CANONICAL = re.compile(
    r"https?://[a-z0-9.-]+(?::(?:[1-9]\d{3}|[1-5]\d{4}|6[0-4]\d{3}))?"  # the default ports are shorter
    r"(?:/(?!\.)(?:[\w.,:@!+=&~-]++|%[89A-F][0-9A-F])*+)++"
    r"(?:\?\w+=[\w.~-]*)?\Z",
    re.ASCII,
)
#: Queries that become canonical part by part. Before a semicolon older releases of w3lib end a part.
_PLAIN_QUERY = re.compile(r"&*[\w%.,:/?@!$'()*+=~-][\w%.,:/?@!$'()*+=~&-]*\Z", re.ASCII)
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?::\d+)?(?:[/?#]|\Z)", re.ASCII)
_CRAWL_TIME = re.compile(r"[0-9]{12}/")
_DOMAIN = r"[\w-]+(?:\.[\w-]+)*\.(?:[^\W\d_]{2,}|xn--[\w-]+)"
_HOST = re.compile(rf"(?:localhost|{_DOMAIN}|\d+(?:\.\d+){{3}})(?:[:+]\d+)?\Z")
_DIGITS = re.compile(r"[0-9]+")
_LETTERS = re.compile(r"(?<!\D)\D*?[^\W\d].*")
_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}\Z")
_NUMBERED = re.compile(r"[^\W\d_]*[-_]?[0-9]+\Z")
_NO_DOMAIN = re.compile(r"\.(?:aspx?|cfm|cgi|x?html?|jsp|php)\Z", re.IGNORECASE)


def well_formed(text: str) -> str:
    """Return text that UTF-8 can encode.

    Surrogate pairs are joined; a lone surrogate becomes U+FFFD, as in browsers.
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_absolute(url: str) -> bool:
    """Return whether a url is that of a page somewhere: on a host, or in a file.

    >>> [is_absolute(url) for url in ("https://example.com/a", "file:///tmp/a.html", "/a", "", "http:///a")]
    [True, True, False, False, False]
    """
    return _ABSOLUTE.match(url) is not None


def is_canonical(url: str) -> bool:
    """Return whether a url is surely its own :func:`canonical_url`, by a quick test that most urls pass.

    False means that the test cannot tell.
    """
    return _CANONICAL.match(url) is not None


def canonical_url(url: str) -> str:
    """Return the form in which a url is stored and compared.

    The query is sorted. The host is in lower case and in its ASCII form.
    Percent-encoding is unified. The fragment and the scheme's default port are
    dropped. Never raises: an invalid url is returned as it is (made well-formed),
    and equals only itself.

    >>> canonical_url("HTTP://München.example:80/?b=1&a=2#top")
    'http://xn--mnchen-3ya.example/?a=2&b=1'
    """
    return quick_canonical_url(url) or _canonicalized(url)


def quick_canonical_url(url: str) -> str:
    """Return the :func:`canonical_url` by rules that are quick and do for most urls; empty: they do not."""
    plain = url.partition("#")[0]
    if is_canonical(plain):
        return plain
    address, _, query = plain.partition("?")
    if not _PLAIN_QUERY.match(query) or not is_canonical(address):
        return ""
    parts = sorted(map(_canonical_part, filter(None, query.split("&"))))
    return f"{address}?{'&'.join(part for *_, part in parts)}"


@lru_cache(maxsize=4096)  # the links of a site have the same parts again and again
def _canonical_part(part: str) -> tuple[bytes, bytes, str]:
    """Return key and value of a part of a query, by which parts are sorted, and the part's canonical form."""
    key, _, value = map(unquote_to_bytes, part.replace("+", " ").partition("="))
    return key, value, f"{quote_plus(key)}={quote_plus(value)}"


@lru_cache(maxsize=4096)  # what all pages of a site link to comes again and again
def _canonicalized(url: str) -> str:
    url = well_formed(url)
    try:
        canonical = canonicalize_url(url)
    except ValueError:
        return url
    return _DEFAULT_PORT.sub(r"\1\2", canonical, count=1)


@lru_cache(maxsize=64)  # several steps of reading ask for the same url
def link_key(url: str) -> str:
    """Return the key that joins links and pages: the canonical url without its scheme.

    A site that moved to https is linked to under both schemes, and a zip of 2009
    does not record the scheme at all.
    """
    return _SCHEME.sub("", canonical_url(url), count=1)


@lru_cache(maxsize=64)  # several steps of extraction ask for the same url
def url_shape(url: str) -> str:
    """Return the shape of a url, which most pages of one kind share.

    It has the host, the first folder, a sign for each further folder (``0`` for digits, ``a`` for letters),
    and the file's ending. A name that is a number counts, with the word before it: ``article12.html`` and
    ``section3.html`` are of different kinds. With a query, a program makes the page: its name and the query's
    keys count.

    >>> url_shape("http://example.com/news/2026/11/town/harbour.html"), url_shape("http://example.com/tag/sea/")
    ('example.com/news/0/0/a/*.html', 'example.com/tag/*')
    >>> url_shape("http://example.com/article-12.html"), url_shape("http://example.com/12/")
    ('example.com/article-0.html', 'example.com/0')
    >>> url_shape("http://example.com/forum/viewtopic.php?f=2&t=100")
    'example.com/forum/viewtopic.php?f&t'
    """
    address, _, query = link_key(url).partition("?")
    host, _, path = address.rstrip("/").partition("/")
    *folders, name = path.split("/")
    looks = [_LETTERS.sub("a", _DIGITS.sub("0", folder)) for folder in folders]
    ending = _ENDING.search(name)
    first = [_DIGITS.sub("0", folders[0])] if folders else []
    if query:
        keys = "&".join(sorted({pair.partition("=")[0] for pair in query.split("&")}))
        return "/".join([host, *first, *looks[1:], f"{_DIGITS.sub('0', name)}?{keys}"])
    ends = ending.group() if ending else ""
    stem = name.removesuffix(ends)
    numbered = _DIGITS.sub("0", stem.lower()) if _NUMBERED.match(stem) else "*"
    return "/".join([host, *first, *looks[1:], numbered + ends])


def is_host(name: str) -> bool:
    """Return whether a part of a file's name can be a host; a port may follow after ``:`` or ``+``.

    >>> is_host("www.example.com:8080"), is_host("200906011200"), is_host("v1.2"), is_host("index.php")
    (True, False, False, False)
    """
    return _HOST.match(name) is not None and not _NO_DOMAIN.search(name)


def page_url(name: str) -> str:
    """Return the url of a stored page, given its name: ``[BASEID/]host/path`` or a url.

    The base id of a crawl is its timestamp, or any other name that stands before a host.

    >>> page_url("200906011200/www.example.com/a.html"), page_url("morning/www.example.com/a.html")
    ('http://www.example.com/a.html', 'http://www.example.com/a.html')
    """
    if _SCHEME.match(name):
        return name
    base, _, address = name.partition("/")
    host, slash, _ = address.partition("/")
    based = _CRAWL_TIME.match(name) or (slash and is_host(host) and not is_host(base))
    return "http://" + (address if based else name)


@lru_cache(maxsize=4096)
def _registered_domain(host: str) -> str:
    rules, labels = _suffix_rules(), host.split(".")
    names = [_decoded(label) for label in labels]
    for first in range(len(labels)):
        suffix = ".".join(names[first:])
        if f"!{suffix}" in rules:
            return ".".join(labels[first:])
        if suffix in rules or f"*.{'.'.join(names[first + 1 :])}" in rules:
            return ".".join(labels[first - 1 :]) if first and labels[first - 1] else host
    return host


@lru_cache(maxsize=1)
def _suffix_rules() -> frozenset[str]:
    """Return the rules of the Public Suffix List, such as ``co.uk``, ``*.ck`` and ``!www.ck``.

    The list is the one that tldextract brings. Its comments cannot be names of hosts, so they may stay. Where
    a release of tldextract has the file under another name, it is asked itself.

    Cost: 5 ms. To import tldextract takes 0.1 s, and to make its tree of suffixes as long again.
    """
    package = find_spec("tldextract")
    path = Path(str(package and package.origin)).with_name(".tld_set_snapshot")
    try:
        return frozenset(path.read_text("utf-8").splitlines())
    except OSError:
        from tldextract import TLDExtract

        known = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
        return frozenset(known.tlds)


def _decoded(label: str) -> str:
    """Return a label of a host as the list has it: not in its ASCII form."""
    try:
        return label[4:].encode().decode("punycode") if label.startswith("xn--") else label
    except UnicodeError:
        return label


@lru_cache(maxsize=64)  # as for link_key
def site_of(url: str, by: str = "domain") -> str:
    """Return the site of a url: its registered domain, or its host if ``by`` is ``host``.

    A domain under which anybody can have a site, such as ``github.io``, counts as a suffix like ``co.uk``.
    A host without a registered domain (an IP address, ``localhost``) is its own
    site. Never raises: a url without a host belongs to the site ``""``.

    >>> site_of("https://news.example.co.uk:8080/a")
    'example.co.uk'
    >>> site_of("https://somebody.github.io/a")
    'somebody.github.io'
    """
    plain = _PLAIN_HOST.match(url)
    host = (plain.group(1) if plain else _host_of(url)).strip(".")
    return host if by == "host" else _registered_domain(host)


def name_in_host(url: str) -> str:
    """Return the name that a url's host has for its site.

    >>> name_in_host("https://news.example.co.uk:8080/a")
    'example'
    """
    return site_of(url).removeprefix("www.").partition(".")[0]


def _host_of(url: str) -> str:
    if not url.isascii():
        url = canonical_url(url)  # the ASCII form of a host's name and the other one are one site
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
