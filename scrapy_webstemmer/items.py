"""The items of a crawl: pages, which only this package uses, and articles, which every pipeline gets.

The signals and the keys of a request's meta that come with them are here as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeGuard
from urllib.parse import urldefrag

if TYPE_CHECKING:
    from scrapy.http import Response, TextResponse

    from .page.anchors import Anchor
    from .page.sources import Source
    from .values import Announcement, Article, Page

_HTML_TYPES = (b"text/html", b"application/xhtml+xml")

#: Scrapy signal: a page is stored safely in the learning set. Handlers get ``page`` and ``response``.
page_stored = object()

#: Scrapy signal: a page has given an article. Handlers get ``article`` and ``response``. The response of a
#: provisional article is a copy whose request has ``webstemmer_urldb`` False, since its url is not done yet.
article_scraped = object()

#: Scrapy signal: the article of a page has come before, under another url. Handlers get the same.
article_repeated = object()

#: The keys of a request's meta that are ours. True: the response is not taken as a page.
SKIP = "webstemmer_skip"

#: What an earlier crawl has stored for the url, ``page`` or ``article``.
SEEN = "webstemmer_seen"

#: False: the URLDB neither skips nor marks the request.
USE = "webstemmer_urldb"

#: A key that identifies the request in the URLDB instead of its url.
KEY = "webstemmer_urldb_key"


def is_html(response: Response) -> TypeGuard[TextResponse]:
    """Return whether a response is HTML by its class, or a text that its headers say to be HTML.

    Some download handlers have classes of their own for what a browser made of a page. Without a type, the
    beginning of the body tells: Scrapy knows few beginnings of HTML.
    """
    from scrapy.http import HtmlResponse, TextResponse, XmlResponse

    from .storage.source import looks_like_html

    if isinstance(response, HtmlResponse) or not isinstance(response, TextResponse):
        return isinstance(response, HtmlResponse)
    kind = (response.headers.get("Content-Type") or b"").partition(b";")[0].strip().lower()
    if kind or isinstance(response, XmlResponse):
        return kind in _HTML_TYPES
    return looks_like_html(response.body)


def page_of(response: TextResponse) -> Page:
    """Return the page in a response that has just come, with the encoding that Scrapy uses to decode it."""
    from .values import Page

    meta = response.request.meta if response.request else {}
    return Page(
        url=urldefrag(response.url).url,  # some of Scrapy's download handlers keep the fragment
        body=response.body,
        encoding=response.encoding,
        fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        aliases=tuple(meta.get("redirect_urls", ())),
    )


@dataclass(eq=False, repr=False)
class CrawledPage:
    """A page that the spider middleware gives to our pipeline. No other component sees it.

    :param page: the page as it was fetched, with the encoding that Scrapy used to decode it.
    :param anchors: its anchors to other pages; empty if nothing in this crawl needs them.
    :param response: the page's response.
    :param seen: what an earlier crawl stored of its url, ``page`` or ``article``; empty: nothing.
    :param source: the page, open for reading; None: nobody has opened it.
    :param announced: for a feed, which has no body here: what it says about pages, by their urls.
    """

    page: Page
    anchors: tuple[Anchor, ...] = ()
    response: TextResponse | None = None
    seen: str = ""
    source: Source | None = None
    announced: Mapping[str, Announcement] | None = None

    def __repr__(self) -> str:
        return f"<CrawledPage {self.page.url}, {len(self.page.body)} bytes, {len(self.anchors)} anchors>"


@dataclass(repr=False, eq=False)
class ArticleItem(MutableMapping[str, Any]):
    """An article as pipelines and feeds get it: a dataclass whose fields can also be read and set by key.

    The fields are those of :class:`~scrapy_webstemmer.Article`, in plain types. An article has all of them
    wherever it goes; what is not known, or was not asked for, is None.

    :param provisional: True: the article came before its site was learned (``WEBSTEMMER_AT_ONCE``). If the
        page still is an article when the site is learned, its article comes again, with False.
    :param sections: its parts, each as ``{"kind": …, "text": …}``; None unless a setting asks for them, since
        they hold the text once more.
    :param comments: the readers' comments, each as ``{"author": …, "date": …, "text": …, "depth": …}``; None
        unless a setting asks for them.
    """

    url: str
    title: str
    text: str
    html: str
    pattern: str = ""
    confidence: float | None = None
    probability: float | None = None
    provisional: bool = False
    page_type: str | None = None
    page_type_confidence: float | None = None
    date: str | None = None
    markdown: str | None = None
    sections: list[dict[str, str]] | None = None
    date_published: str | None = None
    date_published_raw: str | None = None
    date_modified: str | None = None
    date_modified_raw: str | None = None
    authors: list[dict[str, str | None]] | None = None
    description: str | None = None
    main_image: str | None = None
    videos: list[str] | None = None
    audios: list[str] | None = None
    language: str | None = None
    tags: list[str] | None = None
    breadcrumbs: list[dict[str, str | None]] | None = None
    canonical_url: str | None = None
    site_name: str | None = None
    comment_count: int | None = None
    images: list[dict[str, str | None]] | None = None
    comments: list[dict[str, Any]] | None = None

    @classmethod
    def from_article(
        cls, article: Article, *, sections: bool = False, provisional: bool = False
    ) -> ArticleItem:
        """Return the item of an article, with its sections if they are wanted."""
        return cls(**article.to_dict(sections=sections) | {"provisional": provisional})

    def __getitem__(self, name: str) -> Any:
        if name not in _FIELD_NAMES:
            raise KeyError(name)
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        if name not in _FIELD_NAMES:
            raise KeyError(f"an article has no field {name!r}")
        setattr(self, name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"{name!r} cannot be deleted: an article has all its fields")

    def __iter__(self) -> Iterator[str]:
        return iter(_FIELD_NAMES)

    def __len__(self) -> int:
        return len(_FIELD_NAMES)

    def __repr__(self) -> str:
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        kind = ", provisional" if self.provisional else ""
        return f"<{self.url} {self.title[:80]!r}, {len(self.text):,} characters{sure}{kind}>"


_FIELD_NAMES = tuple(field.name for field in fields(ArticleItem))

#: The fields of what a page states about its article; they are None unless a setting asks for them.
METADATA_FIELDS = _FIELD_NAMES[_FIELD_NAMES.index("date_published") : _FIELD_NAMES.index("comments")]
