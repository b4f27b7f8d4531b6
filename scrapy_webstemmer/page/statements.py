"""Read what is stated about a page's article: in ``meta`` and ``link`` elements, in JSON-LD, and in feeds.

Nothing is taken on trust here but the form: a name is a short text with letters, an address is one of the
web, a number is a number. What the page says in its text alone is not looked for.

Sources: schema.org; The Open Graph protocol; Dublin Core in HTML; HTML Standard, the ``lang`` attribute.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from html import unescape
from importlib.resources import files
from itertools import chain
from operator import itemgetter
from typing import Any

from ..base.urls import link_key, name_in_host
from ..values import Announcement, Author, Breadcrumb, Markup, valid_text
from .addresses import has_host_of, may_be_name, may_lead, shows_article
from .days import stated_time
from .facts import CANONICAL, JSON, META
from .json_ld import MOST_IN_LIST, body_of, by_kind, first_of, list_of, objects_in
from .markup import Base
from .names import given_first, is_name, joined_name, names_in, says_author, without_tags
from .text import divided_as_list, fold, language_tag, name_letters

#: At most so many characters of a text, of a url, and of the text of an article; that of a book has no more.
_LONGEST_STATED, _LONGEST_URL, _LONGEST_BODY = 2_000, 2_000, 500_000
_WEB = ("http://", "https://")
#: What stands between somebody and an employer.
_BEFORE_EMPLOYER = re.compile(r"(.+)(?:, | [-–—|/] | (?i:for|at) )(.+)")
#: The name of a host tells that of its site if it has more letters.
_LONG_HOST = 4
#: What programs state where they have no value.
_NO_VALUES = frozenset(("null", "undefined", "None"))
#: What stands between topics.
_BETWEEN_TOPICS = re.compile("[,;，、；]")

#: For each field, the names of the ``meta`` elements that state it, the surest first.
_META_NAMES: Mapping[str, list[str]] = json.loads(
    files(__package__).joinpath("meta_names.json").read_text("utf-8")
)

#: State authors, mostly as ``Lee, Ann; Roe, Bob`` (Google Scholar's guidelines for webmasters).
_CITED = frozenset(
    "citation_author citation_authors bepress_citation_author dc.creator.personalname"
    " eprints.creators_name".split()
)

#: Who may state the time of the publication, the surest first: ``meta`` elements, the article's object of
#: JSON-LD, its page's, other ``meta`` elements. What a feed says counts like the first where nothing else is
#: stated. Then there are the times that they state as those of changes.
_PUBLICATIONS = ("meta", "data", "page data", "other meta")
PUBLICATIONS, CHANGED = frozenset(_PUBLICATIONS), "changed"

#: The ends of the types of objects whose author has not written the page, but has made a book, or the site.
_WORKS = tuple(
    "book movie album recording composition application product artwork imageobject photograph comment answer"
    " website".split()
)

#: For each name of the ``meta`` elements that are read, its field, and how sure it is: the surest is 0.
_FIELDS = {name: (field, rank) for field, names in _META_NAMES.items() for rank, name in enumerate(names)}
STATED = frozenset(_FIELDS)

_NOT_ANNOUNCED = Announcement()


class Statements:
    """What one page states. Each property reads its part when it is asked for the first time.

    :param markup: the page's markup.
    :param url: the page's url; JSON-LD may describe several articles.
    :param announced: what a feed says; it counts where the page itself states nothing.
    :param title: the page's ``title`` element, which tells its article from others.

    Cost: linear in the length of what is stated.
    """

    def __init__(
        self, markup: Markup, url: str, announced: Announcement | None = None, title: str = ""
    ) -> None:
        self._url, self._base, self._title = url, Base(markup), name_letters(title)
        self._announced = announced or _NOT_ANNOUNCED
        #: For each field, the contents of the ``meta`` elements that state it, by their ranks.
        self._metas: dict[str, list[tuple[int, str]]] = {}
        self._canonical = lang = ""
        #: Whether it states authors for libraries, which name all of them.
        self.is_cited = False
        scripts: list[str] = []
        for kind, name, value in markup.stating(STATED):
            if value.strip() in _NO_VALUES:
                continue
            value = valid_text(value)
            if kind == META:
                field, rank = _FIELDS[name]
                self.is_cited |= name in _CITED
                value = "; ".join(map(given_first, value.split(";"))) if name in _CITED else value
                self._metas.setdefault(field, []).append((rank, value))
            elif kind == JSON:
                scripts.append(value)
            elif kind == CANONICAL:
                self._canonical = self._canonical or value
            else:
                lang = value
        for stated in self._metas.values():
            stated.sort(key=itemgetter(0))
        #: The objects of JSON-LD, without those that are part of others; the one that is the page.
        self._objects = objects_in(scripts)
        self._of_kind = by_kind(self._objects)
        self._page: Mapping[str, Any] = next(iter(self._of_kind.get("page", ())), {})
        self._article = self._one_article()
        #: The language as a BCP 47 tag; empty: none.
        in_language = self._article.get("inLanguage")
        alternate = self._object(in_language).get("alternateName")
        texts = _text(in_language), _text(alternate), lang, *self._in_metas("language")
        self.language = next(filter(None, map(language_tag, texts)), "")

    @property
    def authors(self) -> tuple[Author, ...]:
        """The authors: of JSON-LD, of ``meta`` elements, or those that a feed names."""
        return next((authors for _, authors in self.author_ways), ())

    @cached_property
    def author_ways(self) -> tuple[tuple[str, tuple[Author, ...]], ...]:
        """The authors whom each way states, with its name; what a feed says only if no other does."""
        objects = ((obj, key) for obj in (self._article, self._page) for key in ("author", "creator"))
        stated = (list_of(obj.get(key)) for obj, key in objects)
        ways = {
            "data": next(filter(self._authors, stated), []),
            "meta": self._in_metas("authors"),
        }
        if not self._authors(ways["meta"]):  # of addresses, for example
            labels = dict(self._ranked_metas("label"))
            said = self._ranked_metas("labelled")
            labelled = [text for n, text in said if says_author(labels.get(n, ""), self.language)]
            ways["meta"] = labelled or self._in_metas("other authors")
        authors = {way: named for way, values in ways.items() if (named := self._authors(values))}
        if not authors and (announced := self._authors(self._announced.authors)):
            authors = {"meta": announced}
        return tuple(authors.items())

    @property
    def published(self) -> tuple[str, str] | tuple[None, None]:
        """The time of publication in ISO 8601, and as it stands there; None twice: not stated."""
        stated = (text for way, text in self.times if way != CHANGED)
        texts = chain(stated, [self._announced.published])
        return next(((time, text) for text in texts if (time := stated_time(text))), (None, None))

    @property
    def times(self) -> Iterator[tuple[str, str]]:
        """All stated times as they stand there, the surest first, each with who states it, or ``CHANGED``."""
        data = self._times("datePublished") or self._times("dateCreated")
        data = data or [*filter(None, [_time(self._article.get("uploadDate"))])]
        ways = self._in_metas("surely published"), data, self._in_metas("published")
        metas, objects, others = ways if any(ways) else ([self._announced.published], [], [])
        values = metas, objects[:1], objects[1:], others
        for name, texts in zip(_PUBLICATIONS, values, strict=True):
            for text in texts:
                if text:
                    yield name, text
        for text in (*self._times("dateModified"), *self._in_metas("modified")):
            yield CHANGED, text

    @property
    def description(self) -> str:
        """The description; empty: none."""
        others = (_text(obj.get("description")) for obj in (self._article, self._page))
        text = next(filter(None, chain(self._in_metas("description"), others)), "")
        # a tag in the middle may be what the page is about
        return _text(text) if text.startswith("<") else _without_references(text)

    @property
    def image(self) -> str:
        """The url of the main image; empty: none."""
        return next(self.images, "")

    @property
    def images(self) -> Iterator[str]:
        """The urls that are stated as that of the main image, the surest first; not the publisher's logo."""
        logo = self._object(self._article.get("publisher")).get("logo")
        logo_url = self.address(self._object(logo) or logo)
        urls = self._addresses("image", self._article.get("image"), self._page.get("primaryImageOfPage"))
        return (url for url in urls if url != logo_url and shows_article(url))

    @property
    def videos(self) -> tuple[str, ...]:
        """The urls of videos."""
        return tuple(dict.fromkeys(self._addresses("videos", self._article.get("video"))))

    @property
    def audios(self) -> tuple[str, ...]:
        """The urls of recordings."""
        return tuple(dict.fromkeys(self._addresses("audios", self._article.get("audio"))))

    @property
    def tags(self) -> tuple[str, ...]:
        """The topics, as the publisher names them. A text that is the only one may join several."""
        data = map(_text, list_of(self._article.get("keywords")))
        return _topics([*map(_without_references, self._in_metas("tags"))] or [*data])

    @property
    def keywords(self) -> tuple[str, ...]:
        """What is stated for search engines as that which the article is about."""
        return _topics([*map(_without_references, self._in_metas("keywords"))])

    @property
    def breadcrumbs(self) -> tuple[Breadcrumb, ...]:
        """The way from the site's front page to the page."""
        for obj in self._of_kind.get("breadcrumbs", ()):
            steps = [step for step in list_of(obj.get("itemListElement")) if isinstance(step, dict)]
            steps.sort(key=lambda step: _count(step.get("position")) or 0)
            crumbs = map(self._breadcrumb, steps[:MOST_IN_LIST])
            if named := tuple(crumb for crumb in crumbs if crumb.name):
                return named
        return ()

    @property
    def canonical(self) -> str:
        """The url that the page calls its own; empty: none.

        That of the site's front page is a fault of the template, unless the page is that. So is that of the
        machine on which the site was built, or in ``og:url`` that of another host.
        """
        others = (
            url for url in map(self.address, self._in_metas("canonical")) if has_host_of(url, self._url)
        )
        urls = (self.address(self._canonical), *others)
        return next((url for url in urls if may_be_name(url, self._url)), "")

    @cached_property
    def site_name(self) -> str:
        """The name of the site; empty: none."""
        publisher = self._article.get("publisher")
        sites = (*self._of_kind.get("site", ()), self._object(publisher))
        objects = *(_text(obj.get("name")) for obj in sites), _text(publisher)
        names = (*map(_without_references, self._in_metas("site")), *objects)
        return next(filter(None, names), "")

    @property
    def headline(self) -> str:
        """The headline of the article; empty: not stated."""
        stated = _text(self._article.get("headline")) or _text(self._article.get("name"))
        return stated or next(iter(self._in_metas("title")), "")

    @property
    def body(self) -> str:
        """The text of the article or posting, as it stands there; empty: not stated, or too long.

        That of a live blog is in its updates, and that of a recipe in its steps.
        """
        stated = body_of(self._article)
        return stated if len(stated) <= _LONGEST_BODY else ""

    @property
    def comment_count(self) -> int | None:
        """The number of readers' comments; None: not stated."""
        return _count(self._article.get("commentCount"))

    def _in_metas(self, field: str) -> list[str]:
        """Return what ``meta`` elements state of a field, the surest first, folded and cut."""
        texts = (fold(text[:_LONGEST_STATED]) for _, text in self._ranked_metas(field))
        return [*filter(None, texts)]

    def _ranked_metas(self, field: str) -> Sequence[tuple[int, str]]:
        return self._metas.get(field, [])[:MOST_IN_LIST]

    def _times(self, key: str) -> list[str]:
        """Return the times that the article and the page state, or else the only object that states one."""
        times = [time for obj in (self._article, self._page) if (time := _time(obj.get(key)))]
        if not times:
            others = [_time(obj[key]) for obj in self._objects if key in obj]
            times = [*filter(None, others)] if len(others) == 1 else []
        return times

    @cached_property
    def _known(self) -> Mapping[str, dict[str, Any]]:
        """The objects of JSON-LD by their ``@id``: those that stand by themselves, and those in them."""
        parts = [part for obj in self._objects for part in obj.values() if isinstance(part, dict)]
        objects = sorted([*parts, *self._objects], key=len)  # the shortest may only name others
        return {key: obj for obj in objects if isinstance(key := obj.get("@id"), str)}

    def _one_article(self) -> Mapping[str, Any]:
        """Return the object of JSON-LD that is the page's article: the only one, or that of the page's url.

        One that names no page is described where it stands. Without any, it is the only other object with an
        author. Empty: there is none, or nobody knows which.
        """
        articles = self._of_kind.get("article", ())
        if not articles:
            others = [obj for obj in self._objects if "author" in obj and obj is not self._page]
            is_work = any(_text(obj.get("@type")).lower().endswith(_WORKS) for obj in others)
            articles = () if is_work or len(others) > 1 else others
        if len(articles) <= 1:
            return articles[0] if articles else {}
        # a plugin may describe it once more, without saying who wrote it; others have another headline
        articles = sorted(articles, key=self._is_titled, reverse=True)
        articles.sort(key=lambda obj: not (obj.get("author") or obj.get("datePublished")))
        own_keys = set(map(_page_key, (self._url, self._url.partition("?")[0], self.canonical)))
        named = [(self._keys_of(obj), obj) for obj in articles]
        ways = (obj for keys, obj in named if keys & own_keys), (obj for keys, obj in named if not keys)
        return next(chain.from_iterable(ways), {})

    def _is_titled(self, obj: Mapping[str, Any]) -> bool:
        """Return whether the page's ``title`` element has the headline of an object."""
        headline = name_letters(_text(obj.get("headline")))
        return bool(headline) and headline in self._title

    def _keys_of(self, obj: Mapping[str, Any]) -> set[str]:
        """Return the keys of the urls by which an object names its page."""
        names = (name for key in ("url", "mainEntityOfPage", "@id") for name in list_of(obj.get(key)))
        return {_page_key(url) for url in map(self.address, names) if url}

    def _object(self, value: Any) -> Mapping[str, Any]:
        """Return the object that a value is, or that it names."""
        first = first_of(value)
        if isinstance(first, dict):
            return first if "name" in first else self._known.get(str(first.get("@id")), first)
        return self._known.get(str(first), {})

    def _authors(self, values: Iterable[Any]) -> tuple[Author, ...]:
        authors: dict[str, Author] = {}
        for value in values:
            obj = self._object(value)
            names = [*self._names_of(obj)] if obj else names_in(_text(value), self.language)
            url = self.address(obj.get("url")) if len(names) == 1 else ""
            for name in map(self.without_employer, names):
                authors.setdefault(name.casefold(), Author(name, url or None))
        names = self.without_site([author.name for author in authors.values()])
        return tuple(authors[name.casefold()] for name in names)[:MOST_IN_LIST]

    @cached_property
    def _site_letters(self) -> tuple[str, str]:
        """The letters of the site's name, and of the name of its host."""
        return name_letters(self.site_name) or "-", name_in_host(self._url)

    def without_employer(self, name: str) -> str:
        """Return a name without that of the site behind it, as in "Ann Lee, CNN" and "Ann Lee for CNN"."""
        parts = _BEFORE_EMPLOYER.fullmatch(name)
        return parts[1] if parts and name_letters(parts[2]) in self._site_letters else name

    def without_site(self, names: list[str]) -> list[str]:
        """Return names of authors without that of the site, as in "Ann Lee, Gull News"."""
        if len(names) < 2:
            return names
        site, host = self._site_letters
        starts = (site, host) if len(host) > _LONG_HOST else (site,)
        names = names[name_letters(names[0]) == site :]
        return [names[0], *(name for name in names[1:] if not name_letters(name).startswith(starts))]

    def _names_of(self, obj: Mapping[str, Any]) -> Iterator[str]:
        """Yield the names that an object of an author states: whole, in parts, or that of its role."""
        is_office = str(first_of(obj.get("@type"))).endswith("Organization")
        for name in map(_text, list_of(obj.get("name"))):
            is_whole = is_office and is_name(name) and "," not in name
            yield from [name] if is_whole else names_in(name, self.language)
        if not obj.get("name"):
            parts = (_text(obj.get(key)) for key in ("givenName", "additionalName", "familyName"))
            inner = self._object(obj.get("author"))
            yield from filter(is_name, (joined_name(*parts), _text(inner.get("name"))))

    def _breadcrumb(self, step: Mapping[str, Any]) -> Breadcrumb:
        item = step.get("item")
        name = _text(step.get("name")) or (_text(item) if isinstance(item, dict) else "")
        return Breadcrumb(name, self.address(item) or None)

    def _addresses(self, field: str, *values: Any) -> Iterator[str]:
        """Return the urls that ``meta`` elements and values of JSON-LD state, the surest first."""
        objects = (self._object(value) or value for value in chain(*map(list_of, values)))
        return filter(None, map(self.address, filter(may_lead, chain(self._in_metas(field), objects))))

    def address(self, value: Any) -> str:
        """Return a value as an absolute url of the web; empty if it is none."""
        if isinstance(value, dict):
            value = next(filter(None, map(value.get, ("contentUrl", "embedUrl", "url", "@id"))), "")
        value = value if isinstance(value, str) else first_of(value)
        value = valid_text(value) if isinstance(value, str) else ""
        if not 0 < len(value) <= _LONGEST_URL:
            return ""
        url = unescape(value.strip()) if "&" in value else value.strip()
        # most are whole, and joining takes long
        if not url.startswith(_WEB) or "[" in url:
            url = self._base.joined(url)
        return url if url[: len("https://")].lower().startswith(_WEB) and url.isprintable() else ""


