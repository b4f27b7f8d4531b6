"""Read what is stated about a page's article: in ``meta`` and ``link`` elements, in JSON-LD, and in feeds.

Nothing is taken on trust here but the form: a name is a short text with letters, an address is one of the
web, a number is a number. What the page says in its text alone is not looked for.

Sources: schema.org; The Open Graph protocol; Dublin Core in HTML; HTML Standard, the ``lang`` attribute.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from html import unescape
from typing import Any
from urllib.parse import urljoin

from ..base.urls import link_key
from ..values import Announcement, Author, Breadcrumb, Markup
from .markup import AUTHOR, CANONICAL, JSON, META
from .text import fold, iso_time

#: A longer text of JSON-LD is not read: its values take twenty times its memory.
_LONGEST_JSON = 1_000_000
#: At most so many values of a kind, objects of JSON-LD, and characters of a text, of a name and of a url.
MOST, _MOST_THINGS, _LONGEST, _LONGEST_NAME, _LONGEST_URL = 50, 2_000, 2_000, 100, 2_000
#: So deep may an object be in others that only hold it.
_DEEPEST = 5
#: The text of an article has at most so many characters; that of a book has no more.
_LONGEST_BODY = 500_000

#: What JSON-LD may stand in: a comment, or a CDATA section with or without comments of scripts around it.
_BEGINNINGS = ("<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[")
_ENDINGS = (";", "-->", "//]]>", "/*]]>*/", "]]>")
_LETTER = re.compile(r"[^\W\d_]")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://|mailto:|javascript:|data:|//|www\.", re.IGNORECASE)
_WEB = ("http://", "https://")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?", re.IGNORECASE)

#: The kinds of objects of JSON-LD that are looked for, by the end of their type in lower case.
_KINDS = {
    "article": ("article", "posting", "report", "review", "recipe"),
    "page": ("webpage", "itempage"),
    "breadcrumbs": ("breadcrumblist",),
    "site": ("website",),
}

#: For each field, the names of the ``meta`` elements that state it, the surest first.
_NAMES = {
    field: names.split()
    for field, names in {
        "authors": "author article:author dc.creator dcterms.creator parsely-author sailthru.author",
        "surely published": "article:published_time",
        "published": "datepublished og:article:published_time article:published article.published"
        " parsely-pub-date sailthru.date dc.date.issued dcterms.issued dc.date dcterms.created"
        " dc.date.created pubdate publishdate publish-date publish_date date",
        "modified": "article:modified_time og:updated_time datemodified dc.date.modified dcterms.modified",
        "description": "description og:description twitter:description dc.description",
        "image": "og:image og:image:url og:image:secure_url twitter:image twitter:image:src image",
        "videos": "og:video og:video:url og:video:secure_url",
        "audios": "og:audio og:audio:url og:audio:secure_url",
        "language": "og:locale content-language dc.language language",
        "tags": "article:tag og:article:tag parsely-tags",
        "canonical": "og:url",
        "site": "og:site_name application-name",
    }.items()
}

#: The names of the ``meta`` elements that are read.
STATED = frozenset(name for names in _NAMES.values() for name in names)


_NOT_ANNOUNCED = Announcement()


class Statements:
    """What one page states. Each property reads its part when it is asked for the first time.

    :param markup: the page's markup.
    :param url: the page's url; JSON-LD may describe several articles.
    :param announced: what a feed says; it counts where the page itself states nothing.

    Cost: linear in the length of what is stated.
    """

    def __init__(self, markup: Markup, url: str, announced: Announcement | None = None) -> None:
        self._url, self._base = url, markup.base
        self._announced = announced or _NOT_ANNOUNCED
        #: For each name, the contents of the ``meta`` elements that state it.
        self._metas: dict[str, list[str]] = {}
        self._canonical = ""
        self._scripts: list[str] = []
        #: For each address of an author, the texts of its links.
        self._author_links: dict[str, list[str]] = {}
        self._lang = ""
        for kind, name, value in markup.stating(STATED):
            if kind == META:
                self._metas.setdefault(name, []).append(value)
            elif kind == JSON:
                self._scripts.append(value)
            elif kind == CANONICAL:
                self._canonical = self._canonical or value
            elif kind == AUTHOR:
                self._author_links.setdefault(name, []).append(value)
            else:
                self._lang = value

    # ---- the fields ------------------------------------------------------------------------------------

    @cached_property
    def authors(self) -> tuple[Author, ...]:
        """The authors: of JSON-LD, of links to one author, of ``meta`` elements, or those that a feed names.

        Links to several authors may be those of other articles, and say nothing.
        """
        ways = self._article.get("author"), self._linked_author(), self._named("authors")
        found = next(filter(None, (self._authors(_values(way)) for way in ways)), ())
        return found or self._authors(self._announced.authors)

    @cached_property
    def published(self) -> tuple[str, str] | tuple[None, None]:
        """The time of publication in ISO 8601, and as it stands there; None twice: not stated."""
        return _first_time(self.publications)

    @cached_property
    def modified(self) -> tuple[str, str] | tuple[None, None]:
        """The time of the last change, in the same way."""
        return _first_time(filter(None, [*self._times("dateModified"), *self._named("modified")]))

    @property
    def publications(self) -> Iterator[str]:
        """What is stated as the time of publication, as it stands there, the surest first."""
        surely, others = self._named("surely published"), self._named("published")
        return filter(None, [*surely, *self._times("datePublished"), *others, self._announced.published])

    @property
    def description(self) -> str:
        """The description; empty: none."""
        return next(filter(None, self._named("description")), "") or _text(self._article.get("description"))

    @property
    def image(self) -> str:
        """The url of the main image; empty: none."""
        urls = map(self.address, [*self._named("image"), *_values(self._article.get("image"))])
        return next(filter(None, urls), "")

    @property
    def videos(self) -> tuple[str, ...]:
        """The urls of videos."""
        return self._media("videos", "video")

    @property
    def audios(self) -> tuple[str, ...]:
        """The urls of recordings."""
        return self._media("audios", "audio")

    @property
    def language(self) -> str:
        """The language as a BCP 47 tag; empty: none."""
        stated = (_text(self._article.get("inLanguage")), self._lang, *self._named("language"))
        return next(filter(None, map(_language, stated)), "")

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The topics, as the publisher names them."""
        found = self._named("tags") or [
            part for one in _values(self._article.get("keywords")) for part in _text(one).split(",")
        ]
        return tuple(dict.fromkeys(filter(None, map(fold, found))))[:MOST]

    @property
    def breadcrumbs(self) -> tuple[Breadcrumb, ...]:
        """The way from the site's front page to the page."""
        for one in self._of_kind.get("breadcrumbs", ()):
            steps = [step for step in _values(one.get("itemListElement")) if isinstance(step, dict)]
            steps.sort(key=lambda step: _number(step.get("position")) or 0)
            found = tuple(map(self._breadcrumb, steps[:MOST]))
            if any(step.name for step in found):
                return tuple(step for step in found if step.name)
        return ()

    @cached_property
    def canonical(self) -> str:
        """The url that the page calls its own; empty: none."""
        return self.address(self._canonical) or next(
            filter(None, map(self.address, self._named("canonical"))), ""
        )

    @property
    def site_name(self) -> str:
        """The name of the site; empty: none."""
        named = self._named("site")
        publisher = self._object(self._article.get("publisher"))
        sites = (_text(one.get("name")) for one in self._of_kind.get("site", ()))
        return next(filter(None, (*named, *sites, _text(publisher.get("name")))), "")

    @property
    def headline(self) -> str:
        """The headline of the article; empty: not stated."""
        return _text(self._article.get("headline")) or _text(self._article.get("name"))

    @property
    def body(self) -> str:
        """The text of the article, as it stands there; empty: not stated, or too long."""
        stated = self._article.get("articleBody")
        return stated if isinstance(stated, str) and len(stated) <= _LONGEST_BODY else ""

    @property
    def comment_count(self) -> int | None:
        """The number of readers' comments; None: not stated."""
        return _number(self._article.get("commentCount"))

    # ---- how they are read -----------------------------------------------------------------------------

    def _named(self, field: str) -> list[str]:
        """Return what ``meta`` elements state of a field, the surest first, folded and cut."""
        metas = self._metas
        stated = [one for name in _NAMES[field] if name in metas for one in metas[name][:MOST]]
        return [text for one in stated[:MOST] if (text := fold(one[:_LONGEST]))] if stated else stated

    def _times(self, key: str) -> list[str]:
        """Return the times that the article and the page state, or else the only object that states one."""
        found = [_text(one.get(key)) for one in (self._article, self._page)]
        if not any(found):
            others = [_text(one[key]) for one in self._things if key in one]
            found = others if len(others) == 1 else []
        return found

    @cached_property
    def _things(self) -> list[dict[str, Any]]:
        """The objects of JSON-LD, without those that are part of others."""
        found: list[dict[str, Any]] = []
        for text in self._scripts:
            _collect(_parsed(text), found)
        return found

    @cached_property
    def _of_kind(self) -> Mapping[str, list[dict[str, Any]]]:
        """The objects of JSON-LD by their kind."""
        found: dict[str, list[dict[str, Any]]] = {}
        for one in self._things:
            names = (name for name in _values(one.get("@type")) if isinstance(name, str))
            for kind in {kind for name in names for kind in _kinds_of(name)}:
                found.setdefault(kind, []).append(one)
        return found

    @cached_property
    def _base_url(self) -> str:
        return self._base()

    @cached_property
    def _known(self) -> Mapping[str, dict[str, Any]]:
        """The objects of JSON-LD by their ``@id``."""
        return {name: one for one in self._things if isinstance(name := one.get("@id"), str) and len(one) > 1}

    @cached_property
    def _article(self) -> Mapping[str, Any]:
        """The object of JSON-LD that is the page's article; empty: there is none, or nobody knows which."""
        found = self._of_kind.get("article", ())
        if len(found) <= 1:
            return found[0] if found else {}
        own = {link_key(url).rstrip("/") for url in (self._url, self.canonical) if url}
        named = (one for one in found if any(key in own for key in self._keys_of(one)))
        return next(named, {})

    @cached_property
    def _page(self) -> Mapping[str, Any]:
        """The object of JSON-LD that is the page."""
        return next(iter(self._of_kind.get("page", ())), {})

    def _keys_of(self, one: Mapping[str, Any]) -> Iterator[str]:
        """Yield the keys of the urls by which an object names its page."""
        for key in ("url", "mainEntityOfPage", "@id"):
            for value in _values(one.get(key)):
                name = value.get("@id") or value.get("url") if isinstance(value, dict) else value
                if isinstance(name, str):
                    yield link_key(self.address(name.partition("#")[0])).rstrip("/")

    def _object(self, value: Any) -> Mapping[str, Any]:
        """Return the object that a value is, or that it names."""
        one = next(iter(_values(value)), None)
        if isinstance(one, str):
            return self._known.get(one, {})
        if not isinstance(one, dict):
            return {}
        name = one.get("@id")
        return self._known.get(name, one) if isinstance(name, str) and "name" not in one else one

    def _authors(self, values: Iterable[Any]) -> tuple[Author, ...]:
        found: dict[str, Author] = {}
        for value in values:
            one = self._object(value)
            for stated in _values(one.get("name")) if one else [value]:
                name = _text(stated)
                if is_name(name) and name.casefold() not in found:
                    found[name.casefold()] = Author(name, self.address(one.get("url")) or None)
        return tuple(found.values())

    def _linked_author(self) -> dict[str, str]:
        """Return the author to whom all links to authors lead, as JSON-LD has one; empty: there is none."""
        if len(self._author_links) != 1:
            return {}
        ((address, texts),) = self._author_links.items()
        return {"name": min(filter(None, texts), key=len, default=""), "url": address}

    def _breadcrumb(self, step: Mapping[str, Any]) -> Breadcrumb:
        item = step.get("item")
        inner = item if isinstance(item, dict) else {}
        target = inner.get("@id") or inner.get("url") or item
        return Breadcrumb(_text(step.get("name")) or _text(inner.get("name")), self.address(target) or None)

    def _media(self, field: str, key: str) -> tuple[str, ...]:
        stated: list[Any] = [*self._named(field)]
        for value in _values(self._article.get(key)):
            one = self._object(value)
            stated.append(one.get("contentUrl") or one.get("embedUrl") or one.get("url"))
        return tuple(dict.fromkeys(filter(None, map(self.address, stated))))

    def address(self, value: Any) -> str:
        """Return a value as an absolute url of the web; empty if it is none."""
        if isinstance(value, dict):
            value = value.get("url") or value.get("contentUrl") or value.get("@id")
        value = next(iter(_values(value)), None)
        if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_URL:
            return ""
        url = unescape(value.strip()) if "&" in value else value.strip()
        # most are whole, and joining takes long
        if not url.startswith(_WEB) or "[" in url:
            try:
                url = urljoin(self._base_url, url)
            except ValueError:
                return ""
        return url if url[: len("https://")].lower().startswith(_WEB) and url.isprintable() else ""


