"""The anchors of a page: the urls that it links to, and under which texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from w3lib.html import strip_html5_whitespace
from w3lib.url import safe_url_string

from ..base.limits import Limits
from ..base.urls import canonical_url, is_canonical, link_key
from ..errors import LimitError
from ..values import Page

__all__ = ["MAX_TEXT", "Anchor", "PageAnchors", "base_url", "find_anchors"]

#: Longest anchor text that is kept, in characters: a link around a whole teaser is no title.
MAX_TEXT = 500

_NO_TEXT = frozenset({"script", "style", "noscript", "template"})
# What may stand inside a word; around any other element there is a space, as there is on the screen.
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)


# Urls that say all but the scheme or the host, and those that are relative to the folder of their page.
_ROOTED = re.compile(r"(?:https?:)?/+[^/?#]|/\Z")
_IN_FOLDER = re.compile(r"(?!https?:)[\w.%~-]", re.IGNORECASE)
_ORIGIN = re.compile(r"[^:/?#]+://[^/?#]*")
_LIMITS = Limits()


class Anchor(NamedTuple):
    """A link: the canonical url of its target, and its text, white space folded, never empty."""

    target: str
    text: str

    @property
    def key(self) -> str:
        """The :func:`~scrapy_webstemmer.base.urls.link_key` of the target."""
        return self.target.partition("://")[2]


class PageAnchors(NamedTuple):
    """A page's anchors in the order of the page, and how many links had a url that cannot be parsed."""

    anchors: tuple[Anchor, ...]
    broken: int


def find_anchors(root: Any, page: Page, limits: Limits = _LIMITS) -> PageAnchors:
    """Return all anchors to other pages; the tree is only looked at.

    :param root: the root of the page's lxml tree.
    :param page: for its url, its aliases (links to itself tell nothing about it) and its charset.

    A link without text gives the ``alt`` of its images, else its
    ``aria-label`` or ``title``; one without any of them is left out. So are
    links that are not http. ``rel`` is not looked at.

    :raises LimitError: there are too many.

    Cost: one walk over the tree, and some 30 microseconds for each new url.
    """
    base = _Base(base_url(root, page.url))
    own = {link_key(url) for url in (page.url, *page.aliases)}
    charset = _url_charset(page.encoding)
    anchors: list[Anchor] = []
    broken = 0
    for element in root.iter("a", "area"):
        href = element.get("href")
        if href is None:
            continue
        try:
            href = strip_html5_whitespace(href)
            target = _target(base.to(href), href, charset)
        except ValueError:
            broken += 1
            continue
        if target and target.partition("://")[2] not in own and (text := _anchor_text(element)):
            anchors.append(Anchor(target, text))
        if len(anchors) > limits.anchors:
            raise LimitError(page.url, "anchors", f"has more than {limits.anchors:,} links")
    return PageAnchors(tuple(anchors), broken)


def _url_charset(encoding: str | None) -> str:
    """Return the charset of the queries in a page's links: its own, but UTF-8 where that cannot be."""
    try:
        if encoding and "?".encode(encoding) == b"?":  # UTF-16 is for text only, as in browsers
            return encoding
    except (LookupError, UnicodeError):
        pass
    return "utf-8"


def base_url(root: Any, url: str) -> str:
    """Return what a page's relative urls are relative to: what its ``base`` element says, or its url."""
    for element in root.iter("base"):
        if (href := element.get("href")) is not None:
            try:
                return urljoin(url, strip_html5_whitespace(href))
            except ValueError:
                return url
    return url


class _Base:
    """What the links of one page are relative to."""

    def __init__(self, url: str) -> None:
        self.url = url
        origin = _ORIGIN.match(url)
        self.origin = origin.group() if origin else url
        path = url[len(self.origin) :].partition("#")[0].partition("?")[0]
        self.folder = self.origin + path[: path.rfind("/") + 1] if origin else url

    def to(self, href: str) -> str:
        """Return as much of the url as a link's target depends on: pages share what is known of it."""
        if _ROOTED.match(href):
            return self.origin
        return self.folder if _IN_FOLDER.match(href) else self.url


@lru_cache(maxsize=1 << 14)  # a site's navigation is on all of its pages
def _target(base: str, href: str, encoding: str) -> str | None:
    """Return the canonical form of a link's url, or None if it is not http.

    The query is encoded in the page's charset, as Scrapy and browsers do when they follow the link.
    """
    url = urljoin(base, href)
    if is_canonical(url):
        return url
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        return None
    if not parts.hostname:
        raise ValueError(f"no host in {url!r}")
    return canonical_url(safe_url_string(url, encoding=encoding))


def _anchor_text(element: Any) -> str:
    if not len(element) and (text := element.text) and (folded := " ".join(text.split())):
        return folded[:MAX_TEXT].rstrip()
    for text in _names(element):
        if folded := " ".join(text.split()):
            return folded[:MAX_TEXT].rstrip()
    return ""


def _text(link: Any) -> str:
    """Return the text in a link, or more than enough of it; a link in it is one of its own, as in browsers.

    No XPath: it takes the square of the number of elements where they are nested deeply.
    """
    pieces: list[str] = []
    todo: list[Any] = [link]
    missing, inline = 2 * MAX_TEXT, True
    while todo and missing > 0:
        one = todo.pop()
        if isinstance(one, str):
            missing -= len(one.strip())
            pieces.append(one)
            continue
        if one is not link and one.tail:
            todo.append(one.tail)
        if not isinstance(one.tag, str):
            continue
        inline = inline and one.tag in _INLINE
        if one.tag not in _NO_TEXT and (one is link or one.tag != "a"):
            todo.extend(reversed(one))
            if one.text:
                todo.append(one.text)
    return ("" if inline else " ").join(pieces)


def _names(element: Any) -> Iterator[str]:
    """Yield what may serve as a link's text, best first."""
    if len(element):
        yield _text(element)
        yield " ".join(dict.fromkeys(image.get("alt", "") for image in element.iter("img")))
    else:
        yield element.text or ""
    if element.tag == "area":
        yield element.get("alt", "")
    yield element.get("aria-label", "")
    yield element.get("title", "")
