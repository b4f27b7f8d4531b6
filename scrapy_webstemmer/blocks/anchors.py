"""Find the anchors of a page: the urls that it links to, and the texts of the links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from w3lib.html import strip_html5_whitespace
from w3lib.url import safe_url_string

from ..base.limits import Limits
from ..base.urls import canonical_url, is_canonical, link_key
from ..errors import LimitError
from ..values.pages import Page
from .nesting import INLINE, LONGEST_LINK_TEXT, MOST_IMAGES, NO_TEXT
from .text import fold

if TYPE_CHECKING:
    from .sources import Source

# Urls that depend on the scheme or host of their page alone, and urls relative to their page's folder.
_ROOTED = re.compile(r"(?:https?:)?/+[^/?#]|/\Z")
_IN_FOLDER = re.compile(r"(?!https?:)[\w.%~-]", re.IGNORECASE)
_ORIGIN = re.compile(r"[^:/?#]+://[^/?#]*")
_LIMITS = Limits()


class Anchor(NamedTuple):
    """A link: the canonical url of its target, and its text. White space is folded; the text is not empty."""

    target: str
    text: str

    @property
    def key(self) -> str:
        """The :func:`~scrapy_webstemmer.base.urls.link_key` of the target."""
        return self.target.partition("://")[2]


class PageAnchors(NamedTuple):
    """A page's anchors in the order of the page, and the number of its links with an invalid url."""

    anchors: tuple[Anchor, ...]
    broken: int


def find_anchors(source: Source, page: Page, limits: Limits = _LIMITS) -> PageAnchors:
    """Return a page's anchors to other pages.

    :param source: the page, open for reading.
    :param page: the page: its url, its aliases (links to itself are left out) and its charset are used.

    A link without a text is left out, and so is a link that is not http. ``rel`` has no influence.

    :raises LimitError: the page has too many anchors.

    Cost: about 30 microseconds for each new url.
    """
    base = _Base(source.base(page.url))
    own = {link_key(url) for url in (page.url, *page.aliases)}
    charset = _url_charset(page.encoding)
    anchors: list[Anchor] = []
    broken = 0
    for href, text in source.links():
        try:
            href = strip_html5_whitespace(href)
            target = _target(base.to(href), href, charset)
        except ValueError:
            broken += 1
            continue
        if target and text and target.partition("://")[2] not in own:
            anchors.append(Anchor(target, text[:LONGEST_LINK_TEXT].rstrip()))
        if len(anchors) > limits.anchors:
            raise LimitError(page.url, "anchors", f"has more than {limits.anchors:,} links")
    return PageAnchors(tuple(anchors), broken)


def links_in(root: Any) -> Iterator[tuple[str, str]]:
    """Yield the target of each link in a tree, and its text, with white space folded.

    If a link has no text, the ``alt`` of its images counts, else its ``aria-label`` or ``title``.
    """
    for element in root.iter("a", "area"):
        href = element.get("href")
        if href is not None:
            yield href, next(filter(None, map(fold, _names(element))), "")


def _url_charset(encoding: str | None) -> str:
    """Return the charset of the queries in a page's links: the page's own, or UTF-8 if it is not usable."""
    try:
        if encoding and "?".encode(encoding) == b"?":  # not UTF-16: browsers do not use it in urls
            return encoding
    except (LookupError, UnicodeError):
        pass
    return "utf-8"


def tree_base(root: Any, url: str) -> str:
    """Return the :func:`base_url` of a page, given its tree."""
    targets = (one.get("href") for one in root.iter("base"))
    return base_url(next((href for href in targets if href is not None), None), url)


def base_url(href: str | None, url: str) -> str:
    """Return the base of a page's relative urls: that of its ``base`` element, or the page's url.

    :param href: the target of the first ``base`` element with one; None: there is none.
    """
    if href is None:
        return url
    try:
        return urljoin(url, strip_html5_whitespace(href))
    except ValueError:
        return url


class _Base:
    """The base url of one page's links."""

    def __init__(self, url: str) -> None:
        self.url = url
        origin = _ORIGIN.match(url)
        self.origin = origin.group() if origin else url
        path = url[len(self.origin) :].partition("#")[0].partition("?")[0]
        self.folder = self.origin + path[: path.rfind("/") + 1] if origin else url

    def to(self, href: str) -> str:
        """Return the part of the base url that a link depends on, so that pages share known targets."""
        if _ROOTED.match(href):
            return self.origin
        return self.folder if _IN_FOLDER.match(href) else self.url


@lru_cache(maxsize=1 << 14)  # a site's navigation is on all of its pages
def _target(base: str, href: str, encoding: str) -> str | None:
    """Return the canonical form of a link's url, or None if it is not http.

    The query is encoded in the page's charset, as Scrapy and browsers do when they follow the link.
    """
    plain = href.partition("#")[0]
    if href[:1] == "/" and href[:2] != "//" and base.count("/") == 2:
        plain = base + plain
    if is_canonical(plain):
        return plain
    url = urljoin(base, href)
    plain = url.partition("#")[0]
    if is_canonical(plain):
        return plain
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        return None
    if not parts.hostname:
        raise ValueError(f"no host in {url!r}")
    return canonical_url(safe_url_string(url, encoding=encoding))


def _text(link: Any) -> str:
    """Return the text in a link, or more than enough of it. A link inside it is a link of its own.

    XPath is not used: with deep nesting, its time grows with the square of the number of elements.
    """
    pieces: list[str] = []
    todo: list[Any] = [link]
    missing, inline = 2 * LONGEST_LINK_TEXT, True
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
        inline = inline and one.tag in INLINE
        if one.tag not in NO_TEXT and (one is link or one.tag != "a"):
            todo.extend(reversed(one))
            if one.text:
                todo.append(one.text)
    return ("" if inline else " ").join(pieces)


def _names(element: Any) -> Iterator[str]:
    """Yield the texts that can serve as a link's text, best first."""
    if len(element):
        yield _text(element)
        images = islice(element.iter("img"), MOST_IMAGES)
        yield " ".join(dict.fromkeys(image.get("alt", "") for image in images))
    else:
        yield element.text or ""
    if element.tag == "area":
        yield element.get("alt", "")
    yield element.get("aria-label", "")
    yield element.get("title", "")