def _page_key(url: str) -> str:
    """Return a key that the urls of one page have in common, with ``www`` and without."""
    return link_key(url).removeprefix("www.").rstrip("/")


def _topics(stated: Sequence[str]) -> tuple[str, ...]:
    if len({*stated}) == 1:
        stated = _BETWEEN_TOPICS.split(divided_as_list(stated[0]))
    topics: dict[str, str] = {}
    for topic in map(str.strip, stated):
        if any(map(str.isalnum, topic)):
            topics.setdefault(topic.casefold(), topic)
    return tuple(topics.values())[:MOST_IN_LIST]


def _without_references(text: str) -> str:
    """Return a text without references of HTML, which some programs escape twice, folded."""
    return valid_text(fold(unescape(text) if "&" in text else text))


def _text(value: Any) -> str:
    """Return a value as text, without tags, folded and cut; empty if it has none."""
    if isinstance(value, list):
        value = first_of(value)
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name")
    text = valid_text(without_tags(value[:_LONGEST_STATED])) if isinstance(value, str) else ""
    return text if text not in _NO_VALUES else ""


def _time(value: Any) -> str:
    """Return a time as text: it may also be a number, of seconds since 1970; empty if there is none."""
    return str(value) if isinstance(value, int) else _text(value)


def _count(value: Any) -> int | None:
    """Return a count; None if it is none."""
    if isinstance(value, str) and value.isdecimal() and len(value) < len("1000000000"):
        value = int(value)
    return value if type(value) is int and 0 <= value < 10**9 else None