def is_name(text: str) -> bool:
    """Return whether a text can be an author's name: short, with a letter, and no address."""
    return 0 < len(text) <= _LONGEST_NAME and bool(_LETTER.search(text)) and not _ADDRESS.match(text)


def is_topic(text: str) -> bool:
    """Return whether a text can be the name of a topic: short, with a letter or a digit, and no address."""
    return 0 < len(text) <= _LONGEST_NAME and any(map(str.isalnum, text)) and not _ADDRESS.match(text)


def _parsed(text: str) -> Any:
    """Return the value of a text of JSON-LD; None if it is none."""
    if len(text) > _LONGEST_JSON:
        return None
    text = text.strip()
    for begin in _BEGINNINGS:
        text = text.removeprefix(begin)
    for end in _ENDINGS:
        text = text.removesuffix(end).rstrip()
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):  # also numbers that are too long
        return None


def _collect(value: Any, found: list[dict[str, Any]], depth: int = 0) -> None:
    """Add the objects of JSON-LD that stand by themselves: those of lists and graphs, and main entities."""
    if isinstance(value, list) and depth < _DEEPEST:
        for one in value:
            _collect(one, found, depth + 1)
    elif isinstance(value, dict) and len(found) < _MOST_THINGS:
        found.append(value)
        if depth < _DEEPEST:
            for key in ("@graph", "mainEntity", "breadcrumb"):
                _collect(value.get(key), found, depth + 1)


