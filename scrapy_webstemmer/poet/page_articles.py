"""The article of a page for scrapy-poet: what provides it, and page objects that make items of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

try:
    import attrs
    from scrapy.http import Response, TextResponse
    from scrapy_poet import PageObjectInputProvider
    from scrapy_poet.injection import Injector
    from scrapy_poet.utils import scrapy_response_to_http_response
    from web_poet import AnyResponse, ItemPage, field
    from web_poet.serialization import register_serialization
    from zyte_common_items import Article, ArticlePage
except ImportError as error:
    raise ImportError(
        f'{__package__} needs {error.name}, which is not installed: pip install "scrapy-webstemmer[poet]"',
        name=error.name,
    ) from error

from scrapy.crawler import Crawler

from ..crawl.article_finder import ArticleFinder, load_patterns
from ..crawl.item_classes import zyte_values
from ..crawl.reports import said_in_a_line
from ..crawl.setting_values import setting_name
from ..crawl.settings import WebstemmerSettings, warn_of_unknown_names
from ..errors import OptionError
from ..items import ArticleItem, CrawledPage, is_html, page_of
from ..values import Page


@dataclass(frozen=True, slots=True)
class PageArticle:
    """The article that the crawl's patterns find on a page. Page objects make their items of it.

    :param url: the page's url, after redirects.
    :param item: the article; None: the page gives none.
    """

    url: str
    item: ArticleItem | None


@attrs.define
class ArticleItemPage(ItemPage[ArticleItem]):
    """A page whose item is an :class:`~scrapy_webstemmer.ArticleItem`, as our pipeline gives it.

    A page without an article has the item None. Scrapy skips a None that a callback yields.
    """

    page_article: PageArticle

    async def to_item(self) -> ArticleItem | None:
        """Return the article; None if the page gives none."""
        return self.page_article.item


def _stated(name: str) -> Any:
    """Return a field with a value of :func:`~..crawl.item_classes.zyte_values`.

    :param name: the field's name, by which web-poet also finds it in the item of a page without an article.
    """

    def value(page: WebstemmerArticlePage) -> Any:
        return page._values[name]

    value.__name__ = name
    return field(value)


@attrs.define
class WebstemmerArticlePage(ArticlePage):
    """A page whose item is a ``zyte_common_items.Article``.

    ``metadata.probability`` is our confidence; None for layouts of 2009, which have none. A page without an
    article has an item with the probability 0 and no text. ``DropLowProbabilityItemPipeline`` of
    zyte-common-items drops such items.

    A subclass may add fields, or replace some. It finds the page in ``response``.
    """

    page_article: PageArticle

    def validate_input(self) -> Article | None:
        """Return the item of a page without an article; None if there is an article."""
        return self.no_item_found() if self.page_article.item is None else None

    headline = _stated("headline")
    articleBody = _stated("articleBody")  # noqa: N815 - the name is schema.org's
    articleBodyHtml = _stated("articleBodyHtml")  # noqa: N815 - as above
    datePublished = _stated("datePublished")  # noqa: N815 - as above
    datePublishedRaw = _stated("datePublishedRaw")  # noqa: N815 - as above
    dateModified = _stated("dateModified")  # noqa: N815 - as above
    dateModifiedRaw = _stated("dateModifiedRaw")  # noqa: N815 - as above
    authors = _stated("authors")
    description = _stated("description")
    mainImage = _stated("mainImage")  # noqa: N815 - as above
    videos = _stated("videos")
    audios = _stated("audios")
    inLanguage = _stated("inLanguage")  # noqa: N815 - as above
    breadcrumbs = _stated("breadcrumbs")
    canonicalUrl = _stated("canonicalUrl")  # noqa: N815 - as above
    metadata = _stated("metadata")  # with the time of the call

    @property
    def _values(self) -> dict[str, Any]:
        assert self.page_article.item is not None  # noqa: S101 - web-poet calls validate_input before any field
        return zyte_values(self.page_article.item)


class ArticleProvider(PageObjectInputProvider):
    """Provide :class:`PageArticle`: apply the crawl's patterns to a response.

    The pattern files are loaded once per crawl, at its start. A response gives no article if it is not HTML,
    if its status is not from 200 to 299, if it is unreadable, if it looks like a list or another kind of
    page, or if the article's confidence is too low. An unreadable page is logged and counted, and the crawl
    goes on.

    While there is no pattern file yet, a warning says how to make it, and no page gives an article.

    :raises OptionError: a setting has an invalid value, or a pattern file is unreadable.
    """

    provided_classes = frozenset({PageArticle})
    name = "webstemmer_article"

    def __init__(self, injector: Injector) -> None:
        super().__init__(injector)
        self._finder = _finder_of(injector.crawler)

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002 - there is only one class
        response: Response,
    ) -> list[PageArticle]:
        """Return the article of a response."""
        page = _page_of(response)
        item = await self._finder.find(CrawledPage(page)) if self._finder and page else None
        return [PageArticle(response.url, item)]


class AnyResponseProvider(PageObjectInputProvider):
    """Provide :class:`web_poet.AnyResponse` from the responses that Scrapy downloads.

    Page objects ask for it if both a response and a page from a browser will do. scrapy-poet itself has no
    provider for it.
    """

    provided_classes = frozenset({AnyResponse})
    name = "webstemmer_any_response"

    def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002 - as above
        response: Response,
    ) -> list[AnyResponse]:
        """Return a response as page objects get it."""
        return [AnyResponse(response=scrapy_response_to_http_response(response))]


@said_in_a_line
def _finder_of(crawler: Crawler) -> ArticleFinder | None:
    """Return what finds the articles of a crawl; None if it is switched off, or has no patterns yet."""
    options = WebstemmerSettings.from_settings(crawler.settings)
    if not options.enabled:
        return None
    warn_of_unknown_names(crawler.settings)
    if not options.patterns:  # NotConfigured would switch off all of scrapy-poet
        name = setting_name("patterns")
        raise OptionError(name, crawler.settings.get(name), "ArticleProvider needs a pattern file")
    patterns = load_patterns(crawler, options)
    if patterns is None:
        return None
    extract = replace(options.extract_options, sections="sections" in options.fields)  # as in other crawls
    return ArticleFinder(crawler, extract, patterns)


def _page_of(response: Response) -> Page | None:
    """Return the page in a response; None if it is not an HTML page that was served without an error."""
    if not isinstance(response, TextResponse) or not is_html(response) or not 200 <= response.status < 300:
        return None
    return page_of(response)


def _serialize(article: PageArticle) -> dict[str, bytes]:
    """Return the files that scrapy-poet's cache and its fixtures keep of an article."""
    return {"json": json.dumps(asdict(article), ensure_ascii=False, indent=2).encode()}


def _deserialize(cls: type[PageArticle], data: dict[str, bytes]) -> PageArticle:
    values = json.loads(data["json"])
    return cls(values["url"], ArticleItem(**values["item"]) if values["item"] else None)


register_serialization(_serialize, _deserialize)
