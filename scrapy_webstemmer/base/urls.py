"""Give each page one name: canonical urls, keys of links, its site, its file, and samples drawn by names."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import insort
from collections.abc import Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush, nsmallest
from typing import TYPE_CHECKING, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from w3lib.url import canonicalize_url

if TYPE_CHECKING:
    from tldextract import TLDExtract

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
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?::\d+)?(?:[/?#]|\Z)", re.ASCII)
_STAMP = re.compile(r"[0-9]{12}/")
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
    if is_canonical(url):
        return url
    plain = url.partition("#")[0]
    if is_canonical(plain):
        return plain
    return _canonicalized(url)


@lru_cache(maxsize=4096)  # what all pages of a site link to comes again and again
def _canonicalized(url: str) -> str:
    url = well_formed(url)
    try:
        canonical = canonicalize_url(url)
    except ValueError:
        return url
    return _DEFAULT_PORT.sub(r"\1\2", canonical, count=1)


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
    return "/".join([host, *first, *looks[1:], (_numbered(stem) or "*") + ends])


def _numbered(stem: str) -> str:
    """Return a name that is a number, alone or behind one word, with a zero for the number; else nothing."""
    return _DIGITS.sub("0", stem.lower()) if _NUMBERED.match(stem) else ""


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
    base, _, rest = name.partition("/")
    host, slash, _ = rest.partition("/")
    based = _STAMP.match(name) or (slash and is_host(host) and not is_host(base))
    return "http://" + (rest if based else name)


@lru_cache(maxsize=4096)
def _registered_domain(host: str) -> str:
    return _extractor()(host).top_domain_under_public_suffix or host


@lru_cache(maxsize=1)
def _extractor() -> TLDExtract:
    """Return an extractor with the bundled list of suffixes; it uses neither the network nor a cache file."""
    from tldextract import TLDExtract  # takes 0.1 s, and every `scrapy` command imports our commands

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


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


def _host_of(url: str) -> str:
    if not url.isascii():
        url = canonical_url(url)  # the ASCII form of a host's name and the other one are one site
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


# --- Name a file after a url

#: Urls whose names have all of them: no two give the same name.
_PLAIN = re.compile(
    r"https://([a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*(?::[0-9]+)?)"
    r"((?:/[a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*)+/?)"
)
_DAY_IN_PATH = re.compile(r"(?<=/)([0-9]{4})/([0-9]{2})/([0-9]{2})(?=/|\Z)")
#: What the rule for days and the digest would give to another url as well.
_AMBIGUOUS = re.compile(r"/[0-9]{4}-[0-9]{2}-[0-9]{2}(?:/|\Z)|/[0-9a-f]{10}\Z")
_PROGRAM = re.compile(r"\.(?:x?html?|php|aspx?|jsp|cgi|cfm)(?=[?#]|\Z)", re.IGNORECASE)
#: Names that Windows keeps for devices, whatever follows after a dot.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|\Z)")
_HOST_PART = re.compile(r"\A[a-z][a-z0-9+.-]*://[^/?#]*", re.IGNORECASE)
_NOT_IN_HOST = re.compile(r"[^a-z0-9.-]+")
_HYPHENS = re.compile(r"-+")
#: The most bytes of a name, and of the part before the digest.
_LONGEST, _LONGEST_SLUG = 100, 80


def file_name_of(url: str) -> str:
    """Return the name of the file for a url: the host as its folder, and the path, with ``_`` for each slash.

    A day in the path is written with hyphens. If other urls would have the same name, such as those with
    another query, a digest of the url is added. So two urls have two names, also where upper and lower case
    are the same. A name has only letters, digits, hyphens, dots and ``_``, and at most 100 bytes.

    >>> file_name_of("https://news.example/2026/05/14/the-ferry")
    'news.example/2026-05-14_the-ferry.md'
    >>> file_name_of("https://news.example/view.php?id=7")
    'news.example/view_id-7_0e41659ab8.md'
    """
    if plain := _PLAIN.fullmatch(url):
        host, path = plain.groups()
        name = _DAY_IN_PATH.sub(r"\1-\2-\3", path)[1:].replace("/", "_") + ".md"
        is_device = _DEVICES.match(name) or _DEVICES.match(host)
        if not is_device and not _AMBIGUOUS.search(path) and max(len(name), len(host)) <= _LONGEST:
            return f"{host.replace(':', '+')}/{name}"
    digest = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return f"{_host_folder(url)}/{_slug(url)}_{digest}.md"


def _host_folder(url: str) -> str:
    """Return the name of the folder of a url's host."""
    try:
        parts = urlsplit(canonical_url(url))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "files"
    host = _NOT_IN_HOST.sub("-", host)[-_LONGEST_SLUG:].strip(".-")
    if not host:
        return "files"
    return ("_" if _DEVICES.match(host) else "") + host + (f"+{port}" if port else "")


