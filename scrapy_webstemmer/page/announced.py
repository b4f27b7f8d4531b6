"""Find the pages that a feed or a sitemap announces, and what it says about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape, unescape
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import etree
from w3lib.html import strip_html5_whitespace

from ..values import NO_XML, Announcement
from .days import iso_time
from .text import fold

#: For the elements of feeds and sitemaps that name a page, those around them.
_ENTRIES = {"loc": ("url", "sitemap"), "link": ("item", "entry")}
#: At most so many characters of a title or a name, and so many authors of an entry. What a feed says once
#: holds for all of its entries: so many of its authors count, with names of so many characters, and so many
#: links of an entry share its title.
_LONGEST_VALUE, _MOST_AUTHORS, _MOST_SHARED, _LONGEST_SHARED, _MOST_LINKS = 500, 20, 5, 100, 10
#: The parts of an entry that state its title, its time and its authors; the first that does counts.
_TITLE_PARTS, _AUTHOR_PARTS = ("title",), ("creator", "author")
_TIME_PARTS = ("pubDate", "published", "publication_date", "date")
#: The namespaces of these parts. Others, such as those for podcasts, have parts of the same names.
_NAMESPACES = {
    None,
    "http://www.w3.org/2005/Atom",
    "http://purl.org/rss/1.0/",
    "http://purl.org/dc/elements/1.1/",
    "http://www.google.com/schemas/sitemap-news/0.9",
}
#: An author in RSS: an address, and mostly the name in brackets.
_WITH_ADDRESS = re.compile(r"[^\s@]+@[^\s@()]+\s*(?:\((.*)\))?")
_NOT_SAID = Announcement()


class Announced(NamedTuple):
    """What a feed or a sitemap announces, each url once, in its order.

    :param pages: urls of pages, each with what is said about it.
    :param sitemaps: urls of other sitemaps.
    """

    pages: Mapping[str, Announcement] = MappingProxyType({})
    sitemaps: tuple[str, ...] = ()


def announced_by(body: bytes, url: str) -> Announced:
    """Return what a document announces: a sitemap or its index, a feed in RSS or Atom, a robots.txt.

    :param body: the document, not compressed.
    :param url: its url. Only one whose path ends in ``/robots.txt`` is read as such.

    Any other document announces nothing. Entities are not resolved, and nothing is fetched. Cost: one parse.
    Sources: RSS 2.0; RFC 4287 (Atom); Dublin Core in RSS; sitemaps.org; Google's sitemaps of news.
    """
    pages, sitemaps = dict[str, Announcement](), dict[str, None]()
    is_robots = urlsplit(url).path.endswith("/robots.txt")
    for target, said in _sitemaps_of_robots(body) if is_robots else _listed(body):
        try:
            target = urljoin(url, strip_html5_whitespace(target))
        except ValueError:
            continue
        if said is None:
            sitemaps[target] = None
        else:
            pages.setdefault(target, said)
    return Announced(pages, tuple(sitemaps))


def _sitemaps_of_robots(body: bytes) -> Iterator[tuple[str, None]]:
    for line in body.decode("utf-8", "replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == "sitemap" and value.strip():
            yield value, None


#: Sections of a document that have no references; an ampersand, with the reference that it begins.
_WITHOUT_REFERENCES = re.compile(rb"(<!\[CDATA\[.*?(?:\]\]>|\Z))", re.DOTALL)
_REFERENCE = re.compile(rb"&(?:#[xX][0-9a-fA-F]{0,99};|#[0-9]{0,99};|[A-Za-z]\w{0,40};)?")
#: What comes of a number that is that of no character.
_NO_CHARACTER = re.compile(f"&#.*|\ufffd|{NO_XML.pattern}")


def _mended(body: bytes) -> bytes:
    """Return a document with its ampersands and references as XML wants them.

    The parser could go on after a wrong one. But then it leaves out right ones, or gives a text that Python
    refuses.
    """
    parts = _WITHOUT_REFERENCES.split(body)
    parts[::2] = (_REFERENCE.sub(_xml_reference, part) for part in parts[::2])
    return b"".join(parts)


def _xml_reference(match: re.Match[bytes]) -> bytes:
    """Return a reference that XML has; nothing for a number of no character; an unknown name as text."""
    text = _NO_CHARACTER.sub("", unescape(match[0].decode()))
    return escape(text).encode("ascii", "xmlcharrefreplace")


def _listed(body: bytes) -> Iterator[tuple[str, Announcement | None]]:
    """Yield the urls of pages with what is said about them, and those of sitemaps with None."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(_mended(body), parser)
    except etree.XMLSyntaxError:
        return
    said = _Said()
    for link in root.iter("{*}loc", "{*}link") if root is not None else ():
        around = link.getparent()
        try:
            inside = "" if around is None else _local_name(around)
            target = link.get("href") if inside == "entry" else link.text
            is_link = inside in _ENTRIES[_local_name(link)]
            if is_link and target and link.get("rel", "alternate") == "alternate":
                yield target, None if inside == "sitemap" else said.about(around, target)
        except ValueError:  # half a surrogate pair, in a charset in which no reference is looked for
            continue


def _local_name(element: Any) -> str:
    """Return the name of an element without its namespace; its prefix may be of none."""
    return str(element.tag).rpartition("}")[2]


class _Said:
    """What the entries of a document say. Each entry and each feed is read once, whatever it has."""

    def __init__(self) -> None:
        self._by_entries: dict[Any, Announcement] = {}
        self._links: Counter[Any] = Counter()
        #: The authors of each feed, who are those of its entries without an author.
        self._of_feeds: dict[Any, list[str]] = {}

    def about(self, entry: Any, target: str) -> Announcement:
        """Return what an entry of a feed, or of a sitemap of news, says about the page that it links to.

        The entries of a feed of comments lead to places on the page, and say nothing about the page.
        """
        self._links[entry] += 1
        if "#" in target or self._links[entry] > _MOST_LINKS:
            return _NOT_SAID
        if entry not in self._by_entries:
            self._by_entries[entry] = self._read(entry)
        return self._by_entries[entry]

    def _read(self, entry: Any) -> Announcement:
        if _local_name(entry) == "url":
            entry = entry.find("{*}news")
            if entry is None:
                return _NOT_SAID
        title, time = (next(_parts(entry, names), "") for names in (_TITLE_PARTS, _TIME_PARTS))
        authors = [*islice(_parts(entry, _AUTHOR_PARTS), _MOST_AUTHORS)]
        feed = entry.getparent()
        if not authors and feed is not None:  # an entry may be all of the document
            if feed not in self._of_feeds:
                shared = islice(_parts(feed, _AUTHOR_PARTS), _MOST_SHARED)
                self._of_feeds[feed] = [name for name in shared if len(name) <= _LONGEST_SHARED]
            authors = self._of_feeds[feed]
        return Announcement(title, iso_time(time) or "", tuple(dict.fromkeys(authors)))


def _parts(element: Any, names: Sequence[str]) -> Iterator[str]:
    """Yield the texts of an element's parts with the first of some names that it has."""
    for name in names:
        has_any = False
        for part in element.iterchildren(f"{{*}}{name}"):
            inner = part.find("{*}name")
            text = fold(((part if inner is None else inner).text or "")[:_LONGEST_VALUE])
            if with_address := _WITH_ADDRESS.fullmatch(text):
                text = fold(with_address[1] or "")
            if text and (str(part.tag)[1:].rpartition("}")[0] or None) in _NAMESPACES:
                has_any = True
                yield text
        if has_any:
            return