def _values(value: Any) -> list[Any]:
    """Return the values that a key of JSON-LD has, a bounded number of them."""
    if value is None:
        return []
    return value[:MOST] if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    """Return a value as text, folded and cut; empty if it has none."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name")
    if not isinstance(value, str):
        return ""
    return fold(unescape(value[:_LONGEST]) if "&" in value else value[:_LONGEST])


def _number(value: Any) -> int | None:
    """Return a count; None if it is none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < len("1000000000"):
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else None


@lru_cache(maxsize=1 << 10)
def _kinds_of(name: str) -> tuple[str, ...]:
    """Return the kinds of objects of a type."""
    return tuple(kind for kind, ends in _KINDS.items() if name.lower().endswith(ends))


@lru_cache(maxsize=1 << 10)
def _language(tag: str) -> str:
    """Return a language tag in its usual writing, ``pt-BR``, ``zh-Hant-TW``; empty: it is none."""
    tag = tag.replace("_", "-")
    if not _LANGUAGE.fullmatch(tag):
        return ""
    first, *others = tag.split("-")
    return "-".join(
        [first.lower(), *(one.title() if len(one) == len("Hant") else one.upper() for one in others)]
    )


def _first_time(texts: Iterable[str]) -> tuple[str, str] | tuple[None, None]:
    """Return the first text that is a time, in ISO 8601, and as it stands there; None twice: none is."""
    for text in texts:
        if found := iso_time(text):
            return found, text
    return None, None