def _slug(url: str) -> str:
    """Return the last parts of a url's path and query, as they can be read in the name of a file."""
    place = unquote(_PROGRAM.sub("", _HOST_PART.sub("", url), count=1))
    text = unicodedata.normalize("NFC", _DAY_IN_PATH.sub(r"\1-\2-\3", place).lower())
    shown = (one if unicodedata.category(one)[0] in "LMN" else "_" if one in "/?" else "-" for one in text)
    parts = (_HYPHENS.sub("-", part).strip("-") for part in reversed("".join(shown).split("_")))
    kept: list[bytes] = []
    for part in filter(None, (part.encode() for part in parts)):
        if kept and len(b"_".join([part, *kept])) > _LONGEST_SLUG:
            break
        kept.insert(0, part)
    return b"_".join(kept)[:_LONGEST_SLUG].decode(errors="ignore") or "index"


# --- Draw samples of a site's pages by their names: the order in which the pages come does not change them

#: Old entries are dropped when the list has this many times more entries than the sample may have pages.
_STALE = 4


class _Named(Protocol):
    """A value with a url."""

    @property
    def url(self) -> str: ...


_Page = TypeVar("_Page", bound=_Named)


def drawn(pages: Sequence[_Page], size: int) -> Sequence[_Page]:
    """Return at most ``size`` of some pages, drawn by a digest of their urls. Their order is kept.

    A further page changes the sample by one page at most.

    :param size: 0: all pages.
    """
    if not 0 < size < len(pages):
        return pages
    digests = (hashlib.sha256(page.url.encode()).digest() for page in pages)
    chosen = nsmallest(size, zip(digests, range(len(pages)), strict=True))
    return [pages[number] for number in sorted(number for _, number in chosen)]


class PageSample:
    """A sample of a site's pages, drawn evenly from the directories of their urls.

    Most templates have their pages in one directory or a few. A template with few
    pages must not be lost beside an archive of a hundred thousand pages. So the
    pages of each directory are ordered by a digest, or first by a number that the
    caller gives, such as their age. The sample has the first page
    of each directory, then the second of each, and so on, until it is full. If
    there is no room for all pages of a rank, the first of them in the same order come
    in.

    A page that is left out once never comes back, since further pages only push it
    back. So nothing has to be kept for it.
    """

    def __init__(self, size: int) -> None:
        """Make an empty sample.

        :param size: the most pages that the sample may have; 0: no limit.
        """
        self._size = size
        self._count = 0
        #: The pages of each directory, first to last.
        self._directories: dict[str, list[tuple[float, int, str]]] = {}
        #: Directories by their size and their last page, largest first. Some entries are old.
        self._last: list[tuple[int, float, int, str]] = []

    def add(self, key: str, place: float = 0) -> str | None:
        """Add a page. Return the page that is left out in its place (it may be the same one), or None.

        :param key: the page's url without its scheme. Each page is added once. What follows a ``#`` tells
            several versions of a page apart, and counts neither for the directory nor for the digest.
        :param place: pages with a smaller number come first. The digest orders those with the same number.

        Cost: the logarithm of the sample's size.
        """
        if not self._size:
            return None
        name = key.partition("#")[0]
        directory = name.partition("?")[0].rpartition("/")[0]
        pages = self._directories.setdefault(directory, [])
        insort(pages, (place, digest_of(name), key))
        self._note(directory)
        self._count += 1
        if self._count <= self._size:
            return None
        self._count -= 1
        return self._leave_out()

    def _leave_out(self) -> str:
        """Remove and return a page of the highest rank: of these the last one by place and digest."""
        while True:
            entry = heappop(self._last)
            directory = entry[-1]
            if directory in self._directories and self._entry(directory) == entry:
                break
        pages = self._directories[directory]
        *_, key = pages.pop()
        if pages:
            self._note(directory)
        else:
            del self._directories[directory]
        return key

    def _note(self, directory: str) -> None:
        heappush(self._last, self._entry(directory))
        if len(self._last) > _STALE * self._size:
            self._last = [self._entry(one) for one in self._directories]
            heapify(self._last)

    def _entry(self, directory: str) -> tuple[int, float, int, str]:
        pages = self._directories[directory]
        place, digest, _ = pages[-1]
        return -len(pages), -place, -digest, directory


def digest_of(key: str) -> int:
    """Return a digest of a page's key, by which samples are drawn."""
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
