"""Find the anchors of a page: the urls that it links to, and the texts of the links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from w3lib.url import safe_url_string

from ..base.urls import canonical_url, link_key, quick_canonical_url
from ..options import Limits
from ..values import Page
from .limits import check_limit
from .tags import INLINE, LONGEST_LINK_TEXT, MOST_IMAGES, NO_TEXT, NOT_READ, role_by
from .text import fold

if TYPE_CHECKING:
    from .sources import Source

# Urls that depend on the scheme or host of their page alone, and urls relative to their page's folder.
_ROOTED = re.compile(r"(?:https?:)?/+[^/?#]|/\Z")
_IN_FOLDER = re.compile(r"(?!https?:)[\w.%~-]", re.IGNORECASE)
_ORIGIN = re.compile(r"[^:/?#]+://[^/?#]*")
#: What HTML counts as white space.
_WHITE = " \t\n\r\f"
#: So many slashes has a url without a path.
_ORIGIN_SLASHES = 2
_LIMITS = Limits()
#: A ``base`` has at most so many characters; on real pages it is the address of the site or of a folder.
_LONGEST_BASE = 200
#: The anchors of some sites, if their links are not long: memory must stay bounded.
_KNOWN_ANCHORS: dict[tuple[str, str], dict[tuple[str, str], Anchor]] = {}
_MOST_SITES, _MOST_KEPT, _LONGEST_KEPT = 16, 1_000, 500
#: What relative links grow by when they become absolute: in all so many characters, and so many more a link.
_ROOM, _ROOM_OF_LINK = 20_000, 200


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
    page_keys = {link_key(url) for url in (page.url, *page.aliases)}
    charset = _url_charset(page.encoding)
    known = _known_anchors(base.origin, charset)
    anchors: list[Anchor] = []
    broken, room = 0, _ROOM
    for link in source.links():
        if (anchor := known.get(link)) is None:
            try:
                anchor = _anchor_of(base, link, charset, known)
            except ValueError:
                broken += 1
                continue
        room += _ROOM_OF_LINK - max(0, len(anchor.target) - len(link[0]))
        # a long url of the page, or many characters that are written as three, leave no room
        if room >= 0 and anchor.target and anchor.text and anchor.key not in page_keys:
            anchors.append(anchor)
    check_limit(page.url, limits, "anchors", len(anchors))
    return PageAnchors(tuple(anchors), broken)


def links_in(root: Any) -> Iterator[tuple[str, str]]:
    """Yield the target of each link in a tree, and its text, with white space folded.

    What only screen readers get counts if a link has no other text. If it has none at all, the ``alt`` of its
    images counts, else its ``aria-label`` or ``title``.
    """
    for element in root.iter("a", "area"):
        href = element.get("href")
        if href is not None:
            yield href, next(filter(None, map(fold, _link_texts(element))), "")


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
    targets = (element.get("href") for element in root.iter("base"))
    return base_url(next((href for href in targets if href is not None), None), url)


def base_url(href: str | None, url: str) -> str:
    """Return the base of a page's relative urls: that of its ``base`` element, or the page's url.

    A long base does not count: each relative url of the page would be as long.

    :param href: the target of the first ``base`` element with one; None: there is none.
    """
    if href is None or len(href) > _LONGEST_BASE:
        return url
    try:
        return urljoin(url, href.strip(_WHITE))
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


def _known_anchors(origin: str, charset: str) -> dict[tuple[str, str], Anchor]:
    """Return the anchors of a site by their source and text: its navigation is on all of its pages."""
    if (origin, charset) not in _KNOWN_ANCHORS and len(_KNOWN_ANCHORS) >= _MOST_SITES:
        _KNOWN_ANCHORS.clear()
    return _KNOWN_ANCHORS.setdefault((origin, charset), {})


def _anchor_of(
    base: _Base, link: tuple[str, str], charset: str, known: dict[tuple[str, str], Anchor]
) -> Anchor:
    """Return a page's link as an anchor; keep it as known if it is the same on all pages of the site."""
    href, text = link
    text, plain = text[:LONGEST_LINK_TEXT].rstrip(), href.strip(_WHITE)
    if _IN_FOLDER.match(plain):
        return Anchor(_target(base.folder, plain, charset), text)
    part, target = base.origin, quick_canonical_url(href)
    if not target:
        part = part if _ROOTED.match(plain) else base.url
        target = _target(part, plain, charset)
    anchor = Anchor(target, text)
    if part is base.origin and len(href) + len(text) <= _LONGEST_KEPT:
        if len(known) >= _MOST_KEPT:
            known.clear()
        known[href, text] = anchor
    return anchor


@lru_cache(maxsize=1 << 14)
def _target(base: str, href: str, encoding: str) -> str:
    """Return the canonical form of a link's url; empty if it is not http.

    The query is encoded in the page's charset, as Scrapy and browsers do when they follow the link.
    """
    if quick := quick_canonical_url(_joined(base, href.partition("#")[0])):
        return quick
    url = urljoin(base, href)
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        return ""
    if not parts.hostname:
        raise ValueError(f"no host in {url!r}")
    return canonical_url(safe_url_string(url, encoding=encoding))


def _joined(base: str, href: str) -> str:
    """Return an absolute url, if a link is simply joined to its base; else the link.

    >>> _joined("https://example.com/a/b/", "../c.html"), _joined("https://example.com", "/c")
    ('https://example.com/a/c.html', 'https://example.com/c')

    Cost: a fifth of that of ``urljoin``.
    """
    slashes = base.count("/")
    if href[:1] == "/":
        return base + href if href[:2] != "//" and slashes == _ORIGIN_SLASHES else href
    if base[-1:] != "/" or base.count("//") != 1 or "/." in base or ":" in href or "//" in href:
        return href
    while href.startswith("../") and slashes > _ORIGIN_SLASHES + 1:
        base, href, slashes = base[: base.rindex("/", 0, -1) + 1], href[len("../") :], slashes - 1
    return base + href


def _text_in(link: Any, *, heard: bool = False) -> str:
    """Return the text in a link, or more than enough of it. A link inside it is a link of its own.

    :param heard: with what only screen readers get.

    XPath is not used: with deep nesting, its time grows with the square of the number of elements.
    """
    pieces: list[str] = []
    todo: list[Any] = [link]
    missing, inline = 2 * LONGEST_LINK_TEXT, True
    while todo and missing > 0:
        node = todo.pop()
        if isinstance(node, str):
            missing -= len(node.strip())
            pieces.append(node)
            continue
        if node is not link and node.tail:
            todo.append(node.tail)
        if not isinstance(node.tag, str):
            continue
        inline = inline and node.tag in INLINE
        if node is link or not (node.tag in NO_TEXT or node.tag == "a" or (not heard and _is_heard(node))):
            todo.extend(reversed(node))
            if node.text:
                todo.append(node.text)
    return ("" if inline else " ").join(pieces)


def _is_heard(element: Any) -> bool:
    return bool(element.attrib) and role_by(element.tag, element.attrib) == NOT_READ


def _link_texts(element: Any) -> Iterator[str]:
    """Yield the texts that can serve as a link's text, best first."""
    if len(element):
        yield _text_in(element)
        yield _text_in(element, heard=True)
        images = islice(element.iter("img"), MOST_IMAGES)
        yield " ".join(dict.fromkeys(image.get("alt", "") for image in images))
    else:
        yield element.text or ""
    if element.tag == "area":
        yield element.get("alt", "")
    yield element.get("aria-label", "")
    yield element.get("title", "")
